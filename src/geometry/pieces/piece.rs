//! A piece: a polycube that may be rotated but not reflected.

use crate::lattice::{
    Cell, MAX_COORDINATE, Transform, color_difference, moved_to_origin, part_count,
};
use std::sync::Arc;

/// The most cells a piece may have.
pub const MAX_PIECE_CELLS: usize = 1024;

/// The most characters of a piece's name.
pub const MAX_PIECE_NAME_CHARS: usize = 8;

/// The largest color of a cell. BurrTools has as many.
pub const MAX_COLOR: u8 = 63;

/// The color of a figure's cell that may stay empty, and of the gap that fills it. It is above all other colors.
pub const OPTIONAL: u8 = MAX_COLOR + 1;

/// The mark of a cell that may stay empty, or does.
pub const GAP: char = '~';

/// A connected piece with a letter and a name. The letter marks its cells, as in SOMA text.
///
/// ```
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::Piece;
///
/// let corner = Piece::new('V', &[[0, 0, 0], [1, 0, 0], [0, 1, 0]].map(Cell::from))?;
/// assert_eq!(corner.size(), 3);
/// assert_eq!(corner.orientations().len(), 12);
/// assert_eq!(corner.color_difference(), 1);
/// # Ok::<(), somacat_geometry::pieces::PieceError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    letter: char,
    name: String,
    given: ColoredShape,
    /// See [`Piece::form`]: the forms of the piece and of its mirror image. Stored because every set asks for them.
    forms: Arc<[ColoredShape; 2]>,
}

/// The cells of a piece in one orientation, with their colors.
///
/// ```
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::Piece;
///
/// let domino = Piece::colored('D', &[[0, 0, 0], [1, 0, 0]].map(Cell::from), &[0, 5])?;
/// let words: Vec<String> = domino.form().words().collect();
/// assert_eq!(words, ["0,0,0", "0,0,1=5"]);
/// # Ok::<(), somacat_geometry::pieces::PieceError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ColoredShape {
    /// The cells, ascending, with smallest coordinates 0.
    pub cells: Vec<Cell>,
    /// The color of each cell, 0 for none. Empty if no cell has a color.
    pub colors: Vec<u8>,
}

impl ColoredShape {
    fn image(&self, t: Transform) -> Self {
        if self.colors.is_empty() {
            return Self { cells: image(&self.cells, t), colors: Vec::new() };
        }
        let cells = self.cells.iter().map(|&cell| t.apply(cell));
        let mut colored: Vec<(Cell, u8)> = cells.zip(self.colors.iter().copied()).collect();
        colored.sort_unstable();
        let (cells, colors): (Vec<Cell>, Vec<u8>) = colored.into_iter().unzip();
        Self { cells: moved_to_origin(cells), colors }
    }

    /// Returns the images under the rotations, one for each.
    fn images(&self) -> impl Iterator<Item = Self> {
        Transform::iter().filter(|t| t.is_rotation()).map(|t| self.image(t))
    }

    /// Returns the first of the images. Shapes are compared before their colors.
    fn first_image(&self) -> Self {
        self.images().min().expect("there are 24 rotations")
    }

    /// Writes the cells as a set file does: `0,0,0`, or `0,0,0=1` with a color.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let colors = self.colors.iter().copied().chain(std::iter::repeat(0));
        self.cells.iter().zip(colors).map(|(cell, color)| match color {
            0 => cell.to_string(),
            color => format!("{cell}={color}"),
        })
    }
}

/// Returns the images of cells under the rotations, one for each.
fn images(cells: &[Cell]) -> impl Iterator<Item = Vec<Cell>> {
    Transform::iter().filter(|t| t.is_rotation()).map(|t| image(cells, t))
}

/// The reason why cells do not form a piece.
///
/// ```
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::{Piece, PieceError};
///
/// // The two cells share only an edge.
/// let cells = [[0, 0, 0], [1, 1, 0]].map(Cell::from);
/// assert_eq!(Piece::new('X', &cells), Err(PieceError::Disconnected(2)));
/// ```
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
    #[error("color {0} is above {MAX_COLOR}")]
    Color(u8),
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
        Self::colored(letter, cells, &[])
    }

    /// Creates a piece whose cells have these colors, 0 for none.
    ///
    /// A cell of a piece fits a figure's cell if both have the same color, or one of them has none.
    ///
    /// ```
    /// use somacat_geometry::lattice::Cell;
    /// use somacat_geometry::pieces::Piece;
    ///
    /// let cells = [[0, 0, 0], [1, 0, 0]].map(Cell::from);
    /// // With two colors, a half turn of a domino makes a difference.
    /// assert_eq!(Piece::new('D', &cells)?.orientations().len(), 3);
    /// assert_eq!(Piece::colored('D', &cells, &[1, 2])?.colored_orientations().len(), 6);
    /// # Ok::<(), somacat_geometry::pieces::PieceError>(())
    /// ```
    ///
    /// # Errors
    /// Like [`Piece::new`]. Also if a color is above [`MAX_COLOR`].
    ///
    /// # Panics
    /// If there are colors, but not as many as cells.
    pub fn colored(letter: char, cells: &[Cell], colors: &[u8]) -> Result<Self, PieceError> {
        assert!(colors.is_empty() || colors.len() == cells.len(), "one color for each cell");
        if let Some(&color) = colors.iter().find(|&&color| color > MAX_COLOR) {
            return Err(PieceError::Color(color));
        }
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
                let plain = colors.iter().all(|&color| color == 0);
                let colors = if plain { Vec::new() } else { colors.to_vec() };
                let given =
                    ColoredShape { cells: cells.to_vec(), colors }.image(Transform::IDENTITY);
                let mirrored = given.image(Transform::INVERSION);
                let forms = Arc::new([given.first_image(), mirrored.first_image()]);
                Ok(Self { letter, name: letter.to_string(), given, forms })
            }
            parts => Err(PieceError::Disconnected(parts)),
        }
    }

    /// Returns the gap: a piece of one cell that stands for a cell left empty. It differs from a piece of one cube, and
    /// lies only where a figure allows gaps ([`crate::figure::FigureColors`]).
    pub fn gap() -> Self {
        let given = ColoredShape { cells: vec![Cell::new(0, 0, 0)], colors: vec![OPTIONAL] };
        let forms = Arc::new([given.clone(), given.clone()]);
        Self { letter: GAP, name: GAP.to_string(), given, forms }
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
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let v = PieceSet::standard_piece('V').expect("a piece of SOMA").clone();
    /// assert_eq!(v.name_with_count(2), "V2");
    /// assert_eq!(v.with_name('V', "V3").name_with_count(2), "V3*2");
    /// ```
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
        &self.given.cells
    }

    /// Returns `true` if a cell has a color.
    pub const fn is_colored(&self) -> bool {
        !self.given.colors.is_empty()
    }

    /// Returns the number of cells.
    pub fn size(&self) -> usize {
        self.given.cells.len()
    }

    /// Returns the different images under the 24 rotations, ascending.
    ///
    /// The cells of each image are ascending, with smallest coordinates 0.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let soma = PieceSet::soma(1);
    /// let orientations = soma.pieces().iter().map(|(piece, _)| piece.orientations().len());
    /// assert_eq!(orientations.collect::<Vec<_>>(), [12, 24, 12, 12, 12, 12, 8]);
    /// ```
    pub fn orientations(&self) -> Vec<Vec<Cell>> {
        let mut images: Vec<Vec<Cell>> = images(&self.given.cells).collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// Returns the different images under the 24 rotations with their colors, ascending.
    pub fn colored_orientations(&self) -> Vec<ColoredShape> {
        let mut images: Vec<ColoredShape> = self.given.images().collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// Returns the first orientation, an invariant of the shape.
    ///
    /// It is the same exactly for pieces of the same shape.
    pub fn shape(&self) -> Vec<Cell> {
        self.form().cells.clone()
    }

    /// Returns the first orientation with its colors, an invariant of the piece.
    ///
    /// It is the same exactly for pieces of the same shape with the same colors.
    ///
    /// ```
    /// use somacat_geometry::lattice::Cell;
    /// use somacat_geometry::pieces::Piece;
    ///
    /// let lying = Piece::new('I', &[[0, 0, 0], [1, 0, 0], [2, 0, 0]].map(Cell::from))?;
    /// let standing = Piece::new('J', &[[4, 4, 1], [4, 4, 2], [4, 4, 3]].map(Cell::from))?;
    /// assert_eq!(lying.form(), standing.form());
    /// # Ok::<(), somacat_geometry::pieces::PieceError>(())
    /// ```
    pub fn form(&self) -> &ColoredShape {
        &self.forms[0]
    }

    /// Returns the form of the mirror image.
    pub fn mirror_form(&self) -> &ColoredShape {
        &self.forms[1]
    }

    /// Returns the mirror image, under the same letter and name.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let piece = |letter| PieceSet::standard_piece(letter).expect("a piece of SOMA");
    /// assert_eq!(piece('A').mirror_image().form(), piece('B').form());
    /// assert_eq!(piece('L').mirror_image().form(), piece('L').form());
    /// ```
    pub fn mirror_image(&self) -> Self {
        let [own, mirrored] = &*self.forms;
        let forms = Arc::new([mirrored.clone(), own.clone()]);
        Self { given: self.given.image(Transform::INVERSION), forms, ..self.clone() }
    }

    /// Returns `true` if the cells have this piece's shape.
    ///
    /// Their position and orientation do not matter. Neither do colors.
    ///
    /// ```
    /// use somacat_geometry::lattice::Cell;
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let p = PieceSet::standard_piece('P').expect("a piece of SOMA");
    /// assert!(p.has_shape(&[[4, 4, 4], [3, 4, 4], [4, 3, 4], [4, 4, 3]].map(Cell::from)));
    /// assert!(!p.has_shape(&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]].map(Cell::from)));
    /// ```
    pub fn has_shape(&self, cells: &[Cell]) -> bool {
        cells.len() == self.size() && {
            let shape = moved_to_origin(cells.to_vec());
            images(&self.given.cells).any(|image| image == shape)
        }
    }

    /// Returns |black − white| in a checkerboard coloring.
    ///
    /// The piece adds this number to the difference of the figure or subtracts it.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let soma = PieceSet::soma(1);
    /// let differences = soma.pieces().iter().map(|(piece, _)| piece.color_difference());
    /// assert_eq!(differences.collect::<Vec<_>>(), [1, 0, 2, 0, 0, 0, 2]);
    /// ```
    pub fn color_difference(&self) -> u32 {
        color_difference(&self.given.cells).unsigned_abs()
    }
}
