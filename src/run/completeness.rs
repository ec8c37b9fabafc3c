//! Whether enumerations list every figure that was asked for: the figures of each class counted another way.

use super::verification::{Mismatch, MismatchValue};
use crate::boxes::parse_box;
use crate::catalog::{Catalog, CatalogError, EnumerationMembers};
use crate::enumerate::{FigureShape, Question, SymmetricSpec};
use crate::figure::{Figure, Identity};
use crate::pieces::PieceSet;
use crate::symmetry::Class;
use crate::verify::{
    ByClass, Family, RecountError, buildable_by_class, figures_by_class, is_tower,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

/// How many classes of how many enumerations were counted again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Completeness {
    /// Enumerations that came to their end, and of which at least one class was counted again.
    pub enumerations: u64,
    /// Classes of these that were counted again.
    pub classes: u64,
    /// Classes that would take more steps than allowed, each once.
    pub too_large: Vec<Class>,
    /// Enumerations that came to their end, of a kind that is not counted again.
    pub of_other_kinds: u64,
    /// Whether it was stopped.
    pub stopped: bool,
}

/// What an enumeration was asked for.
struct Asked<'a> {
    family: Family,
    /// The pieces that its figures are built from, if it lists only those.
    built_from: Option<&'a PieceSet>,
    classes: Vec<Class>,
    /// Whether mirror images are one figure or two.
    identity: Identity,
}

impl Asked<'_> {
    fn count(&self, steps: u64, stop: &AtomicBool) -> ByClass {
        match self.built_from {
            Some(set) => buildable_by_class(set, &self.classes, steps, Some(stop)),
            None => figures_by_class(self.family, &self.classes, steps, Some(stop)),
        }
    }

    /// How many figures one of the family is.
    fn times(&self, class: Class) -> u128 {
        let apart = self.identity == Identity::Rotations && class.groups()[0].is_chiral();
        if apart { 2 } else { 1 }
    }
}

/// Counts the figures of every enumeration that came to its end again, class by class, as far as `steps` allow, and
/// tells what differs.
pub(super) fn check_enumerations(
    catalog: &Catalog,
    sets: &HashMap<String, PieceSet>,
    steps: u64,
    stop: &AtomicBool,
    mismatches: &mut Vec<Mismatch>,
) -> Result<Completeness, CatalogError> {
    let mut done = Completeness::default();
    for listed in catalog.enumeration_members()? {
        let Some(asked) = asked(&listed.question, sets.get(&listed.set)) else {
            done.of_other_kinds += 1;
            continue;
        };
        let mut tell = |value| mismatches.push(Mismatch { signature: String::new(), value });
        if let Some(members) = members(catalog, &listed, asked.family)? {
            compare(&listed, &members, &mut tell);
        }
        let numbers = asked.count(steps, stop);
        let before = done.classes;
        for class in Class::all() {
            let total = listed.totals.get(&class).copied().unwrap_or(0);
            let found = match numbers.get(&class) {
                // A class that was not asked for has no figures.
                None => 0,
                Some(Ok(found)) => *found * asked.times(class),
                Some(Err(RecountError::Stopped)) => {
                    done.stopped = true;
                    return Ok(done);
                }
                Some(Err(_)) => {
                    if !done.too_large.contains(&class) {
                        done.too_large.push(class);
                    }
                    continue;
                }
            };
            done.classes += u64::from(numbers.contains_key(&class));
            if u128::try_from(total) != Ok(found) {
                let enumeration = listed.label.clone();
                tell(MismatchValue::Figures { enumeration, class, total, found });
            }
        }
        done.enumerations += u64::from(done.classes > before);
    }
    Ok(done)
}

/// What is counted again: all that is listed from a question, every census, and what can be built, unless mirror images
/// are apart.
fn asked<'a>(question: &str, set: Option<&'a PieceSet>) -> Option<Asked<'a>> {
    let all = || Class::all().collect();
    if question.starts_with("buildable/") {
        let set = set.filter(|set| Identity::for_set(set) == Identity::Reflections)?;
        let (head, name) = question.split_once(" class=")?;
        let class = Class::all().find(|class| class.name() == name)?;
        let (cells, exact) = (set.total_cells(), head.ends_with(" exact=yes"));
        let all_of_class = SymmetricSpec::containing(class, cells);
        let classes = SymmetricSpec { exact, ..all_of_class }.exact_classes();
        let family = Family { cells, bounds: None, parts: Some(1), towers: false };
        let (built_from, identity) = (Some(set), Identity::Reflections);
        return Some(Asked { family, built_from, classes, identity });
    }
    if question.starts_with("census/") {
        let set = set?;
        let sides = question.split(' ').find_map(|word| word.strip_prefix("box="))?;
        let bounds = Some(parse_box(sides).ok()?);
        let family = Family { cells: set.total_cells(), bounds, parts: None, towers: false };
        let identity = Identity::for_set(set);
        return Some(Asked { family, built_from: None, classes: all(), identity });
    }
    let question = Question::from_key(question).ok()?;
    let identity = question.identity();
    let (family, classes) = match question {
        Question::Symmetric(spec) => {
            let parts = Some(spec.parts);
            let family = Family { cells: spec.cells, bounds: spec.bounds, parts, towers: false };
            (family, spec.exact_classes())
        }
        Question::Box(spec) => {
            let (bounds, parts) = (Some(spec.sides), spec.connected.then_some(1));
            let towers = spec.shape == FigureShape::Towers;
            (Family { cells: spec.cells, bounds, parts, towers }, all())
        }
    };
    Some(Asked { family, built_from: None, classes, identity })
}

/// Figures that an enumeration keeps.
#[derive(Default)]
struct Members {
    /// Those that were asked for, by their classes.
    by_class: BTreeMap<Class, i64>,
    /// The others.
    foreign: i64,
}

impl Members {
    fn add(&mut self, class: Option<Class>, are_asked_for: bool, figures: i64) {
        match class {
            Some(class) if are_asked_for => *self.by_class.entry(class).or_default() += figures,
            _ => self.foreign += figures,
        }
    }
}

/// The figures of an enumeration, if it keeps all.
fn members(
    catalog: &Catalog,
    listed: &EnumerationMembers,
    family: Family,
) -> Result<Option<Members>, CatalogError> {
    let Some(figures) = &listed.figures else { return Ok(None) };
    let mut members = Members::default();
    if family.towers {
        // Whether it is one has to be seen figure by figure.
        catalog.for_each_member(listed.id, |class, signature| {
            let is_asked_for = signature.figure().is_ok_and(|figure| is_tower_of(&figure, family));
            members.add(class, is_asked_for, 1);
        })?;
    } else {
        for alike in figures {
            let extents = parse_box(&alike.bounds);
            let are_asked_for = usize::try_from(alike.cells) == Ok(family.cells)
                && family.parts.is_none_or(|parts| usize::try_from(alike.parts) == Ok(parts))
                && extents.is_ok_and(|extents| fits(extents, family));
            members.add(alike.class, are_asked_for, alike.figures);
        }
    }
    Ok(Some(members))
}

fn fits(mut extents: [u32; 3], family: Family) -> bool {
    extents.sort_unstable();
    family.bounds.is_none_or(|mut sides| {
        sides.sort_unstable();
        extents.iter().zip(sides).all(|(extent, side)| *extent <= side)
    })
}

fn is_tower_of(figure: &Figure, family: Family) -> bool {
    figure.len() == family.cells
        && family.parts.is_none_or(|parts| figure.parts().len() == parts)
        && family.bounds.is_some_and(|sides| is_tower(figure, sides))
}

/// Of an enumeration that keeps its figures: they are those of its totals, and belong to it.
fn compare(listed: &EnumerationMembers, members: &Members, tell: &mut impl FnMut(MismatchValue)) {
    let (foreign, enumeration) = (members.foreign, &listed.label);
    if foreign > 0 {
        tell(MismatchValue::Foreign { enumeration: enumeration.clone(), figures: foreign });
    }
    for class in Class::all() {
        let [total, kept] =
            [&listed.totals, &members.by_class].map(|of| of.get(&class).copied().unwrap_or(0));
        if total != kept {
            tell(MismatchValue::Kept { enumeration: enumeration.clone(), class, total, kept });
        }
    }
}
