//! Figures of 27 cells from a fixed seed, for tests and benchmarks.

use super::figures::{boxed, grow, subset};
use super::random::Random;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::is_connected;

/// Returns random connected `n`-cell subsets of a box, all equally likely.
///
/// If hardly any subset is connected, they are grown inside the box instead.
pub fn connected_subsets(n: usize, size: [i32; 3], count: usize, seed: u64) -> Vec<Figure> {
    let mut random = Random::new(seed);
    let mut draw = || {
        for _ in 0..2000 {
            let figure = subset(n, size, &mut random);
            if is_connected(figure.cells()) {
                return figure;
            }
        }
        grow(n, Some(size), &mut random)
    };
    (0..count).map(|_| draw()).collect()
}

/// Returns the benchmark sets of 27-cell figures by name.
pub fn bench_sets(count: usize) -> Vec<(&'static str, Vec<Figure>)> {
    let mut random = Random::new(14);
    vec![
        ("3x3x4", connected_subsets(27, [3, 3, 4], count, 11)),
        ("2x4x4", connected_subsets(27, [2, 4, 4], count, 12)),
        ("4x4x4", connected_subsets(27, [4, 4, 4], count, 13)),
        ("grown", (0..count).map(|_| grow(27, None, &mut random)).collect()),
        ("the cube", vec![boxed([3, 3, 3])]),
    ]
}
