//! The state of a plan's units: the contents of the folders of parts, and the remaining work.

use super::error::UnitsError;
use super::part::{PROGRESS_ENDING, PartFile, PartPaths};
use super::progress_file::{HEARTBEAT, last_write, require_file};
use super::record::{Phase, Worker};
use super::unit::{part_name, read_units};
use rayon::prelude::*;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The silence after which a unit counts as killed. Its progress file was not marked as in use for this long.
const SILENCE: Duration = HEARTBEAT.saturating_mul(4);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnitState {
    /// No part, and no work on it.
    Missing,
    /// The part does not have the digest that its last line states, or has no such line.
    Damaged,
    /// Ended by an error; the next `work` continues.
    Failed,
    /// Stopped or killed; the next `work` continues.
    Stopped,
    /// A program has written to its progress file lately, and did not note that it ended.
    Running,
    Done,
}

/// The state of a unit in a folder of parts.
#[derive(Clone, Debug)]
struct Found {
    state: UnitState,
    processor_ms: u64,
    bytes: u64,
    /// The last program that worked on the unit. `None` if it is finished, or nobody has begun.
    worker: Option<Box<Worker>>,
}

impl Found {
    const fn without_worker(state: UnitState) -> Self {
        Self { state, processor_ms: 0, bytes: 0, worker: None }
    }

    fn seconds(&self) -> f64 {
        self.processor_ms as f64 / 1e3
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct UnfinishedUnit {
    pub number: u64,
    pub state: UnitState,
    /// Estimated seconds of processor time left.
    pub seconds: f64,
    /// The estimated memory of a thread, in MiB.
    pub memory_mib: u64,
    /// The last program that worked on it.
    pub worker: Worker,
}

/// Units of a job that calibration assumes to match their estimate. Without them the first finished units would count
/// too much.
const ASSUMED_UNITS: f64 = 4.0;

/// Returns the ratio of taken to estimated time of finished units. It reflects the quality of the estimate and the
/// speed of these machines.
fn calibration(units: &[SurveyedUnit]) -> f64 {
    let mean = units.iter().map(SurveyedUnit::seconds).sum::<f64>() / units.len().max(1) as f64;
    let assumed = ASSUMED_UNITS * mean;
    let finished = units.iter().filter(|unit| unit.found.state == UnitState::Done);
    let (estimated, taken) = finished.fold((assumed, assumed), |(estimated, taken), unit| {
        (estimated + unit.seconds(), taken + unit.found.seconds())
    });
    if estimated > 0.0 { taken / estimated } else { 1.0 }
}

/// The states of the units of a source or question.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JobStatus {
    /// The source or the question in words.
    pub label: String,
    /// The numbers of units by state, in the order of the states.
    numbers: [u64; 6],
    /// Seconds of processor time taken, by finished and unfinished units.
    pub seconds_used: f64,
    /// Estimated seconds of processor time left.
    pub seconds_left: f64,
    /// Bytes of parts and progress files.
    pub bytes: u64,
}

/// What a survey knows of a unit. It keeps a hundred thousand of them.
struct SurveyedUnit {
    /// The bytes of its line in the file of units.
    line: Range<usize>,
    estimated_ms: u64,
    memory_mib: u64,
    found: Found,
}

impl SurveyedUnit {
    fn seconds(&self) -> f64 {
        self.estimated_ms as f64 / 1e3
    }
}

/// Surveys the parts of a plan again and again. A finished part is read once.
pub struct UnitSurvey {
    /// The content of the file of units.
    text: String,
    /// All units, in order.
    units: Vec<SurveyedUnit>,
    /// The sources and questions with the number of their units.
    jobs: Vec<(String, usize)>,
    folders: Vec<PathBuf>,
}

impl UnitSurvey {
    /// Prepares to survey the parts of a file of units.
    pub fn new(units_file: &Path, folders: &[PathBuf]) -> Result<Self, UnitsError> {
        let (mut units, mut jobs, mut before) = (Vec::new(), Vec::<(String, usize)>::new(), None);
        let text = read_units(units_file, |unit, line| {
            match jobs.last_mut() {
                Some((_, number)) if before.as_ref().is_some_and(|b| unit.work.continues(b)) => {
                    *number += 1;
                }
                _ => jobs.push((unit.work.label().to_owned(), 1)),
            }
            let found = Found::without_worker(UnitState::Missing);
            let (estimated_ms, memory_mib) = (unit.estimated_ms, unit.memory_mib);
            units.push(SurveyedUnit { line, estimated_ms, memory_mib, found });
            before = Some(unit.work);
        })?;
        for folder in folders.iter().filter(|folder| folder.exists()) {
            fs::read_dir(folder)
                .map_err(|error| UnitsError::read("the folder of parts", folder, error))?;
        }
        Ok(Self { text, units, jobs, folders: folders.to_vec() })
    }

    /// Returns the unfinished units, in order, with their time and memory.
    pub fn unfinished(&mut self) -> Vec<UnfinishedUnit> {
        self.survey();
        let mut number = 0;
        let mut unfinished = Vec::new();
        for (_, units) in self.units_of_jobs() {
            let factor = calibration(units);
            for unit in units {
                number += 1;
                let found = &unit.found;
                if found.state != UnitState::Done {
                    unfinished.push(UnfinishedUnit {
                        number,
                        state: found.state,
                        seconds: (unit.seconds() * factor - found.seconds()).max(0.0),
                        memory_mib: unit.memory_mib,
                        worker: found.worker.as_deref().cloned().unwrap_or_default(),
                    });
                }
            }
        }
        unfinished
    }

    /// Returns the states of each source and question, in plan order.
    pub fn jobs(&mut self) -> Vec<JobStatus> {
        self.survey();
        self.units_of_jobs().map(|(label, units)| JobStatus::of(label, units)).collect()
    }

    fn units_of_jobs(&self) -> impl Iterator<Item = (&str, &[SurveyedUnit])> {
        let mut rest = self.units.as_slice();
        self.jobs.iter().map(move |(label, number)| {
            let (units, later) = rest.split_at(*number);
            rest = later;
            (label.as_str(), units)
        })
    }

    /// Looks for the parts of all units that were not finished.
    fn survey(&mut self) {
        let Self { text, units, folders, .. } = self;
        let of = units.len() as u64;
        let folders: Vec<(&Path, Vec<UnitFiles>)> =
            folders.iter().map(|folder| (folder.as_path(), list(folder, of))).collect();
        units.par_iter_mut().enumerate().for_each(|(at, unit)| {
            if unit.found.state != UnitState::Done {
                let line = &text[unit.line.clone()];
                // The most advanced of the copies in the folders.
                let copies = folders.iter().map(|(folder, files)| {
                    let paths = || PartPaths::named(folder, &part_name(at as u64 + 1, of));
                    files.get(at).map_or(Found::without_worker(UnitState::Missing), |files| {
                        files.find(paths, line)
                    })
                });
                let none = Found::without_worker(UnitState::Missing);
                unit.found = copies.max_by_key(|found| found.state).unwrap_or(none);
            }
        });
    }
}

/// The files of a unit in a folder. Most units have at most one, so listing the folder once saves looking for others.
#[derive(Clone, Copy, Default)]
struct UnitFiles {
    part: bool,
    progress: bool,
    /// Something that is not a file has the name of the part.
    other: bool,
}

/// Lists the files of the units in a folder, in the order of their numbers.
fn list(folder: &Path, of: u64) -> Vec<UnitFiles> {
    let mut all = vec![UnitFiles::default(); of as usize];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let progress = name.strip_suffix(PROGRESS_ENDING);
        let number = progress.unwrap_or(name).parse::<u64>().unwrap_or_default();
        let at = number.checked_sub(1).and_then(|at| usize::try_from(at).ok());
        let Some(files) = at.and_then(|at| all.get_mut(at)) else { continue };
        if progress.unwrap_or(name) != part_name(number, of) {
            continue;
        }
        if progress.is_some() {
            files.progress = true;
        } else {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file())
                || require_file(&entry.path()).is_ok();
            (files.part, files.other) = (is_file, !is_file);
        }
    }
    all
}

impl UnitFiles {
    /// Reads the part, or else the progress file, of the unit with this line.
    fn find(self, paths: impl Fn() -> PartPaths, line: &str) -> Found {
        if self.part
            && let Ok(mut part) = File::open(paths().part).and_then(PartFile::read)
            && let Some(state) = part.state_of(line)
        {
            let (processor_ms, bytes) = (state.processor_ms, part.bytes());
            return Found { processor_ms, bytes, ..Found::without_worker(UnitState::Done) };
        }
        if self.progress
            && let Some(found) = unfinished(&paths().progress)
        {
            return found;
        }
        let damaged = self.part || self.other;
        Found::without_worker(if damaged { UnitState::Damaged } else { UnitState::Missing })
    }
}

/// Reads the state of a unit from its progress file.
fn unfinished(progress: &Path) -> Option<Found> {
    let data = fs::metadata(progress).ok()?;
    // A clock that was set back leaves times in the future.
    let silent = data.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
    let (processor_ms, worker) = last_write(progress).unwrap_or_default();
    let state = match worker.phase {
        Phase::Working if silent < SILENCE => UnitState::Running,
        Phase::Working | Phase::Stopped => UnitState::Stopped,
        Phase::Failed => UnitState::Failed,
    };
    Some(Found { state, processor_ms, bytes: data.len(), worker: Some(Box::new(worker)) })
}

impl JobStatus {
    fn of(label: &str, units: &[SurveyedUnit]) -> Self {
        let mut status = Self { label: label.to_owned(), ..Self::default() };
        let (mut to_do, mut begun) = (0.0, 0.0);
        for unit in units {
            let found = &unit.found;
            status.numbers[found.state as usize] += 1;
            status.bytes += found.bytes;
            status.seconds_used += found.seconds();
            if found.state != UnitState::Done {
                (to_do, begun) = (to_do + unit.seconds(), begun + found.seconds());
            }
        }
        status.seconds_left = (to_do * calibration(units) - begun).max(0.0);
        status
    }

    pub fn units(&self) -> u64 {
        self.numbers.iter().sum()
    }

    pub const fn number(&self, state: UnitState) -> u64 {
        self.numbers[state as usize]
    }

    /// Adds up sources and questions.
    pub fn sum(jobs: &[Self]) -> Self {
        let mut sum = Self { label: "all".to_owned(), ..Self::default() };
        for job in jobs {
            sum.numbers.iter_mut().zip(job.numbers).for_each(|(sum, number)| *sum += number);
            sum.seconds_used += job.seconds_used;
            sum.seconds_left += job.seconds_left;
            sum.bytes += job.bytes;
        }
        sum
    }
}
