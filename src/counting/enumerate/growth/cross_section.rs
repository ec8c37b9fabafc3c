//! The cross-section of the lattice modulo translations along a group's fixed directions.
//!
//! Translations along the directions that a group fixes map its orbits to orbits. Of all cells equal up to such
//! translations one lies in the cross-section: its product with each direction is at least 0 and less than the
//! direction's product with itself.

use super::setting::{Affine, Setting, dot};
use super::size::FigureSize;
use crate::enumerate::stop_check::StopCheck;
use rustc_hash::FxHashMap;
use somacat_geometry::lattice::Cell;
use std::ops::RangeInclusive;

/// The orbits with representatives in the cross-section, with a lookup by cell.
pub(super) struct CrossSection<'a> {
    setting: &'a Setting,
    /// The orbits, each with its size and its representative, ascending. The index of an orbit is its place.
    pub(super) orbits: Vec<(usize, Cell)>,
    /// For each cell of the orbits: the place of the orbit, and the element that maps the representative to the cell.
    places: FxHashMap<Cell, (u32, u8)>,
}

/// The orbit of a cell: a place in the cross-section and a number of translations along each direction. An element
/// of the group maps the representative to the cell.
pub(super) struct Location {
    pub(super) times: [i32; 3],
    pub(super) place: u32,
    pub(super) element: u8,
}

impl<'a> CrossSection<'a> {
    /// Computes the section. Returns `None` if `stop` is set.
    pub(super) fn new(
        setting: &'a Setting,
        size: &FigureSize,
        stop: &mut StopCheck<'_>,
    ) -> Option<Self> {
        let mut orbits: Vec<(usize, Cell)> = Vec::new();
        for orbit in orbits_of(setting, size) {
            if stop.step().is_break() {
                return None;
            }
            orbits.push(orbit);
        }
        orbits.sort_unstable();
        let mut places = FxHashMap::default();
        places.reserve(orbits.len() * setting.maps.len());
        for (place, (_, cell)) in orbits.iter().enumerate() {
            if stop.step().is_break() {
                return None;
            }
            for (element, map) in setting.maps.iter().enumerate() {
                places.entry(map.apply(*cell)).or_insert((place as u32, element as u8));
            }
        }
        Some(Self { setting, orbits, places })
    }

    /// Returns the location of a cell's orbit, if figures can contain it.
    pub(super) fn find(&self, cell: Cell) -> Option<Location> {
        let (times, rest) = split(&self.setting.directions, cell);
        let &(place, element) = self.places.get(&rest)?;
        Some(Location { times, place, element })
    }
}

/// Iterates over the orbits of the cross-section that figures can contain. Returns their sizes and representatives.
/// The representative is the least cell of its orbit.
pub(super) fn orbits_of(
    setting: &Setting,
    size: &FigureSize,
) -> impl Iterator<Item = (usize, Cell)> {
    section_cells(setting, size).filter_map(|cell| {
        let mut images = setting.maps.iter().map(|map| map.apply(cell));
        let least = images.all(|image| image >= cell && size.holds_both(image, cell));
        let cells = least.then(|| distinct_images(&setting.maps, cell))?;
        size.admits_orbit(&cells).then_some((cells.len(), cell))
    })
}

/// Iterates over the cells of the cross-section that are near enough to the center to be in a figure, and perhaps
/// others.
fn section_cells(setting: &Setting, size: &FigureSize) -> impl Iterator<Item = Cell> {
    let along = |axis: usize, before: [i32; 3]| coordinates(setting, size, axis, before);
    along(0, [0; 3]).flat_map(move |x| {
        along(1, [x, 0, 0]).flat_map(move |y| along(2, [x, y, 0]).map(move |z| Cell::new(x, y, z)))
    })
}

/// Returns the range of a coordinate of such cells, given the coordinates on the axes before.
fn coordinates(
    setting: &Setting,
    size: &FigureSize,
    axis: usize,
    before: [i32; 3],
) -> RangeInclusive<i32> {
    let (center, reach) = (setting.doubled_center.to_array()[axis], size.reach());
    let is_negated = |map: &Affine| map.linear.sources()[axis] == (axis, true);
    let (mut first, mut last) = if setting.maps.iter().any(is_negated) {
        // An image has this coordinate at the same distance on the other side of the center.
        ((center - reach) / 2, (center + reach) / 2)
    } else {
        (-reach - 2, reach + 2)
    };
    for &direction in &setting.directions {
        let steps = direction.to_array();
        if steps[axis] == 0 || steps[axis + 1..].iter().any(|&n| n != 0) {
            continue;
        }
        // The product with the direction has this coordinate as its last term.
        let known = dot(Cell::from(before), direction);
        let most = dot(direction, direction) - 1;
        let (low, high) =
            if steps[axis] == 1 { (-known, most - known) } else { (known - most, known) };
        (first, last) = (first.max(low), last.min(high));
    }
    first..=last
}

/// Splits a cell into translations and a cell of the cross-section.
fn split(directions: &[Cell], cell: Cell) -> ([i32; 3], Cell) {
    let (mut times, mut rest) = ([0; 3], cell);
    for (n, &d) in times.iter_mut().zip(directions) {
        *n = dot(cell, d).div_euclid(dot(d, d));
        rest = Cell::new(rest.x - *n * d.x, rest.y - *n * d.y, rest.z - *n * d.z);
    }
    (times, rest)
}

/// Translates a cell by each direction, as many times as given.
pub(super) fn translate(directions: &[Cell], cell: Cell, times: [i32; 3]) -> Cell {
    times.iter().zip(directions).fold(cell, |c, (n, d)| c + Cell::new(n * d.x, n * d.y, n * d.z))
}

/// Returns the images of a cell under some maps, each once.
pub(super) fn distinct_images(maps: &[Affine], cell: Cell) -> Vec<Cell> {
    let mut images: Vec<Cell> = Vec::with_capacity(maps.len());
    for map in maps {
        let image = map.apply(cell);
        if !images.contains(&image) {
            images.push(image);
        }
    }
    images
}
