//! Parts whose digests were computed again after an edit: their rows are checked too.

use super::{checked, ends, five_units, refused, units, work};
use crate::support::night::{assert_sound, dump};
use crate::support::parts::with_digest;
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use somacat_catalog::check_catalog;
use somacat_geometry::figure::{Candidate, Columns, Equivalence, Figure, Signature};
use somacat_geometry::lattice::Cell;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Replaces a part, with its digest.
fn replace(folder: &Path, part: &str, text: &str) {
    fs::write(folder.join("parts").join(part), with_digest(text)).unwrap();
}

/// Returns the signature of a line with a figure.
fn signature(line: &str) -> &str {
    line.split('"').find(|text| text.starts_with("s1-")).unwrap()
}

/// Returns a connected figure without symmetry, of the color difference 1, that does not fit in a box of 2x3x5.
fn outside() -> Signature {
    let mut random = Random::new(58);
    let all: Vec<Cell> = (0..36).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9)).collect();
    loop {
        let mut cells = all.clone();
        while cells.len() > 27 {
            cells.remove(random.below(cells.len()));
        }
        let found = Candidate::new(Figure::new(cells).unwrap(), Equivalence::Reflections);
        let Columns { class, parity, parts, extents, .. } = found.columns();
        if (class.order(), *parity, *parts, *extents) == (1, 1, 1, [3, 3, 4]) {
            return found.signature().clone();
        }
    }
}

/// Each edit keeps the number of rows and the totals, so only the row itself shows it.
#[test]
fn a_part_with_a_row_of_no_figure_is_refused() {
    let folder = five_units();
    let folder = folder.path();
    (1..=5).for_each(|unit| drop(work(folder, unit, "parts", 0)));
    let read = |name: &str| fs::read_to_string(folder.join("parts").join(name)).unwrap();
    let (part, other, names) = (read("0004"), read("0003"), read("0001"));
    // Counted figures without symmetry.
    let rows = |part: &str| -> Vec<String> {
        let lines = part.lines().filter(|line| line.contains(",27,0,1,1],[1,"));
        lines.map(str::to_owned).collect()
    };
    let (own, others) = (rows(&part), rows(&other));
    let raw_of = |row: &str| row.split(',').nth(8).unwrap().parse::<u64>().unwrap();
    let row = own.iter().find(|row| raw_of(row) > 30).unwrap().as_str();
    let next = own.iter().find(|other| *other != row).unwrap();
    let (raw, of) = (raw_of(row), signature(row));
    let known = of.parse::<Signature>().unwrap().figure().unwrap();
    let rotated = known.canonical_up_to(Equivalence::Rotations).signature;
    let count = |number: u64| row.replacen(&format!(",{raw},"), &format!(",{number},"), 1);
    let (before_engine, engine) = row.rsplit_once(',').unwrap();
    let before_nodes = before_engine.rsplit_once(',').unwrap().0;
    for (bad, words) in [
        (row.replace(",27,0,1,1]", ",27,0,5,1]"), "parity is 5 and should be 1"),
        (row.replace(",27,0,1,1]", ",26,0,1,1]"), "cells is 26 and should be 27"),
        (row.replace(",27,0,1,1]", ",27,0,1,2]"), "parts is 2 and should be 1"),
        (row.replace(of, "s1-3x3x3-zzzzz3"), "class_id is 0 and should be"),
        (row.replace(of, "s1-3x3x3-zzzzz1"), "s1-3x3x3-zzzzz1 should be"),
        (row.replace(of, "s1-3x3x3-zzzz!!/../.."), "is not a signature"),
        (row.replace(of, &format!("{of}0")), "0 should be s1-"),
        (row.replace(of, rotated.as_str()), " should be s1-"),
        (row.replace(of, outside().as_str()), "is not a figure of its question"),
        (count(0), "raw 0, rotation"),
        (count(raw + 1), "are impossible"),
        (format!("{before_nodes},18446744073709551615,{engine}"), "nodes are impossible"),
        // Twice, instead of another figure: in the same part, and in the part before.
        (next.clone(), "is there twice"),
        (others[0].clone(), "is there twice"),
    ] {
        assert_ne!(bad, row, "{words}");
        replace(folder, "0004", &part.replacen(row, &bad, 1));
        refused(folder, &["merge", "units.txt", "parts"], 5, &["parts/0004: has a row", words]);
    }
    replace(folder, "0004", &part);
    // Entries of a file, and their outcomes.
    let begins = |with: &str| names.lines().find(|line| line.starts_with(with)).unwrap();
    let entry = begins("{\"name\":[\"s1-3x3x3-zzzzz3\"");
    let mut outcomes = names.lines().filter(|line| line.starts_with("{\"count\":"));
    let cube = outcomes.clone().find(|line| line.contains("s1-3x3x3-zzzzz3")).unwrap();
    let other = outcomes.find(|line| *line != cube).unwrap();
    let set = begins("{\"set\":");
    let mirrored = "r1-3x3x3-zzzzz3 should be s1-3x3x3-zzzzz3";
    for (line, from, to, words) in [
        (entry, "\"s1-", "\"r1-", mirrored),
        (entry, "zzzzz3\",", "zzzzz3\",9", "there is no such transform"),
        (entry, "\"ordinal\":0", "\"ordinal\":77", "entry 77 is not one of"),
        (cube, "\"s1-", "\"r1-", mirrored),
        (cube, "11520", "11521", "raw 11521"),
        (set, "\"SOMA\"", "\"2xSOMA\"", ", and with 2xSOMA it is without a packing by its size"),
        (entry, "\"packing\":null", "\"packing\":\"../x\"", "../x is not a packing"),
        (entry, "\"ordinal\":0", "\"ordinal\":2", "entry 2 is there twice"),
        (cube, "\"count\"", "\"crc\"", "line "),
        (other, other, cube, "s1-3x3x3-zzzzz3 is counted twice"),
    ] {
        let bad = line.replacen(from, to, 1);
        assert_ne!(bad, line, "{words}");
        replace(folder, "0001", &names.replacen(line, &bad, 1));
        refused(folder, &["merge", "units.txt", "parts"], 5, &["parts/0001: ", words]);
    }
    replace(folder, "0001", &names);
    // Restored, they give the catalog of a run.
    ends(folder, &["merge", "units.txt", "parts", "-q", "--db", "merged.db"], 3);
    ends(folder, &["run", "plan.toml", "-q", "--db", "run.db"], 3);
    assert_eq!(dump(folder, "merged.db"), dump(folder, "run.db"));
    assert_sound(&folder.join("merged.db"));
}

#[test]
fn units_that_cannot_be_are_refused() {
    let folder = five_units();
    let folder = folder.path();
    let good = fs::read_to_string(folder.join("units.txt")).unwrap();
    let line = good.lines().nth(3).unwrap();
    let range = line.split_once("\"shards\":[").unwrap().1.split_once(']').unwrap().0;
    let (first, end) = range.split_once(',').unwrap();
    let shards = |range: &str| format!("\"shards\":[{range}]");
    for (from, to, words) in [
        ("\"unit\":4,", "\"unit\":0,", "unit 0 of 5"),
        ("\"unit\":4,", "\"unit\":6,", "unit 6 of 5"),
        ("\"of\":5,", "\"of\":3,", "unit 4 of 3"),
        (&shards(range), &shards(&format!("{end},{first}")), &format!("from {end} to {first}")),
    ] {
        let bad = checked(&line.replacen(from, to, 1));
        assert_ne!(bad, line);
        fs::write(folder.join("units.txt"), good.replace(line, &bad)).unwrap();
        for args in [
            ["merge", "units.txt", "parts"].as_slice(),
            &["work", "units.txt", "--unit", "4"],
            &["work", "--text", &bad],
            &["units", "--status", "units.txt", "parts"],
        ] {
            refused(folder, args, 1, &[words, "there is no such unit"]);
        }
    }
}

/// Two parts agree on the counts of a figure, and a reason that costs little to derive is the right one.
#[test]
fn parts_that_differ_in_a_count_or_a_reason_are_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let plan = "title = \"t\"\nimport = [\"a.txt\", \"b.txt\"]\nset = \"SOMA\"\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    fs::write(folder.join("a.txt"), "cube: 333 333 333\n").unwrap();
    let both = "cube: 333 333 333\nslab: 999\n";
    fs::write(folder.join("b.txt"), both).unwrap();
    assert_eq!(units(folder, "plan.toml", "2"), 2);
    (1..=2).for_each(|unit| drop(work(folder, unit, "parts", 0)));
    let text = fs::read_to_string(folder.join("parts/0002")).unwrap();
    let merge = ["merge", "units.txt", "parts"];
    replace(folder, "0002", &text.replacen("11520", "11519", 1));
    refused(
        folder,
        &merge,
        5,
        &["parts/0001 and parts/0002 have different counts of", "11520 and 11519"],
    );
    let no_fit = text.lines().find(|line| line.contains("[2,4,")).unwrap();
    for (code, reason) in (1..).zip(["size", "parity", "parts"]) {
        let bad = no_fit.replacen("[2,4,", &format!("[2,{code},"), 1);
        replace(folder, "0002", &text.replacen(no_fit, &bad, 1));
        let words = format!("is said to be without a packing by its {reason}");
        refused(folder, &merge, 5, &["parts/0002: has a row", &words, "it is not"]);
    }
    replace(folder, "0002", &text);
    ends(folder, &[&merge[..], &["-q"]].concat(), 0);
}

/// A unit with a limit of nodes has figures that reach it, and none far beyond it.
#[test]
fn nodes_agree_with_the_limit_of_the_unit() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let plan = "title = \"t\"\nimport = [\"a.txt\"]\nset = \"SOMA\"\nnodes = 50\n[[box]]\nsides = \"2x3x5\"\n\
                cells = 27\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    fs::write(folder.join("a.txt"), "cube: 333 333 333\n").unwrap();
    assert_eq!(units(folder, "plan.toml", "2"), 2);
    (1..=2).for_each(|unit| drop(work(folder, unit, "parts", 0)));
    let merge = ["merge", "units.txt", "parts"];
    for (name, kind) in [("0001", "{\"count\":"), ("0002", "{\"figure\":")] {
        let part = fs::read_to_string(folder.join("parts").join(name)).unwrap();
        let rows = || part.lines().filter(|line| line.starts_with(kind));
        let bound = rows().find(|line| line.contains("],[4,") || line.contains("],[3,")).unwrap();
        let exact = rows().find(|line| line.contains("],[1,"));
        let edits = [(bound, 49), (bound, 699), (exact.unwrap_or(bound), 699)];
        for (row, nodes) in edits {
            let (rest, engine) = row.rsplit_once(',').unwrap();
            let bad = format!("{},{nodes},{engine}", rest.rsplit_once(',').unwrap().0);
            replace(folder, name, &part.replacen(row, &bad, 1));
            let words = format!("after {nodes} nodes, and its unit has a limit of 50");
            refused(folder, &merge, 5, &[&format!("parts/{name}: has a row"), &words]);
        }
        replace(folder, name, &part);
    }
    // A merge counts nothing, and says so when it is repeated, too.
    let told = ends(folder, &[&merge[..], &["--log", "log.jsonl"]].concat(), 0);
    assert!(!told.contains("counted") && told.contains("from parts  "), "{told}");
    let log = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    let end: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(end["totals"]["counted"], 0);
    assert!(end["totals"]["from_parts"].as_u64().unwrap() > 0, "{end}");
    let again = ends(folder, &merge, 0);
    assert!(
        !again.contains("counted") && again.contains("from parts      nothing new\n"),
        "{again}"
    );
}

/// A set without mirror images has figures up to rotation, in units, in `check` and in `verify`.
#[test]
fn signatures_are_of_the_kind_of_their_set() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let plan = "title = \"one hand\"\nset = \"V L T A\"\n[[box]]\nsides = \"2x2x4\"\ncells = 15\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    assert_eq!(units(folder, "plan.toml", "1"), 1);
    work(folder, 1, "parts", 0);
    let part = fs::read_to_string(folder.join("parts/0001")).unwrap();
    replace(folder, "0001", &part.replace("[[\"r1-", "[[\"s1-"));
    refused(
        folder,
        &["merge", "units.txt", "parts"],
        5,
        &["parts/0001: has a row", "should be r1-"],
    );
    replace(folder, "0001", &part);
    ends(folder, &["merge", "units.txt", "parts", "-q"], 0);
    let db = folder.join("somacat.db");
    assert_sound(&db);
    // The same figures for a set with mirror images, sealed like any row.
    let connection = rusqlite::Connection::open(&db).unwrap();
    let changed =
        connection.execute("UPDATE figure SET signature = 's' || substr(signature, 2)", []);
    assert!(changed.unwrap() > 0);
    drop(connection);
    let findings = check_catalog(&db, false).unwrap().findings;
    let words = "signatures of figures counted with its set begin with r";
    assert!(findings.iter().any(|finding| finding.problem == words), "{findings:?}");
    let verified = run(folder, &["verify"]);
    assert_eq!(verified.status.code(), Some(5), "{}", stderr(&verified));
    let told = stdout(&verified) + &stderr(&verified);
    assert!(told.contains("begins with r if counted with V L T A"), "{told}");
}
