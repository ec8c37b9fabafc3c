//! The pieces of a plan or an import: a set, or for each figure the one that suits it.

use super::plan_error::PlanFault;
use somacat_formats::find_piece_set;
use somacat_geometry::pieces::PieceSet;
use std::path::Path;

#[derive(Clone, Debug, Default)]
pub enum SetChoice {
    /// The set for the figure's cells, or the marked pieces. The sets are SOMA for 27 cells, 2xSOMA for 54, and SOMA+
    /// for 40. For other numbers of cells, the figure's marks name the pieces.
    #[default]
    Auto,
    Fixed(PieceSet),
}

impl SetChoice {
    /// Reads `auto`, a set, or the name of a file of pieces. The file is in the plan's folder.
    pub(super) fn read(text: &str, folder: &Path) -> Result<Self, PlanFault> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(Self::Auto);
        }
        Ok(Self::Fixed(find_piece_set(text, folder)?))
    }

    /// Returns the set for listed figures, which have no marks.
    pub(super) fn for_cells(&self, cells: usize) -> Result<PieceSet, PlanFault> {
        match self {
            Self::Fixed(set) if set.total_cells() != cells => Err(PlanFault::OtherSize {
                cells,
                set: set.name().to_owned(),
                fills: set.total_cells(),
            }),
            Self::Fixed(set) => Ok(set.clone()),
            Self::Auto => PieceSet::standard(cells).ok_or(PlanFault::NoSet(cells)),
        }
    }

    pub fn fixed(&self) -> Option<&PieceSet> {
        if let Self::Fixed(set) = self { Some(set) } else { None }
    }

    pub(super) fn or_soma(&self) -> PieceSet {
        self.fixed().cloned().unwrap_or_else(|| PieceSet::soma(1))
    }
}
