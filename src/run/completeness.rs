//! Completeness of enumerations: the figures of each class counted by another method.

use super::class_recount::{class_recount, fits};
use super::mismatch::Mismatch;
use super::share::{Check, Share};
use super::unkept::{Unkept, UnkeptCheck, is_left_out};
use somacat_catalog::{Catalog, CatalogError, EnumerationMembers};
use somacat_checking::{ClassNumbers, Family, RecountError, is_tower};
use somacat_counting::question::{Keep, of_key};
use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::figure::Figure;
use somacat_geometry::symmetry::Class;
use somacat_output::export::Field;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of enumerations and classes that were recounted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completeness {
    /// Complete enumerations with a recounted class.
    pub enumerations: u64,
    pub classes: u64,
    /// Classes that would take more steps than allowed, each once.
    pub too_large: Vec<Class>,
    /// Complete enumerations without a method of recounting.
    pub of_other_kinds: u64,
    pub unkept: Unkept,
    pub stopped: bool,
}

/// Recounts the figures of a share of the complete enumerations. Counts class by class, as far as the steps allow.
pub(super) fn check_enumerations(
    catalog: &Catalog,
    check: &Check<'_>,
    share: Share,
) -> Result<(Completeness, Vec<Mismatch>), CatalogError> {
    let (mut done, mut mismatches) = (Completeness::default(), Vec::new());
    for (at, listed) in (0..).zip(catalog.enumeration_members()?) {
        if !share.has(at) {
            continue;
        }
        let recount = class_recount(&listed.question, check.sets.get(&listed.set));
        let Some(recount) = recount else {
            done.of_other_kinds += 1;
            continue;
        };
        let towers = listed.question.contains("shape=towers");
        let other = |label: &String| ordered(label, towers) != ordered(&listed.label, towers);
        if let Some(label) = label(&listed, check).filter(other) {
            mismatches.push(Mismatch::new("", "label", listed.label.clone(), label));
        }
        let mut left_out = Vec::new();
        let mut add = |what: String, catalog: i64, found: Field<'static>| {
            let what = format!("{what}: {}", listed.label);
            mismatches.push(Mismatch::new("", what, catalog.to_string(), found));
        };
        let members = members(catalog, &listed, recount.family)?;
        if members.foreign > 0 {
            add("figures".to_owned(), members.foreign, "outside the question".into());
        }
        if listed.keep == Keep::All {
            compare(&listed, &members, &mut add);
        }
        let numbers = match recount.built_from {
            None => recount.count(&listed, check),
            Some(set) => {
                let built = recount.build(set, check);
                let is_kept = listed.keep == Keep::All;
                for signature in built.values().flatten().flatten().filter(|_| is_kept) {
                    left_out.extend(is_left_out(catalog, &listed, signature)?);
                }
                let number = |built: BTreeSet<String>| ClassNumbers {
                    figures: built.len() as u128,
                    blocked: None,
                };
                built.into_iter().map(|(class, built)| (class, built.map(number))).collect()
            }
        };
        let before = done.classes;
        for class in Class::iter() {
            let total = listed.totals.get(&class).copied().unwrap_or(0);
            let found = match numbers.get(&class) {
                // The question excludes this class.
                None => 0,
                Some(Ok(found)) => found.figures * recount.times(class),
                Some(Err(RecountError::Stopped)) => {
                    done.stopped = true;
                    return Ok((done, mismatches));
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
                add(format!("figures of class {class}"), total, found.into());
            }
        }
        mismatches.extend(left_out);
        done.enumerations += u64::from(done.classes > before);
        if recount.built_from.is_none() && listed.keep != Keep::All {
            let unkept = UnkeptCheck { catalog, listed: &listed, recount: &recount, check };
            mismatches.extend(unkept.check(&numbers, &mut done.unkept)?);
        }
    }
    Ok((done, mismatches))
}

/// Returns the label that follows from a question. A plan may give another one to symmetric figures.
fn label(listed: &EnumerationMembers, check: &Check<'_>) -> Option<String> {
    let set = check.sets.get(&listed.set).filter(|_| !listed.question.starts_with("symmetric/"))?;
    Some(of_key(&listed.question, set, listed.keep).ok()?.label())
}

/// Returns the words of a label, with the sides of a box in order. Labels have the sides as a plan spells them. The
/// height of towers is the last side.
fn ordered(label: &str, towers: bool) -> Vec<String> {
    let word = |word: &str| match parse_box(word) {
        Ok(mut sides) => {
            sides[..3 - usize::from(towers)].sort_unstable();
            sides_text(sides)
        }
        Err(_) => word.to_owned(),
    };
    label.split(' ').map(word).collect()
}

/// Figures that an enumeration keeps.
#[derive(Default)]
struct KeptFigures {
    /// Figures that the question includes, by class.
    by_class: BTreeMap<Class, i64>,
    foreign: i64,
}

impl KeptFigures {
    fn add(&mut self, class: Option<Class>, are_included: bool, figures: i64) {
        match class {
            Some(class) if are_included => *self.by_class.entry(class).or_default() += figures,
            _ => self.foreign += figures,
        }
    }
}

/// Returns the kept figures of an enumeration.
fn members(
    catalog: &Catalog,
    listed: &EnumerationMembers,
    family: Family,
) -> Result<KeptFigures, CatalogError> {
    let mut members = KeptFigures::default();
    if family.towers {
        // No column shows whether a figure is a tower.
        catalog.for_each_member(listed.id, |class, signature| {
            let is_included = signature.figure().is_ok_and(|figure| is_tower_of(&figure, family));
            members.add(class, is_included, 1);
        })?;
    } else {
        for alike in &listed.figures {
            let extents = parse_box(&alike.bounds);
            let are_included = usize::try_from(alike.cells) == Ok(family.cells)
                && family.parts.is_none_or(|parts| usize::try_from(alike.parts) == Ok(parts))
                && extents.is_ok_and(|extents| fits(extents, family));
            members.add(alike.class, are_included, alike.figures);
        }
    }
    Ok(members)
}

fn is_tower_of(figure: &Figure, family: Family) -> bool {
    figure.len() == family.cells
        && family.parts.is_none_or(|parts| figure.parts().len() == parts)
        && family.bounds.is_some_and(|sides| is_tower(figure, sides))
}

/// Compares the totals of an enumeration with the figures that it keeps.
fn compare(
    listed: &EnumerationMembers,
    members: &KeptFigures,
    add: &mut impl FnMut(String, i64, Field<'static>),
) {
    for class in Class::iter() {
        let [total, kept] =
            [&listed.totals, &members.by_class].map(|of| of.get(&class).copied().unwrap_or(0));
        if total != kept {
            add(format!("figures kept of class {class}"), total, kept.to_string().into());
        }
    }
}
