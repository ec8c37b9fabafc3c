//! Figures without a packing.

use somacat_counting::solve::{Limits, Problem, first};
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::{Outcome, Reason};
use somacat_geometry::pieces::PieceSet;

fn is_exhausted(figure: &Figure, set: &PieceSet) -> bool {
    let (_, report) = first(&Problem::new(figure, set), Limits::default()).unwrap();
    report.outcome == Outcome::Unsolvable(Reason::Exhausted)
}

/// Grows figures without a packing, which a search shows.
pub fn unsolvable(number: usize, set: &PieceSet, grow: impl FnMut() -> Figure) -> Vec<Figure> {
    let grown = std::iter::repeat_with(grow);
    grown.filter(|figure| is_exhausted(figure, set)).take(number).collect()
}
