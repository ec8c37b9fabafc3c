//! Estimates of the figures, time and space of a plan. The steps are the same on every machine.

use super::import::{OpenSource, Recognition, recognize};
use super::plan::{ImportJob, Plan};
use super::{RunError, default_limits};
use rayon::prelude::*;
use somacat_counting::solve::{
    DEFAULT_MEMORY, FirstLook, Limits, Problem, SolveError, count, guard,
};
use somacat_formats::Item;
use somacat_geometry::figure::Candidate;
use somacat_geometry::outcome::{Engine, Report};
use somacat_geometry::pieces::PieceSet;
use std::sync::atomic::AtomicBool;

/// Figures counted of each part of an enumeration.
const TRIED: usize = 200;

/// Nodes after which a trial is abandoned. The estimate is then too low and marked as such.
const TRIAL_NODES: u64 = 3_000_000;

/// Seconds to read and recognize an entry of a file. They are those of one core of an ordinary machine.
const ENTRY_SECONDS: f64 = 2.1e-5;

/// The least number of a file's entries whose work is estimated. Of a file with fewer entries, all are.
const ENTRIES: usize = 200;

/// Seconds of a figure's row in a catalog. One thread writes all rows.
const CATALOG_ROW_SECONDS: f64 = 1.5e-5;

/// Bytes of a kept figure: in a part, a catalog, and Parquet files.
const PART_BYTES: f64 = 80.0;
const CATALOG_BYTES: f64 = 250.0;
const PARQUET_BYTES: f64 = 12.0;

/// Bytes of the name of an entry in a part.
const NAME_BYTES: f64 = 190.0;

/// Bytes of a state of the frontier engine. Measured: 74 for the box 3x3x6 with two sets of SOMA, 243 for 3x9x3 with
/// three, which have longer lists of counts.
const STATE_BYTES: u64 = 256;

/// Bytes that the program takes in any case.
const OWN_MEMORY: u64 = 64 << 20;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct WorkEstimate {
    /// The source, or the question in words.
    pub label: String,
    /// Its figures; of files the entries, faulty ones included.
    pub figures: f64,
    /// The standard error of that number; 0 if it is exact.
    pub error: f64,
    pub kept: f64,
    /// The entries of a file.
    pub names: f64,
    /// True if more figures or time than estimated are likely: trials were abandoned, or a few samples dominate.
    pub longer: bool,
    /// Bytes of memory of one thread, in addition to the program's own.
    pub memory: u64,
    /// Bytes of the frontier engine, which counts one figure at a time on all threads.
    pub shared_memory: u64,
    /// Seconds to begin, in a run once and in every unit.
    pub begin: f64,
    /// Numbers of consecutive shards or entries, with the seconds of each. The seconds are those of one core of an
    /// ordinary machine.
    pub segments: Vec<(u64, f64)>,
    /// The first shard of each search of an enumeration.
    pub searches: Vec<u64>,
}

impl WorkEstimate {
    /// Returns the seconds of one core of an ordinary machine.
    pub fn seconds(&self) -> f64 {
        self.begin + self.segments.iter().map(|&(number, each)| number as f64 * each).sum::<f64>()
    }

    /// Returns the seconds on some cores, where one thread writes a catalog.
    pub fn seconds_on(&self, cores: usize) -> f64 {
        (self.seconds() / cores as f64).max(self.kept * CATALOG_ROW_SECONDS)
    }

    /// Returns the bytes of memory with this number of threads.
    pub const fn memory_on(&self, threads: u64) -> u64 {
        OWN_MEMORY + self.shared_memory + threads * self.memory
    }

    /// Returns the bytes on disk of parts, a catalog, and Parquet files.
    pub fn disk(&self) -> [u64; 3] {
        let parts = self.kept * PART_BYTES + self.names * NAME_BYTES;
        [parts, self.kept * CATALOG_BYTES, self.kept * PARQUET_BYTES].map(|bytes| bytes as u64)
    }
}

/// Estimates every source and question of a plan. Ends early if `stop` is set.
pub fn estimate_plan(plan: &Plan, stop: &AtomicBool) -> Result<Vec<WorkEstimate>, RunError> {
    let import = |job| estimate_import(job, plan.nodes, stop);
    let mut estimates = plan.imports.iter().map(import).collect::<Result<Vec<_>, _>>()?;
    estimates.extend(plan.questions.iter().map(|question| question.estimate(plan.nodes, stop)));
    Ok(estimates)
}

/// Estimates the work of a source from entries drawn evenly.
pub fn estimate_import(
    job: &ImportJob,
    nodes: Option<u64>,
    stop: &AtomicBool,
) -> Result<WorkEstimate, RunError> {
    let mut source = OpenSource::open(job, stop)?;
    // One entry of `stride` is drawn. The stride doubles as entries arrive.
    let (mut drawn, mut stride, mut entries): (Vec<(u64, Item)>, u64, u64) = (Vec::new(), 1, 0);
    while !source.items.is_empty() {
        for item in std::mem::take(&mut source.items) {
            if entries.is_multiple_of(stride) {
                drawn.push((entries, item));
            }
            entries += 1;
            if drawn.len() >= 2 * ENTRIES {
                stride *= 2;
                drawn.retain(|(entry, _)| entry.is_multiple_of(stride));
            }
        }
        source.advance(stop)?;
    }
    let trial = |(entry, item): (u64, Item)| {
        let trial = match recognize(item, entry, &job.set) {
            Recognition::Refusal(_) => Trial::default(),
            Recognition::Figure(figure, _) => {
                Trial::of_some(&[&figure.candidate], &figure.set, None, nodes, stop)
            }
        };
        (stride.min(entries - entry), trial)
    };
    let trials: Vec<(u64, Trial)> = drawn.into_par_iter().map(trial).collect();
    Ok(WorkEstimate {
        label: source.label,
        figures: entries as f64,
        kept: entries as f64,
        names: entries as f64,
        longer: trials.iter().any(|(_, trial)| trial.given_up),
        shared_memory: trials.iter().map(|(_, trial)| trial.memory).max().unwrap_or(0),
        // A drawn entry represents those up to the next.
        segments: trials.iter().map(|(n, trial)| (*n, ENTRY_SECONDS + trial.seconds())).collect(),
        ..WorkEstimate::default()
    })
}

/// Seconds to begin a search, and of a node. They are those of one core of an ordinary machine.
const SEARCH_SECONDS: f64 = 4e-6;
const NODE_SECONDS: f64 = 5e-8;

/// Mean values of counting some figures.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trial {
    /// Nodes of a figure, the same on every machine.
    nodes: f64,
    searched: f64,
    /// The share of figures with a packing.
    pub buildable: f64,
    /// Bytes that counts may take.
    pub memory: u64,
    /// True if some counts were abandoned.
    pub given_up: bool,
}

impl Trial {
    /// Counts some figures, evenly drawn. With a first look, those that it rules out are not counted.
    pub(crate) fn of_some(
        figures: &[&Candidate],
        set: &PieceSet,
        first_look: Option<&FirstLook>,
        limit: Option<u64>,
        stop: &AtomicBool,
    ) -> Self {
        let nodes = limit.unwrap_or(u64::MAX).min(TRIAL_NODES);
        let limits = Limits { nodes: Some(nodes), ..default_limits(stop) };
        let report = |candidate: &Candidate| -> Result<Option<Report>, SolveError> {
            let (figure, group) = (candidate.figure(), candidate.group());
            let cells = figure.cells();
            let look =
                |look: &FirstLook| look.rule_out_by_short_search(cells, cells, group, limits.nodes);
            if first_look.and_then(look).is_some() {
                return Ok(None);
            }
            Ok(Some(count(&Problem::with_group(figure, set, group), limits)?))
        };
        let one = |candidate: &&Candidate| {
            let Some(report) = guard(|| report(candidate)).ok().flatten() else {
                return Self::default();
            };
            let made = report.nodes.unwrap_or_default();
            let given_up = made >= TRIAL_NODES && limit != Some(nodes);
            // A count that was abandoned may take all memory that the frontier engine is allowed.
            let memory = match report.engine {
                _ if given_up => DEFAULT_MEMORY,
                Some(Engine::Frontier) => made * STATE_BYTES,
                _ => 0,
            };
            Self {
                nodes: made as f64,
                searched: f64::from(made > 0),
                buildable: f64::from(u8::from(report.outcome.verdict().is_buildable())),
                memory,
                given_up,
            }
        };
        let step = figures.len().div_ceil(TRIED).max(1);
        let tried: Vec<Self> = figures.par_iter().step_by(step).map(one).collect();
        let number = tried.len().max(1) as f64;
        let mean = |value: fn(&Self) -> f64| tried.iter().map(value).sum::<f64>() / number;
        Self {
            nodes: mean(|one| one.nodes),
            searched: mean(|one| one.searched),
            buildable: mean(|one| one.buildable),
            memory: tried.iter().map(|one| one.memory).max().unwrap_or(0),
            given_up: tried.iter().any(|one| one.given_up),
        }
    }

    /// Returns the seconds of a figure on an ordinary machine's core.
    pub(crate) fn seconds(&self) -> f64 {
        self.searched * SEARCH_SECONDS + self.nodes * NODE_SECONDS
    }
}
