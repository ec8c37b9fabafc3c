//! A piece set with reusable work space: counts figure after figure.

use super::burnside;
use super::choice;
use super::engine::{Engine, Narrow, Outcome};
use super::frontier::{self, Bounds, Counts};
use super::kit::Kit;
use super::symmetries::{Symmetry, symmetries};
use super::trace::{Recorder, Trace};
use super::word::{Wide, Word};
use super::{Limits, MAX_SEARCH_CELLS, Placement, Problem, Reason, Report, SolveError, Verdict};
use crate::figure::prefilter;
use crate::lattice::Cell;
use crate::pieces::PieceSet;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Nodes of the first attempt at a single packing; each further attempt gets half as much again.
const FIRST_PATIENCE: u64 = 2000;

/// Counts figures with one piece set.
pub(super) struct Solver {
    set: PieceSet,
    kit: Kit,
    paths: Paths,
    one: Engine<u64>,
    two: Engine<Wide<2>>,
    three: Engine<Wide<3>>,
    narrow: Narrow,
}

/// Which of two equal ways of computing to take; the tests compare them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Paths {
    /// Never use machine-specific list operations.
    pub(super) portable: bool,
    /// Never change to 32-bit masks.
    pub(super) uncut: bool,
    /// Never use the figure's symmetry to count.
    pub(super) whole: bool,
}

/// Runs `$body` with the engine that has room for all items of the figure.
macro_rules! with_engine {
    ($solver:expr, $cells:expr, |$engine:ident| $body:expr) => {{
        let items = $cells.len() + $solver.kit.kinds.len();
        if items < u64::BITS as usize {
            let $engine = &mut $solver.one;
            $body
        } else if items < Wide::<2>::BITS {
            let $engine = &mut $solver.two;
            $body
        } else {
            let $engine = &mut $solver.three;
            $body
        }
    }};
}

impl Solver {
    pub(super) fn new(set: &PieceSet, paths: Paths) -> Self {
        Self {
            set: set.clone(),
            kit: Kit::new(set),
            paths,
            one: Engine::default(),
            two: Engine::default(),
            three: Engine::default(),
            narrow: Narrow::default(),
        }
    }

    pub(super) fn is_for(&self, set: &PieceSet) -> bool {
        self.set == *set
    }

    /// Settles what needs no search, else lists the placements.
    fn prepare(&mut self, problem: &Problem<'_>) -> Result<Option<Report>, SolveError> {
        let figure = problem.figure;
        if let Some(blocked) = prefilter(figure, problem.set) {
            return Ok(Some(Report::unsolvable(Reason::from(&blocked), 0)));
        }
        let cells = figure.cells();
        if cells.len() > MAX_SEARCH_CELLS || self.kit.kinds.len() > MAX_KINDS {
            let (cells, kinds) = (cells.len(), self.kit.kinds.len());
            return Err(SolveError::TooLarge { cells, kinds });
        }
        let Some(forcing) = self.kit.forcing(figure.color_difference()) else {
            return Ok(Some(Report::unsolvable(Reason::Parity, 0)));
        };
        let complete = with_engine!(self, cells, |engine| {
            engine.build(&self.kit, cells, forcing);
            engine.builder.covers_all()
        });
        Ok((!complete).then(|| Report::unsolvable(Reason::NoFit, 0)))
    }

    /// All counts, within the limits.
    pub(super) fn count(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
    ) -> Result<Report, SolveError> {
        if limits.packings == Some(1) {
            return Ok(self.first(problem, limits)?.1);
        }
        if let Some(report) = self.prepare(problem)? {
            return Ok(report);
        }
        let cells = problem.figure.cells();
        let group = symmetries(problem.figure, problem.group());
        let outcome = if limits.packings.is_some() {
            with_engine!(self, cells, |engine| engine.visit(limits, |_| true))
        } else {
            self.count_all(cells, &group, limits)
        };
        Ok(self.report(cells, &group, outcome))
    }

    /// What an outcome says. The engine still holds the placements of the figure.
    fn report(&mut self, cells: &[Cell], group: &[Symmetry], outcome: Outcome) -> Report {
        let Outcome { total: raw, nodes, halted } = outcome;
        if halted {
            return Report::undecided(raw, nodes);
        }
        if raw == 0 {
            return exhausted(nodes, choice::Engine::Search);
        }
        let kit = &self.kit;
        let (rotation, unique) =
            with_engine!(self, cells, |engine| burnside::classes(kit, &engine.builder, group, raw));
        Report {
            verdict: Verdict::Counted,
            reason: None,
            raw,
            rotation: Some(rotation),
            unique: Some(unique),
            nodes,
            engine: Some(choice::Engine::Search),
        }
    }

    fn count_all(&mut self, cells: &[Cell], group: &[Symmetry], limits: Limits<'_>) -> Outcome {
        let Paths { portable, uncut, whole } = self.paths;
        let group = if whole { &[] } else { group };
        let items = cells.len() + self.kit.kinds.len();
        let (divisor, mut outcome) = if items < u64::BITS as usize {
            let engine = &mut self.one;
            let divisor = engine.reduce(&self.kit, group);
            let outcome = if !uncut && engine.is_narrow(&self.kit) {
                engine.count_narrow(limits, &mut self.narrow, portable)
            } else {
                engine.count(limits, portable)
            };
            (divisor, outcome)
        } else {
            with_engine!(self, cells, |engine| {
                let divisor = engine.reduce(&self.kit, group);
                (divisor, engine.count(limits, portable))
            })
        };
        // What a limit cut short is a sum over some orbits only: rounded up it is still a bound.
        outcome.total = outcome.total.div_ceil(u128::from(divisor));
        outcome
    }

    /// All counts by the frontier engine; the verdict is unknown if a limit came first. Its nodes are
    /// the states of all sweeps.
    pub(super) fn frontier(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
    ) -> Result<Report, SolveError> {
        if let Some(report) = self.prepare(problem)? {
            return Ok(report);
        }
        let cells = problem.figure.cells();
        let group = symmetries(problem.figure, problem.group());
        let memory = limits.bytes();
        let bounds = Bounds { memory, states: limits.nodes, stop: limits.stop };
        let kit = &self.kit;
        let counts = with_engine!(self, cells, |engine| {
            let builder = &engine.builder;
            one_at_a_time(|| frontier::count(kit, builder, cells, &group, bounds))
        })?;
        match counts {
            Ok(Counts { raw: 0, states, .. }) => Ok(exhausted(states, choice::Engine::Frontier)),
            Ok(Counts { raw, rotation, unique, states, .. }) => Ok(Report {
                verdict: Verdict::Counted,
                reason: None,
                raw,
                rotation: Some(rotation),
                unique: Some(unique),
                nodes: states,
                engine: Some(choice::Engine::Frontier),
            }),
            Err(halt) => halt.error(memory).map_or_else(
                || {
                    Ok(Report {
                        engine: Some(choice::Engine::Frontier),
                        ..Report::undecided(0, halt.states())
                    })
                },
                Err,
            ),
        }
    }

    /// Shows every packing to `visitor` until it breaks or a limit comes.
    pub(super) fn visit(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
        visitor: &mut dyn FnMut(&[Placement]) -> ControlFlow<()>,
    ) -> Result<Report, SolveError> {
        if let Some(report) = self.prepare(problem)? {
            return Ok(report);
        }
        let cells = problem.figure.cells();
        let mut packing: Vec<Placement> = Vec::new();
        let outcome = with_engine!(self, cells, |engine| {
            let layout = engine.builder.layout.clone();
            engine.visit(limits, |path| {
                packing.clear();
                packing.extend(path.iter().map(|&mask| layout.placement(mask, cells)));
                visitor(&packing).is_continue()
            })
        });
        let group = symmetries(problem.figure, problem.group());
        Ok(self.report(cells, &group, outcome))
    }

    /// The placements that [`Self::visit`] tries, in its order.
    pub(super) fn trace(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
        most: usize,
    ) -> Result<Trace, SolveError> {
        if let Some(report) = self.prepare(problem)? {
            return Ok(Trace { steps: Vec::new(), complete: true, report });
        }
        let cells = problem.figure.cells();
        let (steps, outcome) = with_engine!(self, cells, |engine| {
            let mut recorder = Recorder::new(most);
            let outcome = engine.walk(limits, &mut recorder);
            (recorder.steps(&engine.builder.layout, cells), outcome)
        });
        let group = symmetries(problem.figure, problem.group());
        let complete = !outcome.halted;
        Ok(Trace { steps, complete, report: self.report(cells, &group, outcome) })
    }

    /// Some packing, found by a search that starts afresh in another order whenever it has been
    /// stuck for a while.
    pub(super) fn first(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
    ) -> Result<(Option<Vec<Placement>>, Report), SolveError> {
        if let Some(report) = self.prepare(problem)? {
            return Ok((None, report));
        }
        let cells = problem.figure.cells();
        let mut found = None;
        let (mut nodes, mut complete) = (0, false);
        with_engine!(self, cells, |engine| {
            let layout = engine.builder.layout.clone();
            let mut patience = FIRST_PATIENCE;
            for attempt in 0.. {
                let spare = limits.nodes.map(|most| most.saturating_sub(nodes));
                let most = Some(spare.map_or(patience, |spare| spare.min(patience)));
                let outcome = engine.visit(Limits { nodes: most, ..limits }, |path| {
                    found =
                        Some(path.iter().map(|&m| layout.placement(m, cells)).collect::<Vec<_>>());
                    false
                });
                nodes += outcome.nodes;
                complete = !outcome.halted;
                let spent = limits.nodes.is_some_and(|most| nodes >= most);
                if found.is_some() || complete || spent || limits.stopped() {
                    break;
                }
                engine.builder.shuffle(attempt);
                patience += patience / 2;
            }
        });
        let report = match (&found, complete) {
            (None, true) => exhausted(nodes, choice::Engine::Search),
            _ => Report::undecided(u128::from(found.is_some()), nodes),
        };
        Ok((found, report))
    }
}

/// Runs `work`, which uses all cores and much memory, while no other call does.
///
/// The caller may be one of many workers of a pool. A worker that waits for parallel work takes up
/// other work meanwhile, which might come here and wait for itself; so the turn is held by a thread
/// outside of any pool, and the work has a pool of its own.
fn one_at_a_time<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, SolveError> {
    static TURN: Mutex<()> = Mutex::new(());
    let threads = rayon::current_num_threads();
    let run = || {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| SolveError::Threads(error.to_string()))?;
        Ok(pool.install(work))
    };
    std::thread::scope(|scope| match scope.spawn(run).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// More kinds of pieces than this do not fit the masks together with 128 cells.
pub(super) const MAX_KINDS: usize = 63;

/// Every possibility was tried.
fn exhausted(nodes: u64, engine: choice::Engine) -> Report {
    Report { engine: Some(engine), ..Report::unsolvable(Reason::Exhausted, nodes) }
}
