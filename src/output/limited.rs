//! Work on a thread of its own, which may use only so much memory.
//!
//! A template may ask for any amount of memory and time in a single step, as in `"%1000000000d"|format(1)`. Such a step
//! cannot be interrupted, and Rust aborts the program when an allocation fails. Therefore the allocator counts what the
//! thread allocates. Instead of exceeding the limit, the thread sleeps in the allocator until the program ends. The
//! thread that waits for it reports the error and goes on.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The system's allocator, with limits for threads of `run_limited`. Without it as the global allocator, they have
/// no limit.
#[derive(Debug)]
pub struct LimitedHeap;

/// The memory that a thread may use.
struct Budget {
    /// Bytes.
    left: AtomicIsize,
    exceeded: AtomicBool,
}

thread_local! {
    static BUDGET: Cell<Option<&'static Budget>> = const { Cell::new(None) };
}

/// Sleeps forever if the thread has a limit that these bytes exceed.
fn charge(bytes: usize) {
    let Ok(Some(budget)) = BUDGET.try_with(Cell::get) else { return };
    let bytes = bytes.cast_signed();
    if budget.left.fetch_sub(bytes, Ordering::Relaxed) < bytes {
        budget.exceeded.store(true, Ordering::Relaxed);
        loop {
            thread::sleep(Duration::from_secs(3600));
        }
    }
}

fn release(bytes: usize) {
    if let Ok(Some(budget)) = BUDGET.try_with(Cell::get) {
        budget.left.fetch_add(bytes.cast_signed(), Ordering::Relaxed);
    }
}

#[allow(unsafe_code, reason = "every call is passed on unchanged to the system's allocator")]
// SAFETY: as that of `System`.
unsafe impl GlobalAlloc for LimitedHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        charge(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        charge(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        release(layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        charge(size);
        release(layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The stack of such a thread: templates may nest calls 500 deep.
const STACK_BYTES: usize = 1 << 26;

/// The interval between two looks at the limit.
const CHECK_TIME: Duration = Duration::from_millis(20);

/// The end of limited work.
pub(crate) enum Ended<T> {
    Done(T),
    /// It needed more memory.
    OutOfMemory,
}

/// Does work in at most so many bytes.
pub(crate) fn run_limited<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<Ended<T>> {
    // An abandoned thread keeps its budget, so this small value is never freed.
    let left = AtomicIsize::new(bytes.cast_signed());
    let budget: &'static Budget =
        Box::leak(Box::new(Budget { left, exceeded: AtomicBool::new(false) }));
    let (sender, receiver) = sync_channel(1);
    let limited = move || {
        BUDGET.set(Some(budget));
        let done = work();
        BUDGET.set(None);
        // The receiver is gone if the last step of the work exceeded the limit.
        let _ = sender.send(done);
    };
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(limited)?;
    loop {
        match receiver.recv_timeout(CHECK_TIME) {
            Ok(done) => return Ok(Ended::Done(done)),
            Err(RecvTimeoutError::Timeout) if budget.exceeded.load(Ordering::Relaxed) => {
                return Ok(Ended::OutOfMemory);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    match thread.join() {
        // More bytes than an address can count.
        Err(panic) if panic.downcast_ref::<&str>() == Some(&"capacity overflow") => {
            Ok(Ended::OutOfMemory)
        }
        Err(panic) => resume_unwind(panic),
        Ok(()) => unreachable!("a thread without a panic has sent its result"),
    }
}
