//! Checks whether a text's marks are a packing with a piece set.

use super::soma_marks::{capital, piece_letter};
use super::{Entry, Marks, PackingFault, PieceFault};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, connected_parts};
use somacat_geometry::pieces::{GAP, Piece, PieceSet};
use std::collections::BTreeMap;

/// The most steps for splitting the cells of equal pieces. The split is abandoned after them. Eight cells take a dozen.
/// Only a figure that is not a packing needs many.
pub(super) const MAX_SPLIT_STEPS: usize = 100_000;

/// A packing that the marks of a text state.
///
/// ```
/// use somacat_formats::PublishedPacking;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// // The letters of the cells of a square, in their order. Two dominoes that touch are numbered.
/// let (square, dominoes) = (Figure::of_box([2, 2, 1]).unwrap(), parse_set("D2").unwrap());
/// for letters in ["D1 D1 D2 D2", "D1 D2 D1 D2"] {
///     let packing = PublishedPacking::from_letters(&square, letters, &dominoes);
///     assert_eq!(packing.expect("a packing").letters(), letters);
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedPacking {
    /// The pieces with their names in the set, in its order. The cells of each are ascending, in the coordinates of
    /// the entry's figure.
    pub pieces: Vec<(char, Vec<Cell>)>,
}

impl PublishedPacking {
    /// Creates a packing from the result of [`Self::letters`]. `None` if these are not the pieces of the set, or numbered
    /// otherwise. Equal pieces without numbers are divided as [`check_packing`] does.
    pub fn from_letters(figure: &Figure, letters: &str, set: &PieceSet) -> Option<Self> {
        let mut marks: BTreeMap<(char, &str), Vec<Cell>> = BTreeMap::new();
        let words: Vec<&str> = match letters.contains(' ') {
            true => letters.split(' ').collect(),
            false => letters.split("").filter(|letter| !letter.is_empty()).collect(),
        };
        if words.len() != figure.len() {
            return None;
        }
        for (word, cell) in words.into_iter().zip(figure.cells()) {
            let letter = word.chars().next()?;
            set.pieces().iter().find(|(piece, _)| piece.letter() == letter)?;
            marks.entry((letter, word)).or_default().push(*cell);
        }
        let marks = marks.into_iter().map(|((letter, _), cells)| (letter, cells)).collect();
        let mut steps = MAX_SPLIT_STEPS;
        let packing = check_marks(&marks, set, false, &mut steps).ok()?;
        (!letters.contains(' ') || packing.letters() == letters).then_some(packing)
    }

    /// Returns the piece of each cell, in the order of the cells: `VVVDD`. If equal pieces touch, they have
    /// numbers, and blanks separate the cells: `D1 D1 D2 D2`.
    pub fn letters(&self) -> String {
        let mut by_letter: BTreeMap<char, Vec<&[Cell]>> = BTreeMap::new();
        for (letter, cells) in &self.pieces {
            by_letter.entry(*letter).or_default().push(cells);
        }
        let mut words: BTreeMap<Cell, String> = BTreeMap::new();
        let mut separator = "";
        for (letter, mut copies) in by_letter {
            copies.sort_unstable();
            let mut all = copies.concat();
            all.sort_unstable();
            let touch = connected_parts(&all).len() < copies.len();
            for (number, cells) in (1..).zip(&copies) {
                let word = if touch { format!("{letter}{number}") } else { letter.to_string() };
                words.extend(cells.iter().map(|cell| (*cell, word.clone())));
            }
            if touch {
                separator = " ";
            }
        }
        words.into_values().collect::<Vec<_>>().join(separator)
    }
}

/// Returns `true` if the marks may be meant as pieces. Every mark must name a piece. A single mark for all cells
/// must have the shape of its piece.
pub(super) fn claims_to_be_packed(marks: &Marks) -> bool {
    let piece = |mark| piece_letter(mark).and_then(PieceSet::standard_piece);
    match marks.as_slice() {
        [] => false,
        [(mark, cells)] => piece(*mark).is_some_and(|piece| piece.has_shape(cells)),
        _ => marks.iter().all(|(mark, _)| piece_letter(*mark).is_some()),
    }
}

/// Marks for the free cells of figures with pieces in place. Other marks name the pieces. `~` marks free cells that
/// may stay empty.
pub const FREE_MARKS: &str = "*#oOxX+?@~";

/// Returns the marks of pieces in place: all but one mark for free cells, or but two if one of them is `~`.
pub(super) fn pieces_in_place(marks: &Marks) -> Option<Marks> {
    let is_free = |mark: char| FREE_MARKS.contains(mark);
    let placed: Marks = marks.iter().filter(|(mark, _)| !is_free(*mark)).cloned().collect();
    let named = placed.iter().all(|(mark, _)| piece_letter(*mark).is_some());
    let filled = marks.iter().filter(|(mark, _)| is_free(*mark) && *mark != GAP).count();
    (named && !placed.is_empty() && placed.len() < marks.len() && filled <= 1).then_some(placed)
}

/// Checks whether an entry's marks are a packing with a set. The packing must use exactly the pieces of the set, or as
/// many of each as its range allows. A mark may represent several equal pieces. If its cells can be split in several ways,
/// one is chosen.
///
/// ```
/// use somacat_formats::{Item, Reader, check_packing};
/// use somacat_geometry::pieces::parse_set;
///
/// let text = "/SOMA1\n/VVD\n/V.D\n";
/// let Some(Ok(Item::Entry(entry))) = Reader::new(text.as_bytes(), None)?.next() else { panic!() };
/// let packing = check_packing(&entry, &parse_set("V D").unwrap()).expect("a packing");
/// assert_eq!(packing.pieces.iter().map(|(piece, _)| *piece).collect::<String>(), "VD");
/// # Ok::<(), somacat_formats::ReadError>(())
/// ```
pub fn check_packing(entry: &Entry, set: &PieceSet) -> Result<PublishedPacking, PackingFault> {
    let marks = entry.claim_with(set).ok_or(PackingFault::NoClaim)?;
    let mut steps = MAX_SPLIT_STEPS;
    let mut faults = match check_marks(marks, set, false, &mut steps) {
        Ok(packing) => return Ok(packing),
        Err(faults) => faults,
    };
    fill_in_rows(&mut faults, marks, entry);
    let (cells, expected) = (entry.figure.len(), set.total_cells());
    if !set.is_choice() && cells != expected {
        let set = set.name().to_owned();
        return Err(PackingFault::CellCount { cells, expected, set, faults });
    }
    if faults.iter().all(|fault| matches!(fault, PieceFault::Count { .. })) {
        return Err(PackingFault::OtherPieces { set: set.name().to_owned(), faults });
    }
    let mut steps = MAX_SPLIT_STEPS;
    if check_marks(marks, set, true, &mut steps).is_ok() {
        return Err(PackingFault::Mirrored { pairs: mirror_pairs(set) });
    }
    Err(PackingFault::Pieces { faults })
}

pub(super) fn fill_in_rows(faults: &mut [PieceFault], marks: &Marks, entry: &Entry) {
    for fault in faults {
        if let PieceFault::Shape { mark, rows, .. } | PieceFault::NotInSet { mark, rows, .. } =
            fault
        {
            let cells = marks.iter().find(|(known, _)| known == mark);
            *rows = cells.and_then(|(_, cells)| entry.layout.span(cells));
            *mark = entry.layout.mark_in_text(*mark);
        }
    }
}

/// Returns pairs of mirror-image pieces, if the set is closed under reflection.
fn mirror_pairs(set: &PieceSet) -> Vec<(char, char)> {
    let name = |at: usize| set.pieces()[at].0.letter();
    let map = set.mirror_map().unwrap_or_default();
    let pairs = map.iter().enumerate().filter(|&(at, &image)| at < image);
    pairs.map(|(at, &image)| (name(at), name(image))).collect()
}

/// Returns the piece that a mark represents: the one of that letter, or with the shape of the piece of SOMA+plus whose
/// mark it is. If there are several, the cells decide.
pub(super) fn piece_of_mark(mark: char, cells: &[Cell], set: &PieceSet) -> Option<usize> {
    let pieces = set.pieces();
    if let Some(at) = pieces.iter().position(|(piece, _)| piece.letter() == mark) {
        return Some(at);
    }
    let known = piece_letter(mark).and_then(PieceSet::standard_piece);
    let is_known = |at: &usize| known.is_some_and(|known| pieces[*at].0.has_shape(known.cells()));
    let named = |at: &usize| capital(pieces[*at].0.letter()) == capital(mark);
    let mut found: Vec<usize> = (0..pieces.len()).filter(is_known).collect();
    found.extend((0..pieces.len()).filter(|at| named(at) && !is_known(at)));
    let mut steps = MAX_SPLIT_STEPS;
    match found.as_slice() {
        // Sets from a file have their own names, and equal pieces share one.
        [] if known.is_none() => pieces.iter().position(|(piece, _)| piece.has_shape(cells)),
        [] | [_] => found.pop(),
        _ => {
            // A digit and a capital of another alphabet stand for the capital first.
            found.sort_by_key(|at| pieces[*at].0.letter() != capital(mark));
            let fits = |at: &&usize| split(&pieces[**at].0, cells, &mut steps).is_some();
            found.iter().find(fits).or(found.first()).copied()
        }
    }
}

/// Returns `true` if the marks name pieces of the set. Marks that may be free cells must have the shape of their piece.
pub(super) fn name_pieces(marks: &Marks, set: &PieceSet) -> bool {
    let mut steps = MAX_SPLIT_STEPS;
    marks.iter().all(|(mark, cells)| {
        let piece = piece_of_mark(*mark, cells, set).map(|at| &set.pieces()[at].0);
        let named = |piece: &&Piece| {
            piece_letter(*mark).is_some() || capital(piece.letter()) == capital(*mark)
        };
        piece.filter(named).is_some_and(|piece| {
            !FREE_MARKS.contains(*mark) || split(piece, cells, &mut steps).is_some()
        })
    })
}

/// Checks the marks, with mirrored pieces if `mirrored`. `steps` is the remaining budget for splitting the cells of
/// equal pieces.
pub(super) fn check_marks(
    marks: &Marks,
    set: &PieceSet,
    mirrored: bool,
    steps: &mut usize,
) -> Result<PublishedPacking, Vec<PieceFault>> {
    let mut faults = Vec::new();
    let mut places: Vec<Vec<Vec<Cell>>> = vec![Vec::new(); set.pieces().len()];
    let mut misshapen = vec![false; set.pieces().len()];
    for (mark, cells) in marks {
        let Some(at) = piece_of_mark(*mark, cells, set) else {
            faults.push(PieceFault::NotInSet { mark: *mark, cells: cells.len(), rows: None });
            continue;
        };
        let (piece, wanted) = &set.pieces()[at];
        let parts = if mirrored {
            split(&piece.mirror_image(), cells, steps)
        } else {
            split(piece, cells, steps)
        };
        if let Some(pieces) = parts {
            places[at].extend(pieces);
        } else {
            misshapen[at] = true;
            faults.push(PieceFault::Shape {
                mark: *mark,
                piece: piece.letter(),
                cells: cells.len(),
                size: piece.size(),
                wanted: *wanted,
                looks_like: looks_like(cells, set).filter(|_| cells.len() == piece.size()),
                rows: None,
            });
        }
    }
    for (at, (piece, [least, most])) in set.ranges().enumerate() {
        let number = places[at].len();
        let wanted = number.clamp(least, most);
        // The intended number of a misshapen piece is unknown.
        if number != wanted && !misshapen[at] {
            faults.push(PieceFault::Count { piece: piece.letter(), number, wanted });
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    // Copies are numbered in the order of their cells, not of their marks, where B10 comes before B2.
    places.iter_mut().for_each(|places| places.sort_unstable());
    let placed =
        set.pieces().iter().zip(places).flat_map(|((piece, _), places)| {
            places.into_iter().map(|cells| (piece.letter(), cells))
        });
    Ok(PublishedPacking { pieces: placed.collect() })
}

/// Returns the piece with the shape of the cells. It is a piece of the set, or of SOMA and SOMA+plus.
fn looks_like(cells: &[Cell], set: &PieceSet) -> Option<char> {
    let plus = PieceSet::soma_plus();
    let mut all = set.pieces().iter().chain(plus.pieces());
    all.find(|(piece, _)| piece.has_shape(cells)).map(|(piece, _)| piece.letter())
}

/// Cuts cells into copies of one piece. If every connected part is one piece, as in files of this program, the
/// parts are the result. Otherwise searches for an exact cover, always at the lowest free cell.
pub(super) fn split(piece: &Piece, cells: &[Cell], steps: &mut usize) -> Option<Vec<Vec<Cell>>> {
    if !cells.len().is_multiple_of(piece.size()) {
        return None;
    }
    let mut free = cells.to_vec();
    free.sort_unstable();
    let parts = connected_parts(&free);
    if parts.iter().all(|part| piece.has_shape(part)) {
        return Some(parts);
    }
    if cells.len() == piece.size() {
        return None;
    }
    let mut placed = Vec::new();
    exact_cover(&piece.orientations(), &free, &mut placed, steps).then_some(placed)
}

fn exact_cover(
    orientations: &[Vec<Cell>],
    free: &[Cell],
    placed: &mut Vec<Vec<Cell>>,
    steps: &mut usize,
) -> bool {
    let Some(&lowest) = free.first() else { return true };
    for shape in orientations {
        let Some(left) = steps.checked_sub(1) else { return false };
        *steps = left;
        // The first cell of an orientation is its lowest.
        let cells: Vec<Cell> = shape.iter().map(|&c| c - shape[0] + lowest).collect();
        if cells.iter().all(|cell| free.binary_search(cell).is_ok()) {
            let rest: Vec<Cell> = free.iter().copied().filter(|c| !cells.contains(c)).collect();
            placed.push(cells);
            if exact_cover(orientations, &rest, placed, steps) {
                return true;
            }
            placed.pop();
        }
    }
    false
}
