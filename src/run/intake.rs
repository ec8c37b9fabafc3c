//! Writing the figures of a plan to a catalog. A run and a merge of parts use it.

use super::{Progress, RunError, Summary};
use crate::VERSION;
use somacat_catalog::{
    Advance, CatalogError, EntryRow, EnumerationKey, EnumerationState, FaultRow, NameRow, RunEnd,
    RunOptions, Session, SetId, SourceId, SourceOptions,
};
use somacat_counting::question::{Batch, FigureSink, Keep, KnownFigure, Question};
use somacat_formats::entry_message;
use somacat_geometry::figure::{Candidate, Signature};
use somacat_geometry::pieces::PieceSet;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Entries written in one transaction at most.
const ENTRIES: usize = 1 << 14;

/// A session of a catalog with the summary of its run.
pub struct Intake<'a> {
    pub session: Session,
    pub summary: Summary,
    pub stop: &'a AtomicBool,
    pub progress: &'a Progress,
    /// The options of the run, noted with each source and question.
    pub options: RunOptions,
    begun: Instant,
}

impl<'a> Intake<'a> {
    /// Begins a session; creates the catalog if it does not exist.
    pub fn begin(
        catalog: &Path,
        title: &str,
        stop: &'a AtomicBool,
        progress: &'a Progress,
    ) -> Result<Self, CatalogError> {
        let begun = Instant::now();
        let mut session = Session::begin(catalog, title, &VERSION)?;
        session.skip_reference_checks()?;
        for label in session.delete_edited_enumerations()? {
            progress.say(&format!(
                "{label} restarts: its question, position or totals do not match their checksum"
            ));
        }
        let (summary, options) = (Summary::default(), RunOptions::default());
        Ok(Self { session, summary, stop, progress, options, begun })
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Adds up the summary and ends the session, or records the error.
    pub fn end<E>(mut self, done: Result<(), E>) -> Result<Summary, E>
    where
        E: From<CatalogError> + Display,
    {
        self.summary.stopped = self.stopped();
        let done = done.and_then(|()| Ok(self.summary.add_up(&self.session)?));
        if let Err(error) = done {
            // This error matters more than a failure to record it.
            let _ = self.session.end(RunEnd::Failed(&error.to_string()));
            return Err(error);
        }
        let end = if self.summary.stopped { RunEnd::Stopped } else { RunEnd::Finished };
        self.session.end(end)?;
        self.summary.elapsed = self.begun.elapsed();
        Ok(self.summary)
    }

    /// Looks up a question in the catalog or adds it. A damaged one restarts, which is reported.
    ///
    /// The label is that of the plan; a key has other words for the same question.
    pub fn begin_question(
        &mut self,
        question: &dyn Question,
        label: String,
        nodes: Option<u64>,
    ) -> Result<OpenQuestion, CatalogError> {
        let (key, keep) = (question.key(), question.keep());
        let set = self.session.set_id(question.set())?;
        let obeys_limit = question.obeys_limit() && keep != Keep::All;
        let limit = nodes.filter(|_| obeys_limit).unwrap_or(0);
        let asked = EnumerationKey { question: &key, label: &label, set, keep, limit };
        let state = self.session.enumeration(asked)?;
        if let Some(damage) = &state.damage {
            self.progress.say(&format!("{label} restarts: {damage}"));
        }
        let counted_before = self.session.has_outcomes()?;
        Ok(OpenQuestion { key, label, keep, limit, state, counted_before })
    }

    /// Forgets the position of a question, not its figures.
    pub fn restart_question(&mut self, open: &mut OpenQuestion) -> Result<(), CatalogError> {
        let OpenQuestion { key, label, keep, limit, state, .. } = open;
        let (set, keep, limit) = (state.set, *keep, *limit);
        let asked = EnumerationKey { question: key, label, set, keep, limit };
        *state = self.session.restart_enumeration(asked)?;
        Ok(())
    }

    /// Completes a question and adds its totals to the summary. After a stop, an incomplete question stays incomplete.
    pub fn end_question(
        &mut self,
        question: &dyn Question,
        open: &OpenQuestion,
    ) -> Result<(), CatalogError> {
        let EnumerationState { id, set, complete, .. } = open.state;
        if !complete && !self.stopped() {
            self.session.complete(id, question.total())?;
        }
        self.session.request_enumeration(id, self.options)?;
        let totals = self.session.catalog().enumeration_totals(id)?;
        match open.keep {
            Keep::All => self.session.add_enumeration(id, set)?,
            Keep::Buildable | Keep::Totals | Keep::Top(_) => {
                let kept = self.session.catalog().kept_figures(id)?;
                self.summary.unkept += totals.figures.saturating_sub(kept);
                self.summary.in_numbers.add_all(&totals);
            }
        }
        Ok(())
    }

    pub fn add_entries(
        &mut self,
        to: &mut SourceRows,
        entries: Vec<Recognized>,
        faults: &[FaultRow],
    ) -> Result<(), CatalogError> {
        self.report_faults(&to.label, faults);
        let refused = faults.iter().filter(|fault| fault.refused).count();
        self.summary.entries += (entries.len() + refused) as u64;
        to.faulty.extend(faults.iter().map(|fault| fault.ordinal));
        let mut rows = Vec::with_capacity(entries.len());
        for Recognized { candidate, name, set } in entries {
            let set = self.set_id(set, &mut to.sets)?;
            rows.push(EntryRow { candidate, set, name });
        }
        let mut chunks = rows.chunks(ENTRIES).peekable();
        loop {
            let some = chunks.next().unwrap_or_default();
            let last = chunks.peek().is_none();
            let faults = if last { faults } else { &[] };
            self.summary.new += self.session.import(to.source, some, faults)?;
            if last {
                return Ok(());
            }
        }
    }

    /// Removes rows that the source no longer has. Reports names that several figures share. Notes how the source was
    /// read.
    pub fn end_source(
        &mut self,
        source: &SourceRows,
        entries: u64,
        read: SourceOptions<PieceSet>,
    ) -> Result<(), CatalogError> {
        let remarks = self.session.finish_source(source.source, entries, &source.faulty)?;
        self.report_faults(&source.label, &remarks);
        let SourceOptions { sha256, format, set } = read;
        let set = set.map(|set| self.session.set_id(&set)).transpose()?;
        let read = SourceOptions { sha256, format, set };
        self.session.request_source(source.source, &read, self.options)
    }

    /// Returns the row of a set. `known` holds the few different sets of a source.
    pub fn set_id(
        &mut self,
        set: PieceSet,
        known: &mut Vec<(PieceSet, SetId)>,
    ) -> Result<SetId, CatalogError> {
        if let Some((_, id)) = known.iter().find(|(other, _)| *other == set) {
            return Ok(*id);
        }
        let id = self.session.set_id(&set)?;
        known.push((set, id));
        Ok(id)
    }

    fn report_faults(&mut self, label: &str, faults: &[FaultRow]) {
        for fault in faults {
            let message = entry_message(label, fault.line, fault.label.as_deref(), &fault.message);
            let note = if fault.refused { "" } else { " (imported anyway)" };
            self.progress.say(&format!("{message}{note}"));
        }
        let refused = faults.iter().filter(|fault| fault.refused).count() as u64;
        self.summary.refused += refused;
        self.summary.warnings += faults.len() as u64 - refused;
    }
}

/// A question whose figures are written.
pub struct OpenQuestion {
    key: String,
    pub label: String,
    pub keep: Keep,
    limit: u64,
    pub state: EnumerationState,
    /// True if the catalog had outcomes before. It may then know figures of the question.
    counted_before: bool,
}

/// A figure with its name and its set.
pub struct Recognized {
    pub candidate: Candidate,
    pub name: NameRow,
    pub set: PieceSet,
}

/// A source whose entries are written.
pub struct SourceRows {
    label: String,
    source: SourceId,
    /// The ordinals of its faults, ascending.
    faulty: Vec<u64>,
    sets: Vec<(PieceSet, SetId)>,
}

impl SourceRows {
    /// Begins to write a source, which messages call by this label.
    pub const fn new(source: SourceId, label: String) -> Self {
        Self { label, source, faulty: Vec::new(), sets: Vec::new() }
    }
}

/// The rows and the time after which a sink writes. A kill may lose as much.
#[derive(Clone, Copy)]
pub struct FlushAfter {
    pub rows: usize,
    pub time: Duration,
}

impl FlushAfter {
    pub const RUN: Self = Self { rows: 1 << 15, time: Duration::from_millis(500) };
}

pub struct CatalogSink<'s, 'a> {
    intake: &'s mut Intake<'a>,
    open: &'s mut OpenQuestion,
    flush_after: FlushAfter,
    /// True to add arriving figures to those that the run expects.
    adds_expected: bool,
    waiting: Batch,
    last_flush: Instant,
}

impl<'s, 'a> CatalogSink<'s, 'a> {
    pub fn new(
        intake: &'s mut Intake<'a>,
        open: &'s mut OpenQuestion,
        flush_after: FlushAfter,
    ) -> Self {
        let (waiting, last_flush) = (Batch::at(open.state.place), Instant::now());
        Self { intake, open, flush_after, adds_expected: false, waiting, last_flush }
    }

    /// Sets whether arriving figures are added to those that the run expects.
    pub fn adding_expected(self, adds_expected: bool) -> Self {
        Self { adds_expected, ..self }
    }
}

impl FigureSink for CatalogSink<'_, '_> {
    type Error = RunError;

    fn known(&mut self, figures: &[&Signature]) -> Result<Vec<Option<KnownFigure>>, RunError> {
        match self.open.counted_before {
            true => Ok(self.intake.session.known_figures(self.open.state.set, figures)?),
            false => Ok(vec![None; figures.len()]),
        }
    }

    fn most_packings(&mut self, number: NonZeroU32) -> Result<Vec<u64>, RunError> {
        let catalog = self.intake.session.catalog();
        Ok(catalog.most_packings(self.open.state.id, number)?)
    }

    fn take(&mut self, batch: Batch) -> Result<(), RunError> {
        self.waiting.append(batch);
        let FlushAfter { rows, time } = self.flush_after;
        let due = self.waiting.rows.len() >= rows || self.last_flush.elapsed() >= time;
        if due { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), RunError> {
        let place = self.waiting.place;
        if place == self.open.state.place {
            return Ok(());
        }
        let Batch { totals, rows, known, .. } =
            std::mem::replace(&mut self.waiting, Batch::at(place));
        let (session, done) = (&mut self.intake.session, totals.figures());
        if self.adds_expected {
            session.add_expected(done)?;
        }
        let breakdown = (self.open.keep != Keep::All).then_some(&totals);
        let advance = Advance { place, breakdown, known: &known, kept: &rows, done };
        let summary = &mut self.intake.summary;
        summary.new += session.advance(&mut self.open.state, &advance)?;
        summary.counted += done - known.len() as u64;
        self.last_flush = Instant::now();
        Ok(())
    }
}
