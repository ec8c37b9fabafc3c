//! Counts packings without visiting them: dynamic programming over a sweep of the cells.
//!
//! This is broken-profile dynamic programming in the form of a frontier-based search (Kawahara, Inoue, Iwashita and
//! Minato, 2017). The cells have a fixed order, and the first free cell is covered next, by a placement that begins
//! there. What can follow depends only on the covered cells and the pieces left. So packings of the first cells that
//! agree in both are counted together. The covered cells are those behind a line that sweeps over the figure, apart
//! from some near the line, the *frontier*. Frontiers are narrow, so billions of packings have few states.
//!
//! The states are found before they are counted. `levels.rs` lists the sets of covered cells, by the number of
//! placements that cover them; `vectors.rs` then goes back from the full set, and gives each set a vector with a count
//! for each choice of pieces that can be left (`choices.rs`). docs/solver.md has the recurrence.
//!
//! # Why it is right
//!
//! A packing has one placement at each free cell in turn, so it occurs in exactly one order. Equal pieces need no
//! special care: a placement is a set of cells, and does not say which copy of a piece fills it. A symmetry of the
//! figure maps the packings of the free cells to those of their image, with mirror images of the pieces if it is a
//! reflection. So the image with the least mask represents all images of a set (`images.rs`).
//!
//! Counts up to symmetry follow from Burnside's lemma. To count the packings that a symmetry fixes, the same sweep goes
//! over orbits of cells, with orbits of placements as tiles (`cover.rs`): hence *sites* and *tiles*, which for the
//! identity are cells and placements.
//!
//! # What it costs
//!
//! Time and memory are proportional to the number of states and to the choices of pieces that each can have. The number
//! of states depends on the width of the frontier, and so on the order of the cells (`order.rs`), but hardly on the
//! number of packings: two SOMAs have 40,443,182,120 packings in 3×3×6, and 1,008,576 states, or 156,957 with images.
//! Everything is bounded before it is allocated, see [`SweepLimits`].
//!
//! # Example
//!
//! Two V in 2×3 cells, row by row a b, c d, e f, have eight placements. Three of them begin at a:
//!
//! ```text
//! level 0   nothing   -> abc, abd or acd
//! level 1   abc       -> def completes a packing
//!           abd       is the image of abc under the reflection that exchanges a and b
//!           acd       is dropped, because no placement can cover b
//! ```
//!
//! So there are three states: nothing, abc and all cells. Counting back, all cells have 1 way, abc with one V left has
//! 1, and nothing with two V left has 1 + 1 = 2 packings.

mod board;
mod choices;
mod cover;
mod images;
mod levels;
mod limits;
mod order;
mod vectors;

use super::burnside::{can_fix_packings, mean, placement_orbits};
use super::limits::ShownCount;
use super::orbits::usable;
use super::placements::PlacementBuilder;
use super::prepared_set::PreparedSet;
use super::symmetries::CellSymmetry;
use super::word::{MaskWord, Wide};
use board::SweepBoard;
use choices::{MAX_CHOICES, PieceChoices};
use cover::{OrbitCover, Tile};
use images::SiteImages;
use limits::MAX_SITES;
pub(super) use limits::{Halt, SweepLimits};
use somacat_geometry::lattice::Cell;
use vectors::SweepTotal;

/// Number of counts computed in the time that finding a state takes.
const COUNTS_PER_STATE: u64 = 32;

/// The usual number of states for each unit of an order's estimate, see [`order`].
const STATES_PER_ESTIMATE: f64 = 4.0;

/// The packings of a figure: all, up to its rotations, and up to its rotations and reflections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrontierCounts {
    pub(super) raw: u128,
    pub(super) rotation: u128,
    pub(super) unique: u128,
    /// The number of states of all sweeps: one for all packings, and one for each class of conjugate symmetries that
    /// can fix a packing.
    pub(super) states: u64,
}

/// Returns the order of the cells in which few sets of free cells are expected to occur. Each placement is given by the
/// numbers of its cells.
pub(crate) fn sweep_order(
    cells: &[Cell],
    placements: impl Iterator<Item = Vec<usize>>,
) -> Vec<usize> {
    let sites = cells.iter().map(|&cell| vec![cell]).collect();
    let tiles = placements.map(|sites| Tile { sites, usage: 0 }).collect();
    order::best(&OrbitCover { sites, tiles, usages: Vec::new(), symmetries: Vec::new() }).1
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

/// Predicts the work of a count, within a factor of about four, in the unit of [`SweepLimits::work`]. Only the sweep
/// for all packings is predicted.
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

/// The data shared by all sweeps of a figure. `group` has the symmetries that map packings to packings.
struct SweepProblem<'a, W> {
    prepared: &'a PreparedSet,
    builder: &'a PlacementBuilder<W>,
    cells: &'a [Cell],
    group: &'a [&'a CellSymmetry],
    bounds: SweepLimits<'a>,
}

impl<W: MaskWord> SweepProblem<'_, W> {
    /// Counts the packings that a symmetry fixes, all packings for the identity. Earlier sweeps had `spent` states,
    /// which count towards the limits.
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

/// Sweeps over a cover with masks of a width that holds its sites: lists the levels, and then counts back.
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
