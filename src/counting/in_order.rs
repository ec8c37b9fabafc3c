//! Runs tasks on several threads and passes their results on in order.
//!
//! A thread takes the next task only if few tasks lie between it and the next result to emit. This bounds the
//! number of waiting results.

use crate::parallel::lock;
use rustc_hash::FxHashMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, PoisonError};

/// Maximum number of running or waiting results per thread.
pub(crate) const MAX_AHEAD_PER_THREAD: usize = 4;

/// State shared by all threads.
struct TaskQueue<T> {
    /// The first task that no thread has taken.
    next: usize,
    /// The task whose result is emitted next.
    wanted: usize,
    /// The results that wait for those before them, by task.
    ready: FxHashMap<usize, T>,
    /// True if no task is to be taken any more.
    over: bool,
}

/// Stops all threads when this thread panics.
struct EndOnPanic<'a, T>(&'a Mutex<TaskQueue<T>>, &'a Condvar);

impl<T> Drop for EndOnPanic<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.0).over = true;
            self.1.notify_all();
        }
    }
}

/// Runs `tasks` on several threads and emits the results in order. Stops when a result is `None` or `emit` breaks.
/// Holds at most [`MAX_AHEAD_PER_THREAD`] results per thread.
pub(crate) fn in_order<T: Send>(
    tasks: Range<usize>,
    threads: usize,
    work: impl Fn(usize) -> Option<T> + Sync,
    emit: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let threads = threads.clamp(1, tasks.len().max(1));
    let queue = Mutex::new(TaskQueue {
        next: tasks.start,
        wanted: tasks.start,
        ready: FxHashMap::default(),
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
                && state.next >= state.wanted + MAX_AHEAD_PER_THREAD * threads
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
        if threads == 1 || (0..threads).take_while(spawn).count() == 0 {
            // This thread works if it is the only one, so that none is woken for each small task.
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
