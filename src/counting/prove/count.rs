//! The nodes of a certificate of a count.
//!
//! A node is a set of free cells, with one of them to be covered next. The nodes are listed so that all ways into a
//! node come before it. Then packings can be counted by adding up, from top to bottom: the number of ways in which the
//! pieces reach a set of free cells is passed on to the sets that the placements on the named cell lead to. Nothing is
//! left free after as many ways as there are packings.
//!
//! Packings of the first cells that leave the same cells free share a node, and so does all that can follow. Which
//! pieces are left may differ from way to way; so ways are counted for each choice of pieces left. For three V in the
//! figure `11111 11110`, whose cells are numbered column by column, there are five nodes:
//!
//! ```text
//! 1ff > c0      all nine cells are free; V covers cell 0 and two of the cells 1, 2 and 3
//! 1f2 > c1      a dead end: cells 0, 2 and 3 are covered, and nothing covers cell 1
//! 1f4 > c2      V covers cells 2, 4 and 5
//! 1f8 > c3      V covers cells 3, 4 and 5
//! 1c0 > c6      reached in two ways; V covers the rest, so there are two packings
//! ```
//!
//! The nodes are the states of the frontier engine's sweep, in its order of cells, in which few sets of free cells
//! occur (`solve/frontier/order.rs`). But a node with a cell that no piece left can cover names that cell: it is a dead
//! end.

use super::choices::{KindLeft, PiecesLeft};
use super::error::{MAX_PROOF_CELLS, ProveError, STOP_CHECK_INTERVAL};
use super::placements;
use crate::solve::{Limits, Problem, sweep_order};
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Obstruction;
use std::fmt::Write as _;
use std::io::Write;
use std::mem::{size_of, take};

/// For each choice of pieces left, the number of ways to a node, in the order of the choices.
///
/// A choice is a number with a digit for each piece of the set ([`Copies`]), and one for the number of pieces if a
/// packing uses a given one.
type Ways = Vec<(u128, u128)>;

/// The digit of a choice with the number of copies left of a piece. A piece of which the figure never holds all copies,
/// and needs none, has no digit.
#[derive(Clone, Copy, Debug)]
struct Copies {
    /// The bits of the digit, and those of the number of pieces left: a copy needs one of each.
    masks: [u128; 2],
    /// What a copy takes from the number.
    one: u128,
    /// The first bit of the digit.
    shift: u32,
    /// The copies that may be left over.
    spare: u128,
}

impl Copies {
    fn has_copies(self, choice: u128) -> bool {
        self.masks.iter().all(|&mask| mask == 0 || choice & mask > 0)
    }
}

/// Returns the digits of the pieces, and the number with all copies left.
fn digits(left: &PiecesLeft) -> Result<(Vec<Copies>, u128), ProveError> {
    let (mut digits, mut all, mut shift) = (Vec::new(), 0_u128, 0);
    let mut digit = |number: usize| {
        let (first, bits) = (shift, usize::BITS - number.leading_zeros());
        shift += bits;
        if bits == 0 || shift > u128::BITS {
            return (first, 0);
        }
        all |= (number as u128) << first;
        (first, u128::MAX >> (u128::BITS - bits) << first)
    };
    let (number_shift, number) = digit(left.number.map_or(0, isize::unsigned_abs));
    let unit = |mask, shift| if mask == 0 { 0 } else { 1_u128 << shift };
    for KindLeft { size, least, most, is_gap } in left.kinds.iter().copied() {
        let fitting = left.cells / size;
        let is_free = is_gap || least == 0 && most >= fitting && left.is_choice();
        let copies = if is_free { 0 } else { most.min(fitting) };
        let (shift, own) = digit(copies);
        let number = if is_gap { 0 } else { number };
        let one = unit(own, shift) + unit(number, number_shift);
        let spare = copies.saturating_sub(least) as u128;
        digits.push(Copies { masks: [own, number], one, shift, spare });
    }
    if shift > u128::BITS { Err(ProveError::Choices) } else { Ok((digits, all)) }
}

/// The sweep that finds the nodes. Here cells are numbered by their place in the sweep.
struct NodeSweep {
    /// The number in the figure of each cell.
    order: Vec<usize>,
    /// For each cell, the placements that cover it: the piece and its cells as bits.
    over: Vec<Vec<(usize, u128)>>,
    digits: Vec<Copies>,
    /// The bits of the number of pieces that must follow.
    number: u128,
    /// The nodes that were reached but not listed yet, by their first free cell; at the end, the set without free
    /// cells.
    open: Vec<FxHashMap<u128, Ways>>,
    /// An estimate of the memory of the open nodes.
    open_bytes: usize,
    /// The listed nodes as text, and their number.
    text: String,
    nodes: u64,
}

/// Returns the bytes of an open node: a slot of the table, and a list that may be half full.
const fn bytes(choices: usize) -> usize {
    if choices == 0 { 0 } else { 128 + 2 * choices * size_of::<(u128, u128)>() }
}

/// Writes the reason and the nodes. Returns the raw count and the number of nodes.
pub(super) fn write_count(
    problem: &Problem<'_>,
    limits: Limits<'_>,
    out: &mut dyn Write,
) -> Result<(u128, u64), ProveError> {
    let (figure, set) = (problem.figure(), problem.set());
    if figure.len() > MAX_PROOF_CELLS {
        return Err(ProveError::TooLarge(figure.len()));
    }
    if !set.fills(figure.len()) {
        let (figure, pieces) = (figure.len(), set.nearest_fills(figure.len()));
        return Err(ProveError::Size(Obstruction::Size { figure, pieces }));
    }
    let mut sweep = NodeSweep::new(problem)?;
    let raw = sweep.run(limits)?;
    writeln!(out, "reason count {raw}")?;
    out.write_all(sweep.text.as_bytes())?;
    Ok((raw, sweep.nodes))
}

impl NodeSweep {
    fn new(problem: &Problem<'_>) -> Result<Self, ProveError> {
        let (left, mut placements) = (PiecesLeft::all(problem), placements(problem));
        if left.number == Some(0) {
            placements.retain(|placement| left.kinds[placement.piece].is_gap);
        }
        let (figure, (digits, all)) = (problem.figure(), digits(&left)?);
        let order = sweep_order(figure.cells(), placements.iter().map(|p| p.cells.clone()));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &cell)| place[cell] = at);
        let mut over = vec![Vec::new(); order.len()];
        for placement in &placements {
            let mask = placement.cells.iter().fold(0, |mask, &cell| mask | 1_u128 << place[cell]);
            placement
                .cells
                .iter()
                .for_each(|&cell| over[place[cell]].push((placement.piece, mask)));
        }
        let mut open = vec![FxHashMap::default(); order.len() + 1];
        open[0].insert(u128::MAX >> (MAX_PROOF_CELLS - order.len()), vec![(all, 1)]);
        let number = digits.iter().fold(0, |all, copies| all | copies.masks[1]);
        let (text, nodes) = Default::default();
        Ok(Self { order, over, digits, number, open, open_bytes: bytes(1), text, nodes })
    }

    /// Lists all nodes and returns the number of packings.
    fn run(&mut self, limits: Limits<'_>) -> Result<u128, ProveError> {
        let memory = limits.bytes();
        for first in 0..self.order.len() {
            let mut nodes: Vec<(u128, Ways)> = take(&mut self.open[first]).into_iter().collect();
            nodes.sort_unstable_by_key(|(free, _)| *free);
            for (free, ways) in nodes {
                if limits.nodes.is_some_and(|most| self.nodes >= most) {
                    return Err(ProveError::Nodes(self.nodes));
                }
                if self.nodes.is_multiple_of(STOP_CHECK_INTERVAL) && limits.stopped() {
                    return Err(ProveError::Stopped);
                }
                if (self.text.capacity() + self.open_bytes) as u64 > memory {
                    return Err(ProveError::Memory(memory));
                }
                self.list(first, free, &ways)?;
            }
        }
        let done = self.open[self.order.len()].remove(&0).unwrap_or_default();
        let mut complete = done.iter().filter(|(left, _)| self.is_choice(*left));
        let sum = complete.try_fold(0_u128, |sum, (_, ways)| sum.checked_add(*ways));
        sum.ok_or(ProveError::Overflow)
    }

    /// Returns true if the pieces without those left are a choice.
    fn is_choice(&self, left: u128) -> bool {
        let may_be_left =
            |copies: &Copies| (left & copies.masks[0]) >> copies.shift <= copies.spare;
        left & self.number == 0 && self.digits.iter().all(may_be_left)
    }

    /// Lists a node and passes on its ways.
    fn list(&mut self, first: usize, free: u128, ways: &Ways) -> Result<(), ProveError> {
        self.nodes += 1;
        self.open_bytes -= bytes(ways.len());
        // A piece has a digit other than 0 if a copy is left after some way; the number of pieces must be so after the same.
        let left = ways.iter().fold(0, |all, (choice, _)| all | choice);
        let fits = |(piece, mask): &&(usize, u128)| {
            let copies = self.digits[*piece];
            mask & !free == 0
                && copies.has_copies(left)
                && (copies.masks[1] == 0
                    || ways.iter().any(|(choice, _)| copies.has_copies(*choice)))
        };
        let is_dead =
            |&cell: &usize| free >> cell & 1 == 1 && !self.over[cell].iter().any(|p| fits(&p));
        let dead = (first..self.order.len()).find(is_dead);
        let cells = (first..self.order.len()).filter(|cell| free >> cell & 1 == 1);
        let named = cells.fold(0, |all, cell| all | 1_u128 << self.order[cell]);
        let item = self.order[dead.unwrap_or(first)];
        writeln!(self.text, "{named:x} > c{item}").expect("strings take any text");
        if dead.is_some() {
            return Ok(());
        }
        for (piece, mask) in self.over[first].iter().filter(fits) {
            let (digit, rest) = (self.digits[*piece], free & !mask);
            let at = (rest.trailing_zeros() as usize).min(self.order.len());
            let below = self.open[at].entry(rest).or_default();
            self.open_bytes -= bytes(below.len());
            for (choice, number) in ways.iter().filter(|(choice, _)| digit.has_copies(*choice)) {
                let choice = choice - digit.one;
                match below.binary_search_by_key(&choice, |(known, _)| *known) {
                    Ok(known) => {
                        let sum = below[known].1.checked_add(*number);
                        below[known].1 = sum.ok_or(ProveError::Overflow)?;
                    }
                    Err(new) => below.insert(new, (choice, *number)),
                }
            }
            self.open_bytes += bytes(below.len());
        }
        Ok(())
    }
}
