//! Disturbed runs, whose results must equal those of an undisturbed run.

use super::deadline::PATIENCE;
use super::program::{run, somacat, stderr, stdout};
use rusqlite::types::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// All tables whose contents must not depend on a catalog's history.
const RESULTS: [&str; 10] = [
    "SELECT * FROM figure",
    "SELECT * FROM source",
    "SELECT * FROM name",
    "SELECT * FROM fault",
    "SELECT * FROM piece_set",
    "SELECT * FROM outcome",
    "SELECT * FROM proof",
    "SELECT * FROM enumeration",
    "SELECT * FROM enumerated",
    "SELECT * FROM enumeration_total",
];

pub fn dump(folder: &Path, db: &str) -> String {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = rusqlite::Connection::open_with_flags(folder.join(db), flags).unwrap();
    let mut text = String::new();
    for sql in RESULTS {
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                write!(text, "{:?},", row.get::<_, Value>(column).unwrap()).unwrap();
            }
            text.push('\n');
        }
    }
    text
}

pub fn exports(folder: &Path, db: &str) -> Vec<Vec<u8>> {
    ["csv", "jsonl", "soma"]
        .map(|format| {
            let done = run(folder, &["export", format, "-", "--db", db]);
            assert!(done.status.success(), "{}", stderr(&done));
            done.stdout
        })
        .to_vec()
}

/// Asserts that SQLite finds no fault in the catalog.
pub fn assert_sound(db: &Path) {
    let connection = rusqlite::Connection::open(db).unwrap();
    let check: String = connection.query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    assert_eq!(check, "ok");
    let mut orphans = connection.prepare("PRAGMA foreign_key_check").unwrap();
    assert!(orphans.query([]).unwrap().next().unwrap().is_none());
}

/// Writes a plan of 22 figures: a moment of work.
pub fn small_plan(folder: &Path) {
    let plan = "title = \"small\"\n[[symmetric]]\ncells = 27\nfold = 6\n";
    fs::write(folder.join("small.toml"), plan).unwrap();
}

/// Writes a plan of some thousand figures: seconds of work.
pub fn box_plan(folder: &Path, keep: &str) {
    let text = format!(
        "title = \"box\"\nkeep = \"{keep}\"\n[[box]]\nsides = \"3x3x4\"\ncells = 27\n\
         connected = true\ntowers = true\n"
    );
    fs::write(folder.join("box.toml"), text).unwrap();
}

/// Writes a plan of figures of some classes that four pieces build. Some tables include the classes above; `mirrored`
/// is a class with mirrors.
pub fn buildable_plan(folder: &Path, keep: &str, mirrored: &str) {
    let classes = ["C2(face)\"\nexact = true", &format!("{mirrored}\""), "C3\""];
    let tables: String =
        classes.iter().map(|class| format!("[[buildable]]\nclass = \"{class}\n")).collect();
    let text = format!("title = \"buildable\"\nset = \"V A B P\"\nkeep = \"{keep}\"\n{tables}");
    fs::write(folder.join("buildable.toml"), text).unwrap();
}

/// A plan of hours.
pub const LONG_PLAN: &str =
    "title = \"long\"\nkeep = \"totals\"\nnodes = 1000\n[[box]]\nsides = \"3x4x4\"\ncells = 27\n";

/// Starts a run of hours, for tests that end it.
pub fn long_run(folder: &Path) -> Child {
    fs::write(folder.join("long.toml"), LONG_PLAN).unwrap();
    let mut command = somacat(folder, &["run", "long.toml", "--log", "night.jsonl"]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    wait_until(&mut child, |_| folder.join("somacat.db").exists() && done_in(folder) > 0);
    child
}

/// Returns the number that a statement gives. Returns 0 if the catalog does not exist yet.
pub fn number(folder: &Path, db: &str, sql: &str) -> u64 {
    let rows = run(folder, &["query", "--db", db, "--csv", "--sql", sql]);
    stdout(&rows).lines().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}

pub fn done_in(folder: &Path) -> u64 {
    number(folder, "somacat.db", "SELECT done FROM progress ORDER BY run DESC LIMIT 1")
}

/// Waits until something happens to a running program.
///
/// # Panics
/// If it ends before, or after [`PATIENCE`], with what it said.
#[track_caller]
pub fn wait_until(child: &mut Child, mut happens: impl FnMut(&mut Child) -> bool) {
    let begun = Instant::now();
    loop {
        let ended = child.try_wait().unwrap();
        if happens(child) {
            return;
        }
        if ended.is_some() || begun.elapsed() > PATIENCE {
            let _ = child.kill();
            let (mut said, stderr) = (String::new(), child.stderr.take());
            let _ = stderr.map(|mut stderr| stderr.read_to_string(&mut said));
            panic!("waited in vain; the program: {:?} {said}", child.wait());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn ended(child: Child) -> Output {
    child.wait_with_output().unwrap()
}

/// Returns the number of figures in enumerations, over all runs.
pub fn figures_in(folder: &Path) -> u64 {
    number(folder, "somacat.db", "SELECT sum(figures) FROM enumeration_total")
}
