//! Errors of enumerations.

use super::limits::{MAX_ENUMERATED_CELLS, MAX_TABLE_BYTES};
use somacat_geometry::boxes::sides_text;
use somacat_geometry::symmetry::Class;

/// The reason why figures cannot be enumerated.
///
/// ```
/// use somacat_counting::enumerate::{EnumerateError, Enumeration, SymmetricSpec};
/// use somacat_geometry::symmetry::Class;
///
/// // There are too many figures of order 1 and 2 to list all of any extent.
/// let none = Class::matching("C1").unwrap()[0];
/// let error = Enumeration::symmetric(SymmetricSpec::exactly(none, 27)).unwrap_err();
/// assert_eq!(error, EnumerateError::BoxRequired { class: none });
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum EnumerateError {
    #[error("a figure to enumerate has 1 to {MAX_ENUMERATED_CELLS} cells, not {0}")]
    Cells(usize),
    #[error(
        "no symmetry class has all these properties; elements have orders 1, 2, 3, 4 and 6, groups have \
         orders up to 48"
    )]
    NoClass,
    #[error(
        "figures of class {class} need a box: with a group of order {} there are too many to list \
         (10^10 or more with 27 cells); give a box such as 3x3x4, or groups of order 3 or more",
        .class.order()
    )]
    BoxRequired { class: Class },
    #[error(
        "figures in {0} parts need a box: without one the parts can be any distance apart, so there \
         are infinitely many figures"
    )]
    PartsNeedBox(usize),
    #[error("{cells} cells cannot form {parts} parts")]
    Parts { parts: usize, cells: usize },
    #[error("box {} contains no cell", sides_text(*.0))]
    EmptyBox([u32; 3]),
    #[error("box {} is too small for {cells} cells", sides_text(*.sides))]
    BoxTooSmall { sides: [u32; 3], cells: usize },
    #[error("box {} is larger than {most} cells", sides_text(*.sides))]
    BoxTooLarge { sides: [u32; 3], most: usize },
    #[error(
        "in box {}, the search tables for figures of {cells} cells take more than {} MiB; \
         give a smaller box, fewer cells or larger groups",
        sides_text(*.sides), MAX_TABLE_BYTES >> 20
    )]
    TooManyPlaces { sides: [u32; 3], cells: usize },
}

/// An error in the key of a question: an enumeration, a search for buildable figures, or a census.
///
/// ```
/// use somacat_counting::enumerate::{EnumerationSpec, KeyError};
///
/// let old = "box/0 cells=27 sides=3x3x4 connected=no shape=any up-to=reflections";
/// assert!(matches!(EnumerationSpec::from_key(old), Err(KeyError::Version { .. })));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum KeyError {
    #[error("`{0}` is not the key of a question; keys look like `box/1 cells=27 sides=3x3x4 …`")]
    Malformed(String),
    #[error("{0}")]
    Invalid(String),
    #[error("`{key}` is from another version of somacat; this version writes `{own}`")]
    Version { key: String, own: String },
}
