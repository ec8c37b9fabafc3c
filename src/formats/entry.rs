//! A figure as it stands in a file.

use super::words::join_words;
use super::{Fault, Warning};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use std::fmt;

/// Cells grouped by the mark they bear, in the order of the marks; cells ascending.
pub type Marks = Vec<(char, Vec<Cell>)>;

/// A figure read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name as the file has it: `SOMA001` of a header `/SOMA001`, or what stands before a
    /// colon. At most [`super::MAX_NAME_CHARS`] characters. Not unique: a file may repeat a name,
    /// and numbers restart in every file.
    pub name: Option<String>,
    /// 1 for the first figure under a name, 2, 3, … for those that follow it at once under the same
    /// name: further packings, as a rule.
    pub variant: usize,
    /// The comment that serves as a title, at most [`super::MAX_NAME_CHARS`] characters.
    pub title: Option<String>,
    /// Where the entry begins, counted from 1: its header, or its first row.
    pub line: usize,
    /// The cells as the figure lies: x is the character, y the line, z the group.
    pub figure: Figure,
    /// The cells by mark, in the figure's coordinates, if the marks claim to be pieces; whether
    /// they are is for [`super::assess`] to say. Never empty.
    pub claim: Option<Marks>,
    /// Pieces already in place, by mark, if all other cells bear one mark for a free cell: one of
    /// `* # o O x X + ? @`. Never empty, and each mark names a piece.
    pub placed: Option<Marks>,
    /// The whole entry stands in comments, as impossible figures sometimes do.
    pub commented_out: bool,
    /// Where the rows with cells stand.
    pub layout: Layout,
    /// A blank line that may have cut the figure in two.
    pub blank_line: Option<BlankLine>,
    /// What the reader changed.
    pub warnings: Vec<Warning>,
}

impl Entry {
    /// A figure without anything else.
    pub(super) fn new(line: usize, figure: Figure) -> Self {
        Self {
            name: None,
            variant: 1,
            title: None,
            line,
            figure,
            claim: None,
            placed: None,
            commented_out: false,
            layout: Layout::default(),
            blank_line: None,
            warnings: Vec::new(),
        }
    }

    /// Who made the figure, if its title says so: `A castle by Emily`.
    #[must_use]
    pub fn credit(&self) -> Option<&str> {
        super::words::credit(self.title.as_deref()?)
    }

    /// The same with a name and a title, which are cut to the length they may have.
    pub(super) fn with_names(mut self, name: Option<String>, title: Option<String>) -> Self {
        (self.name, self.title) = (name, title);
        self.warnings = super::words::shorten_both(self.line, &mut self.name, &mut self.title);
        self
    }

    /// `SOMA001`, `SOMA001 (2)`, or for a figure without a name its source and its number there: `crosses.txt 3`.
    #[must_use]
    pub fn label(&self, source: &str, number: u64) -> String {
        match (&self.name, self.variant) {
            (None, _) => super::unnamed_label(source, number),
            (Some(name), 0 | 1) => name.clone(),
            (Some(name), variant) => format!("{name} ({variant})"),
        }
    }
}

/// What a [`super::Reader`] yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A figure.
    Entry(Entry),
    /// A fault; the figure it concerns is skipped.
    Fault(Fault),
}

/// A blank line between rows that look like those of one figure: groups of the same widths, no
/// header in between, and not the same shape above and below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlankLine {
    /// Its line, counted from 1.
    pub line: usize,
    /// The cells of all rows that would be one figure without blank lines.
    pub cells: usize,
}

/// Where the rows of a figure stand in its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    arrangement: Arrangement,
    /// What was subtracted to bring the smallest coordinates to 0.
    corner: Cell,
    /// Layer (0 if all layers share a line), row and line of each row with cells, ascending.
    rows: Vec<(i32, i32, usize)>,
}

/// How layers are laid out in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Arrangement {
    /// A line is a row of all layers: groups side by side.
    #[default]
    Groups,
    /// A line is a row of one layer: slices below each other.
    Slices,
}

impl Layout {
    /// `rows` are layer, row and line, in the coordinates of the text; `corner` are the smallest
    /// coordinates of its cells.
    pub(super) fn new(
        arrangement: Arrangement,
        corner: Cell,
        mut rows: Vec<(i32, i32, usize)>,
    ) -> Self {
        rows.sort_unstable();
        Self { arrangement, corner, rows }
    }

    /// Where a cell of the figure stands. `None` if its format has no rows, or the row no cells.
    #[must_use]
    pub fn place(&self, cell: Cell) -> Option<Place> {
        let Cell { x, y, z } = cell + self.corner;
        let layer = if self.arrangement == Arrangement::Slices { z } else { 0 };
        let at = self.rows.binary_search_by_key(&(layer, y), |&(z, y, _)| (z, y)).ok()?;
        let number = |v: i32| usize::try_from(v).ok()?.checked_add(1);
        Some(Place {
            arrangement: self.arrangement,
            line: self.rows[at].2,
            row: number(y)?,
            layer: number(z)?,
            mark: number(x)?,
        })
    }

    /// The rows in which cells stand.
    #[must_use]
    pub fn span(&self, cells: &[Cell]) -> Option<Span> {
        let places = || cells.iter().filter_map(|&cell| self.place(cell));
        let first = places().min_by_key(|place| place.line)?;
        let last = places().max_by_key(|place| place.line)?;
        Some(Span { first, last })
    }

    /// A mark as the text has it: slices have letters of their own for pieces.
    pub(super) fn mark_in_text(&self, mark: char) -> char {
        match self.arrangement {
            Arrangement::Groups => mark,
            Arrangement::Slices => super::slice_marks::mark_in_text(mark),
        }
    }
}

/// A square of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
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

impl fmt::Display for Place {
    /// `line 15 (row 2, group 3, mark 1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&squares(&[*self]))
    }
}

/// Squares, those of one group of a row together: `line 15 (row 2, group 3, marks 1 and 2)`.
pub(super) fn squares(places: &[Place]) -> String {
    let mut groups: Vec<(Place, Vec<String>)> = Vec::new();
    for place in places {
        let same =
            |(other, _): &&mut (Place, _)| (other.line, other.layer) == (place.line, place.layer);
        match groups.iter_mut().find(same) {
            Some((_, marks)) => marks.push(place.mark.to_string()),
            None => groups.push((*place, vec![place.mark.to_string()])),
        }
    }
    let group = |(place, marks): &(Place, Vec<String>)| {
        let Place { arrangement, line, row, layer, .. } = place;
        let s = if marks.len() == 1 { "" } else { "s" };
        let marks = join_words(marks);
        match arrangement {
            Arrangement::Groups => {
                format!("line {line} (row {row}, group {layer}, mark{s} {marks})")
            }
            Arrangement::Slices => {
                format!("line {line} (slice {layer}, row {row}, mark{s} {marks})")
            }
        }
    };
    join_words(&groups.iter().map(group).collect::<Vec<_>>())
}

/// Consecutive rows of a text, named by a square of the first and of the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// In the first row.
    pub first: Place,
    /// In the last row.
    pub last: Place,
}

impl fmt::Display for Span {
    /// `row 2, line 15` or `rows 2–4, lines 15–17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        match first.arrangement {
            _ if first.line == last.line => write!(f, "row {}, line {}", first.row, first.line),
            Arrangement::Groups => {
                write!(f, "rows {}–{}, lines {}–{}", first.row, last.row, first.line, last.line)
            }
            Arrangement::Slices if first.layer == last.layer => write!(
                f,
                "rows {}–{} of slice {}, lines {}–{}",
                first.row, last.row, first.layer, first.line, last.line
            ),
            Arrangement::Slices => write!(
                f,
                "slices {}–{}, lines {}–{}",
                first.layer, last.layer, first.line, last.line
            ),
        }
    }
}
