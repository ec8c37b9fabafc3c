//! A piece set prepared for counting: everything that does not depend on the figure.

use super::color::{self, ColorConstraints};
use super::sweep::{AxisSweep, OrientedShape};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{ColoredShape, GAP, PieceSet};
use std::cmp::Reverse;
use std::sync::OnceLock;

/// A type of pieces.
#[derive(Clone, Debug)]
pub(super) struct PreparedPiece {
    /// The number of copies in the set: the most that a packing uses.
    pub(super) count: u32,
    /// The least number of copies that a packing uses.
    pub(super) least: u32,
    /// True for the gap, which is not counted as a piece.
    pub(super) is_gap: bool,
    /// The number of cells.
    pub(super) size: usize,
    /// The number of its different orientations, 1 to 24.
    pub(super) orientations: usize,
    /// The mirror image's type, if the set is closed under reflection. It may be this type itself.
    pub(super) mirror: Option<usize>,
}

/// A multiset of pieces. Equal pieces are indistinguishable.
///
/// The types of pieces are in a canonical order, because the number of nodes of a search depends on their order.
#[derive(Clone, Debug)]
pub(super) struct PreparedSet {
    /// For each type, its position in the set.
    pub(super) pieces: Vec<usize>,
    /// The types, in canonical order.
    pub(super) kinds: Vec<PreparedPiece>,
    /// All orientations of all types: first one of each type, then a second one, and so on.
    pub(super) shapes: Vec<OrientedShape>,
    /// For each type, its orientations with their colors. Empty for a type without colors.
    pub(super) colored: Vec<Vec<ColoredShape>>,
    /// The largest coordinate difference within a piece; 0 without pieces.
    pub(super) reach: i32,
    /// The number of cells of all pieces together: the most that a packing fills.
    pub(super) volume: usize,
    /// True if packings may use different pieces of the set.
    pub(super) is_choice: bool,
    /// The number of pieces that every packing uses, if the types alone do not decide it.
    pub(super) number: Option<usize>,
    /// True if reflections map packings to packings.
    pub(super) mirror_closed: bool,
    /// For each type, the color difference of a piece and the number of copies.
    types: Vec<(u32, u32)>,
    /// The color constraints by color difference, from −`volume` on. Built on first use: for a thousand SOMAs, too many
    /// for any figure, it takes seconds.
    constraints: OnceLock<Vec<Option<ColorConstraints>>>,
    /// Constraints that allow every placement, for choices: the prefilter has settled what their colors forbid.
    unconstrained: ColorConstraints,
    /// The shapes for each order of the axes, built on first use.
    sweeps: [OnceLock<AxisSweep>; AxisSweep::ORDERS],
}

impl PreparedSet {
    pub(super) fn new(set: &PieceSet) -> Self {
        let mut orientations: Vec<Vec<Vec<Cell>>> =
            set.pieces().iter().map(|(piece, _)| piece.orientations()).collect();
        let pieces = canonical_order(set, &orientations);
        let orientations: Vec<Vec<Vec<Cell>>> =
            pieces.iter().map(|&at| std::mem::take(&mut orientations[at])).collect();
        let types = || pieces.iter().map(|&at| &set.pieces()[at]);
        let type_of = |piece: usize| pieces.iter().position(|&at| at == piece);
        let kinds = types().enumerate().map(|(kind, (piece, count))| PreparedPiece {
            count: *count as u32,
            least: set.least(pieces[kind]) as u32,
            is_gap: piece.letter() == GAP,
            size: piece.size(),
            orientations: orientations[kind].len(),
            mirror: set.mirror_map().and_then(|map| type_of(map[pieces[kind]])),
        });
        let kinds: Vec<PreparedPiece> = kinds.collect();
        let unconstrained = ColorConstraints { signs: vec![[true; 2]; kinds.len()] };
        let mut shapes = Vec::new();
        for turn in 0..24 {
            for (kind, of_kind) in orientations.iter().enumerate() {
                shapes.extend(of_kind.get(turn).map(|cells| shape(kind, cells)));
            }
        }
        let offsets = shapes.iter().flat_map(|s| &s.cells).flat_map(|c| c.to_array());
        let reach = offsets.map(i32::abs).max().unwrap_or(0);
        let types: Vec<(u32, u32)> =
            types().map(|(p, count)| (p.color_difference(), *count as u32)).collect();
        let volume = set.total_cells();
        let colored = |&at: &usize| match &set.pieces()[at].0 {
            piece if piece.is_colored() => piece.colored_orientations(),
            _ => Vec::new(),
        };
        let colored = pieces.iter().map(colored).collect();
        Self {
            pieces,
            kinds,
            shapes,
            colored,
            reach,
            volume,
            is_choice: set.is_choice(),
            number: set.number(),
            mirror_closed: set.is_mirror_closed(),
            types,
            constraints: OnceLock::new(),
            unconstrained,
            sweeps: Default::default(),
        }
    }

    /// Returns the shapes for a sweep along these axes, the fastest first.
    pub(super) fn sweep(&self, axes: [usize; 3]) -> &AxisSweep {
        self.sweeps[AxisSweep::number(axes)].get_or_init(|| AxisSweep::new(&self.shapes, axes))
    }

    /// Returns the constraints of a figure with a color difference, black minus white cells. `None` if the difference
    /// rules out every packing.
    pub(super) fn constraints(&self, difference: i32) -> Option<&ColorConstraints> {
        if self.is_choice {
            return Some(&self.unconstrained);
        }
        let at = difference + self.volume as i32;
        let table = self.constraints.get_or_init(|| color::table(&self.types, self.volume));
        table.get(usize::try_from(at).ok()?)?.as_ref()
    }
}

/// Returns the positions of the pieces in an order that depends on their shapes and copies alone: not on the order of
/// lines in a file, on names, or on positions.
///
/// Small pieces come first. Of one size, those with many orientations do, then flat ones, then those whose shape, or
/// its mirror image, comes first. SOMA has the order V L T Z A B P.
fn canonical_order(set: &PieceSet, orientations: &[Vec<Vec<Cell>>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..set.pieces().len()).collect();
    order.sort_by_cached_key(|&at| {
        let (piece, copies) = &set.pieces()[at];
        let own = piece.form().clone();
        let form = own.clone().min(piece.mirror_form().clone());
        let mut extents =
            [0, 1, 2].map(|axis| form.cells.iter().map(|cell| cell.to_array()[axis]).max());
        extents.sort_unstable();
        let orientations = orientations[at].len();
        (piece.size(), Reverse(orientations), extents, form, Reverse(*copies), Reverse(own))
    });
    order
}

/// Moves an orientation's first cell to the origin.
fn shape(kind: usize, cells: &[Cell]) -> OrientedShape {
    let cells: Vec<Cell> = cells.iter().map(|&c| c - cells[0]).collect();
    let surplus = cells.iter().map(|c| if c.is_black() { 1 } else { -1 }).sum();
    OrientedShape { kind, cells, surplus }
}
