//! Counts packings modulo two primes, without visiting them. It serves figures that have too many.
//!
//! The cells are processed one by one, in the order of the figure's list. The state before a cell consists of the later
//! cells that are covered already, and the pieces left. Packings of the earlier cells with the same state are counted
//! together, in a table that is dropped one cell later. From a state in which the cell is uncovered, each placement
//! that begins at the cell and fits leads to a state of the next table; if the cell is covered, there is nothing to do.
//!
//! The pieces left have as many cells as are still uncovered, so each set of covered cells has few choices of pieces. A
//! set has one entry in the table, with one remainder modulo each prime for each choice. A remainder takes four bytes,
//! however many packings it represents.
//!
//! # Why it is right
//!
//! What can follow depends only on the state, and each packing has one placement that begins at each cell that earlier
//! ones leave uncovered. So every packing is counted along exactly one way, and the sum that arrives at the end, where
//! all cells are covered and no piece is left, is the number of packings. The sums are exact modulo each prime. Two
//! numbers that agree modulo both differ by a multiple of the product of the primes, 1.8·10¹⁹. So the remainders
//! confirm a number that the solver claims; they do not determine one.
//!
//! Counts up to symmetry follow from Burnside's lemma. The packings that a symmetry fixes are few, and each is visited.
//! If the symmetry moves no cell, it fixes all packings.
//!
//! # What it costs
//!
//! Time is proportional to the sum of all tables' sizes, times the placements that begin at a cell; memory to two
//! successive tables. Tables grow exponentially with the width of the figure across the sweep, so the figure is turned
//! to be longest along it. The cube's largest table has 23,719 sets with 415,158 remainders modulo each prime. A
//! placement must lie within 64 successive cells.
//!
//! # Example
//!
//! Two V in 2×3 cells, in the order ab, cd, ef. The tables, each set with its number:
//!
//! ```text
//! after a   {b,c} 1   {b,d} 1   {c,d} 1      V at abc, abd or acd; one V is left
//! after b   {c} 1     {d} 1                  from {c,d}, no V covers b
//! after c   {} 1      {d,e,f} 1              {d} is followed by cef
//! after d   {e,f} 2                          {} is followed by def: two packings in one state
//! after e   {f} 2                            after f, {} has 2, the number of packings
//! ```

use super::placements::{NumberedPlacement, Symmetry, placements, symmetries};
use super::recount::RecountError;
use super::turns::{image, rotations};
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Counts;
use somacat_geometry::pieces::{Piece, PieceSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// The two largest primes below 2³².
pub const PRIMES: [u64; 2] = [4_294_967_291, 4_294_967_279];

/// Bytes of a table entry without its numbers: the cells and a position, in a table that is half full after it has
/// grown, while it grows.
const ENTRY_BYTES: u64 = 64;

/// Bytes of the two remainders of a choice of pieces. Their list grows by halves, and is copied as it grows.
const NUMBER_BYTES: u64 = 24;

/// The result of a count when only remainders are known. It can test a number of packings, and derive the counts up to
/// symmetry from it.
///
/// ```
/// use somacat_checking::{PRIMES, recount_modulo};
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::pieces::parse_set;
///
/// let (cube, dominoes) = (Figure::of_box([2, 2, 2])?, parse_set("D4")?);
/// let remainders = recount_modulo(&cube, &dominoes, 1 << 20, 1 << 20, None)?;
/// assert_eq!(remainders.raw, [9, 9]);
/// // Nine, or nine more than a multiple of both primes.
/// assert!(remainders.fit(9) && remainders.fit(9 + u128::from(PRIMES[0]) * u128::from(PRIMES[1])));
/// assert!(!remainders.fit(10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remainders {
    /// All packings, modulo each of [`PRIMES`].
    pub raw: [u64; 2],
    /// The terms of the mean over the rotations, and over all symmetries.
    rotations: BurnsideTerms,
    symmetries: BurnsideTerms,
}

/// The terms of Burnside's lemma for some symmetries of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct BurnsideTerms {
    /// The number of the symmetries.
    order: u128,
    /// The number of those that fix every cell: the identity, and for a flat figure the mirror in its plane.
    identity_like: u128,
    /// The sum of the packings that each of the others fixes.
    fixed: u128,
}

impl Remainders {
    /// Returns true if there may be `raw` packings: if it has the remainders modulo both primes.
    pub fn fit(&self, raw: u128) -> bool {
        PRIMES
            .iter()
            .zip(self.raw)
            .all(|(prime, rest)| raw % u128::from(*prime) == u128::from(rest))
    }

    /// Returns all counts, given that there are `raw` packings.
    pub fn counts(&self, raw: u128) -> Counts {
        let mean = |BurnsideTerms { order, identity_like, fixed }: BurnsideTerms| {
            (raw * identity_like + fixed) / order
        };
        Counts { raw, rotation: mean(self.rotations), unique: mean(self.symmetries) }
    }
}

/// Counts packings modulo [`PRIMES`] in tables of at most `bytes` bytes.
///
/// The packings that a symmetry fixes are visited, with at most `steps` placements for each symmetry. A figure that has
/// not as many cells as the pieces has no packings.
///
/// ```
/// use somacat_checking::recount_modulo;
/// use somacat_geometry::figure::Figure;
/// use somacat_geometry::lattice::Cell;
/// use somacat_geometry::pieces::parse_set;
///
/// let rectangle = Figure::new((0..6).map(|n| Cell::new(n / 2, n % 2, 0)))?;
/// let remainders = recount_modulo(&rectangle, &parse_set("V2").expect("a set"), 1 << 20, 1000, None)?;
/// assert!(remainders.fit(2) && !remainders.fit(3));
/// assert_eq!(remainders.counts(2).rotation, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if that is not enough, a piece spans more than 64 cells of the sweep, or `stop` becomes true.
pub fn recount_modulo(
    figure: &Figure,
    set: &PieceSet,
    bytes: u64,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<Remainders, RecountError> {
    if figure.len() != set.total_cells() {
        let none = BurnsideTerms { order: 1, identity_like: 1, fixed: 0 };
        return Ok(Remainders { raw: [0; 2], rotations: none, symmetries: none });
    }
    let (mut of_rotations, mut of_all) = (BurnsideTerms::default(), BurnsideTerms::default());
    let by_first = placements(figure, set);
    for symmetry in symmetries(figure, set) {
        let identity_like = symmetry.cells.iter().enumerate().all(|(cell, image)| cell == *image);
        let fixed = match identity_like {
            true => 0,
            false => FixedPackingSearch::new(&by_first, &symmetry, set, stop)
                .count(&mut steps.clone())?,
        };
        let rotation = symmetry.proper.then_some(&mut of_rotations);
        for means in [&mut of_all].into_iter().chain(rotation) {
            means.order += 1;
            means.identity_like += u128::from(identity_like);
            means.fixed += fixed;
        }
    }
    let raw = sweep(&lengthwise(figure), set, bytes, u64::MAX, stop)?;
    Ok(Remainders { raw, rotations: of_rotations, symmetries: of_all })
}

/// Counts the packings of a set in a box modulo [`PRIMES`], in tables of at most `bytes` bytes. Other cells stay empty.
///
/// They are the packings of the whole box with the set and as many equal single cubes as cells stay empty. The sum of all
/// figures' packings, each times the figure's positions in the box, is the same number.
///
/// ```
/// use somacat_checking::box_packings_modulo;
/// use somacat_geometry::pieces::parse_set;
///
/// // A domino lies along one of the 12 edges of a cube of side 2, two of them in 12·11/2 − 24 ways.
/// let packings = |set| box_packings_modulo([2, 2, 2], &parse_set(set).unwrap(), 1 << 20, 10_000, None);
/// assert_eq!(packings("D"), Ok([12; 2]));
/// assert_eq!(packings("D2"), Ok([42; 2]));
/// ```
///
/// # Errors
/// Fails if that is not enough or takes more than `steps` additions, the set has single cubes, or `stop` becomes true.
pub fn box_packings_modulo(
    sides: [u32; 3],
    set: &PieceSet,
    bytes: u64,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<[u64; 2], RecountError> {
    let [x, y, z] = sides.map(|side| side as i32);
    let cells = (0..x).flat_map(|a| (0..y).flat_map(move |b| (0..z).map(move |c| [a, b, c])));
    let all = Figure::new(cells.map(Cell::from)).map_err(|_| RecountError::Wide)?;
    let Some(empty) = all.len().checked_sub(set.total_cells()) else { return Ok([0; 2]) };
    let cube = Piece::new('.', &[Cell::new(0, 0, 0)]).map_err(|_| RecountError::Wide)?;
    if set.pieces().iter().any(|(piece, _)| piece.size() == cube.size()) {
        return Err(RecountError::Wide);
    }
    let with_cubes = PieceSet::new("", set.pieces().iter().cloned().chain([(cube, empty)]));
    sweep(&lengthwise(&all), &with_cubes, bytes, steps, stop)
}

/// Turns the figure to be longest along x, the sweep's direction.
fn lengthwise(figure: &Figure) -> Figure {
    let turned = rotations().iter().map(|turn| image(turn, figure.cells()));
    let extents = |cells: &Vec<Cell>| {
        [0, 1, 2].map(|axis: usize| cells.iter().map(|cell| cell.to_array()[axis]).max())
    };
    let longest = turned.max_by_key(extents).expect("there are 24 rotations");
    Figure::new(longest).expect("a turned figure is one")
}

/// The possible choices of pieces left. A choice is a number in a mixed base: each kind of piece has a digit, its
/// number of copies left.
struct ChoiceTable {
    /// For each kind of piece, the value of one copy: the product of the bases of the digits before.
    values: Vec<usize>,
    /// By number of cells, all choices with that many cells, ascending.
    by_cells: Vec<Vec<usize>>,
    /// For each choice, its position among those with as many cells.
    places: Vec<usize>,
    /// For each choice and kind of piece: true if the choice has at least one copy.
    has: Vec<Vec<bool>>,
}

impl ChoiceTable {
    fn new(set: &PieceSet) -> Result<Self, RecountError> {
        let (mut values, mut number) = (Vec::new(), 1_usize);
        for (_, copies) in set.pieces() {
            values.push(number);
            number = number.checked_mul(copies + 1).ok_or(RecountError::Wide)?;
        }
        if number > MAX_CHOICES {
            return Err(RecountError::Wide);
        }
        let mut by_cells = vec![Vec::new(); set.total_cells() + 1];
        let (mut places, mut has) = (Vec::new(), Vec::new());
        for choice in 0..number {
            let pieces = set.pieces().iter().zip(&values);
            let left: Vec<usize> =
                pieces.map(|((_, copies), value)| choice / value % (copies + 1)).collect();
            let sizes = set.pieces().iter().map(|(piece, _)| piece.cells().len());
            let cells: usize = sizes.zip(&left).map(|(size, left)| size * left).sum();
            places.push(by_cells[cells].len());
            by_cells[cells].push(choice);
            has.push(left.into_iter().map(|left| left > 0).collect());
        }
        Ok(Self { values, by_cells, places, has })
    }

    /// Pairs the choices of `cells` cells that have a piece with the choices that are left without it. Each is given by
    /// its position among the choices with as many cells.
    fn without(&self, cells: usize, piece: usize) -> Vec<(u32, u32)> {
        let having = self.by_cells[cells].iter().filter(|choice| self.has[**choice][piece]);
        let places = having.map(|choice| {
            let rest = choice - self.values[piece];
            (self.places[*choice] as u32, self.places[rest] as u32)
        });
        places.collect()
    }
}

const MAX_CHOICES: usize = 1 << 20;

/// The states before a cell, with their numbers of ways.
#[derive(Default)]
struct SweepTable {
    /// By set of covered cells among the next 64, bit 0 being the next cell: the number of uncovered cells of the
    /// figure, and the index in `numbers` where the set's numbers start.
    places: FxHashMap<u64, (usize, usize)>,
    /// For each set, and each choice of pieces with as many cells as are uncovered: the number of ways to cover what is
    /// covered with the other pieces, modulo each prime.
    numbers: Vec<[u32; 2]>,
}

impl SweepTable {
    /// Returns the start of the numbers of a set with `left` uncovered cells. A new set has zeros.
    fn place(&mut self, covered: u64, left: usize, choices: &ChoiceTable) -> usize {
        let Self { places, numbers } = self;
        let entry = places.entry(covered).or_insert_with(|| (left, numbers.len()));
        if entry.1 == numbers.len() {
            numbers.resize(numbers.len() + choices.by_cells[left].len(), [0; 2]);
        }
        entry.1
    }

    fn bytes(&self) -> u64 {
        self.places.len() as u64 * ENTRY_BYTES + self.numbers.len() as u64 * NUMBER_BYTES
    }
}

fn add(sum: &mut [u32; 2], number: [u32; 2]) {
    for ((sum, more), prime) in sum.iter_mut().zip(number).zip(PRIMES) {
        *sum = ((u64::from(*sum) + u64::from(more)) % prime) as u32;
    }
}

/// Returns the number of packings modulo each prime. Fails after more than `steps` additions.
fn sweep(
    figure: &Figure,
    set: &PieceSet,
    bytes: u64,
    mut steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<[u64; 2], RecountError> {
    let choices = ChoiceTable::new(set)?;
    let sizes: Vec<usize> = set.pieces().iter().map(|(piece, _)| piece.cells().len()).collect();
    let mut by_first: Vec<Vec<(usize, u64)>> = Vec::new();
    for (first, starting) in placements(figure, set).into_iter().enumerate() {
        let mask = |(piece, cells): NumberedPlacement| {
            let bits = cells.iter().map(|cell| 1_u64.checked_shl((cell - first) as u32));
            Some((piece, bits.sum::<Option<u64>>()?))
        };
        let masks: Option<Vec<_>> = starting.into_iter().map(mask).collect();
        by_first.push(masks.ok_or(RecountError::Wide)?);
    }
    let mut without: FxHashMap<(usize, usize), Vec<(u32, u32)>> = FxHashMap::default();
    for (left, piece) in
        (0..=figure.len()).flat_map(|left| (0..sizes.len()).map(move |p| (left, p)))
    {
        without.insert((left, piece), choices.without(left, piece));
    }
    let mut table = SweepTable::default();
    let start = table.place(0, figure.len(), &choices);
    table.numbers[start] = [1; 2];
    for starting in by_first {
        let mut next = SweepTable::default();
        for (&covered, &(left, from)) in &table.places {
            let numbers = &table.numbers[from..from + choices.by_cells[left].len()];
            if covered & 1 == 1 {
                let to = next.place(covered >> 1, left, &choices);
                let sums = &mut next.numbers[to..to + numbers.len()];
                sums.iter_mut().zip(numbers).for_each(|(sum, number)| add(sum, *number));
                continue;
            }
            for (piece, cells) in &starting {
                let moves = &without[&(left, *piece)];
                let some = |(with, _): &(u32, u32)| numbers[*with as usize] != [0; 2];
                if covered & cells != 0 || !moves.iter().any(some) {
                    continue;
                }
                steps = steps.checked_sub(moves.len() as u64).ok_or(RecountError::Steps)?;
                let to = next.place((covered | cells) >> 1, left - sizes[*piece], &choices);
                for (with, rest) in moves {
                    add(&mut next.numbers[to + *rest as usize], numbers[*with as usize]);
                }
            }
            if table.bytes() + next.bytes() > bytes {
                return Err(RecountError::States);
            }
        }
        if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(RecountError::Stopped);
        }
        table = next;
    }
    let end = table.places.get(&0).map(|(_, place)| table.numbers[*place]);
    Ok(end.map_or([0; 2], |number| number.map(u64::from)))
}

/// A search for the packings that a symmetry fixes. It places each placement with its images.
struct FixedPackingSearch<'a> {
    by_first: &'a [Vec<NumberedPlacement>],
    symmetry: &'a Symmetry,
    stop: Option<&'a AtomicBool>,
    left: Vec<usize>,
    covered: Vec<bool>,
}

impl<'a> FixedPackingSearch<'a> {
    fn new(
        by_first: &'a [Vec<NumberedPlacement>],
        symmetry: &'a Symmetry,
        set: &PieceSet,
        stop: Option<&'a AtomicBool>,
    ) -> Self {
        let left = set.pieces().iter().map(|(_, copies)| *copies).collect();
        Self { by_first, symmetry, stop, left, covered: vec![false; by_first.len()] }
    }

    fn count(&mut self, steps: &mut u64) -> Result<u128, RecountError> {
        let Some(first) = self.covered.iter().position(|covered| !covered) else { return Ok(1) };
        let mut number = 0;
        for (piece, cells) in &self.by_first[first] {
            let mut placed = Vec::new();
            let mut next = (*piece, cells.clone());
            // Follows the images until the first recurs.
            let whole = loop {
                if !self.place(&next) {
                    break false;
                }
                let mut image: Vec<usize> =
                    next.1.iter().map(|&cell| self.symmetry.cells[cell]).collect();
                image.sort_unstable();
                let image = (self.symmetry.pieces[next.0], image);
                placed.push(next);
                if image.0 == *piece && image.1 == *cells {
                    break true;
                }
                next = image;
            };
            if whole {
                *steps = steps.checked_sub(1).ok_or(RecountError::Steps)?;
                if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                    return Err(RecountError::Stopped);
                }
                number += self.count(steps)?;
            }
            for (piece, cells) in placed {
                self.left[piece] += 1;
                cells.iter().for_each(|&cell| self.covered[cell] = false);
            }
        }
        Ok(number)
    }

    fn place(&mut self, (piece, cells): &NumberedPlacement) -> bool {
        let free = self.left[*piece] > 0 && cells.iter().all(|&cell| !self.covered[cell]);
        if free {
            self.left[*piece] -= 1;
            cells.iter().for_each(|&cell| self.covered[cell] = true);
        }
        free
    }
}
