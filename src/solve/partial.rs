//! Figures covered by *some* of the pieces of a set: a 27-cell figure out of two SOMAs.

use super::{Limits, Problem, Report, SolveError, Verdict, count};
use crate::figure::Figure;
use crate::pieces::{Piece, PieceSet};

/// The counts of a figure with one choice of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialReport {
    /// The pieces chosen, all of which are used.
    pub pieces: PieceSet,
    /// The counts with exactly these.
    pub report: Report,
}

/// Every choice of pieces from `set` that fills `cells` cells, in the order of the set, more of the
/// first pieces first. Named by letters: `V L2 T`.
#[must_use]
pub fn choices(set: &PieceSet, cells: usize) -> Vec<PieceSet> {
    fn choose(
        rest: &[(Piece, usize)],
        room: usize,
        chosen: &mut Vec<(Piece, usize)>,
        all: &mut Vec<PieceSet>,
    ) {
        if room == 0 {
            all.push(PieceSet::new(letters(chosen), chosen.iter().cloned()));
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

fn letters(pieces: &[(Piece, usize)]) -> String {
    let word = |(piece, count): &(Piece, usize)| match count {
        1 => piece.name().to_string(),
        _ => format!("{}{count}", piece.name()),
    };
    pieces.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Counts the figure with every choice of pieces that fills it. Choices without a packing are left
/// out; those that a limit leaves undecided are kept.
///
/// # Errors
/// As for [`count`].
pub fn count_partial(
    figure: &Figure,
    set: &PieceSet,
    limits: Limits<'_>,
) -> Result<Vec<PartialReport>, SolveError> {
    let mut reports = Vec::new();
    for pieces in choices(set, figure.len()) {
        let report = count(&Problem::new(figure, &pieces), limits)?;
        if report.verdict != Verdict::Unsolvable {
            reports.push(PartialReport { pieces, report });
        }
        if limits.stopped() {
            break;
        }
    }
    Ok(reports)
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
