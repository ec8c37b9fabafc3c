//! A data release: complete, deterministic, correct in every digest, and reproduced by its own plans.

use crate::support::program::{run, starter, stderr, stdout};
use crate::support::seal::seal;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn ends(folder: &Path, args: &[&str], code: i32) -> String {
    let done = run(folder, args);
    assert_eq!(done.status.code(), Some(code), "{args:?}: {}", stderr(&done));
    stdout(&done) + &stderr(&done)
}

/// Returns every file below a folder.
fn all_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let below = all_files(&entry.path());
            files.extend(below.into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    files
}

/// Writes questions of every kind, with two sets. One set is from a file.
fn catalog(folder: &Path) {
    fs::write(folder.join("maps.txt"), "cube: 333 333 333\nlow: 555 552\n").unwrap();
    fs::write(folder.join("bars.txt"), "Q*4: 0,0,0 1,0,0 2,0,0\n").unwrap();
    let plan = "title = \"small\"\nimport = [\"maps.txt\"]\n[[box]]\nsides = \"2x3x5\"\ncells = 27\nconnected = true\n\
                [[symmetric]]\ncells = 27\nfold = 6\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    let bars = "title = \"bars\"\nset = \"bars.txt\"\nkeep = \"solvable\"\n[[box]]\nsides = \"3x3x2\"\ncells = 12\n\
                towers = true\n[[census]]\nsides = \"2x3x3\"\n[[symmetric]]\ncells = 12\nparts = 2\nwithin = \"2x3x3\"\n\
                order_at_least = 4\n";
    fs::write(folder.join("bars.toml"), bars).unwrap();
    let built = "title = \"built\"\nset = \"V L T\"\n[[buildable]]\nclass = \"Ci\"\nexact = true\n";
    fs::write(folder.join("built.toml"), built).unwrap();
    ends(folder, &["run", "plan.toml", "-q"], 0);
    ends(folder, &["run", "built.toml", "-q"], 0);
    ends(folder, &["run", "bars.toml", "-q"], 0);
    // Classes in another order than that of their groups.
    let classes = "title = \"classes\"\nset = \"V L T\"\n[[symmetric]]\ncells = 11\nclass = [\"C3\", \"C2v\", \"C4\"]\n";
    fs::write(folder.join("classes.toml"), classes).unwrap();
    ends(folder, &["run", "classes.toml", "-q"], 0);
    fs::write(folder.join("it's.txt"), "slab: 2222 111.\n").unwrap();
    ends(folder, &["import", "it's.txt", "--set", "V L T", "-q"], 0);
    fs::write(folder.join("double.txt"), "slab: 666 666 666\n").unwrap();
    ends(folder, &["import", "double.txt", "--set", "2xSOMA", "--nodes", "1000", "-q"], 0);
}

/// Checks that every digest and size in a release is correct. Also checks that every file has a digest.
fn check_digests(folder: &Path, data: &BTreeMap<String, Vec<u8>>) {
    let mut check = Command::new("sha256sum");
    check.args(["-c", "--quiet", "SHA256SUMS"]).current_dir(folder);
    assert!(check.status().unwrap().success());
    let sums = String::from_utf8(data["SHA256SUMS"].clone()).unwrap();
    let summed: Vec<&str> = sums.lines().map(|line| line.split("  ").nth(1).unwrap()).collect();
    let others: Vec<&str> =
        data.keys().map(String::as_str).filter(|name| *name != "SHA256SUMS").collect();
    assert_eq!(summed, others);
    let package: serde_json::Value = serde_json::from_slice(&data["datapackage.json"]).unwrap();
    assert_eq!(package["licenses"][0]["name"], "CC0-1.0");
    let resources = package["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 5);
    for resource in resources {
        let path = resource["path"].as_str().unwrap();
        let bytes = resource["bytes"].as_u64();
        assert!(bytes.is_none() == path.ends_with(".parquet"), "{path}");
        assert!(bytes.is_none_or(|bytes| bytes == data[path].len() as u64), "{path}");
        let hash = resource["hash"].as_str().unwrap().strip_prefix("sha256:").unwrap();
        assert!(sums.contains(&format!("{hash}  {path}\n")), "{path}");
        if let Some(fields) = resource["schema"]["fields"].as_array()
            && resource["format"] == "csv"
        {
            let names: Vec<&str> =
                fields.iter().map(|field| field["name"].as_str().unwrap()).collect();
            let mut table = csv::Reader::from_reader(data[path].as_slice());
            assert_eq!(table.headers().unwrap().iter().collect::<Vec<_>>(), names, "{path}");
            for row in table.records() {
                for (field, value) in fields.iter().zip(row.unwrap().iter()) {
                    let number = field["type"] == "integer" && !value.is_empty();
                    assert!(!number || value.parse::<u64>().is_ok(), "{path}: {value}");
                }
            }
        }
    }
}

#[test]
fn a_release_is_complete_correct_and_reproducible() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    catalog(folder);
    let told = ends(folder, &["catalog", "release", "data", "--sample", "20"], 0);
    assert!(told.contains("in data; ") && told.contains(" recounted"), "{told}");
    ends(folder, &["catalog", "release", "again", "--sample", "20", "-q"], 0);
    let data = all_files(&folder.join("data"));
    assert!(data == all_files(&folder.join("again")), "the same catalog gives other bytes");
    check_digests(&folder.join("data"), &data);

    // The tables agree with the catalog.
    let text = |name: &str| String::from_utf8(data[name].clone()).unwrap();
    assert_eq!(text("atlas.csv"), ends(folder, &["export", "csv", "--solvable"], 0));
    let shares = "SELECT enumeration, \"set\", keep, complete, class, \"order\", figures, parity_blocked, unsolvable, \
                  solvable, undecided FROM enumerations ORDER BY enumeration, \"set\", keep, \"order\", class";
    assert_eq!(text("enumerations.csv"), ends(folder, &["query", "--csv", "--sql", shares], 0));
    ends(folder, &["export", "parquet", "parquet", "-q"], 0);
    assert!(
        data["parquet/figures-0000.parquet"]
            == fs::read(folder.join("parquet/figures-0000.parquet")).unwrap()
    );
    ends(folder, &["catalog", "publish", "published.db", "-q"], 0);
    assert!(data["figures.db"] == fs::read(folder.join("published.db")).unwrap());
    let sum = |file: &str, column: &str| -> u64 {
        let mut table = csv::Reader::from_reader(data[file].as_slice());
        let at = table.headers().unwrap().iter().position(|name| name == column).unwrap();
        table.records().map(|row| row.unwrap()[at].parse::<u64>().unwrap()).sum()
    };
    let rows = ends(folder, &["query", "--csv", "--sql", "SELECT count(*) FROM figures"], 0);
    assert_eq!(rows, format!("count(*)\n{}\n", sum("totals.csv", "figures")));
    assert_eq!(sum("totals.csv", "solvable") as usize, text("atlas.csv").lines().count() - 1);

    // The README has question, completeness, second check and commands; the commands reproduce the release.
    let readme = text("README.md");
    for part in [
        "| connected figures of 27 cells in 2x3x5 | SOMA | 549 |",
        "| SOMA | 571 | 550 | 0 | 11520 (240 unique) | cube, of class Oh |",
        "| V L T | 549 | 63 | 58 | 4 (2 unique) | s1-1x4x4-4zv1, of class C2v(edge), and 7 more |",
        "| maps.txt | 2 |",
        "## Second check",
        "CC0-1.0",
        "somacat run plan-1.toml",
    ] {
        assert!(readme.contains(part), "{part}:\n{readme}");
    }
    assert!(text("CITATION.cff").starts_with("cff-version: 1.2.0\n"));
    assert_eq!(commands_of(&readme).last().unwrap(), "somacat catalog release release --sample 20");
    assert_reproducible(&folder.join("data"));
}

/// Returns the commands of a README.
fn commands_of(readme: &str) -> Vec<String> {
    readme.split("```\n").nth(1).unwrap().lines().map(str::to_owned).collect()
}

/// Follows the README of a release, word for word, and asserts that the same release results.
fn assert_reproducible(release: &Path) {
    let (remade, data) = (TempDir::new().unwrap(), all_files(release));
    let remade = remade.path();
    for (name, bytes) in &data {
        let Some(name) = name.strip_prefix("sources/") else { continue };
        fs::create_dir_all(remade.join(name).parent().unwrap()).unwrap();
        fs::write(remade.join(name), bytes).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_somacat")).parent().unwrap().display();
    for line in commands_of(std::str::from_utf8(&data["README.md"]).unwrap()) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(remade).env_remove("SOMACAT_DB");
        shell.env("PATH", format!("{program}:{}", std::env::var("PATH").unwrap()));
        let done = shell.output().unwrap();
        assert!(matches!(done.status.code(), Some(0 | 3)), "{line}: {}", stderr(&done));
    }
    let again = all_files(&remade.join("release"));
    let differ: Vec<&String> =
        data.keys().filter(|name| again.get(*name) != data.get(*name)).collect();
    assert!(
        differ.is_empty() && again.len() == data.len(),
        "{} differ: {differ:?}",
        release.display()
    );
}

/// The starter figures are built into the program, with published counts and a limit of nodes. Of counts that the limit
/// ended, none has more nodes.
#[test]
fn the_starter_catalog_and_a_changed_source_are_released_as_they_were_made() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    ends(folder, &["catalog", "release", "data", "--sample", "20", "-q"], 0);
    assert_reproducible(&folder.join("data"));
    let most = "SELECT max(nodes) FROM figures WHERE verdict IN ('at-least', 'unknown')";
    assert_eq!(ends(folder, &["query", "--csv", "--sql", most], 0), "max(nodes)\n200000\n");

    // All that a plan may ask for, an import with options, and a text that may not be given away.
    let other = folder.join("other");
    fs::create_dir_all(other.join("texts")).unwrap();
    fs::write(other.join("texts/maps.txt"), "cube: 333 333 333\nbad: 33 3\nlow: 555 552\n")
        .unwrap();
    fs::write(other.join("cells.txt"), "a: 0,0,0 1,0,0 0,1,0\n").unwrap();
    fs::write(other.join("two.txt"), "V*2: 0,0,0 1,0,0 0,1,0\n").unwrap();
    fs::write(other.join("late.txt"), "tower: 67 77\n").unwrap();
    let counts =
        "name,signature,set,kind,value,source\ncube,,SOMA,unique,240,me\ncube,,SOMA,raw,11520,me\n";
    fs::write(other.join("counts.csv"), counts).unwrap();
    let plan = "import = [\"texts\"]\npublished = \"counts.csv\"\nmap = true\nstand = true\nprove = true\nnodes = 300000\n\
                [[symmetric]]\ncells = 27\nfold = 6\n[[box]]\nset = \"two.txt\"\nsides = \"2x3x2\"\ncells = 6\n";
    fs::write(other.join("plan.toml"), plan).unwrap();
    ends(&other, &["run", "plan.toml", "-q"], 3);
    ends(
        &other,
        &["import", "cells.txt", "--format", "cells", "--set", "V", "--no-count", "-q"],
        0,
    );
    ends(&other, &["import", "late.txt", "--set", "SOMA", "--nodes", "0", "-q"], 0);
    ends(&other, &["catalog", "release", "data", "--sample", "5", "-q"], 0);
    assert_reproducible(&other.join("data"));

    fs::write(other.join("late.txt"), "tower: 76 77\n").unwrap();
    let told = ends(&other, &["catalog", "release", "changed", "--sample", "5"], 0);
    assert!(told.contains("late.txt is missing here or has changed"), "{told}");
    let readme = fs::read_to_string(other.join("changed/README.md")).unwrap();
    assert!(readme.contains("| late.txt | "), "{readme}");
    ends(&other, &["catalog", "release", "bare", "--sample", "5", "--no-sources", "-q"], 0);
    let bare = all_files(&other.join("bare"));
    assert!(!bare.keys().any(|name| name.contains("maps.txt")), "{:?}", bare.keys());
    let readme = std::str::from_utf8(&bare["README.md"]).unwrap();
    assert!(
        readme.contains("| texts/maps.txt | ") && readme.ends_with("Apache-2.0.\n"),
        "{readme}"
    );
}

/// A source is read in several ways: the last decides about its names, and each about rows. A salvaged catalog knows them.
#[test]
fn sources_that_were_read_in_several_ways_are_released_as_they_were_made() {
    let plan = "import = [\"d.hm\"]\nset = \"V D\"\nmap = true\nstand = true\n";
    let ways: [&[&[&str]]; 5] = [
        // An analysis, then a named format.
        &[&["run", "plan.toml"], &["import", "d.hm", "--set", "V D", "--format", "heightmap"]],
        // A wrong set, and its correction, which counts nothing.
        &[&["import", "d.hm", "--set", "V T"], &["import", "d.hm", "--set", "V D", "--no-count"]],
        // A set that refuses what another took, and back.
        &[&["import", "d.hm"], &["import", "d.hm", "--set", "V T"], &["import", "d.hm"]],
        &[&["run", "plan.toml", "--no-count"], &["import", "d.hm", "--set", "V D"]],
        &[&["import", "d.hm", "--set", "V D"], &["import", "d.hm", "--set", "L D -V"]],
    ];
    for commands in ways {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        fs::write(folder.join("d.hm"), "k: 31 10\ncube: 333 333 333\n").unwrap();
        fs::write(folder.join("plan.toml"), plan).unwrap();
        for command in commands {
            // Some entries have too many cells for a set, and a set may have a fault.
            run(folder, &[*command, &["-q"]].concat());
        }
        let told = ends(folder, &["catalog", "release", "data"], 0);
        assert!(!told.contains("do not make"), "{commands:?}: {told}");
        assert_reproducible(&folder.join("data"));
        ends(folder, &["catalog", "check", "--salvage", "saved.db"], 0);
        ends(folder, &["catalog", "release", "again", "--db", "saved.db", "-q"], 0);
        let readme = |release: &str| fs::read_to_string(folder.join(release).join("README.md"));
        assert_eq!(commands_of(&readme("data").unwrap()), commands_of(&readme("again").unwrap()));
    }
}

/// The release of parts equals that of one run's catalog. It names those who made it.
#[test]
fn parts_are_released_without_a_catalog() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("maps.txt"), "cube: 333 333 333\nlow: 555 552\n").unwrap();
    let plan = "title = \"small\"\nimport = [\"maps.txt\"]\n[[symmetric]]\ncells = 27\nfold = 6\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    ends(folder, &["run", "plan.toml", "-q"], 0);
    fs::write(
        folder.join("units.txt"),
        ends(folder, &["units", "plan.toml", "--count", "3", "-q"], 0),
    )
    .unwrap();
    let named = |args: &[&str], code| {
        let author = ["--author", "O'Neil, Ada", "--author", "The \"Club\""];
        let publication = ["--date", "2026-11-25", "--keyword", "cubes: all"];
        ends(folder, &[&["catalog", "release"], args, &author, &publication].concat(), code)
    };
    let parts = ["parts-data", "--units", "units.txt", "parts", "--db", "none.db"];
    let missing = named(&parts, 1);
    assert!(missing.contains("parts"), "{missing}");
    for unit in 1..=3 {
        let unit = unit.to_string();
        ends(folder, &["work", "units.txt", "--unit", &unit, "--out", "parts", "-q"], 0);
    }
    named(&parts, 0);
    named(&["data"], 0);
    let data = all_files(&folder.join("data"));
    assert!(data == all_files(&folder.join("parts-data")), "parts give other bytes");
    assert!(!folder.join("none.db").exists());

    let text = |name: &str| String::from_utf8(data[name].clone()).unwrap();
    let citation = text("CITATION.cff");
    for line in [
        "  - family-names: \"O'Neil\"\n    given-names: \"Ada\"\n",
        "  - name: \"The \\\"Club\\\"\"\n",
        "\ndate-released: \"2026-11-25\"\n",
    ] {
        assert!(citation.contains(line), "{citation}");
    }
    let json = |name: &str| -> serde_json::Value { serde_json::from_str(&text(name)).unwrap() };
    let (ro_crate, croissant) = (json("ro-crate-metadata.json"), json("croissant.json"));
    let graph = ro_crate["@graph"].as_array().unwrap();
    let entity = |id: &str| graph.iter().find(|entity| entity["@id"] == id).unwrap();
    let root = entity("./");
    assert_eq!(entity(root["author"][0]["@id"].as_str().unwrap())["name"], "O'Neil, Ada");
    assert_eq!(root["datePublished"], croissant["datePublished"]);
    assert!(root["keywords"].as_str().unwrap().ends_with(", cubes: all"));
    let run = entity("#run");
    assert_eq!(run["description"], commands_of(&text("README.md")).join("\n"));
    for part in run["result"].as_array().unwrap() {
        let path = part["@id"].as_str().unwrap();
        let line = format!("{}  {path}\n", entity(path)["sha256"].as_str().unwrap());
        assert!(text("SHA256SUMS").contains(&line), "{line}");
    }
    let readme = text("README.md");
    assert!(readme.starts_with("---\npretty_name: \"SOMA figures"));
    assert_reproducible(&folder.join("data"));
}

#[test]
fn damaged_or_wrong_catalogs_are_not_released() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("maps.txt"), "cube: 333 333 333\n").unwrap();
    ends(folder, &["import", "maps.txt", "-q"], 0);
    fs::write(folder.join("taken"), "").unwrap();
    let taken = ends(folder, &["catalog", "release", "taken"], 1);
    assert!(taken.contains("taken exists; choose another folder, or remove it first"), "{taken}");
    let missing = ends(folder, &["catalog", "release", "data", "--db", "none.db"], 1);
    assert!(missing.contains("none.db"), "{missing}");
    // A published count that ours contradicts.
    fs::write(
        folder.join("counts.csv"),
        "name,signature,set,kind,value,source\ncube,,SOMA,raw,11521,a misprint\n",
    )
    .unwrap();
    fs::write(folder.join("plan.toml"), "import = [\"maps.txt\"]\npublished = \"counts.csv\"\n")
        .unwrap();
    ends(folder, &["run", "plan.toml", "-q", "--db", "misprint.db"], 0);
    let told = ends(folder, &["catalog", "release", "data", "--db", "misprint.db"], 5);
    assert!(told.contains("11521 for s1-3x3x3-zzzzz3 by a misprint"), "{told}");
    assert!(!folder.join("data").exists());
    // A count that looks valid in the file, with its checksum, and a signature that is not valid.
    for (sql, cure) in [
        (
            "UPDATE outcome SET raw = 4800, rotation = 200, \"unique\" = 100",
            "`somacat verify` lists them",
        ),
        ("UPDATE figure SET parity = 3", "`somacat catalog check` lists the findings"),
    ] {
        fs::copy(folder.join("somacat.db"), folder.join("wrong.db")).unwrap();
        let wrong = rusqlite::Connection::open(folder.join("wrong.db")).unwrap();
        wrong.execute_batch(sql).unwrap();
        seal(&wrong);
        drop(wrong);
        let told = ends(folder, &["catalog", "release", "data", "--db", "wrong.db"], 5);
        assert!(told.contains(cure) && told.contains("wrong.db"), "{told}");
        assert!(!folder.join("data").exists());
    }
}
