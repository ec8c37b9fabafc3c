//! What a gallery or a newsletter computes for each of its figures.

use rayon::prelude::*;
use somacat_counting::solve::Limits;
use somacat_output::dossier::Dossier;
use somacat_output::export::AdditionalFiles;

/// The work limit for the building orders of a figure and set.
///
/// A stage costs the cube of the number of pieces. A packing of seven pieces has at most 127 stages, so this is enough
/// for a hundred packings.
const FIGURE_WORK: usize = 100 * 127 * 343;

/// The work limit for a gallery's building orders, shared by its figures.
const GALLERY_WORK: usize = 50 * FIGURE_WORK;

/// Returns the work limit for each of some figures.
pub(crate) fn work_for(figures: usize) -> usize {
    FIGURE_WORK.min(GALLERY_WORK / figures.max(1))
}

/// The number of figures that are searched and written together.
pub(crate) const BATCH_FIGURES: usize = 256;

/// The results to compute for each figure.
#[derive(Clone, Copy)]
pub(crate) struct GalleryContents {
    /// The maximum number of unique solutions with each set.
    pub(crate) solutions: usize,
    /// The figures that get solutions.
    pub(crate) of: AdditionalFiles,
    /// The number of search steps to record.
    pub(crate) steps: Option<usize>,
    /// Look for what only pages of figures show: building orders in which every stage stands, and why there are none.
    pub(crate) for_pages: bool,
}

impl GalleryContents {
    /// Completes figures with the results, in parallel.
    pub(crate) fn complete(
        self,
        figures: Vec<Dossier>,
        limits: Limits<'_>,
        work: usize,
    ) -> Vec<Dossier> {
        let complete = |mut dossier: Dossier| {
            dossier.describe_unnamed();
            dossier.measure_effort();
            if self.solutions > 0 && self.of.wanted(&dossier.names) {
                dossier.find_packings(limits, self.solutions);
                dossier.find_places(limits);
            }
            if self.for_pages {
                dossier.analyze_stability(limits, work);
                dossier.tell_stories();
            }
            if let Some(steps) = self.steps {
                // A figure that the solver refuses has no packing on its page either.
                let _ = dossier.record_searches(limits, steps);
            }
            dossier
        };
        figures.into_par_iter().map(complete).collect()
    }
}
