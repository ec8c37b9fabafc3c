//! Convex hulls of points with integer coordinates.

/// Returns a positive number if the path a, b, c turns left.
pub fn turn([ax, ay]: [i128; 2], [bx, by]: [i128; 2], [cx, cy]: [i128; 2]) -> i128 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Returns the corners of the convex hull, turning left (A. M. Andrew's monotone chain, 1979).
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
