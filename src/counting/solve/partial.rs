//! Figures built from *some* pieces of a set, such as 27 cells from two SOMAs, choice by choice.
//!
//! Every choice of pieces with as many cells as the figure is counted by itself, like a set of its own, by any engine.
//! A search for packings of all choices together is in `search.rs`.

use super::{
    AUTO_SEARCH_NODES, EngineChoice, Limits, Placement, Problem, Remainder, SolveError, count,
    visit,
};
use crate::parallel;
use somacat_geometry::outcome::{Counts, Engine, Outcome, Reason, Report, Verdict};
use somacat_geometry::pieces::{GAP, Piece, PieceSet};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The counts of a figure with one choice of pieces.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, count_partial};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
/// use std::ops::ControlFlow;
///
/// // Which pieces of SOMA fill a brick of 12 cells?
/// let (brick, soma) = (Figure::of_box([2, 2, 3])?, PieceSet::soma(1));
/// let mut found = Vec::new();
/// count_partial(&Problem::new(&brick, &soma), &[], Limits::default(), &mut |partial| {
///     found.push(partial.pieces.name().to_owned());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found, ["L A B", "T A P", "T B P"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartialReport {
    /// The pieces chosen, all of which are used.
    pub pieces: PieceSet,
    /// The counts with exactly these pieces.
    pub report: Report,
    /// The time that this count took. 0 in a page, which has no clock.
    pub time: Duration,
}

/// Lists every choice of pieces from `set` that fills `cells` cells. See [`for_each_choice`].
///
/// ```
/// use somacat_counting::solve::choices;
/// use somacat_geometry::pieces::PieceSet;
///
/// // Seven cells from SOMA: V and one of the six others.
/// let pairs = choices(&PieceSet::soma(1), 7);
/// let names: Vec<&str> = pairs.iter().map(|choice| choice.name()).collect();
/// assert_eq!(names, ["V L", "V T", "V Z", "V A", "V B", "V P"]);
/// ```
pub fn choices(set: &PieceSet, cells: usize) -> Vec<PieceSet> {
    let mut all = Vec::new();
    let _ = for_each_choice(set, cells, None, &mut |choice| {
        all.push(choice);
        ControlFlow::Continue(())
    });
    all
}

/// Passes every choice of pieces of `set` that have `cells` cells together to `visitor`, until the visitor breaks.
///
/// A choice has each piece at most as often as the set, or within the ranges of the set ([`PieceSet::with_ranges`]).
/// With `number`, it has this many pieces. The order is that of the set, with more of the first pieces first.
/// Names of pieces name the choices: `V L2 T`.
///
/// ```
/// use somacat_counting::solve::for_each_choice;
/// use somacat_geometry::pieces::PieceSet;
/// use std::ops::ControlFlow;
///
/// // From two SOMAs, seven pieces with 27 cells can be chosen in 141 ways.
/// let mut choices = 0;
/// let _ = for_each_choice(&PieceSet::soma(2), 27, Some(7), &mut |_| {
///     choices += 1;
///     ControlFlow::Continue(())
/// });
/// assert_eq!(choices, 141);
/// ```
pub fn for_each_choice(
    set: &PieceSet,
    cells: usize,
    number: Option<usize>,
    visitor: &mut dyn FnMut(PieceSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let set = set.partial(number);
    let ranges: Vec<(&Piece, [usize; 2])> = set.ranges().collect();
    let mut choosing =
        Choosing { chosen: Vec::new(), visited: 0, dead: HashSet::default(), visitor };
    choosing.choose(&ranges, cells, set.number())
}

/// The state while choices are listed.
struct Choosing<'v> {
    /// The pieces chosen so far, with their numbers of copies.
    chosen: Vec<(Piece, usize)>,
    /// The number of choices visited.
    visited: u64,
    /// States from which no choice can be completed: the number of kinds still to be considered, the cells left, and
    /// the pieces left. Without this list, choosing could run for hours from one dead end to the next, without a visit.
    dead: HashSet<(usize, usize, Option<usize>)>,
    visitor: &'v mut dyn FnMut(PieceSet) -> ControlFlow<()>,
}

impl Choosing<'_> {
    /// Fills `room` cells with pieces of `rest`, `left` of them if given.
    fn choose(
        &mut self,
        rest: &[(&Piece, [usize; 2])],
        room: usize,
        left: Option<usize>,
    ) -> ControlFlow<()> {
        if room == 0 {
            return match left {
                None | Some(0) if rest.iter().all(|(_, [least, _])| *least == 0) => {
                    self.visited += 1;
                    let pieces = self.chosen.iter().cloned();
                    (self.visitor)(PieceSet::new(choice_name(&self.chosen), pieces))
                }
                _ => ControlFlow::Continue(()),
            };
        }
        let Some(((piece, [least, most]), later)) = rest.split_first() else {
            return ControlFlow::Continue(());
        };
        let (state, visited) = ((rest.len(), room, left), self.visited);
        if self.dead.contains(&state) {
            return ControlFlow::Continue(());
        }
        // The pieces left must be able to fill the room together.
        let sizes = || rest.iter().map(|(piece, _)| piece.size());
        let [smallest, largest] = [sizes().min(), sizes().max()].map(Option::unwrap_or_default);
        let gaps = rest.iter().any(|(piece, _)| piece.letter() == GAP);
        if left.is_some_and(|left| room < left * smallest || room > left * largest && !gaps) {
            return ControlFlow::Continue(());
        }
        let is_gap = piece.letter() == GAP;
        let pieces = left.filter(|_| !is_gap).unwrap_or(usize::MAX);
        let fitting = (*most).min(room / piece.size()).min(pieces);
        for count in (*least..=fitting).rev() {
            if count > 0 {
                self.chosen.push(((*piece).clone(), count));
            }
            let left = left.map(|left| left - if is_gap { 0 } else { count });
            let flow = self.choose(later, room - count * piece.size(), left);
            if count > 0 {
                self.chosen.pop();
            }
            flow?;
        }
        if self.visited == visited {
            self.dead.insert(state);
        }
        ControlFlow::Continue(())
    }
}

/// Returns the name of a choice: `V L2 T`, without gaps, and `none` if all cells stay empty.
fn choice_name(pieces: &[(Piece, usize)]) -> String {
    let word = |(piece, count): &(Piece, usize)| piece.name_with_count(*count);
    let pieces = pieces.iter().filter(|(piece, _)| piece.letter() != GAP);
    let words: Vec<String> = pieces.map(word).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

/// The result of trying the choices of pieces.
///
/// ```
/// use somacat_counting::solve::{Limits, Problem, count_partial};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::PieceSet;
/// use std::ops::ControlFlow;
///
/// // Three of the six tetracubes of SOMA fill twelve cells: 20 choices, of which three fill the brick.
/// let (brick, soma) = (Figure::of_box([2, 2, 3])?, PieceSet::soma(1));
/// let each = &mut |_| ControlFlow::Continue(());
/// let total = count_partial(&Problem::new(&brick, &soma), &[], Limits::default(), each)?;
/// assert_eq!((total.choices, total.complete), (3, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartialTotal {
    /// The number of choices counted. A search for packings of all choices together has ruled out the others.
    pub choices: usize,
    /// Nodes of all counts together, and of that search.
    pub nodes: u64,
    /// False if the visitor or a request to stop left choices untried.
    pub complete: bool,
}

/// The most choices that are counted together. They are not listed all at once: two dozen pieces have millions of
/// choices.
const MAX_BATCH: usize = 64;

/// Counts a problem's figure with every choice of its pieces that fills it, on all threads.
///
/// Passes to `visitor`, in the order of [`for_each_choice`], the choices that have a packing and those that a limit
/// left undecided. The visitor may stop. Any other choice that was tried has no packing. A choice must contain the
/// pieces in place. The limits apply to each choice separately.
///
/// A search for packings of all choices together comes first. If it is short, only the choices that it finds are
/// counted.
///
/// # Errors
/// Fails like [`count`], or if the pieces in place do not fit the figure or the set.
pub fn count_partial(
    problem: &Problem<'_>,
    placed: &[Placement],
    limits: Limits<'_>,
    visitor: &mut dyn FnMut(PartialReport) -> ControlFlow<()>,
) -> Result<PartialTotal, SolveError> {
    let (figure, set) = (problem.figure, problem.set);
    if !placed.is_empty() {
        Remainder::new(figure, set, placed)?;
    }
    let whole = Problem::with_group(figure, set, problem.group()).with_colors(problem.colors);
    let count_one = |(pieces, placed): &(PieceSet, Vec<Placement>)| {
        let begun = cfg!(not(target_family = "wasm")).then(Instant::now);
        let report = match placed.as_slice() {
            [] => count(&whole.with_set(pieces), limits),
            placed => {
                let rest = Remainder::new(figure, pieces, placed)?;
                count(&rest.with_colors(figure, problem.colors).problem(), limits)
            }
        };
        Ok((report?, begun.map(|begun| begun.elapsed()).unwrap_or_default()))
    };
    let short = buildable_choices(&whole, placed, limits)?;
    let nodes = short.as_ref().map_or(0, |(_, nodes)| *nodes);
    let (mut total, mut failed) = (PartialTotal { nodes, ..PartialTotal::default() }, None);
    let mut count_batch = |batch: Vec<(PieceSet, Vec<Placement>)>| {
        let reports =
            parallel::map(batch.len(), |at| (!limits.stopped()).then(|| count_one(&batch[at])));
        for ((pieces, _), report) in batch.into_iter().zip(reports) {
            let (report, time) = match report {
                Some(Ok(counted)) => counted,
                Some(Err(error)) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
                None => return ControlFlow::Break(()),
            };
            total.choices += 1;
            total.nodes += report.nodes.iter().sum::<u64>();
            if report.outcome.verdict() != Verdict::Unsolvable {
                visitor(PartialReport { pieces, report, time })?;
            }
        }
        ControlFlow::Continue(())
    };
    // The first choice is counted alone, so that its packings appear soon; each batch is twice as large as that before.
    let (mut waiting, mut size) = (Vec::new(), 1);
    let mut add = |pieces: PieceSet| {
        if limits.stopped() {
            return ControlFlow::Break(());
        }
        waiting.extend(placed_in(&pieces, set, placed).map(|placed| (pieces, placed)));
        if waiting.len() < size {
            return ControlFlow::Continue(());
        }
        size = (2 * size).min(MAX_BATCH);
        count_batch(std::mem::take(&mut waiting))
    };
    let flow = match short {
        Some((buildable, _)) => buildable.into_iter().try_for_each(add),
        None => for_each_choice(set, figure.len(), None, &mut add),
    };
    let flow = if flow.is_continue() { count_batch(waiting) } else { flow };
    total.complete = flow.is_continue();
    failed.map_or(Ok(total), Err)
}

/// The most choices of a set that a single count counts one after the other.
const MAX_FEW_CHOICES: u32 = 1000;

/// Returns true if so few choices fill the figure that each can be counted by itself.
pub(super) fn has_few_choices(problem: &Problem<'_>) -> bool {
    let mut choices = 0;
    for_each_choice(problem.set, problem.figure.len(), None, &mut |_| {
        choices += 1;
        if choices > MAX_FEW_CHOICES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_continue()
}

/// Counts the packings of all choices of a set, choice by choice, and adds them up. Rotations do not change the choice.
/// A reflection turns the packings of one choice into those of its mirror image, of which both are in the sum.
pub(super) fn count_by_choice(
    problem: &Problem<'_>,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let reflects =
        problem.set.is_mirror_closed() && problem.group().iter().any(|t| !t.is_rotation());
    let (mut sum, mut halves, mut exact) = (Counts { raw: 0, rotation: 0, unique: 0 }, 0, true);
    let (mut engines, mut fits) = (Vec::new(), true);
    let total =
        count_partial(problem, &[], limits, &mut |PartialReport { pieces, report, .. }| {
            engines.extend(report.engine.filter(|engine| !engines.contains(engine)));
            // The other numbers are at most as large.
            match sum.raw.checked_add(report.outcome.raw().unwrap_or(0)) {
                Some(raw) => sum.raw = raw,
                None => {
                    fits = false;
                    return ControlFlow::Break(());
                }
            }
            match report.outcome {
                Outcome::Counted(counts) => {
                    sum.rotation += counts.rotation;
                    match (reflects, pieces.is_mirror_closed()) {
                        (true, true) => sum.unique += counts.unique,
                        (true, false) => halves += counts.rotation,
                        (false, _) => sum.unique += counts.rotation,
                    }
                }
                _ => exact = false,
            }
            ControlFlow::Continue(())
        })?;
    if !fits {
        return Err(SolveError::Overflow);
    }
    sum.unique += halves / 2;
    let outcome = match exact && total.complete {
        true if sum.raw == 0 => Outcome::Unsolvable(Reason::Exhausted),
        true => Outcome::Counted(sum),
        false => Outcome::bound(sum.raw),
    };
    let engine = match engines[..] {
        [] => Some(Engine::Search),
        [engine] => Some(engine),
        // No engine counted all choices.
        _ => None,
    };
    Ok(Report { outcome, nodes: Some(total.nodes), engine })
}

/// The most choices that a search for all of them keeps.
const MAX_FOUND_CHOICES: usize = 10_000;

/// Returns the choices with a packing, in the order of [`for_each_choice`], and the nodes of the search for all packings
/// that finds them, if it is short. There is none with pieces in place, or if the limits ask for other work.
fn buildable_choices(
    problem: &Problem<'_>,
    placed: &[Placement],
    limits: Limits<'_>,
) -> Result<Option<(Vec<PieceSet>, u64)>, SolveError> {
    if !placed.is_empty() || limits.nodes.is_some() || limits.engine == EngineChoice::Frontier {
        return Ok(None);
    }
    let set = problem.set.partial(None);
    let short = Limits { nodes: Some(AUTO_SEARCH_NODES), stop: limits.stop, ..Limits::default() };
    let mut found = BTreeSet::new();
    let report = visit(&problem.with_set(&set), short, &mut |packing| {
        let mut copies = vec![0; set.pieces().len()];
        packing.iter().for_each(|placement| copies[placement.piece] += 1);
        found.insert(Reverse(copies));
        let few = found.len() <= MAX_FOUND_CHOICES;
        if few { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let choice = |Reverse(copies): Reverse<Vec<usize>>| {
        let pieces = set.pieces().iter().zip(copies).filter(|(_, copies)| *copies > 0);
        let pieces: Vec<(Piece, usize)> =
            pieces.map(|((piece, _), copies)| (piece.clone(), copies)).collect();
        PieceSet::new(choice_name(&pieces), pieces)
    };
    let nodes = report.nodes.unwrap_or_default();
    Ok(report.outcome.is_exact().then(|| (found.into_iter().map(choice).collect(), nodes)))
}

/// Converts placements of pieces of `set` to placements of the same pieces of a choice. Returns `None` if the choice
/// lacks a piece.
fn placed_in(choice: &PieceSet, set: &PieceSet, placed: &[Placement]) -> Option<Vec<Placement>> {
    let mut left: Vec<usize> = choice.pieces().iter().map(|(_, count)| *count).collect();
    let in_choice = |placement: &Placement| {
        let (wanted, _) = &set.pieces()[placement.piece];
        let piece = choice.pieces().iter().position(|(piece, _)| piece == wanted)?;
        left[piece] = left[piece].checked_sub(1)?;
        Some(Placement { piece, cells: placement.cells.clone() })
    };
    placed.iter().map(in_choice).collect()
}
