//! A packing of a figure: the one that its file shows, or one found by search.

use super::building_order;
use crate::figure::Figure;
use crate::formats::{Entry, check_packing};
use crate::lattice::Cell;
use crate::outcome::{Reason, Report};
use crate::pieces::PieceSet;
use crate::solve::{Limits, PackingSymmetries, Placement, Problem, SolveError, first, visit};
use std::ops::ControlFlow;

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
        if let Some(packing) = Self::of_entry(entry, set) {
            return Ok(packing);
        }
        let (packing, report) = first(&Problem::new(figure, set), limits)?;
        packing.map_or_else(|| Err(none_found(&report)), |found| Ok(Self::found(set, found)))
    }

    /// Packings that differ up to the figure's rotations and reflections: at most `most`, and all if there are no
    /// more and the limits let the search come to its end. The first is the one that [`Self::find`] would find in the
    /// figure's file, if that shows one.
    ///
    /// # Errors
    /// If there is none, or none was found.
    pub fn find_unique(
        figure: &Figure,
        entry: Option<&Entry>,
        set: &PieceSet,
        limits: Limits<'_>,
        most: usize,
    ) -> Result<Vec<Self>, NoPacking> {
        let problem = Problem::new(figure, set);
        let images = PackingSymmetries::of(&problem);
        let mut unique: Vec<Self> = Self::of_entry(entry, set).into_iter().collect();
        let shown = unique.first().map(|packing| packing.placements(set));
        let mut take = |placements: &[Placement]| {
            let known = |shown: &Vec<Placement>| images.are_images(shown, placements);
            if images.is_least(placements) && !shown.as_ref().is_some_and(known) {
                unique.push(Self::found(set, placements.to_vec()));
            }
            if unique.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let report = visit(&problem, limits, &mut take)?;
        if unique.is_empty() { Err(none_found(&report)) } else { Ok(unique) }
    }

    fn of_entry(entry: Option<&Entry>, set: &PieceSet) -> Option<Self> {
        let packing = check_packing(entry?, set).ok()?;
        Some(Self::new(packing.pieces, PackingSource::File))
    }

    fn found(set: &PieceSet, mut placements: Vec<Placement>) -> Self {
        placements.sort();
        let letter = |piece: usize| set.pieces()[piece].0.name();
        let pieces = placements.into_iter().map(|p| (letter(p.piece), p.cells)).collect();
        Self::new(pieces, PackingSource::Search)
    }

    fn new(pieces: Vec<(char, Vec<Cell>)>, source: PackingSource) -> Self {
        let (order, lowered) = building_order(&pieces);
        Self { pieces, order, lowered, source }
    }

    /// The same as the solver writes it.
    fn placements(&self, set: &PieceSet) -> Vec<Placement> {
        let placement = |(letter, cells): &(char, Vec<Cell>)| {
            let piece = set.pieces().iter().position(|(piece, _)| piece.name() == *letter)?;
            let mut cells = cells.clone();
            cells.sort_unstable();
            Some(Placement { piece, cells })
        };
        self.pieces.iter().filter_map(placement).collect()
    }
}

/// Why a search that ended so has no packing.
fn none_found(report: &Report) -> NoPacking {
    match report.outcome.reason() {
        Some(reason) => NoPacking::Unsolvable(reason),
        None => NoPacking::GivenUp(report.nodes.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Item, Options, Reader};

    #[test]
    fn the_packing_of_the_file_comes_first_and_once() {
        let text = "/SOMA cube\n/772/752/552\n/762/451/411\n/466/436/333\n";
        let mut reader = Reader::new(text.as_bytes(), None, &Options::default()).unwrap();
        let Some(Ok(Item::Entry(entry))) = reader.next() else { panic!("no entry") };
        let figure = entry.figure.clone();
        let find = |entry, most| {
            let set = PieceSet::soma(1);
            Packing::find_unique(&figure, entry, &set, Limits::default(), most).unwrap()
        };
        let of_file = find(Some(&entry), 1000);
        assert_eq!((of_file.len(), of_file[0].source), (240, PackingSource::File));
        assert!(of_file[1..].iter().all(|packing| packing.source == PackingSource::Search));
        assert_eq!(find(None, 1000).len(), 240);
        assert_eq!(find(Some(&entry), 1).len(), 1);
        assert_eq!(find(None, 7).len(), 7);
    }
}
