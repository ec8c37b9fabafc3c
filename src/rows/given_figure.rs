//! A figure as its file gives it, with a set to count it with.

use super::OpenFigure;
use somacat_counting::solve::{self, Limits, Problem, guard};
use somacat_formats::{Entry, Marks};
use somacat_geometry::figure::{Candidate, Columns, Equivalence, Figure, FigureColors};
use somacat_geometry::outcome::Report;
use somacat_geometry::pieces::PieceSet;

/// A figure with what its file says about its cells.
#[derive(Clone, Copy, Debug)]
pub struct GivenFigure<'a> {
    /// The figure in its given position.
    pub figure: &'a Figure,
    /// The colors of its cells, if they are obeyed.
    pub colors: Option<&'a FigureColors>,
    /// The pieces in place, by mark.
    pub placed: Option<&'a Marks>,
    /// True if any cells may stay empty, not only those that the figure marks. Its colors then say so, too
    /// ([`let_stay_empty`]).
    pub gaps: bool,
}

/// Lets every cell stay empty. Colors that then say nothing else go.
pub fn let_stay_empty(colors: &mut Option<Box<FigureColors>>) {
    let all = colors.take().and_then(|colors| colors.with_gaps_everywhere());
    *colors = all.map(Box::new);
}

impl<'a> From<&'a Entry> for GivenFigure<'a> {
    fn from(entry: &'a Entry) -> Self {
        let (colors, placed) = (entry.colors.as_deref(), entry.placed.as_ref());
        Self { figure: &entry.figure, colors, placed, gaps: false }
    }
}

impl GivenFigure<'_> {
    /// Returns the set with gaps for the cells that stay empty.
    pub fn with_gaps(&self, set: PieceSet) -> PieceSet {
        let optional = self.colors.is_some_and(FigureColors::has_optional);
        match set.least_cells() < self.figure.len() && (self.gaps || optional) {
            true => set.with_gaps_in(self.figure.len()),
            false => set,
        }
    }

    /// Recognizes the figure up to the transforms that leave the set's counts unchanged.
    pub fn candidate(&self, set: &PieceSet) -> Candidate {
        Candidate::new(self.figure.clone(), Equivalence::for_set(set))
    }

    /// Returns the columns of the figure's row. Its class is that of the figure with its colors.
    pub fn columns(&self, candidate: &Candidate) -> Columns {
        let mut columns = candidate.columns().clone();
        if let Some(colors) = self.colors {
            columns.class = colors.symmetries(self.figure, candidate.group()).class();
        }
        columns
    }

    /// Counts the packings of the cells that the pieces in place leave free. A panic costs only this figure.
    ///
    /// # Errors
    /// If pieces in place do not fit the set, or the solver fails.
    pub fn count(
        &self,
        candidate: &Candidate,
        set: &PieceSet,
        limits: Limits<'_>,
    ) -> Result<Report, String> {
        let counted = guard(|| {
            if self.placed.is_some() {
                let open = OpenFigure::new(*self, set).map_err(text)?;
                return solve::count(&open.problem(), limits).map_err(text);
            }
            // The group is known.
            let problem = Problem::with_group(self.figure, set, candidate.group());
            solve::count(&problem.with_colors(self.colors), limits).map_err(text)
        });
        counted.map_err(text)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
