//! Building orders of packings.

use somacat_geometry::lattice::Cell;

/// Returns a building order as positions in `pieces`. Also returns whether every piece can be lowered from above in
/// that order. Then no cell of a later piece lies below a cell of an earlier one.
///
/// Among the pieces with nothing left to build below them, the deepest is next. If pieces interlock and none is free,
/// the deepest of all is next.
pub fn building_order(pieces: &[(char, Vec<Cell>)]) -> (Vec<usize>, bool) {
    let below = |low: &[Cell], high: &[Cell]| {
        low.iter().any(|l| high.iter().any(|h| (l.x, l.y) == (h.x, h.y) && l.z > h.z))
    };
    // z points down, so a large mean z is deep. Cross-multiplied, because pieces differ in size.
    let deeper = |&a: &usize, &b: &usize| {
        let sum = |at: usize| pieces[at].1.iter().map(|c| i64::from(c.z)).sum::<i64>();
        let size = |at: usize| pieces[at].1.len() as i64;
        (sum(a) * size(b)).cmp(&(sum(b) * size(a))).then(b.cmp(&a))
    };
    let mut left: Vec<usize> = (0..pieces.len()).collect();
    let (mut order, mut lowered) = (Vec::with_capacity(left.len()), true);
    while !left.is_empty() {
        let free = |&at: &usize| {
            left.iter().all(|&other| other == at || !below(&pieces[other].1, &pieces[at].1))
        };
        let next = left.iter().copied().filter(free).max_by(deeper);
        lowered &= next.is_some();
        let deepest = || left.iter().copied().max_by(deeper).expect("pieces are left");
        let next = next.unwrap_or_else(deepest);
        left.retain(|&at| at != next);
        order.push(next);
    }
    (order, lowered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(name: char, cells: &[[i32; 3]]) -> (char, Vec<Cell>) {
        (name, cells.iter().copied().map(Cell::from).collect())
    }

    #[test]
    fn lower_pieces_come_first() {
        // A roof over a floor, and a post next to them.
        let roof = piece('R', &[[0, 0, 0], [1, 0, 0]]);
        let floor = piece('F', &[[0, 0, 1], [1, 0, 1]]);
        let post = piece('P', &[[2, 0, 0], [2, 0, 1]]);
        assert_eq!(building_order(&[roof, post, floor]), (vec![2, 1, 0], true));
    }

    #[test]
    fn interlocking_pieces_cannot_be_lowered() {
        // Each has a cell below one of the other.
        let one = piece('A', &[[0, 0, 0], [1, 0, 1]]);
        let other = piece('B', &[[0, 0, 1], [1, 0, 0]]);
        let (order, lowered) = building_order(&[one, other]);
        assert_eq!((order.len(), lowered), (2, false));
    }
}
