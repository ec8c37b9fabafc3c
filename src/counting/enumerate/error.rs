//! Errors of enumerations.

use super::limits::{MAX_CELLS, MAX_TABLE_BYTES};
use somacat_geometry::boxes::sides_text;
use somacat_geometry::symmetry::Class;

/// The reason why figures cannot be enumerated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EnumerateError {
    /// There are no cells, or too many.
    #[error("a figure to enumerate has 1 to {MAX_CELLS} cells, not {0}")]
    Cells(usize),
    /// No class was requested.
    #[error(
        "no symmetry class has all these properties; elements have orders 1, 2, 3, 4 and 6, groups have \
         orders up to 48"
    )]
    NoClass,
    /// Groups of order 1 and 2 leave too many figures.
    #[error(
        "figures of class {class} need a box: with a group of order {} there are too many to list \
         (10^10 or more with 27 cells); give a box such as 3x3x4, or ask for groups of order 3 \
         or more",
        .class.order()
    )]
    BoxRequired {
        /// The class of order 1 or 2.
        class: Class,
    },
    /// Several parts can lie any distance apart.
    #[error(
        "figures in {0} parts need a box: without one the parts can be any distance apart, so there \
         are infinitely many figures"
    )]
    PartsNeedBox(usize),
    /// Figures have at least one part and no more parts than cells.
    #[error("{cells} cells cannot form {parts} parts")]
    Parts {
        /// The number of parts.
        parts: usize,
        /// The number of cells.
        cells: usize,
    },
    /// A side of the box is zero.
    #[error("box {} contains no cell", sides_text(*.0))]
    EmptyBox([u32; 3]),
    /// The box has fewer cells than the figure.
    #[error("box {} is too small for {cells} cells", sides_text(*.sides))]
    BoxTooSmall {
        /// The sides of the box.
        sides: [u32; 3],
        /// The requested cells.
        cells: usize,
    },
    /// The box has more cells than the method supports.
    #[error("box {} is larger than {most} cells", sides_text(*.sides))]
    BoxTooLarge {
        /// The sides of the box.
        sides: [u32; 3],
        /// The most cells of a box.
        most: usize,
    },
    /// The tables of the search would take too much memory.
    #[error(
        "in box {}, the search tables for figures of {cells} cells take more than {} MiB; \
         give a smaller box, fewer cells or larger groups",
        sides_text(*.sides), MAX_TABLE_BYTES >> 20
    )]
    TooManyPlaces {
        /// The sides of the box.
        sides: [u32; 3],
        /// The requested cells.
        cells: usize,
    },
}

/// An error in the key of a question: an enumeration, a search for buildable figures, or a census.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyError {
    /// The text does not have the form of a key.
    #[error("`{0}` is not the key of a question; keys look like `box/1 cells=27 sides=3x3x4 …`")]
    Malformed(String),
    /// The question cannot be answered.
    #[error("{0}")]
    Invalid(String),
    /// Another version of the algorithm cuts the shards, or the key is not in normal form.
    #[error("`{key}` is from another version of somacat; this version writes `{own}`")]
    Version {
        /// The key.
        key: String,
        /// This version's key of the same question.
        own: String,
    },
}
