//! Pieces drawn as pictures in set files.
//!
//! `x` is a cell and `.` an empty square. Words side by side are layers, from top to bottom; lines below each other are
//! the rows of these layers, from back to front. Further layers may follow after a blank line. This is the arrangement
//! of SOMA text, and slashes may stand between the layers as they do there:
//!
//! ```text
//! L: xxx x..
//! A: xx .x
//!    x. ..
//! ```
//!
//! A picture of a single line is the same piece, whether its words are taken for layers or for rows.

use crate::excerpt;
use crate::lattice::Cell;

/// Returns true for the marks of a cell.
const fn is_cell(mark: char) -> bool {
    matches!(mark, 'x' | 'X' | 'o' | 'O' | '*' | '@' | '1')
}

/// Returns true for the marks of an empty square.
const fn is_empty(mark: char) -> bool {
    matches!(mark, '.' | '-' | '_' | '0')
}

/// Returns the words of a row: its layers.
fn words(row: &str) -> impl Iterator<Item = &str> {
    row.split(|c: char| c.is_whitespace() || c == '/').filter(|word| !word.is_empty())
}

/// Returns true if a text is a row of a picture, or is likely meant to be one.
pub(super) fn looks_drawn(text: &str) -> bool {
    !text.contains(',') && text.contains(|c| matches!(c, '.' | '_') || is_cell(c) && c != '1')
}

/// Returns true if a text is a row of a picture.
pub(super) fn is_row(text: &str) -> bool {
    looks_drawn(text) && words(text).flat_map(str::chars).all(|c| is_cell(c) || is_empty(c))
}

/// The reason why a picture of a piece cannot be read.
///
/// ```
/// use somacat_geometry::pieces::parse_piece_lines;
///
/// let error = parse_piece_lines("mine", "L:\nxxx\nx").unwrap_err();
/// let message = "line 3: `x` has another width than the first row, 3; fill rows up with . for empty squares";
/// assert_eq!(error.to_string(), message);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum PictureError {
    #[error("`{0}` is not a mark of a picture; draw x for a cell and . for an empty square")]
    Mark(char),
    #[error(
        "the squares of a row have blanks between them; write them together: `xxx ..x` is a row of two layers"
    )]
    Spaced,
    #[error(
        "`{word}` has another width than the first row, {expected}; fill rows up with . for empty squares"
    )]
    Width { word: String, expected: usize },
    #[error(
        "{} side by side, {expected} in the first row; draw each layer in every row, with . for \
         empty squares", counted(*.layers, "layer")
    )]
    Layers { layers: usize, expected: usize },
    #[error(
        "the layer above has {}, the first one {expected}; draw all layers equally deep, with . for empty squares",
        counted(*.rows, "row")
    )]
    Rows { rows: usize, expected: usize },
    #[error("the picture is too large")]
    TooLarge,
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The picture of a piece, read line by line.
#[derive(Default)]
pub(super) struct Picture {
    pub(super) cells: Vec<Cell>,
    /// The width of the first word.
    width: Option<usize>,
    /// The number of words of a line, once known.
    layers: Option<usize>,
    /// The number of layers before the current block of lines.
    above: usize,
    /// The number of lines of the current block so far.
    rows: usize,
    /// The number of lines of the first block, once it is complete.
    expected_rows: Option<usize>,
}

impl Picture {
    pub(super) fn add_row(&mut self, text: &str) -> Result<(), PictureError> {
        let layers: Vec<&str> = words(text).collect();
        if let [_, _, ..] = layers[..]
            && layers.iter().all(|word| word.chars().count() == 1)
            && text.split(['/', '|']).any(|layer| layer.split_whitespace().nth(1).is_some())
        {
            return Err(PictureError::Spaced);
        }
        let expected = *self.layers.get_or_insert(layers.len());
        if layers.len() != expected {
            return Err(PictureError::Layers { layers: layers.len(), expected });
        }
        for (layer, word) in layers.into_iter().enumerate() {
            let width = word.chars().count();
            let expected = *self.width.get_or_insert(width);
            if width != expected {
                return Err(PictureError::Width { word: excerpt(word), expected });
            }
            for (x, mark) in word.chars().enumerate() {
                if is_cell(mark) {
                    let at = [x, self.rows, self.above + layer].map(i32::try_from);
                    let [Ok(x), Ok(y), Ok(z)] = at else { return Err(PictureError::TooLarge) };
                    self.cells.push(Cell::new(x, y, z));
                } else if !is_empty(mark) {
                    return Err(PictureError::Mark(mark));
                }
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Ends a block of lines. The next one has the layers below.
    pub(super) fn end_block(&mut self) -> Result<(), PictureError> {
        if self.rows == 0 {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.rows);
        self.above += self.layers.unwrap_or(0);
        let expected = *self.expected_rows.get_or_insert(rows);
        if rows == expected {
            return Ok(());
        }
        Err(PictureError::Rows { rows, expected })
    }
}
