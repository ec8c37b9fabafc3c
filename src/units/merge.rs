//! Parts into a catalog: the only writer.
//!
//! Everything is looked at before anything is written: that each unit has a part, that the parts are what their
//! sidecars say, that two of one unit are equal, and that those of a question come to what is known of it. Then the parts
//! are gone through in the order of a run. An enumeration goes on from the place that the catalog has reached, so a merge
//! that was stopped or killed is continued by the same command.

use super::error::{PartFault, UnitsError};
use super::part::{self, Block, Sidecar, Sums, sidecars};
use super::read_ahead::{Batch, read_ahead};
use super::unit::{SetText, Unit, UnitList, Work};
use super::work::{census, enumeration, source_of};
use crate::catalog::{
    Advance, Breakdown, CountedRow, EntryRow, EnumerationKey, EnumerationState, Keep, RunEnd,
    Session, SetId, SourceId,
};
use crate::enumerate::Place;
use crate::figure::{Candidate, Identity, Signature};
use crate::lattice::Transform;
use crate::pieces::PieceSet;
use crate::run::{CensusJob, Progress, Sets, Size, Summary, keep_published, parse_published, tell};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Rows that are written in one transaction, at most, where no place is noted with them.
const CHUNK: usize = 1 << 14;

/// Rows of an enumeration after which a transaction ends at the latest: some seconds. Signatures come in no order, so
/// a transaction writes nearly as many pages of their index as it has rows; the more rows, the fewer pages are written
/// twice. The first transaction is of one block, each of the next ones twice as large as the one before.
const TRANSACTION: usize = 1 << 17;

/// The parts of a plan, all there and sound.
#[derive(Debug)]
pub struct Parts {
    pub(super) units: Vec<Unit>,
    /// The part of each unit.
    pub(super) paths: Vec<PathBuf>,
    /// What the questions came to.
    totals: Vec<PartsTotals>,
}

/// What the parts of a question came to.
#[derive(Clone, Debug)]
pub struct PartsTotals {
    /// The question in words.
    pub label: String,
    /// The set.
    pub set: PieceSet,
    /// Figures by class, verdict and reason, kept or not.
    pub totals: Breakdown,
}

/// What a merge came to.
#[derive(Clone, Debug)]
pub struct Merged {
    /// In numbers, as of a run.
    pub summary: Summary,
    /// The units.
    pub units: u64,
}

impl Parts {
    /// Finds the parts of units in folders and looks at every line of them.
    ///
    /// # Errors
    /// If the folders cannot be read, parts are missing or damaged, belong to another plan or version, or do not add up.
    pub fn check(units_file: &Path, folders: &[PathBuf]) -> Result<Self, UnitsError> {
        let units = UnitList::read(units_file)?;
        let units = units.units().to_vec();
        let found = find(units_file, &units, folders)?;
        let missing: Vec<u64> =
            units.iter().map(|unit| unit.number).filter(|n| !found.contains_key(n)).collect();
        if !missing.is_empty() {
            let (number, of) = (missing.len() as u64, units.len() as u64);
            return Err(UnitsError::Missing { number, of, list: ranges(&missing) });
        }
        let looked_at: Vec<(PathBuf, Result<Sums, PartFault>)> = found
            .into_par_iter()
            .map(|(_, (path, sidecar))| {
                let sums = part::check(&path, &sidecar);
                (path, sums)
            })
            .collect();
        let (mut paths, mut sums, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        for (path, result) in looked_at {
            match result {
                Ok(one) => {
                    paths.push(path);
                    sums.push(one);
                }
                Err(fault) => damaged.push((path, fault)),
            }
        }
        if !damaged.is_empty() {
            return Err(UnitsError::Damaged(damaged));
        }
        let totals = add_up(&units, &sums)?;
        Ok(Self { units, paths, totals })
    }

    /// What the questions of the plan came to, in their order.
    #[must_use]
    pub fn totals(&self) -> &[PartsTotals] {
        &self.totals
    }

    /// Merges the parts into a catalog, which is made if there is none; ends early if `stop` is set.
    ///
    /// # Errors
    /// If the catalog fails, or a part changed meanwhile; the same command goes on.
    pub fn merge(
        &self,
        catalog: &Path,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<Merged, UnitsError> {
        self.merge_into(catalog, stop, progress, false)
    }

    /// Merges only what the sources of the plan have and came to.
    pub(super) fn merge_sources(
        &self,
        catalog: &Path,
        stop: &AtomicBool,
        progress: &Progress,
    ) -> Result<Merged, UnitsError> {
        self.merge_into(catalog, stop, progress, true)
    }

    fn merge_into(
        &self,
        catalog: &Path,
        stop: &AtomicBool,
        progress: &Progress,
        sources_only: bool,
    ) -> Result<Merged, UnitsError> {
        let begun = Instant::now();
        let title = format!("merge of plan {}", self.units[0].plan);
        let mut session = Session::begin(catalog, &title)?;
        session.skip_reference_checks()?;
        let summary = Summary::default();
        let mut merge = Merge { parts: self, session, stop, progress, summary, sources_only };
        let done = merge.all();
        let Merge { session, mut summary, .. } = merge;
        if let Err(error) = done {
            // The error itself says more than that its end cannot be noted either.
            let _ = session.end(RunEnd::Failed(&error.to_string()));
            return Err(error);
        }
        session.end(if summary.stopped { RunEnd::Stopped } else { RunEnd::Finished })?;
        summary.elapsed = begun.elapsed();
        Ok(Merged { summary, units: self.units.len() as u64 })
    }
}

/// The parts of units by their numbers, with their sidecars.
fn find(
    units_file: &Path,
    units: &[Unit],
    folders: &[PathBuf],
) -> Result<BTreeMap<u64, (PathBuf, Sidecar)>, UnitsError> {
    let mut found: BTreeMap<u64, (PathBuf, Sidecar)> = BTreeMap::new();
    let mut damaged = Vec::new();
    for folder in folders {
        for path in sidecars(folder).map_err(|error| UnitsError::read(folder, error))? {
            let sidecar = match Sidecar::read(&path) {
                Ok(sidecar) => sidecar,
                Err(fault) => {
                    damaged.push((path, fault));
                    continue;
                }
            };
            let unit = &sidecar.unit.unit;
            let own = unit.number.checked_sub(1).and_then(|at| units.get(at as usize));
            if own != Some(unit) || sidecar.version != unit.version {
                let found = match sidecar.version == units[0].version {
                    true => unit.name(),
                    false => format!("{}, worked by somacat {}", unit.name(), sidecar.version),
                };
                let wanted = format!("plan {}, of somacat {}", units[0].plan, units[0].version);
                let units = units_file.to_owned();
                return Err(UnitsError::ForeignPart { path, found, units, wanted });
            }
            let part = path.with_extension("");
            match found.get(&unit.number) {
                None => {
                    found.insert(unit.number, (part, sidecar));
                }
                Some((first, known)) if known.sha256 != sidecar.sha256 => {
                    let (number, first, second) = (unit.number, first.clone(), part);
                    return Err(UnitsError::Contradiction { number, first, second });
                }
                // The same twice.
                Some(_) => {}
            }
        }
    }
    if damaged.is_empty() { Ok(found) } else { Err(UnitsError::Damaged(damaged)) }
}

/// Numbers as ranges: `3, 7-12`.
fn ranges(numbers: &[u64]) -> String {
    let mut text: Vec<String> = Vec::new();
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        text.push(match run {
            [first, .., last] => format!("{first}-{last}"),
            one => one[0].to_string(),
        });
    }
    text.join(", ")
}

/// What tells the units of one question from others.
pub(super) fn question(work: &Work) -> Option<(&str, &str, &SetText)> {
    match work {
        Work::Enumerate { question, label, set, .. }
        | Work::Buildable { question, label, set, .. }
        | Work::Census { question, label, set, .. } => Some((question, label, set)),
        Work::Import { .. } | Work::Published { .. } => None,
    }
}

/// Units of one job, one after the other.
fn same_job(a: &Work, b: &Work) -> bool {
    match (a, b) {
        (Work::Import { label: one, .. }, Work::Import { label: next, .. }) => one == next,
        (Work::Enumerate { shards: one, .. }, Work::Enumerate { shards: next, .. })
        | (Work::Buildable { shards: one, .. }, Work::Buildable { shards: next, .. })
        | (Work::Census { shards: one, .. }, Work::Census { shards: next, .. }) => {
            question(a) == question(b) && one[1] == next[0]
        }
        _ => false,
    }
}

/// Adds up the parts of each question, and compares with what is known.
fn add_up(units: &[Unit], sums: &[Sums]) -> Result<Vec<PartsTotals>, UnitsError> {
    let mut all = Vec::new();
    let mut at = 0;
    for job in units.chunk_by(|a, b| same_job(&a.work, &b.work)) {
        let own = &sums[at..at + job.len()];
        at += job.len();
        let Some((key, label, set)) = question(&job[0].work) else { continue };
        let fault = |fault| UnitsError::Unit { unit: job[0].name(), fault: Box::new(fault) };
        let set = set.set().map_err(|error| fault(error.into()))?;
        let mut totals = Breakdown::default();
        own.iter().for_each(|sums| totals.add_all(&sums.totals));
        let differ = |found: String, known: String| {
            Err(UnitsError::DoNotAddUp { label: label.to_owned(), found, known })
        };
        let figures = totals.figures();
        if let Work::Census { .. } = &job[0].work {
            let census = census(key, &set).map_err(fault)?;
            let sum = |at: usize| own.iter().filter_map(|sums| sums.census).map(|c| c[at]).sum();
            let (direct, packings, subsets): (u128, u128, u128) = (sum(0), sum(1), sum(2));
            if direct != packings {
                return differ(format!("{packings} packings"), direct.to_string());
            }
            if subsets != census.total_subsets() {
                return differ(format!("{subsets} subsets"), census.total_subsets().to_string());
            }
        } else if let Work::Enumerate { .. } = &job[0].work
            && let Some(known) = enumeration(key).map_err(fault)?.total()
            && known != u128::from(figures)
        {
            return differ(format!("{figures} figures"), known.to_string());
        }
        all.push(PartsTotals { label: label.to_owned(), set, totals });
    }
    Ok(all)
}

struct Merge<'a> {
    parts: &'a Parts,
    session: Session,
    stop: &'a AtomicBool,
    progress: &'a Progress,
    summary: Summary,
    /// Enumerations, censuses and published counts are left out.
    sources_only: bool,
}

impl Merge<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Everything in the order of a run: sources, enumerations, censuses, what figures of sources came to, published
    /// counts.
    fn all(&mut self) -> Result<(), UnitsError> {
        let units = &self.parts.units;
        let mut at = 0;
        let mut jobs = Vec::new();
        for job in units.chunk_by(|a, b| same_job(&a.work, &b.work)) {
            jobs.push(at..at + job.len());
            at += job.len();
        }
        for job in jobs {
            if self.stopped() {
                break;
            }
            let units = &units[job.clone()];
            let paths = &self.parts.paths[job];
            match &units[0].work {
                Work::Import { .. } => self.import(units, paths)?,
                Work::Published { .. } => {}
                _ if self.sources_only => {}
                work => {
                    let work = work.clone();
                    self.question(&work, units, paths)?;
                }
            }
        }
        self.counts()?;
        if !self.sources_only {
            self.published()?;
        }
        self.summary.stopped = self.stopped();
        Ok(self.summary.add_up(&self.session)?)
    }

    /// Shows the blocks of parts to `visit`, until it returns false or a stop is asked for. The next ones are read
    /// meanwhile.
    fn blocks(
        &mut self,
        units: &[Unit],
        paths: &[PathBuf],
        mut visit: impl FnMut(&mut Self, Block) -> Result<bool, UnitsError>,
    ) -> Result<bool, UnitsError> {
        read_ahead(units, paths, |blocks| {
            for block in blocks {
                if self.stopped() || !visit(self, block?)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn import(&mut self, units: &[Unit], paths: &[PathBuf]) -> Result<(), UnitsError> {
        let (Work::Import { file, label, .. }, Some(last)) = (&units[0].work, units.last()) else {
            return Ok(());
        };
        let place = source_of(file).and_then(|source| source.place());
        let source = self.session.source(label, place.as_deref())?;
        self.progress.begin(&format!("merging {label}"), Size::Unknown);
        let (mut sets, mut faulty) = (Sets::default(), Vec::new());
        let whole = self.blocks(units, paths, |merge, block| {
            faulty.extend(block.faults.iter().map(|fault| fault.ordinal));
            merge.entries(source, label, block, &mut sets)?;
            Ok(true)
        })?;
        self.progress.end();
        if let (true, Work::Import { entries, .. }) = (whole, &last.work) {
            let remarks = self.session.finish_source(source, entries[1], &faulty)?;
            tell(label, &remarks, self.progress, &mut self.summary);
        }
        Ok(())
    }

    fn entries(
        &mut self,
        source: SourceId,
        label: &str,
        block: Block,
        sets: &mut Sets,
    ) -> Result<(), UnitsError> {
        let own = own_sets(&block)?;
        tell(label, &block.faults, self.progress, &mut self.summary);
        let mut entries = Vec::new();
        let recognized: Result<Vec<_>, PartFault> = block
            .names
            .into_par_iter()
            .map(|(signature, transform, set, name)| {
                let set = own.get(set).ok_or(PartFault::Sums { what: "sets" })?;
                Ok((candidate(signature, transform, set)?, set, name))
            })
            .collect();
        let damaged = |fault| UnitsError::Damaged(vec![(PathBuf::from(label), fault)]);
        for (candidate, set, name) in recognized.map_err(damaged)? {
            let set = sets.id(set.clone(), &mut self.session)?;
            entries.push(EntryRow { candidate, set, name });
        }
        for some in entries.chunks(CHUNK) {
            self.summary.new += self.session.import(source, some, &[])?;
            self.progress.advance(some.len() as u64);
        }
        self.session.import(source, &[], &block.faults)?;
        self.summary.entries += entries.len() as u64;
        Ok(())
    }

    /// An enumeration or a census.
    fn question(
        &mut self,
        work: &Work,
        units: &[Unit],
        paths: &[PathBuf],
    ) -> Result<(), UnitsError> {
        let (
            Work::Enumerate { keep: word, .. }
            | Work::Buildable { keep: word, .. }
            | Work::Census { keep: word, .. },
            Some(asked),
        ) = (work, question(work))
        else {
            return Ok(());
        };
        let (question, label, set) = asked;
        let fault = |fault| UnitsError::Unit { unit: units[0].name(), fault: Box::new(fault) };
        let (keep, set) = (Keep::from(*word), set.set().map_err(|error| fault(error.into()))?);
        let known = match work {
            Work::Census { .. } => {
                let census = Arc::new(census(question, &set).map_err(fault)?);
                Some(CensusJob { census, keep, memory: None }.figures())
            }
            Work::Enumerate { .. } => enumeration(question).map_err(fault)?.total(),
            _ => None,
        };
        let limit = match (work, keep) {
            (Work::Census { .. }, _) | (_, Keep::All) => 0,
            _ => units[0].nodes.unwrap_or(0),
        };
        let set_id = self.session.set_id(&set)?;
        let key = EnumerationKey { question, label, set: set_id, keep, limit };
        let mut state = self.session.enumeration(key)?;
        if let Some(damage) = &state.damage {
            self.progress.say(&format!("{label} begins anew: {damage}"));
        }
        self.progress.begin(&format!("merging {label}"), Size::Unknown);
        if !state.complete {
            if self.figures(&mut state, keep, units, paths)? == Reached::Elsewhere {
                // A run was stopped between two blocks. What it counted is known.
                state = self.session.restart_enumeration(key)?;
                self.figures(&mut state, keep, units, paths)?;
            }
            if !self.stopped() {
                self.session.complete(state.id, known)?;
            }
        }
        self.progress.end();
        let totals = self.session.catalog().enumeration_totals(state.id)?;
        self.summary.entries += totals.figures;
        if keep == Keep::All {
            self.session.add_enumeration(state.id, set_id)?;
        } else {
            self.summary.in_numbers.add_all(&totals);
        }
        Ok(())
    }

    /// Writes the blocks behind the place of an enumeration.
    fn figures(
        &mut self,
        state: &mut EnumerationState,
        keep: Keep,
        units: &[Unit],
        paths: &[PathBuf],
    ) -> Result<Reached, UnitsError> {
        let mut before = Place::default();
        let mut reached = Reached::End;
        let (mut batch, mut most): (Option<Batch>, usize) = (None, 0);
        self.blocks(units, paths, |merge, block| {
            let (from, place) = (before, block.place);
            before = place;
            if place <= state.place {
                return Ok(true);
            }
            if batch.is_none() && from != state.place {
                reached = Reached::Elsewhere;
                return Ok(false);
            }
            let mut all = batch.take().unwrap_or_default();
            all.add(block);
            if all.rows.len() >= most {
                most = (2 * all.rows.len()).min(TRANSACTION);
                merge.write(state, keep, all)?;
            } else {
                batch = Some(all);
            }
            Ok(true)
        })?;
        if let Some(batch) = batch.filter(|_| !self.stopped()) {
            self.write(state, keep, batch)?;
        }
        Ok(reached)
    }

    /// Writes figures of an enumeration, and how far it is with them.
    fn write(
        &mut self,
        state: &mut EnumerationState,
        keep: Keep,
        batch: Batch,
    ) -> Result<(), UnitsError> {
        let Batch { rows: kept, totals, figures: done, place } = batch;
        let breakdown = (keep != Keep::All).then_some(&totals);
        let advance = Advance { place, breakdown, members: &[], kept, done };
        self.summary.new += self.session.advance(state, &advance)?;
        self.summary.counted += done;
        self.progress.advance(done);
        Ok(())
    }

    /// What figures of sources came to. A run counts them last, those of which nothing is known yet.
    fn counts(&mut self) -> Result<(), UnitsError> {
        let parts = self.parts;
        for (unit, path) in parts.units.iter().zip(&parts.paths) {
            if !matches!(unit.work, Work::Import { .. }) {
                continue;
            }
            let (units, paths) = (std::slice::from_ref(unit), std::slice::from_ref(path));
            let mut sets = Sets::default();
            self.blocks(units, paths, |merge, block| {
                let own = own_sets(&block)?;
                let mut rows: Vec<(SetId, CountedRow)> = Vec::new();
                for (set, row) in block.counts {
                    let set = own.get(set).ok_or(PartFault::Sums { what: "sets" });
                    let damaged = |fault| UnitsError::Damaged(vec![(path.clone(), fault)]);
                    let set = set.map_err(damaged)?.clone();
                    rows.push((sets.id(set, &mut merge.session)?, row));
                }
                for some in rows.chunks(CHUNK) {
                    merge.session.store_outcomes(some)?;
                    merge.summary.counted += some.len() as u64;
                }
                Ok(true)
            })?;
        }
        Ok(())
    }

    fn published(&mut self) -> Result<(), UnitsError> {
        let parts = self.parts;
        for (unit, path) in parts.units.iter().zip(&parts.paths) {
            let Work::Published { file, set } = &unit.work else { continue };
            let fault = |fault| UnitsError::Unit { unit: unit.name(), fault: Box::new(fault) };
            let set = set.as_ref().map(SetText::set).transpose();
            let set = set.map_err(|error| fault(error.into()))?;
            let (units, paths) = (std::slice::from_ref(unit), std::slice::from_ref(path));
            let mut text = None;
            self.blocks(units, paths, |_, block| {
                text = block.published;
                Ok(true)
            })?;
            // A stop came first.
            let Some(text) = text else { continue };
            let lines = parse_published(Path::new(&file.file), &text, set.as_ref())?;
            let tell = |text: &str| self.progress.say(text);
            let matches = keep_published(&lines, &mut self.session, &tell)?;
            self.summary.published_known = matches.known;
            self.summary.published_faults = matches.faults;
            self.summary.published_unknown = matches.unknown;
        }
        Ok(())
    }
}

/// Where the place of an enumeration lies among the blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// Between two of them: all behind it were written, unless a stop was asked for.
    End,
    /// Within one.
    Elsewhere,
}

/// The sets of a block.
fn own_sets(block: &Block) -> Result<Vec<PieceSet>, UnitsError> {
    let sets: Result<Vec<PieceSet>, _> = block.sets.iter().map(SetText::set).collect();
    sets.map_err(|error| {
        let fault = PartFault::Line { line: 0, problem: error.to_string() };
        UnitsError::Damaged(vec![(PathBuf::from("a part"), fault)])
    })
}

/// A figure as it lies in its source.
fn candidate(signature: String, transform: u8, set: &PieceSet) -> Result<Candidate, PartFault> {
    let signature = Signature::from_trusted(signature);
    let transform = Transform::from_number(transform);
    let transform = transform.ok_or(PartFault::Sums { what: "transforms" })?;
    let figure = signature.figure()?.transformed(transform);
    let candidate = Candidate::new(figure, Identity::for_set(set));
    match *candidate.signature() == signature {
        true => Ok(candidate),
        false => Err(PartFault::Sums { what: "signatures" }),
    }
}
