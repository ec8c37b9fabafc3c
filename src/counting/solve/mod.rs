//! Counts packings. Does no I/O, SQL or printing.
//!
//! A packing covers a figure exactly by placements of pieces. So the cells and the pieces are the items of an
//! exact-cover problem (Knuth, "Dancing links", 2000, and The Art of Computer Programming 4B, 7.2.2.1). There are two
//! engines. `search.rs` is the inner loop of the search, which visits packings; `frontier/` counts where there are too
//! many to visit. docs/solver.md describes both, with times.
//!
//! # Where to find what
//!
//! * Preparation: `prepared_set.rs` and `sweep.rs` for the set; `placements.rs`, `color.rs` and `cell_colors.rs` for the
//!   figure; `symmetries.rs`, `placement_map.rs` and `images.rs` for its symmetries.
//! * The search: `search.rs` depth first, with `choice_state.rs` for ranges of copies, `breadth_first.rs` level by level
//!   with `narrow.rs`; their lists of masks in `word.rs`, `mask_list_ops.rs` and `simd.rs`.
//! * Counting with symmetry: `orbits.rs` for less to search, `burnside.rs` for counts up to symmetry.
//! * Running: `solver.rs` for a set, `workspace.rs` for a width of masks, `engine.rs` for the choice of the engine,
//!   `limits.rs` for limits and progress, `guard.rs` for panics.
//! * Around counting: `first_look.rs` rules out figures in a fraction of a microsecond; `partial.rs` uses some of the
//!   pieces, `by_part.rs` moves parts separately, `trace.rs` shows a search step by step.
//!
//! # Example
//!
//! ```
//! use somacat_counting::solve::{Limits, Problem, count};
//! use somacat_geometry::figure::Figure;
//! use somacat_geometry::lattice::Cell;
//! use somacat_geometry::outcome::{Counts, Outcome};
//! use somacat_geometry::pieces::PieceSet;
//!
//! let cube = Figure::new((0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9)))?;
//! let report = count(&Problem::new(&cube, &PieceSet::soma(1)), Limits::default())?;
//! assert_eq!(report.outcome, Outcome::Counted(Counts { raw: 11520, rotation: 480, unique: 240 }));
//! assert_eq!(cube.canonical().group.class().name(), "Oh");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breadth_first;
mod burnside;
mod by_part;
mod cell_colors;
mod choice_state;
mod color;
mod engine;
mod error;
mod first_look;
mod frontier;
mod guard;
mod images;
mod limits;
mod mask_list_ops;
#[cfg(test)]
mod mask_list_ops_tests;
mod narrow;
mod orbits;
mod partial;
mod placement;
mod placement_map;
mod placements;
mod prepared_set;
mod problem;
mod search;
#[cfg(test)]
mod shortcut_tests;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "several times as fast as portable code")]
mod simd;
mod solver;
mod sweep;
mod symmetries;
mod trace;
mod word;
mod workspace;

pub use by_part::unique_by_part;
pub use engine::AUTO_SEARCH_NODES;
pub use error::{MAX_ITEMS, RemainderError, SolveError};
pub use first_look::FirstLook;
pub use guard::{FigureFailure, guard};
pub use images::PackingSymmetries;
pub(crate) use limits::ShownCount;
pub use limits::{DEFAULT_MEMORY, EngineChoice, Limits, LongSearches};
pub use partial::{PartialReport, PartialTotal, choices, count_partial, for_each_choice};
pub use placement::Placement;
pub use problem::{Problem, Remainder};
pub(crate) use symmetries::{CellSymmetry, symmetries};
pub use trace::{SearchStep, SearchTrace};
pub(crate) use word::{MaskWord, Wide};

pub(crate) use frontier::sweep_order;
use solver::{Shortcuts, Solver};
use somacat_geometry::outcome::{Reason, Report};
use somacat_geometry::pieces::PieceSet;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Runs `work` with this thread's solver for a set. The solver reuses its workspace from figure to figure. A panic
/// in `work` drops it, and the next call creates a new one.
fn with_solver<R>(set: &PieceSet, work: impl FnOnce(&mut Solver) -> R) -> R {
    thread_local! {
        static SOLVER: RefCell<Option<Solver>> = const { RefCell::new(None) };
    }
    let ready = SOLVER.take().filter(|solver| solver.is_for(set));
    let mut solver = ready.unwrap_or_else(|| Solver::new(set, Shortcuts::all()));
    let result = work(&mut solver);
    SOLVER.set(Some(solver));
    result
}

/// Counts all packings of a problem within `limits`. A packing uses all pieces of the set, or as many as its ranges
/// allow. Equal pieces are indistinguishable. Reflections identify packings if the set has every piece as often as its
/// mirror image.
///
/// Unless the limits name an engine, the search counts first, and estimates how much is left. While the frontier engine
/// is likely to take less, it makes bounded attempts, each longer than the one before. If they fail, the search
/// continues, until the next attempt is worth it. With a limit of up to [`AUTO_SEARCH_NODES`] nodes only the search
/// counts. If there are few choices of pieces, each is counted by itself after as many nodes. The report names the
/// engine.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, count};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // Dominoes fill a cube of side 2 in nine ways, of which two are different.
/// let (cube, dominoes) = (Figure::of_box([2, 2, 2])?, parse_set("D4")?);
/// let counts = count(&Problem::new(&cube, &dominoes), Limits::default())?.outcome.counts();
/// assert_eq!(counts.map(|counts| (counts.raw, counts.unique)), Some((9, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the figure or the set is too large for the solver and no simpler test settles it. Also fails if the
/// limits name the frontier engine and it needs more memory than it may use; the error gives both amounts.
pub fn count(problem: &Problem<'_>, limits: Limits<'_>) -> Result<Report, SolveError> {
    with_solver(problem.set, |solver| {
        solver.counting(problem, |solver, problem| engine::count(solver, problem, limits))
    })
}

/// Returns the reason why no packing exists, if no search is needed to see it. `None` does not imply a packing.
///
/// ```
/// use somacat_counting::solve::{Problem, rule_out};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::outcome::Reason;
/// use somacat_geometry::pieces::PieceSet;
///
/// // T does not fit into a bar.
/// let bar = Figure::of_box([1, 1, 27])?;
/// assert_eq!(rule_out(&Problem::new(&bar, &PieceSet::soma(1)))?, Some(Reason::NoFit));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the figure or the set is too large for the solver and no simpler test settles it.
pub fn rule_out(problem: &Problem<'_>) -> Result<Option<Reason>, SolveError> {
    with_solver(problem.set, |solver| solver.rule_out(problem))
}

/// Passes every packing to `visitor`, which may stop, and counts them.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, visit};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
/// use std::ops::ControlFlow;
///
/// // T spans two corners in every packing of the cube.
/// let (cube, soma) = (Figure::of_box([3, 3, 3])?, PieceSet::soma(1));
/// let (mut packings, mut corners) = (0, 0);
/// visit(&Problem::new(&cube, &soma), Limits::default(), &mut |packing| {
///     let t = packing.iter().find(|p| soma.pieces()[p.piece].0.letter() == 'T').expect("a T");
///     corners += t.cells.iter().filter(|c| c.to_array().iter().all(|at| at % 2 == 0)).count();
///     packings += 1;
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((packings, corners), (11_520, 2 * 11_520));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails like [`count`].
pub fn visit(
    problem: &Problem<'_>,
    limits: Limits<'_>,
    visitor: &mut dyn FnMut(&[Placement]) -> ControlFlow<()>,
) -> Result<Report, SolveError> {
    with_solver(problem.set, |solver| solver.visit(problem, limits, visitor))
}

/// Finds one packing as quickly as possible, by restarts with other orders of placements. If there is none, the report
/// shows whether all were tried or a limit came first.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, first};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
///
/// let (block, two_somas) = (Figure::of_box([3, 3, 6])?, PieceSet::soma(2));
/// let (packing, _) = first(&Problem::new(&block, &two_somas), Limits::default())?;
/// assert_eq!(packing.map(|placements| placements.len()), Some(14));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails like [`count`].
pub fn first(
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<(Option<Vec<Placement>>, Report), SolveError> {
    with_solver(problem.set, |solver| solver.first(problem, limits))
}

/// Returns the first `steps` placements that [`visit`] tries, in its order.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, trace};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // Of nine ways to fill a cube with dominoes, a search without symmetry meets every one.
/// let (cube, dominoes) = (Figure::of_box([2, 2, 2])?, parse_set("D4")?);
/// let trace = trace(&Problem::new(&cube, &dominoes), Limits::default(), 1000)?;
/// assert!(trace.complete);
/// assert_eq!(trace.steps.iter().filter(|step| step.solved).count(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails like [`count`].
pub fn trace(
    problem: &Problem<'_>,
    limits: Limits<'_>,
    steps: usize,
) -> Result<SearchTrace, SolveError> {
    with_solver(problem.set, |solver| solver.trace(problem, limits, steps))
}
