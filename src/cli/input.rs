//! Figures from files and standard input, and piece sets by name or file.

use super::{Usage, eprintln};
use crate::formats::{
    Entry, Format, Item, OpenError, Options, PieceSetError, Reader, open_source, read_piece_set,
    source_label,
};
use crate::pieces::{PieceSet, parse_set};
use anyhow::Context;
use std::io::BufRead;
use std::path::Path;

/// A reader of the entries of a file that reports faults on standard error and counts them.
pub(crate) struct Entries {
    reader: Reader<Box<dyn BufRead + Send>>,
    label: String,
    /// Faulty entries so far.
    pub(crate) faults: u64,
    /// Sound entries so far.
    pub(crate) sound: u64,
}

impl Entries {
    /// Begins to read a file, or standard input for `-`.
    pub(crate) fn open(path: &Path, format: Option<Format>) -> anyhow::Result<Self> {
        let label = source_label(path);
        let reader = Reader::new(open_source(path)?, format, &Options::default())
            .with_context(|| label.clone())?;
        Ok(Self { reader, label, faults: 0, sound: 0 })
    }

    /// The next sound entries, at most `most`; none at the end.
    pub(crate) fn chunk(&mut self, most: usize) -> anyhow::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        while entries.len() < most {
            match self.reader.next() {
                None => break,
                Some(Err(error)) => return Err(error).with_context(|| self.label.clone()),
                Some(Ok(Item::Fault(fault))) => {
                    self.faults += 1;
                    let name = fault.name.map(|name| format!("{name}: ")).unwrap_or_default();
                    let (label, line) = (&self.label, fault.line);
                    eprintln(&format!("{label}:{line}: {name}{}", fault.reason));
                }
                Some(Ok(Item::Entry(entry))) => entries.push(entry),
            }
        }
        self.sound += entries.len() as u64;
        Ok(entries)
    }

    /// An error if the file held no figure, sound or not.
    pub(crate) fn require_any(&self) -> anyhow::Result<()> {
        let any = self.sound + self.faults > 0;
        if any { Ok(()) } else { Err(OpenError::NoFigure(self.label.clone()).into()) }
    }
}

/// A piece set by name, by letters, or from a file.
pub(crate) fn piece_set(text: &str) -> anyhow::Result<PieceSet> {
    let path = Path::new(text);
    match parse_set(text) {
        Ok(set) => Ok(set),
        Err(_) if path.is_file() => read_piece_set(path).map_err(|error| match error {
            PieceSetError::Name { .. } => Usage(error.to_string()).into(),
            other => other.into(),
        }),
        Err(error) => Err(error.into()),
    }
}
