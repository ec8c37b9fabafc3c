//! Case trees: marks after a few placements.
//!
//! Some figures cannot be built although no marks show it: they have a fractional packing. But mostly a few cases
//! suffice. Choose an item, a free cell or a piece that is left; each way to cover it leaves a smaller figure with fewer
//! pieces, for which there may be marks. If each way ends at marks, or at an item without a way, there is no packing:
//!
//! ```text
//! Cell 12 is covered by V in two ways, and by nothing else.
//! In the first, mark 5 of the other cells: the other pieces cover 4 at most.
//! In the second, nothing covers cell 3 any more.
//! ```
//!
//! **The shortest tree.** A tree of depth d needs one item whose ways all have trees of depth d − 1; a tree of depth 0
//! is marks, or an item without a way. An item with a single way adds no depth, because there is nothing to decide. The
//! depth grows from 1, and of the trees of the least depth one with the fewest ends is chosen. A way that several items
//! share is tried once, and so are ways that are images of each other under a symmetry of the figure.
//!
//! **Cost.** Each way takes a linear program, about a third of a millisecond; weights that excluded one way are tried on
//! the next ones first, which excludes most of them without a program. A figure of 27 cells has some 300 ways at the root.
//! After [`MAX_PROGRAMS`] programs the search gives up.

use super::choices::{PiecesLeft, gap_of};
use super::items::{Left, Placements, ProofItem, Symmetry};
use super::marks::Model;
use super::tree::write_placement;
use super::{CellPlacement, Marks};
use crate::solve::{Limits, Problem};
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;
use std::io::{self, Write};

/// Linear programs after which no case tree is searched any more. It is a number and not a time, so that the same figure
/// has the same proof on every machine.
const MAX_PROGRAMS: u32 = 3000;

/// The most ends of a case tree. Each takes an integer program, for the fewest marks, and some lines of the proof. A longer
/// one is hardly more readable than an exhausted search.
const MAX_ENDS: usize = 300;

/// The greatest depth of a case tree. A deeper one is hardly more readable than an exhausted search.
const MAX_DEPTH: usize = 3;

/// A proof that there is no packing of a figure, or of what is left of it after some placements.
///
/// ```
/// use somacat_counting::prove::{CaseTree, find_cases};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Signature;
/// use somacat_geometry::pieces::parse_set;
///
/// let figure = "s1-2x2x4-4zf1".parse::<Signature>()?.figure()?;
/// let set = parse_set("V L T").expect("a set");
/// let Some(CaseTree::Split(item, ways)) = find_cases((&figure, &set), Limits::default()) else {
///     panic!("it has no marks, but cases")
/// };
/// assert!(item.to_string().starts_with(['c', 'p']) && ways.len() > 1);
/// # Ok::<(), somacat_geometry::figure::ParseSignatureError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseTree {
    /// Marks on the free cells; covered cells have the weight 0.
    Marks(Marks),
    /// An item with all ways to cover it, each with a proof. Without a way, it is a dead end.
    Split(ProofItem, Vec<(CellPlacement, CaseTree)>),
}

impl CaseTree {
    /// Returns the number of nodes.
    pub fn nodes(&self) -> u64 {
        match self {
            Self::Marks(_) => 1,
            Self::Split(_, ways) => 1 + ways.iter().map(|(_, below)| below.nodes()).sum::<u64>(),
        }
    }
}

/// Finds a case tree, if there is a small one.
///
/// The figure must have as many cells as the pieces. `None` if there is no small tree, or after a stop.
///
/// ```
/// use somacat_counting::prove::{find_cases, find_marks};
/// use somacat_counting::solve::Limits;
/// use somacat_geometry::figure::Signature;
/// use somacat_geometry::pieces::parse_set;
///
/// // No marks show that V, L and T do not build this figure, but a few cases do.
/// let figure = "s1-2x2x4-4zf1".parse::<Signature>()?.figure()?;
/// let set = parse_set("V L T")?;
/// assert_eq!(find_marks((&figure, &set), Limits::default()), None);
/// let cases = find_cases((&figure, &set), Limits::default()).expect("a small tree");
/// assert!(cases.nodes() < 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_cases<'a>(problem: impl Into<Problem<'a>>, limits: Limits<'_>) -> Option<CaseTree> {
    let problem = problem.into();
    let (set, (placements, all)) = (problem.set(), Placements::new(&problem).ok()?);
    let (known, symmetries) = (FxHashMap::default(), placements.symmetries(&problem));
    let mut search =
        CaseSearch { set, placements, symmetries, limits, known, weights: Vec::new(), programs: 0 };
    let shape = (1..=MAX_DEPTH).find_map(|depth| search.shortest(&all, depth, MAX_ENDS))?;
    search.tree(&all, &shape)
}

/// A case tree whose marks are known to exist, but not chosen yet.
enum Shape {
    Marks,
    Split(ProofItem, Vec<(u32, Shape)>),
}

impl Shape {
    fn ends(&self) -> usize {
        match self {
            Self::Split(_, ways) if !ways.is_empty() => ways.iter().map(|(_, s)| s.ends()).sum(),
            Self::Split(..) | Self::Marks => 1,
        }
    }
}

struct CaseSearch<'a> {
    set: &'a PieceSet,
    placements: Placements<'a>,
    symmetries: Vec<Symmetry>,
    limits: Limits<'a>,
    /// Whether what is left has marks, by free cells and copies: the least ones of all images.
    known: FxHashMap<(u128, Vec<usize>), bool>,
    /// Weights of cells that have excluded a way, the latest last, in [`WEIGHT_SCALE`].
    weights: Vec<Vec<i64>>,
    programs: u32,
}

impl CaseSearch<'_> {
    /// Finds a tree of at most this depth with the fewest ends, which are at most `most`.
    fn shortest(&mut self, left: &Left, depth: usize, most: usize) -> Option<Shape> {
        let mut items: Vec<(ProofItem, usize)> = self.placements.items(left).collect();
        items.sort_by_key(|(_, ways)| *ways);
        let (item, fewest) = *items.first()?;
        if fewest == 0 {
            return Some(Shape::Split(item, Vec::new()));
        }
        if depth == 0 {
            return self.has_marks(left).then_some(Shape::Marks);
        }
        // Items with the fewest open ways come first: those that need a tree of their own.
        let mut open = Vec::new();
        for (item, ways) in items.into_iter().filter(|(_, ways)| *ways <= most) {
            let below: Vec<(u32, Left)> = self.ways(item, left);
            let is_open = |(_, left): &&(u32, Left)| !self.has_marks_or_dead_end(left);
            open.push((below.iter().filter(is_open).count(), ways, item));
        }
        open.sort_by_key(|(open, ways, _)| (*open, *ways));
        let (mut best, mut most) = (None, most);
        for (number, ways, item) in open {
            // Each way has an end, and each open one at least two, unless it has a single way.
            let is_single = ways == 1;
            if depth == 1 && number > 0 && !is_single || ways > most {
                continue;
            }
            let next = if is_single { depth } else { depth - 1 };
            if let Some(shape) = self.split(item, left, next, most) {
                most = shape.ends() - 1;
                best = Some(shape);
            }
            if most == 0 || self.is_over() {
                break;
            }
        }
        best
    }

    /// Finds a tree for every way of an item, with at most `most` ends together.
    fn split(&mut self, item: ProofItem, left: &Left, depth: usize, most: usize) -> Option<Shape> {
        let below = self.ways(item, left);
        let (mut ends, mut ways, mut number) = (0, Vec::new(), below.len());
        for (at, left) in below {
            number -= 1;
            let most = most.checked_sub(ends + number)?;
            let depth = if self.has_marks_or_dead_end(&left) { 0 } else { depth };
            let shape = self.shortest(&left, depth, most)?;
            ends += shape.ends();
            ways.push((at, shape));
        }
        Some(Shape::Split(item, ways))
    }

    fn ways(&self, item: ProofItem, left: &Left) -> Vec<(u32, Left)> {
        let ways = self.placements.ways(item, left);
        ways.map(|at| (at, self.placements.after(left, at))).collect()
    }

    fn is_over(&self) -> bool {
        self.programs >= MAX_PROGRAMS || self.limits.stopped()
    }

    fn has_marks_or_dead_end(&mut self, left: &Left) -> bool {
        // After a packing there is no item.
        let fewest = self.placements.items(left).map(|(_, ways)| ways).min();
        fewest.is_some_and(|ways| ways == 0 || self.has_marks(left))
    }

    /// Returns `true` if marks exclude a packing of what is left. After too many programs the answer is `false`.
    fn has_marks(&mut self, left: &Left) -> bool {
        let images = self.symmetries.iter().map(|symmetry| symmetry.left(left));
        let key = images.min().expect("the identity is a symmetry");
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let cells = left.free.count_ones() as usize;
        let pieces = PiecesLeft::new(self.set, &left.copies, cells);
        let excludes = |weights: &Vec<i64>| self.excludes(weights, left, &pieces);
        let again = self.weights.iter().rposition(excludes);
        let found = match again {
            Some(at) => {
                // The weights that exclude the most come last.
                let end = self.weights.len() - 1;
                self.weights[at..=end].rotate_left(1);
                true
            }
            None if self.is_over() => return false,
            None => {
                self.programs += 1;
                let model = Model::left(&self.placements, left, self.set);
                let weights = model.real_weights(self.limits);
                let found = weights.is_some();
                let scaled = |weights: Vec<f64>| -> Vec<i64> {
                    weights.iter().map(|weight| (weight * WEIGHT_SCALE) as i64).collect()
                };
                if let Some(weights) = weights.map(scaled) {
                    let weights = self.of_all_cells(left, &weights);
                    self.weights.extend(self.symmetries.iter().map(|s| s.weights(&weights)));
                }
                found
            }
        };
        self.known.insert(key, found);
        found
    }

    /// Returns `true` if weights show that the pieces left have no packing of what is left.
    fn excludes(&self, weights: &[i64], left: &Left, pieces: &PiecesLeft) -> bool {
        let mut largest: Vec<Option<i64>> = vec![None; left.copies.len()];
        for &at in &left.fits {
            let CellPlacement { piece, cells } = self.placements.get(at);
            let sum = cells.iter().map(|&cell| weights[cell]).sum();
            largest[*piece] = largest[*piece].max(Some(sum));
        }
        let most = pieces.most(&largest);
        let free = (0..weights.len()).filter(|cell| left.free >> cell & 1 == 1);
        let all: i64 = free.map(|cell| weights[cell]).sum();
        most.is_none_or(|most| all - most > LEAST_EXCESS)
    }

    /// Returns the weights of all cells from those of the free ones. Covered cells have none.
    fn of_all_cells<T: Copy + Default>(&self, left: &Left, of_free: &[T]) -> Vec<T> {
        let mut of_free = of_free.iter().copied();
        let mut weight = |cell| match left.free >> cell & 1 {
            1 => of_free.next().unwrap_or_default(),
            _ => T::default(),
        };
        (0..self.placements.cells).map(&mut weight).collect()
    }

    /// Chooses marks at the ends. `None` if some do not exist in integers, or after a stop.
    fn tree(&self, left: &Left, shape: &Shape) -> Option<CaseTree> {
        match shape {
            Shape::Split(item, ways) => {
                let below = ways.iter().map(|(at, shape)| {
                    let below = self.tree(&self.placements.after(left, *at), shape)?;
                    Some((self.placements.get(*at).clone(), below))
                });
                Some(CaseTree::Split(*item, below.collect::<Option<_>>()?))
            }
            Shape::Marks => {
                let model = Model::left(&self.placements, left, self.set);
                let found = model.marks(self.limits)?;
                let weights = self.of_all_cells(left, &found.weights);
                Some(CaseTree::Marks(Marks { weights, ..found }))
            }
        }
    }
}

/// Weights are rounded to whole multiples of the inverse, so that sums of them are exact.
const WEIGHT_SCALE: f64 = (1 << 20) as f64;

/// Excess of rounded weights that excludes a way safely in spite of the rounding.
const LEAST_EXCESS: i64 = 105;

impl CaseTree {
    /// Writes the lines of a certificate.
    pub(super) fn write(
        &self,
        figure: &Figure,
        set: &PieceSet,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "reason cases")?;
        self.write_node(figure, set, &mut Vec::new(), out)
    }

    fn write_node<'a>(
        &'a self,
        figure: &Figure,
        set: &PieceSet,
        placed: &mut Vec<&'a CellPlacement>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match self {
            Self::Marks(marks) => marks.write_after(figure, set, placed, out),
            Self::Split(item, ways) => {
                writeln!(out, "# {}", split_in_words(*item, ways.len(), figure, set))?;
                write_placement(placed.len(), placed.last().copied(), gap_of(set), out)?;
                writeln!(out, " > {item}")?;
                for (placement, below) in ways {
                    placed.push(placement);
                    below.write_node(figure, set, placed, out)?;
                    placed.pop();
                }
                Ok(())
            }
        }
    }
}

/// States an item and the number of its ways.
fn split_in_words(item: ProofItem, ways: usize, figure: &Figure, set: &PieceSet) -> String {
    let there = match ways {
        0 => "There is no way",
        1 => "There is one way",
        _ => &format!("There are {ways} ways"),
    };
    match item {
        ProofItem::Cell(at) => format!("{there} to cover {}.", figure.cells()[at]),
        ProofItem::Piece(at) => format!("{there} to place {}.", set.pieces()[at].0.name()),
        ProofItem::Size => "No choice of the pieces left fills the free cells.".to_owned(),
    }
}
