//! The connected parts of a set of cells.

use crate::lattice::Cell;

/// Splits cells into parts that hang together by faces: each ascending, in the order of their
/// lowest cells. `cells` must be ascending.
#[must_use]
pub fn connected_parts(cells: &[Cell]) -> Vec<Vec<Cell>> {
    let mut part_of: Vec<Option<usize>> = vec![None; cells.len()];
    let mut parts: Vec<Vec<Cell>> = Vec::new();
    let mut stack = Vec::new();
    for start in 0..cells.len() {
        if part_of[start].is_some() {
            continue;
        }
        part_of[start] = Some(parts.len());
        stack.push(start);
        let mut part = Vec::new();
        while let Some(at) = stack.pop() {
            part.push(cells[at]);
            for neighbor in cells[at].neighbors() {
                if let Ok(next) = cells.binary_search(&neighbor)
                    && part_of[next].is_none()
                {
                    part_of[next] = Some(parts.len());
                    stack.push(next);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// Whether all cells hang together by faces. `cells` must be ascending.
#[must_use]
pub fn is_connected(cells: &[Cell]) -> bool {
    connected_parts(cells).len() <= 1
}
