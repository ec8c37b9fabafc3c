//! Pieces as bodies, and the forces between them.

/// A piece: its weight in cells, and its center of mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) weight: f64,
    pub(super) center: [f64; 3],
}

/// A force between touching pieces, or between a piece and the table.
///
/// ```
/// use somacat_counting::stand::{Assembly, StandProof};
/// use somacat_geometry::lattice::Cell;
///
/// // One cell on another. z points down, so a force that holds a piece up is negative.
/// let assembly = Assembly::new(vec![vec![Cell::new(0, 0, 0)], vec![Cell::new(0, 0, 1)]], 0.5)?;
/// let StandProof::Held(forces) = assembly.proof(&[0, 1])? else { panic!("they stand") };
/// let sum = |high| -> f64 {
///     let some = forces.iter().filter(|contact| contact.high == high);
///     some.map(|contact| contact.force[2]).sum()
/// };
/// // The lower cell carries the upper one, and the table carries both.
/// assert!((sum(Some(1)) - 1.0).abs() < 1e-6 && (sum(None) - 2.0).abs() < 1e-6);
/// # Ok::<(), somacat_counting::stand::StandError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ContactForce {
    /// The piece that exerts it: the one on the side of the smaller coordinate.
    pub low: usize,
    /// The piece on which it acts; `None` for the table.
    pub high: Option<usize>,
    /// The point, in units of cells.
    pub point: [f64; 3],
    /// The force, in units of a cell's weight.
    pub force: [f64; 3],
}
