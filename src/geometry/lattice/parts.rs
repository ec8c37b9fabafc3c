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
pub fn part_count(cells: &[Cell]) -> usize {
    if let Some(parts) = part_count_in_box(cells) {
        return parts;
    }
    roots(cells).iter().enumerate().filter(|(at, root)| at == *root).count()
}

/// Returns `true` if all cells are connected through shared faces. `cells` must be ascending.
pub fn is_connected(cells: &[Cell]) -> bool {
    part_count(cells) <= 1
}
