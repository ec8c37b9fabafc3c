//! An external sort: sorted buffers are written to a temporary file as *runs*, which are then merged.
//!
//! A row is a string of bytes. A fixed amount of memory holds the buffers while rows arrive, and windows on the runs
//! while they are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The least and the most bytes of a window.
const WINDOW_BYTES: Range<usize> = 1 << 13..1 << 20;

/// A sorter, which takes rows in any order.
pub struct Sorter {
    memory: usize,
    buffer: usize,
    spill: Mutex<Spill>,
}

/// The temporary file, with the range of each run.
struct Spill {
    file: File,
    runs: Vec<Range<u64>>,
}

/// Unsorted rows of one thread.
pub struct SortBuffer<'a> {
    sorter: &'a Sorter,
    bytes: Vec<u8>,
    rows: Vec<Range<u32>>,
}

impl Sorter {
    /// Creates a sorter whose threads together take this memory.
    pub fn create(path: &Path, memory: usize, threads: usize) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        // Ranges of rows have 32 bits.
        let buffer = (memory / threads.max(1)).min(1 << 31);
        Ok(Self { memory, buffer, spill: Mutex::new(Spill { file, runs: Vec::new() }) })
    }

    pub const fn buffer(&self) -> SortBuffer<'_> {
        SortBuffer { sorter: self, bytes: Vec::new(), rows: Vec::new() }
    }

    /// Returns all rows in order, once every buffer is flushed.
    pub fn sorted(self) -> io::Result<SortedRows> {
        let Spill { mut file, runs } =
            self.spill.into_inner().unwrap_or_else(PoisonError::into_inner);
        let window = (self.memory / runs.len().max(1)).clamp(WINDOW_BYTES.start, WINDOW_BYTES.end);
        let mut windows: Vec<Window> =
            runs.into_iter().map(|rest| Window::new(rest, window)).collect();
        let mut heap = BinaryHeap::new();
        for (at, window) in windows.iter_mut().enumerate() {
            let mut row = Vec::new();
            if window.read(&mut file, &mut row)? {
                heap.push(Reverse((row, at)));
            }
        }
        Ok(SortedRows { file, windows, heap })
    }
}

impl SortBuffer<'_> {
    pub fn push(&mut self, row: &[u8]) -> io::Result<()> {
        // A row takes its bytes and its range.
        let taken = self.bytes.len() + row.len() + (self.rows.len() + 1) * size_of::<Range<u32>>();
        if taken > self.sorter.buffer && !self.rows.is_empty() {
            self.flush()?;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(row);
        self.rows.push(start..self.bytes.len() as u32);
        Ok(())
    }

    /// Sorts the rows and writes them as a run.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let bytes = &self.bytes;
        let row = |place: &Range<u32>| &bytes[place.start as usize..place.end as usize];
        self.rows.sort_unstable_by(|a, b| row(a).cmp(row(b)));
        let mut spill = self.sorter.spill.lock().unwrap_or_else(PoisonError::into_inner);
        let start = spill.file.seek(SeekFrom::End(0))?;
        let mut out = io::BufWriter::with_capacity(1 << 20, &spill.file);
        for place in &self.rows {
            out.write_all(&(place.end - place.start).to_le_bytes())?;
            out.write_all(row(place))?;
        }
        out.flush()?;
        drop(out);
        let end = spill.file.stream_position()?;
        spill.runs.push(start..end);
        self.bytes.clear();
        self.rows.clear();
        Ok(())
    }
}

struct Window {
    rest: Range<u64>,
    bytes: Vec<u8>,
    at: usize,
    size: usize,
}

impl Window {
    const fn new(rest: Range<u64>, size: usize) -> Self {
        Self { rest, bytes: Vec::new(), at: 0, size }
    }

    /// Reads the next row of the run; false at its end.
    fn read(&mut self, file: &mut File, row: &mut Vec<u8>) -> io::Result<bool> {
        if self.at == self.bytes.len() && self.rest.is_empty() {
            return Ok(false);
        }
        let length = self.take(file, 4)?.try_into().expect("four bytes were requested");
        let length = u32::from_le_bytes(length) as usize;
        row.clear();
        row.extend_from_slice(self.take(file, length)?);
        Ok(true)
    }

    fn take(&mut self, file: &mut File, number: usize) -> io::Result<&[u8]> {
        if self.bytes.len() - self.at < number {
            self.bytes.drain(..self.at);
            self.at = 0;
            let begun = self.bytes.len();
            let wanted = self.size.max(number) - begun;
            let read = wanted.min((self.rest.end - self.rest.start) as usize);
            self.bytes.resize(begun + read, 0);
            file.seek(SeekFrom::Start(self.rest.start))?;
            file.read_exact(&mut self.bytes[begun..])?;
            self.rest.start += read as u64;
            if self.bytes.len() < number {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        self.at += number;
        Ok(&self.bytes[self.at - number..self.at])
    }
}

pub struct SortedRows {
    file: File,
    windows: Vec<Window>,
    heap: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

impl SortedRows {
    pub fn next(&mut self, row: &mut Vec<u8>) -> io::Result<bool> {
        let Some(mut top) = self.heap.peek_mut() else { return Ok(false) };
        let Reverse((next, window)) = &mut *top;
        std::mem::swap(row, next);
        if !self.windows[*window].read(&mut self.file, next)? {
            PeekMut::pop(top);
        }
        Ok(true)
    }
}
