//! A night nobody watches: the program is starved, killed and pushed around, and what survives is
//! compared with an undisturbed run.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // A test that cannot go on may panic.

#[path = "support/program.rs"]
mod program;

use program::{column, run, somacat, stderr, stdout};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Everything a catalog says that must not depend on how it came about.
const RESULTS: [&str; 9] = [
    "SELECT * FROM figure",
    "SELECT * FROM source",
    "SELECT * FROM name",
    "SELECT * FROM fault",
    "SELECT * FROM piece_set",
    "SELECT * FROM outcome",
    "SELECT * FROM enumeration",
    "SELECT * FROM enumerated",
    "SELECT * FROM enumeration_total",
];

fn dump(folder: &Path, db: &str) -> String {
    let ask = |sql: &&str| {
        let rows = run(folder, &["query", "--db", db, "--csv", "--sql", sql]);
        assert!(rows.status.success(), "{sql}: {}", stderr(&rows));
        stdout(&rows)
    };
    RESULTS.iter().map(ask).collect()
}

fn exports(folder: &Path, db: &str) -> Vec<Vec<u8>> {
    ["csv", "jsonl", "soma"]
        .map(|format| {
            let done = run(folder, &["export", format, "-", "--db", db]);
            assert!(done.status.success(), "{}", stderr(&done));
            done.stdout
        })
        .to_vec()
}

/// The catalog is whole: SQLite finds nothing wrong with it.
fn assert_sound(db: &Path) {
    let connection = rusqlite::Connection::open(db).unwrap();
    let check: String = connection.query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    assert_eq!(check, "ok");
    let mut orphans = connection.prepare("PRAGMA foreign_key_check").unwrap();
    assert!(orphans.query([]).unwrap().next().unwrap().is_none());
}

/// A plan of some thousand figures: seconds of work.
fn box_plan(folder: &Path, keep: &str) {
    let text = format!(
        "title = \"box\"\nkeep = \"{keep}\"\n[[box]]\nsides = \"3x3x4\"\ncells = 27\n\
         connected = true\ntowers = true\n"
    );
    fs::write(folder.join("box.toml"), text).unwrap();
}

/// A file of many figures in cells, some of them twice, some faulty.
fn many_figures(folder: &Path) {
    let listed = run(
        folder,
        &[
            "enumerate",
            "box",
            "3x3x4",
            "--cells",
            "27",
            "--shape",
            "towers",
            "--connected",
            "--format",
            "cells",
        ],
    );
    let lines = stdout(&listed);
    let lines: Vec<&str> = lines.lines().filter(|l| !l.starts_with('#')).collect();
    assert!(lines.len() > 2000, "{}", stderr(&listed));
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        let cells = line.rsplit(':').next().unwrap();
        text += &format!("figure {at}: {cells}\n");
        if at % 100 == 0 {
            text += &format!("again {at}: {cells}\nbroken {at}: 0,0\n");
        }
    }
    fs::write(folder.join("many.cells"), text).unwrap();
}

/// Pseudo-random numbers: the same moments in every run of the test, as far as a machine has any.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Runs a command again and again, killed after random times, until it ends by itself; returns how
/// often it was killed and the exit code of the end.
fn kill_until_done(folder: &Path, args: &[&str], seed: u64) -> (u32, i32) {
    let (mut random, mut kills, mut patience) = (Random(seed), 0, 60);
    loop {
        let quiet = || Stdio::null();
        let mut child = somacat(folder, args).stderr(quiet()).stdout(quiet()).spawn().unwrap();
        // Longer and longer, so that it comes to an end on the slowest machine.
        let end = Instant::now() + Duration::from_millis(5 + random.below(patience));
        patience += 40;
        let mut status = None;
        while status.is_none() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
            status = child.try_wait().unwrap();
        }
        child.kill().unwrap();
        let status = child.wait().unwrap();
        match status.code() {
            Some(code) => return (kills, code),
            None => kills += 1,
        }
    }
}

fn assert_kills_change_nothing(args: &[&str], prepare: impl Fn(&Path), code: i32) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    prepare(folder);
    let whole = run(folder, &[args, &["--db", "whole.db"]].concat());
    assert_eq!(whole.status.code(), Some(code), "{}", stderr(&whole));
    let (dumped, exported) = (dump(folder, "whole.db"), exports(folder, "whole.db"));
    for seed in 0..3 {
        let (kills, ended) =
            kill_until_done(folder, &[args, &["--db", "killed.db"]].concat(), seed);
        assert!(kills > 0, "it was over before it could be killed");
        assert_eq!(ended, code);
        assert!(dump(folder, "killed.db") == dumped, "tables differ after {kills} kills: {args:?}");
        assert!(exports(folder, "killed.db") == exported, "exports differ: {args:?}");
        assert_sound(&folder.join("killed.db"));
        fs::remove_file(folder.join("killed.db")).unwrap();
    }
}

#[test]
fn kills_during_import_and_count_change_nothing() {
    assert_kills_change_nothing(&["import", "many.cells", "-q"], many_figures, 3);
}

#[test]
fn kills_during_an_enumeration_change_nothing() {
    assert_kills_change_nothing(&["run", "box.toml", "-q"], |folder| box_plan(folder, "all"), 0);
}

#[test]
fn kills_during_a_census_change_nothing() {
    let args = ["census", "2x2x5", "--set", "V L T", "--keep", "all", "--catalog", "-q"];
    assert_kills_change_nothing(&args, |_| (), 0);
}

/// Limits the size of files in the shell that starts the program; in blocks of 512 or 1024 bytes,
/// as the shell has it.
#[test]
fn a_limit_on_files_is_told_and_the_run_continues_without_it() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    box_plan(folder, "all");
    run(folder, &["run", "box.toml", "-q", "--db", "whole.db"]);
    let program = env!("CARGO_BIN_EXE_somacat");
    for limit in [1, 20, 200] {
        let line = format!("ulimit -f {limit}; exec {program} run box.toml -q --db starved.db");
        let starved = Command::new("sh").current_dir(folder).args(["-c", &line]).output().unwrap();
        assert_eq!(starved.status.code(), Some(1), "{limit}: {starved:?}");
        assert!(stderr(&starved).contains("somacat: "), "{}", stderr(&starved));
        let done = run(folder, &["run", "box.toml", "-q", "--db", "starved.db"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_eq!(dump(folder, "starved.db"), dump(folder, "whole.db"));
        assert_sound(&folder.join("starved.db"));
        fs::remove_file(folder.join("starved.db")).unwrap();
    }
}

/// A file system of a few hundred KiB, which only root may make.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(at: &'a Path, kib: u32) -> Option<Self> {
        let size = format!("size={kib}k");
        let done =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(at).output();
        done.is_ok_and(|done| done.status.success()).then_some(Self(at))
    }

    fn grow(&self) {
        let args = ["-o", "remount,size=64m"];
        assert!(Command::new("mount").args(args).arg(self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_is_told_and_the_run_continues_when_there_is_room() {
    let outside = TempDir::new().unwrap();
    let inside = TempDir::new().unwrap();
    box_plan(outside.path(), "all");
    let plan = outside.path().join("box.toml");
    let args = ["run", plan.to_str().unwrap(), "-q"];
    run(outside.path(), &args);
    let Some(disk) = SmallDisk::mount(inside.path(), 600) else {
        println!("skipped: a full disk cannot be made without the right to mount");
        return;
    };
    let starved = run(inside.path(), &args);
    assert_eq!(starved.status.code(), Some(1), "{starved:?}");
    assert!(stderr(&starved).contains("full disk"), "{}", stderr(&starved));
    let kept = run(inside.path(), &["query", "--csv"]);
    assert!(kept.status.success(), "what was kept can be read: {}", stderr(&kept));
    disk.grow();
    let done = run(inside.path(), &args);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(dump(inside.path(), "somacat.db"), dump(outside.path(), "somacat.db"));
    assert_sound(&inside.path().join("somacat.db"));
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_any_work() {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let refused = |args: &[&str]| {
        let mut command = somacat(folder.path(), args);
        // Root may write anywhere; nobody may not.
        if File::create(folder.path().join("probe")).is_ok() {
            fs::remove_file(folder.path().join("probe")).unwrap();
            command.uid(65_534);
        }
        let done = command.output().expect("the program can be started by another user");
        assert_eq!(done.status.code(), Some(1), "{args:?}: {}", stderr(&done));
        assert!(stderr(&done).contains("ermission denied"), "{args:?}: {}", stderr(&done));
    };
    refused(&["run"]);
    refused(&["import", "-"]);
    refused(&["census", "2x2x3", "--set", "V L T", "--keep", "all", "--catalog"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_figure_that_cannot_be_counted_is_failed_and_costs_nothing_else() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let row: String = (0..129).map(|x| format!(" {x},0,0")).collect();
    fs::write(folder.join("ones.set"), "I*129: 0,0,0\n").unwrap();
    fs::write(folder.join("row.cells"), format!("row:{row}\n")).unwrap();
    fs::write(folder.join("cube.soma"), "/SOMA1\n/***/***/***\n/***/***/***\n/***/***/***\n")
        .unwrap();
    let failed = run(folder, &["import", "row.cells", "--set", "ones.set", "-q"]);
    assert_eq!(failed.status.code(), Some(3), "{}", stderr(&failed));
    assert_eq!(run(folder, &["import", "cube.soma", "-q"]).status.code(), Some(0));
    let csv = stdout(&run(folder, &["export", "csv", "-", "--sort", "raw"]));
    assert_eq!(column(&csv, "verdict"), ["counted", "failed"]);
    assert!(column(&csv, "reason")[1].contains("129 cells"), "{csv}");
    assert_eq!(column(&csv, "raw")[0], "11520");
}

/// A run of hours, for those who do not let it end.
fn long_run(folder: &Path) -> Child {
    fs::write(
        folder.join("long.toml"),
        "title = \"long\"\nkeep = \"totals\"\nnodes = 1000\n[[box]]\nsides = \"3x4x4\"\ncells = 27\n",
    )
    .unwrap();
    let mut command = somacat(folder, &["run", "long.toml", "--log", "night.jsonl"]);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| folder.join("somacat.db").exists() && done_in(folder) > 0);
    child
}

fn done_in(folder: &Path) -> u64 {
    let sql = "SELECT done FROM progress ORDER BY run DESC LIMIT 1";
    let rows = run(folder, &["query", "--csv", "--sql", sql]);
    stdout(&rows).lines().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn wait_until(mut what: impl FnMut() -> bool) {
    while !what() {
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
}

fn ended(child: Child) -> Output {
    child.wait_with_output().unwrap()
}

#[test]
fn a_first_signal_stops_tidily_and_tells_how_to_go_on() {
    for name in ["INT", "TERM", "HUP"] {
        let folder = TempDir::new().unwrap();
        let child = long_run(folder.path());
        signal(&child, name);
        let output = ended(child);
        assert_eq!(output.status.code(), Some(75), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("the same command continues"), "{}", stderr(&output));
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["long.toml", "night.jsonl", "somacat.csv", "somacat.db"]);
        assert_sound(&folder.path().join("somacat.db"));
    }
}

#[test]
fn a_second_signal_ends_at_once_and_the_catalog_is_sound() {
    let folder = TempDir::new().unwrap();
    // It waits for input that does not come, and cannot answer the first signal.
    let mut child = somacat(folder.path(), &["import", "-", "--set", "V"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take().unwrap();
    wait_until(|| run(folder.path(), &["status"]).status.success());
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(child.try_wait().unwrap(), None);
    signal(&child, "INT");
    let output = ended(child);
    drop(input);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_sound(&folder.path().join("somacat.db"));
    assert_eq!(run(folder.path(), &["run", "-q"]).status.code(), Some(0));
}

#[test]
fn status_tells_how_far_a_run_is_and_whether_it_was_killed() {
    let folder = TempDir::new().unwrap();
    let mut child = long_run(folder.path());
    let running = stdout(&run(folder.path(), &["status"]));
    for word in ["running", "percent done", "figures a second", "time left"] {
        assert!(running.contains(word), "{running}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = stdout(&run(folder.path(), &["status"]));
    assert!(killed.contains("it was killed; the same command continues"), "{killed}");
}

#[test]
fn a_catalog_that_is_removed_or_replaced_ends_the_run_and_harms_nothing() {
    for replace in [false, true] {
        let folder = TempDir::new().unwrap();
        let db = folder.path().join("somacat.db");
        let other = TempDir::new().unwrap();
        run(other.path(), &["run", "-q"]);
        let child = long_run(folder.path());
        let fresh = folder.path().join("fresh.db");
        fs::copy(other.path().join("somacat.db"), &fresh).unwrap();
        if replace {
            fs::rename(&fresh, &db).unwrap();
        } else {
            fs::remove_file(&db).unwrap();
        }
        let output = ended(child);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains("removed or replaced"), "{}", stderr(&output));
        if replace {
            let before = fs::read(other.path().join("somacat.db")).unwrap();
            assert!(fs::read(&db).unwrap() == before, "the other catalog was written to");
        } else {
            assert!(!db.exists());
        }
        let again = run(folder.path(), &["run", "-q"]);
        assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
        assert_sound(&db);
    }
}

#[test]
fn a_second_program_is_turned_away_and_the_first_goes_on() {
    let folder = TempDir::new().unwrap();
    let child = long_run(folder.path());
    for args in [["run", "-q"].as_slice(), &["run", "long.toml", "-q"]] {
        let second = run(folder.path(), args);
        assert_eq!(second.status.code(), Some(1));
        assert!(stderr(&second).contains("another program is writing"), "{}", stderr(&second));
    }
    let before = done_in(folder.path());
    wait_until(|| done_in(folder.path()) > before);
    signal(&child, "TERM");
    assert_eq!(ended(child).status.code(), Some(75));
}

#[test]
fn output_to_a_full_disk_is_no_success() {
    let Ok(probe) = File::options().write(true).open("/dev/full") else {
        println!("skipped: this system has no /dev/full");
        return;
    };
    drop(probe);
    let folder = TempDir::new().unwrap();
    run(folder.path(), &["run", "-q"]);
    fs::write(
        folder.path().join("cube.soma"),
        "/SOMA1\n/***/***/***\n/***/***/***\n/***/***/***\n",
    )
    .unwrap();
    for args in [
        ["--help"].as_slice(),
        &["--version"],
        &["status"],
        &["query", "--table"],
        &["query", "--csv"],
        &["query", "--json"],
        &["export", "csv", "-"],
        &["export", "tsv", "-"],
        &["export", "jsonl", "-"],
        &["export", "soma", "-"],
        &["count", "cube.soma"],
        &["symmetry", "cube.soma"],
        &["solve", "cube.soma", "--limit", "1"],
        &["enumerate", "symmetric", "--fold", "6", "--cells", "27"],
        &["census", "2x2x3", "--set", "V L T"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = somacat(folder.path(), args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains("No space left"), "{args:?}: {}", stderr(&output));
        // Whoever closes the pipe has seen enough.
        let mut child = somacat(folder.path(), args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = ended(child);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        assert_eq!(output.status.signal(), None);
    }
}

#[test]
fn a_log_has_the_whole_story_in_json_lines() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("mine.cells"), "a: 0,0,0 1,0,0\nb: 0,0\n").unwrap();
    // Half a line, as a kill may leave it.
    fs::write(folder.join("log.jsonl"), "{\"event\":\"sta").unwrap();
    let import = ["import", "mine.cells", "--set", "V", "-q", "--log", "log.jsonl"];
    assert_eq!(run(folder, &import).status.code(), Some(3));
    fs::remove_file(folder.join("somacat.db")).unwrap();
    fs::create_dir(folder.join("somacat.db")).unwrap();
    assert_eq!(run(folder, &import).status.code(), Some(1));
    let text = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    let events: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let words: Vec<&str> = events.iter().map(|e| e["event"].as_str().unwrap()).collect();
    assert_eq!(words, ["start", "begin", "fault", "fault", "done", "end", "start", "end"]);
    assert!(events.iter().all(|e| e["time"].as_str().unwrap().ends_with('Z')));
    assert_eq!(
        (events[5]["status"].as_str(), events[7]["status"].as_str()),
        (Some("finished"), Some("failed"))
    );
    assert_eq!(events[5]["totals"]["refused"], 2);
    assert!(events[7]["error"].as_str().unwrap().contains("is not a somacat catalog"));
}

#[test]
fn a_log_that_cannot_be_written_does_not_stop_the_run() {
    let folder = TempDir::new().unwrap();
    for log in ["/dev/full", "no/such/folder/log.jsonl"] {
        let done = run(folder.path(), &["run", "-q", "--log", log]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_eq!(stderr(&done).matches("the run goes on").count(), 1, "{}", stderr(&done));
    }
}

#[test]
fn overnight_continues_or_does_nothing() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/overnight.sh");
    let overnight = || {
        let mut command = Command::new("sh");
        command.arg(&script).arg("long.toml").current_dir(folder);
        command.env("SOMACAT", env!("CARGO_BIN_EXE_somacat")).env_remove("SOMACAT_DB");
        command
    };
    let running = long_run(folder);
    let nothing = overnight().output().unwrap();
    assert_eq!(nothing.status.code(), Some(0), "{}", stderr(&nothing));
    signal(&running, "TERM");
    assert_eq!(ended(running).status.code(), Some(75));
    // Stopped by its time, then by a signal to the script: both times it went on.
    let before = figures_in(folder);
    let timed = overnight().env("SOMACAT_SECONDS", "3").output().unwrap();
    assert_eq!(timed.status.code(), Some(0), "{}", stderr(&timed));
    let between = figures_in(folder);
    assert!(between > before);
    let script = overnight().spawn().unwrap();
    wait_until(|| figures_in(folder) > between);
    signal(&script, "TERM");
    assert_eq!(ended(script).status.code(), Some(0));
    let log = fs::read_to_string(folder.join("somacat.log")).unwrap();
    assert_eq!(log.matches("the same command continues").count(), 2, "{log}");
    assert!(fs::read_to_string(folder.join("somacat.jsonl")).unwrap().contains("\"stopped\""));
    fs::write(folder.join("long.toml"), "title = 7").unwrap();
    let broken = overnight().output().unwrap();
    assert_eq!(broken.status.code(), Some(1));
    assert!(stderr(&broken).contains("long.toml"), "{}", stderr(&broken));
}

/// Figures that enumerations came to, in all runs.
fn figures_in(folder: &Path) -> u64 {
    let sql = "SELECT sum(figures) FROM enumeration_total";
    let rows = run(folder, &["query", "--csv", "--sql", sql]);
    stdout(&rows).lines().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}
