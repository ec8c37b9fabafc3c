//! Assessment of an entry with a piece set: accepted, accepted with warnings, or refused.
//!
//! A figure is its cells. Marks that claim to be a packing but are not one do not exclude the figure. They are
//! reported with their rows and, if there is one, the small correction that makes them right. Only a figure of
//! another size than the pieces is refused.

use super::find_correction::find_correction;
use super::packing::{
    MAX_SPLIT_STEPS, check_marks, check_packing, fill_in_rows, piece_of_mark, split,
};
use super::packing_fault::sentence;
use super::plural::{count_noun, join_words};
use super::soma_marks::piece_letter;
use super::{
    BlankLine, Correction, Entry, PackingFault, PieceFault, PublishedPacking, PuzzleSetError,
    Warning,
};
use somacat_geometry::pieces::{PieceSet, parse_set};
use std::collections::BTreeMap;
use std::fmt;

/// The result of an assessment: the figure is accepted, perhaps with remarks, or refused.
///
/// ```
/// use somacat_formats::{Assessment, Item, Reader, assess};
/// use somacat_geometry::pieces::parse_set;
///
/// let text = "/SOMA1\n/VVD\n/V.D\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// // Five cells: V and D fill them, and V alone does not.
/// let sound = assess(&entry, &parse_set("V D").unwrap());
/// assert!(matches!(sound, Assessment::Sound { packing: Some(_), .. }));
/// assert!(matches!(assess(&entry, &parse_set("V").unwrap()), Assessment::Refused(_)));
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assessment {
    Sound {
        /// The packing in the text, if it has a correct one.
        packing: Option<PublishedPacking>,
        warnings: Vec<Warning>,
    },
    /// The figure cannot be built with the set, whatever its marks are.
    Refused(Refusal),
}

/// The reason why an entry is refused.
///
/// ```
/// use somacat_formats::{Refusal, check_size};
/// use somacat_geometry::pieces::PieceSet;
///
/// let refusal = check_size(26, &PieceSet::soma(1)).unwrap_err();
/// assert!(matches!(refusal, Refusal::CellCount { cells: 26, expected: 27, .. }));
/// assert_eq!(refusal.kind(), "cell-count");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    #[error("{}; {set} fills {expected}{}{hint}", count_noun(*cells, "cell"), other_sets(*cells, set, hint))]
    CellCount { cells: usize, set: String, expected: usize, hint: SizeHint },
    #[error("{}; {}", count_noun(*cells, "cell"), no_choice(set, nearest))]
    NoChoice { cells: usize, set: String, nearest: Vec<usize> },
    #[error(
        "{}; SOMA fills 27, two sets 54, SOMA+plus 40, and the marks name no other pieces; choose a \
         set with --set",
        count_noun(*cells, "cell")
    )]
    NoSet { cells: usize },
    #[error("the file's own pieces are not a set: {0}; choose a set with --set")]
    OwnPieces(PuzzleSetError),
}

/// Continues `SOMA fills 27`, unless a hint gives the cause of a wrong number of cells.
fn other_sets(cells: usize, set: &str, hint: &SizeHint) -> &'static str {
    match (set, hint) {
        ("SOMA", SizeHint::None) if cells == 40 => {
            ", two sets 54, SOMA+plus 40; choose a set with --set"
        }
        ("SOMA", SizeHint::None) => ", two sets 54",
        _ => "",
    }
}

/// Continues `26 cells`, for a set of which a packing uses some pieces.
fn no_choice(set: &str, nearest: &[usize]) -> String {
    let nearest: Vec<String> = nearest.iter().map(usize::to_string).collect();
    let fitting = match nearest.as_slice() {
        [] => "no choice has the required number of pieces".to_owned(),
        [one] => format!("the nearest number is {one}"),
        _ => format!("the nearest numbers are {}", join_words(&nearest)),
    };
    format!("no choice of pieces from {set} fills as many; {fitting}")
}

impl Refusal {
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::CellCount { .. } | Self::NoChoice { .. } | Self::NoSet { .. } => "cell-count",
            Self::OwnPieces(_) => "own-pieces",
        }
    }
}

/// Returns the refusal of a figure whose number of cells a set does not fill, for figures without a text.
///
/// ```
/// use somacat_formats::check_size;
/// use somacat_geometry::pieces::PieceSet;
///
/// assert!(check_size(27, &PieceSet::soma(1)).is_ok());
/// let refusal = check_size(26, &PieceSet::soma(1)).unwrap_err();
/// assert_eq!(refusal.to_string(), "26 cells; SOMA fills 27, two sets 54");
/// ```
pub fn check_size(cells: usize, set: &PieceSet) -> Result<(), Refusal> {
    if set.fills(cells) {
        return Ok(());
    }
    let (expected, name) = (set.total_cells(), set.name().to_owned());
    Err(match set.is_choice() {
        true => Refusal::NoChoice { cells, set: name, nearest: set.nearest_fills(cells) },
        false => Refusal::CellCount { cells, set: name, expected, hint: SizeHint::None },
    })
}

/// A likely cause of a wrong number of cells.
///
/// ```
/// use somacat_formats::{Assessment, Item, Reader, assess};
/// use somacat_geometry::pieces::PieceSet;
///
/// // V and D fill these five cells, but the figure is meant for SOMA.
/// let text = "/SOMA1\n/VVD\n/V.D\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// let Assessment::Refused(refusal) = assess(&entry, &PieceSet::soma(1)) else { panic!() };
/// let message = "5 cells; SOMA fills 27; the marks are a packing of V D, so use --set";
/// assert_eq!(refusal.to_string(), message);
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SizeHint {
    /// The marks do not name pieces.
    None,
    /// The marks are a packing with the set of this name.
    OtherSet(String),
    /// A blank line cuts the figure in two. Without it, the figure has as many cells as the set.
    BlankLine(BlankLine),
    /// Wrong pieces explain the difference.
    Pieces {
        /// One for each piece. Not empty.
        faults: Vec<PieceFault>,
        /// A small correction that makes the marks a packing.
        correction: Option<Correction>,
    },
}

impl fmt::Display for SizeHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::OtherSet(name) => {
                write!(f, "; the marks are a packing of {name}, so use --set")
            }
            Self::BlankLine(BlankLine { lines, cells }) => {
                f.write_str(": a blank line ends a figure; without ")?;
                match lines.as_slice() {
                    [line] => write!(f, "the one in line {line}")?,
                    _ => {
                        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
                        write!(f, "those in lines {}", join_words(&lines))?;
                    }
                }
                write!(f, " it has {cells} cells")
            }
            Self::Pieces { faults, correction } => {
                write!(f, ": {}", sentence(faults))?;
                correction.as_ref().map_or(Ok(()), |correction| write!(f, "; {correction}"))
            }
        }
    }
}

/// Assesses an entry of a file with a piece set. A figure is refused only for a wrong number of cells. Faults of
/// its packing, or of pieces in place, are warnings.
pub fn assess(entry: &Entry, set: &PieceSet) -> Assessment {
    let (cells, expected) = (entry.figure.len(), set.total_cells());
    let outcome = entry.claim_with(set).map(|_| check_packing(entry, set));
    let leaves_gaps = entry.has_optional_cells() && cells > set.least_cells();
    if set.is_choice() && !leaves_gaps {
        if let Err(refusal) = check_size(cells, set) {
            return Assessment::Refused(refusal);
        }
    } else if cells != expected && !leaves_gaps {
        let hint = match outcome {
            Some(Err(PackingFault::CellCount { faults, .. })) => size_hint(entry, set, faults),
            _ => size_hint(entry, set, Vec::new()),
        };
        let set = set.name().to_owned();
        return Assessment::Refused(Refusal::CellCount { cells, set, expected, hint });
    }
    let mut warnings = entry.warnings.clone();
    let packing = match outcome {
        None => None,
        Some(Ok(packing)) => Some(packing),
        Some(Err(fault)) => {
            let correction = match &fault {
                PackingFault::Pieces { faults } => find_correction(entry, set, faults),
                _ => None,
            };
            let line =
                correction.as_ref().and_then(Correction::line).unwrap_or(first_line(entry, &fault));
            warnings.push(Warning::Packing { line, fault, correction });
            None
        }
    };
    warnings.extend(in_place(entry, set));
    Assessment::Sound { packing, warnings }
}

fn size_hint(entry: &Entry, set: &PieceSet, faults: Vec<PieceFault>) -> SizeHint {
    if let Some(cut) = entry.blank_line.clone().filter(|cut| cut.cells == set.total_cells()) {
        SizeHint::BlankLine(*cut)
    } else if let Some(other) = set_of_packing(entry) {
        SizeHint::OtherSet(other.name().to_owned())
    } else if faults.is_empty() || has_other_pieces(entry) {
        SizeHint::None
    } else {
        let correction = find_correction(entry, set, &faults);
        SizeHint::Pieces { faults, correction }
    }
}

/// Returns true if a piece has no letter in SOMA+plus. It is one of another set, not a mistake.
fn has_other_pieces(entry: &Entry) -> bool {
    entry.claim.iter().flatten().any(|(mark, _)| piece_letter(*mark).is_none())
}

fn first_line(entry: &Entry, fault: &PackingFault) -> usize {
    match fault {
        PackingFault::Pieces { faults } => first_row(entry, faults),
        _ => entry.line,
    }
}

fn first_row(entry: &Entry, faults: &[PieceFault]) -> usize {
    let row = |fault: &PieceFault| match fault {
        PieceFault::Shape { rows, .. } | PieceFault::NotInSet { rows, .. } => *rows,
        PieceFault::Count { .. } => None,
    };
    faults.iter().filter_map(row).map(|rows| rows.first.line).min().unwrap_or(entry.line)
}

fn in_place(entry: &Entry, set: &PieceSet) -> Option<Warning> {
    let marks = entry.placed_with(set)?;
    let mut steps = MAX_SPLIT_STEPS;
    let mut numbers = vec![0; set.pieces().len()];
    let mut faults = Vec::new();
    for (mark, cells) in marks {
        let Some(at) = piece_of_mark(*mark, cells, set) else {
            faults.push(PieceFault::NotInSet { mark: *mark, cells: cells.len(), rows: None });
            continue;
        };
        let piece = &set.pieces()[at].0;
        // A mark covers one piece. Otherwise the cells could not be assigned to pieces.
        if cells.len() == piece.size() && split(piece, cells, &mut steps).is_some() {
            numbers[at] += 1;
        } else {
            faults.push(PieceFault::Shape {
                mark: *mark,
                piece: piece.letter(),
                cells: cells.len(),
                size: piece.size(),
                wanted: 1,
                looks_like: None,
                rows: None,
            });
        }
    }
    fill_in_rows(&mut faults, marks, entry);
    for ((piece, wanted), number) in set.pieces().iter().zip(numbers) {
        if number > *wanted {
            faults.push(PieceFault::Count { piece: piece.letter(), number, wanted: *wanted });
        }
    }
    let (line, set) = (first_row(entry, &faults), set.name().to_owned());
    let marks = marks.iter().map(|(mark, _)| mark.to_string()).collect::<Vec<_>>().join(" ");
    Some(Warning::InPlace { line, set, marks, faults })
}

/// The largest difference in cells attributed to a typing error. Up to it, a figure counts as one of a usual set.
const MAX_SIZE_DIFFERENCE: usize = 3;

/// Chooses the set for a figure: the pieces that its file lists for it, else SOMA for 27 cells, two SOMAs for 54,
/// SOMA+plus for 40.
///
/// For other numbers of cells these are the pieces that the marks name, as often as their cells suffice. The set
/// need not fit, which [`assess`] checks.
///
/// ```
/// use somacat_formats::{Item, Reader, choose_set};
///
/// let text = "/SOMA1\n/VVD\n/V.D\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// assert_eq!(choose_set(&entry).unwrap().name(), "V D");
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
pub fn choose_set(entry: &Entry) -> Result<PieceSet, Refusal> {
    if let Some(own) = &entry.pieces {
        return own.as_ref().clone().map_err(Refusal::OwnPieces);
    }
    let cells = entry.figure.len();
    if let Some(set) = PieceSet::standard(cells) {
        return Ok(set);
    }
    let marked = sets_of_marks(entry);
    let fitting = marked.iter().find(|set| set.total_cells() == cells);
    let whole = entry.blank_line.as_ref().and_then(|cut| PieceSet::standard(cut.cells));
    if let Some(set) = fitting
        && (whole.is_none() || is_packing(entry, set))
    {
        return Ok(set.clone());
    }
    if let Some(whole) = whole {
        return Ok(whole);
    }
    let near = (cells.saturating_sub(MAX_SIZE_DIFFERENCE)..=cells + MAX_SIZE_DIFFERENCE)
        .filter_map(PieceSet::standard);
    let near = near.min_by_key(|set| set.total_cells().abs_diff(cells));
    match marked.into_iter().next() {
        Some(set) => Ok(near.unwrap_or(set)),
        None => Err(Refusal::NoSet { cells }),
    }
}

/// Returns `true` if the entry itself says with which pieces: it has pieces of its own, or its marks are a packing of
/// those that [`choose_set`] chooses.
pub fn names_its_pieces(entry: &Entry) -> bool {
    entry.pieces.is_some() || choose_set(entry).is_ok_and(|set| is_packing(entry, &set))
}

fn is_packing(entry: &Entry, set: &PieceSet) -> bool {
    let mut steps = MAX_SPLIT_STEPS;
    entry.claim_with(set).is_some_and(|marks| check_marks(marks, set, false, &mut steps).is_ok())
}

/// Returns the pieces that the marks name, if they are a packing.
pub(super) fn set_of_packing(entry: &Entry) -> Option<PieceSet> {
    sets_of_marks(entry).into_iter().find(|set| is_packing(entry, set))
}

/// Returns candidate sets from the marks: with copies rounded from the number of cells, and with one of each.
fn sets_of_marks(entry: &Entry) -> Vec<PieceSet> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for (mark, cells) in entry.claim.iter().flatten() {
        let piece = piece_letter(*mark).and_then(PieceSet::standard_piece);
        let Some(piece) = piece else { return Vec::new() };
        *counts.entry(piece.letter()).or_default() += copies(cells.len(), piece.size());
    }
    let set = |number: fn(usize) -> usize| {
        let words = counts.iter().map(|(letter, &count)| format!("{letter}{} ", number(count)));
        parse_set(&words.collect::<String>()).ok()
    };
    [set(|count| count), set(|_| 1)].into_iter().flatten().collect()
}

/// Rounds a number of cells to pieces, at least one.
fn copies(cells: usize, size: usize) -> usize {
    ((cells + size / 2) / size).max(1)
}
