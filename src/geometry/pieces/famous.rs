//! Famous sets, built in: the files of `catalog/pieces/`.

use super::{PieceSet, parse_piece_lines};

macro_rules! famous {
    ($($name:literal),+ $(,)?) => {
        &[$(FamousSet {
            name: $name,
            text: include_str!(concat!(env!("CATALOG"), "/pieces/", $name, ".txt")),
        }),+]
    };
}

/// Every famous set.
pub static FAMOUS_SETS: &[FamousSet] = famous![
    "bedlam",
    "conway",
    "diabolical",
    "dorian",
    "pentacubes",
    "pentominoes",
    "slothouber",
    "tetracubes",
    "tetris-cube",
];

/// A set file of the program, with its source.
///
/// ```
/// use somacat_geometry::pieces::FamousSet;
///
/// let pentominoes = FamousSet::named("Pentominoes").expect("a famous set");
/// assert_eq!(pentominoes.pieces().piece_count(), 12);
/// assert_eq!(pentominoes.pieces().total_cells(), 60);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FamousSet {
    /// The name of the set.
    pub name: &'static str,
    /// The set file. Comments give the source and the published counts.
    pub text: &'static str,
}

impl FamousSet {
    /// Returns the set with a name, in any case.
    pub fn named(name: &str) -> Option<&'static Self> {
        FAMOUS_SETS.iter().find(|set| set.name.eq_ignore_ascii_case(name))
    }

    /// Returns the pieces.
    ///
    /// # Panics
    /// Never: the tests parse every file.
    pub fn pieces(&self) -> PieceSet {
        parse_piece_lines(self.name, self.text).expect("the tests parse every file")
    }

    /// Returns the publications that describe the set.
    pub fn source(&self) -> &'static str {
        self.comments("source").next().unwrap_or_default()
    }

    /// Returns who made the set, with the source that says so; `None` if no source does.
    pub fn maker(&self) -> Option<&'static str> {
        self.comments("maker").next()
    }

    /// Returns the year in which the set was published, with the source.
    pub fn year(&self) -> Option<&'static str> {
        self.comments("year").next()
    }

    /// Iterates over the boxes of the set, each with its published count: `4x4x4, 19186 rotation`.
    ///
    /// ```
    /// use somacat_geometry::pieces::FamousSet;
    ///
    /// let slothouber = FamousSet::named("slothouber").expect("a famous set");
    /// assert_eq!(slothouber.boxes().collect::<Vec<_>>(), ["3x3x3, 1 unique"]);
    /// ```
    pub fn boxes(&self) -> impl Iterator<Item = &'static str> {
        self.comments("box")
    }

    /// Returns a packing of the first box, if a search for it takes long: the letter of the piece at each cell, in the
    /// order of the cells.
    pub fn packing(&self) -> Option<&'static str> {
        self.comments("packing").next()
    }

    /// Iterates over the values of comments `# key: value`.
    fn comments(&self, key: &'static str) -> impl Iterator<Item = &'static str> {
        let value = move |line: &'static str| line.strip_prefix("# ")?.strip_prefix(key);
        self.text.lines().filter_map(value).filter_map(|value| value.strip_prefix(": "))
    }
}
