//! Runs tasks on several threads and passes their results on in order.
//!
//! A thread takes the next task only if few tasks lie between it and the next result to emit. This bounds the
//! number of waiting results. The thread that emits works too while its next result is not ready: small tasks would
//! else wake it each time.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum number of running or waiting results per thread.
pub(crate) const MAX_AHEAD_PER_THREAD: usize = 4;

/// State shared by all threads.
struct TaskQueue<T> {
    next: usize,
    /// The task whose result is emitted next.
    wanted: usize,
    ready: BTreeMap<usize, T>,
    over: bool,
}

/// The tasks of one call, with their threads.
struct Tasks<T, W> {
    end: usize,
    ahead: usize,
    work: W,
    queue: Mutex<TaskQueue<T>>,
    changed: Condvar,
}

/// Stops all threads when this thread panics.
struct EndOnPanic<'a, T, W>(&'a Tasks<T, W>);

impl<T, W> Drop for EndOnPanic<'_, T, W> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().over = true;
            self.0.changed.notify_all();
        }
    }
}

impl<T, W> Tasks<T, W> {
    fn lock(&self) -> MutexGuard<'_, TaskQueue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, TaskQueue<T>>) -> MutexGuard<'a, TaskQueue<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, W: Fn(usize) -> Option<T>> Tasks<T, W> {
    /// Works on the next task, or waits for a change if it is too far ahead or all are taken.
    fn work_or_wait<'a>(
        &'a self,
        mut state: MutexGuard<'a, TaskQueue<T>>,
    ) -> MutexGuard<'a, TaskQueue<T>> {
        let task = state.next;
        if task >= self.end || task >= state.wanted + self.ahead {
            return self.wait(state);
        }
        state.next += 1;
        drop(state);
        let result = (self.work)(task);
        let mut state = self.lock();
        match result {
            Some(result) => drop(state.ready.insert(task, result)),
            None => state.over = true,
        }
        self.changed.notify_all();
        state
    }

    fn work_until_over(&self) {
        let _guard = EndOnPanic(self);
        let mut state = self.lock();
        while !state.over && state.next < self.end {
            state = self.work_or_wait(state);
        }
    }

    fn emit_all(&self, emit: &mut dyn FnMut(usize, T) -> ControlFlow<()>) -> ControlFlow<()> {
        let _guard = EndOnPanic(self);
        let mut state = self.lock();
        while state.wanted < self.end {
            let task = state.wanted;
            if let Some(result) = state.ready.remove(&task) {
                state.wanted += 1;
                self.changed.notify_all();
                drop(state);
                let flow = emit(task, result);
                state = self.lock();
                if flow.is_break() {
                    state.over = true;
                    self.changed.notify_all();
                    return flow;
                }
            } else if state.over {
                return ControlFlow::Break(());
            } else {
                state = self.work_or_wait(state);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Runs `tasks` on several threads, this one included, and emits the results in order. Stops when a result is
/// `None` or `emit` breaks. Holds at most [`MAX_AHEAD_PER_THREAD`] results per thread.
pub(crate) fn in_order<T: Send>(
    tasks: Range<usize>,
    threads: usize,
    work: impl Fn(usize) -> Option<T> + Sync,
    emit: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let threads = threads.clamp(1, tasks.len().max(1));
    let (next, wanted) = (tasks.start, tasks.start);
    let tasks = Tasks {
        end: tasks.end,
        ahead: MAX_AHEAD_PER_THREAD * threads,
        work,
        queue: Mutex::new(TaskQueue { next, wanted, ready: BTreeMap::new(), over: false }),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        let worker = || tasks.work_until_over();
        // If no thread can be started, this one does the work.
        let spawn = |_: &usize| std::thread::Builder::new().spawn_scoped(scope, worker).is_ok();
        let _started = (1..threads).take_while(spawn).count();
        tasks.emit_all(emit)
    })
}
