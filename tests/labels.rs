//! How sources, catalogs and figures are called: labels without local folders, files that move, misspelled numbers.

use crate::support::program::{run, somacat, stderr, stdout};
use somacat_catalog::{CatalogError, EnumerationKey, RunEnd, Session};
use somacat_counting::question::Keep;
use somacat_geometry::pieces::PieceSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const CUBE: &str = "cube: 333 333 333\n";

/// A label is the path below the working directory or the plan, however it is spelled, else the file name alone.
#[test]
fn sources_outside_the_working_directory_have_their_file_names() {
    let outer = TempDir::new().unwrap();
    let (inner, plans) = (outer.path().join("a/b"), outer.path().join("plans"));
    for folder in [inner.join("c"), plans.join("figures")] {
        fs::create_dir_all(folder).unwrap();
    }
    let absolute = outer.path().join("absolute.txt").display().to_string();
    for (given, label) in [
        ("own.txt", "own.txt"),
        ("./c/own.txt", "c/own.txt"),
        ("c/../tidy.txt", "tidy.txt"),
        ("../b/c/back.txt", "c/back.txt"),
        ("../../outside.txt", "outside.txt"),
        ("c/../../sideways.txt", "sideways.txt"),
        (absolute.as_str(), "absolute.txt"),
    ] {
        fs::write(inner.join(given), CUBE).unwrap();
        let done = run(&inner, &["import", given, "--no-count", "-q", "--db", "labels.db"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let sql = "SELECT label FROM source ORDER BY id DESC LIMIT 1";
        let last = stdout(&run(&inner, &["query", "--db", "labels.db", "--csv", "--sql", sql]));
        assert_eq!(last, format!("label\n{label}\n"), "{given}");
    }
    // A plan's files are called by their paths from the plan.
    fs::write(plans.join("figures/of plan.txt"), CUBE).unwrap();
    fs::write(plans.join("../beside.txt"), CUBE).unwrap();
    let plan = "title = \"t\"\nimport = [\"figures/of plan.txt\", \"../beside.txt\"]\n";
    fs::write(plans.join("plan.toml"), plan).unwrap();
    let done = run(&inner, &["run", "../../plans/plan.toml", "-q", "--db", "plan.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let sql = "SELECT label FROM source ORDER BY id";
    let all = stdout(&run(&inner, &["query", "--db", "plan.db", "--csv", "--sql", sql]));
    assert_eq!(all, "label\nfigures/of plan.txt\nbeside.txt\n");
}

/// A catalog that was renamed still has everything; one that was removed has lost it. The message says which.
#[test]
#[cfg(target_os = "linux")]
fn a_catalog_that_moved_is_not_called_lost() {
    let folder = TempDir::new().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    fs::create_dir(&old).unwrap();
    let mut session = Session::begin(&old.join("a.db"), "a test", "test").unwrap();
    let set = session.set_id(&PieceSet::soma(1)).unwrap();
    fs::rename(&old, &new).unwrap();
    let write = |session: &mut Session| {
        let key = EnumerationKey { question: "q", label: "l", set, keep: Keep::All, limit: 0 };
        session.enumeration(key)
    };
    let moved = write(&mut session).unwrap_err();
    assert!(matches!(moved, CatalogError::Moved(_)), "{moved}");
    assert!(!moved.to_string().contains("lost"), "{moved}");
    // Back under its name, the same session goes on with what it wrote.
    fs::rename(&new, &old).unwrap();
    write(&mut session).unwrap();
    fs::remove_file(old.join("a.db")).unwrap();
    let gone = write(&mut session).unwrap_err();
    assert!(matches!(gone, CatalogError::Gone(_)), "{gone}");
    assert!(gone.to_string().contains("is lost"), "{gone}");
    let _ = session.end(RunEnd::Stopped);
}

/// A pipe is a piece file like any other; a folder is not.
#[test]
fn pieces_come_from_pipes_and_not_from_folders() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    let args = ["count", "3x3x3.txt", "--set", "pipe", "--csv", "-q"];
    fs::write(folder.join("3x3x3.txt"), CUBE).unwrap();
    let counting =
        somacat(folder, &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = fs::OpenOptions::new().write(true).open(folder.join("pipe")).unwrap();
    pipe.write_all(b"I*9: 0,0,0 1,0,0 2,0,0\n").unwrap();
    drop(pipe);
    let done = counting.wait_with_output().unwrap();
    assert!(stdout(&done).contains(",counted,,21,"), "{}{}", stdout(&done), stderr(&done));
    fs::create_dir(folder.join("pieces")).unwrap();
    let refused = run(folder, &["count", "3x3x3.txt", "--set", "pieces"]);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("pieces is a directory"), "{}", stderr(&refused));
}
