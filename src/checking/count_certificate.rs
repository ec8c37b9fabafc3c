//! Checks the nodes of a certificate of a count.
//!
//! Only numbers are kept: for each set of free cells, in how many ways the pieces can be placed on the other cells, as
//! far as the lines up to here say, for each choice of pieces left. At first that is one way, with all cells free and
//! all pieces left. A line takes a set of free cells and one of them, and replaces its ways by all continuations that
//! cover this cell. In every packing exactly one piece covers it. So whatever the order of the lines, each packing
//! continues exactly one of the ways kept, before and after. If at the end only the empty set is left, its ways are the
//! packings.

use super::certificate_lines::{CertificateLines, CertificateProblem as Problem};
use super::placements::placements;
use rustc_hash::FxHashMap;
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::PieceSet;
use std::io::BufRead;

/// The most cells of a figure, which are the bits of a number.
const MAX_COUNT_CELLS: usize = u128::BITS as usize;

/// For each choice of pieces left, the number of ways, ascending by choice. A choice is a number with some bits for the
/// copies of each piece.
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
    /// For each piece, the first of its bits in a choice, and all of them.
    bits: Vec<(u128, u128)>,
    open: FxHashMap<u128, Ways>,
}

/// Reads all nodes. `claim` is the count that they must prove.
pub(super) fn count_nodes(
    lines: &mut CertificateLines<impl BufRead>,
    figure: &Figure,
    set: &PieceSet,
    claim: &str,
) -> Result<CheckedCount, Problem> {
    if figure.len() > MAX_COUNT_CELLS {
        return Err(Problem::TooLarge(MAX_COUNT_CELLS));
    }
    let (mut check, mut nodes) = (CountCheck::new(figure, set), 0);
    while !lines.peek()?.ok_or(Problem::Truncated("end"))?.starts_with("end") {
        let line = lines.next()?.ok_or(Problem::Truncated("end"))?;
        check.node(&line)?;
        nodes += 1;
    }
    let raw = match check.open.remove(&0) {
        // All cells are covered, so no piece is left.
        Some(ways) => ways.iter().map(|(_, ways)| ways).sum(),
        None => 0,
    };
    if let Some(free) = check.open.keys().min() {
        return Err(Problem::NodeMissing(format!("{free:x}")));
    }
    match claim == raw.to_string() {
        true => Ok(CheckedCount { raw, nodes }),
        false => Err(Problem::Reason(format!("the nodes have {raw} packings"))),
    }
}

impl CountCheck {
    fn new(figure: &Figure, set: &PieceSet) -> Self {
        let mut over = vec![Vec::new(); figure.len()];
        for (piece, cells) in placements(figure, set).into_iter().flatten() {
            let mask = cells.iter().fold(0, |mask, cell| mask | 1_u128 << cell);
            cells.iter().for_each(|&cell| over[cell].push((piece, mask)));
        }
        let (mut bits, mut all, mut used) = (Vec::new(), 0, 0);
        for (_, copies) in set.pieces() {
            // There are not more copies than cells, and a number does not have more bits than its value.
            let width = usize::BITS - copies.leading_zeros();
            bits.push((1 << used, (u128::MAX >> (u128::BITS - width)) << used));
            all |= (*copies as u128) << used;
            used += width;
        }
        let whole = u128::MAX >> (MAX_COUNT_CELLS - figure.len());
        Self { over, bits, open: FxHashMap::from_iter([(whole, vec![(all, 1)])]) }
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
            let (copy, copies) = self.bits[*piece];
            let next = ways.iter().filter(|(choice, _)| choice & copies != 0);
            let next = next.map(|(choice, ways)| (choice - copy, *ways)).collect();
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
