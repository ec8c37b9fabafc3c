//! The fewest marks with weights 0 and 1 that are invariant under the group of a figure.
//!
//! Such marks are a set of orbits of cells. A figure of 27 cells with four symmetries has about ten orbits, so all sets
//! can be tried: those with one marked cell, then those with two, and so on. The first set of which the pieces cannot
//! cover as many cells as it has is a proof with the fewest marks.
//!
//! Nearly all sets are skipped. If a proof marks n cells, the pieces cover at most n - 1 of them, and no more of any part
//! of them. So a set of orbits of which the pieces can cover n cells is not extended. Most cells can be reached by each
//! of the seven pieces, and so are in no proof with seven marks or fewer.
//!
//! To bound how many cells of a set the pieces cover, each orbit has a column: for each placement, the number of its
//! cells in the orbit. The sum of the columns of a set has the number of its cells that each placement covers, and each
//! piece covers at most its largest. The numbers are bytes, of which processors add sixteen at once.

use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Group;

/// The most cells of a piece.
const MAX_PIECE: usize = 5;

/// The side of the grid in which a figure lies. What leaves the grid at one side enters it at the other, so the figure
/// is shorter by a piece.
const SIDE: i32 = 32;
const MAX_EXTENT: i32 = SIDE - MAX_PIECE as i32 + 1;

/// The place of a figure's least corner in the grid: pieces may reach below it.
const ORIGIN: i32 = MAX_PIECE as i32 * SIDE * SIDE;
const PLACES: usize = (2 * ORIGIN + SIDE * SIDE * SIDE) as usize;

/// The most sets of orbits that are tried. A figure of 27 cells takes up to some hundred thousand.
const MAX_SETS: u32 = 2_000_000;

/// Returns the place of a cell in the grid, or the difference of the places of two cells.
fn place(cell: Cell) -> i32 {
    let [x, y, z] = cell.to_array();
    x + SIDE * (y + SIDE * z)
}

/// The numbers of cells that sixteen placements of a piece have in a set of orbits.
type Sixteen = [u8; 16];

/// A piece in one of its orientations.
#[derive(Debug)]
struct Orientation {
    piece: usize,
    /// The places of the cells after the first, relative to it.
    others: Vec<i32>,
    /// For each of the others, the next orientation that differs in it or in one before it. If the cell is missing in a
    /// figure, those in between do not fit either.
    next: Vec<usize>,
}

/// What is known of the marks of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// The weight of each cell, 0 or 1.
    Marks(Vec<i64>),
    /// There are no invariant marks with weights 0 and 1.
    None,
    /// The search ended early.
    Unknown,
}

/// Finds the marks of one figure after the other.
#[derive(Debug)]
pub(crate) struct OrbitMarks {
    /// For each piece, the number of its copies.
    copies: Vec<u32>,
    /// For each piece its mirror image. Empty if the set does not have them all.
    mirror: Vec<usize>,
    /// Sorted by their cells.
    orientations: Vec<Orientation>,
    /// For each place 0, or one more than the number of its cell; later, one more than the code of the cell.
    grid: Vec<u8>,
    places: Vec<i32>,
    /// For each cell a code: twice the number of its orbit, plus one unless it is the first cell of the orbit.
    codes: Vec<u8>,
    /// For each orbit, the number of its cells.
    sizes: Vec<u32>,
    /// For each piece, the orbits of the cells of each placement, up to symmetry. A smaller piece is filled up with an
    /// orbit that no cell has.
    covered: Vec<Vec<[u8; MAX_PIECE]>>,
    /// The columns of the orbits. In each, a piece has as many groups of sixteen numbers as its placements fill; numbers
    /// after the last are 0.
    columns: Vec<Sixteen>,
    /// For each piece, the end of its groups in a column.
    ends: Vec<usize>,
    /// The sums of the first columns of the current set: of none, of one, and so on.
    sums: Vec<Sixteen>,
    /// The orbits that may extend each of the sets on the way to the current one, and then the current one.
    open: Vec<usize>,
    /// The current set.
    chosen: Vec<usize>,
    /// The number of sets tried.
    tried: u32,
}

impl OrbitMarks {
    /// Prepares to find marks for a set without ranges of copies. `None` if a piece has too many cells.
    pub(crate) fn new(set: &PieceSet) -> Option<Self> {
        let mut orientations = Vec::new();
        for (piece, (shape, _)) in set.pieces().iter().enumerate() {
            for cells in shape.orientations() {
                let others: Vec<i32> = cells[1..].iter().map(|&c| place(c - cells[0])).collect();
                orientations.push(Orientation { piece, others, next: Vec::new() });
            }
        }
        orientations.sort_by(|a, b| a.others.cmp(&b.others));
        for at in 0..orientations.len() {
            let differs = |to: usize| {
                let one = &orientations[at].others[..to];
                let same = |other: &Orientation| other.others.get(..to) == Some(one);
                let same = orientations[at..].iter().take_while(|other| same(other)).count();
                at + same
            };
            let next = (1..=orientations[at].others.len()).map(differs).collect();
            orientations[at].next = next;
        }
        let is_small = set.pieces().iter().all(|(piece, _)| piece.size() <= MAX_PIECE);
        (is_small && !set.is_choice()).then(|| Self {
            copies: set.pieces().iter().map(|(_, copies)| *copies as u32).collect(),
            mirror: set.mirror_map().unwrap_or_default().to_vec(),
            orientations,
            grid: vec![0; PLACES],
            places: Vec::new(),
            codes: Vec::new(),
            sizes: Vec::new(),
            covered: vec![Vec::new(); set.pieces().len()],
            columns: Vec::new(),
            ends: Vec::new(),
            sums: Vec::new(),
            open: Vec::new(),
            chosen: Vec::new(),
            tried: 0,
        })
    }

    /// Finds the fewest marks of a figure, given by its cells and its group. [`Found::Unknown`] if it is too long.
    pub(crate) fn find(&mut self, cells: &[Cell], group: Group) -> Found {
        let corner = Cell::min_corner(cells);
        let is_long = |&cell: &Cell| (cell - corner).to_array().iter().any(|at| *at >= MAX_EXTENT);
        if cells.len() >= 100 || cells.iter().any(is_long) {
            return Found::Unknown;
        }
        self.places.clear();
        self.places.extend(cells.iter().map(|&cell| place(cell - corner) + ORIGIN));
        for (number, &place) in (1..).zip(&self.places) {
            self.grid[place as usize] = number;
        }
        let group = if self.mirror.is_empty() { group.rotations() } else { group };
        self.list_orbits(cells, group);
        self.list_placements(group);
        self.fill_columns();
        let found = self.fewest(cells.len() as u32);
        self.places.iter().for_each(|&place| self.grid[place as usize] = 0);
        match found {
            None => Found::Unknown,
            Some(false) => Found::None,
            Some(true) => {
                let is_marked = |code: &u8| self.chosen.contains(&usize::from(code / 2));
                Found::Marks(self.codes.iter().map(|code| i64::from(is_marked(code))).collect())
            }
        }
    }

    /// Numbers the orbits, and puts the codes into the grid.
    fn list_orbits(&mut self, cells: &[Cell], group: Group) {
        // First the number of the first cell of each orbit. Every transform of the group is visited, so this cell reaches
        // all the others directly.
        self.codes.clear();
        self.codes.extend(0..cells.len() as u8);
        let mut images = Vec::with_capacity(cells.len());
        for transform in group.iter() {
            images.clear();
            images.extend(cells.iter().map(|&cell| transform.apply(cell)));
            let corner = Cell::min_corner(&images);
            for (at, &image) in (0..).zip(&images) {
                let to = usize::from(self.grid[(place(image - corner) + ORIGIN) as usize]) - 1;
                self.codes[to] = self.codes[to].min(at);
            }
        }
        self.sizes.clear();
        for at in 0..cells.len() {
            let first = usize::from(self.codes[at]);
            if first == at {
                self.codes[at] = 2 * self.sizes.len() as u8;
                self.sizes.push(0);
            } else {
                self.codes[at] = self.codes[first] + 1;
            }
            self.sizes[usize::from(self.codes[at] / 2)] += 1;
            self.grid[self.places[at] as usize] = self.codes[at] + 1;
        }
    }

    /// Lists the placements, of images under the group at least one: one that has the first cell of the first orbit that
    /// it reaches. So its least code is even.
    fn list_placements(&mut self, group: Group) {
        self.covered.iter_mut().for_each(Vec::clear);
        let reflects = group.rotation_order() < group.order();
        let padding = 2 * self.sizes.len() as u8;
        for (&place, &code) in self.places.iter().zip(&self.codes) {
            let mut at = 0;
            'next: while let Some(orientation) = self.orientations.get(at) {
                let (mut covered, mut least) = ([padding; MAX_PIECE], code);
                covered[0] = code;
                for (number, &other) in orientation.others.iter().enumerate() {
                    let filled = self.grid[(place + other) as usize];
                    if filled == 0 {
                        at = orientation.next[number];
                        continue 'next;
                    }
                    covered[number + 1] = filled - 1;
                    least = least.min(filled - 1);
                }
                if least.is_multiple_of(2) {
                    let (piece, orbits) = (orientation.piece, covered.map(|code| code / 2));
                    self.covered[piece].push(orbits);
                    // A reflection maps the placements of a piece to those of its mirror image.
                    if reflects && self.mirror[piece] != piece {
                        self.covered[self.mirror[piece]].push(orbits);
                    }
                }
                at += 1;
            }
        }
    }

    fn fill_columns(&mut self) {
        self.ends.clear();
        let mut end = 0;
        for covered in &self.covered {
            end += covered.len().div_ceil(16);
            self.ends.push(end);
        }
        self.columns.clear();
        self.columns.resize((self.sizes.len() + 1) * end, [0; 16]);
        for (covered, last) in self.covered.iter().zip(&self.ends) {
            let first = last - covered.len().div_ceil(16);
            for (number, orbits) in covered.iter().enumerate() {
                for &orbit in orbits {
                    self.columns[usize::from(orbit) * end + first + number / 16][number % 16] += 1;
                }
            }
        }
        self.sums.clear();
        self.sums.resize((self.sizes.len() + 2) * end, [0; 16]);
    }

    /// Searches for the smallest proof. Returns `true` if [`Self::chosen`] is one, and `None` if the search ended early.
    fn fewest(&mut self, cells: u32) -> Option<bool> {
        self.chosen.clear();
        self.tried = 0;
        let mut order: Vec<(u32, usize)> =
            (0..self.sizes.len()).map(|orbit| (self.sum(0, orbit, u32::MAX), orbit)).collect();
        order.sort_unstable();
        for marks in 1..cells {
            self.open.clear();
            let few = order.iter().take_while(|(covered, _)| *covered < marks);
            self.open.extend(few.map(|(_, orbit)| orbit));
            if self.extend(0, marks, marks)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Extends the current set by orbits that have `left` cells together, to a set of `marks` cells. The orbits are from
    /// [`Self::open`], the first of them at least at `from`; with any of them alone, the set may still become a proof.
    fn extend(&mut self, from: usize, left: u32, marks: u32) -> Option<bool> {
        let (depth, end) = (self.chosen.len(), self.open.len());
        let mut rest: u32 = self.open[from..].iter().map(|&orbit| self.sizes[orbit]).sum();
        for at in from..end {
            if rest < left {
                break;
            }
            let orbit = self.open[at];
            let size = self.sizes[orbit];
            rest -= size;
            if size > left {
                continue;
            }
            self.chosen.push(orbit);
            if size == left {
                return Some(true);
            }
            self.tried += (end - at) as u32;
            if self.tried > MAX_SETS {
                return None;
            }
            self.sum(depth, orbit, u32::MAX);
            for other in at + 1..end {
                let other = self.open[other];
                if self.sum(depth + 1, other, marks) < marks {
                    self.open.push(other);
                }
            }
            if self.extend(end, left - size, marks)? {
                return Some(true);
            }
            self.open.truncate(end);
            self.chosen.pop();
        }
        Some(false)
    }

    /// Adds an orbit's column to the sum of the first `chosen` ones. Returns how many cells the pieces cover together; or
    /// at least `enough`, and the sum is then incomplete.
    fn sum(&mut self, chosen: usize, orbit: usize, enough: u32) -> u32 {
        let height = self.ends.last().copied().unwrap_or(0);
        let (before, after) = self.sums.split_at_mut((chosen + 1) * height);
        let before = &before[chosen * height..];
        let after = &mut after[..height];
        let column = &self.columns[orbit * height..][..height];
        let (mut all, mut start) = (0, 0);
        for (&end, copies) in self.ends.iter().zip(&self.copies) {
            let part = start..end;
            let largest = add(&before[part.clone()], &column[part.clone()], &mut after[part]);
            all += copies * u32::from(largest);
            if all >= enough {
                break;
            }
            start = end;
        }
        all
    }
}

/// Adds two parts of columns, and returns the largest sum. Processors add sixteen numbers at once if the loops are written
/// like this.
fn add(a: &[Sixteen], b: &[Sixteen], sums: &mut [Sixteen]) -> u8 {
    let mut largest = [0; 16];
    for ((a, b), to) in a.iter().zip(b).zip(sums) {
        let mut sum = [0; 16];
        for lane in 0..16 {
            sum[lane] = a[lane].wrapping_add(b[lane]);
        }
        *to = sum;
        for lane in 0..16 {
            largest[lane] = if sum[lane] > largest[lane] { sum[lane] } else { largest[lane] };
        }
    }
    largest.into_iter().fold(0, u8::max)
}
