//! Values of a catalog that a verification contradicts.

use somacat_geometry::outcome::{Counts, Outcome};
use somacat_output::export::Field;

/// A figure or an enumeration with values that a second derivation contradicts.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The figure; empty for an enumeration.
    pub signature: String,
    /// Differences: the name, the value in the catalog, and the value found.
    pub differences: Vec<[Field<'static>; 3]>,
}

impl Mismatch {
    pub(super) fn new(
        signature: impl Into<String>,
        what: impl Into<Field<'static>>,
        catalog: impl Into<Field<'static>>,
        found: impl Into<Field<'static>>,
    ) -> Self {
        let difference = [what.into(), catalog.into(), found.into()];
        Self { signature: signature.into(), differences: vec![difference] }
    }

    pub(super) fn of_counts(signature: &str, outcome: &Outcome, counts: Counts) -> Self {
        let Counts { raw, rotation, unique } = counts;
        if let Outcome::AtLeast(least) = outcome {
            return Self::new(signature, "raw", format!("at least {least}"), raw);
        }
        let pairs = [
            ("raw", outcome.raw(), raw),
            ("rotation", outcome.rotation(), rotation),
            ("unique", outcome.unique(), unique),
        ];
        let differ = pairs.into_iter().filter(|(_, is, should)| *is != Some(*should));
        let differences = differ.map(|(what, is, should)| [what.into(), is.into(), should.into()]);
        Self { signature: signature.to_owned(), differences: differences.collect() }
    }
}
