//! Reads figures and piece sets that arguments name. Figures are named by file, signature or name, sets by name or
//! file.

use super::failure::{Context, Failure, Result};
use super::{Exit, Global, STOP, eprintln};
use crate::dossier::{Subject, look_up};
use crate::figure::Figure;
use crate::formats::{
    Assessment, Entry, EntryStream, EntryStreamError, Format, Item, Marks, OpenError, Refusal,
    SizeHint, Warning, assess, choose_set, count_noun, entry_message, find_piece_set, open_source,
    source_label,
};
use crate::pieces::{PieceSet, parse_set};
use crate::run::{PiecesInPlaceError, pieces_in_place};
use crate::solve::Placement;
use clap::Args;
use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::Metadata;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The time that figures wait for others before a chunk is returned.
const BATCH_WAIT: Duration = Duration::from_millis(200);

/// The most bytes of a file that is read at once. Reading them takes some milliseconds.
const SHORT_FILE_BYTES: u64 = 1 << 18;

/// Returns true for files that can be read without waiting.
fn is_short(path: &Path) -> bool {
    let short = |found: Metadata| found.is_file() && found.len() <= SHORT_FILE_BYTES;
    path != Path::new("-") && path.metadata().is_ok_and(short)
}

/// Says that the program waits for figures, if it reads them from a terminal.
pub(crate) fn announce_waiting(path: &Path) {
    if path == Path::new("-") && io::stdin().is_terminal() {
        eprintln("waiting for figures from the terminal; Ctrl-D on a line of its own ends them");
    }
}

/// A reader of a file's entries, which reports faults on standard error.
///
/// It ends when a signal requests a stop.
pub(crate) struct Entries {
    entry_stream: EntryStream,
    label: String,
    pub(crate) faults: u64,
    /// Sound entries so far.
    pub(crate) sound: u64,
    /// Sound entries with a likely mistake in the number of cells. The number differs from that of their pieces.
    wrong_sizes: u64,
}

impl Entries {
    /// Starts reading a file, or standard input for `-`.
    pub(crate) fn open(path: &Path, format: Option<Format>) -> Self {
        announce_waiting(path);
        let (path, label) = (path.to_owned(), source_label(path));
        let entry_stream = match is_short(&path) {
            true => EntryStream::of_short_file(|| open_source(&path), format),
            false => EntryStream::begin(move || open_source(&path), format),
        };
        Self { entry_stream, label, faults: 0, sound: 0, wrong_sizes: 0 }
    }

    /// Returns up to `most` sound, labeled entries; none at the end.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<(String, Entry)>> {
        let mut entries = Vec::new();
        while entries.is_empty() {
            let items =
                self.entry_stream.chunk(most, BATCH_WAIT, &STOP).map_err(|error| match error {
                    EntryStreamError::Open(error) => Failure::from(error),
                    error => Failure::failed(format!("{}: {error}", self.label)),
                })?;
            if items.is_empty() {
                break;
            }
            for item in items {
                match item {
                    Item::Fault(fault) => {
                        self.faults += 1;
                        self.report(fault.line, fault.name.as_deref(), &fault.reason);
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

    /// Reports the same mistakes as `import`: a wrong packing, an abbreviated name, or the likely cause of a wrong
    /// number of cells. The last counts as a fault, because the figure is probably not the one that was meant.
    fn assess(&mut self, entry: &Entry, set: &PieceSet) {
        if entry.claim.is_none() && entry.blank_line.is_none() && entry.warnings.is_empty() {
            return;
        }
        match assess(entry, set) {
            Assessment::Sound { warnings, .. } => {
                for warning in warnings.iter().filter(|w| !matches!(w, Warning::InPlace { .. })) {
                    self.report(warning.line(), entry.name.as_deref(), warning);
                }
            }
            Assessment::Refused(refusal) => {
                let Refusal::CellCount { hint, .. } = &refusal else { return };
                if !matches!(hint, SizeHint::None) {
                    self.report(entry.line, entry.name.as_deref(), &refusal);
                }
                self.wrong_sizes +=
                    u64::from(matches!(hint, SizeHint::BlankLine(_) | SizeHint::Pieces { .. }));
            }
        }
    }

    fn report(&self, line: usize, name: Option<&str>, message: &dyn Display) {
        eprintln(&entry_message(&self.label, line, name, message));
    }

    /// Returns an error if the file held no figure, sound or faulty.
    pub(crate) fn require_any(&self) -> Result<()> {
        let any = self.sound + self.faults > 0 || STOP.load(Ordering::Relaxed);
        if any { Ok(()) } else { Err(OpenError::NoFigure(self.label.clone()).into()) }
    }
}

/// The set suggested for a figure, or the reason for its absence. The size, the marks or the catalog suggest it.
type SuggestedSet = std::result::Result<PieceSet, String>;

#[derive(Clone, Debug)]
pub(crate) struct RequestedFigure {
    pub(crate) label: String,
    /// The figure in its given position.
    pub(crate) figure: Figure,
    pub(crate) marks: Option<Marks>,
    suggested_set: SuggestedSet,
    /// True if read from a file, not looked up in the catalog.
    of_file: bool,
}

impl RequestedFigure {
    fn of_entry(label: String, entry: Entry, suggested_set: SuggestedSet) -> Self {
        Self { label, suggested_set, figure: entry.figure, marks: entry.placed, of_file: true }
    }

    /// Returns true if a file's figure suggests other pieces than `set`.
    pub(crate) fn suggests_other_pieces(&self, set: &PieceSet) -> bool {
        self.of_file && self.suggested_set.as_ref().is_ok_and(|suggested| suggested != set)
    }

    /// Returns the pieces in place as placements of a set. Returns `None` if the figure has no marks.
    pub(crate) fn pieces_in_place(
        &self,
        set: &PieceSet,
    ) -> std::result::Result<Option<Vec<Placement>>, PiecesInPlaceError> {
        self.marks.as_ref().map(|marks| pieces_in_place(marks, set)).transpose()
    }
}

impl From<Subject> for RequestedFigure {
    fn from(subject: Subject) -> Self {
        let suggested_set = subject.likely_set().ok_or_else(|| {
            let cells = count_noun(subject.figure.len(), "cell");
            format!("no standard set has {cells}; choose one with --set")
        });
        let of_file = subject.file.is_some();
        let marks = subject.file.and_then(|file| file.entry.placed);
        Self { label: subject.name, figure: subject.figure, marks, suggested_set, of_file }
    }
}

enum Argument {
    File(PathBuf),
    Figure(Box<RequestedFigure>),
}

/// The figures that arguments name, in order: those of files, and single ones that were looked up.
pub(crate) struct RequestedFigures {
    arguments: VecDeque<Argument>,
    format: Option<Format>,
    /// The pieces with which entries of files are assessed. `None` accepts any number of cells.
    set: Option<SetArg>,
    open: Option<Entries>,
    faults: u64,
}

impl RequestedFigures {
    /// Resolves each text: a file (or standard input for `-`), a signature, or a name in the catalog.
    ///
    /// Refuses a text that names nothing before it reads any file. Entries of files are assessed with `set`, if given.
    pub(crate) fn open(
        global: &Global,
        texts: &[String],
        format: Option<Format>,
        set: Option<&SetArg>,
    ) -> Result<Self> {
        let fixed = set.and_then(SetArg::fixed);
        let mut arguments = VecDeque::new();
        for text in texts {
            let path = Path::new(text);
            if text == "-" || (path.exists() && !path.is_dir()) {
                arguments.push_back(Argument::File(path.to_owned()));
            } else {
                let subjects = look_up(&global.db, text, format, fixed, &eprintln)?;
                let figure = |subject: Subject| Argument::Figure(Box::new(subject.into()));
                arguments.extend(subjects.into_iter().map(figure));
            }
        }
        Ok(Self { arguments, format, set: set.cloned(), open: None, faults: 0 })
    }

    /// Returns true if the figures can be read without waiting.
    pub(crate) fn are_at_hand(&self) -> bool {
        self.arguments.iter().all(|argument| match argument {
            Argument::File(path) => is_short(path),
            Argument::Figure(_) => true,
        })
    }

    /// Returns up to `most` figures. Returns none at the end or after a request to stop.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<RequestedFigure>> {
        loop {
            if let Some(entries) = &mut self.open {
                let chunk = entries.chunk(most)?;
                if !chunk.is_empty() {
                    let requested = |(label, entry): (String, Entry)| {
                        let suggested = choose_set(&entry).map_err(|refusal| refusal.to_string());
                        if let Some(Ok(set)) = self.set.as_ref().map(|set| set.of(&suggested, true))
                        {
                            entries.assess(&entry, &set);
                        }
                        RequestedFigure::of_entry(label, entry, suggested)
                    };
                    return Ok(chunk.into_iter().map(requested).collect());
                }
                entries.require_any()?;
                self.faults += entries.faults + entries.wrong_sizes;
                self.open = None;
            }
            match self.arguments.pop_front() {
                _ if STOP.load(Ordering::Relaxed) => return Ok(Vec::new()),
                None => return Ok(Vec::new()),
                Some(Argument::File(path)) => self.open = Some(Entries::open(&path, self.format)),
                Some(Argument::Figure(requested)) => return Ok(vec![*requested]),
            }
        }
    }

    /// Returns the only figure that a text names. Returns `None` after a request to stop.
    pub(crate) fn one(
        global: &Global,
        text: &String,
        format: Option<Format>,
        set: &SetArg,
    ) -> Result<Option<RequestedFigure>> {
        let mut figures = Self::open(global, std::slice::from_ref(text), format, Some(set))?;
        let mut chunk = figures.chunk(2)?;
        match chunk.len() {
            0 | 1 => Ok(chunk.pop()),
            _ => Err(Failure::usage("the file has several figures; give a file with only one")),
        }
    }

    /// Returns the number of faulty entries in files read to the end. Includes entries with a likely mistake.
    pub(crate) const fn faults(&self) -> u64 {
        self.faults
    }
}

// The figure of a command that takes only one, with its pieces.
#[derive(Args, Debug)]
pub(crate) struct FigureArgs {
    /// A file, -, a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    pub(crate) figure: String,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as V L T2, a file of pieces, or auto: by the
    /// number of cells and the marks. SOMA for files unless given.
    #[arg(long)]
    pub(crate) set: Option<String>,
}

impl FigureArgs {
    /// Returns the figure with its pieces; `None` after a request to stop.
    pub(crate) fn read(
        &self,
        global: &Global,
        format: Option<Format>,
    ) -> Result<Option<(RequestedFigure, PieceSet)>> {
        let set = SetArg::new(self.set.as_deref())?;
        let requested = RequestedFigures::one(global, &self.figure, format, &set)?;
        let Some(requested) = requested else { return Ok(None) };
        let pieces =
            set.for_figure(&requested).map_err(Failure::failed).context(requested.label.clone())?;
        Ok(Some((requested, pieces)))
    }
}

/// Returns the exit code when no figure was read: a stop was requested, or the only one is faulty.
pub(crate) fn no_figure() -> Exit {
    if STOP.load(Ordering::Relaxed) { Exit::Stopped } else { Exit::Partial }
}

/// The choice of pieces to build figures from.
#[derive(Clone, Debug)]
pub(crate) enum SetArg {
    Fixed(PieceSet),
    /// The set that each figure's size, its marks or the catalog suggest.
    Auto,
    /// SOMA for figures of a file. For others, the set of the catalog, else SOMA.
    Default,
}

impl SetArg {
    pub(crate) fn new(text: Option<&str>) -> Result<Self> {
        match text {
            Some(text) if text.eq_ignore_ascii_case("auto") => Ok(Self::Auto),
            Some(text) => Ok(Self::Fixed(piece_set(text)?)),
            None => Ok(Self::Default),
        }
    }

    pub(crate) const fn fixed(&self) -> Option<&PieceSet> {
        if let Self::Fixed(set) = self { Some(set) } else { None }
    }

    /// Returns the set for a figure, or the reason for its absence.
    pub(crate) fn for_figure(&self, requested: &RequestedFigure) -> SuggestedSet {
        self.of(&requested.suggested_set, requested.of_file)
    }

    fn of(&self, suggested: &SuggestedSet, of_file: bool) -> SuggestedSet {
        match (self, suggested) {
            (Self::Fixed(set), _) => Ok(set.clone()),
            (Self::Auto, suggested) => suggested.clone(),
            (Self::Default, Ok(suggested)) if !of_file => Ok(suggested.clone()),
            (Self::Default, _) => Ok(PieceSet::soma(1)),
        }
    }
}

/// Finds a piece set by name or letters, or reads a file. A set from a file takes the file's name.
pub(crate) fn piece_set(text: &str) -> Result<PieceSet> {
    let set = find_piece_set(text, Path::new(""))?;
    if Path::new(text).is_file() && parse_set(text).is_ok() {
        let pieces = set.name();
        eprintln(&format!("note: {text} means the pieces {pieces}; write ./{text} for the file"));
    }
    Ok(set)
}
