//! Leftovers of kills, power cuts and careless copies next to a catalog.

use crate::support::night::small_plan;
#[cfg(unix)]
use crate::support::program::run_in_read_only;
use crate::support::program::{run, starter, stderr, stdout};
use rusqlite::Connection;
use somacat_catalog::{Catalog, CatalogError, check_catalog, salvage};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn fixture(folder: &Path, name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/catalog-v11/somacat.db");
    let db = folder.join(name);
    fs::copy(data, &db).unwrap();
    db
}

fn beside(db: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", db.display()))
}

fn number(db: &Path, sql: &str) -> u64 {
    let connection = Connection::open(db).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Creates a catalog killed in a transaction: pages are changed, and the journal has their old contents.
fn killed_in_a_transaction(folder: &Path) -> PathBuf {
    let live = fixture(folder, "live.db");
    let connection = Connection::open(&live).unwrap();
    connection
        .execute_batch(
            "PRAGMA cache_size = 1; BEGIN; UPDATE outcome SET nodes = nodes + 1;
             UPDATE figure SET parity = 77; UPDATE name SET line = 99",
        )
        .unwrap();
    let left = folder.join("left.db");
    fs::copy(&live, &left).unwrap();
    fs::copy(beside(&live, "-journal"), beside(&left, "-journal")).unwrap();
    assert_ne!(fs::read(&left).unwrap(), fs::read(fixture(folder, "was.db")).unwrap());
    left
}

#[test]
fn a_half_written_transaction_is_rolled_back_by_the_next_program() {
    let commands: [&[&str]; 6] = [
        &["query", "--csv"],
        &["status"],
        &["export", "csv", "-"],
        &["catalog", "check"],
        &["catalog", "publish", "published.db"],
        &["verify", "--sample", "3"],
    ];
    for command in commands {
        let folder = TempDir::new().unwrap();
        let left = killed_in_a_transaction(folder.path());
        let done = run(folder.path(), &[command, &["--db", "left.db"]].concat());
        assert_eq!(done.status.code(), Some(0), "{command:?}: {}", stderr(&done));
        assert!(!beside(&left, "-journal").exists());
        assert_eq!(number(&left, "SELECT count(*) FROM figure WHERE parity = 77"), 0);
        assert_eq!(check_catalog(&left, false).unwrap().findings, [], "{command:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_gets_a_message_with_advice() {
    let folder = TempDir::new().unwrap();
    killed_in_a_transaction(folder.path());
    let done = run_in_read_only(folder.path(), &["query", "--db", "left.db"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains("run `somacat catalog check` where"), "{}", stderr(&done));
}

/// The files may be written, but the log cannot be removed from the folder at the end.
#[cfg(unix)]
#[test]
fn a_log_in_a_read_only_folder_is_reported_before_any_change() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let live = fixture(folder.path(), "live.db");
    let connection = Connection::open(&live).unwrap();
    let sql = "PRAGMA journal_mode = WAL; UPDATE outcome SET nodes = nodes";
    connection.execute_batch(sql).unwrap();
    let left = folder.path().join("left.db");
    for ending in ["", "-wal", "-shm"] {
        fs::copy(beside(&live, ending), beside(&left, ending)).unwrap();
        let mode = fs::Permissions::from_mode(0o666);
        fs::set_permissions(beside(&left, ending), mode).unwrap();
    }
    drop(connection);
    fs::write(folder.path().join("one.cells"), "0,0,0\n").unwrap();
    let commands: [&[&str]; 3] =
        [&["import", "one.cells"], &["catalog", "rename", "cube", "other"], &["catalog", "check"]];
    for args in commands {
        let args = [args, &["--db", "left.db"]].concat();
        let done = run_in_read_only(folder.path(), &args);
        assert_eq!(done.status.code(), Some(1), "{args:?}: {}", stderr(&done));
        assert!(stderr(&done).contains("is not writable"), "{args:?}: {}", stderr(&done));
    }
    // The log is empty by now. Without this file it cannot be read here.
    fs::remove_file(beside(&left, "-shm")).unwrap();
    let done = run_in_read_only(folder.path(), &["status", "--db", "left.db"]);
    assert!(stderr(&done).contains("is not writable"), "{}", stderr(&done));
    // The cure that the message names.
    let checked = run(folder.path(), &["catalog", "check", "--db", "left.db"]);
    assert!(stderr(&checked).contains("merged the log"), "{}", stderr(&checked));
    assert!(!beside(&left, "-wal").exists());
    let named = "SELECT count(*) FROM name WHERE label = 'cube'";
    assert_eq!(number(&left, named), 1);
    assert_eq!(number(&left, "SELECT count(*) FROM figure"), 24);
}

/// Creates a catalog and returns a copy of its log. Tests put the copy next to another catalog.
fn log_of_another(folder: &Path) -> PathBuf {
    starter(folder);
    let other = folder.join("somacat.db");
    let connection = Connection::open(&other).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
             UPDATE figure SET parity = parity; UPDATE outcome SET nodes = nodes; ANALYZE",
        )
        .unwrap();
    let log = folder.join("log");
    fs::copy(beside(&other, "-wal"), &log).unwrap();
    assert!(log.metadata().unwrap().len() > 20_000);
    log
}

#[test]
fn the_log_of_another_file_is_not_merged() {
    let folder = TempDir::new().unwrap();
    let log = log_of_another(folder.path());
    let db = fixture(folder.path(), "new.db");
    fs::copy(&log, beside(&db, "-wal")).unwrap();
    let files = || (fs::read(&db).unwrap(), fs::read(beside(&db, "-wal")).unwrap());
    let before = files();
    for command in [["query", "--csv"].as_slice(), &["run", "-q"], &["import", "-"], &["status"]] {
        let refused = run(folder.path(), &[command, &["--db", "new.db"]].concat());
        assert_eq!(refused.status.code(), Some(1), "{command:?}");
        assert!(stderr(&refused).contains("the log of another file"), "{}", stderr(&refused));
    }
    let checked = run(folder.path(), &["catalog", "check", "--db", "new.db"]);
    assert_eq!(checked.status.code(), Some(5), "{}", stderr(&checked));
    assert!(stdout(&checked).contains("log of another file"), "{}", stdout(&checked));
    let saved = folder.path().join("saved.db");
    let salvaged = salvage(&db, Some(&saved)).unwrap();
    assert!(salvaged.without_log);
    assert_eq!(number(&saved, "SELECT count(*) FROM figure"), 24);
    assert!(files() == before, "check and salvage changed something");
}

/// Both were killed, so the header does not decide. More is saved without the log than with it.
#[test]
fn salvage_beside_a_stale_log_saves_what_it_says() {
    let folder = TempDir::new().unwrap();
    let log = log_of_another(folder.path());
    let live = fixture(folder.path(), "live.db");
    let connection = Connection::open(&live).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; UPDATE figure SET parity = parity; PRAGMA wal_checkpoint",
        )
        .unwrap();
    let left = folder.path().join("left.db");
    fs::copy(&live, &left).unwrap();
    fs::copy(&log, beside(&left, "-wal")).unwrap();
    let before = fs::read(&left).unwrap();
    let told = salvage(&left, None).unwrap();
    let saved = folder.path().join("saved.db");
    let done = salvage(&left, Some(&saved)).unwrap();
    assert_eq!(told, done, "what can be saved is what is saved");
    for table in &done.tables {
        let rows = number(&saved, &format!("SELECT count(*) FROM {}", table.table));
        assert_eq!(rows, table.saved, "{}", table.table);
    }
    assert!(done.without_log);
    assert_eq!(number(&saved, "SELECT count(*) FROM figure"), 24);
    assert_eq!(check_catalog(&saved, false).unwrap().findings, []);
    assert!(fs::read(&left).unwrap() == before, "the damaged catalog was changed");
    // The catalog's own log is part of the saved data.
    connection.execute_batch("INSERT INTO source (label) VALUES ('late')").unwrap();
    fs::copy(&live, &left).unwrap();
    fs::copy(beside(&live, "-wal"), beside(&left, "-wal")).unwrap();
    let both = folder.path().join("both.db");
    assert!(!salvage(&left, Some(&both)).unwrap().without_log);
    assert_eq!(number(&both, "SELECT count(*) FROM source WHERE label = 'late'"), 1);
}

/// An enumeration that lacks a figure, outcome or total is restarted. The result is the same as before.
#[test]
fn an_incomplete_enumeration_is_restarted() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/catalog-v11");
    let (folder, names) =
        (TempDir::new().unwrap(), ["figures.txt", "plan.toml", "published.csv", "solved.soma"]);
    for name in names {
        fs::copy(data.join(name), folder.path().join(name)).unwrap();
    }
    let run = |db: &Path| run(folder.path(), &["run", "plan.toml", "--db", db.to_str().unwrap()]);
    let sound = folder.path().join("sound.db");
    assert_eq!(run(&sound).status.code(), Some(3));
    let (db, saved) = (folder.path().join("damaged.db"), folder.path().join("saved.db"));
    for damage in [
        "DELETE FROM enumerated WHERE figure_id = (SELECT max(figure_id) FROM enumerated)",
        "UPDATE enumeration SET shard = shard - 1, complete = 0",
        "UPDATE enumeration SET listed = listed + 1",
        "UPDATE enumeration_total SET figures = figures + 1",
        "DELETE FROM enumeration_total WHERE class_id = (SELECT max(class_id) FROM enumeration_total)",
    ] {
        fs::copy(&sound, &db).unwrap();
        let totals = "SELECT group_concat(class_id || ' ' || verdict_id || ' ' || reason_id || ' ' || figures)
                      FROM enumeration_total";
        let before: String =
            Connection::open(&db).unwrap().query_row(totals, [], |r| r.get(0)).unwrap();
        Connection::open(&db).unwrap().execute_batch(damage).unwrap();
        let found = check_catalog(&db, false).unwrap().findings;
        assert!(found.iter().any(|finding| finding.part == "enumeration"), "{damage}: {found:?}");
        salvage(&db, Some(&saved)).unwrap();
        assert_eq!(number(&saved, "SELECT count(*) FROM enumeration"), 0, "{damage}");
        for db in [&db, &saved] {
            let again = run(db);
            assert_eq!(again.status.code(), Some(3), "{damage}: {}", stderr(&again));
            assert!(db == &saved || stderr(&again).contains("restarts"), "{}", stderr(&again));
            assert_eq!(check_catalog(db, false).unwrap().findings, [], "{damage}");
            let after: String =
                Connection::open(db).unwrap().query_row(totals, [], |r| r.get(0)).unwrap();
            assert_eq!(after, before, "{damage}");
        }
        fs::remove_file(&saved).unwrap();
    }
}

#[test]
fn a_run_killed_at_creation_leaves_no_damage() {
    let folder = TempDir::new().unwrap();
    small_plan(folder.path());
    let db = folder.path().join("somacat.db");
    type State = (&'static str, fn(&Path));
    let states: [State; 3] = [
        ("no byte was written", |db| drop(fs::File::create(db).unwrap())),
        ("the log was begun", |db| {
            Connection::open(db).unwrap().execute_batch("PRAGMA journal_mode = WAL").unwrap();
        }),
        ("a journal was begun", |db| {
            let live = db.with_extension("live");
            let connection = Connection::open(&live).unwrap();
            connection.execute_batch("PRAGMA cache_size = 1; BEGIN; CREATE TABLE a (b)").unwrap();
            for _ in 0..200 {
                connection.execute("INSERT INTO a VALUES (randomblob(900))", []).unwrap();
            }
            fs::copy(&live, db).unwrap();
            fs::copy(beside(&live, "-journal"), beside(db, "-journal")).unwrap();
        }),
    ];
    for (state, make) in states {
        make(&db);
        assert!(matches!(check_catalog(&db, false), Err(CatalogError::Empty(_))), "{state}");
        assert!(matches!(Catalog::open_read_only(&db), Err(CatalogError::Empty(_))), "{state}");
        let done = run(folder.path(), &["run", "small.toml", "-q"]);
        assert_eq!(done.status.code(), Some(0), "{state}: {}", stderr(&done));
        assert_eq!(check_catalog(&db, false).unwrap().findings, [], "{state}");
        fs::remove_file(&db).unwrap();
    }
}

#[test]
fn any_edit_of_a_published_copy_is_detected() {
    let folder = TempDir::new().unwrap();
    let db = fixture(folder.path(), "somacat.db");
    let out = folder.path().join("out.db");
    let published = Catalog::open_read_only(&db).unwrap().publish(&out, false).unwrap();
    assert_eq!(published.digest.len(), 64);
    let sound = fs::read(&out).unwrap();
    assert_eq!(check_catalog(&out, false).unwrap().findings, []);
    for (edit, table) in [
        ("UPDATE outcome SET nodes = nodes + 1 WHERE nodes > 0", "outcome"),
        ("UPDATE outcome SET engine_id = NULL", "outcome"),
        ("UPDATE name SET line = line + 1", "name"),
        ("UPDATE name SET commented_out = 1 - commented_out", "name"),
        ("UPDATE name SET label = 'x' WHERE label IS NOT NULL AND ordinal = 0", "name"),
        ("UPDATE fault SET refused = 1 - refused", "fault"),
        ("UPDATE published_count SET value = value + 1", "published_count"),
        ("UPDATE enumeration SET label = 'all of them'", "enumeration"),
        ("UPDATE request SET nodes = 5, sha256 = '00'", "request"),
        ("DELETE FROM request", "request"),
        ("INSERT INTO run VALUES (1, 'x', 'y', 'z', NULL, 'running', 1, 0, NULL)", "run"),
        ("DELETE FROM source WHERE id NOT IN (SELECT source_id FROM name UNION SELECT source_id FROM fault);
          UPDATE source SET label = label || '.txt'", "source"),
    ] {
        fs::write(&out, &sound).unwrap();
        Connection::open(&out).unwrap().execute_batch(edit).unwrap();
        let found = check_catalog(&out, false).unwrap().findings;
        let shows = |f: &somacat_catalog::Finding| f.part == "digest" && f.what == table;
        assert!(found.iter().any(shows), "{edit}: {found:?}");
    }
    // SQLite may rewrite the file, and continuing it makes it a different catalog.
    fs::write(&out, &sound).unwrap();
    Connection::open(&out).unwrap().execute_batch("PRAGMA page_size = 8192; VACUUM").unwrap();
    assert_eq!(check_catalog(&out, false).unwrap().findings, []);
    small_plan(folder.path());
    let done = run(folder.path(), &["run", "small.toml", "-q", "--db", "out.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(check_catalog(&out, false).unwrap().findings, []);
}
