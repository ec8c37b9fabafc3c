//! What keeps an entry of a file from being a figure.

use super::words::{excerpt, quantity, shorten};
use super::{Item, MAX_LINE_BYTES};
use somacat_geometry::figure::FigureError;
use somacat_geometry::lattice::MAX_COORDINATE;
use std::fmt;

/// Something that should have been a figure and cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line at fault, counted from 1.
    pub line: usize,
    /// The name of the figure it belongs to, if there is one.
    pub name: Option<String>,
    /// What is wrong. It is shown without line and name.
    pub reason: FaultReason,
}

/// What is wrong with an entry. Words of the file are shortened to a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultReason {
    /// A group of a row is not as wide as the same group of the first row.
    #[error("group {group} is {} wide, but {expected} in the first row; write `.` where no cube is", quantity(*width, "mark"))]
    GroupWidth {
        /// Its number in the row, counted from 1.
        group: usize,
        /// Its marks.
        width: usize,
        /// The marks of the group in the first row.
        expected: usize,
    },
    /// A row is not as long as the first.
    #[error("row {row} has {}, but the first row has {expected}; fill it up with empty squares", quantity(*width, "square"))]
    RowWidth {
        /// Its number in the figure, or in its slice, counted from 1.
        row: usize,
        /// Its squares.
        width: usize,
        /// The squares of the first row.
        expected: usize,
    },
    /// A word stands in front of the rows of a height map.
    #[error("`{0}` stands in front of the rows; a name ends with a colon: `{0}: …`")]
    NoColon(String),
    /// A row has more or fewer groups than the first.
    #[error("the row has {}, but the first row has {expected}; each layer is a group of every row", quantity(*groups, "group"))]
    GroupCount {
        /// Its groups.
        groups: usize,
        /// The groups of the first row.
        expected: usize,
    },
    /// A slice has more or fewer rows than the first.
    #[error("slice {slice} has {}, but the first slice has {expected}", quantity(*rows, "row"))]
    SliceRows {
        /// Its number, counted from 1.
        slice: usize,
        /// Its rows.
        rows: usize,
        /// The rows of the first slice.
        expected: usize,
    },
    /// The cells do not form a figure.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// More rows or groups than there are coordinates.
    #[error("the figure is too large")]
    TooLarge,
    /// A coordinate with too many digits to be a number at all, or out of range.
    #[error("coordinate {0} lies beyond ±{MAX_COORDINATE}")]
    Coordinate(String),
    /// A part of a cell is not a number.
    #[error("`{part}` in `{cell}` is not a whole number; a cell is written x,y,z")]
    NotANumber {
        /// The part between commas.
        part: String,
        /// The word it stands in.
        cell: String,
    },
    /// A word that is not three numbers.
    #[error("`{0}` is not a cell; a cell is written x,y,z")]
    NotACell(String),
    /// A mark in a height map that is not a height.
    #[error("`{0}` is not a height; heights are 0…9 and a…z")]
    NotAHeight(String),
    /// A blank inside a row.
    #[error("a row holds a blank: `{0}`; write an empty square as a dot")]
    BlankInRow(String),
    /// Two rows on one line.
    #[error(
        "two rows stand side by side, `{left}` and `{right}`; write one figure below the other"
    )]
    SideBySide {
        /// The first.
        left: String,
        /// What follows it.
        right: String,
    },
    /// A name or other text on the line of a row.
    #[error("{}", text_in_front(*side_by_side))]
    TextInFront {
        /// Two rows stand behind it.
        side_by_side: bool,
    },
    /// A line between rows that is neither a row nor a comment.
    #[error(
        "`{0}` stands between the rows of a figure; delete it, or begin it with `;` to make it a \
         comment"
    )]
    BetweenRows(String),
    /// A line directly above a row that looks like one and is not.
    #[error(
        "`{0}` above the rows looks like a row but is not one; correct it, or begin it with `;` to \
         make it a comment"
    )]
    AboveRows(String),
    /// Rows of two ways of writing.
    #[error("rows with slashes follow rows with blanks between the cells")]
    MixedRows,
    /// A row by itself that might also be a fraction or a date.
    #[error("a single row without a slash in front; with one it is a figure")]
    SingleRow,
    /// A header is followed by no row.
    #[error("a header without a figure: no row follows it")]
    HeaderWithoutFigure,
    /// A tab in a slice.
    #[error("a tab stands in the row, and how wide it is meant is unknown; write blanks or dots")]
    Tab,
    /// A comment directly between two rows of a slice.
    #[error(
        "a line with nothing but a comment stands between two rows; write the comment at the end \
         of a row, or leave a blank line if a slice ends here"
    )]
    CommentBetweenRows,
    /// The size of a shape of a puzzle is not a number.
    #[error("the size {axis}=\"{value}\" is not a number above 0")]
    ShapeSize {
        /// `x`, `y` or `z`.
        axis: char,
        /// What stands there.
        value: String,
    },
    /// A sign in a shape of a puzzle that BurrTools does not know.
    #[error("`{0}` is not a voxel; voxels are _ # and +")]
    NotAVoxel(String),
    /// A shape with more or fewer voxels than its size says.
    #[error("{} in a box of {}x{}x{}, which has {volume}", quantity(*voxels as usize, "voxel"), size[0], size[1], size[2])]
    VoxelCount {
        /// How many there are.
        voxels: u64,
        /// The size of the box along x, y and z.
        size: [u32; 3],
        /// How many there should be.
        volume: u64,
    },
    /// Cells that may be filled or not.
    #[error("{} may be filled or not (+): it is open which figure is meant", quantity(*.0, "cell"))]
    VariableVoxels(usize),
    /// A problem of a puzzle without a shape to build.
    #[error("the problem does not name a shape to build")]
    ProblemWithoutShape,
    /// A line of more than [`MAX_LINE_BYTES`]; it was skipped.
    #[error("a line of more than {MAX_LINE_BYTES} bytes was skipped")]
    LineTooLong,
}

fn text_in_front(side_by_side: bool) -> &'static str {
    if side_by_side {
        "text stands in front of two rows side by side; write the name as `/SOMAname` above, and \
         one figure below the other"
    } else {
        "text stands in front of the row; write the name as `/SOMAname` above it"
    }
}

impl FaultReason {
    /// A word for columns and filters, such as `ragged`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::GroupWidth { .. } | Self::RowWidth { .. } => "ragged",
            Self::GroupCount { .. } | Self::SliceRows { .. } => "group-count",
            Self::Figure(FigureError::Empty) => "empty",
            Self::Figure(FigureError::TooManyCells) => "too-many-cells",
            Self::Figure(FigureError::RepeatedCell(_)) => "repeated-cell",
            Self::Figure(_) | Self::TooLarge | Self::Coordinate(_) => "out-of-range",
            Self::NotANumber { .. } | Self::NotACell(_) | Self::NotAHeight(_) => "not-a-number",
            Self::HeaderWithoutFigure | Self::ProblemWithoutShape => "header-without-figure",
            Self::LineTooLong => "line-too-long",
            _ => "unreadable",
        }
    }
}

impl Fault {
    /// A fault before it is known whose it is.
    pub(super) fn new(line: usize, reason: impl Into<FaultReason>) -> Self {
        Self { line, name: None, reason: reason.into() }
    }

    /// The fault as an item, of the figure with this name.
    pub(super) fn of(self, mut name: Option<String>) -> Item {
        shorten(&mut name);
        Item::Fault(Self { name, ..self })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(name) = &self.name {
            write!(f, "{}: ", excerpt(name))?;
        }
        write!(f, "{}", self.reason)
    }
}
