//! Whether the marks of a SOMA text are a packing with a set of pieces.

use super::soma_marks::piece_letter;
use super::{Entry, Marks};
use crate::figure::connected_parts;
use crate::lattice::Cell;
use crate::pieces::{Piece, PieceSet, parse_set};
use std::collections::BTreeMap;
use std::fmt;

/// Splitting the cells of equal pieces is given up after this many steps. Eight cells take a dozen;
/// only a figure that is no packing needs many.
const MAX_STEPS: usize = 100_000;

/// A packing that has been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The pieces with their names in the set, in its order, each with its cells in ascending order.
    pub pieces: Vec<(char, Vec<Cell>)>,
}

/// What is wrong with one mark or one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PieceFault {
    /// The cells of a mark do not have the shape of the piece it names.
    Shape {
        /// The mark in the text.
        mark: char,
        /// The piece it stands for.
        piece: char,
        /// How many cells bear the mark.
        found: usize,
        /// How many cells the piece has.
        size: usize,
        /// How many of the piece the set has.
        wanted: usize,
        /// The piece whose shape they have, if their number is right.
        looks_like: Option<char>,
    },
    /// The set has no such piece.
    NotInSet {
        /// The mark in the text.
        mark: char,
        /// How many cells bear it.
        found: usize,
    },
    /// A piece is missing, or there are too many of it.
    Count {
        /// The name of the piece in the set.
        piece: char,
        /// How many of it were found.
        found: usize,
        /// How many of it the set has.
        wanted: usize,
    },
}

impl fmt::Display for PieceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Shape { mark, piece, found, size, wanted, looks_like } => {
                write!(f, "piece {mark}")?;
                if mark != piece {
                    write!(f, " ({piece})")?;
                }
                match looks_like {
                    Some(other) => write!(f, " has the shape of {other}"),
                    None if found == size => f.write_str(" has the shape of no known piece"),
                    None if found.is_multiple_of(size) => {
                        write!(f, " cannot be split into {} pieces", found / size)
                    }
                    None => {
                        let s = if found == 1 { "" } else { "s" };
                        let multiple = if wanted > 1 { "a multiple of " } else { "" };
                        write!(f, " has {found} cell{s}, not {multiple}{size}")
                    }
                }
            }
            Self::NotInSet { mark, found } => {
                let s = if found == 1 { "" } else { "s" };
                write!(f, "the mark {mark} ({found} cell{s}) is no piece of the set")
            }
            Self::Count { piece, found: 0, wanted: 1 } => write!(f, "piece {piece} is missing"),
            Self::Count { piece, found, wanted } => {
                let s = if found == 1 { "" } else { "s" };
                write!(f, "piece {piece} occurs {found} time{s}, not {wanted}")
            }
        }
    }
}

/// Why marks are no packing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionFault {
    /// The entry has no marks that claim to be pieces.
    #[error("the cells do not name pieces")]
    NotMarked,
    /// The figure is too small or too large for the set.
    #[error("{found} cells, but the pieces of {set} have {expected}{}", list("; ", faults))]
    CellCount {
        /// The number of cells of the figure.
        found: usize,
        /// The number of cells of the set.
        expected: usize,
        /// The name of the set.
        set: String,
        /// The pieces that are to blame.
        faults: Vec<PieceFault>,
    },
    /// The number of cells is right, but the pieces are not.
    #[error("{}", list("", faults))]
    Pieces {
        /// One for each piece that is wrong.
        faults: Vec<PieceFault>,
    },
    /// Right in every piece once the marks 5 and 6, or A and B, are exchanged.
    #[error("copied from a mirror image: right once 5 and 6 (A and B) are exchanged")]
    Mirrored,
}

fn list(before: &str, faults: &[PieceFault]) -> String {
    let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
    if words.is_empty() { String::new() } else { format!("{before}{}", words.join(", ")) }
}

/// Whether the marks can be meant as pieces: all of them name one, and not all cells bear the same
/// mark, unless that is the piece.
pub(super) fn claims_to_be_packed(marks: &Marks) -> bool {
    let piece = |mark| piece_letter(mark).and_then(PieceSet::known_piece);
    match marks.as_slice() {
        [] => false,
        [(mark, cells)] => piece(*mark).is_some_and(|piece| piece.has_shape(cells)),
        _ => marks.iter().all(|(mark, _)| piece_letter(*mark).is_some()),
    }
}

/// Marks for cells that are still free where other marks name pieces in place.
pub const FREE_MARKS: &str = "*#oOxX+?@";

/// The marks that name pieces in place: all but one, which is a mark for free cells.
pub(super) fn pieces_in_place(marks: &Marks) -> Option<Marks> {
    let is_free = |mark: char| FREE_MARKS.contains(mark);
    let placed: Marks = marks.iter().filter(|(mark, _)| !is_free(*mark)).cloned().collect();
    let named = placed.iter().all(|(mark, _)| piece_letter(*mark).is_some());
    (named && !placed.is_empty() && placed.len() + 1 == marks.len()).then_some(placed)
}

/// The set a figure is meant for: SOMA for 27 cells, two of it for 54, SOMA+plus for 40; otherwise
/// the pieces that the marks name, as often as their cells suffice. `None` without such marks.
#[must_use]
pub fn guess_set(entry: &Entry) -> Option<PieceSet> {
    if let Some(set) = PieceSet::standard(entry.figure.len()) {
        return Some(set);
    }
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for (mark, cells) in entry.solution.as_ref()? {
        let letter = piece_letter(*mark)?;
        let size = PieceSet::known_piece(letter)?.size();
        *counts.entry(letter).or_default() += copies(cells.len(), size);
    }
    let words: Vec<String> =
        counts.iter().map(|(letter, count)| format!("{letter}{count}")).collect();
    parse_set(&words.join(" ")).ok()
}

/// The number of pieces that a number of cells comes nearest to, at least one.
fn copies(cells: usize, size: usize) -> usize {
    ((cells + size / 2) / size).max(1)
}

/// Checks whether the marks of an entry are a packing with exactly the pieces of a set.
///
/// A mark may stand for several equal pieces; if they can be told apart in more than one way, one
/// is chosen.
///
/// # Errors
/// What is wrong: no marks, a wrong number of cells, pieces of a wrong shape, missing or too many,
/// or a packing copied from a mirror image.
pub fn check_solution(entry: &Entry, set: &PieceSet) -> Result<Solved, SolutionFault> {
    let marks = entry.solution.as_ref().ok_or(SolutionFault::NotMarked)?;
    let faults = match check(marks, set, false) {
        Ok(solved) => return Ok(solved),
        Err(faults) => faults,
    };
    let (found, expected) = (entry.figure.len(), set.total_cells());
    if found != expected {
        let set = set.name().to_owned();
        return Err(SolutionFault::CellCount { found, expected, set, faults });
    }
    if check(marks, set, true).is_ok() {
        return Err(SolutionFault::Mirrored);
    }
    Err(SolutionFault::Pieces { faults })
}

/// The piece a mark names: its position in the set.
fn named(mark: char, cells: &[Cell], set: &PieceSet) -> Option<usize> {
    let pieces = set.pieces();
    if let Some(at) = pieces.iter().position(|(piece, _)| piece.name() == mark) {
        return Some(at);
    }
    match piece_letter(mark).and_then(PieceSet::known_piece) {
        Some(known) => pieces.iter().position(|(piece, _)| piece.has_shape(known.cells())),
        // Sets from a file have names of their own, and equal pieces are merged under one.
        None => pieces.iter().position(|(piece, _)| piece.has_shape(cells)),
    }
}

/// Checks the marks, with every piece replaced by its mirror image if `mirrored`.
fn check(marks: &Marks, set: &PieceSet, mirrored: bool) -> Result<Solved, Vec<PieceFault>> {
    let mut faults = Vec::new();
    let mut found: Vec<Vec<Vec<Cell>>> = vec![Vec::new(); set.pieces().len()];
    let mut misshapen = vec![false; set.pieces().len()];
    for (mark, cells) in marks {
        let Some(at) = named(*mark, cells, set) else {
            faults.push(PieceFault::NotInSet { mark: *mark, found: cells.len() });
            continue;
        };
        let piece = &set.pieces()[at].0;
        let shape = if mirrored { piece.mirror_shape() } else { piece.shape() };
        let split = split(&Piece::new(piece.name(), &shape), cells);
        if let Some(pieces) = split {
            found[at].extend(pieces);
        } else {
            misshapen[at] = true;
            faults.push(PieceFault::Shape {
                mark: *mark,
                piece: piece.name(),
                found: cells.len(),
                size: piece.size(),
                wanted: set.pieces()[at].1,
                looks_like: looks_like(cells, set).filter(|_| cells.len() == piece.size()),
            });
        }
    }
    for (at, (piece, wanted)) in set.pieces().iter().enumerate() {
        // How many a misshapen piece was meant to be is anyone's guess.
        if found[at].len() != *wanted && !misshapen[at] {
            let (piece, found) = (piece.name(), found[at].len());
            faults.push(PieceFault::Count { piece, found, wanted: *wanted });
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let placed = set
        .pieces()
        .iter()
        .zip(found)
        .flat_map(|((piece, _), places)| places.into_iter().map(|cells| (piece.name(), cells)));
    Ok(Solved { pieces: placed.collect() })
}

/// The piece of the set, or of SOMA and SOMA+plus, that has the shape of the cells.
fn looks_like(cells: &[Cell], set: &PieceSet) -> Option<char> {
    let plus = PieceSet::soma_plus();
    let mut all = set.pieces().iter().chain(plus.pieces());
    all.find(|(piece, _)| piece.has_shape(cells)).map(|(piece, _)| piece.name())
}

/// Cuts cells into copies of one piece: at once if every connected part is one, as our own writer
/// leaves them, else by an exact cover, always at the lowest free cell.
fn split(piece: &Piece, cells: &[Cell]) -> Option<Vec<Vec<Cell>>> {
    if !cells.len().is_multiple_of(piece.size()) {
        return None;
    }
    let orientations = piece.orientations();
    let mut free = cells.to_vec();
    free.sort_unstable();
    let parts = connected_parts(&free);
    if parts.iter().all(|part| piece.has_shape(part)) {
        return Some(parts);
    }
    let mut placed = Vec::new();
    let mut steps = 0;
    cover(&orientations, &free, &mut placed, &mut steps).then_some(placed)
}

fn cover(
    orientations: &[Vec<Cell>],
    free: &[Cell],
    placed: &mut Vec<Vec<Cell>>,
    steps: &mut usize,
) -> bool {
    let Some(&lowest) = free.first() else { return true };
    for shape in orientations {
        *steps += 1;
        if *steps > MAX_STEPS {
            return false;
        }
        // The first cell of an orientation is its lowest.
        let cells: Vec<Cell> = shape.iter().map(|&c| c - shape[0] + lowest).collect();
        if cells.iter().all(|cell| free.binary_search(cell).is_ok()) {
            let rest: Vec<Cell> = free.iter().copied().filter(|c| !cells.contains(c)).collect();
            placed.push(cells);
            if cover(orientations, &rest, placed, steps) {
                return true;
            }
            placed.pop();
        }
    }
    false
}
