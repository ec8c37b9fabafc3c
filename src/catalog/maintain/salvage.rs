//! What can be read of a damaged catalog, row by row, in a new one.
//!
//! A damaged page makes SQLite give up a whole scan. So every table is read by stretches of its
//! key; where one breaks off, what is left of it is halved until the rows that cannot be read stand
//! alone. A row is saved if it is sound by itself; whatever is lost, the next run makes again.

use super::check::{Checkup, figure_is_sound, open_damaged, problem_of_row};
use super::migrate::{create, version_of};
use super::publish::PublishError;
use crate::catalog::{Catalog, CatalogError, SCHEMA_VERSION, enumerations};
use crate::pieces::parse_piece_lines;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, Row, Transaction, params_from_iter};
use std::collections::VecDeque;
use std::path::Path;

/// What was saved of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SalvagedTable {
    /// Its name.
    pub table: &'static str,
    /// Rows saved.
    pub saved: u64,
    /// Rows that could be read but are not sound, or belong to something lost.
    pub refused: u64,
    /// Keys at which nothing could be read: at most so many rows are lost there.
    pub unreadable: u64,
}

/// Why nothing was saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SalvageError {
    /// The damaged catalog cannot be opened at all.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// There is a file already.
    #[error(transparent)]
    Exists(PublishError),
    /// The new catalog cannot be written.
    #[error("cannot write the new catalog")]
    Write(#[from] std::io::Error),
}

/// Stretches that break off before a table is given up: some millions of lost rows.
const MOST_BREAKS: u64 = 1 << 22;

/// Which numbers were saved: ids count from 1 without large gaps.
#[derive(Default)]
struct Ids(Vec<u64>);

impl Ids {
    fn put(&mut self, id: i64) {
        let Ok(id) = usize::try_from(id) else { return };
        if self.0.len() <= id / 64 {
            self.0.resize(id / 64 + 1, 0);
        }
        self.0[id / 64] |= 1 << (id % 64);
    }

    fn has(&self, id: i64) -> bool {
        usize::try_from(id)
            .is_ok_and(|id| self.0.get(id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1))
    }

    fn all(&self) -> Vec<i64> {
        (0..self.0.len() as i64 * 64).filter(|id| self.has(*id)).collect()
    }
}

#[derive(Default)]
struct KnownIds {
    figures: Ids,
    sources: Ids,
    sets: Ids,
    enumerations: Ids,
    runs: Ids,
}

/// Reads what can be read of a damaged catalog, and writes it to a new one if `target` is given,
/// which must not exist; it appears whole. An older catalog is brought up to date on the way.
///
/// # Errors
/// If nothing can be read, there is a file called `target`, or it cannot be written.
pub fn salvage(path: &Path, target: Option<&Path>) -> Result<Vec<SalvagedTable>, SalvageError> {
    let from = open_damaged(path, &mut Checkup::default())?;
    // A file of so many bytes has no more rows.
    let most = path.metadata()?.len() / 4;
    let Some(target) = target else {
        let saved = Rescue::new(&from, None, most).all();
        return Ok(saved.map_err(|source| CatalogError::sql(path, "read what is left", source))?);
    };
    if target.exists() {
        return Err(SalvageError::Exists(PublishError::Exists(target.to_owned())));
    }
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = tempfile::Builder::new()
        .prefix(".somacat-")
        .suffix(".part")
        .tempdir_in(folder.unwrap_or(Path::new(".")))?;
    let new = folder.path().join("saved.db");
    // Rows fit a catalog of their own version.
    let version = version_of(&from).ok().filter(|version| (1..SCHEMA_VERSION).contains(version));
    create(&new, version.unwrap_or(SCHEMA_VERSION))?;
    let mut saved = {
        let failed = |source| CatalogError::sql(target, "write what can be saved", source);
        let mut connection = Connection::open(&new).map_err(failed)?;
        let transaction = connection.transaction().map_err(failed)?;
        let saved = Rescue::new(&from, Some(&transaction), most).all().map_err(failed)?;
        transaction.commit().map_err(failed)?;
        saved
    };
    let mut new_catalog = Catalog::open(&new)?;
    forget_unsound(&mut new_catalog, &mut saved)?;
    drop(new_catalog);
    std::fs::rename(&new, target)?;
    Ok(saved)
}

/// Enumerations that do not hold together begin anew: a row may be lost without a page that cannot be read.
fn forget_unsound(catalog: &mut Catalog, saved: &mut [SalvagedTable]) -> Result<(), CatalogError> {
    let lost = catalog.write("look at enumerations", |transaction| {
        enumerations::forget_unsound(transaction)
    })?;
    for (table, rows) in lost {
        for saved in saved.iter_mut().filter(|saved| saved.table == table) {
            saved.saved = saved.saved.saturating_sub(rows);
            saved.refused += rows;
        }
    }
    Ok(())
}

struct Rescue<'a> {
    from: &'a Connection,
    into: Option<&'a Transaction<'a>>,
    most: u64,
    known: KnownIds,
    done: Vec<SalvagedTable>,
}

/// A part of a table: the rows of which `outer` columns have a value, read by a number column.
struct Part<'a> {
    table: &'static str,
    /// What SELECT takes the rows from: the table, and what is needed to judge them.
    from: &'a str,
    /// A column that has to have one of these values.
    outer: Option<(&'static str, Vec<i64>)>,
    key: &'static str,
}

impl<'a> Rescue<'a> {
    fn new(from: &'a Connection, into: Option<&'a Transaction<'a>>, most: u64) -> Self {
        Self { from, into, most, known: KnownIds::default(), done: Vec::new() }
    }

    fn all(mut self) -> rusqlite::Result<Vec<SalvagedTable>> {
        let plain = |table, key| Part { table, from: table, outer: None, key };
        self.table(&plain("piece_set", "id"), |known, row| {
            let (id, name, definition): (i64, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let sound = parse_piece_lines(&name, &definition).is_ok();
            if sound {
                known.sets.put(id);
            }
            Ok(sound)
        })?;
        self.table(&plain("source", "id"), |known, row| {
            let sound = row.get_ref(1)?.as_str().is_ok();
            if sound {
                known.sources.put(row.get(0)?);
            }
            Ok(sound)
        })?;
        self.table(&plain("place", "source_id"), |known, row| Ok(known.sources.has(row.get(0)?)))?;
        self.table(&plain("figure", "id"), |known, row| {
            let sound = figure_is_sound(row);
            if sound {
                known.figures.put(row.get(0)?);
            }
            Ok(sound)
        })?;
        let by_source = |table, known: &KnownIds| Part {
            outer: Some(("source_id", known.sources.all())),
            ..plain(table, "ordinal")
        };
        self.table(&by_source("name", &self.known), |known, row| {
            // Names of schema version 1 have no set.
            let set: Option<i64> = row.get("set_id").unwrap_or_default();
            let has_set = set.is_none_or(|set| known.sets.has(set));
            Ok(has_set && known.figures.has(row.get("figure_id")?))
        })?;
        self.table(&by_source("fault", &self.known), |_, _| Ok(true))?;
        let outcomes = Part {
            from: "(SELECT o.*, c.\"order\" AS \"order\", c.rotation_order AS rotation_order
                    FROM outcome o CROSS JOIN figure f ON f.id = o.figure_id
                    CROSS JOIN symmetry_class c ON c.id = f.class_id)",
            ..plain("outcome", "figure_id")
        };
        self.table(&outcomes, |known, row| {
            let known = known.figures.has(row.get(0)?) && known.sets.has(row.get(1)?);
            Ok(known && problem_of_row(row)?.is_none())
        })?;
        self.enumerations(&plain)?;
        self.table(&plain("published_count", "figure_id"), |known, row| {
            Ok(known.figures.has(row.get(0)?) && known.sets.has(row.get(1)?))
        })?;
        self.table(&plain("run", "id"), |known, row| {
            known.runs.put(row.get(0)?);
            Ok(true)
        })?;
        self.table(&plain("timing", "figure_id"), |known, row| {
            Ok(known.figures.has(row.get(0)?) && known.runs.has(row.get(2)?))
        })?;
        Ok(self.done)
    }

    /// An enumeration says that everything up to its place is there. If something is lost that is
    /// not true any more, and it begins anew: what is counted is not counted again.
    fn enumerations(
        &mut self,
        plain: &dyn Fn(&'static str, &'static str) -> Part<'static>,
    ) -> rusqlite::Result<()> {
        let complete = |done: &[SalvagedTable]| {
            let tables = [
                "piece_set",
                "figure",
                "outcome",
                "enumeration",
                "enumeration_total",
                "enumerated",
            ];
            let lost = |saved: &SalvagedTable| saved.refused + saved.unreadable > 0;
            !done.iter().any(|saved| tables.contains(&saved.table) && lost(saved))
        };
        let (into, before) = (self.into.take(), self.done.len());
        for write in [false, true] {
            // What cannot be kept as a whole is looked at only.
            let whole = complete(&self.done);
            self.into = into.filter(|_| write && whole);
            if write {
                self.done.truncate(before);
            }
            self.table(&plain("enumeration", "id"), |known, row| {
                known.enumerations.put(row.get(0)?);
                Ok(true)
            })?;
            let known = self.known.enumerations.all();
            let listed =
                Part { outer: Some(("enumeration_id", known)), ..plain("enumerated", "figure_id") };
            self.table(&listed, |known, row| Ok(known.figures.has(row.get(1)?)))?;
            self.table(&plain("enumeration_total", "enumeration_id"), |_, _| Ok(true))?;
            if write && !whole {
                for saved in &mut self.done[before..] {
                    saved.refused += std::mem::take(&mut saved.saved);
                }
            }
        }
        self.into = into;
        Ok(())
    }

    /// Reads one table.
    fn table(
        &mut self,
        part: &Part<'_>,
        sound: impl Fn(&mut KnownIds, &Row<'_>) -> rusqlite::Result<bool>,
    ) -> rusqlite::Result<()> {
        let mut saved = SalvagedTable { table: part.table, saved: 0, refused: 0, unreadable: 0 };
        let stretches = match &part.outer {
            None => vec![None],
            Some((column, values)) => values.iter().map(|value| Some((*column, *value))).collect(),
        };
        for outer in stretches {
            self.stretches(part, outer, &sound, &mut saved)?;
        }
        self.done.push(saved);
        Ok(())
    }

    fn stretches(
        &mut self,
        part: &Part<'_>,
        outer: Option<(&str, i64)>,
        sound: &impl Fn(&mut KnownIds, &Row<'_>) -> rusqlite::Result<bool>,
        saved: &mut SalvagedTable,
    ) -> rusqlite::Result<()> {
        let Part { table, from, key, .. } = part;
        let within =
            outer.map_or(String::new(), |(column, value)| format!("{column} = {value} AND "));
        let columns = self.columns(table)?;
        let names: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
        let marks = vec!["?"; columns.len()].join(", ");
        let insert =
            format!("INSERT OR IGNORE INTO {table} ({}) VALUES ({marks})", names.join(", "));
        let sql =
            format!("SELECT * FROM {from} WHERE {within}{key} BETWEEN ? AND ? ORDER BY {key}");
        // Damage in a part that the table shares with no other leaves the others alone.
        let Ok(mut statement) = self.from.prepare(&sql) else {
            saved.unreadable += 1;
            return Ok(());
        };
        let greatest = format!("SELECT max({key}) FROM {table} WHERE {within}{key} >= 0");
        let greatest = self.from.query_row(&greatest, [], |row| row.get::<_, Option<i64>>(0));
        let last = greatest.map_or(self.most.cast_signed(), |last| last.unwrap_or(-1));
        let mut left = VecDeque::from([(0, last)]);
        let mut breaks = 0;
        while let Some((first, last)) = left.pop_front() {
            if first > last {
                continue;
            }
            let mut rows = statement.query([first, last])?;
            let mut next = first;
            let broken = loop {
                let row = match rows.next() {
                    Ok(Some(row)) => row,
                    Ok(None) => break false,
                    Err(_) => break true,
                };
                let Ok(at) = row.get::<_, i64>(*key) else { break true };
                // Rows of one key, such as a figure with two sets, are read again together.
                next = at.max(first);
                if !sound(&mut self.known, row).unwrap_or(false) {
                    saved.refused += 1;
                } else if let Some(into) = self.into {
                    let values: rusqlite::Result<Vec<Value>> =
                        columns.iter().map(|column| row.get(column.as_str())).collect();
                    let written = into.prepare_cached(&insert)?.execute(params_from_iter(values?));
                    match written {
                        Ok(written) => saved.saved += written as u64,
                        // A value of the wrong type, say.
                        Err(error)
                            if error.sqlite_error_code()
                                == Some(ErrorCode::ConstraintViolation) =>
                        {
                            saved.refused += 1;
                        }
                        Err(error) => return Err(error),
                    }
                } else {
                    saved.saved += 1;
                }
            };
            if !broken {
                continue;
            }
            breaks += 1;
            if next == last {
                saved.unreadable += 1;
            } else if breaks > MOST_BREAKS {
                saved.unreadable += last.abs_diff(next);
            } else {
                let middle = next + (last - next) / 2;
                left.extend([(next, middle), (middle + 1, last)]);
            }
        }
        Ok(())
    }

    /// The columns that a table has in both catalogs: the schema itself may be damaged.
    fn columns(&self, table: &str) -> rusqlite::Result<Vec<String>> {
        let of = |connection: &Connection| -> rusqlite::Result<Vec<String>> {
            let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?)")?;
            let names = statement.query_map([table], |row| row.get(0))?;
            names.collect()
        };
        let mut columns = of(self.from)?;
        if let Some(into) = self.into {
            let wanted = of(into)?;
            columns.retain(|name| wanted.contains(name));
        }
        Ok(columns)
    }
}
