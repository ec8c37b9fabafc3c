//! The places of pieces in a figure, numbered, with their images under its symmetries.

use crate::solve::{PackingSymmetries, Placement, Problem};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Places by number: a packing is a short list of numbers, and so are its images.
#[derive(Debug)]
pub(super) struct Places {
    symmetries: PackingSymmetries,
    places: Vec<Placement>,
    numbers: FxHashMap<Placement, u32>,
    /// For each place, its image under each symmetry.
    images: Vec<Vec<u32>>,
    /// For each place, the kind of its piece.
    kinds: Vec<u8>,
}

impl Places {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        Self {
            symmetries: PackingSymmetries::of(problem),
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
        for image in self.symmetries.images(place) {
            let next = self.places.len() as u32;
            if let Entry::Vacant(entry) = self.numbers.entry(image) {
                self.places.push(entry.key().clone());
                entry.insert(next);
            }
        }
        for place in &self.places[first..] {
            let images: Vec<Placement> = self.symmetries.images(place).collect();
            let kind = images.iter().map(|image| image.piece).min();
            self.kinds.push(kind.expect("a group has an element") as u8);
            self.images.push(images.iter().map(|image| self.numbers[image]).collect());
        }
        self.numbers[place]
    }

    /// The number of a place that has come before.
    pub(super) fn number(&self, place: &Placement) -> Option<u32> {
        self.numbers.get(place).copied()
    }

    pub(super) fn place(&self, number: u32) -> &Placement {
        &self.places[number as usize]
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
        let symmetries = places.first().map_or(0, |&place| self.images[place as usize].len());
        for symmetry in 0..symmetries {
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
