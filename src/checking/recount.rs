//! Counts all packings of a figure by simple backtracking.

use super::turns::{AxisMap, apply, image, orientations, reflections, rotations};
use rayon::prelude::*;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Counts;
use somacat_geometry::pieces::PieceSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A symmetry of the figure: the images of the cells and of the pieces.
pub(super) struct Symmetry {
    pub(super) proper: bool,
    pub(super) cells: Vec<usize>,
    pub(super) pieces: Vec<usize>,
}

/// A piece by its number in the set, and its cells by number, ascending.
pub(super) type NumberedPlacement = (usize, Vec<usize>);

/// For each cell its piece and the first cell of that piece: equal if and only if the packings are.
type PackingKey = Vec<(usize, usize)>;

/// The reason why a recount did not finish.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecountError {
    /// The recount needs more placements than allowed.
    #[error("the recount needs more steps than allowed")]
    Steps,
    /// The recount needs more states at a cell of a sweep than allowed.
    #[error("the recount needs more memory than allowed")]
    States,
    /// A piece spans too many cells of a sweep, or there are too many pieces.
    #[error("the figure is too wide, or has too many pieces, for a sweep")]
    Wide,
    /// The number exceeds 2¹²⁷.
    #[error("the number is too large")]
    Large,
    /// The caller asked to stop.
    #[error("the recount was stopped")]
    Stopped,
}

/// Data shared by all branches of the recount.
struct RecountShared<'a> {
    placements: Vec<Vec<NumberedPlacement>>,
    symmetries: Vec<Symmetry>,
    steps: u64,
    /// Steps reported by all branches so far.
    made: AtomicU64,
    stop: Option<&'a AtomicBool>,
}

/// Steps between two reports of a branch: some hundred microseconds.
const STEP_REPORT_INTERVAL: u64 = 1 << 12;

#[derive(Clone)]
struct RecountBranch<'a> {
    shared: &'a RecountShared<'a>,
    left: Vec<usize>,
    packing: Vec<Option<(usize, usize)>>,
    counts: Counts,
    /// Steps not reported yet.
    steps: u64,
}

/// Counts all packings by trying every piece on the first empty cell.
///
/// Pieces are tried in every orientation. The branches for the placements on the first cell are counted in
/// parallel.
///
/// # Errors
/// Fails if that takes more than `steps` placements, or `stop` becomes true.
pub fn recount(
    figure: &Figure,
    set: &PieceSet,
    steps: u64,
    stop: Option<&AtomicBool>,
) -> Result<Counts, RecountError> {
    if figure.len() != set.total_cells() {
        return Ok(Counts::default());
    }
    let shared = RecountShared {
        placements: placements(figure, set),
        symmetries: symmetries(figure, set),
        steps,
        made: AtomicU64::new(0),
        stop,
    };
    let start = RecountBranch {
        shared: &shared,
        left: set.pieces().iter().map(|(_, count)| *count).collect(),
        packing: vec![None; figure.len()],
        counts: Counts::default(),
        steps: 0,
    };
    let branch = |first: usize| {
        let mut branch = start.clone();
        branch.place(0, first)?;
        branch.report().map(|()| branch.counts)
    };
    let sum = |a: Counts, b: Counts| Counts {
        raw: a.raw + b.raw,
        rotation: a.rotation + b.rotation,
        unique: a.unique + b.unique,
    };
    let branches = (0..shared.placements[0].len()).into_par_iter();
    branches.map(branch).try_reduce(Counts::default, |a, b| Ok(sum(a, b)))
}

/// Lists for each cell the placements with this first cell.
pub(super) fn placements(figure: &Figure, set: &PieceSet) -> Vec<Vec<NumberedPlacement>> {
    let cells = figure.cells();
    let at = |cell: Cell| cells.binary_search(&cell).ok();
    let mut by_first = vec![Vec::new(); cells.len()];
    for (number, (piece, _)) in set.pieces().iter().enumerate() {
        for shape in orientations(piece.cells()) {
            for &corner in cells {
                let moved: Option<Vec<usize>> =
                    shape.iter().map(|&c| at(c - shape[0] + corner)).collect();
                if let Some(moved) = moved {
                    by_first[moved[0]].push((number, moved));
                }
            }
        }
    }
    by_first
}

/// Returns all symmetries of the figure that map packings to packings.
pub(super) fn symmetries(figure: &Figure, set: &PieceSet) -> Vec<Symmetry> {
    let shape_of = |map: &AxisMap, number: usize| -> Vec<Cell> {
        // The least of all rotated copies represents the shape.
        let cells = image(map, set.pieces()[number].0.cells());
        orientations(&cells).pop_first().expect("there are 24 rotations")
    };
    let same: AxisMap = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let numbers = 0..set.pieces().len();
    let shapes: Vec<Vec<Cell>> = numbers.clone().map(|n| shape_of(&same, n)).collect();
    let symmetry = |map: &AxisMap, proper: bool| -> Option<Symmetry> {
        let moved: Vec<Cell> = figure.cells().iter().map(|&c| apply(map, c)).collect();
        let corner = Cell::min_corner(&moved);
        let to = |&c: &Cell| figure.cells().binary_search(&(c - corner)).ok();
        let pieces = numbers.clone().map(|n| {
            let becomes = shape_of(map, n);
            let partner = shapes.iter().position(|shape| *shape == becomes)?;
            (set.pieces()[partner].1 == set.pieces()[n].1).then_some(partner)
        });
        Some(Symmetry {
            proper,
            cells: moved.iter().map(to).collect::<Option<_>>()?,
            pieces: pieces.collect::<Option<_>>()?,
        })
    };
    let turns = rotations();
    let mirrors = reflections();
    let proper = turns.iter().filter_map(|map| symmetry(map, true));
    proper.chain(mirrors.iter().filter_map(|map| symmetry(map, false))).collect()
}

impl RecountBranch<'_> {
    /// Fills the first empty cell, from `cell` on, in every way.
    fn fill(&mut self, cell: usize) -> Result<(), RecountError> {
        let Some(first) = (cell..self.packing.len()).find(|&c| self.packing[c].is_none()) else {
            self.count_packing();
            return Ok(());
        };
        (0..self.shared.placements[first].len()).try_for_each(|index| self.place(first, index))
    }

    /// Tries a placement on the empty cell `first`, and fills the rest.
    fn place(&mut self, first: usize, index: usize) -> Result<(), RecountError> {
        let shared = self.shared;
        let (piece, ref cells) = shared.placements[first][index];
        if self.left[piece] == 0 || cells.iter().any(|&c| self.packing[c].is_some()) {
            return Ok(());
        }
        self.steps += 1;
        if self.steps == STEP_REPORT_INTERVAL {
            self.report()?;
        }
        for &c in cells {
            self.packing[c] = Some((piece, first));
        }
        self.left[piece] -= 1;
        let done = self.fill(first + 1);
        self.left[piece] += 1;
        for &c in cells {
            self.packing[c] = None;
        }
        done
    }

    /// Adds the steps to those of the other branches. The sum does not depend on the threads, and so neither does
    /// the outcome of a limit.
    fn report(&mut self) -> Result<(), RecountError> {
        let steps = std::mem::take(&mut self.steps);
        let made = self.shared.made.fetch_add(steps, Ordering::Relaxed) + steps;
        if self.shared.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(RecountError::Stopped);
        }
        if made > self.shared.steps { Err(RecountError::Steps) } else { Ok(()) }
    }

    /// Counts the packing; up to symmetry it counts only if it is the least of its images.
    fn count_packing(&mut self) {
        let packing: PackingKey = self.packing.iter().copied().flatten().collect();
        self.counts.raw += 1;
        let (mut least_rotated, mut least) = (true, true);
        for symmetry in &self.shared.symmetries {
            if image_of(&packing, symmetry) < packing {
                least = false;
                least_rotated &= !symmetry.proper;
            }
        }
        self.counts.rotation += u128::from(least_rotated);
        self.counts.unique += u128::from(least);
    }
}

fn image_of(packing: &PackingKey, symmetry: &Symmetry) -> PackingKey {
    let mut image = vec![(0, usize::MAX); packing.len()];
    // The first cell of a piece in the image is the least image of its cells.
    let mut first = vec![usize::MAX; packing.len()];
    for (cell, &(_, put)) in packing.iter().enumerate() {
        first[put] = first[put].min(symmetry.cells[cell]);
    }
    for (cell, &(piece, put)) in packing.iter().enumerate() {
        image[symmetry.cells[cell]] = (symmetry.pieces[piece], first[put]);
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_has_240_packings_480_up_to_rotation_and_11520_in_all() {
        let cells = (0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9));
        let cube = Figure::new(cells).unwrap();
        let counts = Counts { raw: 11520, rotation: 480, unique: 240 };
        let soma = PieceSet::soma(1);
        assert_eq!(recount(&cube, &soma, u64::MAX, None), Ok(counts));
        assert_eq!(recount(&cube, &soma, 1000, None), Err(RecountError::Steps));
        let stop = AtomicBool::new(true);
        assert_eq!(recount(&cube, &soma, u64::MAX, Some(&stop)), Err(RecountError::Stopped));
    }

    /// Compares with a count by hand: a P is one corner and its three neighbors; the opposite corner gives the
    /// other P.
    #[test]
    fn two_corner_pieces_make_the_2x2x2_cube_in_four_ways() {
        let cells = (0..8).map(|n| Cell::new(n % 2, n / 2 % 2, n / 4));
        let cube = Figure::new(cells).unwrap();
        let set = somacat_geometry::pieces::parse_set("P2").unwrap();
        let counts = Counts { raw: 4, rotation: 1, unique: 1 };
        assert_eq!(recount(&cube, &set, u64::MAX, None), Ok(counts));
    }
}
