//! Kills with `kill -9` at any moment. The result is compared with an undisturbed run.

use crate::support::night::{assert_sound, box_plan, buildable_plan, dump, exports};
use crate::support::program::{run, somacat, stderr, stdout};
use crate::support::random::Random;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Writes a file of many figures in cells, some repeated, some faulty.
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
    let lines: Vec<&str> = lines.lines().filter(|l| !l.starts_with('#')).take(1000).collect();
    assert_eq!(lines.len(), 1000, "{}", stderr(&listed));
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

/// Repeats a command, killed after random times, until it ends by itself. Returns the number of kills and how it ended.
/// `whole` is the time that it takes undisturbed.
fn kill_until_done(folder: &Path, args: &[&str], whole: Duration) -> (u32, Output) {
    let longer = 1 + whole.as_millis() as usize / 4;
    let (mut random, mut kills, mut patience) = (Random::new(0), 0, longer);
    loop {
        let mut command = somacat(folder, args);
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        // The times increase, so that it ends even on the slowest machine.
        let end = Instant::now() + Duration::from_millis(random.below(patience) as u64);
        patience += longer;
        let mut status = None;
        while status.is_none() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
            status = child.try_wait().unwrap();
        }
        child.kill().unwrap();
        let done = child.wait_with_output().unwrap();
        if done.status.code().is_some() {
            return (kills, done);
        }
        kills += 1;
    }
}

/// Returns the number of kills.
fn assert_kills_change_nothing(args: &[&str], prepare: impl Fn(&Path), code: i32) -> u32 {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    prepare(folder);
    let begun = Instant::now();
    let whole = run(folder, &[args, &["--db", "whole.db"]].concat());
    let time = begun.elapsed();
    assert_eq!(whole.status.code(), Some(code), "{}", stderr(&whole));
    let take_csv = || {
        let path = folder.join("somacat.csv");
        path.exists().then(|| (fs::read(&path).unwrap(), fs::remove_file(&path).unwrap()).0)
    };
    let (dumped, exported) = (dump(folder, "whole.db"), exports(folder, "whole.db"));
    let written = take_csv();
    let args_killed = [args, &["--db", "killed.db"]].concat();
    let (kills, ended) = kill_until_done(folder, &args_killed, time);
    assert!(kills > 0, "it was over before it could be killed");
    assert_eq!(ended.status.code(), Some(code), "{}", stderr(&ended));
    assert!(dump(folder, "killed.db") == dumped, "tables differ after {kills} kills: {args:?}");
    assert!(exports(folder, "killed.db") == exported, "exports differ: {args:?}");
    assert!(take_csv() == written, "CSV files differ: {args:?}");
    assert_sound(&folder.join("killed.db"));
    kills
}

#[test]
fn kills_during_import_and_count_change_nothing() {
    assert_kills_change_nothing(&["import", "many.cells", "-q"], many_figures, 3);
}

#[test]
fn kills_during_an_enumeration_change_nothing() {
    for keep in ["all", "solvable", "totals"] {
        let args = ["run", "box.toml", "-q"];
        let kills = assert_kills_change_nothing(&args, |folder| box_plan(folder, keep), 0);
        assert!(kills > 1, "it was over before it could be killed twice");
    }
}

#[test]
fn kills_during_a_search_for_buildable_figures_change_nothing() {
    let args = ["run", "buildable.toml", "-q"];
    assert_kills_change_nothing(&args, |folder| buildable_plan(folder, "all", "Cs(diagonal)"), 0);
}

#[test]
fn kills_during_a_census_change_nothing() {
    let args = ["census", "2x2x5", "--set", "V L T", "--keep", "all", "--catalog", "-q"];
    assert_kills_change_nothing(&args, |_| (), 0);
}
