//! What a search tries, step by step, for those who want to watch it.
//!
//! The search is the one that shows packings: the whole figure, without its symmetry. The recorder is
//! a visitor like any other, so searches that nobody watches do not pay for it.

use super::Placement;
use super::placements::Layout;
use super::search::Visit;
use super::word::Word;
use crate::lattice::Cell;
use crate::outcome::Report;

/// A placement that was tried. It takes away all placements of this depth and deeper first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// How many pieces lie already.
    pub depth: usize,
    /// The piece and where it is put.
    pub placement: Placement,
    /// A packing is complete.
    pub solved: bool,
}

/// The record of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// In the order of the search.
    pub steps: Vec<Step>,
    /// The search came to its end: no limit cut it short.
    pub complete: bool,
    /// What it found.
    pub report: Report,
}

/// Keeps the first steps of a search.
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
    const PATHS: bool = true;
    const STEPS: bool = true;

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
