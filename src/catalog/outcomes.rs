//! Conversion between outcomes and the columns of a row.

use super::codes::Code;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Row, RowIndex};
use somacat_geometry::outcome::{Counts, Outcome, Reason, Verdict};

/// Columns that do not form an outcome.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum InvalidOutcome {
    #[error("unknown verdict {0}")]
    Verdict(i64),
    #[error("unknown reason {0}")]
    Reason(i64),
    #[error("counted, but with a reason")]
    CountedWithReason,
    #[error("counted, but a count is missing")]
    CountMissing,
    #[error("unsolvable, but without a reason")]
    ReasonMissing,
    #[error("unsolvable, but with packings")]
    UnsolvableWithPackings,
    #[error("a lower bound, but less than 1")]
    BoundMissing,
    #[error("unknown, but with packings")]
    UnknownWithPackings,
    #[error("undecided, but with a reason")]
    UndecidedWithReason,
    #[error("undecided, but with an exact count")]
    UndecidedWithCount,
    #[error("failed, but without an error")]
    ErrorMissing,
    #[error("failed, but with a count")]
    FailedWithCount,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OutcomeColumns {
    pub(super) verdict: i64,
    pub(super) reason: Option<i64>,
    pub(super) error: Option<String>,
    pub(super) raw: Option<u128>,
    pub(super) rotation: Option<u128>,
    pub(super) unique: Option<u128>,
}

impl OutcomeColumns {
    /// Reads the columns `verdict_id`, `reason_id`, `error` and the three counts. `None` if the figure was never
    /// counted and has no verdict.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Option<Self>> {
        Self::read_at(row, ["verdict_id", "reason_id", "error", "raw", "rotation", "unique"])
    }

    /// Does the same as [`OutcomeColumns::read`] with these six columns.
    pub(super) fn read_at<I: RowIndex>(
        row: &Row<'_>,
        [verdict, reason, error, raw, rotation, unique]: [I; 6],
    ) -> rusqlite::Result<Option<Self>> {
        let Some(verdict) = row.get(verdict)? else { return Ok(None) };
        Ok(Some(Self {
            verdict,
            reason: row.get(reason)?,
            error: row.get(error)?,
            raw: count(row, raw)?,
            rotation: count(row, rotation)?,
            unique: count(row, unique)?,
        }))
    }

    /// Converts the columns to an outcome.
    pub(super) fn outcome(self) -> Result<Outcome, InvalidOutcome> {
        let Self { verdict: code, reason, error, raw, rotation, unique } = self;
        let verdict = Verdict::of_code(code).ok_or(InvalidOutcome::Verdict(code))?;
        let reason = reason.map(|code| Reason::of_code(code).ok_or(InvalidOutcome::Reason(code)));
        let reason = reason.transpose()?;
        let explained = reason.is_some() || error.is_some();
        let exact = rotation.is_some() || unique.is_some();
        match (verdict, raw) {
            (Verdict::Counted, _) if explained => Err(InvalidOutcome::CountedWithReason),
            (Verdict::Counted, _) => match (raw, rotation, unique) {
                (Some(raw), Some(rotation), Some(unique)) => {
                    Ok(Outcome::Counted(Counts { raw, rotation, unique }))
                }
                _ => Err(InvalidOutcome::CountMissing),
            },
            (Verdict::Unsolvable, _) => match reason {
                None => Err(InvalidOutcome::ReasonMissing),
                Some(_) if [raw, rotation, unique] != [Some(0); 3] => {
                    Err(InvalidOutcome::UnsolvableWithPackings)
                }
                Some(reason) => Ok(Outcome::Unsolvable(reason)),
            },
            (Verdict::AtLeast | Verdict::Unknown, _) if explained => {
                Err(InvalidOutcome::UndecidedWithReason)
            }
            (Verdict::AtLeast | Verdict::Unknown, _) if exact => {
                Err(InvalidOutcome::UndecidedWithCount)
            }
            (Verdict::AtLeast, Some(raw @ 1..)) => Ok(Outcome::AtLeast(raw)),
            (Verdict::AtLeast, _) => Err(InvalidOutcome::BoundMissing),
            (Verdict::Unknown, Some(1..)) => Err(InvalidOutcome::UnknownWithPackings),
            (Verdict::Unknown, _) => Ok(Outcome::Unknown),
            (Verdict::Failed, None) if !exact => {
                error.map(Outcome::Failed).ok_or(InvalidOutcome::ErrorMissing)
            }
            (Verdict::Failed, _) => Err(InvalidOutcome::FailedWithCount),
        }
    }
}

/// Converts a count for SQLite: an integer if it fits, else decimal text.
pub(super) fn count_value(count: Option<u128>) -> Value {
    match count.map(|n| (n, i64::try_from(n))) {
        None => Value::Null,
        Some((_, Ok(n))) => Value::Integer(n),
        Some((n, Err(_))) => Value::Text(n.to_string()),
    }
}

/// Reads a count written by [`count_value`].
fn count(row: &Row<'_>, column: impl RowIndex) -> rusqlite::Result<Option<u128>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(n) => u128::try_from(n).ok(),
        ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(|t| t.parse().ok()),
        _ => None,
    })
}
