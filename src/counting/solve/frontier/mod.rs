//! Counts packings without visiting them: dynamic programming over a sweep of the cells.
//!
//! This is broken-profile dynamic programming in the form of a frontier-based search (Kawahara, Inoue, Iwashita and
//! Minato, 2017). The cells have a fixed order, and a placement that begins at the first free cell must cover it.
//! So every packing occurs in exactly one order, and equal pieces need no special care. The possible continuations
//! depend only on the covered cells and the pieces left. These are the states, and packings that share a state are
//! counted together. Frontiers are narrow, so billions of packings have few states. States that a symmetry of the
//! figure maps to one another have equal counts, so one represents all. The same sweep over orbits of cells, with
//! orbits of placements as tiles, counts the packings that a symmetry fixes. docs/solver.md has the
//! recurrence.

mod board;
mod choices;
mod cover;
mod images;
mod levels;
mod order;
mod vectors;

use super::burnside::{can_fix_packings, mean, placement_orbits};
use super::limits::ShownCount;
use super::orbits::usable;
use super::placements::PlacementBuilder;
use super::prepared_set::PreparedSet;
use super::symmetries::CellSymmetry;
use super::word::{MaskWord, Wide};
use super::{LongSearches, SolveError};
use board::SweepBoard;
use choices::{MAX_CHOICES, PieceChoices};
use cover::OrbitCover;
use images::SiteImages;
use somacat_geometry::lattice::Cell;
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use vectors::SweepTotal;

#[derive(Clone, Copy, Debug)]
pub(super) struct SweepLimits<'a> {
    pub(super) memory: u64,
    /// Maximum number of states: sets of sites on all levels.
    pub(super) states: Option<u64>,
    /// Maximum work: states, and the counts of all states, [`COUNTS_PER_STATE`] of which take as long as a state.
    pub(super) work: Option<u64>,
    pub(super) stop: Option<&'a AtomicBool>,
    /// Receives the progress of the sweep.
    pub(super) searches: Option<&'a LongSearches>,
}

const MAX_SITES: usize = Wide::<2>::BITS;

/// Number of counts computed in the time that finding a state takes.
const COUNTS_PER_STATE: u64 = 32;

/// The usual number of states for each unit of an order's estimate.
const STATES_PER_ESTIMATE: f64 = 4.0;

impl SweepLimits<'_> {
    fn most_states(&self) -> Option<u64> {
        [self.states, self.work].into_iter().flatten().min()
    }

    fn stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Relaxed))
    }

    fn need(&self, bytes: u64) -> Result<(), Halt> {
        if bytes > self.memory { Err(Halt::Memory { needed: bytes }) } else { Ok(()) }
    }
}

/// The reason why a sweep ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// It needs at least this many bytes.
    Memory { needed: u64 },
    /// The system refused memory.
    Allocation,
    /// More states than allowed.
    States { states: u64 },
    /// The caller asked to stop.
    Stopped,
    /// A count does not fit 128 bits.
    Overflow,
    /// More choices of pieces than are listed.
    Choices,
    /// More sites than [`MAX_SITES`].
    Sites,
}

impl From<TryReserveError> for Halt {
    fn from(_: TryReserveError) -> Self {
        Self::Allocation
    }
}

impl Halt {
    /// Returns the number of states visited, if their limit ended the sweep.
    pub(super) const fn states(self) -> u64 {
        match self {
            Self::States { states } => states,
            _ => 0,
        }
    }

    /// Returns the corresponding error; `None` for a limit or a stop.
    pub(super) fn error(self, limit: u64) -> Option<SolveError> {
        match self {
            Self::Memory { needed } => Some(SolveError::Memory { needed, limit }),
            Self::Allocation => Some(SolveError::Allocation),
            Self::Overflow => Some(SolveError::Overflow),
            Self::Choices => Some(SolveError::Choices { most: MAX_CHOICES }),
            Self::Sites => Some(SolveError::FrontierCells { most: MAX_SITES }),
            Self::States { .. } | Self::Stopped => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrontierCounts {
    pub(super) raw: u128,
    pub(super) rotation: u128,
    pub(super) unique: u128,
    pub(super) states: u64,
}

/// Counts the packings of a figure whose placements `builder` has listed.
pub(super) fn count<W: MaskWord>(
    prepared: &PreparedSet,
    builder: &PlacementBuilder<W>,
    cells: &[Cell],
    group: &[CellSymmetry],
    bounds: SweepLimits<'_>,
) -> Result<FrontierCounts, Halt> {
    let group_used = usable(prepared, group);
    let problem = SweepProblem { prepared, builder, cells, group: &group_used, bounds };
    let identity = CellSymmetry { map: (0..cells.len()).collect(), improper: false };
    let SweepTotal { total: raw, mut states } = problem.sweep(&identity, 0)?;
    // The mean over the group first adds up to 48 such numbers.
    if raw > u128::MAX >> 6 {
        return Err(Halt::Overflow);
    }
    let mut counted: Vec<(&CellSymmetry, u128)> = Vec::new();
    let (rotation, unique) = mean::<Halt>(prepared, group, raw, |symmetry| {
        if *symmetry == identity {
            return Ok(raw);
        }
        // Conjugate symmetries fix equally many packings.
        let same = |(other, _): &&(&CellSymmetry, u128)| is_conjugate(&group_used, symmetry, other);
        if let Some(&(_, fixed)) = counted.iter().find(same) {
            return Ok(fixed);
        }
        let sweep = if can_fix_packings(prepared, symmetry) {
            problem.sweep(symmetry, states)?
        } else {
            SweepTotal::default()
        };
        states += sweep.states;
        if let Some(symmetry) = group_used.iter().find(|s| **s == symmetry) {
            counted.push((symmetry, sweep.total));
        }
        Ok(sweep.total)
    })?;
    Ok(FrontierCounts { raw, rotation, unique, states })
}

/// Predicts the work of a count, within a factor of about four: states, and the counts of all states.
pub(super) fn predicted_work<W: MaskWord>(
    prepared: &PreparedSet,
    builder: &PlacementBuilder<W>,
    cells: &[Cell],
) -> f64 {
    let identity = CellSymmetry { map: (0..cells.len()).collect(), improper: false };
    let orbits = placement_orbits(prepared, builder, &identity);
    let cover = OrbitCover::new(cells, &orbits, &builder.layout, &identity, &[]);
    STATES_PER_ESTIMATE
        * order::best(&cover).0
        * (1.0 + PieceChoices::usual_length(prepared) / COUNTS_PER_STATE as f64)
}

/// Returns true if some h of the group conjugates a to b: h a = b h.
fn is_conjugate(group: &[&CellSymmetry], a: &CellSymmetry, b: &CellSymmetry) -> bool {
    let swaps = |h: &&CellSymmetry| (0..a.map.len()).all(|i| h.map[a.map[i]] == b.map[h.map[i]]);
    a.improper == b.improper && group.iter().any(swaps)
}

/// The data shared by all sweeps of a figure.
struct SweepProblem<'a, W> {
    prepared: &'a PreparedSet,
    builder: &'a PlacementBuilder<W>,
    cells: &'a [Cell],
    group: &'a [&'a CellSymmetry],
    bounds: SweepLimits<'a>,
}

impl<W: MaskWord> SweepProblem<'_, W> {
    /// Counts the packings that a symmetry fixes, after sweeps with `spent` states.
    fn sweep(&self, symmetry: &CellSymmetry, spent: u64) -> Result<SweepTotal, Halt> {
        let &Self { prepared, builder, cells, group, bounds } = self;
        let orbits = placement_orbits(prepared, builder, symmetry);
        let cover = OrbitCover::new(cells, &orbits, &builder.layout, symmetry, group);
        if cover.sites.len() <= u64::BITS as usize {
            run::<u64>(prepared, &cover, bounds, spent)
        } else if cover.sites.len() <= MAX_SITES {
            run::<Wide<2>>(prepared, &cover, bounds, spent)
        } else {
            Err(Halt::Sites)
        }
    }
}

fn run<W: MaskWord>(
    prepared: &PreparedSet,
    cover: &OrbitCover,
    bounds: SweepLimits<'_>,
    spent: u64,
) -> Result<SweepTotal, Halt> {
    let choices =
        PieceChoices::number(prepared).filter(|&n| n <= MAX_CHOICES).ok_or(Halt::Choices)?;
    let tables = PieceChoices::bytes(choices, prepared.kinds.len(), cover.usages.len())
        + SiteImages::<W>::bytes(cover);
    bounds.need(tables)?;
    let choices = PieceChoices::new(prepared, &cover.usages);
    let board = SweepBoard::<W>::new(cover, &order::best(cover).1);
    let rest = SweepLimits { memory: bounds.memory - tables, ..bounds };
    let show = |steps: u64| bounds.searches.map(|all| ShownCount::begin(all, steps as usize));
    // Until the levels are found, the amount of work is unknown.
    let unknown = show(1);
    let total = levels::levels(&board, &choices, rest, spent).and_then(|levels| {
        drop(unknown);
        let (states, counts) = vectors::sizes(&board, &choices, &levels);
        let work = spent + states + counts / COUNTS_PER_STATE;
        match bounds.work.is_some_and(|most| work > most) {
            true => Err(Halt::States { states: spent + states }),
            false => vectors::count(&board, &choices, levels, rest, show(counts).as_ref()),
        }
    });
    total.map_err(|halt| match halt {
        Halt::Memory { needed } => Halt::Memory { needed: needed + tables },
        halt => halt,
    })
}
