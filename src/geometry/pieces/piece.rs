//! A piece: a polycube that may be rotated but not reflected.

use crate::lattice::{
    Cell, MAX_COORDINATE, Transform, color_difference, moved_to_origin, part_count,
};
use std::sync::Arc;

/// The most cells a piece may have.
pub const MAX_PIECE_CELLS: usize = 1024;

/// The most characters of a piece's name.
pub const MAX_PIECE_NAME_CHARS: usize = 8;

/// A connected piece with a letter and a name. The letter marks its cells, as in SOMA text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    letter: char,
    name: String,
    cells: Vec<Cell>,
    /// See [`Piece::shape`]: the shapes of the piece and of its mirror image. Stored because every set asks for them.
    shapes: Arc<[Vec<Cell>; 2]>,
}

/// Returns the images of cells under the rotations, one for each.
fn images(cells: &[Cell]) -> impl Iterator<Item = Vec<Cell>> {
    Transform::all().filter(|t| t.is_rotation()).map(|t| image(cells, t))
}

/// Returns the first of the images.
fn shape(cells: &[Cell]) -> Vec<Cell> {
    images(cells).min().expect("there are 24 rotations")
}

/// The reason why cells do not form a piece.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message describes its variant")]
pub enum PieceError {
    #[error("the piece has no cells")]
    Empty,
    #[error("the piece has more than {MAX_PIECE_CELLS} cells")]
    TooManyCells,
    #[error("cell {0} is listed twice")]
    RepeatedCell(Cell),
    #[error("cell {0} lies beyond ±{MAX_COORDINATE}")]
    OutOfRange(Cell),
    #[error("the piece has {0} separate parts; its cells must be connected through faces")]
    Disconnected(usize),
}

/// Returns the image of a shape, ascending, with smallest coordinates 0.
fn image(cells: &[Cell], t: Transform) -> Vec<Cell> {
    moved_to_origin(cells.iter().map(|&c| t.apply(c)).collect())
}

impl Piece {
    /// Creates a piece of these cells, in any position. Its letter is its name, too.
    ///
    /// # Errors
    /// If there is no cell, there are more than [`MAX_PIECE_CELLS`], or a cell is listed twice or is out of range. Also
    /// if the cells are not connected through shared faces.
    pub fn new(letter: char, cells: &[Cell]) -> Result<Self, PieceError> {
        if cells.is_empty() {
            return Err(PieceError::Empty);
        }
        if cells.len() > MAX_PIECE_CELLS {
            return Err(PieceError::TooManyCells);
        }
        let far = |v: &i32| v.unsigned_abs() > MAX_COORDINATE.unsigned_abs();
        if let Some(&cell) = cells.iter().find(|c| c.to_array().iter().any(far)) {
            return Err(PieceError::OutOfRange(cell));
        }
        let mut ascending = cells.to_vec();
        ascending.sort_unstable();
        if let Some(pair) = ascending.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(PieceError::RepeatedCell(pair[0]));
        }
        match part_count(&ascending) {
            1 => {
                let cells = moved_to_origin(ascending);
                let shapes = [shape(&cells), shape(&image(&cells, Transform::INVERSION))];
                Ok(Self { letter, name: letter.to_string(), cells, shapes: Arc::new(shapes) })
            }
            parts => Err(PieceError::Disconnected(parts)),
        }
    }

    /// Returns the character that marks the piece's cells in texts and pictures.
    pub const fn letter(&self) -> char {
        self.letter
    }

    /// Returns the name, of up to [`MAX_PIECE_NAME_CHARS`] characters.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Renames the piece.
    pub fn with_name(self, letter: char, name: impl Into<String>) -> Self {
        Self { letter, name: name.into(), ..self }
    }

    /// Returns the name with a number of copies: `V`, `V2`, `L1*2`.
    pub fn name_with_count(&self, count: usize) -> String {
        let one_letter =
            self.name.chars().all(char::is_alphabetic) && self.name.chars().count() == 1;
        match (count, one_letter) {
            (1, _) => self.name.clone(),
            (_, true) => format!("{}{count}", self.name),
            (_, false) => format!("{}*{count}", self.name),
        }
    }

    /// Returns the cells, ascending, with smallest coordinates 0.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the number of cells.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// Returns the different images under the 24 rotations, ascending.
    ///
    /// The cells of each image are ascending, with smallest coordinates 0.
    pub fn orientations(&self) -> Vec<Vec<Cell>> {
        let mut images: Vec<Vec<Cell>> = images(&self.cells).collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// Returns the first orientation, an invariant of the shape.
    ///
    /// It is the same exactly for pieces of the same shape.
    pub fn shape(&self) -> Vec<Cell> {
        self.shapes[0].clone()
    }

    /// Returns the mirror image, under the same letter and name.
    pub fn mirror_image(&self) -> Self {
        let [own, mirrored] = &*self.shapes;
        let shapes = Arc::new([mirrored.clone(), own.clone()]);
        Self { cells: image(&self.cells, Transform::INVERSION), shapes, ..self.clone() }
    }

    /// Returns `true` if the cells have this piece's shape.
    ///
    /// Their position and orientation do not matter.
    pub fn has_shape(&self, cells: &[Cell]) -> bool {
        cells.len() == self.size() && {
            let shape = moved_to_origin(cells.to_vec());
            images(&self.cells).any(|image| image == shape)
        }
    }

    /// Returns |black − white| in a checkerboard coloring.
    ///
    /// The piece adds this number to the difference of the figure or subtracts it.
    pub fn color_difference(&self) -> u32 {
        color_difference(&self.cells).unsigned_abs()
    }
}
