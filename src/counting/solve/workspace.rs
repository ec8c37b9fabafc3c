//! Runs searches with masks of one width.
//!
//! A workspace lists the placements of a figure and counts or visits its packings. It chooses the list operations for
//! the machine's instructions, uses the figure's symmetry for counts (`orbits.rs`), and switches to 32-bit masks where
//! they are wide enough. A count that turns out long starts again on all threads, branch by branch of the root. Unless
//! it is stopped, its result does not depend on the number of threads, with or without a limit of nodes.
use super::Limits;
use super::breadth_first::{BreadthFirst, WaitingLevels};
use super::choice_state::ChoiceState;
use super::color::ColorConstraints;
use super::limits::{SearchProgress, SearchTotal};
use super::mask_list_ops::{MaskListOps, NarrowOps, Portable, padded};
use super::narrow::Narrowing;
use super::orbits::{self, OrbitPlacement};
use super::placements::PlacementBuilder;
use super::prepared_set::{PreparedPiece, PreparedSet};
use super::search::{
    CountOnly, Narrowed, PackingReceiver, PackingSearch, PackingVisitor, SearchItems,
};
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::symmetries::CellSymmetry;
use super::word::{MaskWord, Wide};
use crate::parallel::{self, Spares};
use somacat_geometry::lattice::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The instructions that a search uses: the best of the machine, except in tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// Returns all kinds of instructions that this machine has, the best last.
    pub(super) fn available() -> Vec<Self> {
        let all = std::iter::once(Self::Portable);
        #[cfg(target_arch = "x86_64")]
        let all =
            all.chain(Avx2::detect().map(Self::Avx2)).chain(Avx512::detect().map(Self::Avx512));
        all.collect()
    }

    pub(super) fn best() -> Self {
        let all = Self::available();
        all[all.len() - 1]
    }
}

/// A word together with the vector instructions for its lists.
pub(super) trait VectorWord: MaskWord {
    type Ops: MaskListOps<Self>;

    /// Returns the list operations with vector instructions for searches that show packings, if there are any.
    fn vector_ops(instructions: Instructions) -> Option<Self::Ops>;

    /// Counts with the best operations for these instructions, on masks of this width or, below, a narrower one.
    fn count_packings<'s, 'l: 's>(
        space: &'s Workspace<Self>,
        instructions: Instructions,
        limits: Limits<'l>,
        area: &mut Vec<Self>,
        progress: &mut SearchProgress<'l>,
    ) -> SearchTotal;
}

impl VectorWord for u64 {
    #[cfg(target_arch = "x86_64")]
    type Ops = Avx2;
    #[cfg(not(target_arch = "x86_64"))]
    type Ops = Portable;

    fn vector_ops(instructions: Instructions) -> Option<Self::Ops> {
        match instructions {
            Instructions::Portable => None,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => Some(avx2),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(avx512) => Some(avx512.avx2()),
        }
    }

    fn count_packings<'s, 'l: 's>(
        space: &'s Workspace<Self>,
        instructions: Instructions,
        limits: Limits<'l>,
        area: &mut Vec<Self>,
        progress: &mut SearchProgress<'l>,
    ) -> SearchTotal {
        let visitor = |_: Limits<'s>| CountOnly;
        match instructions {
            Instructions::Portable => space.count_with(Portable, visitor, limits, area, progress),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => space.count_with(avx2, visitor, limits, area, progress),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(avx512) => {
                space.count_with(avx512, visitor, limits, area, progress)
            }
        }
    }
}

impl<const K: usize> VectorWord for Wide<K> {
    type Ops = Portable;

    fn vector_ops(_: Instructions) -> Option<Portable> {
        None
    }

    fn count_packings<'s, 'l: 's>(
        space: &'s Workspace<Self>,
        instructions: Instructions,
        limits: Limits<'l>,
        area: &mut Vec<Self>,
        progress: &mut SearchProgress<'l>,
    ) -> SearchTotal {
        let items = space.items();
        let visitor = |limits| match instructions {
            Instructions::Portable => Narrowed::new(Portable, &items, limits),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => Narrowed::new(avx2, &items, limits),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(avx512) => Narrowed::new(avx512, &items, limits),
        };
        space.count_with(Portable, visitor, limits, area, progress)
    }
}

/// Nodes of a search on one thread before all threads share it: some hundredths of a second.
const ONE_THREAD_NODES: u64 = 50_000;

/// A part of a count that a thread searches by itself.
#[derive(Clone, Copy, Debug)]
struct Branch<W> {
    /// The first placement that all its packings contain, if the figure's symmetry is used.
    first: Option<OrbitPlacement<W>>,
    /// The number of first placements before this one, whose searches come before it.
    finished: usize,
    /// Its number at the root; `None` for a root without branches, which is one part.
    number: Option<usize>,
}

/// Reusable workspace for one mask width.
#[derive(Debug, Default)]
pub(super) struct Workspace<W> {
    pub(super) builder: PlacementBuilder<W>,
    /// Buffer for the lists of a search.
    area: Vec<W>,
    /// The first placements to search, each for its orbit; empty if the figure's symmetry is not used.
    first: Vec<OrbitPlacement<W>>,
    /// The number of copies of each type.
    counts: Vec<u32>,
    kinds: Vec<PreparedPiece>,
    is_choice: bool,
    /// The number of pieces that every packing uses, if the types do not decide it.
    number: Option<usize>,
    /// True if placements are pruned before the search.
    prune: bool,
}

impl<W: VectorWord> Workspace<W> {
    /// Lists the placements of a figure.
    pub(super) fn build(
        &mut self,
        prepared: &PreparedSet,
        cells: &[Cell],
        constraints: &ColorConstraints,
    ) {
        self.builder.build(prepared, cells, constraints);
        self.begin(prepared, true);
    }

    /// Takes placements that were listed elsewhere, for a figure of `cells` cells. Expects a search so short that
    /// pruning does not pay.
    pub(super) fn take(&mut self, prepared: &PreparedSet, cells: usize, placements: &[W]) {
        self.builder.take(prepared, cells, placements);
        self.begin(prepared, false);
    }

    fn begin(&mut self, prepared: &PreparedSet, prune: bool) {
        self.prune = prune;
        self.counts.clear();
        self.counts.extend(prepared.kinds.iter().map(|k| k.count));
        self.kinds.clear();
        self.kinds.extend_from_slice(&prepared.kinds);
        (self.is_choice, self.number) = (prepared.is_choice, prepared.number);
        self.first.clear();
    }

    /// Makes the next count use the figure's symmetry. Returns the number by which its total must be divided.
    pub(super) fn reduce(&mut self, prepared: &PreparedSet, group: &[CellSymmetry]) -> u32 {
        orbits::reduce(prepared, group, &self.builder, &mut self.first)
    }

    fn items(&self) -> SearchItems<'_, W> {
        let layout = &self.builder.layout;
        let (mut once, mut more) = (W::first(layout.first_type), W::ZERO);
        for (kind, piece) in self.kinds.iter().enumerate().filter(|(_, piece)| piece.least > 0) {
            let bit = layout.type_bit(kind);
            if piece.count == 1 {
                once = once | bit;
            } else {
                more = more | bit;
            }
        }
        let (cells, counts) = (layout.first_type, &self.counts);
        SearchItems {
            once,
            more,
            // A piece has a cell at least.
            pieces: (counts.iter().sum::<u32>() as usize).min(cells),
            counts,
            first_type: cells,
            is_choice: self.is_choice,
            choice: ChoiceState::new(&self.kinds, cells, self.number),
        }
    }

    /// Counts packings, continuing from `progress` and updating it.
    pub(super) fn count<'l>(
        &mut self,
        limits: Limits<'l>,
        instructions: Instructions,
        progress: &mut SearchProgress<'l>,
    ) -> SearchTotal {
        self.builder.sort();
        let mut area = std::mem::take(&mut self.area);
        let total = W::count_packings(self, instructions, limits, &mut area, progress);
        self.area = area;
        total
    }

    /// Counts on this thread, up to [`ONE_THREAD_NODES`], and a longer search again from the start on all threads.
    fn count_with<'s, 'l: 's, O: MaskListOps<W>, V: PackingVisitor<W>>(
        &'s self,
        ops: O,
        visitor: impl Fn(Limits<'s>) -> V + Sync,
        limits: Limits<'l>,
        area: &mut Vec<W>,
        progress: &mut SearchProgress<'l>,
    ) -> SearchTotal {
        let first = limits.nodes.map_or(ONE_THREAD_NODES, |most| most.min(ONE_THREAD_NODES));
        if !progress.long {
            let short = Limits { nodes: Some(first), ..limits };
            let total = self.count_alone(ops, visitor(short), short, area);
            (progress.long, progress.found) = (total.halted, total.total);
            if !total.halted || limits.stopped() || limits.nodes == Some(first) {
                return total;
            }
        }
        let whole = self.count_by_branch(ops, visitor, limits, area, progress);
        // A stop may come before the branches have found as many packings.
        progress.found = progress.found.max(whole.total);
        SearchTotal { total: progress.found, ..whole }
    }

    fn count_alone<O: MaskListOps<W>>(
        &self,
        ops: O,
        visitor: impl PackingVisitor<W>,
        limits: Limits<'_>,
        area: &mut Vec<W>,
    ) -> SearchTotal {
        if self.first.is_empty() {
            return self.show_with(ops, limits, visitor, area);
        }
        let mut search = PackingSearch::new(ops, self.items(), limits, visitor);
        let mut total = 0;
        for (finished, first) in self.first.iter().enumerate() {
            let before = search.total;
            search.run(self.builder.masks(), Some(first.mask), None, area, self.prune);
            total += u128::from(search.total - before) * u128::from(first.weight);
            if search.budget.halted {
                search.share = (finished as f64 + search.share) / self.first.len() as f64;
                break;
            }
        }
        search.end(total)
    }

    /// Estimates the number of nodes of a search by this number of random paths. The paths are the same in every run.
    pub(super) fn estimated_nodes(&mut self, paths: u32, instructions: Instructions) -> f64 {
        let mut area = std::mem::take(&mut self.area);
        let nodes = match W::vector_ops(instructions) {
            Some(ops) => self.nodes_by_paths(ops, paths, &mut area),
            None => self.nodes_by_paths(Portable, paths, &mut area),
        };
        self.area = area;
        nodes
    }

    fn nodes_by_paths<O: MaskListOps<W>>(&self, ops: O, paths: u32, area: &mut Vec<W>) -> f64 {
        let mut search = PackingSearch::new(ops, self.items(), Limits::default(), CountOnly);
        let list = self.builder.masks();
        let mut state = 1_u64;
        let mut draw = |most: usize| {
            // A linear congruential generator (Knuth); its upper bits are random enough.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as usize % most
        };
        let mut sum = 0.0;
        for _ in 0..paths {
            let first = (!self.first.is_empty()).then(|| self.first[draw(self.first.len())].mask);
            sum += search.probe(list, first, area, self.prune, &mut draw);
        }
        sum * self.first.len().max(1) as f64 / f64::from(paths)
    }

    /// Lists the branches of each root, in the order of the search. After a request to stop, nobody searches them: a root
    /// that is not divided then is one branch, because pruning many large ones takes minutes.
    fn branches<O: MaskListOps<W>>(
        &self,
        mut search: PackingSearch<'_, W, O, impl PackingVisitor<W>>,
        limits: Limits<'_>,
        area: &mut Vec<W>,
    ) -> Vec<Branch<W>> {
        let firsts: Vec<Option<OrbitPlacement<W>>> = match self.first.is_empty() {
            true => vec![None],
            false => self.first.iter().copied().map(Some).collect(),
        };
        let mut branches = Vec::new();
        for (finished, first) in firsts.into_iter().enumerate() {
            let mask = first.map(|first| first.mask);
            let number = match limits.stopped() {
                true => 0,
                false => search.branches(self.builder.masks(), mask, area, self.prune),
            };
            let numbers = match number {
                0 => vec![None],
                number => (0..number).map(Some).collect(),
            };
            branches.extend(numbers.into_iter().map(|number| Branch { first, finished, number }));
        }
        branches
    }

    /// Counts each branch of each root by itself, on all threads. Adds the branches up in their order. A branch begins
    /// with the nodes that the finished ones before it leave. If one of these finishes later, fewer are left, and a
    /// branch that reaches the limit is searched again. So the result does not depend on the number of threads.
    ///
    /// `in_order` would need threads of its own, within each thread of a batch; this takes idle threads of the pool.
    fn count_by_branch<'s, 'l: 's, O: MaskListOps<W>, V: PackingVisitor<W>>(
        &'s self,
        ops: O,
        visitor: impl Fn(Limits<'s>) -> V + Sync,
        limits: Limits<'l>,
        area: &mut Vec<W>,
        progress: &mut SearchProgress<'l>,
    ) -> SearchTotal {
        let search = |nodes| {
            let limits = Limits { nodes, ..limits };
            PackingSearch::new(ops, self.items(), limits, visitor(limits))
        };
        let list = self.builder.masks();
        let branches = self.branches(search(None), limits, area);
        let run = |branch: &Branch<W>, nodes: Option<u64>, area: &mut Vec<W>| {
            let mut search = search(nodes);
            let mask = branch.first.map(|first| first.mask);
            search.run(list, mask, branch.number, area, self.prune);
            let weight = branch.first.map_or(1, |first| first.weight);
            search.share = (branch.finished as f64 + search.share) / self.first.len().max(1) as f64;
            search.end(u128::from(search.total) * u128::from(weight))
        };
        progress.divide(branches.len(), limits.searches);
        let (areas, next) = (Spares::default(), AtomicUsize::new(0));
        let search_branch = |_| {
            // Branches are taken in order, because the last ones may lie beyond the limit of nodes.
            let at = next.fetch_add(1, Relaxed);
            if progress.results()[at].is_some() || limits.stopped() {
                return;
            }
            let left = progress.nodes_left(at, limits.nodes);
            if left == Some(0) {
                return;
            }
            let mut area = areas.take(Vec::new);
            progress.keep(at, run(&branches[at], left, &mut area), left);
            areas.put_back(area);
        };
        parallel::for_each(branches.len(), &search_branch);
        let mut sum = SearchTotal { share: None, ..SearchTotal::default() };
        for (branch, &result) in branches.iter().zip(progress.results().iter()) {
            if sum.halted {
                // After a stop, later branches add what they have found, so that the lower bound is as high as
                // possible.
                if let Some(result) = result.filter(|_| limits.stopped()) {
                    sum.total += result.end.total;
                    sum.nodes += result.end.nodes;
                }
                continue;
            }
            let left = limits.nodes.map(|most| most.saturating_sub(sum.nodes));
            let result = match result {
                Some(result) if limits.stopped() || result.is_for(left) => result.end,
                _ => run(branch, left, area),
            };
            sum.total += result.total;
            sum.nodes += result.nodes;
            sum.halted = result.halted;
            if result.halted {
                sum.share = result.share;
            }
        }
        progress.drop_halted();
        sum
    }

    /// Passes every packing to `receiver`, until it returns false. The placements keep the builder's order.
    pub(super) fn visit(
        &mut self,
        limits: Limits<'_>,
        receiver: &mut dyn PackingReceiver<W>,
        instructions: Instructions,
    ) -> SearchTotal {
        let mut area = std::mem::take(&mut self.area);
        let total = match W::vector_ops(instructions) {
            Some(ops) => self.show_with(ops, limits, receiver, &mut area),
            None => self.show_with(Portable, limits, receiver, &mut area),
        };
        self.area = area;
        total
    }

    fn show_with<O: MaskListOps<W>>(
        &self,
        ops: O,
        limits: Limits<'_>,
        visitor: impl PackingVisitor<W>,
        area: &mut Vec<W>,
    ) -> SearchTotal {
        let mut search = PackingSearch::new(ops, self.items(), limits, visitor);
        search.run(self.builder.masks(), None, None, area, self.prune);
        search.end(search.total.into())
    }
}

impl<W: MaskWord, O: MaskListOps<W>, V: PackingVisitor<W>> PackingSearch<'_, W, O, V> {
    pub(super) fn end(&self, total: u128) -> SearchTotal {
        let (nodes, halted) = (self.budget.nodes, self.budget.halted);
        SearchTotal { total, nodes, halted, share: Some(self.share) }
    }
}

/// Reusable workspace for counts with 32-bit masks.
#[derive(Debug, Default)]
pub(super) struct NarrowWorkspace {
    levels: WaitingLevels,
    /// Buffer for the placements of the item on which the root branches.
    first: Vec<u64>,
}

impl Workspace<u64> {
    /// Returns true if all items fit 32 bits after any first piece.
    pub(super) fn is_narrow(&self, prepared: &PreparedSet) -> bool {
        let items = self.builder.layout.items();
        let fits = |kind: &PreparedPiece| items - (kind.size + 1) <= u32::BITS as usize;
        !prepared.is_choice
            && prepared.kinds.len() > 3
            && prepared.kinds.iter().all(|kind| kind.count == 1 && fits(kind))
    }

    /// Counts like [`Workspace::count`] with 32-bit masks; requires [`Workspace::is_narrow`].
    pub(super) fn count_narrow(
        &mut self,
        limits: Limits<'_>,
        narrow: &mut NarrowWorkspace,
        instructions: Instructions,
    ) -> SearchTotal {
        match instructions {
            Instructions::Portable => self.count_narrow_with(Portable, Portable, limits, narrow),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(avx2) => self.count_narrow_with(avx2, avx2, limits, narrow),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(avx512) => {
                self.count_narrow_with(avx512.avx2(), avx512, limits, narrow)
            }
        }
    }

    fn count_narrow_with<O: MaskListOps<u64>, N: NarrowOps>(
        &mut self,
        ops: O,
        narrow_ops: N,
        limits: Limits<'_>,
        narrow: &mut NarrowWorkspace,
    ) -> SearchTotal {
        let mut area = std::mem::take(&mut self.area);
        let items = self.items();
        let mut root = PackingSearch::new(ops, items, limits, CountOnly);
        let n = root.split(self.builder.masks(), &mut area, &mut narrow.first, self.prune);
        let (list, rest) = area.split_at_mut(padded::<u64, O>(n));
        let mut search =
            BreadthFirst::new(narrow_ops, &mut narrow.levels, items.pieces - 1, limits);
        let mut add = |block: u64, weight: u64| {
            if let Some(narrowing) = Narrowing::after(block, items.once) {
                let open = narrowing.apply(items.once & !block);
                search
                    .add(open, weight, n, |to| narrow_ops.narrow(ops, list, &narrowing, rest, to));
            }
        };
        if self.first.is_empty() {
            narrow.first.iter().for_each(|&mask| add(mask, 1));
        } else {
            self.first.iter().for_each(|first| add(first.mask, first.weight));
        }
        let end = search.count();
        self.area = area;
        end
    }
}
