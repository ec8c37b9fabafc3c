//! Full disks, read-only files and folders, vanishing catalogs: reported and survived.

use crate::support::night::{assert_sound, box_plan, dump, ended, long_run, small_plan};
use crate::support::program::{column, run, run_in_read_only, somacat, starter, stderr, stdout};
use crate::support::skipped::skipped;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::Piece;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Limits the file size in the shell that starts the program. The unit is 512 or 1024 bytes, depending on the shell.
#[test]
fn a_file_size_limit_is_reported_and_the_run_continues_without_it() {
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

/// A figure that needs more memory than the process limit fails. The others of the batch are counted.
#[test]
#[cfg(target_os = "linux")]
fn a_memory_limit_fails_only_the_figure_that_needs_more() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let maps = "small: 333 333 333\nlarge: 4444 4333 4333 4323\n";
    fs::write(folder.join("figures.txt"), maps).unwrap();
    let program = env!("CARGO_BIN_EXE_somacat");
    let count = "count --csv --set auto --engine frontier --threads 2 figures.txt";
    // With less memory, not even the small figure may be counted, but the program reports both.
    for (kib, asked, small) in [
        (150_000, "--memory 100GiB", Some("counted")),
        (150_000, "", Some("counted")),
        (60_000, "", None),
    ] {
        let line = format!("ulimit -v {kib}; exec {program} {count} {asked}");
        let done = Command::new("sh").current_dir(folder).args(["-c", &line]).output().unwrap();
        assert_eq!(done.status.code(), Some(3), "{kib}: {}", stderr(&done));
        let text = stdout(&done);
        let verdicts = column(&text, "verdict");
        assert_eq!(verdicts[1], "failed", "{kib}: {text}");
        assert!(small.is_none_or(|small| small == verdicts[0]), "{kib}: {text}");
        // The lack is predicted, or found during the count, where the stacks of threads may be the first to lack memory.
        let reasons = [
            "the frontier engine needs",
            "the system refused memory",
            "could not start its threads",
        ];
        assert!(reasons.iter().any(|reason| text.contains(reason)), "{text}");
    }
}

/// A file system of a few hundred KiB. Only root may create it.
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
fn a_full_disk_is_reported_and_the_run_continues_when_there_is_room() {
    let outside = TempDir::new().unwrap();
    let inside = TempDir::new().unwrap();
    box_plan(outside.path(), "all");
    let plan = outside.path().join("box.toml");
    let args = ["run", plan.to_str().unwrap(), "-q"];
    run(outside.path(), &args);
    let Some(disk) = SmallDisk::mount(inside.path(), 600) else {
        skipped("a full disk cannot be made without the right to mount");
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

/// With a log, the catalog is copied to the full disk first.
#[test]
fn a_salvage_names_a_full_disk() {
    let (outside, inside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    starter(outside.path());
    let live = rusqlite::Connection::open(outside.path().join("somacat.db")).unwrap();
    live.execute_batch("PRAGMA journal_mode = WAL; UPDATE outcome SET nodes = nodes").unwrap();
    for kib in [8, 100, 200] {
        let Some(_disk) = SmallDisk::mount(inside.path(), kib) else {
            skipped("a full disk cannot be made without the right to mount");
            return;
        };
        let target = inside.path().join("saved.db");
        let args = ["catalog", "check", "--salvage", target.to_str().unwrap()];
        let starved = run(outside.path(), &args);
        let told = stderr(&starved);
        assert_eq!(starved.status.code(), Some(1), "{told}");
        assert!(told.contains("full disk") || told.contains("No space left"), "{kib}: {told}");
        assert!(!target.exists(), "{kib}");
    }
}

#[test]
fn a_read_only_folder_is_reported_before_any_work() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("one.cells"), "0,0,0\n").unwrap();
    let refused = |args: &[&str]| {
        let done = run_in_read_only(folder.path(), args);
        assert_eq!(done.status.code(), Some(1), "{args:?}: {}", stderr(&done));
        assert!(stderr(&done).contains("ermission denied"), "{args:?}: {}", stderr(&done));
    };
    refused(&["run"]);
    refused(&["import", "one.cells"]);
    refused(&["census", "2x2x3", "--set", "V L T", "--keep", "all", "--catalog"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_figure_that_cannot_be_counted_does_not_affect_others() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // More kinds of pieces than a search takes: 128 of eight cells, each of which is a step along an axis from the last.
    let mut forms = BTreeSet::new();
    let mut pieces = String::new();
    for mut steps in 0..3_usize.pow(7) {
        let mut cell = [0; 3];
        let mut cells = vec![Cell::from(cell)];
        for _ in 0..7 {
            cell[steps % 3] += 1;
            cells.push(Cell::from(cell));
            steps /= 3;
        }
        let piece = Piece::new('P', &cells).unwrap();
        if forms.len() < 128 && forms.insert(piece.form().clone()) {
            let words: Vec<String> = piece.form().words().collect();
            pieces += &format!("p{}: {}\n", forms.len(), words.join(" "));
        }
    }
    let row: String = (0..1024).map(|x| format!(" {x},0,0")).collect();
    fs::write(folder.join("ones.set"), pieces).unwrap();
    fs::write(folder.join("row.cells"), format!("row:{row}\n")).unwrap();
    fs::write(folder.join("cube.soma"), "/SOMA1\n/***/***/***\n/***/***/***\n/***/***/***\n")
        .unwrap();
    let failed = run(folder, &["import", "row.cells", "--set", "ones.set", "-q"]);
    assert_eq!(failed.status.code(), Some(3), "{}", stderr(&failed));
    assert_eq!(run(folder, &["import", "cube.soma", "-q"]).status.code(), Some(0));
    let csv = stdout(&run(folder, &["export", "csv", "-", "--sort", "raw"]));
    assert_eq!(column(&csv, "verdict"), ["counted", "failed"]);
    assert!(column(&csv, "reason")[1].contains("these are 1024 + 128"), "{csv}");
    assert_eq!(column(&csv, "raw")[0], "11520");
}

#[test]
fn a_catalog_that_is_removed_or_replaced_ends_the_run_and_harms_nothing() {
    for replace in [false, true] {
        let folder = TempDir::new().unwrap();
        let db = folder.path().join("somacat.db");
        let other = TempDir::new().unwrap();
        starter(other.path());
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
        small_plan(folder.path());
        let again = run(folder.path(), &["run", "small.toml", "-q"]);
        assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
        assert_sound(&db);
    }
}

#[test]
fn output_to_a_full_disk_is_an_error() {
    let Ok(probe) = File::options().write(true).open("/dev/full") else {
        skipped("this system has no /dev/full");
        return;
    };
    drop(probe);
    let folder = TempDir::new().unwrap();
    starter(folder.path());
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
        // The reader of the pipe has closed it.
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
fn a_log_records_all_events_in_json_lines() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("mine.cells"), "a: 0,0,0 1,0,0\nb: 0,0\n").unwrap();
    // Half a line, as a kill may leave.
    fs::write(folder.join("log.jsonl"), "{\"time\":\"20").unwrap();
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
    small_plan(folder.path());
    for log in ["/dev/full", "no/such/folder/log.jsonl"] {
        let done = run(folder.path(), &["run", "small.toml", "-q", "--log", log]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_eq!(stderr(&done).matches(" written").count(), 1, "{}", stderr(&done));
    }
}
