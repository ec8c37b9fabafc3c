//! `verify` on enumerations, counted by another method, and on large counts. These have more packings than it visits.

use crate::support::program::{run, stderr, stdout};
use crate::support::seal::seal;
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

fn verify(folder: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let done: Output = run(folder, &[&["verify", "--csv"], more].concat());
    (done.status.code(), stdout(&done), stderr(&done))
}

fn catalog_of(plan: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let done = run(folder.path(), &["run", "plan.toml", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    folder
}

const PLAN: &str = "
title = 'complete'
set = 'P2'
[[symmetric]]
cells = 8
order_at_least = 3
[[symmetric]]
cells = 8
class = ['C2(face)', 'Cs(diagonal)']
exact = true
within = '3x3x3'
[[symmetric]]
cells = 8
order_at_least = 4
within = '3x3x3'
parts = 2
[[box]]
sides = '2x2x3'
cells = 8
[[box]]
sides = '2x3x3'
cells = 8
connected = true
[[box]]
sides = '2x2x4'
cells = 8
towers = true
[[census]]
sides = '2x2x3'
";

/// A set without its mirror image distinguishes figures and their mirror images.
const APART: &str = "
title = 'apart'
set = 'A L'
[[symmetric]]
cells = 8
order_at_least = 2
exact = true
within = '3x3x3'
[[box]]
sides = '2x3x3'
cells = 8
[[box]]
sides = '2x4x2'
cells = 8
connected = true
towers = true
[[census]]
sides = '2x2x3'
";

#[test]
fn separate_mirror_images_are_counted_again() {
    let folder = catalog_of(APART);
    let (code, rows, said) = verify(folder.path(), &[]);
    assert_eq!((code, rows.lines().count()), (Some(0), 1), "{rows}{said}");
    assert!(said.contains("4 enumerations counted again by another method, in "), "{said}");
    assert!(!said.contains("not counted again"), "{said}");
}

/// Buildable figures are grown and filled again, also if mirror images are separate and only one may be buildable.
#[test]
fn searches_for_buildable_figures_are_counted_again() {
    let plan = "title = 'built'\nset = 'V2 I'\n[[buildable]]\nclass = 'Ci'\nexact = true\n
                [[buildable]]\nclass = 'C2(face)'\n";
    let folder = catalog_of(plan);
    let path = folder.path();
    let (code, rows, said) = verify(path, &[]);
    assert_eq!((code, rows.lines().count()), (Some(0), 1), "{rows}{said}");
    assert!(said.contains("2 enumerations counted again by another method, in "), "{said}");
    let (_, _, short) = verify(path, &["--nodes", "100"]);
    assert!(short.contains("not checked because of the limit --nodes"), "{short}");

    let connection = Connection::open(path.join("somacat.db")).unwrap();
    let remove = "DELETE FROM enumerated WHERE (enumeration_id, figure_id) =
                  (SELECT enumeration_id, figure_id FROM enumerated WHERE enumeration_id = 1 LIMIT 1)";
    assert_eq!(connection.execute(remove, []).unwrap(), 1);
    let lower = "UPDATE enumeration_total SET figures = figures - 1 WHERE enumeration_id = 1";
    assert_eq!(connection.execute(lower, []).unwrap(), 1);
    seal(&connection);
    drop(connection);
    let (code, rows, said) = verify(path, &[]);
    assert_eq!((code, rows.lines().count()), (Some(5), 3), "{rows}{said}");
    assert!(rows.contains("figures of class Ci: ") && rows.contains(",9,10\n"), "{rows}");
    assert!(rows.contains(",no,can be built\n"), "{rows}");
    // In shards, each row and enumeration is checked once, and one shard finds the mismatch.
    let number = |text: &str, noun: &str| {
        let before = text.split(noun).next().unwrap().trim_end();
        before.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<u64>().unwrap()
    };
    let shards = [1, 2, 3].map(|shard| verify(path, &["--shard", &format!("{shard}/3")]));
    let checked: u64 = shards.iter().map(|(_, _, said)| number(said, "row")).sum();
    assert_eq!(checked, number(&said, "row"), "{shards:?}");
    let codes: Vec<_> =
        shards.iter().map(|(code, rows, _)| (*code, rows.lines().count())).collect();
    assert_eq!(codes, [(Some(5), 3), (Some(0), 1), (Some(0), 1)], "{shards:?}");
    assert!(shards[1].2.contains("1 enumeration counted again"), "{shards:?}");
    assert!(!shards[2].2.contains("counted again"), "{shards:?}");
    assert_eq!(verify(path, &["--shard", "4/3"]).0, Some(2));

    let apart = catalog_of("title = 'a'\nset = 'V A L'\n[[buildable]]\nclass = 'Cs(planar)'\n");
    let (code, _, said) = verify(apart.path(), &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 enumeration counted again by another method, in "), "{said}");
}

/// Of figures that are only numbers, every outcome is found again: parity, parts, no fit, exhausted, buildable.
#[test]
fn figures_without_rows_are_tried_again() {
    for (keep, plan) in [("solvable", PLAN), ("totals", APART)] {
        let plan = plan.replacen("\nset", &format!("\nkeep = '{keep}'\nset"), 1);
        let folder = catalog_of(&plan);
        let (code, rows, said) = verify(folder.path(), &[]);
        assert_eq!((code, rows.lines().count()), (Some(0), 1), "{plan}: {rows}{said}");
        assert!(!said.contains("whether") && !said.contains("reasons"), "{said}");
        let (code, rows, said) = verify(folder.path(), &["--nodes", "1000"]);
        assert_eq!((code, rows.lines().count()), (Some(0), 1), "{plan}: {rows}{said}");
        assert!(said.contains("the reasons of "), "{said}");
    }
}

#[test]
fn a_missing_figure_of_an_enumeration_is_detected() {
    let folder = catalog_of(PLAN);
    let path = folder.path();
    let (code, rows, said) = verify(path, &[]);
    assert_eq!((code, rows.lines().count()), (Some(0), 1), "{rows}{said}");
    assert!(said.contains("7 enumerations counted again by another method, in "), "{said}");
    assert!(!said.contains("not counted again") && !said.contains("not checked"), "{said}");
    let (_, _, short) = verify(path, &["--nodes", "100"]);
    assert!(short.contains("not checked because of the limit --nodes"), "{short}");

    // One figure of each enumeration is removed, and all sums are adjusted.
    let sound = fs::read(path.join("somacat.db")).unwrap();
    let enumerations = ["symmetric", "symmetric", "symmetric", "box", "box", "box", "census"];
    for (at, kind) in enumerations.iter().enumerate() {
        fs::write(path.join("somacat.db"), &sound).unwrap();
        let connection = Connection::open(path.join("somacat.db")).unwrap();
        let id = at + 1;
        let question: String = connection
            .query_row("SELECT question FROM enumeration WHERE id = ?", [id], |row| row.get(0))
            .unwrap();
        assert!(question.starts_with(kind), "{question}");
        let one =
            "SELECT f.id, f.class_id, c.name FROM enumerated e JOIN figure f ON f.id = e.figure_id
                   JOIN symmetry_class c ON c.id = f.class_id WHERE e.enumeration_id = ? LIMIT 1";
        let (figure, class, name): (i64, i64, String) = connection
            .query_row(one, [id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap();
        connection
            .execute(
                "DELETE FROM enumerated WHERE enumeration_id = ? AND figure_id = ?",
                (id, figure),
            )
            .unwrap();
        let lower = "UPDATE enumeration_total SET figures = figures - 1 WHERE enumeration_id = ?1
                     AND class_id = ?2 AND (verdict_id, reason_id) = (SELECT o.verdict_id,
                         COALESCE(o.reason_id, 0) FROM outcome o WHERE o.figure_id = ?3)";
        assert_eq!(connection.execute(lower, (id, class, figure)).unwrap(), 1);
        connection.execute("DELETE FROM enumeration_total WHERE figures = 0", []).unwrap();
        seal(&connection);
        drop(connection);
        let check = run(path, &["catalog", "check"]);
        assert_eq!(check.status.code(), Some(0), "{}{}", stdout(&check), stderr(&check));
        let (code, rows, said) = verify(path, &[]);
        assert_eq!((code, rows.lines().count()), (Some(5), 2), "{question}: {rows}{said}");
        assert!(rows.contains(&format!("figures of class {name}: ")), "{rows}");
    }

    // A figure of another kind replaces it: the numbers are correct, but it does not belong. A row does not contain
    // whether it is a tower; its columns are the same.
    for (id, foreign) in [
        (5, "g.parts > 1"),
        (
            6,
            "g.cells = f.cells AND g.box = f.box AND g.id NOT IN
             (SELECT figure_id FROM enumerated WHERE enumeration_id = 6)",
        ),
    ] {
        fs::write(path.join("somacat.db"), &sound).unwrap();
        let connection = Connection::open(path.join("somacat.db")).unwrap();
        let pair = format!(
            "SELECT f.id, g.id FROM enumerated e JOIN figure f ON f.id = e.figure_id
             JOIN figure g ON g.class_id = f.class_id
             WHERE e.enumeration_id = {id} AND {foreign} LIMIT 1"
        );
        let (own, other): (i64, i64) =
            connection.query_row(&pair, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let exchange =
            "UPDATE enumerated SET figure_id = ? WHERE enumeration_id = ? AND figure_id = ?";
        assert_eq!(connection.execute(exchange, (other, id, own)).unwrap(), 1);
        drop(connection);
        let (code, rows, said) = verify(path, &[]);
        assert_eq!(code, Some(5), "{rows}{said}");
        assert!(rows.contains(",1,outside the question"), "{rows}");
    }
}

#[test]
fn counts_of_many_packings_are_found_again_modulo_primes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    // The cube takes more steps than allowed; a cell of the other figure has no placement.
    fs::write(path.join("maps.txt"), "cube: 333 333 333\nodd: 22222 22222 22200 00001\n").unwrap();
    let done = run(path, &["import", "-q", "maps.txt"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let limit = ["--nodes", "200000"];
    let (code, rows, said) = verify(path, &limit);
    assert_eq!((code, rows.lines().count()), (Some(0), 1), "{rows}{said}");
    assert!(
        said.contains("2 rows verified, 2 recounted (1 of them modulo two primes), 0 "),
        "{said}"
    );
    let connection = Connection::open(path.join("somacat.db")).unwrap();
    for (raw, rotation, unique, wrong) in [
        (11_568, 482, 241, "raw,11568,\"11520 modulo 4294967291, 11520 modulo 4294967279\""),
        (11_520, 480, 241, "unique,241,240"),
        (11_520, 479, 240, "rotation,479,480"),
    ] {
        let change = "UPDATE outcome SET raw = ?, rotation = ?, \"unique\" = ? WHERE raw > 11000";
        assert_eq!(connection.execute(change, (raw, rotation, unique)), Ok(1));
        let (code, rows, _) = verify(path, &limit);
        assert_eq!(code, Some(5), "{wrong}");
        assert!(rows.contains(wrong), "{wrong} is not in {rows}");
    }
}
