//! Proofs that a catalog stores: marks, for a figure as it is shown, and cases.

use somacat_catalog::Row;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::ProofKind;
use std::sync::Arc;

/// Returns the lines of the stored proof by cases, if there is one.
pub(super) fn stored_cases(row: &Row) -> Option<Arc<str>> {
    let proof = row.stored_proof.as_ref().filter(|proof| proof.kind == ProofKind::Cases)?;
    Some(Arc::clone(&proof.body))
}

/// Returns the stored mark of each cell of `figure`, which is the row's figure in any position. `None` if the row has no
/// stored marks.
pub(super) fn stored_weights(row: &Row, figure: &Figure) -> Option<Vec<i64>> {
    let proof = row.stored_proof.as_ref().filter(|proof| proof.kind == ProofKind::Marks)?;
    let canonical = row.figure.signature.figure().ok()?;
    let mut marks = vec![0; canonical.len()];
    for line in proof.body.lines() {
        if let Some((cell, weight)) = line.strip_prefix("mark ").and_then(|it| it.split_once(' ')) {
            *marks.get_mut(cell.parse::<usize>().ok()?)? = weight.parse().ok()?;
        }
    }
    // A rotation keeps the proof with all pieces; a reflection is needed only where mirror images are one figure.
    let rotations = Transform::iter().filter(|t| t.is_rotation());
    let mut all = rotations.chain(Transform::iter().filter(|t| !t.is_rotation()));
    let turn = all.find(|t| canonical.transformed(*t) == *figure)?;
    let images: Vec<Cell> = canonical.cells().iter().map(|&cell| turn.apply(cell)).collect();
    let shift = Cell::min_corner(figure.cells()) - Cell::min_corner(&images);
    let mut weights = vec![0; figure.len()];
    for (image, mark) in images.into_iter().zip(marks) {
        weights[figure.cells().binary_search(&(image + shift)).ok()?] = mark;
    }
    Some(weights)
}
