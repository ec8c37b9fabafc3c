//! Kills with `kill -9` before any change of a file. The result is compared with an undisturbed run.

use crate::support::night::{assert_sound, box_plan, buildable_plan, dump, exports};
use crate::support::points::{Signal, disturbed, points_of, signaled_at};
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use somacat_catalog::{Catalog, CatalogError};
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
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

/// Repeats a command, killed at random points, until it ends by itself. Returns the number of kills and how it ended.
/// `whole` is the number of points of an undisturbed run.
fn kill_until_done(folder: &Path, args: &[&str], whole: u64) -> (u32, Output) {
    let mut random = Random::new(0);
    // The first two kills come so early that they are certain. The others come later and later, so that the command
    // ends even where it writes more often, as on a slow machine.
    let ranges = [8, 8].into_iter().chain((1..).map(|n| 8 + whole * n / 4));
    for (kills, range) in (0..).zip(ranges) {
        let point = 1 + random.below(range as usize) as u64;
        let mut command = signaled_at(folder, args, point, Signal::Kill);
        let done = command.stdout(Stdio::null()).output().unwrap();
        if done.status.code().is_some() {
            return (kills, done);
        }
    }
    unreachable!("the ranges have no end")
}

fn assert_kills_change_nothing(args: &[&str], prepare: impl Fn(&Path), code: i32) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    prepare(folder);
    let (whole, points) = points_of(folder, &[args, &["--db", "whole.db"]].concat());
    assert_eq!(whole.status.code(), Some(code), "{}", stderr(&whole));
    let take_csv = || {
        let path = folder.join("somacat.csv");
        path.exists().then(|| (fs::read(&path).unwrap(), fs::remove_file(&path).unwrap()).0)
    };
    let (dumped, exported) = (dump(folder, "whole.db"), exports(folder, "whole.db"));
    let written = take_csv();
    let args_killed = [args, &["--db", "killed.db"]].concat();
    let (kills, ended) = kill_until_done(folder, &args_killed, points);
    assert!(kills >= 2, "{args:?}: {kills} kills");
    assert_eq!(ended.status.code(), Some(code), "{}", stderr(&ended));
    assert!(dump(folder, "killed.db") == dumped, "tables differ after {kills} kills: {args:?}");
    assert!(exports(folder, "killed.db") == exported, "exports differ: {args:?}");
    assert!(take_csv() == written, "CSV files differ: {args:?}");
    assert_sound(&folder.join("killed.db"));
}

#[test]
fn kills_during_import_and_count_change_nothing() {
    assert_kills_change_nothing(&["import", "many.cells", "-q"], many_figures, 3);
}

#[test]
fn kills_during_an_enumeration_change_nothing() {
    for keep in ["all", "solvable", "totals"] {
        let args = ["run", "box.toml", "-q"];
        assert_kills_change_nothing(&args, |folder| box_plan(folder, keep), 0);
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

/// A kill may come between the header of a page in the log and the page. The first transaction is then not whole.
#[test]
fn a_kill_at_any_point_of_creation_leaves_no_damage() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("one.txt"), "long: 999\n").unwrap();
    let args = ["import", "one.txt", "-q"];
    let (done, points) = points_of(folder, &args);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let db = folder.join("somacat.db");
    for point in 1..points {
        for ending in ["", "-wal", "-shm", "-lock"] {
            let _ = fs::remove_file(format!("{}{ending}", db.display()));
        }
        assert_eq!(disturbed(folder, &args, point, Signal::Kill), None, "{point} of {points}");
        let opened = Catalog::open_read_only(&db);
        let is_sound =
            matches!(&opened, Ok(_) | Err(CatalogError::Empty(_) | CatalogError::Missing(_)));
        assert!(is_sound, "{point} of {points}: {:?}", opened.as_ref().err());
        if opened.is_ok() {
            // From here on it exists, and the other tests kill.
            return;
        }
    }
    panic!("the catalog is never whole before the end");
}
