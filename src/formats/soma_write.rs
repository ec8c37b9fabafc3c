//! The writer of SOMA text.

use super::soma_lines::is_no_cell;
use super::{MAX_SOMA_BOX_CELLS, Marks, WriteError};
use somacat_geometry::excerpt;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;

/// The mark of a figure's cells when no packing is known.
const CELL_MARK: char = '1';

/// Writes a figure as SOMA text: a header, the title as a comment, a line per row, and a blank line.
///
/// All cells have the mark `1`.
///
/// ```
/// use somacat_formats::soma_figure;
/// use somacat_geometry::figure::Figure;
///
/// let block = Figure::of_box([3, 1, 2]).expect("six cells");
/// assert_eq!(soma_figure(Some("SOMA1"), None, &block), Ok("/SOMA1\n/111/111\n\n".to_owned()));
/// ```
///
/// # Errors
/// If the box of the figure has more than [`MAX_SOMA_BOX_CELLS`] cells, or the name contains a control character such
/// as a line end.
pub fn soma_figure(
    name: Option<&str>,
    title: Option<&str>,
    figure: &Figure,
) -> Result<String, WriteError> {
    let marks = [(CELL_MARK, figure.cells().to_vec())];
    write(name, title, &marks)
}

/// Writes a packing as SOMA text, with the mark of each piece.
///
/// The position of the cells does not matter.
///
/// ```
/// use somacat_formats::soma_packing;
/// use somacat_geometry::lattice::Cell;
///
/// let v = [[0, 0, 0], [1, 0, 0], [0, 1, 0]].map(Cell::from).to_vec();
/// let d = [[1, 1, 0], [2, 1, 0]].map(Cell::from).to_vec();
/// let text = soma_packing(None, Some("five cells"), &vec![('V', v), ('D', d)]);
/// assert_eq!(text, Ok("/SOMA\n;five cells\n/VV.\n/VDD\n\n".to_owned()));
/// ```
///
/// # Errors
/// As for [`soma_figure`]. Also if there is no cell, or a cell has two marks. Also if a mark is a blank, a slash, a
/// bar, a sign for empty or between layers, or a `0` without the other digits of SOMA+plus.
pub fn soma_packing(
    name: Option<&str>,
    title: Option<&str>,
    packing: &Marks,
) -> Result<String, WriteError> {
    let plus = packing.iter().any(|(mark, _)| matches!(mark, '8' | '9' | '$'));
    for &(mark, _) in packing {
        if is_no_cell(mark) || mark == '0' && !plus {
            return Err(WriteError::Mark(mark));
        }
    }
    write(name, title, packing)
}

fn write(
    name: Option<&str>,
    title: Option<&str>,
    marks: &[(char, Vec<Cell>)],
) -> Result<String, WriteError> {
    let cells = || marks.iter().flat_map(|(_, cells)| cells.iter().copied());
    let figure = Figure::new(cells())?;
    let extents = figure.extents();
    let volume = extents.iter().map(|&e| u64::from(e)).fold(1, u64::saturating_mul);
    if volume > MAX_SOMA_BOX_CELLS {
        return Err(WriteError::TooLarge(volume));
    }
    let [width, height, layers] = extents.map(|e| e as usize);
    let corner = Cell::min_corner(&cells().collect::<Vec<_>>());
    let mut squares = vec!['.'; width * height * layers];
    for (mark, list) in marks {
        for &cell in list {
            let [x, y, z] = (cell - corner).to_array().map(|v| v as usize);
            squares[(y * layers + z) * width + x] = *mark;
        }
    }
    let mut text = header(name)?;
    text.push('\n');
    if let Some(title) = title.map(str::trim).filter(|title| !title.is_empty()) {
        text.push(';');
        text.extend(title.chars().map(|c| if c.is_control() { ' ' } else { c }));
        text.push('\n');
    }
    for row in squares.chunks(layers * width) {
        for group in row.chunks(width) {
            text.push('/');
            text.extend(group);
        }
        text.push('\n');
    }
    text.push('\n');
    Ok(text)
}

/// Returns `/SOMA001` or, for a name that needs it, `/SOMA The cube`.
fn header(name: Option<&str>) -> Result<String, WriteError> {
    let name = name.map_or("", str::trim);
    if name.contains(char::is_control) {
        return Err(WriteError::Name { name: excerpt(name), format: "soma" });
    }
    let rest = name.strip_prefix("SOMA").unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+');
    Ok(if name.is_empty() {
        "/SOMA".to_owned()
    } else if !rest.is_empty() && rest.chars().all(plain) {
        format!("/{name}")
    } else {
        format!("/SOMA {name}")
    })
}
