//! Looks for the sets of pieces whose 3×3×3 cube is hardest: with most nodes of the search for each unique packing.
//!
//! A set is what some division of the cube has: connected pieces, and perhaps cells that stay empty. A step gives one
//! cell to a neighboring piece or to none, and is taken if the cube is as hard then, or a little easier (threshold
//! accepting, Dueck and Scheuer 1990). So only sets near the way are tried, and the hardest of them need not be the
//! hardest of all. The search is the same in every run.
//!
//! For each number of pieces it writes the hardest set: its empty cells, its counts, its nodes, and the nodes for each
//! unique packing; the placements that a plain search tries for each raw packing; how many sets were tried; and the
//! pieces, as in set files.
//!
//! ```text
//! cargo run -p somacat-counting --example hardest_cubes -- 500 > hardest.csv
//! ```

use somacat_counting::plain_search::plain_effort;
use somacat_counting::solve::{EngineChoice, Limits, Problem, count};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, is_connected};
use somacat_geometry::outcome::Counts;
use somacat_geometry::pieces::{Piece, PieceSet};
use std::collections::HashMap;
use std::error::Error;

/// For each cell of the cube, its piece, from 0, or the number of pieces if it stays empty.
type Division = [usize; 27];

/// The search gives up on a set after this many nodes: it has very many packings.
const NODES: u64 = 50_000;

/// The number of divisions drawn at random from which the search begins.
const BEGINNINGS: usize = 120;

/// Steps after which the cube has at least this share of the difficulty are taken.
const THRESHOLD: f64 = 0.8;

fn main() -> Result<(), Box<dyn Error>> {
    let steps = std::env::args().nth(1).map_or(Ok(500), |steps| steps.parse())?;
    let cube = Figure::of_box([3, 3, 3])?;
    println!("pieces,gaps,raw,rotation,unique,nodes,difficulty,plain,tried,set");
    for number in 3..=12 {
        let mut search =
            Search { cube: &cube, number, known: HashMap::new(), random: number as u64 };
        let mut best: Option<(f64, Division)> = None;
        // Each beginning leads to other sets.
        for _ in 0..BEGINNINGS {
            let mut at = search.beginning();
            let mut difficulty = search.difficulty(&at)?;
            for _ in 0..steps {
                let Some(next) = search.step(at) else { continue };
                let of_next = search.difficulty(&next)?;
                if of_next >= difficulty * THRESHOLD {
                    (at, difficulty) = (next, of_next);
                }
                if best.is_none_or(|(most, _)| difficulty > most) {
                    best = Some((difficulty, at));
                }
            }
        }
        if let Some((_, division)) = best {
            search.write(&division)?;
        }
    }
    Ok(())
}

struct Search<'a> {
    cube: &'a Figure,
    /// The number of pieces.
    number: usize,
    /// The difficulty of each set tried, by its definition.
    known: HashMap<String, f64>,
    random: u64,
}

impl Search<'_> {
    /// Draws a number below `most` with `SplitMix64`.
    fn below(&mut self, most: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.random ^ self.random >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % most as u64) as usize
    }

    /// Divides the whole cube into connected pieces, which grow from cells drawn at random.
    fn beginning(&mut self) -> Division {
        let mut at = [self.number; 27];
        let mut piece = 0;
        while piece < self.number {
            let cell = self.below(27);
            if at[cell] == self.number {
                at[cell] = piece;
                piece += 1;
            }
        }
        while at.contains(&self.number) {
            let (cell, other) = (self.below(27), self.below(27));
            if at[cell] == self.number && self.are_neighbors(cell, other) {
                at[cell] = at[other];
            }
        }
        at
    }

    fn are_neighbors(&self, cell: usize, other: usize) -> bool {
        is_connected(&[self.cube.cells()[cell], self.cube.cells()[other]]) && cell != other
    }

    /// Gives a cell to a neighbor's piece, or leaves it empty. `None` if a piece would fall apart or vanish.
    fn step(&mut self, mut at: Division) -> Option<Division> {
        let cell = self.below(27);
        let near: Vec<usize> = (0..27).filter(|&other| self.are_neighbors(cell, other)).collect();
        let to = if self.below(8) == 0 { self.number } else { at[near[self.below(near.len())]] };
        let from = std::mem::replace(&mut at[cell], to);
        (from != to && (0..self.number).all(|piece| self.is_piece(&at, piece))).then_some(at)
    }

    fn cells(&self, at: &Division, piece: usize) -> Vec<Cell> {
        let own = (0..27).filter(|&cell| at[cell] == piece);
        own.map(|cell| self.cube.cells()[cell]).collect()
    }

    fn is_piece(&self, at: &Division, piece: usize) -> bool {
        let cells = self.cells(at, piece);
        !cells.is_empty() && is_connected(&cells)
    }

    fn set(&self, at: &Division) -> Result<PieceSet, Box<dyn Error>> {
        let letters = ('A'..).take(self.number).enumerate();
        let pieces =
            letters.map(|(piece, letter)| Ok((Piece::new(letter, &self.cells(at, piece))?, 1)));
        let pieces: Result<Vec<(Piece, usize)>, Box<dyn Error>> = pieces.collect();
        Ok(PieceSet::new("cube", pieces?))
    }

    /// Returns the counts and the nodes of a set, or `None` if it has too many packings.
    fn count(&self, set: &PieceSet) -> Result<Option<(Counts, u64)>, Box<dyn Error>> {
        let set = set.with_gaps(27 - set.total_cells());
        let limits =
            Limits { nodes: Some(NODES), engine: EngineChoice::Search, ..Limits::default() };
        let report = count(&Problem::new(self.cube, &set), limits)?;
        Ok(report.outcome.counts().zip(report.nodes))
    }

    fn difficulty(&mut self, at: &Division) -> Result<f64, Box<dyn Error>> {
        let set = self.set(at)?;
        let definition = set.definition();
        if let Some(known) = self.known.get(&definition) {
            return Ok(*known);
        }
        let ratio = |(counts, nodes): (Counts, u64)| nodes as f64 / counts.unique as f64;
        let difficulty = self.count(&set)?.map_or(0.0, ratio);
        self.known.insert(definition, difficulty);
        Ok(difficulty)
    }

    fn write(&self, at: &Division) -> Result<(), Box<dyn Error>> {
        let (set, tried) = (self.set(at)?, self.known.len());
        let Some((Counts { raw, rotation, unique }, nodes)) = self.count(&set)? else {
            return Ok(());
        };
        let (gaps, difficulty) = (27 - set.total_cells(), nodes as f64 / unique as f64);
        let plain = plain_effort(self.cube, &set.with_gaps(gaps), u64::MAX);
        let plain = plain.map_or(String::new(), |plain| plain.to_string());
        let (number, pieces) = (self.number, set.lines().join("; "));
        println!(
            "{number},{gaps},{raw},{rotation},{unique},{nodes},{difficulty:.1},{plain},{tried},\"{pieces}\""
        );
        Ok(())
    }
}
