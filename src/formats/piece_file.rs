//! Piece sets from files: a list of pieces, or the pieces of a BurrTools puzzle's first problem.

use super::lines::decode;
use super::puzzle_error::PuzzleSetError;
use super::xmpuzzle::{GZIP, Puzzle, PuzzleShape, looks_like_puzzle, read_puzzle};
use super::{OpenError, looks_like_path, open_source, source_label};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{
    MAX_SET_CELLS, ParseSetError, Piece, PieceSet, parse_piece_lines, parse_set, set_within_limits,
    standard_set,
};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::Read;
use std::path::Path;

/// The most bytes of a set file. The largest set takes about two million.
const MAX_SET_FILE_BYTES: u64 = 8 << 20;

/// The number of bytes examined to distinguish a puzzle from a list.
const SNIFF_BYTES: u64 = 4 << 10;

/// The reason why a file does not contain a piece set.
#[derive(Debug, thiserror::Error)]
pub enum PieceSetError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Text(#[from] ParseSetError),
    #[error("cannot find the piece file {0}")]
    Missing(String),
    #[error("{file}: more than {} MiB, too large for a list of pieces", MAX_SET_FILE_BYTES >> 20)]
    TooLong { file: String },
    #[error("{file}: {error}")]
    Contents { file: String, error: Box<dyn Error + Send + Sync> },
    #[error(
        "{file}: the set would be called {name}, which names other pieces; give the file another \
         name"
    )]
    Name {
        file: String,
        /// The file's name without the extension.
        name: String,
    },
}

/// Finds a piece set by name, by letters or in a file. See [`parse_set`] and [`read_piece_set`]. Relative paths
/// start at `folder`.
pub fn find_piece_set(text: &str, folder: &Path) -> Result<PieceSet, PieceSetError> {
    let file = folder.join(text);
    match parse_set(text) {
        Ok(set) => Ok(set),
        Err(_) if file.is_file() => read_piece_set(&file),
        Err(_) if looks_like_path(text) => Err(PieceSetError::Missing(source_label(&file))),
        Err(error) => Err(error.into()),
    }
}

/// Reads a set of pieces from a file: a list ([`parse_piece_lines`]), or a BurrTools puzzle's first problem.
///
/// The set has the name of the file without its extension. If all its pieces are pieces of SOMA and SOMA+plus under
/// their own letters, it has the name of that set. A piece of a puzzle has the name of its shape if that is one
/// character. Otherwise it has the letter of the equal piece of SOMA or SOMA+plus, or the next free letter.
///
/// # Errors
/// If the file cannot be read, is neither a list nor a puzzle, has a piece that is not connected, or has the name
/// of other pieces.
pub fn read_piece_set(path: &Path) -> Result<PieceSet, PieceSetError> {
    let file = source_label(path);
    let failed = |error| OpenError::Io { file: file.clone(), error };
    let contents = |error| PieceSetError::Contents { file: file.clone(), error };
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
        let puzzle = puzzle.map_err(|error| contents(error.into()))?;
        puzzle.piece_set(&name).map_err(|error| contents(error.into()))?
    } else {
        input.take(MAX_SET_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > MAX_SET_FILE_BYTES {
            return Err(PieceSetError::TooLong { file });
        }
        let set = parse_piece_lines(&name, &decode(&bytes));
        set.map_err(|error| contents(error.into()))?
    };
    match parse_set(&name) {
        Ok(known) if known.pieces() != set.pieces() => Err(PieceSetError::Name { file, name }),
        Ok(known) => Ok(known),
        Err(_) => Ok(standard_set(&set).unwrap_or(set)),
    }
}

impl Puzzle {
    /// Returns the pieces of the first problem.
    fn piece_set(&self, name: &str) -> Result<PieceSet, PuzzleSetError> {
        let uses = self.pieces.as_ref().ok_or(PuzzleSetError::NoProblem)?;
        // Equal shapes are one piece, under the name of the first that has one.
        let mut kinds: Vec<PuzzlePiece> = Vec::new();
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
                kinds.push(PuzzlePiece { piece, count: 0, letter: None });
            }
            kinds[at].count += count;
            kinds[at].letter = kinds[at].letter.or_else(|| own_letter(found));
        }
        name_pieces(&mut kinds);
        let pieces = kinds.into_iter().map(|PuzzlePiece { piece, count, letter }| {
            let letter = letter.expect("there are more letters than pieces of a set");
            (piece.with_name(letter), count)
        });
        set_within_limits(name, pieces.collect()).map_err(PuzzleSetError::Set)
    }
}

/// Returns a shape's cells as a piece with a placeholder name. `number` is the shape's number.
fn piece_of(shape: &PuzzleShape, number: usize) -> Result<Piece, PuzzleSetError> {
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
struct PuzzlePiece {
    piece: Piece,
    count: usize,
    letter: Option<char>,
}

/// Returns the name of a shape if it suits a piece.
fn own_letter(shape: &PuzzleShape) -> Option<char> {
    let mut chars = shape.name.as_ref()?.chars();
    let letter = chars.next().filter(|&c| is_name(c))?;
    chars.next().is_none().then_some(letter)
}

/// Returns `true` if a character can be a name. The special characters of set files cannot.
fn is_name(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '#' | '*' | ':')
}

/// Gives each kind a unique letter.
fn name_pieces(kinds: &mut [PuzzlePiece]) {
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
