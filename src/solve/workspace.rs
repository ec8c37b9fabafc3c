//! Runs searches with masks of one width: lists placements, chooses the list operations, uses the figure's
//! symmetry, and moves on to 32-bit masks.
use super::Limits;
use super::color::Forcing;
use super::kit::{Kit, PieceKind};
use super::narrow::Narrowing;
use super::orbits::{self, Representative};
use super::placements::Builder;
use super::search::{CountOnly, Search, Task, Visit};
use super::sieve::{Portable, Sieve, padded};
use super::symmetries::Symmetry;
use super::word::{Wide, Word};
use crate::lattice::Cell;

/// A word together with its fastest list operations on this machine.
pub(super) trait Fast: Word {
    type Best: Sieve<Self>;
    fn best_available() -> bool;
}

macro_rules! fast {
    ($word:ty) => {
        #[cfg(target_arch = "x86_64")]
        impl Fast for $word {
            type Best = super::simd::Avx2;
            fn best_available() -> bool {
                super::simd::available()
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        impl Fast for $word {
            type Best = Portable;
            fn best_available() -> bool {
                false
            }
        }
    };
}
fast!(u32);
fast!(u64);

impl<const K: usize> Fast for Wide<K> {
    type Best = Portable;
    fn best_available() -> bool {
        false
    }
}

/// What a search counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SearchTotal {
    /// The number of packings met.
    pub(super) total: u128,
    pub(super) nodes: u64,
    /// Whether a limit or the visitor ended it.
    pub(super) halted: bool,
}

/// Reusable work space for one mask width.
#[derive(Debug, Default)]
pub(super) struct Workspace<W> {
    pub(super) builder: Builder<W>,
    area: Vec<W>,
    first: Vec<Representative<W>>,
    counts: Vec<u32>,
}

impl<W: Fast> Workspace<W> {
    pub(super) fn build(&mut self, kit: &Kit, cells: &[Cell], forcing: &Forcing) {
        self.builder.build(kit, cells, forcing);
        self.counts.clear();
        self.counts.extend(kit.kinds.iter().map(|k| k.count));
        self.first.clear();
    }

    /// Makes the next count use the figure's symmetry. Returns the number to divide its total by.
    pub(super) fn reduce(&mut self, kit: &Kit, group: &[Symmetry]) -> u32 {
        orbits::reduce(kit, group, &self.builder, &mut self.first)
    }

    fn task(&self) -> Task<'_, W> {
        let layout = &self.builder.layout;
        let (mut once, mut more) = (W::first(layout.first_type), W::ZERO);
        for (kind, &count) in self.counts.iter().enumerate() {
            let bit = layout.type_bit(kind);
            if count == 1 {
                once = once | bit;
            } else {
                more = more | bit;
            }
        }
        let pieces = self.counts.iter().sum::<u32>() as usize;
        Task { once, more, pieces, counts: &self.counts, first_type: layout.first_type }
    }

    pub(super) fn count(&mut self, limits: Limits<'_>, simd: bool) -> SearchTotal {
        let mut area = std::mem::take(&mut self.area);
        let total = if simd && W::best_available() {
            self.count_with::<W::Best>(limits, &mut area)
        } else {
            self.count_with::<Portable>(limits, &mut area)
        };
        self.area = area;
        total
    }

    fn count_with<S: Sieve<W>>(&self, limits: Limits<'_>, area: &mut Vec<W>) -> SearchTotal {
        if self.first.is_empty() {
            return self.show_with::<S>(limits, CountOnly, area);
        }
        let mut search = Search::<W, S, CountOnly>::new(self.task(), limits, CountOnly);
        let mut total = 0;
        for first in &self.first {
            let before = search.total;
            search.run(self.builder.masks(), Some(first.mask), area, true);
            total += u128::from(search.total - before) * u128::from(first.weight);
            if search.halted {
                break;
            }
        }
        search.end(total)
    }

    /// Shows every packing to `visitor`, until it returns false.
    pub(super) fn visit(
        &mut self,
        limits: Limits<'_>,
        visitor: impl FnMut(&[W]) -> bool,
    ) -> SearchTotal {
        self.show(limits, visitor)
    }

    /// Shows the whole search to a visitor.
    pub(super) fn show(&mut self, limits: Limits<'_>, visitor: impl Visit<W>) -> SearchTotal {
        let mut area = std::mem::take(&mut self.area);
        let total = if W::best_available() {
            self.show_with::<W::Best>(limits, visitor, &mut area)
        } else {
            self.show_with::<Portable>(limits, visitor, &mut area)
        };
        self.area = area;
        total
    }

    fn show_with<S: Sieve<W>>(
        &self,
        limits: Limits<'_>,
        visitor: impl Visit<W>,
        area: &mut Vec<W>,
    ) -> SearchTotal {
        let mut search = Search::<W, S, _>::new(self.task(), limits, visitor);
        search.run(self.builder.masks(), None, area, true);
        search.end(search.total.into())
    }
}

impl<W: Word, S: Sieve<W>, V: Visit<W>> Search<'_, W, S, V> {
    fn end(&self, total: u128) -> SearchTotal {
        SearchTotal { total, nodes: self.nodes, halted: self.halted }
    }
}

/// Work space for 32-bit masks.
#[derive(Debug, Default)]
pub(super) struct Narrow {
    list: Vec<u32>,
    area: Vec<u32>,
    first: Vec<u64>,
}

impl Workspace<u64> {
    /// Whether all items fit 32 bits once any piece is placed.
    pub(super) fn is_narrow(&self, kit: &Kit) -> bool {
        let items = self.builder.layout.items();
        let fits = |kind: &PieceKind| items - (kind.size + 1) <= u32::BITS as usize;
        kit.kinds.len() > 3 && kit.kinds.iter().all(|kind| kind.count == 1 && fits(kind))
    }

    /// The same count with 32-bit masks; only if [`Workspace::is_narrow`].
    pub(super) fn count_narrow(
        &mut self,
        limits: Limits<'_>,
        narrow: &mut Narrow,
        simd: bool,
    ) -> SearchTotal {
        if simd && u32::best_available() && u64::best_available() {
            self.count_narrow_with::<<u64 as Fast>::Best, <u32 as Fast>::Best>(limits, narrow)
        } else {
            self.count_narrow_with::<Portable, Portable>(limits, narrow)
        }
    }

    fn count_narrow_with<S: Sieve<u64>, T: Sieve<u32>>(
        &mut self,
        limits: Limits<'_>,
        narrow: &mut Narrow,
    ) -> SearchTotal {
        let mut area = std::mem::take(&mut self.area);
        let task = self.task();
        let mut root = Search::<u64, S, CountOnly>::new(task, limits, CountOnly);
        let n = root.split(self.builder.masks(), &mut area, &mut narrow.first);
        let below = Task { once: 0, more: 0, pieces: task.pieces - 1, counts: &[], first_type: 0 };
        let mut search = Search::<u32, T, CountOnly>::new(below, limits, CountOnly);
        let mut total = 0;
        let mut each = |block: u64, weight: u64| {
            let before = search.total;
            if let Some(narrowing) = Narrowing::after(block, task.once) {
                let (list, rest) = area.split_at_mut(padded(n));
                let (len, _) = S::filter_last(list, block, rest);
                narrowing.list(&rest[..len], &mut narrow.list);
                search.reopen(narrowing.apply(task.once & !block));
                search.run(&narrow.list, None, &mut narrow.area, false);
            }
            total += u128::from(search.total - before) * u128::from(weight);
            !search.halted
        };
        if self.first.is_empty() {
            let _ = narrow.first.iter().all(|&mask| each(mask, 1));
        } else {
            let _ = self.first.iter().all(|f| each(f.mask, f.weight));
        }
        self.area = area;
        search.end(total)
    }
}
