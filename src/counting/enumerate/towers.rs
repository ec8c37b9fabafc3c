//! Towers: figures without overhang, with every column solid from the ground.
//!
//! A tower figure is a map of heights over a rectangle a × b, a ≤ b, whose outer rows are not all zero. Heights are
//! chosen cell by cell. A map is abandoned once an image under the rectangle's symmetries is known to be greater. A
//! figure may be a tower figure on several of its sides. So when a map is complete, the maps of all its images that fit
//! are compared, and the figure is listed only with the greatest.

use super::search::{Cells, Searches, ShardedSearch, Visit, WalkEvent, Walker};
use super::stop_check::StopCheck;
use somacat_geometry::boxes::cell_image;
use somacat_geometry::figure::{Equivalence, Figure};
use somacat_geometry::lattice::{Cell, Transform, is_connected};
use somacat_geometry::symmetry::Group;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The requirements for towers.
#[derive(Clone, Debug)]
pub(super) struct TowerRule {
    pub(super) cells: usize,
    /// The most cells of a column.
    pub(super) height: usize,
    /// `true` for connected figures only.
    pub(super) connected: bool,
    /// The transforms up to which figures are listed.
    pub(super) equivalence: Equivalence,
}

/// Towers on a rectangle: the rectangles that fit in it, each with the towers that touch all its edges.
#[derive(Debug)]
pub(super) struct Towers {
    /// The sides a ≤ b of the grounds.
    grounds: Vec<[usize; 2]>,
    /// The sides a ≤ b of the largest ground.
    most: [usize; 2],
    rule: TowerRule,
}

impl Towers {
    /// Creates the searches for a ground. The ground and each column have at most 128 cells.
    pub(super) fn new([x, y]: [usize; 2], rule: TowerRule) -> Self {
        let most = [x.min(y), x.max(y)];
        let rectangles = (1..=most[0]).flat_map(|a| (a..=most[1]).map(move |b| [a, b]));
        let grounds = rectangles.filter(|[a, b]| a * b * rule.height >= rule.cells).collect();
        Self { grounds, most, rule }
    }
}

impl Searches for Towers {
    fn len(&self) -> usize {
        self.grounds.len()
    }

    fn prepare(&self, at: usize, _: &AtomicBool) -> Option<Box<dyn ShardedSearch>> {
        Some(Box::new(Ground::new(self.grounds[at], self.most, self.rule.clone())))
    }
}

/// A rectangle, with the search through its maps of heights.
struct Ground {
    /// The sides a ≤ b.
    sides: [usize; 2],
    /// The rectangle of the whole question, ascending. Other orientations of a figure must fit it.
    most: [usize; 2],
    rule: TowerRule,
    /// For each symmetry of the rectangle that identifies figures, except the equivalence: for each cell, the cell whose
    /// height the image has there.
    images: Vec<Vec<usize>>,
}

impl Ground {
    fn new(sides: [usize; 2], most: [usize; 2], rule: TowerRule) -> Self {
        let [a, b] = sides;
        let source = |i: usize, n: usize| {
            let (x, y) = (n % a, n / a);
            let (x, y) = if i & 4 == 0 { (x, y) } else { (y, x) };
            let x = if i & 1 == 0 { x } else { a - 1 - x };
            let y = if i & 2 == 0 { y } else { b - 1 - y };
            x + a * y
        };
        // A reflection is a product of an odd number of these: the reflections in the middle line of either side,
        // and in a square's diagonal.
        let is_one = |i: &usize| {
            rule.equivalence == Equivalence::Reflections || i.count_ones().is_multiple_of(2)
        };
        let count = if a == b { 8 } else { 4 };
        let images =
            (1..count).filter(is_one).map(|i| (0..a * b).map(|n| source(i, n)).collect()).collect();
        Self { sides, most, rule, images }
    }

    fn area(&self) -> usize {
        self.sides[0] * self.sides[1]
    }

    /// Returns `true` if no image is yet known to be greater.
    fn may_be_first(&self, heights: &[u8]) -> bool {
        self.images.iter().all(|sources| {
            for (&source, own) in sources.iter().zip(heights) {
                match heights.get(source).map(|image| image.cmp(own)) {
                    Some(Ordering::Greater) => return false,
                    Some(Ordering::Equal) => {}
                    Some(Ordering::Less) | None => return true,
                }
            }
            true
        })
    }

    /// Returns the figure of a complete map, with its symmetries, if it is to be listed with this map.
    fn tower(&self, heights: &[u8]) -> Option<(Group, Figure)> {
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
        let cells = columns.flat_map(|(n, &top)| (0..top).map(move |h| cell(n, h)));
        let figure = Figure::new(cells).expect("columns are disjoint, and some are not empty");
        if self.rule.connected && !is_connected(figure.cells()) {
            return None;
        }
        let mut mask = 0;
        for t in Transform::iter() {
            let Some((sides, image)) = self.heights_of(&figure, t) else { continue };
            match (sides, image.as_slice()).cmp(&(self.sides, heights)) {
                Ordering::Greater if self.rule.equivalence.equates(t) => return None,
                Ordering::Equal => mask |= 1 << t.index(),
                Ordering::Greater | Ordering::Less => {}
            }
        }
        Some((Group::from_trusted_mask(mask), figure))
    }

    /// Returns the sides and heights of an image within the limits. `None` if the image is not a tower figure.
    fn heights_of(&self, figure: &Figure, t: Transform) -> Option<([usize; 2], Vec<u8>)> {
        let sides = figure.extents().map(|e| e as i32);
        let [a, b, c] = t.image_sides(sides).map(|e| e as usize);
        if a > b || a > self.most[0] || b > self.most[1] || c > self.rule.height {
            return None;
        }
        let (mut heights, mut tops) = (vec![0_u8; a * b], vec![0_u8; a * b]);
        for cell in figure.cells() {
            let [x, y, z] = cell_image(t, *cell, sides).to_array().map(|v| v as usize);
            let n = x + a * y;
            heights[n] += 1;
            // z points down, so the ground is below the last layer.
            tops[n] = tops[n].max((c - z) as u8);
        }
        (heights == tops).then_some(([a, b], heights))
    }
}

impl ShardedSearch for Ground {
    fn walker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Walker + 'a> {
        Box::new(TowerWalker {
            ground: self,
            stop: StopCheck::new(stop),
            heights: Vec::new(),
            path: Vec::new(),
            cut: None,
            nodes: 0,
        })
    }

    fn depth(&self) -> usize {
        self.area()
    }
}

impl Cells for Figure {
    fn list(&self, to: &mut Vec<Cell>) {
        to.extend_from_slice(self.cells());
    }
}

/// A walk through the maps of heights. A step is the height of a column.
struct TowerWalker<'a> {
    ground: &'a Ground,
    stop: StopCheck<'a>,
    /// The heights chosen so far: those of the first cells.
    heights: Vec<u8>,
    /// The same heights as steps.
    path: Vec<u32>,
    /// The number of heights at which branches end, if there is a cut.
    cut: Option<usize>,
    /// The number of heights tried.
    nodes: u64,
}

impl Walker for TowerWalker<'_> {
    fn walk(&mut self, from: &[u32], cut: Option<usize>, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.cut = cut;
        self.path = from.to_vec();
        self.heights = from.iter().map(|&h| h as u8).collect();
        let sum = from.iter().map(|&h| h as usize).sum();
        self.stop.restart();
        self.extend(sum, visit)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn limit(&mut self, steps: u32) {
        self.stop.limit(steps);
    }
}

impl TowerWalker<'_> {
    /// Visits the maps that begin with the heights so far. The heights sum to `sum`.
    fn extend(&mut self, sum: usize, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let (length, area) = (self.heights.len(), self.ground.area());
        if self.cut.is_some_and(|cut| length >= cut.min(area)) {
            return visit(WalkEvent::Cut(&self.path));
        }
        if length == area {
            return match self.ground.tower(&self.heights) {
                Some((group, figure)) => visit(WalkEvent::Figure(group, &figure)),
                None => ControlFlow::Continue(()),
            };
        }
        let height = self.ground.rule.height;
        let room = (area - length - 1) * height;
        let missing = self.ground.rule.cells - sum;
        for h in (missing.saturating_sub(room)..=missing.min(height)).rev() {
            self.nodes += 1;
            self.stop.step()?;
            self.heights.push(h as u8);
            self.path.push(h as u32);
            let flow = if self.ground.may_be_first(&self.heights) {
                self.extend(sum + h, visit)
            } else {
                ControlFlow::Continue(())
            };
            self.heights.pop();
            self.path.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }
}
