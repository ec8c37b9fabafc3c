//! The options for packings with some of the pieces, and for cells that stay empty.

use clap::Args;
use somacat_geometry::pieces::PieceSet;
use somacat_rows::GivenFigure;

// Which pieces a packing uses, and which cells it fills.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ChoiceArgs {
    /// Cover figures with some of the pieces. If the set has ranges of copies, these decide which.
    #[arg(long)]
    pub(crate) partial: bool,
    /// With --partial: with N of the pieces.
    #[arg(long, value_name = "N", requires = "partial", value_parser = clap::value_parser!(u64).range(1..))]
    pieces: Option<u64>,
    /// Any cells may stay empty, as many as the figure has more than the pieces fill.
    #[arg(long)]
    pub(crate) gaps: bool,
}

impl ChoiceArgs {
    /// Returns true if figures may have other numbers of cells than the pieces.
    pub(crate) const fn fits_any_size(&self) -> bool {
        self.partial || self.gaps
    }

    /// Returns the pieces of which packings of a figure may use some, with gaps for cells that may stay empty.
    pub(crate) fn pieces_for(&self, figure: &GivenFigure<'_>, set: PieceSet) -> PieceSet {
        let number = self.pieces.map(|number| number as usize);
        let set = if self.partial { set.partial(number) } else { set };
        figure.with_gaps(set)
    }
}
