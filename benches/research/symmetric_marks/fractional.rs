//! Fractional packings, in exact numbers: they show that a figure has no marks.
//!
//! A fractional packing gives numbers to placements, at least 0, so that each cell is covered once and each piece used
//! once. Multiply what each placement covers of any marks by its number: the sum of all is the marks of the figure, and
//! at most the sum over the pieces of the largest that a placement covers. So no marks prove anything.
//!
//! A linear program finds one in floating point, at a vertex: the placements that it uses are linearly independent. So
//! they have only one solution, which elimination finds in integers.

use microlp::{ComparisonOp, OptimizationDirection, Problem as Program, Variable};
use somacat_counting::prove::{CellPlacement, placements};
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;

/// Numbers below this count as 0.
const NOTHING: f64 = 1e-7;

/// Returns `true` if a figure has a fractional packing. `false` may also mean that floating-point numbers did not find it.
pub(crate) fn has_fractional_packing(figure: &Figure, set: &PieceSet) -> bool {
    let all = placements((figure, set));
    let copies = set.pieces().iter().map(|(_, copies)| *copies as i128);
    // Every cell is covered once, and every piece as often as it has copies.
    let wanted: Vec<i128> = vec![1; figure.len()].into_iter().chain(copies).collect();
    let rows = |one: &CellPlacement| {
        one.cells.iter().copied().chain([figure.len() + one.piece]).collect::<Vec<usize>>()
    };
    let columns: Vec<Vec<usize>> = all.iter().map(rows).collect();
    used(&columns, &wanted).is_some_and(|used| are_exact(&used, &wanted))
}

/// Returns the columns to which a linear program gives a positive number.
fn used<'a>(columns: &'a [Vec<usize>], wanted: &[i128]) -> Option<Vec<&'a Vec<usize>>> {
    let mut program = Program::new(OptimizationDirection::Minimize);
    let variables: Vec<Variable> =
        columns.iter().map(|_| program.add_var(0.0, (0.0, f64::INFINITY))).collect();
    let mut rows = vec![Vec::new(); wanted.len()];
    for (column, &variable) in columns.iter().zip(&variables) {
        column.iter().for_each(|&row| rows[row].push((variable, 1.0)));
    }
    for (row, &wanted) in rows.iter().zip(wanted) {
        program.add_constraint(row.as_slice(), ComparisonOp::Eq, wanted as f64);
    }
    let solution = program.solve().ok()?.into_solution().ok()?;
    let is_used = |variable: &Variable| solution.var_value(*variable) > NOTHING;
    let used = columns.iter().zip(&variables).filter(|(_, variable)| is_used(variable));
    Some(used.map(|(column, _)| column).collect())
}

/// Returns `true` if the columns have one solution, and its numbers are not negative. Elimination without fractions
/// (Bareiss, 1968): every division is exact.
fn are_exact(columns: &[&Vec<usize>], wanted: &[i128]) -> bool {
    let right = columns.len();
    let mut matrix: Vec<Vec<i128>> =
        wanted.iter().map(|&w| [vec![0; right], vec![w]].concat()).collect();
    for (at, column) in columns.iter().enumerate() {
        column.iter().for_each(|&row| matrix[row][at] += 1);
    }
    let mut divisor = 1;
    for at in 0..right {
        let Some(pivot) = (at..matrix.len()).find(|&row| matrix[row][at] != 0) else {
            return false;
        };
        matrix.swap(at, pivot);
        let row = matrix[at].clone();
        for other in (0..matrix.len()).filter(|&other| other != at) {
            let factor = matrix[other][at];
            for (value, above) in matrix[other].iter_mut().zip(&row) {
                *value = (*value * row[at] - factor * above) / divisor;
            }
        }
        divisor = row[at];
    }
    // The numbers, times the divisor.
    let numbers: Vec<i128> =
        matrix[..right.min(matrix.len())].iter().map(|row| row[right]).collect();
    let mut sums = vec![0; wanted.len()];
    for (column, number) in columns.iter().zip(&numbers) {
        column.iter().for_each(|&row| sums[row] += number);
    }
    numbers.iter().all(|number| number.signum() * divisor.signum() >= 0)
        && sums.iter().zip(wanted).all(|(sum, wanted)| *sum == wanted * divisor)
}
