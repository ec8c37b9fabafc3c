//! A symmetry group in a position in the lattice: the group and its center.
//!
//! The symmetries of a finite figure fix the center of its bounding box, a point with half-integer coordinates. So
//! up to translation every figure has one of eight centers: a cell, a face between two cells, an edge between four,
//! or a vertex between eight. For a group H, only the centers that all of H maps to themselves modulo the lattice
//! are possible. A setting is such a center up to the normalizer of H. There are 92 over the 33 classes. If H fixes
//! directions, centers that differ along them are the same setting.
//!
//! An odd number of cells has figures only in the cell-centered setting: a 2-group acts on the cells, so it fixes
//! one of them. In any other setting the orbit table has no odd weight.
//!
//! The settings serve figures up to rotations too. The inversion commutes with every transform and maps each of the
//! eight centers to itself modulo the lattice. So if a transform maps a group and its center to others, a rotation
//! does too. Only the isometries between figures of one setting are of two kinds (`equates`).

use somacat_geometry::figure::Equivalence;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::symmetry::{Class, Group};

/// An isometry of the lattice: a transform T, and then a translation, p ↦ p·T + shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Affine {
    pub(super) linear: Transform,
    shift: Cell,
}

impl Affine {
    pub(super) const fn apply(self, cell: Cell) -> Cell {
        let image = self.linear.apply(cell);
        let Cell { x, y, z } = self.shift;
        Cell::new(image.x + x, image.y + y, image.z + z)
    }
}

/// A group, its center, and the isometries that keep both.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) group: Group,
    /// Twice the center. Each coordinate is 0 or 1.
    pub(super) doubled_center: Cell,
    /// The group's elements as isometries, in T order, the identity first.
    pub(super) maps: Vec<Affine>,
    /// One isometry for each coset of the group in its normalizer. Cosets are taken modulo translations, the identity
    /// first. Take two figures with exactly this group about this center. They are equal up to the 48 transforms if and
    /// only if one of these and a translation map one to the other.
    pub(super) cosets: Vec<Affine>,
    /// An orthogonal basis of the lattice vectors that the group fixes.
    pub(super) directions: Vec<Cell>,
    /// An element of each smallest larger group that meets the normalizer in the group alone. A figure with such a
    /// group has this element as a symmetry, which no coset shows.
    pub(super) outsiders: Vec<Transform>,
}

/// Returns the scalar product of two vectors.
pub(super) fn dot(a: Cell, b: Cell) -> i32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// Iterates over all cells with coordinates from `low` to `high`.
fn cube(low: i32, high: i32) -> impl Iterator<Item = Cell> {
    let side = move || low..=high;
    side().flat_map(move |x| side().flat_map(move |y| side().map(move |z| Cell::new(x, y, z))))
}

fn is_fixed(group: Group, vector: Cell) -> bool {
    group.iter().all(|t| t.apply(vector) == vector)
}

/// Returns orthogonal vectors that span the lattice of fixed vectors. Their coordinates are −1, 0 and 1.
fn fixed_directions(group: Group) -> Vec<Cell> {
    let mut candidates: Vec<Cell> =
        cube(-1, 1).filter(|&c| c != Cell::default() && is_fixed(group, c)).collect();
    candidates.sort_by_key(|&c| (dot(c, c), std::cmp::Reverse(c)));
    let mut basis: Vec<Cell> = Vec::new();
    for c in candidates {
        if basis.iter().all(|&b| dot(b, c) == 0) {
            basis.push(c);
        }
    }
    basis
}

fn even(c: Cell) -> bool {
    (c.x | c.y | c.z) & 1 == 0
}

fn halve(c: Cell) -> Cell {
    Cell::new(c.x / 2, c.y / 2, c.z / 2)
}

/// Returns a shift v from the image of one center to another. It is exact up to a fixed direction of the group. The
/// centers are doubled: `from`·t + 2v and `to` agree.
fn shift_to(group: Group, from: Cell, t: Transform, to: Cell) -> Option<Cell> {
    let image = t.apply(from);
    cube(-2, 2).find(|&v| is_fixed(group, image + v + v - to))
}

impl Setting {
    /// Returns the settings of a class, for its first group.
    pub(super) fn of_class(class: Class) -> Vec<Self> {
        let group = class.groups()[0];
        let normalizer = group.normalizer();
        let mut settings: Vec<Self> = Vec::new();
        for center in cube(0, 1) {
            let known = |s: &Self| {
                normalizer.iter().any(|n| shift_to(group, s.doubled_center, n, center).is_some())
            };
            if group.iter().all(|t| even(center - t.apply(center))) && !settings.iter().any(known) {
                settings.push(Self::new(group, normalizer, center));
            }
        }
        settings
    }

    /// Returns `true` for each coset that identifies figures with their images. With [`Equivalence::Rotations`] the
    /// coset must contain a rotation. All cosets of a group with reflections do. For a group of rotations, all
    /// elements of a coset are rotations or none is.
    pub(super) fn equates(&self, equivalence: Equivalence) -> Vec<bool> {
        let is_one = |coset: &Affine| match equivalence {
            Equivalence::Reflections => true,
            Equivalence::Rotations => coset.linear.is_rotation() || !self.group.is_chiral(),
        };
        self.cosets.iter().map(is_one).collect()
    }

    fn new(group: Group, normalizer: Group, center: Cell) -> Self {
        let about_center =
            |t: Transform| Affine { linear: t, shift: halve(center - t.apply(center)) };
        let mut cosets = Vec::new();
        let mut covered = 0_u64;
        for n in normalizer.iter() {
            if covered >> n.index() & 1 == 1 {
                continue;
            }
            if let Some(shift) = shift_to(group, center, n, center) {
                covered |= group.coset_mask(n);
                cosets.push(Affine { linear: n, shift });
            }
        }
        cosets[0] = about_center(Transform::IDENTITY);
        Self {
            group,
            doubled_center: center,
            maps: group.iter().map(about_center).collect(),
            cosets,
            directions: fixed_directions(group),
            outsiders: outsiders(group, normalizer),
        }
    }
}

/// Returns elements of larger groups that are outside the normalizer. There is one for each smallest group above
/// `group` that meets the normalizer in `group` alone.
fn outsiders(group: Group, normalizer: Group) -> Vec<Transform> {
    let above = |g: &&Group| {
        g.contains_group(group) && **g != group && g.mask() & normalizer.mask() == group.mask()
    };
    let larger: Vec<Group> = Group::subgroups().iter().filter(above).copied().collect();
    let smallest = |g: &&Group| !larger.iter().any(|h| h != *g && g.contains_group(*h));
    let extra = |g: &Group| {
        let mut others = g.iter().filter(|&t| !group.contains(t));
        others.next().expect("a larger group has an element that the smaller has not")
    };
    larger.iter().filter(smallest).map(extra).collect()
}
