//! Looks for a wrong proof by marks among random figures of SOMA's 27 cells, half of which are built from the pieces.
//!
//! ```text
//! cargo run --release -p benches --example random_marks FIRST NUMBER
//! ```
//!
//! Figure n depends on n alone. An even one is made of the seven pieces, so marks would be wrong. An odd one has grown
//! cell by cell. Marks are checked by `somacat-checking`, and a search must find no packing. The first wrong proof ends
//! the program. It prints totals, and figures that took more than a tenth of a second of processor time.

use somacat_checking::check_certificate;
use somacat_counting::prove::{Argument, find_marks, write_certificate};
use somacat_counting::solve::{Limits, Problem, first};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::collections::BTreeSet;
use std::time::Duration;

/// The sides of the box in which figures lie. In smaller ones, most figures that grow can be built.
const BOXES: [[i32; 3]; 5] = [[2, 4, 7], [2, 6, 6], [3, 5, 7], [5, 5, 5], [6, 6, 6]];

const SLOW: Duration = Duration::from_millis(100);

/// `SplitMix64` (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % most as u64) as usize
    }
}

/// The cells so far, in a box.
struct Growing {
    random: Random,
    sides: [i32; 3],
    cells: BTreeSet<Cell>,
}

impl Growing {
    fn new(number: u64) -> Self {
        let mut random = Random(number);
        let sides = BOXES[random.below(BOXES.len())];
        Self { random, sides, cells: BTreeSet::new() }
    }

    fn is_free(&self, cell: Cell) -> bool {
        let inside =
            cell.to_array().iter().zip(self.sides).all(|(at, side)| (0..side).contains(at));
        inside && !self.cells.contains(&cell)
    }

    fn neighbors(&self, cell: Cell) -> usize {
        cell.neighbors().into_iter().filter(|near| self.cells.contains(near)).count()
    }

    /// Draws a free cell next to the figure, or any cell of the box at the beginning.
    fn next_cell(&mut self) -> Option<Cell> {
        if self.cells.is_empty() {
            return Some(Cell::from(
                self.sides.map(|side| self.random.below(side as usize) as i32),
            ));
        }
        let cells: Vec<Cell> = self.cells.iter().copied().collect();
        let mut step = [0; 3];
        step[self.random.below(3)] = if self.random.below(2) == 0 { 1 } else { -1 };
        let next = cells[self.random.below(cells.len())] + Cell::from(step);
        self.is_free(next).then_some(next)
    }

    /// Adds cells one by one, two of three next to a single other cell: thin figures often cannot be built.
    fn grown(mut self, cells: usize) -> Figure {
        while self.cells.len() < cells {
            let next = self.next_cell();
            let is_thin = |cell: &Cell| self.neighbors(*cell) <= 1;
            let next = next.filter(|cell| is_thin(cell) || self.random.0.is_multiple_of(3));
            self.cells.extend(next);
        }
        Figure::new(self.cells).expect("there are cells")
    }

    /// Adds the pieces one by one, and begins again if one finds no place.
    fn built(mut self, set: &PieceSet) -> Figure {
        let all: Vec<_> = set.pieces().iter().map(|(piece, _)| piece.orientations()).collect();
        loop {
            self.cells.clear();
            if self.adds(all.clone()).is_some() {
                return Figure::new(self.cells).expect("there are cells");
            }
        }
    }

    /// Adds a copy of each piece, given by its orientations.
    fn adds(&mut self, mut pieces: Vec<Vec<Vec<Cell>>>) -> Option<()> {
        while !pieces.is_empty() {
            let orientations = pieces.swap_remove(self.random.below(pieces.len()));
            let place = (0..200).find_map(|_| {
                let at = self.next_cell()?;
                let shape = &orientations[self.random.below(orientations.len())];
                let anchor = shape[self.random.below(shape.len())];
                let cells: Vec<Cell> = shape.iter().map(|&cell| cell - anchor + at).collect();
                cells.iter().all(|&cell| self.is_free(cell)).then_some(cells)
            })?;
            self.cells.extend(place);
        }
        Some(())
    }
}

/// Returns the processor time of this thread. It is 0 where the system has no such file.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let (Some(Ok(begin)), Some(Ok(number))) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: random_marks FIRST NUMBER");
        std::process::exit(2);
    };
    let soma = PieceSet::soma(1);
    let (mut built, mut grown, mut proved, mut open, mut slow) =
        (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let mut in_marks = Duration::ZERO;
    for n in begin..begin + number {
        let is_built = n.is_multiple_of(2);
        let figure = match is_built {
            true => Growing::new(n).built(&soma),
            false => Growing::new(n).grown(27),
        };
        *if is_built { &mut built } else { &mut grown } += 1;
        let before = processor_time();
        let marks = find_marks((&figure, &soma), Limits::default());
        let taken = processor_time().saturating_sub(before);
        in_marks += taken;
        if taken > SLOW {
            slow += 1;
            println!("{n}: {taken:.0?}, {}", figure.canonical().signature);
        }
        let Some(marks) = marks else {
            open += u64::from(!is_built);
            continue;
        };
        proved += 1;
        assert!(!is_built, "figure {n} is built from the pieces, but marks were found");
        let (argument, mut text) = (Argument::Marks(marks), Vec::new());
        write_certificate("x", (&figure, &soma), &argument, Limits::default(), &mut text)
            .expect("marks are a certificate");
        let checked = check_certificate(text.as_slice(), Some(&figure), Some(&soma));
        assert!(checked.is_ok(), "figure {n}: {checked:?}");
        let packing = first(&Problem::new(&figure, &soma), Limits::default()).expect("27 cells");
        assert!(packing.0.is_none(), "figure {n} has marks and a packing");
    }
    println!(
        "figures {begin} to {}: {built} built from the pieces, none with marks; {grown} grown, {proved} with marks, all \
         of them sound, {open} without; {slow} took more than {SLOW:.0?}; {in_marks:.0?} in all for marks",
        begin + number - 1
    );
}
