//! Colors of single cells: which placements a figure's colors allow.
//!
//! A placement is allowed if the piece can be turned so that its cells are these and the figure's cells take their
//! colors. Two ways to turn it give one placement, because a packing says which piece fills which cells. Placements
//! are omitted before the search, which does not know of colors.

use super::placements::ItemLayout;
use super::prepared_set::PreparedSet;
use super::word::MaskWord;
use somacat_geometry::figure::FigureColors;
use somacat_geometry::lattice::{Cell, moved_to_origin};

/// Returns true if the colors of the figure with these cells allow a placement.
pub(super) fn allow<W: MaskWord>(
    colors: &FigureColors,
    prepared: &PreparedSet,
    cells: &[Cell],
    layout: &ItemLayout,
    mask: W,
) -> bool {
    let kind = mask.ones().find_map(|bit| bit.checked_sub(layout.first_type));
    let orientations = &prepared.colored[kind.expect("a placement has a type")];
    if orientations.is_empty() {
        return true;
    }
    let numbers = mask.ones().filter_map(|bit| layout.cell_of_bit.get(bit).copied());
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    let shape = moved_to_origin(numbers.iter().map(|&number| cells[number]).collect());
    orientations.iter().filter(|turned| turned.cells == shape).any(|turned| {
        numbers.iter().zip(&turned.colors).all(|(&cell, &color)| colors.takes(cell, color))
    })
}
