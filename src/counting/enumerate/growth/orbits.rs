//! The orbits of cells under a setting's group, and their contacts: the quotient graph.
//!
//! An orbit is stored by a *representative*, one of its cells, with its images under all elements. Two orbits touch if
//! an image of one representative is next to the other. The element that gives this image is noted with the contact,
//! because it determines which parts of a figure the contact connects (`grower.rs`).

use super::cross_section::{CrossSection, distinct_images, orbits_of, translate};
use super::group_table::GroupTable;
use super::hashes::{ImageHash, Powers};
use super::heights::{Height, pack};
use super::numbering::{Numbering, rows};
use super::setting::{Setting, dot};
use super::size::{FigureSize, Span, span_of};
use crate::enumerate::stop_check::StopCheck;
use somacat_geometry::lattice::Cell;
use std::sync::atomic::AtomicBool;

/// A contact between orbits. The representative of an orbit touches the image of the representative of orbit `to`
/// under element `by`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) by: u8,
}

/// The numbered orbits of a setting, with the tables of a search.
pub(super) struct Orbits {
    pub(super) setting: Setting,
    pub(super) size: FigureSize,
    pub(super) table: GroupTable,
    pub(super) powers: Powers,
    /// For each size of orbits, ascending, the numbers of those in the cross-section.
    roots: Vec<std::ops::Range<u32>>,
    /// For each orbit and group element, the image of the representative.
    cells: Vec<Cell>,
    /// For each orbit, its number of different cells.
    pub(super) sizes: Vec<u32>,
    /// For each orbit, its bounding box.
    pub(super) spans: Vec<Span>,
    /// The contacts of all orbits, one orbit after the other.
    edges: Vec<Edge>,
    /// For each orbit, the end of its contacts in `edges`.
    edge_ends: Vec<u32>,
    /// For each orbit and coset, the hash of the image.
    image_hashes: Vec<ImageHash>,
    /// For each orbit and coset, the height and place of the image.
    images: Vec<(Height, u32)>,
}

/// Returns the most translations along each direction, in either sense, by which an orbit of a figure can differ from
/// the cross-section, if the figure's lowest orbit lies in it.
fn reach(setting: &Setting, size: &FigureSize) -> [i32; 3] {
    std::array::from_fn(|i| {
        setting.directions.get(i).map_or(0, |&d| size.spread(dot(d, d)) / dot(d, d) + 1)
    })
}

/// Estimates the memory in bytes of a setting's orbits. Counting ends at `most`.
pub(super) fn memory(setting: &Setting, size: &FigureSize, most: usize) -> usize {
    let (order, cosets) = (setting.maps.len(), setting.cosets.len());
    let orbit = order * size_of::<Cell>()
        + size_of::<u32>()
        + size_of::<Span>()
        + 6 * size_of::<Edge>()
        + size_of::<u32>()
        + cosets * (size_of::<ImageHash>() + size_of::<(Height, u32)>());
    // A place has a hash map entry for each of its cells.
    let place = rows(reach(setting, size)) * orbit + 2 * order * size_of::<(Cell, u32, u8)>();
    place * orbits_of(setting, size).take(most / place + 1).count()
}

impl Orbits {
    /// Computes the orbits that a figure of this size can contain. The figure's lowest orbit is in the
    /// cross-section. Returns `None` if `stop` is set.
    pub(super) fn new(setting: &Setting, size: &FigureSize, stop: &AtomicBool) -> Option<Self> {
        let mut stop = StopCheck::new(stop);
        let section = CrossSection::new(setting, size, &mut stop)?;
        let reach = reach(setting, size);
        let numbering = Numbering::new(reach, section.orbits.iter().map(|(size, _)| *size));
        let (count, cosets) = (numbering.len(), setting.cosets.len());
        // Images reach equally far on the other side, and settling a set subtracts its height.
        let farthest = 4 * (reach.into_iter().fold(0, i32::max) + 2);
        let mut orbits = Self {
            setting: setting.clone(),
            size: size.clone(),
            table: GroupTable::new(setting.group),
            powers: Powers::new(farthest, setting.directions.len()),
            roots: numbering.tiers().iter().map(|tier| numbering.row(tier, [0; 3])).collect(),
            cells: Vec::with_capacity(count * setting.maps.len()),
            sizes: Vec::with_capacity(count),
            spans: Vec::with_capacity(count),
            edges: Vec::with_capacity(count * 6),
            edge_ends: Vec::with_capacity(count),
            image_hashes: Vec::with_capacity(count * cosets),
            images: Vec::with_capacity(count * cosets),
        };
        for tier in numbering.tiers() {
            for times in numbering.all_times() {
                for (_, representative) in &section.orbits[tier.places.clone()] {
                    if stop.step().is_break() {
                        return None;
                    }
                    let cell = translate(&setting.directions, *representative, times);
                    orbits.push(cell, &section, &numbering);
                }
            }
        }
        Some(orbits)
    }

    /// Adds the orbit of a representative.
    fn push(&mut self, cell: Cell, section: &CrossSection<'_>, numbering: &Numbering) {
        let distinct = distinct_images(&self.setting.maps, cell);
        self.sizes.push(distinct.len() as u32);
        self.spans.push(span_of(&distinct));
        self.cells.extend(self.setting.maps.iter().map(|m| m.apply(cell)));
        for neighbor in cell.neighbors() {
            // Orbits that no figure can contain are not in the section, or not within reach.
            if let Some(at) = section.find(neighbor)
                && let Some(to) = numbering.number(at.times, at.place)
            {
                self.edges.push(Edge { to, by: at.element });
            }
        }
        self.edge_ends.push(self.edges.len() as u32);
        for coset in &self.setting.cosets {
            let at = section.find(coset.apply(cell));
            let at =
                at.expect("the cosets keep the size of a figure, so the image is in the section");
            let height = pack(at.times);
            self.image_hashes
                .push(ImageHash { hash: self.powers.hash(at.place, at.times), height });
            self.images.push((height, at.place));
        }
    }

    /// Returns the orbits that can be a figure's lowest one, by size.
    pub(super) fn roots(&self) -> &[std::ops::Range<u32>] {
        &self.roots
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the image of an orbit's representative under the group element with this number.
    pub(super) fn cell(&self, orbit: u32, element: u8) -> Cell {
        self.cells[orbit as usize * self.table.order() + usize::from(element)]
    }

    /// Iterates over the distinct cells of an orbit.
    fn cells_of(&self, orbit: u32) -> impl Iterator<Item = Cell> {
        let start = orbit as usize * self.table.order();
        let all = &self.cells[start..start + self.table.order()];
        (0..all.len()).filter(|&i| !all[..i].contains(&all[i])).map(|i| all[i])
    }

    /// Appends the cells of some orbits to a list, in order.
    pub(super) fn list_cells(&self, orbits: &[u32], list: &mut Vec<Cell>) {
        list.reserve(self.size.cells);
        for &orbit in orbits {
            let start = orbit as usize * self.table.order();
            let images = &self.cells[start..start + self.table.order()];
            if self.sizes[orbit as usize] as usize == images.len() {
                list.extend_from_slice(images);
            } else {
                list.extend(self.cells_of(orbit));
            }
        }
    }

    /// Iterates over the elements that fix an orbit's representative.
    pub(super) fn stabilizer(&self, orbit: u32) -> impl Iterator<Item = u8> {
        let home = self.cell(orbit, 0);
        (0..self.table.order() as u8).filter(move |&e| self.cell(orbit, e) == home)
    }

    pub(super) fn edges(&self, orbit: u32) -> &[Edge] {
        let orbit = orbit as usize;
        let start = if orbit == 0 { 0 } else { self.edge_ends[orbit - 1] as usize };
        &self.edges[start..self.edge_ends[orbit] as usize]
    }

    /// Returns the hashes of an orbit's images under the cosets.
    pub(super) fn image_hashes(&self, orbit: u32) -> &[ImageHash] {
        let count = self.setting.cosets.len();
        &self.image_hashes[orbit as usize * count..(orbit as usize + 1) * count]
    }

    /// Returns the height and place of an orbit's image under a coset.
    pub(super) fn image(&self, orbit: u32, coset: usize) -> (Height, u32) {
        self.images[orbit as usize * self.setting.cosets.len() + coset]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_geometry::symmetry::Class;

    static GO: AtomicBool = AtomicBool::new(false);

    #[test]
    fn memory_is_known_before_it_is_taken() {
        let size = FigureSize { cells: 30, parts: 1, bounds: None };
        for setting in Class::iter().flat_map(Setting::of_class).filter(|s| s.maps.len() > 2) {
            let orbits = Orbits::new(&setting, &size, &GO).unwrap();
            let held = orbits.cells.capacity() * size_of::<Cell>()
                + orbits.edges.capacity() * size_of::<Edge>()
                + orbits.image_hashes.capacity() * size_of::<ImageHash>()
                + orbits.images.capacity() * size_of::<(Height, u32)>()
                + orbits.spans.capacity() * size_of::<Span>();
            let told = memory(&setting, &size, usize::MAX);
            assert!(held <= told && told < 4 * held, "{held} {told}");
            assert!(memory(&setting, &size, told / 2) > told / 2);
        }
    }
}
