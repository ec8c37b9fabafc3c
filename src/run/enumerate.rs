//! Enumerations into the catalog: figures are counted as they are listed, and the place in the
//! enumeration is kept with what came of the figures up to it, so that a run that was stopped or
//! killed goes on from there.

use super::counting::{Conclusion, Counting, Timed};
use super::plan::EnumerationJob;
use super::{Run, RunError, Size};
use crate::catalog::{
    Advance, Breakdown, CountedRow, EnumerationKey, EnumerationState, FigureId, Keep, Session,
};
use crate::enumerate::{Enumeration, FoundFigure, Place, ShardRange};
use crate::figure::Candidate;
use crate::outcome::{Reason, Report, Verdict};
use crate::pieces::PieceSet;
use crate::solve::{FirstLook, Limits, Problem, SolveError, count};
use crate::symmetry::Class;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A stretch of figures is counted before the next is listed. It should take about this long: what
/// a kill may cost.
const STRETCH: Duration = Duration::from_millis(400);

/// The longest stretch in figures.
const LONGEST: usize = 1 << 16;

impl Run<'_> {
    /// Takes in every figure of an enumeration, in its order.
    pub(super) fn enumerate(&mut self, job: &EnumerationJob) -> Result<(), RunError> {
        let EnumerationJob { enumeration, set, keep } = job;
        let set_id = self.session.set_id(set)?;
        let limit = if *keep == Keep::All { 0 } else { self.plan.nodes.unwrap_or(0) };
        let (question, label) = (enumeration.question().key(), enumeration.question().label());
        let key =
            EnumerationKey { question: &question, label: &label, set: set_id, keep: *keep, limit };
        let state = self.begin_question(key)?;
        let id = state.id;
        if !state.complete {
            let before = self.session.catalog().enumeration_totals(id)?.figures;
            let figures = enumeration.size(self.settings.stop) as u64;
            let left = figures.saturating_sub(before);
            self.session.add_expected(left)?;
            let exact = enumeration.total().is_some();
            let size = if exact { Size::Exact(left) } else { Size::About(left) };
            self.progress.begin(&label, size);
            let listed = self.list(job, state);
            self.progress.end();
            listed?;
            if !self.stopped() {
                self.session.complete(id, enumeration.total())?;
            }
        }
        self.end_question(key, id)
    }

    /// Lists and counts the figures from a place on.
    fn list(&mut self, job: &EnumerationJob, state: EnumerationState) -> Result<(), RunError> {
        let (counting, stop, from) = (self.counting(), self.settings.stop, state.place);
        let counter = Counter::new(&job.set, job.keep, counting);
        let session = &mut self.session;
        let mut listing = Listing { session, state, counter: &counter, counted: 0, new: 0 };
        let (enumeration, shards) = (&job.enumeration, ShardRange::ALL);
        let listed = if job.keep == Keep::All {
            in_stretches(enumeration, shards, from, with_columns, stop, &mut |stretch| {
                listing.all(stretch)
            })
        } else {
            let look = |draft: &FoundFigure<'_>| counter.look(draft);
            in_stretches(enumeration, shards, from, look, stop, &mut |stretch| {
                listing.in_numbers(stretch)
            })
        };
        self.summary.counted += listing.counted;
        self.summary.new += listing.new;
        listed
    }
}

/// Lists the figures of some shards from a place on and hands what `look` makes of them on all cores to `work`, each
/// stretch when that before is done; of a stretch that was begun when `stop` is set nothing is handed on.
pub(crate) fn in_stretches<T: Send, E>(
    enumeration: &Enumeration,
    shards: ShardRange,
    from: Place,
    look: impl Fn(&FoundFigure<'_>) -> T + Sync,
    stop: &AtomicBool,
    work: &mut dyn FnMut(Vec<(Place, T)>) -> Result<(), E>,
) -> Result<(), E> {
    let (mut stretch, mut size, mut failed) = (Vec::new(), 64, None);
    let mut emit = |place: Place, one: T| {
        stretch.push((place, one));
        if stretch.len() < size {
            return ControlFlow::Continue(());
        }
        let begun = Instant::now();
        if let Err(error) = work(std::mem::take(&mut stretch)) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        let took = begun.elapsed();
        if took < STRETCH / 2 && size < LONGEST {
            size *= 2;
        } else if took > STRETCH && size > 1 {
            size /= 2;
        }
        ControlFlow::Continue(())
    };
    let flow = enumeration.for_each_in(shards, from, stop, |draft| Some(look(&draft)), &mut emit);
    match (failed, flow) {
        (Some(error), _) => Err(error),
        (None, ControlFlow::Continue(())) => work(stretch),
        // Stopped: what was listed and not counted is listed again.
        (None, ControlFlow::Break(())) => Ok(()),
    }
}

/// Makes a figure with its columns.
fn with_columns(draft: &FoundFigure<'_>) -> Candidate {
    let candidate = draft.candidate();
    candidate.columns();
    candidate
}

/// Counts a figure in its canonical position, so that nodes and limits do not depend on how it was met.
pub(super) fn count_canonical(
    candidate: &Candidate,
    set: &PieceSet,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let (figure, group) = candidate.canonical();
    count(&Problem::with_group(&figure, set, group), limits)
}

/// A figure of an enumeration and what it came to.
pub(crate) struct CountedFigure {
    /// The place after it.
    pub(crate) place: Place,
    pub(crate) class: Class,
    pub(crate) verdict: Verdict,
    pub(crate) reason: Option<Reason>,
    /// The figure, if it is kept.
    pub(crate) row: Option<CountedRow>,
}

/// What a first look at a figure shows.
pub(crate) enum FirstLookResult {
    /// There is no packing, for this reason.
    RuledOut(Class, Reason),
    /// It has to be counted.
    Open(Box<Candidate>),
}

/// How the figures of an enumeration are counted, one by one.
pub(crate) struct Counter<'a> {
    set: &'a PieceSet,
    keep: Keep,
    counting: Counting<'a>,
    first_look: FirstLook,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(set: &'a PieceSet, keep: Keep, counting: Counting<'a>) -> Self {
        Self { set, keep, counting, first_look: FirstLook::new(set) }
    }

    /// Takes a first look at a figure, unless it is kept whatever it comes to.
    pub(crate) fn look(&self, draft: &FoundFigure<'_>) -> FirstLookResult {
        if self.keep == Keep::All {
            return FirstLookResult::Open(Box::new(with_columns(draft)));
        }
        let (mut cells, mut orbits) = (Vec::new(), Vec::new());
        draft.list_cells(&mut cells);
        draft.list_orbits(&mut orbits);
        let (group, nodes) = (draft.group(), self.counting.limits.nodes);
        match self.first_look.rule_out_by_short_search(&cells, &orbits, group, nodes) {
            Some(reason) => FirstLookResult::RuledOut(draft.class(), reason),
            None => FirstLookResult::Open(Box::new(draft.candidate())),
        }
    }

    /// Counts a stretch, up to the first figure that was stopped before it was done.
    pub(crate) fn count(&self, stretch: Vec<(Place, FirstLookResult)>) -> Vec<CountedFigure> {
        let ruled_out = |(_, looked): &&(Place, FirstLookResult)| {
            matches!(looked, FirstLookResult::RuledOut(..))
        };
        self.counting.progress.advance(stretch.iter().filter(ruled_out).count() as u64);
        let counted: Vec<Option<CountedFigure>> =
            stretch.into_par_iter().map(|(place, looked)| self.one(place, looked)).collect();
        counted.into_iter().map_while(|figure| figure).collect()
    }

    fn one(&self, place: Place, looked: FirstLookResult) -> Option<CountedFigure> {
        let candidate = match looked {
            FirstLookResult::RuledOut(class, reason) => {
                let (verdict, reason) = (Verdict::Unsolvable, Some(reason));
                return Some(CountedFigure { place, class, verdict, reason, row: None });
            }
            FirstLookResult::Open(candidate) => *candidate,
        };
        let Timed { report, micros } =
            self.counting.count(|limits| count_canonical(&candidate, self.set, limits))?;
        let (verdict, reason) = (report.outcome.verdict(), report.outcome.reason());
        let class = candidate.class();
        let kept = match self.keep {
            Keep::All => true,
            Keep::Buildable => verdict.is_buildable(),
            Keep::Totals => false,
        };
        let row = kept.then(|| CountedRow {
            columns: candidate.into_columns(),
            report,
            micros: Some(micros),
        });
        Some(CountedFigure { place, class, verdict, reason, row })
    }
}

/// An enumeration on its way into the catalog.
struct Listing<'a> {
    session: &'a mut Session,
    state: EnumerationState,
    counter: &'a Counter<'a>,
    counted: u64,
    new: u64,
}

impl Listing<'_> {
    /// A stretch of which every figure is kept: those the catalog has a count of are not counted
    /// again.
    fn all(&mut self, stretch: Vec<(Place, Candidate)>) -> Result<(), RunError> {
        let (places, candidates): (Vec<Place>, Vec<Candidate>) = stretch.into_iter().unzip();
        let members = self.session.add_figures(self.state.set, &candidates)?;
        self.new += members.iter().filter(|member| member.new).count() as u64;
        let mut conclusions: Vec<Conclusion> =
            members.iter().map(|member| member.verdict).collect();
        let pending: Vec<usize> =
            (0..members.len()).filter(|&at| members[at].verdict.is_none()).collect();
        let (Counter { set, counting, .. }, set_id) = (self.counter, self.state.set);
        let id = |at: &usize| (members[*at].figure, set_id);
        let work = |at: &usize, limits: Limits<'_>| {
            count_canonical(&candidates[*at], set, limits).map_err(|error| error.to_string())
        };
        let counted = counting.batch(self.session, &pending, id, work)?;
        let known = (members.len() - pending.len()) as u64;
        counting.progress.advance(known);
        self.counted += counted.iter().flatten().count() as u64;
        for (at, conclusion) in pending.into_iter().zip(counted) {
            conclusions[at] = conclusion;
        }
        let (mut breakdown, mut place) = (Breakdown::default(), self.state.place);
        for ((after, candidate), conclusion) in places.iter().zip(&candidates).zip(&conclusions) {
            let Some((verdict, reason)) = conclusion else { break };
            breakdown.add(candidate.class(), *verdict, *reason);
            place = *after;
        }
        let reached = members.iter().take(breakdown.figures() as usize);
        let members: Vec<FigureId> = reached.map(|member| member.figure).collect();
        let (breakdown, kept) = (Some(&breakdown), Vec::new());
        self.note(&Advance { place, breakdown, members: &members, kept, done: known })
    }

    /// A stretch of which the figures with a packing are kept at most.
    fn in_numbers(&mut self, stretch: Vec<(Place, FirstLookResult)>) -> Result<(), RunError> {
        let (mut breakdown, mut kept) = (Breakdown::default(), Vec::new());
        let mut place = self.state.place;
        for figure in self.counter.count(stretch) {
            breakdown.add(figure.class, figure.verdict, figure.reason);
            place = figure.place;
            kept.extend(figure.row);
        }
        let done = breakdown.figures();
        self.counted += done;
        self.note(&Advance { place, breakdown: Some(&breakdown), members: &[], kept, done })
    }

    fn note(&mut self, advance: &Advance<'_>) -> Result<(), RunError> {
        self.new += self.session.advance(&mut self.state, advance)?;
        Ok(())
    }
}
