//! Certificates of counts.

use crate::support::figures::{boxed, grow, naive, subset};
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use crate::support::skipped::skipped;
use serde_json::Value;
use somacat_checking::{Certified, check_certificate};
use somacat_counting::prove::{Argument, ProveError, write_certificate};
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::figure::{Figure, Signature};
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::{PieceSet, parse_set};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

fn figure(signature: &str) -> Figure {
    signature.parse::<Signature>().unwrap().figure().unwrap()
}

fn certificate(figure: &Figure, set: &PieceSet, limits: Limits<'_>) -> Result<String, ProveError> {
    let mut text = Vec::new();
    let written =
        write_certificate("x", (figure, set), &Argument::Count, limits, &mut text).map(|size| {
            assert_eq!((size.kind, size.bytes), (ProofKind::Count, text.len() as u64));
        });
    written.map(|()| String::from_utf8(text).unwrap())
}

fn check(text: &str) -> Result<Certified, String> {
    check_certificate(text.as_bytes(), None, None).map_err(|error| error.to_string())
}

/// Proves and checks whatever holds for a figure. Returns the raw count.
fn proved(figure: &Figure, set: &PieceSet) -> (ProofKind, u128) {
    let argument = Argument::find(&Problem::new(figure, set), Limits::default());
    let mut text = Vec::new();
    let size = write_certificate("x", (figure, set), &argument, Limits::default(), &mut text);
    let certified = check_certificate(text.as_slice(), Some(figure), Some(set)).unwrap();
    let size = size.unwrap();
    assert_eq!((certified.kind, certified.raw, certified.nodes), (size.kind, size.raw, size.nodes));
    (certified.kind, certified.raw)
}

/// All raw counts of one set. Where only a unique count is published, the raw count is that of this program.
#[test]
fn published_counts_of_one_set_are_proved() {
    let table = include_str!("../catalog/published_counts.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let mut figures = Vec::new();
    for row in reader.records().map(Result::unwrap).filter(|row| &row[2] == "SOMA") {
        let published: u128 = row[4].parse().unwrap();
        let raw = match &row[3] {
            "raw" => published,
            _ if ["A038", "A104"].contains(&&row[0]) => 2 * published,
            _ => continue,
        };
        let (kind, found) = proved(&figure(&row[1]), &PieceSet::soma(1));
        assert_eq!((found, kind == ProofKind::Count), (raw, raw > 0), "{}", &row[0]);
        figures.push(row[0].to_owned());
    }
    let all = "cube crystal wall chaise-lounge tower W-wall A024 A029 A038 A104";
    assert_eq!(figures.join(" "), all);
}

/// A double set has two copies of every piece. These figures were counted by the search.
#[test]
fn counts_of_double_sets_are_proved() {
    let double = figure("s1-2x7x7-8n2nanyqazbnznanama1");
    assert_eq!(proved(&double, &PieceSet::soma(2)), (ProofKind::Count, 9424));
}

/// Random figures of one or two parts, with copies of pieces and without, against a naive count. The count of a figure
/// that cannot be built is 0.
#[test]
fn certified_counts_are_those_of_brute_force() {
    let mut random = Random::new(62);
    let (mut buildable, mut impossible, mut separate) = (0, 0, 0);
    for (set, cells, sides) in [
        ("V L T P", 15, [3, 3, 3]),
        ("V4", 12, [2, 3, 4]),
        ("V2 L2 T", 18, [3, 3, 3]),
        ("A2 B2 L", 20, [3, 3, 4]),
        ("V3 L3", 21, [3, 3, 3]),
    ] {
        let set = parse_set(set).unwrap();
        for round in 0..50 {
            let figure = match round % 5 {
                0 => subset(cells, sides, &mut random),
                1 => {
                    let parts = [0, 9].map(|far| (far, grow(cells, Some(sides), &mut random)));
                    let half = |(far, part): &(i32, Figure)| {
                        let number = if *far == 0 { cells - cells / 3 } else { cells / 3 };
                        let moved = part.cells()[..number].iter().map(|cell| {
                            let [x, y, z] = cell.to_array();
                            [x + far, y, z].into()
                        });
                        moved.collect::<Vec<_>>()
                    };
                    separate += 1;
                    Figure::new(parts.iter().flat_map(half)).unwrap()
                }
                _ => grow(cells, Some(sides), &mut random),
            };
            let raw = naive(&figure, &set);
            let text = certificate(&figure, &set, Limits::default()).unwrap();
            let certified = check_certificate(text.as_bytes(), Some(&figure), Some(&set)).unwrap();
            assert_eq!((certified.kind, certified.raw), (ProofKind::Count, raw), "{text}");
            assert_eq!(proved(&figure, &set).1, raw);
            *(if raw > 0 { &mut buildable } else { &mut impossible }) += 1;
        }
    }
    assert!(buildable > 60 && impossible > 60 && separate == 50, "{buildable} {impossible}");
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
    let mut random = Random::new(63);
    let set = parse_set("V2 L2 T").unwrap();
    let small = grow(18, Some([3, 3, 3]), &mut random);
    for (figure, set) in [
        (figure("s1-2x2x7-yzzzz7"), PieceSet::soma(1)),
        (figure("s1-3x3x7-0e07y37y37g30"), PieceSet::soma(1)),
        (small, set),
    ] {
        let text = certificate(&figure, &set, Limits::default()).unwrap();
        let certified = check(&text).unwrap();
        let checked = second_check(folder.path(), &text);
        let expected = format!("{} packings, {} nodes", certified.raw, certified.nodes);
        assert!(stdout(&checked).starts_with(&expected), "{}", stderr(&checked));
        let wrong = text.replace("reason count ", "reason count 1");
        assert_eq!(second_check(folder.path(), &wrong).status.code(), Some(1));
    }
}

/// Limits and stops end a count with an error that names them.
#[test]
fn a_count_obeys_limits() {
    let (cube, soma, stop) = (boxed([3, 3, 3]), PieceSet::soma(1), AtomicBool::new(true));
    let failed = |limits| certificate(&cube, &soma, limits).unwrap_err();
    let limits = Limits::default();
    assert!(matches!(failed(Limits { nodes: Some(999), ..limits }), ProveError::Nodes(999)));
    let little = Limits { memory: Some(100_000), ..limits };
    assert!(matches!(failed(little), ProveError::Memory(100_000)));
    assert!(matches!(failed(Limits { stop: Some(&stop), ..limits }), ProveError::Stopped));
    let large = certificate(&boxed([3, 6, 8]), &soma, limits).unwrap_err();
    assert!(matches!(large, ProveError::TooLarge(144)));
    let other = certificate(&cube, &PieceSet::soma(2), limits).unwrap_err();
    assert!(matches!(other, ProveError::Size(27, 54)));
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
