//! Derives reasons from sizes and colors, by simple means of its own.

use super::placements::placements;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::{Piece, PieceSet};
use std::collections::BTreeSet;

/// Returns the color difference of cells. It is the number of cells with an even coordinate sum, minus the others.
pub(super) fn colors(cells: &[Cell]) -> i64 {
    let sum = |cell: &Cell| cell.to_array().into_iter().map(i64::from).sum::<i64>();
    cells.iter().map(|cell| if sum(cell).rem_euclid(2) == 0 { 1 } else { -1 }).sum()
}

/// Returns all sums of numbers that may have either sign.
pub(super) fn colors_reached(numbers: impl Iterator<Item = i64>) -> BTreeSet<i64> {
    numbers.fold(BTreeSet::from([0]), |sums, n| {
        sums.iter().flat_map(|sum| [sum + n, sum - n]).collect()
    })
}

/// Returns the color differences of a set's pieces, copy by copy.
pub(super) fn piece_colors(set: &PieceSet) -> impl Iterator<Item = i64> {
    let of_copies =
        |(piece, copies): &(Piece, usize)| std::iter::repeat_n(colors(piece.cells()), *copies);
    set.pieces().iter().flat_map(of_copies)
}

/// Finds the separate parts of a figure. Walks from cell to cell.
pub(super) fn separate_parts(figure: &Figure) -> Vec<Vec<Cell>> {
    let mut rest: BTreeSet<Cell> = figure.cells().iter().copied().collect();
    let mut parts = Vec::new();
    while let Some(cell) = rest.pop_first() {
        let (mut part, mut edge) = (Vec::new(), vec![cell]);
        while let Some(cell) = edge.pop() {
            part.push(cell);
            edge.extend(cell.neighbors().into_iter().filter(|next| rest.remove(next)));
        }
        parts.push(part);
    }
    parts
}

/// Returns the cells and the color difference of each separate part.
pub(super) fn part_colors(figure: &Figure) -> Vec<(usize, i64)> {
    separate_parts(figure).iter().map(|part| (part.len(), colors(part))).collect()
}

/// Maximum number of states times parts in a division of pieces.
const MAX_DIVISION_STATES: usize = 2_000_000;

/// Returns true if the pieces can be divided among the parts. Each part must get its cells and its colors. Returns
/// `None` if that takes too many steps. `empty` has for each part the numbers of cells of both colors that may stay
/// empty; there are none without it.
pub(super) fn divisible(
    parts: &[(usize, i64)],
    set: &PieceSet,
    empty: &[[usize; 2]],
) -> Option<bool> {
    // For each part, the cells that it still needs, and the sum of the colors of its pieces.
    let start: Vec<(usize, i64)> = parts.iter().map(|(cells, _)| (*cells, 0)).collect();
    let mut states = BTreeSet::from([start]);
    for (piece, [least, most]) in set.ranges() {
        let (size, surplus) = (piece.size(), colors(piece.cells()));
        for copy in 0..most {
            let mut next = if copy < least { BTreeSet::new() } else { states.clone() };
            for state in &states {
                for part in (0..parts.len()).filter(|part| state[*part].0 >= size) {
                    for surplus in [surplus, -surplus] {
                        let mut state = state.clone();
                        state[part] = (state[part].0 - size, state[part].1 + surplus);
                        next.insert(state);
                    }
                }
                if next.len() * parts.len() > MAX_DIVISION_STATES {
                    return None;
                }
            }
            states = next;
        }
    }
    // What the pieces leave of each part stays empty.
    let is_filled = |state: &Vec<(usize, i64)>, at: usize| {
        let ((left, colors), (_, wanted)) = (state[at], parts[at]);
        let [even, odd] = empty.get(at).copied().unwrap_or_default();
        let mut evens = left.saturating_sub(odd)..=left.min(even);
        evens.any(|evens| colors + 2 * evens as i64 - left as i64 == wanted)
    };
    Some(states.iter().any(|state| (0..parts.len()).all(|at| is_filled(state, at))))
}

/// Returns the first reason that holds for a figure without a packing.
///
/// Returns `None` if dividing the pieces among the parts takes too many steps.
///
/// ```
/// use somacat_checking::plain_reason;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::outcome::Reason;
/// use somacat_geometry::pieces::PieceSet;
///
/// let soma = PieceSet::soma(1);
/// assert_eq!(plain_reason(&Figure::of_box([3, 3, 4])?, &soma), Some(Reason::Size));
/// assert_eq!(plain_reason(&Figure::of_box([1, 3, 9])?, &soma), Some(Reason::NoFit));
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn plain_reason(figure: &Figure, set: &PieceSet) -> Option<Reason> {
    if figure.len() != set.total_cells() {
        return Some(Reason::Size);
    }
    let parts = part_colors(figure);
    let reached = colors_reached(piece_colors(set));
    if !colors_reached(parts.iter().map(|(_, colors)| *colors)).is_subset(&reached) {
        return Some(Reason::Parity);
    }
    if parts.len() > 1 && !divisible(&parts, set, &[])? {
        return Some(Reason::Parts);
    }
    // A placement is excluded if the other pieces cannot make up for its colors.
    let difference = colors(figure.cells());
    let others: Vec<BTreeSet<i64>> = (0..set.pieces().len())
        .map(|piece| {
            let mut all: Vec<i64> = piece_colors(set).collect();
            let one = colors(set.pieces()[piece].0.cells());
            let at = all.iter().position(|surplus| *surplus == one);
            all.swap_remove(at.expect("the set has the piece"));
            colors_reached(all.into_iter())
        })
        .collect();
    let (mut cells, mut pieces) = (vec![false; figure.len()], vec![false; set.pieces().len()]);
    for (piece, covered) in placements(figure, set).into_iter().flatten() {
        let placed: Vec<Cell> = covered.iter().map(|&cell| figure.cells()[cell]).collect();
        if others[piece].contains(&(difference - colors(&placed))) {
            covered.iter().for_each(|&cell| cells[cell] = true);
            pieces[piece] = true;
        }
    }
    let fits = cells.into_iter().chain(pieces).all(|covered| covered);
    Some(if fits { Reason::Exhausted } else { Reason::NoFit })
}
