//! Remarks about accepted entries.

use super::packing_fault::sentence;
use super::plural::join_words;
use super::{Correction, MAX_NAME_CHARS, PackingFault, PieceFault};
use std::fmt;

/// A remark about an accepted entry.
///
/// ```
/// use somacat_formats::{Assessment, Item, Reader, assess};
/// use somacat_geometry::pieces::parse_set;
///
/// // Two marks are exchanged: neither V nor D has its shape.
/// let text = "/SOMA1\n/VDV\n/V.D\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// let Assessment::Sound { packing: None, warnings } = assess(&entry, &parse_set("V D").unwrap())
/// else {
///     panic!("the figure is accepted, without a packing")
/// };
/// assert_eq!((warnings.len(), warnings[0].kind()), (1, "pieces"));
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Warning {
    /// The name was cut to [`MAX_NAME_CHARS`] characters.
    LongName { line: usize },
    /// The title was cut to [`MAX_NAME_CHARS`] characters.
    LongTitle { line: usize },
    /// The credit was cut to [`MAX_NAME_CHARS`] characters.
    LongCredit { line: usize },
    /// The note was cut to [`MAX_NAME_CHARS`] characters.
    LongNote { line: usize },
    /// The marks claim to be a packing but are not.
    Packing {
        line: usize,
        fault: PackingFault,
        /// A small correction that makes the packing right.
        correction: Option<Correction>,
    },
    /// Pieces in place, which a catalog does not keep.
    InPlace {
        line: usize,
        set: String,
        marks: String,
        /// One fault for each wrong piece. The set does not have it, or it has a wrong shape.
        faults: Vec<PieceFault>,
    },
    /// Restrictions of the file that counts do not obey, such as `colors`.
    NotObeyed { line: usize, ignored: Vec<&'static str> },
}

impl Warning {
    pub const fn line(&self) -> usize {
        match self {
            Self::LongName { line }
            | Self::LongTitle { line }
            | Self::LongCredit { line }
            | Self::LongNote { line }
            | Self::Packing { line, .. }
            | Self::InPlace { line, .. }
            | Self::NotObeyed { line, .. } => *line,
        }
    }

    /// Returns a keyword for columns and filters, such as `mirrored`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::LongName { .. } => "long-name",
            Self::LongTitle { .. } => "long-title",
            Self::LongCredit { .. } => "long-credit",
            Self::LongNote { .. } => "long-note",
            Self::Packing { fault: PackingFault::Mirrored { .. }, .. } => "mirrored",
            Self::Packing { fault: PackingFault::OtherPieces { .. }, .. } => "other-pieces",
            Self::Packing { .. } => "pieces",
            Self::InPlace { .. } => "in-place",
            Self::NotObeyed { .. } => "not-obeyed",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LongName { .. } => write!(f, "the name was cut to {MAX_NAME_CHARS} characters"),
            Self::LongTitle { .. } => write!(f, "the title was cut to {MAX_NAME_CHARS} characters"),
            Self::LongCredit { .. } => {
                write!(f, "the credit was cut to {MAX_NAME_CHARS} characters")
            }
            Self::LongNote { .. } => write!(f, "the note was cut to {MAX_NAME_CHARS} characters"),
            Self::Packing { fault: fault @ PackingFault::Pieces { .. }, correction, .. } => {
                write!(f, "not a packing: {fault}; ")?;
                match correction {
                    Some(correction) => write!(f, "{correction}"),
                    None => f.write_str("correct these marks, or give all cells one mark"),
                }
            }
            Self::Packing { fault, .. } => write!(f, "{fault}"),
            Self::InPlace { marks, faults, .. } if faults.is_empty() => write!(
                f,
                "the pieces in place ({marks}) are ignored: a catalog counts the whole figure; \
                 `somacat count` counts the free cells"
            ),
            Self::InPlace { set, faults, .. } => {
                write!(f, "the pieces in place do not fit {set}: {}", sentence(faults))
            }
            Self::NotObeyed { ignored, .. } => {
                let ignored: Vec<String> = ignored.iter().map(ToString::to_string).collect();
                let ignored = join_words(&ignored);
                write!(f, "{ignored} are not obeyed, so BurrTools may report fewer packings")
            }
        }
    }
}
