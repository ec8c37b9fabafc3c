//! Counts packings without walking through them: dynamic programming over a sweep of the cells.
//!
//! The first free cell of a fixed order must be covered by one of the placements that begin there, so
//! every packing is met in exactly one order and equal pieces need no care. What can follow depends
//! only on the cells covered and the pieces left: those are the states, and packings that share a
//! state are counted together. Frontiers are narrow, so states are few where packings are billions.
//! The same sweep over orbits of cells, with orbits of placements for tiles, counts the packings that
//! a symmetry leaves unchanged. docs/solver.md has the details and numbers.

mod board;
mod cover;
mod layers;
mod order;
mod rows;
mod stock;

use super::SolveError;
use super::burnside::{may_keep, mean, rings};
use super::kit::Kit;
use super::orbits::usable;
use super::placements::Builder;
use super::symmetries::Symmetry;
use super::word::{Wide, Word};
use crate::lattice::Cell;
use board::Board;
use cover::Cover;
use rows::Swept;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use stock::{MAX_CHOICES, Stock};

/// How far the sweep may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    /// Bytes for everything.
    pub(super) memory: u64,
    /// States, that is sets of sites, of all layers.
    pub(super) states: Option<u64>,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl Bounds<'_> {
    fn stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Relaxed))
    }

    fn need(&self, bytes: u64) -> Result<(), Halt> {
        if bytes > self.memory { Err(Halt::Memory { needed: bytes }) } else { Ok(()) }
    }
}

/// Why a sweep ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// It would need so many bytes, or more.
    Memory { needed: u64 },
    /// More states than wanted.
    States { states: u64 },
    /// Someone asked to stop.
    Stopped,
    /// A count does not fit 128 bits.
    Overflow,
    /// More choices of pieces than are listed.
    Choices,
}

impl Halt {
    /// The states met before a limit of theirs.
    pub(super) const fn states(self) -> u64 {
        match self {
            Self::States { states } => states,
            _ => 0,
        }
    }

    /// As an error, if it is one.
    pub(super) fn error(self, limit: u64) -> Option<SolveError> {
        match self {
            Self::Memory { needed } => Some(SolveError::Memory { needed, limit }),
            Self::Overflow => Some(SolveError::Overflow),
            Self::Choices => Some(SolveError::Choices { most: MAX_CHOICES }),
            Self::States { .. } | Self::Stopped => None,
        }
    }
}

/// All counts of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sweeps {
    pub(super) raw: u128,
    pub(super) rotation: u128,
    pub(super) unique: u128,
    /// States of all sweeps together.
    pub(super) states: u64,
}

/// Counts the packings of a figure whose placements `builder` has listed.
pub(super) fn count<W: Word>(
    kit: &Kit,
    builder: &Builder<W>,
    cells: &[Cell],
    group: &[Symmetry],
    bounds: Bounds<'_>,
) -> Result<Sweeps, Halt> {
    let identity = Symmetry { map: (0..cells.len()).collect(), improper: false };
    let Swept { total: raw, mut states } = sweep(kit, builder, cells, &identity, bounds, 0)?;
    // The mean is a sum first.
    if raw > u128::MAX >> 6 {
        return Err(Halt::Overflow);
    }
    let group_used = usable(kit, group);
    let mut known: Vec<(&Symmetry, u128)> = Vec::new();
    let (rotation, unique) = mean(kit, group, raw, |symmetry| {
        if *symmetry == identity {
            return Ok(raw);
        }
        // Conjugate symmetries leave equally many packings unchanged.
        let same = |(other, _): &&(&Symmetry, u128)| is_conjugate(&group_used, symmetry, other);
        if let Some(&(_, fixed)) = known.iter().find(same) {
            return Ok(fixed);
        }
        let swept = if may_keep(kit, symmetry) {
            sweep(kit, builder, cells, symmetry, bounds, states)?
        } else {
            Swept::default()
        };
        states += swept.states;
        if let Some(symmetry) = group_used.iter().find(|s| **s == symmetry) {
            known.push((symmetry, swept.total));
        }
        Ok(swept.total)
    })?;
    Ok(Sweeps { raw, rotation, unique, states })
}

/// Whether h a = b h for some h of the group.
fn is_conjugate(group: &[&Symmetry], a: &Symmetry, b: &Symmetry) -> bool {
    let swaps = |h: &&Symmetry| (0..a.map.len()).all(|i| h.map[a.map[i]] == b.map[h.map[i]]);
    a.improper == b.improper && group.iter().any(swaps)
}

/// The number of packings that a symmetry leaves unchanged.
fn sweep<W: Word>(
    kit: &Kit,
    builder: &Builder<W>,
    cells: &[Cell],
    symmetry: &Symmetry,
    bounds: Bounds<'_>,
    spent: u64,
) -> Result<Swept, Halt> {
    let rings = rings(kit, builder, symmetry);
    let cover = Cover::new(cells, &rings, &builder.layout, symmetry);
    let choices = Stock::choices(kit).filter(|&n| n <= MAX_CHOICES).ok_or(Halt::Choices)?;
    let stock_bytes = Stock::bytes(choices, kit.kinds.len(), cover.steps.len());
    bounds.need(stock_bytes)?;
    let stock = Stock::new(kit, &cover.steps);
    let bounds = Bounds { memory: bounds.memory - stock_bytes, ..bounds };
    let order = order::best(&cover);
    let swept = if cover.sites.len() <= u64::BITS as usize {
        run::<u64>(&Board::new(&cover, &order), &stock, bounds, spent)
    } else {
        run::<Wide<2>>(&Board::new(&cover, &order), &stock, bounds, spent)
    };
    swept.map_err(|halt| match halt {
        Halt::Memory { needed } => Halt::Memory { needed: needed + stock_bytes },
        halt => halt,
    })
}

fn run<W: Word>(
    board: &Board<W>,
    stock: &Stock,
    bounds: Bounds<'_>,
    spent: u64,
) -> Result<Swept, Halt> {
    let layers = layers::layers(board, stock, bounds, spent)?;
    rows::sum(board, stock, layers, bounds)
}
