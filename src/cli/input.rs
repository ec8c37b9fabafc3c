//! Figures from files and standard input, and piece sets by name or file.

use super::{Usage, eprintln};
use crate::formats::{Entry, Format, Item, OpenError, Options, Reader, open_source, source_label};
use crate::pieces::{PieceSet, parse_piece_lines, parse_set};
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
                Some(Ok(Item::Problem(problem))) => {
                    self.faults += 1;
                    let name = problem.name.map(|name| format!("{name}: ")).unwrap_or_default();
                    let (label, line) = (&self.label, problem.line);
                    eprintln(&format!("{label}:{line}: {name}{}", problem.message));
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

/// A piece set by name, by letters, or from a file, which gives the set its name.
pub(crate) fn piece_set(text: &str) -> anyhow::Result<PieceSet> {
    let path = Path::new(text);
    match parse_set(text) {
        Ok(set) => Ok(set),
        Err(_) if path.is_file() => {
            let content = std::fs::read_to_string(path).with_context(|| text.to_owned())?;
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|| text.to_owned());
            let set = parse_piece_lines(&name, &content).with_context(|| text.to_owned())?;
            // Results name their set: one name must not stand for two sets.
            match parse_set(&name) {
                Ok(known) if known.pieces() != set.pieces() => Err(Usage(format!(
                    "{text}: the set would be called {name}, which names other pieces; give the \
                     file another name"
                ))
                .into()),
                Ok(known) => Ok(known),
                Err(_) => Ok(set),
            }
        }
        Err(error) => Err(error.into()),
    }
}
