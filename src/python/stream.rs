//! Results that a thread finds while Python iterates over them.

use crate::work::{SIGNAL_CHECK_INTERVAL, start_threads};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Results found in advance.
const AHEAD: usize = 1024;

/// A stream of results. Dropping it ends the work.
pub(crate) struct Stream<T> {
    results: Mutex<Receiver<PyResult<T>>>,
    stop: Arc<AtomicBool>,
}

impl<T: Send + 'static> Stream<T> {
    /// Starts `work` on threads of its own, by default one per core. It passes on its results until it is stopped.
    pub(crate) fn start(
        threads: usize,
        work: impl FnOnce(&AtomicBool, &mut dyn FnMut(T) -> ControlFlow<()>) -> PyResult<()>
        + Send
        + 'static,
    ) -> PyResult<Self> {
        let (sender, results) = sync_channel(AHEAD);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        start_threads(threads)?.spawn(move || {
            let done = work(&stopped, &mut |result| match sender.send(Ok(result)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
            if let Err(error) = done {
                // The error of a dropped stream has no reader.
                let _ = sender.send(Err(error));
            }
        });
        Ok(Self { results: Mutex::new(results), stop })
    }

    /// Returns the next result; `None` at the end.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            let next = py.detach(|| {
                let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                results.recv_timeout(SIGNAL_CHECK_INTERVAL)
            });
            match next {
                Ok(result) => return result.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

impl<T> Drop for Stream<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
