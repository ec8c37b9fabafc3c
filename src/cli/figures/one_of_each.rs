//! One packing of each class under the symmetries of a figure.

use somacat_counting::solve::{PackingSymmetries, Placement};
use std::collections::HashSet;

/// Selects one packing of each class among those that a search finds.
pub(super) struct OneOfEach {
    symmetries: PackingSymmetries,
    /// The least images of the packings found; `None` if the least packing of each class is selected.
    met: Option<HashSet<Vec<Placement>>>,
}

impl OneOfEach {
    /// Selects the least packing of each class. Nothing needs to be kept.
    pub(super) const fn least(symmetries: PackingSymmetries) -> Self {
        Self { symmetries, met: None }
    }

    /// Selects the first packing that is found of each class. In a large search that ends early, few packings are the
    /// least of their classes: of 3×3×6 with two sets of SOMA, none of the first twenty million.
    pub(super) fn first_found(symmetries: PackingSymmetries) -> Self {
        Self { symmetries, met: Some(HashSet::new()) }
    }

    /// Returns true if the packing is selected.
    pub(super) fn selects(&mut self, packing: &[Placement]) -> bool {
        match &mut self.met {
            Some(met) => met.insert(self.symmetries.least(packing)),
            None => self.symmetries.is_least(packing),
        }
    }
}
