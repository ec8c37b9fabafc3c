//! The order of a sweep: the one with the narrowest estimated frontier.
//!
//! The number of states grows exponentially with the width of the frontier, the sites ahead that can be covered
//! already. An order sweeps a plane over the figure: along an axis, a diagonal, or in between, and from either end. All
//! these orders are estimated, and the best is taken.

use super::cover::OrbitCover;
use somacat_geometry::lattice::Cell;
use std::collections::BTreeSet;

/// Directions of the sweep, before the axes are permuted and negated: along an axis, a face diagonal, a
/// body diagonal, and in between. Ties are swept along the first axis, then the second.
const SLOPES: [[i32; 3]; 6] = [[1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [2, 2, 1], [2, 1, 0]];

const AXIS_ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Returns the first order of the sites with the least estimate.
pub(super) fn best(cover: &OrbitCover) -> (f64, Vec<usize>) {
    let mut tried = BTreeSet::new();
    let mut best: Option<(f64, Vec<usize>)> = None;
    for axes in AXIS_ORDERS {
        for signs in 0..8 {
            for slope in SLOPES {
                let order = sweep(&cover.sites, axes, signs, slope);
                if !tried.insert(order.clone()) {
                    continue;
                }
                let estimate = estimate(cover, &order);
                if best.as_ref().is_none_or(|(least, _)| estimate < *least) {
                    best = Some((estimate, order));
                }
            }
        }
    }
    best.expect("the first order is the best so far")
}

/// Returns the sites in the order in which a plane with a slope meets the first of their cells. `axes` is the order of
/// the axes, and `signs` has a bit for each axis that is swept backwards.
fn sweep(sites: &[Vec<Cell>], axes: [usize; 3], signs: usize, slope: [i32; 3]) -> Vec<usize> {
    let key = |cell: &Cell| {
        let at = cell.to_array();
        let [x, y, z] = axes.map(|axis| if signs >> axis & 1 == 1 { -at[axis] } else { at[axis] });
        (x * slope[0] + y * slope[1] + z * slope[2], x, y, z)
    };
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_cached_key(|&site| sites[site].iter().map(key).min());
    order
}

/// Returns the sum of 2^(w/2) over the sweep. Here w is the number of sites ahead that can be covered already. In
/// practice about half of the bits of a frontier are free. A sweep has 1 to 16 times as many states.
fn estimate(cover: &OrbitCover, order: &[usize]) -> f64 {
    let mut turn = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &site)| turn[site] = at);
    // The first turn at which each site can be covered.
    let mut reached: Vec<usize> = (0..order.len()).collect();
    for tile in &cover.tiles {
        let first = tile.sites.iter().map(|&site| turn[site]).min().expect("a tile covers a site");
        for &site in &tile.sites {
            let reached = &mut reached[turn[site]];
            *reached = first.min(*reached);
        }
    }
    let mut opened = vec![0_i32; order.len() + 1];
    for (at, &from) in reached.iter().enumerate() {
        if from < at {
            opened[from + 1] += 1;
            opened[at] -= 1;
        }
    }
    let mut width = 0;
    opened.iter().fold(0.0, |sum, change| {
        width += change;
        sum + (f64::from(width) / 2.0).exp2()
    })
}
