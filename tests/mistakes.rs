//! Mistakes of users: the same mistake has the same exit code and message in every command, and messages use the
//! singular for one.

use crate::support::program::{column, run, stderr, stdout, with_input};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Creates a folder with a catalog and a file of figures.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("cube.soma"),
        "/SOMA-c\n/***/***/***\n/***/***/***\n/***/***/***\n",
    )
    .unwrap();
    let done = run(folder.path(), &["import", "cube.soma", "--no-count", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    folder
}

/// Checks that commands are refused, with `mistake` in place of `?`.
fn refused(folder: &Path, commands: &[&str], mistake: &str, code: i32, words: &[&str]) {
    for command in commands {
        let args: Vec<&str> =
            command.split(' ').map(|word| if word == "?" { mistake } else { word }).collect();
        let output = run(folder, &args);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{command}: {text}");
        for words in words {
            assert!(text.contains(words), "{command}: `{words}` is not in: {text}");
        }
    }
}

#[test]
fn a_mistake_in_figures_or_sets_has_one_exit_code_in_every_command() {
    let folder = folder();
    let folder = folder.path();
    let figures = [
        "count ?",
        "count cube.soma ?",
        "symmetry ?",
        "symmetry cube.soma ?",
        "solve ?",
        "show ?",
        "import ?",
        "query --like ?",
        "export xmpuzzle - --figure ?",
        "export obj - --figure ?",
    ];
    refused(folder, &figures, "typo.soma", 1, &["cannot find the figure file typo.soma"]);
    refused(folder, &figures, "cube.png", 1, &["cannot find the figure file cube.png"]);
    fs::write(folder.join("empty.soma"), "").unwrap();
    refused(folder, &figures, "empty.soma", 1, &["empty.soma contains no figure"]);
    let named = ["count ?", "symmetry ?", "solve ?", "show ?", "export obj - --figure ?"];
    refused(
        folder,
        &named,
        "SOMA-d",
        1,
        &["`SOMA-d` matches no file, signature or name", "SOMA-c"],
    );
    let sets = [
        "count cube.soma --set ?",
        "solve cube.soma --set ?",
        "import cube.soma --set ?",
        "show cube.soma --set ?",
        "census 2x2x2 --set ?",
    ];
    refused(folder, &sets, "typo.set", 1, &["cannot find the piece file typo.set"]);
    refused(folder, &sets, "SOMMA", 2, &["piece"]);
    refused(folder, &sets, "V L8232", 2, &["`L8232`: a set holds 1 to 1024 copies"]);
}

#[test]
fn other_mistakes_have_one_exit_code_in_every_command() {
    let folder = folder();
    let folder = folder.path();
    let catalogs = [
        "query --db ?",
        "status --db ?",
        "verify --db ?",
        "export csv - --db ?",
        "export gallery site --db ?",
        "export newsletter site --db ?",
        "catalog check --db ?",
        "catalog diff somacat.db ?",
        "catalog publish copy.db --db ?",
    ];
    refused(folder, &catalogs, "none.db", 1, &["there is no catalog none.db"]);
    let classes = [
        "query --class ?",
        "export csv - --class ?",
        "export gallery site --class ?",
        "export newsletter site --class ?",
        "enumerate symmetric --cells 4 --class ?",
    ];
    refused(folder, &classes, "D9x", 2, &["D9x"]);
    refused(folder, &["run ?"], "typo.toml", 1, &["there is no plan typo.toml"]);
    let statements = ["query --sql ?"];
    for (sql, words) in [
        ("", "this one is empty"),
        (" ; ", "this one is empty"),
        ("DELETE FROM figure", "this one writes"),
        ("SELEKT 1", "syntax error"),
    ] {
        refused(folder, &statements, sql, 1, &["--sql takes a single read-only statement", words]);
    }
    let misplaced = [
        "export csv - --figure cube.soma",
        "export xmpuzzle - --what pieces",
        "export soma - --spreadsheet",
        "export csv - gallery",
        "export csv - --what pieces",
        "export jsonl - --positions canonical",
        "export cells - --timings",
        "export dlx - --cell-size 3",
        "export parquet figures --sort raw",
        "export stl - --figure cube.soma --cells 27",
        "export stl - --figure cube.soma --top 1",
        "export gallery site --figure cube.soma --top 1",
        "export newsletter letter --solutions 3",
        "export --solvable csv -",
        "export pdf -",
        "export",
        "census 2x2x2 --set V --catalog --keep histogram",
    ];
    refused(folder, &misplaced, "", 2, &[]);
}

#[test]
fn a_count_of_one_is_singular() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("one.cells"), "one: 0,0,0 1,0,0 0,1,0\n").unwrap();
    let plan = "title = \"box\"\nset = \"V\"\n[[box]]\nsides = \"1x2x2\"\ncells = 3\n";
    fs::write(folder.join("box.toml"), plan).unwrap();
    let mut said = String::new();
    for args in [
        ["import", "one.cells", "--set", "V"].as_slice(),
        &["import", "one.cells", "--set", "V"],
        &["solve", "one.cells", "--set", "V"],
        &["solve", "one.cells", "--set", "V", "--partial"],
        &["solve", "one.cells", "--set", "V", "--trace"],
        &["verify"],
        &["symmetry", "one.cells"],
        &["show", "one.cells", "--set", "V"],
        &["enumerate", "box", "1x1x1", "--cells", "1"],
        &["census", "1x2x2", "--set", "V"],
        &["status"],
        &["query", "--verdict", "unsolvable"],
        &["catalog", "check"],
        &["catalog", "publish", "copy.db"],
        &["catalog", "diff", "somacat.db", "copy.db"],
        &["catalog", "check", "--db", "copy.db", "--salvage", "saved.db"],
        &["map", "one.cells", "--set", "V"],
        &["design", "one.cells", "--from", "V", "--pieces", "1"],
        &["export", "gallery", "site"],
        &["export", "newsletter", "letter.html"],
        &["run", "--dry-run", "box.toml"],
        &["run", "box.toml", "--db", "box.db"],
        &["catalog", "remove", "one"],
    ] {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        said += &format!("{args:?}\n{}{}", stdout(&output), stderr(&output));
    }
    assert!(said.contains(": 1 of 1 choice builds it, 1 in one way\n"), "{said}");
    let plural = |pair: &&[&str]| {
        let noun = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
        // "Cs" and the like are symbols.
        pair[0].trim_start_matches('(') == "1" && noun.len() > 3 && noun.ends_with('s')
    };
    let words = |line: &'_ str| -> Vec<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).filter(plural).map(|pair| pair.join(" ")).collect()
    };
    let wrong: Vec<String> = said.lines().flat_map(words).collect();
    assert!(wrong.is_empty(), "{wrong:?} in\n{said}");
}

/// `--partial` is for figures whose number of cells differs from the set's.
#[test]
fn partial_sets_take_figures_of_any_size() {
    let folder = TempDir::new().unwrap();
    let maps = "box: 22 22\nnone: 1\ncube: 333 333 333\n";
    let solved =
        with_input(folder.path(), &["solve", "--partial", "--first", "-"], maps.as_bytes());
    assert_eq!(solved.status.code(), Some(0), "{}", stderr(&solved));
    assert_eq!(stdout(&solved).matches("/SOMA").count(), 1, "{}", stderr(&solved));
    let counted = with_input(folder.path(), &["count", "--partial", "-", "--csv"], maps.as_bytes());
    assert_eq!(counted.status.code(), Some(0), "{}", stderr(&counted));
    assert_eq!(column(&stdout(&counted), "verdict"), ["unsolvable", "unsolvable", "counted"]);
}

/// No set is guessed if neither size nor marks determine one.
#[test]
fn an_ambiguous_set_is_refused_everywhere() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("w.soma"), "/SOMA-w\n/***\n\n/SOMA-v\n/11\n/1.\n").unwrap();
    for args in [
        ["count", "--set", "auto", "w.soma"].as_slice(),
        &["solve", "--set", "auto", "w.soma"],
        &["import", "--set", "auto", "w.soma"],
    ] {
        let output = run(folder, args);
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {said}");
        assert!(said.contains("choose a set with --set"), "{args:?}: {said}");
    }
    let sets = stdout(&run(folder, &["query", "--csv"]));
    assert_eq!(column(&sets, "set"), ["V"]);
}

/// The duplicates in the summary are those of the view.
#[test]
fn duplicates_are_counted_as_the_view_lists_them() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // A repeated name is a further solution; another name, or none, is a duplicate.
    let text = "/SOMA-a\n/1.\n/11\n\n/SOMA-a\n/11\n/1.\n\n/SOMA-b\n/11\n/.1\n\n/SOMA-c\n/111\n";
    fs::write(folder.join("a.soma"), text).unwrap();
    fs::write(folder.join("b.cells"), "0,0,0 1,0,0 0,1,0\n0,0,0 0,1,0 0,0,1\n").unwrap();
    let done = run(folder, &["import", "a.soma", "b.cells", "--set", "V"]);
    let listed = stdout(&run(folder, &["query", "--csv", "--sql", "SELECT * FROM duplicates"]));
    let number = listed.lines().count() - 1;
    assert_eq!(number, 3, "{listed}");
    let line = format!("  duplicates    {number} ");
    assert!(stderr(&done).contains(&line), "{}", stderr(&done));
}

/// All readers of a file report the same mistakes as `import`: a blank line within a figure, a wrong packing.
#[test]
fn every_reader_reports_mistakes_alike() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let blank = "/SOMA-b\n/***/***/***\n\n/***/***/***\n/***/***/***\n";
    fs::write(folder.join("blank.soma"), blank).unwrap();
    // The cube with two exchanged cells.
    let wrong = "/SOMA-w\n/222/244/413\n/775/764/113\n/755/664/633\n".replacen("775", "757", 1);
    fs::write(folder.join("wrong.soma"), wrong).unwrap();
    for (file, code, words) in [
        (
            "blank.soma",
            3,
            "blank.soma:1: SOMA-b: 9 cells; SOMA fills 27: a blank line ends a figure",
        ),
        ("wrong.soma", 0, "SOMA-w: not a packing: "),
    ] {
        let told = |args: &[&str]| {
            let done = run(folder, &[args, &[file]].concat());
            assert_eq!(done.status.code(), Some(code), "{args:?}: {}", stderr(&done));
            stderr(&done).lines().find(|line| line.contains(words)).map(str::to_owned)
        };
        let imported = told(&["import"]).unwrap_or_else(|| panic!("{file}"));
        let imported = imported.trim_end_matches(" (imported anyway)");
        for args in [["count"], ["symmetry"], ["solve"]] {
            assert_eq!(told(&args).as_deref(), Some(imported), "{args:?}");
        }
    }
}

/// `import` reports pieces in place, which `count` keeps. A catalog counts whole figures.
#[test]
fn import_reports_pieces_in_place() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.soma"), "/SOMA-p\n/77*/7**/***\n/7**/***/***\n/***/***/***\n")
        .unwrap();
    let counted = stdout(&run(folder, &["count", "p.soma", "--csv"]));
    assert!(counted.contains(",counted,,1218,"), "{counted}");
    let done = run(folder, &["import", "p.soma"]);
    assert!(
        stderr(&done).contains("p.soma:1: SOMA-p: the pieces in place (7) are ignored"),
        "{}",
        stderr(&done)
    );
    assert!(stdout(&run(folder, &["query", "--csv"])).contains(",11520,"));
}

/// Messages name the faulty value and the allowed ones. The faults are in plans, published counts and options.
#[test]
fn messages_name_the_value_and_the_remedy() {
    let folder = folder();
    let folder = folder.path();
    let header = "name,signature,set,kind,value,source\n";
    fs::write(folder.join("counts.csv"), format!("{header}c,,SOMA,raw,many,me\n")).unwrap();
    let plan = |text: &str| fs::write(folder.join("p.toml"), text).unwrap();
    let told = |args: &[&str], code: i32, words: &str| {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(code), "{args:?}: {}", stderr(&done));
        assert!(stderr(&done).contains(words), "{args:?}: {}", stderr(&done));
    };
    plan("title = \"t\"\nimport = [\"cube.soma\"]\npublished = \"counts.csv\"\n");
    told(&["run", "p.toml"], 1, "counts.csv:2: `many` in the column value is not a count");
    plan("title = \"t\"\n[[symmetric]]\ncells = \"many\"\nfold = 6\n");
    told(&["run", "p.toml"], 1, "expected a whole number");
    let keyword = "order is a keyword of SQL, so write the column as \"order\"";
    told(&["query", "--sql", "SELECT order FROM figures"], 1, keyword);
    told(&["newsletter"], 2, "'export newsletter'");
    told(&["check"], 2, "'catalog check'");
    told(&["enumerate", "symmetric", "--class", "Ci", "--cells", "9"], 2, "--within 3x3x4");
    for args in [&["query"][..], &["export", "csv", "-"], &["export", "gallery", "pages"]] {
        told(&[args, &["--set", "nonsense"]].concat(), 2, "was counted with a set nonsense");
    }
    told(&["query", "--fold", "six"], 2, "'six' for '--fold <N>': it is not a whole number");
    told(&["work", "none", "--unit", "1", "--out", "parts"], 1, "cannot read the unit file none: ");
    told(&["merge", "none", "parts"], 1, "cannot read the unit file none: ");
    told(&["verify", "--certificate", "none"], 1, "cannot read the certificate none: ");
    let shown = run(folder, &["show", "SOMA-c", "--set", "V L T Z A2 P"]);
    assert!(stdout(&shown).contains("V L T Z A2 P 7752 raw"), "{}", stdout(&shown));
}

/// Two results on standard output would be mixed. A set in letters hides a file of the same name.
#[test]
fn ambiguous_requests_are_explained() {
    let folder = folder();
    let folder = folder.path();
    for args in ["--dot - --csv", "--dot - --graphml -", "--svg - --from 1"] {
        let command = format!("map cube.soma {args}");
        refused(folder, &[&command], "", 2, &["can go to standard output; name a file"]);
    }
    fs::write(folder.join("lib"), "X: 0,0,0 1,0,0\n").unwrap();
    let letters = run(folder, &["count", "cube.soma", "--set", "lib"]);
    let note = "note: lib means the pieces L B I; write ./lib for the file";
    assert!(stderr(&letters).contains(note), "{}", stderr(&letters));
    let file = run(folder, &["import", "cube.soma", "--set", "./lib"]);
    assert!(stderr(&file).contains("./lib fills 2"), "{}", stderr(&file));
}
