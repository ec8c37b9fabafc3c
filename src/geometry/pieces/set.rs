//! A multiset of pieces. Equal pieces are indistinguishable.

use super::choice::Choice;
use super::{ColoredShape, GAP, ParseSetError, Piece};
use crate::lattice::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// A multiset of pieces, with a name.
///
/// ```
/// use somacat_geometry::pieces::PieceSet;
///
/// let soma = PieceSet::soma(1);
/// assert_eq!((soma.name(), soma.piece_count(), soma.total_cells()), ("SOMA", 7, 27));
/// let letters: String = soma.pieces().iter().map(|(piece, _)| piece.letter()).collect();
/// assert_eq!(letters, "VLTZABP");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceSet {
    // Shared, because every figure of an import has its set.
    pub(super) contents: Arc<Contents>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Contents {
    name: String,
    pieces: Vec<(Piece, usize)>,
    /// Which pieces a packing must use; `None` if it uses all.
    pub(super) choice: Option<Choice>,
    /// See [`PieceSet::mirror_map`]. Stored because every figure needs it.
    mirror_map: Option<Vec<usize>>,
    /// See [`PieceSet::color_sums`]. Stored for the same reason.
    color_sums: Vec<u32>,
}

/// The seven SOMA pieces in the order of their digits 1…7. Their cells are [x, y, z] as in SOMA text. The shapes are
/// those of the notation pages of Thorleif Bundgaard's SOMA site. A and B are mirror images of each other.
const SOMA: [(char, &[[i32; 3]]); 7] = [
    ('V', &[[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
    ('L', &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]]),
    ('T', &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]]),
    ('Z', &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]]),
    ('A', &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 1]]),
    ('B', &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1]]),
    ('P', &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
];

/// The pieces that SOMA+plus adds: domino, straight tromino, straight tetromino, square.
const PLUS: [(char, &[[i32; 3]]); 4] = [
    ('D', &[[0, 0, 0], [1, 0, 0]]),
    ('I', &[[0, 0, 0], [1, 0, 0], [2, 0, 0]]),
    ('Q', &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]),
    ('S', &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]),
];

/// The letters of the pieces of SOMA and SOMA+plus. A set's name lists them in this order.
pub const STANDARD_LETTERS: &str = "VLTZABPDIQS";

/// Returns the pieces of SOMA, then those that SOMA+plus adds.
pub(super) fn standard_pieces() -> &'static [Piece] {
    static ALL: LazyLock<Vec<Piece>> = LazyLock::new(|| {
        let piece = |(name, cells): &(char, &[[i32; 3]])| {
            let cells: Vec<Cell> = cells.iter().copied().map(Cell::from).collect();
            Piece::new(*name, &cells).expect("the pieces of the tables are connected")
        };
        SOMA.iter().chain(&PLUS).map(piece).collect()
    });
    &ALL
}

fn one_of_each(pieces: &[Piece]) -> impl Iterator<Item = (Piece, usize)> {
    pieces.iter().map(|piece| (piece.clone(), 1))
}

impl PieceSet {
    /// Creates a set of pieces with their numbers of copies.
    ///
    /// Pieces of equal shape and colors are merged under the first of their names. Pieces with no copies are left out.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let v = PieceSet::standard_piece('V').expect("a piece of SOMA");
    /// // Equal pieces are one entry, with the sum of their copies.
    /// let set = PieceSet::new("corners", [(v.clone(), 2), (v.clone().with_name('W', "W"), 1)]);
    /// assert_eq!(set.pieces(), [(v.clone(), 3)]);
    /// ```
    pub fn new(name: impl Into<String>, pieces: impl IntoIterator<Item = (Piece, usize)>) -> Self {
        let pieces = pieces.into_iter().map(|(piece, copies)| (piece, [copies; 2]));
        Self::build(name.into(), pieces, None)
    }

    /// Creates a set of pieces with the least and the greatest numbers of their copies.
    pub(super) fn build(
        name: String,
        pieces: impl IntoIterator<Item = (Piece, [usize; 2])>,
        number: Option<usize>,
    ) -> Self {
        let mut merged: Vec<(Piece, usize)> = Vec::new();
        let mut at_form: BTreeMap<ColoredShape, usize> = BTreeMap::new();
        let mut least_copies = Vec::new();
        for (piece, [least, most]) in pieces.into_iter().filter(|(_, [_, most])| *most > 0) {
            let at = *at_form.entry(piece.form().clone()).or_insert(merged.len());
            match merged.get_mut(at) {
                Some((_, total)) => {
                    *total += most;
                    least_copies[at] += least;
                }
                None => {
                    merged.push((piece, most));
                    least_copies.push(least);
                }
            }
        }
        let has_ranges = merged.iter().zip(&least_copies).any(|((_, most), least)| least < most);
        let pieces = || merged.iter().filter(|(piece, _)| piece.letter() != GAP);
        let all = || pieces().map(|(_, most)| most).sum::<usize>();
        let number = number.filter(|&number| number != all() || has_ranges);
        let choice = (has_ranges || number.is_some())
            .then(|| Choice { least: least_copies.clone(), number });
        let mirror_map = mirror_map(&merged, &least_copies, &at_form);
        let color_sums = absolute_color_sums(&merged);
        Contents { name, pieces: merged, choice, mirror_map, color_sums }.into()
    }

    /// Returns `copies` complete sets of the seven SOMA pieces.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// assert_eq!(PieceSet::soma(2).name(), "2xSOMA");
    /// assert_eq!(PieceSet::soma(2).total_cells(), 54);
    /// ```
    pub fn soma(copies: usize) -> Self {
        static ONE: LazyLock<PieceSet> =
            LazyLock::new(|| PieceSet::new("SOMA", one_of_each(&standard_pieces()[..SOMA.len()])));
        static TWO: LazyLock<PieceSet> = LazyLock::new(|| PieceSet::several_soma(2));
        match copies {
            1 => ONE.clone(),
            2 => TWO.clone(),
            _ => Self::several_soma(copies),
        }
    }

    fn several_soma(copies: usize) -> Self {
        let pieces = standard_pieces()[..SOMA.len()].iter().map(|piece| (piece.clone(), copies));
        Self::new(format!("{copies}xSOMA"), pieces)
    }

    /// Returns SOMA+plus, 40 cells: SOMA with the domino D, the straight I and Q, and the square S.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// assert_eq!(PieceSet::soma_plus().piece_count(), 11);
    /// assert_eq!(PieceSet::soma_plus().total_cells(), 40);
    /// ```
    pub fn soma_plus() -> Self {
        static SET: LazyLock<PieceSet> =
            LazyLock::new(|| PieceSet::new("SOMA+", one_of_each(standard_pieces())));
        SET.clone()
    }

    /// Returns the standard set with this number of cells: SOMA 27, two SOMAs 54, SOMA+plus 40.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let name = |cells| PieceSet::standard(cells).map(|set| set.name().to_owned());
    /// assert_eq!([27, 40, 54].map(name).map(Option::unwrap), ["SOMA", "SOMA+", "2xSOMA"]);
    /// assert_eq!(name(28), None);
    /// ```
    pub fn standard(cells: usize) -> Option<Self> {
        match cells {
            27 => Some(Self::soma(1)),
            54 => Some(Self::soma(2)),
            40 => Some(Self::soma_plus()),
            _ => None,
        }
    }

    /// Returns the piece with a letter of SOMA or SOMA+plus.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// assert_eq!(PieceSet::standard_piece('Q').map(|piece| piece.size()), Some(4));
    /// assert_eq!(PieceSet::standard_piece('X'), None);
    /// ```
    pub fn standard_piece(letter: char) -> Option<&'static Piece> {
        standard_pieces().iter().find(|piece| piece.letter() == letter)
    }

    /// Adds gaps, pieces of one cell that stand for cells left empty.
    ///
    /// Equal pieces are indistinguishable, and so are gaps. The packings of a figure with a set and as many gaps as the
    /// figure has more cells than the pieces are thus the ways to pack the pieces into the figure.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// // Three cells of a box 2×3×5 stay empty.
    /// let set = PieceSet::soma(1).with_gaps(3);
    /// assert_eq!((set.total_cells(), set.piece_count()), (30, 10));
    /// ```
    #[must_use]
    pub fn with_gaps(&self, gaps: usize) -> Self {
        self.with_gap_range([gaps; 2])
    }

    /// Adds as many gaps as a figure has more cells than the pieces fill: a range, if the pieces have ranges.
    ///
    /// ```
    /// use somacat_geometry::pieces::parse_set_with_ranges;
    ///
    /// // T alone, or T and Z, in ten cells.
    /// let set = parse_set_with_ranges("T Z0..1").unwrap().with_gaps_in(10);
    /// assert_eq!(set.ranges().last().map(|(_, range)| range), Some([2, 6]));
    /// ```
    #[must_use]
    pub fn with_gaps_in(&self, cells: usize) -> Self {
        let [least, most] = [self.total_cells(), self.least_cells()];
        self.with_gap_range([least, most].map(|filled| cells.saturating_sub(filled)))
    }

    fn with_gap_range(&self, gaps: [usize; 2]) -> Self {
        let pieces = self.ranges().map(|(piece, range)| (piece.clone(), range));
        let pieces = pieces.chain([(Piece::gap(), gaps)]);
        Self::build(self.name().to_owned(), pieces, self.number())
    }

    /// Returns the name: `SOMA`, `2xSOMA`, `SOMA+`, a list such as `V L T2`, or that of its file.
    pub fn name(&self) -> &str {
        &self.contents.name
    }

    /// Renames the set.
    pub fn renamed(self, name: impl Into<String>) -> Self {
        let contents = Arc::unwrap_or_clone(self.contents);
        Contents { name: name.into(), ..contents }.into()
    }

    /// Returns the different pieces, each with its number of copies.
    pub fn pieces(&self) -> &[(Piece, usize)] {
        &self.contents.pieces
    }

    /// Gives letters to pieces with names of several characters. Each gets a letter of its name, or another free one.
    pub(super) fn with_letters(self) -> Self {
        // `~` marks cells left empty, so a piece called so has another letter.
        let is_short = |piece: &Piece| piece.name().chars().count() == 1 && piece.letter() != GAP;
        let mut contents = Arc::unwrap_or_clone(self.contents);
        let short = contents.pieces.iter().map(|(piece, _)| piece).filter(|piece| is_short(piece));
        let mut used: BTreeSet<char> = short.map(Piece::letter).collect();
        for (piece, _) in contents.pieces.iter_mut().filter(|(piece, _)| !is_short(piece)) {
            let name = piece.name().to_owned();
            let own = name.chars().filter(|c| c.is_alphabetic());
            // Digits name the pieces of SOMA. There are more letters than pieces of a set.
            let others = ('A'..='Z').chain('a'..='z').chain('\u{c0}'..);
            let letter = own.chain(others.filter(|c| c.is_alphabetic())).find(|&c| used.insert(c));
            *piece = piece.clone().with_name(letter.unwrap_or('?'), name);
        }
        contents.into()
    }

    /// Returns the lines of a set file with these pieces. They do not depend on the orientation of the pieces.
    ///
    /// ```
    /// use somacat_geometry::pieces::parse_set;
    ///
    /// assert_eq!(parse_set("D2 V").unwrap().lines(), ["V*1: 0,0,0 0,0,1 0,1,0", "D*2: 0,0,0 0,0,1"]);
    /// ```
    pub fn lines(&self) -> Vec<String> {
        let line = |(piece, [least, most]): (&Piece, [usize; 2])| {
            let cells: Vec<String> = piece.form().words().collect();
            let copies = if least == most { most.to_string() } else { format!("{least}..{most}") };
            format!("{}*{copies}: {}", piece.name(), cells.join(" "))
        };
        self.ranges().map(line).collect()
    }

    /// Returns the mirror image of the set if it comes before the set in a fixed order of the two.
    ///
    /// Both have the same packings, up to reflection. Counting always with the first of them takes the same number of
    /// nodes for both.
    ///
    /// ```
    /// use somacat_geometry::pieces::parse_set;
    ///
    /// assert_eq!(parse_set("A B").unwrap().mirror_image_if_first(), None, "closed under reflection");
    /// let (a, b) = (parse_set("A").unwrap(), parse_set("B").unwrap());
    /// let exchanged = [a.mirror_image_if_first(), b.mirror_image_if_first()];
    /// assert_eq!(exchanged.iter().flatten().count(), 1, "A and B are counted with the same set");
    /// ```
    pub fn mirror_image_if_first(&self) -> Option<Self> {
        if self.is_mirror_closed() {
            return None;
        }
        let pieces = self.ranges().map(|(piece, copies)| (piece.mirror_image(), copies));
        let mirrored = Self::build(self.name().to_owned(), pieces, self.number());
        let contents = |set: &Self| {
            let form = |(piece, copies): (&Piece, [usize; 2])| (piece.form().clone(), copies);
            let mut pieces: Vec<(ColoredShape, [usize; 2])> = set.ranges().map(form).collect();
            pieces.sort_unstable();
            pieces
        };
        (contents(&mirrored) < contents(self)).then_some(mirrored)
    }

    /// Returns the number of pieces, counting copies: the most that a packing uses.
    pub fn piece_count(&self) -> usize {
        self.pieces().iter().map(|(_, count)| count).sum()
    }

    /// Returns the number of cells of all pieces together: the most that a packing fills.
    pub fn total_cells(&self) -> usize {
        self.pieces().iter().map(|(piece, count)| piece.size() * count).sum()
    }

    /// Returns the position of each piece's mirror image in the set.
    ///
    /// `None` unless the set has as many copies of every piece as of its mirror image. Only then is the mirror
    /// image of every packing a packing.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// // A and B, fifth and sixth, are exchanged.
    /// assert_eq!(PieceSet::soma(1).mirror_map(), Some(&[0, 1, 2, 3, 5, 4, 6][..]));
    /// ```
    pub fn mirror_map(&self) -> Option<&[usize]> {
        self.contents.mirror_map.as_deref()
    }

    /// Returns the possible values of |black − white|, ascending.
    ///
    /// All pieces are used; for choices see [`Self::color_sums_of`].
    ///
    /// For SOMA they are 1, 3, 5.
    ///
    /// ```
    /// use somacat_geometry::pieces::{PieceSet, parse_set};
    ///
    /// assert_eq!(PieceSet::soma(1).color_sums(), [1, 3, 5]);
    /// assert_eq!(parse_set("T T").unwrap().color_sums(), [0, 4]);
    /// ```
    pub fn color_sums(&self) -> &[u32] {
        &self.contents.color_sums
    }

    /// Returns `true` if a cell of a piece has a color.
    pub fn is_colored(&self) -> bool {
        self.pieces().iter().any(|(piece, _)| piece.is_colored())
    }

    /// Returns the set, for uses that obey neither colors nor ranges of copies.
    ///
    /// # Errors
    /// If a cell of a piece has a color, or a piece has a range of copies.
    pub fn plain(self) -> Result<Self, ParseSetError> {
        let set = self.without_colors()?;
        if let Some((piece, range)) = set.ranges().find(|(_, [least, most])| least < most) {
            return Err(ParseSetError::Range(piece.name().to_owned(), range));
        }
        Ok(set)
    }

    /// Returns the set, for uses that do not obey colors.
    ///
    /// # Errors
    /// If a cell of a piece has a color.
    pub fn without_colors(self) -> Result<Self, ParseSetError> {
        match self.pieces().iter().find(|(piece, _)| piece.is_colored()) {
            Some((piece, _)) => Err(ParseSetError::Colored(piece.name().to_owned())),
            None => Ok(self),
        }
    }

    /// Returns `true` if mirror images of packings are packings too.
    ///
    /// ```
    /// use somacat_geometry::pieces::{PieceSet, parse_set};
    ///
    /// assert!(PieceSet::soma(1).is_mirror_closed());
    /// assert!(!parse_set("V L T Z A P").unwrap().is_mirror_closed());
    /// ```
    pub fn is_mirror_closed(&self) -> bool {
        self.contents.mirror_map.is_some()
    }
}

impl From<Contents> for PieceSet {
    fn from(contents: Contents) -> Self {
        Self { contents: Arc::new(contents) }
    }
}

/// Returns all sums of the values, each with either sign, ascending.
pub(crate) fn signed_sums(values: &[u32]) -> BTreeSet<i32> {
    values.iter().fold(BTreeSet::from([0]), |sums, &v| {
        sums.iter().flat_map(|s| [s + v as i32, s - v as i32]).collect()
    })
}

/// Returns the absolute values of the [`signed_sums`] of a set's color differences. Pieces with the same difference are
/// processed together, so a thousand copies take no longer than a few.
fn absolute_color_sums(pieces: &[(Piece, usize)]) -> Vec<u32> {
    let mut differences: BTreeMap<usize, usize> = BTreeMap::new();
    for (piece, count) in pieces {
        *differences.entry(piece.color_difference() as usize).or_default() += count;
    }
    differences.remove(&0);
    let all: usize = differences.iter().map(|(difference, count)| difference * count).sum();
    // `reached[n]`: the pieces with more cells of one color can have a total of n more of it.
    let mut reached = vec![false; all + 1];
    reached[0] = true;
    for (&difference, &count) in &differences {
        // The smallest number of pieces of this difference in the sum.
        let mut pieces_used = vec![0; all + 1];
        for sum in difference..=all {
            if !reached[sum] && reached[sum - difference] && pieces_used[sum - difference] < count {
                reached[sum] = true;
                pieces_used[sum] = pieces_used[sum - difference] + 1;
            }
        }
    }
    // The other pieces have more cells of the other color. Exchanging the colors changes only the sign.
    let sums = (all.div_ceil(2)..=all).filter(|&sum| reached[sum]);
    sums.map(|sum| (2 * sum - all) as u32).collect()
}

fn mirror_map(
    pieces: &[(Piece, usize)],
    least: &[usize],
    at_form: &BTreeMap<ColoredShape, usize>,
) -> Option<Vec<usize>> {
    let partner = |((piece, most), own): (&(Piece, usize), &usize)| {
        let at = *at_form.get(piece.mirror_form())?;
        (pieces[at].1 == *most && least[at] == *own).then_some(at)
    };
    pieces.iter().zip(least).map(partner).collect()
}
