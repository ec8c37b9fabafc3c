//! Towers: figures without overhang, every column solid from the ground up.
//!
//! A tower figure is a map of heights over a rectangle a × b, a ≤ b, whose outer rows are not all
//! zero. Heights are chosen cell by cell; a map is left as soon as one of its images under the
//! rectangle's symmetries is seen to come before it. A figure can be a tower figure in several
//! ways, laid on another side; the greatest of its maps that fits is the one listed.

use super::shards::Found;
use crate::figure::{Figure, is_connected};
use crate::lattice::{Cell, Transform};
use crate::symmetry::Group;
use std::ops::ControlFlow;

/// A rectangle and the heights allowed on it.
#[derive(Debug)]
pub(super) struct Ground {
    /// Sides a ≤ b.
    sides: [usize; 2],
    height: usize,
    cells: usize,
    connected: bool,
    /// The rectangle of the whole question, ascending: other ways to lay a figure must fit it.
    most: [usize; 2],
    /// For each symmetry but the first, where the image's cells come from.
    images: Vec<Vec<usize>>,
}

/// A map of heights: sides and heights, row by row along the first side.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Map {
    sides: [usize; 2],
    heights: Vec<u8>,
}

impl Ground {
    pub(super) fn new(
        sides: [usize; 2],
        most: [usize; 2],
        height: usize,
        cells: usize,
        connected: bool,
    ) -> Self {
        let [a, b] = sides;
        let source = |i: usize, n: usize| {
            let (x, y) = (n % a, n / a);
            let (x, y) = if i & 4 == 0 { (x, y) } else { (y, x) };
            let x = if i & 1 == 0 { x } else { a - 1 - x };
            let y = if i & 2 == 0 { y } else { b - 1 - y };
            x + a * y
        };
        let count = if a == b { 8 } else { 4 };
        let images = (1..count).map(|i| (0..a * b).map(|n| source(i, n)).collect()).collect();
        Self { sides, height, cells, connected, most, images }
    }

    pub(super) fn area(&self) -> usize {
        self.sides[0] * self.sides[1]
    }

    /// Maps that begin with these heights, each length of them up to `cut`: visits those of length
    /// `cut`, or whole.
    pub(super) fn extend(
        &self,
        heights: &mut Vec<u8>,
        sum: usize,
        cut: usize,
        visit: &mut impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if heights.len() == cut.min(self.area()) {
            return visit(heights);
        }
        let room = (self.area() - heights.len() - 1) * self.height;
        let missing = self.cells - sum;
        for h in (missing.saturating_sub(room)..=missing.min(self.height)).rev() {
            heights.push(h as u8);
            let flow = if self.may_be_first(heights) {
                self.extend(heights, sum + h, cut, visit)
            } else {
                ControlFlow::Continue(())
            };
            heights.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Whether no image is yet seen to be greater.
    fn may_be_first(&self, heights: &[u8]) -> bool {
        self.images.iter().all(|sources| {
            for (&source, own) in sources.iter().zip(heights) {
                match heights.get(source).map(|image| image.cmp(own)) {
                    Some(std::cmp::Ordering::Greater) => return false,
                    Some(std::cmp::Ordering::Equal) => {}
                    Some(std::cmp::Ordering::Less) | None => return true,
                }
            }
            true
        })
    }

    /// The figure of a whole map, if it is the one to be listed.
    pub(super) fn found(&self, heights: &[u8]) -> Option<Found> {
        let [a, b] = self.sides;
        let column = |x: usize, y: usize| heights[x + a * y] > 0;
        let touches = (0..a).any(|x| column(x, 0))
            && (0..a).any(|x| column(x, b - 1))
            && (0..b).any(|y| column(0, y))
            && (0..b).any(|y| column(a - 1, y));
        if !touches {
            return None;
        }
        let cell = |n: usize, h: u8| Cell::new((n % a) as i32, (n / a) as i32, -i32::from(h));
        let columns = heights.iter().enumerate();
        let figure =
            Figure::new(columns.flat_map(|(n, &top)| (0..top).map(move |h| cell(n, h)))).ok()?;
        if self.connected && !is_connected(figure.cells()) {
            return None;
        }
        let own = Map { sides: self.sides, heights: heights.to_vec() };
        let mut mask = 0;
        for t in Transform::all() {
            match self.map_of(&figure, t).map(|map| map.cmp(&own)) {
                Some(std::cmp::Ordering::Greater) => return None,
                Some(std::cmp::Ordering::Equal) => mask |= 1 << t.index(),
                Some(std::cmp::Ordering::Less) | None => {}
            }
        }
        Some(Found { figure, group: Group::from_trusted_mask(mask) })
    }

    /// The heights of a figure's image, if it is a tower figure within the limits.
    fn map_of(&self, figure: &Figure, t: Transform) -> Option<Map> {
        let extents = figure.extents().map(|e| e as usize);
        let sources = t.sources();
        let [a, b, c] = sources.map(|(axis, _)| extents[axis]);
        if a > b || a > self.most[0] || b > self.most[1] || c > self.height {
            return None;
        }
        let (mut heights, mut tops) = (vec![0_u8; a * b], vec![0_u8; a * b]);
        for cell in figure.cells() {
            let p = cell.to_array();
            let [x, y, z] = sources.map(|(axis, negated)| {
                let at = p[axis] as usize;
                if negated { extents[axis] - 1 - at } else { at }
            });
            let n = x + a * y;
            heights[n] += 1;
            // z runs down; the ground is below the last layer.
            tops[n] = tops[n].max((c - z) as u8);
        }
        (heights == tops).then_some(Map { sides: [a, b], heights })
    }
}
