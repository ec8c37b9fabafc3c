//! Special cases of `count`, `solve`, `enumerate`, `symmetry` and `verify`: stopped, given pieces in place, given
//! invalid arguments.

use crate::support::program::{column, signal, somacat, start, with_input};
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use tempfile::TempDir;

/// The program's standard output, standard error and exit code.
struct Said {
    out: String,
    err: String,
    code: Option<i32>,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { out: text(output.stdout), err: text(output.stderr), code: output.status.code() }
    }
}

fn run(args: &[&str], input: &str) -> Said {
    run_in(TempDir::new().unwrap().path(), args, input)
}

fn run_in(folder: &Path, args: &[&str], input: &str) -> Said {
    with_input(folder, args, input.as_bytes()).into()
}

/// Sends SIGTERM as soon as the program handles it.
#[cfg(unix)]
fn stopped(args: &[&str], input: &str) -> Said {
    stopped_in(TempDir::new().unwrap().path(), args, input)
}

#[cfg(unix)]
fn stopped_in(folder: &Path, args: &[&str], input: &str) -> Said {
    let child = start(folder, args, input.as_bytes());
    signal(&child, "TERM");
    child.wait_with_output().unwrap().into()
}

/// The choices for the 3×3×6 box from three SOMAs take hours. None is called unsolvable after a stop.
///
/// A box is an argument that the program knows before it handles signals. Figures on standard input may come after.
#[test]
#[cfg(unix)]
fn a_stopped_partial_count_claims_nothing() {
    let said = stopped(&["count", "--partial", "--set", "3xSOMA", "3x3x6"], "");
    assert_eq!(said.code, Some(75), "{}", said.err);
    let verdicts = column(&said.out, "verdict");
    assert!(verdicts.iter().all(|verdict| verdict != "unsolvable"), "{}", said.out);
    assert_eq!(verdicts.last().map(String::as_str), Some("unknown"), "{}", said.out);
    assert_eq!(column(&said.out, "pieces").last().map(String::as_str), Some(""));
    assert!(said.err.contains("of pieces; others were not counted"), "{}", said.err);
}

/// An L in place along an edge of the cube.
const L_IN_PLACE: &str = "/SOMA-x\n/2**/***/***\n/2**/***/***\n/22*/***/***\n";

#[test]
fn verify_finds_every_falsified_column_and_reports_unchecked_counts() {
    let folder = TempDir::new().unwrap();
    let verify = |more: &[&str]| run_in(folder.path(), &[&["verify", "--csv"], more].concat(), "");
    let maps = "cube: 333 333 333\nbar: 9 9 9\nodd: 22222 22222 22200 00001\nlate: 67 77\n";
    std::fs::write(folder.path().join("maps.txt"), maps).unwrap();
    run_in(folder.path(), &["import", "-q", "maps.txt"], "");
    let sound = verify(&[]);
    assert_eq!((sound.code, sound.out.lines().count()), (Some(0), 1), "{}{}", sound.out, sound.err);
    assert!(sound.err.contains("4 rows verified, 4 recounted, 0 mismatches"), "{}", sound.err);
    // Too few for the packings that are invariant under a symmetry of the cube.
    let short = verify(&["--nodes", "10"]);
    assert_eq!(short.code, Some(0));
    assert!(short.err.contains("not recounted"), "{}", short.err);
    assert!(short.err.contains("need more memory or more than 10 placements"), "{}", short.err);
    let connection = rusqlite::Connection::open(folder.path().join("somacat.db")).unwrap();
    for (change, what) in [
        ("UPDATE figure SET box = '3x3x4' WHERE box = '3x3x3'", "box,3x3x4,3x3x3"),
        ("UPDATE figure SET parts = 3 WHERE parts = 2", "parts,3,2"),
        (
            "UPDATE outcome SET reason_id = (SELECT id FROM reason WHERE name = 'parity')
             WHERE reason_id = (SELECT id FROM reason WHERE name = 'no-fit')",
            "reason,parity,no-fit",
        ),
    ] {
        assert_eq!(connection.execute(change, []), Ok(1), "{change}");
        let found = verify(&[]);
        assert_eq!(found.code, Some(5), "{change}");
        assert!(found.out.contains(what), "{what} is not in {}", found.out);
    }
}

#[test]
#[cfg(unix)]
fn verify_stops_in_the_middle_of_a_recount() {
    let folder = TempDir::new().unwrap();
    // 10^14 packings: counted by dynamic programming, and too many to visit.
    let board = format!("board: {}\n", ["1111111111"; 12].join(" "));
    let import = ["import", "--set", "D60", "-"];
    assert_eq!(run_in(folder.path(), &import, &board).code, Some(0));
    let steps = u64::MAX.to_string();
    let said = stopped_in(folder.path(), &["verify", "--nodes", &steps], "");
    assert_eq!(said.code, Some(75), "{}", said.err);
    assert!(said.err.contains("0 rows verified"), "{}", said.err);
}

/// A bound is proved by as many packings, not by all: visiting those of a double set takes hours.
#[test]
fn verify_proves_bounds_of_figures_with_too_many_packings() {
    let folder = TempDir::new().unwrap();
    let import = ["import", "--nodes", "20000", "-"];
    assert_eq!(run_in(folder.path(), &import, "box: 666 666 666\n").code, Some(0));
    let said = run_in(folder.path(), &["verify"], "");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("1 row verified, 1 recounted, 0 mismatches"), "{}", said.err);
}

/// Replays a trace like a viewer and returns every packing found.
fn replayed(trace: &serde_json::Value) -> Vec<Vec<(String, Vec<u64>)>> {
    let piece = |p: &serde_json::Value| -> (String, Vec<u64>) {
        let cells = p["cells"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap());
        (p["piece"].as_str().unwrap().to_owned(), cells.collect())
    };
    let in_place: Vec<_> = trace["placed"].as_array().unwrap().iter().map(piece).collect();
    let cells = trace["cells"].as_array().unwrap().len();
    let (mut lying, mut packings) = (Vec::new(), Vec::new());
    for (at, step) in trace["steps"].as_array().unwrap().iter().enumerate() {
        assert_eq!(step["n"].as_u64(), Some(at as u64 + 1));
        let depth = step["depth"].as_u64().unwrap() as usize;
        assert!(depth <= lying.len(), "step {at} leaves a depth out");
        lying.truncate(depth);
        lying.push(piece(step));
        let mut free = vec![true; cells];
        for &cell in in_place.iter().chain(&lying).flat_map(|(_, cells)| cells) {
            let was_free = std::mem::replace(&mut free[cell as usize], false);
            assert!(was_free, "pieces overlap at step {at}");
        }
        let solved = !free.contains(&true);
        assert_eq!(step["solved"].as_bool(), Some(solved), "step {at}");
        if solved {
            let mut all = [in_place.clone(), lying.clone()].concat();
            all.sort();
            packings.push(all);
        }
    }
    packings
}

#[test]
fn a_replayed_trace_gives_exactly_the_packings() {
    let cases = [
        (vec!["--set", "SOMA"], "tower: 67 77\n"),
        (vec!["--set", "SOMA"], L_IN_PLACE),
        (vec!["--set", "V4 L D"], "box: 33 33 33\n"),
        (vec!["--set", "D6"], "box: 33 33\n"),
        (vec!["--set", "2xSOMA", "--limit", "1"], "box: 222222222 222222222 222222222\n"),
    ];
    for (more, input) in cases {
        let trace =
            run(&[&["solve", "--trace", "--steps", "1000000", "-"], &more[..]].concat(), input);
        assert_eq!(trace.code, Some(0), "{}", trace.err);
        let trace: serde_json::Value = serde_json::from_str(&trace.out).unwrap();
        assert_eq!(trace["complete"].as_bool(), Some(!more.contains(&"--limit")), "{more:?}");
        let found = replayed(&trace);
        assert_eq!(trace["packings"].as_u64(), Some(found.len() as u64));
        let cells: Vec<[i64; 3]> = serde_json::from_value(trace["cells"].clone()).unwrap();
        let packings = run(&[&["solve", "--jsonl", "-"], &more[..]].concat(), input);
        let packing = |line: &str| {
            let packing: serde_json::Value = serde_json::from_str(line).unwrap();
            let piece = |p: &serde_json::Value| {
                let list: Vec<[i64; 3]> = serde_json::from_value(p["cells"].clone()).unwrap();
                let at = |c| cells.iter().position(|cell| cell == c).unwrap() as u64;
                (p["piece"].as_str().unwrap().to_owned(), list.iter().map(at).collect())
            };
            let mut pieces: Vec<(String, Vec<u64>)> =
                packing["pieces"].as_array().unwrap().iter().map(piece).collect();
            pieces.sort();
            pieces
        };
        assert_eq!(found, packings.out.lines().map(packing).collect::<Vec<_>>(), "{more:?}");
        assert!(!found.is_empty(), "{more:?} has no packing: too weak a case");
    }
    let cut = run(&["solve", "--trace", "--steps", "77", "-"], "cube: 333 333 333\n");
    let cut: serde_json::Value = serde_json::from_str(&cut.out).unwrap();
    assert_eq!(
        (cut["steps"].as_array().unwrap().len(), cut["complete"].as_bool()),
        (77, Some(false))
    );
    let none = run(&["solve", "--trace", "-"], "bar: 9 9 9\n");
    let none: serde_json::Value = serde_json::from_str(&none.out).unwrap();
    assert_eq!((none["packings"].as_u64(), none["complete"].as_bool()), (Some(0), Some(true)));
}

/// Every output format has the same 4 packings.
#[test]
fn solve_takes_every_output_flag() {
    let solve = |flag: &str| {
        let said = run(&["solve", "--set", "P2", flag, "-"], "box: 22 22\n");
        assert_eq!(said.code, Some(0), "{}", said.err);
        said.out
    };
    let rows = solve("--csv");
    assert_eq!(column(&rows, "packing"), ["1", "1", "2", "2", "3", "3", "4", "4"]);
    assert!(column(&rows, "cells").iter().all(|cells| cells.split(' ').count() == 4), "{rows}");
    assert_eq!(solve("--tsv").replace('\t', ",").lines().next(), rows.lines().next());
    let list: Vec<serde_json::Value> = serde_json::from_str(&solve("--json")).unwrap();
    let lines = solve("--jsonl");
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap());
    assert_eq!(list, lines.collect::<Vec<serde_json::Value>>());
    assert_eq!(list.len(), 4);
    assert!(solve("--table").contains("packing"));
    let nothing = run(&["solve", "--set", "T2", "--json", "-"], "box: 22 22\n");
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), "[]\n"), "{}", nothing.err);
}

#[test]
fn enumerate_takes_every_output_flag() {
    let base = ["enumerate", "box", "2x2x3", "--cells", "6"];
    let list = |more: &[&str]| {
        let said = run(&[&base[..], more].concat(), "");
        assert_eq!(said.code, Some(0), "{}", said.err);
        said.out
    };
    let plain: Vec<String> = list(&[]).lines().map(str::to_owned).collect();
    assert_eq!(column(&list(&["--csv"]), "cells"), plain);
    assert_eq!(list(&["--tsv"]).lines().count(), plain.len() + 1);
    assert_eq!(list(&["--jsonl"]), list(&["--format", "jsonl"]));
    let all: Vec<serde_json::Value> = serde_json::from_str(&list(&["--json"])).unwrap();
    assert_eq!(all.len(), plain.len());
    assert!(list(&["--table"]).contains("signature"));
    let both = run(&[&base[..], &["--csv", "--format", "soma"]].concat(), "");
    assert_eq!(both.code, Some(2), "{}", both.err);
}

#[test]
fn options_without_effect_are_not_shown_and_an_empty_variable_is_none() {
    let help = |command: &str| run(&[command, "--help"], "").out;
    for command in ["enumerate", "completions", "man"] {
        assert!(!help(command).contains("--db"), "{command}");
    }
    assert!(!help("symmetry").contains("--threads") && help("count").contains("--threads"));
    for command in ["run", "query", "solve", "verify"] {
        assert!(help(command).contains("--db"), "{command}");
    }
    // Hidden options are still accepted anywhere.
    let said = run(&["count", "--db", "x.db", "--quiet", "-"], "333 333 333\n");
    assert_eq!(said.code, Some(0), "{}", said.err);
    let folder = TempDir::new().unwrap();
    let import = somacat(folder.path(), &["import", "-q", "--no-count", "-"])
        .env("SOMACAT_DB", "")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut import = import.unwrap();
    import.stdin.take().unwrap().write_all(b"333 333 333\n").unwrap();
    let import = Said::from(import.wait_with_output().unwrap());
    assert_eq!(import.code, Some(0), "{}", import.err);
    assert!(folder.path().join("somacat.db").exists());
    assert_eq!(
        run_in(folder.path(), &["query", "--db", "somacat.db", "--fail-if-empty"], "").code,
        Some(0)
    );
}

#[test]
fn manual_pages_show_whole_commands_and_their_options() {
    let page = |names: &[&str]| run(&[&["man"], names].concat(), "").out;
    let nested = page(&["enumerate", "symmetric"]);
    assert!(nested.contains("somacat\\-enumerate\\-symmetric \\-"), "{nested}");
    assert!(nested.contains("\\fBsomacat enumerate symmetric\\fR"), "{nested}");
    assert!(nested.contains("\\-\\-threads") && !nested.contains("\\-\\-db"), "{nested}");
    let query = page(&["query"]);
    assert!(query.contains("\\fBsomacat query\\fR") && query.contains("\\-\\-db"), "{query}");
    assert!(page(&[]).contains("somacat\\-enumerate(1)"));
}

/// docs/commands.md lists all exit codes of the program and no others.
#[test]
fn the_table_of_exit_codes_is_complete() {
    let document = std::fs::read_to_string("docs/commands.md").unwrap();
    let table = document.split("## Exit codes").nth(1).unwrap();
    let codes: Vec<i32> =
        table.lines().filter_map(|line| line.split('|').nth(1)?.trim().parse().ok()).collect();
    assert_eq!(codes, somacat::cli::Exit::ALL.map(|(exit, _)| exit as i32));
    let help = run(&["--help"], "").out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (exit, meaning) in somacat::cli::Exit::ALL {
        assert!(help.contains(&format!("{} {meaning}", exit as i32)), "{exit:?}");
    }
}

/// A long search of one figure is shared by all threads. Its counts and nodes, and the bounds of a limited one, do not
/// depend on their number: two figures are symmetric, one is not, and one set has no equal pieces.
#[test]
fn one_figure_counts_the_same_on_any_number_of_threads() {
    for (set, figure, nodes) in [
        ("pentominoes", "22222 22222 22222 22222 22222 22222", ["1000000000", "60001", "90001"]),
        ("2xSOMA", "666 666 666", ["60000", "70000", "123456"]),
        ("2xSOMA", "4444 4443 4443 3221", ["60000", "70000", "90001"]),
    ] {
        for nodes in nodes {
            let count = |threads| {
                let args = ["count", "-", "--csv", "--format", "heightmap", "--engine", "search"];
                let more = ["--set", set, "--nodes", nodes, "--threads", threads];
                let said = run(&[&args[..], &more].concat(), figure);
                ["verdict", "raw", "unique", "nodes"].map(|name| column(&said.out, name))
            };
            let one = count("1");
            assert!(
                one[0] == ["counted"] || one[0] == ["at-least"] || one[0] == ["undecided"],
                "{one:?}"
            );
            for threads in ["2", "5"] {
                assert_eq!(one, count(threads), "{set}, {nodes} nodes, {threads} threads");
            }
        }
    }
}
