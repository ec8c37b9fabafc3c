//! The placements that a search tries, step by step.
//!
//! The search is the one that visits packings of the whole figure, without using its symmetry.

use super::Placement;
use super::placements::ItemLayout;
use super::search::PackingReceiver;
use super::word::MaskWord;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Report;

/// A placement that the search tried. All placements at this depth or deeper are removed before it.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, trace};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// let (brick, set) = (Figure::of_box([1, 2, 2])?, parse_set("D2")?);
/// let trace = trace(&Problem::new(&brick, &set), Limits::default(), 2)?;
/// let depths: Vec<usize> = trace.steps.iter().map(|step| step.depth).collect();
/// assert_eq!((depths, trace.steps[1].solved), (vec![0, 1], true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchStep {
    /// The number of pieces already in place.
    pub depth: usize,
    /// The placement.
    pub placement: Placement,
    /// True if it completes a packing.
    pub solved: bool,
}

/// The record of a search.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, trace};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let trace = trace(&Problem::new(&cube, &soma), Limits::default(), 100)?;
/// assert_eq!((trace.steps.len(), trace.complete), (100, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchTrace {
    /// The steps in the order of the search.
    pub steps: Vec<SearchStep>,
    /// True if the search ended by itself, not at a limit.
    pub complete: bool,
    /// The result of the search.
    pub report: Report,
}

/// A visitor that records the first steps of a search, and ends it after them.
pub(super) struct StepRecorder<W> {
    /// For each step, the number of pieces in place before, the placement, and true if it completes a packing.
    steps: Vec<(usize, W, bool)>,
    /// The most steps to record.
    most: usize,
}

impl<W: MaskWord> StepRecorder<W> {
    pub(super) const fn new(most: usize) -> Self {
        Self { steps: Vec::new(), most }
    }

    pub(super) fn steps(
        &self,
        layout: &ItemLayout,
        cells: &[Cell],
        pieces: &[usize],
    ) -> Vec<SearchStep> {
        let step = |&(depth, mask, solved): &(usize, W, bool)| {
            let placement = layout.placement(mask, cells, pieces);
            SearchStep { depth, placement, solved }
        };
        self.steps.iter().map(step).collect()
    }
}

impl<W> PackingReceiver<W> for StepRecorder<W> {
    fn packing(&mut self, _: &[W]) -> bool {
        true
    }

    fn shows_steps(&self) -> bool {
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
