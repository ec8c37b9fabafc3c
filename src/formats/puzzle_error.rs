//! What keeps a BurrTools puzzle from being read.

use super::FaultReason;
use super::xml_tags::MAX_BYTES;
use super::xmpuzzle::MAX_SHAPE_BYTES;
use somacat_geometry::pieces::{ParseSetError, PieceError};
use std::io::{Error, ErrorKind};

/// Why a puzzle cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// The file cannot be read.
    #[error("cannot read the puzzle: {0}")]
    Io(Error),
    /// Compressed, but damaged.
    #[error("not a BurrTools puzzle: it cannot be unpacked: {0}")]
    Unpack(Error),
    /// More than any puzzle holds.
    #[error("the puzzle unpacks to more than {} MiB", MAX_BYTES >> 20)]
    TooLong,
    /// Its shapes take too much memory.
    #[error("the shapes of the puzzle take more than {} MiB", MAX_SHAPE_BYTES >> 20)]
    TooManyShapes,
    /// Not XML.
    #[error("not a BurrTools puzzle: line {line}: {reason}")]
    Xml {
        /// Counted from 1.
        line: usize,
        /// What is wrong there.
        reason: XmlFault,
    },
    /// XML of another kind.
    #[error("not a BurrTools puzzle: its root is <{0}>, not <puzzle>")]
    Root(String),
    /// Cells that are not cubes. The number that the file gives for its grid.
    #[error("the puzzle uses {}; only puzzles of cubes (gridType 0) can be read", grid(.0))]
    Grid(String),
}

/// The grids of BurrTools by their numbers.
fn grid(number: &str) -> String {
    let name = match number {
        "1" => "triangular prisms",
        "2" => "spheres",
        "3" => "the rhombic grid",
        "4" => "the tetra-octa grid",
        _ => "an unknown grid",
    };
    format!("{name} (gridType {number})")
}

impl PuzzleError {
    /// An error of the input: of its contents if it is compressed, else of reading.
    pub(super) fn of_input(error: Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
                Self::Unpack(error)
            }
            _ => Self::Io(error),
        }
    }
}

/// What is wrong with XML.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum XmlFault {
    /// Text, or nothing, where the first tag should stand.
    #[error("it does not begin with a tag")]
    NoTag,
    /// The end of the file before the root is closed.
    #[error("the file ends before the puzzle does")]
    Ended,
    /// A tag that is not written as tags are.
    #[error("a tag that cannot be read")]
    Tag,
    /// A closing tag that does not belong to the one opened last.
    #[error("</{0}> does not close the tag opened last")]
    Unmatched(String),
    /// A word between `&` and `;` that does not stand for a character.
    #[error("&{0} does not stand for a character")]
    Entity(String),
    /// An encoding other than UTF-8.
    #[error("text that is not UTF-8")]
    Encoding,
    /// A declaration of a document type, which BurrTools does not write.
    #[error("a DOCTYPE")]
    Doctype,
    /// A name, a number of attributes or a nesting beyond the limits.
    #[error("a tag that is too large, or nested too deep")]
    TooLarge,
}

/// Why the pieces of a puzzle are not a piece set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleSetError {
    /// Without a problem it is not known which shapes are pieces.
    #[error("the puzzle has no problem, and so it is not known which of its shapes are pieces")]
    NoProblem,
    /// A problem with an unknown shape.
    #[error("line {line}: the problem uses a shape that the puzzle does not have")]
    UnknownShape {
        /// Counted from 1.
        line: usize,
    },
    /// A piece that need not be used, or not always as often.
    #[error(
        "line {line}: piece S{shape} may be used {least} to {most} times; a piece set has a fixed \
         number of each piece"
    )]
    Range {
        /// Counted from 1.
        line: usize,
        /// The number of the shape, counted from 1 as BurrTools does.
        shape: usize,
        /// The least number.
        least: usize,
        /// The greatest number.
        most: usize,
    },
    /// A piece without a number.
    #[error("line {line}: it is not said how often piece S{shape} is used")]
    NoCount {
        /// Counted from 1.
        line: usize,
        /// The number of the shape, counted from 1.
        shape: usize,
    },
    /// The voxels of a shape cannot be read.
    #[error("line {line}: shape S{shape}: {reason}")]
    Shape {
        /// Counted from 1.
        line: usize,
        /// The number of the shape, counted from 1.
        shape: usize,
        /// What is wrong.
        reason: FaultReason,
    },
    /// The cells of a shape are not a piece.
    #[error("line {line}: shape S{shape}: {reason}")]
    Piece {
        /// Counted from 1.
        line: usize,
        /// The number of the shape, counted from 1.
        shape: usize,
        /// What is wrong.
        reason: PieceError,
    },
    /// No pieces, or too many.
    #[error("the pieces of the first problem: {0}")]
    Set(ParseSetError),
}
