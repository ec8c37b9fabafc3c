//! Packings of a figure, from its file or by search.

use crate::draw::Corner;
use somacat_catalog::Origin;
use somacat_counting::solve::{
    Limits, PackingSymmetries, Placement, Problem, SolveError, first, visit,
};
use somacat_counting::stand::{Assembly, DEFAULT_FRICTION, building_order};
use somacat_formats::{Entry, PublishedPacking, Refusal, check_packing, count_noun};
use somacat_geometry::figure::{Equivalence, Figure};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::{Reason, Report};
use somacat_geometry::pieces::PieceSet;
use std::collections::HashSet;
use std::ops::ControlFlow;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packing {
    /// The pieces' letters and cells, in the order of the set. Cells have the figure's coordinates.
    pub pieces: Vec<(char, Vec<Cell>)>,
    /// The building order, as positions in `pieces`.
    pub order: Vec<usize>,
    pub building: Building,
    /// True if it may be stable as loose pieces; `None` if unknown. The friction is [`DEFAULT_FRICTION`].
    pub stands: Option<bool>,
    pub source: PackingSource,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Building {
    /// Every piece can be lowered from above, and every stage is stable. The friction is [`DEFAULT_FRICTION`].
    Stable,
    /// Pieces can be lowered from above, but never with all stages stable.
    Unstable,
    /// Every piece can be lowered from above. Stability is unknown.
    StabilityUnknown,
    /// Pieces interlock: in no order can every piece be lowered from above.
    Interlocked,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackingSource {
    File,
    Search,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoPacking {
    #[error("there is none")]
    Unsolvable(Reason),
    #[error("none was found in {}", count_noun(.0, "search node"))]
    LimitReached(u64),
    #[error(transparent)]
    NoSet(#[from] Refusal),
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The packings after which the least one of each class is no longer waited for.
const MANY: usize = 500_000;

/// The packings kept for that case.
const KEPT: usize = 2000;

impl Packing {
    /// Returns the published packing, if any, or else searches for one. The search observes the limits.
    pub fn find(
        figure: &Figure,
        published: Option<Self>,
        set: &PieceSet,
        limits: Limits<'_>,
    ) -> Result<Self, NoPacking> {
        if let Some(packing) = published {
            return Ok(packing);
        }
        let (packing, report) = first(&Problem::new(figure, set), limits)?;
        packing.map_or_else(|| Err(none_found(&report)), |found| Ok(Self::found(set, found)))
    }

    /// Returns at most `most` unique packings. They differ up to the figure's rotations and reflections. Includes
    /// all if there are fewer and the search finishes within the limits. The first is the published one, if any.
    ///
    /// Of each class the least packing is taken. In a large search few of those found first are: of the box 4×4×7 with
    /// dominoes, none in minutes. So after half a million packings, or if the limits leave none, the first ones found
    /// complete the list.
    pub fn find_unique(
        figure: &Figure,
        published: Option<Self>,
        set: &PieceSet,
        limits: Limits<'_>,
        most: usize,
    ) -> Result<Vec<Self>, NoPacking> {
        let problem = Problem::new(figure, set);
        let images = PackingSymmetries::of(&problem);
        let mut unique: Vec<Self> = published.into_iter().collect();
        let shown = unique.first().map(|packing| packing.placements(set));
        let (mut visited, mut first) = (0, Vec::new());
        let mut take = |placements: &[Placement]| {
            let known = |shown: &Vec<Placement>| images.are_images(shown, placements);
            if images.is_least(placements) && !shown.as_ref().is_some_and(known) {
                unique.push(Self::found(set, placements.to_vec()));
            }
            visited += 1;
            if first.len() < KEPT {
                first.push(placements.to_vec());
            }
            // More classes remain than are wanted.
            let is_enough = visited >= MANY && most <= MANY / 48;
            match is_enough || unique.len() >= most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let report = visit(&problem, limits, &mut take)?;
        if (visited >= MANY || unique.is_empty()) && unique.len() < most {
            let met = unique.iter().map(|packing| images.least(&packing.placements(set)));
            let mut met: HashSet<Vec<Placement>> = met.collect();
            first.retain(|placements| met.insert(images.least(placements)));
            first.truncate(most - unique.len());
            unique.extend(first.into_iter().map(|placements| Self::found(set, placements)));
        }
        if unique.is_empty() { Err(none_found(&report)) } else { Ok(unique) }
    }

    /// Returns the published packing with these pieces, if any. It is in the figure's file, or else in a source of
    /// the catalog with the figure in this position.
    pub fn published(
        figure: &Figure,
        entry: Option<&Entry>,
        origins: &[Origin],
        set: &PieceSet,
    ) -> Option<Self> {
        let packing = match entry {
            Some(entry) => check_packing(entry, set).ok()?,
            None => {
                let signature = figure.canonical_up_to(Equivalence::for_set(set)).signature;
                let canonical = signature.figure().expect("a figure's signature spells it");
                let lies_so = |origin: &&Origin| origin.position(&canonical) == *figure;
                let letters = origins.iter().filter(lies_so).find_map(|o| o.packing.as_ref())?;
                PublishedPacking::from_letters(figure, letters, set)?
            }
        };
        Some(Self::new(packing.pieces, PackingSource::File))
    }

    fn found(set: &PieceSet, mut placements: Vec<Placement>) -> Self {
        placements.sort();
        let letter = |piece: usize| set.pieces()[piece].0.letter();
        let pieces = placements.into_iter().map(|p| (letter(p.piece), p.cells)).collect();
        Self::new(pieces, PackingSource::Search)
    }

    fn new(pieces: Vec<(char, Vec<Cell>)>, source: PackingSource) -> Self {
        let (order, lowered) = building_order(&pieces);
        let building = if lowered { Building::StabilityUnknown } else { Building::Interlocked };
        Self { pieces, order, building, stands: None, source }
    }

    /// Returns whether the packing can be built by hand. Every piece is lowered from above, and every stage is
    /// stable. `None` if unknown.
    pub const fn can_be_built_by_hand(&self) -> Option<bool> {
        match self.building {
            Building::Stable => Some(true),
            Building::Unstable | Building::Interlocked => Some(false),
            Building::StabilityUnknown => None,
        }
    }

    /// Returns the packing turned about the upright axis, so that an upper corner becomes the usual one.
    #[must_use]
    pub fn turned(&self, corner: Corner) -> Self {
        let turn = |cells: &Vec<Cell>| cells.iter().map(|c| corner.turned_to_default(*c)).collect();
        let pieces = self.pieces.iter().map(|(name, cells)| (*name, turn(cells))).collect();
        Self { pieces, ..self.clone() }
    }

    pub fn order_in_letters(&self) -> String {
        self.order.iter().map(|&at| self.pieces[at].0).collect()
    }

    /// Determines the stability of the packing. Also finds an order with every stage stable, if one exists. Examines
    /// at most `stages` stages, and returns their number.
    pub(super) fn analyze_stability(&mut self, stages: usize) -> usize {
        let pieces = self.pieces.iter().map(|(_, cells)| cells.clone()).collect();
        // Too many pieces are not analyzed.
        let Ok(mut assembly) = Assembly::new(pieces, DEFAULT_FRICTION) else { return 0 };
        // Results beyond the limit stay unknown.
        if self.building == Building::StabilityUnknown {
            match assembly.building_order(stages) {
                Ok(Some(order)) => (self.order, self.building) = (order, Building::Stable),
                Ok(None) => self.building = Building::Unstable,
                Err(_) => {}
            }
        }
        self.stands = assembly.stands().ok();
        assembly.tested_sets()
    }

    /// Converts the packing to the solver's placements.
    fn placements(&self, set: &PieceSet) -> Vec<Placement> {
        let placement = |(letter, cells): &(char, Vec<Cell>)| {
            let piece = set.pieces().iter().position(|(piece, _)| piece.letter() == *letter)?;
            let mut cells = cells.clone();
            cells.sort_unstable();
            Some(Placement { piece, cells })
        };
        self.pieces.iter().filter_map(placement).collect()
    }
}

/// Returns the reason why a search has no packing.
fn none_found(report: &Report) -> NoPacking {
    match report.outcome.reason() {
        Some(reason) => NoPacking::Unsolvable(reason),
        None => NoPacking::LimitReached(report.nodes.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::pieces::parse_set;

    #[test]
    fn other_packings_are_shown_where_a_search_ends_before_the_least() {
        let (figure, set) = (Figure::of_box([4, 4, 4]).unwrap(), parse_set("D32").unwrap());
        let limits = Limits { nodes: Some(10_000), ..Limits::default() };
        let found = Packing::find_unique(&figure, None, &set, limits, 30).unwrap();
        let images = PackingSymmetries::of(&Problem::new(&figure, &set));
        let least = |packing: &Packing| images.least(&packing.placements(&set));
        assert!(found.iter().all(|packing| !images.is_least(&packing.placements(&set))));
        assert_eq!(found.iter().map(least).collect::<HashSet<_>>().len(), 30);
    }
}
