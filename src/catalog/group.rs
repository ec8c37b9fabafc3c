//! Statements that take many rows.
//!
//! A statement with one row opens the table and each of its indexes for that row, and closes them again. This takes as
//! long as all else: with [`GROUP`] rows a statement, a figure is stored in half of the time.

use rusqlite::{CachedStatement, Connection, ToSql, params_from_iter};

/// The rows of a statement.
pub(super) const GROUP: usize = 64;

/// A statement that inserts [`GROUP`] rows of parameters, `INSERT OR IGNORE`.
///
/// With the usual conflict clause, SQLite undoes a statement that fails in the midst of its rows, and for that copies each
/// page that the statement changes.
pub(super) struct Group<'a> {
    transaction: &'a Connection,
    /// The statement up to its rows.
    sql: &'static str,
    columns: usize,
    /// Prepared for the first row: most batches have fewer rows than a group.
    statement: Option<CachedStatement<'a>>,
    bound: usize,
}

impl<'a> Group<'a> {
    pub(super) const fn new(
        transaction: &'a Connection,
        sql: &'static str,
        columns: usize,
    ) -> Self {
        Self { transaction, sql, columns, statement: None, bound: 0 }
    }

    fn statement(&mut self) -> rusqlite::Result<&mut CachedStatement<'a>> {
        if self.statement.is_none() {
            let row = format!("({})", vec!["?"; self.columns].join(", "));
            let sql = format!("{} {}", self.sql, vec![row; GROUP].join(", "));
            self.statement = Some(self.transaction.prepare_cached(&sql)?);
        }
        Ok(self.statement.as_mut().expect("just prepared"))
    }

    /// Sets the parameters of the next row.
    pub(super) fn bind(&mut self, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        let from = self.bound;
        self.bound += values.len();
        let statement = self.statement()?;
        (from + 1..).zip(values).try_for_each(|(at, value)| statement.raw_bind_parameter(at, value))
    }

    /// Runs the statement with all rows. Returns the number of rows that it wrote.
    pub(super) fn execute(&mut self) -> rusqlite::Result<usize> {
        self.bound = 0;
        self.statement()?.raw_execute()
    }
}

/// Stores rows of numbers, except those whose key exists. `insert` is the statement without its rows, `INSERT OR IGNORE`.
pub(super) fn insert_new<const COLUMNS: usize>(
    transaction: &Connection,
    insert: &'static str,
    rows: &[[i64; COLUMNS]],
) -> rusqlite::Result<()> {
    let (groups, rest) = rows.as_chunks::<GROUP>();
    let mut statement = Group::new(transaction, insert, COLUMNS);
    for group in groups {
        for row in group {
            statement.bind(&row.each_ref().map(|number| number as &dyn ToSql))?;
        }
        statement.execute()?;
    }
    let row = vec!["?"; COLUMNS].join(", ");
    let mut statement = transaction.prepare_cached(&format!("{insert} ({row})"))?;
    rest.iter().try_for_each(|row| statement.execute(params_from_iter(row)).map(|_| ()))
}
