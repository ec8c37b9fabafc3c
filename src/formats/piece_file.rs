//! Piece sets from files: a list of pieces, drawings of them, or the pieces of a BurrTools puzzle's first problem.

use super::lines::{decode, decode_text};
use super::puzzle_error::PuzzleSetError;
use super::xmpuzzle::{GZIP, PieceUse, Puzzle, PuzzleShape, looks_like_puzzle, read_puzzle};
use super::{Entry, Format, Item, OpenError, Reader, looks_like_path, open_source, source_label};
use somacat_geometry::pieces::{
    ColoredShape, MAX_SET_CELLS, OPTIONAL, ParseSetError, Piece, PieceSet, draws_pieces,
    is_own_set_name, is_piece_name, parse_colored_piece_lines, parse_copies, parse_set_with_ranges,
    set_within_limits, with_standard_name,
};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{BufRead, Read};
use std::path::Path;

/// The most bytes of a set file. The largest set takes about two million.
const MAX_SET_FILE_BYTES: u64 = 8 << 20;

/// The number of bytes examined to distinguish a puzzle from a list.
const SNIFF_BYTES: u64 = 4 << 10;

/// The reason why a file does not contain a piece set.
///
/// ```
/// use somacat_formats::find_piece_set;
/// use std::path::Path;
///
/// let error = find_piece_set("mine.txt", Path::new("nowhere")).unwrap_err();
/// assert!(error.to_string().contains("mine.txt"));
/// ```
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
}

/// Finds a piece set by name, by letters or in a file. See [`somacat_geometry::pieces::parse_set`] and
/// [`read_piece_set`]. Relative paths start at `folder`. Refuses pieces with colors.
///
/// ```
/// use somacat_formats::find_piece_set;
/// use std::path::Path;
///
/// assert_eq!(find_piece_set("2xSOMA", Path::new("."))?.total_cells(), 54);
/// assert!(find_piece_set("mine.txt", Path::new("no-such-folder")).is_err());
/// # Ok::<(), somacat_formats::PieceSetError>(())
/// ```
pub fn find_piece_set(text: &str, folder: &Path) -> Result<PieceSet, PieceSetError> {
    let set = find_colored_piece_set(text, folder)?;
    set.plain().map_err(|error| PieceSetError::Contents {
        file: source_label(&folder.join(text)),
        error: error.into(),
    })
}

/// Finds a piece set like [`find_piece_set`], for uses that obey the colors of cells and ranges of copies.
pub fn find_colored_piece_set(text: &str, folder: &Path) -> Result<PieceSet, PieceSetError> {
    let file = folder.join(text);
    match parse_set_with_ranges(text) {
        Ok(set) => Ok(set),
        Err(_) if file.exists() => read_colored_piece_set(&file),
        Err(error @ ParseSetError::Copies(_)) => Err(error.into()),
        Err(_) if looks_like_path(text) => Err(PieceSetError::Missing(source_label(&file))),
        Err(error) => Err(error.into()),
    }
}

/// Reads a set of pieces from a file: a list ([`parse_colored_piece_lines`]), drawings, or a BurrTools puzzle's first
/// problem.
///
/// A list may draw pieces, too. In SOMA text, height maps and slices each figure is a piece, under its name; `V*2`
/// stands for two copies. A figure
/// whose marks are several pieces, such as a solution, gives all of them.
///
/// The set has the name of the file without its extension. If other pieces have that name, it has the whole name of the
/// file, or `./` and that name. If all its pieces are pieces of SOMA and SOMA+plus under their own letters, it has the
/// name of that set. A piece of a puzzle or a drawing has its name there if that suits a piece. Otherwise it has the
/// letter of the equal piece of SOMA or SOMA+plus, or the next free letter.
///
/// # Errors
/// If the file cannot be read, is neither a list nor a puzzle, or has a piece that is not connected or has colors.
pub fn read_piece_set(path: &Path) -> Result<PieceSet, PieceSetError> {
    let set = read_colored_piece_set(path)?;
    let file = source_label(path);
    set.plain().map_err(|error| PieceSetError::Contents { file, error: error.into() })
}

fn read_colored_piece_set(path: &Path) -> Result<PieceSet, PieceSetError> {
    let input = open_source(path).map_err(|error| match error {
        OpenError::Missing(file) => PieceSetError::Missing(file),
        error => PieceSetError::Open(error),
    })?;
    colored_piece_set_of(path, input)
}

/// Reads a set like [`read_piece_set`] from an open file, also with colors. `path` gives its name.
///
/// ```
/// use somacat_formats::colored_piece_set_of;
/// use std::path::Path;
///
/// let set = colored_piece_set_of(Path::new("mine.txt"), &b"V: 0,0,0 1,0,0 0,1,0\nX: 0,0,0 1,0,0\n"[..])?;
/// assert_eq!((set.name(), set.total_cells()), ("mine", 5));
/// # Ok::<(), somacat_formats::PieceSetError>(())
/// ```
///
/// # Errors
/// Fails like [`read_piece_set`], but never because of colors.
pub fn colored_piece_set_of(
    path: &Path,
    mut input: impl BufRead,
) -> Result<PieceSet, PieceSetError> {
    let file = source_label(path);
    let failed = |error| OpenError::Io { file: file.clone(), error };
    let contents = |error| PieceSetError::Contents { file: file.clone(), error };
    let mut bytes = Vec::new();
    input.by_ref().take(SNIFF_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = stem.unwrap_or_else(|| file.clone());
    let set = if bytes.starts_with(&GZIP) || looks_like_puzzle(&decode(&bytes)) {
        let puzzle = read_puzzle(bytes.as_slice().chain(input));
        let puzzle = puzzle.map_err(|error| contents(error.into()))?;
        puzzle.first_set(&name).map_err(|error| contents(error.into()))?
    } else {
        input.take(MAX_SET_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > MAX_SET_FILE_BYTES {
            return Err(PieceSetError::TooLong { file });
        }
        let set = match Reader::new(bytes.as_slice(), None) {
            Ok(reader)
                if reader.format() != Format::Cells && !draws_pieces(&decode_text(&bytes)) =>
            {
                drawn_set(&name, reader)
            }
            _ => parse_colored_piece_lines(&name, &decode_text(&bytes)).map_err(Into::into),
        };
        set.map_err(contents)?
    };
    if let Some(standard) = with_standard_name(&set) {
        return Ok(standard);
    }
    let whole = path.file_name().map_or(name.clone(), |name| name.to_string_lossy().into_owned());
    // The name of a set is on one line of a certificate.
    let [name, whole] = [name, whole].map(|name| name.replace(char::is_control, "\u{fffd}"));
    for name in [name, whole.clone()] {
        match parse_set_with_ranges(&name) {
            Ok(known) if known.definition() == set.definition() => return Ok(known),
            _ if is_own_set_name(&name) => return Ok(set.renamed(name)),
            _ => {}
        }
    }
    Ok(set.renamed(format!("./{whole}")))
}

impl Puzzle {
    /// Returns the pieces of the first problem.
    fn first_set(&self, name: &str) -> Result<PieceSet, PuzzleSetError> {
        let uses = self.problems.first().and_then(|problem| problem.pieces.as_ref());
        self.set_of(uses.ok_or(PuzzleSetError::NoProblem)?, name)
    }

    /// Returns the pieces that a problem lists.
    pub(super) fn set_of(&self, uses: &[PieceUse], name: &str) -> Result<PieceSet, PuzzleSetError> {
        let mut kinds = PieceKinds::default();
        for piece in uses {
            let line = piece.line;
            let found = piece.shape.and_then(|at| Some((at + 1, self.shapes.get(at)?)));
            let (shape, found) = found.ok_or(PuzzleSetError::UnknownShape { line })?;
            let copies = match piece.copies {
                None => return Err(PuzzleSetError::NoCount { line, shape }),
                Some((least, most)) if least > most => {
                    return Err(PuzzleSetError::Range { line, shape, least, most });
                }
                Some((_, 0)) => continue,
                Some((least, most)) => [least, most],
            };
            let piece = piece_of(found, shape)?;
            kinds.add(piece, copies, found.name.as_deref()).map_err(PuzzleSetError::Set)?;
        }
        kinds.into_set(name).map_err(PuzzleSetError::Set)
    }
}

/// Reads figures as pieces.
fn drawn_set(name: &str, reader: Reader<&[u8]>) -> Result<PieceSet, Box<dyn Error + Send + Sync>> {
    let mut kinds = PieceKinds::default();
    for item in reader {
        match item? {
            Item::Fault(fault) => {
                return Err(format!("line {}: {}", fault.line, fault.reason).into());
            }
            Item::Entry(entry) if entry.commented_out => {}
            Item::Entry(entry) => {
                let line = entry.line;
                kinds.add_drawn(&entry).map_err(|reason| format!("line {line}: {reason}"))?;
            }
        }
    }
    Ok(kinds.into_set(name)?)
}

/// Pieces of a file. Equal shapes of equal colors are one piece, under the name of the first that has one.
#[derive(Default)]
struct PieceKinds {
    kinds: Vec<PuzzlePiece>,
    at_form: BTreeMap<ColoredShape, usize>,
    total: usize,
}

impl PieceKinds {
    fn add(
        &mut self,
        piece: Piece,
        copies: [usize; 2],
        name: Option<&str>,
    ) -> Result<(), ParseSetError> {
        self.total = self.total.saturating_add(piece.size().saturating_mul(copies[1]));
        if self.total > MAX_SET_CELLS {
            return Err(ParseSetError::TooLarge(self.total));
        }
        let at = *self.at_form.entry(piece.form().clone()).or_insert(self.kinds.len());
        if at == self.kinds.len() {
            self.kinds.push(PuzzlePiece { piece, copies: [0; 2], name: None });
        }
        let kind = &mut self.kinds[at];
        kind.copies.iter_mut().zip(copies).for_each(|(sum, more)| *sum += more);
        let own = || name.filter(|name| is_piece_name(name)).map(str::to_owned);
        kind.name = kind.name.take().or_else(own);
        Ok(())
    }

    /// Adds the piece that a figure is, or the pieces that its marks show.
    fn add_drawn(&mut self, entry: &Entry) -> Result<(), Box<dyn Error + Send + Sync>> {
        if let Some([_, _, ..]) = entry.claim.as_deref() {
            for (_, cells) in entry.claim.iter().flatten() {
                self.add(Piece::new('?', cells)?, [1; 2], None)?;
            }
            return Ok(());
        }
        let name = entry.name.as_deref().unwrap_or_default();
        let (name, count) = match name.split_once('*') {
            Some((name, count)) => (name.trim_end(), count.trim()),
            None => (name, "1"),
        };
        let copies = parse_copies(count);
        let copies = copies.ok_or_else(|| ParseSetError::Copies(format!("{name}*{count}")))?;
        Ok(self.add(Piece::new('?', entry.figure.cells())?, copies, Some(name))?)
    }

    fn into_set(mut self, name: &str) -> Result<PieceSet, ParseSetError> {
        name_pieces(&mut self.kinds);
        let pieces = self.kinds.into_iter().map(|PuzzlePiece { piece, copies, name }| {
            let name = name.expect("there are more letters than pieces of a set");
            let letter = name.chars().next().expect("a name is not empty");
            (piece.with_name(letter, name), copies)
        });
        set_within_limits(name, pieces.collect())
    }
}

/// Returns a shape's cells as a piece with a placeholder name. `number` is the shape's number.
fn piece_of(shape: &PuzzleShape, number: usize) -> Result<Piece, PuzzleSetError> {
    let line = shape.line;
    let wrong = |reason| PuzzleSetError::Shape { line, shape: number, reason };
    let figure = shape.figure.as_ref().map_err(|reason| wrong(reason.to_string()))?;
    if shape.colors.contains(&OPTIONAL) {
        return Err(wrong("a cell of a piece cannot stay empty (+)".to_owned()));
    }
    let piece = Piece::colored('?', figure.cells(), &shape.colors);
    piece.map_err(|reason| wrong(reason.to_string()))
}

struct PuzzlePiece {
    piece: Piece,
    copies: [usize; 2],
    name: Option<String>,
}

fn name_pieces(kinds: &mut [PuzzlePiece]) {
    let mut used = BTreeSet::new();
    for kind in kinds.iter_mut() {
        kind.name.take_if(|name| !used.insert(name.clone()));
    }
    let known = PieceSet::soma_plus();
    for kind in kinds.iter_mut().filter(|kind| kind.name.is_none()) {
        let same = known.pieces().iter().find(|(piece, _)| piece.has_shape(kind.piece.cells()));
        let name = same.map(|(piece, _)| piece.name().to_owned());
        kind.name = name.filter(|name| used.insert(name.clone()));
    }
    let mut further = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain('\u{c0}'..);
    for kind in kinds.iter_mut().filter(|kind| kind.name.is_none()) {
        let free = |c: &char| c.is_alphanumeric() && used.insert(c.to_string());
        kind.name = further.find(free).map(String::from);
    }
}
