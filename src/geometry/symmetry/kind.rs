//! The ten kinds of elements of the cube's group.

use crate::lattice::Transform;

/// The geometric kind of a transform. Two transforms are of the same kind exactly if they are conjugate.
///
/// ```
/// use somacat_geometry::lattice::Transform;
/// use somacat_geometry::symmetry::ElementKind;
///
/// let number = |kind| Transform::iter().filter(|&t| ElementKind::of(t) == kind).count();
/// assert_eq!(ElementKind::ALL.map(number), [1, 3, 3, 1, 6, 6, 6, 6, 8, 8]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ElementKind {
    /// T1.
    Identity,
    /// Reflection in a plane parallel to a face.
    PlanarReflection,
    /// Half turn about an axis through two face centers.
    FaceHalfTurn,
    /// Inversion in the center, T8.
    Inversion,
    /// Reflection in a diagonal plane, through two edges.
    DiagonalReflection,
    /// Quarter turn about a face axis.
    QuarterTurn,
    /// Half turn about an axis through two edge midpoints.
    EdgeHalfTurn,
    /// Quarter turn with a reflection across its axis: the 4-fold roto-reflection.
    QuarterRotoReflection,
    /// Third of a turn about a body diagonal.
    ThirdTurn,
    /// Third of a turn with the inversion: the 6-fold roto-reflection.
    SixfoldRotoReflection,
}

impl ElementKind {
    /// The ten kinds, in the order of [`Self::index`].
    pub const ALL: [Self; 10] = [
        Self::Identity,
        Self::PlanarReflection,
        Self::FaceHalfTurn,
        Self::Inversion,
        Self::DiagonalReflection,
        Self::QuarterTurn,
        Self::EdgeHalfTurn,
        Self::QuarterRotoReflection,
        Self::ThirdTurn,
        Self::SixfoldRotoReflection,
    ];

    /// Returns the position in [`Self::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the kind of a transform.
    ///
    /// The determinant and the trace of its matrix determine the kind. Half turns and reflections also depend on
    /// whether each axis is mapped to itself.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    /// use somacat_geometry::symmetry::ElementKind;
    ///
    /// let kind = |number| Transform::from_number(number).map(ElementKind::of);
    /// assert_eq!(kind(5), Some(ElementKind::PlanarReflection));
    /// assert_eq!(kind(8), Some(ElementKind::Inversion));
    /// assert_eq!(kind(19), Some(ElementKind::QuarterTurn));
    /// ```
    pub const fn of(t: Transform) -> Self {
        let m = t.matrix();
        let trace = m[0][0] + m[1][1] + m[2][2];
        let axes_stay = m[0][0] != 0 && m[1][1] != 0 && m[2][2] != 0;
        match (t.is_rotation(), trace) {
            (true, 3) => Self::Identity,
            (true, 1) => Self::QuarterTurn,
            (true, 0) => Self::ThirdTurn,
            (true, _) if axes_stay => Self::FaceHalfTurn,
            (true, _) => Self::EdgeHalfTurn,
            (false, -3) => Self::Inversion,
            (false, -1) => Self::QuarterRotoReflection,
            (false, 0) => Self::SixfoldRotoReflection,
            (false, _) if axes_stay => Self::PlanarReflection,
            (false, _) => Self::DiagonalReflection,
        }
    }

    /// Returns the symbol of the operation: `C4`, `m`, `S6`, …
    pub const fn symbol(self) -> &'static str {
        ["E", "m", "C2", "i", "m'", "C4", "C2'", "S4", "C3", "S6"][self.index()]
    }
}
