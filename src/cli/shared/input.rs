//! Reads figures and piece sets that arguments name. Figures are named by file, signature or name, sets by name or
//! file.

use super::choice::ChoiceArgs;
use super::files_read::note_read;
use super::summary::entry_counts;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::{Exit, Global, eprintln, is_stopped, report_refused, stop_flag, unless_stopped};
use clap::Args;
use somacat_counting::solve::Placement;
use somacat_formats::{
    Assessment, Colors, Entry, EntryStream, EntryStreamError, Format, Item, Marks, OpenError,
    Refusal, SizeHint, Warning, assess, check_size, choose_set, entry_message,
    find_colored_piece_set, open_source, source_label, text_label, whole_file_hint,
};
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::pieces::{ParseSetError, PieceSet, parse_set};
use somacat_output::dossier::{FigureArgument, Subject};
use somacat_rows::{GivenFigure, PiecesInPlaceError, let_stay_empty, pieces_in_place};
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::Metadata;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
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

/// Refuses arguments of which several are `-`, because standard input can be read only once.
pub(crate) fn require_one_stdin(
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<()> {
    match arguments.into_iter().filter(|argument| argument.as_ref() == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::usage("give - only once, because standard input cannot be read again")),
    }
}

/// Reads a whole file, or standard input for `-`. Returns its name for messages, and its bytes.
pub(crate) fn read_whole(path: &Path) -> Result<(String, Vec<u8>)> {
    announce_waiting(path);
    note_read(path);
    let is_stdin = path == Path::new("-");
    let label = if is_stdin { source_label(path) } else { path.display().to_string() };
    let bytes = match is_stdin {
        true => io::stdin().lock().bytes().collect(),
        false => std::fs::read(path),
    };
    Ok((label.clone(), bytes.context(label)?))
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
    /// True if a figure has the size of its pieces.
    fits: bool,
    /// The file; empty for the text of an argument.
    path: PathBuf,
}

impl Entries {
    /// Starts reading a file, or standard input for `-`.
    pub(crate) fn open(path: &Path, format: Option<Format>, colors: Colors) -> Self {
        announce_waiting(path);
        note_read(path);
        let (path, label, file) = (path.to_owned(), source_label(path), path.to_owned());
        let entry_stream = match is_short(&path) {
            true => EntryStream::of_short_file(|| open_source(&path), format, colors),
            false => EntryStream::begin(move || open_source(&path), format, colors),
        };
        Self::new(entry_stream, label, file)
    }

    /// Reads the text of an argument.
    fn of_text(text: &str, format: Option<Format>, colors: Colors) -> Self {
        let entry_stream = EntryStream::of_short_file(|| Ok(text.as_bytes()), format, colors);
        Self::new(entry_stream, excerpt(text), PathBuf::new())
    }

    const fn new(entry_stream: EntryStream, label: String, path: PathBuf) -> Self {
        Self { entry_stream, label, path, faults: 0, sound: 0, fits: false }
    }

    /// Returns true if the entries are the text of an argument.
    fn is_text(&self) -> bool {
        self.path.as_os_str().is_empty()
    }

    /// Returns up to `most` sound, labeled entries; none at the end.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<(String, Entry)>> {
        let mut entries = Vec::new();
        while entries.is_empty() {
            let items = self.entry_stream.chunk(most, BATCH_WAIT, stop_flag()).map_err(
                |error| match error {
                    EntryStreamError::Open(error) => Failure::from(error),
                    error => Failure::failed(format!("{}: {error}", self.label)),
                },
            )?;
            if items.is_empty() {
                break;
            }
            for item in items {
                match item {
                    Item::Fault(fault) => {
                        self.faults += 1;
                        let name = fault.name.as_deref();
                        report_refused(&self.message(fault.line, name, &fault.reason));
                    }
                    Item::Entry(entry) => {
                        self.sound += 1;
                        let number = self.sound + self.faults;
                        let label = match self.is_text() {
                            true => text_label(&entry, &self.label, number),
                            false => entry.label(&self.label, number),
                        };
                        entries.push((label, entry));
                    }
                }
            }
        }
        Ok(entries)
    }

    /// Reports the same mistakes as `import`: a wrong packing, an abbreviated name, or a number of cells that the set
    /// does not fill. With a likely cause the last counts as refused, because the figure is probably not the one that
    /// was meant.
    fn assess(&mut self, entry: &Entry, set: &PieceSet) {
        let fits = set.fills(entry.figure.len());
        self.fits |= fits;
        if fits && entry.claim_with(set).is_none() && entry.warnings.is_empty() {
            return;
        }
        match assess(entry, set) {
            Assessment::Sound { warnings, .. } => {
                for warning in warnings.iter().filter(|w| !matches!(w, Warning::InPlace { .. })) {
                    eprintln(&self.message(warning.line(), entry.name.as_deref(), warning));
                }
            }
            Assessment::Refused(refusal) => {
                let hint = match &refusal {
                    Refusal::CellCount { hint, .. } => Some(hint),
                    Refusal::NoChoice { .. } => None,
                    _ => return,
                };
                let by_mistake =
                    matches!(hint, Some(SizeHint::BlankLine(_) | SizeHint::Pieces { .. }));
                if by_mistake {
                    (self.sound, self.faults) = (self.sound - 1, self.faults + 1);
                }
                let report = if by_mistake { report_refused } else { eprintln };
                report(&self.message(entry.line, entry.name.as_deref(), &refusal));
            }
        }
    }

    /// Reports that the whole file has the size of the pieces, but none of its figures has.
    fn report_whole(&self, set: &PieceSet) {
        // Standard input cannot be read a second time.
        if !self.fits && self.sound > 1 && self.path.is_file() {
            let hint = whole_file_hint(&self.path, |cells| set.fills(cells));
            hint.iter().for_each(|hint| eprintln(hint));
        }
    }

    fn message(&self, line: usize, name: Option<&str>, message: &dyn Display) -> String {
        entry_message(&self.label, line, name, message)
    }

    /// Returns an error if the file held no figure, sound or faulty.
    pub(crate) fn require_any(&self) -> Result<()> {
        let any = self.sound + self.faults > 0 || is_stopped();
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
    /// The colors of its cells. `None` unless the command obeys colors.
    pub(crate) colors: Option<Box<FigureColors>>,
    pub(crate) marks: Option<Marks>,
    suggested_set: SuggestedSet,
    /// True if any cells may stay empty.
    gaps: bool,
    /// True if the set is only suggested by the size or the marks, and SOMA is used unless another is chosen.
    soma_by_default: bool,
}

impl RequestedFigure {
    /// Takes an entry, and assesses it with the set that will be used.
    fn of_entry(label: String, entry: Entry, entries: &mut Entries, set: Option<&SetArg>) -> Self {
        let suggested_set = choose_set(&entry).map_err(|refusal| refusal.to_string());
        // A puzzle's own pieces are a fact, not a guess. Text in quotes takes the set for its size, as a box does.
        let soma_by_default =
            entry.pieces.is_none() && !(entries.is_text() && suggested_set.is_ok());
        let mut marks = entry.placed.clone();
        if let Some(Ok(set)) = set.map(|set| set.of(&suggested_set, soma_by_default)) {
            entries.assess(&entry, &set);
            marks = entry.placed_with(&set).cloned();
        }
        let Entry { figure, colors, .. } = entry;
        Self { label, suggested_set, figure, colors, marks, gaps: false, soma_by_default }
    }

    /// Sets whether any cells may stay empty, not only those that the figure marks.
    pub(crate) fn allow_gaps(&mut self, gaps: bool) {
        self.gaps = gaps;
        if gaps {
            let_stay_empty(&mut self.colors);
        }
    }

    /// Returns the set with gaps for the cells that stay empty.
    pub(crate) fn with_gaps(&self, set: PieceSet) -> PieceSet {
        self.given().with_gaps(set)
    }

    /// Returns the figure with its colors and the pieces in place.
    pub(crate) fn given(&self) -> GivenFigure<'_> {
        let (colors, placed) = (self.colors.as_deref(), self.marks.as_ref());
        GivenFigure { figure: &self.figure, colors, placed, gaps: self.gaps }
    }

    /// Returns true if a file's figure suggests other pieces than `set`.
    pub(crate) fn suggests_other_pieces(&self, set: &PieceSet) -> bool {
        self.soma_by_default && self.suggested_set.as_ref().is_ok_and(|suggested| suggested != set)
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
        let suggested_set = subject.suggested_set().map_err(|refusal| refusal.to_string());
        let soma_by_default = suggested_set.is_err();
        let entry = subject.file.map(|file| file.entry);
        let (marks, colors) = entry.map_or((None, None), |entry| (entry.placed, entry.colors));
        let (label, figure) = (subject.name, subject.figure);
        Self { label, figure, colors, marks, suggested_set, gaps: false, soma_by_default }
    }
}

enum Argument {
    File(PathBuf),
    Text(String),
    Figure(Box<RequestedFigure>),
}

/// The figures that arguments name, in order: those of files, and single ones that were looked up.
pub(crate) struct RequestedFigures {
    arguments: VecDeque<Argument>,
    format: Option<Format>,
    colors: Colors,
    /// The pieces with which entries of files are assessed. `None` accepts any number of cells.
    set: Option<SetArg>,
    open: Option<Entries>,
    /// True if there are several arguments, or files of a folder. One that cannot be read then costs only itself.
    are_several: bool,
    /// The entries of files, those refused, and the lines skipped.
    read: [u64; 3],
    /// True if all cells may stay empty, also those that a figure does not mark.
    gaps: bool,
}

impl RequestedFigures {
    /// Resolves each text ([`FigureArgument`]): files (or standard input for `-`), a figure itself, or one to look up.
    ///
    /// Refuses a text that names nothing before it reads any file. Entries of files are assessed with `set`, if given.
    pub(crate) fn open(
        global: &Global,
        texts: &[String],
        format: Option<Format>,
        set: Option<&SetArg>,
    ) -> Result<Self> {
        require_one_stdin(texts)?;
        let fixed = set.and_then(SetArg::fixed);
        let mut arguments = VecDeque::new();
        for text in texts {
            match FigureArgument::of_text(&global.db, text, format, fixed, &eprintln)? {
                FigureArgument::File(path) => arguments.push_back(Argument::File(path)),
                FigureArgument::Files(paths) => {
                    arguments.extend(paths.into_iter().map(Argument::File));
                }
                FigureArgument::Text(text) => arguments.push_back(Argument::Text(text)),
                FigureArgument::Subject(subject) => {
                    if matches!(set, Some(SetArg::Default)) {
                        report_set(&subject.name, &subject.sets);
                    }
                    arguments.push_back(Argument::Figure(Box::new((*subject).into())));
                }
            }
        }
        if format.is_some() && arguments.iter().all(|one| matches!(one, Argument::Figure(_))) {
            return Err(Failure::usage("--format is for figures in files"));
        }
        let (set, colors, are_several) = (set.cloned(), Colors::Refused, arguments.len() > 1);
        let (open, read, gaps) = Default::default();
        Ok(Self { arguments, format, colors, set, open, are_several, read, gaps })
    }

    /// Reads figures with colors, which the command obeys. They are refused otherwise.
    pub(crate) fn obeying_colors(self) -> Self {
        self.obeying(Colors::Obeyed)
    }

    /// Sets which colors the command obeys.
    pub(crate) fn obeying(self, colors: Colors) -> Self {
        Self { colors, ..self }
    }

    /// Sets whether all cells may stay empty, also those that a figure does not mark.
    pub(crate) fn with_gaps(self, gaps: bool) -> Self {
        Self { gaps, ..self }
    }

    /// Returns true if the figures can be read without waiting.
    pub(crate) fn are_at_hand(&self) -> bool {
        self.arguments.iter().all(|argument| match argument {
            Argument::File(path) => is_short(path),
            Argument::Text(_) | Argument::Figure(_) => true,
        })
    }

    /// Returns up to `most` figures. Returns none at the end or after a request to stop.
    pub(crate) fn chunk(&mut self, most: usize) -> Result<Vec<RequestedFigure>> {
        loop {
            if let Some(mut entries) = self.open.take() {
                let chunk = entries.chunk(most);
                let ended = matches!(&chunk, Ok(chunk) if chunk.is_empty());
                match if ended { entries.require_any().map(|()| Vec::new()) } else { chunk } {
                    Ok(chunk) if chunk.is_empty() => self.end(&entries),
                    Ok(chunk) => {
                        let set = self.set.as_ref();
                        let requested = |(label, entry)| {
                            let mut figure =
                                RequestedFigure::of_entry(label, entry, &mut entries, set);
                            figure.allow_gaps(self.gaps);
                            figure
                        };
                        let requested = chunk.into_iter().map(requested).collect();
                        self.open = Some(entries);
                        return Ok(requested);
                    }
                    Err(Failure::Error(_, error)) if self.are_several => {
                        report_refused(&format!("{error:#}"));
                    }
                    Err(error) => return Err(error),
                }
            }
            let next = self.arguments.pop_front().filter(|_| !is_stopped());
            self.open = match next {
                None => return Ok(Vec::new()),
                Some(Argument::File(path)) => Some(Entries::open(&path, self.format, self.colors)),
                Some(Argument::Text(text)) => {
                    Some(Entries::of_text(&text, self.format, self.colors))
                }
                Some(Argument::Figure(mut requested)) => {
                    requested.allow_gaps(self.gaps);
                    self.report_size(&requested);
                    return Ok(vec![*requested]);
                }
            };
        }
    }

    /// Adds up what a file held, and reports if only the whole file has the size of the set.
    fn end(&mut self, entries: &Entries) {
        if let Some(Ok(set)) = self.set.as_ref().map(|set| set.of(&Err(String::new()), true)) {
            entries.report_whole(&set);
        }
        let skipped = entries.entry_stream.skipped_lines();
        let read = [entries.sound + entries.faults, entries.faults, skipped];
        self.read.iter_mut().zip(read).for_each(|(sum, number)| *sum += number);
    }

    /// Reports the size of a figure that was looked up, if its set does not fill it.
    fn report_size(&self, requested: &RequestedFigure) {
        if let Some(Ok(set)) = self.set.as_ref().map(|set| set.for_figure(requested))
            && let Err(refusal) = check_size(requested.figure.len(), &set)
        {
            eprintln(&format!("{}: {refusal}", requested.label));
        }
    }

    /// Returns the only figure that a text names. Returns `None` after a request to stop.
    pub(crate) fn one(
        global: &Global,
        text: &String,
        format: Option<Format>,
        set: &SetArg,
    ) -> Result<Option<RequestedFigure>> {
        Self::open(global, std::slice::from_ref(text), format, Some(set))?.sole()
    }

    /// Returns the only figure. Returns `None` after a request to stop.
    pub(crate) fn sole(&mut self) -> Result<Option<RequestedFigure>> {
        self.sole_or("give only one")
    }

    /// Returns the only figure like [`Self::sole`]. `cure` says what to do if there are several.
    pub(crate) fn sole_or(&mut self, cure: &str) -> Result<Option<RequestedFigure>> {
        let mut found = None;
        // A chunk may end early, so that only an empty one says that no figure follows.
        while let chunk = self.chunk(2)?
            && !chunk.is_empty()
        {
            for figure in chunk {
                if found.replace(figure).is_some() {
                    return Err(Failure::usage(format!("there are several figures; {cure}")));
                }
            }
        }
        Ok(found)
    }

    /// Returns the counts of the entries of files read to the end, or `None` without a file.
    pub(crate) fn entry_counts(&self) -> Option<String> {
        let [read, refused, skipped] = self.read;
        (read + skipped > 0).then(|| entry_counts(read, refused, skipped))
    }
}

// The figure of a command that takes only one, with its pieces.
#[derive(Args, Debug)]
pub(crate) struct FigureArgs {
    /// A file, -, a box such as 3x3x4, a figure such as '67 77', a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    pub(crate) figure: String,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as V L T2, a file of pieces, or auto: by the
    /// number of cells and the marks. SOMA for files unless given or in the file.
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

    /// Returns the figure with its pieces, of which packings may use some, and which may leave cells empty; `None` after a
    /// request to stop.
    pub(crate) fn read_with_choice(
        &self,
        global: &Global,
        format: Option<Format>,
        choice: ChoiceArgs,
    ) -> Result<Option<(RequestedFigure, PieceSet)>> {
        let set = SetArg::with_ranges(self.set.as_deref())?;
        let assessed = (!choice.fits_any_size()).then_some(&set);
        let text = std::slice::from_ref(&self.figure);
        let figures = RequestedFigures::open(global, text, format, assessed)?;
        let mut figures = figures.obeying(Colors::Gaps).with_gaps(choice.gaps);
        let Some(requested) = figures.sole()? else { return Ok(None) };
        let pieces =
            set.for_figure(&requested).map_err(Failure::failed).context(requested.label.clone())?;
        let pieces = choice.pieces_for(&requested.given(), pieces);
        Ok(Some((requested, pieces)))
    }
}

/// Reports which set is used of a figure that a catalog knows, the first, unless that is clear: the only one, which
/// would be used without a catalog, too.
pub(crate) fn report_set(label: &str, sets: &[PieceSet]) {
    const MOST_NAMED: usize = 3;
    let [used, others @ ..] = sets else { return };
    let names: Vec<&str> = others.iter().take(MOST_NAMED).map(PieceSet::name).collect();
    let (used_name, named) = (used.name(), names.join(" and "));
    let standard = PieceSet::standard(used.total_cells());
    let is_standard = standard.is_some_and(|standard| standard.name() == used_name);
    let others = match others.len().saturating_sub(MOST_NAMED) {
        _ if others.is_empty() && is_standard => return,
        _ if others.is_empty() => "the set in the catalog".to_owned(),
        0 => format!("the catalog also has {named}"),
        further => format!("the catalog also has {named} and {further} others"),
    };
    eprintln(&format!("{label}: with {used_name}; {others}, see --set"));
}

/// Returns the exit code when no figure was read: a stop was requested, or the only one is faulty.
pub(crate) fn no_figure() -> Exit {
    if is_stopped() { Exit::Stopped } else { Exit::Partial }
}

/// The choice of pieces to build figures from.
#[derive(Clone, Debug)]
pub(crate) enum SetArg {
    Fixed(PieceSet),
    /// The set that each figure's size, its marks or the catalog suggest.
    Auto,
    /// The pieces of a puzzle, or SOMA for other figures of a file. For others, the set of the catalog, else SOMA.
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

    /// Reads a set whose pieces may have colors, which the command obeys.
    pub(crate) fn with_colors(text: Option<&str>) -> Result<Self> {
        match text.filter(|text| !text.eq_ignore_ascii_case("auto")) {
            Some(text) => Ok(Self::Fixed(colored_piece_set(text)?)),
            None => Self::new(text),
        }
    }

    /// Reads a set whose pieces may have ranges of copies, which the command obeys.
    pub(crate) fn with_ranges(text: Option<&str>) -> Result<Self> {
        match text.filter(|text| !text.eq_ignore_ascii_case("auto")) {
            Some(text) => Ok(Self::Fixed(piece_set_with_ranges(text)?)),
            None => Self::new(text),
        }
    }

    pub(crate) const fn fixed(&self) -> Option<&PieceSet> {
        if let Self::Fixed(set) = self { Some(set) } else { None }
    }

    /// Returns the set for a figure, or the reason for its absence.
    pub(crate) fn for_figure(&self, requested: &RequestedFigure) -> SuggestedSet {
        self.of(&requested.suggested_set, requested.soma_by_default)
    }

    fn of(&self, suggested: &SuggestedSet, soma_by_default: bool) -> SuggestedSet {
        match self {
            Self::Fixed(set) => Ok(set.clone()),
            Self::Default if soma_by_default => Ok(PieceSet::soma(1)),
            Self::Default | Self::Auto => suggested.clone(),
        }
    }
}

/// Finds a piece set by name or letters, or reads a file or a pipe. A set from a file takes the file's name. Refuses
/// colors of cells.
pub(crate) fn piece_set(text: &str) -> Result<PieceSet> {
    colored_piece_set(text)?.plain().map_err(|error| not_taken(text, &error))
}

/// Finds a piece set like [`piece_set`], for commands that take ranges of copies.
pub(crate) fn piece_set_with_ranges(text: &str) -> Result<PieceSet> {
    colored_piece_set(text)?.without_colors().map_err(|error| not_taken(text, &error))
}

/// Refuses pieces that a command does not take: letters are a wrong option, and a file has wrong contents.
fn not_taken(text: &str, error: &ParseSetError) -> Failure {
    let message = format!("{text}: {error}");
    match Path::new(text).is_file() {
        true => Failure::failed(message),
        false => Failure::usage(message),
    }
}

/// Finds a piece set like [`piece_set`], for commands that obey the colors of cells and ranges of copies.
pub(crate) fn colored_piece_set(text: &str) -> Result<PieceSet> {
    note_read(Path::new(text));
    let own = text.to_owned();
    let set = unless_stopped(Path::new(text), move || find_colored_piece_set(&own, Path::new("")))?;
    let set = set.ok_or_else(|| Failure::stopped("stopped"))??;
    if Path::new(text).is_file() && parse_set(text).is_ok() {
        let pieces = set.name();
        eprintln(&format!("note: {text} means the pieces {pieces}; write ./{text} for the file"));
    }
    Ok(set)
}
