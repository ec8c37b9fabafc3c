//! Plans: fully checked before anything is written, with separate names, sources and counts for each figure.

use crate::support::program::{column, run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const CUBE: &str = "/SOMA cube\n/###/###/###\n/###/###/###\n/###/###/###\n";

/// Creates a folder with a figure and a file of published counts.
fn folder(published: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("cube.soma"), CUBE).unwrap();
    let header = "name,signature,set,kind,value,source\n";
    fs::write(folder.path().join("published.csv"), format!("{header}{published}\n")).unwrap();
    folder
}

fn sql(folder: &Path, query: &str) -> String {
    stdout(&run(folder, &["query", "--csv", "--sql", query]))
}

/// One mistake of each kind, at the end of the plan. By then, earlier work would already have been done.
#[test]
fn a_plan_with_a_mistake_fails_before_anything_is_written() {
    let right = "cube,,SOMA,unique,240,me";
    let mut unclear = Vec::new();
    let good_box = "[[box]]\nsides = \"2x3x5\"\ncells = 27\n";
    for (body, published, place, cure) in [
        ("titel = 1", right, "plan.toml", "unknown key `titel`"),
        ("set = \"XYZ\"", right, "set", "`X` is not a piece"),
        ("set = \"pieces.txt\"", right, "set", "line 2"),
        ("nodes = \"many\"", right, "plan.toml", "nodes"),
        (
            "keep = \"some\"",
            right,
            "plan.toml",
            "`some` is not one of all, solvable, totals, top:N",
        ),
        ("keep = \"top:0\"", right, "plan.toml", "`top:0` is not one of all, solvable"),
        ("keep = \"top:3\"", right, "[[box]] 1", "is possible with [[census]] only"),
        ("import = [\"no.soma\"]", right, "no.soma", "import"),
        ("published = \"no.csv\"", right, "no.csv", "published counts"),
        ("[[box]]\nsides = \"2x3\"\ncells = 27", right, "[[box]] 2", "2x3"),
        ("[[box]]\nsides = \"2x3x4\"\ncells = 27", right, "[[box]] 2", "2x3x4 is too small"),
        ("[[box]]\nsides = \"2x3x5\"\ncells = 20", right, "[[box]] 2", "20"),
        ("[[box]]\nsides = \"9x9x9\"\ncells = 27", right, "[[box]] 2", "9x9x9"),
        ("[[symmetric]]\ncells = 27\nclass = [\"Q7\"]", right, "[[symmetric]] 1", "Q7"),
        ("[[symmetric]]\ncells = 27\nfold = 5", right, "[[symmetric]] 1", "1, 2, 3, 4 and 6"),
        ("[[symmetric]]\ncells = 27", right, "[[symmetric]] 1", "class"),
        ("[[symmetric]]\ncells = 27\nfold = 2", right, "[[symmetric]] 1", "box"),
        ("[[buildable]]\nclass = \"Q7\"", right, "[[buildable]] 1", "Q7"),
        ("[[buildable]]\nclass = []", right, "[[buildable]] 1", "names no class"),
        ("[[buildable]]\nclass = [\"Ci\", \"Q7\"]", right, "[[buildable]] 1", "Q7"),
        (
            "[[symmetric]]\ncells = 8\nclass = 3",
            right,
            "class = 3",
            "a class, as \"Ci\", or a list",
        ),
        ("[[buildable]]\nclass = \"C2v\"", right, "[[buildable]] 1", "C2v(edge)"),
        (
            "[[buildable]]\nclass = \"Ci\"\n[[buildable]]\nset = \"SOMA\"",
            right,
            "plan.toml",
            "class",
        ),
        ("[[census]]\nsides = \"2x2x2\"", right, "[[census]] 1", "27"),
        ("[[census]]\nsides = \"2xA\"", right, "[[census]] 1", "2xA"),
        ("", "cube,,SOMA,uniqe,240,me", "published.csv:2", "raw, rotation and unique"),
        ("", "cube,,SOMER,unique,240,me", "published.csv:2", "SOMER"),
        ("", "cube,s1-nonsense,SOMA,unique,240,me", "published.csv:2", "s1-nonsense"),
        ("", ",,SOMA,unique,240,me", "published.csv:2", "name"),
        ("", "cube,,SOMA,unique,two,me", "published.csv:2", "`two` in the column value"),
    ] {
        let folder = folder(published);
        fs::write(folder.path().join("pieces.txt"), "V: 0,0,0 1,0,0 0,1,0\nL: what\n").unwrap();
        let keys = ["import", "published", "set", "keep", "nodes"];
        let given = |key: &&str| !body.lines().any(|line| line.starts_with(*key));
        let defaults = ["import = [\"cube.soma\"]", "published = \"published.csv\""];
        let defaults: Vec<&str> = keys
            .iter()
            .filter(|key| given(key))
            .filter_map(|key| defaults.into_iter().find(|line| line.starts_with(key)))
            .collect();
        // Keys come before tables.
        let (head, tables) = match body.find("[[") {
            Some(at) => body.split_at(at),
            None => (body, ""),
        };
        let text =
            format!("title = \"mistake\"\n{}\n{head}\n{good_box}{tables}\n", defaults.join("\n"));
        fs::write(folder.path().join("plan.toml"), &text).unwrap();
        let before = fs::read_dir(folder.path()).unwrap().count();
        let done = run(folder.path(), &["run", "plan.toml"]);
        let told = stderr(&done);
        assert!(matches!(done.status.code(), Some(1 | 2)), "{text}\n{told}");
        if !(told.contains(place) && told.contains(cure)) {
            unclear.push(format!("{body:?}, {published}: {told}"));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before, "{text}\n{told}");
    }
    assert!(unclear.is_empty(), "{}", unclear.join("\n"));
}

#[test]
fn a_published_count_of_an_unknown_name_is_reported() {
    let folder = folder("cuba,,SOMA,unique,999,me\ncube,,SOMA,unique,241,me");
    let plan = "title = \"x\"\nimport = [\"cube.soma\"]\npublished = \"published.csv\"\n";
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let done = run(folder.path(), &["run", "plan.toml"]);
    assert_eq!(done.status.code(), Some(3), "{}", stderr(&done));
    let told = stderr(&done);
    assert!(told.contains("published.csv:2: no figure of the catalog is called cuba"), "{told}");
    // The count known by its name contradicts ours.
    let rows = sql(folder.path(), "SELECT name, published, ours FROM disagreements");
    assert_eq!(rows.lines().nth(1), Some("cube,241,240"));
    assert_eq!(run(folder.path(), &["verify"]).status.code(), Some(5));
}

/// Different spellings of a question are one enumeration.
#[test]
fn a_question_is_known_by_its_meaning() {
    let folder = folder("");
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

/// A name belongs to an entry of a source. Figures up to reflection and up to rotation keep their own names.
#[test]
fn names_survive_an_import_with_another_set() {
    let folder = TempDir::new().unwrap();
    let import = |set: &str| {
        let done = run(folder.path(), &["import", "--set", set, "eight.txt", "-q"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    };
    fs::write(folder.path().join("eight.txt"), "box: 22 22\n").unwrap();
    import("P2");
    import("A2");
    import("P2");
    let names = sql(folder.path(), "SELECT signature, name FROM names ORDER BY 1");
    assert_eq!(names, "signature,name\nr1-2x2x2-z7,box\ns1-2x2x2-z7,box\n");
    // Rotated and reflected figures of chiral sets keep separate names.
    let rows = stdout(&run(folder.path(), &["query", "--csv", "--name", "box"]));
    assert_eq!(column(&rows, "set"), ["A2", "P2"]);
}

#[test]
fn an_entry_that_became_faulty_loses_its_name() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("two.txt");
    fs::write(&file, "slab: 333 333 333\ntower: 67 77\n").unwrap();
    assert_eq!(run(folder.path(), &["import", "two.txt"]).status.code(), Some(0));
    fs::write(&file, "slab: 333 333 332\ntower: 67 77\n").unwrap();
    assert_eq!(run(folder.path(), &["import", "two.txt"]).status.code(), Some(3));
    assert_eq!(sql(folder.path(), "SELECT name FROM names"), "name\ntower\n");
    // The figure itself and its counts are kept.
    assert_eq!(sql(folder.path(), "SELECT count(*) FROM figures"), "count(*)\n2\n");
}

#[test]
fn a_file_is_one_source_whatever_it_is_called() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.txt"), "tower: 67 77\n").unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    let absolute = folder.path().join("a.txt").canonicalize().unwrap();
    for name in ["a.txt", "./a.txt", "below/../a.txt", absolute.to_str().unwrap()] {
        let done = run(folder.path(), &["import", name]);
        assert_eq!(done.status.code(), Some(0), "{name}: {}", stderr(&done));
    }
    assert_eq!(sql(folder.path(), "SELECT label FROM source"), "label\na.txt\n");
    assert_eq!(sql(folder.path(), "SELECT count(*) FROM names"), "count(*)\n1\n");
    assert_eq!(sql(folder.path(), "SELECT count(*) FROM duplicates"), "count(*)\n0\n");
}

/// A failed run is recorded as failed, not as killed.
#[test]
fn a_run_that_fails_is_recorded_as_failed() {
    let folder = TempDir::new().unwrap();
    let done =
        run(folder.path(), &["census", "3x3x4", "--keep", "all", "--catalog", "--memory", "2M"]);
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    let status = stdout(&run(folder.path(), &["status", "--csv"]));
    assert!(status.contains("failed") && !status.contains("killed"), "{status}");
    assert!(status.contains("memory"), "{status}");
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
