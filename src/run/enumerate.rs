//! Enumerations into the catalog: figures are counted as they are listed, and the place in the
//! enumeration is kept with what came of the figures up to it, so that a run that was stopped or
//! killed goes on from there.

use super::counting::{Conclusion, Counting, Timed};
use super::plan::EnumerationJob;
use super::{Run, RunError, Size};
use crate::catalog::{
    Advance, Breakdown, CountedRow, EnumerationKey, EnumerationState, FigureId, Keep, Session,
};
use crate::enumerate::Place;
use crate::figure::Candidate;
use crate::outcome::Report;
use crate::pieces::PieceSet;
use crate::solve::{Limits, Problem, SolveError, count};
use rayon::prelude::*;
use std::ops::ControlFlow;
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
        let state = self.session.enumeration(key)?;
        let id = state.id;
        if let Some(damage) = &state.damage {
            self.progress.say(&format!("{label} begins anew: {damage}"));
        }
        if !state.complete {
            let before = self.session.catalog().enumeration_totals(id)?.figures;
            let figures = enumeration.size(self.settings.stop) as u64;
            let left = figures.saturating_sub(before);
            self.session.plan(left)?;
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
        let totals = self.session.catalog().enumeration_totals(id)?;
        self.summary.entries += totals.figures;
        if *keep == Keep::All {
            self.session.add_enumeration(id, set_id)?;
        } else {
            self.session.add_kept(id, set_id)?;
            self.summary.in_numbers.add_all(&totals);
        }
        Ok(())
    }

    /// Lists and counts the figures from a place on.
    fn list(&mut self, job: &EnumerationJob, state: EnumerationState) -> Result<(), RunError> {
        let (counting, stop, from) = (self.counting(), self.settings.stop, state.place);
        let mut listing = Listing {
            session: &mut self.session,
            set: &job.set,
            state,
            keep: job.keep,
            counting,
            size: 64,
            counted: 0,
            new: 0,
        };
        let whole = job.keep == Keep::All;
        let candidate = |candidate: Candidate| {
            // Worked out here, on all cores, where every figure is kept.
            if whole {
                candidate.columns();
            }
            Some(candidate)
        };
        let (mut stretch, mut failed) = (Vec::new(), None);
        let mut emit = |place: Place, candidate: Candidate| {
            stretch.push((place, candidate));
            if stretch.len() < listing.size {
                return ControlFlow::Continue(());
            }
            match listing.stretch(std::mem::take(&mut stretch)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let flow = job.enumeration.for_each_mapped(from, stop, candidate, &mut emit);
        let ended = match (failed, flow) {
            (Some(error), _) => Err(error),
            (None, ControlFlow::Continue(())) => listing.stretch(stretch),
            // Stopped: what was listed and not counted is listed again.
            (None, ControlFlow::Break(())) => Ok(()),
        };
        self.summary.counted += listing.counted;
        self.summary.new += listing.new;
        ended
    }
}

/// Counts a figure in its canonical position, so that nodes and limits do not depend on how it was met.
fn count_canonical(
    candidate: &Candidate,
    set: &PieceSet,
    limits: Limits<'_>,
) -> Result<Report, SolveError> {
    let (figure, group) = candidate.canonical();
    count(&Problem::with_group(&figure, set, group), limits)
}

struct Listing<'a> {
    session: &'a mut Session,
    set: &'a PieceSet,
    state: EnumerationState,
    keep: Keep,
    counting: Counting<'a>,
    /// Figures of a stretch, for now.
    size: usize,
    counted: u64,
    new: u64,
}

impl Listing<'_> {
    /// Counts a stretch and notes how far the enumeration is.
    fn stretch(&mut self, stretch: Vec<(Place, Candidate)>) -> Result<(), RunError> {
        let begun = Instant::now();
        let (places, candidates): (Vec<Place>, Vec<Candidate>) = stretch.into_iter().unzip();
        match self.keep {
            Keep::All => self.all(&places, &candidates)?,
            Keep::Buildable | Keep::Totals => self.in_numbers(&places, candidates)?,
        }
        let took = begun.elapsed();
        if took < STRETCH / 2 && self.size < LONGEST {
            self.size *= 2;
        } else if took > STRETCH && self.size > 1 {
            self.size /= 2;
        }
        Ok(())
    }

    /// A stretch of which every figure is kept: those the catalog has a count of are not counted
    /// again.
    fn all(&mut self, places: &[Place], candidates: &[Candidate]) -> Result<(), RunError> {
        let members = self.session.add_figures(self.state.set, candidates)?;
        self.new += members.iter().filter(|member| member.new).count() as u64;
        let mut conclusions: Vec<Conclusion> =
            members.iter().map(|member| member.verdict).collect();
        let pending: Vec<usize> =
            (0..members.len()).filter(|&at| members[at].verdict.is_none()).collect();
        let (set, set_id) = (self.set, self.state.set);
        let id = |at: &usize| (members[*at].figure, set_id);
        let work = |at: &usize, limits: Limits<'_>| {
            count_canonical(&candidates[*at], set, limits).map_err(|error| error.to_string())
        };
        let counted = self.counting.batch(self.session, &pending, id, work)?;
        let known = (members.len() - pending.len()) as u64;
        self.counting.progress.advance(known);
        self.counted += counted.iter().flatten().count() as u64;
        for (at, conclusion) in pending.into_iter().zip(counted) {
            conclusions[at] = conclusion;
        }
        let (breakdown, place) = self.break_down(places, candidates, &conclusions);
        let reached = members.iter().take(breakdown.figures() as usize);
        let members: Vec<FigureId> = reached.map(|member| member.figure).collect();
        self.note(&Advance {
            place,
            breakdown: &breakdown,
            members: &members,
            kept: Vec::new(),
            done: known,
        })
    }

    /// A stretch of which the figures with a packing are kept at most.
    fn in_numbers(&mut self, places: &[Place], candidates: Vec<Candidate>) -> Result<(), RunError> {
        let (set, counting) = (self.set, self.counting);
        let keep = self.keep == Keep::Buildable;
        let timed = |candidate: &Candidate| {
            // A limit may fall on either side of a figure's count: it is to fall as it would anywhere else.
            if counting.limits.nodes.is_some() {
                return counting.count(|limits| count_canonical(candidate, set, limits));
            }
            let problem = Problem::with_group(candidate.figure(), set, candidate.group());
            let timed = counting.count(|limits| count(&problem, limits))?;
            let wanted = keep && timed.report.outcome.verdict().is_buildable();
            // Few are kept; for these the work is noted that they take in canonical position.
            if wanted {
                counting.count_again(|limits| count_canonical(candidate, set, limits))
            } else {
                Some(timed)
            }
        };
        let counts: Vec<Option<Timed>> = candidates.par_iter().map(timed).collect();
        let conclusion = |timed: &Option<Timed>| {
            let outcome = &timed.as_ref()?.report.outcome;
            Some((outcome.verdict(), outcome.reason()))
        };
        let conclusions: Vec<Conclusion> = counts.iter().map(conclusion).collect();
        let (breakdown, place) = self.break_down(places, &candidates, &conclusions);
        let done = breakdown.figures();
        self.counted += done;
        let kept = |(candidate, timed): (Candidate, Option<Timed>)| {
            let Timed { report, micros } = timed?;
            let wanted = self.keep == Keep::Buildable && report.outcome.verdict().is_buildable();
            wanted.then_some(CountedRow { candidate, report, micros: Some(micros) })
        };
        let kept = candidates.into_iter().zip(counts).take(done as usize).filter_map(kept);
        self.note(&Advance {
            place,
            breakdown: &breakdown,
            members: &[],
            kept: kept.collect(),
            done,
        })
    }

    /// What figures came to, up to the first that was not done, and the place after them.
    fn break_down(
        &self,
        places: &[Place],
        candidates: &[Candidate],
        conclusions: &[Conclusion],
    ) -> (Breakdown, Place) {
        let (mut breakdown, mut reached) = (Breakdown::default(), self.state.place);
        for ((place, candidate), conclusion) in places.iter().zip(candidates).zip(conclusions) {
            let Some((verdict, reason)) = conclusion else { break };
            breakdown.add(candidate.class(), *verdict, *reason);
            reached = *place;
        }
        (breakdown, reached)
    }

    fn note(&mut self, advance: &Advance<'_>) -> Result<(), RunError> {
        self.new += self.session.advance(&mut self.state, advance)?;
        Ok(())
    }
}
