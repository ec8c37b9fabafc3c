//! A stream of a source's items, read by a thread of its own.
//!
//! A consumer that waits for a slow pipe can react to a stop request and keeps the items received so far.

use super::{Format, Item, OpenError, Options, ReadError, Reader};
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The most items read ahead. The channel reserves room for all of them.
const MAX_ITEMS_AHEAD: usize = 256;

/// The approximate limit of a chunk's cells: a few large figures take as much memory as many small ones.
const MAX_CHUNK_CELLS: usize = 1 << 20;

/// The interval at which a waiting consumer checks for a stop request.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The reason why a source yields no more items.
#[derive(Debug, thiserror::Error)]
pub enum EntryStreamError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("cannot start the reader thread: {0}")]
    Thread(std::io::Error),
}

/// The items of a source, read by a thread of its own. The thread ends with the source. If `EntryStream` is dropped,
/// it ends after reading the next item. A thread blocked on a silent pipe lasts until the program ends.
#[derive(Debug)]
pub struct EntryStream {
    items: Receiver<Result<Item, EntryStreamError>>,
    /// An error that followed items. The items are returned first.
    error: Option<EntryStreamError>,
    /// The thread, until it has been joined.
    thread: Option<JoinHandle<()>>,
}

impl EntryStream {
    /// Starts reading the source that `open` opens. Opening may block too: a named pipe waits for a writer.
    pub fn begin<R: BufRead>(
        open: impl FnOnce() -> Result<R, OpenError> + Send + 'static,
        format: Option<Format>,
    ) -> Self {
        let (sender, items) = sync_channel(MAX_ITEMS_AHEAD);
        let thread = thread::Builder::new().spawn(move || {
            if let Err(error) = read(open, format, &sender) {
                // The receiver may be gone.
                let _ = sender.send(Err(error));
            }
        });
        match thread {
            Ok(thread) => Self { items, error: None, thread: Some(thread) },
            Err(error) => {
                Self { items, error: Some(EntryStreamError::Thread(error)), thread: None }
            }
        }
    }

    /// Returns the next items, at most `most`.
    ///
    /// Waits for the first item without a time limit, then for others up to `time`. Returns an empty list at the
    /// end of the source, or promptly after `stop` becomes true.
    ///
    /// # Errors
    /// If the source cannot be opened or read. The items before the error are returned first.
    pub fn chunk(
        &mut self,
        most: usize,
        time: Duration,
        stop: &AtomicBool,
    ) -> Result<Vec<Item>, EntryStreamError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        let (mut chunk, mut cells, mut deadline) = (Vec::new(), 0, None);
        while chunk.len() < most && cells < MAX_CHUNK_CELLS {
            match self.next(deadline, stop) {
                None => break,
                Some(Ok(item)) => {
                    cells += if let Item::Entry(entry) = &item { entry.figure.len() } else { 0 };
                    chunk.push(item);
                    // The deadline is set once, by the first item.
                    deadline = deadline.or_else(|| Some(Instant::now() + time));
                }
                Some(Err(error)) if chunk.is_empty() => return Err(error),
                Some(Err(error)) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        Ok(chunk)
    }

    /// Returns the next item. `None` at the end, after the deadline, or after a stop request.
    fn next(
        &mut self,
        deadline: Option<Instant>,
        stop: &AtomicBool,
    ) -> Option<Result<Item, EntryStreamError>> {
        match self.items.try_recv() {
            Ok(item) => return Some(item),
            Err(TryRecvError::Disconnected) => return self.end(),
            Err(TryRecvError::Empty) => {}
        }
        while !stop.load(Ordering::Relaxed) {
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            match self.items.recv_timeout(
                left.map_or(STOP_CHECK_INTERVAL, |left| left.min(STOP_CHECK_INTERVAL)),
            ) {
                Ok(item) => return Some(item),
                Err(RecvTimeoutError::Disconnected) => return self.end(),
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        None
    }

    /// Ends the source. A panic of the reader thread resumes here instead of looking like the end.
    fn end(&mut self) -> Option<Result<Item, EntryStreamError>> {
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        None
    }
}

/// Sends every item of a source until the receiver is gone.
fn read<R: BufRead>(
    open: impl FnOnce() -> Result<R, OpenError>,
    format: Option<Format>,
    sender: &SyncSender<Result<Item, EntryStreamError>>,
) -> Result<(), EntryStreamError> {
    for item in Reader::new(open()?, format, &Options::default())? {
        if sender.send(Ok(item?)).is_err() {
            break;
        }
    }
    Ok(())
}
