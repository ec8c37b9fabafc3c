//! Catalogs in long use: published, checked, salvaged, compared, opened by later programs.

use crate::support::program::{column, run, somacat, stderr, stdout};
use rusqlite::Connection;
use somacat_catalog::{Catalog, CatalogError, Comparison, check_catalog, diff_catalogs};
use somacat_output::export::CATALOG_COLUMNS;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A plan, its sources, and the catalog an earlier program made. If a change makes this catalog unsound, the change
/// needs a new schema version.
const FIXTURE: &str = "tests/data/catalog-v11";

/// Copies the fixture to a folder of its own.
fn copy_of_fixture() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    for entry in fs::read_dir(root().join(FIXTURE)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let db = folder.path().join("somacat.db");
    (folder, db)
}

fn change(db: &Path, sql: &str) {
    Connection::open(db).unwrap().execute_batch(sql).unwrap();
}

fn compare(old: &Path, new: &Path) -> Comparison {
    let (old, new) = (Catalog::open_read_only(old).unwrap(), Catalog::open_read_only(new).unwrap());
    diff_catalogs::<CatalogError>(&old, &new, |_| Ok(())).unwrap()
}

#[test]
fn a_catalog_of_an_earlier_program_is_sound_and_can_be_continued() {
    let (folder, db) = copy_of_fixture();
    let untouched = fs::read(&db).unwrap();
    let migrated = run(folder.path(), &["catalog", "migrate"]);
    assert_eq!(migrated.status.code(), Some(0), "{}", stderr(&migrated));
    assert!(stderr(&migrated).contains("is up to date, nothing to do"), "{}", stderr(&migrated));
    assert_eq!(fs::read(&db).unwrap(), untouched);
    let rows = stdout(&run(folder.path(), &["query", "--csv"]));
    assert_eq!(rows.lines().count(), 25);
    let cube = rows.lines().find(|row| row.contains("s1-3x3x3")).unwrap();
    assert!(cube.contains(",Oh,48,1,counted,,11520,480,240,"), "{cube}");
    for command in [["verify"].as_slice(), &["catalog", "check"], &["status"]] {
        let done = run(folder.path(), command);
        assert_eq!(done.status.code(), Some(0), "{command:?}: {}", stderr(&done));
    }
    let before = folder.path().join("before.db");
    fs::copy(&db, &before).unwrap();
    // The plan has a faulty entry; nothing is counted again.
    let again = run(folder.path(), &["run", "plan.toml"]);
    assert_eq!(again.status.code(), Some(3), "{}", stderr(&again));
    assert!(stderr(&again).contains("all 24 figures were counted before"), "{}", stderr(&again));
    assert!(compare(&before, &db).is_same());
    // An enumeration is known by its question and is not restarted.
    let enumerations =
        "SELECT count(*), min(question LIKE 'symmetric/1 cells=27 %') FROM enumeration";
    let told = stdout(&run(folder.path(), &["query", "--csv", "--sql", enumerations]));
    assert_eq!(told.lines().nth(1), Some("1,1"), "{told}");
    // A new count by this program gives the same results.
    run(folder.path(), &["run", "plan.toml", "--db", "new.db", "-q"]);
    let told = run(folder.path(), &["catalog", "diff", "somacat.db", "new.db"]);
    assert_eq!(told.status.code(), Some(0), "{}{}", stdout(&told), stderr(&told));
}

#[test]
fn the_documented_columns_are_those_of_the_views() {
    let document = fs::read_to_string(root().join("docs/catalog.md")).unwrap();
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let documented: Vec<(String, Vec<String>)> = document
        .lines()
        .skip_while(|line| !line.starts_with("| view |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            // A bar inside a column is written \|.
            let cells: Vec<String> =
                line.replace("\\|", "¦").split('|').map(str::to_owned).collect();
            (quoted(&cells[1]).remove(0), quoted(&cells[3]))
        })
        .collect();
    let (_folder, db) = copy_of_fixture();
    let connection = Connection::open(&db).unwrap();
    let list = |sql: &str, name: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([name], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    let mut views = list("SELECT name FROM sqlite_schema WHERE type = ? ORDER BY name", "view");
    for (view, columns) in &documented {
        assert_eq!(*columns, list("SELECT name FROM pragma_table_info(?)", view), "{view}");
        views.retain(|name| name != view);
    }
    assert_eq!(views, [""; 0], "views without documentation");
    // The metadata for Datasette describes the same views and columns.
    let metadata = fs::read_to_string(root().join("docs/datasette-metadata.json")).unwrap();
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let tables = &metadata["databases"]["figures"]["tables"];
    for (view, columns) in documented.iter().filter(|(view, _)| view != "figure_rows") {
        let mut described: Vec<&String> =
            tables[view]["columns"].as_object().unwrap().keys().collect();
        let mut columns: Vec<&String> = columns.iter().collect();
        described.sort();
        columns.sort();
        assert_eq!(described, columns, "{view} in the metadata");
    }
    for column in &CATALOG_COLUMNS {
        assert_eq!(tables["figures"]["columns"][column.name], column.meaning);
    }
}

#[test]
fn a_published_copy_holds_the_results_and_nothing_of_this_machine() {
    let (folder, db) = copy_of_fixture();
    assert!(fs::read(&db).unwrap().windows(9).any(|bytes| bytes == b"/somebody"));
    let publish = |args: &[&str]| run(folder.path(), &[&["catalog", "publish"], args].concat());
    let done = publish(&["out.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("place (2), run (1)"), "{}", stderr(&done));
    let out = folder.path().join("out.db");
    assert!(compare(&db, &out).is_same());
    assert!(check_catalog(&out, false).unwrap().findings.is_empty());
    assert!(!fs::read(&out).unwrap().windows(9).any(|bytes| bytes == b"/somebody"));
    let rows = |sql: &str| {
        stdout(&run(folder.path(), &["query", "--db", "out.db", "--csv", "--sql", sql]))
    };
    for table in ["place", "run", "timing"] {
        assert_eq!(rows(&format!("SELECT count(*) AS n FROM {table}")), "n\n0\n");
    }
    // According to its header it needs no log.
    assert_eq!(fs::read(&out).unwrap()[18..20], [1, 1]);
    assert_ne!(rows("SELECT count(*) AS n FROM sqlite_stat1"), "n\n0\n");
    let mut left: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("out.db") || name.contains("part") || name.contains("lock"))
        .collect();
    left.sort();
    assert_eq!(left, ["out.db"]);
    // A mistake does not overwrite a file or the catalog itself; the same copy once more is not a mistake.
    for (args, code) in
        [(["out.db"].as_slice(), 0), (&["plan.toml"], 1), (&["somacat.db", "--force"], 1)]
    {
        let before = fs::read(folder.path().join(args[0])).unwrap();
        assert_eq!(publish(args).status.code(), Some(code), "{args:?}");
        assert_eq!(fs::read(folder.path().join(args[0])).unwrap(), before);
    }
    let before = fs::read(&out).unwrap();
    assert_eq!(publish(&["--force", "out.db"]).status.code(), Some(0));
    assert_eq!(fs::read(&out).unwrap(), before, "the same catalog gives the same bytes");
}

#[test]
fn check_reports_inconsistencies() {
    let (_folder, db) = copy_of_fixture();
    let sound = fs::read(&db).unwrap();
    for (damage, part, problem) in [
        ("UPDATE outcome SET raw = raw + 1 WHERE raw > 0", "outcome", "are impossible with"),
        ("UPDATE outcome SET reason_id = NULL WHERE raw = 0", "outcome", "without a reason"),
        ("UPDATE figure SET parity = 3 WHERE id = 1", "figure", "parity is 3 and should be 1"),
        (
            "UPDATE figure SET signature = 's1-1x1x1-1' WHERE cells = 27 AND class_id = 32",
            "figure",
            "box is 3x3x3 and should be 1x1x1",
        ),
        ("UPDATE figure SET signature = 's9-1x1x1-1' WHERE id = 2", "figure", "not of version 1"),
        ("DROP VIEW unsolvable", "schema", "missing"),
        (
            "PRAGMA foreign_keys = OFF; DELETE FROM source",
            "references",
            "refer to a missing source",
        ),
        (
            "UPDATE reason SET name = 'luck' WHERE name = 'parity'",
            "words",
            "contents that somacat writes",
        ),
        (
            "UPDATE symmetry_class SET schoenflies = 'C9' WHERE id = 5",
            "words",
            "contents that somacat writes",
        ),
        ("UPDATE piece_set SET definition = 'V*1: 0,0'", "piece_set", "line 1"),
        ("DELETE FROM enumerated WHERE figure_id = 5", "enumeration", "kept figures are stored"),
        ("PRAGMA application_id = 7", "file", "not that of somacat"),
        ("PRAGMA user_version = 0", "file", "there is no schema version 0"),
    ] {
        fs::write(&db, &sound).unwrap();
        change(&db, damage);
        let found = check_catalog(&db, false).unwrap().findings;
        let named = |f: &somacat_catalog::Finding| f.part == part && f.problem.contains(problem);
        assert!(found.iter().any(named), "{damage}: {found:?}");
    }
}

#[test]
fn check_merges_a_log_that_was_left() {
    let (folder, db) = copy_of_fixture();
    let live = Connection::open(&db).unwrap();
    live.execute_batch("PRAGMA journal_mode = WAL; INSERT INTO source (label) VALUES ('late')")
        .unwrap();
    let left = folder.path().join("left.db");
    fs::copy(&db, &left).unwrap();
    fs::copy(folder.path().join("somacat.db-wal"), folder.path().join("left.db-wal")).unwrap();
    let done = run(folder.path(), &["catalog", "check", "--db", "left.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("merged the log"), "{}", stderr(&done));
    assert!(!folder.path().join("left.db-wal").exists());
    let sql = "SELECT count(*) AS n FROM source WHERE label = 'late'";
    let rows = run(folder.path(), &["query", "--db", "left.db", "--csv", "--sql", sql]);
    assert_eq!(stdout(&rows), "n\n1\n");
}

#[test]
fn diff_tells_what_differs_and_what_contradicts() {
    let (folder, db) = copy_of_fixture();
    let other = folder.path().join("other.db");
    let diff = |sql: &str| {
        fs::copy(&db, &other).unwrap();
        change(&other, sql);
        let done = run(folder.path(), &["catalog", "diff", "--csv", "somacat.db", "other.db"]);
        let rows = stdout(&done).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(done.status.code(), Some(if rows.is_empty() { 0 } else { 5 }));
        (rows, compare(&db, &other))
    };
    // Times, runs, engines and the order of imports are not compared.
    let (rows, sum) = diff(
        "DELETE FROM timing; DELETE FROM run; UPDATE outcome SET nodes = 1, engine_id = NULL;
         PRAGMA foreign_keys = OFF; UPDATE name SET source_id = 9 WHERE source_id = 1;
         UPDATE source SET id = 9 WHERE id = 1",
    );
    assert_eq!((rows.len(), sum.is_same(), sum.in_both), (0, true, 24));
    let cube = "(SELECT id FROM figure WHERE signature = 's1-3x3x3-zzzzz3')";
    let (rows, sum) = diff(&format!("UPDATE outcome SET raw = 9 WHERE figure_id = {cube}"));
    assert_eq!(rows, ["raw,s1-3x3x3-zzzzz3,SOMA-placed,SOMA,11520,9"]);
    assert_eq!((sum.outcomes, sum.contradictions), (1, 1));
    // A bound that agrees with the count is less precise, not a contradiction.
    let bound = "verdict_id = 3, rotation = NULL, \"unique\" = NULL";
    for (raw, contradictions) in [(7, 0), (11521, 1)] {
        let (rows, sum) =
            diff(&format!("UPDATE outcome SET raw = {raw}, {bound} WHERE figure_id = {cube}"));
        assert_eq!((rows.len(), sum.outcomes, sum.contradictions), (4, 1, contradictions));
    }
    let (rows, sum) = diff(&format!("DELETE FROM outcome WHERE figure_id = {cube}"));
    assert_eq!((rows.len(), sum.one_sided), (1, 1));
    let (rows, sum) = diff("UPDATE name SET label = 'dice' WHERE label = 'cube'");
    assert_eq!(
        rows,
        ["names,s1-3x3x3-zzzzz3,SOMA-placed,,SOMA-placed; cube; the cube again,\
          SOMA-placed; dice; the cube again"]
    );
    assert_eq!(sum.names, 1);
    // Results about packings; an empty row equals no row.
    let insert = "INSERT INTO structure (figure_id, set_id, map_components, map_solitary, friction, by_hand)";
    let (rows, sum) = diff(&format!("{insert} VALUES ({cube}, 1, 2, 1, NULL, NULL)"));
    assert_eq!(
        rows,
        [
            "map_components,s1-3x3x3-zzzzz3,SOMA-placed,SOMA,,2",
            "map_solitary,s1-3x3x3-zzzzz3,SOMA-placed,SOMA,,1"
        ]
    );
    assert_eq!((sum.others, sum.contradictions), (2, 0));
    let (rows, _) = diff(&format!("{insert} VALUES ({cube}, 1, NULL, NULL, NULL, NULL)"));
    assert_eq!(rows, Vec::<String>::new());
    let (rows, _) = diff(&format!("{insert} VALUES ({cube}, 1, NULL, NULL, 0.5, 7)"));
    assert_eq!(rows.len(), 2, "{rows:?}");
    // The first and the last figure, and one between them.
    let (rows, sum) = diff(
        "PRAGMA foreign_keys = OFF; UPDATE figure SET signature = 's1-0' WHERE signature =
         (SELECT min(signature) FROM figure); DELETE FROM figure WHERE signature = (SELECT
         max(signature) FROM figure)",
    );
    assert_eq!((rows.len(), sum.only_old, sum.only_new, sum.in_both), (3, 2, 1, 22));
}

#[test]
fn every_command_says_what_is_wrong_with_a_file_that_is_no_catalog_of_its_own() {
    let (folder, db) = copy_of_fixture();
    let path = folder.path();
    for (name, version) in [("newer.db", "99"), ("older.db", "3"), ("unversioned.db", "0")] {
        fs::copy(&db, path.join(name)).unwrap();
        change(&path.join(name), &format!("PRAGMA user_version = {version}"));
    }
    change(&path.join("foreign.db"), "CREATE TABLE note (text)");
    change(&path.join("database.db"), "PRAGMA user_version = 0; VACUUM");
    fs::write(path.join("nothing.db"), "").unwrap();
    fs::create_dir(path.join("folder.db")).unwrap();
    let commands: [&[&str]; 8] = [
        &["query"],
        &["status"],
        &["verify"],
        &["export", "csv"],
        &["export", "gallery", "site"],
        &["catalog", "publish", "out.db"],
        &["catalog", "migrate"],
        &["run", "plan.toml"],
    ];
    for (name, words) in [
        ("missing.db", "`somacat run` or `somacat import FILE` creates one"),
        ("nothing.db", "is empty, not yet a catalog; `somacat run`"),
        ("database.db", "is empty, not yet a catalog; `somacat run`"),
        ("newer.db", "schema version 99, but this somacat reads version 11; use the somacat that"),
        ("older.db", "schema version 3, but this somacat reads version 11; use the somacat that"),
        ("unversioned.db", "`somacat catalog check` reports what can be saved"),
        ("foreign.db", "is not a somacat catalog; choose another file"),
        ("plan.toml", "is not a somacat catalog; choose another file"),
        ("folder.db", "is not a somacat catalog; choose another file"),
    ] {
        let before = fs::read(path.join(name)).ok();
        for command in commands {
            // A command that writes creates a catalog if there is none.
            let makes = ["missing.db", "nothing.db", "database.db"].contains(&name);
            if makes && command[0] == "run" {
                continue;
            }
            let done = run(path, &[command, &["--db", name]].concat());
            let told = stderr(&done);
            assert_eq!(done.status.code(), Some(1), "{command:?} on {name}: {told}");
            assert!(told.contains(words), "{command:?} on {name}: {told}");
            assert_eq!(stdout(&done), "", "{command:?} on {name}");
        }
        assert_eq!(fs::read(path.join(name)).ok(), before, "{name} was changed");
    }
}

#[test]
fn a_closed_pipe_is_silent_for_every_command_that_writes_rows() {
    let (folder, _) = copy_of_fixture();
    let commands: [&[&str]; 10] = [
        &["query", "--csv"],
        &["query"],
        &["query", "--json", "--sql", "SELECT * FROM figures"],
        &["status"],
        &["export", "csv"],
        &["export", "soma"],
        &["show", "cube"],
        &["catalog", "diff", "somacat.db", "other.db"],
        &["symmetry", "figures.txt"],
        &["man", "query"],
    ];
    fs::copy(folder.path().join("somacat.db"), folder.path().join("other.db")).unwrap();
    change(&folder.path().join("other.db"), "DELETE FROM outcome");
    for command in commands {
        let mut command = somacat(folder.path(), &[command, &["-q"]].concat());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let told = stderr(&output);
        let told = told.lines().find(|line| !line.starts_with("figures.txt:5: few"));
        assert_eq!(told, None, "{command:?}");
        assert_eq!(output.status.code(), Some(0), "{command:?}");
    }
}

#[test]
fn nothing_found_tells_what_was_looked_for_and_what_comes_near() {
    let (folder, _) = copy_of_fixture();
    let ask = |args: &[&str]| {
        let done = run(folder.path(), &[&["query", "--table"], args].concat());
        assert_eq!(stdout(&done), "");
        (done.status.code(), stderr(&done))
    };
    let (code, told) = ask(&["--order", "24", "--solvable", "--raw-min", "5"]);
    assert_eq!(code, Some(0));
    let words = "nothing in somacat.db matches: of its 24 figures none has a group of order 24 and \
                 a packing and an exact count of at least 5 packings";
    assert!(told.starts_with(words), "{told}");
    let (_, told) = ask(&["--name", "towre"]);
    assert!(told.contains("a name or title like `towre`; did you mean tower?"), "{told}");
    let (_, told) = ask(&["--source", "figure.txt"]);
    assert!(told.contains("did you mean figures.txt"), "{told}");
    let (_, told) = ask(&["--set", "SOMA2"]);
    assert!(told.contains("did you mean SOMA?"), "{told}");
    let (code, told) = ask(&["--class", "C3x"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("did you mean C3"), "{told}");
    let shown = run(folder.path(), &["show", "towre"]);
    assert!(stderr(&shown).contains("did you mean tower"), "{}", stderr(&shown));
    change(&folder.path().join("somacat.db"), "PRAGMA foreign_keys = OFF; DELETE FROM figure");
    let (_, told) = ask(&["--order", "24"]);
    assert!(told.contains("holds no figures yet; `somacat import FILE`"), "{told}");
    let csv = stdout(&run(folder.path(), &["query", "--csv", "--order", "24"]));
    assert!(column(&csv, "name").is_empty());
}

#[test]
fn options_of_every_command_may_come_before_the_kind_of_pages() {
    let (folder, _) = copy_of_fixture();
    fs::rename(folder.path().join("somacat.db"), folder.path().join("x.db")).unwrap();
    let export = |line: &str| {
        let args: Vec<&str> = line.split(' ').collect();
        let done = run(folder.path(), &[&["export"], args.as_slice()].concat());
        (done.status.code(), stderr(&done))
    };
    for line in [
        "--db x.db gallery one --order 48",
        "gallery --db x.db two --order 48",
        "-q --db x.db gallery three --order 48",
        "--db x.db newsletter news --order 48",
    ] {
        assert_eq!(export(line).0, Some(0), "{line}: {}", export(line).1);
    }
    assert!(folder.path().join("three/index.html").exists());
    // The options of a kind follow it.
    let (code, told) = export("--order 48 --db x.db gallery four");
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("unexpected argument '--order'"), "{told}");
    assert!(!folder.path().join("four").exists());
}
