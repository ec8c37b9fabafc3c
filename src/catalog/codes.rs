//! Codes of words that rows share: the position in the list of words, from 1.
//!
//! A catalog stores the words in tables, so that its views can spell them.

use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};
use somacat_counting::question::Keep;
use somacat_geometry::outcome::{Engine, Reason, Verdict};
use somacat_geometry::spelling::Spelling;

/// Numbers that do not form a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidCode(pub(super) String);

/// A value that rows store as a number. The table of its words is called [`Spelling::KIND`].
pub(super) trait Code: Spelling {
    fn code(self) -> i64 {
        let at = Self::WORDS.iter().position(|(value, _)| *value == self);
        1 + at.expect("the list has every value") as i64
    }

    fn of_code(code: i64) -> Option<Self> {
        let at = usize::try_from(code.checked_sub(1)?).ok()?;
        Self::WORDS.get(at).map(|(value, _)| *value)
    }

    fn decode(code: i64) -> Result<Self, InvalidCode> {
        let unknown = || InvalidCode(format!("unknown {} {code}", Self::KIND));
        Self::of_code(code).ok_or_else(unknown)
    }
}

impl<T: Spelling> Code for T {}

/// Reads which figures an enumeration keeps. Rows store it as it is written in plans.
pub(super) fn keep(row: &Row<'_>, column: usize) -> rusqlite::Result<Keep> {
    let text: String = row.get(column)?;
    text.try_into().map_err(|error: String| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
    })
}

/// Returns the codes of the exact verdicts, as a list for SQL.
pub(super) fn exact_verdicts() -> String {
    verdicts(Verdict::is_exact)
}

/// Returns the codes of the buildable verdicts, as a list for SQL.
pub(super) fn buildable_verdicts() -> String {
    verdicts(Verdict::is_buildable)
}

fn verdicts(wanted: fn(Verdict) -> bool) -> String {
    let wanted = Verdict::WORDS.iter().filter(|(verdict, _)| wanted(*verdict));
    wanted.map(|(verdict, _)| verdict.code().to_string()).collect::<Vec<_>>().join(", ")
}

/// Fills the tables of words of a new catalog.
pub(super) fn fill(transaction: &Connection) -> rusqlite::Result<()> {
    fill_table::<Verdict>(transaction)?;
    fill_table::<Reason>(transaction)?;
    fill_table::<Engine>(transaction)
}

fn fill_table<T: Code>(transaction: &Connection) -> rusqlite::Result<()> {
    let sql = format!("INSERT INTO {} VALUES (?, ?)", T::KIND);
    T::WORDS.iter().try_for_each(|(value, word)| {
        transaction.execute(&sql, params![value.code(), word]).map(|_| ())
    })
}
