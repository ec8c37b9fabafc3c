//! Tasks with numbers, on all threads of the current rayon pool.
//!
//! A parallel iterator brings in hundreds of functions, again for each closure and each result. The one below is
//! compiled once. It calls tasks through a trait object, which costs little compared with their work.

use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also after a panic of another thread.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `tasks` tasks, in any order.
pub(crate) fn for_each(tasks: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..tasks).into_par_iter().for_each(task);
}

/// Runs `tasks` tasks and returns their results in order.
pub(crate) fn map<T: Send>(tasks: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..tasks).map(|_| Mutex::default()).collect();
    for_each(tasks, &|at| {
        let result = task(at);
        *lock(&results[at]) = Some(result);
    });
    let result = |slot: Mutex<Option<T>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

/// Runs a task for each chunk and returns the results in order. A chunk has at most `len` items.
pub(crate) fn map_chunks<I: Sync, T: Send>(
    items: &[I],
    len: usize,
    task: impl Fn(&[I]) -> T + Sync,
) -> Vec<T> {
    let chunks: Vec<&[I]> = items.chunks(len).collect();
    map(chunks.len(), |at| task(chunks[at]))
}

/// Runs `tasks` tasks and returns their results in order. After an error no task begins.
pub(crate) fn try_map<T: Send, E: Send>(
    tasks: usize,
    task: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let results = map(tasks, |at| {
        let result = (!failed.load(Relaxed)).then(|| task(at))?;
        failed.fetch_or(result.is_err(), Relaxed);
        Some(result)
    });
    results.into_iter().flatten().collect()
}

/// Values that tasks borrow, such as workspaces. There are as many as tasks that run at the same time; creating a new
/// one for each task would take long.
pub(crate) struct Spares<S>(Mutex<Vec<S>>);

impl<S> Default for Spares<S> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S> Spares<S> {
    /// Takes an unused value, or a new one.
    pub(crate) fn take(&self, new: impl FnOnce() -> S) -> S {
        let unused = lock(&self.0).pop();
        unused.unwrap_or_else(new)
    }

    /// Keeps a value for another task.
    pub(crate) fn put_back(&self, value: S) {
        lock(&self.0).push(value);
    }
}
