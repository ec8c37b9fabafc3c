//! User-written SQL statements.

use super::super::{Catalog, CatalogError};
use rusqlite::types::ValueRef;
use rusqlite::{ErrorCode, Statement};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, PartialEq, Debug)]
pub enum SqlValue {
    /// NULL.
    Empty,
    Integer(i64),
    Real(f64),
    Text(String),
    /// A blob, by its number of bytes.
    Bytes(usize),
}

/// Steps of SQLite's virtual machine between checks of the time limit: some milliseconds.
const TIME_CHECK_INTERVAL: i32 = 100_000;

impl Catalog {
    /// Prepares a text that must be one reading statement.
    fn prepare_reading(&self, sql: &str) -> Result<Statement<'_>, CatalogError> {
        let refused = |reason: &str| CatalogError::NotReadOnly(reason.to_owned());
        if sql.trim().trim_end_matches(';').trim().is_empty() {
            return Err(refused("this one is empty"));
        }
        let statement = self.connection.prepare(sql).map_err(|error| {
            let text = message(&error);
            refused(&match self.column_to_quote(&text) {
                Some(word) => {
                    format!("{text}; {word} is a keyword of SQL, so write the column as \"{word}\"")
                }
                None => text,
            })
        })?;
        match statement.readonly() {
            true if statement.column_count() == 0 => Err(refused("this one has no columns")),
            true => Ok(statement),
            false => Err(refused("this one writes")),
        }
    }

    /// Returns the word at which SQLite found a syntax error, if a column has this name.
    fn column_to_quote(&self, message: &str) -> Option<String> {
        let (word, _) = message.strip_prefix("near \"")?.split_once("\": syntax error")?;
        let word = word.to_lowercase();
        self.sql_columns("SELECT * FROM figures").ok()?.contains(&word).then_some(word)
    }

    /// Returns the columns of a user's reading statement. Of columns with one name, the second ends with `:1`, and so
    /// on, as in subqueries of SQLite: a JSON object has no key twice.
    pub fn sql_columns(&self, sql: &str) -> Result<Vec<String>, CatalogError> {
        let statement = self.prepare_reading(sql)?;
        let mut columns: Vec<String> = Vec::new();
        for name in statement.column_names() {
            let others = (1..).map(|n| format!("{name}:{n}"));
            let mut names = std::iter::once(name.to_owned()).chain(others);
            columns.extend(names.find(|name| !columns.contains(name)));
        }
        Ok(columns)
    }

    /// Calls `visit` with every row of a user's reading statement. Returns the number of rows. SQLite may take
    /// `limit` in total, not counting the time of `visit`.
    ///
    /// # Errors
    /// If the statement writes, is not a single one, takes longer, SQLite fails, or `visit` does.
    pub fn select_sql<E: From<CatalogError>>(
        &self,
        sql: &str,
        limit: Duration,
        mut visit: impl FnMut(Vec<SqlValue>) -> Result<(), E>,
    ) -> Result<u64, E> {
        // Nanoseconds spent in `visit`, which the time of SQLite does not include.
        let visiting = Arc::new(AtomicU64::new(0));
        let (begun, others) = (Instant::now(), visiting.clone());
        let is_late = move || {
            let others = Duration::from_nanos(others.load(Ordering::Relaxed));
            begun.elapsed().saturating_sub(others) > limit
        };
        let failed = |source: rusqlite::Error| match source.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => CatalogError::TimeLimit(limit),
            _ => self.failed("answer the statement")(source),
        };
        self.connection.progress_handler(TIME_CHECK_INTERVAL, Some(is_late)).map_err(failed)?;
        let mut statement = self.prepare_reading(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(failed)?;
        let mut visited = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            let value = |at| row.get_ref(at).map(SqlValue::from);
            let values: rusqlite::Result<Vec<SqlValue>> = (0..columns).map(value).collect();
            let begun = Instant::now();
            visit(values.map_err(failed)?)?;
            visiting.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
            visited += 1;
        }
        Ok(visited)
    }
}

impl From<ValueRef<'_>> for SqlValue {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Empty,
            ValueRef::Integer(n) => Self::Integer(n),
            ValueRef::Real(x) => Self::Real(x),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.len()),
        }
    }
}

/// Formats SQLite's message on a statement, without its error code.
fn message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, sql, offset, .. } => {
            let before = usize::try_from(*offset).ok().and_then(|at| sql.get(..at));
            match before {
                Some(before) => format!("{msg} (at character {})", before.chars().count() + 1),
                None => msg.clone(),
            }
        }
        other => other.to_string(),
    }
}
