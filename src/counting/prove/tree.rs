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

use super::{CellPlacement, MAX_PROOF_CELLS, ProveError, placements};
use crate::solve::Limits;
use somacat_geometry::figure::Figure;
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::PieceSet;
use std::io::Write;

/// An item that a packing must cover or use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProofItem {
    Cell(usize),
    Piece(usize),
}

/// A search that writes its tree. At each node, the item with the fewest placements is covered in every way (Knuth,
/// The Art of Computer Programming 4B, 7.2.2.1).
struct ProofSearch<'a> {
    /// All placements in the figure, each with its cells as bits.
    placements: Vec<(CellPlacement, u128)>,
    /// The number of cells of the figure.
    cells: usize,
    /// For each piece of the set, the number of copies left.
    left: Vec<usize>,
    limits: Limits<'a>,
    /// The number of nodes written.
    nodes: u64,
    out: &'a mut dyn Write,
}

/// Nodes between two checks of the request to stop.
const STOP_CHECK_INTERVAL: u64 = 1 << 10;

/// Writes the reason and the tree. Returns the kind of the proof and the number of nodes.
pub(super) fn write_tree(
    figure: &Figure,
    set: &PieceSet,
    limits: Limits<'_>,
    out: &mut dyn Write,
) -> Result<(ProofKind, u64), ProveError> {
    if figure.len() > MAX_PROOF_CELLS {
        return Err(ProveError::TooLarge(figure.len()));
    }
    let mask = |placement: &CellPlacement| placement.cells.iter().fold(0, |m, c| m | 1_u128 << c);
    let all = placements(figure, set).into_iter();
    let mut search = ProofSearch {
        placements: all.map(|placement| (placement.clone(), mask(&placement))).collect(),
        cells: figure.len(),
        left: set.pieces().iter().map(|(_, copies)| *copies).collect(),
        limits,
        nodes: 0,
        out,
    };
    let fits: Vec<u32> = (0..search.placements.len() as u32).collect();
    let free = u128::MAX >> (MAX_PROOF_CELLS - figure.len());
    let (_, ways) = search.scarcest(&fits, free);
    let kind = if ways == 0 { ProofKind::NoFit } else { ProofKind::Exhausted };

    writeln!(search.out, "reason tree")?;
    search.node(0, None, &fits, free)?;
    Ok((kind, search.nodes))
}

impl ProofSearch<'_> {
    /// Returns the open item with the fewest fitting placements, and their number. A piece with several copies left
    /// counts only if it has none: branching on it would visit the same packings several times.
    fn scarcest(&self, fits: &[u32], free: u128) -> (ProofItem, usize) {
        let (mut cells, mut pieces) = (vec![0; self.cells], vec![0; self.left.len()]);
        for &at in fits {
            let (placement, _) = &self.placements[at as usize];
            placement.cells.iter().for_each(|&cell| cells[cell] += 1);
            pieces[placement.piece] += 1;
        }
        let open = (0..self.cells).filter(|cell| free >> cell & 1 == 1);
        let open = open.map(|cell| (ProofItem::Cell(cell), cells[cell]));
        let single = |piece: &usize| match self.left[*piece] {
            0 => false,
            1 => true,
            _ => pieces[*piece] == 0,
        };
        let left = (0..self.left.len()).filter(single);
        let left = left.map(|piece| (ProofItem::Piece(piece), pieces[piece]));
        open.chain(left).min_by_key(|(_, ways)| *ways).expect("a cell is free")
    }

    /// Writes the node that a placement leads to, and all below it. `fits` are the numbers of the placements that are
    /// still possible, and `free` the cells that are still free. Fails if a packing is found.
    fn node(
        &mut self,
        depth: usize,
        placed: Option<u32>,
        fits: &[u32],
        free: u128,
    ) -> Result<(), ProveError> {
        if free == 0 {
            return Err(ProveError::Buildable);
        }
        if self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(ProveError::Nodes(self.nodes));
        }
        if self.nodes.is_multiple_of(STOP_CHECK_INTERVAL) && self.limits.stopped() {
            return Err(ProveError::Stopped);
        }
        self.nodes += 1;
        let (item, _) = self.scarcest(fits, free);
        write!(self.out, "{depth}")?;
        if let Some(placed) = placed {
            let (placement, _) = &self.placements[placed as usize];
            write!(self.out, " p{}", placement.piece + 1)?;
            for cell in &placement.cells {
                write!(self.out, " {cell}")?;
            }
        }
        match item {
            ProofItem::Cell(cell) => writeln!(self.out, " > c{cell}")?,
            ProofItem::Piece(piece) => writeln!(self.out, " > p{}", piece + 1)?,
        }
        for &at in fits {
            let (placement, mask) = &self.placements[at as usize];
            let (piece, mask) = (placement.piece, *mask);
            let covers = match item {
                ProofItem::Cell(cell) => mask >> cell & 1 == 1,
                ProofItem::Piece(wanted) => piece == wanted,
            };
            if !covers {
                continue;
            }
            self.left[piece] -= 1;
            let still = |other: &&u32| {
                let (placement, other) = &self.placements[**other as usize];
                other & mask == 0 && self.left[placement.piece] > 0
            };
            let below: Vec<u32> = fits.iter().filter(still).copied().collect();
            let done = self.node(depth + 1, Some(at), &below, free & !mask);
            self.left[piece] += 1;
            done?;
        }
        Ok(())
    }
}
