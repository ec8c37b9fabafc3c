//! The state of a plan's units: the contents of the folders of parts, and the remaining work.

use super::error::UnitsError;
use super::part::{PartPaths, Sidecar};
use super::progress_file::{HEARTBEAT, last_write};
use super::record::{Phase, Worker};
use super::unit::{Unit, UnitList, UnitWork, jobs};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The silence after which a unit counts as killed. Its progress file was not marked as in use for this long.
const SILENCE: Duration = HEARTBEAT.saturating_mul(4);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnitState {
    /// No part, and no work on it.
    Missing,
    /// The part does not have the digest that its sidecar states, or the sidecar cannot be read.
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
    /// The last program that worked on the unit, if the unit is unfinished.
    worker: Worker,
}

impl Found {
    fn without_worker(state: UnitState) -> Self {
        Self { state, processor_ms: 0, bytes: 0, worker: Worker::default() }
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
fn calibration(units: &[Unit], found: &[Found]) -> f64 {
    let mean = units.iter().map(Unit::seconds).sum::<f64>() / units.len().max(1) as f64;
    let assumed = ASSUMED_UNITS * mean;
    let finished = units.iter().zip(found).filter(|(_, found)| found.state == UnitState::Done);
    let (estimated, taken) = finished
        .fold((assumed, assumed), |(estimated, taken), (unit, found)| {
            (estimated + unit.seconds(), taken + found.seconds())
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

/// Surveys the parts of a plan again and again. A finished part is read once.
pub struct UnitSurvey {
    list: UnitList,
    folders: Vec<PathBuf>,
    done: HashMap<u64, Found>,
}

impl UnitSurvey {
    /// Prepares to survey the parts of a file of units.
    pub fn new(units_file: &Path, folders: &[PathBuf]) -> Result<Self, UnitsError> {
        let list = UnitList::read(units_file)?;
        // A folder that does not exist is a slip more often than work that has not begun.
        for folder in folders {
            fs::read_dir(folder)
                .map_err(|error| UnitsError::read("the folder of parts", folder, error))?;
        }
        Ok(Self { list, folders: folders.to_vec(), done: HashMap::new() })
    }

    /// Returns the unfinished units, in order, with their time and memory.
    pub fn unfinished(&mut self) -> Vec<UnfinishedUnit> {
        let (mut found, units) = (self.found().into_iter(), self.list.units());
        let left = |units: &[Unit]| {
            let found: Vec<Found> = found.by_ref().take(units.len()).collect();
            let factor = calibration(units, &found);
            let all = units.iter().zip(found);
            let unfinished = all.filter(|(_, found)| found.state != UnitState::Done);
            let left = unfinished.map(|(unit, found)| UnfinishedUnit {
                number: unit.number,
                state: found.state,
                seconds: (unit.seconds() * factor - found.seconds()).max(0.0),
                memory_mib: unit.memory_mib,
                worker: found.worker,
            });
            left.collect::<Vec<_>>()
        };
        jobs(units).flat_map(left).collect()
    }

    /// Returns the states of each source and question, in plan order.
    pub fn jobs(&mut self) -> Vec<JobStatus> {
        let (mut found, units) = (self.found().into_iter(), self.list.units());
        let job = |units: &[Unit]| {
            let found: Vec<Found> = found.by_ref().take(units.len()).collect();
            JobStatus::of(units, &found)
        };
        jobs(units).map(job).collect()
    }

    fn found(&mut self) -> Vec<Found> {
        let Self { list, folders, done } = self;
        let known = |unit: &Unit| done.get(&unit.number).cloned();
        let one = |unit: &Unit| known(unit).unwrap_or_else(|| best(folders, unit));
        let found: Vec<Found> = list.units().par_iter().map(one).collect();
        let finished = list.units().iter().zip(&found);
        let finished = finished.filter(|(_, found)| found.state == UnitState::Done);
        done.extend(finished.map(|(unit, found)| (unit.number, found.clone())));
        found
    }
}

/// Returns the most advanced of the copies of a unit in folders.
fn best(folders: &[PathBuf], unit: &Unit) -> Found {
    let copies = folders.iter().map(|folder| find(&PartPaths::new(folder, unit), unit));
    let none = Found::without_worker(UnitState::Missing);
    copies.max_by_key(|found| found.state).unwrap_or(none)
}

/// Looks for the part and the progress file of a unit.
fn find(paths: &PartPaths, unit: &Unit) -> Found {
    if let Ok(sidecar) = Sidecar::read(&paths.sidecar)
        && sidecar.unit.unit == *unit
        && paths.has(&sidecar)
    {
        let Sidecar { processor_ms, bytes, .. } = sidecar;
        return Found { processor_ms, bytes, ..Found::without_worker(UnitState::Done) };
    }
    if let Ok(data) = fs::metadata(&paths.progress) {
        // A clock that was set back leaves times in the future.
        let silent = data.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        let (processor_ms, worker) = last_write(&paths.progress).unwrap_or_default();
        let state = match worker.phase {
            Phase::Working if silent < SILENCE => UnitState::Running,
            Phase::Working | Phase::Stopped => UnitState::Stopped,
            Phase::Failed => UnitState::Failed,
        };
        return Found { state, processor_ms, bytes: data.len(), worker };
    }
    // A part has no sidecar if its program was killed near the end. Its progress file, or nothing, remains.
    let damaged = paths.sidecar.exists();
    Found::without_worker(if damaged { UnitState::Damaged } else { UnitState::Missing })
}

impl JobStatus {
    fn of(units: &[Unit], found: &[Found]) -> Self {
        let mut status = Self { label: label(&units[0].work), ..Self::default() };
        let (mut to_do, mut begun) = (0.0, 0.0);
        for (unit, found) in units.iter().zip(found) {
            status.numbers[found.state as usize] += 1;
            status.bytes += found.bytes;
            status.seconds_used += found.seconds();
            if found.state != UnitState::Done {
                (to_do, begun) = (to_do + unit.seconds(), begun + found.seconds());
            }
        }
        status.seconds_left = (to_do * calibration(units, found) - begun).max(0.0);
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

fn label(work: &UnitWork) -> String {
    match work {
        UnitWork::Import { label, .. } => label.clone(),
        UnitWork::Question(shards) => shards.label.clone(),
        UnitWork::Published { file, .. } => file.file.clone(),
    }
}
