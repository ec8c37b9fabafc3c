//! Outlines of areas of one color. Touching areas are merged, which keeps pictures small.

use super::surface::{Point, triangle};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the outlines of grid triangles as closed loops of corners. Areas and the holes in them have opposite
/// directions.
pub(super) fn outlines(triangles: &BTreeSet<Point>) -> Vec<Vec<Point>> {
    // An edge between two triangles of the set occurs in both directions. The others are the outline.
    let mut edges: BTreeSet<(Point, Point)> = BTreeSet::new();
    for &part in triangles {
        let [p, mut q, mut r] = triangle(part);
        let turn = (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
        if turn < 0 {
            std::mem::swap(&mut q, &mut r);
        }
        for (from, to) in [(p, q), (q, r), (r, p)] {
            if !edges.remove(&(to, from)) {
                edges.insert((from, to));
            }
        }
    }
    let mut next: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = next.first_key_value() {
        let (mut points, mut at) = (Vec::new(), start);
        // As many edges enter a point as leave it, so every path ends where it began.
        while let Some(ends) = next.get_mut(&at) {
            let to = ends.pop().expect("a point without edges is removed");
            if ends.is_empty() {
                next.remove(&at);
            }
            points.push(at);
            at = to;
            if at == start {
                break;
            }
        }
        loops.push(corners(&points));
    }
    loops
}

/// Returns the points at which a loop turns. Edges are steps of the grid, so equal steps continue straight.
fn corners(points: &[Point]) -> Vec<Point> {
    let number = points.len();
    let step = |at: usize| {
        let (from, to) = (points[at % number], points[(at + 1) % number]);
        (to.0 - from.0, to.1 - from.1)
    };
    let turns = |at: &usize| step(at + number - 1) != step(*at);
    (0..number).filter(turns).map(|at| points[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns twice the area inside the loops. Holes count negative.
    fn area(loops: &[Vec<Point>]) -> i64 {
        let around = |points: &Vec<Point>| -> i64 {
            let following = points.iter().cycle().skip(1);
            points.iter().zip(following).map(|(p, q)| p.0 * q.1 - p.1 * q.0).sum()
        };
        loops.iter().map(around).sum()
    }

    #[test]
    fn triangles_that_touch_become_one_area() {
        let rhombi: BTreeSet<Point> = (0..4).map(|n| (n, n % 2)).collect();
        assert_eq!(outlines(&rhombi).len(), 1);
        assert_eq!(outlines(&BTreeSet::from([(0, 0), (10, 0)])).len(), 2);
        assert_eq!(outlines(&BTreeSet::new()), Vec::<Vec<Point>>::new());
    }

    proptest! {
        #[test]
        fn no_area_is_lost(triangles in proptest::collection::btree_set((0..6_i64, 0..6_i64), 0..30)) {
            let loops = outlines(&triangles);
            // A triangle is one step wide and two high.
            prop_assert_eq!(area(&loops), 2 * triangles.len() as i64);
            for points in &loops {
                prop_assert!(points.len() >= 3);
            }
        }
    }
}
