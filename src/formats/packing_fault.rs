//! Why marks are not a packing.

use super::RowSpan;
use super::plural::{count_noun, join_words, times};
use super::soma_marks::piece_digit;
use std::fmt;

/// A fault of a piece in a packing: its shape, or the number of its copies.
///
/// See [`PackingFault`] for an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PieceFault {
    /// A mark's cells do not have the shape of its piece.
    Shape {
        mark: char,
        piece: char,
        cells: usize,
        size: usize,
        /// The number of copies in the set.
        wanted: usize,
        /// The piece of this shape, if the number of cells is right.
        looks_like: Option<char>,
        rows: Option<RowSpan>,
    },
    /// The set does not have the piece.
    NotInSet { mark: char, cells: usize, rows: Option<RowSpan> },
    /// A piece is missing, or there are too many copies.
    Count { piece: char, number: usize, wanted: usize },
}

impl fmt::Display for PieceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Shape { mark, piece, cells, size, wanted, looks_like, rows } => {
                write!(f, "piece {mark}")?;
                if mark != piece {
                    write!(f, " ({piece})")?;
                }
                match looks_like {
                    Some(other) => write!(f, " has the shape of {other}")?,
                    None if cells == size => f.write_str(" has an unknown shape")?,
                    None if cells.is_multiple_of(size) => {
                        write!(f, " cannot be split into {} pieces", cells / size)?;
                    }
                    None => {
                        let multiple = if wanted > 1 { "a multiple of " } else { "" };
                        write!(f, " has {}, not {multiple}{size}", count_noun(cells, "cell"))?;
                    }
                }
                rows.map_or(Ok(()), |rows| write!(f, " ({rows})"))
            }
            Self::NotInSet { mark, cells, rows } => {
                let cells = count_noun(cells, "cell");
                let rows = rows.map(|rows| format!(", {rows}")).unwrap_or_default();
                write!(f, "the mark {mark} ({cells}{rows}) is not a piece of the set")
            }
            Self::Count { piece, number, wanted } => {
                f.write_str(&counts(&[piece.to_string()], number, wanted))
            }
        }
    }
}

/// Writes a wrong number of pieces. Examples: `pieces V and L are missing`, `piece T occurs twice, not once`.
fn counts(pieces: &[String], number: usize, wanted: usize) -> String {
    let names = join_words(pieces);
    let (noun, occur, are) = match pieces.len() {
        1 => ("piece", "occurs", "is"),
        _ => ("pieces", "occur", "are"),
    };
    match (number, wanted) {
        (0, 1) => format!("{noun} {names} {are} missing"),
        (0, _) => format!("{noun} {names} {are} missing {}", times(wanted)),
        _ => format!("{noun} {names} {occur} {}, not {}", times(number), times(wanted)),
    }
}

/// Writes faults in one sentence. Pieces that are missing, or occur equally often, are named together.
pub(super) fn sentence(faults: &[PieceFault]) -> String {
    let mut parts = Vec::new();
    let mut groups: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for fault in faults {
        let PieceFault::Count { piece, number, wanted } = *fault else {
            parts.push(fault.to_string());
            continue;
        };
        match groups.iter_mut().find(|(n, w, _)| (*n, *w) == (number, wanted)) {
            Some((.., pieces)) => pieces.push(piece.to_string()),
            None => groups.push((number, wanted, vec![piece.to_string()])),
        }
    }
    parts.extend(groups.iter().map(|(number, wanted, pieces)| counts(pieces, *number, *wanted)));
    parts.join("; ")
}

/// The reason why marks are not a packing with a set.
///
/// ```
/// use somacat_formats::{Item, PackingFault, PieceFault, Reader, check_packing};
/// use somacat_geometry::pieces::parse_set;
///
/// let text = "/SOMA1\n/LLL\n/LDD\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// let fault = check_packing(&entry, &parse_set("T D").unwrap()).unwrap_err();
/// let PackingFault::Pieces { faults } = &fault else { panic!() };
/// assert!(matches!(faults[..], [PieceFault::NotInSet { mark: 'L', .. }, PieceFault::Count { .. }]));
/// let message = "the mark L (4 cells, rows 1–2, lines 2–3) is not a piece of the set; piece T is missing";
/// assert_eq!(fault.to_string(), message);
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PackingFault {
    #[error("the marks do not name pieces")]
    NoClaim,
    #[error("{cells} cells; {set} fills {expected}{}", after_colon(faults))]
    CellCount { cells: usize, expected: usize, set: String, faults: Vec<PieceFault> },
    #[error("{}", sentence(faults))]
    Pieces {
        /// One for each wrong piece. Not empty.
        faults: Vec<PieceFault>,
    },
    #[error("these are not the pieces of {set}: {}", sentence(faults))]
    OtherPieces {
        set: String,
        /// One for each piece that is missing or occurs too often. Not empty.
        faults: Vec<PieceFault>,
    },
    #[error("copied from a mirror image{}", mirror_correction(pairs))]
    Mirrored {
        /// The pairs of pieces to exchange. Empty if the set has different numbers of the two pieces of a pair.
        pairs: Vec<(char, char)>,
    },
}

fn after_colon(faults: &[PieceFault]) -> String {
    if faults.is_empty() { String::new() } else { format!(": {}", sentence(faults)) }
}

fn mirror_correction(pairs: &[(char, char)]) -> String {
    let word = |&(one, other): &(char, char)| match (piece_digit(one), piece_digit(other)) {
        (Some(a), Some(b)) => format!("{a} and {b} ({one} and {other})"),
        _ => format!("{one} and {other}"),
    };
    match pairs.iter().map(word).collect::<Vec<_>>() {
        words if words.is_empty() => "; the set does not have the mirrored pieces".to_owned(),
        words => format!("; exchange {}", words.join(", ")),
    }
}
