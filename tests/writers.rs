//! One writer per file, under any of its names.

use crate::support::night::{
    assert_sound, box_plan, done_in, dump, ended, long_run, small_plan, wait_until,
};
use crate::support::program::{run, signal, somacat, stderr};
use somacat_catalog::check_catalog;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use tempfile::TempDir;

/// Another name of the file admits no second writer during a run.
#[test]
fn a_second_writer_is_refused_under_any_name() {
    let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let db = folder.path().join("somacat.db");
    let mut child = long_run(folder.path());
    symlink(&db, folder.path().join("link.db")).unwrap();
    symlink(folder.path(), other.path().join("folder")).unwrap();
    symlink("folder/link.db", other.path().join("far.db")).unwrap();
    fs::hard_link(&db, folder.path().join("hard.db")).unwrap();
    // Earlier versions had a lock file; deleting one must not matter.
    let _ = fs::remove_file(folder.path().join("somacat.db-lock"));
    let names = ["somacat.db", "./somacat.db", "link.db", "hard.db"];
    let names = names.map(|name| folder.path().join(name));
    let names =
        names.into_iter().chain(["far.db", "folder/somacat.db"].map(|n| other.path().join(n)));
    for name in names {
        let args = ["run", "-q", "--out", "x.csv", "--db", name.to_str().unwrap()];
        let second = run(folder.path(), &args);
        assert_eq!(second.status.code(), Some(1), "{name:?}");
        assert!(stderr(&second).contains("another program is writing"), "{}", stderr(&second));
        let status = run(folder.path(), &["status", "--db", name.to_str().unwrap()]);
        // SQLite looks for a catalog's log next to the name, so it does not find the log through a hard link.
        if name.ends_with("hard.db") {
            assert_eq!(status.status.code(), Some(1));
            assert!(stderr(&status).contains("2 names (hard links)"), "{}", stderr(&status));
            continue;
        }
        assert_eq!(status.status.code(), Some(0), "{name:?}: {}", stderr(&status));
    }
    let before = done_in(folder.path());
    wait_until(&mut child, |_| done_in(folder.path()) > before);
    signal(&child, "TERM");
    assert_eq!(ended(child).status.code(), Some(75));
    assert_sound(&db);
    // With two hard links, the log of one name would be missing under the other.
    let refused = run(folder.path(), &["run", "-q", "--db", "hard.db"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("2 names (hard links)"), "{}", stderr(&refused));
    assert_eq!(run(folder.path(), &["query", "--db", "hard.db"]).status.code(), Some(0));
    fs::remove_file(folder.path().join("hard.db")).unwrap();
    small_plan(folder.path());
    let done = run(folder.path(), &["run", "small.toml", "-q", "--db", "link.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
}

#[test]
fn two_runs_through_two_names_count_everything_once() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    box_plan(folder, "totals");
    assert_eq!(run(folder, &["run", "box.toml", "-q", "--db", "whole.db"]).status.code(), Some(0));
    symlink("real.db", folder.join("link.db")).unwrap();
    for _ in 0..4 {
        let start = |db: &str| {
            let csv = format!("{db}.csv");
            let args = ["run", "box.toml", "-q", "--db", db, "--out", &csv];
            somacat(folder, &args).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children = [start("real.db"), start("link.db")];
        let ends = children.map(ended);
        let codes: Vec<_> = ends.iter().map(|end| end.status.code()).collect();
        assert!(codes.contains(&Some(0)), "{ends:?}");
        assert!(codes.iter().all(|code| matches!(code, Some(0 | 1))), "{ends:?}");
        assert_eq!(dump(folder, "real.db"), dump(folder, "whole.db"));
        assert_eq!(check_catalog(&folder.join("real.db"), false).unwrap().findings, []);
        fs::remove_file(folder.join("real.db")).unwrap();
    }
}

#[test]
fn names_with_a_special_meaning_to_sqlite_are_refused() {
    let folder = TempDir::new().unwrap();
    for db in [":memory:", "file:somacat.db", "file:somacat.db?mode=memory", ""] {
        for command in [["run", "-q"].as_slice(), &["query"], &["status"], &["catalog", "check"]] {
            let refused = run(folder.path(), &[command, &["--db", db]].concat());
            assert_eq!(refused.status.code(), Some(2), "{command:?} {db}: {}", stderr(&refused));
        }
    }
    assert!(!folder.path().join(":memory:").exists() && !folder.path().join("somacat.db").exists());
    // As file names they are accepted.
    small_plan(folder.path());
    for db in ["./:memory:", "./file:somacat.db?mode=memory"] {
        let done = run(folder.path(), &["run", "small.toml", "-q", "--db", db]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_sound(&folder.path().join(db));
        assert_eq!(run(folder.path(), &["status", "--db", db]).status.code(), Some(0));
    }
}
