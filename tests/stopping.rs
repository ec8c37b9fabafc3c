//! Stopping and continuing: signals, status from another shell, a second program, scripts for the night.

use crate::support::night::{
    LONG_PLAN, assert_sound, done_in, ended, figures_in, long_run, wait_until,
};
use crate::support::points::stopped_at_sleep;
use crate::support::program::{run, send, signal, somacat, start, starter, stderr, stdout};
use crate::support::skipped::skipped;
use std::fs;
use std::io::{PipeWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn files_in(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| name(entry).into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_first_signal_stops_cleanly_and_reports_how_to_continue() {
    for name in ["INT", "TERM", "HUP"] {
        if name == "HUP" && ignores_hangup() {
            skipped(
                "the tests run with SIGHUP ignored, as under nohup, and so do programs that they start",
            );
            continue;
        }
        let folder = TempDir::new().unwrap();
        let child = long_run(folder.path());
        signal(&child, name);
        let output = ended(child);
        assert_eq!(output.status.code(), Some(75), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("the same command continues"), "{}", stderr(&output));
        let left = ["long.toml", "night.jsonl", "somacat.csv", "somacat.db"];
        assert_eq!(files_in(folder.path()), left);
        assert_sound(&folder.path().join("somacat.db"));
    }
}

/// Returns whether this process, and so every program that it starts, ignores SIGHUP.
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

/// `nohup` starts a program with SIGHUP ignored. The program hears other signals.
#[test]
fn nohup_protects_from_a_closed_terminal() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("long.toml"), LONG_PLAN).unwrap();
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_somacat")).args(["run", "long.toml"]).current_dir(folder);
    command.env_remove("SOMACAT_DB").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_until(&mut child, |_| folder.join("somacat.db").exists() && done_in(folder) > 0);
    send(&child, "HUP");
    let before = done_in(folder);
    wait_until(&mut child, |_| done_in(folder) > before);
    signal(&child, "TERM");
    let output = ended(child);
    assert_eq!(output.status.code(), Some(75), "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("stopping;").count(), 1, "{}", stderr(&output));
}

/// No count is complete, and no list is called so.
#[test]
fn a_stopped_list_of_buildable_figures_claims_nothing() {
    let folder = TempDir::new().unwrap();
    let args = ["enumerate", "buildable", "--class", "Ci", "--count", "--csv"];
    let child = start(folder.path(), &args, b"");
    signal(&child, "TERM");
    let output = ended(child);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(75), ""));
    let said = stderr(&output);
    assert!(said.contains("stopped early: "), "{said}");
    assert!(!said.contains("kept") && !said.contains("buildable ("), "{said}");
}

/// Writes to a pipe until it is full.
fn fill(pipe: &mut PipeWriter) {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(&pipe).unwrap();
    fcntl_setfl(&pipe, flags | OFlags::NONBLOCK).unwrap();
    while pipe.write(&[b'\n'; 1]).is_ok() {}
    fcntl_setfl(&pipe, flags).unwrap();
}

#[test]
fn a_second_signal_ends_at_once_and_the_catalog_is_sound() {
    let folder = TempDir::new().unwrap();
    // Nobody reads the messages, and the pipe is full: the program waits and cannot react to the first signal.
    fs::write(folder.path().join("faulty.cells"), "bad: 0,0,0 0,0,0\n".repeat(5000)).unwrap();
    let (reader, mut writer) = std::io::pipe().unwrap();
    fill(&mut writer);
    let mut command = somacat(folder.path(), &["import", "faulty.cells", "--set", "V"]);
    let mut child = command.stderr(writer).spawn().unwrap();
    drop(command);
    wait_until(&mut child, |_| run(folder.path(), &["status"]).status.success());
    signal(&child, "INT");
    assert_eq!(child.try_wait().unwrap(), None);
    // Those that follow the first at once count as its echo.
    wait_until(&mut child, |child| {
        let ended = child.try_wait().unwrap().is_some();
        if !ended {
            signal(child, "INT");
        }
        ended
    });
    assert_eq!(ended(child).status.code(), Some(130));
    drop(reader);
    assert_sound(&folder.path().join("somacat.db"));
    starter(folder.path());
}

#[test]
fn status_reports_progress_and_kills() {
    let folder = TempDir::new().unwrap();
    let mut child = long_run(folder.path());
    let running = stdout(&run(folder.path(), &["status"]));
    assert!(!running.contains("killed"), "{running}");
    for word in ["running", "percent done", "figures a second", "time left"] {
        assert!(running.contains(word), "{running}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = stdout(&run(folder.path(), &["status"]));
    assert!(killed.contains("killed; the same command continues"), "{killed}");
    assert!(!killed.contains("running"), "{killed}");
    // Only the files of the catalog are left, which the next run merges.
    let strange = |name: &String| !name.starts_with("somacat.db");
    let left: Vec<String> = files_in(folder.path()).into_iter().filter(strange).collect();
    assert_eq!(left, ["long.toml", "night.jsonl"]);
}

#[test]
fn a_second_program_is_refused_and_the_first_continues() {
    let folder = TempDir::new().unwrap();
    let mut child = long_run(folder.path());
    for args in [["run", "-q"].as_slice(), &["run", "long.toml", "-q"]] {
        let second = run(folder.path(), args);
        assert_eq!(second.status.code(), Some(1));
        assert!(stderr(&second).contains("another program is writing"), "{}", stderr(&second));
    }
    let before = done_in(folder.path());
    wait_until(&mut child, |_| done_in(folder.path()) > before);
    signal(&child, "TERM");
    assert_eq!(ended(child).status.code(), Some(75));
}

#[test]
fn a_reader_at_the_end_of_a_run_does_not_leave_it_in_parts() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    fs::remove_file(folder.join("somacat.csv")).unwrap();
    let connection = rusqlite::Connection::open(folder.join("somacat.db")).unwrap();
    connection.execute_batch("BEGIN; SELECT * FROM figure").unwrap();
    // The run finds the reader at its end, and stops before it waits for it. Meanwhile the reader leaves.
    let mut child = stopped_at_sleep(folder, &["run", "-q"]).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    wait_until(&mut child, |_| {
        fs::read_to_string(&status).is_ok_and(|s| s.contains("T (stopped)"))
    });
    drop(connection);
    signal(&child, "CONT");
    assert_eq!(ended(child).status.code(), Some(0));
    assert_eq!(files_in(folder), ["somacat.csv", "somacat.db"]);
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
    // Stopped by its time limit, then by a signal to the script; it made progress both times.
    let before = figures_in(folder);
    let mut seconds = 2;
    let between = loop {
        let timed = overnight().env("SOMACAT_SECONDS", seconds.to_string()).output().unwrap();
        assert_eq!(timed.status.code(), Some(0), "{}", stderr(&timed));
        match figures_in(folder) {
            figures if figures > before => break figures,
            // This machine made no progress in such a short time.
            _ => seconds *= 2,
        }
    };
    let mut script = overnight().spawn().unwrap();
    wait_until(&mut script, |_| figures_in(folder) > between);
    signal(&script, "TERM");
    assert_eq!(ended(script).status.code(), Some(0));
    let log = fs::read_to_string(folder.join("somacat.log")).unwrap();
    assert!(log.matches("the same command continues").count() >= 2, "{log}");
    assert!(fs::read_to_string(folder.join("somacat.jsonl")).unwrap().contains("\"stopped\""));
    fs::write(folder.join("long.toml"), "title = 7").unwrap();
    let broken = overnight().output().unwrap();
    assert_eq!(broken.status.code(), Some(1));
    assert!(stderr(&broken).contains("long.toml"), "{}", stderr(&broken));
}

/// Entries that are refused every night are no reason for a mail every night, or for a failed service.
#[test]
fn overnight_takes_a_run_with_refused_entries_as_done() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("two.cells"), "good: 0,0,0 1,0,0 0,1,0\nbad: 0,0,0 0,0,0\n").unwrap();
    fs::write(folder.join("plan.toml"), "title = \"two\"\nimport = [\"two.cells\"]\nset = \"V\"\n")
        .unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/overnight.sh");
    for runs in 1..=2 {
        let mut command = Command::new("sh");
        command.arg(&script).arg("plan.toml").current_dir(folder);
        command.env("SOMACAT", env!("CARGO_BIN_EXE_somacat")).env_remove("SOMACAT_DB");
        let done = command.output().unwrap();
        assert_eq!((done.status.code(), stderr(&done).as_str()), (Some(0), ""));
        // The log of all nights separates them, and each line of progress or of a fault has its date.
        let log = fs::read_to_string(folder.join("somacat.log")).unwrap();
        assert_eq!(log.lines().filter(|line| line.starts_with("──── 2")).count(), runs, "{log}");
        let dated = |line: &&str| line.get(10..11) == Some("T") && line.get(19..21) == Some("Z ");
        let lines: Vec<&str> = log.lines().filter(dated).collect();
        assert_eq!(lines.iter().filter(|line| line.contains("bad")).count(), runs, "{log}");
        assert_eq!(lines.iter().filter(|line| line.ends_with("Z finished")).count(), runs, "{log}");
    }
}

#[test]
fn systemd_finds_no_fault_with_the_units() {
    let home = TempDir::new().unwrap();
    let programs = home.path().join(".cargo/bin");
    fs::create_dir_all(&programs).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_somacat"), programs.join("somacat")).unwrap();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let mut command = Command::new("systemd-analyze");
    command.args(["verify", "--user", "--man=no"]);
    command.args(["somacat.service", "somacat.timer"].map(|unit| scripts.join(unit)));
    command.env("HOME", home.path()).env("XDG_RUNTIME_DIR", home.path());
    let Ok(output) = command.output() else {
        skipped("this system has no systemd-analyze");
        return;
    };
    // Faults of the system's other units do not matter here.
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("somacat"), "{}", stderr(&output));
}
