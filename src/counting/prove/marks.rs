//! Marks: a proof that a figure cannot be built, which anybody can check by hand.
//!
//! Give every cell of a figure a weight, its mark. Let m(p) be the largest sum of marks that any placement of the piece
//! p covers. A packing covers each cell once and uses each piece once, so the marks of the figure are at most the sum of
//! m(p) over the pieces. If they are more, there is no packing. Naylor's proof for the W-wall (SOMA News, 1999) marks
//! ten corners:
//!
//! ```text
//! V covers at most 1 of them, L 2, T 2, Z 1, A 1, B 1, P 1: 9 together, but there are 10.
//! ```
//!
//! **When marks exist.** Let a packing problem have fractional packings if nonnegative numbers on the placements cover
//! each cell once and use each piece once in total. By linear programming duality (Farkas' lemma) marks exist exactly if
//! there is no fractional packing. So one linear program decides it. Adding a constant to all weights changes both sides
//! by the same amount, because the pieces have as many cells as the figure. So weights need not be negative, and by
//! scaling they may be limited to 1.
//!
//! **Choices and gaps.** Of a set with ranges a packing uses a choice of pieces that fills the figure. So the sum over
//! the pieces is the largest one of such a choice (`choices.rs`). The linear program has variables for what a choice must
//! obey: the least and the greatest number of copies of each piece, the number of cells, and perhaps of pieces. Marks that
//! it does not find may exist, because half of a piece is no choice. A gap is a piece of one cell that covers the marks
//! only of cells that may stay empty.
//!
//! **Readable marks.** Integer programs look for the fewest marks: with weights 0 and 1, then with 0, 1 and 2. Of those
//! with the fewest, marks that are invariant under the figure's group are preferred. If neither exists within
//! [`SEARCH_NODES`], the solution of the linear program is multiplied by 1, 2, 3, … and rounded until it proves the
//! figure impossible.
//!
//! The programs compute with floating-point numbers, but they only propose marks. [`Marks::prove`] accepts nothing that
//! does not hold in integers.
//!
//! **Cost.** About a millisecond for the linear program of 27 cells and seven pieces, with some 300 placements, and a few
//! for the fewest marks. Nearly all figures with a symmetry of order 3 or more that parity allows and that cannot be
//! built have marks: docs/answers.md has the numbers.

use super::choices::{PiecesLeft, all_copies, gap_of};
use super::items::{Left, Placements, are_drawable, letter_at};
use super::tree::write_placement;
use super::{CellPlacement, placements};
use crate::solve::{Limits, Problem, symmetries};
use microlp::{ComparisonOp, OptimizationDirection, Problem as Program, SolveOptions, Variable};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{GAP, PieceSet};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

/// Branch-and-bound nodes after which an integer program ends with the best marks so far. It is a number of nodes and
/// not a time, so that the same figure has the same proof on every machine.
const SEARCH_NODES: u64 = 300;

/// Nodes between two checks of the request to stop.
const STOP_CHECK_NODES: u64 = 20;

/// Time between two checks of the request to stop in a linear program.
const STOP_CHECK_TIME: Duration = Duration::from_millis(300);

/// Placements above which no program is solved, because it would take too long: more than any figure of 100 cells has
/// with pieces of up to five cells.
const MAX_PLACEMENTS: usize = 20_000;

/// Squares of the largest drawing.
const MAX_SQUARES: u128 = 4096;

/// The largest multiple of a solution of the linear program that is rounded.
const MAX_MULTIPLE: i32 = 1000;

/// Excess of the marks over the pieces, below which the linear program counts as without marks. Weights are at most 1,
/// so rounding errors are far below it, and so are excesses that integers of a readable size cannot show.
const NO_EXCESS: f64 = 1e-5;

/// Weights on the cells of a figure that add up to more than the pieces can cover.
///
/// ```
/// use somacat_counting::prove::find_marks;
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Signature;
/// use somacat_geometry::pieces::PieceSet;
///
/// // The W-wall has no packing: ten of its cells cannot be covered by seven pieces.
/// let (soma, w_wall) = (PieceSet::soma(1), "s1-3x5x5-00w00w0yz0e0zf0".parse::<Signature>()?);
/// let figure = w_wall.figure()?;
/// let marks = find_marks((&figure, &soma), Limits::default()).expect("marks");
/// assert_eq!((marks.total(), marks.most), (10, 9));
/// assert!(marks.in_words(&soma).starts_with("Mark 10 cells. V covers at most 1, L 2, T 2, Z 1,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    /// The weight of each cell, at least 0. Positions are those in [`Figure::cells`].
    pub weights: Vec<i64>,
    /// The largest sum of weights that one copy of each piece covers. Positions are those in [`PieceSet::pieces`].
    pub largest: Vec<i64>,
    /// The largest sum that all pieces cover together: `largest`, times the copies of each piece. With ranges of copies,
    /// the largest one of the choices that fill the figure.
    pub most: i64,
}

impl Marks {
    /// Returns the marks with these weights, one for each cell, if they prove that there is no packing.
    ///
    /// ```
    /// use somacat_counting::prove::Marks;
    /// use somacat_geometry::figure::Figure;
    /// use somacat_geometry::pieces::parse_set;
    ///
    /// // Neither V nor L fits into a bar, so they cover none of its cells.
    /// let (bar, set) = (Figure::of_box([1, 1, 7])?, parse_set("V L")?);
    /// let marks = Marks::of_weights((&bar, &set), vec![1, 0, 0, 0, 0, 0, 0]).expect("a proof");
    /// assert_eq!((marks.total(), marks.most), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_weights<'a>(problem: impl Into<Problem<'a>>, weights: Vec<i64>) -> Option<Self> {
        let problem = problem.into();
        let model = Model::new(&problem);
        (weights.len() == problem.figure().len()).then(|| Self::prove(weights, &model)).flatten()
    }

    /// Returns the sum of all weights. It is greater than [`Self::most`].
    pub fn total(&self) -> i64 {
        self.weights.iter().sum()
    }

    /// States the proof in words: which pieces cover how many marks.
    pub fn in_words(&self, set: &PieceSet) -> String {
        self.in_words_for(set, &all_copies(set))
    }

    /// States the proof in words for so many copies of each piece.
    pub(super) fn in_words_for(&self, set: &PieceSet, copies: &[usize]) -> String {
        let cells = self.weights.iter().filter(|weight| **weight > 0).count();
        let (total, most) = (self.total(), self.most);
        let marked = match (self.weights.iter().all(|weight| *weight <= 1), total) {
            (true, 1) => "Mark one cell.".to_owned(),
            (true, _) => format!("Mark {total} cells."),
            (false, _) => format!("Give {cells} cells {total} marks in all."),
        };
        let name = |letter, name| if letter == GAP { "a gap" } else { name };
        let names = set.pieces().iter().map(|(piece, _)| name(piece.letter(), piece.name()));
        let numbers = self.largest.iter().zip(copies);
        let left = names.zip(numbers).filter(|(_, (_, copies))| **copies > 0);
        let pieces: Vec<String> = left
            .enumerate()
            .map(|(at, (name, (largest, _)))| match at {
                0 => format!("{name} covers at most {largest}"),
                _ => format!("{name} {largest}"),
            })
            .collect();
        let pieces = pieces.join(", ");
        if set.is_choice() {
            return format!(
                "{marked} {pieces}: no choice of pieces covers more than {most} of {total}."
            );
        }
        let together = match copies.iter().all(|copies| *copies <= 1) {
            true => "together",
            false => "with all copies",
        };
        format!("{marked} {pieces}: {together} at most {most} of {total}.")
    }

    /// Draws the marks as text: a line for each row, back to front, of all layers, from top to bottom. `o` is a cell
    /// without a mark, `.` an empty square. `None` if a mark has several digits, or if the box has too many squares.
    pub fn drawing(&self, figure: &Figure) -> Option<String> {
        self.drawing_with(figure, |_| None)
    }

    /// Draws the marks, and cells that have a letter with this letter.
    pub(super) fn drawing_with(
        &self,
        figure: &Figure,
        letter: impl Fn(usize) -> Option<char>,
    ) -> Option<String> {
        let [width, depth, height] = figure.extents();
        if figure.extents().map(u128::from).iter().product::<u128>() > MAX_SQUARES {
            return None;
        }
        let mut text = String::new();
        for y in 0..depth {
            for z in 0..height {
                text += if z > 0 { " " } else { "" };
                for x in 0..width {
                    let cell = Cell::from([x, y, z].map(u32::cast_signed));
                    text.push(match figure.cells().binary_search(&cell) {
                        Ok(at) => match (letter(at), self.weights[at]) {
                            (Some(letter), _) => letter,
                            (None, 0) => 'o',
                            (None, weight) => char::from_digit(u32::try_from(weight).ok()?, 10)?,
                        },
                        Err(_) => '.',
                    });
                }
            }
            text.push('\n');
        }
        Some(text)
    }

    /// Writes the lines of a certificate: a drawing as a comment, the reason, and the marks.
    pub(super) fn write(
        &self,
        figure: &Figure,
        set: &PieceSet,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write_comment(&self.in_words(set), self.drawing(figure), out)?;
        writeln!(out, "reason marks {} {}", self.total(), self.most)?;
        self.write_weights(out)
    }

    /// Writes an end of a case tree: a drawing as a comment, the node, and the marks. The pieces in `placed` are drawn by
    /// their letters.
    pub(super) fn write_after(
        &self,
        figure: &Figure,
        set: &PieceSet,
        placed: &[&CellPlacement],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut copies = all_copies(set);
        placed.iter().for_each(|one| copies[one.piece] -= 1);
        let letter = |cell| letter_at(set, placed, cell);
        let drawing = are_drawable(set).then(|| self.drawing_with(figure, letter)).flatten();
        write_comment(&self.in_words_for(set, &copies), drawing, out)?;
        write_placement(placed.len(), placed.last().copied(), gap_of(set), out)?;
        writeln!(out, " > marks {} {}", self.total(), self.most)?;
        self.write_weights(out)
    }

    fn write_weights(&self, out: &mut dyn Write) -> io::Result<()> {
        let marked = self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
        for (cell, weight) in marked {
            writeln!(out, "mark {cell} {weight}")?;
        }
        Ok(())
    }

    /// Returns the marks with these weights, if they prove that there is no packing.
    fn prove(weights: Vec<i64>, model: &Model) -> Option<Self> {
        let mut largest: Vec<Option<i64>> = vec![None; model.pieces.kinds.len()];
        for CellPlacement { piece, cells } in &model.placements {
            let sum: i64 = cells.iter().map(|&cell| weights[cell]).sum();
            largest[*piece] = largest[*piece].max(Some(sum.max(0)));
        }
        let most = model.pieces.most(&largest)?;
        let largest = largest.into_iter().map(Option::unwrap_or_default).collect();
        let marks = Self { weights, largest, most };
        (marks.total() > most).then_some(marks)
    }
}

/// Writes a sentence and a drawing as lines of a comment.
fn write_comment(words: &str, drawing: Option<String>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {words}")?;
    for row in drawing.unwrap_or_default().lines() {
        writeln!(out, "# {row}")?;
    }
    Ok(())
}

/// Finds marks that prove that a figure cannot be built: few and small ones, if there are any.
///
/// The figure must have as many cells as the pieces fill. `None` if there are no marks, or after a stop.
pub fn find_marks<'a>(problem: impl Into<Problem<'a>>, limits: Limits<'_>) -> Option<Marks> {
    let problem = problem.into();
    let model = Model::new(&problem);
    model.marks_of(&model.each_cell(), Some(&|| orbits(&problem)), limits)
}

/// Finds marks that are invariant under the figure's group: few and small ones among those, if there are any.
///
/// If the set is closed under reflection, there are none only if there are no marks at all: the mean of marks and their
/// images is invariant, and no piece covers more of it. The programs have an unknown for each orbit of cells, so this is
/// several times as fast as [`find_marks`] for a figure with four symmetries. But others may have fewer or smaller marks.
///
/// ```
/// use somacat_counting::prove::find_invariant_marks;
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // T covers at most one of the four corners of this box. Three of them would do, but are not invariant.
/// let (figure, set) = (Figure::of_box([1, 2, 4])?, parse_set("T T")?);
/// let marks = find_invariant_marks((&figure, &set), Limits::default()).expect("marks");
/// assert_eq!((marks.total(), marks.most), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_invariant_marks<'a>(
    problem: impl Into<Problem<'a>>,
    limits: Limits<'_>,
) -> Option<Marks> {
    let problem = problem.into();
    Model::new(&problem).marks_of(&orbits(&problem), None, limits)
}

/// Returns the number of each cell's orbit under the figure's group.
fn orbits(problem: &Problem<'_>) -> Vec<usize> {
    let mut orbit: Vec<usize> = (0..problem.figure().len()).collect();
    for symmetry in symmetries(problem.figure(), problem.group()) {
        // Every transform of the group is visited, so the least cell of an orbit reaches all its cells directly.
        for (at, &image) in symmetry.map.iter().enumerate() {
            orbit[image] = orbit[image].min(at);
        }
    }
    orbit
}

/// What a program looks for.
#[derive(Clone, Copy)]
enum Goal {
    /// Weights from 0 to 1 whose sum exceeds that of the pieces the most.
    Excess,
    /// Whole weights from 0 to `most` with the least sum, which is at most `total` if given.
    Fewest { most: i32, total: Option<i64> },
}

/// A packing problem: a figure, or what is left of one after some placements.
pub(super) struct Model {
    /// The number of cells, and the pieces that fill them.
    pieces: PiecesLeft,
    placements: Vec<CellPlacement>,
}

impl Model {
    fn new(problem: &Problem<'_>) -> Self {
        Self { pieces: PiecesLeft::all(problem), placements: placements(problem) }
    }

    /// Makes the problem that is left. Free cells are numbered from 0; pieces keep their numbers.
    pub(super) fn left(all: &Placements<'_>, left: &Left, set: &PieceSet) -> Self {
        let number = |cell: &usize| (left.free & !(u128::MAX << cell)).count_ones() as usize;
        let placements = left.fits.iter().map(|&at| {
            let CellPlacement { piece, cells } = all.get(at);
            CellPlacement { piece: *piece, cells: cells.iter().map(number).collect() }
        });
        let pieces = PiecesLeft::new(set, &left.copies, left.free.count_ones() as usize);
        Self { pieces, placements: placements.collect() }
    }

    /// Returns real weights from 0 to 1 that prove that there is no packing, if such weights exist.
    pub(super) fn real_weights(&self, limits: Limits<'_>) -> Option<Vec<f64>> {
        self.weights(&self.each_cell(), Goal::Excess, limits)
    }

    /// Finds few and small marks.
    pub(super) fn marks(&self, limits: Limits<'_>) -> Option<Marks> {
        self.marks_of(&self.each_cell(), None, limits)
    }

    /// Returns the unknowns of a program in which each cell has its own weight.
    fn each_cell(&self) -> Vec<usize> {
        (0..self.pieces.cells).collect()
    }

    /// Finds few and small marks, equal for cells with the same unknown. `orbits` gives the unknowns of marks that are
    /// preferred to others with the same sum.
    fn marks_of(
        &self,
        unknowns: &[usize],
        orbits: Option<&dyn Fn() -> Vec<usize>>,
        limits: Limits<'_>,
    ) -> Option<Marks> {
        if self.placements.len() > MAX_PLACEMENTS {
            return None;
        }
        let real = self.weights(unknowns, Goal::Excess, limits)?;
        for most in [1, 2] {
            let goal = |total| Goal::Fewest { most, total };
            let whole = |goal, unknowns: &[usize]| {
                let weights = self.weights(unknowns, goal, limits)?;
                Marks::prove(weights.iter().map(|weight| weight.round() as i64).collect(), self)
            };
            let Some(marks) = whole(goal(None), unknowns) else { continue };
            let symmetric = orbits.and_then(|orbits| whole(goal(Some(marks.total())), &orbits()));
            return symmetric.or(Some(marks));
        }
        (1..=MAX_MULTIPLE).find_map(|multiple| {
            let rounded = |weight: &f64| (weight * f64::from(multiple)).round() as i64;
            Marks::prove(real.iter().map(rounded).collect(), self)
        })
    }

    /// Solves a program. Returns the weight of each cell; `None` if there are no such weights, none were found within
    /// the limit, or a stop was requested.
    ///
    /// `unknowns` has for each cell the number of a cell with the same weight, which has its own number.
    fn weights(&self, unknowns: &[usize], goal: Goal, limits: Limits<'_>) -> Option<Vec<f64>> {
        let (mut program, most) = match goal {
            Goal::Excess => (Program::new(OptimizationDirection::Maximize), 1),
            Goal::Fewest { most, .. } => (Program::new(OptimizationDirection::Minimize), most),
        };
        let mut add = |objective: f64, most: i32| match goal {
            Goal::Excess => program.add_var(objective, (0.0, f64::from(most))),
            Goal::Fewest { .. } => program.add_integer_var(objective, (0, most)),
        };
        let mut cells: Vec<Option<Variable>> = vec![None; self.pieces.cells];
        for &unknown in unknowns {
            if cells[unknown].is_none() {
                let size = unknowns.iter().filter(|other| **other == unknown).count();
                cells[unknown] = Some(add(size as f64, most));
            }
        }
        let cells: Vec<Variable> = unknowns.iter().filter_map(|&unknown| cells[unknown]).collect();
        let pieces = PieceTerms::new(&self.pieces, most, goal, &mut program);
        // Cells with the same weight make many placements equal.
        let sorted = |covered: &[usize]| {
            let mut covered: Vec<usize> = covered.iter().map(|&cell| unknowns[cell]).collect();
            covered.sort_unstable();
            covered
        };
        let sum = |sorted: &[usize]| -> Vec<(Variable, f64)> {
            let equal = sorted.chunk_by(|a, b| a == b);
            equal.map(|equal| (cells[equal[0]], equal.len() as f64)).collect()
        };
        let covered: BTreeSet<(usize, Vec<usize>)> =
            self.placements.iter().map(|one| (one.piece, sorted(&one.cells))).collect();
        for (piece, covered) in &covered {
            let terms: Vec<_> = sum(covered).into_iter().chain(pieces.of_copy(*piece)).collect();
            program.add_constraint(terms, ComparisonOp::Le, 0.0);
        }
        if let Goal::Fewest { total, .. } = goal {
            let sum = sum(&sorted(&(0..cells.len()).collect::<Vec<_>>()));
            if let Some(total) = total {
                program.add_constraint(sum.as_slice(), ComparisonOp::Le, total as f64);
            }
            let excess: Vec<_> = sum.into_iter().chain(pieces.together).collect();
            program.add_constraint(excess, ComparisonOp::Ge, 1.0);
        }
        let solution = match goal {
            Goal::Excess => solve_linear(&program, limits)?,
            Goal::Fewest { .. } => solve(&program, limits)?,
        };
        let is_enough = !matches!(goal, Goal::Excess) || solution.objective() > NO_EXCESS;
        is_enough.then(|| cells.iter().map(|&cell| solution.var_value(cell)).collect())
    }
}

/// The variables of a program that bound the marks covered by the pieces: the dual variables of the numbers of copies.
///
/// The sum of the terms of a copy bounds from above what one copy of a piece covers, and `together` what any choice does.
struct PieceTerms {
    /// For each piece, what is subtracted from the marks that a copy covers.
    copies: Vec<Vec<(Variable, f64)>>,
    /// What is subtracted from all marks.
    together: Vec<(Variable, f64)>,
}

impl PieceTerms {
    fn new(left: &PiecesLeft, most: i32, goal: Goal, program: &mut Program) -> Self {
        let mut terms = Self { copies: Vec::new(), together: Vec::new() };
        let is_choice = left.is_choice();
        for kind in &left.kinds {
            let (least, copies) = (kind.least as f64, kind.most as f64);
            let bound = most * kind.size as i32;
            if !is_choice {
                let one = terms.add(-copies, goal, program, bound);
                terms.copies.push(vec![(one, -1.0)]);
                continue;
            }
            // More copies than those that must follow add to the marks, and fewer than may follow.
            let more = terms.add_real(-copies, goal, program, [0, 2 * bound]);
            let less = terms.add_real(least, goal, program, [0, 2 * bound]);
            terms.copies.push(vec![(more, -1.0), (less, 1.0)]);
        }
        let mut add_common = |number: usize, weight: &dyn Fn(usize) -> f64, bound: i32| {
            let common = terms.add_real(-(number as f64), goal, program, [-bound, bound]);
            for (at, copies) in terms.copies.iter_mut().enumerate() {
                copies.push((common, -weight(at)));
            }
        };
        if is_choice {
            add_common(left.cells, &|at| left.kinds[at].size as f64, most);
        }
        if let Some(number) = left.number {
            let largest = left.kinds.iter().map(|kind| kind.size).max().unwrap_or(1);
            let is_piece = |at: usize| f64::from(u8::from(!left.kinds[at].is_gap));
            add_common(number.unsigned_abs(), &is_piece, most * largest as i32);
        }
        terms
    }

    /// Adds a variable from 0 to `bound`, which counts `factor` times; a whole number if the marks are.
    fn add(&mut self, factor: f64, goal: Goal, program: &mut Program, bound: i32) -> Variable {
        let variable = match goal {
            Goal::Excess => program.add_var(factor, (0.0, f64::from(bound))),
            Goal::Fewest { .. } => program.add_integer_var(0.0, (0, bound)),
        };
        self.together.push((variable, factor));
        variable
    }

    fn add_real(
        &mut self,
        factor: f64,
        goal: Goal,
        program: &mut Program,
        bounds: [i32; 2],
    ) -> Variable {
        let objective = if matches!(goal, Goal::Excess) { factor } else { 0.0 };
        let [least, most] = bounds.map(f64::from);
        let variable = program.add_var(objective, (least, most));
        self.together.push((variable, factor));
        variable
    }

    fn of_copy(&self, piece: usize) -> impl Iterator<Item = (Variable, f64)> + '_ {
        self.copies[piece].iter().copied()
    }
}

/// Solves an integer program within [`SEARCH_NODES`].
fn solve(program: &Program, limits: Limits<'_>) -> Option<microlp::Solution> {
    let mut options = SolveOptions::default();
    options.node_limit = Some(STOP_CHECK_NODES);
    let mut outcome = program.solve_with(options).ok()?;
    for _ in 1..SEARCH_NODES / STOP_CHECK_NODES {
        if limits.stopped() {
            return None;
        }
        if outcome.is_optimal() {
            break;
        }
        outcome = outcome.resume().ok()?;
    }
    outcome.into_solution().ok()
}

/// Solves a linear program, which has no nodes. Interruptions do not change its solution.
fn solve_linear(program: &Program, limits: Limits<'_>) -> Option<microlp::Solution> {
    let mut options = SolveOptions::default();
    options.time_limit = Some(STOP_CHECK_TIME);
    let mut outcome = program.solve_with(options).ok()?;
    while !outcome.is_optimal() {
        if limits.stopped() {
            return None;
        }
        outcome = outcome.resume().ok()?;
    }
    outcome.into_solution().ok()
}
