//! The memory of a search: the buffer of its lists, and stack.

use crate::solve::mask_list_ops::MaskListOps;
use crate::solve::word::MaskWord;

/// The most bits of masks with searches of their own for the sets of which packings use all copies.
const MAX_BITS_OF_ALL_SEARCHES: usize = 192;

/// Grows `area` to hold the lists of a whole path, so that none is allocated during the search. With wide masks there is
/// one list at a time (`wide.rs`).
pub(super) fn reserve<W: MaskWord, O: MaskListOps<W>>(
    area: &mut Vec<W>,
    list: usize,
    pieces: usize,
) {
    let levels = if is_wide::<W>() { 1 } else { pieces + 2 };
    // Pruning needs eight words an item.
    let room = room::<W, O>(list) * levels + 8 * W::BITS;
    if area.len() < room {
        area.resize(room, W::ZERO);
    }
}

/// Returns the room for the lists of one node: its list, its children, the list of a child, and more where vector writes
/// overrun.
pub(super) const fn room<W: MaskWord, O: MaskListOps<W>>(list: usize) -> usize {
    3 * list + 6 * O::WIDTH
}

pub(super) const fn is_wide<W: MaskWord>() -> bool {
    W::BITS > MAX_BITS_OF_ALL_SEARCHES
}

/// The stack that a node with wide masks needs at most, and how much is added if there is less.
#[cfg(not(target_family = "wasm"))]
const STACK_FOR_NODE: usize = 64 << 10;
#[cfg(not(target_family = "wasm"))]
const STACK_BYTES: usize = 4 << 20;

/// Does the work of a node with wide masks, on more stack if little is left.
pub(super) fn with_stack(work: impl FnOnce()) {
    #[cfg(not(target_family = "wasm"))]
    stacker::maybe_grow(STACK_FOR_NODE, STACK_BYTES, work);
    #[cfg(target_family = "wasm")]
    work();
}
