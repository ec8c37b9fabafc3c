//! Tasks worked on by several threads, their results passed on in order.
//!
//! A thread takes the next task as long as no more than a few lie between it and the one whose result is
//! passed on next, so the number of results that wait is bounded.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Results for each thread that are made or wait, at most.
pub(crate) const AHEAD: usize = 4;

/// What is shared.
struct Queue<T> {
    /// The next task to be worked on.
    next: usize,
    /// The task whose result is passed on next.
    wanted: usize,
    ready: BTreeMap<usize, T>,
    over: bool,
}

fn lock<T>(queue: &Mutex<Queue<T>>) -> MutexGuard<'_, Queue<T>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends everything when a thread leaves in a panic.
struct EndOnPanic<'a, T>(&'a Mutex<Queue<T>>, &'a Condvar);

impl<T> Drop for EndOnPanic<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).over = true;
            self.1.notify_all();
        }
    }
}

/// Works on `tasks` with a number of threads and passes results to `emit` in order, until one is `None`
/// or `emit` breaks. At most [`AHEAD`] results for each thread are held.
pub(crate) fn in_order<T: Send>(
    tasks: Range<usize>,
    threads: usize,
    work: impl Fn(usize) -> Option<T> + Sync,
    emit: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let threads = threads.clamp(1, tasks.len().max(1));
    let queue = Mutex::new(Queue {
        next: tasks.start,
        wanted: tasks.start,
        ready: BTreeMap::new(),
        over: false,
    });
    let changed = Condvar::new();
    let wait = |guard| changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
    let worker = || {
        let _guard = EndOnPanic(&queue, &changed);
        loop {
            let mut state = lock(&queue);
            while !state.over
                && state.next < tasks.end
                && state.next >= state.wanted + AHEAD * threads
            {
                state = wait(state);
            }
            if state.over || state.next >= tasks.end {
                return;
            }
            let task = state.next;
            state.next += 1;
            drop(state);
            let result = work(task);
            let mut state = lock(&queue);
            match result {
                Some(result) => drop(state.ready.insert(task, result)),
                None => state.over = true,
            }
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        let _guard = EndOnPanic(&queue, &changed);
        let spawn = |_: &usize| std::thread::Builder::new().spawn_scoped(scope, worker).is_ok();
        if (0..threads).take_while(spawn).count() == 0 {
            // The system gives no thread, so this one works.
            return tasks.clone().try_for_each(|task| match work(task) {
                Some(result) => emit(task, result),
                None => ControlFlow::Break(()),
            });
        }
        for task in tasks.clone() {
            let mut state = lock(&queue);
            let result = loop {
                if let Some(result) = state.ready.remove(&task) {
                    break result;
                }
                if state.over {
                    return ControlFlow::Break(());
                }
                state = wait(state);
            };
            state.wanted = task + 1;
            changed.notify_all();
            drop(state);
            if emit(task, result).is_break() {
                lock(&queue).over = true;
                changed.notify_all();
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })
}
