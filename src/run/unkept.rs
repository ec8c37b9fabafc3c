//! Verification of figures that a catalog has only as numbers: enumerations that keep buildable figures, the ones with
//! most packings, or none.
//!
//! Nothing of such a figure can be derived again from a row. Three facts bear on all of them:
//!
//! * The figures that parity blocks are counted by class: in closed form in a box, else while they are grown.
//! * In a box, raw packings times positions add up over the kept figures to the packings of the box, which are counted
//!   without regard to figures. A buildable figure that was left out is missing there.
//! * Where the figures of a class are few, all are visited and filled, and each outcome is known. Of more figures that
//!   can be grown, a sample is, and a buildable one must be kept.

use super::available_memory;
use super::completeness::ClassRecount;
use super::mismatch::Mismatch;
use super::share::Check;
use rayon::prelude::*;
use somacat_catalog::{Catalog, CatalogError, EnumerationMembers};
use somacat_checking::{
    ByClass, ClassNumbers, ClassOutcomes, PRIMES, box_packings_modulo, outcomes_of_class,
    positions, visited_figures,
};
use somacat_counting::question::Keep;
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::Equivalence;
use somacat_geometry::outcome::{Reason, Verdict};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;
use somacat_output::export::{Field, Spelling};

/// Figures that complete enumerations have only as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unkept {
    pub figures: u64,
    /// Figures among them of which it is not verified whether they can be built.
    pub untried: u64,
    /// Positions of these that were tried as a sample.
    pub sampled: u64,
    /// Figures among them whose reason is not verified.
    pub unexplained: u64,
}

/// Placements tried for a figure: those that are listed to fill it, and as many to find the reason.
const LISTS: usize = 2;

/// Placements of a piece at a cell.
const ORIENTATIONS: usize = 24;

/// The check of one complete enumeration.
pub(super) struct UnkeptCheck<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) listed: &'a EnumerationMembers,
    pub(super) recount: &'a ClassRecount<'a>,
    pub(super) check: &'a Check<'a>,
}

/// Returns a mismatch if an enumeration does not keep a buildable figure.
pub(super) fn is_left_out(
    catalog: &Catalog,
    listed: &EnumerationMembers,
    signature: &str,
) -> Result<Option<Mismatch>, CatalogError> {
    let is_member = catalog.is_member(listed.id, signature)?;
    let mismatch =
        || Mismatch::new(signature, format!("kept: {}", listed.label), "no", "can be built");
    Ok((!is_member).then(mismatch))
}

impl UnkeptCheck<'_> {
    /// Checks the totals of all classes. `numbers` are those of the second count.
    pub(super) fn check(
        &self,
        numbers: &ByClass,
        done: &mut Unkept,
    ) -> Result<Vec<Mismatch>, CatalogError> {
        let Some(set) = self.check.sets.get(&self.listed.set) else { return Ok(Vec::new()) };
        let mut mismatches = Vec::new();
        let are_all_kept = self.packings(set, &mut mismatches)?;
        let numbers: Vec<(Class, Option<ClassNumbers>)> =
            numbers.iter().map(|(class, found)| (*class, found.ok())).collect();
        let Self { listed, recount, check, .. } = *self;
        let samples = listed.keep == Keep::Buildable && !are_all_kept;
        let visit = |(class, found): &(Class, Option<ClassNumbers>)| {
            visit((recount, samples), set, (*class, found.as_ref()?.figures), check)
        };
        let outcomes: Vec<_> = numbers.par_iter().with_max_len(1).map(visit).collect();
        for ((class, found), outcomes) in numbers.into_iter().zip(outcomes) {
            let blocked = found.and_then(|found| found.blocked);
            let blocked = blocked.map(|blocked| blocked * self.recount.times(class));
            self.parity(class, blocked, &mut mismatches);
            let unkept = self.unkept(class);
            let is_whole = matches!(outcomes, Some((true, _)));
            // Those that parity blocks cannot be built.
            let of_parity = blocked.and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
            let left = if is_whole { 0 } else { unkept.saturating_sub(of_parity) };
            done.figures += unkept;
            done.unexplained += if self.has_simple_parity() || is_whole { left } else { unkept };
            done.untried += if are_all_kept { 0 } else { left };
            if let Some((_, outcomes)) = outcomes {
                done.sampled += if is_whole { 0 } else { outcomes.tried };
                self.compare(class, &outcomes, is_whole, &mut mismatches)?;
            }
        }
        Ok(mismatches)
    }

    fn add(
        &self,
        mismatches: &mut Vec<Mismatch>,
        what: &str,
        catalog: impl Into<Field<'static>>,
        found: impl Into<Field<'static>>,
    ) {
        let what = format!("{what}: {}", self.listed.label);
        mismatches.push(Mismatch::new("", what, catalog, found));
    }

    /// Returns true if a census has numbers alone. Then parity is that of the whole figure, and every other figure
    /// without a packing is exhausted.
    fn is_tallied(&self) -> bool {
        self.listed.question.starts_with("census/")
            && matches!(self.listed.keep, Keep::Totals | Keep::Top(_))
    }

    /// Returns true if parity blocks a figure only by its color difference, not by those of its parts.
    fn has_simple_parity(&self) -> bool {
        self.recount.family.parts == Some(1) || self.is_tallied()
    }

    /// Compares the packings of the kept figures with those of the box. Returns true if none is missing, and false if
    /// that is unknown.
    fn packings(
        &self,
        set: &PieceSet,
        mismatches: &mut Vec<Mismatch>,
    ) -> Result<bool, CatalogError> {
        let family = self.recount.family;
        let Some(sides) = family.bounds else { return Ok(false) };
        let is_exact = |verdict| matches!(verdict, Verdict::Counted | Verdict::Unsolvable);
        let are_exact = self.listed.outcomes.keys().all(|(_, verdict, _)| is_exact(*verdict));
        if family.parts.is_some()
            || family.towers
            || self.listed.keep != Keep::Buildable
            || !are_exact
        {
            return Ok(false);
        }
        let (memory, steps) = (available_memory(), self.check.enumeration_steps());
        let stop = Some(self.check.stop);
        let Ok(found) = box_packings_modulo(sides, set, memory, steps, stop) else {
            return Ok(false);
        };
        let mirrored = self.recount.equivalence == Equivalence::Reflections;
        let mut sum = 0_u128;
        for alike in self.catalog.member_packings(self.listed.id)? {
            let (Some(class), Ok(extents)) = (alike.class, parse_box(&alike.bounds)) else {
                continue;
            };
            let each = positions(extents, sides, class, mirrored);
            let packings = alike.raw.saturating_mul(each).saturating_mul(alike.figures.into());
            sum = sum.saturating_add(packings);
        }
        let agree =
            PRIMES.iter().zip(found).all(|(prime, rest)| sum % u128::from(*prime) == rest.into());
        if !agree {
            let rests =
                found.iter().zip(PRIMES).map(|(rest, prime)| format!("{rest} modulo {prime}"));
            self.add(mismatches, "packings in the box", sum, rests.collect::<Vec<_>>().join(", "));
        }
        Ok(agree)
    }

    /// Compares the number of figures of a class that parity blocks.
    fn parity(&self, class: Class, blocked: Option<u128>, mismatches: &mut Vec<Mismatch>) {
        let Some(blocked) = blocked else { return };
        // A figure that failed has no reason.
        if self.listed.number(class, |verdict, _| verdict == Verdict::Failed) > 0 {
            return;
        }
        let stated = self.listed.number(class, |_, reason| reason == Some(Reason::Parity));
        let is_possible = match u128::try_from(stated) {
            Ok(stated) if self.has_simple_parity() => stated == blocked,
            // Parity may also block a figure by its parts.
            Ok(stated) => stated >= blocked,
            Err(_) => false,
        };
        if !is_possible {
            let least = if self.has_simple_parity() { "" } else { "at least " };
            let what = format!("figures of class {class} that parity blocks");
            self.add(mismatches, &what, stated.to_string(), format!("{least}{blocked}"));
        }
    }

    /// Compares the outcomes of a class with its figures and, if all were visited, with its totals. Nothing follows if
    /// the catalog has undecided figures.
    fn compare(
        &self,
        class: Class,
        outcomes: &ClassOutcomes,
        is_whole: bool,
        mismatches: &mut Vec<Mismatch>,
    ) -> Result<(), CatalogError> {
        let is_open = |verdict| matches!(verdict, Verdict::Unknown | Verdict::Failed);
        if self.listed.number(class, |verdict, _| is_open(verdict)) > 0 {
            return Ok(());
        }
        if self.listed.keep == Keep::Buildable {
            for signature in &outcomes.buildable {
                mismatches.extend(is_left_out(self.catalog, self.listed, signature)?);
            }
        }
        if !is_whole {
            return Ok(());
        }
        let mut differ = |what: String, stated: i64, reason: Option<Reason>| {
            let found = outcomes.numbers.get(&reason).copied().unwrap_or(0);
            if u128::try_from(stated) != Ok(found) {
                self.add(mismatches, &what, stated.to_string(), found);
            }
        };
        let stated = self.listed.number(class, |verdict, _| verdict.is_buildable());
        differ(format!("buildable figures of class {class}"), stated, None);
        // A census that is tallied gives other reasons.
        let reasons = Reason::WORDS.iter().filter(|_| !self.is_tallied());
        for (reason, word) in reasons {
            let stated = self.listed.number(class, |_, own| own == Some(*reason));
            differ(
                format!("figures of class {class} without a packing by {word}"),
                stated,
                Some(*reason),
            );
        }
        Ok(())
    }

    /// Returns the number of figures of a class that are not kept.
    fn unkept(&self, class: Class) -> u64 {
        let all = self.listed.totals.get(&class).copied().unwrap_or(0);
        let kept = self.listed.figures.iter().filter(|alike| alike.class == Some(class));
        u64::try_from(all - kept.map(|alike| alike.figures).sum::<i64>()).unwrap_or(0)
    }
}

/// Visits so many figures of a class, or if it `samples` a part of them. Returns true with the outcomes of all. `None` if
/// that takes too long.
fn visit(
    (recount, samples): (&ClassRecount<'_>, bool),
    set: &PieceSet,
    (class, figures): (Class, u128),
    check: &Check<'_>,
) -> Option<(bool, ClassOutcomes)> {
    let (family, steps, stop) = (recount.family, check.enumeration_steps(), Some(check.stop));
    let is_apart = recount.equivalence == Equivalence::Rotations;
    let each = LISTS * family.cells * ORIENTATIONS * set.pieces().len();
    let positions = visited_figures(figures * recount.times(class), class, is_apart);
    let work = positions.saturating_mul(each as u128);
    let every = u64::try_from(work.div_ceil(u128::from(steps.max(1)))).unwrap_or(u64::MAX);
    if every <= 1 {
        let whole = outcomes_of_class(family, set, class, (1, true), (steps, stop));
        if let Ok(whole) = whole {
            return Some((true, whole));
        }
    }
    if !samples || family.parts != Some(1) || family.towers {
        return None;
    }
    // Every figure is grown, and some are filled.
    let budget = (steps.saturating_mul(2), stop);
    let sample = outcomes_of_class(family, set, class, (every.max(2), false), budget);
    Some((false, sample.ok()?))
}
