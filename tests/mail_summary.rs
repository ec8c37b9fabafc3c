//! `run --mail-summary`: what is new since the last run, in ten lines.

use crate::support::program::{run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn summary(folder: &Path, plan: &str) -> (Option<i32>, Vec<String>) {
    let done = run(folder, &["run", plan, "-q", "--mail-summary", "mail.txt"]);
    let text = fs::read_to_string(folder.join("mail.txt")).unwrap_or_else(|_| stderr(&done));
    (done.status.code(), text.lines().map(str::to_owned).collect())
}

#[test]
fn a_mail_states_what_is_new_since_the_last_run() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let plan = "title = \"night\"\nimport = [\"figures.txt\"]\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    fs::write(folder.join("figures.txt"), "cube: 333 333 333\nlong: 999\n").unwrap();
    let (code, first) = summary(folder, "plan.toml");
    assert_eq!((code, first[0].as_str()), (Some(0), "somacat: plan.toml finished"));
    let has = |lines: &[String], line: &str| lines.iter().any(|found| found == line);
    for line in [
        "figures: 2 (+2)",
        "outcomes: solvable 1 (+1), unsolvable 1 (+1), undecided 0, failed 0",
        "counted now: 2 figures, 0 of them with exactly one solution",
        "most solutions: cube, 240 unique, of exact counts",
        "results: somacat.db, somacat.csv",
    ] {
        assert!(has(&first, line), "{line}: {first:#?}");
    }
    // The second night adds a figure and refuses an entry. Of the first night's figures only totals are left.
    let more = "cube: 333 333 333\nlong: 999\ntower: 67 77\nbad: 0 0x\n";
    fs::write(folder.join("figures.txt"), more).unwrap();
    let (code, second) = summary(folder, "plan.toml");
    assert_eq!(code, Some(3));
    for line in [
        "figures: 3 (+1)",
        "outcomes: solvable 2 (+1), unsolvable 1, undecided 0, failed 0",
        "counted now: 1 figure, 0 of them with exactly one solution",
        "faults: 1 refused entry",
    ] {
        assert!(has(&second, line), "{line}: {second:#?}");
    }
    assert!(second.iter().any(|line| line.starts_with("most solutions: tower, ")), "{second:#?}");
    assert!(first.len() <= 10 && second.len() <= 10);
    // A failure replaces the text of the night before, and an input is not replaced by it.
    fs::write(folder.join("broken.toml"), "title = 7").unwrap();
    let (code, failed) = summary(folder, "broken.toml");
    assert_eq!(code, Some(1));
    assert!(failed[0].starts_with("somacat: broken.toml failed: "), "{failed:#?}");
    assert_eq!(failed[1..], ["nothing was added to the catalog"]);
    for file in ["plan.toml", "figures.txt", "somacat.db", "somacat.csv"] {
        let before = fs::read(folder.join(file)).unwrap();
        let refused = run(folder, &["run", "plan.toml", "-q", "--mail-summary", file]);
        assert_eq!(refused.status.code(), Some(1), "{file}");
        assert!(stderr(&refused).contains("choose another file"), "{}", stderr(&refused));
        assert!(fs::read(folder.join(file)).unwrap() == before, "{file}");
    }
}

#[test]
fn a_mail_and_the_catalog_agree_with_the_run() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // A question of the starter plan has a figure that a file names, and counts end at a limit.
    let done = run(folder, &["run", "--mail-summary", "mail.txt"]);
    assert!(stderr(&done).contains("counted now     46\n"), "{}", stderr(&done));
    let mail = fs::read_to_string(folder.join("mail.txt")).unwrap();
    assert!(mail.contains("\ncounted now: 46 figures,"), "{mail}");
    let longest = mail.lines().find(|line| line.starts_with("longest count: ")).unwrap();
    assert!(longest.ends_with(", 200000 nodes"), "{mail}");
    let state = stdout(&run(folder, &["status"]));
    for line in ["  planned", "  done"] {
        let line = state.lines().find(|found| found.starts_with(line)).unwrap();
        assert!(line.ends_with(" 46") || line.ends_with(",46"), "{state}");
    }
}

/// Yesterday's text is not mailed again if the catalog cannot be opened.
#[test]
fn a_mail_states_a_run_without_a_readable_catalog() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("plan.toml"), "import = [\"a.txt\"]\n").unwrap();
    fs::write(path.join("a.txt"), "slab: 999\n").unwrap();
    fs::write(path.join("no.db"), "no catalog\n").unwrap();
    fs::write(path.join("mail.txt"), "yesterday\n").unwrap();
    let done =
        run(path, &["run", "plan.toml", "--db", "no.db", "--mail-summary", "mail.txt", "-q"]);
    assert_eq!(done.status.code(), Some(1));
    let mail = fs::read_to_string(path.join("mail.txt")).unwrap();
    assert!(mail.contains("failed") && !mail.contains("yesterday"), "{mail}");
}
