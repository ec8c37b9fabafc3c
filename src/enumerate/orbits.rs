//! The orbits of cells under a setting's group, and how they touch: the quotient graph.
//!
//! Translations along the directions that the group fixes carry orbits to orbits. An orbit is
//! numbered by its size, then by how often it is translated from a cross-section of the lattice,
//! in lexicographic order, then by its place in the cross-section; so the order does not change
//! under these translations, and a figure is held in place by demanding that its lowest orbit is
//! one of the cross-section. Small orbits come first because a figure that has one hangs together
//! the sooner: with an odd number of cells and a 2-group, every search starts at a cell the whole
//! group fixes.

use super::setting::{Affine, Setting, dot};
use crate::lattice::Cell;
use rustc_hash::FxHashMap;

/// Least and greatest coordinate on each axis, the greatest negated: both shrink by `min`.
pub(super) type Span = [i16; 6];

/// The span of no cell.
pub(super) const NO_SPAN: Span = [i16::MAX; 6];

/// The smallest span over both.
pub(super) fn join_spans(a: &Span, b: &Span) -> Span {
    std::array::from_fn(|i| a[i].min(b[i]))
}

/// Extents of a span, ascending.
pub(super) fn sorted_extents(span: &Span) -> [i16; 3] {
    let mut extents = std::array::from_fn(|axis| 1 - span[axis + 3] - span[axis]);
    extents.sort_unstable();
    extents
}

fn span_of(cells: &[Cell]) -> Span {
    cells.iter().fold(NO_SPAN, |span, c| {
        let [x, y, z] = c.to_array().map(|v| v as i16);
        join_spans(&span, &[x, y, z, -x, -y, -z])
    })
}

/// What orbits are worth numbering.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// The cells of a figure.
    pub(super) cells: usize,
    /// The parts of a figure.
    pub(super) parts: usize,
    /// The sides of the box it must fit in, ascending.
    pub(super) bounds: Option<[i16; 3]>,
}

impl Limits {
    pub(super) fn admits(&self, span: &Span) -> bool {
        self.bounds.is_none_or(|b| sorted_extents(span).iter().zip(&b).all(|(e, b)| e <= b))
    }

    /// The longest way along an axis within a figure.
    fn reach(&self) -> i32 {
        let way = |most: usize| most.saturating_sub(1) as i32;
        let free = if self.parts == 1 { way(self.cells) } else { i32::MAX };
        self.bounds.map_or(free, |b| free.min(i32::from(b[2]) - 1))
    }

    /// Whether a figure can hold both cells.
    fn reaches(&self, a: Cell, b: Cell) -> bool {
        self.parts > 1 || distance(a, b) < self.cells as i32
    }

    /// Whether a figure can hold this orbit, its first cell being `cells[0]`.
    fn admits_orbit(&self, distinct: &[Cell]) -> bool {
        if distinct.len() > self.cells || !self.admits(&span_of(distinct)) {
            return false;
        }
        if self.parts > 1 || distinct.len() == 1 {
            return true;
        }
        let apart = |c: &Cell| distance(*c, distinct[0]) as usize;
        let nearest = distinct[1..].iter().map(apart).min().unwrap_or(0);
        let farthest = distinct[1..].iter().map(apart).max().unwrap_or(0);
        // Balls of this radius about the cells are disjoint, and a path leads out of each.
        farthest < self.cells && distinct.len() * (1 + (nearest - 1) / 2) <= self.cells
    }
}

pub(super) fn distance(a: Cell, b: Cell) -> i32 {
    let d = a - b;
    d.x.abs() + d.y.abs() + d.z.abs()
}

/// A neighbor in the quotient: the orbit's representative touches the image under the group's
/// element `by` of the representative of orbit `to`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) by: u8,
}

/// How often something is translated along each direction, packed so that it compares and adds as
/// a whole.
pub(super) type Height = i32;

const DIGIT: u32 = 10;

fn pack(times: [i32; 3]) -> Height {
    (times[0] << (2 * DIGIT)) + (times[1] << DIGIT) + times[2]
}

fn unpack(height: Height) -> [i32; 3] {
    let half = 1 << (DIGIT - 1);
    let low = |h: i32| ((h + half) & ((1 << DIGIT) - 1)) - half;
    let last = low(height);
    let rest = (height - last) >> DIGIT;
    let middle = low(rest);
    [(rest - middle) >> DIGIT, middle, last]
}

/// The trace of an orbit under one of the setting's cosets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    /// Sums to the hash of the figure's image; a translation multiplies it.
    pub(super) hash: u64,
    pub(super) height: Height,
}

/// The numbered orbits of a setting, with all a search asks about them.
#[derive(Debug)]
pub(super) struct Orbits {
    pub(super) setting: Setting,
    pub(super) limits: Limits,
    /// For each size, the numbers of the orbits of the cross-section itself.
    roots: Vec<std::ops::Range<u32>>,
    /// Cells of each orbit: for each element of the group, the image of the representative.
    cells: Vec<Cell>,
    /// The numbers of distinct cells.
    pub(super) sizes: Vec<u32>,
    pub(super) spans: Vec<Span>,
    edges: Vec<Edge>,
    edge_ends: Vec<u32>,
    images: Vec<Image>,
    /// For each coset and orbit, the orbit it goes to: translations and place.
    places: Vec<(Height, u32)>,
    /// Products and inverses of the group's elements, by their position in T order.
    products: Vec<u8>,
    inverses: Vec<u8>,
    powers: Vec<u64>,
    power_reach: i32,
}

/// An odd number for each direction: translation along it multiplies hashes.
const BASES: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03, 0x8bb8_4b93_962e_acc9];

/// Splitmix64, the hash of a place in the cross-section.
fn scramble(place: u64) -> u64 {
    let mut z = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    let step = |x: u64, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x)));
    (0..6).fold(odd, step)
}

/// The cross-section: which orbits it holds and where a cell of it belongs.
struct Section<'a> {
    setting: &'a Setting,
    /// Sizes of orbits and representatives, ascending.
    orbits: Vec<(usize, Cell)>,
    of_cell: FxHashMap<Cell, (u32, u8)>,
}

/// Splits a cell into translations along the directions and a cell of the cross-section.
fn split(directions: &[Cell], cell: Cell) -> ([i32; 3], Cell) {
    let (mut times, mut rest) = ([0; 3], cell);
    for (n, &d) in times.iter_mut().zip(directions) {
        *n = dot(cell, d).div_euclid(dot(d, d));
        rest = Cell::new(rest.x - *n * d.x, rest.y - *n * d.y, rest.z - *n * d.z);
    }
    (times, rest)
}

fn translated(directions: &[Cell], cell: Cell, times: [i32; 3]) -> Cell {
    times.iter().zip(directions).fold(cell, |c, (n, d)| c + Cell::new(n * d.x, n * d.y, n * d.z))
}

fn distinct_images(maps: &[Affine], cell: Cell) -> Vec<Cell> {
    let mut images: Vec<Cell> = Vec::with_capacity(maps.len());
    for map in maps {
        let image = map.apply(cell);
        if !images.contains(&image) {
            images.push(image);
        }
    }
    images
}

impl<'a> Section<'a> {
    fn new(setting: &'a Setting, limits: &Limits) -> Self {
        // A cell of the cross-section lies less than a translation along the directions, and
        // across them no farther from the center than from its images.
        let most = limits.reach() + 2;
        let side = -most..=most;
        let cells = side.clone().flat_map(|x| {
            let side = side.clone();
            side.clone().flat_map(move |y| side.clone().map(move |z| Cell::new(x, y, z)))
        });
        let mut orbits = Vec::new();
        for cell in cells {
            let images = || setting.maps.iter().map(|map| map.apply(cell));
            let least = images().all(|image| image >= cell && limits.reaches(image, cell));
            if least && split(&setting.directions, cell).0 == [0; 3] {
                let distinct = distinct_images(&setting.maps, cell);
                if limits.admits_orbit(&distinct) {
                    orbits.push((distinct.len(), cell));
                }
            }
        }
        orbits.sort_unstable();
        let mut of_cell = FxHashMap::default();
        for (place, (_, cell)) in orbits.iter().enumerate() {
            for (by, map) in setting.maps.iter().enumerate() {
                of_cell.entry(map.apply(*cell)).or_insert((place as u32, by as u8));
            }
        }
        Self { setting, orbits, of_cell }
    }

    /// Translations, place and the element that leads from the representative to the cell.
    fn find(&self, cell: Cell) -> Option<([i32; 3], u32, u8)> {
        let (times, rest) = split(&self.setting.directions, cell);
        self.of_cell.get(&rest).map(|&(place, by)| (times, place, by))
    }
}

/// The orbits of one size: places in the cross-section and the number of the first of them.
struct Tier {
    places: std::ops::Range<usize>,
    first: usize,
}

/// How orbits are numbered: by tier, translations, place.
struct Rows {
    reach: [i32; 3],
    tiers: Vec<Tier>,
    tier_of: Vec<usize>,
}

impl Rows {
    /// Translations up to `reach` either way; sizes ascending, one for each place.
    fn new(reach: [i32; 3], sizes: impl Iterator<Item = usize>) -> Self {
        let rows = reach.iter().map(|&r| 2 * r as usize + 1).product::<usize>();
        let (mut tiers, mut tier_of) = (Vec::<Tier>::new(), Vec::new());
        let mut last = 0;
        for (place, size) in sizes.enumerate() {
            if size != last {
                tiers.push(Tier { places: place..place, first: place * rows });
                last = size;
            }
            let at = tiers.len() - 1;
            tiers[at].places.end = place + 1;
            tier_of.push(at);
        }
        Self { reach, tiers, tier_of }
    }

    fn all_times(&self) -> impl Iterator<Item = [i32; 3]> + use<> {
        let [a, b, c] = self.reach.map(|r| -r..=r);
        a.flat_map(move |x| {
            let c = c.clone();
            b.clone().flat_map(move |y| c.clone().map(move |z| [x, y, z]))
        })
    }

    /// The numbers of a tier's orbits so translated, which must be within reach.
    fn row(&self, tier: &Tier, times: [i32; 3]) -> std::ops::Range<u32> {
        let digit = |at: usize, i: usize| {
            at * (2 * self.reach[i] + 1) as usize + (times[i] + self.reach[i]) as usize
        };
        let first = tier.first + (0..3).fold(0, digit) * tier.places.len();
        first as u32..(first + tier.places.len()) as u32
    }

    fn number(&self, times: [i32; 3], place: u32) -> Option<u32> {
        let inside = (0..3).all(|i| times[i].abs() <= self.reach[i]);
        let tier = &self.tiers[self.tier_of[place as usize]];
        inside.then(|| self.row(tier, times).start + place - tier.places.start as u32)
    }
}

impl Orbits {
    /// The orbits that a figure within the limits can hold, its lowest being in the cross-section.
    pub(super) fn new(setting: &Setting, limits: Limits) -> Self {
        let section = Section::new(setting, &limits);
        let directions = setting.directions.clone();
        // From one cell of a figure to another, this far along each direction.
        let reach: [i32; 3] = std::array::from_fn(|i| {
            directions.get(i).map_or(0, |&d| {
                // A step changes the product with a direction by one at most.
                let spread = limits.reach() * if limits.bounds.is_none() { 1 } else { dot(d, d) };
                spread / dot(d, d) + 1
            })
        });
        let rows = Rows::new(reach, section.orbits.iter().map(|(size, _)| *size));
        let elements: Vec<_> = setting.maps.iter().map(|m| m.linear).collect();
        let position = |t| elements.iter().position(|&e| e == t).unwrap_or(0) as u8;
        let power_reach = 4 * (reach.into_iter().max().unwrap_or(0) + 2);
        let mut orbits = Self {
            limits,
            roots: rows.tiers.iter().map(|tier| rows.row(tier, [0; 3])).collect(),
            cells: Vec::new(),
            sizes: Vec::new(),
            spans: Vec::new(),
            edges: Vec::new(),
            edge_ends: Vec::new(),
            images: Vec::new(),
            places: Vec::new(),
            products: elements
                .iter()
                .flat_map(|a| elements.iter().map(|b| position(a.then(*b))))
                .collect(),
            inverses: elements.iter().map(|a| position(a.inverse())).collect(),
            powers: powers(power_reach),
            power_reach,
            setting: setting.clone(),
        };
        for tier in &rows.tiers {
            for times in rows.all_times() {
                for (_, representative) in &section.orbits[tier.places.clone()] {
                    let cell = translated(&directions, *representative, times);
                    orbits.push(cell, &section, &rows);
                }
            }
        }
        orbits
    }

    fn push(&mut self, cell: Cell, section: &Section<'_>, rows: &Rows) {
        let distinct = distinct_images(&self.setting.maps, cell);
        self.sizes.push(distinct.len() as u32);
        self.spans.push(span_of(&distinct));
        self.cells.extend(self.setting.maps.iter().map(|m| m.apply(cell)));
        for neighbor in cell.neighbors() {
            if let Some((times, place, by)) = section.find(neighbor)
                && let Some(to) = rows.number(times, place)
            {
                self.edges.push(Edge { to, by });
            }
        }
        self.edge_ends.push(self.edges.len() as u32);
        for coset in &self.setting.cosets {
            // The cosets keep the limits, so the image is in the section too.
            let (times, place, _) =
                section.find(coset.apply(cell)).unwrap_or(([0; 3], u32::MAX, 0));
            let height = pack(times);
            let hash = scramble(u64::from(place)).wrapping_mul(self.power(times));
            self.images.push(Image { hash, height });
            self.places.push((height, place));
        }
    }

    /// The orbits a figure's lowest one can be, by size.
    pub(super) fn roots(&self) -> &[std::ops::Range<u32>] {
        &self.roots
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn order(&self) -> usize {
        self.setting.maps.len()
    }

    /// The image of an orbit's representative under an element of the group.
    pub(super) fn cell(&self, orbit: u32, element: u8) -> Cell {
        self.cells[orbit as usize * self.order() + usize::from(element)]
    }

    /// The distinct cells of an orbit.
    pub(super) fn cells_of(&self, orbit: u32) -> impl Iterator<Item = Cell> {
        let start = orbit as usize * self.order();
        let all = &self.cells[start..start + self.order()];
        (0..all.len()).filter(|&i| !all[..i].contains(&all[i])).map(|i| all[i])
    }

    /// The elements that keep an orbit's representative where it is.
    pub(super) fn stabilizer(&self, orbit: u32) -> impl Iterator<Item = u8> {
        let home = self.cell(orbit, 0);
        (0..self.order() as u8).filter(move |&e| self.cell(orbit, e) == home)
    }

    pub(super) fn edges(&self, orbit: u32) -> &[Edge] {
        let orbit = orbit as usize;
        let start = if orbit == 0 { 0 } else { self.edge_ends[orbit - 1] as usize };
        &self.edges[start..self.edge_ends[orbit] as usize]
    }

    /// The traces of an orbit under the cosets, in their order.
    pub(super) fn images(&self, orbit: u32) -> &[Image] {
        let count = self.setting.cosets.len();
        &self.images[orbit as usize * count..(orbit as usize + 1) * count]
    }

    /// Where a coset takes an orbit.
    pub(super) fn place(&self, orbit: u32, coset: usize) -> (Height, u32) {
        self.places[orbit as usize * self.setting.cosets.len() + coset]
    }

    /// Element `a` of the group followed by `b`.
    pub(super) fn then(&self, a: u8, b: u8) -> u8 {
        self.products[usize::from(a) * self.order() + usize::from(b)]
    }

    pub(super) fn inverse(&self, a: u8) -> u8 {
        self.inverses[usize::from(a)]
    }

    /// The factor of a hash when what it stands for is translated.
    fn power(&self, times: [i32; 3]) -> u64 {
        let row = 2 * self.power_reach as usize + 1;
        (0..self.setting.directions.len()).fold(1_u64, |factor, i| {
            let at = (times[i] + self.power_reach) as usize;
            factor.wrapping_mul(self.powers[i * row + at])
        })
    }

    /// The hash of a set of orbits moved so that its lowest height becomes zero.
    pub(super) fn settled(&self, sum: Image) -> u64 {
        if sum.height == 0 {
            return sum.hash;
        }
        sum.hash.wrapping_mul(self.power(unpack(sum.height).map(|n| -n)))
    }
}

/// Powers of the three bases from −reach to reach.
fn powers(reach: i32) -> Vec<u64> {
    let power = |base: u64, n: i32| {
        let factor = if n < 0 { inverse(base) } else { base };
        factor.wrapping_pow(n.unsigned_abs())
    };
    BASES.iter().flat_map(|&base| (-reach..=reach).map(move |n| power(base, n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::Class;

    #[test]
    fn heights_compare_and_add_as_their_digits_do() {
        for times in [[0, 0, 0], [3, -5, 7], [-1, 500, -500], [0, -1, -1], [200, 0, -3]] {
            assert_eq!(unpack(pack(times)), times);
        }
        assert!(pack([0, 1, -9]) > pack([0, 0, 9]) && pack([1, -9, 0]) > pack([0, 9, 9]));
        assert_eq!(pack([1, -2, 3]) + pack([2, 2, -5]), pack([3, 0, -2]));
    }

    #[test]
    fn edges_lead_to_cells_that_touch() {
        let limits = Limits { cells: 8, parts: 1, bounds: None };
        for class in Class::all().filter(|c| c.order() > 1) {
            for setting in Setting::all(class) {
                let orbits = Orbits::new(&setting, limits.clone());
                for orbit in 0..orbits.len() as u32 {
                    let home = orbits.cell(orbit, 0);
                    for edge in orbits.edges(orbit) {
                        assert_eq!(distance(home, orbits.cell(edge.to, edge.by)), 1);
                    }
                    assert_eq!(
                        orbits.cells_of(orbit).count(),
                        orbits.sizes[orbit as usize] as usize
                    );
                    for coset in 0..orbits.setting.cosets.len() {
                        assert_ne!(orbits.place(orbit, coset).1, u32::MAX, "{class}");
                    }
                }
            }
        }
    }
}
