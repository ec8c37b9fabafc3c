//! A box whose cells have numbers, its symmetries as permutations of them, and the patterns by which
//! its subsets are split.
//!
//! The cells of whole orbits under the box's symmetries, corners first, are the *pattern cells* and
//! have the highest numbers. Subsets with the same pattern there form a slice. A symmetry takes
//! slices to slices, so only slices whose pattern is the least of its images need be looked at.

use crate::enumerate::{cells_of, image, number, symmetries};
use crate::figure::{Figure, FigureError};
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;

/// The bits of a mask.
const BITS: usize = 64;

/// The most cells of a box: as many as are ranked, and as many as patterns are made of.
pub(super) const MOST: usize = 56;

/// The bytes of a mask that are needed for them.
const BYTES: usize = MOST / 8;

/// A symmetry of the box.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    pub(super) transform: Transform,
    /// Whether it takes packings to packings: a rotation, or the set is closed under reflection.
    pub(super) usable: bool,
    /// For each byte of a mask, the images of its 256 values.
    images: Box<[[u64; 256]; BYTES]>,
}

impl Symmetry {
    /// The image of a set of cells.
    #[inline]
    pub(super) fn apply(&self, set: u64) -> u64 {
        let bytes = set.to_le_bytes();
        self.images.iter().zip(bytes).fold(0, |out, (images, b)| out | images[usize::from(b)])
    }

    /// The image of a set of open cells, of which there are no more than a word holds.
    #[inline]
    pub(super) fn apply_open(&self, set: u32) -> u32 {
        let bytes = set.to_le_bytes();
        let all = self.images.iter().zip(bytes);
        all.fold(0, |out, (images, b)| out | images[usize::from(b)] as u32)
    }
}

/// A box with sides a ≤ b ≤ c.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) sides: [i32; 3],
    /// The cells by number, pattern cells last.
    pub(super) cells: Vec<Cell>,
    /// Cells that are no pattern cells; they have the numbers below this.
    pub(super) open: usize,
    /// T1 first.
    pub(super) symmetries: Vec<Symmetry>,
    /// The cells of each of the six outer layers.
    layers: [u64; 6],
    black: u64,
}

impl Room {
    /// A box whose pattern cells are the first `orbits` of [`cell_orbits`].
    pub(super) fn new(sides: [i32; 3], orbits: &[Vec<usize>], mirrored: bool) -> Self {
        let list = cells_of(sides);
        let pattern: Vec<usize> = orbits.iter().flatten().copied().collect();
        let open = (0..list.len()).filter(|n| !pattern.contains(n));
        let order: Vec<usize> = open.chain(pattern.iter().copied()).collect();
        let mut place = vec![0; list.len()];
        for (bit, &n) in order.iter().enumerate() {
            place[n] = bit;
        }
        let cells: Vec<Cell> = order.iter().map(|&n| list[n]).collect();
        let symmetry = |t: Transform| {
            let to = |c: &Cell| place[number(image(t, *c, sides), sides)];
            let map: Vec<usize> = cells.iter().map(to).collect();
            Symmetry { transform: t, usable: mirrored || t.is_rotation(), images: images(&map) }
        };
        let such = |test: &dyn Fn(&Cell) -> bool| {
            cells.iter().enumerate().filter(|(_, c)| test(c)).fold(0, |m, (bit, _)| m | 1 << bit)
        };
        let layer = |axis: usize, at: i32| such(&|c| c.to_array()[axis] == at);
        Self {
            sides,
            open: cells.len() - pattern.len(),
            symmetries: symmetries(sides).into_iter().map(symmetry).collect(),
            layers: std::array::from_fn(|i| {
                layer(i / 2, if i % 2 == 0 { 0 } else { sides[i / 2] - 1 })
            }),
            black: such(&|c| c.is_black()),
            cells,
        }
    }

    /// The pattern cells.
    pub(super) fn pattern_cells(&self) -> u64 {
        let all = u64::MAX >> (BITS - self.cells.len());
        all & !self.open_cells()
    }

    /// The other cells.
    pub(super) const fn open_cells(&self) -> u64 {
        if self.open == 0 { 0 } else { u64::MAX >> (BITS - self.open) }
    }

    /// Whether a set touches all six faces, so that its own box is this one.
    pub(super) fn is_filled_by(&self, set: u64) -> bool {
        self.layers.iter().all(|layer| layer & set != 0)
    }

    /// |black − white| cells of a set.
    pub(super) const fn color_difference(&self, set: u64) -> u32 {
        (set & self.black).count_ones().abs_diff((set & !self.black).count_ones())
    }

    /// A set of cells as a figure.
    pub(super) fn figure(&self, set: u64) -> Result<Figure, FigureError> {
        let inside = self.cells.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
        Figure::new(inside.map(|(_, &cell)| cell))
    }

    /// The patterns that are the least of their images, with the number of their images; only those
    /// that leave between 0 and all open cells for the rest of a set of `cells` cells.
    pub(super) fn patterns(&self, cells: usize) -> Vec<(u64, u32)> {
        let count = self.cells.len() - self.open;
        let usable: Vec<&Symmetry> = self.usable().map(|(_, symmetry)| symmetry).collect();
        let least = |pattern: u64| {
            let ones = pattern.count_ones() as usize;
            if ones > cells || cells - ones > self.open {
                return None;
            }
            let mut kept = 0;
            for symmetry in &usable {
                let image = symmetry.apply(pattern);
                if image < pattern {
                    return None;
                }
                kept += u32::from(image == pattern);
            }
            Some((pattern, usable.len() as u32 / kept))
        };
        let shifted = |n: u64| n.checked_shl(self.open as u32).unwrap_or(0);
        (0..1_u64 << count).filter_map(|n| least(shifted(n))).collect()
    }

    /// The symmetries that take packings to packings, with their numbers, T1 first.
    pub(super) fn usable(&self) -> impl Iterator<Item = (usize, &Symmetry)> {
        self.symmetries.iter().enumerate().filter(|(_, s)| s.usable)
    }

    /// Those of them that keep a pattern, T1 first.
    pub(super) fn usable_keeping(&self, pattern: u64) -> Vec<&Symmetry> {
        self.keeping(pattern).into_iter().filter(|s| s.usable).collect()
    }

    /// The symmetries that keep a pattern, T1 first.
    pub(super) fn keeping(&self, pattern: u64) -> Vec<&Symmetry> {
        self.symmetries.iter().filter(|s| s.apply(pattern) == pattern).collect()
    }
}

/// The group of these symmetries.
pub(super) fn group<'a>(symmetries: impl Iterator<Item = &'a Symmetry>) -> Group {
    Group::from_trusted_mask(symmetries.fold(0, |mask, s| mask | 1 << s.transform.index()))
}

fn images(map: &[usize]) -> Box<[[u64; 256]; BYTES]> {
    let image = |chunk: &[usize], value: usize| {
        let ones = chunk.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
        ones.fold(0_u64, |mask, (_, &to)| mask | 1 << to)
    };
    let mut images = Box::new([[0; 256]; BYTES]);
    for (images, chunk) in images.iter_mut().zip(map.chunks(8)) {
        *images = std::array::from_fn(|value| image(chunk, value));
    }
    images
}

/// The orbits of a box's cells under its symmetries, by number; those with the fewest neighbors
/// first, among them the farthest from the center. Pieces that must fill such cells have the least
/// choice.
pub(super) fn cell_orbits(sides: [i32; 3]) -> Vec<Vec<usize>> {
    let group = symmetries(sides);
    let list = cells_of(sides);
    let mut seen = vec![false; list.len()];
    let mut orbits: Vec<Vec<usize>> = Vec::new();
    for &cell in &list {
        if seen[number(cell, sides)] {
            continue;
        }
        let mut orbit: Vec<usize> =
            group.iter().map(|&t| number(image(t, cell, sides), sides)).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit.iter().for_each(|&n| seen[n] = true);
        orbits.push(orbit);
    }
    let inside = |c: &Cell| c.to_array().iter().zip(sides).all(|(&v, s)| (0..s).contains(&v));
    let neighbors = |c: Cell| c.neighbors().iter().filter(|n| inside(n)).count();
    let distance =
        |c: Cell| (0..3).map(|axis| (2 * c.to_array()[axis] - sides[axis] + 1).pow(2)).sum::<i32>();
    orbits.sort_by_key(|orbit| (neighbors(list[orbit[0]]), -distance(list[orbit[0]])));
    orbits
}
