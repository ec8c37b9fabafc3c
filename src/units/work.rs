//! Working a unit, without a catalog.

use super::cut::digest;
use super::error::{UnitFault, UnitsError};
use super::part::{PartPaths, finish};
use super::progress_file::ProgressFile;
use super::record::{End, PartRecord, PlainFigure};
use super::unit::{SetText, Unit, UnitWork};
use somacat_catalog::{PlainReport, PlainTotal};
use somacat_counting::enumerate::Place;
use somacat_counting::question::{Batch, CountedRow, Entry, FigureSink, Question, Work, answer};
use somacat_geometry::pieces::PieceSet;
use somacat_run::{Progress, RunError, work_within};
use std::fs;
use std::mem::take;
use std::num::NonZeroU32;
use std::path::Path;
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
    let question = unit.work.question().map_err(|fault| UnitsError::of_unit(unit.name(), fault))?;
    check_file(unit)?;
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
    let done = match &question {
        Some(question) => worker.answer(question.as_ref(), unit, place.unwrap_or_default()),
        None if place.is_none() => worker.carry(unit),
        None => Ok(()),
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

/// Checks that the content of a file that a unit names is unchanged.
fn check_file(unit: &Unit) -> Result<(), UnitsError> {
    let (UnitWork::Import { file, .. } | UnitWork::Published { file, .. }) = &unit.work else {
        return Ok(());
    };
    let faulty = |fault| UnitsError::of_unit(unit.name(), fault);
    let found = digest(&file.source().map_err(faulty)?)?;
    if found == file.sha256 {
        return Ok(());
    }
    let begin = |digest: &str| digest.chars().take(12).collect();
    let (file, found, wanted) = (file.file.clone(), begin(&found), begin(&file.sha256));
    Err(faulty(UnitFault::OtherFile { file, found, wanted }))
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
        // The end of a source says nothing that a part has.
        if batch.source_end.is_some() {
            return Ok(());
        }
        let mut records: Vec<PartRecord> = batch.rows.iter().map(figure_record).collect();
        let mut sets: Vec<PieceSet> = Vec::new();
        let mut number = |set: PieceSet, records: &mut Vec<PartRecord>| {
            sets.iter().position(|known| *known == set).unwrap_or_else(|| {
                records.push(PartRecord::Set(SetText::of(&set)));
                sets.push(set);
                sets.len() - 1
            })
        };
        for Entry { candidate, set, name } in batch.entries {
            let set = number(set, &mut records);
            let columns = candidate.columns();
            let transform = columns.to_canonical.inverse().number();
            let signature = columns.signature.to_string();
            records.push(PartRecord::Name(signature, transform, set, name));
        }
        records.extend(batch.faults.into_iter().map(PartRecord::Fault));
        for (set, CountedRow { columns, report, .. }) in batch.outcomes {
            let set = number(set, &mut records);
            let (figure, report) = (PlainFigure::from(&columns), PlainReport::from(&report));
            records.push(PartRecord::Count(set, figure, report));
        }
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

    fn answer(
        &mut self,
        question: &dyn Question,
        unit: &Unit,
        from: Place,
    ) -> Result<(), UnitsError> {
        let (work, range) = (self.work, unit.work.range());
        if question.keep().top().is_some() {
            self.packings_before = self.file.packings()?;
        }
        self.progress.begin(&unit.name(), question.steps(range, from, None));
        answer(question, range, from, work, self)?;
        Ok(())
    }

    /// Copies the text of published counts.
    fn carry(&mut self, unit: &Unit) -> Result<(), UnitsError> {
        let UnitWork::Published { file, .. } = &unit.work else { return Ok(()) };
        let source = file.source().map_err(|fault| UnitsError::of_unit(unit.name(), fault))?;
        let mut text = String::new();
        let read = source.open().map_err(RunError::from)?.read_to_string(&mut text);
        read.map_err(|error| {
            UnitsError::read("the published counts", Path::new(&source.shown()), error)
        })?;
        Ok(self.add(&[PartRecord::Published(text)], End::default())?)
    }
}
