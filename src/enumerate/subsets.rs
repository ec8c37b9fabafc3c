//! The N-subsets of one box that touch all its faces, up to the box's symmetries.
//!
//! Orderly generation (R. C. Read, "Every one a winner", Annals of Discrete Mathematics 2, 1978):
//! a set is listed if no image comes before it, sets being compared by their cells in ascending
//! order. Such a set without its last cell is listed too, so growing listed sets by later cells
//! meets each once. The images of a set grow with it, by one cell each. If more than half the box
//! is filled, the empty cells are enumerated instead.

use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;
use std::ops::{ControlFlow, Range};

/// The most cells of a box.
pub(super) const MOST: usize = 128;

/// A set of cells: the cell numbered i at bit 127 − i, so that a set that comes first is greater.
type Mask = u128;

const fn bit(number: usize) -> Mask {
    1 << (MOST - 1 - number)
}

/// Sides a ≤ b ≤ c, and what is asked about the sets within.
#[derive(Debug)]
pub(super) struct SubBox {
    pub(super) sides: [i32; 3],
    /// Cells of a set.
    cells: usize,
    connected: bool,
    symmetries: Vec<Transform>,
    /// For each symmetry and cell, the image of the cell.
    images: Vec<Mask>,
    /// The cells of each of the six outer layers.
    layers: [Mask; 6],
    all: Mask,
}

impl SubBox {
    pub(super) fn new(sides: [i32; 3], cells: usize, connected: bool) -> Self {
        let symmetries = symmetries(sides);
        let list = cells_of(sides);
        let images = symmetries
            .iter()
            .flat_map(|t| list.iter().map(|&c| bit(number(image(*t, c, sides), sides))));
        let layer = |axis: usize, at: i32| {
            let on = list.iter().filter(|c| c.to_array()[axis] == at);
            on.fold(0, |mask, &c| mask | bit(number(c, sides)))
        };
        Self {
            sides,
            cells,
            connected,
            images: images.collect(),
            layers: std::array::from_fn(|i| {
                layer(i / 2, if i % 2 == 0 { 0 } else { sides[i / 2] - 1 })
            }),
            all: (0..list.len()).fold(0, |mask, n| mask | bit(n)),
            symmetries,
        }
    }

    fn volume(&self) -> usize {
        self.sides.iter().product::<i32>() as usize
    }

    /// Whether the empty cells are enumerated.
    fn inverted(&self) -> bool {
        2 * self.cells > self.volume()
    }

    /// How many cells the enumerated sets have.
    pub(super) fn depth(&self) -> usize {
        if self.inverted() { self.volume() - self.cells } else { self.cells }
    }

    fn row(&self, symmetry: usize) -> &[Mask] {
        let volume = self.volume();
        &self.images[symmetry * volume..(symmetry + 1) * volume]
    }

    /// Whether the set touches all faces and, if asked, hangs together.
    fn admits(&self, set: Mask) -> bool {
        self.layers.iter().all(|layer| layer & set != 0)
            && (!self.connected || self.hangs_together(set))
    }

    fn hangs_together(&self, set: Mask) -> bool {
        let [a, b, _] = self.sides;
        let strides = [1, a as u32, (a * b) as u32];
        let mut part = set & set.wrapping_neg();
        loop {
            let mut larger = part;
            for (axis, stride) in strides.into_iter().enumerate() {
                // A bit lower is a cell further along; the last layer has nothing further.
                larger |= (part & !self.layers[2 * axis + 1]) >> stride;
                larger |= (part & !self.layers[2 * axis]) << stride;
            }
            larger &= set;
            if larger == part {
                return part == set;
            }
            part = larger;
        }
    }

    /// The cells of a set.
    pub(super) fn cells(&self, set: Mask) -> Vec<Cell> {
        let list = cells_of(self.sides);
        (0..list.len()).filter(|&n| set & bit(n) != 0).map(|n| list[n]).collect()
    }
}

/// The cells of a box at the corner, in the order of their numbers.
pub(crate) fn cells_of([a, b, c]: [i32; 3]) -> Vec<Cell> {
    (0..c).flat_map(|z| (0..b).flat_map(move |y| (0..a).map(move |x| Cell::new(x, y, z)))).collect()
}

/// The number of a cell: x + a·(y + b·z).
pub(crate) fn number(cell: Cell, [a, b, _]: [i32; 3]) -> usize {
    (cell.x + a * (cell.y + b * cell.z)) as usize
}

/// The transforms that leave the sides of a box as they are, T1 first.
pub(crate) fn symmetries(sides: [i32; 3]) -> Vec<Transform> {
    let keeps =
        |t: &Transform| t.sources().iter().zip(sides).all(|((axis, _), s)| sides[*axis] == s);
    Transform::all().filter(keeps).collect()
}

/// The image of a cell of the box under one of its symmetries.
pub(crate) fn image(t: Transform, cell: Cell, sides: [i32; 3]) -> Cell {
    let p = cell.to_array();
    let turned = t
        .sources()
        .map(|(axis, negated)| if negated { sides[axis] - 1 - p[axis] } else { p[axis] });
    Cell::from(turned)
}

/// A search through the sets of a box, with its stacks.
pub(super) struct Search<'a> {
    room: &'a SubBox,
    /// For each level and symmetry, the image of the set.
    images: Vec<Mask>,
    chosen: Vec<u8>,
    cut: usize,
    /// Sets looked at.
    pub(super) nodes: u64,
}

/// What the search has reached.
pub(super) enum Reached<'a> {
    /// A set to be listed, with its group.
    Set(Mask, Group),
    /// A set of as many cells as the cut; the search does not go on from it.
    Cut(&'a [u8]),
}

impl<'a> Search<'a> {
    pub(super) fn new(room: &'a SubBox) -> Self {
        let images = vec![0; room.symmetries.len()];
        Self { room, images, chosen: Vec::new(), cut: usize::MAX, nodes: 0 }
    }

    /// Visits everything, in the order of the search.
    pub(super) fn run(
        &mut self,
        cut: usize,
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.cut = cut;
        self.extend(visit)
    }

    /// Visits what lies at and behind one of the sets reported as cut.
    pub(super) fn resume(
        &mut self,
        chosen: &[u8],
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.cut = usize::MAX;
        for &n in chosen {
            self.push(usize::from(n));
        }
        let flow = self.extend(visit);
        for _ in chosen {
            self.pop();
        }
        flow
    }

    fn top(&self) -> Range<usize> {
        self.images.len() - self.room.symmetries.len()..self.images.len()
    }

    /// Adds a cell to the set and its images; whether no image comes before the set.
    fn push(&mut self, cell: usize) -> bool {
        self.nodes += 1;
        self.chosen.push(cell as u8);
        let top = self.top();
        let set = self.images[top.start] | bit(cell);
        let mut first = true;
        for (symmetry, at) in top.enumerate() {
            let image = self.images[at] | self.room.row(symmetry)[cell];
            first &= image <= set;
            self.images.push(image);
        }
        first
    }

    fn pop(&mut self) {
        let top = self.top();
        self.images.truncate(top.start);
        self.chosen.pop();
    }

    /// Whether the empty cells fill a layer: then the set leaves the face free.
    fn bares_a_face(&self) -> bool {
        let set = self.images[self.top().start];
        self.room.inverted() && self.room.layers.iter().any(|layer| layer & !set == 0)
    }

    fn extend(
        &mut self,
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let missing = self.room.depth() - self.chosen.len();
        if missing == 0 {
            return self.report(visit);
        }
        if self.chosen.len() >= self.cut {
            return visit(Reached::Cut(&self.chosen));
        }
        let from = self.chosen.last().map_or(0, |&n| usize::from(n) + 1);
        for cell in from..=self.room.volume() - missing {
            let flow = if self.push(cell) && !self.bares_a_face() {
                self.extend(visit)
            } else {
                ControlFlow::Continue(())
            };
            self.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn report(&self, visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.cut != usize::MAX {
            return visit(Reached::Cut(&self.chosen));
        }
        let images = &self.images[self.top()];
        let set = if self.room.inverted() { self.room.all & !images[0] } else { images[0] };
        if !self.room.admits(set) {
            return ControlFlow::Continue(());
        }
        let keeping =
            images.iter().zip(&self.room.symmetries).filter(|(image, _)| **image == images[0]);
        let mask = keeping.fold(0, |mask, (_, t)| mask | 1 << t.index());
        visit(Reached::Set(set, Group::from_trusted_mask(mask)))
    }
}
