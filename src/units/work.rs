//! Working a unit, without a catalog.

use super::error::{UnitFault, UnitsError};
use super::part::{PartPaths, finish};
use super::progress_file::ProgressFile;
use super::record::{End, PartRecord, Phase, PlainFigure};
use super::unit::{SetText, Unit, UnitFile, UnitWork};
use rayon::prelude::*;
use somacat_catalog::{PlainReport, PlainTotal};
use somacat_counting::enumerate::Place;
use somacat_counting::question::{Batch, CountedRow, FigureSink, Size, Work, answer};
use somacat_counting::solve::Limits;
use somacat_run::{
    ImportJob, OpenSource, Progress, Recognition, Recognized, RunError, SetChoice, Source,
    count_signature, starter_source, work_within,
};
use std::collections::HashSet;
use std::fs;
use std::mem::take;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time or bytes after which results are written. A kill may lose as much.
const WRITE_TIME: Duration = Duration::from_millis(500);
const WRITE_BYTES: usize = 1 << 22;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkEnd {
    /// The part existed before.
    Known,
    Finished,
    /// A stop was requested; the same command continues.
    Stopped,
}

/// Prepared work, which begins behind a position: `None` if nothing is done yet. The name is that of the unit.
type Prepared = Box<dyn FnOnce(&mut Worker<'_>, &str, Option<Place>) -> Result<(), UnitsError>>;

/// A worker of a unit, and the sink of its figures.
struct Worker<'a> {
    work: Work<'a>,
    progress: &'a Progress,
    file: ProgressFile,
    written: Instant,
    /// The packings of each figure in the file when work began. Empty unless the question keeps leaders.
    packings_before: Vec<u64>,
}

/// Works a unit and leaves its part in a folder. The part appears whole or not at all.
///
/// Resumes a unit that was stopped or killed. `memory` limits the bytes that counting takes further than the machine
/// does.
pub fn work(
    unit: &Unit,
    folder: &Path,
    memory: Option<u64>,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<WorkEnd, UnitsError> {
    unit.check_version().map_err(|fault| UnitsError::of_unit(unit.name(), fault))?;
    fs::create_dir_all(folder).map_err(|error| UnitsError::write(folder, error))?;
    let paths = PartPaths::new(folder, unit);
    if paths.is_finished(unit)? {
        // The last step deletes the progress file. A kill came before it, or another program is just taking it.
        if paths.progress.exists()
            && let Ok((file, _)) = ProgressFile::open(&paths.progress, unit)
        {
            file.remove()?;
        }
        return Ok(WorkEnd::Known);
    }
    // Before the file is created: a unit with a fault leaves nothing.
    let prepared = prepare(unit)?;
    let (file, place) = ProgressFile::open(&paths.progress, unit)?;
    // Another program may have finished it meanwhile.
    if paths.is_finished(unit)? {
        file.remove()?;
        return Ok(WorkEnd::Known);
    }
    // A thread that the system refuses costs only the mark.
    let _heartbeat = file.heartbeat();
    let advance = |steps| progress.advance(steps);
    let work = work_within(unit.nodes, memory, stop).showing(progress.searches()).watched(&advance);
    let (written, packings_before) = (Instant::now(), Vec::new());
    let mut worker = Worker { work, progress, file, written, packings_before };
    let done = prepared(&mut worker, &unit.name(), place);
    progress.end();
    let ended = done.and_then(|()| {
        worker.file.flush()?;
        if stop.load(Ordering::Relaxed) {
            return Ok(WorkEnd::Stopped);
        }
        finish(unit, &paths, &mut worker.file)?;
        Ok(WorkEnd::Finished)
    });
    match ended {
        Ok(WorkEnd::Stopped) => worker.file.rest(Phase::Stopped),
        Err(_) => worker.file.rest(Phase::Failed),
        Ok(_) => {}
    }
    ended
}

fn prepare(unit: &Unit) -> Result<Prepared, UnitsError> {
    Ok(match &unit.work {
        UnitWork::Import { file, set, entries, .. } => {
            let set = set.as_ref().map(SetText::set).transpose();
            let set = set.map_err(|error| UnitsError::of_unit(unit.name(), error))?;
            let set = set.map_or(SetChoice::Auto, SetChoice::Fixed);
            let job = ImportJob { source: open_file(unit, file)?, format: None, set };
            let entries = *entries;
            Box::new(move |worker, name, place| {
                let from = place.unwrap_or_default();
                let left = entries[1].saturating_sub(from.figures.max(entries[0]));
                worker.progress.begin(name, Size::About(left));
                worker.import(&job, entries, from)
            })
        }
        UnitWork::Question(shards) => {
            let (question, range) = (shards.question(), shards.range());
            let question = question.map_err(|fault| UnitsError::of_unit(unit.name(), fault))?;
            Box::new(move |worker, name, place| {
                let (work, from) = (worker.work, place.unwrap_or_default());
                if question.keep().top().is_some() {
                    worker.packings_before = worker.file.packings()?;
                }
                worker.progress.begin(name, question.steps(range, from, None));
                answer(question.as_ref(), range, from, work, worker)?;
                Ok(())
            })
        }
        UnitWork::Published { file, .. } => {
            let source = open_file(unit, file)?;
            Box::new(move |worker, _, place| match place {
                Some(_) => Ok(()),
                None => worker.published(&source),
            })
        }
    })
}

/// Returns the source that a unit names, if its content is unchanged.
fn open_file(unit: &Unit, file: &UnitFile) -> Result<Source, UnitsError> {
    let faulty = |fault| UnitsError::of_unit(unit.name(), fault);
    let source = source_of(file).ok_or_else(|| faulty(UnitFault::NoBuiltIn(file.file.clone())))?;
    let found = source.sha256().map_err(RunError::from)?;
    if found == file.sha256 {
        return Ok(source);
    }
    let begin = |digest: &str| digest.chars().take(12).collect();
    let (file, found, wanted) = (file.file.clone(), begin(&found), begin(&file.sha256));
    Err(faulty(UnitFault::OtherFile { file, found, wanted }))
}

/// Returns the source that a unit names. `None` if this program does not have it built in.
pub(super) fn source_of(file: &UnitFile) -> Option<Source> {
    match file.builtin {
        true => starter_source(&file.file),
        false => Some(Source::File { path: PathBuf::from(&file.file), plan: PathBuf::new() }),
    }
}

fn figure_record(row: &CountedRow) -> PartRecord {
    PartRecord::Figure(PlainFigure::from(&row.columns), PlainReport::from(&row.report))
}

impl FigureSink for Worker<'_> {
    type Error = RunError;

    fn most_packings(&mut self, _number: NonZeroU32) -> Result<Vec<u64>, RunError> {
        Ok(take(&mut self.packings_before))
    }

    fn take(&mut self, batch: Batch) -> Result<(), RunError> {
        let records: Vec<PartRecord> = batch.rows.iter().map(figure_record).collect();
        let Place { shard, figures } = batch.place;
        self.add(
            &records,
            End { shard, figures, totals: PlainTotal::list(&batch.totals), census: batch.sums },
        )
    }

    fn flush(&mut self) -> Result<(), RunError> {
        self.written = Instant::now();
        self.file.flush()
    }
}

impl Worker<'_> {
    /// Adds records. Writes if many bytes wait or the last write was long ago.
    fn add(&mut self, records: &[PartRecord], end: End) -> Result<(), RunError> {
        self.file.add(records, end)?;
        if self.file.pending() >= WRITE_BYTES || self.written.elapsed() >= WRITE_TIME {
            self.flush()?;
        }
        Ok(())
    }

    fn import(
        &mut self,
        job: &ImportJob,
        [start, end]: [u64; 2],
        from: Place,
    ) -> Result<(), UnitsError> {
        let (stop, start) = (self.work.stop, start.max(from.figures));
        let mut open = OpenSource::open(job, stop)?;
        let (mut size, mut counted) = (64, HashSet::new());
        open.stream(start..end, &job.set, stop, &mut |mut entries| {
            while !entries.is_empty() && !stop.load(Ordering::Relaxed) {
                let rest = entries.split_off(entries.len().min(size));
                let begun = Instant::now();
                self.entries(entries, &mut counted)?;
                size = if begun.elapsed() < WRITE_TIME / 2 { 2 * size } else { size.div_ceil(2) };
                entries = rest;
            }
            Ok::<(), UnitsError>(())
        })?;
        Ok(())
    }

    /// Counts recognized entries, up to the first one that a stop interrupted.
    fn entries(
        &mut self,
        entries: Vec<(u64, Recognition)>,
        counted: &mut HashSet<(String, String)>,
    ) -> Result<(), UnitsError> {
        // Of equal figures with equal sets the first is counted.
        let mut is_new = |figure: &Recognized| {
            counted.insert((figure.set.name().to_owned(), figure.candidate.signature().to_string()))
        };
        let entries: Vec<(u64, Recognition, bool)> = entries
            .into_iter()
            .map(|(ordinal, one)| {
                let new = matches!(&one, Recognition::Figure(figure, _) if is_new(figure));
                (ordinal, one, new)
            })
            .collect();
        let work = self.work;
        let one = |(ordinal, one, new): (u64, Recognition, bool)| {
            let report = match &one {
                Recognition::Figure(figure, _) if new => {
                    let Recognized { candidate, set, .. } = &**figure;
                    let count =
                        |limits: Limits<'_>| count_signature(candidate.signature(), set, limits);
                    Some(work.count(count)?.report)
                }
                _ => None,
            };
            Some((ordinal, one, report))
        };
        let done: Vec<Option<_>> = entries.into_par_iter().map(one).collect();
        let (mut records, mut sets, mut next) = (Vec::new(), Vec::new(), None);
        for (ordinal, one, report) in done.into_iter().map_while(|one| one) {
            next = Some(ordinal + 1);
            match one {
                Recognition::Refusal(fault) => records.push(PartRecord::Fault(fault)),
                Recognition::Figure(figure, warning) => {
                    let Recognized { candidate, name, set } = *figure;
                    let at = sets.iter().position(|known| *known == set).unwrap_or(sets.len());
                    if at == sets.len() {
                        records.push(PartRecord::Set(SetText::of(&set)));
                        sets.push(set);
                    }
                    let columns = candidate.columns();
                    let transform = columns.to_canonical.inverse().number();
                    let signature = columns.signature.to_string();
                    records.push(PartRecord::Name(signature, transform, at, name));
                    records.extend(warning.map(PartRecord::Fault));
                    records.extend(report.map(|report| {
                        let report = PlainReport::from(&report);
                        PartRecord::Count(at, PlainFigure::from(columns), report)
                    }));
                }
            }
        }
        match next {
            Some(figures) => Ok(self.add(&records, End { figures, ..End::default() })?),
            None => Ok(()),
        }
    }

    fn published(&mut self, source: &Source) -> Result<(), UnitsError> {
        let mut text = String::new();
        let read = source.open().map_err(RunError::from)?.read_to_string(&mut text);
        read.map_err(|error| {
            UnitsError::read("the published counts", Path::new(&source.shown()), error)
        })?;
        Ok(self.add(&[PartRecord::Published(text)], End::default())?)
    }
}
