//! Sources into the catalog: read, recognize in parallel, write in the order of the file.

use super::plan::{ImportJob, SetChoice};
use super::{Progress, Run, RunError, Size, Source, Summary};
use crate::catalog::{EntryRow, FaultRow, NameRow, Session, SetId, SourceId};
use crate::figure::{Candidate, Identity};
use crate::formats::{
    Assessment, EntryStream, EntryStreamError, Item, OpenError, assess, choose_set,
};
use crate::pieces::PieceSet;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Entries recognized at a time and written in one transaction: enough to keep all cores busy and to
/// write a page of an index once for many rows, small enough to stay in memory.
const CHUNK: usize = 1 << 14;

/// How long entries that have come wait for further ones: what a kill may cost of a slow pipe.
const WAIT: Duration = Duration::from_millis(500);

/// What became of one item of a source; a figure may come with a warning.
pub(crate) enum Recognition {
    Figure(Box<Recognized>, Option<FaultRow>),
    Refusal(FaultRow),
}

/// A figure with its name and the set it is to be built from.
pub(crate) struct Recognized {
    pub(crate) candidate: Candidate,
    pub(crate) name: NameRow,
    pub(crate) set: PieceSet,
}

/// The few different sets of a source, so that the catalog is not asked with every entry.
#[derive(Default)]
pub(crate) struct Sets(Vec<(PieceSet, SetId)>);

impl Sets {
    pub(crate) fn id(&mut self, set: PieceSet, session: &mut Session) -> Result<SetId, RunError> {
        if let Some((_, id)) = self.0.iter().find(|(known, _)| *known == set) {
            return Ok(*id);
        }
        let id = session.set_id(&set)?;
        self.0.push((set, id));
        Ok(id)
    }
}

/// A source that holds something: its first items have been read.
pub(crate) struct OpenSource {
    /// How messages call it.
    pub(crate) label: String,
    entry_stream: EntryStream,
    /// The items to be worked on next.
    pub(crate) items: Vec<Item>,
}

impl OpenSource {
    /// Reads the first items; none come if somebody asks to stop before.
    pub(crate) fn open(job: &ImportJob, stop: &AtomicBool) -> Result<Self, RunError> {
        let (label, entry_stream) = (job.source.shown(), job.source.entry_stream(job.format));
        let mut source = Self { label, entry_stream, items: Vec::new() };
        source.advance(stop)?;
        match source.items.is_empty() && !stop.load(Ordering::Relaxed) {
            true => Err(OpenError::NoFigure(source.label).into()),
            false => Ok(source),
        }
    }

    /// Reads the next items; none at the end, or if somebody asks to stop.
    pub(crate) fn advance(&mut self, stop: &AtomicBool) -> Result<(), RunError> {
        self.items = self.entry_stream.chunk(CHUNK, WAIT, stop).map_err(|error| match error {
            EntryStreamError::Open(error) => RunError::from(error),
            EntryStreamError::Read(error) => RunError::Source { label: self.label.clone(), error },
            EntryStreamError::Thread(error) => RunError::Threads(error),
        })?;
        Ok(())
    }
}

impl Run<'_> {
    /// Takes in one source whole.
    pub(super) fn import(&mut self, job: &ImportJob, mut open: OpenSource) -> Result<(), RunError> {
        let (session, label) = (&mut self.session, job.source.label());
        let source = match &job.source {
            Source::Stdin => session.unused_source("stdin")?,
            source => session.source(&label, source.place().as_deref())?,
        };
        self.progress.begin(&format!("reading {}", open.label), Size::Unknown);
        let done = self.import_items(job, &mut open, source);
        self.progress.end();
        done
    }

    fn import_items(
        &mut self,
        job: &ImportJob,
        open: &mut OpenSource,
        source: SourceId,
    ) -> Result<(), RunError> {
        let stop = self.settings.stop;
        let (mut ordinal, mut faulty) = (0, Vec::new());
        let mut sets = Sets::default();
        while !open.items.is_empty() {
            let items = std::mem::take(&mut open.items);
            let number = items.len() as u64;
            let recognized: Option<Vec<Recognition>> = items
                .into_par_iter()
                .enumerate()
                .map(|(at, item)| {
                    let go_on = !stop.load(Ordering::Relaxed);
                    go_on.then(|| recognize(item, ordinal + at as u64, &job.set))
                })
                .collect();
            let Some(recognized) = recognized else { break };
            ordinal += number;
            let (mut entries, mut faults) = (Vec::new(), Vec::new());
            for one in recognized {
                match one {
                    Recognition::Figure(recognized, warning) => {
                        let Recognized { candidate, name, set } = *recognized;
                        let set = sets.id(set, &mut self.session)?;
                        entries.push(EntryRow { candidate, set, name });
                        faults.extend(warning);
                    }
                    Recognition::Refusal(fault) => faults.push(fault),
                }
            }
            tell(&open.label, &faults, self.progress, &mut self.summary);
            faulty.extend(faults.iter().map(|fault| fault.ordinal));
            self.summary.entries += entries.len() as u64;
            self.summary.new += self.session.import(source, &entries, &faults)?;
            self.progress.advance(number);
            open.advance(stop)?;
        }
        if !self.stopped() {
            let remarks = self.session.finish_source(source, ordinal, &faulty)?;
            tell(&open.label, &remarks, self.progress, &mut self.summary);
        }
        Ok(())
    }
}

/// Reports faults of a source and counts them.
pub(crate) fn tell(label: &str, faults: &[FaultRow], progress: &Progress, summary: &mut Summary) {
    for fault in faults {
        let name = fault.label.as_ref().map(|n| format!("{n}: ")).unwrap_or_default();
        let what = if fault.refused { "" } else { " (imported anyway)" };
        progress.say(&format!("{label}:{}: {name}{}{what}", fault.line, fault.message));
    }
    let refused = faults.iter().filter(|fault| fault.refused).count() as u64;
    summary.refused += refused;
    summary.warnings += faults.len() as u64 - refused;
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
        credit: entry.credit().map(str::to_owned),
        packing: packing.map(|packing| packing.letters()),
        line: entry.line as u64,
        label: entry.name,
        variant: entry.variant as u32,
        title: entry.title,
        commented_out: entry.commented_out,
    };
    let candidate = Candidate::new(entry.figure, Identity::for_set(&set));
    Recognition::Figure(Box::new(Recognized { candidate, name, set }), warning)
}
