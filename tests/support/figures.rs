//! Figures from a fixed seed, and a naive counter for comparison.

use super::random::Random;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;

/// Returns all cells of a box.
pub fn box_cells([x, y, z]: [i32; 3]) -> Vec<Cell> {
    let cell = |n: i32| Cell::new(n / (y * z), n / z % y, n % z);
    (0..x * y * z).map(cell).collect()
}

pub fn boxed(sides: [i32; 3]) -> Figure {
    Figure::new(box_cells(sides)).unwrap()
}

/// Grows a connected figure of `n` cells by random neighbors. It stays inside a box if one is given.
pub fn grow(n: usize, size: Option<[i32; 3]>, random: &mut Random) -> Figure {
    let inside = |c: &Cell| {
        size.is_none_or(|s| c.to_array().iter().zip(s).all(|(&v, extent)| (0..extent).contains(&v)))
    };
    let mut cells = vec![Cell::default()];
    while cells.len() < n {
        let next = cells[random.below(cells.len())].neighbors()[random.below(6)];
        if inside(&next) && !cells.contains(&next) {
            cells.push(next);
        }
    }
    Figure::new(cells).unwrap()
}

/// Returns a random `n`-cell subset of a box, connected or not.
pub fn subset(n: usize, size: [i32; 3], random: &mut Random) -> Figure {
    let mut pool = box_cells(size);
    for at in 0..n {
        let other = at + random.below(pool.len() - at);
        pool.swap(at, other);
    }
    pool.truncate(n);
    Figure::new(pool).unwrap()
}

/// Returns all placements as piece number and mask of cell numbers. Uses plain look-ups.
pub fn placements(figure: &Figure, set: &PieceSet) -> Vec<(usize, u128)> {
    let cells = figure.cells();
    let mut found = Vec::new();
    for (number, (piece, _)) in set.pieces().iter().enumerate() {
        for shape in piece.orientations() {
            for &corner in cells {
                let at = |&c: &Cell| cells.binary_search(&(c + corner - shape[0])).ok();
                let mask = shape.iter().map(at).try_fold(0_u128, |m, at| Some(m | 1 << at?));
                found.extend(mask.map(|mask| (number, mask)));
            }
        }
    }
    found
}

/// Counts naively: the lowest free cell first, no parity, no look-ahead.
pub fn naive(figure: &Figure, set: &PieceSet) -> u128 {
    fn fill(buckets: &[Vec<Vec<u128>>], free: u128, left: &mut [usize]) -> u128 {
        if free == 0 {
            return 1;
        }
        let (filled, mut total) = (!free, 0);
        for (piece, masks) in buckets[free.trailing_zeros() as usize].iter().enumerate() {
            if left[piece] == 0 {
                continue;
            }
            left[piece] -= 1;
            let (masks, mut at) = (&masks[..], 0);
            // A `for` loop takes twice as long in unoptimized code.
            while at < masks.len() {
                if masks[at] & filled == 0 {
                    total += fill(buckets, free ^ masks[at], left);
                }
                at += 1;
            }
            left[piece] += 1;
        }
        total
    }
    if set.total_cells() != figure.len() {
        return 0;
    }
    let mut buckets = vec![vec![Vec::new(); set.pieces().len()]; figure.len()];
    for (piece, mask) in placements(figure, set) {
        buckets[mask.trailing_zeros() as usize][piece].push(mask);
    }
    let mut left: Vec<usize> = set.pieces().iter().map(|(_, count)| *count).collect();
    fill(&buckets, u128::MAX >> (128 - figure.len()), &mut left)
}
