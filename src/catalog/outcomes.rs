//! Conversion between outcomes and the columns of a row.

use super::codes::{Code, InvalidCode};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Row, RowIndex};
use somacat_geometry::outcome::{Counts, Outcome, Reason, Verdict};

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

    pub(super) fn outcome(self) -> Result<Outcome, InvalidCode> {
        let Self { verdict, reason, error, raw, rotation, unique } = self;
        let verdict = Verdict::decode(verdict)?;
        let reason = reason.map(Reason::decode).transpose()?;
        let explained = reason.is_some() || error.is_some();
        let exact = rotation.is_some() || unique.is_some();
        Err(InvalidCode(String::from(match (verdict, raw) {
            (Verdict::Counted, _) if explained => "counted, but with a reason",
            (Verdict::Counted, _) => match (raw, rotation, unique) {
                (Some(raw), Some(rotation), Some(unique)) => {
                    return Ok(Outcome::Counted(Counts { raw, rotation, unique }));
                }
                _ => "counted, but a count is missing",
            },
            (Verdict::Unsolvable, _) => match reason {
                None => "unsolvable, but without a reason",
                Some(_) if [raw, rotation, unique] != [Some(0); 3] => {
                    "unsolvable, but with packings"
                }
                Some(reason) => return Ok(Outcome::Unsolvable(reason)),
            },
            (Verdict::AtLeast | Verdict::Unknown, _) if explained => "undecided, but with a reason",
            (Verdict::AtLeast | Verdict::Unknown, _) if exact => {
                "undecided, but with an exact count"
            }
            (Verdict::AtLeast, Some(raw @ 1..)) => return Ok(Outcome::AtLeast(raw)),
            (Verdict::AtLeast, _) => "a lower bound, but less than 1",
            (Verdict::Unknown, Some(1..)) => "unknown, but with packings",
            (Verdict::Unknown, _) => return Ok(Outcome::Unknown),
            (Verdict::Failed, None) if !exact => match error {
                Some(error) => return Ok(Outcome::Failed(error)),
                None => "failed, but without an error",
            },
            (Verdict::Failed, _) => "failed, but with a count",
        })))
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
