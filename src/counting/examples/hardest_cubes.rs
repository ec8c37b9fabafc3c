//! Looks for the sets of pieces whose 3×3×3 cube is hardest: with most nodes of the search for each unique packing.
//!
//! Two searches walk from set to set. They have only the count of a set in common:
//!
//! * `division` changes a division of the cube into connected pieces and empty cells, so that every set has a packing.
//!   A step gives some cells to neighboring pieces or to none, divides two pieces anew, or places a copy of a piece in
//!   the cube. A set that is easier by more than a threshold is not taken, and the threshold falls (threshold
//!   accepting, Dueck and Scheuer 1990).
//! * `exchange` changes pieces, with no packing in mind: one grows, shrinks, gives a cell to another one, is reflected,
//!   becomes a copy of another one, or is exchanged for one drawn at random. Whether the new pieces fit into the cube
//!   shows when they are counted. An easier set is taken with a probability that falls (simulated annealing,
//!   Kirkpatrick, Gelatt and Vecchi 1983).
//!
//! A set on which both searches agree is likely to be the hardest, which is no proof. A walk depends on its number and
//! on that of the pieces alone. The arguments are the sets that a walk counts, the first and the last walk of each search,
//! and the least and the greatest number of pieces:
//!
//! ```text
//! cargo run --release -p somacat-counting --example hardest_cubes -- 5000 1 3 3 12 > hardest.csv
//! ```
//!
//! With the file of a table as a further argument, each walk begins at the table's set and looks near it.
//!
//! A row has the hardest set of a walk: its empty cells, its counts, its nodes, and the nodes for each unique packing;
//! the placements that a plain search tries for each raw packing; and the pieces, as in set files.

use somacat_counting::plain_search::plain_effort;
use somacat_counting::solve::{self, EngineChoice, Limits, Problem, count};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::{Counts, Outcome, Report};
use somacat_geometry::pieces::{GAP, Piece, PieceSet, parse_piece_lines};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::error::Error;

/// Pieces as masks of the cube's 27 cells.
type Pieces = Vec<u32>;

/// The limits of nodes with which a set is counted, one after another. A set that takes more is left out.
const NODES: [u64; 4] = [1_000, 6_000, 50_000, 500_000];

/// The most packings up to symmetry. A set with more is left out, and mostly seen after a few nodes.
const PACKINGS: u128 = 50;

/// A walk ends after this many steps for each set that it may count. Most steps lead to known sets, or to none.
const STEPS: usize = 8;

/// All cells of the cube, in the order of their coordinates.
const CUBE: u32 = (1 << 27) - 1;

const SEARCHES: [&str; 2] = ["division", "exchange"];

/// For each axis from the last on, the distance of neighboring cells, and the cells with the largest and with the
/// smallest coordinate.
const AXES: [(u32, u32, u32); 3] =
    [(1, 0o444_444_444, 0o111_111_111), (3, 0o700_700_700, 0o007_007_007), (9, 0x1FF << 18, 0x1FF)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let table = arguments.get(5).map_or(Ok(String::new()), std::fs::read_to_string)?;
    arguments.truncate(5);
    let numbers: Result<Vec<usize>, _> = arguments.iter().map(|at| at.parse()).collect();
    let Ok([sets, first, last, least, most]) = <[usize; 5]>::try_from(numbers?) else {
        return Err("expected: sets of a walk, first and last walk, least and most pieces".into());
    };
    let cube = Figure::of_box([3, 3, 3])?;
    println!("pieces,search,walk,gaps,raw,rotation,unique,nodes,difficulty,plain,set");
    for at in first..=last {
        for number in least..=most {
            for (search, name) in SEARCHES.iter().enumerate() {
                let seed = (1000 * number + at) as u64;
                let random = Random { state: seed, is_xorshift: search == 1 };
                let (pieces, known) = Default::default();
                let mut walk = Walk { cube: &cube, number, search, random, pieces, known };
                let beginning = beginning(&cube, &table, number)?;
                if let Some(pieces) = walk.run(sets, beginning)? {
                    println!("{number},{name},{at},{}", row(&cube, &pieces)?);
                }
            }
        }
    }
    Ok(())
}

/// Returns a packing of the table's set with this number of pieces, if there is one.
fn beginning(cube: &Figure, table: &str, number: usize) -> Result<Option<Pieces>, Box<dyn Error>> {
    let start = format!("{number},");
    let row = table.lines().find(|line| line.starts_with(&start));
    let Some(pieces) = row.and_then(|row| row.split('"').nth(1)) else { return Ok(None) };
    let set = parse_piece_lines("cube", &pieces.replace("; ", "\n"))?;
    let set = set.with_gaps(27 - set.total_cells());
    let packing = solve::first(&Problem::new(cube, &set), Limits::default())?.0.unwrap_or_default();
    let pieces = packing.iter().filter(|at| set.pieces()[at.piece].0.letter() != GAP);
    Ok(Some(pieces.map(|at| mask_of(&at.cells)).collect()))
}

/// Returns the columns of a set: from its empty cells to its pieces.
fn row(cube: &Figure, pieces: &[u32]) -> Result<String, Box<dyn Error>> {
    let letters = pieces.iter().zip('A'..);
    let list: Result<Vec<(Piece, usize)>, Box<dyn Error>> =
        letters.map(|(&mask, letter)| Ok((piece(cube, mask, letter)?, 1))).collect();
    let set = PieceSet::new("cube", list?);
    let Report { outcome, nodes, .. } = report(cube, &set, NODES[3])?;
    let (counts, nodes) = outcome.counts().zip(nodes).ok_or("the set was counted before")?;
    let gaps = 27 - set.total_cells();
    let plain = plain_effort(cube, &set.with_gaps(gaps), u64::MAX).unwrap_or_default();
    let Counts { raw, rotation, unique } = counts;
    let (difficulty, lines) = (nodes as f64 / unique as f64, set.lines().join("; "));
    Ok(format!("{gaps},{raw},{rotation},{unique},{nodes},{difficulty:.1},{plain},\"{lines}\""))
}

fn piece(cube: &Figure, mask: u32, letter: char) -> Result<Piece, Box<dyn Error>> {
    let cells = (0..27).filter(|at| mask >> at & 1 == 1).map(|at| cube.cells()[at]);
    Ok(Piece::new(letter, &cells.collect::<Vec<Cell>>())?)
}

fn mask_of(cells: &[Cell]) -> u32 {
    cells.iter().map(|cell| cell.to_array()).map(|[x, y, z]| 1 << (9 * x + 3 * y + z)).sum()
}

fn report(cube: &Figure, set: &PieceSet, nodes: u64) -> Result<Report, Box<dyn Error>> {
    let set = set.with_gaps(27 - set.total_cells());
    let limits = Limits { nodes: Some(nodes), engine: EngineChoice::Search, ..Limits::default() };
    Ok(count(&Problem::new(cube, &set), limits)?)
}

/// The searches draw with different generators.
struct Random {
    state: u64,
    is_xorshift: bool,
}

impl Random {
    fn next(&mut self) -> u64 {
        if self.is_xorshift {
            // xorshift64* (Vigna 2016).
            self.state ^= self.state >> 12;
            self.state ^= self.state << 25;
            self.state ^= self.state >> 27;
            return self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 8;
        }
        // SplitMix64 (Steele, Lea and Flood 2014).
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) >> 8
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    /// Draws a number above 0, up to 1.
    fn share(&mut self) -> f64 {
        ((self.next() & 0xFFFF_FFFF) + 1) as f64 / (1_u64 << 32) as f64
    }

    /// Draws a cell of a mask, as a mask. Of no cells, returns none.
    fn cell(&mut self, mask: u32) -> u32 {
        let ones = mask.count_ones();
        let skipped = if ones == 0 { 0 } else { self.below(ones as usize) };
        let left = (0..skipped).fold(mask, |mask, _| mask & (mask - 1));
        left & left.wrapping_neg()
    }
}

/// Returns the cells next to a mask's cells.
fn neighbors(mask: u32) -> u32 {
    let near = |(step, high, low): (u32, u32, u32)| (mask & !high) << step | (mask & !low) >> step;
    AXES.into_iter().map(near).fold(0, |all, near| all | near) & !mask
}

fn is_piece(mask: u32) -> bool {
    let mut part = mask & mask.wrapping_neg();
    while neighbors(part) & mask != 0 {
        part |= neighbors(part) & mask;
    }
    mask != 0 && part == mask
}

fn cells(pieces: &[u32]) -> u32 {
    pieces.iter().map(|piece| piece.count_ones()).sum()
}

/// A walk from set to set, which ends after a number of sets.
struct Walk<'a> {
    cube: &'a Figure,
    /// The number of pieces.
    number: usize,
    /// The position in [`SEARCHES`].
    search: usize,
    random: Random,
    /// For each mask, the masks of its form and of its mirror image's, and the piece.
    pieces: HashMap<u32, ([u32; 2], Piece)>,
    /// For each set counted, by its forms, what [`Self::difficulty`] returned.
    known: HashMap<Pieces, (f64, bool)>,
}

impl Walk<'_> {
    /// Returns the hardest set, if any has few enough packings.
    fn run(&mut self, sets: usize, from: Option<Pieces>) -> Result<Option<Pieces>, Box<dyn Error>> {
        // Near a hard set, only steps to others as hard are of use.
        let passed = if from.is_some() { 0.5 } else { 0.0 };
        let random = if self.search == 0 { self.division() } else { self.small_pieces() };
        let mut at = from.unwrap_or(random);
        let (mut difficulty, mut most, mut hardest) = (0.0, 0.0, None);
        if passed > 0.0 {
            difficulty = self.difficulty(&at)?.0;
            (most, hardest) = (difficulty, Some(at.clone()));
        }
        for step in 0..STEPS * sets {
            let progress =
                (self.known.len() as f64 / sets as f64).max(step as f64 / (STEPS * sets) as f64);
            if progress >= 1.0 {
                break;
            }
            let progress = passed + (1.0 - passed) * progress;
            let least = difficulty
                * match self.search {
                    0 => 1.0 - 0.6 * 0.05_f64.powf(progress),
                    _ => self.random.share().powf(0.5 * 0.05_f64.powf(progress)),
                };
            let next = if self.search == 0 { self.divided(&at) } else { self.exchanged(&at) };
            let Some(next) = next else { continue };
            let (of_next, is_exact) = self.difficulty(&next)?;
            if of_next >= least {
                (at, difficulty) = (next, of_next);
                if is_exact && difficulty > most {
                    (most, hardest) = (difficulty, Some(at.clone()));
                }
            }
        }
        Ok(hardest)
    }

    /// Returns the nodes for each unique packing, and true. If the set is left out, returns less, so that walks find
    /// their way from sets with very many packings to those with fewer, and false.
    fn difficulty(&mut self, pieces: &[u32]) -> Result<(f64, bool), Box<dyn Error>> {
        let (mut forms, mut list) = ([Pieces::new(), Pieces::new()], Vec::new());
        for &mask in pieces {
            let (masks, piece) = match self.pieces.entry(mask) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let piece = piece(self.cube, mask, 'A')?;
                    let forms = [piece.form(), piece.mirror_form()];
                    entry.insert((forms.map(|form| mask_of(&form.cells)), piece))
                }
            };
            forms.iter_mut().zip(masks).for_each(|(forms, mask)| forms.push(*mask));
            list.push((piece.clone(), 1));
        }
        forms.iter_mut().for_each(|forms| forms.sort_unstable());
        let forms = forms.into_iter().min().unwrap_or_default();
        if let Some(known) = self.known.get(&forms) {
            return Ok(*known);
        }
        let set = PieceSet::new("cube", list);
        let mut found = (0.0, false);
        for limit in NODES {
            let Report { outcome, nodes, .. } = report(self.cube, &set, limit)?;
            let nodes = nodes.unwrap_or(limit);
            let ratio =
                |unique: f64| nodes as f64 / unique * (PACKINGS as f64 / unique).min(1.0).sqrt();
            let has_many = matches!(outcome, Outcome::AtLeast(raw) if raw > 48 * PACKINGS);
            found = match outcome {
                Outcome::Counted(Counts { unique, .. }) => {
                    (ratio(unique as f64), unique <= PACKINGS)
                }
                Outcome::AtLeast(raw) if has_many => {
                    // Small pieces have many packings, which the search begins to find late.
                    let gaps = f64::from(27 - cells(pieces));
                    (ratio(raw as f64 / 24.0).min(1.0) / (1.0 + gaps), false)
                }
                _ => (0.0, false),
            };
            if nodes < limit || has_many {
                break;
            }
        }
        self.known.insert(forms, found);
        Ok(found)
    }

    /// Divides the whole cube into pieces, which grow from cells drawn at random.
    fn division(&mut self) -> Pieces {
        let (mut free, mut pieces) = (CUBE, Pieces::new());
        while pieces.len() < self.number {
            pieces.push(self.random.cell(free));
            free &= !pieces[pieces.len() - 1];
        }
        while free != 0 {
            let piece = self.random.below(self.number);
            let cell = self.random.cell(neighbors(pieces[piece]) & free);
            pieces[piece] |= cell;
            free &= !cell;
        }
        pieces
    }

    /// Gives up to three cells to a neighboring piece or to none, divides two pieces anew, or places a copy of a piece.
    /// `None` if a piece would fall apart or vanish.
    fn divided(&mut self, pieces: &[u32]) -> Option<Pieces> {
        let mut next = pieces.to_vec();
        let (one, other) = (self.random.below(self.number), self.random.below(self.number));
        match self.random.below(4) {
            0 => {
                let both = pieces[one] | pieces[other];
                next[one] = self.random.cell(both);
                next[other] = self.random.cell(both & !next[one]);
                for _ in 0..60 {
                    let grown = if self.random.below(2) == 0 { one } else { other };
                    let free = both & !next[one] & !next[other];
                    next[grown] |= self.random.cell(neighbors(next[grown]) & free);
                }
            }
            1 => {
                let copy = self.image(pieces[one]);
                next.iter_mut().for_each(|piece| *piece &= !copy);
                let mut rest = std::mem::replace(&mut next[other], copy);
                while rest != 0 {
                    let cell = self.random.cell(rest);
                    self.give(cell, &mut next);
                    rest &= !cell;
                }
            }
            _ => {
                for _ in 0..=self.random.below(3) {
                    let cell = self.random.cell(CUBE);
                    next.iter_mut().for_each(|piece| *piece &= !cell);
                    self.give(cell, &mut next);
                }
            }
        }
        (next != pieces && next.iter().all(|&piece| is_piece(piece))).then_some(next)
    }

    /// Gives an empty cell to a neighboring piece, or leaves it empty.
    fn give(&mut self, cell: u32, pieces: &mut Pieces) {
        let near = self.random.cell(neighbors(cell));
        if self.random.below(8) > 0
            && let Some(piece) = pieces.iter_mut().find(|piece| **piece & near != 0)
        {
            *piece |= cell;
        }
    }

    /// Moves a piece somewhere else in the cube, turned or reflected.
    fn image(&mut self, piece: u32) -> u32 {
        let (first, turned, flips) =
            (self.random.below(3), 1 + self.random.below(2), self.random.below(8));
        let steps = [0, turned, 3 - turned].map(|axis| AXES[(first + axis) % 3].0);
        let image = (0..27).filter(|at| piece >> at & 1 == 1).map(|at| {
            let mut to = 0;
            for (axis, step) in steps.iter().enumerate() {
                let place = at / 3_u32.pow(axis as u32) % 3;
                to += step * if flips >> axis & 1 == 1 { 2 - place } else { place };
            }
            1 << to
        });
        let image = image.sum();
        self.moved(image)
    }

    /// Draws pieces that leave about eight cells empty, so that they are likely to have a packing.
    fn small_pieces(&mut self) -> Pieces {
        let mut pieces = vec![1; self.number];
        while cells(&pieces) < 19 {
            let piece = self.random.below(self.number);
            pieces[piece] = self.grown(pieces[piece]);
        }
        pieces
    }

    /// Adds a cell to a piece, at another place in the cube. The whole cube stays as it is.
    fn grown(&mut self, piece: u32) -> u32 {
        let piece = self.moved(piece);
        piece | self.random.cell(neighbors(piece))
    }

    /// Moves a piece by up to one cell along each axis.
    fn moved(&mut self, mut piece: u32) -> u32 {
        for (step, high, low) in AXES {
            match self.random.below(3) {
                0 if piece & high == 0 => piece <<= step,
                1 if piece & low == 0 => piece >>= step,
                _ => {}
            }
        }
        piece
    }

    /// Changes one or two pieces. `None` if a piece would fall apart or vanish, or they have too many cells.
    fn exchanged(&mut self, pieces: &[u32]) -> Option<Pieces> {
        let mut next = pieces.to_vec();
        let (one, other) = (self.random.below(self.number), self.random.below(self.number));
        match self.random.below(8) {
            0 => next[one] = self.grown(next[one]),
            1 => next[one] &= !self.random.cell(next[one]),
            2 => next[one] = self.image(next[one]),
            3 => next[one] = next[other],
            4 => {
                let size = next[one].count_ones();
                next[one] = 1;
                while next[one].count_ones() < size {
                    next[one] = self.grown(next[one]);
                }
            }
            _ => {
                next[other] = self.grown(next[other]);
                next[one] &= !self.random.cell(next[one]);
            }
        }
        let fits = cells(&next) <= 27 && next.iter().all(|&piece| is_piece(piece));
        (fits && next != pieces).then_some(next)
    }
}
