//! Sets of which a packing uses only some pieces: ranges of copies, and choices of a number of pieces.
//!
//! Such a set has a least and a greatest number of copies of each piece. A *choice* is a number of copies of each piece
//! within these ranges. Whether some choice fills a number of cells, and which color differences these choices reach,
//! are bounded subset sums: adding one copy after the other, a table has the sums that are possible for each number of
//! cells.
//!
//! For example, up to two V (three cells) and one to two L (four) fill 4, 7, 8, 10, 11 or 14 cells.

use super::{GAP, MAX_PIECE_CELLS, Piece, PieceSet, parse_set_with_ranges};
use std::borrow::Cow;

/// Which of its pieces a packing of a set must use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// For each piece, the least number of copies.
    pub(super) least: Vec<usize>,
    /// The number of pieces, gaps not included, if only choices of so many are allowed.
    pub(super) number: Option<usize>,
}

impl PieceSet {
    /// Creates a set of pieces, each with the least and the greatest number of copies that a packing uses.
    ///
    /// With `number`, a packing uses this many pieces.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// let piece = |letter| PieceSet::standard_piece(letter).expect("a piece of SOMA").clone();
    /// let set = PieceSet::with_ranges("mine", [(piece('V'), [0, 2]), (piece('L'), [1, 2])], None);
    /// assert!(set.is_choice() && set.fills(7) && !set.fills(6));
    /// assert_eq!(set.nearest_fills(6), [4, 7]);
    /// ```
    pub fn with_ranges(
        name: impl Into<String>,
        pieces: impl IntoIterator<Item = (Piece, [usize; 2])>,
        number: Option<usize>,
    ) -> Self {
        Self::build(name.into(), pieces, number)
    }

    /// Returns the set of which a packing uses some pieces, each at most as often as this set has it.
    ///
    /// Ranges of copies remain as they are. With `number`, a packing uses this many pieces.
    ///
    /// ```
    /// use somacat_geometry::pieces::PieceSet;
    ///
    /// // Tetracubes fill 16 cells, V and three of them 15.
    /// let some = PieceSet::soma(1).partial(None);
    /// assert!(some.fills(16) && some.fills(15) && !some.fills(14));
    /// assert!(!PieceSet::soma(1).partial(Some(3)).fills(16));
    /// ```
    #[must_use]
    pub fn partial(&self, number: Option<usize>) -> Self {
        let has_ranges = self.has_ranges();
        let least = |at| if has_ranges { self.least(at) } else { 0 };
        let pieces = self.pieces().iter().enumerate();
        let pieces = pieces.map(|(at, (piece, most))| (piece.clone(), [least(at), *most]));
        Self::build(self.name().to_owned(), pieces, number.or(self.number()))
    }

    /// Returns `true` if packings may use different pieces of the set.
    pub fn is_choice(&self) -> bool {
        self.contents.choice.is_some()
    }

    /// Returns the least number of copies that a packing uses of the piece at a position.
    pub fn least(&self, at: usize) -> usize {
        self.contents.choice.as_ref().map_or(self.pieces()[at].1, |choice| choice.least[at])
    }

    /// Returns the number of pieces that every packing uses. `None` if the pieces alone decide it.
    pub fn number(&self) -> Option<usize> {
        self.contents.choice.as_ref().and_then(|choice| choice.number)
    }

    /// Returns `true` if a piece has a range of copies.
    fn has_ranges(&self) -> bool {
        (0..self.pieces().len()).any(|at| self.least(at) < self.pieces()[at].1)
    }

    /// Returns the pieces, each with the least and the greatest number of copies.
    pub fn ranges(&self) -> impl Iterator<Item = (&Piece, [usize; 2])> {
        self.pieces().iter().enumerate().map(|(at, (piece, most))| (piece, [self.least(at), *most]))
    }

    /// Returns the number of cells of the pieces that every packing uses.
    pub fn least_cells(&self) -> usize {
        self.ranges().map(|(piece, [least, _])| piece.size() * least).sum()
    }

    /// Returns `true` if a choice of the pieces has this many cells; without choices, if all pieces have.
    pub fn fills(&self, cells: usize) -> bool {
        match self.is_choice() {
            false => self.total_cells() == cells,
            true => cells <= self.total_cells() && self.fillable(cells)[cells],
        }
    }

    /// Returns the greatest number of cells up to `cells` that the pieces fill, and the least from there on. There may
    /// be only one of them, or none within a thousand cells.
    pub fn nearest_fills(&self, cells: usize) -> Vec<usize> {
        if !self.is_choice() {
            return vec![self.total_cells()];
        }
        // Without a required number of pieces, the next is not further away than the largest piece.
        let largest = self.pieces().iter().map(|(piece, _)| piece.size()).max().unwrap_or(0);
        let further = if self.number().is_some() { MAX_PIECE_CELLS } else { largest };
        let most = (cells.max(self.least_cells()) + further).min(self.total_cells());
        let possible = self.fillable(most);
        let below = (1..=cells.min(most)).rev().find(|&cells| possible[cells]);
        let above = (cells..=most).find(|&cells| possible[cells]);
        let mut nearest = Vec::from_iter(below.into_iter().chain(above));
        nearest.dedup();
        nearest
    }

    /// Returns the possible values of |black − white| of choices with this many cells, ascending.
    pub fn color_sums_of(&self, cells: usize) -> Cow<'_, [u32]> {
        if !self.is_choice() {
            return Cow::Borrowed(self.color_sums());
        }
        let mut sums = Sums::new(cells, 2 * cells + 1);
        sums.add(0, cells as isize);
        for (piece, range) in self.ranges() {
            let difference = piece.color_difference() as isize;
            sums = sums.with(piece.size(), &[difference, -difference], range);
        }
        Cow::Owned(
            (0..=cells as u32).filter(|&sum| sums.has(cells, cells + sum as usize)).collect(),
        )
    }

    /// Returns the name and which of the pieces packings use: `some of SOMA`, `3 of V L T Z, with gaps`.
    ///
    /// ```
    /// use somacat_geometry::pieces::{PieceSet, parse_set_with_ranges};
    ///
    /// let soma = PieceSet::soma(1);
    /// assert_eq!(soma.partial(None).in_words(), "some of SOMA");
    /// assert_eq!(soma.partial(Some(3)).with_gaps_in(20).in_words(), "3 of SOMA, with gaps");
    /// assert_eq!(parse_set_with_ranges("V0..2 L").unwrap().in_words(), "V0..2 L");
    /// ```
    pub fn in_words(&self) -> String {
        let own = |set: &Self| -> Vec<(Piece, [usize; 2])> {
            let pieces = set.ranges().filter(|(piece, _)| piece.letter() != GAP);
            pieces.map(|(piece, range)| (piece.clone(), range)).collect()
        };
        let is_named =
            parse_set_with_ranges(self.name()).is_ok_and(|named| own(&named) == own(self));
        let is_plain = own(self).iter().all(|(_, [least, most])| least == most);
        let some = match self.number() {
            Some(number) => format!("{number} of {}", self.name()),
            None if is_named || is_plain => self.name().to_owned(),
            None => format!("some of {}", self.name()),
        };
        if self.has_gaps() { some + ", with gaps" } else { some }
    }

    /// Returns `true` if packings leave cells of a figure empty.
    pub fn has_gaps(&self) -> bool {
        self.pieces().iter().any(|(piece, _)| piece.letter() == GAP)
    }

    /// Returns the values of black − white that pieces and gaps of a figure with this many cells can have together.
    /// Gaps lie on optional cells, of which there are `[black, white]`.
    pub(crate) fn differences_with_gaps(
        &self,
        cells: usize,
        [black, white]: [usize; 2],
    ) -> Vec<i32> {
        let mut sums = Sums::new(cells, 2 * cells + 1);
        sums.add(0, cells as isize);
        for (piece, range) in self.ranges().filter(|(piece, _)| piece.letter() != GAP) {
            let difference = piece.color_difference() as isize;
            sums = sums.with(piece.size(), &[difference, -difference], range);
        }
        let reached = |sum: usize| {
            (0..=cells.min(black + white)).any(|gaps| {
                let blacks = gaps.saturating_sub(white)..=gaps.min(black);
                // The sum without the gaps. Tables have the sums from -cells on.
                let mut rests = blacks.map(|blacks| (sum + gaps).checked_sub(2 * blacks));
                rests.any(|rest| {
                    let inside = rest.filter(|rest| *rest <= 2 * cells);
                    inside.is_some_and(|rest| sums.has(cells - gaps, rest))
                })
            })
        };
        let sums = (0..=2 * cells).filter(|sum| reached(*sum));
        sums.map(|sum| sum as i32 - cells as i32).collect()
    }

    /// Returns, for each number of cells up to `most`, `true` if a choice has this many.
    fn fillable(&self, most: usize) -> Vec<bool> {
        let number = self.number().unwrap_or(0);
        let mut sums = Sums::new(most, number + 1);
        sums.add(0, 0);
        for (piece, range) in self.ranges() {
            // A gap is not one of the pieces chosen. Without a number, pieces are not counted.
            let step = isize::from(self.number().is_some() && piece.letter() != GAP);
            sums = sums.with(piece.size(), &[step], range);
        }
        (0..=most).map(|cells| sums.has(cells, number)).collect()
    }
}

/// Returns `true` for names such as `3 of SOMA` and `SOMA, with gaps`. In such words results show a choice of the pieces of
/// the set named ([`PieceSet::in_words`]), so that no other set may bear them.
///
/// ```
/// use somacat_geometry::pieces::reads_as_choice;
///
/// assert!(reads_as_choice("3 of SOMA") && reads_as_choice("some of V L, with gaps"));
/// assert!(!reads_as_choice("3 of mine") && !reads_as_choice("V0..2 L"));
/// ```
pub fn reads_as_choice(name: &str) -> bool {
    let name = name.trim();
    let without_gaps = name.strip_suffix(", with gaps");
    let whole = without_gaps.unwrap_or(name).split_once(" of ").filter(|(number, _)| {
        *number == "some" || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    let of = whole.map_or(without_gaps, |(_, of)| Some(of));
    of.is_some_and(|of| parse_set_with_ranges(of).is_ok())
}

/// Returns `true` if results can show pieces of their own under a name. It is on one line, and neither a list of pieces nor
/// a choice of them.
///
/// ```
/// use somacat_geometry::pieces::is_own_set_name;
///
/// assert!(is_own_set_name("my pieces"));
/// assert!(!is_own_set_name("SOMA") && !is_own_set_name("3 of SOMA") && !is_own_set_name("two\nlines"));
/// ```
pub fn is_own_set_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(char::is_control)
        && !reads_as_choice(name)
        && parse_set_with_ranges(name).is_err()
}

/// For each number of cells, a set of sums.
#[derive(Clone, PartialEq)]
struct Sums {
    /// The number of possible sums, from 0 on.
    length: usize,
    /// The number of words of a set.
    words: usize,
    /// A bit set for each number of cells.
    bits: Vec<u64>,
}

impl Sums {
    fn new(cells: usize, length: usize) -> Self {
        let words = length.div_ceil(64);
        Self { length, words, bits: vec![0; (cells + 1) * words] }
    }

    fn add(&mut self, cells: usize, sum: isize) {
        let sum = sum as usize;
        self.bits[cells * self.words + sum / 64] |= 1 << (sum % 64);
    }

    fn has(&self, cells: usize, sum: usize) -> bool {
        self.bits[cells * self.words + sum / 64] >> (sum % 64) & 1 == 1
    }

    /// Adds copies of a piece of `size` cells, as many as a range allows. Each changes the sum by one of `steps`.
    fn with(self, size: usize, steps: &[isize], [least, most]: [usize; 2]) -> Self {
        let mut exactly = self;
        for _ in 0..least {
            exactly = exactly.with_copy(size, steps);
        }
        let mut any = exactly.clone();
        for _ in least..most {
            exactly = exactly.with_copy(size, steps);
            // Nothing is left once the copies have more cells than the table.
            if exactly.bits.iter().all(|&word| word == 0) {
                break;
            }
            any.bits.iter_mut().zip(&exactly.bits).for_each(|(any, more)| *any |= more);
        }
        any
    }

    /// Adds one copy.
    fn with_copy(&self, size: usize, steps: &[isize]) -> Self {
        let mut sums =
            Self { length: self.length, words: self.words, bits: vec![0; self.bits.len()] };
        let shift = size * self.words;
        if shift >= self.bits.len() {
            return sums;
        }
        for (to, from) in sums.bits[shift..]
            .chunks_exact_mut(self.words)
            .zip(self.bits.chunks_exact(self.words))
            .filter(|(_, from)| from.iter().any(|&word| word != 0))
        {
            steps.iter().for_each(|&step| shift_into(to, from, step, self.length));
        }
        sums
    }
}

/// Adds the elements of a bit set to another, each changed by `step`. Leaves out those that are not below `length`.
fn shift_into(to: &mut [u64], from: &[u64], step: isize, length: usize) {
    let (words, bits) = ((step.unsigned_abs() / 64), (step.unsigned_abs() % 64) as u32);
    let word = |at: Option<usize>| at.and_then(|at| from.get(at)).copied().unwrap_or(0);
    for (at, to) in to.iter_mut().enumerate() {
        // Two shifts, because a shift by 64 is not defined.
        *to |= match step {
            0.. => {
                word(at.checked_sub(words)) << bits
                    | (word(at.checked_sub(words + 1)) >> 1) >> (63 - bits)
            }
            _ => word(Some(at + words)) >> bits | (word(Some(at + words + 1)) << 1) << (63 - bits),
        };
    }
    if let Some(last) = to.last_mut().filter(|_| !length.is_multiple_of(64)) {
        *last &= (1 << (length % 64)) - 1;
    }
}
