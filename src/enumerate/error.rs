//! Errors of enumerations.

use super::limits::{MAX_CELLS, MOST_MEMORY};
use crate::symmetry::Class;

/// Why figures cannot be enumerated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnumerateError {
    /// No cell, or too many.
    #[error("a figure to enumerate has 1 to {MAX_CELLS} cells, not {0}")]
    Cells(usize),
    /// No class is asked for.
    #[error(
        "no symmetry class has all of this; elements have orders 1, 2, 3, 4 and 6, groups have \
         orders up to 48"
    )]
    NoClass,
    /// Groups of order 1 and 2 leave too many figures.
    #[error(
        "figures of class {class} need a box: a group of order {} leaves so much freedom that \
         their number grows beyond all lists (about 10^10 and more at 27 cells); give one, as in \
         3x3x4, or ask for groups of order 3 and more",
        .class.order()
    )]
    BoxRequired {
        /// The class of order 1 or 2.
        class: Class,
    },
    /// Several parts can lie any distance apart.
    #[error(
        "figures in {0} parts need a box: without one the parts can lie any distance apart, and \
         there is no end of figures"
    )]
    PartsNeedBox(usize),
    /// Figures have at least one part and no more parts than cells.
    #[error("{cells} cells cannot form {parts} parts")]
    Parts {
        /// The parts asked for.
        parts: usize,
        /// The cells they should share.
        cells: usize,
    },
    /// A side of the box is zero.
    #[error("box {}x{}x{} holds no cell", .0[0], .0[1], .0[2])]
    EmptyBox([u32; 3]),
    /// The box holds fewer cells than the figure has.
    #[error("box {}x{}x{} is too small for {cells} cells", .sides[0], .sides[1], .sides[2])]
    BoxTooSmall {
        /// The sides of the box.
        sides: [u32; 3],
        /// The cells asked for.
        cells: usize,
    },
    /// The box holds more cells than the method numbers.
    #[error("box {}x{}x{} is larger than {most} cells", .sides[0], .sides[1], .sides[2])]
    BoxTooLarge {
        /// The sides of the box.
        sides: [u32; 3],
        /// The most cells a box may hold.
        most: usize,
    },
    /// The tables of the search would take too much memory.
    #[error(
        "box {}x{}x{} leaves figures of {cells} cells so many places that the tables of the \
         search would take more than {} MiB; give a smaller box, fewer cells or larger groups",
        .sides[0], .sides[1], .sides[2], MOST_MEMORY >> 20
    )]
    TooManyPlaces {
        /// The sides of the box.
        sides: [u32; 3],
        /// The cells asked for.
        cells: usize,
    },
}

/// The text is not a box.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no box; one is written 3x3x4")]
pub struct ParseBoxError(pub String);

/// An error in the key of a question: of an enumeration, of a search for buildable figures or of a census.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The text does not read as a key.
    #[error("`{0}` is not the key of a question; keys look like `box/1 cells=27 sides=3x3x4 …`")]
    Malformed(String),
    /// The question cannot be answered.
    #[error("{0}")]
    Invalid(String),
    /// Another version of the algorithm cuts it into shards, or it is not in normal form.
    #[error("`{key}` has another version; this somacat asks `{own}`")]
    Version {
        /// The key.
        key: String,
        /// The key of the same question here.
        own: String,
    },
}
