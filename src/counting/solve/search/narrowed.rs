//! Counts of larger figures continue with narrower masks where these hold the items that are left.
//!
//! The Bedlam cube has 64 cells and 13 pieces, too many items for a machine word. After three pieces 62 items are left.
//! Nearly all nodes lie below, and there are vector instructions for their lists. So the search moves the bits of these
//! items to the lowest bits of narrower masks, once for each such node. They keep their order, and ties between items
//! are resolved by this order. Hence the nodes are the same as with wide masks.

use super::area::reserve;
use super::{
    CountOnly, OpenItems, PackingSearch, PackingVisitor, RANGES, SEVERAL, SINGLE, SearchItems,
};
use crate::solve::Limits;
use crate::solve::choice_state::ChoiceState;
use crate::solve::limits::{NodeBudget, SearchTotal};
use crate::solve::mask_list_ops::{MaskListOps, pad};
use crate::solve::word::MaskWord;

/// The shortest list worth moving, which takes as long as some five passes over it. Sets of few large pieces, such as
/// Conway's, have shorter lists and hardly any nodes below.
const MIN_LIST: usize = 128;

/// A visitor that counts with masks of one machine word where they suffice.
pub(in crate::solve) struct Narrowed<'l> {
    search: Box<dyn CountBelow + 'l>,
    /// Buffer for the moved masks of a node.
    list: Vec<u64>,
}

impl<'l> Narrowed<'l> {
    pub(in crate::solve) fn new<W: MaskWord>(
        ops: impl MaskListOps<u64> + 'l,
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
        Self { search: Box::new(NarrowSearch { search, area: Vec::new() }), list: Vec::new() }
    }
}

/// A search with masks of one machine word, whatever its instructions. A call for each moved node costs little, and
/// the compiler builds each wide search once.
trait CountBelow {
    /// Counts the packings below a node, from its number of nodes on.
    fn count_below(&mut self, node: &MovedNode<'_>) -> SearchTotal;
}

/// A node of a search with wide masks, with the bits of its items moved.
struct MovedNode<'a> {
    list: &'a [u64],
    open: OpenItems<u64>,
    scarce_items: u64,
    /// [`SINGLE`], [`SEVERAL`] or [`RANGES`].
    copies: u8,
    /// The state of a search for several copies: the copies left, the choice, and the bits of the types.
    left: &'a [u32],
    choice: &'a ChoiceState<'a>,
    first_type: usize,
    type_bits: u64,
    /// The number of nodes before this one.
    nodes: u64,
}

struct NarrowSearch<'l, O> {
    search: PackingSearch<'l, u64, O, CountOnly>,
    /// Buffer for its lists.
    area: Vec<u64>,
}

impl<O: MaskListOps<u64>> CountBelow for NarrowSearch<'_, O> {
    fn count_below(&mut self, node: &MovedNode<'_>) -> SearchTotal {
        let Self { search, area } = self;
        let n = node.list.len();
        reserve::<u64, O>(area, n, node.open.pieces);
        area[..n].copy_from_slice(node.list);
        pad::<u64, O>(area, n);
        if node.copies != SINGLE {
            search.left.copy_from_slice(node.left);
            search.choice.continue_from(node.choice);
            (search.first_type, search.type_bits) = (node.first_type, node.type_bits);
        }
        (search.total, search.share, search.budget.nodes) = (0, 0.0, node.nodes);
        match node.copies {
            SINGLE => search.node::<SINGLE>(area, n, node.open, node.scarce_items, None),
            SEVERAL => search.node::<SEVERAL>(area, n, node.open, node.scarce_items, None),
            _ => search.node::<RANGES>(area, n, node.open, node.scarce_items, None),
        }
        search.end(search.total.into())
    }
}

impl<W: MaskWord> PackingVisitor<W> for Narrowed<'_> {
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
        let moved = &mut search.visitor.list;
        moved.clear();
        moved.extend(list.iter().map(|&mask| places.moved(mask & kept)));
        let [once, more, scarce_items] =
            [open.once, open.more, scarce_items].map(|w| places.moved(w));
        let below = search.visitor.search.count_below(&MovedNode {
            list: moved,
            open: OpenItems { once, more, pieces: open.pieces },
            scarce_items,
            copies: COPIES,
            left: &search.left,
            choice: &search.choice,
            first_type: kept.without(types).count(),
            type_bits: places.moved(types),
            nodes: search.budget.nodes,
        });
        search.total += below.total as u64;
        (search.share, search.budget.nodes) = (below.share.unwrap_or_default(), below.nodes);
        search.budget.halted |= below.halted;
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
