//! The catalog: one writer, nothing lost or mixed up, queries answered from indexes.

use crate::support::night::{box_plan, small_plan};
use crate::support::program::{column, run, somacat, starter, stderr, stdout, with_input};
use somacat_catalog::{Catalog, Filter, NamePattern, SortKey};
use somacat_geometry::outcome::{Reason, Verdict};
use somacat_geometry::symmetry::Class;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

fn sql(folder: &Path, query: &str) -> String {
    stdout(&run(folder, &["query", "--csv", "--sql", query]))
}

#[test]
fn a_plan_keeps_all_rows_or_solvable_ones_or_numbers() {
    let folder = TempDir::new().unwrap();
    let totals = "SELECT class, figures, parity_blocked, unsolvable, solvable FROM enumerations
                  ORDER BY class";
    let mut by_keep = Vec::new();
    for keep in ["all", "solvable", "totals"] {
        box_plan(folder.path(), keep);
        let (csv, db) = (format!("{keep}.csv"), format!("{keep}.db"));
        let done = run(folder.path(), &["run", "box.toml", "--db", &db, "--out", &csv]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let summary: Vec<String> = stderr(&done)
            .lines()
            .filter(|line| ["figures", "solvable"].iter().any(|word| line.starts_with(word)))
            // The line also says how many figures are kept only as numbers.
            .map(|line| line.split(';').next().unwrap_or(line).to_owned())
            .collect();
        let rows = fs::read_to_string(folder.path().join(csv)).unwrap();
        let numbers = run(folder.path(), &["query", "--db", &db, "--csv", "--sql", totals]);
        by_keep.push((summary, stdout(&numbers), column(&rows, "verdict")));
        let again = run(folder.path(), &["run", "box.toml", "--db", &db]);
        assert!(stderr(&again).contains("were counted before"), "{}", stderr(&again));
    }
    let [all, solvable, totals] = by_keep.try_into().unwrap();
    assert_eq!((&all.0, &all.1), (&solvable.0, &solvable.1));
    assert_eq!((&all.0, &all.1), (&totals.0, &totals.1));
    let buildable = |verdicts: &[String]| verdicts.iter().filter(|v| *v == "counted").count();
    assert!(buildable(&all.2) > 100 && buildable(&all.2) < all.2.len());
    assert_eq!(buildable(&solvable.2), solvable.2.len());
    assert_eq!(buildable(&solvable.2), buildable(&all.2));
    assert!(totals.2.is_empty());
}

#[test]
fn one_program_writes_while_others_read() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let held = Catalog::open(&folder.path().join("somacat.db")).unwrap();
    let second = run(folder.path(), &["run", "-q"]);
    assert_eq!(second.status.code(), Some(1));
    assert!(stderr(&second).contains("another program is writing"), "{}", stderr(&second));
    assert_eq!(run(folder.path(), &["status"]).status.code(), Some(0));
    drop(held);
    assert_eq!(run(folder.path(), &["run", "-q"]).status.code(), Some(0));
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "only the catalog and the CSV file: {left:?}");
}

#[test]
fn two_simultaneous_starts_are_harmless() {
    let folder = TempDir::new().unwrap();
    small_plan(folder.path());
    let args = ["run", "small.toml", "-q"];
    for _ in 0..5 {
        let mut children: Vec<_> = (0..4)
            .map(|_| somacat(folder.path(), &args).stderr(Stdio::piped()).spawn().unwrap())
            .collect();
        let mut done = 0;
        for child in children.drain(..) {
            let output = child.wait_with_output().unwrap();
            match output.status.code() {
                Some(0) => done += 1,
                Some(1) => assert!(stderr(&output).contains("another program is writing")),
                other => panic!("{other:?}: {}", stderr(&output)),
            }
        }
        assert!(done > 0);
        assert_eq!(sql(folder.path(), "SELECT count(*) AS n FROM figure").trim(), "n\n22");
        fs::remove_file(folder.path().join("somacat.db")).unwrap();
    }
}

#[test]
fn files_of_one_name_keep_their_names_apart() {
    let folder = TempDir::new().unwrap();
    let db = folder.path().join("all.db");
    let import = |sub: &str, text: &str| {
        let path = folder.path().join(sub);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("mine.txt"), text).unwrap();
        let done = somacat(&path, &["import", "mine.txt", "--no-count", "-q"])
            .env("SOMACAT_DB", &db)
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    };
    let names = || {
        let args = ["query", "--csv", "--sort", "name", "--db", db.to_str().unwrap()];
        column(&stdout(&run(folder.path(), &args)), "names")
    };
    import("a", "one: 999\n");
    import("b", "two: 345 234 123\n");
    assert_eq!(names(), ["one", "two"]);
    // The file is edited in place and then updated.
    import("b", "three: 345 234 123\n");
    assert_eq!(names(), ["one", "three"]);
    // A moved file is still the same file.
    fs::rename(folder.path().join("a"), folder.path().join("c")).unwrap();
    import("c", "four: 999\n");
    assert_eq!(names(), ["four", "three"]);
    // Other figures are another file, even if the catalog does not know where those of this name came from: that file is
    // gone, or was read on another machine.
    fs::remove_dir_all(folder.path().join("c")).unwrap();
    import("d", "seven: 76 77\n");
    assert_eq!(names(), ["four", "seven", "three"]);
    let published = folder.path().join("published.db");
    let publish = ["catalog", "publish", "--db", "all.db", "published.db"];
    assert_eq!(run(folder.path(), &publish).status.code(), Some(0));
    fs::rename(published, &db).unwrap();
    import("e", "eight: 333 333 333\n");
    import("e", "eight: 333 333 333\n");
    import("b", "nine: 345 234 123\n");
    assert_eq!(names(), ["eight", "four", "nine", "seven"]);
    // Figures from standard input keep their names.
    for text in ["five: 76 77\n", "six: 76 77\n"] {
        let args = ["import", "-", "--no-count", "-q", "--db", db.to_str().unwrap()];
        with_input(folder.path(), &args, text.as_bytes());
    }
    assert_eq!(names(), ["eight", "four", "nine", "seven; five; six"]);
}

/// A moved file is recognized by its figures, although more of its entries are refused, and of several sources of its name
/// by the one that is most alike.
#[test]
fn moved_files_are_recognized_by_their_figures() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let import = |sub: &str, text: &str, code: i32| {
        let path = folder.join(sub);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("f.txt"), text).unwrap();
        let done = somacat(&path, &["import", "f.txt", "--no-count", "-q", "--set", "SOMA"])
            .env("SOMACAT_DB", folder.join("all.db"))
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(code), "{}", stderr(&done));
    };
    let remove = |sub: &str| fs::remove_dir_all(folder.join(sub)).unwrap();
    let sources = || {
        let sql = "SELECT s.label, group_concat(n.label, ' ') AS names FROM source s
                   JOIN name n ON n.source_id = s.id GROUP BY s.id ORDER BY s.id";
        let listed = run(folder, &["query", "--db", "all.db", "--csv", "--sql", sql]);
        stdout(&listed).lines().skip(1).collect::<Vec<_>>().join("; ")
    };
    import("a", "cube: 333 333 333\ntower: 67 77\n", 0);
    remove("a");
    import("b", "x: 44 44\ny: 44 44\nz: 44 44\ncube: 333 333 333\ntower: 67 77\n", 3);
    assert_eq!(sources(), "f.txt,cube tower");
    import("c", "cube: 333 333 333\nslab: 999\nwall: 345 234 123\n", 0);
    assert_eq!(sources(), "f.txt,cube tower; f.txt (2),cube slab wall");
    remove("b");
    remove("c");
    import("d", "kubus: 333 333 333\nslab: 999\n", 0);
    assert_eq!(sources(), "f.txt,cube tower; f.txt (2),kubus slab");
}

#[test]
fn a_catalog_is_not_overwritten_by_an_export() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let before = fs::read(folder.path().join("somacat.db")).unwrap();
    for args in [
        ["export", "csv", "somacat.db"].as_slice(),
        &["run", "--out", "somacat.db"],
        &["run", "--db", "new.db", "--out", "./new.db"],
    ] {
        let refused = run(folder.path(), args);
        assert_eq!(refused.status.code(), Some(1), "{args:?}");
        assert!(stderr(&refused).contains(".db"), "{}", stderr(&refused));
    }
    assert_eq!(fs::read(folder.path().join("somacat.db")).unwrap(), before);
}

#[test]
fn like_finds_unnamed_figures_and_those_that_a_filter_excludes() {
    let folder = TempDir::new().unwrap();
    small_plan(folder.path());
    run(folder.path(), &["run", "small.toml", "-q"]);
    let figures = run(
        folder.path(),
        &["enumerate", "symmetric", "--fold", "6", "--cells", "27", "--format", "cells", "-q"],
    );
    let ask = |more: &[&str]| {
        let args = [&["query", "--like", "-", "--fail-if-empty"], more].concat();
        with_input(folder.path(), &args, &figures.stdout)
    };
    let known = ask(&[]);
    assert_eq!(stderr(&known).matches("known, without a name").count(), 22);
    assert_eq!(known.status.code(), Some(0));
    let left_out = ask(&["--order", "7"]);
    assert_eq!(stderr(&left_out).matches("excluded by the other filters").count(), 22);
    assert_eq!(left_out.status.code(), Some(4));
}

#[test]
fn dry_runs_say_how_many_figures_without_a_catalog() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("plan.toml"),
        "title = \"t\"\n[[box]]\nsides = \"2x3x5\"\ncells = 27\n",
    )
    .unwrap();
    let told = run(folder.path(), &["run", "plan.toml", "--dry-run"]);
    // Estimates are numbers too; the next column has their error.
    let figures = column(&stdout(&told), "figures");
    assert!(figures.iter().all(|number| number.parse::<u64>().is_ok()), "{figures:?}");
    let counted = run(folder.path(), &["enumerate", "box", "2x3x5", "--cells", "27", "--count"]);
    let total = stderr(&counted).split(' ').next().unwrap().to_owned();
    assert!(stderr(&told).starts_with(&format!("{total} figures; ")), "{}", stderr(&told));
    assert!(!folder.path().join("somacat.db").exists());
    assert!(!folder.path().join("somacat.csv").exists());

    let census = "title = \"t\"\n[[census]]\nsides = \"2x5x5\"\n";
    fs::write(folder.path().join("census.toml"), census).unwrap();
    let told = stderr(&run(folder.path(), &["run", "census.toml", "--dry-run"]));
    assert!(told.starts_with("6751219972013 figures; about "), "{told}");
    assert!(told.contains(" years on ") && told.contains("TiB"), "{told}");
}

/// The frontier engine counts one figure at a time, with as much memory as its states take, not with all that is allowed.
#[test]
fn a_dry_run_predicts_the_memory_of_the_frontier_engine() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.txt"), "box: 666 666 666\n").unwrap();
    let plan = "title = \"box\"\nset = \"2xSOMA\"\nimport = [\"box.txt\"]\n";
    fs::write(folder.path().join("box.toml"), plan).unwrap();
    let memory = |threads: &str| {
        let done = run(folder.path(), &["run", "box.toml", "--dry-run", "--threads", threads]);
        let said = stderr(&done);
        let memory = said.split("memory ").nth(1).and_then(|rest| rest.split(" MiB").next());
        memory.and_then(|memory| memory.parse::<f64>().ok()).unwrap_or_else(|| panic!("{said}"))
    };
    assert!((80.0..240.0).contains(&memory("1")), "{}", memory("1"));
    assert_eq!(memory("1"), memory("2"));
}

/// No filter scans every figure of a large catalog. It is large enough for SQLite's statistics to matter.
#[test]
fn filters_find_their_rows_through_indexes() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("box.toml"),
        "title = \"t\"\nnodes = 1\n[[box]]\nsides = \"2x4x4\"\ncells = 27\n",
    )
    .unwrap();
    starter(folder.path());
    run(folder.path(), &["run", "box.toml", "-q"]);
    // With few names, scanning all of them would be as fast.
    let listed = run(folder.path(), &["enumerate", "box", "2x4x4", "--cells", "27", "-q"]);
    let named: Vec<String> =
        stdout(&listed).lines().enumerate().map(|(n, line)| format!("n{n}: {line}")).collect();
    fs::write(folder.path().join("named.cells"), named.join("\n")).unwrap();
    run(folder.path(), &["import", "named.cells", "--no-count", "-q"]);
    let catalog = Catalog::open_read_only(&folder.path().join("somacat.db")).unwrap();
    let all = Filter::default();
    let filters = [
        Filter { fold: Some(6), ..all.clone() },
        Filter { order: Some(48), ..all.clone() },
        Filter { classes: Some(vec![Class::matching("D3d").unwrap()[0].into()]), ..all.clone() },
        Filter { cells: Some(54), ..all.clone() },
        Filter { bounds: Some([3, 3, 3]), ..all.clone() },
        Filter { parts: Some(2), ..all.clone() },
        Filter { parity: Some(9), ..all.clone() },
        Filter { verdict: Some(Verdict::Failed), ..all.clone() },
        Filter { reason: Some(Reason::NoFit), ..all.clone() },
        Filter { unique_min: Some(100), ..all.clone() },
        Filter { raw_min: Some(5000), ..all.clone() },
        Filter { name: Some(NamePattern::exact("tower")), ..all.clone() },
        Filter { name: Some(NamePattern::exact("named.cells 3")), ..all.clone() },
        Filter { source: Some("catalog/figures/sym*".to_owned()), ..all.clone() },
        Filter { sort: SortKey::Unique, top: Some(10), ..all.clone() },
    ];
    for filter in filters {
        let plan = catalog.query_plan(&filter).unwrap();
        // Only the tables of words are scanned, such as the 33 classes.
        let scans = ["SCAN f", "SCAN o", "SCAN n ", "SCAN name"];
        let whole = plan.iter().find(|line| {
            scans.iter().any(|scan| line.starts_with(scan)) && !line.contains("outcome_by_unique")
        });
        assert_eq!(whole, None, "{filter:?}: {plan:#?}");
    }
}

/// Rows are read in the requested order if a condition matches many.
#[test]
fn filters_that_match_most_figures_need_no_sort() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let path = folder.path().join("somacat.db");
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute_batch(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
         INSERT INTO figure (signature, cells, box, class_id, parity, parts)
         SELECT 's1-0x0x0-' || (i * 7919 % 120011), 27, '3x3x4', 0, 3, 1 FROM n;
         INSERT INTO enumeration (id, question, label, set_id, keep, limited)
             VALUES (99, 'many', 'many', 1, 'all', 0);
         INSERT INTO enumerated SELECT 99, id, 0 FROM figure WHERE id % 2;
         INSERT INTO outcome SELECT id, 1, 1 + id % 2, iif(id % 2, 2, NULL), NULL, iif(id % 2, 0, 5), iif(id % 2, 0, 5), iif(id % 2, 0, 5), 9, 1, 0
         FROM figure WHERE box = '3x3x4' AND id NOT IN (SELECT figure_id FROM outcome);
         ANALYZE;",
    )
    .unwrap();
    drop(raw);
    let catalog = Catalog::open_read_only(&path).unwrap();
    let all = Filter { top: Some(3), ..Filter::default() };
    let filters = [
        Filter { solvable: true, ..all.clone() },
        Filter { unsolvable: true, ..all.clone() },
        Filter { reason: Some(Reason::Parity), ..all.clone() },
        Filter { parity: Some(3), ..all.clone() },
        Filter { parts: Some(1), ..all.clone() },
        Filter { cells: Some(27), ..all.clone() },
        Filter { bounds: Some([4, 3, 3]), parity: Some(3), ..all.clone() },
        Filter { classes: Some(Class::iter().take(1).map(Into::into).collect()), ..all.clone() },
    ];
    // The figures of a source are the same for every query plan.
    let many = Filter { source: Some("m?ny".to_owned()), ..Filter::default() };
    let rows = catalog.select::<somacat_catalog::CatalogError>(&many, |_| Ok(())).unwrap();
    let listed = "SELECT count(*) FROM enumerated WHERE enumeration_id = 99";
    let raw = rusqlite::Connection::open(&path).unwrap();
    let expected: u64 = raw.query_row(listed, [], |row| row.get(0)).unwrap();
    assert!(rows == expected && rows > 50_000, "{rows} of {expected}");
    let filters = filters.into_iter().chain([Filter { top: Some(3), ..many }]);
    for filter in filters {
        let plan = catalog.query_plan(&filter).unwrap();
        let by_signature = plan.iter().any(|line| line.contains("f USING INDEX sqlite_autoindex"));
        let sorted = plan.iter().any(|line| line == "USE TEMP B-TREE FOR ORDER BY");
        assert!(by_signature && !sorted, "{filter:?}: {plan:#?}");
    }
}

#[cfg(unix)]
#[test]
fn a_catalog_can_be_read_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let shown = run(folder.path(), &["query", "--order", "48", "--csv"]);
    let files = fs::read_dir(folder.path()).unwrap().count();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(column(&stdout(&shown), "raw"), ["11520"], "{}", stderr(&shown));
    assert_eq!(files, 2);
}

/// Counts above 2⁶³ − 1 are text in SQLite, but compared and sorted as numbers. A bar has as many packings as there are
/// orders of its dominoes and single cubes: C(2n, n).
#[test]
fn large_counts_are_compared_as_numbers() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let counts = [
        (33, "7219428434016265740"),
        (34, "28453041475240576740"),
        (35, "112186277816662845432"),
        (40, "107507208733336176461620"),
    ];
    for (n, _) in counts {
        let set = format!("set{n}.txt");
        fs::write(path.join(&set), format!("S*{n}: 0,0,0\nD*{n}: 0,0,0 1,0,0\n")).unwrap();
        let cells: Vec<String> = (0..3 * n).map(|x| format!("{x},0,0")).collect();
        let file = format!("bar{n}.cells");
        fs::write(path.join(&file), format!("bar{n}: {}\n", cells.join(" "))).unwrap();
        let done = run(path, &["import", "-q", &file, "--set", &set, "--nodes", "0"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
    let found = |options: &[&str]| {
        let done = run(path, &[&["query", "--csv", "-q"], options].concat());
        column(&stdout(&done), "raw")
    };
    let raws: Vec<&str> = counts.iter().map(|(_, raw)| *raw).collect();
    let largest_first: Vec<&str> = raws.iter().rev().copied().collect();
    assert_eq!(found(&["--sort", "raw"]), largest_first);
    assert_eq!(found(&["--sort", "unique"]), largest_first);
    assert_eq!(found(&["--sort", "raw", "--top", "2"]), largest_first[..2]);
    for (at, raw) in raws.iter().enumerate() {
        let bound: u128 = raw.parse().unwrap();
        let [below, above] = [bound - 1, bound + 1].map(|bound| bound.to_string());
        let by_raw = |options: &[&str]| {
            let mut found = found(options);
            found.sort_by_key(|raw| raw.parse::<u128>().unwrap());
            found
        };
        assert_eq!(by_raw(&["--raw-min", raw]), raws[at..], "{raw}");
        assert_eq!(by_raw(&["--raw-min", &above]), raws[at + 1..], "{raw}");
        assert_eq!(by_raw(&["--raw-max", raw]), raws[..=at], "{raw}");
        assert_eq!(by_raw(&["--raw-max", &below]), raws[..at], "{raw}");
    }
    let unique =
        column(&stdout(&run(path, &["query", "--csv", "-q", "--name", "bar40"])), "unique");
    assert_eq!(found(&["--unique-count", &unique[0]]), [counts[3].1]);
}
