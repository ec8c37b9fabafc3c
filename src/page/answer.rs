//! The answers to a page. Counts are texts: JavaScript's numbers have 53 bits.

use serde::Serialize;

/// The answer to a request that cannot be answered.
#[derive(Serialize)]
pub(crate) struct Failure {
    pub(crate) error: String,
}

#[derive(Serialize)]
pub(crate) struct About {
    pub(crate) version: &'static str,
    /// The first line of the CSV of `count`.
    pub(crate) csv: String,
    pub(crate) sets: Vec<Set>,
}

#[derive(Serialize)]
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) cells: usize,
    pub(crate) pieces: Vec<Piece>,
}

#[derive(Serialize)]
pub(crate) struct Piece {
    pub(crate) letter: char,
    pub(crate) name: String,
    pub(crate) copies: usize,
    pub(crate) cells: Vec<[i32; 3]>,
}

/// What a file holds.
#[derive(Serialize)]
pub(crate) struct Contents {
    /// The number of the file.
    pub(crate) file: usize,
    pub(crate) figures: Vec<Figure>,
    /// Faults and warnings, as the program reports them.
    pub(crate) messages: Vec<String>,
    /// The number of entries that could not be read.
    pub(crate) refused: usize,
    /// The number of lines of prose.
    pub(crate) skipped: u64,
}

#[derive(Serialize)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) credit: Option<String>,
    /// In the position of the file.
    pub(crate) cells: Vec<[i32; 3]>,
    /// The pieces in place: the letter, and the cells.
    pub(crate) placed: Vec<(char, Vec<[i32; 3]>)>,
    pub(crate) signature: String,
    /// The canonical form up to rotations: equal for figures that are turned, but not mirrored.
    pub(crate) turned: String,
    pub(crate) class: &'static str,
    pub(crate) order: usize,
    pub(crate) parity: u32,
    pub(crate) parts: usize,
    /// The name of the set that the figure is counted with, if there is one.
    pub(crate) set: Option<String>,
    /// What marks its cells in the file, in words: colors, or cells that may stay empty.
    pub(crate) marked: Option<&'static str>,
    /// The figure as SOMA text; empty if its box is too large or it has colors.
    pub(crate) soma: String,
}

/// The count of a figure.
#[derive(Serialize)]
pub(crate) struct Count {
    pub(crate) figure: usize,
    pub(crate) verdict: &'static str,
    pub(crate) reason: Option<String>,
    pub(crate) raw: Option<String>,
    pub(crate) rotation: Option<String>,
    pub(crate) unique: Option<String>,
    pub(crate) nodes: Option<u64>,
    pub(crate) engine: Option<&'static str>,
    /// Why it has no packing or no count, as a sentence; empty for others.
    pub(crate) why: String,
    /// The row of `count --csv` and of `count --json`, without a time.
    pub(crate) csv: String,
    pub(crate) json: String,
}

#[derive(Serialize)]
pub(crate) struct Difficulty {
    pub(crate) figure: usize,
    /// From 1 to 5; `None` if it was not measured.
    pub(crate) stars: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct Packings {
    pub(crate) packings: Vec<Packing>,
    /// True if these are all unique packings.
    pub(crate) complete: bool,
}

#[derive(Serialize)]
pub(crate) struct Packing {
    /// The pieces in building order: the letter, and the cells in the position of the file.
    pub(crate) pieces: Vec<(char, Vec<[i32; 3]>)>,
    /// True if each piece can be lowered from above in this order.
    pub(crate) lowered: bool,
    pub(crate) somap: Option<String>,
    /// SOMA text; empty if the box is too large or the marks do not suffice.
    pub(crate) soma: String,
}

#[derive(Serialize)]
pub(crate) struct Places {
    /// True if all packings were counted.
    pub(crate) complete: bool,
    /// The number of packings.
    pub(crate) raw: Option<String>,
    /// The name of the piece, the number of the orbit, its placements, the packings that use one of them, and the cells
    /// of one, as positions in the figure. The most used orbits of each piece.
    pub(crate) places: Vec<(String, usize, usize, u64, Vec<usize>)>,
}

/// The map of a figure's packings.
#[derive(Serialize)]
pub(crate) struct Map {
    pub(crate) packings: usize,
    /// The pairs of packings that a move of two pieces joins.
    pub(crate) edges_2: usize,
    /// Those that need three.
    pub(crate) edges_3: usize,
    /// The sizes of the connected components, the largest first.
    pub(crate) components: Vec<usize>,
    pub(crate) diameter: usize,
    /// For each packing of the list its moves: a position in the list, and the letters of the pieces that move. Empty if the
    /// list does not have all packings.
    pub(crate) moves: Vec<Vec<(usize, Vec<char>)>>,
}

/// The symmetry of a figure in the position of its file.
#[derive(Serialize)]
pub(crate) struct Symmetry {
    pub(crate) words: String,
    pub(crate) description: &'static str,
    pub(crate) allen: Option<char>,
    pub(crate) rotations: usize,
    /// The elements as the program writes them: T1 to T48.
    pub(crate) elements: String,
    pub(crate) orders: Vec<usize>,
    pub(crate) axes: Vec<Axis>,
    pub(crate) mirrors: Vec<Mirror>,
    pub(crate) inversion: bool,
}

#[derive(Serialize)]
pub(crate) struct Axis {
    pub(crate) direction: [i32; 3],
    /// The order of its rotations: 1 if it has only roto-reflections.
    pub(crate) turns: u8,
    /// The order of its roto-reflections: 4, 6, or 0 for none.
    pub(crate) roto: u8,
}

#[derive(Serialize)]
pub(crate) struct Mirror {
    pub(crate) normal: [i32; 3],
    /// True if it goes through edges, false if it is parallel to faces.
    pub(crate) diagonal: bool,
}

/// A piece in place: its position in the set, and those of its cells in the figure.
pub(crate) type InPlace = (usize, Vec<usize>);

/// What a puzzle needs.
#[derive(Serialize)]
pub(crate) struct Puzzle {
    pub(crate) pieces: Vec<Piece>,
    /// For each piece its placements: the positions of their cells in the figure.
    pub(crate) places: Vec<Vec<Vec<usize>>>,
}

#[derive(Serialize, Default)]
pub(crate) struct Hint {
    /// The next piece of a packing that contains all pieces in place.
    pub(crate) next: Option<InPlace>,
    /// The position in the list of a piece to take back, if there is no such packing.
    pub(crate) back: Option<usize>,
    /// True if nothing is left to place.
    pub(crate) complete: bool,
    /// False if the search reached its limit.
    pub(crate) decided: bool,
}

#[derive(Serialize)]
pub(crate) struct Ways {
    /// The number of ways, or a lower bound; `None` if none was found within the limit.
    pub(crate) raw: Option<String>,
    pub(crate) exact: bool,
    /// The position in the list of a piece to take back, if there is no way.
    pub(crate) back: Option<usize>,
}

/// Why a figure cannot be built.
#[derive(Serialize)]
pub(crate) struct Why {
    /// The reason as the program spells it, or `marks`.
    pub(crate) reason: &'static str,
    /// The argument in sentences.
    pub(crate) words: String,
    /// The mark of each cell of the figure; empty without marks.
    pub(crate) marks: Vec<i64>,
}
