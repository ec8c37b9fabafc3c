//! What plans ask: questions by their meaning, analyses of packings. Mistakes in plans are in `tests/transcripts`.

use crate::support::program::{column, run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn sql(folder: &Path, query: &str) -> String {
    stdout(&run(folder, &["query", "--csv", "--sql", query]))
}

/// Different spellings of a question are one enumeration.
#[test]
fn a_question_is_known_by_its_meaning() {
    let folder = TempDir::new().unwrap();
    let ask = |table: &str| {
        let text = format!("title = \"x\"\nkeep = \"solvable\"\n{table}");
        fs::write(folder.path().join("plan.toml"), text).unwrap();
        let done = run(folder.path(), &["run", "plan.toml"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    };
    let symmetric = |class: &str| format!("[[symmetric]]\ncells = 27\n{class}\n");
    for class in
        ["class = [\"Oh\"]", "class = [\"oh\"]", "class = [\"G\"]", "class = [\"G\", \"Oh\"]"]
    {
        ask(&symmetric(class));
    }
    for sides in ["2x3x5", "5x3x2", "3x5x2"] {
        ask(&format!("[[box]]\nsides = \"{sides}\"\ncells = 27\n"));
        ask(&format!("[[census]]\nsides = \"{sides}\"\n"));
    }
    assert_eq!(sql(folder.path(), "SELECT count(*) FROM enumeration").lines().nth(1), Some("3"));
}

/// Maps and stability are computed once if a plan requests them. Filters use them.
#[test]
fn packings_are_analyzed_if_a_plan_requests_it() {
    let folder = TempDir::new().unwrap();
    let maps = "tower: 67 77\ncube: 333 333 333\nlong: 999\n";
    fs::write(folder.path().join("three.txt"), maps).unwrap();
    let plan = |more: &str| format!("title = \"t\"\nimport = [\"three.txt\"]\n{more}");
    let look = "SELECT name, map_components, map_solitary, solid_stands, friction, set_up, stand, by_hand \
                FROM figures ORDER BY name";
    let go = |more: &str| {
        fs::write(folder.path().join("plan.toml"), plan(more)).unwrap();
        let done = run(folder.path(), &["run", "plan.toml", "-q"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        sql(folder.path(), look)
    };
    let header = "name,map_components,map_solitary,solid_stands,friction,set_up,stand,by_hand\n";
    assert_eq!(go(""), format!("{header}cube,,,,,,,\nlong,,,,,,,\ntower,,,,,,,\n"));
    let mapped = go("map = true\n");
    assert!(mapped.starts_with(&format!("{header}cube,2,1,,,,,\nlong,,,,,,,\ntower,")), "{mapped}");
    let both = go("stand = true\nmap = true\n");
    assert!(both.contains("cube,2,1,yes,0.5,100,100,"), "{both}");
    assert!(both.contains("\nlong,,,,,,,\n"), "{both}");
    assert_eq!(go("stand = true\n"), both);
    // The columns agree with the commands.
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&stdout(&run(folder.path(), args))).unwrap()
    };
    let stand = json(&["stand", "tower", "--sample", "100", "--json"]);
    let map = json(&["map", "tower", "--json"]);
    let components = map["components"].as_array().unwrap().len();
    let row = format!(
        "\ntower,{components},{},yes,0.5,100,{},{}\n",
        map["solitary"], stand["stand"], stand["by_hand"]
    );
    assert!(both.contains(&row), "{row}{both}");
    // So do the views of a figure.
    let shown = &json(&["show", "tower", "--json"])[0]["counts"][0];
    for (key, same) in [("stand", "stand"), ("by_hand", "by_hand"), ("set_up", "examined")] {
        assert_eq!(shown[key], stand[same], "{key}");
    }
    assert_eq!(shown["friction"], 0.5);
    assert_eq!(
        (&shown["map_components"], &shown["map_solitary"]),
        (&components.into(), &map["solitary"])
    );
    let text = stdout(&run(folder.path(), &["show", "cube", "--all"]));
    assert!(text.contains("of 100 solutions set up with friction 0.5, 100 stand and"), "{text}");
    let gallery = run(folder.path(), &["export", "gallery", "site", "-q", "--solutions", "0"]);
    assert_eq!(gallery.status.code(), Some(0), "{}", stderr(&gallery));
    let page = fs::read_to_string(folder.path().join("site/figures/s1-3x3x3-zzzzz3.html")).unwrap();
    let sentence = "The 240 solutions form 2 families, one of them a single solution: within a family, each leads to the next by moving two or three pieces.";
    assert!(page.contains(sentence), "{page}");
    for (filter, number) in [("--stands", 2), ("--buildable-by-hand", 2)] {
        let rows = stdout(&run(folder.path(), &["query", filter, "--csv"]));
        assert_eq!(rows.lines().count(), 1 + number, "{filter}: {rows}");
    }
    let rows = stdout(&run(folder.path(), &["query", "--unique", "240", "--csv"]));
    assert_eq!(column(&rows, "name"), ["cube"]);
    let none = run(folder.path(), &["query", "--unique", "1", "--csv"]);
    assert!(stderr(&none).contains("1 packing up to rotation and reflection"), "{}", stderr(&none));
    // A figure with a new shown position has no stability results until they are computed again.
    let lying = maps.replace("67 77", "2222222 2222221");
    fs::write(folder.path().join("three.txt"), lying).unwrap();
    let moved = go("");
    assert!(moved.contains("cube,2,1,yes,0.5,100,100,"), "{moved}");
    let text = stdout(&run(folder.path(), &["show", "tower", "--all"]));
    assert!(!text.contains("set up with friction"), "{text}");
    assert!(moved.contains(&format!("\ntower,{components},{},,,,,\n", map["solitary"])), "{moved}");
    let stand = json(&["stand", "tower", "--sample", "100", "--json"]);
    let row = format!(",yes,0.5,100,{},{}\n", stand["stand"], stand["by_hand"]);
    let renewed = go("stand = true\n");
    assert!(renewed.ends_with(&row), "{row}{renewed}");
    // A published copy contains the results and detects changes to them.
    let publish = run(folder.path(), &["catalog", "publish", "copy.db"]);
    assert_eq!(publish.status.code(), Some(0), "{}", stderr(&publish));
    let check = |db: &str| run(folder.path(), &["catalog", "check", "--db", db]).status.code();
    assert_eq!(check("copy.db"), Some(0));
    let copy = rusqlite::Connection::open(folder.path().join("copy.db")).unwrap();
    copy.execute("UPDATE structure SET by_hand = 0", []).unwrap();
    drop(copy);
    assert_eq!(check("copy.db"), Some(5));
    // Removing the figure removes its results.
    let removed = run(folder.path(), &["catalog", "remove", "cube"]);
    assert_eq!(removed.status.code(), Some(0), "{}", stderr(&removed));
    assert_eq!(sql(folder.path(), "SELECT count(*) FROM structure"), "count(*)\n1\n");
}

#[test]
fn solvable_figures_of_an_enumeration_are_analyzed_too() {
    let folder = TempDir::new().unwrap();
    let enumeration = "title = \"t\"\nkeep = \"solvable\"\nset = \"V L T\"\nmap = true\n[[box]]\nsides = \"2x2x3\"\ncells = 11\n";
    fs::write(folder.path().join("box.toml"), enumeration).unwrap();
    let done = run(folder.path(), &["run", "box.toml", "-q", "--db", "box.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let known = [
        "query",
        "--db",
        "box.db",
        "--csv",
        "--sql",
        "SELECT count(*), count(map_components) FROM figures",
    ];
    let known = stdout(&run(folder.path(), &known));
    let numbers: Vec<&str> = known.lines().nth(1).unwrap().split(',').collect();
    assert!(numbers[0] == numbers[1] && numbers[0] != "0", "{known}");
}

#[test]
fn a_class_is_a_name_or_a_list() {
    let folder = TempDir::new().unwrap();
    let units = |tables: &str| {
        fs::write(
            folder.path().join("plan.toml"),
            format!("title = \"t\"\nset = \"V L T\"\n{tables}"),
        )
        .unwrap();
        let done = run(folder.path(), &["units", "plan.toml", "--count", "3", "-q"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let plain = |line: &str| {
            line.split_once("\"version\"").unwrap().1.split_once("\"check\"").unwrap().0.to_owned()
        };
        stdout(&done).lines().map(plain).collect::<Vec<_>>()
    };
    let s4 = |class: &str| units(&format!("[[symmetric]]\ncells = 11\nclass = {class}\n"));
    assert_eq!(s4("\"S4\""), s4("[\"S4\"]"));
    let two = units("[[buildable]]\nclass = [\"Ci\", \"C2(face)\"]\n");
    assert_eq!(two, units("[[buildable]]\nclass = \"Ci\"\n[[buildable]]\nclass = \"C2(face)\"\n"));
    assert!(
        two[0].contains("class=Ci") && two.last().unwrap().contains("class=C2(face)"),
        "{two:?}"
    );
}

/// A plan may import its own folder, however it is spelled, again and again. The plan, the catalog and its table are no
/// files of figures.
#[test]
fn a_plan_imports_the_working_directory() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("plans")).unwrap();
    fs::write(folder.join("block.txt"), "block: 222 221\n").unwrap();
    for import in [".", "./", "plans/.."] {
        let plan = format!("import = [\"{import}\"]\nset = \"V L T\"\n");
        fs::write(folder.join("plan.toml"), plan).unwrap();
        let told = stderr(&run(folder, &["run", "plan.toml", "--dry-run"]));
        assert!(!told.contains("there is no file"), "{told}");
        for _ in 0..2 {
            let done = run(folder, &["run", "plan.toml", "-q"]);
            assert_eq!(done.status.code(), Some(0), "{import}: {}", stderr(&done));
        }
        assert_eq!(sql(folder, "SELECT label AS n FROM source"), "n\nblock.txt\n");
    }
    fs::write(folder.join("plan.toml"), "import = [\"\"]\n").unwrap();
    assert_eq!(run(folder, &["run", "plan.toml"]).status.code(), Some(1));
}
