//! Packings in a box in which nothing slides.
//!
//! A figure is the inside of a box: every cell outside of it is wall. A packing leaves some cells empty, and its pieces
//! might rattle. A group of pieces, one, several or all, *slides* in one of the six directions if it can move by one
//! cell, as one rigid body, without meeting a wall or a piece outside of the group. A packing is *held* if no group
//! slides. With an open top, pieces may leave upwards, so that this direction does not count: nothing slides in the
//! other five. Shorter and longer moves need no attention: a group that moves by any distance first moves into the
//! cells next to it. Moves of several groups in different directions at once are not considered.
//!
//! **When a packing is held.** In a direction d, piece i *leans* on piece j if a cell of i has a cell of j next to it
//! towards d, and on the wall if it has a wall there. A group slides exactly if none of its pieces leans on the wall or
//! on a piece outside of it. The pieces from which no chain of leaning pieces leads to the wall are such a group, and
//! contain any other. So a packing is held if in each direction every piece leans on the wall, directly or through
//! others.
//!
//! **Search.** Take the pieces placed so far, a direction, and a piece without a chain to the wall. What it leans on,
//! directly or through others, is a group S that slides now. In every held packing with these pieces, some other piece
//! has a cell directly in front of S. So these empty cells in front are an *obligation*: at least one of them will be
//! filled. A cell that may not stay empty is one too, and so are the copies of a piece that are not placed yet. The
//! search takes the obligation that the fewest placements meet, and tries each of these, later ones without the earlier
//! ones. So it reaches every held packing exactly once. It gives up if the remaining pieces cannot meet all obligations:
//! each copy meets at most as many as the best placement of its kind.
//!
//! **Sets of placements** are rows of bits. For each cell there is the row of the placements that cover it.
//! A placement is held if it covers one of certain empty cells: those with a wall or a held piece in front. The row of
//! these placements is kept for each direction. So a handful of words answers which placements of the last piece
//! complete the packing: they fit, meet each obligation, and are held in each direction. Then everything is, because
//! what is not held leans on the last piece. If packings are only counted, nobody looks at them one by one.
//!
//! **Symmetry.** Some piece is in every packing. Its placements fall into orbits under the symmetries of the box, and
//! the search begins with one representative of each orbit, without the placements of the orbits before. It so finds
//! at least one packing of each class. Of the images of a packing, the one with the first orbit, the representative in
//! it, and the least placements counts for the class. If no symmetry keeps a placement of the piece, as with L in a box
//! of side 4, each packing with a representative is a class.
//!
//! For example, V is held in a square of 2×2 cells, which it fills but for a corner: it has a wall next to it on every
//! side. In a square of 3×3 cells it slides, but not if T fills four of the other cells in the right way.

mod bench;
mod classes;
mod in_place;
mod search;

use crate::parallel;
use crate::solve::{Limits, MaskWord, Placement, ShownCount, Wide};
use bench::Bench;
use classes::Root;
use search::Search;
use somacat_geometry::figure::{Figure, FigureColors, prefilter_with_colors};
use somacat_geometry::outcome::{Counts, Engine, Outcome, Reason, Report};
use somacat_geometry::pieces::{GAP, PieceSet};
use std::ops::{ControlFlow, Range};

/// The most cells of a box.
pub const MAX_BOX_CELLS: usize = <Wide<2>>::BITS;

/// The parts into which the search is divided for each beginning.
const PARTS: usize = 64;

/// The side of a box through which pieces are put in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoxTop {
    /// Nothing may slide upwards.
    Closed,
    /// Pieces may leave upwards.
    Open,
}

/// A box that is too large for the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "packings in which nothing slides are searched in boxes of up to {MAX_BOX_CELLS} cells; this has {0}"
)]
pub struct BoxTooLarge(pub usize);

/// A box and pieces to hold in it.
#[derive(Clone, Copy, Debug)]
pub struct HeldBox<'a> {
    /// The inside of the box.
    pub figure: &'a Figure,
    /// The pieces. If they have gaps ([`PieceSet::with_gaps_in`]), cells may stay empty.
    pub set: &'a PieceSet,
    /// The colors of the cells. They decide which cells may stay empty.
    pub colors: Option<&'a FigureColors>,
    /// The top of the box.
    pub top: BoxTop,
}

/// Which of the held packings a visitor sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeldPackings {
    /// All, the images of a packing one after the other.
    All,
    /// One of each class.
    Unique,
}

/// Returns the report of a box that has no packing at all, by the numbers of its cells or their colors.
fn ruled_out(HeldBox { figure, set, colors, .. }: HeldBox<'_>) -> Option<Report> {
    let obstruction = prefilter_with_colors(figure, set, colors)?;
    Some(Report::without_search(Reason::from(&obstruction)))
}

/// Passes every packing in which nothing slides to `visitor`, which may stop, and counts them.
///
/// Packings are counted up to the symmetries of the box; with an open top, those that keep it on top. In their report,
/// an unsolvable box is one without held packings.
///
/// ```
/// use somacat_counting::antislide::{BoxTop, HeldBox, HeldPackings, visit_held};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
/// use std::ops::ControlFlow;
///
/// // V and T hold each other in a square of nine cells in one way, up to its symmetries.
/// let (figure, set) = (Figure::of_box([3, 3, 1])?, parse_set("V T")?.with_gaps_in(9));
/// let held = HeldBox { figure: &figure, set: &set, colors: None, top: BoxTop::Closed };
/// let mut visitor = |_: &[_]| ControlFlow::Continue(());
/// let report = visit_held(held, HeldPackings::All, Limits::default(), &mut visitor)?;
/// assert_eq!((report.outcome.raw(), report.outcome.unique()), (Some(8), Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the box has more than [`MAX_BOX_CELLS`] cells.
pub fn visit_held(
    held: HeldBox<'_>,
    selection: HeldPackings,
    limits: Limits<'_>,
    visitor: &mut dyn FnMut(&[Placement]) -> ControlFlow<()>,
) -> Result<Report, BoxTooLarge> {
    let cells = cells_of(held)?;
    if let Some(report) = ruled_out(held) {
        return Ok(report);
    }
    match cells {
        ..=64 => Ok(visit_in::<u64>(held, selection, limits, visitor)),
        _ => Ok(visit_in::<Wide<2>>(held, selection, limits, visitor)),
    }
}

fn visit_in<M: MaskWord>(
    held: HeldBox<'_>,
    selection: HeldPackings,
    limits: Limits<'_>,
    visitor: &mut dyn FnMut(&[Placement]) -> ControlFlow<()>,
) -> Report {
    let bench: Bench<'_, M> = Bench::new(held);
    let (copies, number) = copies(held.set);
    let root = Root::new(&bench, &copies);
    let search = Search::new(&bench, root.as_ref(), (&copies, number), limits);
    let mut search = search.showing(selection, visitor);
    run_all(&mut search, root.as_ref());
    report(search.counts, search.nodes, search.halted)
}

/// Counts the packings in which nothing slides, up to the symmetries of [`visit_held`], on all threads of the current
/// pool. With a limit of nodes or packings, on one thread.
///
/// ```
/// use somacat_counting::antislide::{BoxTop, HeldBox, count_held};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // Twelve squares of four cells hold each other in a box of side 4 in three ways.
/// let (figure, set) = (Figure::of_box([4, 4, 4])?, parse_set("S12")?.with_gaps_in(64));
/// let held = HeldBox { figure: &figure, set: &set, colors: None, top: BoxTop::Closed };
/// assert_eq!(count_held(held, Limits::default())?.outcome.unique(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the box has more than [`MAX_BOX_CELLS`] cells.
pub fn count_held(held: HeldBox<'_>, limits: Limits<'_>) -> Result<Report, BoxTooLarge> {
    let cells = cells_of(held)?;
    if let Some(report) = ruled_out(held) {
        return Ok(report);
    }
    match cells {
        ..=64 => Ok(count_in::<u64>(held, limits)),
        _ => Ok(count_in::<Wide<2>>(held, limits)),
    }
}

fn count_in<M: MaskWord>(held: HeldBox<'_>, limits: Limits<'_>) -> Report {
    let bench: Bench<'_, M> = Bench::new(held);
    let (copies, number) = copies(held.set);
    let root = Root::new(&bench, &copies);
    let search = || Search::new(&bench, root.as_ref(), (&copies, number), limits);
    if limits.nodes.is_some() || limits.packings.is_some() {
        let mut search = search();
        run_all(&mut search, root.as_ref());
        return report(search.counts, search.nodes, search.halted);
    }
    let parts = beginnings(root.as_ref()).len() * PARTS;
    let shown = limits.searches.map(|searches| ShownCount::begin(searches, parts));
    let results = parallel::map(parts, |at| {
        let mut search = search().part(at % PARTS, PARTS);
        // In large boxes, beginning the thousands of parts that are left would take seconds.
        search.halted = limits.stopped();
        if !search.halted {
            search.run(at / PARTS);
        }
        shown.iter().for_each(|shown| shown.advance(1));
        (search.counts, search.nodes, search.halted)
    });
    let (mut counts, mut nodes, mut halted) = (Counts { raw: 0, rotation: 0, unique: 0 }, 0, false);
    for (own, own_nodes, own_halted) in results {
        counts.raw += own.raw;
        counts.rotation += own.rotation;
        counts.unique += own.unique;
        nodes += own_nodes;
        halted |= own_halted;
    }
    report(counts, nodes, halted)
}

/// Returns the number of cells of a box.
fn cells_of(held: HeldBox<'_>) -> Result<usize, BoxTooLarge> {
    let cells = held.figure.len();
    if cells > MAX_BOX_CELLS { Err(BoxTooLarge(cells)) } else { Ok(cells) }
}

/// Returns the least and the greatest number of copies of each piece, and the number of all if it is prescribed.
fn copies(set: &PieceSet) -> (Vec<[usize; 2]>, Option<usize>) {
    let copies = set.ranges().map(|(piece, range)| match piece.letter() {
        GAP => [0, 0],
        _ => range,
    });
    (copies.collect(), set.number())
}

/// Returns the positions of the representatives of the first piece.
fn beginnings(root: Option<&Root>) -> Range<usize> {
    0..root.map_or(1, |root| root.representatives.len())
}

fn run_all<M: MaskWord>(search: &mut Search<'_, M>, root: Option<&Root>) {
    for representative in beginnings(root) {
        if !search.halted {
            search.run(representative);
        }
    }
}

fn report(counts: Counts, nodes: u64, halted: bool) -> Report {
    let outcome = match (halted, counts.raw) {
        (true, raw) => Outcome::bound(raw),
        (false, 0) => Outcome::Unsolvable(Reason::Exhausted),
        (false, _) => Outcome::Counted(counts),
    };
    Report { outcome, nodes: Some(nodes), engine: Some(Engine::Search) }
}
