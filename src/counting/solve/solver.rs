//! A solver for one piece set. It reuses its workspace from figure to figure.

use super::burnside;
use super::cell_colors;
use super::frontier::{self, FrontierCounts, SweepLimits};
use super::limits::{SearchProgress, SearchTotal};
use super::prepared_set::PreparedSet;
use super::symmetries::{CellSymmetry, symmetries};
use super::trace::{SearchTrace, StepRecorder};
use super::word::{MaskWord, Wide};
use super::workspace::{Instructions, NarrowWorkspace, Workspace};
use super::{Limits, MAX_ITEMS, Placement, Problem, SolveError};
use crate::parallel::lock;
use somacat_geometry::figure::{Equivalence, prefilter_with_colors};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::outcome::{Counts, Engine, Outcome, Reason, Report};
use somacat_geometry::pieces::PieceSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// Maximum nodes of the first attempt at a packing. Each attempt raises it by half.
const FIRST_ATTEMPT_NODES: u64 = 2000;

/// Maximum nodes of a short search, which is to settle most figures without a packing. Half of the exhausted figures of
/// 27 cells with two mirror planes have three nodes.
const FIRST_LOOK_NODES: u64 = 256;

/// A solver for a set. A figure is solved in the workspace with the narrowest masks that hold its items.
pub(super) struct Solver {
    set: PieceSet,
    prepared: PreparedSet,
    shortcuts: Shortcuts,
    /// For up to 63 items.
    one: Workspace<u64>,
    /// For up to 191 items.
    three: Workspace<Wide<3>>,
    /// For up to 319 items.
    five: Workspace<Wide<5>>,
    /// For up to 1,151 items, [`MAX_ITEMS`].
    eighteen: Workspace<Wide<18>>,
    narrow: NarrowWorkspace,
    /// The solver for the mirror image of the set, which counts instead of this one if it comes first.
    mirrored: Option<Box<Self>>,
}

/// Faster ways to the same counts. Tests compare counts with and without them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shortcuts {
    pub(super) instructions: Instructions,
    /// True to use 32-bit masks where they are wide enough.
    pub(super) narrow: bool,
    /// True to use the figure's symmetry.
    pub(super) symmetry: bool,
}

impl Shortcuts {
    pub(super) fn all() -> Self {
        Self { instructions: Instructions::best(), narrow: true, symmetry: true }
    }
    #[cfg(test)]
    pub(super) const NONE: Self =
        Self { instructions: Instructions::Portable, narrow: false, symmetry: false };
}

/// Runs `$body` in the workspace wide enough for the figure's items.
macro_rules! with_workspace {
    ($solver:expr, $cells:expr, |$space:ident| $body:expr) => {{
        let items = $cells.len() + $solver.prepared.kinds.len();
        if items < u64::BITS as usize {
            let $space = &mut $solver.one;
            $body
        } else if items < Wide::<3>::BITS {
            let $space = &mut $solver.three;
            $body
        } else if items < Wide::<5>::BITS {
            let $space = &mut $solver.five;
            $body
        } else {
            let $space = &mut $solver.eighteen;
            $body
        }
    }};
}

impl Solver {
    pub(super) fn new(set: &PieceSet, shortcuts: Shortcuts) -> Self {
        Self {
            set: set.clone(),
            prepared: PreparedSet::new(set),
            shortcuts,
            one: Workspace::default(),
            three: Workspace::default(),
            five: Workspace::default(),
            eighteen: Workspace::default(),
            narrow: NarrowWorkspace::default(),
            mirrored: set.mirror_image_if_first().map(|set| Box::new(Self::new(&set, shortcuts))),
        }
    }

    /// Does work that only counts packings, on this problem or its mirror image. The mirror image, the mirrored set
    /// with the mirrored figure in canonical position, is taken if its set comes first in order. It has as many
    /// packings, and so a set and its mirror image need the same nodes for corresponding figures.
    pub(super) fn counting<R>(
        &mut self,
        problem: &Problem<'_>,
        work: impl FnOnce(&mut Self, &Problem<'_>) -> R,
    ) -> R {
        let mirrored = self.mirrored.as_mut().filter(|_| problem.colors.is_none());
        let Some(mirrored) = mirrored else { return work(self, problem) };
        let reflection = problem.figure.transformed(Transform::INVERSION);
        let turn = reflection.canonical_up_to(Equivalence::Rotations).to_canonical;
        let (figure, t) = (reflection.transformed(turn), Transform::INVERSION.then(turn));
        let (group, set) = (problem.group().conjugate(t), mirrored.set.clone());
        work(mirrored, &Problem::with_group(&figure, &set, group))
    }

    pub(super) fn is_for(&self, set: &PieceSet) -> bool {
        self.set == *set
    }

    /// Settles a figure that needs no search, or else lists its placements.
    fn prepare(&mut self, problem: &Problem<'_>) -> Result<Option<Report>, SolveError> {
        let figure = problem.figure;
        if let Some(obstruction) = prefilter_with_colors(figure, problem.set, problem.colors) {
            return Ok(Some(Report::without_search(Reason::from(&obstruction))));
        }
        let (cells, kinds) = (figure.cells(), self.prepared.kinds.len());
        if cells.len() + kinds > MAX_ITEMS {
            return Err(SolveError::TooLarge { cells: cells.len(), kinds });
        }
        let Some(constraints) = self.prepared.constraints(figure.color_difference()) else {
            return Ok(Some(Report::without_search(Reason::Parity)));
        };
        let complete = with_workspace!(self, cells, |space| {
            space.build(&self.prepared, cells, constraints);
            if let Some(colors) = problem.colors {
                let prepared = &self.prepared;
                space.builder.retain(|layout, mask| {
                    cell_colors::allow(colors, prepared, cells, layout, mask)
                });
            }
            space.builder.covers_all(&self.prepared)
        });
        Ok((!complete).then(|| Report::without_search(Reason::NoFit)))
    }

    /// Returns the reason why no packing exists, if no search is needed.
    pub(super) fn rule_out(&mut self, problem: &Problem<'_>) -> Result<Option<Reason>, SolveError> {
        Ok(self.prepare(problem)?.and_then(|report| report.outcome.reason()))
    }

    /// Returns true if a short search of `placements` ends without a packing. The figure has `cells` cells, as many
    /// as the set fills. A placement has a bit for each of its cells and, after all cells, one for its type.
    pub(super) fn is_exhausted_by_short_search(
        &mut self,
        cells: usize,
        placements: &[u64],
    ) -> bool {
        let (space, limits) =
            (&mut self.one, Limits { nodes: Some(FIRST_LOOK_NODES), ..Limits::default() });
        space.take(&self.prepared, cells, placements);
        let Shortcuts { instructions, narrow, .. } = self.shortcuts;
        let end = match narrow && space.is_narrow(&self.prepared) {
            true => space.count_narrow(limits, &mut self.narrow, instructions),
            false => space.count(limits, instructions, &mut SearchProgress::default()),
        };
        end.total == 0 && !end.halted
    }

    pub(super) fn count(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
    ) -> Result<Report, SolveError> {
        Ok(self.search(problem, limits, &mut SearchProgress::default())?.0)
    }

    /// Counts the packings within the limits, starting at `progress`. Also returns the share of the search that was
    /// finished, if known.
    pub(super) fn search<'l>(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'l>,
        progress: &mut SearchProgress<'l>,
    ) -> Result<(Report, Option<f64>), SolveError> {
        if limits.packings == Some(1) {
            return Ok((self.first(problem, limits)?.1, None));
        }
        if let Some(report) = self.prepare(problem)? {
            return Ok((report, None));
        }
        let cells = problem.figure.cells();
        let group = symmetries(problem.figure, problem.group());
        let end = if limits.packings.is_some() {
            let instructions = self.shortcuts.instructions;
            with_workspace!(self, cells, |space| {
                space.builder.sort();
                space.visit(limits, &mut |_: &[_]| true, instructions)
            })
        } else {
            self.count_all(cells, &group, limits, progress)
        };
        Ok((self.report(cells, &group, end), end.share))
    }

    /// Estimates the search nodes of the figure that was searched last.
    pub(super) fn estimated_nodes(&mut self, problem: &Problem<'_>, paths: u32) -> f64 {
        let (cells, instructions) = (problem.figure.cells(), self.shortcuts.instructions);
        with_workspace!(self, cells, |space| space.estimated_nodes(paths, instructions))
    }

    /// Predicts the frontier engine's work for the figure that was searched last.
    pub(super) fn predicted_work(&mut self, problem: &Problem<'_>) -> f64 {
        let (cells, prepared) = (problem.figure.cells(), &self.prepared);
        with_workspace!(self, cells, |space| {
            frontier::predicted_work(prepared, &space.builder, cells)
        })
    }

    /// Builds the report of a search. The workspace still holds the placements of the figure.
    fn report(&mut self, cells: &[Cell], group: &[CellSymmetry], total: SearchTotal) -> Report {
        let SearchTotal { total: raw, nodes, halted, .. } = total;
        if halted {
            return of_search(Outcome::bound(raw), nodes);
        }
        let prepared = &self.prepared;
        of_search(
            exact(raw, || {
                with_workspace!(self, cells, |space| {
                    burnside::classes(prepared, &space.builder, group, raw)
                })
            }),
            nodes,
        )
    }

    fn count_all<'l>(
        &mut self,
        cells: &[Cell],
        group: &[CellSymmetry],
        limits: Limits<'l>,
        progress: &mut SearchProgress<'l>,
    ) -> SearchTotal {
        let Shortcuts { instructions, narrow, symmetry } = self.shortcuts;
        let group = if symmetry { group } else { &[] };
        let items = cells.len() + self.prepared.kinds.len();
        let (divisor, mut end) = if items < u64::BITS as usize {
            let space = &mut self.one;
            let divisor = space.reduce(&self.prepared, group);
            let end = if narrow && space.is_narrow(&self.prepared) {
                space.count_narrow(limits, &mut self.narrow, instructions)
            } else {
                space.count(limits, instructions, progress)
            };
            (divisor, end)
        } else {
            with_workspace!(self, cells, |space| {
                let divisor = space.reduce(&self.prepared, group);
                (divisor, space.count(limits, instructions, progress))
            })
        };
        // If a limit came first, this is the sum over some of the orbits. Rounded up it is still a lower bound.
        end.total = end.total.div_ceil(u128::from(divisor));
        end
    }

    /// Counts with the frontier engine. The outcome is unknown if a limit came first. The reported nodes are the states
    /// of all sweeps. With `work`, the engine gives up when it would take longer than finding this number of states.
    pub(super) fn frontier(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
        work: Option<u64>,
    ) -> Result<Report, SolveError> {
        if let Some(report) = self.prepare(problem)? {
            return Ok(report);
        }
        let cells = problem.figure.cells();
        let group = symmetries(problem.figure, problem.group());
        let memory = limits.bytes();
        let Limits { nodes: states, stop, searches, .. } = limits;
        // During an attempt, displays show the search.
        let searches = searches.filter(|_| work.is_none());
        let bounds = SweepLimits { memory, states, work, stop, searches };
        let prepared = &self.prepared;
        let counts = with_workspace!(self, cells, |space| {
            let builder = &space.builder;
            run_exclusively(|| frontier::count(prepared, builder, cells, &group, bounds))
        })?;
        let (outcome, states) = match counts {
            Ok(FrontierCounts { raw, rotation, unique, states }) => {
                (exact(raw, || (rotation, unique)), states)
            }
            Err(halt) => match halt.error(memory) {
                Some(error) => return Err(error),
                None => (Outcome::Unknown, halt.states()),
            },
        };
        Ok(Report { outcome, nodes: Some(states), engine: Some(Engine::Frontier) })
    }

    /// Passes every packing to `visitor`, until it breaks or a limit comes.
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
        let (instructions, pieces) = (self.shortcuts.instructions, &self.prepared.pieces);
        let end = with_workspace!(self, cells, |space| {
            space.builder.sort();
            let layout = space.builder.layout.clone();
            let mut show = |path: &[_]| {
                packing.clear();
                packing.extend(path.iter().map(|&mask| layout.placement(mask, cells, pieces)));
                visitor(&packing).is_continue()
            };
            space.visit(limits, &mut show, instructions)
        });
        let group = symmetries(problem.figure, problem.group());
        Ok(self.report(cells, &group, end))
    }

    /// Returns the placements that [`Self::visit`] tries, in its order.
    pub(super) fn trace(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
        most: usize,
    ) -> Result<SearchTrace, SolveError> {
        if let Some(report) = self.prepare(problem)? {
            return Ok(SearchTrace { steps: Vec::new(), complete: true, report });
        }
        let cells = problem.figure.cells();
        let (instructions, pieces) = (self.shortcuts.instructions, &self.prepared.pieces);
        let (steps, end) = with_workspace!(self, cells, |space| {
            space.builder.sort();
            let mut recorder = StepRecorder::new(most);
            let end = space.visit(limits, &mut recorder, instructions);
            (recorder.steps(&space.builder.layout, cells, pieces), end)
        });
        let group = symmetries(problem.figure, problem.group());
        let complete = !end.halted;
        Ok(SearchTrace { steps, complete, report: self.report(cells, &group, end) })
    }

    /// Finds a packing by a search with randomized restarts (Walsh 1999; Gomes and Selman 1998). A depth-first search
    /// can spend very long below an unlucky first choice. So an attempt that has found no packing after some nodes is
    /// given up, and the next begins with the placements in another order. Attempts grow geometrically, so a figure
    /// without packings is exhausted in the end.
    pub(super) fn first(
        &mut self,
        problem: &Problem<'_>,
        limits: Limits<'_>,
    ) -> Result<(Option<Vec<Placement>>, Report), SolveError> {
        if let Some(report) = self.prepare(problem)? {
            return Ok((None, report));
        }
        let cells = problem.figure.cells();
        let mut packing = None;
        let (mut nodes, mut complete) = (0, false);
        let (instructions, pieces) = (self.shortcuts.instructions, &self.prepared.pieces);
        with_workspace!(self, cells, |space| {
            space.builder.sort();
            let layout = space.builder.layout.clone();
            let mut attempt_nodes = FIRST_ATTEMPT_NODES;
            for attempt in 0.. {
                let spare = limits.nodes.map(|most| most.saturating_sub(nodes));
                let most = Some(spare.map_or(attempt_nodes, |spare| spare.min(attempt_nodes)));
                let mut keep = |path: &[_]| {
                    let placement = |&mask: &_| layout.placement(mask, cells, pieces);
                    packing = Some(path.iter().map(placement).collect::<Vec<_>>());
                    false
                };
                let end = space.visit(Limits { nodes: most, ..limits }, &mut keep, instructions);
                nodes += end.nodes;
                complete = !end.halted;
                let spent = limits.nodes.is_some_and(|most| nodes >= most);
                if packing.is_some() || complete || spent || limits.stopped() {
                    break;
                }
                space.builder.shuffle(attempt);
                attempt_nodes += attempt_nodes / 2;
            }
        });
        let outcome = match (&packing, complete) {
            (None, true) => Outcome::Unsolvable(Reason::Exhausted),
            _ => Outcome::bound(u128::from(packing.is_some())),
        };
        Ok((packing, of_search(outcome, nodes)))
    }
}

/// Runs `work`, which uses all cores and much memory, exclusively. The caller may be a worker of a thread pool. A
/// worker that waits for parallel work takes up other work in the meantime, which could call this function and wait
/// for itself. So a thread outside any pool holds the lock, and the work gets its own pool.
fn run_exclusively<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, SolveError> {
    // WebAssembly has one thread, and so nothing to exclude.
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    static RUNNING: Mutex<()> = Mutex::new(());
    let threads = rayon::current_num_threads();
    let run = || {
        let _exclusive = lock(&RUNNING);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| SolveError::Threads(error.to_string()))?;
        Ok(pool.install(work))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, run);
        match thread.map_err(|error| SolveError::Threads(error.to_string()))?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

const fn of_search(outcome: Outcome, nodes: u64) -> Report {
    Report { outcome, nodes: Some(nodes), engine: Some(Engine::Search) }
}

/// Returns the outcome of a finished count. `classes` gives the counts up to rotation and up to rotation and
/// reflection.
fn exact(raw: u128, classes: impl FnOnce() -> (u128, u128)) -> Outcome {
    if raw == 0 {
        return Outcome::Unsolvable(Reason::Exhausted);
    }
    let (rotation, unique) = classes();
    Outcome::Counted(Counts { raw, rotation, unique })
}
