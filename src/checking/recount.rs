//! Counts all packings of a figure by backtracking.

use super::item_set::ItemSet;
use super::placements::{Symmetry, placements, symmetries};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::Counts;
use somacat_geometry::pieces::PieceSet;
use std::cell::LazyCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The reason why a recount did not finish.
///
/// ```
/// use somacat_checking::{RecountError, recount};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let few_steps = recount(&Figure::of_box([3, 3, 3])?, &PieceSet::soma(1), 100, None);
/// assert_eq!(few_steps, Err(RecountError::Steps));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum RecountError {
    #[error("the recount needs more steps than allowed")]
    Steps,
    #[error("the recount needs more memory than allowed")]
    States,
    #[error("the figure is too wide, or has too many cells or pieces, for a recount")]
    Wide,
    #[error("the number is too large")]
    Large,
    #[error("the recount was stopped")]
    Stopped,
}

/// Counts all packings. Tries every placement on one open cell after the other.
///
/// The cell with the fewest placements comes first. The branches for the placements on the first cell are counted in
/// parallel.
///
/// ```
/// use somacat_checking::recount;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::outcome::Counts;
/// use somacat_geometry::pieces::parse_set;
///
/// // Two P fill a cube of side 2 in four ways that are turned into each other.
/// let counts = recount(&Figure::of_box([2, 2, 2])?, &parse_set("P2")?, 1000, None)?;
/// assert_eq!(counts, Counts { raw: 4, rotation: 1, unique: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if that takes more than `steps` placements, or `stop` becomes true.
pub fn recount(
    figure: &Figure,
    set: &PieceSet,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<Counts, RecountError> {
    count(figure, set, RecountLimits { steps, stop, most: u128::MAX })
}

/// Counts packings like [`recount`], in a fixed order, until there are `least`. Returns their number.
///
/// ```
/// use somacat_checking::recount_at_least;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let cube = Figure::of_box([3, 3, 3])?;
/// assert_eq!(recount_at_least(&cube, &PieceSet::soma(1), 10, 1_000_000, None)?, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if that takes more than `steps` placements, or `stop` becomes true.
pub fn recount_at_least(
    figure: &Figure,
    set: &PieceSet,
    least: u128,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<u128, RecountError> {
    count(figure, set, RecountLimits { steps, stop, most: least }).map(|counts| counts.raw)
}

/// The limits of a recount. With fewer than all packings, branches are counted one after the other.
#[derive(Clone, Copy)]
struct RecountLimits<'a> {
    steps: u64,
    stop: Option<&'a AtomicBool>,
    most: u128,
}

fn count(
    figure: &Figure,
    set: &PieceSet,
    limits: RecountLimits<'_>,
) -> Result<Counts, RecountError> {
    if figure.len() != set.total_cells() {
        return Ok(Counts::default());
    }
    match figure.len() + set.pieces().len() {
        0..=64 => RecountShared::<1>::new(figure, set, limits).count(),
        65..=128 => RecountShared::<2>::new(figure, set, limits).count(),
        129..=1024 => RecountShared::<16>::new(figure, set, limits).count(),
        _ => Err(RecountError::Wide),
    }
}

/// A placement by its number, with cells and piece as items.
#[derive(Clone, Copy, Default)]
struct ItemPlacement<const WORDS: usize> {
    items: ItemSet<WORDS>,
    piece: u32,
    number: u32,
}

/// A symmetry that maps some packings to others.
struct PlacementSymmetry {
    proper: bool,
    /// For each cell the cell that is mapped to it.
    from: Vec<usize>,
    images: Vec<u32>,
}

/// Data shared by all branches of the recount. The items are the cells, and after them the pieces.
struct RecountShared<'a, const WORDS: usize> {
    cells: usize,
    placements: Vec<ItemPlacement<WORDS>>,
    copies: Vec<usize>,
    symmetries: Vec<PlacementSymmetry>,
    limits: RecountLimits<'a>,
    /// Steps reported by all branches so far.
    made: AtomicU64,
}

/// Steps between two reports of a branch: some hundred microseconds.
const STEP_REPORT_INTERVAL: u64 = 1 << 12;

/// Items to cover: cells, and pieces with copies left.
#[derive(Clone, Copy)]
struct ItemsToCover<const WORDS: usize> {
    all: ItemSet<WORDS>,
    /// Those to cover exactly once.
    once: ItemSet<WORDS>,
}

/// Items with at least one, two, three and four placements.
#[derive(Default)]
struct PlacementCounts<const WORDS: usize>([ItemSet<WORDS>; 4]);

struct RecountBranch<'a, const WORDS: usize> {
    shared: &'a RecountShared<'a, WORDS>,
    /// The lists of placements that still fit, of all pieces in place.
    fitting: Vec<ItemPlacement<WORDS>>,
    /// The copies left of each piece.
    left: Vec<usize>,
    /// The numbers of the pieces in place.
    path: Vec<u32>,
    /// For each cell the placement that covers it, in a complete packing.
    cover: Vec<u32>,
    counts: Counts,
    steps: u64,
}

impl<'a, const WORDS: usize> RecountShared<'a, WORDS> {
    fn new(figure: &Figure, set: &PieceSet, limits: RecountLimits<'a>) -> Self {
        let cells = figure.len();
        let items_of = |piece: usize, covered: &[usize]| {
            covered.iter().fold(ItemSet::of(cells + piece), |all, &cell| all.with(cell))
        };
        let listed = placements(figure, set);
        let numbered = listed.iter().flatten().zip(0_u32..);
        let placement = |((piece, covered), number): (&(usize, Vec<usize>), u32)| ItemPlacement {
            items: items_of(*piece, covered),
            piece: *piece as u32,
            number,
        };
        let placements: Vec<ItemPlacement<WORDS>> = numbered.map(placement).collect();
        let by_items: LazyCell<FxHashMap<ItemSet<WORDS>, u32>, _> = LazyCell::new(|| {
            placements.iter().map(|placement| (placement.items, placement.number)).collect()
        });
        let of_placements = |Symmetry { proper, cells, pieces }: Symmetry| {
            let mut from = vec![0; cells.len()];
            cells.iter().enumerate().for_each(|(cell, &image)| from[image] = cell);
            let image = |(piece, covered): &(usize, Vec<usize>)| {
                let covered: Vec<usize> = covered.iter().map(|&cell| cells[cell]).collect();
                by_items[&items_of(pieces[*piece], &covered)]
            };
            let images = listed.iter().flatten().map(image).collect();
            PlacementSymmetry { proper, from, images }
        };
        // The others map every packing to itself.
        let is_other = |symmetry: &Symmetry| {
            let moves = |list: &[usize]| list.iter().enumerate().any(|(from, to)| from != *to);
            moves(&symmetry.cells) || moves(&symmetry.pieces)
        };
        let others = match limits.most {
            u128::MAX => symmetries(figure, set).into_iter().filter(is_other).collect(),
            _ => Vec::new(),
        };
        let symmetries = others.into_iter().map(of_placements).collect();
        Self {
            cells,
            placements,
            copies: set.pieces().iter().map(|(_, copies)| *copies).collect(),
            symmetries,
            limits,
            made: AtomicU64::new(0),
        }
    }

    fn count(&self) -> Result<Counts, RecountError> {
        let pieces = self.copies.iter().zip(self.cells..).filter(|(copies, _)| **copies > 0);
        let of_pieces = |open: ItemSet<WORDS>, (_, item)| open.with(item);
        let once = (0..self.cells).fold(ItemSet::EMPTY, ItemSet::with);
        let open = ItemsToCover {
            all: pieces.clone().fold(once, of_pieces),
            once: pieces.filter(|(copies, _)| **copies == 1).fold(once, of_pieces),
        };
        let root = || RecountBranch {
            shared: self,
            fitting: self.placements.clone(),
            left: self.copies.clone(),
            path: Vec::new(),
            cover: vec![0; self.cells],
            counts: Counts::default(),
            steps: 0,
        };
        let list = 0..self.placements.len();
        let coverage = PlacementCounts::of(&self.placements);
        if !coverage.covers(open.all) {
            return Ok(Counts::default());
        }
        if self.limits.most < u128::MAX {
            let mut branch = root();
            branch.fill(list, &coverage, open)?;
            return branch.report().map(|()| branch.counts);
        }
        let Some(item) = coverage.scarcest(open.once, &self.placements) else {
            return Ok(Counts::default());
        };
        let branch = |first: &ItemPlacement<WORDS>| {
            let mut branch = root();
            branch.place(first, list.clone(), open)?;
            branch.report().map(|()| branch.counts)
        };
        let sum = |a: Counts, b: Counts| Counts {
            raw: a.raw + b.raw,
            rotation: a.rotation + b.rotation,
            unique: a.unique + b.unique,
        };
        let firsts = self.placements.par_iter().filter(|first| first.items.has(item));
        firsts.map(branch).try_reduce(Counts::default, |a, b| Ok(sum(a, b)))
    }
}

impl<const WORDS: usize> PlacementCounts<WORDS> {
    fn of(list: &[ItemPlacement<WORDS>]) -> Self {
        let mut coverage = Self::default();
        list.iter().for_each(|placement| coverage.add(placement.items));
        coverage
    }

    #[inline(always)]
    fn add(&mut self, items: ItemSet<WORDS>) {
        let Self([one, two, three, four]) = *self;
        self.0 = [
            one.or(items),
            two.or(one.and(items)),
            three.or(two.and(items)),
            four.or(three.and(items)),
        ];
    }

    /// Returns true if each of these items has a placement.
    #[inline(always)]
    fn covers(&self, items: ItemSet<WORDS>) -> bool {
        items.without(self.0[0]).is_empty()
    }

    /// Returns one of these items with few placements. They are those of `list`.
    fn scarcest(&self, items: ItemSet<WORDS>, list: &[ItemPlacement<WORDS>]) -> Option<usize> {
        let Self([_, two, three, four]) = *self;
        let scarce = [two, three, four].map(|more| items.without(more).first());
        scarce.into_iter().flatten().next().or_else(|| fewest(items, list))
    }
}

/// Returns the item with the fewest placements, by counting all in binary. Numbers above 255 may be taken for smaller
/// ones, which only costs time.
fn fewest<const WORDS: usize>(
    items: ItemSet<WORDS>,
    list: &[ItemPlacement<WORDS>],
) -> Option<usize> {
    let mut digits = [ItemSet::EMPTY; 8];
    for placement in list {
        let mut carry = placement.items;
        for digit in &mut digits {
            (*digit, carry) = (digit.xor(carry), digit.and(carry));
        }
    }
    let least = digits.iter().rev().fold(items, |least, digit| {
        let fewer = least.without(*digit);
        if fewer.is_empty() { least } else { fewer }
    });
    least.first()
}

impl<const WORDS: usize> RecountBranch<'_, WORDS> {
    /// Covers an open item in every way. `list` is the range of placements that fit.
    fn fill(
        &mut self,
        list: Range<usize>,
        coverage: &PlacementCounts<WORDS>,
        open: ItemsToCover<WORDS>,
    ) -> Result<(), RecountError> {
        let Some(item) = coverage.scarcest(open.once, &self.fitting[list.clone()]) else {
            return Ok(());
        };
        for at in list.clone() {
            let placement = self.fitting[at];
            if placement.items.has(item) {
                self.place(&placement, list.clone(), open)?;
                if self.counts.raw >= self.shared.limits.most {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Places a piece, and fills the rest.
    fn place(
        &mut self,
        placement: &ItemPlacement<WORDS>,
        list: Range<usize>,
        open: ItemsToCover<WORDS>,
    ) -> Result<(), RecountError> {
        self.steps += 1;
        if self.steps == STEP_REPORT_INTERVAL {
            self.report()?;
        }
        let piece = placement.piece as usize;
        self.left[piece] -= 1;
        let item = ItemSet::of(self.shared.cells + piece);
        // A piece with copies left stays open, and its other placements still fit.
        let covered = match self.left[piece] {
            0 => placement.items,
            _ => placement.items.without(item),
        };
        let once = open.once.without(covered);
        let once = if self.left[piece] == 1 { once.or(item) } else { once };
        let open = ItemsToCover { all: open.all.without(covered), once };
        self.path.push(placement.number);
        let done = if open.all.is_empty() {
            self.count_packing();
            Ok(())
        } else {
            let start = list.end;
            let (end, coverage) = self.keep_fitting(list, covered);
            match coverage.covers(open.all) {
                true => self.fill(start..end, &coverage, open),
                false => Ok(()),
            }
        };
        self.path.pop();
        self.left[piece] += 1;
        done
    }

    /// Copies a list's placements without these items to its end. Returns the end of the copies, and their placement
    /// counts.
    fn keep_fitting(
        &mut self,
        list: Range<usize>,
        covered: ItemSet<WORDS>,
    ) -> (usize, PlacementCounts<WORDS>) {
        let start = list.end;
        if self.fitting.len() < start + list.len() {
            self.fitting.resize(start + list.len(), ItemPlacement::default());
        }
        let (from, to) = self.fitting.split_at_mut(start);
        let mut kept = 0;
        for placement in &from[list] {
            // Without a branch, whose outcome a processor cannot predict.
            to[kept] = *placement;
            kept += usize::from(placement.items.and(covered).is_empty());
        }
        (start + kept, PlacementCounts::of(&to[..kept]))
    }

    /// Adds the steps to those of the other branches. The sum does not depend on the threads, and so neither does
    /// the outcome of a limit.
    fn report(&mut self) -> Result<(), RecountError> {
        let steps = std::mem::take(&mut self.steps);
        let made = self.shared.made.fetch_add(steps, Ordering::Relaxed) + steps;
        let limits = self.shared.limits;
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(RecountError::Stopped);
        }
        if made > limits.steps { Err(RecountError::Steps) } else { Ok(()) }
    }

    /// Counts the packing. Up to symmetry it counts only if it is the least of its images.
    fn count_packing(&mut self) {
        self.counts.raw += 1;
        let (mut least_rotated, mut least) = (true, true);
        if !self.shared.symmetries.is_empty() {
            for &number in &self.path {
                let items = self.shared.placements[number as usize].items;
                items
                    .iter()
                    .take_while(|&item| item < self.shared.cells)
                    .for_each(|cell| self.cover[cell] = number);
            }
        }
        for PlacementSymmetry { proper, from, images } in &self.shared.symmetries {
            let image = from.iter().map(|&cell| images[self.cover[cell] as usize]);
            if image.lt(self.cover.iter().copied()) {
                least = false;
                least_rotated &= !proper;
            }
        }
        self.counts.rotation += u128::from(least_rotated);
        self.counts.unique += u128::from(least);
    }
}
