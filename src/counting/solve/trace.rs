//! The placements that a search tries, step by step.
//!
//! The search is the one that visits packings of the whole figure, without using its symmetry. The recorder is an
//! ordinary visitor, so other searches do not pay for it.

use super::Placement;
use super::placements::Layout;
use super::search::Visit;
use super::word::Word;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Report;

/// A placement that the search tried. All placements at this depth or deeper are removed before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number of pieces already in place.
    pub depth: usize,
    /// The placement.
    pub placement: Placement,
    /// True if it completes a packing.
    pub solved: bool,
}

/// The record of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The steps in the order of the search.
    pub steps: Vec<Step>,
    /// True if the search ended by itself, not at a limit.
    pub complete: bool,
    /// The result of the search.
    pub report: Report,
}

/// A recorder of the first steps of a search.
pub(super) struct Recorder<W> {
    steps: Vec<(usize, W, bool)>,
    most: usize,
}

impl<W: Word> Recorder<W> {
    pub(super) const fn new(most: usize) -> Self {
        Self { steps: Vec::new(), most }
    }

    pub(super) fn steps(&self, layout: &Layout, cells: &[Cell]) -> Vec<Step> {
        let step = |&(depth, mask, solved): &(usize, W, bool)| {
            let placement = layout.placement(mask, cells);
            Step { depth, placement, solved }
        };
        self.steps.iter().map(step).collect()
    }
}

impl<W: Word> Visit<W> for &mut Recorder<W> {
    const SHOW_PACKINGS: bool = true;
    const SHOW_STEPS: bool = true;

    fn packing(&mut self, _: &[W]) -> bool {
        true
    }

    fn step(&mut self, depth: usize, mask: W, solved: bool) -> bool {
        let room = self.steps.len() < self.most;
        if room {
            self.steps.push((depth, mask, solved));
        }
        room
    }
}
