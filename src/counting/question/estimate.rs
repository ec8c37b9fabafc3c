//! Estimates of figures, time and space. The steps are the same on every machine.

use crate::costs;
use crate::solve::{DEFAULT_MEMORY, FirstLook, Limits, Problem, SolveError, count, guard};
use rayon::prelude::*;
use somacat_geometry::figure::Candidate;
use somacat_geometry::outcome::{Engine, Report};
use somacat_geometry::pieces::PieceSet;

/// Figures counted of each part of an enumeration.
const TRIED: usize = 200;

/// Nodes after which a trial is abandoned. The estimate is then too low and marked as such.
const TRIAL_NODES: u64 = 3_000_000;

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

/// The estimated work of a question or a source.
///
/// ```
/// use somacat_counting::census::Census;
/// use somacat_counting::question::{CensusQuestion, Keep, Question, Work};
/// use somacat_geometry::pieces::PieceSet;
/// use std::sync::atomic::AtomicBool;
///
/// // Whether SOMA builds them or not, 3×3×4 has nearly six million figures of 27 cells.
/// let census = Census::new([3, 3, 4], &PieceSet::soma(1))?;
/// let stop = AtomicBool::new(false);
/// let estimate = CensusQuestion { census, keep: Keep::Totals }.estimate(Work::until(&stop))?;
/// assert_eq!((estimate.figures, estimate.error, estimate.kept), (5_913_648.0, 0.0, 0.0));
/// // Two cores share the seconds, but each needs memory of its own.
/// assert!(estimate.seconds_on(2) < estimate.seconds_on(1));
/// assert_eq!(estimate.disk(), [0, 0, 0], "only totals are kept");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct WorkEstimate {
    /// The source, or the question in words.
    pub label: String,
    /// Its figures; of files the entries, faulty ones included.
    pub figures: f64,
    /// The standard error of that number; 0 if it is exact.
    pub error: f64,
    /// The figures that are kept.
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
        (self.seconds() / cores as f64).max(self.kept * costs::CATALOG_ROW)
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

/// Mean values of counting some figures.
///
/// ```
/// use somacat_counting::enumerate::{BoxSpec, Enumeration};
/// use somacat_counting::question::Trial;
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::pieces::parse_set;
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// // Two dominoes build three of the six figures of four cells in a cube of side 2.
/// let mut figures = Vec::new();
/// let enumeration = Enumeration::in_box(BoxSpec::new([2, 2, 2], 4))?;
/// let _ = enumeration.for_each(&AtomicBool::new(false), &mut |figure| {
///     figures.push(figure);
///     ControlFlow::Continue(())
/// });
/// let figures: Vec<_> = figures.iter().collect();
/// let trial = Trial::of_some(&figures, &parse_set("D2")?, None, Limits::default());
/// assert_eq!((figures.len(), trial.buildable), (6, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Trial {
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
    pub fn of_some(
        figures: &[&Candidate],
        set: &PieceSet,
        first_look: Option<&FirstLook>,
        limits: Limits<'_>,
    ) -> Self {
        let limit = limits.nodes;
        let nodes = limit.unwrap_or(u64::MAX).min(TRIAL_NODES);
        let limits = Limits { nodes: Some(nodes), ..limits };
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
    pub fn seconds(&self) -> f64 {
        self.searched * costs::SEARCH + self.nodes * costs::NODE
    }
}
