//! A stream of a source's items, read by its own thread.
//!
//! A consumer that waits for a slow pipe can react to a stop request and keeps the items received so far. Items come in
//! blocks, because waking the consumer for each of many small figures takes longer than reading them. A block is sent
//! before the source is read again, which may take any time.

use super::{Colors, Format, Item, OpenError, ReadError, Reader};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const MAX_BLOCK_ITEMS: usize = 256;

/// The most blocks read ahead.
const MAX_BLOCKS_AHEAD: usize = 2;

/// The approximate limit of a chunk's cells: a few large figures take as much memory as many small ones.
const MAX_CHUNK_CELLS: usize = 1 << 20;

/// The interval at which a waiting thread checks for a stop request.
pub const STOP_CHECK_TIME: Duration = Duration::from_millis(50);

/// The reason why a source yields no more items.
///
/// ```
/// use somacat_formats::{Colors, EntryStream, EntryStreamError, open_source};
/// use std::path::Path;
/// use std::sync::atomic::AtomicBool;
/// use std::time::Duration;
///
/// // The file is opened on the thread of the stream, so the error comes with the first items.
/// let open = || open_source(Path::new("nothing-there.soma"));
/// let mut stream = EntryStream::begin(open, None, Colors::Refused);
/// let error = stream.chunk(100, Duration::ZERO, &AtomicBool::new(false)).unwrap_err();
/// assert!(matches!(error, EntryStreamError::Open(_)));
/// assert_eq!(error.to_string(), "cannot find the figure file nothing-there.soma");
/// ```
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
///
/// ```
/// use somacat_formats::{Colors, EntryStream, OpenError};
/// use std::sync::atomic::AtomicBool;
/// use std::time::Duration;
///
/// let open = || Ok::<_, OpenError>(&b"3 2 1\n\n1 1\n"[..]);
/// let mut stream = EntryStream::begin(open, None, Colors::Refused);
/// let stop = AtomicBool::new(false);
/// let mut figures = 0;
/// loop {
///     let items = stream.chunk(100, Duration::from_millis(10), &stop)?;
///     if items.is_empty() {
///         break;
///     }
///     figures += items.len();
/// }
/// assert_eq!(figures, 2);
/// # Ok::<(), somacat_formats::EntryStreamError>(())
/// ```
#[derive(Debug)]
pub struct EntryStream {
    blocks: Receiver<ItemBatch>,
    /// The rest of the last block received.
    received: VecDeque<Item>,
    /// An error that followed items. The items are returned first.
    error: Option<EntryStreamError>,
    thread: Option<JoinHandle<()>>,
    /// The lines of prose that the reader has skipped.
    skipped: Arc<AtomicU64>,
}

impl EntryStream {
    /// Starts reading the source that `open` opens. Opening may block too: a named pipe waits for a writer.
    pub fn begin<R: BufRead>(
        open: impl FnOnce() -> Result<R, OpenError> + Send + 'static,
        format: Option<Format>,
        colors: Colors,
    ) -> Self {
        let (sender, blocks) = sync_channel(MAX_BLOCKS_AHEAD);
        let skipped = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&skipped);
        let thread = thread::Builder::new().spawn(move || {
            let pending = Rc::new(PendingItems { items: RefCell::default(), sender });
            let open = || Ok(Reader::new(pending.source(open()?), format)?.with_colors(colors));
            let done = read(open, &pending, &counter);
            pending.send();
            if let Err(error) = done {
                // The receiver may be gone.
                let _ = pending.sender.send(Err(error));
            }
        });
        let received = VecDeque::new();
        match thread {
            Ok(thread) => Self { blocks, received, error: None, thread: Some(thread), skipped },
            Err(error) => {
                let error = Some(EntryStreamError::Thread(error));
                Self { blocks, received, error, thread: None, skipped }
            }
        }
    }

    /// Reads a short file at once: a thread takes longer to start.
    pub fn of_short_file<R: BufRead>(
        open: impl FnOnce() -> Result<R, OpenError>,
        format: Option<Format>,
        colors: Colors,
    ) -> Self {
        let mut received = VecDeque::new();
        let skipped = Arc::new(AtomicU64::new(0));
        let read = || -> Result<(), EntryStreamError> {
            let mut reader = Reader::new(open()?, format)?.with_colors(colors);
            for item in reader.by_ref() {
                received.push_back(item?);
            }
            skipped.store(reader.skipped_lines(), Ordering::Relaxed);
            Ok(())
        };
        let error = read().err();
        Self { blocks: sync_channel(0).1, received, error, thread: None, skipped }
    }

    /// Returns the number of lines of prose skipped so far, exact at the end of the source.
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
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
        if self.received.is_empty()
            && let Some(error) = self.error.take()
        {
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
        if let Some(item) = self.received.pop_front() {
            return Some(Ok(item));
        }
        match self.blocks.try_recv() {
            Ok(block) => return self.first_of(block),
            Err(TryRecvError::Disconnected) => return self.end(),
            Err(TryRecvError::Empty) => {}
        }
        while !stop.load(Ordering::Relaxed) {
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            match self
                .blocks
                .recv_timeout(left.map_or(STOP_CHECK_TIME, |left| left.min(STOP_CHECK_TIME)))
            {
                Ok(block) => return self.first_of(block),
                Err(RecvTimeoutError::Disconnected) => return self.end(),
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        None
    }

    /// Returns the first item of a block and keeps the others. No block is empty.
    fn first_of(&mut self, block: ItemBatch) -> Option<Result<Item, EntryStreamError>> {
        match block {
            Ok(items) => {
                self.received = items;
                self.received.pop_front().map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Ends the source. A panic of the reader thread resumes here instead of looking like the end.
    fn end(&mut self) -> Option<Result<Item, EntryStreamError>> {
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        None
    }
}

/// Reads every item of a source until the receiver is gone.
fn read<R: BufRead>(
    open: impl FnOnce() -> Result<Reader<SendingReader<R>>, EntryStreamError>,
    pending: &Rc<PendingItems>,
    skipped: &AtomicU64,
) -> Result<(), EntryStreamError> {
    let mut reader = open()?;
    while let Some(item) = reader.next() {
        skipped.store(reader.skipped_lines(), Ordering::Relaxed);
        let mut items = pending.items.borrow_mut();
        items.push_back(item?);
        let full = items.len() >= MAX_BLOCK_ITEMS;
        drop(items);
        if full && !pending.send() {
            break;
        }
    }
    skipped.store(reader.skipped_lines(), Ordering::Relaxed);
    Ok(())
}

/// Items, or the error that ends a source.
type ItemBatch = Result<VecDeque<Item>, EntryStreamError>;

/// The items read since the last block.
struct PendingItems {
    items: RefCell<VecDeque<Item>>,
    sender: SyncSender<ItemBatch>,
}

impl PendingItems {
    /// Wraps a source so that it sends these items.
    fn source<R>(self: &Rc<Self>, source: R) -> SendingReader<R> {
        SendingReader { source, left: 0, pending: Rc::clone(self) }
    }

    /// Sends the items as a block, if there are any. Returns false if the receiver is gone.
    fn send(&self) -> bool {
        let items = self.items.take();
        items.is_empty() || self.sender.send(Ok(items)).is_ok()
    }
}

/// A source that sends the pending items before it is read again.
struct SendingReader<R> {
    source: R,
    /// The unread bytes of the source's buffer.
    left: usize,
    pending: Rc<PendingItems>,
}

impl<R: BufRead> BufRead for SendingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            self.pending.send();
        }
        let bytes = self.source.fill_buf()?;
        self.left = bytes.len();
        Ok(bytes)
    }

    fn consume(&mut self, bytes: usize) {
        self.left -= bytes;
        self.source.consume(bytes);
    }
}

impl<R: BufRead> Read for SendingReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}
