//! Files of figures: SOMA text, `cells`, and height maps.
//!
//! A [`Reader`] walks through a file entry by entry, in memory that does not grow with the file.
//! What it cannot read it reports as a [`Problem`] with its line and goes on; only an I/O error or
//! a file that is no text ends it. [`check_solution`] tells whether the marks of a SOMA text are a
//! packing. Each format is described, with examples, in `docs/formats.md`.

mod cells;
mod detect;
mod height_map;
mod html;
mod lines;
mod reader;
mod soma_block;
mod soma_lines;
mod soma_solution;
mod soma_text;
mod soma_write;

use crate::figure::{Figure, FigureError};
use crate::lattice::Cell;
use std::fmt;
use std::str::FromStr;

pub use cells::cells_line;
pub use detect::detect;
pub use lines::MAX_LINE_BYTES;
pub use reader::{Options, ReadError, Reader, Zero};
pub use soma_solution::{
    PieceFault, SolutionFault, Solved, check_solution, guess_set, packing_marks, piece_letter,
};
pub use soma_write::{MAX_BOX_CELLS, WriteError, soma_figure, soma_solution};

/// How a file writes its figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// SOMA text: rows of marks, layers between slashes; also inside saved HTML pages.
    Soma,
    /// One figure a line: `x,y,z x,y,z …`.
    Cells,
    /// Digits that say how many cubes stand on each square.
    HeightMap,
}

impl Format {
    /// The name used on the command line: `soma`, `cells` or `heightmap`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Soma => "soma",
            Self::Cells => "cells",
            Self::HeightMap => "heightmap",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no format of figures; the formats are soma, cells and heightmap")]
pub struct ParseFormatError(pub String);

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "soma" => Ok(Self::Soma),
            "cells" => Ok(Self::Cells),
            "heightmap" | "height-map" => Ok(Self::HeightMap),
            _ => Err(ParseFormatError(text.to_owned())),
        }
    }
}

/// Cells grouped by the mark they bear, in the order of the marks; cells ascending.
pub type Marks = Vec<(char, Vec<Cell>)>;

/// A figure read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name as the file has it: `SOMA001` of a header `/SOMA001`, or what stands before a
    /// colon. Not unique: a file may repeat a name, and numbers restart in every file.
    pub name: Option<String>,
    /// 1 for the first figure under a name, 2, 3, … for those that follow it at once under the same
    /// name: further solutions, as a rule.
    pub variant: usize,
    /// The comment that serves as a title.
    pub title: Option<String>,
    /// Where the entry begins, counted from 1: its header, or its first row.
    pub line: usize,
    /// The cells as the figure lies: x is the character, y the line, z the group.
    pub figure: Figure,
    /// The cells by mark, in the figure's coordinates, if the marks claim to be pieces; whether
    /// they are is for [`check_solution`] to say. Never empty.
    pub solution: Option<Marks>,
    /// Pieces already in place, by mark, if all other cells bear one mark for a free cell: one of
    /// `* # o O x X + ? @`. Never empty, and each mark names a piece.
    pub placed: Option<Marks>,
    /// The whole entry stands in comments, as impossible figures sometimes do.
    pub commented_out: bool,
}

impl Entry {
    /// `SOMA001`, `SOMA001 (2)`, or `line 12` for a figure without a name.
    #[must_use]
    pub fn label(&self) -> String {
        match (&self.name, self.variant) {
            (None, _) => format!("line {}", self.line),
            (Some(name), 0 | 1) => name.clone(),
            (Some(name), variant) => format!("{name} ({variant})"),
        }
    }
}

/// What kind of fault a [`Problem`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A group of a row is not as wide as the same group of the first row, or the rows of a height
    /// map differ in length.
    Ragged,
    /// A row has more or fewer groups than the first.
    GroupCount,
    /// There is no cell.
    Empty,
    /// More than [`crate::figure::MAX_CELLS`] cells.
    TooManyCells,
    /// A cell given twice.
    RepeatedCell,
    /// A coordinate, or the distance between cells, beyond [`crate::figure::MAX_COORDINATE`].
    OutOfRange,
    /// What should be a number or a height is none.
    NotANumber,
    /// Looks like part of a figure, but it is not clear what is meant.
    Unreadable,
    /// A header is followed by no row.
    HeaderWithoutFigure,
    /// A line of more than [`MAX_LINE_BYTES`]; it was skipped.
    LineTooLong,
}

impl ProblemKind {
    /// A word for columns and filters, such as `ragged`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ragged => "ragged",
            Self::GroupCount => "group-count",
            Self::Empty => "empty",
            Self::TooManyCells => "too-many-cells",
            Self::RepeatedCell => "repeated-cell",
            Self::OutOfRange => "out-of-range",
            Self::NotANumber => "not-a-number",
            Self::Unreadable => "unreadable",
            Self::HeaderWithoutFigure => "header-without-figure",
            Self::LineTooLong => "line-too-long",
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something that should have been a figure and was not imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line at fault, counted from 1.
    pub line: usize,
    /// The name of the figure it belongs to, if there is one.
    pub name: Option<String>,
    /// What kind of fault it is.
    pub kind: ProblemKind,
    /// What is wrong, for a person, without line and name.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(name) = &self.name {
            write!(f, "{}: ", excerpt(name))?;
        }
        f.write_str(&self.message)
    }
}

/// What a [`Reader`] finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A figure.
    Entry(Entry),
    /// A fault; the figure it concerns is skipped.
    Problem(Problem),
}

/// A fault before it is known whose it is.
#[derive(Clone, Debug)]
struct Fault {
    line: usize,
    kind: ProblemKind,
    message: String,
}

impl Fault {
    fn new(line: usize, kind: ProblemKind, message: impl Into<String>) -> Self {
        Self { line, kind, message: message.into() }
    }

    fn of_figure(line: usize, error: &FigureError) -> Self {
        let kind = match error {
            FigureError::Empty => ProblemKind::Empty,
            FigureError::TooManyCells => ProblemKind::TooManyCells,
            FigureError::RepeatedCell(_) => ProblemKind::RepeatedCell,
            _ => ProblemKind::OutOfRange,
        };
        Self::new(line, kind, error.to_string())
    }

    fn too_long(line: usize) -> Self {
        let message = format!("a line of more than {MAX_LINE_BYTES} bytes was skipped");
        Self::new(line, ProblemKind::LineTooLong, message)
    }

    fn of(self, name: Option<String>) -> Item {
        let Self { line, kind, message } = self;
        Item::Problem(Problem { line, name, kind, message })
    }
}

/// A word of the file as it may be shown in a message: not longer than a line.
fn excerpt(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String =
        text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
