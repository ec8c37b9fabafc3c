//! Convex hulls of points with integer coordinates.

/// Returns a positive number if the path a, b, c turns left.
///
/// ```
/// use somacat_geometry::figure::turn;
///
/// assert!(turn([0, 0], [1, 0], [1, 1]) > 0);
/// assert_eq!(turn([0, 0], [1, 1], [2, 2]), 0);
/// ```
pub fn turn([ax, ay]: [i128; 2], [bx, by]: [i128; 2], [cx, cy]: [i128; 2]) -> i128 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Returns the corners of the convex hull, turning left (A. M. Andrew's monotone chain, 1979).
///
/// ```
/// use somacat_geometry::figure::convex_hull;
///
/// let points = vec![[0, 0], [1, 0], [2, 0], [0, 2], [2, 2], [1, 1]];
/// assert_eq!(convex_hull(points), [[0, 0], [2, 0], [2, 2], [0, 2]]);
/// ```
pub fn convex_hull(mut points: Vec<[i128; 2]>) -> Vec<[i128; 2]> {
    points.sort_unstable();
    points.dedup();
    let half = |points: &mut dyn Iterator<Item = [i128; 2]>| {
        let mut chain: Vec<[i128; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0
            {
                chain.pop();
            }
            chain.push(point);
        }
        // The last point begins the other half.
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries all sets of points of a 4×3 grid.
    #[test]
    fn a_hull_is_convex_and_contains_its_points() {
        for mask in 1_u32..1 << 12 {
            let chosen = (0..12).filter(|n| mask >> n & 1 == 1);
            let points: Vec<[i128; 2]> = chosen.map(|n| [n / 3, n % 3]).collect();
            let hull = convex_hull(points.clone());
            assert!(hull.iter().all(|corner| points.contains(corner)));
            let next = |at: usize| hull[at % hull.len()];
            for at in 0..hull.len() {
                assert!(hull.len() < 3 || turn(next(at), next(at + 1), next(at + 2)) > 0);
                assert!(points.iter().all(|&point| turn(next(at), next(at + 1), point) >= 0));
            }
            let on_a_line =
                points.iter().all(|&p| turn(points[0], points[points.len() - 1], p) == 0);
            let corners = if points.len() == 1 {
                hull.len()
            } else if on_a_line {
                2
            } else {
                3
            };
            assert!(hull.len() >= corners && (!on_a_line || hull.len() == corners), "{points:?}");
        }
    }
}
