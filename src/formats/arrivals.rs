//! Items of a source as they come: a thread of their own reads them, so that whoever waits for a slow
//! pipe hears a request to stop, and keeps what has come so far.

use super::{Format, Item, OpenError, Options, ReadError, Reader};
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Items that are read ahead at most. Room for them is made at once.
const AHEAD: usize = 256;

/// The cells of a chunk at most, about: a few large figures take as much memory as many small ones.
const CHUNK_CELLS: usize = 1 << 20;

/// So often who waits looks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Why a source gives no more items.
#[derive(Debug, thiserror::Error)]
pub enum ArrivalError {
    /// It cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It cannot be read on.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The system gives no thread to read it with.
    #[error("cannot start the thread that reads: {0}")]
    Thread(std::io::Error),
}

/// The items of a source, read by a thread of their own.
///
/// The thread ends with the source, or when this is dropped, as soon as it has read another item: what waits
/// for a pipe that stays silent is left to the end of the program.
#[derive(Debug)]
pub struct Arrivals {
    items: Receiver<Result<Item, ArrivalError>>,
    /// An error that came behind items, which are handed out first.
    error: Option<ArrivalError>,
    /// The thread, until it has ended.
    thread: Option<JoinHandle<()>>,
}

impl Arrivals {
    /// Begins to read what `open` opens. Opening may wait too: that of a named pipe, until somebody writes to it.
    #[must_use]
    pub fn begin<R: BufRead>(
        open: impl FnOnce() -> Result<R, OpenError> + Send + 'static,
        format: Option<Format>,
    ) -> Self {
        let (sender, items) = sync_channel(AHEAD);
        let thread = thread::Builder::new().spawn(move || {
            if let Err(error) = read(open, format, &sender) {
                // Nobody listens any more.
                let _ = sender.send(Err(error));
            }
        });
        match thread {
            Ok(thread) => Self { items, error: None, thread: Some(thread) },
            Err(error) => Self { items, error: Some(ArrivalError::Thread(error)), thread: None },
        }
    }

    /// The next items, at most `most`: waits for the first one, and then for as many as come within `time`. None
    /// at the end of the source, or after `stop` became true, which is heard at once.
    ///
    /// # Errors
    /// If the source cannot be opened or read on; the items before are handed out first.
    pub fn chunk(
        &mut self,
        most: usize,
        time: Duration,
        stop: &AtomicBool,
    ) -> Result<Vec<Item>, ArrivalError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        let (mut chunk, mut cells, mut deadline) = (Vec::new(), 0, None);
        while chunk.len() < most && cells < CHUNK_CELLS {
            match self.next(deadline, stop) {
                None => break,
                Some(Ok(item)) => {
                    cells += if let Item::Entry(entry) = &item { entry.figure.len() } else { 0 };
                    chunk.push(item);
                    // The clock is not looked at with every item.
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

    /// The next item; none at the end, after the deadline, or when asked to stop.
    fn next(
        &mut self,
        deadline: Option<Instant>,
        stop: &AtomicBool,
    ) -> Option<Result<Item, ArrivalError>> {
        match self.items.try_recv() {
            Ok(item) => return Some(item),
            Err(TryRecvError::Disconnected) => return self.end(),
            Err(TryRecvError::Empty) => {}
        }
        while !stop.load(Ordering::Relaxed) {
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            match self.items.recv_timeout(left.map_or(LOOK, |left| left.min(LOOK))) {
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

    /// The end of the source: a panic of the reader is not taken for one.
    fn end(&mut self) -> Option<Result<Item, ArrivalError>> {
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        None
    }
}

/// Sends every item of a source until nobody listens.
fn read<R: BufRead>(
    open: impl FnOnce() -> Result<R, OpenError>,
    format: Option<Format>,
    sender: &SyncSender<Result<Item, ArrivalError>>,
) -> Result<(), ArrivalError> {
    for item in Reader::new(open()?, format, &Options::default())? {
        if sender.send(Ok(item?)).is_err() {
            break;
        }
    }
    Ok(())
}
