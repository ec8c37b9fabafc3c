//! The exact-cover problem: sites to be covered by tiles.
//!
//! To count the packings that a symmetry fixes, the sites are the orbits of cells and the tiles the orbits of
//! placements under its powers. For the identity these are the cells and the placements.

use crate::solve::burnside::OrbitTile;
use crate::solve::placements::ItemLayout;
use crate::solve::symmetries::CellSymmetry;
use crate::solve::word::MaskWord;
use somacat_geometry::lattice::Cell;

/// An orbit of placements: the sites it covers and the pieces it consists of.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// The numbers of the sites, ascending.
    pub(super) sites: Vec<usize>,
    /// Position in [`OrbitCover::usages`].
    pub(super) usage: usize,
}

/// The sites and tiles for the packings that a symmetry fixes.
#[derive(Clone, Debug)]
pub(super) struct OrbitCover {
    /// The cells of each site.
    pub(super) sites: Vec<Vec<Cell>>,
    pub(super) tiles: Vec<Tile>,
    /// The different usages of tiles: for each kind, the number of its pieces in the tile.
    pub(super) usages: Vec<Vec<u32>>,
    /// The symmetries as distinct permutations of the sites, the identity first.
    pub(super) symmetries: Vec<CellSymmetry>,
}

impl OrbitCover {
    /// Builds the cover by the orbits of placements under `symmetry`'s powers. Of `group`, it keeps the symmetries that
    /// commute with `symmetry`, because these map orbits to orbits.
    pub(super) fn new<W: MaskWord>(
        cells: &[Cell],
        orbits: &[OrbitTile<W>],
        layout: &ItemLayout,
        symmetry: &CellSymmetry,
        group: &[&CellSymmetry],
    ) -> Self {
        let mut site_of = vec![usize::MAX; cells.len()];
        let mut sites: Vec<Vec<Cell>> = Vec::new();
        // For each site, one of its cells.
        let mut cell_of: Vec<usize> = Vec::new();
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
                cell_of.push(cell);
            }
        }
        let mut symmetries =
            vec![CellSymmetry { map: (0..sites.len()).collect(), improper: false }];
        let commutes = |other: &&&CellSymmetry| {
            (0..cells.len()).all(|i| other.map[symmetry.map[i]] == symmetry.map[other.map[i]])
        };
        for other in group.iter().filter(commutes) {
            let map: Vec<usize> = cell_of.iter().map(|&cell| site_of[other.map[cell]]).collect();
            if symmetries.iter().all(|known| known.map != map) {
                symmetries.push(CellSymmetry { map, improper: other.improper });
            }
        }
        let mut usages: Vec<Vec<u32>> = Vec::new();
        let tile = |orbit: &OrbitTile<W>| {
            let filled = orbit.cells.ones().map(|bit| site_of[layout.cell_of_bit[bit]]);
            let mut filled: Vec<usize> = filled.collect();
            filled.sort_unstable();
            filled.dedup();
            let known = usages.iter().position(|uses| *uses == orbit.uses);
            let usage = known.unwrap_or_else(|| {
                usages.push(orbit.uses.clone());
                usages.len() - 1
            });
            Tile { sites: filled, usage }
        };
        let tiles = orbits.iter().map(tile).collect();
        Self { sites, tiles, usages, symmetries }
    }
}
