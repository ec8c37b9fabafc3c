//! Checks the nodes of a certificate of a count.
//!
//! Only numbers are kept: for each set of free cells, in how many ways the pieces can be placed on the other cells, as
//! far as the lines up to here say, for each choice of pieces left. At first that is one way, with all cells free and
//! all pieces left. A line takes a set of free cells and one of them, and replaces its ways by all continuations that
//! cover this cell. In every packing exactly one piece covers it. So whatever the order of the lines, each packing
//! continues exactly one of the ways kept, before and after. If at the end only the empty set is left, its ways are the
//! packings.

use super::certificate_lines::{CertificateLines, CertificateProblem as Problem};
use super::claim::Claim;
use rustc_hash::FxHashMap;
use std::io::BufRead;

/// The most cells of a figure, which are the bits of a number.
const MAX_COUNT_CELLS: usize = u128::BITS as usize;

/// For each choice of pieces left, the number of ways, ascending by choice. A choice is a number with some bits for the
/// copies of each piece, and some for the number of pieces if the claim has one. A piece of which any number may be used
/// that fits into the figure has no bits, and cells that stay empty have none.
type Ways = Vec<(u128, u128)>;

/// The result of a check.
pub(super) struct CheckedCount {
    pub(super) raw: u128,
    pub(super) nodes: u64,
}

/// The ways that are kept, by the free cells: bit n is cell n of the figure.
struct CountCheck {
    /// For each cell, the placements that cover it: the piece and its cells as bits.
    over: Vec<Vec<(usize, u128)>>,
    /// For each piece, and last for a cell that stays empty, its bits in a choice.
    bits: Vec<Bits>,
    open: FxHashMap<u128, Ways>,
}

/// The bits of a piece in a choice.
#[derive(Clone, Copy, Default)]
struct Bits {
    /// What a copy takes away.
    unit: u128,
    /// The bits of its copies, and those of all pieces. Each must not be 0 for a copy to be left, if there are any.
    masks: [u128; 2],
    /// The most copies that a packing may leave, as these bits.
    spare: u128,
}

/// Reads all nodes. `number` is the count that they must prove.
pub(super) fn count_nodes(
    lines: &mut CertificateLines<impl BufRead>,
    claim: &Claim,
    number: &str,
) -> Result<CheckedCount, Problem> {
    if claim.figure.len() > MAX_COUNT_CELLS {
        return Err(Problem::TooLarge(MAX_COUNT_CELLS));
    }
    let (mut check, mut nodes) = (CountCheck::new(claim)?, 0);
    while !lines.peek()?.ok_or(Problem::Truncated("end"))?.starts_with("end") {
        let line = lines.next()?.ok_or(Problem::Truncated("end"))?;
        check.node(&line)?;
        nodes += 1;
    }
    let raw = match check.open.remove(&0) {
        // All cells are covered, so the pieces left are those that the packing does not use.
        Some(ways) => {
            let mut complete = ways.iter().filter(|(choice, _)| check.may_be_left(*choice));
            let sum = complete.try_fold(0_u128, |sum, (_, ways)| sum.checked_add(*ways));
            sum.ok_or(Problem::Overflow)?
        }
        None => 0,
    };
    if let Some(free) = check.open.keys().min() {
        return Err(Problem::NodeMissing(format!("{free:x}")));
    }
    match number == raw.to_string() {
        true => Ok(CheckedCount { raw, nodes }),
        false => Err(Problem::Reason(format!("the nodes have {raw} packings"))),
    }
}

impl CountCheck {
    fn new(claim: &Claim) -> Result<Self, Problem> {
        let (cells, set) = (claim.figure.len(), &claim.set);
        let (mut over, number) = (vec![Vec::new(); cells], set.number());
        for (piece, covered) in claim.placements() {
            let mask = covered.iter().fold(0, |mask, cell| mask | 1_u128 << cell);
            if number != Some(0) || piece == set.pieces().len() {
                covered.iter().for_each(|&cell| over[cell].push((piece, mask)));
            }
        }
        let (mut all, mut used) = (0, 0);
        // A number does not have more bits than its value.
        let mut add = |copies: usize| {
            let (width, first) = (usize::BITS - copies.leading_zeros(), used);
            used += width;
            if width == 0 || used > u128::BITS {
                return (0, 0);
            }
            all |= (copies as u128) << first;
            (1_u128 << first, (u128::MAX >> (u128::BITS - width)) << first)
        };
        let (count, counts) = add(number.unwrap_or(0));
        let mut bits = Vec::new();
        for (piece, [least, most]) in set.ranges() {
            let fitting = cells / piece.size();
            let is_free = set.is_choice() && least == 0 && most >= fitting;
            // At least as many as are needed, which may be more than fit.
            let copies = if is_free { 0 } else { most.min(fitting.max(least)) };
            let (unit, mask) = add(copies);
            let spare = copies.saturating_sub(least) as u128 * unit;
            bits.push(Bits { unit: unit + count, masks: [mask, counts], spare });
        }
        bits.push(Bits::default());
        if used > u128::BITS {
            return Err(Problem::TooManyChoices);
        }
        let whole = u128::MAX >> (MAX_COUNT_CELLS - cells);
        let open = FxHashMap::from_iter([(whole, vec![(all, 1)])]);
        Ok(Self { over, bits, open })
    }

    /// Returns true if a packing may leave these pieces.
    fn may_be_left(&self, choice: u128) -> bool {
        let may = |Bits { masks: [own, all], spare, .. }: &Bits| {
            choice & own <= *spare && choice & all == 0
        };
        self.bits.iter().all(may)
    }

    fn node(&mut self, line: &str) -> Result<(), Problem> {
        let parsed = line.split_once(" > c").and_then(|(free, cell)| {
            Some((u128::from_str_radix(free, 16).ok()?, cell.parse::<usize>().ok()?))
        });
        let (free, cell) = parsed.ok_or(Problem::Expected("free cells > cell"))?;
        if format!("{free:x} > c{cell}") != line {
            return Err(Problem::Word(line.to_owned()));
        }
        let is_free = cell < self.over.len() && free >> cell & 1 == 1;
        if !is_free {
            return Err(Problem::Closed(format!("c{cell}")));
        }
        let ways = self.open.remove(&free);
        let ways = ways.ok_or_else(|| Problem::UnexpectedNode(format!("{free:x}")))?;
        for (piece, mask) in self.over[cell].iter().filter(|(_, mask)| mask & !free == 0) {
            let Bits { unit, masks, .. } = self.bits[*piece];
            let is_left = |choice: u128| masks.iter().all(|&mask| mask == 0 || choice & mask != 0);
            let next = ways.iter().filter(|(choice, _)| is_left(*choice));
            let next = next.map(|(choice, ways)| (choice - unit, *ways)).collect();
            add(&mut self.open, free & !mask, next)?;
        }
        Ok(())
    }
}

/// Adds ways to a set of free cells.
fn add(open: &mut FxHashMap<u128, Ways>, free: u128, ways: Ways) -> Result<(), Problem> {
    if ways.is_empty() {
        return Ok(());
    }
    let kept = open.entry(free).or_default();
    if kept.is_empty() {
        *kept = ways;
        return Ok(());
    }
    for (choice, number) in ways {
        match kept.binary_search_by_key(&choice, |(choice, _)| *choice) {
            Ok(at) => {
                kept[at].1 = kept[at].1.checked_add(number).ok_or(Problem::Overflow)?;
            }
            Err(at) => kept.insert(at, (choice, number)),
        }
    }
    Ok(())
}
