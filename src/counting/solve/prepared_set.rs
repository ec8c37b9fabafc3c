//! A piece set prepared for counting: everything that does not depend on the figure.

use super::color::{self, ColorConstraints};
use super::sweep::{AxisSweep, OrientedShape};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::sync::OnceLock;

#[derive(Clone, Debug)]
pub(super) struct PreparedPiece {
    /// The number of copies in the set.
    pub(super) count: u32,
    /// The number of cells.
    pub(super) size: usize,
    pub(super) orientations: usize,
    /// The mirror image's type, if the set is closed under reflection.
    pub(super) mirror: Option<usize>,
}

/// A multiset of pieces. Equal pieces are indistinguishable.
#[derive(Clone, Debug)]
pub(super) struct PreparedSet {
    pub(super) kinds: Vec<PreparedPiece>,
    /// All orientations of all types, alternating between types.
    pub(super) shapes: Vec<OrientedShape>,
    /// The largest coordinate difference within a piece; 0 without pieces.
    pub(super) reach: i32,
    /// The number of cells of all pieces together.
    pub(super) volume: usize,
    /// True if reflections map packings to packings.
    pub(super) mirror_closed: bool,
    /// The color difference of each type, and its number of copies.
    types: Vec<(u32, u32)>,
    /// Built on first use: for a thousand SOMAs, too many for any figure, it takes seconds.
    constraints: OnceLock<Vec<Option<ColorConstraints>>>,
    /// One for each order of the axes, built on first use.
    sweeps: [OnceLock<AxisSweep>; AxisSweep::ORDERS],
}

impl PreparedSet {
    pub(super) fn new(set: &PieceSet) -> Self {
        let orientations: Vec<Vec<Vec<Cell>>> =
            set.pieces().iter().map(|(piece, _)| piece.orientations()).collect();
        let kinds = set.pieces().iter().enumerate().map(|(at, (piece, count))| PreparedPiece {
            count: *count as u32,
            size: piece.size(),
            orientations: orientations[at].len(),
            mirror: set.mirror_map().map(|map| map[at]),
        });
        let mut shapes = Vec::new();
        for turn in 0..24 {
            for (kind, of_kind) in orientations.iter().enumerate() {
                shapes.extend(of_kind.get(turn).map(|cells| shape(kind, cells)));
            }
        }
        let offsets = shapes.iter().flat_map(|s| &s.cells).flat_map(|c| c.to_array());
        let reach = offsets.map(i32::abs).max().unwrap_or(0);
        let types: Vec<(u32, u32)> =
            set.pieces().iter().map(|(p, count)| (p.color_difference(), *count as u32)).collect();
        let volume = set.total_cells();
        Self {
            kinds: kinds.collect(),
            shapes,
            reach,
            volume,
            mirror_closed: set.is_mirror_closed(),
            types,
            constraints: OnceLock::new(),
            sweeps: Default::default(),
        }
    }

    /// Returns the shapes for a sweep along these axes, the fastest first.
    pub(super) fn sweep(&self, axes: [usize; 3]) -> &AxisSweep {
        self.sweeps[AxisSweep::number(axes)].get_or_init(|| AxisSweep::new(&self.shapes, axes))
    }

    /// Looks up the constraints of a color difference. Returns `None` if it rules out every packing.
    pub(super) fn constraints(&self, difference: i32) -> Option<&ColorConstraints> {
        let at = difference + self.volume as i32;
        let table = self.constraints.get_or_init(|| color::table(&self.types, self.volume));
        table.get(usize::try_from(at).ok()?)?.as_ref()
    }
}

fn shape(kind: usize, cells: &[Cell]) -> OrientedShape {
    let cells: Vec<Cell> = cells.iter().map(|&c| c - cells[0]).collect();
    let surplus = cells.iter().map(|c| if c.is_black() { 1 } else { -1 }).sum();
    OrientedShape { kind, cells, surplus }
}
