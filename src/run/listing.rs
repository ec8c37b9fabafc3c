//! Enumerations into the catalog: figures are counted as they are listed, and the place in the
//! enumeration is kept with what came of the figures up to it, so that a run that was stopped or
//! killed goes on from there.

use super::counting::Counting;
use super::intake::figure_row;
use super::plan::{Plan, SetChoice};
use super::{Enumeration, Progress, RunError, Settings, Summary};
use crate::catalog::{
    Catalog, EntryRow, Keep, KnownEnumeration, OutcomeRow, Pending, Tallied, Word,
};
use crate::enumerate::Place;
use crate::figure::Candidate;
use crate::pieces::PieceSet;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A stretch of figures is counted before the next is listed. It should take about this long: what
/// a kill may cost.
const STRETCH: Duration = Duration::from_millis(400);

/// The longest stretch in figures.
const MOST: usize = 1 << 16;

/// Takes in every figure of an enumeration, in its order.
pub(super) fn take_in(
    enumeration: &Enumeration,
    label: &str,
    plan: &Plan,
    catalog: &mut Catalog,
    (run, settings): (i64, Settings<'_>),
    progress: &Progress,
    summary: &mut Summary,
) -> Result<(), RunError> {
    let set = set_of(enumeration, label, plan)?;
    let set_id = catalog.set_id(&set)?;
    let limited = if plan.keep == Keep::All { 0 } else { plan.nodes.unwrap_or(0) };
    let known = catalog.enumeration(label, set_id, plan.keep, limited)?;
    if !known.complete {
        let counting = Counting::new(run, plan, catalog, settings.stop, progress)?;
        let before = catalog.enumeration_totals(known.id)?.figures;
        let size = enumeration.size(settings.stop) as u64;
        let left = size.saturating_sub(before);
        catalog.plan_run(run, left)?;
        progress.begin(label, Some(left));
        let mut listing =
            Listing { catalog, known, keep: plan.keep, counting, summary, size: 64, failed: None };
        listing.all(enumeration, &set, set_id);
        let failed = listing.failed.take();
        progress.end();
        failed.map_or(Ok(()), Err)?;
        if !settings.stop.load(std::sync::atomic::Ordering::Relaxed) {
            catalog.complete_enumeration(known.id)?;
        }
    }
    let totals = catalog.enumeration_totals(known.id)?;
    summary.entries += totals.figures;
    if plan.keep == Keep::All {
        catalog.add_to_run(known.id, set_id)?;
    } else {
        summary.in_numbers.add_all(&totals);
    }
    Ok(())
}

/// The set that the figures of an enumeration are counted with.
pub(super) fn set_of(
    enumeration: &Enumeration,
    label: &str,
    plan: &Plan,
) -> Result<PieceSet, RunError> {
    match (&plan.set, enumeration.cells()) {
        (SetChoice::Fixed(set), cells) if set.total_cells() != cells => {
            Err(RunError::OtherSize { label: label.to_owned(), cells, set: set.name().to_owned() })
        }
        (SetChoice::Fixed(set), _) => Ok(set.clone()),
        (SetChoice::Auto, 27) => Ok(PieceSet::soma(1)),
        (SetChoice::Auto, 40) => Ok(PieceSet::soma_plus()),
        (SetChoice::Auto, 54) => Ok(PieceSet::soma(2)),
        (SetChoice::Auto, cells) => Err(RunError::NoSet { label: label.to_owned(), cells }),
    }
}

struct Listing<'a> {
    catalog: &'a mut Catalog,
    known: KnownEnumeration,
    keep: Keep,
    counting: Counting<'a>,
    summary: &'a mut Summary,
    /// Figures of a stretch, for now.
    size: usize,
    failed: Option<RunError>,
}

impl Listing<'_> {
    fn all(&mut self, enumeration: &Enumeration, set: &PieceSet, set_id: i64) {
        let row = |found: Candidate| Some(EntryRow { set_id, ..figure_row(found.figure(), set) });
        let (mut stretch, mut end) = (Vec::new(), self.known.place);
        let (from, stop) = (self.known.place, self.counting.limits.stop);
        let never = std::sync::atomic::AtomicBool::new(false);
        let flow =
            enumeration.for_each_mapped(from, stop.unwrap_or(&never), row, &mut |at, row| {
                stretch.push((at, row));
                if stretch.len() < self.size {
                    return ControlFlow::Continue(());
                }
                self.stretch(std::mem::take(&mut stretch), &mut end)
            });
        if flow.is_continue() {
            // Nothing comes after it that could be broken off.
            let _ = self.stretch(stretch, &mut end);
        }
    }

    /// Counts a stretch and writes down how far the enumeration is.
    fn stretch(&mut self, stretch: Vec<(Place, EntryRow)>, end: &mut Place) -> ControlFlow<()> {
        let begun = Instant::now();
        let result = if self.keep == Keep::All {
            self.kept(stretch, end)
        } else {
            self.in_numbers(stretch, end)
        };
        match result {
            Ok(()) if self.counting.limits.stopped() => return ControlFlow::Break(()),
            Ok(()) => {}
            Err(error) => {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        let took = begun.elapsed();
        if took < STRETCH / 2 && self.size < MOST {
            self.size *= 2;
        } else if took > STRETCH && self.size > 1 {
            self.size /= 2;
        }
        ControlFlow::Continue(())
    }

    /// A stretch of which every figure is kept: those the catalog has a count of are not counted
    /// again.
    fn kept(&mut self, stretch: Vec<(Place, EntryRow)>, end: &mut Place) -> Result<(), RunError> {
        let (places, rows): (Vec<Place>, Vec<EntryRow>) = stretch.into_iter().unzip();
        let mut identified = self.catalog.identify(self.known.id, &rows)?;
        self.summary.new += identified.iter().filter(|figure| figure.new).count() as u64;
        let pending: Vec<Pending> = identified
            .iter()
            .zip(&rows)
            .filter(|(figure, _)| figure.outcome.is_none())
            .map(|(figure, row)| Pending {
                figure_id: figure.figure_id,
                set_id: row.set_id,
                signature: row.signature.as_str().to_owned(),
            })
            .collect();
        let words = self.counting.batch(self.catalog, &pending)?;
        self.counting.progress.advance((rows.len() - pending.len()) as u64);
        self.summary.counted += words.iter().flatten().count() as u64;
        let open = identified.iter_mut().filter(|figure| figure.outcome.is_none());
        for (figure, word) in open.zip(words) {
            figure.outcome = word;
        }
        let outcomes = identified.into_iter().map(|figure| figure.outcome);
        let tallied = tally(&places, &rows, outcomes, end);
        let done = (rows.len() - pending.len()) as u64;
        let (run, id) = (self.counting.run, self.known.id);
        self.catalog.advance(run, id, *end, &tallied, done, Vec::new())?;
        Ok(())
    }

    /// A stretch of which solvable figures are kept at most.
    fn in_numbers(
        &mut self,
        stretch: Vec<(Place, EntryRow)>,
        end: &mut Place,
    ) -> Result<(), RunError> {
        let (places, rows): (Vec<Place>, Vec<EntryRow>) = stretch.into_iter().unzip();
        let pending = |row: &EntryRow| Pending {
            figure_id: 0,
            set_id: row.set_id,
            signature: row.signature.as_str().to_owned(),
        };
        let outcomes: Vec<Option<OutcomeRow>> =
            rows.par_iter().map(|row| self.counting.outcome(&pending(row))).collect();
        let word = |row: &OutcomeRow| (row.verdict.to_owned(), row.reason.clone());
        let words: Vec<Option<Word>> = outcomes.iter().map(|o| o.as_ref().map(word)).collect();
        let tallied = tally(&places, &rows, words.into_iter(), end);
        let done = outcomes.iter().take_while(|outcome| outcome.is_some()).count();
        self.summary.counted += done as u64;
        let kept = rows.into_iter().zip(outcomes).take(done);
        let kept = kept.filter_map(|(row, outcome)| Some((row, outcome?)));
        let solvable = |row: &OutcomeRow| matches!(row.verdict, "counted" | "solvable");
        let kept = kept.filter(|(_, row)| self.keep == Keep::Solvable && solvable(row)).collect();
        let (run, id) = (self.counting.run, self.known.id);
        self.summary.new += self.catalog.advance(run, id, *end, &tallied, done as u64, kept)?;
        Ok(())
    }
}

/// Sums what figures came to, up to the first that was not done, and moves `end` there.
fn tally(
    places: &[Place],
    rows: &[EntryRow],
    outcomes: impl Iterator<Item = Option<Word>>,
    end: &mut Place,
) -> Tallied {
    let mut tallied = Tallied::new();
    for ((place, row), outcome) in places.iter().zip(rows).zip(outcomes) {
        let Some(word) = outcome else { break };
        *tallied.entry((row.class, word)).or_default() += 1;
        *end = *place;
    }
    tallied
}
