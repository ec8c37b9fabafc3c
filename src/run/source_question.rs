//! The question which figures a source has: a file, standard input, or a text built into the program.
//!
//! Entries are read by a thread, recognized on all cores, and passed on in the order of the source. The place of an
//! answer is the number of entries before it. A unit also counts them, in short batches, because a kill must not cost
//! more than a moment; a run counts all figures at its end.

use super::set_choice::SetChoice;
use super::{Source, default_limits};
use rayon::prelude::*;
use somacat_counting::costs;
use somacat_counting::enumerate::{Place, ShardRange};
use somacat_counting::question::{
    Batch, Batches, CensusReport, CountedRow, Entry, EntryFault, EntryName, EntrySource, Keep,
    Origin, Question, QuestionError, Size, SourceEnd, Trial, Work, WorkEstimate, count_canonical,
};
use somacat_counting::solve::Limits;
use somacat_formats::{
    Assessment, EntryStream, EntryStreamError, Format, Item, OpenError, assess, choose_set,
    whole_file_hint,
};
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::pieces::PieceSet;
use std::collections::HashSet;
use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most entries recognized at a time: enough to keep all cores busy.
const BATCH_ENTRIES: usize = 1 << 14;

/// The time that entries wait for further ones. A kill may lose as much of a slow pipe.
const WAIT: Duration = Duration::from_millis(500);

/// Entries that are counted at first before any is passed on. The number doubles while they take less than [`WAIT`].
const COUNTED_ENTRIES: usize = 64;

/// The least number of a file's entries whose work is estimated. Of a file with fewer entries, all are.
const TRIED_ENTRIES: usize = 200;

/// A source of figures, asked for its entries.
pub struct SourceQuestion {
    source: Source,
    /// The name in the catalog.
    label: String,
    /// Its format; detected if not given.
    format: Option<Format>,
    set: SetChoice,
    /// True to count the entries where they are read.
    counts: bool,
    /// The digest of its content, if it is known.
    sha256: Option<String>,
    /// The source if it was opened for a check: some can be read only once.
    opened: Mutex<Option<OpenSource>>,
}

impl Debug for SourceQuestion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { source, label, format, set, counts, sha256: _, opened: _ } = self;
        let mut text = f.debug_struct("SourceQuestion");
        text.field("source", source).field("label", label).field("format", format);
        text.field("set", set).field("counts", counts).finish_non_exhaustive()
    }
}

impl SourceQuestion {
    /// Asks for the entries of a source, which are not counted there. The format is detected if not given.
    pub fn new(source: Source, format: Option<Format>, set: SetChoice) -> Self {
        let (label, opened) = (source.label(), Mutex::new(None));
        Self { source, label, format, set, counts: false, sha256: None, opened }
    }

    /// Asks for the entries of a source, with their outcomes. The catalog knows it by this label, and by the digest of
    /// its content.
    pub fn counting(source: Source, label: String, set: SetChoice, sha256: String) -> Self {
        Self { label, counts: true, sha256: Some(sha256), ..Self::new(source, None, set) }
    }

    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the pieces for every figure. `None` if each has its own.
    pub fn set(&self) -> Option<&PieceSet> {
        self.set.fixed()
    }

    /// Opens the source, or continues where a check has begun.
    fn open(&self, stop: &AtomicBool) -> Result<OpenSource, QuestionError> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        match opened {
            Some(open) => Ok(open),
            None => {
                OpenSource::open(self.source.shown(), self.source.entry_stream(self.format), stop)
            }
        }
    }

    /// Recognizes entries, and counts those that are the first with their figure and set. Ends where a stop came.
    fn answered(&self, items: Vec<(u64, Item)>, known: &mut Known, work: Work<'_>) -> Batch {
        let recognized: Option<Vec<Recognized>> = items
            .into_par_iter()
            .map(|(ordinal, item)| (!work.stopped()).then(|| recognize(item, ordinal, &self.set)))
            .collect();
        let Some(recognized) = recognized else { return Batch::default() };
        let is_new = |one: &Recognized| {
            one.entry.as_ref().is_some_and(|Entry { candidate, set, .. }| {
                known.insert((set.name().to_owned(), candidate.signature().to_string()))
            })
        };
        let wanted: Vec<bool> = match self.counts {
            true => recognized.iter().map(is_new).collect(),
            false => vec![false; recognized.len()],
        };
        let count = |(one, wanted): (Recognized, bool)| {
            let row = match &one.entry {
                Some(Entry { candidate, set, .. }) if wanted => {
                    let report =
                        work.count(|limits| count_canonical(candidate, set, limits))?.report;
                    let columns = candidate.columns().clone();
                    Some((set.clone(), CountedRow { columns, report, micros: None }))
                }
                _ => None,
            };
            Some((one, row))
        };
        let pairs: Vec<(Recognized, bool)> = recognized.into_iter().zip(wanted).collect();
        let done: Vec<_> = pairs.into_par_iter().map(count).collect();
        let mut batch = Batch::default();
        for (Recognized { ordinal, entry, fault }, row) in done.into_iter().map_while(|one| one) {
            batch.place.figures = ordinal + 1;
            batch.entries.extend(entry);
            batch.faults.extend(fault);
            batch.outcomes.extend(row);
        }
        batch
    }

    /// Advice on a file of which no entry was taken, as they may be lines of one figure.
    fn hints(&self) -> Vec<String> {
        let Source::File { path, .. } = &self.source else { return Vec::new() };
        let is_whole = |cells| match &self.set {
            SetChoice::Fixed(set) => set.total_cells() == cells,
            SetChoice::Auto => PieceSet::standard(cells).is_some(),
        };
        whole_file_hint(path, is_whole).into_iter().collect()
    }
}

/// Names of sets and signatures that were counted.
type Known = HashSet<(String, String)>;

impl Question for SourceQuestion {
    fn key(&self) -> String {
        format!("source/{}", self.label)
    }

    fn label(&self) -> String {
        self.source.shown()
    }

    fn origin(&self) -> Origin<'_> {
        Origin::Source(EntrySource {
            label: self.label.clone(),
            place: self.source.place(),
            passing: self.source.is_passing(),
            format: self.format.map(|format| format.to_string()),
            set: self.set().cloned(),
        })
    }

    fn digest(&self) -> Result<Option<String>, QuestionError> {
        // A pipe is read once.
        let again = match &self.source {
            Source::Stdin => false,
            Source::File { path, .. } => path.is_file(),
            Source::Text(..) => true,
        };
        if !again || self.sha256.is_some() {
            return Ok(self.sha256.clone());
        }
        Ok(Some(self.source.sha256().map_err(|error| QuestionError::Source(error.into()))?))
    }

    fn keep(&self) -> Keep {
        Keep::All
    }

    fn expected(&self, _stop: &AtomicBool) -> Option<u64> {
        None
    }

    fn steps(&self, entries: ShardRange, from: Place, _left: Option<u64>) -> Size {
        match entries.end {
            u64::MAX => Size::Unknown,
            end => Size::About(end.saturating_sub(from.figures.max(entries.start))),
        }
    }

    fn estimate(&self, work: Work<'_>) -> Result<WorkEstimate, QuestionError> {
        let mut source = self.open(work.stop)?;
        // One entry of `stride` is drawn. The stride doubles as entries arrive.
        let (mut drawn, mut stride, mut entries): (Vec<(u64, Item)>, u64, u64) = (Vec::new(), 1, 0);
        while !source.items.is_empty() {
            for item in std::mem::take(&mut source.items) {
                if entries.is_multiple_of(stride) {
                    drawn.push((entries, item));
                }
                entries += 1;
                if drawn.len() >= 2 * TRIED_ENTRIES {
                    stride *= 2;
                    drawn.retain(|(entry, _)| entry.is_multiple_of(stride));
                }
            }
            source.advance(work.stop)?;
        }
        let limits = Limits { nodes: work.limits.nodes, ..default_limits(work.stop) };
        let trial = |(ordinal, item): (u64, Item)| {
            let trial = recognize(item, ordinal, &self.set)
                .entry
                .map(|entry| Trial::of_some(&[&entry.candidate], &entry.set, None, limits));
            (stride.min(entries - ordinal), trial.unwrap_or_default())
        };
        let trials: Vec<(u64, Trial)> = drawn.into_par_iter().map(trial).collect();
        Ok(WorkEstimate {
            label: source.label,
            figures: entries as f64,
            kept: entries as f64,
            names: entries as f64,
            longer: trials.iter().any(|(_, trial)| trial.given_up),
            shared_memory: trials.iter().map(|(_, trial)| trial.memory).max().unwrap_or(0),
            // A drawn entry represents those up to the next.
            segments: trials
                .iter()
                .map(|(n, trial)| (*n, costs::ENTRY + trial.seconds()))
                .collect(),
            ..WorkEstimate::default()
        })
    }

    /// Opens the source and waits for its first entries.
    fn check(&self, work: Work<'_>) -> Result<(), QuestionError> {
        let open = self.open(work.stop)?;
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
        Ok(())
    }

    fn stream(
        &self,
        entries: ShardRange,
        from: Place,
        work: Work<'_>,
        to: &mut dyn Batches,
    ) -> Result<Option<CensusReport>, QuestionError> {
        let mut source = self.open(work.stop)?;
        let range = entries.start.max(from.figures)..entries.end;
        let (mut ordinal, mut taken, mut known) = (0, false, Known::new());
        let mut size = if self.counts { COUNTED_ENTRIES } else { BATCH_ENTRIES };
        while !source.items.is_empty() && ordinal < range.end {
            let items = std::mem::take(&mut source.items);
            let (first, read) = (ordinal, items.len() as u64);
            let mut rest: Vec<(u64, Item)> =
                (first..).zip(items).filter(|(ordinal, _)| range.contains(ordinal)).collect();
            while !rest.is_empty() {
                let later = rest.split_off(rest.len().min(size));
                let (begun, wanted) = (Instant::now(), std::mem::replace(&mut rest, later));
                let end = wanted.last().map_or(0, |(ordinal, _)| ordinal + 1);
                let batch = self.answered(wanted, &mut known, work);
                let done = batch.place.figures;
                taken |= !batch.entries.is_empty();
                if done > 0 && to.take(batch).is_break() || done < end {
                    return Ok(None);
                }
                if self.counts {
                    size = if begun.elapsed() < WAIT / 2 { 2 * size } else { size.div_ceil(2) };
                }
            }
            ordinal += read;
            if !self.counts {
                (work.advance)(read);
            }
            source.advance(work.stop)?;
        }
        let is_faulty = !taken && ordinal > 1 && entries.end == u64::MAX;
        let hints = if is_faulty { self.hints() } else { Vec::new() };
        let end = SourceEnd { skipped_lines: source.entry_stream.skipped_lines(), hints };
        let place = Place { shard: 0, figures: ordinal.min(range.end) };
        let _ = to.take(Batch { source_end: Some(end), ..Batch::at(place) });
        Ok(None)
    }
}

/// A source with an entry; its first items have been read.
struct OpenSource {
    label: String,
    entry_stream: EntryStream,
    /// The next items; empty at the end.
    items: Vec<Item>,
}

impl OpenSource {
    /// Reads the first items, or none after a stop.
    fn open(
        label: String,
        entry_stream: EntryStream,
        stop: &AtomicBool,
    ) -> Result<Self, QuestionError> {
        let mut source = Self { label, entry_stream, items: Vec::new() };
        source.advance(stop)?;
        match source.items.is_empty() && !stop.load(Ordering::Relaxed) {
            true => Err(QuestionError::Source(OpenError::NoFigure(source.label).into())),
            false => Ok(source),
        }
    }

    /// Reads the next items; none at the end or after a stop.
    fn advance(&mut self, stop: &AtomicBool) -> Result<(), QuestionError> {
        self.items =
            self.entry_stream.chunk(BATCH_ENTRIES, WAIT, stop).map_err(|error| match error {
                EntryStreamError::Open(error) => QuestionError::Source(error.into()),
                EntryStreamError::Read(error) => {
                    QuestionError::Source(format!("{}: {error}", self.label).into())
                }
                EntryStreamError::Thread(error) => QuestionError::Threads(error),
            })?;
        Ok(())
    }
}

/// A recognized entry; a figure may have a fault too, a warning.
struct Recognized {
    ordinal: u64,
    entry: Option<Entry>,
    fault: Option<EntryFault>,
}

fn recognize(item: Item, ordinal: u64, choice: &SetChoice) -> Recognized {
    let refused = |fault| Recognized { ordinal, entry: None, fault: Some(fault) };
    let entry = match item {
        Item::Entry(entry) => entry,
        Item::Fault(fault) => {
            return refused(EntryFault {
                ordinal,
                line: fault.line as u64,
                label: fault.name,
                refused: true,
                kind: fault.reason.kind().into(),
                message: fault.reason.to_string(),
                figure: None,
            });
        }
    };
    let fault = |refused, line: usize, kind: &'static str, message: String| EntryFault {
        ordinal,
        line: line as u64,
        label: entry.name.clone(),
        refused,
        kind: kind.into(),
        message,
        figure: refused
            .then(|| entry.figure.canonical_up_to(Equivalence::Rotations).signature.to_string()),
    };
    let set = match choice {
        SetChoice::Fixed(set) => Ok(set.clone()),
        SetChoice::Auto => choose_set(&entry),
    };
    let assessed = set.map(|set| (assess(&entry, &set), set));
    let (set, packing, warnings) = match assessed {
        Ok((Assessment::Sound { packing, warnings }, set)) => (set, packing, warnings),
        Ok((Assessment::Refused(refusal), _)) | Err(refusal) => {
            return refused(fault(true, entry.line, refusal.kind(), refusal.to_string()));
        }
    };
    // One row an entry.
    let messages: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let warning = warnings.last().map(|w| fault(false, w.line(), w.kind(), messages.join("; ")));
    let name = EntryName {
        ordinal,
        credit: entry.credit,
        note: entry.note,
        packing: packing.map(|packing| packing.letters()),
        line: entry.line as u64,
        label: entry.name,
        variant: entry.variant as u32,
        title: entry.title,
        commented_out: entry.commented_out,
    };
    let candidate = Candidate::new(entry.figure, Equivalence::for_set(&set));
    Recognized { ordinal, entry: Some(Entry { candidate, set, name }), fault: warning }
}
