//! Results do not depend on a clock that jumps. It jumps back and forth by years at every reading.
//!
//! A small C library, loaded before the system's, provides such a clock. Its compiler is present wherever SQLite
//! was compiled.

use crate::support::night::{assert_sound, box_plan, done_in, dump, ended, exports, long_run};
use crate::support::points::{Signal, failing_calls, signaled_at};
use crate::support::program::{column, run, signal, somacat, starter, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Compiles the clock into a folder.
fn jumping_clock(folder: &Path) -> PathBuf {
    let (source, library) = ("tests/support/jumping_clock.c", folder.join("jumping_clock.so"));
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&library);
    let done = compiler.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(source)).output().unwrap();
    assert!(done.status.success(), "{}", stderr(&done));
    library
}

#[test]
fn a_clock_that_jumps_changes_no_result() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let clock = jumping_clock(folder);
    let jumping = |args: &[&str]| -> Command {
        let mut command = somacat(folder, args);
        command.env("LD_PRELOAD", &clock);
        command
    };
    box_plan(folder, "all");
    assert_eq!(run(folder, &["run", "box.toml", "-q"]).status.code(), Some(0));
    let args = ["run", "box.toml", "--db", "jumping.db", "-q", "--log", "jumping.jsonl"];
    let interrupted = |point: u64, signal: Signal| {
        let mut command = signaled_at(folder, &args, point, signal);
        let both = [failing_calls(), &clock].map(|library| library.to_str().unwrap()).join(":");
        command.env("LD_PRELOAD", both).output().unwrap().status.code()
    };
    assert_eq!(interrupted(100, Signal::Kill), None);
    // Before the figures, which are most of the work.
    assert_eq!(interrupted(10, Signal::Terminate), Some(75));
    let done: Output = jumping(&args).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(dump(folder, "jumping.db"), dump(folder, "somacat.db"));
    assert_eq!(exports(folder, "jumping.db"), exports(folder, "somacat.db"));
    assert_sound(&folder.join("jumping.db"));
    let verified = jumping(&["verify", "--db", "jumping.db", "--sample", "50"]).output().unwrap();
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    // The clock did jump, and every line still has a time.
    let log = fs::read_to_string(folder.join("jumping.jsonl")).unwrap();
    let times: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|event| event["time"].as_str().unwrap().to_owned())
        .collect();
    let extreme = ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"];
    assert!(!times.is_sorted() && times.iter().any(|t| extreme.contains(&t.as_str())), "{times:?}");
    let runs =
        run(folder, &["query", "--db", "jumping.db", "--csv", "--sql", "SELECT * FROM progress"]);
    let statuses = column(&stdout(&runs), "status");
    // A kill before the first transaction leaves no trace.
    let (last, others) = statuses.split_last().unwrap();
    assert!(last == "finished" && others.iter().all(|s| s == "stopped"), "{}", stdout(&runs));
}

/// A limit on the database's own time: the reader takes an hour for each write, and does not count.
#[test]
fn the_time_of_the_reader_of_a_statement_does_not_count() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    let clock = jumping_clock(folder);
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 40000";
    let mut command = somacat(folder, &["query", "--csv", "--time-limit", "1h", "--sql", sql]);
    command.env("LD_PRELOAD", clock).env("CLOCK_SLOW_READER", "1");
    let done = command.output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(stdout(&done).lines().count(), 40_001);
}

/// The catalog has a run that begins in the future. The clock was set back.
#[test]
fn status_shows_no_rate_after_the_clock_is_set_back() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let child = long_run(folder);
    assert!(done_in(folder) > 0);
    let connection = rusqlite::Connection::open(folder.join("somacat.db")).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
    for (started, rate_is_known) in
        [("2000-01-01T00:00:00Z", true), ("2999-01-01T00:00:00Z", false), ("yesterday", false)]
    {
        connection.execute("UPDATE run SET started = ?", [started]).unwrap();
        let said = run(folder, &["status", "--csv"]);
        assert_eq!(said.status.code(), Some(0), "{}", stderr(&said));
        let said = stdout(&said);
        let value = |what: &str| {
            let at = column(&said, "what").iter().position(|label| label.trim() == what);
            column(&said, "value")[at.unwrap()].clone()
        };
        assert_eq!(value("status"), "running");
        assert_eq!(value("figures a second") != "unknown", rate_is_known, "{said}");
        assert!(rate_is_known || value("time left") == "unknown", "{said}");
        assert!(value("percent done").parse::<f64>().is_ok(), "{said}");
    }
    signal(&child, "TERM");
    assert_eq!(ended(child).status.code(), Some(75));
}
