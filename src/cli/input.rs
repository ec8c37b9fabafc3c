//! Figures to work on: of a file, by signature, or by name; and piece sets by name or file.

use super::failure::{Failure, Result};
use super::{Global, STOP, eprintln};
use crate::dossier::{Subject, look_up};
use crate::figure::Figure;
use crate::formats::{
    ArrivalError, Arrivals, Entry, Format, Item, Marks, OpenError, choose_set, find_piece_set,
    open_source, quantity, source_label,
};
use crate::pieces::PieceSet;
use crate::run::{PiecesInPlaceError, pieces_in_place};
use crate::solve::Placement;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long figures that have come wait for further ones before they are worked on.
const WAIT: Duration = Duration::from_millis(200);

/// A reader of the entries of a file that reports faults on standard error and counts them. Where signals are
/// listened to, it ends when one asks to stop.
pub(crate) struct Entries {
    arrivals: Arrivals,
    label: String,
    /// Faulty entries so far.
    pub(crate) faults: u64,
    /// Sound entries so far.
    pub(crate) sound: u64,
}

impl Entries {
    /// Begins to read a file, or standard input for `-`.
    pub(crate) fn open(path: &Path, format: Option<Format>) -> Self {
        let (path, label) = (path.to_owned(), source_label(path));
        let arrivals = Arrivals::begin(move || open_source(&path), format);
        Self { arrivals, label, faults: 0, sound: 0 }
    }

    /// The next sound entries, each with what it is called, at most `most`; none at the end.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<(String, Entry)>> {
        let mut entries = Vec::new();
        while entries.is_empty() {
            let items = self.arrivals.chunk(most, WAIT, &STOP).map_err(|error| match error {
                ArrivalError::Open(error) => Failure::from(error),
                error => Failure::failed(format!("{}: {error}", self.label)),
            })?;
            if items.is_empty() {
                break;
            }
            for item in items {
                match item {
                    Item::Fault(fault) => {
                        self.faults += 1;
                        let name = fault.name.map(|name| format!("{name}: ")).unwrap_or_default();
                        let (label, line) = (&self.label, fault.line);
                        eprintln(&format!("{label}:{line}: {name}{}", fault.reason));
                    }
                    Item::Entry(entry) => {
                        self.sound += 1;
                        let number = self.sound + self.faults;
                        entries.push((entry.label(&self.label, number), entry));
                    }
                }
            }
        }
        Ok(entries)
    }

    /// An error if the file held no figure, sound or not.
    pub(crate) fn require_any(&self) -> Result<()> {
        let any = self.sound + self.faults > 0 || STOP.load(Ordering::Relaxed);
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
    /// The marks of pieces that are in place.
    pub(crate) marks: Option<Marks>,
    /// The pieces that it is meant to be built from, as its marks or the catalog tell, or why they do not.
    likely_set: std::result::Result<PieceSet, String>,
    /// It was read from a file, not looked up.
    of_file: bool,
}

impl Asked {
    /// Whether the marks, or the catalog, tell of other pieces than `set`.
    pub(crate) fn marks_tell_pieces(&self, set: &PieceSet) -> bool {
        self.of_file && self.likely_set.as_ref().is_ok_and(|likely| likely != set)
    }

    /// The pieces in place as placements of a set, if there are any.
    pub(crate) fn placed(
        &self,
        set: &PieceSet,
    ) -> std::result::Result<Option<Vec<Placement>>, PiecesInPlaceError> {
        self.marks.as_ref().map(|marks| pieces_in_place(marks, set)).transpose()
    }
}

impl From<(String, Entry)> for Asked {
    fn from((label, entry): (String, Entry)) -> Self {
        let likely_set = choose_set(&entry).map_err(|refusal| refusal.to_string());
        Self { label, likely_set, figure: entry.figure, marks: entry.placed, of_file: true }
    }
}

impl From<Subject> for Asked {
    fn from(subject: Subject) -> Self {
        let likely_set = subject.likely_set().ok_or_else(|| {
            let cells = quantity(subject.figure.len(), "cell");
            format!("no standard set has {cells}; choose one with --set")
        });
        let of_file = subject.file.is_some();
        let marks = subject.file.and_then(|file| file.entry.placed);
        Self { label: subject.name, figure: subject.figure, marks, likely_set, of_file }
    }
}

/// What one argument means.
enum Argument {
    File(PathBuf),
    Figure(Box<Asked>),
}

/// The figures that arguments mean, one after another: a file's, or one that is looked up.
pub(crate) struct Figures {
    arguments: VecDeque<Argument>,
    format: Option<Format>,
    /// The file that is being read.
    open: Option<Entries>,
    faults: u64,
}

impl Figures {
    /// Finds out what each text means: a file (or standard input for `-`), a signature, or a name in the catalog.
    /// What means nothing is told before anything is read.
    pub(crate) fn open(global: &Global, texts: &[String], format: Option<Format>) -> Result<Self> {
        let mut arguments = VecDeque::new();
        for text in texts {
            let path = Path::new(text);
            if text == "-" || (path.exists() && !path.is_dir()) {
                arguments.push_back(Argument::File(path.to_owned()));
            } else {
                let subjects = look_up(&global.db, text, format, &eprintln)?;
                let figure = |subject: Subject| Argument::Figure(Box::new(subject.into()));
                arguments.extend(subjects.into_iter().map(figure));
            }
        }
        Ok(Self { arguments, format, open: None, faults: 0 })
    }

    /// The next figures, at most `most`; none at the end, or when somebody asks to stop.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<Asked>> {
        loop {
            if let Some(entries) = &mut self.open {
                let chunk = entries.chunk(most)?;
                if !chunk.is_empty() {
                    return Ok(chunk.into_iter().map(Asked::from).collect());
                }
                entries.require_any()?;
                self.faults += entries.faults;
                self.open = None;
            }
            match self.arguments.pop_front() {
                _ if STOP.load(Ordering::Relaxed) => return Ok(Vec::new()),
                None => return Ok(Vec::new()),
                Some(Argument::File(path)) => self.open = Some(Entries::open(&path, self.format)),
                Some(Argument::Figure(asked)) => return Ok(vec![*asked]),
            }
        }
    }

    /// The only figure that a text means; none if somebody asks to stop.
    pub(crate) fn one(
        global: &Global,
        text: &String,
        format: Option<Format>,
    ) -> Result<Option<Asked>> {
        let mut figures = Self::open(global, std::slice::from_ref(text), format)?;
        let mut chunk = figures.chunk(2)?;
        match chunk.len() {
            0 | 1 => Ok(chunk.pop()),
            _ => Err(Failure::usage("the file has several figures; give one of them alone")),
        }
    }

    /// Faulty entries of the files that were read to their end.
    pub(crate) const fn faults(&self) -> u64 {
        self.faults
    }
}

/// With which pieces figures are built.
#[derive(Clone, Debug)]
pub(crate) enum SetArg {
    /// These.
    Fixed(PieceSet),
    /// As each figure's size, marks or the catalog tell.
    Auto,
    /// Figures of a file are built from SOMA, those that are looked up as the catalog tells, else from SOMA.
    Usual,
}

impl SetArg {
    /// Reads the option `--set`.
    pub(crate) fn new(text: Option<&str>) -> Result<Self> {
        match text {
            Some(text) if text.eq_ignore_ascii_case("auto") => Ok(Self::Auto),
            Some(text) => Ok(Self::Fixed(piece_set(text)?)),
            None => Ok(Self::Usual),
        }
    }

    /// The set for a figure, or why none can be chosen.
    pub(crate) fn of(&self, asked: &Asked) -> std::result::Result<PieceSet, String> {
        match (self, &asked.likely_set) {
            (Self::Fixed(set), _) => Ok(set.clone()),
            (Self::Auto, likely) => likely.clone(),
            (Self::Usual, Ok(likely)) if !asked.of_file => Ok(likely.clone()),
            (Self::Usual, _) => Ok(PieceSet::soma(1)),
        }
    }
}

/// A piece set by name, by letters, or from a file, which gives the set its name.
pub(crate) fn piece_set(text: &str) -> Result<PieceSet> {
    Ok(find_piece_set(text, Path::new(""))?)
}
