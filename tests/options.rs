//! No option is ignored: every option, and every pair of options of a command, has an effect or is refused.
//!
//! Each pair is run on a small catalog and small files. Its result is the exit code, what the program writes to
//! standard output and standard error, and the files that it leaves. An option is ignored if the pair has the result of
//! the other option alone. Refusals have exit code 2. `doors.rs` has the command lines, and the pairs that are right
//! without an effect; each of these is needed.

mod doors;

use self::doors::{DOORS, Door, EVERYWHERE, REVIEWED, VALUES};
use crate::support::program::{run, somacat};
use clap::{Arg, Args, FromArgMatches};
use rayon::prelude::*;
use somacat::cli::{FilterArgs, command};
use somacat_catalog::{Catalog, CatalogError, SqlValue};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

/// The exit code, standard output, standard error, and the files.
#[derive(PartialEq, Eq)]
struct Ending(Option<i32>, Vec<u8>, Vec<u8>, BTreeMap<PathBuf, Vec<u8>>);

#[test]
fn every_pair_of_options_has_an_effect_or_is_refused() {
    let given = &*FIXTURES;
    let mut root = command(|_| true);
    root.build();
    let mut doors_left: BTreeSet<String> = BTreeSet::new();
    commands(&root, "", &mut doors_left);
    let mut jobs: Vec<(usize, Vec<String>)> = Vec::new();
    for (at, door) in DOORS.iter().enumerate() {
        doors_left.remove(door.command);
        let options = options(&root, door);
        jobs.push((at, Vec::new()));
        for (n, one) in options.iter().enumerate() {
            jobs.push((at, vec![one.clone()]));
            let is_filter = |option: &String| is_filter(find(&root, door.command), option);
            let is_order = |option: &String| ["sort", "top"].contains(&option.as_str());
            let leaves_many = |option: &String| ["fold", "set"].contains(&option.as_str());
            let is_one_selection = |one: &String, other: &String| {
                is_filter(one) && (is_filter(other) || (is_order(other) && !leaves_many(one)))
            };
            let others = options[n + 1..]
                .iter()
                .filter(|other| !is_one_selection(one, other) && !is_one_selection(other, one));
            jobs.extend(others.map(|other| (at, vec![one.clone(), other.clone()])));
        }
    }
    assert!(doors_left.is_empty(), "commands without a line in DOORS: {doors_left:?}");
    let results: BTreeMap<(usize, Vec<String>), Ending> = jobs
        .into_par_iter()
        .map(|(at, options)| {
            let found = result(&root, given, &DOORS[at], &options);
            ((at, options), found)
        })
        .collect();
    let mut faults = Vec::new();
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    for ((at, options), pair) in &results {
        let command = DOORS[*at].command;
        if pair.0 == Some(2) {
            continue;
        }
        for (n, option) in options.iter().enumerate() {
            let mut other = options.clone();
            other.remove(n);
            let hidden_by = other.first().map_or("", String::as_str);
            if results[&(*at, other.clone())] != *pair {
                continue;
            }
            let hides = |[of, ignored, by, _]: &[&str; 4]| {
                [(of, command), (ignored, option), (by, hidden_by)]
                    .iter()
                    .all(|(pattern, text)| **pattern == "*" || *pattern == text)
            };
            let reviewed: Vec<usize> =
                (0..REVIEWED.len()).filter(|&line| hides(&REVIEWED[line])).collect();
            if reviewed.is_empty() {
                faults.push(format!(
                    "{command} {}: --{option} is ignored with {hidden_by:?}",
                    DOORS[*at].base.join(" ")
                ));
            }
            needed.extend(reviewed);
        }
    }
    assert!(faults.is_empty(), "{} of {}\n{}", faults.len(), results.len(), faults.join("\n"));
    let unneeded = (0..REVIEWED.len()).filter(|line| !needed.contains(line));
    let unneeded: Vec<_> = unneeded.map(|line| REVIEWED[line]).collect();
    assert!(unneeded.is_empty(), "these lines of REVIEWED allow nothing: {unneeded:?}");
}

#[test]
fn an_empty_result_has_exit_code_4_in_every_way_of_asking() {
    let files = TempDir::new().unwrap();
    FIXTURES.write(files.path());
    let none = [
        &["--cells", "99", "--sort", "unique", "--top", "1", "--json"][..],
        &["--like", "lion.soma", "--format", "soma", "--cells", "99", "--tsv"],
        &["--sql", "SELECT 1 WHERE 0", "--time-limit", "2s", "--jsonl"],
    ];
    for line in none {
        let line = [&["query", "--fail-if-empty"], line].concat();
        assert_eq!(run(files.path(), &line).status.code(), Some(4), "{line:?}");
    }
}

/// `--figure` selects the rows of one figure, and is refused with options that select rows in another way.
#[test]
fn one_figure_is_verified() {
    let files = TempDir::new().unwrap();
    FIXTURES.write(files.path());
    let verify = |more: &[&str]| {
        let done = run(files.path(), &[&["verify"], more].concat());
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    let (code, summary) = verify(&["--figure", "wall"]);
    assert!(code == Some(0) && summary.starts_with("1 row verified, 1 recounted"), "{summary}");
    assert_eq!(verify(&["--figure", "nosuch"]).0, Some(1));
    let (code, absent) = verify(&["--figure", "tower.soma"]);
    assert!(code == Some(1) && absent.contains("tower.soma is not in "), "{absent}");
    assert_eq!(verify(&["--figure", "nosuch", "--sample", "3"]).0, Some(2));
    assert_eq!(verify(&["--figure", "wall", "--shard", "1/2"]).0, Some(2));
}

/// Every filter is recorded, whatever others are given: each completes "none has …" with its own phrase.
#[test]
fn every_pair_of_filters_selects_by_both() {
    let parser = FilterArgs::augment_args(clap::Command::new("filters"));
    let value = |option: &Arg| {
        let long = option.get_long().unwrap().to_owned();
        let value =
            VALUES.iter().find(|(name, _)| *name == long).map_or(&[][..], |(_, value)| value);
        [vec![format!("--{long}")], value.iter().map(ToString::to_string).collect()].concat()
    };
    let options: Vec<Vec<String>> = parser.get_arguments().map(value).collect();
    let mut refused = 0;
    for (n, one) in options.iter().enumerate() {
        for other in &options[n + 1..] {
            let line = ["filters".to_owned()].into_iter().chain(one.clone()).chain(other.clone());
            match parser.clone().try_get_matches_from(line) {
                Ok(matches) => {
                    let FilterArgs(filter) = FilterArgs::from_arg_matches(&matches).unwrap();
                    assert_eq!(filter.phrases().len(), 2, "{one:?} {other:?}");
                }
                Err(_) => refused += 1,
            }
        }
    }
    // Solvable with unsolvable, and a number of unique packings with its bounds.
    assert_eq!(refused, 3);
}

fn is_filter(command: &clap::Command, option: &str) -> bool {
    let found = command.get_arguments().find(|argument| argument.get_long() == Some(option));
    found.is_some_and(|argument| {
        argument.get_help_heading() == Some("Filters") && !["sort", "top"].contains(&option)
    })
}

/// Collects the commands that have options of their own.
fn commands(command: &clap::Command, path: &str, into: &mut BTreeSet<String>) {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let path = format!("{path} {}", below.get_name());
        let own =
            |argument: &Arg| argument.get_long().is_some_and(|long| !EVERYWHERE.contains(&long));
        if !below.is_subcommand_required_set() && below.get_arguments().any(own) {
            into.insert(path.trim_start().to_owned());
        }
        commands(below, &path, into);
    }
}

fn find<'a>(root: &'a clap::Command, path: &str) -> &'a clap::Command {
    path.split(' ').fold(root, |command, name| command.find_subcommand(name).unwrap())
}

/// Returns the options of a door. One output stands for all, because they form a group. Filters are one value, of which
/// `query` tries every part, the other commands two.
fn options(root: &clap::Command, door: &Door) -> Vec<String> {
    let command = find(root, door.command);
    let options =
        command.get_arguments().filter_map(|argument| argument.get_long().map(str::to_owned));
    options
        .filter(|option| !EVERYWHERE.contains(&option.as_str()))
        .filter(|option| !["csv", "tsv", "jsonl", "table"].contains(&option.as_str()))
        .filter(|option| !door.base.contains(&format!("--{option}").as_str()))
        .filter(|option| {
            door.command == "query"
                || ["fold", "set"].contains(&option.as_str())
                || !is_filter(command, option)
        })
        .collect()
}

/// Runs the program with some options of a door in a copy of the files.
fn result(root: &clap::Command, given: &Files, door: &Door, options: &[String]) -> Ending {
    let mut line: Vec<String> = door.command.split(' ').map(str::to_owned).collect();
    line.extend(door.base.iter().map(ToString::to_string));
    for option in options {
        let values = door.values.iter().chain(VALUES).find(|(name, _)| name == option);
        let argument =
            find(root, door.command).get_arguments().find(|one| one.get_long() == Some(option));
        line.push(format!("--{option}"));
        if argument.unwrap().get_action().takes_values() {
            let (_, values) =
                values.unwrap_or_else(|| panic!("{} --{option} has no value", door.command));
            line.extend(values.iter().map(ToString::to_string));
        }
    }
    let arguments = ["somacat"].into_iter().chain(line.iter().map(String::as_str));
    // The program refuses what clap refuses, and more.
    if command(|_| true).try_get_matches_from(arguments).is_err() {
        return Ending(Some(2), Vec::new(), Vec::new(), BTreeMap::new());
    }
    let folder = TempDir::new().unwrap();
    given.write(folder.path());
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let output = somacat(folder.path(), &line)
        .env("NO_COLOR", "")
        .env("PATH", with_graphviz())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let left = given.changed(folder.path());
    Ending(output.status.code(), without_times(&output.stdout), without_times(&output.stderr), left)
}

/// Returns the search path with a stand-in for Graphviz, so that every machine has one.
fn with_graphviz() -> OsString {
    let stand_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/graphviz");
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([stand_in].into_iter().chain(std::env::split_paths(&others))).unwrap()
}

/// The files of a folder and of those in it: their paths and contents.
struct Files(BTreeMap<PathBuf, Vec<u8>>);

impl Files {
    fn of(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(of) = folders.pop() {
            for path in fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    files.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
                }
            }
        }
        Self(files)
    }

    fn write(&self, folder: &Path) {
        for (path, bytes) in &self.0 {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    /// Returns what new and changed files of a folder contain. Of a catalog these are its rows; of a log, which has
    /// times, nothing. A file that is gone is empty.
    fn changed(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let Self(mut left) = Self::of(folder);
        for (path, bytes) in &self.0 {
            if left.get(path).is_none_or(|now| now != bytes) {
                left.entry(path.clone()).or_default();
            } else {
                left.remove(path);
            }
        }
        let seen = |(path, bytes): (PathBuf, Vec<u8>)| {
            let seen = match path.extension().and_then(|extension| extension.to_str()) {
                Some("db") if !bytes.is_empty() => rows(&folder.join(&path)),
                Some("log") => Vec::new(),
                _ => without_times(&bytes),
            };
            (path, seen)
        };
        left.into_iter().map(seen).collect()
    }
}

/// Returns the rows of a catalog, without times.
fn rows(db: &Path) -> Vec<u8> {
    let Ok(catalog) = Catalog::open_read_only(db) else { return fs::read(db).unwrap() };
    let select = |sql: &str| {
        let mut rows = Vec::new();
        let seen = catalog.select_sql::<CatalogError>(sql, Duration::MAX, |row| {
            rows.push(row);
            Ok(())
        });
        seen.unwrap();
        rows
    };
    let mut text = String::new();
    for view in ["figures", "names", "enumerations"] {
        let named = format!(
            r#"SELECT group_concat('"' || name || '"') FROM pragma_table_info('{view}') WHERE name <> 'micros'"#
        );
        let Some(SqlValue::Text(columns)) = select(&named)[0].pop() else { panic!("{view}") };
        for row in select(&format!("SELECT {columns} FROM {view}")) {
            text += &format!("{row:?}\n");
        }
    }
    text.into_bytes()
}

/// Blanks times: "0.03 s", and `micros` in CSV and JSON.
fn without_times(text: &[u8]) -> Vec<u8> {
    let Ok(text) = str::from_utf8(text) else { return text.to_owned() };
    let micros =
        text.lines().next().and_then(|head| head.split(',').position(|name| name == "micros"));
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_micros = |at, field: &str| Some(at) == micros && !field.is_empty();
        let comma = |(at, field)| if is_micros(at, field) { "t" } else { field };
        let line: Vec<&str> = line.split(',').enumerate().map(comma).collect();
        let line = line.join(",");
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |at: usize| {
            let unit = words.get(at + 1).is_some_and(|word| word.starts_with('s'));
            (unit && words[at].parse::<f64>().is_ok())
                || (at > 0 && words[at - 1].ends_with("\"micros\":"))
        };
        let line: Vec<&str> =
            (0..words.len()).map(|at| if is_time(at) { "" } else { words[at] }).collect();
        lines.push(line.join(" "));
    }
    lines.join("\n").into_bytes()
}

/// The files of the doors. One thread makes them for all tests.
static FIXTURES: LazyLock<Files> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    fixtures(folder.path());
    Files::of(folder.path())
});

fn fixtures(folder: &Path) {
    const GALLOWS: &str = "/SOMA gallows\n/.../.../.../.1./.1.\n/.../.../.../.../.1.\n/.../.../.../.../.1.\n/.../.../.../.1./.1.\n/.../.1./111/111/111\n/.1./.1./111/111/111\n";
    const LION: &str = "/SOMA lion\n/.1.../.1.../.1.../11111\n/.1.../11.1./.111./.1111\n/.1.../.1.../.1.../11111\n";
    // Its marks and its proof are found at once.
    const LOUNGE: &str =
        "/SOMA =lounge\n/1......./11111111\n/1......./11111111\n/1......./11111111\n";
    const DISJOINT: &str = "/SOMA disjoint\n/.........../111..11...1\n/.........../.1..11..111\n/.........../...........\n/1...1..1.../1...1.11.11\n/.........../11.11..1..1\n";
    const CUBE: &str = "/SOMA cube\n/333/333/333\n/333/333/333\n/333/333/333\n";
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("cube.soma", CUBE);
    write("two.soma", &format!("{LION}\n{GALLOWS}"));
    write("four.soma", &format!("{LION}\n{LOUNGE}\n{DISJOINT}\n{GALLOWS}"));
    write("gallows.soma", GALLOWS);
    write(
        "wall.soma",
        "/SOMA wall\n/111..../111..../111....\n/..111../..111../..111..\n/....111/....111/....111\n",
    );
    write("lion.soma", LION);
    write("tower.soma", "/SOMA tower\n/.1/11/11/11/11/11/11\n/11/11/11/11/11/11/11\n");
    write("lounge.soma", LOUNGE);
    write("plan.toml", "title = \"plan\"\n[[box]]\nsides = \"2x3x3\"\ncells = 7\nset = \"V L\"\n");
    write(
        "unnamed.toml",
        "title = \"unnamed\"\n[[box]]\nsides = \"1x2x3\"\ncells = 6\nset = \"V V\"\n",
    );
    write("disjoint.soma", DISJOINT);
    write("list.txt", "wall\nlion\ndisjoint\n");
    let done = |line: &[&str]| {
        let output = run(folder, line);
        assert!(output.status.success(), "{line:?} {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    done(&["import", "-q", "lounge.soma", "wall.soma", "lion.soma", "disjoint.soma"]);
    done(&["import", "-q", "--set", "V L L T Z A B", "gallows.soma"]);
    done(&["run", "-q", "unnamed.toml"]);
    done(&["import", "-q", "--db", "other.db", "cube.soma", "--no-count"]);
    done(&["run", "-q", "--db", "failed.db", "plan.toml"]);
    done(&["import", "-q", "--db", "failed.db", "cube.soma"]);
    done(&["import", "-q", "--db", "failed.db", "cube.soma", "--set", "V L L T Z A B"]);
    for csv in ["somacat.csv", "failed.csv"] {
        fs::remove_file(folder.join(csv)).unwrap();
    }
    let failed = rusqlite::Connection::open(folder.join("failed.db")).unwrap();
    let all = r#"UPDATE outcome SET raw = NULL, rotation = NULL, "unique" = NULL, reason_id = NULL, error = 'x',
                 verdict_id = (SELECT id FROM verdict WHERE name = 'failed')"#;
    assert!(failed.execute(all, []).unwrap() > 3);
    drop(failed);
    done(&["prove", "-q", "lion.soma", "lion.proof"]);
    let units = done(&["units", "-q", "plan.toml", "--cut", "2"]);
    fs::write(folder.join("units.txt"), units).unwrap();
    done(&["work", "-q", "units.txt", "--unit", "1", "--out", "half"]);
    done(&["work", "-q", "units.txt", "--unit", "1"]);
    done(&["work", "-q", "units.txt", "--unit", "2"]);
    let template = done(&["export", "newsletter", "--print-template", "html"]);
    fs::write(folder.join("t.html"), [b"<!-- mine -->", &*template].concat()).unwrap();
}
