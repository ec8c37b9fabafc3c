//! Codes of words that rows share: the position in the list, from 1.
//!
//! A catalog stores the words in tables, so that its views can spell them. `export::words` spells them for
//! everything else.

use rusqlite::{Transaction, params};
use somacat_geometry::outcome::{Engine, Reason, Verdict};

/// A value that rows store as a number.
pub(super) trait Code: Copy + PartialEq + 'static {
    const TABLE: &'static str;
    /// All values, each with its word, in the order of their codes.
    const WORDS: &'static [(Self, &'static str)];

    fn code(self) -> i64 {
        let at = Self::WORDS.iter().position(|(value, _)| *value == self);
        1 + at.expect("the list has every value") as i64
    }

    /// Decodes a code, if it is valid.
    fn of_code(code: i64) -> Option<Self> {
        let at = usize::try_from(code.checked_sub(1)?).ok()?;
        Self::WORDS.get(at).map(|(value, _)| *value)
    }
}

impl Code for Verdict {
    const TABLE: &'static str = "verdict";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Counted, "counted"),
        (Self::Unsolvable, "unsolvable"),
        (Self::AtLeast, "at-least"),
        (Self::Unknown, "unknown"),
        (Self::Failed, "failed"),
    ];
}

impl Code for Reason {
    const TABLE: &'static str = "reason";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Size, "size"),
        (Self::Parity, "parity"),
        (Self::Parts, "parts"),
        (Self::NoFit, "no-fit"),
        (Self::Exhausted, "exhausted"),
    ];
}

impl Code for Engine {
    const TABLE: &'static str = "engine";
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Search, "search"), (Self::Frontier, "frontier"), (Self::Census, "census")];
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
pub(super) fn fill(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    fill_table::<Verdict>(transaction)?;
    fill_table::<Reason>(transaction)?;
    fill_table::<Engine>(transaction)
}

fn fill_table<T: Code>(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = format!("INSERT INTO {} VALUES (?, ?)", T::TABLE);
    T::WORDS.iter().try_for_each(|(value, word)| {
        transaction.execute(&sql, params![value.code(), word]).map(|_| ())
    })
}
