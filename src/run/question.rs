//! A question of a plan in the catalog: looked up before its figures come, added up after.

use super::{Run, RunError};
use crate::catalog::{EnumerationId, EnumerationKey, EnumerationState, Keep};

impl Run<'_> {
    /// Where a question goes on. One that is damaged begins anew, which is told.
    pub(super) fn begin_question(
        &mut self,
        key: EnumerationKey<'_>,
    ) -> Result<EnumerationState, RunError> {
        let state = self.session.enumeration(key)?;
        if let Some(damage) = &state.damage {
            self.progress.say(&format!("{} begins anew: {damage}", key.label));
        }
        Ok(state)
    }

    /// Adds what a question has come to so far to the summary, and its figures to those of the run.
    pub(super) fn end_question(
        &mut self,
        key: EnumerationKey<'_>,
        id: EnumerationId,
    ) -> Result<(), RunError> {
        let totals = self.session.catalog().enumeration_totals(id)?;
        self.summary.entries += totals.figures;
        if key.keep == Keep::All {
            self.session.add_enumeration(id, key.set)?;
        } else {
            self.session.add_kept(id, key.set)?;
            self.summary.in_numbers.add_all(&totals);
        }
        Ok(())
    }
}
