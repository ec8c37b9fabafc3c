//! Obstructions by size and checkerboard parity, checked before any search.
//!
//! "The parity Proof", SOMA News, 3 December 2000 (after Jotun's proof in the Parker Brothers booklet): color the
//! lattice like a checkerboard. The difference of black and white cells of a piece has the same absolute value in
//! every position. So a figure cannot be built if its difference is not a sum of these numbers with signs. For SOMA
//! the sums are ±1, ±3, ±5. Three generalizations:
//!
//! * any multiset of pieces: the reachable sums are a subset-sum problem;
//! * several parts: moving a part by one cell flips its colors but does not change whether it can be built. So a sum
//!   must be reachable for **every** combination of flips;
//! * part sizes: the pieces must be divided among the parts such that each part gets as many cells as it has and a
//!   reachable difference. With one V among tetracubes, one part has size ≡ 3 (mod 4), the others ≡ 0;
//! * cells that may stay empty: the pieces must reach the difference of the cells that they fill. Of a figure's optional
//!   cells so many black and so many white ones stay empty, and each number from none to all is possible.
//!
//! The conditions are necessary, not sufficient.

use super::{Figure, FigureColors};
use crate::lattice::{Cell, color_difference, is_connected};
use crate::outcome::Reason;
use crate::pieces::{PieceSet, signed_sums};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// The reason why a figure cannot be built. It has the numbers that prove it.
///
/// ```
/// use somacat_geometry::figure::{Figure, prefilter};
/// use somacat_geometry::pieces::PieceSet;
///
/// let obstruction = prefilter(&Figure::of_box([3, 3, 4])?, &PieceSet::soma(1)).expect("too large");
/// assert_eq!(obstruction.to_string(), "the figure has 36 cells, the pieces fill 27");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstruction {
    /// The pieces and the figure have different numbers of cells.
    Size {
        /// Cells of the figure.
        figure: usize,
        /// Cells of all pieces together. For a set of which a packing uses some pieces, the nearest numbers of cells
        /// that a choice fills.
        pieces: Vec<usize>,
    },
    /// The pieces cannot reach the color difference.
    Parity {
        /// |black − white| of the figure. If `flipped`, some of its parts are moved.
        difference: u32,
        /// `true` if separate parts are moved by one cell.
        flipped: bool,
        /// The absolute differences that the pieces can reach, ascending.
        reachable: Vec<u32>,
    },
    /// The pieces cannot reach the color difference, whichever optional cells stay empty.
    Gaps {
        /// black − white of the figure. If `flipped`, some of its parts are moved.
        difference: i32,
        /// `true` if separate parts are moved by one cell.
        flipped: bool,
        /// The differences that the pieces and the cells left empty can reach, ascending.
        reachable: Vec<i32>,
    },
    /// The pieces cannot be divided among the separate parts.
    Parts {
        /// For each part, in order, the number of cells and |black − white|.
        parts: Vec<(usize, u32)>,
        /// `true` if the sizes alone are impossible.
        by_size: bool,
    },
}

impl From<&Obstruction> for Reason {
    fn from(obstruction: &Obstruction) -> Self {
        match obstruction {
            Obstruction::Size { .. } => Self::Size,
            Obstruction::Parity { .. } | Obstruction::Gaps { .. } => Self::Parity,
            Obstruction::Parts { .. } => Self::Parts,
        }
    }
}

impl fmt::Display for Obstruction {
    /// Writes the argument in one sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { figure, pieces } => {
                let s = if *figure == 1 { "" } else { "s" };
                let pieces: Vec<String> = pieces.iter().map(usize::to_string).collect();
                let pieces = match pieces.as_slice() {
                    [] => "no figure".to_owned(),
                    some => some.join(" or "),
                };
                write!(f, "the figure has {figure} cell{s}, the pieces fill {pieces}")
            }
            Self::Parity { difference, flipped, reachable } => {
                let reachable: Vec<String> = reachable.iter().map(u32::to_string).collect();
                let moved = if *flipped { " once a separate part is moved by a cell" } else { "" };
                write!(
                    f,
                    "|black - white| = {difference}{moved}; the pieces reach only {}",
                    reachable.join(", ")
                )
            }
            Self::Gaps { difference, flipped, reachable } => {
                let reachable: Vec<String> = reachable.iter().map(i32::to_string).collect();
                let moved = if *flipped { " once a separate part is moved by a cell" } else { "" };
                write!(
                    f,
                    "black - white = {difference}{moved}; with the empty cells, the pieces reach only {}",
                    reachable.join(", ")
                )
            }
            Self::Parts { parts, by_size } => {
                let shown: Vec<String> =
                    parts
                        .iter()
                        .map(|(size, d)| {
                            if *by_size { size.to_string() } else { format!("{size} (|d| = {d})") }
                        })
                        .collect();
                let what = if *by_size { "sizes" } else { "sizes and colors" };
                write!(
                    f,
                    "the pieces cannot be divided into parts of the {what} {}",
                    shown.join(", ")
                )
            }
        }
    }
}

/// Returns the first obstruction to a packing, or `None`.
///
/// Checks the number of cells, the colors of the whole figure, and the sizes and colors of its parts. `None` does
/// not imply that a packing exists.
///
/// ```
/// use somacat_geometry::boxes::box_cells;
/// use somacat_geometry::figure::{Figure, prefilter};
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::PieceSet;
///
/// let soma = PieceSet::soma(1);
/// assert_eq!(prefilter(&Figure::of_box([3, 3, 3])?, &soma), None);
/// // Three white cells of the cube move to black places: 17 cells are black and 10 white.
/// let white = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(Cell::from);
/// let black = [[1, 1, -2], [1, -3, 0], [-3, 1, 0]].map(Cell::from);
/// let rest = box_cells([3, 3, 3]).into_iter().filter(|cell| !white.contains(cell));
/// let figure = Figure::new(rest.chain(black))?;
/// let obstruction = prefilter(&figure, &soma).expect("an obstruction");
/// assert_eq!(obstruction.to_string(), "|black - white| = 7; the pieces reach only 1, 3, 5");
/// # Ok::<(), somacat_geometry::figure::FigureError>(())
/// ```
pub fn prefilter(figure: &Figure, set: &PieceSet) -> Option<Obstruction> {
    prefilter_with_colors(figure, set, None)
}

/// Returns the first obstruction to a packing, or `None`, like [`prefilter`].
///
/// If the set has gaps, only the cells that may stay empty by their colors do.
///
/// ```
/// use somacat_geometry::figure::{Figure, FigureColors, prefilter_with_colors};
/// use somacat_geometry::pieces::{OPTIONAL, parse_set};
///
/// // Of a row of three cells the one in the middle may stay empty. Then no domino fits.
/// let (row, set) = (Figure::of_box([3, 1, 1])?, parse_set("D")?.with_gaps(1));
/// let colors = FigureColors::new(&[0, OPTIONAL, 0]);
/// let obstruction = prefilter_with_colors(&row, &set, colors.as_ref()).expect("an obstruction");
/// let argument = "black - white = 1; with the empty cells, the pieces reach only -1";
/// assert_eq!(obstruction.to_string(), argument);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prefilter_with_colors(
    figure: &Figure,
    set: &PieceSet,
    colors: Option<&FigureColors>,
) -> Option<Obstruction> {
    if !set.fills(figure.len()) {
        let (figure, pieces) = (figure.len(), set.nearest_fills(figure.len()));
        return Some(Obstruction::Size { figure, pieces });
    }
    let whole = figure.color_difference().unsigned_abs();
    let reachable = set.color_sums_of(figure.len());
    let unreachable = |d: &u32| reachable.binary_search(d).is_err();
    let by_parity = |difference, flipped| {
        Some(Obstruction::Parity { difference, flipped, reachable: reachable.to_vec() })
    };
    if unreachable(&whole) {
        return by_parity(whole, false);
    }
    if is_connected(figure.cells()) {
        return colors.and_then(|colors| parity_of_optional(figure, set, colors));
    }
    let parts: Vec<(usize, u32)> = figure
        .parts()
        .iter()
        .map(|part| (part.len(), color_difference(part).unsigned_abs()))
        .collect();
    let flips: Vec<u32> = parts.iter().map(|(_, d)| *d).collect();
    if let Some(flipped) = signed_sums(&flips).iter().map(|s| s.unsigned_abs()).find(unreachable) {
        return by_parity(flipped, true);
    }
    if let Some(blocked) = colors.and_then(|colors| parity_of_optional(figure, set, colors)) {
        return Some(blocked);
    }
    let divide = |colors| PieceDivision::new(&parts, set, colors).possible();
    if divide(false) == Some(false) {
        return Some(Obstruction::Parts { parts, by_size: true });
    }
    if divide(true) == Some(false) {
        return Some(Obstruction::Parts { parts, by_size: false });
    }
    None
}

/// The most parts of a figure whose optional cells are looked at. Each may be moved or not.
const MAX_MOVED_PARTS: usize = 10;

/// Returns an obstruction by the colors of the cells that may stay empty.
fn parity_of_optional(
    figure: &Figure,
    set: &PieceSet,
    colors: &FigureColors,
) -> Option<Obstruction> {
    let parts = figure.parts();
    if !colors.has_optional() || !set.has_gaps() || parts.len() > MAX_MOVED_PARTS {
        return None;
    }
    let may_be_empty =
        |cell: &Cell| figure.cells().binary_search(cell).is_ok_and(|at| colors.may_be_empty(at));
    // For each way to move parts: the difference of all cells, and the optional cells by color.
    let mut moved = BTreeSet::from([(0, 0, 0)]);
    for part in &parts {
        let black = part.iter().filter(|cell| may_be_empty(cell) && cell.is_black()).count();
        let white = part.iter().filter(|cell| may_be_empty(cell)).count() - black;
        let own = color_difference(part);
        let with = |&(d, b, w): &(i32, usize, usize)| {
            [(d + own, b + black, w + white), (d - own, b + white, w + black)]
        };
        moved = moved.iter().flat_map(with).collect();
    }
    // Exchanging the colors changes nothing.
    moved.retain(|(difference, ..)| *difference >= 0);
    let whole = figure.color_difference().abs();
    moved.into_iter().find_map(|(difference, black, white)| {
        let reachable = set.differences_with_gaps(figure.len(), [black, white]);
        let flipped = difference != whole;
        let is_reached = reachable.contains(&difference);
        (!is_reached).then_some(Obstruction::Gaps { difference, flipped, reachable })
    })
}

/// A division of the pieces among the parts, part by part. It remembers failures.
struct PieceDivision<'a> {
    parts: &'a [(usize, u32)],
    set: &'a PieceSet,
    colors: bool,
    failed: HashSet<(usize, Vec<usize>)>,
    steps: usize,
}

/// The number of steps after which the division is left undecided. The search then decides.
const MAX_DIVISION_STEPS: usize = 200_000;

impl<'a> PieceDivision<'a> {
    fn new(parts: &'a [(usize, u32)], set: &'a PieceSet, colors: bool) -> Self {
        Self { parts, set, colors, failed: HashSet::new(), steps: 0 }
    }

    /// Returns `true` if the pieces can be divided among the parts. `None` after too many steps.
    fn possible(mut self) -> Option<bool> {
        let left: Vec<usize> = self.set.pieces().iter().map(|(_, count)| *count).collect();
        self.part(0, left)
    }

    fn part(&mut self, at: usize, left: Vec<usize>) -> Option<bool> {
        let Some(&(size, _)) = self.parts.get(at) else { return Some(self.may_leave(&left)) };
        if self.failed.contains(&(at, left.clone())) {
            return Some(false);
        }
        let mut chosen = vec![0; left.len()];
        let possible = self.choose(at, 0, size, &left, &mut chosen);
        if possible == Some(false) {
            self.failed.insert((at, left));
        }
        possible
    }

    /// Chooses pieces of type `kind` and later types for part `at`. `room` cells of the part are still free.
    fn choose(
        &mut self,
        at: usize,
        kind: usize,
        room: usize,
        left: &[usize],
        chosen: &mut Vec<usize>,
    ) -> Option<bool> {
        self.steps += 1;
        if self.steps > MAX_DIVISION_STEPS {
            return None;
        }
        if room == 0 {
            if !self.colors_fit(at, chosen) {
                return Some(false);
            }
            let rest = left.iter().zip(chosen.iter()).map(|(have, used)| have - used).collect();
            return self.part(at + 1, rest);
        }
        let Some((piece, _)) = self.set.pieces().get(kind) else { return Some(false) };
        let most = left[kind].min(room / piece.size());
        let size = piece.size();
        let mut possible = Some(false);
        for count in (0..=most).rev() {
            chosen[kind] = count;
            possible = self.choose(at, kind + 1, room - count * size, left, chosen);
            if possible != Some(false) {
                break;
            }
        }
        chosen[kind] = 0;
        possible
    }

    /// Returns `true` if a packing may leave out these numbers of copies.
    fn may_leave(&self, left: &[usize]) -> bool {
        let mut ranges = self.set.ranges().zip(left);
        ranges.all(|((_, [least, most]), left)| least + left <= most)
    }

    fn colors_fit(&self, at: usize, chosen: &[usize]) -> bool {
        if !self.colors {
            return true;
        }
        let pieces = self.set.pieces().iter().zip(chosen);
        let values: Vec<u32> = pieces
            .flat_map(|((piece, _), used)| std::iter::repeat_n(piece.color_difference(), *used))
            .collect();
        signed_sums(&values).contains(&(self.parts[at].1 as i32))
    }
}
