//! Checkerboard parity inside the search: the possible signs of each type's placements.
//!
//! Color the lattice like a checkerboard. A placement of V covers one more cell of one color than of the other, one of
//! T or P two more, and one of L, Z, A or B as many of both. These differences add up to that of the figure. If the
//! other pieces cannot make up for one sign of a piece's difference, its placements with this sign are in no packing
//! and are omitted. In the cube, with 14 cells of the color of the corners and 13 others, ±1 ± 2 ± 2 must be 1. So T
//! and P cancel out, and V has two cells on the color of the corners: half of its placements are omitted.

/// Constraints that a figure's color difference imposes.
#[derive(Clone, Debug)]
pub(super) struct ColorConstraints {
    /// For each type: true if a placement with a surplus of [black, white] cells can occur. Both are true for a
    /// balanced type.
    pub(super) signs: Vec<[bool; 2]>,
}

/// The possible color differences of a multiset of pieces.
#[derive(Clone)]
struct ColorSums {
    /// The bound of the differences' absolute values.
    reach: i32,
    /// For each difference from −reach to reach, true if it is possible.
    hit: Vec<bool>,
}

impl ColorSums {
    fn zero(reach: i32) -> Self {
        let mut hit = vec![false; 2 * reach as usize + 1];
        hit[reach as usize] = true;
        ColorSums { reach, hit }
    }
    fn has(&self, sum: i32) -> bool {
        sum.abs() <= self.reach && self.hit[(sum + self.reach) as usize]
    }
    /// Adds a type with `count` copies, each of which differs by `step`. It contributes `step * (2j - count)` if j of
    /// them have a surplus of black cells.
    fn with(&self, step: i32, count: i32) -> Self {
        let mut out = ColorSums { reach: self.reach, hit: vec![false; self.hit.len()] };
        for j in 0..=count {
            let add = step * (2 * j - count);
            for sum in -self.reach..=self.reach {
                if self.has(sum - add) {
                    out.hit[(sum + self.reach) as usize] = true;
                }
            }
        }
        out
    }
}

/// Returns one entry for each color difference from `-volume` to `volume`. An entry is `None` where no packing can
/// exist. `types` lists the color difference and the number of copies of each type.
pub(super) fn table(types: &[(u32, u32)], volume: usize) -> Vec<Option<ColorConstraints>> {
    let reach = volume as i32;
    let types: Vec<(i32, i32)> =
        types.iter().map(|&(step, count)| (step as i32, count as i32)).collect();
    let others: Vec<ColorSums> = (0..types.len())
        .map(|skip| {
            let rest = types.iter().enumerate().filter(|&(i, _)| i != skip);
            rest.fold(ColorSums::zero(reach), |sums, (_, &(step, count))| sums.with(step, count))
        })
        .collect();
    (-reach..=reach)
        .map(|difference| {
            let mut signs = Vec::with_capacity(types.len());
            for (&(step, count), others) in types.iter().zip(&others) {
                let fits = |j: i32| others.has(difference - step * (2 * j - count));
                if !(0..=count).any(fits) {
                    return None;
                }
                signs.push(if step == 0 {
                    [true; 2]
                } else {
                    [(1..=count).any(fits), (0..count).any(fits)]
                });
            }
            Some(ColorConstraints { signs })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_soma_set() {
        let types = [(1, 1), (0, 1), (2, 1), (0, 1), (0, 1), (0, 1), (2, 1)];
        let table = table(&types, 27);
        let possible: Vec<i32> =
            (-27..=27).filter(|d| table[(d + 27) as usize].is_some()).collect();
        assert_eq!(possible, [-5, -3, -1, 1, 3, 5]);
        for d in possible {
            let Some(constraints) = &table[(d + 27) as usize] else { panic!() };
            let even = [1, -3, 5].contains(&d);
            assert_eq!(constraints.signs[0], [even, !even]);
            let tp = if d.abs() == 1 { [true, true] } else { [d > 0, d < 0] };
            assert_eq!(constraints.signs[2], tp);
            assert_eq!(constraints.signs[6], tp);
            assert_eq!(constraints.signs[1], [true, true]);
        }
    }
}
