//! Words that rows share, kept as numbers: position in the list, from 1.

use rusqlite::{Transaction, params};

const VERDICTS: [&str; 5] = ["counted", "unsolvable", "solvable", "unknown", "failed"];
const REASONS: [&str; 5] = ["size", "parity", "parts", "no-fit", "exhausted"];
const ENGINES: [&str; 3] = ["search", "frontier", "census"];

/// Fills the tables of words of a new catalog.
pub(super) fn fill(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for (table, words) in [("verdict", &VERDICTS[..]), ("reason", &REASONS), ("engine", &ENGINES)] {
        for (id, word) in (1..).zip(words) {
            let sql = format!("INSERT INTO {table} VALUES (?, ?)");
            transaction.execute(&sql, params![id as i64, word])?;
        }
    }
    Ok(())
}

fn id_of(words: &[&str], word: &str) -> Option<i64> {
    (1..).zip(words).find(|(_, known)| **known == word).map(|(id, _)| id)
}

fn word_of(words: &[&'static str], id: i64) -> Option<&'static str> {
    usize::try_from(id - 1).ok().and_then(|at| words.get(at)).copied()
}

/// The verdict of a number.
pub(super) fn verdict_word(id: i64) -> Option<&'static str> {
    word_of(&VERDICTS, id)
}

/// The reason of a number.
pub(super) fn reason_word(id: i64) -> Option<&'static str> {
    word_of(&REASONS, id)
}

/// The number of a verdict; 0, which the tables refuse, for a word that is none.
pub(super) fn verdict_id(word: &str) -> i64 {
    id_of(&VERDICTS, word).unwrap_or(0)
}

/// The number of a reason, if the word is one; a failed count's text is not.
pub(super) fn reason_id(word: &str) -> Option<i64> {
    id_of(&REASONS, word)
}

/// The number of an engine.
pub(super) fn engine_id(word: &str) -> Option<i64> {
    id_of(&ENGINES, word)
}
