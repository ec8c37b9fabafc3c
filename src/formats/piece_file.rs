//! Piece sets from files: a list of pieces, or a BurrTools puzzle with the pieces of its first problem.

use super::lines::decode;
use super::puzzle_error::{PuzzleError, PuzzleSetError};
use super::xmpuzzle::{GZIP, Puzzle, Shape, looks_like_puzzle, read_puzzle};
use super::{OpenError, looks_like_path, open_source, source_label};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{
    MAX_SET_CELLS, ParseSetError, Piece, PieceSet, parse_piece_lines, parse_set, set_within_limits,
    standard_set,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

/// The most bytes of a set file; the largest set takes some two million.
const MAX_BYTES: u64 = 8 << 20;

/// How much is looked at to tell a puzzle from a list.
const SNIFF_BYTES: u64 = 4 << 10;

/// Why a file does not give a piece set.
#[derive(Debug, thiserror::Error)]
pub enum PieceSetError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Not a set by name or by letters.
    #[error(transparent)]
    Text(#[from] ParseSetError),
    /// What names a file of pieces, but there is none.
    #[error("there is no file of pieces {0}")]
    Missing(String),
    /// Far too large.
    #[error("{file}: more than {} MiB, too large for a list of pieces", MAX_BYTES >> 20)]
    TooLong {
        /// The file as it was named.
        file: String,
    },
    /// A list of pieces with a fault.
    #[error("{file}: {error}")]
    List {
        /// The file as it was named.
        file: String,
        /// What is wrong.
        error: ParseSetError,
    },
    /// A puzzle that cannot be read.
    #[error("{file}: {error}")]
    Puzzle {
        /// The file as it was named.
        file: String,
        /// What is wrong.
        error: PuzzleError,
    },
    /// A puzzle whose pieces are not a set.
    #[error("{file}: {error}")]
    PuzzleSet {
        /// The file as it was named.
        file: String,
        /// What is wrong.
        error: PuzzleSetError,
    },
    /// Results name their set, and one name must not stand for two.
    #[error(
        "{file}: the set would be called {name}, which names other pieces; give the file another \
         name"
    )]
    Name {
        /// The file as it was named.
        file: String,
        /// Its name without the ending.
        name: String,
    },
}

/// A piece set by name ([`parse_set`]), by letters, or from a file ([`read_piece_set`]); relative files are in
/// `folder`.
///
/// # Errors
/// If the text is neither, or the file does not give a set.
pub fn find_piece_set(text: &str, folder: &Path) -> Result<PieceSet, PieceSetError> {
    let file = folder.join(text);
    match parse_set(text) {
        Ok(set) => Ok(set),
        Err(_) if file.is_file() => read_piece_set(&file),
        Err(_) if looks_like_path(text) => Err(PieceSetError::Missing(source_label(&file))),
        Err(error) => Err(error.into()),
    }
}

/// Reads a set of pieces from a file: a list ([`parse_piece_lines`]) or a BurrTools puzzle, of which
/// the pieces of the first problem are taken.
///
/// The set is called like the file without its ending, unless its pieces are those of a set that has a
/// name: all of them pieces of SOMA and SOMA+plus under their own letters. Pieces of a puzzle have the
/// name of their shape if that is one character, else the letter of the piece of SOMA or SOMA+plus
/// that they are, else the next free letter.
///
/// # Errors
/// If the file cannot be read, holds neither, a piece is not connected, or its name stands for other
/// pieces.
pub fn read_piece_set(path: &Path) -> Result<PieceSet, PieceSetError> {
    let file = source_label(path);
    let failed = |error| OpenError::Io { file: file.clone(), error };
    let mut input = open_source(path).map_err(|error| match error {
        OpenError::Missing(file) => PieceSetError::Missing(file),
        error => PieceSetError::Open(error),
    })?;
    let mut bytes = Vec::new();
    input.by_ref().take(SNIFF_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = stem.unwrap_or_else(|| file.clone());
    let set = if bytes.starts_with(&GZIP) || looks_like_puzzle(&decode(&bytes)) {
        let puzzle = read_puzzle(bytes.as_slice().chain(input));
        let puzzle = puzzle.map_err(|error| PieceSetError::Puzzle { file: file.clone(), error })?;
        let set = puzzle.piece_set(&name);
        set.map_err(|error| PieceSetError::PuzzleSet { file: file.clone(), error })?
    } else {
        input.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(PieceSetError::TooLong { file });
        }
        let set = parse_piece_lines(&name, &decode(&bytes));
        set.map_err(|error| PieceSetError::List { file: file.clone(), error })?
    };
    match parse_set(&name) {
        Ok(known) if known.pieces() != set.pieces() => Err(PieceSetError::Name { file, name }),
        Ok(known) => Ok(known),
        Err(_) => Ok(standard_set(&set).unwrap_or(set)),
    }
}

impl Puzzle {
    /// The pieces of the first problem.
    fn piece_set(&self, name: &str) -> Result<PieceSet, PuzzleSetError> {
        let uses = self.pieces.as_ref().ok_or(PuzzleSetError::NoProblem)?;
        // Equal shapes are one piece, under the first that has a name.
        let mut kinds: Vec<Kind> = Vec::new();
        let mut at_shape: BTreeMap<Vec<Cell>, usize> = BTreeMap::new();
        let mut total = 0_usize;
        for piece in uses {
            let line = piece.line;
            let found = piece.shape.and_then(|at| Some((at + 1, self.shapes.get(at)?)));
            let (shape, found) = found.ok_or(PuzzleSetError::UnknownShape { line })?;
            let count = match piece.copies {
                None => return Err(PuzzleSetError::NoCount { line, shape }),
                Some((least, most)) if least == most => least,
                Some((least, most)) => {
                    return Err(PuzzleSetError::Range { line, shape, least, most });
                }
            };
            if count == 0 {
                continue;
            }
            let piece = piece_of(found, shape)?;
            total = total.saturating_add(piece.size().saturating_mul(count));
            if total > MAX_SET_CELLS {
                return Err(PuzzleSetError::Set(ParseSetError::TooLarge(total)));
            }
            let at = *at_shape.entry(piece.shape()).or_insert(kinds.len());
            if at == kinds.len() {
                kinds.push(Kind { piece, count: 0, letter: None });
            }
            kinds[at].count += count;
            kinds[at].letter = kinds[at].letter.or_else(|| own_letter(found));
        }
        name_pieces(&mut kinds);
        let pieces = kinds.into_iter().map(|Kind { piece, count, letter }| {
            let letter = letter.expect("there are more letters than pieces of a set");
            (piece.with_name(letter), count)
        });
        set_within_limits(name, pieces.collect()).map_err(PuzzleSetError::Set)
    }
}

/// The cells of a shape with this number as a piece, which has no name yet.
fn piece_of(shape: &Shape, number: usize) -> Result<Piece, PuzzleSetError> {
    let line = shape.line;
    let figure = shape.figure.as_ref().map_err(|reason| PuzzleSetError::Shape {
        line,
        shape: number,
        reason: reason.clone(),
    })?;
    let piece = Piece::new('?', figure.cells());
    piece.map_err(|reason| PuzzleSetError::Piece { line, shape: number, reason })
}

/// Pieces of one shape.
struct Kind {
    piece: Piece,
    count: usize,
    letter: Option<char>,
}

/// The name of a shape if a piece may be called so.
fn own_letter(shape: &Shape) -> Option<char> {
    let mut chars = shape.name.as_ref()?.chars();
    let letter = chars.next().filter(|&c| is_name(c))?;
    chars.next().is_none().then_some(letter)
}

/// Signs of a set file are not names.
fn is_name(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '#' | '*' | ':')
}

/// Gives each kind a letter of its own.
fn name_pieces(kinds: &mut [Kind]) {
    let mut used = BTreeSet::new();
    for kind in kinds.iter_mut() {
        kind.letter = kind.letter.filter(|&letter| used.insert(letter));
    }
    let known = PieceSet::soma_plus();
    for kind in kinds.iter_mut().filter(|kind| kind.letter.is_none()) {
        let same = known.pieces().iter().find(|(piece, _)| piece.has_shape(kind.piece.cells()));
        kind.letter = same.map(|(piece, _)| piece.name()).filter(|&letter| used.insert(letter));
    }
    let mut further = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain('\u{c0}'..);
    for kind in kinds.iter_mut().filter(|kind| kind.letter.is_none()) {
        kind.letter = further.find(|&c| c.is_alphanumeric() && used.insert(c));
    }
}
