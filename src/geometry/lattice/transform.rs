//! The 48 symmetries of the cube, T1…T48, in Bob Nungester's numbering.
//!
//! "The 48 Symmetries of SOMA", SOMA News, 30 November 1999, lists 48 matrices: six permutation patterns of eight
//! sign choices each. A cell is a row vector and p' = p·T. Products are written in the order of application:
//! `a.then(b)` is the matrix A·B.

use super::Cell;
use std::fmt;

/// One of T1…T48.
///
/// ```
/// use somacat_geometry::lattice::{Cell, Transform};
///
/// let quarter_turn = Transform::from_number(19).expect("there are 48 transforms");
/// assert_eq!(quarter_turn.apply(Cell::new(1, 2, 3)), Cell::new(2, -1, 3));
/// assert_eq!(quarter_turn.order(), 4);
/// assert_eq!(quarter_turn.then(quarter_turn).to_string(), "T7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transform(u8);

/// The source axes in the original, by pattern and image axis. Within a pattern the signs of the three columns run
/// + + +, + + −, + − +, …, the last fastest.
const PATTERNS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// `PRODUCT[a][b]` is T(a+1) followed by T(b+1).
static PRODUCT: [[u8; 48]; 48] = products();

const fn negative(index: u8, column: usize) -> bool {
    (index % 8) >> (2 - column) & 1 == 1
}

const fn index_of(sources: [u8; 3], negatives: [bool; 3]) -> u8 {
    let mut pattern = 0;
    while pattern < 6 {
        let p = PATTERNS[pattern];
        if p[0] == sources[0] && p[1] == sources[1] {
            let signs = (negatives[0] as u8) << 2 | (negatives[1] as u8) << 1 | negatives[2] as u8;
            return pattern as u8 * 8 + signs;
        }
        pattern += 1;
    }
    panic!("three different axes form one of the six patterns")
}

const fn product(a: u8, b: u8) -> u8 {
    let (pa, pb) = (PATTERNS[(a / 8) as usize], PATTERNS[(b / 8) as usize]);
    let mut sources = [0; 3];
    let mut negatives = [false; 3];
    let mut column = 0;
    while column < 3 {
        let middle = pb[column] as usize;
        sources[column] = pa[middle];
        negatives[column] = negative(b, column) != negative(a, middle);
        column += 1;
    }
    index_of(sources, negatives)
}

const fn products() -> [[u8; 48]; 48] {
    let mut table = [[0; 48]; 48];
    let mut a = 0;
    while a < 48 {
        let mut b = 0;
        while b < 48 {
            table[a][b] = product(a as u8, b as u8);
            b += 1;
        }
        a += 1;
    }
    table
}

impl Transform {
    /// T1, the identity.
    pub const IDENTITY: Self = Self(0);
    /// T8, the inversion at the origin, which makes a mirror image.
    pub const INVERSION: Self = Self(7);

    /// Iterates over T1 to T48 in order.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// assert_eq!(Transform::iter().len(), 48);
    /// assert_eq!(Transform::iter().filter(|t| t.is_rotation()).count(), 24);
    /// ```
    pub fn iter() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..48).map(Self)
    }

    /// Returns the transform with one of Nungester's numbers 1…48.
    ///
    /// `None` for any other number.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// assert_eq!(Transform::from_number(8), Some(Transform::INVERSION));
    /// assert_eq!(Transform::from_number(0), None);
    /// ```
    pub const fn from_number(number: u8) -> Option<Self> {
        if number >= 1 && number <= 48 { Some(Self(number - 1)) } else { None }
    }

    /// Returns Nungester's number, 1…48.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Returns the position among T1…T48, from 0, for tables and masks.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the transform at a position, from 0.
    ///
    /// # Panics
    /// If `index` is 48 or more.
    pub const fn from_index(index: usize) -> Self {
        assert!(index < 48, "there are 48 transforms");
        Self(index as u8)
    }

    /// Returns the matrix, row by row, as printed in the article.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// assert_eq!(Transform::IDENTITY.matrix(), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    /// assert_eq!(Transform::INVERSION.matrix(), [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]);
    /// ```
    pub const fn matrix(self) -> [[i32; 3]; 3] {
        let mut matrix = [[0; 3]; 3];
        let sources = self.sources();
        let mut column = 0;
        while column < 3 {
            let (row, negated) = sources[column];
            matrix[row][column] = if negated { -1 } else { 1 };
            column += 1;
        }
        matrix
    }

    /// Returns the source axis of each image axis, and its negation.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// // The x of an image under T19 is the y of the cell, and its y is the negated x.
    /// let t19 = Transform::from_index(18);
    /// assert_eq!(t19.sources(), [(1, false), (0, true), (2, false)]);
    /// ```
    pub const fn sources(self) -> [(usize, bool); 3] {
        let p = PATTERNS[(self.0 / 8) as usize];
        [
            (p[0] as usize, negative(self.0, 0)),
            (p[1] as usize, negative(self.0, 1)),
            (p[2] as usize, negative(self.0, 2)),
        ]
    }

    /// Returns the sides of a box's image, along x, y and z.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// let t19 = Transform::from_index(18);
    /// assert_eq!(t19.image_sides([2, 3, 5]), [3, 2, 5]);
    /// ```
    pub fn image_sides<T: Copy>(self, sides: [T; 3]) -> [T; 3] {
        self.sources().map(|(axis, _)| sides[axis])
    }

    /// Returns the image p·T of a cell about the origin.
    #[inline]
    pub const fn apply(self, cell: Cell) -> Cell {
        let p = cell.to_array();
        let s = self.sources();
        let x = if s[0].1 { -p[s[0].0] } else { p[s[0].0] };
        let y = if s[1].1 { -p[s[1].0] } else { p[s[1].0] };
        let z = if s[2].1 { -p[s[2].0] } else { p[s[2].0] };
        Cell::new(x, y, z)
    }

    /// Returns this transform followed by `next`.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// // The 48 transforms are a group: products of any two are among them, and they associate.
    /// let [a, b, c] = [3, 17, 40].map(Transform::from_index);
    /// assert_eq!(a.then(b).then(c), a.then(b.then(c)));
    /// // It is not commutative.
    /// assert_ne!(a.then(b), b.then(a));
    /// ```
    pub fn then(self, next: Self) -> Self {
        Self(PRODUCT[self.index()][next.index()])
    }

    /// Returns the transform that undoes this one.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// assert!(Transform::iter().all(|t| t.then(t.inverse()) == Transform::IDENTITY));
    /// // Twenty transforms undo themselves: T1, nine half turns, nine reflections and the inversion.
    /// assert_eq!(Transform::iter().filter(|&t| t.inverse() == t).count(), 20);
    /// ```
    pub fn inverse(self) -> Self {
        let inverse = Self::iter().find(|&next| self.then(next) == Self::IDENTITY);
        inverse.expect("every element of a group has an inverse")
    }

    /// Iterates over the powers T, T², … up to and including T1: the cycle as the article prints it.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// let t19 = Transform::from_index(18);
    /// let numbers: Vec<u8> = t19.powers().map(Transform::number).collect();
    /// assert_eq!(numbers, [19, 7, 21, 1]);
    /// ```
    pub fn powers(self) -> impl Iterator<Item = Self> {
        let mut next = Some(self);
        std::iter::from_fn(move || {
            let current = next?;
            next = (current != Self::IDENTITY).then(|| current.then(self));
            Some(current)
        })
    }

    /// Returns the smallest n ≥ 1 with Tⁿ = T1: 1, 2, 3, 4 or 6.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// let of_order = |n| Transform::iter().filter(|t| t.order() == n).count();
    /// assert_eq!([1, 2, 3, 4, 6].map(of_order), [1, 19, 8, 12, 8]);
    /// ```
    pub fn order(self) -> usize {
        self.powers().count()
    }

    /// Returns `true` for a proper rotation, a motion of a solid.
    ///
    /// Its matrix has determinant +1.
    ///
    /// ```
    /// use somacat_geometry::lattice::Transform;
    ///
    /// assert!(Transform::IDENTITY.is_rotation());
    /// assert!(!Transform::INVERSION.is_rotation());
    /// ```
    pub const fn is_rotation(self) -> bool {
        let odd_permutation = matches!(self.0 / 8, 1 | 2 | 5);
        let odd_signs = (self.0 % 8).count_ones() % 2 == 1;
        odd_permutation == odd_signs
    }
}

impl fmt::Display for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", self.number())
    }
}

impl fmt::Debug for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transforms_are_a_group() {
        for a in Transform::iter() {
            assert_eq!(a.then(Transform::IDENTITY), a);
            assert_eq!(Transform::IDENTITY.then(a), a);
            assert_eq!(a.then(a.inverse()), Transform::IDENTITY);
            assert_eq!(a.inverse().then(a), Transform::IDENTITY);
            for b in Transform::iter() {
                assert_eq!(a.then(b).inverse(), b.inverse().then(a.inverse()));
                assert_eq!(a.then(b).is_rotation(), a.is_rotation() == b.is_rotation());
                for c in Transform::iter() {
                    assert_eq!(a.then(b).then(c), a.then(b.then(c)));
                }
            }
        }
    }

    #[test]
    fn rows_and_columns_of_the_product_table_are_permutations() {
        let is_permutation = |products: &mut dyn Iterator<Item = Transform>| {
            let mut numbers: Vec<u8> = products.map(Transform::number).collect();
            numbers.sort_unstable();
            numbers.into_iter().eq(1..=48)
        };
        for a in Transform::iter() {
            assert!(is_permutation(&mut Transform::iter().map(|b| a.then(b))), "row {a}");
            assert!(is_permutation(&mut Transform::iter().map(|b| b.then(a))), "column {a}");
        }
    }

    #[test]
    fn only_the_identity_and_the_inversion_commute_with_all() {
        let center =
            Transform::iter().filter(|&a| Transform::iter().all(|b| a.then(b) == b.then(a)));
        assert!(center.eq([Transform::IDENTITY, Transform::INVERSION]));
    }

    #[test]
    fn transforms_keep_distances_and_take_the_cube_to_itself() {
        let cube: Vec<Cell> =
            (0..27).map(|n| Cell::new(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)).collect();
        for t in Transform::iter() {
            let mut images: Vec<Cell> = cube.iter().map(|&cell| t.apply(cell)).collect();
            for (&a, &image_a) in cube.iter().zip(&images) {
                for (&b, &image_b) in cube.iter().zip(&images) {
                    assert_eq!(a.distance(b), image_a.distance(image_b), "{t}: {a} and {b}");
                }
            }
            images.sort_unstable();
            let mut sorted = cube.clone();
            sorted.sort_unstable();
            assert_eq!(images, sorted, "{t}");
        }
    }

    /// A rotation keeps the handedness of the axes: the image of z is the cross product of those of x and y.
    #[test]
    fn rotations_are_the_transforms_that_keep_the_frame_right_handed() {
        for t in Transform::iter() {
            let [x, y, z] = t.matrix();
            let cross =
                [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
            assert_eq!(cross == z, t.is_rotation(), "{t}");
            assert_eq!(cross == z.map(|v| -v), !t.is_rotation(), "{t}");
        }
    }

    #[test]
    fn powers_end_with_the_identity_and_do_not_repeat() {
        for t in Transform::iter() {
            let powers: Vec<Transform> = t.powers().collect();
            assert_eq!(powers.last(), Some(&Transform::IDENTITY));
            assert_eq!(powers.len(), t.order());
            assert!((1..powers.len()).all(|at| !powers[..at].contains(&powers[at])), "{t}");
            let before_last = powers.iter().rev().nth(1).unwrap_or(&Transform::IDENTITY);
            assert_eq!(t.inverse(), *before_last);
        }
    }

    #[test]
    fn numbers_are_those_of_the_article() {
        assert_eq!(
            Transform::iter().map(Transform::number).collect::<Vec<_>>(),
            (1..=48).collect::<Vec<_>>()
        );
        for number in 0..=u8::MAX {
            let t = Transform::from_number(number);
            assert_eq!(t.is_some(), (1..=48).contains(&number));
            assert_eq!(t.map_or(number, Transform::number), number);
        }
    }
}
