//! Figures built from *some* pieces of a set, such as 27 cells from two SOMAs.

use super::{Limits, Placement, Problem, Remainder, SolveError, count};
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::{Report, Verdict};
use somacat_geometry::pieces::{Piece, PieceSet};

/// The counts of a figure with one choice of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialReport {
    /// The pieces chosen, all of which are used.
    pub pieces: PieceSet,
    /// The counts with exactly these pieces.
    pub report: Report,
}

/// Lists every choice of pieces from `set` that fills `cells` cells.
///
/// The order is that of the set, with more of the first pieces first. Letters name the choices: `V L2 T`.
#[must_use]
pub fn choices(set: &PieceSet, cells: usize) -> Vec<PieceSet> {
    fn choose(
        rest: &[(Piece, usize)],
        room: usize,
        chosen: &mut Vec<(Piece, usize)>,
        all: &mut Vec<PieceSet>,
    ) {
        if room == 0 {
            all.push(PieceSet::new(choice_name(chosen), chosen.iter().cloned()));
            return;
        }
        let Some(((piece, have), later)) = rest.split_first() else { return };
        for count in (0..=(*have).min(room / piece.size())).rev() {
            if count > 0 {
                chosen.push((piece.clone(), count));
            }
            choose(later, room - count * piece.size(), chosen, all);
            if count > 0 {
                chosen.pop();
            }
        }
    }
    let mut all = Vec::new();
    choose(set.pieces(), cells, &mut Vec::new(), &mut all);
    all
}

/// Returns the name of a choice: `V L2 T`.
pub(super) fn choice_name(pieces: &[(Piece, usize)]) -> String {
    let word = |(piece, count): &(Piece, usize)| piece.name_with_count(*count);
    pieces.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// The counts of a figure with every choice of pieces from a set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartialCount {
    /// Choices that have a packing, and those that a limit left undecided. Any other choice that was tried has no
    /// packing.
    pub reports: Vec<PartialReport>,
    /// The number of choices that fill the figure's cells and contain the pieces in place.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_141_choices_of_27_cells_out_of_two_somas() {
        // One V and six of twelve tetracubes in six kinds: the middle trinomial coefficient of 6.
        let all = choices(&PieceSet::soma(2), 27);
        assert_eq!(all.len(), 141);
        assert!(all.iter().all(|choice| choice.total_cells() == 27));
        assert!(all.iter().any(|choice| choice.name() == "V L T Z A B P"));
    }
}
