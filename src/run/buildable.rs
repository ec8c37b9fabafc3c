//! Figures that can be built into the catalog: found with their packings, then counted, one shard of the search after
//! the other.

use super::counting::{Counting, Timed};
use super::enumerate::count_canonical;
use super::plan::BuildableJob;
use super::{Run, RunError, Size};
use crate::buildable::{Buildable, SHARDS};
use crate::catalog::{Advance, Breakdown, CountedRow, EnumerationKey, EnumerationState, Keep};
use crate::enumerate::Place;
use crate::figure::Candidate;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

impl Run<'_> {
    /// Takes in every figure that the search finds, in its order.
    pub(super) fn buildable(&mut self, job: &BuildableJob) -> Result<(), RunError> {
        let BuildableJob { search, keep } = job;
        let set_id = self.session.set_id(search.set())?;
        let (question, label) = (search.key(), search.label());
        let limit = if *keep == Keep::All { 0 } else { self.plan.nodes.unwrap_or(0) };
        let key =
            EnumerationKey { question: &question, label: &label, set: set_id, keep: *keep, limit };
        let state = self.begin_question(key)?;
        let id = state.id;
        if !state.complete {
            let shards = state.place.shard..SHARDS;
            self.progress.begin(&label, Size::Exact(shards.end - shards.start));
            let found = self.take_in(search, *keep, shards, state);
            self.progress.end();
            found?;
            if !self.stopped() {
                self.session.complete(id, None)?;
            }
        }
        self.end_question(key, id)
    }

    fn take_in(
        &mut self,
        search: &Buildable,
        keep: Keep,
        shards: Range<u64>,
        mut state: EnumerationState,
    ) -> Result<(), RunError> {
        let (counting, stop) = (self.counting(), self.settings.stop);
        count_shards(search, shards, counting, stop, &mut |shard, rows| {
            let done = rows.len() as u64;
            let mut breakdown = Breakdown::default();
            rows.iter()
                .for_each(|row| breakdown.add_outcome(row.columns.class, &row.report.outcome));
            // Of figures that are kept the catalog may have known more.
            let (kept, breakdown) = match keep {
                Keep::All => (rows, None),
                Keep::Buildable | Keep::Totals => (Vec::new(), Some(&breakdown)),
            };
            let place = Place { shard: shard + 1, figures: 0 };
            self.session.add_expected(done)?;
            let advance = Advance { place, breakdown, members: &[], kept, done };
            self.summary.new += self.session.advance(&mut state, &advance)?;
            self.summary.counted += done;
            Ok(())
        })
    }
}

/// Searches shards, counts their figures, and hands them to `take`, shard by shard; nothing of one that was not done
/// when `stop` was set.
pub(crate) fn count_shards<E>(
    search: &Buildable,
    shards: Range<u64>,
    counting: Counting<'_>,
    stop: &AtomicBool,
    take: &mut dyn FnMut(u64, Vec<CountedRow>) -> Result<(), E>,
) -> Result<(), E> {
    let count = |candidate: Candidate| {
        let set = search.set();
        let Timed { report, micros } =
            counting.count_again(|limits| count_canonical(&candidate, set, limits))?;
        Some(CountedRow { columns: candidate.into_columns(), report, micros: Some(micros) })
    };
    let mut failed = None;
    let work = |_, figures: Vec<Candidate>| figures.into_iter().map(count).collect();
    let _ = search.for_each_shard(shards, stop, work, &mut |shard, rows: Vec<CountedRow>| {
        counting.progress.advance(1);
        match take(shard, rows) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    failed.map_or(Ok(()), Err)
}
