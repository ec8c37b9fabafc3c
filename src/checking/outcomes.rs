//! Visits the figures of a class, and tries whether the pieces build them.
//!
//! A figure whose group is of a class has one or more positions that the class's least group fixes. Their number is the
//! mark of the class on itself (see `marks.rs`), the same for all of its figures. So each figure of the class is visited
//! as often, and each can be recognized by its signature.

use super::boxes::{boxes, orbits, points};
use super::canonical::plain_signature;
use super::columns::plain_class;
use super::family::Family;
use super::fill::OrientedPieces;
use super::growth::{Grown, Visit, count_grown};
use super::marks::{MARKS, least};
use super::reason::{plain_reason, separate_parts};
use super::recount::RecountError;
use super::towers::is_tower;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::{Class, Group};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// The outcomes of the figures of a class, or of a sample of them.
///
/// ```
/// use somacat_checking::{Family, outcomes_of_class};
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
///
/// // The only figure of eight cells with the group of the cube that fits in a box of side 2 is the cube itself.
/// let family = Family { cells: 8, bounds: Some([2, 2, 2]), parts: Some(1), towers: false };
/// let (class, dominoes) = (Class::matching("Oh").unwrap()[0], parse_set("D4").unwrap());
/// let outcomes = outcomes_of_class(family, &dominoes, class, (1, true), (1 << 20, None))?;
/// assert_eq!(outcomes.numbers[&None], 1);
/// assert_eq!(outcomes.buildable.iter().collect::<Vec<_>>(), ["s1-2x2x2-z7"]);
/// # Ok::<(), somacat_checking::RecountError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassOutcomes {
    /// The numbers of visited figures by the reason why they have no packing; `None` for those that have one.
    pub numbers: BTreeMap<Option<Reason>, u128>,
    /// The signatures of the figures with a packing.
    pub buildable: BTreeSet<String>,
    /// Positions tried.
    pub tried: u64,
}

/// Returns how many positions are visited for so many figures of a class. Figures are equal up to the 48 transforms, or
/// if `apart` up to rotation.
///
/// ```
/// use somacat_checking::visited_figures;
/// use somacat_geometry::symmetry::Class;
///
/// // A figure of the class Oh has one position; one without symmetry has 48.
/// let class = |name: &str| Class::matching(name).unwrap()[0];
/// assert_eq!(visited_figures(1, class("Oh"), false), 1);
/// assert_eq!(visited_figures(1, class("C1"), false), 48);
/// ```
pub fn visited_figures(figures: u128, class: Class, apart: bool) -> u128 {
    figures * visits(class, apart)
}

fn visits(class: Class, apart: bool) -> u128 {
    let own = MARKS[&[class, class]].cast_unsigned();
    // Mirror images share the positions of a figure that differs from its own.
    if apart && least(class).is_chiral() { own / 2 } else { own }
}

/// Visits every figure whose group is of a class, and tries to fill it.
///
/// With `every` above 1, tries only a sample: one of so many positions. Then the numbers are those of positions. Without
/// `reasons`, only figures with a packing are numbered. If the set does not build the mirror image of every figure that
/// it builds, figures are equal up to rotation.
///
/// ```
/// use somacat_checking::{Family, outcomes_of_class};
/// use somacat_geometry::pieces::parse_set;
/// use somacat_geometry::symmetry::Class;
///
/// // One figure of seven cells has the inversion as its only symmetry. V and L do not build it.
/// let family = Family { cells: 7, bounds: None, parts: Some(1), towers: false };
/// let (class, set) = (Class::matching("Ci").unwrap()[0], parse_set("V L").unwrap());
/// let outcomes = outcomes_of_class(family, &set, class, (1, true), (1 << 30, None))?;
/// assert_eq!((outcomes.numbers.values().sum::<u128>(), outcomes.buildable.len()), (1, 0));
/// # Ok::<(), somacat_checking::RecountError>(())
/// ```
///
/// # Errors
/// Fails if that takes more than `steps` orbits placed and placements tried, a figure has more than 64 cells, there are
/// infinitely many, or `stop` becomes true.
pub fn outcomes_of_class(
    family: Family,
    set: &PieceSet,
    class: Class,
    (every, reasons): (u64, bool),
    (steps, stop): (u64, Option<&AtomicBool>),
) -> Result<ClassOutcomes, RecountError> {
    let pieces = OrientedPieces::new(set);
    let mirrored = set.is_mirror_closed();
    let found = RefCell::new(ClassOutcomes::default());
    let seen = RefCell::new(0_u64);
    let visit = |cells: &dyn Fn() -> Vec<Cell>, steps: &mut u64| {
        *seen.borrow_mut() += 1;
        if !seen.borrow().is_multiple_of(every) {
            return Ok(());
        }
        let cells = cells();
        let mut found = found.borrow_mut();
        found.tried += 1;
        let is_filled = pieces.fill(cells.clone(), steps)?;
        if !is_filled && !reasons {
            return Ok(());
        }
        let figure = Figure::new(cells).map_err(|_| RecountError::Wide)?;
        if plain_class(&figure) != class.name() {
            return Ok(());
        }
        let reason = match is_filled {
            true => None,
            false => Some(plain_reason(&figure, set).ok_or(RecountError::Steps)?),
        };
        *found.numbers.entry(reason).or_default() += 1;
        if is_filled {
            found.buildable.insert(plain_signature(&figure, mirrored));
        }
        Ok(())
    };
    visit_fixed(family, least(class), &visit, (steps, stop))?;
    let mut found = found.into_inner();
    if every == 1 {
        let each = visits(class, !mirrored);
        found.numbers.values_mut().for_each(|number| *number /= each);
    }
    Ok(found)
}

/// Visits the figures of a family that a group fixes, up to translation.
fn visit_fixed(
    family: Family,
    group: Group,
    visit: Visit<'_>,
    (mut steps, stop): (u64, Option<&AtomicBool>),
) -> Result<(), RecountError> {
    let Family { cells, bounds, parts, towers } = family;
    if parts == Some(1) && !towers {
        let all = Grown { cells, bounds, reached: None, visit: Some(visit) };
        return count_grown(all, group, steps, stop).map(drop);
    }
    let sides = bounds.ok_or(RecountError::Large)?;
    for own in boxes(sides, cells, group) {
        let cell = |point: &Cell| {
            let [x, y, z] = point.to_array();
            let at = |value: i32, side: u32| (value + side as i32 - 1) / 2;
            Cell::new(at(x, own[0]), at(y, own[1]), at(z, own[2]))
        };
        let orbits: Vec<Vec<Cell>> = orbits(points(own), group)
            .iter()
            .map(|orbit| orbit.iter().map(cell).collect())
            .collect();
        let is_one = |cells: &[Cell]| {
            // Figures with smaller extents belong to another box.
            let touches = |axis: usize| {
                [0, own[axis] as i32 - 1]
                    .iter()
                    .all(|end| cells.iter().any(|cell| cell.to_array()[axis] == *end))
            };
            (0..3).all(touches)
                && Figure::new(cells.to_vec()).is_ok_and(|figure| {
                    parts.is_none_or(|parts| separate_parts(&figure).len() == parts)
                        && (!towers || is_tower(&figure, sides))
                })
        };
        let mut unions =
            Unions { orbits: &orbits, chosen: Vec::new(), is_one: &is_one, visit, stop };
        unions.choose(0, cells, &mut steps)?;
    }
    Ok(())
}

/// Unions of orbits of a box.
struct Unions<'a> {
    orbits: &'a [Vec<Cell>],
    chosen: Vec<Cell>,
    is_one: &'a dyn Fn(&[Cell]) -> bool,
    visit: Visit<'a>,
    stop: Option<&'a AtomicBool>,
}

impl Unions<'_> {
    /// Takes or leaves each orbit from a position on, until `left` cells more are chosen.
    fn choose(&mut self, at: usize, left: usize, steps: &mut u64) -> Result<(), RecountError> {
        *steps = steps.checked_sub(1).ok_or(RecountError::Steps)?;
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(RecountError::Stopped);
        }
        if left == 0 {
            return match (self.is_one)(&self.chosen) {
                true => (self.visit)(&|| self.chosen.clone(), steps),
                false => Ok(()),
            };
        }
        let open: usize = self.orbits[at..].iter().map(Vec::len).sum();
        if open < left {
            return Ok(());
        }
        let orbit = &self.orbits[at];
        if orbit.len() <= left {
            let before = self.chosen.len();
            self.chosen.extend(orbit);
            self.choose(at + 1, left - orbit.len(), steps)?;
            self.chosen.truncate(before);
        }
        self.choose(at + 1, left, steps)
    }
}
