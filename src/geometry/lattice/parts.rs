//! The connected parts of a set of cells.

use super::Cell;

/// Returns the index of the lowest cell of each cell's part. `cells` must be ascending. The neighbors of ascending
/// cells at a fixed offset are ascending too, so one pass with two indices finds all of them. Parts are merged
/// towards their lowest cell (union-find).
fn roots(cells: &[Cell]) -> Vec<usize> {
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    let mut parent: Vec<usize> = (0..cells.len()).collect();
    for offset in [Cell::new(0, 0, 1), Cell::new(0, 1, 0), Cell::new(1, 0, 0)] {
        let mut ahead = 0;
        for at in 0..cells.len() {
            let neighbor = cells[at] + offset;
            while ahead < cells.len() && cells[ahead] < neighbor {
                ahead += 1;
            }
            if cells.get(ahead) == Some(&neighbor) {
                let (a, b) = (root(&mut parent, at), root(&mut parent, ahead));
                parent[a.max(b)] = a.min(b);
            }
        }
    }
    for at in 0..parent.len() {
        // A parent precedes its cell, so its own entry is already final.
        parent[at] = parent[parent[at]];
    }
    parent
}

/// Splits cells into parts connected through shared faces.
///
/// Each part is ascending, and the parts are in the order of their lowest cells. `cells` must be ascending.
///
/// ```
/// use somacat_geometry::lattice::{Cell, connected_parts};
///
/// // The last two cells share only an edge, so they are not connected.
/// let cells = [[0, 0, 0], [0, 1, 0], [1, 2, 0]].map(Cell::from);
/// let parts = connected_parts(&cells);
/// assert_eq!(parts, [cells[..2].to_vec(), cells[2..].to_vec()]);
/// ```
pub fn connected_parts(cells: &[Cell]) -> Vec<Vec<Cell>> {
    let roots = roots(cells);
    let mut parts: Vec<Vec<Cell>> = Vec::new();
    let mut part_of = vec![0; cells.len()];
    for (at, &cell) in cells.iter().enumerate() {
        if roots[at] == at {
            part_of[at] = parts.len();
            parts.push(Vec::new());
        }
        parts[part_of[roots[at]]].push(cell);
    }
    parts
}

/// Counts the parts on a bit board of 128 places. `None` if they need more.
fn part_count_in_box(cells: &[Cell]) -> Option<usize> {
    let low = Cell::min_corner(cells);
    let (mut x, mut y, mut z) = (0, 0, 0);
    for &cell in cells {
        (x, y, z) = (x.max(cell.x - low.x), y.max(cell.y - low.y), z.max(cell.z - low.z));
    }
    if x.max(y).max(z) >= 128 || (x + 2) * (y + 2) * (z + 1) >= 128 {
        return None;
    }
    // A margin between rows and layers: steps do not wrap around.
    let (row, layer) = (x + 2, (x + 2) * (y + 2));
    let place = |&cell: &Cell| {
        let Cell { x, y, z } = cell - low;
        1_u128 << (x + row * y + layer * z)
    };
    let mut left = cells.iter().map(place).fold(0, |all, bit| all | bit);
    let mut parts = 0;
    while left != 0 {
        let mut part = left & left.wrapping_neg();
        loop {
            let beside = |step| part << step | part >> step;
            let grown = (part | beside(1) | beside(row) | beside(layer)) & left;
            if grown == part {
                break;
            }
            part = grown;
        }
        left &= !part;
        parts += 1;
    }
    Some(parts)
}

/// Counts the parts connected through shared faces. `cells` must be ascending.
///
/// ```
/// use somacat_geometry::boxes::box_cells;
/// use somacat_geometry::lattice::part_count;
///
/// // No two of the 14 black cells of the cube share a face.
/// let mut black = box_cells([3, 3, 3]);
/// black.retain(|cell| cell.is_black());
/// black.sort();
/// assert_eq!(part_count(&black), 14);
/// ```
pub fn part_count(cells: &[Cell]) -> usize {
    if let Some(parts) = part_count_in_box(cells) {
        return parts;
    }
    roots(cells).iter().enumerate().filter(|(at, root)| at == *root).count()
}

/// Returns `true` if all cells are connected through shared faces. `cells` must be ascending.
///
/// ```
/// use somacat_geometry::lattice::{Cell, is_connected};
///
/// assert!(is_connected(&[[0, 0, 0], [0, 0, 1], [1, 0, 1]].map(Cell::from)));
/// assert!(!is_connected(&[[0, 0, 0], [1, 1, 0]].map(Cell::from)));
/// ```
pub fn is_connected(cells: &[Cell]) -> bool {
    part_count(cells) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cells of a 2×2×3 box that a mask selects, ascending.
    fn selected(mask: u32) -> Vec<Cell> {
        let number = (0..12).filter(|n| mask >> n & 1 == 1);
        number.map(|n| Cell::new(n / 6, n / 3 % 2, n % 3)).collect()
    }

    /// Joins cells that share a face until nothing changes, for all 4,096 subsets of a box, and for the same cells so
    /// far apart that no board holds them.
    #[test]
    fn parts_are_the_smallest_sets_closed_under_neighbors() {
        for mask in 0..4096 {
            let cells = selected(mask);
            let mut labels: Vec<usize> = (0..cells.len()).collect();
            for _ in 0..cells.len() {
                for a in 0..cells.len() {
                    for b in 0..cells.len() {
                        if cells[a].distance(cells[b]) == 1 {
                            labels[a] = labels[a].min(labels[b]);
                        }
                    }
                }
            }
            let firsts = (0..cells.len()).filter(|&at| labels[at] == at);
            let known: Vec<Vec<Cell>> = firsts
                .map(|first| {
                    (0..cells.len()).filter(|&at| labels[at] == first).map(|at| cells[at]).collect()
                })
                .collect();
            assert_eq!(connected_parts(&cells), known);
            assert_eq!(part_count(&cells), known.len());
            assert_eq!(is_connected(&cells), known.len() <= 1);
            let far: Vec<Cell> = cells.iter().copied().chain([Cell::new(1000, 0, 0)]).collect();
            assert_eq!(part_count(&far), known.len() + 1);
        }
    }
}
