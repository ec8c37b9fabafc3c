//! Writing the figures of a plan to a catalog. A run and a merge of parts use it.

use super::{Progress, RunError, Summary};
use crate::VERSION;
use somacat_catalog::{
    Advance, CatalogError, EntryRow, EnumerationKey, EnumerationState, RunEnd, RunOptions, Session,
    SetId, SourceId, SourceOptions,
};
use somacat_counting::enumerate::Place;
use somacat_counting::question::{
    Batch, CountedRow, Entry, EntryFault, EntrySource, FigureSink, Keep, KnownFigure, Origin,
    Question, SourceEnd,
};
use somacat_formats::entry_message;
use somacat_geometry::figure::Signature;
use somacat_geometry::pieces::PieceSet;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
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
        self.session.end(self.summary.end())?;
        self.summary.elapsed = self.begun.elapsed();
        Ok(self.summary)
    }

    /// Looks up a question in the catalog or adds it. A damaged one restarts, which is reported, and so does a source.
    ///
    /// The label is that of the plan; a key has other words for the same question.
    pub fn begin_question(
        &mut self,
        question: &dyn Question,
        label: String,
        nodes: Option<u64>,
    ) -> Result<OpenQuestion, CatalogError> {
        let (key, keep) = (question.key(), question.keep());
        let set = match question.origin() {
            Origin::Source(EntrySource { label: name, place: file, passing, format, set }) => {
                let source = match passing {
                    true => Some(self.session.unused_source(&name)?),
                    false => None,
                };
                // A pipe may fall silent.
                let is_held = file.as_deref().is_some_and(Path::is_file);
                let (faulty, sets, place) = (Vec::new(), Vec::new(), Place::default());
                let open =
                    OpenSource { source, name, file, is_held, format, set, faulty, sets, place };
                let to = Target::Source(open);
                return Ok(OpenQuestion { label, keep, to });
            }
            Origin::Search(set) => self.session.set_id(set)?,
        };
        let obeys_limit = question.obeys_limit() && keep != Keep::All;
        let limit = nodes.filter(|_| obeys_limit).unwrap_or(0);
        let asked = EnumerationKey { question: &key, label: &label, set, keep, limit };
        let state = self.session.enumeration(asked)?;
        if let Some(damage) = &state.damage {
            self.progress.say(&format!("{label} restarts: {damage}"));
        }
        let counted_before = self.session.has_outcomes()?;
        let to = Target::Enumeration(OpenEnumeration { key, limit, state, counted_before });
        Ok(OpenQuestion { label, keep, to })
    }

    /// Forgets the position of a question, not its figures.
    pub fn restart_question(&mut self, open: &mut OpenQuestion) -> Result<(), CatalogError> {
        let OpenQuestion { label, keep, to } = open;
        if let Target::Enumeration(OpenEnumeration { key, limit, state, .. }) = to {
            let (set, keep, limit) = (state.set, *keep, *limit);
            let asked = EnumerationKey { question: key, label, set, keep, limit };
            *state = self.session.restart_enumeration(asked)?;
        }
        Ok(())
    }

    /// Completes a question and adds its totals to the summary. After a stop, an incomplete question stays incomplete.
    ///
    /// Of a source, rows that it no longer has are removed, names that several figures share are reported, and it is
    /// noted how the source was read.
    pub fn end_question(
        &mut self,
        question: &dyn Question,
        open: &OpenQuestion,
    ) -> Result<(), RunError> {
        let &EnumerationState { id, set, complete, .. } = match &open.to {
            Target::Enumeration(open) => &open.state,
            Target::Source(_) if self.stopped() => return Ok(()),
            Target::Source(OpenSource { source: None, .. }) => return Ok(()),
            Target::Source(OpenSource {
                source: Some(source), format, set, faulty, place, ..
            }) => {
                let remarks = self.session.finish_source(*source, place.figures, faulty)?;
                self.report_faults(&open.label, &remarks);
                let (sha256, format) = (question.digest()?, format.clone());
                let set = set.as_ref().map(|set| self.session.set_id(set)).transpose()?;
                let read = SourceOptions { sha256, format, set };
                self.session.request_source(*source, &read, self.options)?;
                return Ok(());
            }
        };
        if !complete && !self.stopped() {
            self.session.complete(id, question.total())?;
        }
        self.session.request_enumeration(id, self.options)?;
        let totals = self.session.catalog().enumeration_totals(id)?;
        match open.keep {
            Keep::All => self.session.add_enumeration(id, set)?,
            Keep::Buildable | Keep::Totals | Keep::Top(_) => {
                let kept = self.session.add_kept(id, set)?;
                self.summary.unkept.add_all(&totals.without(&kept));
            }
        }
        Ok(())
    }

    fn add_entries(
        &mut self,
        label: &str,
        to: &mut OpenSource,
        entries: Vec<Entry>,
        faults: &[EntryFault],
    ) -> Result<(), CatalogError> {
        self.report_faults(label, faults);
        let refused = faults.iter().filter(|fault| fault.refused).count();
        self.summary.entries += (entries.len() + refused) as u64;
        to.faulty.extend(faults.iter().map(|fault| fault.ordinal));
        let mut rows = Vec::with_capacity(entries.len());
        for Entry { candidate, name, set } in entries {
            let set = self.set_id(set, &mut to.sets)?;
            rows.push(EntryRow { candidate, set, name });
        }
        let mut chunks = rows.chunks(ENTRIES).peekable();
        let source = match to.source {
            Some(source) => source,
            None => {
                let begin = chunks.peek().copied().unwrap_or_default();
                self.session.source(&to.name, to.file.as_deref(), begin, faults)?
            }
        };
        to.source = Some(source);
        loop {
            let some = chunks.next().unwrap_or_default();
            let last = chunks.peek().is_none();
            let faults = if last { faults } else { &[] };
            self.summary.new += self.session.import(source, some, faults)?;
            if last {
                return Ok(());
            }
        }
    }

    fn add_outcomes(
        &mut self,
        of: &mut OpenSource,
        outcomes: Vec<(PieceSet, CountedRow)>,
    ) -> Result<(), CatalogError> {
        let mut rows = Vec::with_capacity(outcomes.len());
        for (set, row) in outcomes {
            rows.push((self.set_id(set, &mut of.sets)?, row));
        }
        for some in rows.chunks(ENTRIES) {
            self.summary.counted += self.session.store_outcomes(some)?;
        }
        Ok(())
    }

    /// Returns the row of a set. `known` holds the few different sets of a source.
    fn set_id(
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

    fn report_faults(&mut self, label: &str, faults: &[EntryFault]) {
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
    pub label: String,
    pub keep: Keep,
    to: Target,
}

/// Where its figures go.
enum Target {
    /// Figures of a search, up to a position that the catalog keeps.
    Enumeration(OpenEnumeration),
    /// Names and faults of a source, each with its entry's number.
    Source(OpenSource),
}

struct OpenEnumeration {
    key: String,
    limit: u64,
    state: EnumerationState,
    /// True if the catalog had outcomes before. It may then know figures of the question.
    counted_before: bool,
}

struct OpenSource {
    /// Its row. `None` until its first entries decide whether the catalog knows it.
    source: Option<SourceId>,
    name: String,
    file: Option<PathBuf>,
    /// True if batches are committed together.
    is_held: bool,
    /// The name of its format and the pieces of all its figures, if they are given.
    format: Option<String>,
    set: Option<PieceSet>,
    /// The ordinals of its faults, ascending.
    faulty: Vec<u64>,
    sets: Vec<(PieceSet, SetId)>,
    place: Place,
}

impl OpenQuestion {
    /// Returns the state of a search for figures. `None` if they come from a source.
    pub const fn enumeration(&self) -> Option<&EnumerationState> {
        match &self.to {
            Target::Enumeration(open) => Some(&open.state),
            Target::Source(_) => None,
        }
    }

    /// Returns the place up to which the catalog has the answer.
    pub const fn place(&self) -> Place {
        match &self.to {
            Target::Enumeration(open) => open.state.place,
            Target::Source(open) => open.place,
        }
    }

    /// Returns whether the catalog has the whole answer.
    pub fn is_complete(&self) -> bool {
        self.enumeration().is_some_and(|state| state.complete)
    }
}

/// The rows and the time after which a sink writes.
#[derive(Clone, Copy)]
pub struct FlushAfter {
    pub rows: usize,
    pub time: Duration,
    /// True to commit several writes together. A kill may then lose as much as five seconds of writing; otherwise as much
    /// as one write.
    pub is_held: bool,
}

impl FlushAfter {
    /// For figures that are counted, which takes longer than writing them.
    pub const RUN: Self = Self { rows: 1 << 15, time: Duration::from_millis(500), is_held: false };
    /// For outcomes that are only copied.
    pub const COPY: Self = Self { is_held: true, ..Self::RUN };
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
        let (waiting, last_flush) = (Batch::at(open.place()), Instant::now());
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
        match &self.open.to {
            Target::Enumeration(open) if open.counted_before => {
                Ok(self.intake.session.known_figures(open.state.set, figures)?)
            }
            _ => Ok(vec![None; figures.len()]),
        }
    }

    fn most_packings(&mut self, number: NonZeroU32) -> Result<Vec<u64>, RunError> {
        let catalog = self.intake.session.catalog();
        match self.open.enumeration() {
            Some(state) => Ok(catalog.most_packings(state.id, number)?),
            None => Ok(Vec::new()),
        }
    }

    fn take(&mut self, mut batch: Batch) -> Result<(), RunError> {
        if let Some(SourceEnd { skipped_lines, hints }) = batch.source_end.take() {
            self.intake.summary.skipped_lines += skipped_lines;
            hints.iter().for_each(|hint| self.intake.progress.say(hint));
        }
        // The entries of a slow source have waited already.
        let is_named = !batch.entries.is_empty() || !batch.faults.is_empty();
        self.waiting.append(batch);
        let FlushAfter { rows, time, .. } = self.flush_after;
        let is_full = self.waiting.rows.len() >= rows || self.last_flush.elapsed() >= time;
        if is_named || is_full { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), RunError> {
        let place = self.waiting.place;
        if place == self.open.place() {
            return Ok(());
        }
        let Batch { totals, rows, known, entries, faults, outcomes, .. } =
            std::mem::replace(&mut self.waiting, Batch::at(place));
        let OpenQuestion { label, keep, to } = &mut *self.open;
        self.last_flush = Instant::now();
        let OpenEnumeration { state, .. } = match to {
            Target::Source(open) => {
                self.intake.add_entries(label, open, entries, &faults)?;
                self.intake.add_outcomes(open, outcomes)?;
                open.place = place;
                if !open.is_held && !self.flush_after.is_held {
                    self.intake.session.commit()?;
                }
                return Ok(());
            }
            Target::Enumeration(open) => open,
        };
        let (session, done) = (&mut self.intake.session, totals.figures());
        if self.adds_expected {
            session.add_expected(done)?;
        }
        let breakdown = (*keep != Keep::All).then_some(&totals);
        let advance = Advance { place, breakdown, known: &known, kept: &rows, done };
        let summary = &mut self.intake.summary;
        let advanced = session.advance(state, &advance)?;
        summary.new += advanced.new;
        summary.counted += advanced.counted;
        if !self.flush_after.is_held {
            session.commit()?;
        }
        Ok(())
    }
}
