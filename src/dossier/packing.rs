//! A packing of a figure: the one that its file shows, or one found by search.

use super::building_order;
use crate::figure::Figure;
use crate::formats::{Entry, check_packing};
use crate::lattice::Cell;
use crate::outcome::Reason;
use crate::pieces::PieceSet;
use crate::solve::{Limits, Problem, SolveError, first};

/// A packing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Packing {
    /// The letters and cells of the pieces, in the order of the set; cells in the figure's coordinates.
    pub pieces: Vec<(char, Vec<Cell>)>,
    /// The building order, as positions in `pieces`.
    pub order: Vec<usize>,
    /// Whether every piece can be lowered from above in that order.
    pub lowered: bool,
    /// Where it comes from.
    pub source: PackingSource,
}

/// Where a packing comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackingSource {
    /// The figure's file shows it.
    File,
    /// It was found by search.
    Search,
}

/// Why there is no packing to show.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoPacking {
    /// There is none.
    #[error("there is none")]
    Unsolvable(Reason),
    /// The search stopped at its limit.
    #[error("none was found in {0} search nodes")]
    GivenUp(u64),
    /// It is not known which pieces the figure is to be built from.
    #[error("no standard set has {0} cells; choose one with --set")]
    NoSet(usize),
    /// The figure cannot be searched.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl Packing {
    /// The packing that the figure's file shows, if it is a valid one with these pieces, or else the first that a
    /// search finds within limits.
    ///
    /// # Errors
    /// If there is none, or none was found.
    pub fn find(
        figure: &Figure,
        entry: Option<&Entry>,
        set: &PieceSet,
        limits: Limits<'_>,
    ) -> Result<Self, NoPacking> {
        if let Some(packing) = entry.and_then(|entry| check_packing(entry, set).ok()) {
            return Ok(Self::new(packing.pieces, PackingSource::File));
        }
        let (packing, report) = first(&Problem::new(figure, set), limits)?;
        let Some(mut placements) = packing else {
            return Err(match report.outcome.reason() {
                Some(reason) => NoPacking::Unsolvable(reason),
                None => NoPacking::GivenUp(report.nodes.expect("a search has nodes")),
            });
        };
        placements.sort();
        let letter = |piece: usize| set.pieces()[piece].0.name();
        let pieces = placements.into_iter().map(|p| (letter(p.piece), p.cells)).collect();
        Ok(Self::new(pieces, PackingSource::Search))
    }

    fn new(pieces: Vec<(char, Vec<Cell>)>, source: PackingSource) -> Self {
        let (order, lowered) = building_order(&pieces);
        Self { pieces, order, lowered, source }
    }
}
