//! Figures built from *some* pieces of a set. An example is 27 cells from two SOMAs.

use super::{Limits, Placement, Problem, Remainder, SolveError, count};
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::{Report, Verdict};
use somacat_geometry::pieces::{Piece, PieceSet};
use std::ops::ControlFlow;

/// The counts of a figure with one choice of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialReport {
    /// The pieces chosen, all of which are used.
    pub pieces: PieceSet,
    /// The counts with exactly these pieces.
    pub report: Report,
}

/// Lists every choice of pieces from `set` that fills `cells` cells. See [`for_each_choice`].
pub fn choices(set: &PieceSet, cells: usize) -> Vec<PieceSet> {
    let mut all = Vec::new();
    let _ = for_each_choice(set, cells, None, &mut |choice| {
        all.push(choice);
        ControlFlow::Continue(())
    });
    all
}

/// Passes every choice of pieces that fills `cells` cells to `visitor`.
///
/// The pieces are from `set`. The visitor may stop. A choice has `number` pieces if given. The order is that of the
/// set, with more of the first pieces first. Names of pieces name the choices: `V L2 T`.
pub fn for_each_choice(
    set: &PieceSet,
    cells: usize,
    number: Option<usize>,
    visitor: &mut dyn FnMut(PieceSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut choosing = Choosing { chosen: Vec::new(), visitor };
    choosing.choose(set.pieces(), cells, number)
}

/// The pieces chosen so far.
struct Choosing<'v> {
    chosen: Vec<(Piece, usize)>,
    visitor: &'v mut dyn FnMut(PieceSet) -> ControlFlow<()>,
}

impl Choosing<'_> {
    /// Fills `room` cells with pieces of `rest`, `left` of them if given.
    fn choose(
        &mut self,
        rest: &[(Piece, usize)],
        room: usize,
        left: Option<usize>,
    ) -> ControlFlow<()> {
        if room == 0 {
            return match left {
                None | Some(0) => {
                    let pieces = self.chosen.iter().cloned();
                    (self.visitor)(PieceSet::new(choice_name(&self.chosen), pieces))
                }
                Some(_) => ControlFlow::Continue(()),
            };
        }
        let Some(((piece, have), later)) = rest.split_first() else {
            return ControlFlow::Continue(());
        };
        // The pieces left must be able to fill the room together.
        let sizes = || rest.iter().map(|(piece, _)| piece.size());
        let [least, most] = [sizes().min(), sizes().max()].map(Option::unwrap_or_default);
        if left.is_some_and(|left| room < left * least || room > left * most) {
            return ControlFlow::Continue(());
        }
        let fitting = (*have).min(room / piece.size()).min(left.unwrap_or(usize::MAX));
        for count in (0..=fitting).rev() {
            if count > 0 {
                self.chosen.push((piece.clone(), count));
            }
            let left = left.map(|left| left - count);
            let flow = self.choose(later, room - count * piece.size(), left);
            if count > 0 {
                self.chosen.pop();
            }
            flow?;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the name of a choice: `V L2 T`.
fn choice_name(pieces: &[(Piece, usize)]) -> String {
    let word = |(piece, count): &(Piece, usize)| piece.name_with_count(*count);
    pieces.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A figure's counts with every choice of pieces from a set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartialCount {
    /// Choices that have a packing, and those that a limit left undecided. Any other choice that was tried has no
    /// packing.
    pub reports: Vec<PartialReport>,
    /// The number of fitting choices. They fill the figure's cells and contain the pieces in place.
    pub choices: usize,
    /// The number of choices not tried because of a request to stop.
    pub untried: usize,
    /// Nodes of all counts together.
    pub nodes: u64,
}

/// Counts the figure with every choice of pieces that fills it.
///
/// A choice must contain the pieces in place. The limits apply to each choice separately.
///
/// # Errors
/// Fails like [`count`], or if the pieces in place do not fit the figure or the set.
pub fn count_partial(
    figure: &Figure,
    set: &PieceSet,
    placed: &[Placement],
    limits: Limits<'_>,
) -> Result<PartialCount, SolveError> {
    if !placed.is_empty() {
        Remainder::new(figure, set, placed)?;
    }
    let group = figure.canonical().group;
    let mut total = PartialCount::default();
    for pieces in choices(set, figure.len()) {
        let Some(placed) = placed_in(&pieces, set, placed) else { continue };
        total.choices += 1;
        if limits.stopped() {
            total.untried += 1;
            continue;
        }
        let report = if placed.is_empty() {
            count(&Problem::with_group(figure, &pieces, group), limits)?
        } else {
            count(&Remainder::new(figure, &pieces, &placed)?.problem(), limits)?
        };
        total.nodes += report.nodes.iter().sum::<u64>();
        if report.outcome.verdict() != Verdict::Unsolvable {
            total.reports.push(PartialReport { pieces, report });
        }
    }
    Ok(total)
}

/// Converts placements of pieces of `set` to pieces of a choice. Returns `None` if the choice lacks a piece.
fn placed_in(choice: &PieceSet, set: &PieceSet, placed: &[Placement]) -> Option<Vec<Placement>> {
    let mut left: Vec<usize> = choice.pieces().iter().map(|(_, count)| *count).collect();
    let in_choice = |placement: &Placement| {
        let (wanted, _) = &set.pieces()[placement.piece];
        let piece = choice.pieces().iter().position(|(piece, _)| piece == wanted)?;
        left[piece] = left[piece].checked_sub(1)?;
        Some(Placement { piece, cells: placement.cells.clone() })
    };
    placed.iter().map(in_choice).collect()
}
