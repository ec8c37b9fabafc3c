//! The exact cover to be counted: sites and tiles.
//!
//! For a symmetry the sites are the orbits of cells and the tiles the orbits of placements under its
//! powers; for the identity they are the cells and the placements themselves.

use crate::lattice::Cell;
use crate::solve::burnside::Ring;
use crate::solve::placements::Layout;
use crate::solve::symmetries::Symmetry;
use crate::solve::word::Word;

/// What one tile fills and takes.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// Sites, ascending.
    pub(super) sites: Vec<usize>,
    /// Position in [`Cover::steps`].
    pub(super) step: usize,
}

/// Sites to be covered by tiles.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// The cells of each site.
    pub(super) sites: Vec<Vec<Cell>>,
    pub(super) tiles: Vec<Tile>,
    /// The different choices of pieces that tiles are made of: copies of each kind.
    pub(super) steps: Vec<Vec<u32>>,
}

impl Cover {
    /// The cover of `cells` by `rings`, the orbits of placements under the powers of `symmetry`.
    pub(super) fn new<W: Word>(
        cells: &[Cell],
        rings: &[Ring<W>],
        layout: &Layout,
        symmetry: &Symmetry,
    ) -> Self {
        let mut site_of = vec![usize::MAX; cells.len()];
        let mut sites: Vec<Vec<Cell>> = Vec::new();
        for cell in 0..cells.len() {
            let mut orbit = Vec::new();
            let mut at = cell;
            while site_of[at] == usize::MAX {
                site_of[at] = sites.len();
                orbit.push(cells[at]);
                at = symmetry.map[at];
            }
            if !orbit.is_empty() {
                sites.push(orbit);
            }
        }
        let mut steps: Vec<Vec<u32>> = Vec::new();
        let tile = |ring: &Ring<W>| {
            let filled = ring.cells.ones().map(|bit| site_of[layout.cell_of_bit[bit]]);
            let mut filled: Vec<usize> = filled.collect();
            filled.sort_unstable();
            filled.dedup();
            let known = steps.iter().position(|uses| *uses == ring.uses);
            let step = known.unwrap_or_else(|| {
                steps.push(ring.uses.clone());
                steps.len() - 1
            });
            Tile { sites: filled, step }
        };
        let tiles = rings.iter().map(tile).collect();
        Self { sites, tiles, steps }
    }
}
