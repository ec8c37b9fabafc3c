//! Looks for the sets of pieces whose 3×3×3 cube is hardest: with most nodes of the search for each unique packing.
//!
//! There are two searches, which have only the count of a set in common:
//!
//! * `every` counts all sets of connected pieces with at most CELLS cells each. Pieces are added to a set as long as it
//!   has packings, since no larger set has any otherwise. Of two mirror images it counts one. Single cubes come last: they
//!   lie where a set leaves cells empty, and each number of them gives another set.
//! * `walks` changes pieces, with no packing in mind: one grows, shrinks, gives a cell to another one, or all but one to
//!   several, is reflected, becomes a copy of another one, or is exchanged for one drawn at random. Whether the new
//!   pieces fit into the cube shows when they are counted. An easier set is taken with a probability that falls
//!   (simulated annealing, Kirkpatrick, Gelatt and Vecchi 1983). A walk ends after SETS sets; it depends on its number
//!   and on that of the pieces alone.
//!
//! Where both find the same set, it is the hardest with pieces of at most CELLS cells: the first search shows it, and the
//! second one that the first has left nothing out.
//!
//! ```text
//! cargo run --release -p benches --example hardest_cubes -- every CELLS PART PARTS
//! cargo run --release -p benches --example hardest_cubes -- walks CELLS SETS FIRST LAST [NUMBERS]
//! ```
//!
//! A row has a number of pieces, and the hardest set of these in this part or walk: its empty cells, its counts, its
//! nodes, and the nodes for each unique packing; the placements that a plain search tries for each raw packing; and the
//! set, as in set files.

use somacat_counting::plain_search::plain_effort;
use somacat_counting::solve::{EngineChoice, Limits, Problem, count};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::{Counts, Outcome, Report};
use somacat_geometry::pieces::{Piece, PieceSet};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;

/// The limits of nodes with which a set is counted, one after another. A set that takes more is left out.
const NODES: [u64; 4] = [1_000, 6_000, 50_000, 500_000];

/// The most packings up to symmetry. A set with more is left out, and mostly seen after a few nodes.
const PACKINGS: u128 = 50;

const NUMBERS: std::ops::RangeInclusive<usize> = 3..=12;

/// A walk ends after this many steps for each set that it may count. Most steps lead to known sets, or to none.
const STEPS: usize = 8;

/// The cell of the single cube.
const CUBE: [i32; 3] = [0, 0, 0];

type Found<T> = Result<T, Box<dyn Error>>;

fn main() -> Found<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = arguments.iter().skip(1).flat_map(|number| number.parse()).collect();
    println!("pieces,gaps,raw,rotation,unique,nodes,difficulty,plain,set");
    match (arguments.first().map(String::as_str), &numbers[..]) {
        (Some("every"), &[cells, part, parts]) => {
            let mut every = Every::new(cells, part, parts)?;
            every.extend(&mut Vec::new(), 27)?;
            every.hardest.values().for_each(|(_, row)| println!("{row}"));
        }
        (Some("walks"), &[cells, sets, first, last, ref wanted @ ..]) => {
            let wanted = |n: &usize| wanted.is_empty() || wanted.contains(n);
            let walks = (first..=last).flat_map(|at| NUMBERS.map(move |number| (at, number)));
            for (at, number) in walks.filter(|(_, number)| wanted(number)) {
                let random = Random((1000 * number + at) as u64);
                let (known, near) = Default::default();
                let mut walk = Walk { cube: cube()?, cells, number, random, known, near };
                if let Some(row) = walk.run(sets)? {
                    println!("{row}");
                }
            }
        }
        _ => {
            return Err(
                "expected: every CELLS PART PARTS, or walks CELLS SETS FIRST LAST [NUMBERS]".into(),
            );
        }
    }
    Ok(())
}

fn cube() -> Found<Figure> {
    Ok(Figure::of_box([3, 3, 3])?)
}

/// What counting a set says.
enum Difficulty {
    /// The nodes and the counts of a set with few packings.
    Few(u64, Counts),
    /// It has more than [`PACKINGS`]: the nodes and the counts, unless even these are too many.
    Many(Option<(u64, Counts)>),
    NoPacking,
    /// More nodes than [`NODES`].
    Undecided,
}

fn difficulty(cube: &Figure, set: &PieceSet) -> Found<Difficulty> {
    let set = set.with_gaps(27 - set.total_cells());
    for limit in NODES {
        let limits =
            Limits { nodes: Some(limit), engine: EngineChoice::Search, ..Limits::default() };
        let Report { outcome, nodes, .. } = count(&Problem::new(cube, &set), limits)?;
        let nodes = nodes.unwrap_or(limit);
        match outcome {
            Outcome::Counted(counts) if counts.unique <= PACKINGS => {
                return Ok(Difficulty::Few(nodes, counts));
            }
            Outcome::Counted(counts) => return Ok(Difficulty::Many(Some((nodes, counts)))),
            // Turns and reflections make up to 48 packings of one.
            Outcome::AtLeast(raw) if raw > 48 * PACKINGS => return Ok(Difficulty::Many(None)),
            Outcome::Unsolvable(_) => return Ok(Difficulty::NoPacking),
            _ => {}
        }
    }
    Ok(Difficulty::Undecided)
}

fn row(cube: &Figure, set: &PieceSet, nodes: u64, counts: Counts) -> String {
    let Counts { raw, rotation, unique } = counts;
    let gaps = 27 - set.total_cells();
    let number: usize = set.pieces().iter().map(|(_, copies)| copies).sum();
    let plain = plain_effort(cube, &set.with_gaps(gaps), u64::MAX).unwrap_or_default();
    let (difficulty, lines) = (nodes as f64 / unique as f64, set.lines().join("; "));
    format!("{number},{gaps},{raw},{rotation},{unique},{nodes},{difficulty:.1},{plain},\"{lines}\"")
}

/// The set with a piece of each form, equal ones as copies.
fn set_of<'a>(forms: impl IntoIterator<Item = &'a Vec<Cell>>) -> Found<PieceSet> {
    let letters = ('A'..).zip(forms);
    let pieces: Result<Vec<(Piece, usize)>, _> =
        letters.map(|(letter, cells)| Piece::new(letter, cells).map(|piece| (piece, 1))).collect();
    Ok(PieceSet::new("cube", pieces?))
}

fn fits(cells: &[Cell]) -> bool {
    cells.iter().flat_map(|cell| cell.to_array()).all(|at| at < 3)
}

fn form(cells: &[Cell]) -> Found<Vec<Cell>> {
    Ok(Piece::new('A', cells)?.form().cells.clone())
}

fn mirror_form(cells: &[Cell]) -> Found<Vec<Cell>> {
    Ok(Piece::new('A', cells)?.mirror_form().cells.clone())
}

/// Returns the forms with one more cell, of which some may not fit into the cube.
fn grown(form_of: &[Cell]) -> Found<BTreeSet<Vec<Cell>>> {
    let mut larger = BTreeSet::new();
    for &cell in form_of {
        for next in cell.neighbors() {
            if !form_of.contains(&next) {
                larger.insert(form(&[form_of, &[next]].concat())?);
            }
        }
    }
    Ok(larger)
}

/// The enumeration of all sets.
struct Every {
    cube: Figure,
    /// The forms of two and more cells that fit into the cube, the largest first.
    forms: Vec<Vec<Cell>>,
    /// For each form, the position of its mirror image.
    mirrors: Vec<usize>,
    /// The first two pieces of a set decide in which part it is counted.
    part: usize,
    parts: usize,
    /// For each number of pieces, the hardest set so far: its nodes for each packing, and its row.
    hardest: BTreeMap<usize, (f64, String)>,
}

impl Every {
    fn new(cells: usize, part: usize, parts: usize) -> Found<Self> {
        let mut level = BTreeSet::from([vec![Cell::from(CUBE)]]);
        let mut forms = Vec::new();
        for _ in 2..=cells {
            let larger: Found<Vec<_>> = level.iter().map(|form| grown(form)).collect();
            level = larger?.into_iter().flatten().filter(|form| fits(form)).collect();
            forms.splice(0..0, level.iter().cloned());
        }
        let mirror = |of: &Vec<Cell>| {
            let mirror = mirror_form(of)?;
            let at = forms.iter().position(|form| *form == mirror);
            at.ok_or_else(|| Box::from("a mirror image does not fit"))
        };
        let mirrors: Found<Vec<usize>> = forms.iter().map(mirror).collect();
        let (mirrors, hardest) = (mirrors?, BTreeMap::new());
        Ok(Self { cube: cube()?, forms, mirrors, part, parts, hardest })
    }

    /// Adds each form from the last one on, as long as there are packings.
    fn extend(&mut self, chosen: &mut Vec<usize>, free: usize) -> Found<()> {
        for form in chosen.last().copied().unwrap_or(0)..self.forms.len() {
            let Some(free) = free.checked_sub(self.forms[form].len()) else { continue };
            chosen.push(form);
            let is_here = chosen.len() != 2
                || (chosen[0] * self.forms.len() + chosen[1]) % self.parts == self.part;
            if is_here && self.has_packings(chosen, free)? && chosen.len() < *NUMBERS.end() {
                self.extend(chosen, free)?;
            }
            chosen.pop();
        }
        Ok(())
    }

    /// Counts a set alone and with single cubes. Returns false if it has no packing.
    fn has_packings(&mut self, chosen: &[usize], free: usize) -> Found<bool> {
        let mut mirror: Vec<usize> = chosen.iter().map(|&form| self.mirrors[form]).collect();
        mirror.sort_unstable();
        // Sets of one piece belong to part 0.
        if chosen.len() < 2 && self.part > 0 || mirror.as_slice() < chosen {
            return Ok(true);
        }
        let cube = vec![Cell::from(CUBE)];
        for singles in 0..=free.min(NUMBERS.end() - chosen.len()) {
            let forms = chosen.iter().map(|&form| &self.forms[form]);
            let set = set_of(forms.chain(std::iter::repeat_n(&cube, singles)))?;
            match difficulty(&self.cube, &set)? {
                Difficulty::Few(nodes, counts) => self.compare(&set, nodes, counts),
                Difficulty::NoPacking => return Ok(false),
                Difficulty::Undecided => eprintln!("not counted: {}", set.lines().join("; ")),
                Difficulty::Many(..) if singles == 0 => break,
                // With as many single cubes as empty cells before, it has as few packings again.
                Difficulty::Many(..) => {}
            }
        }
        Ok(true)
    }

    fn compare(&mut self, set: &PieceSet, nodes: u64, counts: Counts) {
        let number: usize = set.pieces().iter().map(|(_, copies)| copies).sum();
        let difficulty = nodes as f64 / counts.unique as f64;
        let is_harder = self.hardest.get(&number).is_none_or(|(most, _)| difficulty > *most);
        if NUMBERS.contains(&number) && is_harder {
            let row = row(&self.cube, set, nodes, counts);
            self.hardest.insert(number, (difficulty, row));
        }
    }
}

/// `SplitMix64` (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
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
}

/// The forms of a set's pieces, single cubes included.
type Forms = Vec<Vec<Cell>>;

/// A walk from set to set, which ends after a number of sets.
struct Walk {
    cube: Figure,
    /// The most cells of a piece.
    cells: usize,
    /// The number of pieces.
    number: usize,
    random: Random,
    /// For each set counted, how hard it is to a walk.
    known: HashMap<Forms, f64>,
    /// For each form seen, its mirror image's, and those with one more cell that fit into the cube.
    near: HashMap<Vec<Cell>, (Vec<Cell>, Forms)>,
}

impl Walk {
    /// Returns the row of the hardest set, if any has few enough packings.
    fn run(&mut self, sets: usize) -> Found<Option<String>> {
        let mut at = self.small_pieces()?;
        let (mut difficulty, mut most, mut hardest) = (0.0, 0.0, None);
        for step in 0..STEPS * sets {
            let progress =
                (self.known.len() as f64 / sets as f64).max(step as f64 / (STEPS * sets) as f64);
            if progress >= 1.0 {
                break;
            }
            let least = difficulty * self.random.share().powf(4.0 * 0.02_f64.powf(progress));
            let Some(next) = self.changed(&at)? else { continue };
            let of_next = self.difficulty(&next, &mut most, &mut hardest)?;
            if of_next >= least {
                (at, difficulty) = (next, of_next);
            }
        }
        Ok(hardest)
    }

    /// Returns the nodes for each unique packing. If there are more packings than a set may have, returns less, so that
    /// walks find their way to sets with fewer; without packings, 0.
    fn difficulty(
        &mut self,
        forms: &Forms,
        most: &mut f64,
        hardest: &mut Option<String>,
    ) -> Found<f64> {
        let mirrors: Found<Forms> =
            forms.iter().map(|form| Ok(self.near(form)?.0.clone())).collect();
        let mut mirrors = mirrors?;
        mirrors.sort_unstable();
        if let Some(known) = self.known.get(forms).or_else(|| self.known.get(&mirrors)) {
            return Ok(*known);
        }
        let set = set_of(forms)?;
        let found = match difficulty(&self.cube, &set)? {
            Difficulty::Few(nodes, counts) => {
                let difficulty = nodes as f64 / counts.unique as f64;
                if difficulty > *most {
                    (*most, *hardest) = (difficulty, Some(row(&self.cube, &set, nodes, counts)));
                }
                difficulty
            }
            Difficulty::Many(Some((nodes, Counts { unique, .. }))) => {
                nodes as f64 / unique as f64 * (PACKINGS as f64 / unique as f64).sqrt()
            }
            Difficulty::Many(None) => 1.0 / (1 + 27 - set.total_cells()) as f64,
            Difficulty::NoPacking | Difficulty::Undecided => 0.0,
        };
        self.known.insert(forms.clone(), found);
        Ok(found)
    }

    /// Draws pieces that leave about eight cells empty, so that they are likely to have a packing.
    fn small_pieces(&mut self) -> Found<Forms> {
        let mut forms = vec![vec![Cell::from(CUBE)]; self.number];
        for _ in 0..100 {
            let one = self.random.below(self.number);
            if forms.iter().map(Vec::len).sum::<usize>() < 19 {
                self.grow(&mut forms[one])?;
            }
        }
        forms.sort_unstable();
        Ok(forms)
    }

    fn near(&mut self, form: &[Cell]) -> Found<&(Vec<Cell>, Forms)> {
        Ok(match self.near.entry(form.to_vec()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let larger = grown(form)?.into_iter().filter(|form| fits(form)).collect();
                entry.insert((mirror_form(form)?, larger))
            }
        })
    }

    /// Adds a cell. A piece that has as many as it may have, or fills the cube, stays as it is.
    fn grow(&mut self, one: &mut Vec<Cell>) -> Found<()> {
        let larger = self.near(one)?.1.len();
        if one.len() < self.cells && larger > 0 {
            let at = self.random.below(larger);
            *one = self.near(one)?.1[at].clone();
        }
        Ok(())
    }

    /// Changes one or two pieces. `None` if a piece would fall apart or vanish, or they have too many cells.
    fn changed(&mut self, forms: &Forms) -> Found<Option<Forms>> {
        let mut next = forms.clone();
        let (one, other) = (self.random.below(self.number), self.random.below(self.number));
        // The last change makes a single cube, and is for sets that have some.
        let has_single_cubes = forms.iter().any(|form| form.len() == 1);
        let mut change = self.random.below(if has_single_cubes { 9 } else { 8 });
        if change >= 5 && !has_single_cubes {
            change += 1;
        }
        match change {
            0 => self.grow(&mut next[one])?,
            1 => {}
            2 => next[one] = self.near(&next[one])?.0.clone(),
            3 => next[one] = next[other].clone(),
            4 => {
                let size = next[one].len();
                next[one] = vec![Cell::from(CUBE)];
                for _ in 1..size {
                    self.grow(&mut next[one])?;
                }
            }
            // Its other cells go to larger pieces.
            5 => {
                let cells = std::mem::replace(&mut next[one], vec![Cell::from(CUBE)]);
                for _ in 1..cells.len() {
                    let other = self.random.below(self.number);
                    if next[other].len() > 1 {
                        self.grow(&mut next[other])?;
                    }
                }
            }
            _ => self.grow(&mut next[other])?,
        }
        if change == 1 || change > 5 {
            let cell = self.random.below(next[one].len());
            next[one].remove(cell);
            // Fails if nothing is left, or two parts.
            let Ok(piece) = Piece::new('A', &next[one]) else { return Ok(None) };
            next[one].clone_from(&piece.form().cells);
        }
        next.sort_unstable();
        let cells: usize = next.iter().map(Vec::len).sum();
        Ok((cells <= 27 && next != *forms).then_some(next))
    }
}
