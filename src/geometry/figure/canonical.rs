//! The canonical form of a figure, which also yields its symmetry group.
//!
//! The definition chooses one of the images under all 48 transforms, moved so that the smallest coordinates are 0:
//!
//! 1. Each of the six directed axes (+x, −x, …) has a description: the extent of the figure along it, and the numbers
//!    of cells in its non-empty layers, in that direction. Descriptions are compared by extent first, then by the
//!    numbers as a list. The image with the smallest descriptions of the x, y and z axes, compared in this order, is
//!    chosen. The layers are counted once for each axis, and this decides for most figures.
//! 2. If several images are equal in this, the cells of the box are numbered x + X·(y + Y·z), where X and Y are
//!    extents. The image whose set of numbers, read as a binary number, is smallest is chosen.
//!
//! Images that are still tied are equal, and the transforms that lead to them are a coset of the symmetry group.
//! [`super::SIGNATURE_VERSION`] fixes the definition.

use super::{Figure, Signature};
use crate::lattice::{Cell, Transform};
use crate::pieces::PieceSet;
use crate::symmetry::Group;
use std::cmp::Ordering;

/// The transforms up to which figures are identified.
///
/// ```
/// use somacat_geometry::figure::Equivalence;
/// use somacat_geometry::lattice::Transform;
///
/// assert!(Equivalence::Reflections.equates(Transform::INVERSION));
/// assert!(!Equivalence::Rotations.equates(Transform::INVERSION));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Equivalence {
    /// All 48: a figure and its mirror image are the same.
    #[default]
    Reflections,
    /// The 24 rotations: for piece sets that are not closed under reflection.
    Rotations,
}

impl Equivalence {
    /// Returns `true` if figures are identified with their images under a transform.
    pub fn equates(self, t: Transform) -> bool {
        self == Self::Reflections || t.is_rotation()
    }

    /// Returns the letter with which signatures begin.
    pub const fn prefix(self) -> char {
        match self {
            Self::Reflections => 's',
            Self::Rotations => 'r',
        }
    }

    /// Returns the equivalence of figures to be built from a set.
    ///
    /// A mirror image has the same packings, reflected, only if the set is closed under reflection.
    ///
    /// ```
    /// use somacat_geometry::figure::Equivalence;
    /// use somacat_geometry::pieces::{PieceSet, parse_set};
    ///
    /// assert_eq!(Equivalence::for_set(&PieceSet::soma(1)), Equivalence::Reflections);
    /// // A without its mirror image B.
    /// assert_eq!(Equivalence::for_set(&parse_set("V L A").unwrap()), Equivalence::Rotations);
    /// ```
    pub fn for_set(set: &PieceSet) -> Self {
        if set.is_mirror_closed() { Self::Reflections } else { Self::Rotations }
    }
}

/// The canonical form of a figure, with its group and transform.
///
/// ```
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
///
/// let figure = Figure::new([[0, 0, 0], [1, 0, 0], [0, 1, 0]].map(Cell::from))?;
/// let canonical = figure.canonical();
/// assert_eq!(canonical.signature.figure().unwrap(), figure.transformed(canonical.to_canonical));
/// assert!(canonical.group.iter().all(|t| figure.transformed(t) == figure));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canonical {
    /// The canonical form as text. It is equal exactly for figures that are equal up to the transforms and translation.
    pub signature: Signature,
    /// The transforms that map the figure, in its given orientation, to itself. With [`Equivalence::Rotations`], only
    /// the rotations among them.
    pub group: Group,
    /// The lowest-numbered transform that takes the figure to its canonical form.
    pub to_canonical: Transform,
}

/// The largest extent for which layers are counted in an array. For larger ones the coordinates are sorted.
const MAX_ARRAY_EXTENT: usize = 64;

/// Counts the cells in the non-empty layers along x, y and z.
fn layer_counts(cells: &[Cell], extents: [u32; 3]) -> [Vec<u16>; 3] {
    std::array::from_fn(|axis| {
        let coordinate = |c: &Cell| c.to_array()[axis] as usize;
        if extents[axis] as usize <= MAX_ARRAY_EXTENT {
            let mut counts = vec![0_u16; extents[axis] as usize];
            for cell in cells {
                counts[coordinate(cell)] += 1;
            }
            counts.retain(|&n| n > 0);
            return counts;
        }
        let mut all: Vec<usize> = cells.iter().map(coordinate).collect();
        all.sort_unstable();
        all.chunk_by(|a, b| a == b).map(|run| run.len() as u16).collect()
    })
}

/// Ranks the six directed axes: `[axis][negated]`. Equal descriptions share a rank.
fn directed_ranks(extents: [u32; 3], counts: &[Vec<u16>; 3]) -> [[u8; 2]; 3] {
    let compare = |(a, a_negated): (usize, bool), (b, b_negated): (usize, bool)| {
        extents[a].cmp(&extents[b]).then_with(|| {
            let (first, second) = (&counts[a], &counts[b]);
            match (a_negated, b_negated) {
                (false, false) => first.iter().cmp(second.iter()),
                (false, true) => first.iter().cmp(second.iter().rev()),
                (true, false) => first.iter().rev().cmp(second.iter()),
                (true, true) => first.iter().rev().cmp(second.iter().rev()),
            }
        })
    };
    let directed = [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)];
    let mut ranks = [[0; 2]; 3];
    for a in directed {
        let smaller = directed.iter().filter(|&&b| compare(b, a) == Ordering::Less).count();
        ranks[a.0][usize::from(a.1)] = smaller as u8;
    }
    ranks
}

/// An image's cell numbers within its box, ordered like a binary number.
trait Occupancy: Ord + Sized {
    fn of(numbers: impl Iterator<Item = u128>) -> Self;
}

/// Boxes of up to 128 cells: the binary number itself.
impl Occupancy for u128 {
    fn of(numbers: impl Iterator<Item = u128>) -> Self {
        numbers.fold(0, |mask, n| mask | 1 << n)
    }
}

/// Boxes of up to 1,024 cells: the binary number in words, the highest first.
impl Occupancy for [u64; 16] {
    fn of(numbers: impl Iterator<Item = u128>) -> Self {
        let mut words = [0; 16];
        for n in numbers {
            words[15 - (n >> 6) as usize] |= 1 << (n & 63);
        }
        words
    }
}

/// Any box: the numbers themselves, the highest first.
impl Occupancy for Vec<u128> {
    fn of(numbers: impl Iterator<Item = u128>) -> Self {
        let mut list: Vec<u128> = numbers.collect();
        list.sort_unstable_by(|a, b| b.cmp(a));
        list
    }
}

/// Expresses the number of a cell's image as a linear function. The number of the image under `t` is x + X·(y +
/// Y·z). Returns the constant and the factors of the cell's three coordinates.
fn linear(extents: [u32; 3], t: Transform) -> (i128, [i128; 3]) {
    let (mut base, mut factors, mut stride) = (0, [0; 3], 1);
    for (axis, negated) in t.sources() {
        let extent = i128::from(extents[axis]);
        factors[axis] = if negated { -stride } else { stride };
        base += if negated { (extent - 1) * stride } else { 0 };
        stride *= extent;
    }
    (base, factors)
}

/// Iterates over the numbers of the image's cells.
fn numbers(cells: &[Cell], extents: [u32; 3], t: Transform) -> impl Iterator<Item = u128> {
    let (base, [fx, fy, fz]) = linear(extents, t);
    let at = |v: i32, factor: i128| i128::from(v) * factor;
    cells.iter().map(move |c| (base + at(c.x, fx) + at(c.y, fy) + at(c.z, fz)) as u128)
}

/// Does the same as [`numbers`] for boxes of up to 1,024 cells. Uses 32-bit arithmetic.
fn small_numbers(cells: &[Cell], extents: [u32; 3], t: Transform) -> impl Iterator<Item = u128> {
    let (base, factors) = linear(extents, t);
    let (base, [fx, fy, fz]) = (base as i32, factors.map(|factor| factor as i32));
    cells.iter().map(move |c| u128::from((base + c.x * fx + c.y * fy + c.z * fz) as u32))
}

fn smallest<O: Occupancy, I: Iterator<Item = u128>>(
    candidates: u64,
    image: impl Fn(Transform) -> I,
) -> u64 {
    let mut best: Option<O> = None;
    let mut winners = 0;
    let mut left = candidates;
    while left != 0 {
        let index = left.trailing_zeros() as usize;
        left &= left - 1;
        let occupancy = O::of(image(Transform::from_index(index)));
        match best.as_ref().map_or(Ordering::Less, |b| occupancy.cmp(b)) {
            Ordering::Less => {
                best = Some(occupancy);
                winners = 1 << index;
            }
            Ordering::Equal => winners |= 1 << index,
            Ordering::Greater => {}
        }
    }
    winners
}

fn volume(extents: [u32; 3]) -> u128 {
    extents.into_iter().map(u128::from).product()
}

/// Returns the transforms that lead to the canonical image, as a mask.
fn winners(figure: &Figure, equivalence: Equivalence) -> u64 {
    let cells = figure.cells();
    let extents = figure.extents();
    let ranks = directed_ranks(extents, &layer_counts(cells, extents));
    let (mut least, mut candidates) = (u32::MAX, 0_u64);
    for t in Transform::iter().filter(|&t| equivalence.equates(t)) {
        let key = t.sources().into_iter().fold(0, |key, (axis, negated)| {
            key << 8 | u32::from(ranks[axis][usize::from(negated)])
        });
        if key < least {
            (least, candidates) = (key, 0);
        }
        if key == least {
            candidates |= 1 << t.index();
        }
    }
    match volume(extents) {
        ..=128 => smallest::<u128, _>(candidates, |t| small_numbers(cells, extents, t)),
        129..=1024 => smallest::<[u64; 16], _>(candidates, |t| small_numbers(cells, extents, t)),
        _ => smallest::<Vec<u128>, _>(candidates, |t| numbers(cells, extents, t)),
    }
}

impl Figure {
    /// Returns the canonical form up to all 48 transforms.
    ///
    /// ```
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::lattice::Transform;
    ///
    /// let brick = Figure::of_box([1, 2, 3])?;
    /// for t in Transform::iter() {
    ///     assert_eq!(brick.transformed(t).canonical().signature, brick.canonical().signature);
    /// }
    /// # Ok::<(), somacat_geometry::figure::FigureError>(())
    /// ```
    pub fn canonical(&self) -> Canonical {
        self.canonical_up_to(Equivalence::Reflections)
    }

    /// Returns the canonical form up to the transforms of `equivalence`.
    ///
    /// ```
    /// use somacat_geometry::figure::{Figure, Equivalence};
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// // The pieces A and B are mirror images of each other.
    /// let figure = |letter| Figure::new(PieceSet::standard_piece(letter)?.cells().to_vec()).ok();
    /// let (a, b) = (figure('A').unwrap(), figure('B').unwrap());
    /// assert_eq!(a.canonical().signature, b.canonical().signature);
    /// let turned = |figure: &Figure| figure.canonical_up_to(Equivalence::Rotations).signature;
    /// assert_ne!(turned(&a), turned(&b));
    /// ```
    pub fn canonical_up_to(&self, equivalence: Equivalence) -> Canonical {
        let winners = winners(self, equivalence);
        let first = Transform::from_index(winners.trailing_zeros() as usize);
        let back = first.inverse();
        let group = Transform::iter()
            .filter(|t| winners >> t.index() & 1 == 1)
            .fold(0, |mask, t| mask | 1 << t.then(back).index());
        let extents = self.extents();
        let sides = first.image_sides(extents);
        let signature = match volume(extents) {
            ..=1024 => {
                let mut board = <[u64; 16]>::of(small_numbers(self.cells(), extents, first));
                board.reverse();
                Signature::encode_board(equivalence, sides, &board)
            }
            _ => {
                let mut image: Vec<u128> = numbers(self.cells(), extents, first).collect();
                image.sort_unstable();
                Signature::encode(equivalence, sides, &image)
            }
        };
        Canonical { signature, group: Group::from_trusted_mask(group), to_canonical: first }
    }
}
