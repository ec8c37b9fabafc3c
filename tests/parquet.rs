//! Parquet files, read with the reader of their crate: the values equal those of `export csv`, and readers can skip
//! irrelevant data.

use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use parquet::basic::Compression;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::{Counts, Outcome, Report};
use somacat_geometry::symmetry::Class;
use somacat_output::export::{
    Column, FigureRow, Kind, PARQUET_SCHEMA_VERSION, ParquetFiles, TYPED_COLUMNS, column_names,
};
use somacat_units::sorter::Sorter;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use tempfile::TempDir;

/// A row by column name; a missing value is an empty text.
type Line = BTreeMap<String, String>;

fn reader(folder: &Path) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(folder.join("figures-0000.parquet")).unwrap()).unwrap()
}

fn rows(folder: &Path) -> Vec<Line> {
    let text = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Int(number) => number.to_string(),
        Field::Long(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let reader = reader(folder);
    let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap());
    rows.map(|row| row.get_column_iter().map(|(name, field)| (name.clone(), text(field))).collect())
        .collect()
}

fn csv(folder: &Path, args: &[&str]) -> Vec<Line> {
    let done = run(folder, args);
    assert!(done.status.success(), "{}", stderr(&done));
    csv::Reader::from_reader(done.stdout.as_slice()).deserialize().map(Result::unwrap).collect()
}

/// Returns the sort key of a row.
fn key(line: &Line) -> (u32, String, String, String) {
    let text = |column: &str| line[column].clone();
    (line["order"].parse().unwrap(), text("class"), text("signature"), text("set"))
}

/// Creates figures with and without names, counted with two or no sets.
fn catalog(folder: &Path) {
    let maps = "cube: 333 333 333\ntower: 67 77\nagain: 333 333 333\nlow: 555 552\n";
    fs::write(folder.join("maps.txt"), maps).unwrap();
    fs::write(folder.join("few.txt"), "four: 1111\n").unwrap();
    fs::write(folder.join("later.txt"), "three: 111\n").unwrap();
    let plan = "title = \"small\"\nimport = [\"maps.txt\"]\n[[box]]\nsides = \"2x3x5\"\ncells = 27\n\
                [[symmetric]]\ncells = 27\nfold = 6\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    for args in [
        ["run", "plan.toml", "-q"].as_slice(),
        &["import", "few.txt", "-q", "--set", "L"],
        &["import", "few.txt", "-q", "--set", "T"],
        &["import", "later.txt", "-q", "--no-count", "--set", "V"],
    ] {
        let done = run(folder, args);
        assert!(done.status.success(), "{args:?}: {}", stderr(&done));
    }
}

#[test]
fn parquet_equals_csv() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    catalog(folder);
    for filter in
        [[].as_slice(), &["--solvable"], &["--class", "D3d"], &["--set", "SOMA", "--parity", "1"]]
    {
        let name = format!("out{}", filter.len() + filter.concat().len());
        let mut args = vec!["export", "parquet", &name];
        args.extend(filter);
        let done = run(folder, &args);
        assert!(done.status.success(), "{}", stderr(&done));
        let found = rows(&folder.join(&name));
        let mut args = vec!["export", "csv"];
        args.extend(filter);
        let mut expected = csv(folder, &args);
        assert!(!expected.is_empty());
        let told = format!("{} rows in 1 file in {name}", expected.len());
        assert!(stderr(&done).contains(&told), "{}", stderr(&done));
        expected.sort_by_key(key);
        assert_eq!(found.len(), expected.len(), "{filter:?}");
        for (found, expected) in found.iter().zip(&expected) {
            for column in [
                "name",
                "cells",
                "signature",
                "class",
                "order",
                "parity",
                "verdict",
                "reason",
                "raw",
                "rotation",
                "unique",
                "set",
            ] {
                assert_eq!(found[column], expected[column], "{column} of {expected:?}");
            }
            assert_eq!(found["large_counts"], "");
        }
    }
    // Columns that csv does not have.
    let sql = "SELECT signature, \"set\", class, \"order\", box, parts FROM figures";
    let mut expected = csv(folder, &["query", "--csv", "--sql", sql]);
    expected.sort_by_key(key);
    let found = rows(&folder.join("out0"));
    for (found, expected) in found.iter().zip(&expected) {
        assert!(expected.iter().all(|(column, value)| found[column] == *value), "{expected:?}");
    }
}

#[test]
fn readers_can_skip_and_know_what_they_read() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    catalog(folder);
    let done = run(folder, &["export", "parquet", "out", "-q"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let reader = reader(&folder.join("out"));
    let metadata = reader.metadata().file_metadata();
    let values: BTreeMap<&str, &str> = metadata
        .key_value_metadata()
        .unwrap()
        .iter()
        .map(|entry| (entry.key.as_str(), entry.value.as_deref().unwrap()))
        .collect();
    assert_eq!(values["somacat.version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(values["somacat.schema"], PARQUET_SCHEMA_VERSION.to_string());
    assert_eq!(values["somacat.signature"], "1");
    assert_eq!(values["somacat.sorted_by"], "order, class, signature, set");
    let columns: Vec<_> =
        metadata.schema_descr().columns().iter().map(|c| c.name().to_owned()).collect();
    for group in reader.metadata().row_groups() {
        let sorted = group.sorting_columns().unwrap();
        let sorted: Vec<&str> =
            sorted.iter().map(|column| columns[column.column_idx as usize].as_str()).collect();
        assert_eq!(sorted.join(", "), values["somacat.sorted_by"]);
        for column in group.columns() {
            assert!(matches!(column.compression(), Compression::GZIP(_)));
            let statistics = column.statistics().unwrap();
            let empty = statistics.null_count_opt() == Some(group.num_rows() as u64);
            assert!(empty || statistics.min_bytes_opt().is_some(), "{:?}", column.column_path());
            assert!(
                column.column_index_offset().is_some() && column.offset_index_offset().is_some()
            );
        }
    }
    // The document lists exactly these columns.
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/parquet.md")).unwrap();
    let table = document.lines().skip_while(|line| !line.starts_with("| column |")).skip(2);
    let documented: Vec<String> =
        table.take_while(|line| line.starts_with('|')).map(str::to_owned).collect();
    let row = |column: &Column| {
        let kind = match column.kind {
            Kind::Text | Kind::Word => "string",
            Kind::Small => "32-bit integer",
            Kind::Whole | Kind::Count => "64-bit integer",
        };
        let null = if column.always { "" } else { ", may be null" };
        format!("| `{}` | {kind}{null} |", column.name)
    };
    assert_eq!(documented, TYPED_COLUMNS.iter().map(row).collect::<Vec<_>>());
    assert_eq!(columns, column_names(&TYPED_COLUMNS));
}

#[test]
fn counts_of_any_size_are_exact() {
    let folder = TempDir::new().unwrap();
    let mut files = ParquetFiles::create(folder.path()).unwrap();
    let signature: Signature = "s1-3x3x3-zzzzz3".parse().unwrap();
    let counts = Counts { raw: u128::MAX, rotation: 1 << 63, unique: 7 };
    let outcomes = [
        None,
        Some(Outcome::Counted(counts)),
        Some(Outcome::AtLeast(i64::MAX as u128)),
        Some(Outcome::AtLeast(i64::MAX as u128 + 1)),
        Some(Outcome::Failed("no memory".to_owned())),
    ];
    for outcome in outcomes {
        let report = outcome.map(|outcome| Report { outcome, nodes: None, engine: None });
        let row = FigureRow {
            name: None,
            names: &[],
            signature: &signature,
            cells: 27,
            class: Class::iter().last().unwrap(),
            parity: 1,
            parts: Some(1),
            set: report.as_ref().map(|_| "SOMA"),
            report: report.as_ref(),
            micros: None,
        };
        files.row(row).unwrap();
    }
    assert_eq!(files.finish().unwrap().rows, 5);
    let rows = rows(folder.path());
    let values = |at: usize| {
        ["verdict", "reason", "raw", "rotation", "unique", "large_counts"]
            .map(|c| rows[at][c].as_str())
    };
    assert_eq!(values(0), [""; 6]);
    let large = format!("{} {} 7", u128::MAX, 1_u64 << 63);
    assert_eq!(values(1)[2..], ["", "", "", &large]);
    assert_eq!(values(2)[2..], ["9223372036854775807", "", "", ""]);
    assert_eq!(values(3)[2..], ["", "", "", "9223372036854775808  "]);
    assert_eq!(values(4)[1..], ["no memory", "", "", "", ""]);
}

#[test]
fn a_folder_appears_whole_and_replaces_no_other() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let refused = |args: &[&str], code: i32, text: &str| {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(code), "{args:?}: {}", stderr(&done));
        assert!(stderr(&done).contains(text), "{}", stderr(&done));
    };
    fs::write(folder.join("few.txt"), "three: 111\n").unwrap();
    assert!(run(folder, &["import", "few.txt", "-q", "--set", "V"]).status.success());
    refused(&["export", "parquet"], 2, "<DIR>");
    refused(&["export", "parquet", "-"], 2, "this command writes a folder");
    refused(&["export", "parquet", "out", "--top", "3"], 2, "unexpected argument '--top'");
    refused(&["export", "parquet", "few.txt"], 1, "few.txt exists; choose another folder");
    refused(&["merge", "units.txt", "parts", "--to", "arrow", "out"], 2, "use --to parquet DIR");
    fs::create_dir(folder.join("out")).unwrap();
    let done = run(folder, &["export", "parquet", "out"]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert_eq!(rows(&folder.join("out")).len(), 1);
    // The same files are no reason to refuse; others are.
    let again = run(folder, &["export", "parquet", "out"]);
    assert_eq!((again.status.code(), stderr(&again)), (Some(0), stderr(&done)));
    refused(
        &["export", "parquet", "out", "--cells", "5"],
        1,
        "out exists; choose another folder, or remove it first",
    );
    // No row matches, and there is a message.
    let none = run(folder, &["export", "parquet", "none", "--cells", "5"]);
    assert!(none.status.success() && stderr(&none).contains("5 cells"), "{}", stderr(&none));
    assert!(rows(&folder.join("none")).is_empty() && stdout(&none).is_empty());
    let left: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn rows_of_all_threads_come_in_order_with_any_memory() {
    let mut random = Random::new(16);
    let row = |n: usize| (n % 5000).to_string().repeat(1 + n % 3).into_bytes();
    let rows: Vec<Vec<u8>> = (0..20_000).map(|_| row(random.below(1 << 31))).collect();
    let folder = TempDir::new().unwrap();
    for memory in [1, 3000, 100_000, 1 << 30] {
        let path = folder.path().join(memory.to_string());
        let sorter = Sorter::create(&path, memory, 2).unwrap();
        let rows = if memory == 1 { &rows[..500] } else { &rows };
        let (mut one, mut other) = (sorter.buffer(), sorter.buffer());
        for (at, row) in rows.iter().enumerate() {
            if at % 3 == 0 { one.push(row) } else { other.push(row) }.unwrap();
        }
        one.flush().unwrap();
        other.flush().unwrap();
        let (mut sorted, mut row, mut found) = (sorter.sorted().unwrap(), Vec::new(), Vec::new());
        while sorted.next(&mut row).unwrap() {
            found.push(row.clone());
        }
        let mut some = rows.to_vec();
        some.sort();
        assert!(found == some, "with {memory} bytes");
    }
}
