//! Long work: on threads of its own, without the GIL, ended by Ctrl-C.

use crate::error::failed;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use somacat_counting::solve::guard;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The interval at which Ctrl-C is heard.
pub(crate) const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The threads of calls without a number of threads. Stored with the process that started them.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Starts threads; 0 means one per core.
pub(crate) fn start_threads(number: usize) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(number).build();
    pool.map_err(|error| failed(format_args!("cannot start the threads: {error}")))
}

/// Returns the threads of a call. A forked process starts its own, because it has none of its parent's.
fn threads(number: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    if let Some(number) = number {
        return start_threads(number).map(Arc::new);
    }
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((_, pool)) = shared.as_ref().filter(|(of, _)| *of == process) {
        return Ok(pool.clone());
    }
    let pool = Arc::new(start_threads(0)?);
    // Dropping the parent's pool would wait for threads that do not exist here.
    std::mem::forget(shared.replace((process, pool.clone())));
    Ok(pool)
}

/// Does `work` on `number` threads, by default one per core. A signal such as Ctrl-C sets its flag and calls `stop`.
///
/// # Errors
/// Returns the exception of the signal, such as `KeyboardInterrupt`.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    number: Option<usize>,
    stop: &(dyn Fn() + Sync),
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let pool = threads(number)?;
    let flag = AtomicBool::new(false);
    py.detach(|| {
        let (sender, receiver) = sync_channel(1);
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                // The loop below waits for the result, so this cannot fail.
                let _ = sender.send(guard(|| Ok::<T, Infallible>(work(&flag))));
            });
            let mut interrupted = None;
            loop {
                match receiver.recv_timeout(SIGNAL_CHECK_INTERVAL) {
                    Ok(done) => return interrupted.map_or_else(|| done.map_err(failed), Err),
                    Err(RecvTimeoutError::Timeout) => {
                        if interrupted.is_none() {
                            interrupted = signaled();
                        }
                        if interrupted.is_some() {
                            flag.store(true, Ordering::Relaxed);
                            stop();
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        unreachable!("the work ends with a result, even if it panics")
                    }
                }
            }
        })
    })
}

/// Returns the exception of a signal that has arrived, such as `KeyboardInterrupt`.
fn signaled() -> Option<PyErr> {
    Python::attach(|py| py.check_signals().err())
}
