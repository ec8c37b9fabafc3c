//! The canonical form, as the least of all images, and its text.

use super::turns::{image, reflections, rotations};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;

/// The sort key of images: for x, y and z the extent and the numbers of cells in the nonempty layers; then the
/// numbers of the cells, descending.
type ImageKey = ([(u32, Vec<usize>); 3], Vec<u128>);

/// Returns the signature of a figure by comparing all its images.
///
/// It is up to rotations and reflections (`s1-…`), or up to rotations only (`r1-…`).
#[must_use]
pub fn plain_signature(figure: &Figure, with_reflections: bool) -> String {
    let mut maps = rotations().to_vec();
    if with_reflections {
        maps.extend(reflections());
    }
    let ranks = maps.iter().map(|map| rank(&image(map, figure.cells())));
    let (axes, mut numbers) = ranks.min().expect("there are 24 rotations");
    numbers.reverse();
    let extents = axes.map(|(extent, _)| extent);
    let letter = if with_reflections { 's' } else { 'r' };
    let volume: u128 = extents.iter().map(|&extent| u128::from(extent)).product();
    let dense = volume <= 8 * numbers.len() as u128;
    let digits = if dense { bitmap(&numbers, volume) } else { gaps(&numbers) };
    let [x, y, z] = extents;
    let mark = if dense { '-' } else { '.' };
    let digit = |value: u8| char::from(b"0123456789abcdefghjkmnpqrstvwxyz"[usize::from(value)]);
    format!("{letter}1-{x}x{y}x{z}{mark}{}", digits.into_iter().map(digit).collect::<String>())
}

fn rank(cells: &[Cell]) -> ImageKey {
    let axes = [0, 1, 2].map(|axis| {
        let mut values: Vec<i32> = cells.iter().map(|cell| cell.to_array()[axis]).collect();
        values.sort_unstable();
        let extent = values.last().map_or(0, |&last| last as u32 + 1);
        (extent, values.chunk_by(|a, b| a == b).map(<[i32]>::len).collect())
    });
    let [x, y] = [0, 1].map(|axis: usize| u128::from(axes[axis].0));
    let number = |cell: &Cell| {
        let [cx, cy, cz] = cell.to_array().map(|value| value as u128);
        cx + x * (cy + y * cz)
    };
    let mut numbers: Vec<u128> = cells.iter().map(number).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    (axes, numbers)
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
