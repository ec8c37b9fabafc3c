//! Working a unit: no catalog, only its part.

use super::cut::digest;
use super::error::{UnitFault, UnitsError};
use super::part::{PartPaths, finish};
use super::progress_file::ProgressFile;
use super::record::{End, PlainFigure, Record};
use super::unit::{SetText, Unit, UnitFile, Work, plain_range, shard_range};
use crate::buildable::Buildable;
use crate::catalog::{Breakdown, CountedRow, Keep, PlainReport};
use crate::census::{Census, CensusTotals};
use crate::enumerate::{Enumeration, FoundFigure, Place, Question, ShardRange};
use crate::figure::Columns;
use crate::formats::Item;
use crate::outcome::Report;
use crate::pieces::PieceSet;
use crate::run::{
    CensusJob, CensusSink, CountedFigure, Counter, Counting, ImportJob, OpenSource, Progress,
    Recognition, Recognized, RunError, SetChoice, Size, Source, Sweep, count_shards, in_stretches,
    recognize, starter_source,
};
use crate::solve::{Limits, Problem, count};
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// So much time or so many bytes may pass before what was done is written down: what a kill may cost.
const WRITE_TIME: Duration = Duration::from_millis(500);
const WRITE_BYTES: usize = 1 << 22;

/// How working a unit came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkEnd {
    /// Its part was there before.
    Known,
    /// Its part is there now.
    Finished,
    /// It was asked to stop; the same command goes on.
    Stopped,
}

/// What a worker needs.
struct Worker<'a> {
    counting: Counting<'a>,
    stop: &'a AtomicBool,
    file: ProgressFile,
    written: Instant,
}

/// Works a unit and leaves its part in a folder, whole or not at all. A unit that was stopped or killed goes on where it
/// was. `memory` bounds the bytes that counting takes, in addition to what the machine has.
///
/// # Errors
/// If the unit is of another version, its folder has work of another plan, a file that it names is another one or
/// cannot be read, or the part cannot be written.
pub fn work(
    unit: &Unit,
    folder: &Path,
    memory: Option<u64>,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<WorkEnd, UnitsError> {
    let faulty = |fault| UnitsError::Unit { unit: unit.name(), fault: Box::new(fault) };
    unit.check_version().map_err(faulty)?;
    fs::create_dir_all(folder).map_err(|error| UnitsError::write(folder, error))?;
    let paths = PartPaths::new(folder, unit);
    if paths.is_finished(unit)? {
        return Ok(WorkEnd::Known);
    }
    // A unit with a fault leaves nothing.
    let task = Task::prepare(unit, memory)?;
    let (file, place) = ProgressFile::open(&paths.progress, unit)?;
    // Another program may have finished it meanwhile.
    if paths.is_finished(unit)? {
        file.remove()?;
        return Ok(WorkEnd::Known);
    }
    let counting = Counting::new(unit.nodes, memory, stop, progress);
    let mut worker = Worker { counting, stop, file, written: Instant::now() };
    let from = place.unwrap_or_default();
    progress.begin(&unit.name(), Size::Unknown);
    let done = match task {
        Task::Import { job, entries } => worker.import(&job, entries, from),
        Task::Enumerate { enumeration, set, keep, shards } => {
            let counter = Counter::new(&set, keep, counting);
            worker.enumerate(&enumeration, &counter, shards, from)
        }
        Task::Buildable { search, keep, shards } => worker.buildable(&search, keep, shards, from),
        Task::Census { job, shards } => worker.census(&job, shards, from),
        Task::Published(source) => worker.published(&source, place.is_some()),
    };
    progress.end();
    done?;
    worker.file.flush()?;
    if stop.load(Ordering::Relaxed) {
        return Ok(WorkEnd::Stopped);
    }
    finish(unit, &paths, worker.file)?;
    Ok(WorkEnd::Finished)
}

/// What a unit asks for, ready to be done.
enum Task {
    Import { job: ImportJob, entries: [u64; 2] },
    Enumerate { enumeration: Enumeration, set: PieceSet, keep: Keep, shards: ShardRange },
    Buildable { search: Buildable, keep: Keep, shards: Range<u64> },
    Census { job: CensusJob, shards: Range<usize> },
    Published(Source),
}

impl Task {
    fn prepare(unit: &Unit, memory: Option<u64>) -> Result<Self, UnitsError> {
        let faulty = |fault| UnitsError::Unit { unit: unit.name(), fault: Box::new(fault) };
        let read = |set: &SetText| set.set().map_err(|error| faulty(error.into()));
        Ok(match &unit.work {
            Work::Import { file, set, entries, .. } => {
                let set = match set {
                    None => SetChoice::Auto,
                    Some(set) => SetChoice::Fixed(read(set)?),
                };
                let source = open_file(unit, file)?;
                Self::Import { job: ImportJob { source, format: None, set }, entries: *entries }
            }
            Work::Enumerate { question, set, keep, shards, search, .. } => Self::Enumerate {
                enumeration: enumeration(question).map_err(faulty)?,
                set: read(set)?,
                keep: (*keep).into(),
                shards: shard_range(*shards, *search),
            },
            Work::Buildable { question, set, keep, shards, .. } => Self::Buildable {
                search: Buildable::from_key(question, &read(set)?)
                    .map_err(|error| faulty(error.into()))?,
                keep: (*keep).into(),
                shards: shards[0]..shards[1],
            },
            Work::Census { question, set, keep, shards, .. } => {
                let census = Arc::new(census(question, &read(set)?).map_err(faulty)?);
                let job = CensusJob { census, keep: (*keep).into(), memory };
                Self::Census { job, shards: plain_range(*shards) }
            }
            Work::Published { file, .. } => Self::Published(open_file(unit, file)?),
        })
    }
}

/// The source that a unit names, if it is still the same.
fn open_file(unit: &Unit, file: &UnitFile) -> Result<Source, UnitsError> {
    let faulty = |fault| UnitsError::Unit { unit: unit.name(), fault: Box::new(fault) };
    let source = source_of(file).ok_or_else(|| faulty(UnitFault::NoBuiltIn(file.file.clone())))?;
    let found = digest(&source)?;
    if found == file.sha256 {
        return Ok(source);
    }
    let begin = |digest: &str| digest.chars().take(12).collect();
    let (file, found, wanted) = (file.file.clone(), begin(&found), begin(&file.sha256));
    Err(faulty(UnitFault::OtherFile { file, found, wanted }))
}

/// The source that a unit names; nothing if it is built in and this program does not have it.
pub(super) fn source_of(file: &UnitFile) -> Option<Source> {
    match file.builtin {
        true => starter_source(&file.file),
        false => Some(Source::File { path: PathBuf::from(&file.file), plan: PathBuf::new() }),
    }
}

/// The enumeration of a question.
pub(super) fn enumeration(question: &str) -> Result<Enumeration, UnitFault> {
    Ok(Enumeration::new(Question::from_key(question)?)?)
}

/// The census of a question.
pub(super) fn census(question: &str, set: &PieceSet) -> Result<Census, UnitFault> {
    let malformed = || UnitFault::Malformed(format!("`{question}` is no key of a census"));
    let census = Census::from_key(question, set)?.ok_or_else(malformed)?;
    match census.key() {
        own if own == question => Ok(census),
        own => Err(UnitFault::CensusVersion { key: question.to_owned(), own }),
    }
}

fn figure_record(row: &CountedRow) -> Record {
    Record::Figure(PlainFigure::from(&row.columns), PlainReport::from(&row.report))
}

impl Worker<'_> {
    /// Adds a stretch, and writes what waits if it is much or has waited for long.
    fn add(&mut self, records: &[Record], end: End) -> Result<(), UnitsError> {
        self.file.add(records, end)?;
        if self.file.pending() >= WRITE_BYTES || self.written.elapsed() >= WRITE_TIME {
            self.file.flush()?;
            self.written = Instant::now();
        }
        Ok(())
    }

    fn enumerate(
        &mut self,
        enumeration: &Enumeration,
        counter: &Counter<'_>,
        shards: ShardRange,
        from: Place,
    ) -> Result<(), UnitsError> {
        let look = |draft: &FoundFigure<'_>| counter.look(draft);
        in_stretches(enumeration, shards, from, look, self.stop, &mut |stretch| {
            let mut figures = counter.count(stretch).into_iter().peekable();
            while let Some(first) = figures.next() {
                let mut shard = Shard::default();
                let number = first.place.shard;
                shard.add(&first);
                while let Some(next) = figures.next_if(|figure| figure.place.shard == number) {
                    shard.add(&next);
                }
                let Shard { records, place: Place { shard, figures }, totals } = shard;
                self.add(&records, End { shard, figures, totals: totals.plain(), census: None })?;
            }
            self.file.flush()
        })
    }

    fn buildable(
        &mut self,
        search: &Buildable,
        keep: Keep,
        shards: Range<u64>,
        from: Place,
    ) -> Result<(), UnitsError> {
        let (counting, stop) = (self.counting, self.stop);
        let shards = shards.start.max(from.shard)..shards.end;
        count_shards(search, shards, counting, stop, &mut |shard, rows| {
            let mut totals = Breakdown::default();
            rows.iter().for_each(|row| totals.add_outcome(row.columns.class, &row.report.outcome));
            let kept = rows.iter().filter(|_| keep == Keep::All);
            let records: Vec<Record> = kept.map(figure_record).collect();
            let (shard, totals) = (shard + 1, totals.plain());
            self.add(&records, End { shard, figures: 0, totals, census: None })
        })
    }

    fn census(
        &mut self,
        job: &CensusJob,
        mut shards: Range<usize>,
        from: Place,
    ) -> Result<(), UnitsError> {
        let schedule = job.schedule(shards.clone())?;
        let skip = if from.shard as usize >= shards.start { from.figures } else { 0 };
        shards.start = shards.start.max(from.shard as usize);
        let (stop, progress) = (self.stop, self.counting.progress);
        let (records, totals) = (Vec::new(), Breakdown::default());
        let mut sink = PartSink { worker: self, keep: job.keep, records, totals };
        Sweep::of_all(&schedule).run(shards, skip, stop, progress, &mut sink)?;
        Ok(())
    }

    fn import(
        &mut self,
        job: &ImportJob,
        [start, end]: [u64; 2],
        from: Place,
    ) -> Result<(), UnitsError> {
        let mut open = OpenSource::open(job, self.stop)?;
        let start = start.max(from.figures);
        let (mut ordinal, mut size) = (0, 64);
        let mut counted = HashSet::new();
        while !open.items.is_empty() && ordinal < end {
            let mut items: Vec<(u64, Item)> = Vec::new();
            for item in std::mem::take(&mut open.items) {
                if (start..end).contains(&ordinal) {
                    items.push((ordinal, item));
                }
                ordinal += 1;
            }
            while !items.is_empty() {
                let rest = items.split_off(items.len().min(size));
                let begun = Instant::now();
                self.entries(items, &job.set, &mut counted)?;
                size = if begun.elapsed() < WRITE_TIME / 2 { 2 * size } else { size.div_ceil(2) };
                items = rest;
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
            open.advance(self.stop)?;
        }
        Ok(())
    }

    /// Recognizes and counts entries, up to the first that was stopped before it was done.
    fn entries(
        &mut self,
        items: Vec<(u64, Item)>,
        choice: &SetChoice,
        counted: &mut HashSet<(String, String)>,
    ) -> Result<(), UnitsError> {
        let recognized: Vec<(u64, Recognition)> = items
            .into_par_iter()
            .map(|(ordinal, item)| (ordinal, recognize(item, ordinal, choice)))
            .collect();
        // Of equal figures with equal sets the first is counted.
        let key = |figure: &Recognized| {
            (figure.set.name().to_owned(), figure.candidate.signature().to_string())
        };
        let tasks: Vec<(u64, Recognition, bool)> = recognized
            .into_iter()
            .map(|(ordinal, one)| {
                let new = match &one {
                    Recognition::Figure(figure, _) => counted.insert(key(figure)),
                    Recognition::Refusal(_) => false,
                };
                (ordinal, one, new)
            })
            .collect();
        let counting = self.counting;
        let one = |(ordinal, one, new): (u64, Recognition, bool)| {
            let report = match &one {
                Recognition::Figure(figure, _) if new => Some(count_imported(
                    &counting,
                    &figure.candidate.columns().clone(),
                    &figure.set,
                )?),
                _ => None,
            };
            Some((ordinal, one, report))
        };
        let done: Vec<Option<_>> = tasks.into_par_iter().map(one).collect();
        let (mut records, mut sets, mut next) = (Vec::new(), Vec::new(), None);
        for (ordinal, one, report) in done.into_iter().map_while(|one| one) {
            next = Some(ordinal + 1);
            match one {
                Recognition::Refusal(fault) => records.push(Record::Fault(fault)),
                Recognition::Figure(figure, warning) => {
                    let Recognized { candidate, name, set } = *figure;
                    let at = sets.iter().position(|known| *known == set).unwrap_or(sets.len());
                    if at == sets.len() {
                        records.push(Record::Set(SetText::of(&set)));
                        sets.push(set);
                    }
                    let columns = candidate.columns();
                    let transform = columns.to_canonical.inverse().number();
                    let signature = columns.signature.to_string();
                    records.push(Record::Name(signature, transform, at, name));
                    records.extend(warning.map(Record::Fault));
                    records.extend(report.map(|report| {
                        let report = PlainReport::from(&report);
                        Record::Count(at, PlainFigure::from(columns), report)
                    }));
                }
            }
        }
        match next {
            Some(figures) => self.add(&records, End { figures, ..End::default() }),
            None => Ok(()),
        }
    }

    fn published(&mut self, source: &Source, done: bool) -> Result<(), UnitsError> {
        if done {
            return Ok(());
        }
        let mut text = String::new();
        let read = source.open().map_err(RunError::from)?.read_to_string(&mut text);
        read.map_err(|error| UnitsError::read(Path::new(&source.shown()), error))?;
        self.add(&[Record::Published(text)], End::default())
    }
}

/// Counts a figure of a source in its canonical position; nothing if it was stopped before it was done.
fn count_imported(counting: &Counting<'_>, columns: &Columns, set: &PieceSet) -> Option<Report> {
    let work = |limits: Limits<'_>| {
        let figure = columns.signature.figure().map_err(|error| error.to_string())?;
        count(&Problem::new(&figure, set), limits).map_err(|error| error.to_string())
    };
    Some(counting.count(work)?.report)
}

/// Figures of a shard, as they are written down.
#[derive(Default)]
struct Shard {
    records: Vec<Record>,
    totals: Breakdown,
    place: Place,
}

impl Shard {
    fn add(&mut self, figure: &CountedFigure) {
        self.totals.add(figure.class, figure.verdict, figure.reason);
        self.place = figure.place;
        self.records.extend(figure.row.as_ref().map(figure_record));
    }
}

/// The part as the place where figures of a census go.
struct PartSink<'a, 'w> {
    worker: &'a mut Worker<'w>,
    keep: Keep,
    records: Vec<Record>,
    totals: Breakdown,
}

impl PartSink<'_, '_> {
    fn end(&mut self, place: Place, census: Option<[u128; 3]>) -> Result<(), UnitsError> {
        let (records, totals) =
            (std::mem::take(&mut self.records), std::mem::take(&mut self.totals));
        let Place { shard, figures } = place;
        self.worker.add(&records, End { shard, figures, totals: totals.plain(), census })
    }
}

impl CensusSink for PartSink<'_, '_> {
    type Error = UnitsError;

    fn figures(
        &mut self,
        shard: usize,
        first: u64,
        rows: Vec<CountedRow>,
    ) -> Result<(), UnitsError> {
        if rows.is_empty() {
            return Ok(());
        }
        let figures = first + rows.len() as u64;
        for row in rows {
            let outcome = &row.report.outcome;
            self.totals.add_outcome(row.columns.class, outcome);
            if self.keep == Keep::All || outcome.verdict().is_buildable() {
                self.records.push(figure_record(&row));
            }
        }
        self.end(Place { shard: shard as u64, figures }, None)
    }

    fn end_of_shard(&mut self, shard: usize, totals: &CensusTotals) -> Result<(), UnitsError> {
        let sums = [totals.direct, totals.packings, totals.subsets];
        self.end(Place { shard: shard as u64 + 1, figures: 0 }, Some(sums))
    }
}
