//! A scene to draw: cells and their pieces.

use super::corner::Corner;
use super::label::PieceLabel;
use super::surface::best_corner;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, part_count};
use somacat_geometry::pieces::Piece;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of drawn empty layers between cells. Longer gaps are shortened.
const WIDEST_GAP: i32 = 2;

/// A figure, optionally with its pieces, to be drawn.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The position in `pieces` of each cell's piece. Long gaps between cells are shortened.
    pub(super) cells: BTreeMap<Cell, Option<usize>>,
    pub(super) pieces: Vec<PieceLabel>,
    /// True if `pieces` are marks on cells instead.
    pub(super) has_marks: bool,
    /// The number of each non-empty layer, from 1, by its drawn position.
    pub(super) layers: BTreeMap<i32, i32>,
    /// The longest shortened gap, in cells, for each axis.
    shortened: [Option<i32>; 3],
    pub(super) parts: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SceneError {
    #[error("cell {0} of a piece lies outside the figure")]
    Outside(Cell),
    #[error("cell {0} belongs to two pieces")]
    Overlap(Cell),
}

impl Scene {
    /// Says which gaps are drawn shorter than they are: `Wide gaps (up to 4 cells top to bottom) are drawn as 2.`
    pub(super) fn gaps_in_words(&self) -> Option<String> {
        let ways = ["left to right", "back to front", "top to bottom"].into_iter();
        let gaps = ways
            .zip(self.shortened)
            .filter_map(|(way, gap)| Some(format!("up to {} cells {way}", gap?)));
        let gaps = gaps.collect::<Vec<_>>().join(", ");
        (!gaps.is_empty()).then(|| format!("Wide gaps ({gaps}) are drawn as {WIDEST_GAP}."))
    }

    pub fn of_figure(figure: &Figure) -> Self {
        let cells = figure.cells().iter().map(|&cell| (cell, None)).collect();
        Self::new(cells, Vec::new())
    }

    /// Creates a scene of one piece, with its letter.
    pub fn of_piece(piece: &Piece) -> Self {
        let figure = Figure::new(piece.cells().iter().copied()).expect("a piece is a figure");
        let pieces = [(piece.letter(), figure.cells().to_vec())];
        Self::of_packing(&figure, &pieces).expect("a piece fills its own cells")
    }

    /// Creates a scene of a figure with pieces. Pieces are given by name and cells in the figure's coordinates. They
    /// need not cover the figure.
    pub fn of_packing(figure: &Figure, packing: &[(char, Vec<Cell>)]) -> Result<Self, SceneError> {
        let mut cells: BTreeMap<Cell, Option<usize>> =
            figure.cells().iter().map(|&cell| (cell, None)).collect();
        let mut pieces = Vec::new();
        for (at, (name, of_piece)) in packing.iter().enumerate() {
            let same = |(other, _): &&(char, Vec<Cell>)| other == name;
            let copies = packing.iter().filter(same).count();
            let before = packing[..at].iter().filter(same).count();
            let copy = if copies > 1 { before + 1 } else { 0 };
            pieces.push(PieceLabel { name: *name, copy, numbered: copies > 1 });
            for cell in of_piece {
                let owner = cells.get_mut(cell).ok_or(SceneError::Outside(*cell))?;
                if owner.replace(at).is_some() {
                    return Err(SceneError::Overlap(*cell));
                }
            }
        }
        Ok(Self::new(cells, pieces))
    }

    /// Creates a scene of a figure with a weight on each cell, in the order of its cells. Weights that are not 0 are
    /// drawn, each in its own color; those above 9 as `+`.
    pub fn of_weights(figure: &Figure, weights: &[i64]) -> Self {
        let different: BTreeSet<i64> =
            weights.iter().copied().filter(|weight| *weight != 0).collect();
        let label = |weight: &i64| match u32::try_from(*weight)
            .ok()
            .and_then(|w| char::from_digit(w, 10))
        {
            Some(digit) => PieceLabel { name: digit, copy: 0, numbered: false },
            None => PieceLabel { name: '+', copy: 0, numbered: false },
        };
        let cells = figure
            .cells()
            .iter()
            .zip(weights)
            .map(|(&cell, weight)| (cell, different.iter().position(|other| other == weight)));
        let scene = Self::new(cells.collect(), different.iter().map(label).collect());
        Self { has_marks: true, ..scene }
    }

    fn new(cells: BTreeMap<Cell, Option<usize>>, pieces: Vec<PieceLabel>) -> Self {
        let parts = part_count(&cells.keys().copied().collect::<Vec<_>>());
        let axes: [(BTreeMap<i32, i32>, Option<i32>); 3] =
            std::array::from_fn(|axis| shorten_gaps(cells.keys().map(|c| c.to_array()[axis])));
        let moved = |cell: Cell| {
            let [x, y, z] = cell.to_array();
            Cell::new(axes[0].0[&x], axes[1].0[&y], axes[2].0[&z])
        };
        Self {
            cells: cells.into_iter().map(|(cell, piece)| (moved(cell), piece)).collect(),
            pieces,
            has_marks: false,
            layers: axes[2].0.iter().map(|(&z, &drawn)| (drawn, z + 1)).collect(),
            shortened: [axes[0].1, axes[1].1, axes[2].1],
            parts,
        }
    }

    pub(super) fn label(&self, piece: Option<usize>) -> Option<PieceLabel> {
        piece.map(|at| self.pieces[at])
    }

    /// Returns whether copies of a piece are numbered.
    pub(super) fn is_numbered(&self) -> bool {
        self.pieces.iter().any(|piece| piece.numbered)
    }

    /// Returns the scene without the numbers of copies, which differ by their colors still.
    pub fn without_numbers(mut self) -> Self {
        self.pieces.iter_mut().for_each(|piece| piece.numbered = false);
        self
    }

    /// Turns the scene about the upright axis so that an upper corner becomes the default one. Seen from there, it
    /// looks as it did from this corner, and its plans have the viewer at their lower edge.
    pub fn turned(&self, corner: Corner) -> Self {
        let cells = self.cells.iter().map(|(cell, piece)| (corner.turned_to_default(*cell), piece));
        let cells: Vec<_> = cells.collect();
        let low = |value: fn(&Cell) -> i32| cells.iter().map(|(cell, _)| value(cell)).min();
        let (x, y) = (low(|cell| cell.x).unwrap_or(0), low(|cell| cell.y).unwrap_or(0));
        let moved = |cell: &Cell| Cell::new(cell.x - x, cell.y - y, cell.z);
        Self {
            cells: cells.iter().map(|(cell, piece)| (moved(cell), **piece)).collect(),
            ..self.clone()
        }
    }

    /// Returns the requested corner of view, or else the best upper one. From that corner the most cells are seen.
    pub fn corner(&self, requested: Option<Corner>) -> Corner {
        requested.unwrap_or_else(|| best_corner(&self.cells.keys().copied().collect::<Vec<_>>()))
    }

    /// Returns the size of the drawn box along x, y and z.
    pub(super) fn extents(&self) -> [i32; 3] {
        let most = |axis: usize| {
            self.cells.keys().map(|c| c.to_array()[axis]).max().expect("a figure has cells")
        };
        [most(0) + 1, most(1) + 1, most(2) + 1]
    }
}

/// Maps each coordinate to its drawn position, shortening long gaps. Also returns the longest such gap.
fn shorten_gaps(values: impl Iterator<Item = i32>) -> (BTreeMap<i32, i32>, Option<i32>) {
    let mut places: BTreeMap<i32, i32> = values.map(|v| (v, 0)).collect();
    let (mut last, mut place, mut longest) = (None, 0, None);
    for (value, drawn) in &mut places {
        if let Some(last) = last {
            let gap: i32 = value - last - 1;
            if gap > WIDEST_GAP {
                longest = longest.max(Some(gap));
            }
            place += gap.min(WIDEST_GAP) + 1;
        }
        *drawn = place;
        last = Some(*value);
    }
    (places, longest)
}
