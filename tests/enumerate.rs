//! Enumerations on the command line, and their totals in the atlas.

use crate::support::program::{column, run, stdout};
use somacat_counting::enumerate::{BoxSpec, Enumeration};
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::Class;
use somacat_run::Plan;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A b-file has `n a(n)` on each line, from n = 1.
#[test]
fn b_files_are_what_the_program_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/sequences");
    let folder = TempDir::new().unwrap();
    for class in Class::iter().filter(|class| class.order() >= 3) {
        let path = root.join(class.oeis().replace('A', "b") + ".txt");
        let text = std::fs::read_to_string(&path).unwrap();
        let name = class.name();
        let command = ["enumerate", "symmetric", "--class", name, "--b-file", "1..18", "-q"];
        let written = stdout(&run(folder.path(), &command));
        assert!(written.lines().eq(text.lines().take(18)), "{class}");
    }
    for refused in ["Ci", "C2v"] {
        let command = ["enumerate", "symmetric", "--class", refused, "--b-file", "1..3"];
        assert_eq!(run(folder.path(), &command).status.code(), Some(2), "{refused}");
    }
}

/// The README of the b-files says how far the OEIS goes, and where both have a term, it is the same.
#[test]
fn b_files_continue_the_terms_of_the_oeis() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("catalog/sequences/README.md")).unwrap();
    let known = std::fs::read_to_string(root.join("tests/data/oeis_terms.csv")).unwrap();
    let (mut classes, mut longer) = (0, 0);
    for line in known.lines().skip(1) {
        let (sequence, terms) = line.split_once(',').unwrap();
        let theirs: Vec<&str> = terms.split(' ').collect();
        let path = root.join(format!("catalog/sequences/{}.txt", sequence.replace('A', "b")));
        let text = std::fs::read_to_string(path).unwrap();
        let ours: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
        let (of_both, all) = (theirs.len().min(ours.len()), [theirs.len(), ours.len()]);
        assert_eq!(theirs[..of_both], ours[..of_both], "{sequence}");
        let new = match all {
            [theirs, ours] if ours > theirs => format!("{} to {ours}", theirs + 1),
            _ => "none".to_owned(),
        };
        let class = Class::iter().find(|class| class.oeis() == sequence).unwrap().name();
        let row = format!("| {sequence} | {class} | {} | {} | {new} | ", all[0], all[1]);
        assert!(readme.contains(&row), "{row}");
        (classes, longer) = (classes + 1, longer + usize::from(new != "none"));
    }
    assert_eq!((classes, longer), (27, 22));
}

#[test]
fn a_box_of_12_cells_holds_49_figures_of_8_and_72_up_to_rotations() {
    let folder = tempfile::tempdir().unwrap();
    for (equivalence, flag, figures) in
        [(Equivalence::Reflections, None, 49), (Equivalence::Rotations, Some("--one-sided"), 72)]
    {
        let spec = BoxSpec { equivalence, ..BoxSpec::new([2, 2, 3], 8) };
        let mut known = BTreeSet::new();
        let _ =
            Enumeration::in_box(spec).unwrap().for_each(&AtomicBool::new(false), &mut |found| {
                known.insert(found.signature().to_string());
                ControlFlow::Continue(())
            });
        let mut args = vec!["enumerate", "box", "2x2x3", "--cells", "8", "--jsonl", "-q"];
        args.extend(flag);
        let lines = stdout(&run(folder.path(), &args));
        let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let told: BTreeSet<String> =
            lines.lines().map(|line| row(line)["signature"].as_str().unwrap().to_owned()).collect();
        assert_eq!((told.len(), &told), (figures, &known));
        args.push("--count");
        args.retain(|arg| *arg != "--jsonl");
        args.push("--csv");
        let rows = stdout(&run(folder.path(), &args));
        let sum: usize = column(&rows, "figures").iter().map(|n| n.parse::<usize>().unwrap()).sum();
        assert_eq!(sum, figures);
    }
}

/// Totals are known without listing the figures of the atlas.
#[test]
fn known_totals_are_those_of_the_lists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
    let mut compared = 0;
    for shares in std::fs::read_dir(root.join("atlas")).unwrap() {
        let shares = shares.unwrap().path();
        let name = shares.file_name().unwrap().to_str().unwrap();
        let Some(name) = name.strip_suffix("-shares.csv") else { continue };
        let plan = Plan::read(&root.join(format!("plans/{name}.toml"))).unwrap();
        let listed = column(&std::fs::read_to_string(&shares).unwrap(), "figures");
        let listed: u128 = listed.iter().map(|figures| figures.parse::<u128>().unwrap()).sum();
        let totals: Option<u128> = plan.questions.iter().map(|question| question.total()).sum();
        assert_eq!(totals, Some(listed), "{name}");
        compared += 1;
    }
    assert!(compared >= 9, "{compared} files");
}
