//! The places of pieces in a figure, numbered, with their images under its symmetries.

use crate::lattice::{Cell, Transform};
use crate::solve::{Placement, Problem};
use rustc_hash::FxHashMap;

/// Places by number: a packing is a short list of numbers, and so are its images.
#[derive(Debug)]
pub(super) struct Places {
    symmetries: Vec<Symmetry>,
    places: Vec<Placement>,
    numbers: FxHashMap<Placement, u32>,
    /// For each place, its image under each symmetry.
    images: Vec<Vec<u32>>,
    /// For each place, the kind of its piece.
    kinds: Vec<u8>,
}

/// A symmetry of the figure that takes packings to packings.
#[derive(Debug)]
struct Symmetry {
    transform: Transform,
    corner: Cell,
    /// For each piece, the one of whose shape its image is.
    pieces: Vec<usize>,
}

impl Symmetry {
    fn image(&self, place: &Placement) -> Placement {
        let mut cells: Vec<Cell> =
            place.cells.iter().map(|&cell| self.transform.apply(cell) - self.corner).collect();
        cells.sort_unstable();
        Placement { piece: self.pieces[place.piece], cells }
    }
}

impl Places {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let symmetries = problem.symmetries().map(|(transform, corner, pieces)| Symmetry {
            transform,
            corner,
            pieces,
        });
        Self {
            symmetries: symmetries.collect(),
            places: Vec::new(),
            numbers: FxHashMap::default(),
            images: Vec::new(),
            kinds: Vec::new(),
        }
    }

    /// A packing as numbers of places, ascending.
    pub(super) fn packing(&mut self, packing: &[Placement]) -> Vec<u32> {
        let mut numbers: Vec<u32> = packing.iter().map(|place| self.take_in(place)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The number of a place; it and all its images are numbered when the first of them comes.
    fn take_in(&mut self, place: &Placement) -> u32 {
        if let Some(&number) = self.numbers.get(place) {
            return number;
        }
        let first = self.places.len();
        for symmetry in &self.symmetries {
            let image = symmetry.image(place);
            let next = self.places.len() as u32;
            if let std::collections::hash_map::Entry::Vacant(entry) = self.numbers.entry(image) {
                self.places.push(entry.key().clone());
                entry.insert(next);
            }
        }
        for orbit in first..self.places.len() {
            let image = |symmetry: &Symmetry| self.numbers[&symmetry.image(&self.places[orbit])];
            self.images.push(self.symmetries.iter().map(image).collect());
            let piece = self.places[orbit].piece;
            let kind = self.symmetries.iter().map(|symmetry| symmetry.pieces[piece]).min();
            self.kinds.push(kind.expect("a group has an element") as u8);
        }
        self.numbers[place]
    }

    pub(super) fn place(&self, number: u32) -> &Placement {
        &self.places[number as usize]
    }

    pub(super) fn number(&self, place: &Placement) -> Option<u32> {
        self.numbers.get(place).copied()
    }

    /// The kind of piece of a place: its position in the set or, where mirror images are the same, the lower of the
    /// two positions.
    pub(super) fn kind(&self, number: u32) -> u8 {
        self.kinds[number as usize]
    }

    /// The least of the images of some places of a packing.
    pub(super) fn least(&self, places: &[u32]) -> Vec<u32> {
        let mut least = places.to_vec();
        let mut image = vec![0; places.len()];
        for symmetry in 0..self.symmetries.len() {
            for (image, &place) in image.iter_mut().zip(places) {
                *image = self.images[place as usize][symmetry];
            }
            image.sort_unstable();
            if image < least {
                least.copy_from_slice(&image);
            }
        }
        least
    }
}
