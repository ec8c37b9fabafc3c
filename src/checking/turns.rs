//! Rotated and reflected copies of cells. They are composed from quarter turns and one reflection.

use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A signed permutation of the axes, written as their images.
pub(super) type AxisMap = [[i32; 3]; 3];

pub(super) const IDENTITY: AxisMap = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/// Quarter turns about z and x, which generate all 24 rotations.
const QUARTER_TURNS: [AxisMap; 2] =
    [[[0, 1, 0], [-1, 0, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, 1], [0, -1, 0]]];

/// The reflection that exchanges left and right.
const MIRROR: AxisMap = [[-1, 0, 0], [0, 1, 0], [0, 0, 1]];

/// Returns the image of a cell: the sum of the images of the axes, times the coordinates.
pub(super) fn apply(map: &AxisMap, cell: Cell) -> Cell {
    let p = cell.to_array();
    let at = |axis: usize| (0..3).map(|from| p[from] * map[from][axis]).sum();
    Cell::new(at(0), at(1), at(2))
}

/// Composes `first`, then `second`.
pub(super) fn compose(first: &AxisMap, second: &AxisMap) -> AxisMap {
    first.map(|axis| apply(second, Cell::from(axis)).to_array())
}

pub(super) fn rotations() -> &'static [AxisMap] {
    static ROTATIONS: LazyLock<Vec<AxisMap>> = LazyLock::new(composed);
    &ROTATIONS
}

fn composed() -> Vec<AxisMap> {
    let mut all = BTreeSet::from([IDENTITY]);
    let mut fresh = vec![IDENTITY];
    while let Some(map) = fresh.pop() {
        for turn in &QUARTER_TURNS {
            let next = compose(&map, turn);
            if all.insert(next) {
                fresh.push(next);
            }
        }
    }
    all.into_iter().collect()
}

pub(super) fn reflections() -> &'static [AxisMap] {
    static REFLECTIONS: LazyLock<Vec<AxisMap>> =
        LazyLock::new(|| rotations().iter().map(|map| compose(map, &MIRROR)).collect());
    &REFLECTIONS
}

pub(super) fn image(map: &AxisMap, cells: &[Cell]) -> Vec<Cell> {
    normalized(cells.iter().map(|&c| apply(map, c)).collect())
}

/// Returns the maps that take a figure to itself up to translation. Each has the images of the cells by number.
pub(super) fn self_maps<'a>(
    maps: &'a [AxisMap],
    figure: &'a Figure,
) -> impl Iterator<Item = (&'a AxisMap, Vec<usize>)> {
    let cells = figure.cells();
    let far = Cell::from(figure.extents().map(|extent| extent as i32 - 1));
    maps.iter().filter_map(move |map| {
        // The box around a figure begins at the origin, and its image lies around the images of the cells.
        let corner = Cell::min_corner(&[Cell::default(), apply(map, far)]);
        let number = |&cell| cells.binary_search(&(apply(map, cell) - corner)).ok();
        Some((map, cells.iter().map(number).collect::<Option<_>>()?))
    })
}

/// Returns all rotated copies of cells, normalized, each once.
pub(super) fn orientations(cells: &[Cell]) -> BTreeSet<Vec<Cell>> {
    rotations().iter().map(|turn| image(turn, cells)).collect()
}

/// Moves cells so that their smallest coordinates are 0, and sorts them.
pub(super) fn normalized(mut cells: Vec<Cell>) -> Vec<Cell> {
    let corner = Cell::min_corner(&cells);
    cells.iter_mut().for_each(|cell| *cell = *cell - corner);
    cells.sort_unstable();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_generate_24_rotations_and_a_mirror_the_other_24_maps() {
        let all: BTreeSet<AxisMap> = rotations().iter().chain(reflections()).copied().collect();
        assert_eq!((rotations().len(), reflections().len(), all.len()), (24, 24, 48));
        for a in &all {
            let is_signed_permutation =
                |axis: &[i32; 3]| axis.iter().map(|v| v.abs()).sum::<i32>() == 1;
            assert!(a.iter().all(is_signed_permutation));
            for b in &all {
                assert!(all.contains(&compose(a, b)));
                let cell = Cell::new(1, 20, 300);
                assert_eq!(apply(&compose(a, b), cell), apply(b, apply(a, cell)));
                // Two reflections make a rotation.
                let proper = |map: &AxisMap| rotations().contains(map);
                assert_eq!(proper(&compose(a, b)), proper(a) == proper(b));
            }
        }
    }

    #[test]
    fn maps_to_itself_are_a_group_of_permutations() {
        for sides in [[1, 1, 1], [1, 1, 2], [2, 2, 3], [1, 2, 3], [2, 2, 2]] {
            let figure = Figure::of_box(sides).unwrap();
            let maps: BTreeSet<AxisMap> =
                self_maps(rotations(), &figure).map(|(map, _)| *map).collect();
            for a in &maps {
                assert!(maps.iter().all(|b| maps.contains(&compose(a, b))), "{sides:?}");
            }
            for (_, mut images) in self_maps(reflections(), &figure) {
                images.sort_unstable();
                assert!(images.into_iter().eq(0..figure.len()), "{sides:?}");
            }
        }
    }
}
