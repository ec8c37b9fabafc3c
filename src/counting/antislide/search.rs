//! The search for packings in which nothing slides.

use super::HeldPackings;
use super::bench::{Bench, Lane};
use super::classes::{Root, class, counts_of_class};
use super::in_place::InPlace;
use crate::solve::{Limits, MaskWord, Placement};
use somacat_geometry::outcome::Counts;
use std::ops::ControlFlow;

/// Between two looks at the request to stop, nodes times lanes: some milliseconds.
const STOP_CHECK_LANES: usize = 1 << 14;

/// Receives packings.
pub(super) type Visitor<'a> = &'a mut dyn FnMut(&[Placement]) -> ControlFlow<()>;

/// What the search knows at a number of pieces in place. Sets of placements are up to date in [`Self::lanes`] only.
#[derive(Clone, Default)]
struct Frame<M> {
    /// The lanes of the pieces with copies left.
    lanes: Vec<usize>,
    /// The placements that may follow: they fit, and are in no packing found before.
    free: Vec<Lane>,
    /// For each direction, the placements that the wall and the held pieces hold, and some that do not fit.
    held: Vec<Lane>,
    obligations: Vec<M>,
    /// For each obligation, the placements that meet it.
    meeting: Vec<Lane>,
    /// The placements to try.
    branch: Vec<Lane>,
    /// Bit k of the number of obligations that each placement meets.
    planes: Vec<Lane>,
    /// For each further piece, the most obligations that a placement of its kind meets.
    bests: Vec<usize>,
}

/// A search, or a part of it.
pub(super) struct Search<'a, M> {
    bench: &'a Bench<'a, M>,
    root: Option<&'a Root>,
    /// For each piece, the least and the greatest number of further copies.
    left: Vec<[usize; 2]>,
    /// The number of pieces of a packing, if it is prescribed.
    number: Option<usize>,
    chosen: Vec<u32>,
    pub(super) counts: Counts,
    pub(super) nodes: u64,
    pub(super) halted: bool,
    limits: Limits<'a>,
    /// Receives the packings, if they are not only counted.
    visitor: Option<(HeldPackings, Visitor<'a>)>,
    /// The number of this part of the search, and the number of parts. A part tries every so many-th placement after
    /// the first piece.
    part: [usize; 2],
}

impl<'a, M: MaskWord> Search<'a, M> {
    pub(super) fn new(
        bench: &'a Bench<'a, M>,
        root: Option<&'a Root>,
        copies: (&[[usize; 2]], Option<usize>),
        limits: Limits<'a>,
    ) -> Self {
        Self {
            bench,
            root,
            left: copies.0.to_vec(),
            number: copies.1,
            chosen: Vec::new(),
            counts: Counts { raw: 0, rotation: 0, unique: 0 },
            nodes: 0,
            halted: false,
            limits,
            visitor: None,
            part: [0, 1],
        }
    }

    /// Passes the packings to a visitor.
    pub(super) fn showing(self, selection: HeldPackings, visitor: Visitor<'a>) -> Self {
        Self { visitor: Some((selection, visitor)), ..self }
    }

    /// Searches one of some parts.
    pub(super) fn part(self, part: usize, parts: usize) -> Self {
        Self { part: [part, parts], ..self }
    }

    /// Searches the packings with a representative of the first piece, without those of representatives before.
    pub(super) fn run(&mut self, representative: usize) {
        let bench = self.bench;
        let most: usize = self.left.iter().map(|[_, most]| most).sum();
        let empty = vec![Lane::ZERO; bench.width];
        let frame: Frame<M> = Frame {
            free: empty.clone(),
            held: vec![Lane::ZERO; bench.width * bench.directions],
            branch: empty,
            ..Frame::default()
        };
        // Each piece has at least one cell.
        let mut frames = vec![frame; most.min(bench.cells()) + 2];
        let (first, deeper) = frames.split_first_mut().expect("there are at least two frames");
        first.lanes = self.lanes_left().collect();
        for one in bench.all() {
            if self.root.is_none_or(|root| root.may_follow(representative, one)) {
                let lane = &mut first.free[one as usize / Lane::BITS];
                *lane = *lane | Lane::bit(one as usize % Lane::BITS);
            }
        }
        for (direction, held) in first.held.chunks_mut(bench.width.max(1)).enumerate() {
            bench.add_covering(bench.at_wall[direction], &first.lanes, held);
        }
        match self.root {
            Some(root) => {
                let one = root.representatives[representative];
                self.place(one, first, deeper, InPlace::default());
            }
            None => self.extend(&mut frames, InPlace::default()),
        }
    }

    /// Returns the lanes of the pieces with copies left.
    fn lanes_left(&self) -> impl Iterator<Item = usize> {
        let kinds = self.bench.lanes.iter().zip(&self.left);
        kinds.filter(|(_, [_, most])| *most > 0).flat_map(|(lanes, _)| lanes.clone())
    }

    /// Places a piece, and searches on.
    fn place(
        &mut self,
        one: u32,
        own: &Frame<M>,
        deeper: &mut [Frame<M>],
        mut in_place: InPlace<M>,
    ) {
        let bench = self.bench;
        let part = &bench.parts[one as usize];
        let [least, most] = self.left[part.kind];
        self.left[part.kind] = [least.saturating_sub(1), most - 1];
        self.chosen.push(one);
        let behind = in_place.add(bench, &self.chosen);
        let next = &mut deeper[0];
        next.lanes.clear();
        next.lanes.extend(self.lanes_left());
        next.lanes.iter().for_each(|&lane| next.free[lane] = own.free[lane]);
        for cell in part.cells.ones() {
            let covering = bench.covering(cell);
            next.lanes
                .iter()
                .for_each(|&lane| next.free[lane] = next.free[lane].without(covering[lane]));
        }
        let width = bench.width;
        for (direction, behind) in behind.into_iter().take(bench.directions).enumerate() {
            let range = direction * width..(direction + 1) * width;
            let (before, held) = (&own.held[range.clone()], &mut next.held[range]);
            next.lanes.iter().for_each(|&lane| held[lane] = before[lane]);
            bench.add_covering(behind.without(in_place.occupied), &next.lanes, held);
        }
        self.extend(deeper, in_place);
        self.chosen.pop();
        self.left[part.kind] = [least, most];
    }

    /// Completes the pieces in place in every way.
    fn extend(&mut self, frames: &mut [Frame<M>], in_place: InPlace<M>) {
        // The first node is in all parts of a search, and counts for the first of them.
        let is_first = self.chosen.len() == usize::from(self.root.is_some());
        let is_counted = !is_first || self.part[0] == 0;
        if is_counted && !self.count_node() {
            return;
        }
        let (own, deeper) = frames.split_first_mut().expect("a frame for each number of pieces");
        in_place.find_obligations(self.bench, &self.chosen, &mut own.obligations);
        if is_counted && own.obligations.is_empty() && self.is_enough() {
            self.take();
        }
        let room = self.room();
        if room == 0 || self.halted || !self.find_branch(own, room) {
            return;
        }
        let are_last_two = self.are_two_left();
        let mut tried = 0;
        for at in 0..own.lanes.len() {
            let lane = own.lanes[at];
            while !own.branch[lane].is_zero() {
                let bit = own.branch[lane].lowest();
                own.branch[lane] = own.branch[lane] ^ bit;
                // Packings with it are found now, and never again.
                own.free[lane] = own.free[lane].without(bit);
                tried += 1;
                if is_first && tried % self.part[1] != self.part[0] {
                    continue;
                }
                let one = (lane * Lane::BITS + bit.index()) as u32;
                match are_last_two {
                    true => self.place_last_two(one, own, in_place),
                    false => self.place(one, own, deeper, in_place),
                }
                if self.halted {
                    return;
                }
            }
        }
    }

    /// Counts a node. Returns false if the search ends.
    fn count_node(&mut self) -> bool {
        let is_spent = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        let interval = (STOP_CHECK_LANES / self.bench.width.max(1)).max(1);
        let looks = self.nodes.is_multiple_of(interval as u64);
        self.halted |= is_spent || looks && self.limits.stopped();
        self.nodes += u64::from(!self.halted);
        !self.halted
    }

    fn is_enough(&self) -> bool {
        self.left.iter().all(|[least, _]| *least == 0)
            && self.number.is_none_or(|number| number == self.chosen.len())
    }

    /// Returns true if exactly two pieces are left, and both are needed.
    fn are_two_left(&self) -> bool {
        let sum = |at: usize| self.left.iter().map(|range| range[at]).sum::<usize>();
        [sum(0), sum(1)] == [2, 2]
            && self.number.is_none_or(|number| number == self.chosen.len() + 2)
    }

    /// Returns the greatest number of further pieces.
    fn room(&self) -> usize {
        let most = self.left.iter().map(|[_, most]| most).sum();
        self.number.map_or(most, |number| number.saturating_sub(self.chosen.len()).min(most))
    }

    /// Places the last piece but one, and the last one in every way.
    ///
    /// In a direction, the last piece is held by the wall, by a piece that was held before, or by a piece that the last
    /// but one holds. If the last but one is not held, the last one is, and is in front of the group that it leans on.
    /// The last piece also meets the obligations that the last but one does not meet. Then all pieces are held.
    fn place_last_two(&mut self, one: u32, own: &Frame<M>, mut in_place: InPlace<M>) {
        if !self.count_node() {
            return;
        }
        let (bench, width, at) = (self.bench, self.bench.width, one as usize);
        let (part, bit) = (&bench.parts[at], Lane::bit(at % Lane::BITS));
        let mut is_held = [false; 6];
        for (is_held, held) in is_held.iter_mut().zip(own.held.chunks_exact(width)) {
            *is_held = held[at / Lane::BITS].has(bit);
        }
        let mut after: Option<[M; 6]> = None;
        self.chosen.push(one);
        for &lane in &own.lanes {
            let kind = bench.parts[lane * Lane::BITS].kind;
            if self.left[kind][1] <= usize::from(kind == part.kind) {
                continue;
            }
            let mut last = own.free[lane];
            part.cells.ones().for_each(|cell| last = last.without(bench.covering(cell)[lane]));
            for (held, _) in
                own.held.chunks_exact(width).zip(is_held).filter(|(_, is_held)| !is_held)
            {
                last = last & held[lane];
            }
            for (cells, meeting) in own.obligations.iter().zip(own.meeting.chunks_exact(width)) {
                if !part.cells.has(*cells) {
                    last = last & meeting[lane];
                }
            }
            if last.is_zero() {
                continue;
            }
            let after = after.get_or_insert_with(|| in_place.add_last_but_one(bench, &self.chosen));
            for (at, held) in own.held.chunks_exact(width).enumerate() {
                let mut covering = if is_held[at] { held[lane] } else { Lane::ZERO };
                after[at].ones().for_each(|cell| covering = covering | bench.covering(cell)[lane]);
                last = last & covering;
            }
            if !last.is_zero() {
                self.take_each(last, lane);
            }
        }
        self.chosen.pop();
    }

    /// Counts the packings of the pieces in place with each placement of a set.
    fn take_each(&mut self, last: Lane, lane: usize) {
        if self.visitor.is_none() && self.root.is_some_and(|root| root.is_free) {
            self.count_classes(last.count() as u128);
            return;
        }
        for bit in last.ones() {
            self.chosen.push((lane * Lane::BITS + bit) as u32);
            self.take();
            self.chosen.pop();
            if self.halted {
                return;
            }
        }
    }

    /// Finds the placements to try: those of a piece that is needed, or those that meet an obligation, whichever are
    /// the fewest. Returns false if there are none, or if the obligations are too many for the pieces left.
    fn find_branch(&self, own: &mut Frame<M>, room: usize) -> bool {
        let bench = self.bench;
        let (width, obligations) = (bench.width, own.obligations.len());
        own.meeting.clear();
        own.meeting.resize(obligations * width, Lane::ZERO);
        let mut fewest: Option<(usize, Branch)> = None;
        let mut consider = |placements: usize, branch| {
            if fewest.as_ref().is_none_or(|(fewest, _)| placements < *fewest) {
                fewest = Some((placements, branch));
            }
        };
        for kind in (0..self.left.len()).filter(|&kind| self.left[kind][0] > 0) {
            let placements = bench.lanes[kind].clone().map(|lane| own.free[lane].count()).sum();
            consider(placements, Branch::Kind(kind));
        }
        for (at, &cells) in own.obligations.iter().enumerate() {
            let meeting = &mut own.meeting[at * width..(at + 1) * width];
            bench.add_covering(cells, &own.lanes, meeting);
            own.lanes.iter().for_each(|&lane| meeting[lane] = meeting[lane] & own.free[lane]);
            consider(
                own.lanes.iter().map(|&lane| meeting[lane].count()).sum(),
                Branch::Obligation(at),
            );
        }
        if fewest.as_ref().is_some_and(|(placements, _)| *placements == 0)
            || room > 2 && obligations > room && self.most_met(own, room) < obligations
        {
            return false;
        }
        let Frame { lanes, free, meeting, branch, .. } = own;
        for &lane in &*lanes {
            branch[lane] = match fewest {
                Some((_, Branch::Obligation(at))) => meeting[at * width + lane],
                Some((_, Branch::Kind(kind))) if !bench.lanes[kind].contains(&lane) => Lane::ZERO,
                _ => free[lane],
            };
        }
        true
    }

    /// Returns a number of obligations that the pieces left cannot exceed: each copy meets at most as many as the best
    /// placement of its kind.
    fn most_met(&self, own: &mut Frame<M>, room: usize) -> usize {
        let width = self.bench.width;
        own.planes.clear();
        for met in own.meeting.chunks(width) {
            for &lane in &own.lanes {
                let (mut carry, mut at) = (met[lane], lane);
                while !carry.is_zero() {
                    if at >= own.planes.len() {
                        own.planes.resize(own.planes.len() + width, Lane::ZERO);
                    }
                    let both = own.planes[at] & carry;
                    own.planes[at] = own.planes[at] ^ carry;
                    (carry, at) = (both, at + width);
                }
            }
        }
        own.bests.clear();
        for (lanes, [_, most]) in self.bench.lanes.iter().zip(&self.left) {
            let best = |lane: usize| {
                let (mut best, mut number) = (own.free[lane], 0);
                for (power, plane) in own.planes.chunks(width).enumerate().rev() {
                    let with = best & plane[lane];
                    if !with.is_zero() {
                        (best, number) = (with, number | 1 << power);
                    }
                }
                number
            };
            if *most > 0 {
                let best = lanes.clone().map(best).max().unwrap_or(0);
                own.bests.extend(std::iter::repeat_n(best, room.min(*most)));
            }
        }
        own.bests.sort_unstable_by(|a, b| b.cmp(a));
        own.bests.iter().take(room).sum()
    }

    /// Counts classes of packings that no symmetry keeps.
    fn count_classes(&mut self, classes: u128) {
        let (images, rotations) = (self.bench.images.len(), self.bench.rotations.len());
        self.counts.raw += classes * images as u128;
        self.counts.rotation += classes * (images / rotations) as u128;
        self.counts.unique += classes;
        self.check_limit();
    }

    /// Counts the class of the packing, unless another image of it counts for the class.
    fn take(&mut self) {
        let mut own = self.chosen.clone();
        own.sort_unstable();
        let Some(images) = class(self.bench, self.root, &own) else { return };
        let Counts { raw, rotation, unique } = counts_of_class(self.bench, &images);
        self.counts.raw += raw;
        self.counts.rotation += rotation;
        self.counts.unique += unique;
        self.check_limit();
        let Some((selection, visitor)) = &mut self.visitor else { return };
        let own = [own].into();
        let shown = if *selection == HeldPackings::All { images } else { own };
        for packing in shown {
            if visitor(&self.bench.with_gaps(&packing)).is_break() {
                self.halted = true;
                return;
            }
        }
    }

    fn check_limit(&mut self) {
        self.halted |= self.limits.packings.is_some_and(|most| self.counts.raw >= most);
    }
}

/// What the search branches by. If there is neither, it tries all placements.
#[derive(Clone, Copy)]
enum Branch {
    /// A position in the list of obligations.
    Obligation(usize),
    /// A piece that is needed.
    Kind(usize),
}
