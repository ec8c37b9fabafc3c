//! Loops on all cores.
//!
//! Rayon's code is compiled again for each type of result and closure, which took a quarter of this crate's compile
//! time. Here it sees one type.

use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Calls `work` with each number below `length`.
pub(crate) fn for_each(length: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..length).into_par_iter().for_each(work);
}

/// Does the same with a state that one call at a time uses.
pub(crate) fn for_each_with<S: Send>(
    length: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) + Sync,
) {
    let idle = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    for_each(length, &|at| {
        let taken = lock().pop();
        let mut state = taken.unwrap_or_else(&start);
        work(&mut state, at);
        lock().push(state);
    });
}

/// Returns the results of `work` for each number below `length`, in order.
pub(crate) fn map<T: Send>(length: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..length).map(|_| Mutex::new(None)).collect();
    for_each(length, &|at| {
        let result = work(at);
        *results[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let result = |one: Mutex<Option<T>>| one.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

/// Returns the results of `work` for chunks of items, in order.
pub(crate) fn map_chunks<I: Sync, T: Send>(
    items: &[I],
    size: usize,
    work: impl Fn(&[I]) -> T + Sync,
) -> Vec<T> {
    let chunks: Vec<&[I]> = items.chunks(size).collect();
    map(chunks.len(), |at| work(chunks[at]))
}

/// Returns the results of `work` for each number below `length`, or an error once one occurs.
pub(crate) fn try_map<T: Send, E: Send>(
    length: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let results = map(length, |at| {
        let result = (!failed.load(Ordering::Relaxed)).then(|| work(at));
        if let Some(Err(_)) = result {
            failed.store(true, Ordering::Relaxed);
        }
        result
    });
    results.into_iter().flatten().collect()
}
