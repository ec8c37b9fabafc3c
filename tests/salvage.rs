//! Damaged and edited catalogs: `catalog check` finds the damage, and `--salvage` saves unchanged rows.

use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use rusqlite::Connection;
use rusqlite::types::Value;
use somacat_catalog::{Catalog, check_catalog, salvage};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A plan, its sources, and their catalog.
fn fixture() -> (TempDir, PathBuf) {
    let (folder, data) = (TempDir::new().unwrap(), "tests/data/catalog-v11");
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(data)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let db = folder.path().join("somacat.db");
    (folder, db)
}

fn run_plan(folder: &Path, db: &str) {
    let done = run(folder, &["run", "plan.toml", "-q", "--db", db]);
    assert_eq!(done.status.code(), Some(3), "the plan has a faulty entry: {}", stderr(&done));
}

fn change(db: &Path, sql: &str) {
    Connection::open(db).unwrap().execute_batch(sql).unwrap();
}

/// Reads every row of every result. Signatures and labels replace ids.
fn results(db: &Path) -> BTreeSet<String> {
    let connection = Connection::open(db).unwrap();
    let mut rows = BTreeSet::new();
    for sql in [
        "SELECT signature, cells, box, class_id, parity, parts FROM figure",
        "SELECT f.signature, p.definition, o.* FROM outcome o
         LEFT JOIN figure f ON f.id = o.figure_id LEFT JOIN piece_set p ON p.id = o.set_id",
        "SELECT f.signature, s.label, p.definition, n.* FROM name n
         LEFT JOIN figure f ON f.id = n.figure_id LEFT JOIN piece_set p ON p.id = n.set_id
         LEFT JOIN source s ON s.id = n.source_id",
        "SELECT f.signature, p.definition, u.* FROM structure u
         LEFT JOIN figure f ON f.id = u.figure_id LEFT JOIN piece_set p ON p.id = u.set_id",
        "SELECT f.signature, p.definition, c.* FROM published_count c
         LEFT JOIN figure f ON f.id = c.figure_id LEFT JOIN piece_set p ON p.id = c.set_id",
        "SELECT f.signature, e.question, x.* FROM enumerated x
         LEFT JOIN figure f ON f.id = x.figure_id LEFT JOIN enumeration e ON e.id = x.enumeration_id",
        "SELECT e.question, e.label, e.keep, t.* FROM enumeration_total t
         LEFT JOIN enumeration e ON e.id = t.enumeration_id",
        "SELECT s.label, x.* FROM fault x LEFT JOIN source s ON s.id = x.source_id",
    ] {
        let mut statement = connection.prepare(sql).unwrap();
        let columns: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let mut text = String::new();
            for (at, column) in columns.iter().enumerate() {
                if !["figure_id", "set_id", "source_id", "enumeration_id"].contains(&column.as_str()) {
                    let value: Value = row.get(at).unwrap();
                    text += &format!("{column}={value:?} ");
                }
            }
            rows.insert(text);
        }
    }
    rows
}

/// Fills a box: figures in an enumeration, each with its count.
fn catalog_of_a_box() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let plan = "title = 'box'\n[[box]]\nsides = '2x3x5'\ncells = 27\nconnected = true\n";
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let done = run(folder.path(), &["run", "plan.toml", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let db = folder.path().join("somacat.db");
    (folder, db)
}

/// A changed bit shortly before a signature changes the figure's id. The new id is that of a figure with another count.
#[test]
fn no_figure_gets_the_count_of_another() {
    let (folder, db) = catalog_of_a_box();
    let (sound, before) = (fs::read(&db).unwrap(), results(&db));
    let signatures: Vec<usize> = sound
        .windows(9)
        .enumerate()
        .filter(|(_, bytes)| bytes == b"s1-2x3x5-")
        .map(|x| x.0)
        .collect();
    let (damaged, saved) = (folder.path().join("damaged.db"), folder.path().join("saved.db"));
    let mut random = Random::new(29);
    let mut kept = 0;
    for _ in 0..40 {
        let mut bytes = sound.clone();
        let at = signatures[random.below(signatures.len())] - 1 - random.below(16);
        bytes[at] ^= 1 << random.below(8);
        fs::write(&damaged, &bytes).unwrap();
        if check_catalog(&damaged, false).unwrap().findings.is_empty() {
            assert!(results(&damaged) == before, "byte {at}: check does not find it");
        }
        salvage(&damaged, Some(&saved)).unwrap();
        let after = results(&saved);
        let differing: Vec<&String> = after.difference(&before).collect();
        assert_eq!(differing, [""; 0], "byte {at}");
        kept += after.len();
        fs::remove_file(&saved).unwrap();
    }
    assert!(kept > 30 * before.len() / 2, "{kept} rows were saved");
}

/// A catalog cut at every 4,500 bytes, with `SOMACAT_THOROUGH=1` at every 1,500, yields unchanged rows. Otherwise a message states that nothing can be saved.
#[test]
fn what_is_saved_of_a_truncated_catalog_is_as_it_was() {
    let (folder, db) = fixture();
    let (whole, before) = (fs::read(&db).unwrap(), results(&db));
    let cut = folder.path().join("cut.db");
    let mut most = 0;
    let step = if std::env::var_os("SOMACAT_THOROUGH").is_some() { 1500 } else { 4500 };
    for length in (100..whole.len()).step_by(step) {
        fs::write(&cut, &whole[..length]).unwrap();
        assert!(!check_catalog(&cut, false).unwrap().findings.is_empty(), "{length}");
        let saved = folder.path().join(format!("saved-{length}.db"));
        if salvage(&cut, Some(&saved)).is_err() {
            continue;
        }
        assert_eq!(check_catalog(&saved, false).unwrap().findings, [], "{length}");
        let after = results(&saved);
        assert!(after.is_subset(&before), "{length}: {:?}", after.difference(&before).next());
        most = most.max(after.len());
    }
    assert!(most > before.len() / 2, "at most {most} of {} rows were saved", before.len());
    let all = folder.path().join("all.db");
    let told = salvage(&db, Some(&all)).unwrap();
    assert!(told.tables.iter().all(|table| table.refused + table.unreadable == 0), "{told:?}");
    assert!(results(&all) == before);
    // The same result stays. Another is not overwritten.
    assert_eq!(salvage(&db, Some(&all)).unwrap(), told);
    fs::write(&all, [&fs::read(&all).unwrap()[..], b" "].concat()).unwrap();
    assert!(salvage(&db, Some(&all)).is_err());
}

/// Flipped bits cause neither a panic nor endless reading. The saved catalog is sound and can be continued.
#[test]
fn what_is_saved_of_a_damaged_catalog_is_as_it_was() {
    let (folder, db) = fixture();
    let (whole, before) = (fs::read(&db).unwrap(), results(&db));
    let damaged = folder.path().join("damaged.db");
    let (mut random, mut found, mut kept) = (Random::new(7), 0, 0);
    let rounds = 60;
    for round in 0..rounds {
        let mut bytes = whole.clone();
        for _ in 0..1 + round % 24 {
            // The first page is not changed: without it there is no database.
            bytes[1024 + random.below(whole.len() - 1024)] ^= 1 << random.below(8);
        }
        fs::write(&damaged, &bytes).unwrap();
        found += usize::from(!check_catalog(&damaged, false).unwrap().findings.is_empty());
        let saved = folder.path().join(format!("saved-{round}.db"));
        salvage(&damaged, Some(&saved)).unwrap();
        assert_eq!(check_catalog(&saved, false).unwrap().findings, [], "round {round}");
        let after = results(&saved);
        assert!(after.is_subset(&before), "{round}: {:?}", after.difference(&before).next());
        kept += after.len();
        Catalog::open(&saved).unwrap();
    }
    assert!(found > rounds / 2, "damage was found in {found} of {rounds} rounds");
    assert!(kept > rounds * before.len() / 2, "{kept} rows were saved in {rounds} rounds");
}

/// Plausible edits, each of one row. Salvage leaves the row out, and the same plan restores it.
#[test]
fn an_edited_row_is_found_left_out_and_restored() {
    let (folder, db) = fixture();
    let path = folder.path();
    let before = results(&db);
    let (edited, saved) = (path.join("edited.db"), path.join("saved.db"));
    let tower = "figure_id = (SELECT figure_id FROM name WHERE label = 'tower')";
    for (edit, table) in [
        (
            format!(
                "UPDATE outcome SET raw = 1518, rotation = 1518, \"unique\" = 759 WHERE {tower}"
            ),
            "outcome",
        ),
        (format!("UPDATE outcome SET nodes = nodes + 1 WHERE {tower}"), "outcome"),
        ("UPDATE outcome SET reason_id = 4 WHERE figure_id = 20".to_owned(), "outcome"),
        (
            "CREATE TRIGGER t AFTER UPDATE OF engine_id ON outcome BEGIN UPDATE outcome SET
                raw = raw - 2 WHERE figure_id = NEW.figure_id AND raw = 1520; END;
             UPDATE outcome SET engine_id = engine_id; DROP TRIGGER t"
                .to_owned(),
            "outcome",
        ),
        ("UPDATE name SET label = 'towel' WHERE label = 'tower'".to_owned(), "name"),
        ("UPDATE name SET figure_id = 3 WHERE label = 'tower'".to_owned(), "name"),
        ("UPDATE name SET line = 4 WHERE label = 'tower'".to_owned(), "name"),
        ("UPDATE name SET packing = 'Z' || packing WHERE packing IS NOT NULL".to_owned(), "name"),
        ("UPDATE source SET label = 'others.txt' WHERE id = 2".to_owned(), "name"),
        ("UPDATE fault SET line = line + 1".to_owned(), "fault"),
        ("UPDATE published_count SET value = value + 1".to_owned(), "published_count"),
        ("UPDATE enumerated SET figure_id = 3 WHERE figure_id = 4".to_owned(), "enumerated"),
        (
            "UPDATE piece_set SET definition = replace(definition, '1,1', '2,1')".to_owned(),
            "piece_set",
        ),
    ] {
        fs::copy(&db, &edited).unwrap();
        change(&edited, &edit);
        assert!(results(&edited) != before, "{edit}");
        let found = check_catalog(&edited, true).unwrap().findings;
        assert!(found.iter().any(|finding| finding.part == table), "{edit}: {found:?}");
        salvage(&edited, Some(&saved)).unwrap();
        let after = results(&saved);
        assert!(after.is_subset(&before), "{edit}: {:?}", after.difference(&before).next());
        if table != "piece_set" {
            run_plan(path, "saved.db");
            assert!(results(&saved) == before, "{edit}");
        }
        fs::remove_file(&saved).unwrap();
    }
}

/// Results about packings, which no import restores.
#[test]
fn an_edited_result_about_packings_is_found() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let plan = "title = 'p'\nimport = ['p.txt']\nset = 'V L'\nmap = true\nstand = true\n";
    fs::write(path.join("plan.toml"), plan).unwrap();
    fs::write(path.join("p.txt"), "p: 0,0,0 1,0,0 2,0,0 0,1,0 1,1,0 2,1,0 0,2,0\n").unwrap();
    let done = run(path, &["run", "plan.toml", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let (db, edited) = (path.join("somacat.db"), path.join("edited.db"));
    assert_eq!(check_catalog(&db, false).unwrap().findings, []);
    for column in ["map_components", "solid_stands", "friction", "set_up", "stand", "by_hand"] {
        fs::copy(&db, &edited).unwrap();
        change(&edited, &format!("UPDATE structure SET {column} = {column} + 1"));
        let found = check_catalog(&edited, true).unwrap().findings;
        assert!(found.iter().any(|finding| finding.part == "structure"), "{column}: {found:?}");
    }
    // Moving a displayed figure clears them, and their checksum follows.
    fs::write(path.join("p.txt"), "p: 0,0,0 0,0,1 0,0,2 0,1,0 0,1,1 0,1,2 0,2,0\n").unwrap();
    assert_eq!(run(path, &["import", "p.txt", "--set", "V L", "-q"]).status.code(), Some(0));
    let cleared = "SELECT count(*) FROM structure WHERE friction IS NULL";
    let connection = Connection::open(&db).unwrap();
    assert_eq!(connection.query_row(cleared, [], |row| row.get::<_, u64>(0)).unwrap(), 1);
    assert_eq!(check_catalog(&db, false).unwrap().findings, []);
}

/// Triggers, views, tables and unique indexes change a program's writes. Other indexes and statistics do not.
#[test]
fn nothing_is_written_to_a_catalog_with_objects_of_other_programs() {
    let (folder, db) = fixture();
    let path = folder.path();
    for (sql, kind, name) in [
        ("CREATE TRIGGER t AFTER INSERT ON outcome BEGIN SELECT 1; END", "trigger", "t"),
        ("CREATE VIEW \"my view\" AS SELECT 1", "view", "my view"),
        ("CREATE TABLE notes (text)", "table", "notes"),
        ("CREATE UNIQUE INDEX one ON enumerated (figure_id)", "index", "one"),
    ] {
        fs::copy(&db, path.join("foreign.db")).unwrap();
        change(&path.join("foreign.db"), sql);
        let before = fs::read(path.join("foreign.db")).unwrap();
        let advice = format!("sqlite3 foreign.db 'DROP {} \"{name}\"'", kind.to_uppercase());
        for command in [["run", "plan.toml"].as_slice(), &["import", "figures.txt"]] {
            let refused = run(path, &[command, &["--db", "foreign.db"]].concat());
            assert_eq!(refused.status.code(), Some(1), "{sql}");
            assert!(stderr(&refused).contains(&advice), "{}", stderr(&refused));
        }
        let checked = run(path, &["catalog", "check", "--db", "foreign.db"]);
        assert_eq!(checked.status.code(), Some(5), "{sql}");
        let told = stdout(&checked).replace("\"\"", "\"");
        assert!(told.contains(&advice), "{told}");
        assert_eq!(run(path, &["query", "--db", "foreign.db"]).status.code(), Some(0));
        assert_eq!(fs::read(path.join("foreign.db")).unwrap(), before, "{sql}");
    }
    change(&db, "CREATE INDEX mine ON outcome (nodes); ANALYZE");
    let checked = run(path, &["catalog", "check"]);
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    assert!(stderr(&checked).contains("index `mine`"), "{}", stderr(&checked));
    run_plan(path, "somacat.db");
}

/// An enumeration with an edited key is that of no question. Nothing would look it up.
#[test]
fn an_enumeration_with_an_edited_question_restarts() {
    let (folder, db) = fixture();
    let (edited, before) = (folder.path().join("edited.db"), results(&db));
    for edit in
        ["keep = 'totals'", "keep = 'solvable'", "limited = 7", "question = question || ' '"]
    {
        fs::copy(&db, &edited).unwrap();
        change(&edited, &format!("UPDATE enumeration SET {edit}"));
        assert_ne!(check_catalog(&edited, true).unwrap().findings, [], "{edit}");
        let done = run(folder.path(), &["run", "plan.toml", "--db", "edited.db"]);
        assert!(stderr(&done).contains("restarts: its question"), "{edit}: {}", stderr(&done));
        assert_eq!(check_catalog(&edited, false).unwrap().findings, [], "{edit}");
        assert!(results(&edited) == before, "{edit}");
    }
}

/// A run killed before merging its log leaves everything in the log. Unreadable, it is not "empty".
#[test]
fn a_damaged_log_is_named() {
    let (folder, db) = fixture();
    let path = folder.path();
    let live = path.join("live.db");
    let connection = Connection::open(&live).unwrap();
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0").unwrap();
    connection.execute("ATTACH ? AS old", [db.to_str().unwrap()]).unwrap();
    connection
        .execute_batch("CREATE TABLE figure AS SELECT * FROM old.figure; CREATE TABLE outcome (a)")
        .unwrap();
    let (left, log) = (path.join("left.db"), path.join("left.db-wal"));
    fs::copy(&live, &left).unwrap();
    let mut bytes = fs::read(path.join("live.db-wal")).unwrap();
    bytes[100] ^= 4;
    fs::write(&log, &bytes).unwrap();
    for command in [["query"].as_slice(), &["catalog", "check"], &["run", "plan.toml"], &["status"]]
    {
        let refused = run(path, &[command, &["--db", "left.db"]].concat());
        assert_eq!(refused.status.code(), Some(1), "{command:?}: {}", stderr(&refused));
        assert!(stderr(&refused).contains("left.db-wal, the log of"), "{}", stderr(&refused));
        assert_eq!(fs::read(&log).unwrap(), bytes, "{command:?}");
    }
}

#[test]
fn salvage_of_a_sound_catalog_merges_no_log() {
    let (folder, db) = fixture();
    let path = folder.path();
    let live = Connection::open(&db).unwrap();
    live.execute_batch("PRAGMA journal_mode = WAL; INSERT INTO source (label) VALUES ('late')")
        .unwrap();
    fs::copy(&db, path.join("left.db")).unwrap();
    fs::copy(path.join("somacat.db-wal"), path.join("left.db-wal")).unwrap();
    let files = || ["left.db", "left.db-wal"].map(|name| fs::read(path.join(name)).unwrap());
    let before = files();
    let saved = run(path, &["catalog", "check", "--db", "left.db", "--salvage", "saved.db"]);
    assert_eq!(saved.status.code(), Some(0), "{}", stderr(&saved));
    assert_eq!(files(), before);
    let late = "SELECT count(*) FROM source WHERE label = 'late'";
    let saved = Connection::open(path.join("saved.db")).unwrap();
    assert_eq!(saved.query_row(late, [], |row| row.get::<_, u64>(0)).unwrap(), 1);
}
