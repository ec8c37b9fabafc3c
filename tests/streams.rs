//! Pipes, devices, links and file modes as inputs and outputs.

use crate::support::night::{assert_sound, ended, number, wait_until};
use crate::support::program::{run, signal, somacat, start, starter, stderr, stdout, with_input};
use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn pipe(folder: &Path, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.join(name)).status().unwrap().success());
}

/// A reader that closes the pipe early is not an error. An example is `head -1`, which closes it after a line. This
/// applies to any command and output, even if there is far more to write than a pipe holds.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let listed = run(folder, &["enumerate", "box", "2x2x4", "--cells", "8", "-q"]);
    fs::write(folder.join("many.cells"), &listed.stdout).unwrap();
    let few: Vec<&str> = std::str::from_utf8(&listed.stdout).unwrap().lines().take(60).collect();
    fs::write(folder.join("few.cells"), few.join("\n")).unwrap();
    let many = run(folder, &["import", "many.cells", "--set", "L P", "-q"]);
    assert!(matches!(many.status.code(), Some(0 | 3)), "{}", stderr(&many));
    let sql = "SELECT a.* FROM figures a, figures b LIMIT 200000";
    let styled: &[&[&str]] = &[
        &["count", "many.cells"],
        &["symmetry", "many.cells"],
        &["solve", "--set", "2xSOMA", "--limit", "2000", "cube.soma"],
        &["enumerate", "box", "2x3x4", "--cells", "12", "-q"],
        &["enumerate", "box", "2x3x4", "--cells", "12", "--count", "-q"],
        &["census", "2x2x4", "--set", "V L T", "--keep", "all", "-q"],
        &["query"],
        &["query", "--like", "many.cells"],
        &["query", "--sql", sql],
        &["status"],
        &["verify", "--sample", "3"],
        &["catalog", "check"],
        &["catalog", "diff", "somacat.db", "somacat.db"],
    ];
    let plain: &[&[&str]] = &[
        &["export", "csv", "-"],
        &["export", "tsv", "-"],
        &["export", "jsonl", "-"],
        &["export", "soma", "-"],
        &["export", "cells", "-"],
        &["export", "xmpuzzle", "-", "--top", "500"],
        &["export", "stl", "-", "--what", "pieces"],
        &["export", "obj", "-", "--what", "pieces"],
        &["show", "few.cells", "--set", "L P"],
        &["show", "--json", "few.cells", "--set", "L P"],
        &["solve", "--trace", "cube.soma"],
        &["export", "newsletter", "--print-template", "html"],
        &["man"],
        &["completions", "bash"],
        &["--help"],
    ];
    fs::write(folder.join("cube.soma"), "/SOMA-cube\n/666/666/666\n".replace('6', "*")).unwrap();
    let styles =
        [None, Some("--csv"), Some("--tsv"), Some("--json"), Some("--jsonl"), Some("--table")];
    let mut commands: Vec<Vec<&str>> = plain.iter().map(|args| args.to_vec()).collect();
    for args in styled {
        commands.extend(styles.iter().map(|style| args.iter().copied().chain(*style).collect()));
    }
    for args in commands {
        let mut child = somacat(folder, &args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        reader.read_until(b'\n', &mut Vec::new()).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    }
}

/// A reader that ends at once is not an error: `prove … | true`.
#[test]
fn a_pipe_that_is_closed_at_once_is_not_an_error() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("row.cells"), "0,0,0 1,0,0 2,0,0 3,0,0 4,0,0\n").unwrap();
    for args in [["prove", "row.cells", "--set", "V D"].as_slice(), &["count", "row.cells"]] {
        let mut command = somacat(folder.path(), args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let done = command.stdout(writer).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
    }
}

/// Figures from a slow pipe are committed soon. They survive a kill of the program.
#[test]
fn figures_of_a_slow_pipe_survive_a_kill() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let mut child = somacat(folder, &["import", "-", "--set", "V", "-q"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "first: 0,0,0 1,0,0 0,1,0\nsecond: 0,0,0 1,0,0 2,0,0").unwrap();
    let known = || number(folder, "somacat.db", "SELECT count(*) FROM name");
    wait_until(&mut child, |_| known() == 2);
    writeln!(input, "third: 0,0,0 1,0,0 0,2,0").unwrap();
    wait_until(&mut child, |_| known() == 3);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(known(), 3);
    // The next run merges the files of the catalog.
    let again = with_input(folder, &["import", "-", "--set", "V", "-q"], b"0,0,0 1,0,0 0,1,0\n");
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_sound(&folder.join("somacat.db"));
}

/// A stop works while a pipe is silent: before any figure, after some, and while a named pipe has no writer.
#[test]
fn a_stop_works_while_a_pipe_is_silent() {
    let stopped = |args: &[&str], input: &str| {
        let folder = TempDir::new().unwrap();
        pipe(folder.path(), "named");
        let mut child = somacat(folder.path(), args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The pipe stays open all the time.
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(input.as_bytes()).unwrap();
        let importing = args[0] == "import" && !input.is_empty();
        let known = || number(folder.path(), "somacat.db", "SELECT count(*) FROM figure") > 0;
        if importing {
            wait_until(&mut child, |_| known());
        }
        signal(&child, "INT");
        let output = ended(child);
        assert_eq!(output.status.code(), Some(75), "{args:?}: {}", stderr(&output));
        // A source without figures leaves no catalog behind.
        let catalog = folder.path().join("somacat.db");
        assert_eq!(catalog.exists(), importing, "{args:?}");
        if importing {
            assert_sound(&catalog);
        }
        drop(pipe);
    };
    std::thread::scope(|scope| {
        for (args, input) in [
            (["import", "-", "--set", "V"].as_slice(), ""),
            (&["import", "-", "--set", "V"], "0,0,0 1,0,0 0,1,0\n"),
            (&["import", "named", "--set", "V"], ""),
            (&["count", "-", "--set", "V"], ""),
            (&["count", "-", "--set", "V"], "0,0,0 1,0,0 0,1,0\n"),
            (&["count", "named", "--set", "V"], ""),
            (&["solve", "-", "--set", "V"], "0,0,0 1,0,0 0,1,0\n"),
        ] {
            scope.spawn(move || stopped(args, input));
        }
    });
}

/// Ctrl-C ends a user's endless statement, with or without rows.
#[test]
fn a_statement_without_end_is_ended_by_a_signal() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";
    for (what, style) in
        [("count(*) FROM n", "--csv"), ("i FROM n", "--csv"), ("i FROM n", "--table")]
    {
        let sql = format!("{numbers} {what}");
        let mut command = somacat(folder, &["query", style, "--sql", &sql]);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        // Like Ctrl-C, which is ignored where tests run in the background.
        signal(&child, "TERM");
        assert_eq!(child.wait().unwrap().code(), Some(75), "{sql}");
    }
}

/// A limit on the database's own time ends an endless statement.
#[test]
fn a_statement_without_end_is_bounded() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";
    for what in ["count(*) FROM n", "i FROM n WHERE i % 1000000 = 0"] {
        let sql = format!("{numbers} {what}");
        let done = run(folder, &["query", "--csv", "--time-limit", "200ms", "--sql", &sql]);
        assert_eq!(done.status.code(), Some(1), "{sql}");
        let words = "the statement took longer than 200ms; allow more time";
        assert!(stderr(&done).contains(words), "{}", stderr(&done));
    }
}

#[test]
fn a_source_without_figures_creates_no_catalog() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("empty.soma"), "").unwrap();
    fs::write(folder.join("binary.soma"), b"\0\0\0").unwrap();
    fs::create_dir(folder.join("none")).unwrap();
    for args in [
        ["import", "typo.soma"].as_slice(),
        &["import", "empty.soma", "typo.soma", "binary.soma"],
        &["import", "none"],
    ] {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(!stderr(&output).is_empty() && !folder.join("somacat.db").exists(), "{args:?}");
    }
    // One source with figures is enough, at any position.
    fs::write(folder.join("good.soma"), "/SOMA-a\n/***/***/***\n/***/***/***\n/***/***/***\n")
        .unwrap();
    let output = run(folder, &["import", "typo.soma", "good.soma", "empty.soma", "--no-count"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(number(folder, "somacat.db", "SELECT count(*) FROM figure"), 1);
}

/// Devices and named pipes are written to and never replaced. They are not opened for reading, and no write blocks
/// forever.
#[test]
fn devices_and_pipes_are_written_to() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    for out in ["/dev/null", "/dev/stdout"] {
        let done = run(folder, &["run", "-q", "--out", out]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_eq!(stdout(&done).starts_with("name,"), out == "/dev/stdout");
    }
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let csv = run(folder, &["export", "csv", "-"]).stdout;
    // A file as standard output is written to, not replaced.
    let out = File::create(folder.join("out.csv")).unwrap();
    let inode = out.metadata().unwrap().ino();
    let mut command = somacat(folder, &["export", "csv", "/dev/stdout"]);
    assert!(command.stdout(out).status().unwrap().success());
    assert_eq!(fs::read(folder.join("out.csv")).unwrap(), csv);
    assert_eq!(fs::metadata(folder.join("out.csv")).unwrap().ino(), inode);
    pipe(folder, "named");
    for args in [
        ["export", "csv", "named"].as_slice(),
        &["run", "-q", "--out", "named"],
        &["show", "cube", "--svg", "named"],
    ] {
        let child = start(folder, args, b"");
        let mut text = Vec::new();
        File::open(folder.join("named")).unwrap().read_to_end(&mut text).unwrap();
        let done = ended(child);
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        assert!(
            if args[0] == "show" { text.starts_with(b"<svg") } else { text == csv },
            "{args:?}"
        );
        assert!(fs::metadata(folder.join("named")).unwrap().file_type().is_fifo());
    }
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_its_links() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    let there = folder.join("there");
    fs::create_dir(&there).unwrap();
    let secret = there.join("secret.csv");
    fs::write(&secret, "old").unwrap();
    symlink(&secret, folder.join("link.csv")).unwrap();
    for mode in [0o600, 0o640, 0o644] {
        fs::set_permissions(&secret, Permissions::from_mode(mode)).unwrap();
        let done = run(folder, &["export", "csv", "link.csv"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert_eq!(fs::metadata(&secret).unwrap().permissions().mode() & 0o777, mode);
        assert!(fs::read_to_string(&secret).unwrap().starts_with("name,"));
        assert!(folder.join("link.csv").is_symlink());
    }
    assert_eq!(fs::read_dir(&there).unwrap().count(), 1);
    // A link to a missing file leads to the new file.
    symlink("there/new.csv", folder.join("ahead.csv")).unwrap();
    symlink("ahead.csv", folder.join("further.csv")).unwrap();
    let done = run(folder, &["export", "csv", "further.csv"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(fs::read(there.join("new.csv")).unwrap(), fs::read(&secret).unwrap());
    assert!(folder.join("ahead.csv").is_symlink() && folder.join("further.csv").is_symlink());
    symlink("circle.csv", folder.join("circle.csv")).unwrap();
    let done = run(folder, &["export", "csv", "circle.csv"]);
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
}

/// A reader sees the old or the new gallery at every moment.
#[test]
#[cfg(target_os = "linux")]
fn a_gallery_is_never_missing() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    starter(folder);
    let export = || run(folder, &["export", "gallery", "site", "-q", "--top", "1"]);
    assert_eq!(export().status.code(), Some(0));
    let (index, done) = (folder.join("site/index.html"), AtomicBool::new(false));
    let missing = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut missing = 0;
            while !done.load(Ordering::Relaxed) {
                missing += u64::from(!index.exists());
            }
            missing
        });
        for _ in 0..5 {
            assert_eq!(export().status.code(), Some(0));
        }
        done.store(true, Ordering::Relaxed);
        watch.join().unwrap()
    });
    assert_eq!(missing, 0);
}
