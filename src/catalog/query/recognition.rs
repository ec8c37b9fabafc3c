//! The forms by which a catalog recognizes a figure.

use somacat_geometry::figure::{Canonical, Equivalence, Figure};
use somacat_geometry::lattice::Transform;

/// Returns the forms in which a catalog may have a figure or its mirror image: up to reflection, and up to rotation
/// for sets that are not closed under reflection.
pub fn canonical_forms(figure: &Figure) -> Vec<Canonical> {
    let mut forms = vec![
        figure.canonical_up_to(Equivalence::Reflections),
        figure.canonical_up_to(Equivalence::Rotations),
    ];
    let inverted = figure.transformed(Transform::INVERSION);
    let mirrored = inverted.canonical_up_to(Equivalence::Rotations);
    if mirrored.signature != forms[1].signature {
        let to_canonical = Transform::INVERSION.then(mirrored.to_canonical);
        forms.push(Canonical { to_canonical, ..mirrored });
    }
    forms
}
