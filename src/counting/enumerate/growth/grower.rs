//! Growing sets of orbits: Redelmeier's method on the quotient graph.
//!
//! A figure with a symmetry group is a union of orbits of cells, and two orbits touch if cells of them do. This is the
//! quotient graph (`orbits.rs`). The weight of an orbit is its number of cells, and the weights of a figure's orbits
//! sum to N. To list the figures, the connected sets of orbits with this weight are grown, each exactly once (D. H.
//! Redelmeier, "Counting polyominoes: yet another attack", Discrete Mathematics 36, 1981). Growing symmetric figures as
//! sets of orbits, symmetry by symmetry, is due to W. F. Lunnon, "Counting polyominoes" (Computers in Number Theory,
//! 1971).
//!
//! The search starts from the lowest orbit. A list contains the orbits adjacent to the set. Each is taken in turn, and
//! orbits passed over are never taken below. An orbit that is taken appends its neighbors to the list, unless they were
//! listed before or are lower than the lowest orbit.
//!
//! # Why it is right
//!
//! A connected set has one path in this tree: it begins with its lowest orbit, and when the next orbit of the list is
//! in the set, it must be taken, because it is never taken later. So each set is visited exactly once, without storing
//! any. Translations along the directions that the group fixes do not change the order of orbits, so the lowest orbit
//! can be required to lie in a cross-section, which fixes the position (`numbering.rs`).
//!
//! A connected set of orbits can have cells that are not connected. Whether they are is known without visiting the
//! cells. Each orbit taken is *lifted* to one of its cells, adjacent to a cell lifted before, so the lifted cells are
//! connected. At every further contact between orbits, or of an orbit with itself, some element of the group maps the
//! part that contains the lifted cells to itself, and so do the elements that fix a lifted cell. They generate the
//! stabilizer of the part, and its index in the group is the number of parts. The figure is connected when they
//! generate the whole group.
//!
//! Figures of several parts are sets of several components that do not touch, in the order of their lowest orbits.
//!
//! # What it costs
//!
//! Time is proportional to the number of sets visited, of all sizes up to N. Memory is that of one setting's orbits.
//! Some tests end a branch early: the missing weight must be a sum of sizes of orbits, the set must fit in the box if
//! there is one, the distance between the lifted part and its images must not exceed the reach of the remaining cells,
//! and in a box that several parts fill to a quarter or more, no more cells may be ruled out than stay empty.
//!
//! # Example
//!
//! A half turn about a row of cells along x, and N = 3. Cells of the row are orbits of weight 1, other cells form pairs
//! of weight 2. Cell 0 of the row is the only root, and the search visits five sets:
//!
//! ```text
//! {0}        the list has 1, the next cell of the row, and the pairs ±y and ±z
//! {0, 1}     then {0, 1, 2}, a row of three along x
//! {0, ±y}    a row of three along y
//! {0, ±z}    a row of three along z
//! ```
//!
//! All three have more symmetry than the half turn, so none of them is listed. With the trivial group, all orbits are
//! single cells, and the sets of 1, 2, 3 and 4 cells are the 1, 3, 15 and 86 polycubes up to translation.

use super::hashes::ImageHash;
use super::orbits::Orbits;
use super::representative::is_representative;
use super::sampling::Sampling;
use super::size::{NO_SPAN, Span, extents, join_spans};
use crate::enumerate::search::{Cells, Visit, WalkEvent, Walker};
use crate::enumerate::stop_check::StopCheck;
use somacat_geometry::lattice::Cell;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

/// The flag of a step that begins a component with this root. Other steps are positions in the list.
const ROOT_FLAG: u32 = 1 << 31;

/// The state after a chosen orbit. States are stacked, so removing an orbit restores the state before it.
#[derive(Clone, Copy)]
struct GrowthState {
    /// The number of cells still to be placed.
    left: u32,
    /// The number, in the group table, of the subgroup known to map the lifted part of the growing component to itself.
    /// It only grows while orbits are added.
    stabilizer: u8,
    /// The least distance between a lifted cell and an image of one under an element outside `stabilizer`, in steps
    /// from cell to cell. Measured only for figures of one part.
    gap: i32,
    /// The number of parts of all complete components, without the growing one.
    parts: u32,
    /// The lowest orbit of the growing component. Its other orbits, and all orbits of later components, have larger
    /// numbers.
    floor: u32,
    /// The position of the growing component's first orbit among the chosen ones.
    start: u32,
    /// The bounding box of all chosen orbits. Kept up to date only if the figure must fit in a box.
    span: Span,
}

/// A search for sets of orbits, with its stacks.
pub(crate) struct Grower<'a> {
    orbits: &'a Orbits,
    /// For each coset, `true` if it identifies figures with their images.
    equates: &'a [bool],
    sampling: Option<&'a Sampling>,
    stop: StopCheck<'a>,
    /// `true` for numbers of cells that are sums of orbit sizes. The sizes are those from the figure's lowest tier up.
    feasible: Vec<bool>,
    /// The number of cells from which sets are reported and not extended; `u32::MAX` for a walk without a cut.
    cut: u32,
    /// The number of cells in the box that stay empty. `None` if checking it does not pay: for figures of one part, and
    /// in boxes of more than four cells for each cell of the figure.
    spare: Option<i32>,
    /// Orbits that are chosen, listed or passed over.
    seen: Vec<bool>,
    /// The position of a chosen orbit plus one, 0 for others.
    chosen_at: Vec<u32>,
    /// The orbits that can be taken, of all depths, in the order in which they were found.
    list: Vec<u32>,
    /// The set: the orbits taken so far, in order.
    chosen: Vec<u32>,
    /// For each chosen orbit, the element that maps its representative to the lifted cell. Valid for the growing
    /// component, until its stabilizer is the whole group.
    lifts: Vec<u8>,
    /// The state of the empty set, and after each chosen orbit.
    states: Vec<GrowthState>,
    /// For each state and coset, the hash of the set's image under the coset.
    image_hashes: Vec<ImageHash>,
    /// For each chosen orbit, its position in the list, or the orbit itself with [`ROOT_FLAG`]. A path leads another
    /// walker to the same set.
    path: Vec<u32>,
    /// The number of sets visited.
    nodes: u64,
}

impl Walker for Grower<'_> {
    fn walk(&mut self, from: &[u32], cut: Option<usize>, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.cut = cut.map_or(u32::MAX, |cells| cells as u32);
        self.stop.restart();
        match from.first() {
            None => self.walk_all(visit),
            Some(root) => self.walk_behind(root & !ROOT_FLAG, from, visit),
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn limit(&mut self, steps: u32) {
        self.stop.limit(steps);
    }
}

impl Cells for Grower<'_> {
    fn list(&self, to: &mut Vec<Cell>) {
        self.orbits.list_cells(&self.chosen, to);
    }

    fn list_orbits(&self, to: &mut Vec<Cell>) {
        to.extend(self.chosen.iter().map(|&orbit| self.orbits.cell(orbit, 0)));
    }
}

impl<'a> Grower<'a> {
    pub(super) fn new(
        orbits: &'a Orbits,
        equates: &'a [bool],
        sampling: Option<&'a Sampling>,
        stop: &'a AtomicBool,
    ) -> Self {
        let size = &orbits.size;
        let state = GrowthState {
            left: size.cells as u32,
            stabilizer: 0,
            gap: 0,
            parts: 0,
            floor: 0,
            start: 0,
            span: NO_SPAN,
        };
        let volume = size.bounds.map(|b| b.iter().map(|&side| i64::from(side)).product::<i64>());
        let spare = volume
            .filter(|&v| size.parts > 1 && v <= 4 * size.cells as i64)
            .map(|v| v as i32 - size.cells as i32);
        Self {
            equates,
            sampling,
            stop: StopCheck::new(stop),
            feasible: Vec::new(),
            cut: u32::MAX,
            spare,
            seen: vec![false; orbits.len()],
            chosen_at: vec![0; orbits.len()],
            list: Vec::new(),
            chosen: Vec::new(),
            lifts: Vec::new(),
            states: vec![state],
            image_hashes: vec![ImageHash::EMPTY; orbits.setting.cosets.len()],
            path: Vec::new(),
            nodes: 0,
            orbits,
        }
    }

    fn walk_all(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let orbits = self.orbits;
        for (tier, roots) in orbits.roots().iter().enumerate() {
            self.sum_sizes(tier);
            if self.feasible[orbits.size.cells] {
                for root in roots.clone() {
                    self.start_component(root, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Records the sums that sizes of orbits from a tier up can form. A tier has the orbits of one size. The lowest
    /// orbit of a figure is in its lowest tier, so all others are at least as large.
    fn sum_sizes(&mut self, tier: usize) {
        let orbits = self.orbits;
        let size = |roots: &Range<u32>| orbits.sizes[roots.start as usize] as usize;
        let sizes: Vec<usize> = orbits.roots()[tier..].iter().map(size).collect();
        self.feasible = vec![true; orbits.size.cells + 1];
        for n in 1..self.feasible.len() {
            self.feasible[n] = sizes.iter().any(|&s| s <= n && self.feasible[n - s]);
        }
    }

    /// Visits the subtree of the set at the end of a path. The first orbit of the set is `lowest`.
    fn walk_behind(&mut self, lowest: u32, path: &[u32], visit: &mut Visit<'_>) -> ControlFlow<()> {
        let tier = self.orbits.roots().iter().position(|roots| roots.contains(&lowest));
        self.sum_sizes(tier.expect("a path begins with an orbit of the cross-section"));
        let mut from = 0;
        for &step in path {
            let (orbit, state) = if step & ROOT_FLAG == 0 {
                from = step as usize + 1;
                let orbit = self.list[step as usize];
                (orbit, self.extend_with(orbit))
            } else {
                from = self.list.len();
                let orbit = step & !ROOT_FLAG;
                self.seen[orbit as usize] = true;
                (orbit, self.begin_with(orbit))
            };
            let state = state.expect("a path leads where the search went");
            self.path.push(step);
            self.choose(orbit, state);
            self.list_neighbors(orbit, state.floor);
        }
        let state = *self.state();
        let flow = if self.orbits.size.cells as u32 - state.left >= self.cut {
            visit(WalkEvent::Cut(&self.path))
        } else if state.left == 0 {
            self.report(visit)
        } else {
            self.extend(from, visit)
        };
        self.reset();
        flow
    }

    /// Returns to the empty set.
    fn reset(&mut self) {
        for orbit in self.list.drain(..).chain(self.chosen.iter().copied()) {
            self.seen[orbit as usize] = false;
        }
        for orbit in self.chosen.drain(..) {
            self.chosen_at[orbit as usize] = 0;
        }
        self.lifts.clear();
        self.states.truncate(1);
        self.image_hashes.truncate(self.orbits.setting.cosets.len());
        self.path.clear();
    }

    fn state(&self) -> &GrowthState {
        self.states.last().expect("the state of the empty set is never removed")
    }

    /// Returns the number of parts that the growing component represents.
    fn own_parts(&self, state: &GrowthState) -> u32 {
        u32::from(self.orbits.table.index(state.stabilizer))
    }

    /// Visits all sets with one more component, whose lowest orbit is `root`.
    fn start_component(&mut self, root: u32, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.stop.step()?;
        let Some(state) = self.begin_with(root) else { return ControlFlow::Continue(()) };
        self.seen[root as usize] = true;
        let flow = self.take(root, state, root | ROOT_FLAG, self.list.len(), visit);
        self.seen[root as usize] = false;
        flow
    }

    /// Visits all sets that extend the present one by orbits of the list from `from` on, or by further components.
    fn extend(&mut self, from: usize, visit: &mut Visit<'_>) -> ControlFlow<()> {
        for at in from..self.list.len() {
            let orbit = self.list[at];
            if let Some(state) = self.extend_with(orbit) {
                self.take(orbit, state, at as u32, at + 1, visit)?;
            }
        }
        if self.orbits.size.parts > 1 {
            let state = *self.state();
            if state.parts + self.own_parts(&state) < self.orbits.size.parts as u32 {
                for root in state.floor + 1..self.orbits.len() as u32 {
                    if !self.seen[root as usize] {
                        self.start_component(root, visit)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses an orbit, continues the search and removes the orbit again.
    fn take(
        &mut self,
        orbit: u32,
        state: GrowthState,
        step: u32,
        from: usize,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        self.stop.step()?;
        self.choose(orbit, state);
        self.path.push(step);
        let placed = self.orbits.size.cells as u32 - state.left;
        let flow = if self.is_omitted(orbit, placed) {
            ControlFlow::Continue(())
        } else if placed >= self.cut {
            visit(WalkEvent::Cut(&self.path))
        } else if state.left == 0 {
            self.report(visit)
        } else {
            let end = self.list.len();
            self.list_neighbors(orbit, state.floor);
            let flow = if self.spare.is_some_and(|spare| self.is_crowded(spare, from, &state)) {
                ControlFlow::Continue(())
            } else {
                self.extend(from, visit)
            };
            for orbit in self.list.drain(end..) {
                self.seen[orbit as usize] = false;
            }
            flow
        };
        self.path.pop();
        self.chosen.pop();
        self.chosen_at[orbit as usize] = 0;
        self.lifts.truncate(self.chosen.len());
        self.states.pop();
        self.image_hashes.truncate(self.states.len() * self.orbits.setting.cosets.len());
        flow
    }

    /// Returns `true` if a sample omits the set. It then omits all sets that contain it in the search.
    fn is_omitted(&self, last: u32, placed: u32) -> bool {
        self.sampling.is_some_and(|sampling| {
            let own = self.image_hashes.len() - self.orbits.setting.cosets.len();
            let before = placed - self.orbits.sizes[last as usize];
            !sampling.keeps(self.image_hashes[own].hash, before, placed)
        })
    }

    /// Passes on a complete set if it is the image to list. It must also have the right number of parts.
    fn report(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let (orbits, state) = (self.orbits, self.state());
        let image_hashes =
            &self.image_hashes[self.image_hashes.len() - orbits.setting.cosets.len()..];
        if state.parts + self.own_parts(state) == orbits.size.parts as u32
            && is_representative(orbits, self.equates, &self.chosen, image_hashes)
        {
            return visit(WalkEvent::Figure(orbits.setting.group, self));
        }
        ControlFlow::Continue(())
    }

    /// Appends the neighbors of an orbit to the list, unless they were seen or are not above `floor`.
    fn list_neighbors(&mut self, orbit: u32, floor: u32) {
        for edge in self.orbits.edges(orbit) {
            if edge.to > floor && !self.seen[edge.to as usize] {
                self.seen[edge.to as usize] = true;
                self.list.push(edge.to);
            }
        }
    }

    /// Adds an orbit that is already lifted to the set.
    fn choose(&mut self, orbit: u32, state: GrowthState) {
        self.nodes += 1;
        self.chosen.push(orbit);
        // Lifts are recorded until the component is the whole figure.
        self.chosen_at[orbit as usize] = self.chosen.len() as u32;
        self.lifts.resize(self.chosen.len(), 0);
        self.states.push(state);
        let start = self.image_hashes.len() - self.orbits.setting.cosets.len();
        for (at, image) in self.orbits.image_hashes(orbit).iter().enumerate() {
            self.image_hashes.push(self.image_hashes[start + at].plus(*image));
        }
    }

    /// Returns the state after an orbit, with the number of cells left and the span; the group is not extended yet.
    /// `None` if no complete figure can contain the set.
    fn weigh(&self, orbit: u32) -> Option<GrowthState> {
        let mut state = *self.state();
        state.left = state.left.checked_sub(self.orbits.sizes[orbit as usize])?;
        if !self.feasible[state.left as usize] {
            return None;
        }
        if self.orbits.size.bounds.is_some() {
            state.span = join_spans(&state.span, &self.orbits.spans[orbit as usize]);
            if !self.orbits.size.admits(&state.span) {
                return None;
            }
        }
        Some(state)
    }

    /// Returns the state after a new component begins with an orbit.
    fn begin_with(&mut self, root: u32) -> Option<GrowthState> {
        let mut state = self.weigh(root)?;
        if !self.chosen.is_empty() {
            state.parts += self.own_parts(self.state());
        }
        state.floor = root;
        state.start = self.chosen.len() as u32;
        state.stabilizer = 0;
        state.gap = i32::MAX;
        self.lifts.truncate(self.chosen.len());
        self.lifts.push(0);
        self.close_up(root, 0, state)
    }

    /// Returns the state after the component takes an orbit from the list. `None` if no figure can contain the set.
    fn extend_with(&mut self, orbit: u32) -> Option<GrowthState> {
        let state = self.weigh(orbit)?;
        let table = &self.orbits.table;
        if state.stabilizer == table.whole() {
            return (self.orbits.size.parts == 1 || self.has_parts(&state)).then_some(state);
        }
        let lift = self.orbits.edges(orbit).iter().find_map(|edge| {
            let at = self.chosen_at[edge.to as usize];
            (at > state.start)
                .then(|| table.then(table.inverse(edge.by), self.lifts[at as usize - 1]))
        });
        let lift = lift.expect("an orbit on the list touches the growing component");
        self.lifts.truncate(self.chosen.len());
        self.lifts.push(lift);
        self.close_up(orbit, lift, state)
    }

    /// Extends the component's stabilizer by the contacts of a newly lifted orbit, and measures the gap to its images.
    ///
    /// Let g lift the orbit, and let e map the representative of a chosen neighbor, which is lifted by h, to a cell
    /// that touches the orbit's representative. Then the part contains the images of the neighbor's representative
    /// under h, and under e followed by g. So h⁻¹ e g, read from left to right, maps a cell of the part to another, and
    /// hence the part to itself. Likewise g⁻¹ e g for an element e that fixes the orbit's representative, or maps it to
    /// a cell next to it.
    fn close_up(&self, orbit: u32, lift: u8, mut state: GrowthState) -> Option<GrowthState> {
        let (orbits, table) = (self.orbits, &self.orbits.table);
        let back = table.inverse(lift);
        let before = state.stabilizer;
        let mut join = |element: u8| state.stabilizer = table.join(state.stabilizer, element);
        if (orbits.sizes[orbit as usize] as usize) < table.order() {
            for element in orbits.stabilizer(orbit) {
                join(table.then(table.then(back, element), lift));
            }
        }
        for edge in orbits.edges(orbit) {
            let at = self.chosen_at[edge.to as usize];
            if edge.to == orbit {
                join(table.then(table.then(back, edge.by), lift));
            } else if at > state.start {
                let other = table.inverse(self.lifts[at as usize - 1]);
                join(table.then(table.then(other, edge.by), lift));
            }
        }
        if orbits.size.parts > 1 {
            return self.has_parts(&state).then_some(state);
        }
        let parts = self.own_parts(&state);
        if parts == 1 {
            return Some(state);
        }
        if state.left == 0 {
            return None;
        }
        let outside = table.outside(state.stabilizer);
        if state.stabilizer != before {
            state.gap = self.gap_of(&self.chosen, outside);
        }
        state.gap = state.gap.min(self.gap_from(orbit, lift, outside));
        let between = state.gap - 1;
        // One path must bridge the gap. Balls of half the gap about the parts are disjoint, and a path must leave each.
        let needed = between.max(parts as i32 * (between / 2));
        (needed <= state.left as i32).then_some(state)
    }

    /// Returns `true` if the right number of parts is still possible. The growing component can merge into fewer
    /// parts, but complete components cannot. Each remaining cell adds at most one part.
    fn has_parts(&self, state: &GrowthState) -> bool {
        let parts = self.orbits.size.parts as u32;
        state.parts < parts && state.parts + self.own_parts(state) + state.left >= parts
    }

    /// Returns the distance of a lifted cell from the images of all lifted cells, its own included, under the elements
    /// of the mask `outside`.
    fn gap_from(&self, orbit: u32, lift: u8, outside: u64) -> i32 {
        let (orbits, table) = (self.orbits, &self.orbits.table);
        let home = orbits.cell(orbit, lift);
        let mut gap = i32::MAX;
        let others = self.chosen.iter().copied().zip(self.lifts.iter().copied());
        for (other, other_lift) in others.chain([(orbit, lift)]) {
            for element in 0..table.order() as u8 {
                if outside >> element & 1 == 1 {
                    let image = orbits.cell(other, table.then(other_lift, element));
                    gap = gap.min(home.distance(image));
                }
            }
        }
        gap
    }

    /// Returns the smallest such distance over all lifted cells.
    fn gap_of(&self, chosen: &[u32], outside: u64) -> i32 {
        let lifted = chosen.iter().zip(&self.lifts);
        lifted.fold(i32::MAX, |gap, (&orbit, &lift)| gap.min(self.gap_from(orbit, lift, outside)))
    }

    /// Returns `true` if too many cells of the box are ruled out. More are ruled out than may stay empty. The figure's
    /// box will contain the current span, and the figure will fill all but `spare` cells of the largest box that fits.
    /// A cell within the span is ruled out unless it is chosen, on the list from `from` on, or available to a later
    /// part.
    fn is_crowded(&self, spare: i32, from: usize, state: &GrowthState) -> bool {
        let (orbits, span) = (self.orbits, &state.span);
        let volume: i32 = extents(span).iter().map(|&e| i32::from(e)).product();
        let placed = (orbits.size.cells as u32 - state.left) as i32;
        if volume - placed <= spare {
            return false;
        }
        let size_within = |orbit: u32| {
            let within = join_spans(span, &orbits.spans[orbit as usize]) == *span;
            if within { orbits.sizes[orbit as usize] as i32 } else { 0 }
        };
        let listed: i32 = self.list[from..].iter().map(|&orbit| size_within(orbit)).sum();
        let later = (state.floor + 1..orbits.len() as u32)
            .filter(|&orbit| !self.seen[orbit as usize])
            .map(size_within);
        volume - placed - listed - later.sum::<i32>() > spare
    }
}
