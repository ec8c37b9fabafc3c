//! The N-subsets of one box that touch all its faces. Subsets that are equal up to the box's symmetries are listed
//! once.
//!
//! Orderly generation, after I. A. Faradžev ("Constructive enumeration of combinatorial objects", 1978) and R. C.
//! Read ("Every one a winner", Annals of Discrete Mathematics 2, 1978): a set is listed if no image comes before
//! it, comparing sets by their cells in ascending order. Such a set without its last cell is listed too, so
//! extending listed sets by later cells visits each once. Nothing is stored of the sets listed before. The images of a
//! set grow with it, by one cell each. If more than half the box is filled, the empty cells are enumerated instead.
//!
//! In the box 1×2×2, for example, with cells 0 1 in one row and 2 3 in the other, the first listed set is {0}; all
//! others of one cell are images of it. It is extended to {0,1}, {0,2} and {0,3}, of which {0,2} is dropped, because
//! its image {0,1} comes before it. Only {0,3} touches all faces.
//!
//! Sets invariant under a group are sets of its orbits. They are generated in the same way, with orbits in place of
//! cells and images under the group's normalizer.

use super::box_orbits::{BoxOrbits, Mask, bit, groups_in, normalizer_cosets};
use super::search::{Cells, Searches, ShardedSearch, Visit, WalkEvent, Walker};
use super::stop_check::StopCheck;
use somacat_geometry::boxes::{
    box_cells, box_symmetries, box_volume, boxes_that_hold, cell_image, cell_number,
};
use somacat_geometry::figure::Equivalence;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::{Class, Group};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

/// The requirements for sets.
#[derive(Clone, Debug)]
pub(super) struct SubsetRule {
    pub(super) cells: usize,
    /// The number of connected parts, if it is prescribed.
    pub(super) parts: Option<usize>,
    /// The transforms up to which sets are listed.
    pub(super) equivalence: Equivalence,
}

/// Figures in a box: the boxes that fit in it, each with the figures that touch all its faces. A figure's own box
/// has sides a ≤ b ≤ c, and images with these sides differ by a symmetry of that box.
#[derive(Debug)]
pub(super) struct Subsets {
    /// For each search, the box, and the group if prescribed. The figures must have exactly this group.
    rooms: Vec<([i32; 3], Option<Group>)>,
    rule: SubsetRule,
}

impl Subsets {
    /// Creates the searches for figures of any symmetry. The box has at most 128 cells.
    pub(super) fn in_box(sides: [u32; 3], rule: SubsetRule) -> Self {
        Self { rooms: boxes_that_hold(sides, rule.cells).map(|own| (own, None)).collect(), rule }
    }

    /// Creates the searches for figures of exactly these classes. The box has at most 128 cells.
    pub(super) fn of_classes(classes: &[Class], sides: [u32; 3], rule: SubsetRule) -> Self {
        let mut rooms = Vec::new();
        for &class in classes {
            for own in boxes_that_hold(sides, rule.cells) {
                rooms.extend(groups_in(own, class).into_iter().map(|group| (own, Some(group))));
            }
        }
        Self { rooms, rule }
    }
}

impl Searches for Subsets {
    fn len(&self) -> usize {
        self.rooms.len()
    }

    fn prepare(&self, at: usize, _: &AtomicBool) -> Option<Box<dyn ShardedSearch>> {
        let (sides, group) = self.rooms[at];
        Some(Box::new(SubsetSearch::new(sides, group, self.rule.clone())))
    }
}

/// The search through the sets of one box.
struct SubsetSearch {
    sides: [i32; 3],
    rule: SubsetRule,
    /// The exact group of the figures, if it is prescribed.
    group: Option<Group>,
    /// The orbits of the cells under that group, or single cells.
    orbits: BoxOrbits,
    /// For each orbit, the number of cells in it and all later ones.
    rest: Vec<usize>,
    /// A box symmetry for each coset of the group in its normalizer. Those that identify figures come first, and the
    /// first is the identity.
    cosets: Vec<Transform>,
    /// The number of cosets that identify figures.
    equating: usize,
    /// The symmetries of the box outside the normalizer. A set with one of these has a larger group than prescribed.
    outsiders: Vec<Transform>,
    /// For each orbit and each coset, the image of the orbit, as a set of one orbit.
    images: Vec<Mask>,
    /// For each face of the box, the orbits with cells at the face.
    outer: [Mask; 6],
    /// For each face, the cells at it.
    layers: [Mask; 6],
    /// All orbits.
    all: Mask,
}

impl SubsetSearch {
    fn new(sides: [i32; 3], group: Option<Group>, rule: SubsetRule) -> Self {
        let kept = group.unwrap_or(Group::TRIVIAL);
        let orbits = BoxOrbits::new(sides, kept);
        // A coset of a group with reflections contains rotations, even if its representative is not one.
        let is_one = |t: &Transform| rule.equivalence.equates(*t) || !kept.is_chiral();
        let (mut cosets, others): (Vec<_>, Vec<_>) =
            normalizer_cosets(sides, kept).into_iter().partition(is_one);
        let equating = cosets.len();
        cosets.extend(others);
        let mut outsiders = box_symmetries(sides);
        outsiders.retain(|&t| kept.conjugate(t) != kept);
        let images = (0..orbits.len())
            .flat_map(|orbit| cosets.iter().map(|&t| (t, orbit)).collect::<Vec<_>>())
            .map(|(t, orbit)| bit(orbits.image(t, orbit, sides)))
            .collect();
        let list = box_cells(sides);
        let layers = std::array::from_fn(|i| {
            let (axis, at) = (i / 2, if i % 2 == 0 { 0 } else { sides[i / 2] - 1 });
            let on = list.iter().filter(|c| c.to_array()[axis] == at);
            on.fold(0, |mask, &c| mask | bit(cell_number(c, sides)))
        });
        let mut rest = orbits.sizes.clone();
        for at in (1..rest.len()).rev() {
            rest[at - 1] += rest[at];
        }
        Self {
            sides,
            rule,
            group,
            rest,
            cosets,
            equating,
            outsiders,
            images,
            outer: layers.map(|layer| orbits.meeting(layer)),
            layers,
            all: (0..orbits.len()).fold(0, |mask, orbit| mask | bit(orbit)),
            orbits,
        }
    }

    /// Returns `true` if the empty cells are enumerated.
    fn is_inverted(&self) -> bool {
        2 * self.rule.cells > box_volume(self.sides)
    }

    /// Returns the number of cells of the sets that are enumerated: of the figures, or of the empty cells.
    fn weight(&self) -> usize {
        if self.is_inverted() { box_volume(self.sides) - self.rule.cells } else { self.rule.cells }
    }

    fn touches_all_faces(&self, set: Mask) -> bool {
        self.outer.iter().all(|outer| outer & set != 0)
    }

    /// Returns the group of a set, if it is the wanted one. `images` contains the set itself and its images under
    /// the other cosets.
    fn group_of(&self, images: &[Mask], cells: Mask) -> Option<Group> {
        let keeping = self.cosets.iter().zip(images).filter(|(_, image)| **image == images[0]);
        let mask = keeping.fold(0, |mask, (t, _)| mask | 1 << t.index());
        match self.group {
            None => Some(Group::from_trusted_mask(mask)),
            // The first coset is the group's own.
            Some(group) => (mask.count_ones() == 1 && !self.has_outsider(cells)).then_some(group),
        }
    }

    /// Returns `true` if a symmetry outside the normalizer preserves a set.
    fn has_outsider(&self, cells: Mask) -> bool {
        let list = self.list(cells);
        let stays = |t: Transform, &c: &Cell| {
            cells & bit(cell_number(cell_image(t, c, self.sides), self.sides)) != 0
        };
        self.outsiders.iter().any(|&t| list.iter().all(|cell| stays(t, cell)))
    }

    /// Returns the cells of a set of orbits.
    fn cells(&self, set: Mask) -> Mask {
        match self.group {
            None => set,
            Some(_) => {
                let orbits = self.orbits.cells.iter().enumerate();
                orbits.filter(|(orbit, _)| set & bit(*orbit) != 0).fold(0, |all, (_, m)| all | m)
            }
        }
    }

    fn list(&self, cells: Mask) -> Vec<Cell> {
        let mut list = box_cells(self.sides);
        list.retain(|&c| cells & bit(cell_number(c, self.sides)) != 0);
        list
    }

    /// Returns `true` if the cells have this number of parts.
    fn has_parts(&self, cells: Mask, parts: usize) -> bool {
        let mut rest = cells;
        for _ in 0..parts {
            if rest == 0 {
                return false;
            }
            rest &= !self.part_of_last(rest);
        }
        rest == 0
    }

    /// Returns the connected part that contains the last of some cells.
    fn part_of_last(&self, cells: Mask) -> Mask {
        let [a, b, _] = self.sides;
        let strides = [1, a as u32, (a * b) as u32];
        let mut part = cells & cells.wrapping_neg();
        loop {
            let mut larger = part;
            for (axis, stride) in strides.into_iter().enumerate() {
                // The next cell along an axis is a lower bit. The last layer has no next cell.
                larger |= (part & !self.layers[2 * axis + 1]) >> stride;
                larger |= (part & !self.layers[2 * axis]) << stride;
            }
            larger &= cells;
            if larger == part {
                return part;
            }
            part = larger;
        }
    }
}

impl ShardedSearch for SubsetSearch {
    fn walker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Walker + 'a> {
        Box::new(SubsetWalker {
            search: self,
            stop: StopCheck::new(stop),
            images: vec![0; self.cosets.len()],
            chosen: Vec::new(),
            missing: self.weight(),
            cut: usize::MAX,
            nodes: 0,
        })
    }

    /// Returns the number of cells. No set has more orbits than cells.
    fn depth(&self) -> usize {
        self.weight()
    }
}

/// A walk through the sets of a box. A step is the number of an orbit.
struct SubsetWalker<'a> {
    search: &'a SubsetSearch,
    stop: StopCheck<'a>,
    /// For each depth and coset, the image of the set. The first of each depth is the set itself.
    images: Vec<Mask>,
    /// The orbits of the present set, ascending.
    chosen: Vec<u32>,
    /// The number of cells still to be chosen.
    missing: usize,
    /// The depth at which branches end; `usize::MAX` without a cut.
    cut: usize,
    /// The number of sets visited.
    nodes: u64,
}

impl Walker for SubsetWalker<'_> {
    fn walk(&mut self, from: &[u32], cut: Option<usize>, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.cut = cut.unwrap_or(usize::MAX);
        self.stop.restart();
        for &orbit in from {
            self.push(orbit as usize);
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

    fn limit(&mut self, steps: u32) {
        self.stop.limit(steps);
    }
}

/// A set that was found.
struct SubsetCells<'a> {
    search: &'a SubsetSearch,
    cells: Mask,
}

impl Cells for SubsetCells<'_> {
    fn list(&self, to: &mut Vec<Cell>) {
        to.extend(self.search.list(self.cells));
    }
}

impl SubsetWalker<'_> {
    /// Returns the range of the present set's images.
    fn top(&self) -> Range<usize> {
        self.images.len() - self.search.cosets.len()..self.images.len()
    }

    /// Adds an orbit to the set and its images. Returns `true` if no image that is identified with the set comes
    /// before it.
    fn push(&mut self, orbit: usize) -> bool {
        self.nodes += 1;
        self.chosen.push(orbit as u32);
        self.missing -= self.search.orbits.sizes[orbit];
        let (top, count) = (self.top(), self.search.cosets.len());
        self.images.extend_from_within(top.clone());
        let images = &mut self.images[top.end..];
        let added = &self.search.images[orbit * count..(orbit + 1) * count];
        images.iter_mut().zip(added).for_each(|(image, added)| *image |= added);
        let set = images[0];
        // Comparing all without a branch is faster than stopping at the first.
        images[..self.search.equating].iter().fold(true, |first, image| first & (*image <= set))
    }

    fn pop(&mut self) {
        let top = self.top();
        self.images.truncate(top.start);
        let orbit = self.chosen.pop().expect("what is popped was pushed");
        self.missing += self.search.orbits.sizes[orbit as usize];
    }

    /// Returns `true` if the empty cells fill a layer. Then the set does not touch that face.
    fn bares_a_face(&self) -> bool {
        let set = self.images[self.top().start];
        self.search.is_inverted() && self.search.outer.iter().any(|outer| outer & !set == 0)
    }

    fn extend(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.stop.step()?;
        if self.missing == 0 && self.cut == usize::MAX {
            return self.report(visit);
        }
        if self.missing == 0 || self.chosen.len() >= self.cut {
            return visit(WalkEvent::Cut(&self.chosen));
        }
        let from = self.chosen.last().map_or(0, |&n| n as usize + 1);
        for orbit in from..self.search.orbits.len() {
            if self.search.rest[orbit] < self.missing {
                break;
            }
            if self.search.orbits.sizes[orbit] > self.missing {
                continue;
            }
            let flow = if self.push(orbit) && !self.bares_a_face() {
                self.extend(visit)
            } else {
                ControlFlow::Continue(())
            };
            self.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn report(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let images = &self.images[self.top()];
        let set = if self.search.is_inverted() { self.search.all & !images[0] } else { images[0] };
        if self.search.touches_all_faces(set) {
            let cells = self.search.cells(set);
            if let Some(group) = self.search.group_of(images, cells)
                && self.search.rule.parts.is_none_or(|parts| self.search.has_parts(cells, parts))
            {
                return visit(WalkEvent::Figure(
                    group,
                    &SubsetCells { search: self.search, cells },
                ));
            }
        }
        ControlFlow::Continue(())
    }
}
