//! Sources of figures: read, recognized in parallel, passed on in the order of the file.

use super::intake::{Recognized, SourceRows};
use super::plan::{ImportJob, SetChoice};
use super::{Run, RunError, Source};
use rayon::prelude::*;
use somacat_catalog::{FaultRow, NameRow, SourceOptions};
use somacat_counting::question::Size;
use somacat_formats::{
    Assessment, EntryStream, EntryStreamError, Item, OpenError, assess, choose_set, whole_file_hint,
};
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::pieces::PieceSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The most entries recognized at a time: enough to keep all cores busy.
const BATCH_ENTRIES: usize = 1 << 14;

/// The time that entries wait for further ones. A kill may lose as much of a slow pipe.
const WAIT: Duration = Duration::from_millis(500);

/// The result of recognizing an entry; a figure may have a warning.
pub enum Recognition {
    Figure(Box<Recognized>, Option<FaultRow>),
    Refusal(FaultRow),
}

/// A source with an entry; its first items have been read.
pub struct OpenSource {
    pub label: String,
    entry_stream: EntryStream,
    /// The next items; empty at the end.
    pub items: Vec<Item>,
}

impl OpenSource {
    /// Reads the first items, or none after a stop.
    pub fn open(job: &ImportJob, stop: &AtomicBool) -> Result<Self, RunError> {
        let (label, entry_stream) = (job.source.shown(), job.source.entry_stream(job.format));
        let mut source = Self { label, entry_stream, items: Vec::new() };
        source.advance(stop)?;
        match source.items.is_empty() && !stop.load(Ordering::Relaxed) {
            true => Err(OpenError::NoFigure(source.label).into()),
            false => Ok(source),
        }
    }

    /// Reads the next items; none at the end or after a stop.
    pub fn advance(&mut self, stop: &AtomicBool) -> Result<(), RunError> {
        self.items =
            self.entry_stream.chunk(BATCH_ENTRIES, WAIT, stop).map_err(|error| match error {
                EntryStreamError::Open(error) => RunError::from(error),
                EntryStreamError::Read(error) => {
                    RunError::Source { label: self.label.clone(), error }
                }
                EntryStreamError::Thread(error) => RunError::Threads(error),
            })?;
        Ok(())
    }

    /// Recognizes entries and passes them, with ordinals, to `take`. Ends at a stop.
    ///
    /// Returns the number of entries of the source up to the last one read.
    pub fn stream<E: From<RunError>>(
        &mut self,
        entries: Range<u64>,
        set: &SetChoice,
        stop: &AtomicBool,
        take: &mut dyn FnMut(Vec<(u64, Recognition)>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut ordinal = 0;
        while !self.items.is_empty() && ordinal < entries.end {
            let items: Vec<(u64, Item)> =
                (ordinal..).zip(std::mem::take(&mut self.items)).collect();
            let read = items.len() as u64;
            let recognized: Option<Vec<(u64, Recognition)>> = items
                .into_par_iter()
                .filter(|(ordinal, _)| entries.contains(ordinal))
                .map(|(ordinal, item)| {
                    let stopped = stop.load(Ordering::Relaxed);
                    (!stopped).then(|| (ordinal, recognize(item, ordinal, set)))
                })
                .collect();
            let Some(recognized) = recognized else { break };
            ordinal += read;
            take(recognized)?;
            self.advance(stop)?;
        }
        Ok(ordinal)
    }
}

impl Run<'_> {
    pub(super) fn import(&mut self, job: &ImportJob, mut open: OpenSource) -> Result<(), RunError> {
        let (stop, progress, session) =
            (self.intake.stop, self.intake.progress, &mut self.intake.session);
        let source = match &job.source {
            Source::Stdin => session.unused_source("stdin")?,
            source => session.source(&source.label(), source.place().as_deref())?,
        };
        progress.begin(&format!("reading {}", open.label), Size::Unknown);
        let taken_before = self.intake.summary.entries - self.intake.summary.refused;
        let mut rows = SourceRows::new(source, open.label.clone());
        let done = open.stream(0..u64::MAX, &job.set, stop, &mut |recognized| {
            let (mut entries, mut faults) = (Vec::new(), Vec::new());
            let read = recognized.len() as u64;
            for (_, one) in recognized {
                match one {
                    Recognition::Figure(figure, warning) => {
                        entries.push(*figure);
                        faults.extend(warning);
                    }
                    Recognition::Refusal(fault) => faults.push(fault),
                }
            }
            self.intake.add_entries(&mut rows, entries, &faults)?;
            progress.advance(read);
            Ok::<(), RunError>(())
        });
        progress.end();
        let entries = done?;
        self.intake.summary.skipped_lines += open.entry_stream.skipped_lines();
        let summary = &self.intake.summary;
        let taken = summary.entries - summary.refused > taken_before;
        if let (Source::File { path, .. }, false, 2..) = (&job.source, taken, entries) {
            let is_whole = |cells| match &job.set {
                SetChoice::Fixed(set) => set.total_cells() == cells,
                SetChoice::Auto => PieceSet::standard(cells).is_some(),
            };
            whole_file_hint(path, is_whole).iter().for_each(|hint| progress.say(hint));
        }
        if !self.intake.stopped() {
            // A pipe is read once.
            let again = match &job.source {
                Source::Stdin => false,
                Source::File { path, .. } => path.is_file(),
                Source::Text(..) => true,
            };
            let sha256 = again.then(|| job.source.sha256()).transpose()?;
            let format = job.format.map(|format| format.to_string());
            let read = SourceOptions { sha256, format, set: job.set.fixed().cloned() };
            self.intake.end_source(&rows, entries, read)?;
        }
        Ok(())
    }
}

pub(crate) fn recognize(item: Item, ordinal: u64, choice: &SetChoice) -> Recognition {
    let entry = match item {
        Item::Entry(entry) => entry,
        Item::Fault(fault) => {
            return Recognition::Refusal(FaultRow {
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
    let fault = |refused, line: usize, kind: &'static str, message: String| FaultRow {
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
            let row = fault(true, entry.line, refusal.kind(), refusal.to_string());
            return Recognition::Refusal(row);
        }
    };
    // One row an entry.
    let messages: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let warning = warnings.last().map(|w| fault(false, w.line(), w.kind(), messages.join("; ")));
    let name = NameRow {
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
    Recognition::Figure(Box::new(Recognized { candidate, name, set }), warning)
}
