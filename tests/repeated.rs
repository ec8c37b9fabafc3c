//! A command that finished and is repeated, because the program was killed in its last moment or a queue started it
//! again, ends as it ended.

use crate::support::night::dump;
use crate::support::points::{Signal, disturbed, hanging_at, points_of};
use crate::support::program::{run, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Commands that write a new file or folder, and what they write.
const WRITERS: [(&[&str], &str); 5] = [
    // With more threads, the number of its temporary files varies.
    (
        &["merge", "units.txt", "parts", "--to", "parquet", "merged", "-q", "--threads", "1"],
        "merged",
    ),
    (&["export", "parquet", "exported", "-q"], "exported"),
    (&["catalog", "release", "data", "-q"], "data"),
    (&["catalog", "publish", "copy.db", "-q"], "copy.db"),
    (&["catalog", "check", "--salvage", "saved.db", "-q"], "saved.db"),
];

/// Commands that edit a catalog.
const EDITS: [&[&str]; 5] = [
    &["catalog", "rename", "tower", "high tower", "--title", "A tower", "-q"],
    &["catalog", "rename", "--list", "names.csv", "-q"],
    &["catalog", "rename", "--source", "maps.txt", "Newsletter 2", "-q"],
    &["catalog", "remove", "tower", "slab", "-q"],
    &["catalog", "remove", "--source", "maps.txt", "-q"],
];

fn ends(folder: &Path, args: &[&str], code: i32) -> String {
    let done = run(folder, args);
    assert_eq!(done.status.code(), Some(code), "{args:?}: {}", stderr(&done));
    stderr(&done)
}

/// Creates a folder with a catalog and with the parts of its plan.
fn catalog() -> TempDir {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    fs::write(here.join("maps.txt"), "cube: 333 333 333\ntower: 67 77\nslab: 999\n").unwrap();
    fs::write(here.join("names.csv"), "figure,name\ntower,Turm\ncube,Kubus\nslab,Platte\n")
        .unwrap();
    fs::write(here.join("plan.toml"), "title = \"x\"\nimport = [\"maps.txt\"]\n").unwrap();
    ends(here, &["run", "plan.toml", "-q"], 0);
    let units = run(here, &["units", "plan.toml", "-q"]);
    fs::write(here.join("units.txt"), &units.stdout).unwrap();
    for unit in 1..=stdout(&units).lines().count() {
        ends(here, &["work", "units.txt", "--unit", &unit.to_string(), "-q"], 0);
    }
    folder
}

/// Copies all files of a folder to a new one.
fn copy_of(folder: &Path) -> TempDir {
    fn copy(from: &Path, to: &Path) {
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let (old, new) = (entry.path(), to.join(entry.file_name()));
            match old.is_dir() {
                true => (fs::create_dir(&new).unwrap(), copy(&old, &new)).0,
                false => fs::copy(&old, &new).map(|_| ()).unwrap(),
            }
        }
    }
    let new = TempDir::new().unwrap();
    copy(folder, new.path());
    new
}

/// Returns all files of a file or folder, with their contents.
fn contents(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if path.is_file() {
        return vec![(path.to_owned(), fs::read(path).unwrap())];
    }
    let mut paths: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| contents(path)).collect()
}

/// Returns points of a command, spread evenly: the first, the last, which is its end, and some between. With
/// `SOMACAT_THOROUGH=1` these are all.
fn sample(points: u64, between: u64) -> Vec<u64> {
    let thorough = std::env::var_os("SOMACAT_THOROUGH").is_some();
    let step = if thorough { 1 } else { points.div_ceil(between + 1) };
    let mut points: Vec<u64> = (0..points).step_by(step as usize).map(|n| points - n).collect();
    points.push(1);
    points
}

fn assert_same(args: &[&str], point: u64, found: &Path, expected: &Path) {
    let [found, expected] = [found, expected].map(|path| {
        let relative = |file: PathBuf| file.strip_prefix(path).unwrap().to_owned();
        let files = contents(path).into_iter().map(|(file, bytes)| (relative(file), bytes));
        files.collect::<Vec<_>>()
    });
    assert!(!expected.is_empty() && found == expected, "{args:?}: the result differs at {point}");
}

#[test]
fn a_result_is_recognized_after_a_kill_at_any_point() {
    let before = catalog();
    for (args, result) in WRITERS {
        let whole = copy_of(before.path());
        let (done, points) = points_of(whole.path(), args);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        for point in sample(points, 4) {
            let folder = copy_of(before.path());
            let here = folder.path();
            assert_eq!(disturbed(here, args, point, Signal::Kill), None, "{args:?} at {point}");
            let written = here.join(result).exists();
            assert!(written || point < points, "{args:?}: it ended without a result");
            // It ends as it would have ended, any number of times.
            for _ in 0..2 {
                ends(here, args, 0);
                assert_same(args, point, &here.join(result), &whole.path().join(result));
            }
        }
    }
}

#[test]
fn an_edit_is_recognized_after_a_kill_at_any_point() {
    let before = catalog();
    for args in EDITS {
        let whole = copy_of(before.path());
        let (done, points) = points_of(whole.path(), args);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        let [unedited, edited] = [before.path(), whole.path()].map(|at| dump(at, "somacat.db"));
        assert!(edited != unedited, "{args:?}");
        for point in sample(points, 4) {
            let folder = copy_of(before.path());
            let here = folder.path();
            assert_eq!(disturbed(here, args, point, Signal::Kill), None, "{args:?} at {point}");
            for _ in 0..2 {
                ends(here, args, 0);
                assert!(dump(here, "somacat.db") == edited, "{args:?}: tables differ at {point}");
            }
            let status = stdout(&run(here, &["status", "--csv"]));
            assert!(
                status.contains("finished") && !here.join("somacat.db-wal").exists(),
                "{status}"
            );
            ends(here, &["catalog", "check", "-q"], 0);
        }
    }
}

/// Whatever a thread is doing, for however long: the program ends at once, and the same command starts again.
#[test]
fn a_stopped_export_leaves_nothing_behind() {
    const OTHERS: [&[&str]; 7] = [
        // On several threads the number of file changes may vary.
        &["export", "gallery", "site", "-q", "--threads", "1"],
        &["export", "newsletter", "letter", "-q", "--threads", "1"],
        &["export", "csv", "all.csv", "-q"],
        &["export", "soma", "all.soma", "-q"],
        &["export", "xmpuzzle", "all.xmpuzzle", "-q"],
        &["export", "obj", "cube.obj", "--figure", "cube", "--what", "packing", "-q"],
        &["show", "cube", "--svg", "cube.svg", "-q"],
    ];
    let before = catalog();
    let files = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    // A merge looks for the request itself.
    let writers = WRITERS.iter().skip(1).map(|(args, _)| *args);
    for args in writers.chain(OTHERS) {
        let whole = copy_of(before.path());
        let (done, points) = points_of(whole.path(), args);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        let [without, with] = [before.path(), whole.path()].map(files);
        assert!(with.len() > without.len(), "{args:?}");
        // At its end, a command is done.
        for point in sample(points, 2).into_iter().filter(|point| *point < points) {
            let folder = copy_of(before.path());
            let here = folder.path();
            let done = hanging_at(here, args, point).output().unwrap();
            let said = stderr(&done);
            assert_eq!(done.status.code(), Some(75), "{args:?} at {point}: {said}");
            let left = files(here);
            assert!(left == without || left == with, "{args:?} at {point}: {left:?}");
            let after = if left == with { ", after a result was complete" } else { "" };
            let expected = format!("stopped early{after}; the same command starts again");
            assert!(said.contains(&expected), "{args:?} at {point}: {said}");
            ends(here, args, 0);
            assert_eq!(files(here), with, "{args:?} at {point}");
            // A thread that goes on has a result if and only if the command says so.
            let folder = copy_of(before.path());
            let code = disturbed(folder.path(), args, point, Signal::Terminate);
            let (done, left) = (code == Some(0), files(folder.path()));
            assert!(done || code == Some(75), "{args:?} at {point}: {code:?}");
            assert_eq!(&left, if done { &with } else { &without }, "{args:?} at {point}");
        }
    }
}

/// Runs do not change what a catalog contains, so its releases and exports stay the same.
#[test]
fn a_result_of_the_same_catalog_is_recognized_after_another_run() {
    let folder = catalog();
    let folder = folder.path();
    let writers = WRITERS.iter().filter(|(_, result)| *result != "saved.db");
    for (args, _) in writers.clone() {
        ends(folder, args, 0);
    }
    ends(folder, &["run", "plan.toml", "-q"], 0);
    for (args, _) in writers {
        ends(folder, args, 0);
    }
}

/// A result that was changed, one of another catalog or with another option, and an edit that was never made.
#[test]
fn anything_else_is_refused() {
    let before = catalog();
    let refused = |folder: &Path, args: &[&str], result: &str| {
        let files = contents(&folder.join(result));
        let told = ends(folder, args, 1);
        assert!(told.contains(&format!("{result} exists; choose another")), "{told}");
        assert!(contents(&folder.join(result)) == files, "{args:?}: it was changed");
    };
    for (args, result) in WRITERS {
        let folder = copy_of(before.path());
        let here = folder.path();
        ends(here, args, 0);
        let path = here.join(result);
        let file = contents(&path).pop().unwrap().0;
        let bytes = fs::read(&file).unwrap();
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        fs::write(&file, damaged).unwrap();
        refused(here, args, result);
        fs::write(&file, [&bytes[..], b" "].concat()).unwrap();
        refused(here, args, result);
        fs::write(&file, bytes).unwrap();
        ends(here, args, 0);
        if path.is_dir() {
            fs::write(path.join("notes.txt"), "mine").unwrap();
            refused(here, args, result);
            fs::remove_file(path.join("notes.txt")).unwrap();
        }
        if result == "merged" {
            continue;
        }
        fs::write(here.join("more.txt"), "stairs: 1122 2344 3230\n").unwrap();
        ends(here, &["import", "more.txt", "-q"], 0);
        refused(here, args, result);
    }
    let here = before.path();
    ends(here, &["export", "parquet", "exported", "-q"], 0);
    refused(here, &["export", "parquet", "exported", "-q", "--name", "cube"], "exported");
    for args in [["rename", "nobody", "tower"], ["remove", "tower", "nobody"]] {
        assert!(ends(here, &[&["catalog"], &args[..]].concat(), 1).contains("nobody"));
    }
    // The tower was removed before; the source was not.
    ends(here, &["catalog", "remove", "tower"], 0);
    assert!(ends(here, &["catalog", "remove", "--source", "tower"], 1).contains("no source tower"));
    // Its new name is gone again, so the edit is not what the catalog shows.
    ends(here, &["catalog", "rename", "slab", "plate"], 0);
    ends(here, &["catalog", "rename", "plate", "floor"], 0);
    assert!(ends(here, &["catalog", "rename", "slab", "plate"], 1).contains("slab"));
}
