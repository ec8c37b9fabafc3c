//! Statements of the user's own.

use super::super::{Catalog, CatalogError};
use rusqlite::Statement;
use rusqlite::types::ValueRef;

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum SqlValue {
    /// NULL.
    Empty,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
    /// A text.
    Text(String),
    /// Bytes; how many.
    Bytes(usize),
}

impl Catalog {
    /// Checks that a text is one reading statement and prepares it.
    fn prepare_reading(&self, sql: &str) -> Result<Statement<'_>, CatalogError> {
        let refused = |reason: &str| CatalogError::NotReadOnly(reason.to_owned());
        if sql.trim().trim_end_matches(';').trim().is_empty() {
            return Err(refused("this one is empty"));
        }
        let statement = self.connection.prepare(sql).map_err(|error| refused(&message(&error)))?;
        match statement.readonly() {
            true => Ok(statement),
            false => Err(refused("this one writes")),
        }
    }

    /// The columns that one reading statement of the user's gives.
    ///
    /// # Errors
    /// If the statement writes, is not one, or SQLite refuses it.
    pub fn sql_columns(&self, sql: &str) -> Result<Vec<String>, CatalogError> {
        let statement = self.prepare_reading(sql)?;
        Ok(statement.column_names().into_iter().map(str::to_owned).collect())
    }

    /// Shows every row of one reading statement of the user's to `visit`; returns how many.
    ///
    /// # Errors
    /// If the statement writes, is not one, SQLite fails, or `visit` does.
    pub fn select_sql<E: From<CatalogError>>(
        &self,
        sql: &str,
        mut visit: impl FnMut(Vec<SqlValue>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let failed = self.failed("answer the statement");
        let mut statement = self.prepare_reading(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(&failed)?;
        let mut shown = 0;
        while let Some(row) = rows.next().map_err(&failed)? {
            let value = |at| row.get_ref(at).map(SqlValue::from);
            let values: rusqlite::Result<Vec<SqlValue>> = (0..columns).map(value).collect();
            visit(values.map_err(&failed)?)?;
            shown += 1;
        }
        Ok(shown)
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

/// What SQLite says of a statement, without its number for it.
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
