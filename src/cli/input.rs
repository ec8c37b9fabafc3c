//! Figures to work on: of a file, by signature, or by name; and piece sets by name or file.

use super::failure::{Failure, Result};
use super::{Global, eprintln};
use crate::dossier::{LookupError, Subject, look_up};
use crate::figure::Figure;
use crate::formats::{
    Entry, Format, Item, Marks, OpenError, Options, Reader, choose_set, open_source,
    read_piece_set, source_label,
};
use crate::pieces::{PieceSet, parse_set};
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
    pub(crate) fn open(path: &Path, format: Option<Format>) -> Result<Self> {
        let label = source_label(path);
        let reader = Reader::new(open_source(path)?, format, &Options::default());
        let reader = reader.map_err(|error| Failure::failed(format!("{label}: {error}")))?;
        Ok(Self { reader, label, faults: 0, sound: 0 })
    }

    /// The next sound entries, at most `most`; none at the end.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        while entries.len() < most {
            match self.reader.next() {
                None => break,
                Some(Err(error)) => {
                    return Err(Failure::failed(format!("{}: {error}", self.label)));
                }
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
    pub(crate) fn require_any(&self) -> Result<()> {
        let any = self.sound + self.faults > 0;
        if any { Ok(()) } else { Err(OpenError::NoFigure(self.label.clone()).into()) }
    }
}

/// A figure to work on.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// What it is called.
    pub(crate) label: String,
    /// The figure as it lies.
    pub(crate) figure: Figure,
    /// Pieces that are in place.
    pub(crate) placed: Option<Marks>,
    /// The pieces that it is meant to be built from, as far as its marks or the catalog tell.
    pub(crate) likely_set: Option<PieceSet>,
}

impl From<Entry> for Asked {
    fn from(entry: Entry) -> Self {
        Self {
            label: entry.label(),
            likely_set: choose_set(&entry).ok(),
            figure: entry.figure,
            placed: entry.placed,
        }
    }
}

impl From<Subject> for Asked {
    fn from(subject: Subject) -> Self {
        let likely_set = subject.likely_set();
        Self { label: subject.name, figure: subject.figure, placed: None, likely_set }
    }
}

/// The figures that an argument means: a file's, read as they are asked for, or one that is looked up.
pub(crate) enum Figures {
    File(Box<Entries>),
    One(Option<Box<Asked>>),
}

impl Figures {
    /// Finds out what a text means: a file (or standard input for `-`), a signature, or a name in the catalog.
    pub(crate) fn open(global: &Global, text: &str, format: Option<Format>) -> Result<Self> {
        let path = Path::new(text);
        if text == "-" || (path.exists() && !path.is_dir()) {
            return Ok(Self::File(Box::new(Entries::open(path, format)?)));
        }
        let looks_like_a_path = path.extension().is_some() || path.components().nth(1).is_some();
        match look_up(&global.db, text, format, &eprintln) {
            Err(LookupError::Unknown { .. }) if looks_like_a_path => {
                Err(OpenError::Missing(text.to_owned()).into())
            }
            subjects => {
                let subject = subjects?.pop();
                Ok(Self::One(subject.map(|subject| Box::new(subject.into()))))
            }
        }
    }

    /// The next figures, at most `most`; none at the end.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<Asked>> {
        match self {
            Self::File(entries) => Ok(entries.chunk(most)?.into_iter().map(Asked::from).collect()),
            Self::One(asked) => Ok(asked.take().map(|asked| *asked).into_iter().collect()),
        }
    }

    /// Whether the figures were read from a file.
    pub(crate) const fn are_of_a_file(&self) -> bool {
        matches!(self, Self::File(_))
    }

    /// Faulty entries so far.
    pub(crate) const fn faults(&self) -> u64 {
        match self {
            Self::File(entries) => entries.faults,
            Self::One(_) => 0,
        }
    }

    /// An error if the file held no figure, sound or not.
    pub(crate) fn require_any(&self) -> Result<()> {
        match self {
            Self::File(entries) => entries.require_any(),
            Self::One(_) => Ok(()),
        }
    }
}

/// With which pieces figures are built.
#[derive(Clone, Debug)]
pub(crate) enum SetArg {
    /// These.
    Fixed(PieceSet),
    /// As each figure's size, marks or the catalog tell; else SOMA.
    Auto,
}

impl SetArg {
    /// Reads the option `--set`. Without it figures of a file are built from SOMA, and a figure that is looked up from
    /// the set that the catalog has it with.
    pub(crate) fn new(text: Option<&str>, figures: &Figures) -> Result<Self> {
        match text {
            Some(text) if text.eq_ignore_ascii_case("auto") => Ok(Self::Auto),
            Some(text) => Ok(Self::Fixed(piece_set(text)?)),
            None if figures.are_of_a_file() => Ok(Self::Fixed(PieceSet::soma(1))),
            None => Ok(Self::Auto),
        }
    }

    /// The set for a figure.
    pub(crate) fn of(&self, asked: &Asked) -> PieceSet {
        match self {
            Self::Fixed(set) => set.clone(),
            Self::Auto => asked.likely_set.clone().unwrap_or_else(|| PieceSet::soma(1)),
        }
    }
}

/// A piece set by name, by letters, or from a file, which gives the set its name.
pub(crate) fn piece_set(text: &str) -> Result<PieceSet> {
    let path = Path::new(text);
    match parse_set(text) {
        Ok(set) => Ok(set),
        Err(_) if path.is_file() => Ok(read_piece_set(path)?),
        Err(error) => Err(error.into()),
    }
}
