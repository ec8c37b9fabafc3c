//! Catalogs with forged values and right checksums: `catalog check` or `verify` finds the forgery and names the row.

use crate::support::parts::with_digest;
use crate::support::program::{run, stderr, stdout};
use crate::support::seal::seal;
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A sound catalog of a plan and its files.
fn catalog(plan: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    files.iter().for_each(|(name, text)| fs::write(path.join(name), text).unwrap());
    fs::write(path.join("plan.toml"), plan).unwrap();
    let done = run(path, &["run", "plan.toml", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    fs::read(path.join("somacat.db")).unwrap()
}

/// Changes a catalog, computes every checksum anew, and runs a command. Returns its exit code and all that it prints.
fn forged(sound: &[u8], sql: &str, command: &[&str]) -> (Option<i32>, String) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("somacat.db");
    fs::write(&file, sound).unwrap();
    if !sql.is_empty() {
        forge(&file, sql);
    }
    let done = run(folder.path(), command);
    (done.status.code(), format!("{}{}", stdout(&done), stderr(&done)))
}

fn forge(file: &Path, sql: &str) {
    let connection = Connection::open(file).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    let before = connection.total_changes();
    connection.execute_batch(sql).unwrap();
    assert!(connection.total_changes() > before, "{sql} changes nothing");
    seal(&connection);
}

const CHECK: &[&str] = &["catalog", "check", "--csv"];
const VERIFY: &[&str] = &["verify", "--csv"];

/// An enumeration of each kind.
static KINDS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let plan = "
title = 'kinds'
keep = 'solvable'
[[symmetric]]
set = 'P2'
cells = 8
order_at_least = 4
[[buildable]]
set = 'V2 I'
class = 'Ci'
exact = true
[[census]]
set = 'P2'
sides = '2x2x3'
";
    catalog(plan, &[])
});

/// A packed cube with its map and stability, and an enumeration.
static MIXED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let plan = "
title = 'mixed'
import = ['packed.soma']
published = 'published.csv'
map = true
stand = true
keep = 'solvable'
[[symmetric]]
set = 'P2'
cells = 8
order_at_least = 4
";
    let packed = "/SOMA cube\n/772/752/552\n/762/451/411\n/466/436/333\n";
    let published =
        "name,signature,set,kind,value,source\ncube,s1-3x3x3-zzzzz3,SOMA,raw,11520,TopCoder\n";
    catalog(plan, &[("packed.soma", packed), ("published.csv", published)])
});

/// Checks that `catalog check` finds each forgery in a row, with a problem.
fn check_finds(forgeries: &[(String, &str, &str)]) {
    for (sql, row, problem) in forgeries {
        let (code, said) = forged(&MIXED, sql, CHECK);
        assert_eq!(code, Some(5), "{sql}: {said}");
        let found = said.lines().any(|line| line.contains(row) && line.contains(problem));
        assert!(found, "{sql}: {said}");
    }
}

#[test]
fn check_finds_impossible_names_and_outcomes() {
    let (code, said) = forged(&MIXED, "", CHECK);
    assert_eq!(code, Some(0), "{said}");
    let (name, cube) = ("UPDATE name SET", "WHERE label = 'cube'");
    let (outcome, of_cube) = ("UPDATE outcome SET", "WHERE raw = 11520");
    check_finds(&[
        (format!("{name} transform = 49 {cube}"), "packed.soma, entry 1", "no transform T49"),
        (format!("{name} transform = 0 {cube}"), "packed.soma, entry 1", "no transform T0"),
        (
            format!(
                "{name} packing = replace(replace(replace(packing, 'A', '?'), 'B', 'A'), '?', 'B') {cube}"
            ),
            "packed.soma, entry 1",
            "is not a packing of its figure with SOMA",
        ),
        (
            format!("{name} packing = substr(packing, 2) {cube}"),
            "packed.soma, entry 1",
            "is not a packing",
        ),
        (
            format!("{name} packing = replace(packing, 'V', 'X') {cube}"),
            "packed.soma, entry 1",
            "is not a packing",
        ),
        (format!("{name} one_sided = 1 {cube}"), "packed.soma, entry 1", "of the other kind"),
        (format!("{name} variant = 0 {cube}"), "packed.soma, entry 1", "out of range"),
        (format!("{name} line = -1 {cube}"), "packed.soma, entry 1", "out of range"),
        (format!("{outcome} nodes = -1 {of_cube}"), "s1-3x3x3-zzzzz3", "-1 nodes"),
        (format!("{outcome} nodes = 0 {of_cube}"), "s1-3x3x3-zzzzz3", "with 0 nodes"),
        (format!("{outcome} engine_id = NULL {of_cube}"), "s1-3x3x3-zzzzz3", "takes an engine"),
        (format!("{outcome} engine_id = 9 {of_cube}"), "s1-3x3x3-zzzzz3", "unknown engine 9"),
        (format!("{outcome} engine_id = 3 {of_cube}"), "s1-3x3x3-zzzzz3", "no search of its own"),
    ]);
}

#[test]
fn check_finds_impossible_sets_structures_and_totals() {
    let structure = "UPDATE structure SET";
    let mapped = "WHERE map_components IS NOT NULL AND set_up > 1";
    let total = "UPDATE enumeration_total SET";
    check_finds(&[
        (
            "UPDATE piece_set SET name = '2xSOMA' WHERE name = 'SOMA'".to_owned(),
            "2xSOMA",
            "its pieces are not those of 2xSOMA",
        ),
        (
            "UPDATE piece_set SET name = 'bedlam' WHERE name = 'P2'".to_owned(),
            "bedlam",
            "its pieces are not those of bedlam",
        ),
        (
            "UPDATE piece_set SET definition = definition || ' # two' WHERE name = 'P2'".to_owned(),
            "P2",
            "not written as somacat writes them",
        ),
        (format!("{structure} map_solitary = map_components + 1 {mapped}"), "s1-3x3x3", "map"),
        (format!("{structure} map_components = 241 {mapped}"), "s1-3x3x3", "more packings than"),
        (format!("{structure} solid_stands = 2 {mapped}"), "s1-3x3x3", "stability is impossible"),
        (format!("{structure} friction = -0.5 {mapped}"), "s1-3x3x3", "stability is impossible"),
        (
            format!("{structure} by_hand = stand + 1 {mapped}"),
            "s1-3x3x3",
            "stability is impossible",
        ),
        ("UPDATE published_count SET value = -1".to_owned(), "s1-3x3x3", "count below 0"),
        (
            format!("{total} figures = -figures WHERE reason_id = 2"),
            "symmetric figures of 8 cells",
            "below 0",
        ),
        (
            format!("{total} reason_id = 0 WHERE reason_id = 2"),
            "symmetric figures of 8 cells",
            "verdict excludes",
        ),
        (
            "UPDATE enumeration SET keep = 'totals' WHERE question LIKE 'sym%'".to_owned(),
            "symmetric figures of 8 cells",
            "keeps totals alone, but has figures",
        ),
        (
            "UPDATE enumeration SET keep = 'top:9' WHERE question LIKE 'sym%'".to_owned(),
            "symmetric figures of 8 cells",
            "a question of its kind keeps other figures",
        ),
        (
            "UPDATE enumeration SET listed = 7 WHERE question LIKE 'sym%'".to_owned(),
            "symmetric figures of 8 cells",
            "position is not that of a complete enumeration",
        ),
    ]);
}

/// A row that no reader understands is named, and costs `verify` only itself.
#[test]
fn a_number_out_of_range_damages_only_its_row() {
    let forgery = "UPDATE outcome SET nodes = -1 WHERE raw = 11520";
    let (code, said) = forged(&MIXED, forgery, &["query", "--csv"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the row of s1-3x3x3-zzzzz3 is damaged: nodes is -1"), "{said}");
    let (code, said) = forged(&MIXED, forgery, VERIFY);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("s1-3x3x3-zzzzz3,row,,nodes is -1"), "{said}");
}

/// Hides a buildable figure that no other enumeration keeps. It moves to the totals of exhausted figures, or vanishes.
fn hide(enumeration: i64, vanishes: bool) -> String {
    let exhausted = "INSERT INTO enumeration_total SELECT enumeration, class, 2, 5, 1 FROM victim
        WHERE true ON CONFLICT DO UPDATE SET figures = figures + 1;";
    format!(
        "CREATE TEMP TABLE victim AS SELECT x.figure_id AS figure, f.class_id AS class,
            x.enumeration_id AS enumeration
         FROM enumerated x JOIN figure f ON f.id = x.figure_id WHERE x.enumeration_id = {enumeration}
            AND (SELECT count(*) FROM enumerated y WHERE y.figure_id = f.id) = 1 LIMIT 1;
         DELETE FROM enumerated WHERE figure_id = (SELECT figure FROM victim);
         DELETE FROM structure WHERE figure_id = (SELECT figure FROM victim);
         DELETE FROM timing WHERE figure_id = (SELECT figure FROM victim);
         DELETE FROM outcome WHERE figure_id = (SELECT figure FROM victim);
         DELETE FROM figure WHERE id = (SELECT figure FROM victim);
         UPDATE enumeration_total SET figures = figures - 1
         WHERE (enumeration_id, class_id, verdict_id) = (SELECT enumeration, class, 1 FROM victim);
         {}
         DELETE FROM enumeration_total WHERE figures = 0;",
        if vanishes { "" } else { exhausted }
    )
}

/// Moves a figure of an enumeration from one reason to another.
fn move_reason(enumeration: i64, from: i64, to: i64) -> String {
    format!(
        "CREATE TEMP TABLE moved AS SELECT class_id AS class FROM enumeration_total
         WHERE enumeration_id = {enumeration} AND reason_id = {from} LIMIT 1;
         UPDATE enumeration_total SET figures = figures - 1
         WHERE enumeration_id = {enumeration} AND reason_id = {from} AND class_id = (SELECT class FROM moved);
         INSERT INTO enumeration_total SELECT {enumeration}, class, 2, {to}, 1 FROM moved
         WHERE true ON CONFLICT DO UPDATE SET figures = figures + 1;
         DELETE FROM enumeration_total WHERE figures = 0;"
    )
}

#[test]
fn verify_finds_what_an_enumeration_hides() {
    let (code, said) = forged(&KINDS, "", VERIFY);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("whether ") && !said.contains("the reasons of "), "{said}");
    assert!(said.contains("not verified: the nodes and the engine of "), "{said}");
    for (enumeration, label) in [(1, "symmetric figures"), (2, "can be built"), (3, "census of")] {
        let forgery = hide(enumeration, enumeration == 2);
        let (code, said) = forged(&KINDS, &forgery, CHECK);
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = forged(&KINDS, &forgery, VERIFY);
        assert_eq!(code, Some(5), "{said}");
        let found = said.lines().any(|line| {
            line.starts_with("s1-") && line.contains(label) && line.ends_with(",no,can be built")
        });
        assert!(found, "{said}");
    }
    // Parity, no fit, exhausted, in both directions.
    for (enumeration, label) in [(1, "symmetric figures"), (3, "census of")] {
        for (from, to) in [(2, 5), (5, 2), (4, 5), (5, 4), (2, 4), (4, 2)] {
            let (code, said) = forged(&KINDS, &move_reason(enumeration, from, to), VERIFY);
            assert_eq!(code, Some(5), "{enumeration}: {from} to {to}: {said}");
            assert!(said.contains(label) && said.contains("figures of class "), "{said}");
        }
    }
    let label = "UPDATE enumeration SET label = 'census of 9x9x9' WHERE id = 3";
    let (code, said) = forged(&KINDS, label, VERIFY);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains(",label,census of 9x9x9,census of 2x2x3"), "{said}");
    // A figure of another enumeration in the place of one.
    let exchanged = "UPDATE enumerated SET figure_id = (SELECT f.id FROM figure f WHERE f.box = '2x2x4'
            OR f.box = '2x3x3' LIMIT 1)
        WHERE enumeration_id = 3 AND figure_id IN (SELECT figure_id FROM enumerated WHERE enumeration_id = 3 LIMIT 1)";
    let (code, said) = forged(&KINDS, exchanged, VERIFY);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains(",1,outside the question"), "{said}");
}

/// Where there are too many figures to try, packings add up, parity has its closed form, and the rest is stated.
#[test]
fn verify_finds_hidden_figures_of_large_boxes_and_states_the_rest() {
    let short: &[&str] = &["verify", "--csv", "--nodes", "500"];
    let (code, said) = forged(&KINDS, "", short);
    assert_eq!(code, Some(0), "{said}");
    for words in
        ["whether ", " of them; a sample of ", "the reasons of ", " figures without a row ("]
    {
        assert!(said.contains(words), "{said}");
    }
    let (code, said) = forged(&KINDS, &hide(3, false), short);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("packings in the box: census of 2x2x3"), "{said}");
    // Of a census without rows, the color difference of the whole figure decides.
    let plan = "title = 'tallied'\nset = 'P2'\nkeep = 'top:1'\n[[census]]\nsides = '2x2x3'\n";
    let tallied = catalog(plan, &[]);
    let (code, said) = forged(&tallied, "", short);
    assert_eq!(code, Some(0), "{said}");
    for (from, to) in [(2, 5), (5, 2)] {
        let (code, said) = forged(&tallied, &move_reason(1, from, to), short);
        assert_eq!(code, Some(5), "{said}");
        assert!(said.contains("that parity blocks: census of 2x2x3"), "{said}");
    }
}

#[test]
fn verify_computes_maps_and_stability_again() {
    let cube = "WHERE set_up > 5";
    for (value, row) in [
        ("map_components = map_components + 1", "map_components"),
        ("map_solitary = map_solitary + 1", "map_solitary"),
        ("solid_stands = 0", "solid_stands"),
        ("friction = 0.4", "friction"),
    ] {
        let forgery = format!("UPDATE structure SET {value} {cube}");
        let figure = ["verify", "--csv", "--nodes", "1000", "--figure", "cube"];
        let (code, said) = forged(&MIXED, &forgery, &figure);
        assert_eq!(code, Some(5), "{value}: {said}");
        assert!(said.contains(&format!("s1-3x3x3-zzzzz3,{row},")), "{said}");
    }
    // A sample of many packings depends on limits. A figure all of whose packings were set up has no sample.
    let all = "WHERE by_hand = 1 AND set_up = (SELECT raw FROM outcome o WHERE o.figure_id = structure.figure_id)";
    let (code, said) =
        forged(&MIXED, &format!("UPDATE structure SET by_hand = 0 {all}"), &["verify", "--csv"]);
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains(",by_hand,0,1"), "{said}");
}

/// A part whose rows do not have the packings that it states is refused.
#[test]
fn a_merge_adds_up_the_rows_of_a_census() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let plan = "title = 'c'\nset = 'P2'\nkeep = 'solvable'\n[[census]]\nsides = '2x2x3'\n";
    fs::write(path.join("plan.toml"), plan).unwrap();
    let units = run(path, &["units", "plan.toml", "--count", "1"]);
    fs::write(path.join("units.txt"), &units.stdout).unwrap();
    assert_eq!(
        run(path, &["work", "units.txt", "--unit", "1", "--out", "parts"]).status.code(),
        Some(0)
    );
    let part = path.join("parts/0001");
    let text = fs::read_to_string(&part).unwrap();
    let changed = text.replace("[1,null,null,4,1,1,null,3]", "[1,null,null,8,1,1,null,3]");
    assert_ne!(text, changed);
    fs::write(&part, with_digest(&changed)).unwrap();
    let merged = run(path, &["merge", "units.txt", "parts"]);
    assert_eq!(merged.status.code(), Some(5), "{}", stderr(&merged));
    assert!(stderr(&merged).contains("its packings do not add up"), "{}", stderr(&merged));
}

/// With a limit of nodes, only some packings are found and set up, and more than the lower bound of the count.
#[test]
fn stability_under_a_limit_of_nodes_is_no_forgery() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("figures.txt"), "tower: 67 77\ncube: 333 333 333\nrow: 11111111\n")
        .unwrap();
    let plan = "import = ['figures.txt']\nset = 'SOMA'\nstand = true\nmap = true\nnodes = 100\n";
    fs::write(path.join("plan.toml"), plan).unwrap();
    for nodes in ["nodes = 100", ""] {
        fs::write(path.join("plan.toml"), plan.replace("nodes = 100", nodes)).unwrap();
        let done = run(path, &["run", "plan.toml", "-q"]);
        assert!(matches!(done.status.code(), Some(0 | 3)), "{}", stderr(&done));
        for command in [&["catalog", "check"][..], &["verify"]] {
            let done = run(path, command);
            let told = format!("{}{}", stdout(&done), stderr(&done));
            assert_eq!(done.status.code(), Some(0), "{nodes} {command:?}: {told}");
        }
    }
}
