//! The numbered places of pieces in a figure, with their images under the figure's symmetries.
//!
//! Places are numbered as packings arrive, together with all their images. So a packing is a short list of numbers, and
//! its image under a symmetry is found by looking up each number.

use crate::solve::{PackingSymmetries, Placement, Problem};
use rustc_hash::FxHashMap;
use somacat_geometry::lattice::Cell;
use std::collections::hash_map::Entry;

/// Places by number. A packing is a short list of numbers, and so are its images.
#[derive(Debug)]
pub(super) struct Places {
    symmetries: PackingSymmetries,
    /// The cells of the figure, ascending.
    cells: Vec<Cell>,
    /// The places by number.
    places: Vec<Placement>,
    /// The number of each place.
    numbers: FxHashMap<Placement, u32>,
    /// The number of symmetries, 0 without places.
    order: usize,
    /// For each place, its image under each symmetry, as numbers: `order` for each place.
    images: Vec<u32>,
    /// For each place, its cells as bits.
    masks: Vec<u128>,
}

impl Places {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        Self {
            symmetries: PackingSymmetries::of(problem),
            cells: problem.figure().cells().to_vec(),
            places: Vec::new(),
            numbers: FxHashMap::default(),
            order: 0,
            images: Vec::new(),
            masks: Vec::new(),
        }
    }

    /// Converts a packing to ascending numbers, and numbers places that are new.
    pub(super) fn packing(&mut self, packing: &[Placement]) -> Vec<u32> {
        let mut numbers: Vec<u32> =
            packing.iter().map(|place| self.number_or_insert(place)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Returns the number of a place. The first place of an orbit numbers all its images.
    fn number_or_insert(&mut self, place: &Placement) -> u32 {
        if let Some(&number) = self.numbers.get(place) {
            return number;
        }
        let first = self.places.len();
        for image in self.symmetries.images(place) {
            let next = self.places.len() as u32;
            if let Entry::Vacant(entry) = self.numbers.entry(image) {
                self.places.push(entry.key().clone());
                entry.insert(next);
            }
        }
        for place in &self.places[first..] {
            let before = self.images.len();
            self.images.extend(self.symmetries.images(place).map(|image| self.numbers[&image]));
            self.order = self.images.len() - before;
            let bit = |cell: &Cell| {
                1 << self.cells.binary_search(cell).expect("a place lies in the figure")
            };
            self.masks.push(place.cells.iter().map(bit).sum());
        }
        self.numbers[place]
    }

    pub(super) fn number(&self, place: &Placement) -> Option<u32> {
        self.numbers.get(place).copied()
    }

    pub(super) fn place(&self, number: u32) -> &Placement {
        &self.places[number as usize]
    }

    /// Returns all places, by number.
    pub(super) fn placements(&self) -> &[Placement] {
        &self.places
    }

    /// Returns the cells of a place as bits. A searchable figure has at most 128.
    pub(super) fn mask(&self, number: u32) -> u128 {
        self.masks[number as usize]
    }

    /// Returns the number of symmetries, 0 without places.
    pub(super) const fn order(&self) -> usize {
        self.order
    }

    /// Returns the images of all places, [`Self::order`] of each.
    pub(super) fn all_images(&self) -> &[u32] {
        &self.images
    }

    fn image(&self, place: u32, symmetry: usize) -> u32 {
        self.images[place as usize * self.order + symmetry]
    }

    /// Returns true if a packing is the least of its images.
    pub(super) fn is_least(&self, packing: &[u32]) -> bool {
        // Usually the least places differ, and nothing has to be sorted.
        let first = |symmetry| packing.iter().map(move |&place| self.image(place, symmetry)).min();
        let own = packing.first().copied();
        let order = |symmetry| {
            first(symmetry)
                .cmp(&own)
                .then_with(|| self.moved(packing, symmetry).as_slice().cmp(packing))
        };
        (0..self.order).all(|symmetry| order(symmetry).is_ge())
    }

    /// Returns the least of the images of a packing.
    pub(super) fn least(&self, packing: &[u32]) -> Vec<u32> {
        let images = (0..self.order).map(|symmetry| self.moved(packing, symmetry));
        images.min().unwrap_or_default()
    }

    /// Returns the image of a packing under a symmetry, given by its number.
    fn moved(&self, packing: &[u32], symmetry: usize) -> Vec<u32> {
        let mut image: Vec<u32> =
            packing.iter().map(|&place| self.image(place, symmetry)).collect();
        image.sort_unstable();
        image
    }
}
