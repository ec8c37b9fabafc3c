//! A box with numbered cells, and its symmetries as permutations of them.
//!
//! Some cells, the *pattern cells*, have the highest numbers (`pattern.rs`); the others are *open*. A set of
//! cells is a mask of 64 bits: bit i represents cell i. So the high bits of a mask are its pattern, and its open cells
//! fit 32 bits. The image of a mask under a symmetry is looked up byte by byte.

use super::cell_orbits::cell_orbits;
use somacat_geometry::boxes::{box_cells, box_symmetries, cell_image, cell_number};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::Group;

pub(in crate::census) const MAX_CENSUS_CELLS: usize = 56;

const MASK_BYTES: usize = MAX_CENSUS_CELLS / 8;

/// A symmetry of the box: a permutation of its cells. In a box of thickness 1 several transforms permute the cells
/// alike, for example a half turn about an axis within the layer, and the reflection in the plane that meets the layer
/// at a right angle in this axis. They are one symmetry here.
#[derive(Clone, Debug)]
pub(in crate::census) struct BoxSymmetry {
    /// One of the transforms that permute the cells in this way. It is a rotation if any of them is.
    pub(in crate::census) transform: Transform,
    /// All transforms that do: bit i represents T(i+1).
    transforms: u64,
    /// True if it maps packings to packings: it is a rotation, or the set is closed under reflection.
    pub(in crate::census) usable: bool,
    /// True if it maps pattern cells to pattern cells.
    pub(super) keeps_pattern_cells: bool,
    /// For each byte of a mask, the images of its 256 values.
    images: Box<[[u64; 256]; MASK_BYTES]>,
}

impl BoxSymmetry {
    /// Returns the image of a set.
    #[inline]
    pub(in crate::census) fn apply(&self, set: u64) -> u64 {
        let bytes = set.to_le_bytes();
        self.images.iter().zip(bytes).fold(0, |out, (images, b)| out | images[usize::from(b)])
    }

    /// Returns the image of a set of open cells, at most 32. The symmetry must map open cells to open cells.
    #[inline]
    pub(in crate::census) fn apply_open(&self, set: u32) -> u32 {
        let bytes = set.to_le_bytes();
        let all = self.images.iter().zip(bytes);
        all.fold(0, |out, (images, b)| out | images[usize::from(b)] as u32)
    }

    /// Returns the image of a subset of the 16 lowest-numbered cells.
    #[inline]
    pub(in crate::census) fn apply_low(&self, set: u16) -> u64 {
        let [first, second] = set.to_le_bytes().map(usize::from);
        self.images[0][first] | self.images[1][second]
    }

    /// Returns the numbers of rotations and of all transforms that permute the cells in this way.
    pub(in crate::census) fn multiplicity(&self) -> Multiplicity {
        let rotations =
            Transform::iter().filter(|t| t.is_rotation() && self.transforms >> t.index() & 1 == 1);
        Multiplicity {
            rotations: rotations.count() as u64,
            all: u64::from(self.transforms.count_ones()),
        }
    }

    /// Returns the number of its cycles among the open cells. It fixes at most two to that power of their subsets.
    pub(in crate::census) fn open_cycles(&self, open: usize) -> u32 {
        let mut seen = 0_u64;
        let mut cycles = 0;
        for start in 0..open {
            cycles += u32::from(seen >> start & 1 == 0);
            let mut cell = 1_u64 << start;
            while seen & cell == 0 {
                seen |= cell;
                cell = self.apply(cell);
            }
        }
        cycles
    }
}

/// A number of transforms, or a quantity summed over transforms, for rotations alone and for all.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::census) struct Multiplicity {
    /// Over rotations.
    pub(in crate::census) rotations: u64,
    /// Over rotations and reflections.
    pub(in crate::census) all: u64,
}

/// A box with sides a ≤ b ≤ c.
#[derive(Debug)]
pub(in crate::census) struct Grid {
    pub(in crate::census) sides: [i32; 3],
    /// The cells by number, pattern cells last.
    pub(in crate::census) cells: Vec<Cell>,
    /// The number of open cells, which have the lowest numbers.
    pub(in crate::census) open: usize,
    /// The number of pattern cells of whole orbits. They have the highest numbers.
    pub(in crate::census) whole: usize,
    /// All symmetries of the box, the identity first.
    pub(in crate::census) symmetries: Vec<BoxSymmetry>,
    /// The cells at each face of the box: two faces for each axis.
    faces: [u64; 6],
    /// The black cells of the checkerboard.
    pub(in crate::census) black: u64,
}

impl Grid {
    /// Builds a box with a number of pattern cells. `mirrored` means that reflections map packings to packings.
    pub(in crate::census) fn new(sides: [i32; 3], pattern_cells: usize, mirrored: bool) -> Self {
        let list = box_cells(sides);
        let orbits = cell_orbits(sides);
        let pattern: Vec<usize> = orbits.iter().flatten().copied().take(pattern_cells).collect();
        let ends = orbits.iter().scan(0, |end, orbit| {
            *end += orbit.len();
            Some(*end)
        });
        let whole = ends.take_while(|&end| end <= pattern_cells).last().unwrap_or_default();
        let open = (0..list.len()).filter(|n| !pattern.contains(n));
        let order: Vec<usize> = open.chain(pattern.iter().rev().copied()).collect();
        let mut bit_of = vec![0; list.len()];
        for (bit, &n) in order.iter().enumerate() {
            bit_of[n] = bit;
        }
        let cells: Vec<Cell> = order.iter().map(|&n| list[n]).collect();
        let open = cells.len() - pattern.len();
        let mut maps: Vec<Vec<usize>> = Vec::new();
        let mut distinct: Vec<BoxSymmetry> = Vec::new();
        for t in box_symmetries(sides) {
            let to = |c: &Cell| bit_of[cell_number(cell_image(t, *c, sides), sides)];
            let map: Vec<usize> = cells.iter().map(to).collect();
            let usable = mirrored || t.is_rotation();
            if let Some(at) = maps.iter().position(|known| *known == map) {
                let same = &mut distinct[at];
                same.transforms |= 1 << t.index();
                same.usable |= usable;
                if t.is_rotation() && !same.transform.is_rotation() {
                    same.transform = t;
                }
            } else {
                distinct.push(BoxSymmetry {
                    transform: t,
                    transforms: 1 << t.index(),
                    usable,
                    keeps_pattern_cells: map[open..].iter().all(|&to| to >= open),
                    images: images(&map),
                });
                maps.push(map);
            }
        }
        let such = |test: &dyn Fn(&Cell) -> bool| {
            cells.iter().enumerate().filter(|(_, c)| test(c)).fold(0, |m, (bit, _)| m | 1 << bit)
        };
        let layer = |axis: usize, at: i32| such(&|c| c.to_array()[axis] == at);
        Self {
            sides,
            open,
            whole,
            symmetries: distinct,
            faces: std::array::from_fn(|i| {
                layer(i / 2, if i % 2 == 0 { 0 } else { sides[i / 2] - 1 })
            }),
            black: such(&|c| c.is_black()),
            cells,
        }
    }

    /// Returns true if the pattern cells are whole orbits. Then every symmetry maps pattern cells to pattern cells.
    pub(in crate::census) fn has_whole_orbits(&self) -> bool {
        self.whole + self.open == self.cells.len()
    }

    /// Returns the cells with numbers from `first` on.
    fn cells_from(&self, first: usize) -> u64 {
        low_bits(self.cells.len()) & !low_bits(first)
    }

    pub(in crate::census) fn pattern_cells(&self) -> u64 {
        self.cells_from(self.open)
    }

    /// Returns the pattern cells of whole orbits.
    pub(super) fn whole_cells(&self) -> u64 {
        self.cells_from(self.cells.len() - self.whole)
    }

    pub(in crate::census) const fn pattern_count(&self) -> usize {
        1 << (self.cells.len() - self.open)
    }

    pub(in crate::census) const fn open_cells(&self) -> u64 {
        low_bits(self.open)
    }

    /// Returns the faces that a pattern does not touch. A set that touches all of them spans this box.
    pub(in crate::census) fn faces_missed_by(&self, pattern: u64) -> Vec<u64> {
        self.faces.into_iter().filter(|face| face & pattern == 0).collect()
    }

    /// Converts a set of cells, not empty, to a figure.
    pub(in crate::census) fn figure(&self, set: u64) -> Figure {
        let inside = self.cells.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
        Figure::new(inside.map(|(_, &cell)| cell))
            .expect("a set of cells of a box is not empty and within the bounds of figures")
    }

    /// Returns the numbered symmetries that map packings to packings, the identity first.
    pub(in crate::census) fn usable(&self) -> impl Iterator<Item = (usize, &BoxSymmetry)> + Clone {
        self.symmetries.iter().enumerate().filter(|(_, s)| s.usable)
    }

    pub(in crate::census) const fn bytes(&self) -> u64 {
        (self.symmetries.len() * MASK_BYTES * 256 * size_of::<u64>()) as u64
    }
}

/// Returns the group of the transforms that these symmetries represent.
pub(in crate::census) fn group<'a>(symmetries: impl Iterator<Item = &'a BoxSymmetry>) -> Group {
    Group::from_trusted_mask(symmetries.fold(0, |mask, s| mask | s.transforms))
}

const fn low_bits(count: usize) -> u64 {
    (1 << count) - 1
}

/// Returns, for each byte of a mask and each of its values, the images of its cells. `map` is a permutation of the
/// cells.
fn images(map: &[usize]) -> Box<[[u64; 256]; MASK_BYTES]> {
    let image = |chunk: &[usize], value: usize| {
        let ones = chunk.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
        ones.fold(0_u64, |mask, (_, &to)| mask | 1 << to)
    };
    let mut images = Box::new([[0; 256]; MASK_BYTES]);
    for (images, chunk) in images.iter_mut().zip(map.chunks(8)) {
        *images = std::array::from_fn(|value| image(chunk, value));
    }
    images
}
