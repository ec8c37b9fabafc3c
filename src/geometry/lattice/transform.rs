//! The 48 symmetries of the cube, T1…T48, in Bob Nungester's numbering.
//!
//! "The 48 Symmetries of SOMA", SOMA News, 30 November 1999, lists 48 matrices: six permutation patterns of eight
//! sign choices each. A cell is a row vector and p' = p·T. Products are written in the order of application:
//! `a.then(b)` is the matrix A·B.

use super::Cell;
use std::fmt;

/// One of T1…T48.
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
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..48).map(Self)
    }

    /// Returns the transform with one of Nungester's numbers 1…48.
    ///
    /// `None` for any other number.
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
    pub const fn sources(self) -> [(usize, bool); 3] {
        let p = PATTERNS[(self.0 / 8) as usize];
        [
            (p[0] as usize, negative(self.0, 0)),
            (p[1] as usize, negative(self.0, 1)),
            (p[2] as usize, negative(self.0, 2)),
        ]
    }

    /// Returns the sides of a box's image, along x, y and z.
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
    pub fn then(self, next: Self) -> Self {
        Self(PRODUCT[self.index()][next.index()])
    }

    /// Returns the transform that undoes this one.
    pub fn inverse(self) -> Self {
        let inverse = Self::all().find(|&next| self.then(next) == Self::IDENTITY);
        inverse.expect("every element of a group has an inverse")
    }

    /// Iterates over the powers T, T², … up to and including T1: the cycle as the article prints it.
    pub fn powers(self) -> impl Iterator<Item = Self> {
        let mut next = Some(self);
        std::iter::from_fn(move || {
            let current = next?;
            next = (current != Self::IDENTITY).then(|| current.then(self));
            Some(current)
        })
    }

    /// Returns the smallest n ≥ 1 with Tⁿ = T1: 1, 2, 3, 4 or 6.
    pub fn order(self) -> usize {
        self.powers().count()
    }

    /// Returns `true` for a proper rotation, a motion of a solid.
    ///
    /// Its matrix has determinant +1.
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
