//! Certificates of counts on the command line, damaged ones, and a short program that checks them.

use crate::support::figures::{boxed, naive};
use crate::support::program::{run, stderr, stdout};
use crate::support::skipped::skipped;
use serde_json::Value;
use somacat_checking::{Certified, check_certificate};
use somacat_geometry::pieces::parse_set;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn check(text: &str) -> Result<Certified, String> {
    check_certificate(text.as_bytes(), None, None).map_err(|error| error.to_string())
}

/// Returns the texts with one line changed, left out, repeated, or exchanged with the next, each with `true` if it must
/// be refused.
fn changes(text: &str) -> Vec<(bool, String)> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let join = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let mut changed = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for (refused, other) in other_lines(line).into_iter().filter(|(_, other)| other != line) {
            let mut lines = lines.clone();
            lines[at] = &other;
            changed.push((refused, join(&lines)));
        }
        changed.push((true, join(&[&lines[..at], &lines[at + 1..]].concat())));
        changed.push((true, join(&[&lines[..=at], &lines[at..]].concat())));
        if let Some(next) = lines.get(at + 1) {
            // The order of pieces does not matter, and that of nodes only if one leads to the other.
            let kind = |line: &str| (line.contains(" > "), line.starts_with("piece "));
            let same = kind(line) == kind(next) && kind(line) != (false, false);
            let mut exchanged = lines.clone();
            exchanged.swap(at, at + 1);
            changed.push((!same, join(&exchanged)));
        }
    }
    changed
}

fn other_lines(line: &str) -> Vec<(bool, String)> {
    if let Some((free, cell)) = line.split_once(" > c") {
        let cells = u128::from_str_radix(free, 16).unwrap();
        let flipped = (0..12).map(|bit| (true, format!("{:x} > c{cell}", cells ^ 1 << bit)));
        // Another cell may be covered in the same ways.
        let renamed = (0..12).map(|cell| (false, format!("{free} > c{cell}")));
        let others = [(true, format!("0{line}")), (true, format!("{free} > p{cell}"))];
        return flipped.chain(renamed).chain(others).collect();
    }
    let (words, last) = line.rsplit_once(' ').unwrap();
    let number = last.parse::<i128>().ok();
    let numbers = number.into_iter().flat_map(|number| [number - 1, number + 1]);
    let mut others: Vec<String> = numbers.map(|number| format!("{words} {number}")).collect();
    others.extend([words.to_owned(), format!("{line} 0")]);
    // A set may have any name that is not taken.
    let refused = !line.starts_with("set ");
    others.into_iter().map(|other| (refused, other)).collect()
}

/// What is accepted after a change is another proof of the same: a node may name another cell, or come later.
#[test]
fn changed_counts_are_refused() {
    let python = Command::new("python3").arg("--version").output().is_ok();
    let (mut refused, mut accepted) = (0, 0);
    for (heights, set) in [("11111 11110", "V3"), ("22 22 11", "V2 L"), ("22 22 21", "V L T")] {
        let folder = TempDir::new().unwrap();
        let text = stdout(&run(folder.path(), &["prove", "-q", "--set", set, heights]));
        let raw = check(&text).unwrap().raw;
        assert!(raw > 0, "{text}");
        for (must_be_refused, changed) in changes(&text) {
            match check(&changed) {
                Ok(certified) => {
                    assert!(!must_be_refused, "{changed}");
                    assert_eq!(certified.raw, raw, "{changed}");
                    accepted += 1;
                }
                Err(error) => {
                    assert!(error.starts_with("line "), "{error}");
                    refused += 1;
                    // Starting Python takes a while.
                    if python && set == "V3" && is_about_nodes(&text, &changed) {
                        let checked = second_check(folder.path(), &changed);
                        assert_eq!(checked.status.code(), Some(1), "{changed}");
                    }
                }
            }
        }
    }
    assert!(refused > 500 && accepted < refused / 4, "{refused} {accepted}");
}

/// Returns true for every third change of a line with a node, the count or the end.
fn is_about_nodes(text: &str, changed: &str) -> bool {
    let (head, _) = text.split_once("reason").unwrap();
    changed.starts_with(head) && changed.bytes().map(usize::from).sum::<usize>() % 3 == 0
}

/// Runs `docs/check_count.py`, which knows nothing but docs/certificates.md.
fn second_check(folder: &Path, text: &str) -> Output {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/check_count.py");
    fs::write(folder.join("count.proof"), text).unwrap();
    let mut python = Command::new("python3");
    python.arg(script).arg("count.proof").current_dir(folder).output().unwrap()
}

#[test]
fn a_short_program_checks_counts() {
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("python3 is missing");
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("singles.txt"), "M*0..2: 0,0,0\nI*0..1: 0,0,0 1,0,0 2,0,0\n")
        .unwrap();
    for args in [
        &["s1-2x2x7-yzzzz7", "--set", "SOMA"][..],
        &["s1-3x3x7-0e07y37y37g30", "--set", "SOMA"],
        &["3x3x2", "--set", "V2 L2 T"],
        &["2x2x8", "--set", "SOMA", "--gaps"],
        &["2x2x3", "--set", "SOMA", "--partial", "--pieces", "3"],
        &["1x3x5", "--set", "V0..2 L T Z"],
        // Of two ways to a node, one has a copy of the piece left and the other one a piece that may follow.
        &["2x2x3", "--set", "D0..2 V L", "--gaps", "--partial", "--pieces", "3"],
        &["2x2x3", "--set", "D0..2 V L", "--gaps", "--partial", "--pieces", "2"],
        // A node may follow the last piece.
        &["1x1x3", "--set", "singles.txt", "--partial", "--pieces", "1"],
    ] {
        let text = stdout(&run(folder.path(), &[&["prove", "-q"], args].concat()));
        let certified = check(&text).unwrap();
        let checked = second_check(folder.path(), &text);
        let expected = format!("{} packings, {} nodes", certified.raw, certified.nodes);
        assert!(stdout(&checked).starts_with(&expected), "{}", stderr(&checked));
        let wrong = text.replace("reason count ", "reason count 1");
        assert_eq!(second_check(folder.path(), &wrong).status.code(), Some(1));
    }
}

#[test]
fn counts_on_the_command_line() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // An L is in place.
    let text = "/SOMA-x\n/2**/***/***\n/2**/***/***\n/22*/***/***\n";
    fs::write(folder.join("x.soma"), text).unwrap();
    let raw = stdout(&run(folder, &["count", "x.soma", "--csv"]));
    let raw: u128 = raw.lines().last().unwrap().split(',').nth(8).unwrap().parse().unwrap();
    let done = run(folder, &["prove", "x.soma", "x.proof"]);
    let said = stderr(&done);
    assert!(said.starts_with(&format!("SOMA-x: {raw} packings, ")) && raw > 1, "{said}");
    let done = run(folder, &["verify", "--certificate", "x.proof", "--csv"]);
    let table = stdout(&done);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("certificate,signature,set,reason,nodes,raw"));
    let row = lines.next().unwrap();
    assert!(row.contains(",count,") && row.ends_with(&format!(",{raw}")), "{row}");
    assert!(stderr(&done).contains(&format!("the figure has {raw} packings")), "{}", stderr(&done));
    let text = fs::read_to_string(folder.join("x.proof")).unwrap();
    // The L is not among the remaining pieces.
    assert!(!text.contains("\npiece L ") && text.matches("\npiece ").count() == 6, "{text}");
    let other = text.replace(&format!("count {raw}"), &format!("count {}", raw + 1));
    fs::write(folder.join("x.proof"), other).unwrap();
    let done = run(folder, &["verify", "--certificate", "x.proof"]);
    assert_eq!(done.status.code(), Some(5));
    let expected = format!("the nodes have {raw} packings");
    assert!(stderr(&done).contains(&expected), "{}", stderr(&done));

    let done = run(folder, &["prove", "3x3x3", "--nodes", "20000", "cube.proof"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains("exceeds the limit of 20000 nodes"), "{}", stderr(&done));
    assert!(!folder.join("cube.proof").exists());
    let done = run(folder, &["prove", "2x2x3", "--set", "V4", "--json", "-q"]);
    let json: Value = serde_json::from_slice(&done.stdout).unwrap();
    let raw = naive(&boxed([2, 2, 3]), &parse_set("V4").unwrap());
    let found = (&json["reason"], json["raw"].as_u64().map(u128::from));
    assert_eq!(found, (&"count".into(), Some(raw)));
}

/// Each choice of the pieces fits 128 bits here, but their sum does not.
#[test]
fn a_sum_over_choices_does_not_wrap() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let pieces = "D*16..23: 0,0,0 1,0,0\nV*7..12: 0,0,0 1,0,0 0,1,0\nJ*2..7: 0,0,0 1,0,0 2,0,0\n";
    fs::write(folder.join("many.txt"), pieces).unwrap();
    let done = run(folder, &["prove", "1x2x59", "x.proof", "--gaps", "--set", "many.txt"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains("does not fit 128 bits"), "{}", stderr(&done));
}
