//! Memory set aside, so that a small request that the system refuses costs a figure and not the program.
//!
//! Rust ends a program whose request for memory is refused. With [`Reserve`] as its allocator a block that was set aside
//! is given back and the request made again; the thread notes it, and the figure that it is counting has failed, as one
//! whose tables do not fit ([`try_figure`]). Then a block is set aside again. Requests larger than the block stay refused:
//! tables that grow with the figure are asked for in a way that takes a refusal.

#![allow(unsafe_code, reason = "an allocator has no safe form; this one only passes requests on")]

use crate::solve::guard;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Display;
use std::ptr::null_mut;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// Bytes set aside: many times what the search takes for a figure.
const BLOCK: usize = 4 << 20;

/// Why a figure failed when the system refused memory.
const OUT_OF_MEMORY: &str =
    "the system refused memory; count with fewer threads, or where more is free";

const LAYOUT: Layout = match Layout::from_size_align(BLOCK, 4096) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

/// The block, if there is one.
static SET_ASIDE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

thread_local! {
    /// Whether a request of this thread was refused. It takes no memory and nothing is done at its end, so the allocator
    /// may use it at any time.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator with a block of memory set aside.
#[derive(Debug)]
pub struct Reserve;

/// Notes that a request was refused and gives the block back; false if a request of this size is not made again.
fn give_back(size: usize) -> bool {
    if size > BLOCK / 2 {
        return false;
    }
    REFUSED.set(true);
    let block = SET_ASIDE.swap(null_mut(), AcqRel);
    if !block.is_null() {
        // SAFETY: the block was allocated with this layout, and the swap made it this thread's alone.
        unsafe { System.dealloc(block, LAYOUT) };
    }
    true
}

// SAFETY: every request goes to the system's allocator as it is, a refused one perhaps twice.
unsafe impl GlobalAlloc for Reserve {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for, here and below.
        let first = unsafe { System.alloc(layout) };
        let again = first.is_null() && give_back(layout.size());
        if again { unsafe { System.alloc(layout) } } else { first }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let first = unsafe { System.alloc_zeroed(layout) };
        let again = first.is_null() && give_back(layout.size());
        if again { unsafe { System.alloc_zeroed(layout) } } else { first }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A refused request leaves the old block as it was.
        let first = unsafe { System.realloc(block, layout, size) };
        let again = first.is_null() && give_back(size);
        if again { unsafe { System.realloc(block, layout, size) } } else { first }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) };
    }
}

/// Sets a block aside if there is none; returns whether a request of this thread was refused since the last call.
pub(crate) fn restore() -> bool {
    if SET_ASIDE.load(Acquire).is_null() {
        // SAFETY: the layout has a size.
        let block = unsafe { System.alloc(LAYOUT) };
        let before = SET_ASIDE.compare_exchange(null_mut(), block, AcqRel, Acquire);
        if before.is_err() && !block.is_null() {
            // SAFETY: another thread was faster; nobody else knows of this block.
            unsafe { System.dealloc(block, LAYOUT) };
        }
    }
    REFUSED.replace(false)
}

/// Works on a figure. The error is what went wrong: one of the work's own, a panic, or memory that was refused.
pub(crate) fn try_figure<T, E: Display>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    restore();
    let done = guard(work).map_err(|failure| failure.to_string());
    if restore() { Err(OUT_OF_MEMORY.to_owned()) } else { done }
}
