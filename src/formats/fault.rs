//! The faults that prevent a file's entry from being a figure.

use super::limits::{MAX_LINE_BYTES, MAX_VALUE_BYTES};
use super::plural::count_noun;
use somacat_geometry::boxes::sides_text;
use somacat_geometry::excerpt;
use somacat_geometry::figure::{FigureError, Signature};
use somacat_geometry::lattice::MAX_COORDINATE;
use somacat_geometry::pieces::MAX_COLOR;
use std::fmt;

/// A part of a file that is not a figure: where it is, and why.
///
/// ```
/// use somacat_formats::{Format, Item, Reader};
///
/// let text = "bar: 0,0,0 1,0,0\nbad: 0,0,0 0,0,0\n";
/// let second = Reader::new(text.as_bytes(), Some(Format::Cells))?.nth(1).expect("two lines")?;
/// let Item::Fault(fault) = second else { panic!("a cell is listed twice") };
/// assert_eq!(fault.to_string(), "line 2: bad: cell 0,0,0 is listed twice");
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: usize,
    pub name: Option<String>,
    /// The reason. Its text contains neither line nor name.
    pub reason: FaultReason,
}

/// Returns the message about an entry of a source: `figures.txt:12: NAME: message`.
///
/// ```
/// use somacat_formats::entry_message;
///
/// let message = entry_message("figures.txt", 12, Some("SOMA7"), "cell 0,0,0 is listed twice");
/// assert_eq!(message, "figures.txt:12: SOMA7: cell 0,0,0 is listed twice");
/// ```
pub fn entry_message(
    source: &str,
    line: impl fmt::Display,
    name: Option<&str>,
    message: impl fmt::Display,
) -> String {
    let name = name.map(|name| format!("{name}: ")).unwrap_or_default();
    format!("{source}:{line}: {name}{message}")
}

/// The reason for a fault. Words of the file are shortened.
///
/// ```
/// use somacat_formats::{FaultReason, Item, Reader};
///
/// let text = "bar: 0,0,0 1,0,0\nfar: 0,0,0 2000000000,0,0\n";
/// let Some(Item::Fault(fault)) = Reader::new(text.as_bytes(), None)?.nth(1).transpose()? else {
///     panic!("the second line has a fault")
/// };
/// assert!(matches!(&fault.reason, FaultReason::Coordinate(text) if text == "2000000000"));
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FaultReason {
    #[error(
        "group {group} is {} wide, but {expected} in the first row; write `.` for an empty square",
        count_noun(*width, "mark")
    )]
    GroupWidth { group: usize, width: usize, expected: usize },
    #[error(
        "group {group} is {} wide, but group 1 is {expected} wide; write `.` for an empty square",
        count_noun(*width, "mark")
    )]
    LayerWidth { group: usize, width: usize, expected: usize },
    #[error("`{0}` follows the row directly; write a blank before a remark")]
    GluedRemark(String),
    #[error("`{0}` contains `_`, which is no mark; write `.` for an empty square")]
    Underscore(String),
    #[error(
        "row {row} has {}, but the first row has {expected}; pad it with empty squares",
        count_noun(*width, "square")
    )]
    RowWidth { row: usize, width: usize, expected: usize },
    #[error("`{0}` precedes the rows; a name ends with a colon: `{0}: …`")]
    NoColon(String),
    #[error(
        "the row has {}, but the first row has {expected}; each layer is a group of every row",
        count_noun(*groups, "group")
    )]
    GroupCount { groups: usize, expected: usize },
    #[error("slice {slice} has {}, but the first slice has {expected}", count_noun(*rows, "row"))]
    SliceRows { slice: usize, rows: usize, expected: usize },
    #[error(transparent)]
    Figure(#[from] FigureError),
    #[error("the figure is too large")]
    TooLarge,
    #[error("coordinate {0} lies beyond ±{MAX_COORDINATE}")]
    Coordinate(String),
    #[error("`{part}` in `{cell}` is not a whole number; a cell is written x,y,z")]
    NotANumber { part: String, cell: String },
    #[error("`{0}` is not a cell; a cell is written x,y,z")]
    NotACell(String),
    #[error(
        "`{0}` has four values, such as a cell and the number of its piece; a cell is written x,y,z, and \
         a packing as rows with `/` between layers, or as `pieces` in JSON"
    )]
    NumberedCell(String),
    #[error("`{0}` has no color; a color is a number from 1 to {MAX_COLOR}, as in 0,0,0=1")]
    Color(String),
    #[error(
        "`{0}` has a color and may stay empty (`~`), which cannot be obeyed; remove one of the two"
    )]
    ColoredGap(String),
    #[error(
        "some cells may stay empty (`~`), which only `count`, `solve`, `design`, `takeapart`, `prove` and \
         exports for other solvers obey; write another mark for cells that must be filled"
    )]
    Optional,
    #[error(
        "the cells have colors, which only `count`, `solve`, `design` and `takeapart` obey; remove the \
         colors of the figure and its pieces"
    )]
    Colored,
    #[error("a value is missing between two separators of `{0}`; a cell is written x,y,z")]
    CoordinateMissing(String),
    #[error("`{0}` is not a height; heights are 0…9 and a…z")]
    NotAHeight(String),
    #[error(
        "`{0}` is a signature; write it in place of the file, or in JSON as `{{\"signature\": \"{0}\"}}`"
    )]
    SignatureAsHeights(String),
    #[error(
        "`{0}` is a box, which a file cannot name; write its cells, or the box in place of the file"
    )]
    BoxAsHeights(String),
    #[error(
        "`{0}` may be a map, or a row with a blank too many; remove the blank, or separate maps by blank lines"
    )]
    MapOrRow(String),
    #[error("a value is missing between two separators; write 0 for an empty square")]
    EmptyValue,
    #[error(
        "the blanks before the row or between its squares are unequal, so some may be empty squares; \
         write `.` for an empty square"
    )]
    UnequalGaps,
    #[error(
        "`{0}` may be a row or one height; separate rows by blanks, and write a height above 9 as a \
         letter: a for 10"
    )]
    RowOrHeight(String),
    #[error(
        "lines of rows follow each other, which may be several maps, or the layers of one figure; \
         separate maps by blank lines, and layers by `/`"
    )]
    TableOfRows,
    #[error(
        "`{0}` is in a comment, but may be heights; separate columns by a comma, or add a word to the \
         comment"
    )]
    HeightsInComment(String),
    #[error(
        "`{0}` may be a row of empty squares or a line between layers; write `.` for an empty square, \
         and a blank line between layers"
    )]
    DashRow(String),
    #[error("a row contains a blank: `{0}`; write an empty square as a dot")]
    BlankInRow(String),
    #[error("two rows are side by side, `{left}` and `{right}`; write one figure below the other")]
    SideBySide { left: String, right: String },
    #[error("{}", text_in_front(*side_by_side))]
    TextInFront { side_by_side: bool },
    #[error("`{0}` seems to be the first row; write it on a line of its own")]
    RowInHeader(String),
    #[error("`{0}` is not a row; correct it, or write it as a comment, `; ` with a blank")]
    NotARow(String),
    #[error("`{row}` has `{separator}` between its layers; write `/` instead")]
    OtherSeparator { row: String, separator: char },
    #[error("rows with slashes follow rows with blanks between the cells")]
    MixedRows,
    #[error(
        "marks with blanks between them follow a figure; if they are a figure, write `/SOMAname` above \
         them, else begin their lines with `;`"
    )]
    MarksBelow,
    #[error("a single row needs a slash in front to be a figure")]
    SingleRow,
    #[error("a header without a figure: no row follows it")]
    HeaderWithoutFigure,
    #[error("this is not valid JSON: {0}")]
    Json(String),
    #[error("the JSON value has more than {} bytes; write one figure a line", MAX_VALUE_BYTES)]
    JsonTooLong,
    #[error(
        "this is not a figure; write `{{\"cells\": [[x,y,z], …]}}`, or `layers` of rows of 0 and 1, or \
         rows of `heights`"
    )]
    JsonFigure,
    #[error("`{0}` does not hold a figure; {form}", form = json_form(.0))]
    JsonKey(&'static str),
    #[error("`{0}` is not a signature")]
    JsonSignature(String),
    #[error(
        "the numbers may be {0} or {1}; name them: write `{{\"cells\": …}}`, `{{\"layers\": …}}` or \
         `{{\"heights\": …}}`"
    )]
    JsonReadings(String, &'static str),
    #[error("the row contains a tab, whose width is unknown; write blanks or dots")]
    Tab,
    #[error(
        "a comment line is between two rows; write the comment at the end of a row, or add a \
         blank line if a slice ends here"
    )]
    CommentBetweenRows,
    #[error(
        "this line is between two rows, and may end a figure or a layer; write a blank line if it does, \
         or remove it"
    )]
    LineBetweenRows,
    #[error("the object has both `{0}` and `{1}`, which may be two figures; keep one")]
    JsonTwoFigures(&'static str, &'static str),
    #[error("`signature` is that of another figure; this one has {0}; keep one of them")]
    JsonOtherSignature(Signature),
    #[error("the cells of `pieces` are another figure; keep one of them")]
    JsonOtherPieces,
    #[error("`cells` is {given}, but the figure has {cells}; correct one of them")]
    JsonCellCount { given: String, cells: usize },
    #[error("the object has the key `{0}` twice; keep one")]
    JsonRepeatedKey(String),
    #[error("the name is not text; write it in quotes")]
    JsonName,
    #[error("the size {axis}=\"{value}\" is not a number above 0")]
    ShapeSize { axis: char, value: String },
    #[error("`{0}` is not a voxel; voxels are _ # and +")]
    NotAVoxel(String),
    #[error(
        "{} in a box of {}, which has {volume}",
        count_noun(*voxels as usize, "voxel"), sides_text(*size)
    )]
    VoxelCount { voxels: u64, size: [u32; 3], volume: u64 },
    #[error(
        "a voxel that may stay empty (+) has a color, which cannot be obeyed; remove one of the two"
    )]
    ColoredVariable,
    #[error("color {0} is above {MAX_COLOR}, the last of BurrTools")]
    VoxelColor(u32),
    #[error("the problem does not name a shape to build")]
    ProblemWithoutShape,
    #[error(
        "the problem builds shape {shape}, but the puzzle has only {}, numbered from 0",
        count_noun(*shapes, "shape")
    )]
    NoSuchShape { shape: usize, shapes: usize },
    #[error(
        "the line has both {0} and {1} between its squares, so its rows are not clear; write rows without separators, as \
         in 67 77, or each row on a line of its own"
    )]
    TwoSeparators(&'static str, &'static str),
    #[error("the row `{0}` contains a character that cannot be seen; remove it")]
    InvisibleMark(String),
    #[error("the name `{0}` contains a control character; remove it")]
    ControlInName(String),
    #[error("a line of more than {MAX_LINE_BYTES} bytes was skipped")]
    LineTooLong,
}

fn text_in_front(side_by_side: bool) -> &'static str {
    if side_by_side {
        "text precedes two rows side by side; write the name as `/SOMAname` above, and \
         one figure below the other"
    } else {
        "text precedes the row; write the name as `/SOMAname` above it"
    }
}

fn json_form(key: &str) -> &'static str {
    match key {
        "cells" => "write cells as [[x,y,z], …], in whole numbers",
        "layers" => "write layers of equally many rows of equally many 0 and 1",
        "heights" => "write rows of equally many heights",
        _ => "write pieces as [{\"piece\": …, \"cells\": [[x,y,z], …]}, …]",
    }
}

impl FaultReason {
    /// Returns a keyword for columns and filters, such as `ragged`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::GroupWidth { .. } | Self::LayerWidth { .. } | Self::RowWidth { .. } => "ragged",
            Self::GroupCount { .. } | Self::SliceRows { .. } => "group-count",
            Self::Figure(FigureError::Empty) => "empty",
            Self::Figure(FigureError::TooManyCells) => "too-many-cells",
            Self::Figure(FigureError::RepeatedCell(_)) => "repeated-cell",
            Self::Figure(_) | Self::TooLarge | Self::Coordinate(_) => "out-of-range",
            Self::NotANumber { .. }
            | Self::NotACell(_)
            | Self::NumberedCell(_)
            | Self::CoordinateMissing(_)
            | Self::NotAHeight(_) => "not-a-number",
            Self::HeaderWithoutFigure | Self::ProblemWithoutShape | Self::NoSuchShape { .. } => {
                "header-without-figure"
            }
            Self::LineTooLong => "line-too-long",
            _ => "unreadable",
        }
    }
}

impl Fault {
    /// Creates a fault of a figure whose name is not yet known.
    pub(super) fn new(line: usize, reason: impl Into<FaultReason>) -> Self {
        Self { line, name: None, reason: reason.into() }
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
