//! The N-subsets of one box that touch all its faces, up to the box's symmetries.
//!
//! Orderly generation, after I. A. Faradžev ("Constructive enumeration of combinatorial objects",
//! 1978) and R. C. Read ("Every one a winner", Annals of Discrete Mathematics 2, 1978): a set is
//! listed if no image comes before it, sets being compared by their cells in ascending order. Such
//! a set without its last cell is listed too, so growing listed sets by later cells meets each
//! once. The images of a set grow with it, by one cell each. If more than half the box is filled,
//! the empty cells are enumerated instead.

use super::boxes::{boxes_within, cells_of, image, is_identified, number, symmetries, volume};
use super::search::{Node, Searches, ShardedSearch, Walker};
use crate::figure::{Figure, Identity};
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;
use rustc_hash::FxHashSet;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

/// The most cells of a box.
pub(super) const MOST: usize = 128;

/// Sets between two looks at the stop flag.
const PATIENCE: u64 = 1 << 14;

/// What the sets are to be.
#[derive(Clone, Debug)]
pub(super) struct SubsetRule {
    pub(super) cells: usize,
    /// The number of parts, if it matters.
    pub(super) parts: Option<usize>,
    /// The groups a figure can have as it lies, if they matter.
    pub(super) groups: Option<FxHashSet<Group>>,
    pub(super) identity: Identity,
}

/// Figures in a box: the boxes that fit in it, each with the figures that fill it from face to
/// face.
///
/// A figure's own box has sides a ≤ b ≤ c, and images with these sides differ by a symmetry of
/// that box.
#[derive(Debug)]
pub(super) struct Subsets {
    boxes: Vec<[i32; 3]>,
    rule: SubsetRule,
}

impl Subsets {
    /// The sides of a box of at most [`MOST`] cells.
    pub(super) fn new(sides: [u32; 3], rule: SubsetRule) -> Self {
        Self { boxes: boxes_within(sides).filter(|&own| volume(own) >= rule.cells).collect(), rule }
    }
}

impl Searches for Subsets {
    type Search = SubsetSearch;

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn prepare(&self, at: usize, _: &AtomicBool) -> Option<SubsetSearch> {
        Some(SubsetSearch::new(self.boxes[at], self.rule.clone()))
    }
}

/// A set of cells: the cell numbered i at bit 127 − i, so that a set that comes first is greater.
type Mask = u128;

const fn bit(number: usize) -> Mask {
    1 << (MOST - 1 - number)
}

/// The search through the sets of one box.
#[derive(Debug)]
pub(super) struct SubsetSearch {
    sides: [i32; 3],
    rule: SubsetRule,
    /// The box's symmetries: first those under which a figure and its image are one.
    symmetries: Vec<Transform>,
    /// How many those are.
    identified: usize,
    /// For each cell and symmetry, the image of the cell.
    images: Vec<Mask>,
    /// The cells of each of the six outer layers.
    layers: [Mask; 6],
    all: Mask,
}

impl SubsetSearch {
    fn new(sides: [i32; 3], rule: SubsetRule) -> Self {
        let is_one = |t: &Transform| is_identified(*t, rule.identity);
        let (mut ordered, others): (Vec<_>, Vec<_>) =
            symmetries(sides).into_iter().partition(is_one);
        let identified = ordered.len();
        ordered.extend(others);
        let list = cells_of(sides);
        let images = list
            .iter()
            .flat_map(|&c| ordered.iter().map(move |&t| bit(number(image(t, c, sides), sides))));
        let layer = |axis: usize, at: i32| {
            let on = list.iter().filter(|c| c.to_array()[axis] == at);
            on.fold(0, |mask, &c| mask | bit(number(c, sides)))
        };
        Self {
            sides,
            rule,
            identified,
            images: images.collect(),
            layers: std::array::from_fn(|i| {
                layer(i / 2, if i % 2 == 0 { 0 } else { sides[i / 2] - 1 })
            }),
            all: (0..list.len()).fold(0, |mask, n| mask | bit(n)),
            symmetries: ordered,
        }
    }

    fn volume(&self) -> usize {
        volume(self.sides)
    }

    /// Whether the empty cells are enumerated.
    fn inverted(&self) -> bool {
        2 * self.rule.cells > self.volume()
    }

    fn touches_all_faces(&self, set: Mask) -> bool {
        self.layers.iter().all(|layer| layer & set != 0)
    }

    /// Whether a set with this group is as the rule says.
    fn admits(&self, set: Mask, group: Group) -> bool {
        self.rule.groups.as_ref().is_none_or(|groups| groups.contains(&group))
            && self.rule.parts.is_none_or(|parts| self.has_parts(set, parts))
    }

    /// Whether a set is in so many parts.
    fn has_parts(&self, set: Mask, parts: usize) -> bool {
        let mut rest = set;
        for _ in 0..parts {
            if rest == 0 {
                return false;
            }
            rest &= !self.part_of_last(rest);
        }
        rest == 0
    }

    /// The part of a set that its last cell belongs to.
    fn part_of_last(&self, set: Mask) -> Mask {
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
                return part;
            }
            part = larger;
        }
    }

    /// The figure of a set.
    fn figure(&self, set: Mask) -> Figure {
        let list: Vec<Cell> = cells_of(self.sides);
        let chosen = (0..list.len()).filter(|&n| set & bit(n) != 0).map(|n| list[n]);
        Figure::new(chosen).expect("the cells of a set in a box are distinct, and at least one")
    }
}

impl ShardedSearch for SubsetSearch {
    type Walker<'a> = SubsetWalker<'a>;

    fn walker<'a>(&'a self, stop: &'a AtomicBool) -> SubsetWalker<'a> {
        let images = vec![0; self.symmetries.len()];
        SubsetWalker {
            search: self,
            stop,
            images,
            chosen: Vec::new(),
            cut: usize::MAX,
            nodes: 0,
            next_look: 0,
        }
    }

    /// How many cells the enumerated sets have.
    fn depth(&self) -> usize {
        if self.inverted() { self.volume() - self.rule.cells } else { self.rule.cells }
    }
}

/// A walk through the sets of a box, with its stacks. A step is the number of a cell.
pub(super) struct SubsetWalker<'a> {
    search: &'a SubsetSearch,
    stop: &'a AtomicBool,
    /// For each depth and symmetry, the image of the set.
    images: Vec<Mask>,
    chosen: Vec<u32>,
    cut: usize,
    nodes: u64,
    /// The number of nodes at which the stop flag is looked at next.
    next_look: u64,
}

impl Walker for SubsetWalker<'_> {
    fn walk(
        &mut self,
        from: &[u32],
        cut: Option<usize>,
        visit: &mut impl FnMut(Node<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.cut = cut.unwrap_or(usize::MAX);
        for &cell in from {
            self.push(cell as usize);
        }
        let flow = self.extend(visit);
        for _ in from {
            self.pop();
        }
        flow
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl SubsetWalker<'_> {
    fn top(&self) -> Range<usize> {
        self.images.len() - self.search.symmetries.len()..self.images.len()
    }

    /// Adds a cell to the set and its images; whether no image that is one with it comes before
    /// the set.
    fn push(&mut self, cell: usize) -> bool {
        self.nodes += 1;
        self.chosen.push(cell as u32);
        let (top, count) = (self.top(), self.search.symmetries.len());
        self.images.extend_from_within(top.clone());
        let images = &mut self.images[top.end..];
        let cells = &self.search.images[cell * count..(cell + 1) * count];
        images.iter_mut().zip(cells).for_each(|(image, cell)| *image |= cell);
        let set = images[0];
        images[..self.search.identified].iter().fold(true, |first, image| first & (*image <= set))
    }

    fn pop(&mut self) {
        let top = self.top();
        self.images.truncate(top.start);
        self.chosen.pop();
    }

    /// Whether the empty cells fill a layer: then the set leaves the face free.
    fn bares_a_face(&self) -> bool {
        let set = self.images[self.top().start];
        self.search.inverted() && self.search.layers.iter().any(|layer| layer & !set == 0)
    }

    fn extend(&mut self, visit: &mut impl FnMut(Node<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + PATIENCE;
            if self.stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
        }
        let missing = self.search.depth() - self.chosen.len();
        if missing == 0 && self.cut == usize::MAX {
            return self.report(visit);
        }
        if missing == 0 || self.chosen.len() >= self.cut {
            return visit(Node::Cut(&self.chosen));
        }
        let from = self.chosen.last().map_or(0, |&n| n as usize + 1);
        for cell in from..=self.search.volume() - missing {
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

    fn report(&self, visit: &mut impl FnMut(Node<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let images = &self.images[self.top()];
        let set = if self.search.inverted() { self.search.all & !images[0] } else { images[0] };
        if !self.search.touches_all_faces(set) {
            return ControlFlow::Continue(());
        }
        let keeping = images.iter().zip(&self.search.symmetries);
        let keeping = keeping.filter(|(image, _)| **image == images[0]);
        let group = Group::from_trusted_mask(keeping.fold(0, |mask, (_, t)| mask | 1 << t.index()));
        if self.search.admits(set, group) {
            return visit(Node::Figure(group, &|| self.search.figure(set)));
        }
        ControlFlow::Continue(())
    }
}
