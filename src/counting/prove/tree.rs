//! The search tree of a certificate.
//!
//! The tree is for a checker that trusts nothing: each node names an item, and the checker finds for itself that the
//! children are all ways to cover it. So the search is plain, without symmetry and pruning, and only the choice of the
//! item keeps the tree small. A node is a line: its depth, the placement that leads to it, and the item. For V, L and T
//! in the figure `11111 11110 00011` the tree has four nodes:
//!
//! ```text
//! 0 > c10               cell 10 is covered in every way:
//! 1 p1 7 8 10 > c9      by V on cells 7, 8 and 10; then cell 9 is covered in every way:
//! 2 p2 4 5 6 9 > c0         by L on cells 4, 5, 6 and 9; then nothing covers cell 0
//! 1 p2 6 7 8 10 > c9    or by L on cells 6, 7, 8 and 10; then nothing covers cell 9
//! ```

use super::CellPlacement;
use super::error::{ProveError, STOP_CHECK_INTERVAL};
use super::items::{Left, Placements};
use crate::solve::{Limits, Problem};
use somacat_geometry::outcome::ProofKind;
use std::io::{self, Write};

/// A search that writes its tree. At each node, the item with the fewest placements is covered in every way (Knuth,
/// The Art of Computer Programming 4B, 7.2.2.1).
struct ProofSearch<'a> {
    placements: Placements<'a>,
    limits: Limits<'a>,
    /// The number of nodes written.
    nodes: u64,
    out: &'a mut dyn Write,
}

/// Writes the reason and the tree. Returns the kind of the proof and the number of nodes.
pub(super) fn write_tree(
    problem: &Problem<'_>,
    limits: Limits<'_>,
    out: &mut dyn Write,
) -> Result<(ProofKind, u64), ProveError> {
    let (placements, all) = Placements::new(problem)?;
    let (_, ways) = placements.scarcest(&all);
    let kind = if ways == 0 { ProofKind::NoFit } else { ProofKind::Exhausted };
    writeln!(out, "reason tree")?;
    let mut search = ProofSearch { placements, limits, nodes: 0, out };
    search.node(0, None, &all)?;
    Ok((kind, search.nodes))
}

impl ProofSearch<'_> {
    /// Writes the node that a placement leads to, and all below it. Fails if a packing is found.
    fn node(&mut self, depth: usize, placed: Option<u32>, left: &Left) -> Result<(), ProveError> {
        if left.free == 0 && self.placements.can_fill(left) {
            return Err(ProveError::Buildable);
        }
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(ProveError::Nodes(self.nodes));
        }
        if self.nodes.is_multiple_of(STOP_CHECK_INTERVAL) && self.limits.stopped() {
            return Err(ProveError::Stopped);
        }
        self.nodes += 1;
        let (item, _) = self.placements.scarcest(left);
        let placed = placed.map(|at| self.placements.get(at));
        write_placement(depth, placed, self.placements.gap, self.out)?;
        writeln!(self.out, " > {item}")?;
        let ways: Vec<u32> = self.placements.ways(item, left).collect();
        for at in ways {
            let below = self.placements.after(left, at);
            self.node(depth + 1, Some(at), &below)?;
        }
        Ok(())
    }
}

/// Writes the beginning of a node's line: its depth and the placement that leads to it. That of the piece `gap` leaves a
/// cell empty.
pub(super) fn write_placement(
    depth: usize,
    placed: Option<&CellPlacement>,
    gap: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{depth}")?;
    if let Some(placement) = placed {
        match Some(placement.piece) == gap {
            true => write!(out, " ~")?,
            false => write!(out, " p{}", placement.piece + 1)?,
        }
        for cell in &placement.cells {
            write!(out, " {cell}")?;
        }
    }
    Ok(())
}
