//! The check of a catalog: the file, its pages, its schema, and every row.

use super::digest;
use super::row_checks::{
    FigureColumns, problem_of_figure, problem_of_outcome, problem_of_proof, problem_of_set, work_of,
};
use crate::CatalogError;
use crate::checksum::{ALL, Sealed, add_checksum_function};
use crate::enumerations::damaged_enumerations;
use crate::open::{
    connect, empty, foreign_log, is_unmerged, needs_recovery, recover, require_file_name,
    require_version,
};
use crate::outcomes::OutcomeColumns;
use crate::proofs::by_search;
use crate::schema::{
    APPLICATION_ID, DIGESTS, create_in_memory, foreign_objects, removal, version_of,
    without_comments,
};
use rayon::prelude::*;
use rusqlite::ffi::{SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};
use somacat_formats::count_noun;
use somacat_geometry::figure::Equivalence;
use somacat_geometry::pieces::parse_piece_lines;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The file, its pages, its schema, or a table.
    pub part: &'static str,
    /// The row, if any: a signature or a name.
    pub what: String,
    pub problem: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckReport {
    /// The faults, at most 100 of each part.
    pub findings: Vec<Finding>,
    pub more: u64,
    pub figures: u64,
    pub outcomes: u64,
    pub notes: Vec<String>,
}

/// The largest number of listed findings for each part.
const MAX_FINDINGS: usize = 100;

/// The number of figures checked in parallel at a time.
const BATCH_FIGURES: usize = 10_000;

/// Checks a catalog from the file to the rows. With `quick`, indexes are not compared with their tables.
///
/// # Errors
/// If the file is missing, is not a catalog, has another version, or cannot be checked: a full disk is not damage.
pub fn check_catalog(path: &Path, quick: bool) -> Result<CheckReport, CatalogError> {
    let (header, connection, foreign_log) = open_to_check(path)?;
    let mut checking = Checking { connection: &connection, report: CheckReport::default(), path };
    if let Some(log) = foreign_log {
        let problem = "is the log of another file that had the same name; move it away";
        checking.find("file", log.display().to_string(), problem);
    }
    checking.header(&header)?;
    if checking.version()? {
        let pragma = if quick { "quick_check" } else { "integrity_check" };
        checking.step("pages", |this| this.pages(pragma))?;
        checking.step("schema", Checking::schema)?;
        checking.step("references", Checking::references)?;
        checking.step("words", Checking::words)?;
        checking.step("piece_set", Checking::sets)?;
        checking.step("figure", Checking::figures)?;
        checking.step("outcome", Checking::outcomes)?;
        checking.step("values", Checking::ranges)?;
        checking.step("name", Checking::names)?;
        checking.step("proof", Checking::proofs)?;
        for sealed in &ALL {
            checking.step(sealed.table, |this| this.checksums(sealed))?;
        }
        checking.step("enumeration", Checking::enumerations)?;
        checking.step("digest", Checking::digests)?;
    }
    let report = checking.report;
    // In this order: closing the file releases SQLite's locks.
    drop(connection);
    drop(header);
    Ok(report)
}

/// Opens a catalog that may be damaged, for reading. Ignores another file's log next to it. The file is opened
/// before SQLite and must be closed after it: closing any descriptor releases SQLite's locks.
fn open_to_check(path: &Path) -> Result<(File, Connection, Option<PathBuf>), CatalogError> {
    require_file_name(path)?;
    if !path.exists() {
        return Err(CatalogError::Missing(path.to_owned()));
    }
    let foreign = || CatalogError::Foreign(path.to_owned());
    let file = File::open(path).map_err(|_| foreign())?;
    if let Some(log) = foreign_log(path).map_err(|_| foreign())? {
        return Ok((file, open_alone(path)?, Some(log)));
    }
    let connection = open_damaged(path)?;
    let first = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    let blocked = |error: &rusqlite::Error| {
        matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
    };
    match first {
        // Unreadable before recovery, so there is nothing to check.
        Err(error) if blocked(&error) && needs_recovery(path) => {
            drop((connection, file));
            recover(path)?;
            Ok((File::open(path).map_err(|_| foreign())?, open_damaged(path)?, None))
        }
        _ => Ok((file, connection, None)),
    }
}

/// Opens a catalog that may be damaged, with its log, for reading.
pub(super) fn open_damaged(path: &Path) -> Result<Connection, CatalogError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = connect(path, flags).and_then(prepare);
    connection.map_err(|source| CatalogError::sql(path, "open it", source))
}

/// Opens the file alone, ignoring any log next to it.
pub(super) fn open_alone(path: &Path) -> Result<Connection, CatalogError> {
    let real = path.canonicalize().map_err(|_| CatalogError::Missing(path.to_owned()))?;
    let mut address = "file:".to_owned();
    for &byte in real.as_os_str().as_encoded_bytes() {
        match byte {
            b'%' | b'?' | b'#' | 0x80.. => address += &format!("%{byte:02x}"),
            byte => address.push(char::from(byte)),
        }
    }
    address += "?immutable=1";
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = connect(Path::new(&address), flags).and_then(prepare);
    connection.map_err(|source| CatalogError::sql(path, "open it", source))
}

fn prepare(connection: Connection) -> rusqlite::Result<Connection> {
    add_checksum_function(&connection)?;
    // Verifies the cells of every page.
    connection.pragma_update(None, "cell_size_check", true)?;
    // In this mode SQLite reads a truncated file as far as possible. Nothing is written.
    connection.pragma_update(None, "writable_schema", true)?;
    // All statements see the same state while another program writes.
    connection.execute_batch("BEGIN")?;
    Ok(connection)
}

/// Returns whether the disk, the memory, or another program is at fault.
fn is_system_error(error: &rusqlite::Error) -> bool {
    match error.sqlite_error_code() {
        // A damaged file causes only read errors.
        Some(ErrorCode::SystemIoFailure) => !error.sqlite_error().is_some_and(|error| {
            [SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ].contains(&error.extended_code)
        }),
        Some(
            ErrorCode::DiskFull
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked,
        ) => true,
        _ => false,
    }
}

pub(super) struct Checking<'a> {
    pub(super) connection: &'a Connection,
    report: CheckReport,
    path: &'a Path,
}

impl Checking<'_> {
    pub(super) fn find(
        &mut self,
        part: &'static str,
        what: impl Into<String>,
        problem: impl Into<String>,
    ) {
        let listed = self.report.findings.iter().filter(|finding| finding.part == part).count();
        if listed < MAX_FINDINGS {
            let (what, problem) = (what.into(), problem.into());
            self.report.findings.push(Finding { part, what, problem });
        } else {
            self.report.more += 1;
        }
    }

    /// Runs a step. A step that stops at damage is a finding too, and the others follow.
    fn step(
        &mut self,
        part: &'static str,
        step: impl FnOnce(&mut Self) -> rusqlite::Result<()>,
    ) -> Result<(), CatalogError> {
        match step(self) {
            Ok(()) => {}
            Err(error) if is_system_error(&error) => {
                return Err(CatalogError::sql(self.path, "check it", error));
            }
            Err(error) => self.find(part, "", format!("cannot be read completely: {error}")),
        }
        Ok(())
    }

    /// Checks that the file has the length that its header states.
    fn header(&mut self, mut file: &File) -> Result<(), CatalogError> {
        let failed = |_| CatalogError::Foreign(self.path.to_owned());
        let mut header = [0; 100];
        let length = file.metadata().map_err(failed)?.len();
        if length == 0 {
            return Err(empty(self.path));
        }
        file.read_exact(&mut header).map_err(failed)?;
        let number = |at: usize| {
            header[at..at + 4].iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
        };
        let page = match u64::from(u16::from_be_bytes([header[16], header[17]])) {
            1 => 65536,
            size => size,
        };
        // The stored number of pages is valid if the last change wrote it. A log may have the missing pages, because
        // a full disk interrupts a merge.
        let expected = number(28) * page;
        let in_log = is_unmerged(self.path) && self.report.findings.is_empty();
        if number(24) == number(92) && length < expected && !in_log {
            let problem = format!("truncated: {length} bytes instead of {expected}");
            self.find("file", "", problem);
        }
        Ok(())
    }

    /// Checks the owner and version. Returns whether the schema can be read.
    fn version(&mut self) -> Result<bool, CatalogError> {
        let path = self.path;
        let tables: rusqlite::Result<(i64, i64)> = self.connection.query_row(
            "SELECT count(*), count(*) FILTER (WHERE name IN ('figure', 'outcome', 'figures'))
             FROM sqlite_schema",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        );
        let failed = |source| CatalogError::sql(path, "read its header", source);
        let (tables, ours) = match tables {
            Ok(tables) => tables,
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
                return Err(CatalogError::Foreign(path.to_owned()));
            }
            Err(error) if is_system_error(&error) => return Err(failed(error)),
            Err(error) => {
                self.find("schema", "", format!("cannot be read: {error}; nothing can be saved"));
                return Ok(false);
            }
        };
        let application: i64 = self
            .connection
            .query_row("PRAGMA application_id", [], |row| row.get(0))
            .map_err(failed)?;
        let is_ours = application == i64::from(APPLICATION_ID);
        // A run killed in its first moments leaves only this.
        if tables == 0 && application == 0 {
            return Err(empty(path));
        }
        if ours < 3 && !is_ours {
            return Err(CatalogError::Foreign(path.to_owned()));
        }
        if !is_ours {
            self.find("file", "application_id", format!("{application:#x}, not that of somacat"));
        }
        let found = version_of(self.connection).map_err(failed)?;
        if found < 1 {
            self.find("file", "user_version", format!("there is no schema version {found}"));
        } else {
            require_version(found, path)?;
        }
        Ok(true)
    }

    fn pages(&mut self, pragma: &str) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare(&format!("PRAGMA {pragma}"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let line: String = row.get(0)?;
            if line != "ok" {
                self.find("pages", "", line);
            }
        }
        Ok(())
    }

    /// Checks that tables, indexes and views are those of a new catalog.
    fn schema(&mut self) -> rusqlite::Result<()> {
        let sql = "SELECT name, type || ' ' || sql FROM sqlite_schema WHERE sql IS NOT NULL
                   AND name NOT LIKE 'sqlite_%'";
        let definitions = |connection: &Connection| -> rusqlite::Result<BTreeSet<_>> {
            let pairs = pairs(connection, sql)?.into_iter();
            Ok(pairs.map(|(name, sql)| (name, without_comments(&sql))).collect())
        };
        let (theirs, ours) = (definitions(self.connection)?, definitions(&create_in_memory()?)?);
        let names = |pairs: &BTreeSet<(String, String)>| -> BTreeSet<String> {
            pairs.iter().map(|(name, _)| name.clone()).collect()
        };
        let (known, found) = (names(&ours), names(&theirs));
        for name in known.difference(&found) {
            self.find("schema", name, "is missing");
        }
        for (name, _) in ours.difference(&theirs).filter(|(name, _)| found.contains(name)) {
            self.find("schema", name, "is not as somacat defines it");
        }
        let foreign = foreign_objects(self.connection)?;
        for (kind, name) in &foreign {
            let removal = removal(self.path, kind, name);
            let problem = format!(
                "is a {kind} of another program, which may change what somacat writes; remove it with {removal}"
            );
            self.find("schema", name, problem);
        }
        let is_foreign = |name: &String| foreign.iter().any(|(_, other)| other == name);
        for name in found.difference(&known).filter(|n| *n != DIGESTS && !is_foreign(n)) {
            self.report.notes.push(format!("index `{name}` was added by another program"));
        }
        Ok(())
    }

    fn references(&mut self) -> rusqlite::Result<()> {
        let sql = "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (table, parent, rows): (String, String, i64) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let verb = if rows == 1 { "refers" } else { "refer" };
            let problem = format!("{} {verb} to a missing {parent}", count_noun(rows, "row"));
            self.find("references", table, problem);
        }
        Ok(())
    }

    /// Checks that codes have the meanings of this program.
    fn words(&mut self) -> rusqlite::Result<()> {
        let ours = create_in_memory()?;
        for (table, columns) in [
            ("verdict", "id, name"),
            ("reason", "id, name"),
            ("engine", "id, name"),
            (
                "symmetry_class",
                "id, concat_ws('|', name, schoenflies, allen, \"order\", rotation_order, cyclic_orders, conjugates, description)",
            ),
        ] {
            let sql = format!("SELECT {columns} FROM {table}");
            if pairs(self.connection, &sql)? != pairs(&ours, &sql)? {
                self.find("words", table, "does not have the contents that somacat writes");
            }
        }
        Ok(())
    }

    fn sets(&mut self) -> rusqlite::Result<()> {
        for (name, definition) in pairs(self.connection, "SELECT name, definition FROM piece_set")?
        {
            if let Some(problem) = problem_of_set(&name, &definition) {
                self.find("piece_set", name, problem);
            }
        }
        Ok(())
    }

    /// Checks that every signature is canonical and agrees with the other columns.
    fn figures(&mut self) -> rusqlite::Result<()> {
        let mut statement = self
            .connection
            .prepare("SELECT signature, cells, box, class_id, parity, parts FROM figure")?;
        let mut rows = statement.query([])?;
        let mut batch = Vec::with_capacity(BATCH_FIGURES);
        loop {
            let row = rows.next();
            let end = !matches!(row, Ok(Some(_)));
            if let Ok(Some(row)) = &row {
                batch.push(stated(row)?);
            }
            if end || batch.len() >= BATCH_FIGURES {
                let problem = |(signature, columns): &(String, FigureColumns)| {
                    Some((signature.clone(), problem_of_figure(signature, columns)?))
                };
                let problems: Vec<(String, String)> =
                    batch.par_iter().filter_map(problem).collect();
                self.report.figures += batch.len() as u64;
                batch.clear();
                for (signature, problem) in problems {
                    self.find("figure", signature, problem);
                }
            }
            row?;
            if end {
                return Ok(());
            }
        }
    }

    /// Checks outcomes, and that each belongs to a signature of its set's kind.
    fn outcomes(&mut self) -> rusqlite::Result<()> {
        let sets = pairs(self.connection, "SELECT id, definition FROM piece_set")?.into_iter();
        // Damaged sets are findings of their own.
        let sets: BTreeMap<String, Equivalence> = sets
            .filter_map(|(id, text)| {
                Some((id, Equivalence::for_set(&parse_piece_lines("", &text).ok()?)))
            })
            .collect();
        let mut statement = self.connection.prepare(
            "SELECT f.signature, o.verdict_id, o.reason_id, o.error, o.raw, o.rotation, o.\"unique\",
                c.\"order\", c.rotation_order, CAST(o.set_id AS TEXT) AS set_id, o.nodes, o.engine_id
             FROM outcome o JOIN figure f ON f.id = o.figure_id
             JOIN symmetry_class c ON c.id = f.class_id",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            self.report.outcomes += 1;
            let signature: String = row.get(0)?;
            if let Some(problem) = problem_of_row(row)? {
                self.find("outcome", &signature, problem);
            }
            let equivalence = sets.get(&row.get::<_, String>("set_id")?);
            if let Some(begin) =
                equivalence.map(|i| i.prefix()).filter(|i| !signature.starts_with(*i))
            {
                let problem =
                    format!("signatures of figures counted with its set begin with {begin}");
                self.find("outcome", signature, problem);
            }
        }
        Ok(())
    }

    /// Checks that proofs have the form of a certificate of their kind, and belong to figures that a search ruled out.
    fn proofs(&mut self) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT f.signature, p.kind, p.body, o.figure_id IS NOT NULL AND ({}) IS NOT TRUE
             FROM proof p JOIN figure f ON f.id = p.figure_id
             LEFT JOIN outcome o ON o.figure_id = p.figure_id AND o.set_id = p.set_id",
            by_search("o")
        ))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(problem) = problem_of_proof(row)? {
                self.find("proof", row.get::<_, String>(0)?, problem);
            } else if row.get(3)? {
                self.find("proof", row.get::<_, String>(0)?, "no search ruled out its figure");
            }
        }
        Ok(())
    }

    /// Checks that no row was edited or belongs to another figure.
    fn checksums(&mut self, sealed: &Sealed) -> rusqlite::Result<()> {
        let connection = self.connection;
        let problem = "its values do not match its checksum";
        sealed.for_each_damaged(connection, |what| self.find(sealed.table, what, problem))?;
        Ok(())
    }

    /// Checks that enumerations match their checksums and the number of their figures.
    fn enumerations(&mut self) -> rusqlite::Result<()> {
        for (_, label, problem) in damaged_enumerations(self.connection)? {
            self.find("enumeration", label, problem);
        }
        Ok(())
    }

    /// Checks that a published copy is unchanged.
    fn digests(&mut self) -> rusqlite::Result<()> {
        for table in digest::changed(self.connection)? {
            self.find("digest", table, "its rows have changed since it was published");
        }
        Ok(())
    }
}

fn pairs(connection: &Connection, sql: &str) -> rusqlite::Result<BTreeSet<(String, String)>> {
    let mut statement = connection.prepare(sql)?;
    let mut found = BTreeSet::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text = |at| -> rusqlite::Result<String> {
            Ok(match row.get_ref(at)? {
                rusqlite::types::ValueRef::Integer(n) => n.to_string(),
                rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                other => format!("{other:?}"),
            })
        };
        found.insert((text(0)?, text(1)?));
    }
    Ok(found)
}

/// Reads a figure's signature and other columns.
fn stated(row: &Row<'_>) -> rusqlite::Result<(String, FigureColumns)> {
    let columns = FigureColumns {
        cells: row.get("cells")?,
        bounds: row.get("box")?,
        class: row.get("class_id")?,
        parity: row.get("parity")?,
        parts: row.get("parts")?,
    };
    Ok((row.get("signature")?, columns))
}

pub(super) fn figure_is_sound(row: &Row<'_>) -> bool {
    stated(row).is_ok_and(|(signature, columns)| problem_of_figure(&signature, &columns).is_none())
}

/// Checks an outcome with its figure's symmetry as `order` and `rotation_order`.
fn problem_of_row(row: &Row<'_>) -> rusqlite::Result<Option<String>> {
    let order = |column: &str| -> rusqlite::Result<u128> {
        Ok(row.get::<_, i64>(column)?.unsigned_abs().into())
    };
    let orders = [order("order")?, order("rotation_order")?];
    let (columns, work) = (OutcomeColumns::read(row)?, work_of(row)?);
    Ok(columns.and_then(|columns| problem_of_outcome(columns, work, orders)))
}
