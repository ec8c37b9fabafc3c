//! `count`, `solve`, `enumerate`, `symmetry` and `verify` in their corners: stopped, given pieces in
//! place, asked what makes no sense.

#![allow(clippy::unwrap_used)] // A test that cannot go on may panic.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn somacat(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_somacat"));
    command.current_dir(folder).args(args).env_remove("SOMACAT_DB");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the program says: standard output, standard error, exit code.
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
    let mut child = somacat(folder, args).stdin(Stdio::piped()).spawn().unwrap();
    // The program may refuse its input before it has read all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap().into()
}

fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().unwrap().iter().position(|h| h == name).unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}

/// Sends SIGTERM as soon as the program is surely at work.
#[cfg(unix)]
fn stopped(args: &[&str], input: &str) -> Said {
    stopped_in(TempDir::new().unwrap().path(), args, input)
}

#[cfg(unix)]
fn stopped_in(folder: &Path, args: &[&str], input: &str) -> Said {
    let mut child = somacat(folder, args).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap().into()
}

/// The 3×3×6 box out of three SOMAs has choices for hours: none of them is called unsolvable when
/// the time is cut short.
#[test]
#[cfg(unix)]
fn a_stopped_partial_count_claims_nothing() {
    let said = stopped(&["count", "--partial", "--set", "3xSOMA", "-"], "box: 666 666 666\n");
    assert_eq!(said.code, Some(75), "{}", said.err);
    let verdicts = column(&said.out, "verdict");
    assert!(verdicts.iter().all(|verdict| verdict != "unsolvable"), "{}", said.out);
    assert_eq!(verdicts.last().map(String::as_str), Some("unknown"), "{}", said.out);
    assert_eq!(column(&said.out, "pieces").last().map(String::as_str), Some(""));
    assert!(said.err.contains("choices of pieces not tried"), "{}", said.err);
}

/// An L fixed along an edge of the cube.
const L_IN_PLACE: &str = "/SOMA-x\n/2**/***/***\n/2**/***/***\n/22*/***/***\n";

#[test]
fn partial_counts_keep_the_pieces_in_place() {
    let whole = run(&["count", "-"], L_IN_PLACE);
    let partial = run(&["count", "--partial", "-"], L_IN_PLACE);
    assert_eq!(column(&partial.out, "pieces"), ["V L T Z A B P"]);
    for name in ["raw", "rotation", "unique", "verdict"] {
        assert_eq!(column(&partial.out, name), column(&whole.out, name), "{}", partial.out);
    }
    // An L is in place, so every choice has one; without it other choices work too.
    let count = |text| run(&["count", "--partial", "--set", "2xSOMA", "-"], text);
    let held = column(&count("/SOMA-y\n/222/***\n/2**/***\n").out, "pieces");
    assert!(!held.is_empty() && held.iter().all(|pieces| pieces.contains('L')), "{held:?}");
    let free = column(&count("/SOMA-y\n/111/111\n/111/111\n").out, "pieces");
    assert!(free.iter().any(|pieces| !pieces.contains('L')), "{free:?}");
    let wrong = run(&["count", "--partial", "-"], "/SOMA-z\n/22*\n/22*\n/***\n");
    assert_eq!((wrong.code, column(&wrong.out, "verdict")), (Some(3), vec!["failed".to_owned()]));
    assert!(wrong.out.contains("do not have its shape"), "{}", wrong.out);
}

#[test]
fn moving_parts_is_refused_where_it_makes_no_sense() {
    let said = run(&["count", "--by-part", "-"], L_IN_PLACE);
    assert_eq!(said.code, Some(3));
    assert_eq!(column(&said.out, "unique_by_part"), [""]);
    assert_eq!(column(&said.out, "verdict"), ["counted"]);
    assert!(said.err.contains("would move the pieces in place"), "{}", said.err);
    let apart: String = (0..17).map(|x| format!("{},0,0 {},1,0 ", 2 * x, 2 * x)).collect();
    let many = run(&["count", "--by-part", "--set", "D17", "-"], &apart);
    assert_eq!((many.code, column(&many.out, "unique_by_part")), (Some(3), vec![String::new()]));
    assert!(many.err.contains("up to 16 parts; this has 17"), "{}", many.err);
    let sound = run(&["count", "--by-part", "--set", "V2", "-"], "11000 10011 00001\n");
    assert_eq!((sound.code, column(&sound.out, "unique_by_part")), (Some(0), vec!["1".to_owned()]));
}

#[test]
fn verify_finds_every_falsified_column_and_says_what_it_left_out() {
    let folder = TempDir::new().unwrap();
    let verify = |more: &[&str]| run_in(folder.path(), &[&["verify", "--csv"], more].concat(), "");
    let maps = "cube: 333 333 333\nbar: 9 9 9\nodd: 22222 22222 22200 00001\nlate: 67 77\n";
    std::fs::write(folder.path().join("maps.txt"), maps).unwrap();
    run_in(folder.path(), &["import", "-q", "maps.txt"], "");
    let sound = verify(&[]);
    assert_eq!((sound.code, sound.out.lines().count()), (Some(0), 1), "{}{}", sound.out, sound.err);
    assert!(sound.err.contains("4 rows verified, 4 recounted, 0 mismatches"), "{}", sound.err);
    let short = verify(&["--steps", "1000"]);
    assert_eq!(short.code, Some(0));
    assert!(short.err.contains("not recounted"), "{}", short.err);
    assert!(short.err.contains("would take more than 1000 placements"), "{}", short.err);
    let connection = rusqlite::Connection::open(folder.path().join("somacat.db")).unwrap();
    for (change, what) in [
        ("UPDATE figure SET box = '3x3x4' WHERE box = '3x3x3'", "box,3x3x4,3x3x3"),
        ("UPDATE figure SET parts = 3 WHERE parts = 2", "parts,3,2"),
        ("UPDATE outcome SET reason = 'parity' WHERE reason = 'no-fit'", "reason,parity,no-fit"),
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
    let import = ["import", "--nodes", "100000", "-"];
    assert_eq!(run_in(folder.path(), &import, "box: 666 666 666\n").code, Some(0));
    let steps = u64::MAX.to_string();
    let said = stopped_in(folder.path(), &["verify", "--steps", &steps], "");
    assert_eq!(said.code, Some(75), "{}", said.err);
    assert!(said.err.contains("0 rows verified"), "{}", said.err);
}
