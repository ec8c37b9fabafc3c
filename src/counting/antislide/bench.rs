//! A box with all placements of the pieces.

use super::{BoxTop, HeldBox};
use crate::cell_placements::CellPlacement;
use crate::solve::{MaskWord, PackingSymmetries, Placement, Problem, Wide};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{GAP, OPTIONAL, PieceSet};
use somacat_geometry::symmetry::Group;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// A part of a set of placements, as long as a vector register.
pub(super) type Lane = Wide<4>;

/// The six directions, each next to its opposite; the last one is up.
const STEPS: [[i32; 3]; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// A placement as the search needs it. A mask `M` has the positions of cells in [`Figure::cells`].
pub(super) struct Part<M> {
    pub(super) kind: usize,
    pub(super) cells: M,
    /// For each direction, the cells of the box next to the piece.
    pub(super) front: [M; 6],
}

impl<M: MaskWord> Part<M> {
    fn new(placement: &CellPlacement, cells: &[Cell]) -> Self {
        let own: M = mask(placement.cells.iter().copied());
        let next = |step: Cell| {
            let next = placement.cells.iter().map(|&at| cells.binary_search(&(cells[at] + step)));
            mask::<M>(next.filter_map(Result::ok)).without(own)
        };
        Self { kind: placement.piece, cells: own, front: STEPS.map(Cell::from).map(next) }
    }

    /// Returns the cells next to the piece against a direction.
    pub(super) const fn behind(&self, direction: usize) -> M {
        self.front[direction ^ 1]
    }
}

/// A box with all placements.
pub(super) struct Bench<'a, M> {
    cells: &'a [Cell],
    /// The position of the gap among the pieces, if there are gaps.
    gap: Option<usize>,
    /// The placements, by piece. Those of each piece begin with a lane of their own; entries without cells fill the
    /// lane before.
    placements: Vec<Placement>,
    pub(super) parts: Vec<Part<M>>,
    /// For each piece, the lanes of its placements.
    pub(super) lanes: Vec<Range<usize>>,
    /// For each cell, the placements that cover it.
    covering: Vec<Lane>,
    /// The number of lanes of a set of placements.
    pub(super) width: usize,
    /// For each direction, the cells with a wall next to them.
    pub(super) at_wall: [M; 6],
    /// The cells that may not stay empty.
    pub(super) required: M,
    /// The number of directions in which nothing may slide: the first ones of [`STEPS`].
    pub(super) directions: usize,
    /// For each symmetry, the image of each placement.
    pub(super) images: Vec<Vec<u32>>,
    /// The same for the rotations alone.
    pub(super) rotations: Vec<Vec<u32>>,
}

impl<'a, M: MaskWord> Bench<'a, M> {
    pub(super) fn new(held: HeldBox<'a>) -> Self {
        let HeldBox { figure, set, colors, top } = held;
        let cells = figure.cells();
        let gap = set.pieces().iter().position(|(piece, _)| piece.letter() == GAP);
        let is_required =
            |at: &usize| gap.is_none() || colors.is_some_and(|colors| !colors.takes(*at, OPTIONAL));
        let required = mask((0..cells.len()).filter(is_required));
        let (all, lanes) = in_lanes(&placements(figure, set, colors), set.pieces().len());
        let width = all.len() / Lane::BITS;
        let mut covering = vec![Lane::ZERO; width * cells.len()];
        for (number, placement) in all.iter().enumerate() {
            for cell in &placement.cells {
                let lane = &mut covering[cell * width + number / Lane::BITS];
                *lane = *lane | Lane::bit(number % Lane::BITS);
            }
        }
        let parts: Vec<Part<M>> = all.iter().map(|placement| Part::new(placement, cells)).collect();
        let wall = |step: Cell| {
            let is_wall = |at: &usize| cells.binary_search(&(cells[*at] + step)).is_err();
            mask((0..cells.len()).filter(is_wall))
        };
        let placement = |one: &CellPlacement| Placement {
            piece: one.piece,
            cells: one.cells.iter().map(|&at| cells[at]).collect(),
        };
        let placements: Vec<Placement> = all.iter().map(placement).collect();
        let problem = Problem::new(figure, set).with_colors(colors);
        let up = Cell::from(STEPS[5]);
        let kept = problem.group().iter().filter(|t| top == BoxTop::Closed || t.apply(up) == up);
        let group = Group::generated_by(kept);
        let tables = |group| image_tables(&Problem::with_group(figure, set, group), &placements);
        let (images, rotations) = (tables(group), tables(group.rotations()));
        let (at_wall, directions) =
            (STEPS.map(Cell::from).map(wall), if top == BoxTop::Open { 5 } else { 6 });
        Self {
            cells,
            gap,
            parts,
            lanes,
            covering,
            width,
            at_wall,
            required,
            directions,
            images,
            rotations,
            placements,
        }
    }

    /// Returns the number of cells.
    pub(super) const fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Returns all placements.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        (0..self.parts.len()).filter(|&one| !self.parts[one].cells.is_zero()).map(|one| one as u32)
    }

    /// Adds the placements that cover some of the cells to some lanes of a set.
    pub(super) fn add_covering(&self, cells: M, lanes: &[usize], set: &mut [Lane]) {
        for cell in cells.ones() {
            let row = self.covering(cell);
            lanes.iter().for_each(|&lane| set[lane] = set[lane] | row[lane]);
        }
    }

    /// Returns the placements that cover a cell.
    pub(super) fn covering(&self, cell: usize) -> &[Lane] {
        &self.covering[cell * self.width..][..self.width]
    }

    /// Returns a packing with a placement of the gap on each empty cell, as other searches report it.
    pub(super) fn with_gaps(&self, packing: &[u32]) -> Vec<Placement> {
        let mut all: Vec<Placement> =
            packing.iter().map(|&one| self.placements[one as usize].clone()).collect();
        let filled =
            packing.iter().fold(M::ZERO, |mask, &one| mask | self.parts[one as usize].cells);
        let empty = (0..self.cells.len()).filter(|at| !filled.has(M::bit(*at)));
        let gap = |(piece, at): (usize, usize)| Placement { piece, cells: vec![self.cells[at]] };
        all.extend(
            self.gap
                .into_iter()
                .flat_map(|piece| empty.clone().map(move |at| (piece, at)))
                .map(gap),
        );
        all
    }
}

/// Returns a mask of cells.
fn mask<M: MaskWord>(cells: impl Iterator<Item = usize>) -> M {
    cells.fold(M::ZERO, |mask, at| mask | M::bit(at))
}

/// Fills the lanes of each piece with entries without cells.
fn in_lanes(all: &[CellPlacement], pieces: usize) -> (Vec<CellPlacement>, Vec<Range<usize>>) {
    let (mut padded, mut lanes): (Vec<CellPlacement>, Vec<_>) = (Vec::new(), Vec::new());
    for piece in 0..pieces {
        let begin = padded.len();
        padded.extend(all.iter().filter(|placement| placement.piece == piece).cloned());
        let end = padded.len().next_multiple_of(Lane::BITS);
        padded.resize(end, CellPlacement { piece, cells: Vec::new() });
        lanes.push(begin / Lane::BITS..end / Lane::BITS);
    }
    (padded, lanes)
}

/// Returns the image of each placement under each symmetry of a problem.
fn image_tables(problem: &Problem<'_>, placements: &[Placement]) -> Vec<Vec<u32>> {
    let number: HashMap<&Placement, u32> = placements.iter().zip(0..).collect();
    let symmetries = PackingSymmetries::of(problem);
    let mut tables: Vec<Vec<u32>> = Vec::new();
    for placement in placements {
        for (at, image) in symmetries.images(placement).enumerate() {
            if tables.len() == at {
                tables.push(Vec::with_capacity(placements.len()));
            }
            tables[at].push(number[&image]);
        }
    }
    tables
}

/// Lists the placements of all pieces but gaps, each once, with colors obeyed.
fn placements(
    figure: &Figure,
    set: &PieceSet,
    colors: Option<&FigureColors>,
) -> Vec<CellPlacement> {
    let number = |cell: Cell| figure.cells().binary_search(&cell).ok();
    let mut all = BTreeSet::new();
    for (piece, (shape, _)) in set.pieces().iter().enumerate() {
        if shape.letter() == GAP {
            continue;
        }
        for image in shape.colored_orientations() {
            for &first in figure.cells() {
                let cells = image.cells.iter().map(|&cell| number(cell - image.cells[0] + first));
                let Some(mut cells) = cells.collect::<Option<Vec<usize>>>() else { continue };
                let color = |at: usize| image.colors.get(at).copied().unwrap_or(0);
                let takes = |(at, &cell): (usize, &usize)| {
                    colors.is_none_or(|colors| colors.takes(cell, color(at)))
                };
                if cells.iter().enumerate().all(takes) {
                    cells.sort_unstable();
                    all.insert(CellPlacement { piece, cells });
                }
            }
        }
    }
    all.into_iter().collect()
}
