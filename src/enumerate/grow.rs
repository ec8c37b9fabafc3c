//! Growing sets of orbits: Redelmeier's method on the quotient graph.
//!
//! D. H. Redelmeier, "Counting polyominoes: yet another attack" (Discrete Mathematics 36, 1981):
//! start from the lowest orbit; a list holds the orbits that touch what is there; take each in
//! turn, never again one that was passed over. So each connected set of orbits comes exactly once,
//! with nothing remembered. The weights of the orbits, their numbers of cells, must sum to N.
//!
//! Orbits that hang together may stand for cells that do not. Each orbit taken is lifted to one of
//! its cells, next to a cell lifted before. Where a further orbit or the orbit itself touches, an
//! element of the group takes the part that was lifted to itself; the part is the whole figure
//! when these elements generate the group. Until then, a search ends where the part is farther
//! from its images than the cells left can reach.
//!
//! Figures of several parts are sets of several components, none touching another, in the order
//! of their lowest orbits.

use super::orbits::{Height, Image, NO_SPAN, Orbits, Span, distance, join_spans};
use crate::symmetry::Group;
use std::ops::ControlFlow;

/// A step of the search: list positions and, with this bit, roots of components.
const ROOT: u32 = 1 << 31;

/// What the search has reached.
pub(super) enum Reached<'a> {
    /// A set of orbits of the right weight, connected in the right number of parts.
    Figure(&'a Grower<'a>),
    /// A set of orbits whose weight is at least the cut; the search does not go on from it.
    Cut(&'a [u32]),
}

#[derive(Clone, Copy)]
struct Level {
    /// Cells still to be placed.
    left: u32,
    /// The group of the component that grows, as a position in `Joins`.
    stabilizer: u8,
    /// The distance of the component from its nearest image.
    gap: i32,
    /// Parts of the components that are complete.
    parts: u32,
    /// Orbits up to this number belong to no later part.
    floor: u32,
    /// Where in the chosen orbits the growing component begins.
    start: u32,
    span: Span,
}

/// The subgroups of a group, and which of them an element leads to.
struct Joins {
    subgroups: Vec<Group>,
    /// For each subgroup and element, the subgroup they generate.
    joined: Vec<u8>,
    /// For each subgroup, its elements as a mask over positions in the group.
    members: Vec<u64>,
}

impl Joins {
    fn new(group: Group) -> Self {
        let subgroups: Vec<Group> =
            Group::all().iter().copied().filter(|&g| group.contains_group(g)).collect();
        let position = |g: Group| subgroups.iter().position(|&h| h == g).unwrap_or(0) as u8;
        let join = |g: &Group, t| position(Group::generated_by(g.iter().chain([t])));
        let joined = subgroups.iter().flat_map(|g| group.iter().map(move |t| join(g, t))).collect();
        let member = |g: &Group| {
            let elements = group.iter().enumerate();
            elements.filter(|(_, t)| g.contains(*t)).fold(0, |mask, (i, _)| mask | 1 << i)
        };
        Self { members: subgroups.iter().map(member).collect(), joined, subgroups }
    }
}

/// A search for sets of orbits, with its stacks.
pub(super) struct Grower<'a> {
    orbits: &'a Orbits,
    joins: Joins,
    /// Which numbers of cells are sums of the sizes of orbits, from the lowest of the figure up.
    feasible: Vec<bool>,
    /// Sets of this weight are reported and left.
    cut: u32,
    /// Orbits that are chosen, listed or passed over.
    seen: Vec<bool>,
    /// One more than the position of a chosen orbit; 0 for others.
    chosen_at: Vec<u32>,
    list: Vec<u32>,
    chosen: Vec<u32>,
    /// For each chosen orbit, the element that lifts its representative.
    lifts: Vec<u8>,
    levels: Vec<Level>,
    /// For each level and coset, the image so far.
    images: Vec<Image>,
    path: Vec<u32>,
    /// Sets of orbits visited.
    pub(super) nodes: u64,
}

impl<'a> Grower<'a> {
    pub(super) fn new(orbits: &'a Orbits) -> Self {
        let level = Level {
            left: orbits.limits.cells as u32,
            stabilizer: 0,
            gap: 0,
            parts: 0,
            floor: 0,
            start: 0,
            span: NO_SPAN,
        };
        Self {
            joins: Joins::new(orbits.setting.group),
            feasible: Vec::new(),
            cut: u32::MAX,
            seen: vec![false; orbits.len()],
            chosen_at: vec![0; orbits.len()],
            list: Vec::new(),
            chosen: Vec::new(),
            lifts: Vec::new(),
            levels: vec![level],
            images: vec![Image { hash: 0, height: Height::MAX }; orbits.setting.cosets.len()],
            path: Vec::new(),
            nodes: 0,
            orbits,
        }
    }

    /// Visits everything, in the order of the search.
    pub(super) fn run(
        &mut self,
        cut: u32,
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.cut = cut;
        let orbits = self.orbits;
        for (tier, roots) in orbits.roots().iter().enumerate() {
            self.sum_sizes(tier);
            if self.feasible[orbits.limits.cells] {
                for root in roots.clone() {
                    self.start_component(root, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Notes which sums the sizes from a tier up can form.
    fn sum_sizes(&mut self, tier: usize) {
        let orbits = self.orbits;
        let size = |roots: &std::ops::Range<u32>| orbits.sizes[roots.start as usize] as usize;
        let sizes: Vec<usize> = orbits.roots()[tier..].iter().map(size).collect();
        self.feasible = vec![true; orbits.limits.cells + 1];
        for n in 1..self.feasible.len() {
            self.feasible[n] = sizes.iter().any(|&s| s <= n && self.feasible[n - s]);
        }
    }

    /// Visits what lies at and behind one of the sets reported as cut.
    pub(super) fn resume(
        &mut self,
        path: &[u32],
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.cut = u32::MAX;
        let first = path.first().map_or(0, |step| step & !ROOT);
        let holds = |roots: &std::ops::Range<u32>| roots.contains(&first);
        self.sum_sizes(self.orbits.roots().iter().position(holds).unwrap_or(0));
        let mut from = 0;
        for &step in path {
            let (orbit, level) = if step & ROOT == 0 {
                from = step as usize + 1;
                let orbit = self.list[step as usize];
                (orbit, self.extended(orbit))
            } else {
                from = self.list.len();
                let orbit = step & !ROOT;
                self.seen[orbit as usize] = true;
                (orbit, self.rooted(orbit))
            };
            let level = level.expect("a path leads where the search went");
            self.path.push(step);
            self.choose(orbit, level);
            self.list_neighbors(orbit, level.floor);
        }
        let flow = if self.left() == 0 { self.report(visit) } else { self.extend(from, visit) };
        self.reset();
        flow
    }

    /// Back to the empty set.
    fn reset(&mut self) {
        for orbit in self.list.drain(..).chain(self.chosen.iter().copied()) {
            self.seen[orbit as usize] = false;
        }
        for orbit in self.chosen.drain(..) {
            self.chosen_at[orbit as usize] = 0;
        }
        self.lifts.clear();
        self.levels.truncate(1);
        self.images.truncate(self.orbits.setting.cosets.len());
        self.path.clear();
    }

    fn level(&self) -> &Level {
        self.levels.last().expect("the level of the empty set is never removed")
    }

    fn left(&self) -> u32 {
        self.level().left
    }

    /// The orbits of the set.
    pub(super) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// The images of the set under the cosets.
    pub(super) fn images(&self) -> &[Image] {
        &self.images[self.images.len() - self.orbits.setting.cosets.len()..]
    }

    fn full(&self) -> u8 {
        self.joins.subgroups.len() as u8 - 1
    }

    /// The parts that the growing component stands for.
    fn own_parts(&self, level: &Level) -> u32 {
        (self.orbits.order() / self.joins.subgroups[usize::from(level.stabilizer)].order()) as u32
    }

    fn start_component(
        &mut self,
        root: u32,
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(level) = self.rooted(root) else { return ControlFlow::Continue(()) };
        self.seen[root as usize] = true;
        let flow = self.take(root, level, root | ROOT, self.list.len(), visit);
        self.seen[root as usize] = false;
        flow
    }

    fn extend(
        &mut self,
        from: usize,
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for at in from..self.list.len() {
            let orbit = self.list[at];
            if let Some(level) = self.extended(orbit) {
                self.take(orbit, level, at as u32, at + 1, visit)?;
            }
        }
        if self.orbits.limits.parts > 1 {
            let level = *self.level();
            if level.parts + self.own_parts(&level) < self.orbits.limits.parts as u32 {
                for root in level.floor + 1..self.orbits.len() as u32 {
                    if !self.seen[root as usize] {
                        self.start_component(root, visit)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses an orbit, goes on from there and takes it back.
    fn take(
        &mut self,
        orbit: u32,
        level: Level,
        step: u32,
        from: usize,
        visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.choose(orbit, level);
        self.path.push(step);
        let placed = self.orbits.limits.cells as u32 - level.left;
        let flow = if placed >= self.cut {
            visit(Reached::Cut(&self.path))
        } else if level.left == 0 {
            self.report(visit)
        } else {
            let end = self.list.len();
            self.list_neighbors(orbit, level.floor);
            let flow = self.extend(from, visit);
            for orbit in self.list.drain(end..) {
                self.seen[orbit as usize] = false;
            }
            flow
        };
        self.path.pop();
        self.chosen.pop();
        self.chosen_at[orbit as usize] = 0;
        self.lifts.truncate(self.chosen.len());
        self.levels.pop();
        self.images.truncate(self.levels.len() * self.orbits.setting.cosets.len());
        flow
    }

    fn report(&self, visit: &mut impl FnMut(Reached<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let level = self.level();
        if level.parts + self.own_parts(level) == self.orbits.limits.parts as u32 {
            visit(Reached::Figure(self))
        } else {
            ControlFlow::Continue(())
        }
    }

    fn list_neighbors(&mut self, orbit: u32, floor: u32) {
        for edge in self.orbits.edges(orbit) {
            if edge.to > floor && !self.seen[edge.to as usize] {
                self.seen[edge.to as usize] = true;
                self.list.push(edge.to);
            }
        }
    }

    /// Enters an orbit, already lifted, into the set.
    fn choose(&mut self, orbit: u32, level: Level) {
        self.nodes += 1;
        self.chosen.push(orbit);
        // Lifts are recorded as long as the component is not the whole figure.
        self.chosen_at[orbit as usize] = self.chosen.len() as u32;
        self.lifts.resize(self.chosen.len(), 0);
        self.levels.push(level);
        let count = self.orbits.setting.cosets.len();
        let start = self.images.len() - count;
        for (at, image) in self.orbits.images(orbit).iter().enumerate() {
            let before = self.images[start + at];
            self.images.push(Image {
                hash: before.hash.wrapping_add(image.hash),
                height: before.height.min(image.height),
            });
        }
    }

    /// What is left of weight and room after an orbit, if anything can come of it.
    fn weighed(&self, orbit: u32) -> Option<Level> {
        let mut level = *self.level();
        level.left = level.left.checked_sub(self.orbits.sizes[orbit as usize])?;
        if !self.feasible[level.left as usize] {
            return None;
        }
        if self.orbits.limits.bounds.is_some() {
            level.span = join_spans(&level.span, &self.orbits.spans[orbit as usize]);
            if !self.orbits.limits.admits(&level.span) {
                return None;
            }
        }
        Some(level)
    }

    /// The level after a new component begins with an orbit.
    fn rooted(&mut self, root: u32) -> Option<Level> {
        let mut level = self.weighed(root)?;
        if !self.chosen.is_empty() {
            level.parts += self.own_parts(self.level());
        }
        level.floor = root;
        level.start = self.chosen.len() as u32;
        level.stabilizer = 0;
        level.gap = i32::MAX;
        self.lifts.truncate(self.chosen.len());
        self.lifts.push(0);
        self.closed_up(root, 0, level)
    }

    /// The level after the growing component takes an orbit from the list.
    fn extended(&mut self, orbit: u32) -> Option<Level> {
        let level = self.weighed(orbit)?;
        if level.stabilizer == self.full() {
            return Some(level);
        }
        let lift = self.orbits.edges(orbit).iter().find_map(|edge| {
            let at = self.chosen_at[edge.to as usize];
            (at > level.start).then(|| {
                self.orbits.then(self.orbits.inverse(edge.by), self.lifts[at as usize - 1])
            })
        })?;
        self.lifts.truncate(self.chosen.len());
        self.lifts.push(lift);
        self.closed_up(orbit, lift, level)
    }

    /// Adds to the component's group what a newly lifted orbit gives, and measures the gap to the
    /// component's images.
    fn closed_up(&self, orbit: u32, lift: u8, mut level: Level) -> Option<Level> {
        let orbits = self.orbits;
        let order = orbits.order();
        let back = orbits.inverse(lift);
        let before = level.stabilizer;
        let mut join = |element: u8| {
            level.stabilizer =
                self.joins.joined[usize::from(level.stabilizer) * order + usize::from(element)];
        };
        if (orbits.sizes[orbit as usize] as usize) < order {
            for element in orbits.stabilizer(orbit) {
                join(orbits.then(orbits.then(back, element), lift));
            }
        }
        for edge in orbits.edges(orbit) {
            let at = self.chosen_at[edge.to as usize];
            if edge.to == orbit {
                join(orbits.then(orbits.then(back, edge.by), lift));
            } else if at > level.start {
                let other = orbits.inverse(self.lifts[at as usize - 1]);
                join(orbits.then(orbits.then(other, edge.by), lift));
            }
        }
        let parts = self.own_parts(&level);
        if orbits.limits.parts > 1 {
            // Components can still merge into fewer parts, but not those that are complete.
            return (level.parts < orbits.limits.parts as u32).then_some(level);
        }
        if parts == 1 {
            return Some(level);
        }
        if level.left == 0 {
            return None;
        }
        let outside = !self.joins.members[usize::from(level.stabilizer)];
        if level.stabilizer != before {
            level.gap = self.gap_of(&self.chosen, outside);
        }
        level.gap = level.gap.min(self.gap_from(orbit, lift, outside));
        let between = level.gap - 1;
        // Balls of half the gap about the parts are disjoint, and each part must leave its own.
        let needed = between.max(parts as i32 * (between / 2));
        (needed <= level.left as i32).then_some(level)
    }

    /// The distance of a lifted cell from the images of the lifted cells and its own.
    fn gap_from(&self, orbit: u32, lift: u8, outside: u64) -> i32 {
        let orbits = self.orbits;
        let home = orbits.cell(orbit, lift);
        let mut gap = i32::MAX;
        let others = self.chosen.iter().copied().zip(self.lifts.iter().copied());
        for (other, other_lift) in others.chain([(orbit, lift)]) {
            for element in 0..orbits.order() as u8 {
                if outside >> element & 1 == 1 {
                    let image = orbits.cell(other, orbits.then(other_lift, element));
                    gap = gap.min(distance(home, image));
                }
            }
        }
        gap
    }

    /// The smallest such distance over all lifted cells.
    fn gap_of(&self, chosen: &[u32], outside: u64) -> i32 {
        let each = chosen.iter().zip(&self.lifts);
        each.map(|(&orbit, &lift)| self.gap_from(orbit, lift, outside)).min().unwrap_or(i32::MAX)
    }
}
