//! The canonical form, as the least of all images, and its text.

use super::turns::{AxisMap, image, reflections, rotations};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;

/// The extent on an axis, and the cell counts of nonempty layers.
type Layers = (u32, Vec<usize>);

/// Returns the signature of a figure by comparing all its images.
///
/// It is up to rotations and reflections (`s1-…`), or up to rotations only (`r1-…`).
///
/// ```
/// use somacat_checking::plain_signature;
/// use somacat_geometry::figure::Figure;
///
/// let brick = Figure::of_box([3, 2, 1])?;
/// assert_eq!(plain_signature(&brick, true), "s1-1x2x3-z1");
/// assert_eq!(plain_signature(&brick, false), "r1-1x2x3-z1");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn plain_signature(figure: &Figure, with_reflections: bool) -> String {
    let mut maps = rotations().to_vec();
    if with_reflections {
        maps.extend(reflections());
    }
    // Images are compared by the layers along x, y and z; then by the numbers of the cells, descending.
    let layers = [0, 1, 2].map(|axis| layers(figure, axis));
    let along = |map: &AxisMap| [0, 1, 2].map(|axis| turned_layers(&layers, map, axis));
    let least = maps.iter().map(along).min().expect("there are 24 rotations");
    let extents = least.map(|(extent, _)| *extent);
    let numbers = maps.iter().filter(|map| along(map) == least);
    let numbers = numbers.map(|map| cell_numbers(&image(map, figure.cells()), extents)).min();
    let mut numbers = numbers.expect("an image has the least layers");
    numbers.reverse();
    let letter = if with_reflections { 's' } else { 'r' };
    let volume: u128 = extents.iter().map(|&extent| u128::from(extent)).product();
    let dense = volume <= 8 * numbers.len() as u128;
    let digits = if dense { bitmap(&numbers, volume) } else { gaps(&numbers) };
    let [x, y, z] = extents;
    let mark = if dense { '-' } else { '.' };
    let digit = |value: u8| char::from(b"0123456789abcdefghjkmnpqrstvwxyz"[usize::from(value)]);
    format!("{letter}1-{x}x{y}x{z}{mark}{}", digits.into_iter().map(digit).collect::<String>())
}

/// Returns the layers along an axis in both directions.
fn layers(figure: &Figure, axis: usize) -> [Layers; 2] {
    let mut values: Vec<i32> = figure.cells().iter().map(|cell| cell.to_array()[axis]).collect();
    values.sort_unstable();
    let counts: Vec<usize> = values.chunk_by(|a, b| a == b).map(<[i32]>::len).collect();
    let extent = figure.extents()[axis];
    [(extent, counts.clone()), (extent, counts.into_iter().rev().collect())]
}

fn turned_layers<'a>(layers: &'a [[Layers; 2]; 3], map: &AxisMap, axis: usize) -> &'a Layers {
    let from = (0..3).find(|&from| map[from][axis] != 0).expect("a map of the axes is one-to-one");
    &layers[from][usize::from(map[from][axis] < 0)]
}

fn cell_numbers(cells: &[Cell], extents: [u32; 3]) -> Vec<u128> {
    let [x, y, _] = extents.map(u128::from);
    let number = |cell: &Cell| {
        let [cx, cy, cz] = cell.to_array().map(|value| value as u128);
        cx + x * (cy + y * cz)
    };
    let mut numbers: Vec<u128> = cells.iter().map(number).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    numbers
}

/// Encodes five cells to a digit.
fn bitmap(numbers: &[u128], volume: u128) -> Vec<u8> {
    let digit = |at: u128| {
        let bits = (0..5).filter(|bit| numbers.contains(&(5 * at + bit)));
        bits.map(|bit| 1_u8 << bit).sum()
    };
    (0..volume.div_ceil(5)).map(digit).collect()
}

/// Encodes four bits of a gap to a digit, the lowest first. All digits but the last have 16 added.
fn gaps(numbers: &[u128]) -> Vec<u8> {
    let (mut digits, mut next) = (Vec::new(), 0);
    for &number in numbers {
        let mut gap = number - next;
        next = number + 1;
        while gap >= 16 {
            digits.push((gap % 16) as u8 + 16);
            gap /= 16;
        }
        digits.push(gap as u8);
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::figure::Equivalence;

    /// Compares with the quick method of the geometry, for all sets of cells of a box, near and far apart.
    #[test]
    fn signatures_are_those_of_the_geometry() {
        for mask in 1_u32..1 << 12 {
            let own = (0..12).filter(|n| mask >> n & 1 == 1).map(|n| [n % 2, n / 2 % 2, n / 4]);
            for stretch in [[1, 1, 1], [7, 1, 50]] {
                let cells =
                    own.clone().map(|c| Cell::from([0, 1, 2].map(|axis| c[axis] * stretch[axis])));
                let figure = Figure::new(cells).unwrap();
                let with_reflections = figure.canonical().signature;
                assert_eq!(plain_signature(&figure, true), with_reflections.as_str());
                let rotations = figure.canonical_up_to(Equivalence::Rotations).signature;
                assert_eq!(plain_signature(&figure, false), rotations.as_str());
            }
        }
    }
}
