//! Counts of larger figures continue with narrower masks where these hold the items that are left.
//!
//! The Bedlam cube has 64 cells and 13 pieces, too many items for a machine word. After three pieces 62 items are left.
//! Nearly all nodes lie below, and there are vector instructions for their lists. So the search moves the bits of these
//! items to the lowest bits of narrower masks, once for each such node. They keep their order, and ties between items
//! are resolved by this order. Hence the nodes are the same as with wide masks.

use super::area::reserve;
use super::{CountOnly, OpenItems, PackingSearch, PackingVisitor, SINGLE, SearchItems};
use crate::solve::Limits;
use crate::solve::limits::NodeBudget;
use crate::solve::mask_list_ops::{MaskListOps, pad};
use crate::solve::word::MaskWord;

/// The shortest list worth moving, which takes as long as some five passes over it. Sets of few large pieces, such as
/// Conway's, have shorter lists and hardly any nodes below.
const MIN_LIST: usize = 128;

/// A visitor that counts with masks of one machine word where they suffice.
pub(in crate::solve) struct Narrowed<'l, O> {
    search: PackingSearch<'l, u64, O, CountOnly>,
    /// Buffer for its lists.
    area: Vec<u64>,
}

impl<'l, O: MaskListOps<u64>> Narrowed<'l, O> {
    pub(in crate::solve) fn new<W: MaskWord>(
        ops: O,
        items: &SearchItems<'l, W>,
        limits: Limits<'l>,
    ) -> Self {
        let search = PackingSearch {
            visitor: CountOnly,
            total: 0,
            budget: NodeBudget::new(limits, W::BITS),
            share: 0.0,
            left: items.counts.to_vec(),
            path: Vec::new(),
            open: OpenItems { once: 0, more: 0, pieces: 0 },
            first_type: 0,
            type_bits: 0,
            is_choice: items.is_choice,
            choice: items.choice,
            all: Vec::new(),
            ops,
        };
        Self { search, area: Vec::new() }
    }
}

impl<W: MaskWord, N: MaskListOps<u64>> PackingVisitor<W> for Narrowed<'_, N> {
    const SHOW_PACKINGS: bool = false;

    fn packing(&mut self, _: &[W]) -> bool {
        true
    }

    fn narrow<O: MaskListOps<W>, const COPIES: u8>(
        search: &mut PackingSearch<'_, W, O, Self>,
        list: &[W],
        open: OpenItems<W>,
        scarce_items: W,
    ) -> bool {
        if list.len() < MIN_LIST {
            return false;
        }
        // Types with several copies are found by their positions, so these keep their bits, even without copies left.
        let types = if COPIES == SINGLE { W::ZERO } else { search.type_bits };
        let kept = open.once | types;
        if kept.count() > u64::BITS as usize {
            return false;
        }
        let places = Places::of(kept);
        let Self { search: narrow, area } = &mut search.visitor;
        reserve::<u64, N>(area, list.len(), open.pieces);
        area.iter_mut().zip(list).for_each(|(to, &mask)| *to = places.moved(mask & kept));
        pad::<u64, N>(area, list.len());
        if COPIES != SINGLE {
            narrow.left.copy_from_slice(&search.left);
            narrow.choice.continue_from(&search.choice);
            narrow.first_type = kept.without(types).count();
            narrow.type_bits = places.moved(types);
        }
        (narrow.total, narrow.share, narrow.budget.nodes) = (0, 0.0, search.budget.nodes);
        let [once, more, scarce] = [open.once, open.more, scarce_items].map(|w| places.moved(w));
        let open = OpenItems { once, more, pieces: open.pieces };
        narrow.node::<COPIES>(area, list.len(), open, scarce, None);
        search.total += narrow.total;
        (search.share, search.budget.nodes) = (narrow.share, narrow.budget.nodes);
        search.budget.halted |= narrow.budget.halted;
        true
    }
}

/// The places to which the bits of some items move: in order, from the lowest.
struct Places([u8; 192]);

impl Places {
    fn of<W: MaskWord>(items: W) -> Self {
        let mut places = [0; 192];
        items.ones().zip(0..).for_each(|(item, place)| places[item] = place);
        Self(places)
    }

    fn moved<W: MaskWord>(&self, mask: W) -> u64 {
        mask.ones().fold(0, |moved, item| moved | 1 << self.0[item])
    }
}
