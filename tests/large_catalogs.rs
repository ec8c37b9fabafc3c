//! Large catalogs are read in ranges of signatures, and samples without the rows between.

use crate::support::program::{column, run, starter, stderr, stdout};
use rusqlite::Connection;
use somacat_catalog::{Catalog, CatalogError, Filter};
use somacat_geometry::symmetry::Class;
use std::fs;
use tempfile::TempDir;

fn column_of(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<rusqlite::Result<_>>().unwrap()
}

/// The ids of these figures are in no order of their signatures.
#[test]
fn rows_of_many_ranges_are_complete_and_in_order() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let path = folder.path().join("somacat.db");
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
         INSERT INTO figure (signature, cells, box, class_id, parity, parts)
         SELECT 's1-0x0x0-' || (i * 7919 % 120011), 27, '3x3x4', i % 2, 3, 1 FROM n;
         INSERT INTO outcome SELECT id, 1, 1, NULL, NULL, 5, 5, 5, 9, 1, 0 FROM figure
         WHERE box = '3x3x4' AND id % 3 AND id NOT IN (SELECT figure_id FROM outcome);",
    )
    .unwrap();
    let catalog = Catalog::open_read_only(&path).unwrap();
    let none = Class::iter().next().unwrap();
    let classes = Some(vec![none.into()]);
    for (filter, condition) in [
        (Filter::default(), "TRUE".to_owned()),
        (Filter { classes, ..Filter::default() }, format!("class = '{}'", none.name())),
        (Filter { solvable: true, ..Filter::default() }, "raw > 0".to_owned()),
    ] {
        let mut read = Vec::new();
        let rows = catalog.select::<CatalogError>(&filter, |row| {
            read.push(row.figure.signature.to_string());
            Ok(())
        });
        let sql = format!("SELECT signature FROM figures WHERE {condition} ORDER BY signature");
        assert_eq!(rows.unwrap(), read.len() as u64);
        assert!(read.len() > 50_000 && read == column_of(&raw, &sql), "{condition}");
    }
    let all = column_of(&raw, "SELECT signature FROM figure ORDER BY signature");
    let positions = [0, 1, 2, 4_711, 99_999, all.len() as u64 - 1];
    let mut found = Vec::new();
    let read = catalog.select_at::<CatalogError>(&Filter::default(), positions, |row| {
        found.push(row.unwrap().figure.signature.to_string());
        Ok(())
    });
    read.unwrap();
    found.dedup();
    assert_eq!(found, positions.map(|at| all[at as usize].clone()));
}

/// Every row has a wrong parity, so each verified row is a finding. A small sample looks up its rows, a large one reads
/// all; both have the rows that complete each of so many equal parts of the catalog.
#[test]
fn a_sample_is_spread_evenly() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let plan =
        "title = \"x\"\nkeep = \"all\"\n[[box]]\nsides = \"2x3x5\"\ncells = 27\nconnected = true\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    let done = run(folder, &["run", "plan.toml", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let raw = Connection::open(folder.join("somacat.db")).unwrap();
    raw.execute("UPDATE figure SET parity = parity + 2", []).unwrap();
    let all = column_of(&raw, "SELECT signature FROM figure ORDER BY signature");
    for (sample, shard) in [(5, 1), (400, 1), (60, 2), (400, 3)] {
        let (number, share) = (sample.to_string(), format!("{shard}/3"));
        let mut args = vec!["verify", "--csv", "--sample", &number];
        let shards = if shard == 1 && sample == 5 { 1 } else { 3 };
        if shards == 3 {
            args.extend(["--shard", &share]);
        }
        let done = run(folder, &args);
        assert_eq!(done.status.code(), Some(5), "{}", stderr(&done));
        let table = stdout(&done);
        let found: Vec<String> = column(&table, "signature")
            .into_iter()
            .zip(column(&table, "what"))
            .filter(|(_, what)| what == "parity")
            .map(|(signature, _)| signature)
            .collect();
        let numbers = (0..sample).filter(|at| at % shards == shard - 1);
        let position = |at: usize| ((at + 1) * all.len()).div_ceil(sample) - 1;
        let expected: Vec<String> = numbers.map(|at| all[position(at)].clone()).collect();
        assert_eq!(found, expected, "--sample {sample} --shard {share}");
    }
}

/// Figures are stored in groups, which may contain known figures, and one several times.
#[test]
fn figures_get_their_ids_in_the_order_in_which_they_arrive() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let args = ["enumerate", "symmetric", "--cells", "15", "--class", "C2v(face,planar)"];
    let listing = stdout(&run(folder, &args));
    let figures: Vec<&str> = listing.lines().take(700).collect();
    assert_eq!(figures.len(), 700);
    // Groups of new figures, of known ones, and of both; from the 400th on, each tenth comes again at once.
    let known: Vec<usize> = (0..figures.len()).filter(|at| at % 7 == 3 && *at > 200).collect();
    let all = (0..figures.len()).flat_map(|at| vec![at; 1 + usize::from(at > 400 && at % 10 == 0)]);
    let all: Vec<usize> = all.collect();
    let import = |file: &str, order: &[usize], name: &str| {
        let line = |&at: &usize| format!("{name}{at}: {}\n", figures[at]);
        fs::write(folder.join(file), order.iter().map(line).collect::<String>()).unwrap();
        let done = run(folder, &["import", file, "--set", "V L T Z", "--no-count", "-q"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    };
    import("known.cells", &known, "k");
    import("all.cells", &all, "a");
    import("all.cells", &all, "b");
    let raw = Connection::open(folder.join("somacat.db")).unwrap();
    let mut ids: Vec<usize> = known.clone();
    ids.extend((0..figures.len()).filter(|at| !known.contains(at)));
    let expected = known.iter().map(|at| (format!("k{at}"), at));
    let expected = expected.chain(all.iter().map(|at| (format!("b{at}"), at)));
    let expected = expected.map(|(name, at)| {
        let id = ids.iter().position(|other| other == at).unwrap() + 1;
        format!("{name} {id}")
    });
    let sql = "SELECT label || ' ' || figure_id FROM name ORDER BY source_id, ordinal";
    assert_eq!(column_of(&raw, sql), expected.collect::<Vec<String>>());
    let done = run(folder, &["catalog", "check"]);
    assert_eq!(done.status.code(), Some(0), "{}", stdout(&done));
}
