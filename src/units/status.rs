//! The state of a plan's units: the contents of the folders of parts, and the remaining work.

use super::error::UnitsError;
use super::part::{PartPaths, Sidecar};
use super::progress_file::{HEARTBEAT, noted_ms};
use super::unit::{Unit, UnitList, UnitWork, jobs};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A progress file that was not marked as in use for this long is that of a stopped or killed unit.
const SILENCE: Duration = HEARTBEAT.saturating_mul(4);

/// The state of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnitState {
    /// No part, and no work on it.
    Missing,
    /// Its part is shorter or longer than its sidecar says, or the sidecar cannot be read.
    Damaged,
    /// Stopped or killed; the next `work` continues.
    Stopped,
    /// A program has written to its progress file lately.
    Running,
    Done,
}

/// The state of a unit in a folder of parts.
#[derive(Clone, Copy, Debug)]
struct Found {
    state: UnitState,
    processor_ms: u64,
    bytes: u64,
}

/// The states of the units of a source or question.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JobStatus {
    /// The source or the question in words.
    pub label: String,
    /// The number of units in each state, in the order of the states.
    numbers: [u64; 5],
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
        for folder in folders.iter().filter(|folder| folder.exists()) {
            fs::read_dir(folder)
                .map_err(|error| UnitsError::read("the folder of parts", folder, error))?;
        }
        let list = UnitList::read(units_file)?;
        Ok(Self { list, folders: folders.to_vec(), done: HashMap::new() })
    }

    /// Returns the states of all units, in order.
    pub fn states(&mut self) -> Vec<UnitState> {
        self.found().into_iter().map(|found| found.state).collect()
    }

    /// Returns the states of each source and question, in the order of the plan.
    pub fn jobs(&mut self) -> Vec<JobStatus> {
        let (mut found, units) = (self.found().into_iter(), self.list.units());
        let job = |units: &[Unit]| JobStatus::of(units, found.by_ref().take(units.len()).collect());
        jobs(units).map(job).collect()
    }

    fn found(&mut self) -> Vec<Found> {
        let Self { list, folders, done } = self;
        let one = |unit: &Unit| *done.entry(unit.number).or_insert_with(|| best(folders, unit));
        let found: Vec<Found> = list.units().iter().map(one).collect();
        self.done.retain(|_, found| found.state == UnitState::Done);
        found
    }
}

/// Returns the most advanced of the copies of a unit in folders.
fn best(folders: &[PathBuf], unit: &Unit) -> Found {
    let copies = folders.iter().map(|folder| find(&PartPaths::new(folder, unit), unit));
    let none = Found { state: UnitState::Missing, processor_ms: 0, bytes: 0 };
    copies.max_by_key(|found| found.state).unwrap_or(none)
}

/// Looks for the part and the progress file of a unit.
fn find(paths: &PartPaths, unit: &Unit) -> Found {
    let length = |path: &Path| fs::metadata(path).ok().map(|data| data.len());
    if let (Some(bytes), Ok(sidecar)) = (length(&paths.part), Sidecar::read(&paths.sidecar))
        && (bytes, &sidecar.unit.unit) == (sidecar.bytes, unit)
    {
        return Found { state: UnitState::Done, processor_ms: sidecar.processor_ms, bytes };
    }
    if let Ok(data) = fs::metadata(&paths.progress) {
        // A clock that was set back leaves times in the future.
        let silent = data.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        let state = if silent < SILENCE { UnitState::Running } else { UnitState::Stopped };
        let processor_ms = noted_ms(&paths.progress).unwrap_or_default();
        return Found { state, processor_ms, bytes: data.len() };
    }
    // A part without a sidecar was killed at its end: its progress file, or nothing, remains.
    let state = if paths.sidecar.exists() { UnitState::Damaged } else { UnitState::Missing };
    Found { state, processor_ms: 0, bytes: 0 }
}

impl JobStatus {
    fn of(units: &[Unit], found: Vec<Found>) -> Self {
        let mut status = Self { label: label(&units[0].work), ..Self::default() };
        // Seconds estimated and taken by finished units, then those estimated of the others, and taken by them.
        let (mut estimated, mut taken, mut to_do, mut begun) = (0.0, 0.0, 0.0, 0.0);
        for (unit, found) in units.iter().zip(found) {
            let (estimate, seconds) =
                (unit.estimated_ms as f64 / 1e3, found.processor_ms as f64 / 1e3);
            status.numbers[found.state as usize] += 1;
            status.bytes += found.bytes;
            match found.state {
                UnitState::Done => (estimated, taken) = (estimated + estimate, taken + seconds),
                _ => (to_do, begun) = (to_do + estimate, begun + seconds),
            }
        }
        status.seconds_used = taken + begun;
        // Finished units show how good the estimate is and how fast these machines are.
        let factor = if estimated > 0.0 && taken > 0.0 { taken / estimated } else { 1.0 };
        status.seconds_left = (to_do * factor - begun).max(0.0);
        status
    }

    /// Returns the number of units.
    pub fn units(&self) -> u64 {
        self.numbers.iter().sum()
    }

    /// Returns the number of units in a state.
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
