//! Outputs, catalogs and logs by the type of the file: regular files anywhere, devices, pipes, folders, databases and
//! the files that belong to them.

use crate::support::night::{assert_sound, ended};
use crate::support::program::{run, signal, somacat, start, stderr, stdout};
use crate::support::skipped::skipped;
use crate::support::terminal::in_terminal;
use std::fs::{self, File};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Creates a folder with two figures, their plan and their catalog. V and L build one figure, but not the other.
fn folder_with_catalog(at: &Path) -> TempDir {
    let folder = TempDir::new_in(at).unwrap();
    let figures = "good: 0,0,0 1,0,0 0,1,0 2,0,0 2,1,0 1,1,0 3,0,0\nbad: 0,0,0 1,0,0 2,0,0 3,0,0 4,0,0 5,0,0 6,0,0\n";
    fs::write(folder.path().join("two.cells"), figures).unwrap();
    let plan = "title = \"two\"\nset = \"V L\"\nimport = [\"two.cells\"]\n";
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let done = run(folder.path(), &["run", "plan.toml", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    folder
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The options that name an output file.
const OUTPUTS: [(&[&str], &str); 6] = [
    (&["export", "csv", "OUT"], "name,"),
    (&["export", "stl", "OUT", "--figure", "good", "--set", "V L"], ""),
    (&["show", "good", "--svg", "OUT"], "<svg"),
    (&["map", "good", "--dot", "OUT"], "graph"),
    (&["prove", "bad", "OUT"], ""),
    (&["run", "plan.toml", "-q", "--out", "OUT"], "name,"),
];

fn with_output<'a>(args: &[&'a str], out: &'a str) -> Vec<&'a str> {
    args.iter().map(|arg| if *arg == "OUT" { out } else { arg }).collect()
}

/// The type of the file decides, wherever it lies. Outputs that cannot be replaced stay unchanged.
#[test]
fn outputs_follow_the_type_of_the_file() {
    let folder = folder_with_catalog(Path::new("/dev/shm"));
    let folder = folder.path();
    fs::create_dir(folder.join("folder")).unwrap();
    let catalog = fs::read(folder.join("somacat.db")).unwrap();
    let mut device = Command::new("mknod");
    let device = device.current_dir(folder).args(["block", "b", "7", "200"]).output().unwrap();
    for (args, beginning) in OUTPUTS {
        let written = |out: &str| run(folder, &with_output(args, out));
        // A long old file is replaced as a whole, also on a file system in memory.
        fs::write(folder.join("out"), "old ".repeat(100_000)).unwrap();
        let done = written("out");
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        let whole = fs::read(folder.join("out")).unwrap();
        assert!(!whole.is_empty() && whole.starts_with(beginning.as_bytes()), "{args:?}");
        assert!(!whole.ends_with(b"old "), "{args:?}");
        // A hyphen is standard output.
        let done = written("-");
        assert_eq!((done.status.code(), &done.stdout), (Some(0), &whole), "{args:?}");
        assert!(!folder.join("-").exists(), "{args:?}");
        for (out, code, words) in [
            ("/dev/null", 0, ""),
            ("/dev/full", 1, "No space left"),
            ("folder", 1, "is a directory"),
            ("block", 1, "is a block device"),
            ("somacat.db", 1, "somacat.db"),
            ("somacat.db-wal", 1, "belongs to the database"),
            ("somacat.db-shm", 1, "belongs to the database"),
            ("somacat.db-journal", 1, "belongs to the database"),
        ] {
            if out == "block" && !device.status.success() {
                skipped("only root can make a block device");
                continue;
            }
            let done = written(out);
            assert_eq!(done.status.code(), Some(code), "{args:?} {out}: {}", stderr(&done));
            assert!(stderr(&done).contains(words), "{args:?} {out}: {}", stderr(&done));
            assert!(
                !out.starts_with("somacat.db-") || !folder.join(out).exists(),
                "{args:?} {out}"
            );
        }
        // A run records itself in the catalog.
        match args[0] {
            "run" => assert_sound(&folder.join("somacat.db")),
            _ => assert!(fs::read(folder.join("somacat.db")).unwrap() == catalog, "{args:?}"),
        }
    }
    for device in ["/dev/null", "/dev/full"] {
        assert!(fs::metadata(device).unwrap().file_type().is_char_device());
    }
    // The plan and the figures that a run reads.
    for input in ["plan.toml", "two.cells"] {
        let before = fs::read(folder.join(input)).unwrap();
        let done = run(folder, &["run", "plan.toml", "--out", input]);
        assert_eq!(done.status.code(), Some(1), "{input}");
        assert!(stderr(&done).contains("which the plan reads"), "{}", stderr(&done));
        assert_eq!(fs::read(folder.join(input)).unwrap(), before);
    }
}

/// A folder cannot be written to standard output, and none is called `-`.
#[test]
fn folders_are_not_written_to_standard_output() {
    let folder = folder_with_catalog(&std::env::temp_dir());
    let folder = folder.path();
    let units = run(folder, &["units", "plan.toml"]);
    fs::write(folder.join("units.txt"), units.stdout).unwrap();
    fs::create_dir(folder.join("parts")).unwrap();
    for args in [
        ["export", "gallery", "-"].as_slice(),
        &["export", "newsletter", "-"],
        &["export", "parquet", "-"],
        &["catalog", "release", "-"],
        &["merge", "units.txt", "parts", "--to", "parquet", "-"],
        &["work", "units.txt", "--unit", "1", "--out", "-"],
        &["man", "--out", "-"],
    ] {
        let done = run(folder, args);
        assert_eq!(done.status.code(), Some(2), "{args:?}: {}", stderr(&done));
        let words = "writes a folder, not to standard output; name the folder";
        assert!(stderr(&done).contains(words), "{args:?}: {}", stderr(&done));
        assert!(!folder.join("-").exists(), "{args:?}");
    }
}

/// A shell's `>>` puts all rows at the end of a file. This also applies under the name of standard output.
#[test]
fn standard_output_under_another_name_is_appended_to() {
    let folder = folder_with_catalog(&std::env::temp_dir());
    let csv = stdout(&run(folder.path(), &["export", "csv", "-"]));
    fs::write(folder.path().join("all.csv"), "before\n").unwrap();
    let all = File::options().append(true).open(folder.path().join("all.csv")).unwrap();
    let mut command = somacat(folder.path(), &["export", "csv", "/dev/stdout"]);
    assert!(command.stdout(all).status().unwrap().success());
    let text = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert_eq!(text, format!("before\n{csv}"));
}

/// A catalog is a file. Anything else under its name is refused and stays.
#[test]
fn catalogs_are_only_files() {
    let folder = folder_with_catalog(&std::env::temp_dir());
    let folder = folder.path();
    pipe(&folder.join("pipe"));
    fs::create_dir(folder.join("folder")).unwrap();
    for (out, words) in [
        ("pipe", "is a folder, a device or a pipe"),
        ("/dev/null", "is a folder, a device or a pipe"),
        ("folder", "is a folder, a device or a pipe"),
        ("somacat.db-wal", "belongs to the database"),
        ("-", "cannot be a catalog"),
    ] {
        for args in [
            ["catalog", "publish", "--force", out].as_slice(),
            &["catalog", "publish", out],
            &["catalog", "check", "--salvage", out],
        ] {
            let done = run(folder, args);
            assert!(matches!(done.status.code(), Some(1 | 2)), "{args:?}");
            assert!(stderr(&done).contains(words), "{args:?}: {}", stderr(&done));
        }
        for args in [["query", "--db", out].as_slice(), &["run", "plan.toml", "--db", out]] {
            if out != "somacat.db-wal" {
                let done = run(folder, args);
                assert!(matches!(done.status.code(), Some(1 | 2)), "{args:?}: {}", stderr(&done));
            }
        }
    }
    assert!(fs::metadata(folder.join("pipe")).unwrap().file_type().is_fifo());
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let made = ["-", "somacat.db-wal"].map(|name| folder.join(name).exists());
    assert_eq!(made, [false, false]);
}

/// A log is appended only to a log. It is never appended to a catalog or to a file that the command reads or writes.
#[test]
fn a_log_is_appended_only_to_a_log() {
    let folder = folder_with_catalog(&std::env::temp_dir());
    let folder = folder.path();
    let units = run(folder, &["units", "plan.toml"]);
    fs::write(folder.join("units.txt"), units.stdout).unwrap();
    fs::hard_link(folder.join("somacat.csv"), folder.join("linked")).unwrap();
    let commands: [&[&str]; 4] = [
        &["run", "plan.toml", "-q"],
        &["import", "two.cells", "--set", "V L", "-q"],
        &["work", "units.txt", "--unit", "1", "-q"],
        &["merge", "units.txt", "parts", "-q"],
    ];
    for command in commands {
        for log in [
            "somacat.db",
            "two.cells",
            "plan.toml",
            "units.txt",
            "linked",
            "somacat.db-wal",
            "new.db",
        ] {
            let before = fs::read(folder.join(log)).ok();
            let args = [command, &["--log", log]].concat();
            let args = if log == "new.db" { [&args[..], &["--db", log]].concat() } else { args };
            if log == "new.db" && command[0] == "work" {
                continue;
            }
            let done = run(folder, &args);
            assert_eq!(done.status.code(), Some(1), "{args:?}: {}", stderr(&done));
            assert!(stderr(&done).contains("choose another file"), "{args:?}: {}", stderr(&done));
            assert_eq!(fs::read(folder.join(log)).ok(), before, "{args:?}");
        }
        for log in ["night.jsonl", "/dev/null"] {
            let done = run(folder, &[command, &["--log", log]].concat());
            assert_eq!(done.status.code(), Some(0), "{command:?}: {}", stderr(&done));
        }
    }
    let log = fs::read_to_string(folder.join("night.jsonl")).unwrap();
    assert_eq!(log.matches("\"event\":\"end\"").count(), commands.len(), "{log}");
}

/// A pipe with no program at its other end delays no stop. It delays no command that does not use it.
#[test]
fn a_pipe_without_a_peer_delays_nothing() {
    let folder = folder_with_catalog(&std::env::temp_dir());
    let folder = folder.path();
    let leftover = folder.join(".somacat-file-x.part");
    pipe(&leftover);
    let aged = Command::new("touch").args(["-d", "2 hours ago"]).arg(&leftover).status();
    assert!(aged.unwrap().success());
    assert_eq!(run(folder, &["export", "csv", "out.csv"]).status.code(), Some(0));
    assert!(fs::metadata(&leftover).unwrap().file_type().is_fifo());

    let units = run(folder, &["units", "plan.toml"]);
    fs::write(folder.join("units.txt"), units.stdout).unwrap();
    fs::create_dir(folder.join("parts")).unwrap();
    pipe(&folder.join("parts/0001"));
    for args in [
        ["merge", "units.txt", "parts", "-q"].as_slice(),
        &["work", "units.txt", "--unit", "1", "-q"],
    ] {
        let done = run(folder, args);
        assert!(matches!(done.status.code(), Some(1 | 5)), "{args:?}: {}", stderr(&done));
        assert!(stderr(&done).contains("is not a regular file"), "{args:?}: {}", stderr(&done));
    }
    let waiting: Vec<_> = [
        ["show", "pipe"].as_slice(),
        &["show", "good", "--svg", "pipe"],
        &["run", "plan.toml", "-q", "--out", "pipe"],
        &["run", "pipe"],
        &["work", "pipe", "--unit", "1"],
        &["merge", "pipe", "parts"],
        &["units", "--status", "pipe", "parts"],
        &["map", "pipe"],
        &["map", "good", "--dot", "pipe"],
        &["stand", "pipe"],
        &["takeapart", "pipe"],
        &["prove", "bad", "pipe"],
        &["verify", "--certificate", "pipe"],
        &["query", "--like", "pipe"],
        &["export", "csv", "pipe"],
        &["import", "two.cells", "--log", "pipe", "--db", "new.db"],
    ]
    .into_iter()
    .enumerate()
    .map(|(number, args)| {
        let own = format!("pipe-{number}");
        pipe(&folder.join(&own));
        let args: Vec<_> =
            args.iter().map(|arg| if *arg == "pipe" { &own } else { *arg }).collect();
        (args.join(" "), start(folder, &args, b""))
    })
    .collect();
    for (args, child) in waiting {
        signal(&child, "TERM");
        let done = ended(child);
        assert_eq!(done.status.code(), Some(75), "{args}: {}", stderr(&done));
    }
}

/// Each pipe is a source of its own, as standard input is, whatever its name: none replaces the names of another.
#[test]
fn two_pipes_of_one_name_are_two_sources() {
    let folder = TempDir::new().unwrap();
    pipe(&folder.path().join("figures"));
    for text in ["a: 67 77\n", "b: 333 333 333\n"] {
        let child = start(folder.path(), &["import", "figures", "-q"], b"");
        fs::write(folder.path().join("figures"), text).unwrap();
        assert_eq!(ended(child).status.code(), Some(0));
    }
    let names =
        run(folder.path(), &["query", "--csv", "--sql", "SELECT name FROM names ORDER BY name"]);
    assert_eq!(stdout(&names), "name\na\nb\n");
}

/// No format lets a control character through on a terminal. A pipe gets every byte.
#[test]
fn control_characters_reach_no_terminal() {
    let folder = folder_with_catalog(&std::env::temp_dir());
    let folder = folder.path();
    let title = "\u{1b}]0;owned\u{7}\u{7f}\u{9b}2J\u{202e}end";
    let cells = "x: 0,0,0 1,0,0 2,0,0 0,1,0 1,1,0 2,1,0 0,2,0";
    fs::write(folder.join("titled.cells"), format!("{cells} # {title}\n")).unwrap();
    let done = run(folder, &["import", "titled.cells", "--set", "V L", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let sql = "SELECT title AS t FROM names WHERE title IS NOT NULL";
    let read = stdout(&run(folder, &["query", "--csv", "--sql", sql]));
    assert_eq!(read, "t\n]0;owned   2J\u{202e}end\n");
    // Somebody may write anything into a catalog.
    let catalog = rusqlite::Connection::open(folder.join("somacat.db")).unwrap();
    let changed = catalog.execute("UPDATE name SET title = ?1 WHERE title IS NOT NULL", [title]);
    assert_eq!(changed.unwrap(), 1);
    drop(catalog);
    let mut commands: Vec<Vec<&str>> = ["--csv", "--tsv", "--json", "--jsonl", "--table"]
        .map(|style| vec!["query", style, "--sql", sql])
        .to_vec();
    commands.push(vec!["export", "soma", "-"]);
    commands.push(vec!["export", "soma", "/dev/stdout"]);
    commands.push(vec!["show", "x"]);
    commands.push(vec!["show", "x", "--json"]);
    for args in commands {
        let (shown, done) = in_terminal(somacat(folder, &args));
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", stderr(&done));
        let acts =
            |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\u{1b}') || c == '\u{202e}';
        let colored = args == ["show", "x"];
        let escapes = shown.matches('\u{1b}').count() - shown.matches("\u{1b}[").count();
        assert!(
            !shown.contains(acts) && (escapes == 0 && (colored || !shown.contains('\u{1b}'))),
            "{args:?}: {shown:?}"
        );
        assert!(shown.contains("end"), "{args:?}: {shown:?}");
    }
    let piped = stdout(&run(folder, &["query", "--csv", "--sql", sql]));
    assert!(piped.contains(title), "{piped:?}");
}
