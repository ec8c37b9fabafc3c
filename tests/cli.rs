//! The commands as a user types them: output, messages and exit codes.

use crate::support::program::{column, run, somacat, starter, stderr, stdout, with_input};
use crate::support::skipped::skipped;
#[cfg(unix)]
use crate::support::terminal::{in_terminal, messages_in_terminal};
use somacat_run::full_version;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

#[test]
fn pieces_in_place_are_kept_by_count_and_solve() {
    let folder = TempDir::new().unwrap();
    let text = b"/SOMA-x\n/2**/***/***\n/2**/***/***\n/22*/***/***\n";
    let csv = stdout(&with_input(folder.path(), &["count", "-"], text));
    let raw: u64 = column(&csv, "raw")[0].parse().unwrap();
    assert!((1..11520).contains(&raw), "{csv}");
    let solved = with_input(folder.path(), &["solve", "-"], text);
    assert!(
        stderr(&solved).contains(&format!("{raw} written; {raw} packings")),
        "{}",
        stderr(&solved)
    );
    // The output of solve is read back as complete solutions with the L in place.
    std::fs::write(folder.path().join("all.soma"), &solved.stdout).unwrap();
    let import = run(folder.path(), &["import", "all.soma"]);
    assert_eq!(import.status.code(), Some(0), "{}", stderr(&import));
    assert_eq!(stdout(&solved).matches("\n/22").count() as u64, raw);
    let wrong = with_input(
        folder.path(),
        &["count", "-"],
        b"/SOMA-y\n/22*/***/***\n/22*/***/***\n/***/***/***\n",
    );
    assert_eq!(wrong.status.code(), Some(3));
    assert!(stdout(&wrong).contains("do not have its shape"), "{}", stdout(&wrong));
}

#[test]
fn solve_writes_packings_in_every_form() {
    let folder = TempDir::new().unwrap();
    let solve = |args: &[&str], input: &str| {
        let output = with_input(folder.path(), &[&["solve"], args].concat(), input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let cube = "cube: 333 333 333\n";
    assert_eq!(solve(&["--unique", "-"], cube).matches("/SOMA").count(), 240);
    assert_eq!(solve(&["--first", "-"], cube).matches("/SOMA").count(), 1);
    assert_eq!(solve(&["--limit", "3", "s1-2x2x7-yzzzz7"], "").matches("/SOMA").count(), 3);
    let lines = solve(&["--jsonl", "--first", "-"], cube);
    let packing: serde_json::Value = serde_json::from_str(lines.trim()).unwrap();
    let cells: usize = packing["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["cells"].as_array().unwrap().len())
        .sum();
    assert_eq!(cells, 27);
    // A double set: equal pieces get different marks, and the text reads back as a packing.
    std::fs::write(
        folder.path().join("two.soma"),
        solve(&["--set", "2xSOMA", "--first", "-"], "666 666 666\n"),
    )
    .unwrap();
    let import = run(folder.path(), &["import", "--no-count", "two.soma"]);
    assert_eq!(import.status.code(), Some(0), "{}", stderr(&import));
    let unknown = run(folder.path(), &["solve", "no-such-name"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        stderr(&unknown).contains("matches no file, signature or name"),
        "{}",
        stderr(&unknown)
    );
}

#[test]
fn enumerated_figures_are_listed_counted_and_imported() {
    let folder = TempDir::new().unwrap();
    let fold = ["enumerate", "symmetric", "--fold", "6", "--cells", "27"];
    let count = run(folder.path(), &[&fold[..], &["--count", "--csv"]].concat());
    let csv = stdout(&count);
    let total: u64 = column(&csv, "figures").iter().map(|n| n.parse::<u64>().unwrap()).sum();
    let listed = run(folder.path(), &fold);
    assert_eq!(stdout(&listed).lines().count() as u64, total);
    // The output is read back: each figure once, each with a 6-fold element.
    let back = stdout(&with_input(folder.path(), &["symmetry", "--csv", "-"], &listed.stdout));
    let signatures: std::collections::BTreeSet<String> =
        column(&back, "signature").into_iter().collect();
    assert_eq!(signatures.len() as u64, total);
    assert!(column(&back, "cyclic_orders").iter().all(|orders| orders.ends_with('6')));
    std::fs::write(
        folder.path().join("p.toml"),
        "title = \"six\"\n[[symmetric]]\ncells = 27\nfold = 6\n",
    )
    .unwrap();
    assert_eq!(run(folder.path(), &["run", "p.toml"]).status.code(), Some(0));
    let known = stdout(&run(folder.path(), &["query", "--csv"]));
    assert_eq!(column(&known, "signature"), signatures.into_iter().collect::<Vec<_>>());
    let endless = run(folder.path(), &["enumerate", "symmetric", "--class", "Cs", "--cells", "9"]);
    assert_eq!(endless.status.code(), Some(2));
    assert!(stderr(&endless).contains("box"), "{}", stderr(&endless));
    // The 2×2×4 box has 16 cells; 15 of them leave out a cell of one of two kinds.
    let fifteen = ["enumerate", "box", "2x2x4", "--cells", "15", "--format", "soma"];
    assert_eq!(stdout(&run(folder.path(), &fifteen)).matches("/SOMA").count(), 2);
}

/// These are refused with a message, quickly and with little memory.
#[test]
fn hopeless_input_is_a_clear_error() {
    let folder = TempDir::new().unwrap();
    let many: String = (0..10_000).map(|n| format!("{},{},0 ", n % 100, n / 100)).collect();
    let long = vec![b'a'; 3 << 20];
    let one = i64::MAX.to_string();
    let far = format!("{one},0,0 {one},0,1\n");
    let cases: [(&[u8], &str, i32); 7] = [
        (b"", "contains no figure", 1),
        (b"\x00\x01\x02\x7fELF\x00\x00\x00", "binary", 1),
        (&long, "format", 1),
        (many.as_bytes(), "the figure has more than 1024 cells", 3),
        (far.as_bytes(), "lies beyond", 3),
        (b"zero:\n0,0,0 1,0,0\n", "no cells", 3),
        (b"0,0,0 0,0,0\n", "listed twice", 3),
    ];
    for (input, sentence, code) in cases {
        let output = with_input(folder.path(), &["count", "-"], input);
        let error = stderr(&output);
        assert!(error.contains(sentence), "wanted `{sentence}`, got: {error}");
        assert!(!error.contains("panicked"), "{error}");
        assert_eq!(output.status.code(), Some(code), "{error}");
    }
    let directory = run(folder.path(), &["count", "."]);
    assert!(stderr(&directory).contains("there are no files in the folder ."));
    assert_eq!(directory.status.code(), Some(1));
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::write(folder.path().join("plan.toml"), "import = [\"empty\"]\n").unwrap();
    for command in ["run", "units"] {
        let nothing = run(folder.path(), &[command, "plan.toml"]);
        assert!(stderr(&nothing).contains("empty: no files are found there"));
        assert_eq!(nothing.status.code(), Some(1), "{command}");
    }
    let missing = run(folder.path(), &["count", "nowhere.soma"]);
    assert!(stderr(&missing).contains("nowhere.soma"));
    assert_eq!(missing.status.code(), Some(1));
    let usage = run(folder.path(), &["count", "--no-such-flag"]);
    assert_eq!(usage.status.code(), Some(2));
}

#[test]
fn a_second_run_counts_nothing_and_leaves_the_same_rows() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let csv = std::fs::read(folder.path().join("somacat.csv")).unwrap();
    let second = run(folder.path(), &["run", "--threads", "1"]);
    let told = stderr(&second);
    assert_eq!(second.status.code(), Some(0), "{told}");
    assert!(told.contains("solvable") && told.contains("figures were counted before"), "{told}");
    assert_eq!(std::fs::read(folder.path().join("somacat.csv")).unwrap(), csv);
    assert_eq!(stdout(&second), "", "data goes to the files, the summary to standard error");
}

#[test]
fn results_are_the_same_at_any_number_of_threads() {
    let dump = |folder: &Path| {
        let tables =
            ["figure", "source", "name", "fault", "piece_set", "outcome", "published_count"];
        let dump: Vec<String> = tables
            .iter()
            .map(|table| {
                let sql = format!("SELECT * FROM {table}");
                stdout(&run(folder, &["query", "--csv", "--sql", &sql]))
            })
            .collect();
        assert!(dump.iter().all(|table| !table.is_empty()));
        (std::fs::read(folder.join("somacat.csv")).unwrap(), dump)
    };
    // The starter catalog is made on one thread.
    let (one, three) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    starter(one.path());
    let output = run(three.path(), &["run", "--quiet", "--threads", "3"]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    assert_eq!(dump(three.path()), dump(one.path()));
}

#[test]
fn exports_are_written_whole_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let bad = run(folder.path(), &["export", "csv", "no/such/folder/x.csv"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(stderr(&bad).contains("no/such/folder/x.csv"));
    assert!(!stderr(&bad).contains(".part"), "{}", stderr(&bad));
    let soma = run(folder.path(), &["export", "soma", "out.soma", "--cells", "27"]);
    assert_eq!(soma.status.code(), Some(0));
    let first = stdout(&run(folder.path(), &["export", "csv", "--cells", "27"]));
    // The export reads back as the same figures: once for each name, so twice for figures with two names.
    let back = stdout(&run(folder.path(), &["count", "out.soma"]));
    let of = |text: &str| {
        let both: Vec<_> = column(text, "signature").into_iter().zip(column(text, "raw")).collect();
        both
    };
    let mut once = of(&back);
    once.dedup();
    assert_eq!(once, of(&first));
    let names = column(&first, "names");
    let further = names.iter().map(|names| names.matches("; ").count()).sum::<usize>();
    assert_eq!((of(&back).len(), further), (once.len() + further, 1), "{names:?}");
    assert_eq!(
        run(folder.path(), &["export", "cells", "out.cells", "--cells", "27"]).status.code(),
        Some(0)
    );
    let mut back = of(&stdout(&run(folder.path(), &["count", "out.cells"])));
    back.dedup();
    assert_eq!(back, once);
    let lines = stdout(&run(folder.path(), &["export", "jsonl", "--order", "48"]));
    let object: serde_json::Value = serde_json::from_str(lines.trim()).unwrap();
    assert_eq!((object["raw"].as_u64(), object["micros"].is_null()), (Some(11520), true));
}

#[test]
fn verify_recounts_and_finds_a_falsified_row() {
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let sound = run(folder.path(), &["verify", "--nodes", "1000000"]);
    assert_eq!(sound.status.code(), Some(0), "{}{}", stdout(&sound), stderr(&sound));
    let told = stderr(&sound);
    // A slow machine reports its progress first.
    assert!(told.lines().any(|line| line.starts_with("46 rows verified, ")), "{told}");
    let connection = rusqlite::Connection::open(folder.path().join("somacat.db")).unwrap();
    let falsify = "UPDATE outcome SET \"unique\" = 241 WHERE raw = 11520";
    assert_eq!(connection.execute(falsify, []), Ok(1));
    // The other rows and the enumeration were verified before.
    let others = "PRAGMA foreign_keys = OFF; DELETE FROM outcome WHERE raw IS NOT 11520;
        DELETE FROM enumerated; DELETE FROM enumeration_total; DELETE FROM enumeration";
    connection.execute_batch(others).unwrap();
    let found = run(folder.path(), &["verify", "--csv", "--nodes", "1000000"]);
    assert_eq!(found.status.code(), Some(5));
    let row = "s1-3x3x3-zzzzz3,unique,241,240";
    assert!(stdout(&found).contains(row), "{}", stdout(&found));
    assert!(stdout(&found).contains("published by Conway and Guy"), "{}", stdout(&found));
}

/// The views work in a system's sqlite3, not only the built-in one.
#[test]
fn stock_sqlite3_reads_every_view() {
    if Command::new("sqlite3").arg("--version").output().is_err() {
        skipped("sqlite3 is not installed");
        return;
    }
    let folder = TempDir::new().unwrap();
    starter(folder.path());
    let sql = |sql: &str| {
        let output = Command::new("sqlite3")
            .current_dir(folder.path())
            .args(["somacat.db", sql])
            .output()
            .unwrap();
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let views = sql("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name");
    let documented = [
        "disagreements",
        "duplicates",
        "enumerations",
        "figure_rows",
        "figures",
        "names",
        "newsletter_counts",
        "parity_blocked",
        "progress",
        "symmetry_classes",
        "unsolvable",
    ];
    assert_eq!(views.lines().collect::<Vec<_>>(), documented);
    for view in documented {
        sql(&format!("SELECT * FROM {view}"));
    }
    assert_eq!(sql("SELECT count(*) FROM symmetry_classes").trim(), "33");
    assert_eq!(
        sql("SELECT reason, parity FROM unsolvable WHERE name LIKE 'SOMA8%'"),
        "parity|7\nparity|7\n"
    );
    assert_eq!(sql("SELECT count(*) FROM disagreements").trim(), "0");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = TempDir::new().unwrap();
    let maps = "333 333 333\n".repeat(20_000);
    let file = folder.path().join("cubes.txt");
    std::fs::write(&file, maps).unwrap();
    let mut child = somacat(folder.path(), &["symmetry", "cubes.txt"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn every_command_has_help_with_an_example_a_man_page_and_completions() {
    let folder = TempDir::new().unwrap();
    let help = stdout(&run(folder.path(), &["--help"]));
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 9, "{commands:?}");
    let bash = stdout(&run(folder.path(), &["completions", "bash"]));
    let pages = run(folder.path(), &["man", "--out", "pages/man1"]);
    assert_eq!(pages.status.code(), Some(0), "{}", stderr(&pages));
    let page = |name: &str| {
        let path = folder.path().join(format!("pages/man1/somacat{name}.1"));
        std::fs::read_to_string(path).unwrap()
    };
    assert!(page("").contains(".TH") && page("-enumerate-symmetric").contains(".TH"));
    for command in commands {
        let printed = stdout(&run(folder.path(), &["man", command]));
        assert_eq!(page(&format!("-{command}")), printed);
        let text = stdout(&run(folder.path(), &[command, "--help"]));
        assert!(text.contains("Example"), "{command} shows no example");
        assert!(printed.contains(".TH"), "{command} has no manual page");
        assert!(bash.contains(command), "completions miss {command}");
    }
}

/// Lines for people fit an 80-column terminal, unless a word is longer.
#[test]
#[cfg(unix)]
fn lines_fit_a_terminal() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("cube.soma"), "/SOMA-cube\n/***/***/***\n/***/***/***\n/***/***/***\n")
        .unwrap();
    let done = run(folder, &["import", "cube.soma", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    for args in [
        ["symmetry", "cube"].as_slice(),
        &["stand", "cube", "--sample", "2"],
        &["catalog", "diff", "somacat.db", "somacat.db"],
        &["census", "2x2x3", "--set", "V L"],
        &["verify"],
    ] {
        for (shown, done) in
            [in_terminal(somacat(folder, args)), messages_in_terminal(somacat(folder, args))]
        {
            assert_eq!(done.status.code(), Some(0), "{args:?}: {shown}");
            // A bar is erased before it is drawn again.
            let shown = shown.replace("\u{1b}[2K", "");
            let wide = shown.split(['\n', '\r']).find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{args:?}: {shown}");
        }
    }
    // Nothing is broken in a pipe.
    let piped = run(folder, &["catalog", "diff", "somacat.db", "somacat.db"]);
    assert_eq!(stderr(&piped).lines().count(), 1, "{}", stderr(&piped));
}

#[test]
fn builds_between_releases_name_their_commit() {
    for (described, version) in [
        ("", "0.1.0"),
        ("v0.1.0", "0.1.0"),
        ("1a2b3c4", "0.1.0+1a2b3c4"),
        ("1a2b3c4-modified", "0.1.0+1a2b3c4.modified"),
        ("v0.1.0-modified", "0.1.0+modified"),
        ("v0.1.0-5-g1a2b3c4", "0.1.0+5.g1a2b3c4"),
    ] {
        assert_eq!(full_version("0.1.0", described), version);
    }
}
