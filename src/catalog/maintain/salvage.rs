//! Copies the readable rows of a damaged catalog to a new one.
//!
//! A damaged page makes SQLite abort a whole scan. Every table is therefore read by ranges of its key. A range that
//! fails is halved until the unreadable rows are isolated. A row is saved if it is sound by itself and matches its
//! checksum, so no row gets the values of another. The next run recomputes lost results.

use super::check::{check_catalog, figure_is_sound, open_alone, open_damaged};
use super::publish::{PublishError, require_target};
use super::row_checks::{problem_of_outcome, problem_of_proof, problem_of_set, work_of};
use super::values::delete_impossible;
use crate::checksum::{Sealed, add_checksum_function};
use crate::collect::collect_rows;
use crate::lock::Watch;
use crate::open::{connect, foreign_log, is_unmerged, merge_log, require_file_name};
use crate::outcomes::OutcomeColumns;
use crate::proofs::by_search;
use crate::schema::create;
use crate::temporary::{put_new_file, temporary_folder, with_suffix};
use crate::{Catalog, CatalogError, enumerations};
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params_from_iter};
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Salvage {
    pub tables: Vec<SalvagedTable>,
    /// True if the log next to the catalog was ignored. More rows were readable without it, so it belongs to another
    /// file.
    pub without_log: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SalvagedTable {
    pub table: &'static str,
    /// Rows of the new catalog.
    pub saved: u64,
    /// Rows that are readable but damaged, or belong to lost rows.
    pub refused: u64,
    /// Unreadable keys: the largest number of lost rows.
    pub unreadable: u64,
}

/// An error of a salvage. Nothing was saved.
#[derive(Debug, thiserror::Error)]
pub enum SalvageError {
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    #[error(transparent)]
    Target(#[from] PublishError),
    #[error("{0} exists; choose another file, or remove it first")]
    Exists(PathBuf),
    #[error("cannot write the new catalog")]
    Write(#[from] std::io::Error),
    #[error(
        "the salvaged rows are inconsistent, so the new catalog was discarded: {0}. Restore a copy of the catalog, \
         or repeat its runs and imports"
    )]
    Unsound(String),
}

/// Failed ranges after which a table is abandoned: some millions of lost rows.
const MAX_BREAKS: u64 = 1 << 22;

/// Deletes figures that no row with a checksum confirms. A damaged signature can be that of another figure.
const UNCONFIRMED: &str = "
    DELETE FROM figure WHERE id NOT IN (
        SELECT figure_id FROM name UNION ALL SELECT figure_id FROM outcome
        UNION ALL SELECT figure_id FROM enumerated UNION ALL SELECT figure_id FROM structure
        UNION ALL SELECT figure_id FROM proof UNION ALL SELECT figure_id FROM published_count);
    DELETE FROM timing WHERE figure_id NOT IN (SELECT id FROM figure)";

/// Deletes requests of questions that restart.
const UNASKED: &str = "DELETE FROM request WHERE enumeration_id IS NOT NULL AND enumeration_id NOT IN (SELECT id FROM enumeration)";

/// The set of saved ids, which count from 1 without large gaps.
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

/// Copies the readable rows of a damaged catalog to a new file. `target` appears whole and must not exist, unless it is
/// an unchanged result of the same salvage. Without a target the copy is deleted: it only shows how much can be saved.
/// The damaged catalog stays unchanged.
pub fn salvage(path: &Path, target: Option<&Path>) -> Result<Salvage, SalvageError> {
    require_file_name(path)?;
    if let Some(target) = target {
        require_target(target)?;
        if target.exists() && Catalog::open_read_only(target).is_err() {
            return Err(SalvageError::Exists(target.to_owned()));
        }
    }
    let (folder, _lock) = match target {
        None => (TempDir::new()?, None),
        Some(target) => temporary_folder(target)?,
    };
    let (new, salvage) = salvage_best_view(path, folder.path())?;
    if let Some(target) = target {
        File::open(&new)?.sync_all()?;
        if !put_new_file(&new, target)? {
            return Err(SalvageError::Exists(target.to_owned()));
        }
    }
    Ok(salvage)
}

/// Salvages with and without the log and keeps the better result. A log of another file replaces pages of the
/// catalog, and its rows may look valid.
fn salvage_best_view(path: &Path, folder: &Path) -> Result<(PathBuf, Salvage), SalvageError> {
    let (whole, alone) = (folder.join("whole.db"), folder.join("alone.db"));
    if Watch::new(path).is_held() {
        let tables = rescue(&open_damaged(path)?, path, &whole)?;
        return Ok((whole, Salvage { tables, without_log: false }));
    }
    let without_log = || -> Result<_, SalvageError> {
        let connection = open_alone(path)?;
        let tables = rescue(&connection, path, &alone)?;
        Ok((faults(&connection, &tables), tables))
    };
    if !is_unmerged(path) || foreign_log(path)?.is_some() {
        let (_, tables) = without_log()?;
        return Ok((alone, Salvage { tables, without_log: is_unmerged(path) }));
    }
    // SQLite changes a database that it reads with a log, so this uses a copy.
    let with_log = || -> Result<_, SalvageError> {
        let connection = open_copy(&copy_with_log(path, folder)?)?;
        let tables = rescue(&connection, path, &whole)?;
        Ok((faults(&connection, &tables), tables))
    };
    match (with_log(), without_log()) {
        // With a full disk, the other result would be used by mistake.
        (
            Err(error @ (SalvageError::Write(_) | SalvageError::Catalog(CatalogError::NoRoom(_)))),
            _,
        ) => Err(error),
        (Ok((with, tables)), Ok((without, _))) if with <= without => {
            Ok((whole, Salvage { tables, without_log: false }))
        }
        (Ok((_, tables)), Err(_)) => Ok((whole, Salvage { tables, without_log: false })),
        (_, Ok((_, tables))) => Ok((alone, Salvage { tables, without_log: true })),
        (Err(error), Err(_)) => Err(error),
    }
}

/// Counts faults of pages and indexes, and lost rows.
fn faults(from: &Connection, saved: &[SalvagedTable]) -> u64 {
    let pages = || -> rusqlite::Result<u64> {
        let sql = "PRAGMA integrity_check(100000)";
        let lines: Vec<String> = collect_rows(from, sql, [], |row| row.get(0))?;
        Ok(lines.iter().filter(|line| *line != "ok").count() as u64)
    };
    // If the check itself fails, the number of faults is unknown and large.
    let pages = pages().unwrap_or(u64::from(u32::MAX));
    pages + saved.iter().map(|table| table.refused + table.unreadable).sum::<u64>()
}

fn copy_with_log(path: &Path, folder: &Path) -> std::io::Result<PathBuf> {
    let (real, copy) = (path.canonicalize()?, folder.join("copy.db"));
    std::fs::copy(&real, &copy)?;
    for ending in ["-wal", "-journal"] {
        let log = with_suffix(&real, ending);
        if log.exists() {
            std::fs::copy(log, with_suffix(&copy, ending))?;
        }
    }
    Ok(copy)
}

/// Opens a copy of a damaged catalog after merging its log.
fn open_copy(copy: &Path) -> Result<Connection, SalvageError> {
    let failed = |source| CatalogError::sql(copy, "merge the log of a copy of it", source);
    let connection = connect(copy, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
    merge_log(&connection).map_err(failed)?;
    drop(connection);
    Ok(open_alone(copy)?)
}

/// Writes the readable rows to a new, sound catalog.
fn rescue(from: &Connection, path: &Path, new: &Path) -> Result<Vec<SalvagedTable>, SalvageError> {
    let failed = |source| CatalogError::sql(path, "save its rows", source);
    // A file of this size has no more rows.
    let most = path.metadata()?.len() / 4;
    let mut saved = {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect(new, flags).map_err(failed)?;
        add_checksum_function(&connection).map_err(failed)?;
        create(&mut connection).map_err(failed)?;
        let transaction = connection.transaction().map_err(failed)?;
        let mut rescue = Rescue { from, into: &transaction, most, known: BTreeMap::new() };
        let saved = TABLES.iter().map(|table| rescue.table(table)).collect::<Result<_, _>>();
        let saved: Vec<SalvagedTable> = saved.map_err(failed)?;
        transaction.commit().map_err(failed)?;
        saved
    };
    let mut catalog = Catalog::open(new)?;
    // Without an index of the members of enumerations, each deleted figure would read all of them.
    catalog.skip_reference_checks()?;
    catalog.write("check enumerations", |transaction| {
        delete_impossible(transaction)?;
        // Inconsistent enumerations restart: a row may be lost without an unreadable page.
        enumerations::delete_damaged(transaction)?;
        transaction.execute_batch(UNASKED)?;
        transaction.execute_batch(UNCONFIRMED)
    })?;
    for table in &mut saved {
        let sql = format!("SELECT count(*) FROM {}", table.table);
        let kept = catalog.number("count saved rows", &sql)?;
        table.refused += table.saved.saturating_sub(kept);
        table.saved = kept;
    }
    catalog.merge()?;
    drop(catalog);
    match check_catalog(new, true)?.findings.first() {
        None => Ok(saved),
        Some(finding) => Err(SalvageError::Unsound(format!(
            "{} {}: {}",
            finding.part, finding.what, finding.problem
        ))),
    }
}

struct Rescue<'a> {
    from: &'a Connection,
    into: &'a Connection,
    most: u64,
    /// The saved ids of each table that has some.
    known: BTreeMap<&'static str, Ids>,
}

/// Rows of a table, read by a key. With an outer column, they are read for each of its values.
struct TableScan {
    table: &'static str,
    outer: Option<&'static str>,
    key: &'static str,
    /// Returns whether a row is sound, apart from references and checksum.
    is_sound: fn(&Connection, &Row<'_>) -> rusqlite::Result<bool>,
}

impl TableScan {
    const fn of(table: &'static str, key: &'static str) -> Self {
        Self { table, outer: None, key, is_sound: |_, _| Ok(true) }
    }
}

/// All tables. Rows refer only to earlier ones.
static TABLES: [TableScan; 16] = [
    TableScan { is_sound: set_is_sound, ..TableScan::of("piece_set", "id") },
    TableScan::of("source", "id"),
    TableScan::of("place", "source_id"),
    TableScan { is_sound: |_, row| Ok(figure_is_sound(row)), ..TableScan::of("figure", "id") },
    TableScan { outer: Some("source_id"), ..TableScan::of("name", "ordinal") },
    TableScan { outer: Some("source_id"), ..TableScan::of("fault", "ordinal") },
    TableScan { is_sound: outcome_is_sound, ..TableScan::of("outcome", "figure_id") },
    TableScan::of("enumeration", "id"),
    TableScan::of("request", "id"),
    TableScan { outer: Some("enumeration_id"), ..TableScan::of("enumerated", "figure_id") },
    TableScan::of("enumeration_total", "enumeration_id"),
    TableScan::of("published_count", "figure_id"),
    TableScan::of("structure", "figure_id"),
    TableScan { is_sound: proof_is_sound, ..TableScan::of("proof", "figure_id") },
    TableScan::of("run", "id"),
    TableScan::of("timing", "figure_id"),
];

/// Returns the saved table to whose ids a column refers.
fn referred_table(column: &str) -> Option<&'static str> {
    Some(match column {
        "figure_id" => "figure",
        "set_id" => "piece_set",
        "source_id" => "source",
        "enumeration_id" => "enumeration",
        "run_id" => "run",
        _ => return None,
    })
}

impl Rescue<'_> {
    fn table(&mut self, scan: &TableScan) -> rusqlite::Result<SalvagedTable> {
        let mut saved = SalvagedTable { table: scan.table, saved: 0, refused: 0, unreadable: 0 };
        match scan.outer {
            None => self.ranges(scan, "", &mut saved)?,
            Some(column) => {
                let table = referred_table(column).and_then(|table| self.known.get(table));
                for id in table.map(Ids::all).unwrap_or_default() {
                    self.ranges(scan, &format!("{column} = {id} AND "), &mut saved)?;
                }
            }
        }
        Ok(saved)
    }

    /// Returns whether a value of a column refers to no lost row.
    fn is_known(&self, column: &str, value: &Value) -> bool {
        match (referred_table(column), value) {
            (None, _) | (_, Value::Null) => true,
            (Some(table), Value::Integer(id)) => {
                self.known.get(table).is_some_and(|ids| ids.has(*id))
            }
            _ => false,
        }
    }

    fn ranges(
        &mut self,
        scan: &TableScan,
        within: &str,
        saved: &mut SalvagedTable,
    ) -> rusqlite::Result<()> {
        let TableScan { table, key, .. } = scan;
        let (columns, insert) = self.insertion(table)?;
        let matches = Sealed::of_table(table).map(|sealed| sealed.matches(&columns));
        let sql =
            format!("SELECT * FROM {table} WHERE {within}{key} BETWEEN ? AND ? ORDER BY {key}");
        // Damage in the schema of one table does not affect the others.
        let Ok(mut statement) = self.from.prepare(&sql) else {
            saved.unreadable += 1;
            return Ok(());
        };
        let greatest = format!("SELECT max({key}) FROM {table} WHERE {within}{key} >= 0");
        let greatest = self.from.query_row(&greatest, [], |row| row.get::<_, Option<i64>>(0));
        let greatest = greatest.map_or(self.most.cast_signed(), |last| last.unwrap_or(-1));
        let mut left = VecDeque::from([(0, greatest)]);
        let mut breaks = 0;
        while let Some((first, last)) = left.pop_front() {
            if first > last {
                continue;
            }
            // A scan ends at the first key above its bound, and a damaged key may be larger than any other.
            let bound = if last == greatest { i64::MAX } else { last };
            let mut rows = statement.query([first, bound])?;
            let mut next = first;
            let broken = loop {
                let row = match rows.next() {
                    Ok(Some(row)) => row,
                    Ok(None) => break false,
                    Err(_) => break true,
                };
                let Ok(at) = row.get::<_, i64>(*key) else { break true };
                // Rows with the same key, such as a figure with two sets, are read again together.
                next = at.max(first);
                match self.save(scan, row, &columns, (&insert, matches.as_deref()))? {
                    Some(written) => saved.saved += written as u64,
                    None => saved.refused += 1,
                }
            };
            if !broken {
                continue;
            }
            breaks += 1;
            if next == last {
                saved.unreadable += 1;
            } else if breaks > MAX_BREAKS {
                saved.unreadable += last.abs_diff(next);
            } else {
                let middle = next + (last - next) / 2;
                left.extend([(next, middle), (middle + 1, last)]);
            }
        }
        Ok(())
    }

    /// Writes a row to the new catalog, unless it is damaged. Returns the number of new rows.
    fn save(
        &mut self,
        scan: &TableScan,
        row: &Row<'_>,
        columns: &[String],
        (insert, matches): (&str, Option<&str>),
    ) -> rusqlite::Result<Option<usize>> {
        let values = columns.iter().map(|column| row.get(column.as_str()));
        // A text may not be UTF-8.
        let Ok(values) = values.collect::<rusqlite::Result<Vec<Value>>>() else { return Ok(None) };
        let known = columns.iter().zip(&values).all(|(column, value)| self.is_known(column, value));
        if !known || !(scan.is_sound)(self.into, row).unwrap_or(false) {
            return Ok(None);
        }
        if let Some(matches) = matches {
            let mut statement = self.into.prepare_cached(matches)?;
            if !statement.query_row(params_from_iter(&values), |row| row.get(0))? {
                return Ok(None);
            }
        }
        let written = match self.into.prepare_cached(insert)?.execute(params_from_iter(values)) {
            // A value of the wrong type, or a duplicate.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                return Ok(None);
            }
            written => written?,
        };
        if scan.key == "id" {
            self.known.entry(scan.table).or_default().put(row.get("id")?);
        }
        Ok(Some(written))
    }

    /// Returns the common columns and a statement that inserts missing rows. The damaged schema may lack some
    /// columns.
    fn insertion(&self, table: &str) -> rusqlite::Result<(Vec<String>, String)> {
        let of = |connection: &Connection, and: &str| -> rusqlite::Result<Vec<String>> {
            let sql = format!("SELECT name FROM pragma_table_info(?) {and}");
            // A damaged name may not be UTF-8. It is that of no column.
            let name = |row: &Row<'_>| Ok(row.get::<_, String>(0).unwrap_or_default());
            collect_rows(connection, &sql, [table], name)
        };
        let (mut columns, wanted) = (of(self.from, "")?, of(self.into, "")?);
        columns.retain(|name| wanted.contains(name));
        let quoted = |names: &[String]| -> String {
            names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
        };
        let key = of(self.into, "WHERE pk > 0 ORDER BY pk")?;
        let insert = format!(
            "INSERT INTO {table} ({}) VALUES ({}) ON CONFLICT ({}) DO NOTHING",
            quoted(&columns),
            vec!["?"; columns.len()].join(", "),
            quoted(&key)
        );
        Ok((columns, insert))
    }
}

fn set_is_sound(_: &Connection, row: &Row<'_>) -> rusqlite::Result<bool> {
    let (name, definition): (String, String) = (row.get("name")?, row.get("definition")?);
    Ok(problem_of_set(&name, &definition).is_none())
}

/// Returns whether a proof is sound. The outcome of its figure, if it is readable, must be saved already.
fn proof_is_sound(into: &Connection, row: &Row<'_>) -> rusqlite::Result<bool> {
    let sql = format!(
        "SELECT count(*) FROM outcome o WHERE o.figure_id = ? AND o.set_id = ? AND ({}) IS NOT TRUE",
        by_search("o")
    );
    let key: (i64, i64) = (row.get("figure_id")?, row.get("set_id")?);
    let others: i64 = into.prepare_cached(&sql)?.query_row(key, |row| row.get(0))?;
    Ok(others == 0 && problem_of_proof(row)?.is_none())
}

/// Returns whether an outcome is sound. Its figure must be saved already.
fn outcome_is_sound(into: &Connection, row: &Row<'_>) -> rusqlite::Result<bool> {
    let sql = "SELECT c.\"order\", c.rotation_order FROM figure f
               JOIN symmetry_class c ON c.id = f.class_id WHERE f.id = ?";
    let order = |row: &Row<'_>, at| -> rusqlite::Result<u128> {
        Ok(row.get::<_, i64>(at)?.unsigned_abs().into())
    };
    let orders = into
        .prepare_cached(sql)?
        .query_row([row.get::<_, i64>("figure_id")?], |row| Ok([order(row, 0)?, order(row, 1)?]))?;
    let columns = OutcomeColumns::read(row)?;
    let work = work_of(row)?;
    Ok(columns.is_some_and(|columns| problem_of_outcome(columns, work, orders).is_none()))
}
