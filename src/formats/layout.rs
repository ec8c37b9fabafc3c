//! Where the marks of a figure are in its text.

use super::plural::join_words;
use somacat_geometry::lattice::Cell;
use std::fmt;

/// Cells grouped by mark, in the order of the marks. The cells of each mark are ascending.
pub type Marks = Vec<(char, Vec<Cell>)>;

/// The lines of a figure's rows in its text.
///
/// ```
/// use somacat_formats::{Item, Reader};
/// use somacat_geometry::lattice::Cell;
///
/// // Two layers side by side. The only cell of the lower one is in the second group of the third line.
/// let text = "/SOMA1\n/11/..\n/1./2.\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// let position = entry.layout.position(Cell::new(0, 1, 1)).expect("a row of marks");
/// assert_eq!((position.line, position.row, position.layer, position.mark), (3, 2, 2, 1));
/// // The rows of all cells, as messages name them.
/// let rows = entry.layout.span(entry.figure.cells()).expect("rows of marks");
/// assert_eq!(rows.to_string(), "rows 1–2, lines 2–3");
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextLayout {
    arrangement: Arrangement,
    /// The cell subtracted to bring the smallest coordinates to 0.
    corner: Cell,
    /// Layer, row and line of each row with cells, ascending. The layer is 0 if all layers share a line.
    rows: Vec<(i32, i32, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Arrangement {
    /// A line is a row of all layers. The groups are side by side.
    #[default]
    Groups,
    /// A line is a row of one layer. The slices are below each other.
    Slices,
    /// As slices, with the marks of SOMA text.
    Layers,
}

impl TextLayout {
    /// Creates a layout from rows in the coordinates of the text. A row is a layer, a row number and a line.
    /// `corner` is the smallest coordinates of its cells.
    pub(super) fn new(
        arrangement: Arrangement,
        corner: Cell,
        mut rows: Vec<(i32, i32, usize)>,
    ) -> Self {
        rows.sort_unstable();
        Self { arrangement, corner, rows }
    }

    /// Returns the position of a cell. `None` if the format has no rows, or the row no cells.
    pub fn position(&self, cell: Cell) -> Option<TextPosition> {
        let Cell { x, y, z } = cell + self.corner;
        let layer = if self.arrangement == Arrangement::Groups { 0 } else { z };
        let at = self.rows.binary_search_by_key(&(layer, y), |&(z, y, _)| (z, y)).ok()?;
        let number = |v: i32| usize::try_from(v).ok()?.checked_add(1);
        Some(TextPosition {
            arrangement: self.arrangement,
            line: self.rows[at].2,
            row: number(y)?,
            layer: number(z)?,
            mark: number(x)?,
        })
    }

    /// Returns the rows that contain cells. `None` if the format has no rows.
    pub fn span(&self, cells: &[Cell]) -> Option<RowSpan> {
        let positions = || cells.iter().filter_map(|&cell| self.position(cell));
        let first = positions().min_by_key(|position| position.line)?;
        let last = positions().max_by_key(|position| position.line)?;
        Some(RowSpan { first, last })
    }

    /// Returns a mark as the text writes it: slices have their own letters for pieces.
    pub(super) fn mark_in_text(&self, mark: char) -> char {
        match self.arrangement {
            Arrangement::Groups | Arrangement::Layers => mark,
            Arrangement::Slices => super::slice_marks::mark_in_text(mark),
        }
    }
}

/// The position of a cell in its text. See [`TextLayout`] for an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPosition {
    arrangement: Arrangement,
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The row within the figure, or within the slice, counted from 1.
    pub row: usize,
    /// The group or slice, counted from 1.
    pub layer: usize,
    /// The mark within the group or row, counted from 1.
    pub mark: usize,
}

/// Describes squares, grouped by row and group: `line 15 (row 2, group 3, marks 1 and 2)`.
pub(super) fn squares(positions: &[TextPosition]) -> String {
    let mut groups: Vec<(TextPosition, Vec<String>)> = Vec::new();
    for position in positions {
        let same = |(other, _): &&mut (TextPosition, _)| {
            (other.line, other.layer) == (position.line, position.layer)
        };
        match groups.iter_mut().find(same) {
            Some((_, marks)) => marks.push(position.mark.to_string()),
            None => groups.push((*position, vec![position.mark.to_string()])),
        }
    }
    let group = |(position, marks): &(TextPosition, Vec<String>)| {
        let TextPosition { arrangement, line, row, layer, .. } = position;
        let s = if marks.len() == 1 { "" } else { "s" };
        let marks = join_words(marks);
        match arrangement {
            Arrangement::Groups => {
                format!("line {line} (row {row}, group {layer}, mark{s} {marks})")
            }
            Arrangement::Slices | Arrangement::Layers => {
                format!("line {line} (slice {layer}, row {row}, mark{s} {marks})")
            }
        }
    };
    join_words(&groups.iter().map(group).collect::<Vec<_>>())
}

/// Consecutive rows of a text, given by two squares. One is in the first row, the other in the last.
///
/// See [`TextLayout`] for an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowSpan {
    pub first: TextPosition,
    pub last: TextPosition,
}

impl fmt::Display for RowSpan {
    /// Writes `row 2, line 15` or `rows 2–4, lines 15–17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        match first.arrangement {
            _ if first.line == last.line => write!(f, "row {}, line {}", first.row, first.line),
            Arrangement::Groups => {
                write!(f, "rows {}–{}, lines {}–{}", first.row, last.row, first.line, last.line)
            }
            _ if first.layer == last.layer => write!(
                f,
                "rows {}–{} of slice {}, lines {}–{}",
                first.row, last.row, first.layer, first.line, last.line
            ),
            _ => write!(
                f,
                "slices {}–{}, lines {}–{}",
                first.layer, last.layer, first.line, last.line
            ),
        }
    }
}
