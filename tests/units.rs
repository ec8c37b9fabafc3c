//! A plan split into units, processed and merged, equals its run.

mod disturbed;
mod leaders;
mod rows;

use crate::support::night::{assert_sound, buildable_plan, dump, exports};
use crate::support::parts::{sealed, with_digest, without_time};
use crate::support::program::{run, starter, stderr, stdout};
use crate::support::random::Random;
use somacat_counting::enumerate::{Enumeration, EnumerationSpec, FoundFigure, Place, ShardRange};
use somacat_run::Plan;
use somacat_units::{Cut, UnitWork, cut};
use std::ffi::OsString;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Writes figures with names, and published counts. Some figures are repeated, some are faulty, and some are also
/// listed by enumeration and census.
fn files(folder: &Path) {
    let maps = "cube: 333 333 333\nbad: 33 3\ntower: 67 77\nagain: 333 333 333\nlow: 55555 22\n\
                twin: 333 333 333\nTwin: 999\nchipped: 555 543\n";
    let many: String = (1..40).map(|n| format!("flat {n}: {}\n", "9".repeat(3 + n % 2))).collect();
    fs::write(folder.join("maps.txt"), format!("{maps}{many}")).unwrap();
    fs::write(folder.join("double.txt"), "slab: 222222222222222222222222222\n").unwrap();
    let counts =
        "name,signature,set,kind,value,source\ncube,,SOMA,unique,241,me\nno one,,SOMA,raw,1,me\n";
    fs::write(folder.join("published.csv"), counts).unwrap();
}

/// Returns a plan with every kind of question.
fn plan(folder: &Path, keep: &str) -> String {
    files(folder);
    let census = if keep == "totals" { "" } else { "[[census]]\nsides = \"2x3x5\"\n" };
    let text = format!(
        "title = \"everything\"\nimport = [\"maps.txt\", \"double.txt\"]\npublished = \"published.csv\"\n\
         keep = \"{keep}\"\nnodes = 3000\n[[symmetric]]\ncells = 27\nclass = [\"C3v\", \"C3i\"]\n\
         [[box]]\nsides = \"2x3x5\"\ncells = 27\nconnected = true\n{census}"
    );
    let name = format!("{keep}.toml");
    fs::write(folder.join(&name), text).unwrap();
    name
}

/// Runs a command that must end with this exit code.
fn ends(folder: &Path, args: &[&str], code: i32) -> String {
    let done = run(folder, args);
    assert_eq!(done.status.code(), Some(code), "{args:?}: {}", stderr(&done));
    stdout(&done) + &stderr(&done)
}

/// Writes the units of a plan; returns their number.
fn units(folder: &Path, plan: &str, count: &str) -> usize {
    let done = run(folder, &["units", plan, "--count", count, "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    fs::write(folder.join("units.txt"), &done.stdout).unwrap();
    stdout(&done).lines().count()
}

fn work(folder: &Path, unit: usize, out: &str, code: i32) -> String {
    ends(folder, &["work", "units.txt", "--unit", &unit.to_string(), "--out", out], code)
}

fn shuffled(number: usize, random: &mut Random) -> Vec<usize> {
    let mut all: Vec<usize> = (1..=number).collect();
    for at in (1..number).rev() {
        all.swap(at, random.below(at + 1));
    }
    all
}

/// Returns the files of a folder, by name.
fn content(folder: &Path, name: &str) -> Vec<(OsString, Vec<u8>)> {
    let entries = fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> =
        entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect();
    files.sort();
    files
}

/// Checks that the parts give the catalog's Parquet files, byte for byte.
fn same_parquet(folder: &Path, count: &str) {
    let (direct, exported) = (format!("direct-{count}"), format!("exported-{count}"));
    let told =
        ends(folder, &["merge", "units.txt", "parts", "other", "--to", "parquet", &direct], 3);
    assert!(told.contains("maps.txt:2: bad") && told.contains(" in 1 file in direct-"), "{told}");
    ends(folder, &["export", "parquet", &exported, "--db", "run.db", "-q"], 0);
    let files = content(folder, &direct);
    assert!(files == content(folder, &exported), "in {count} units: Parquet files differ");
    assert_eq!(files.len(), 1);
    // The same command ends as it ended; a changed folder is not its result.
    let args = ["merge", "units.txt", "parts", "other", "--to", "parquet", &direct];
    assert_eq!(ends(folder, &args, 3), told);
    fs::write(folder.join(&direct).join("notes.txt"), "").unwrap();
    let again = ends(folder, &args, 1);
    assert!(again.contains(&format!("{direct} exists; choose another folder")), "{again}");
}

#[test]
fn a_plan_in_any_number_of_units_gives_the_catalog_of_a_run() {
    let mut random = Random::new(16);
    for (keep, counts) in
        [("all", ["1", "64"].as_slice()), ("solvable", &["7"]), ("totals", &["5"])]
    {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        let plan = plan(folder, keep);
        ends(folder, &["run", &plan, "-q", "--db", "run.db"], 3);
        let (dumped, exported) = (dump(folder, "run.db"), exports(folder, "run.db"));
        // Each file and question has a unit; beyond these, there are as many as are asked for.
        let least = units(folder, &plan, "1");
        assert_eq!(units(folder, &plan, &(least + 2).to_string()), least + 2);
        for count in counts {
            let number = units(folder, &plan, count);
            for (at, unit) in shuffled(number, &mut random).into_iter().enumerate() {
                // Some on another machine, some on both.
                let out = if at % 3 == 0 { "other" } else { "parts" };
                assert!(work(folder, unit, out, 0).contains(": finished\n"));
                if at % 4 == 0 {
                    work(folder, unit, "parts", 0);
                }
                assert!(work(folder, unit, out, 0).contains("finished before"));
            }
            fs::create_dir_all(folder.join("other")).unwrap();
            let merge = ["merge", "units.txt", "parts", "other", "-q", "--db", "merged.db"];
            let told = ends(folder, &merge, 3);
            assert!(told.contains("maps.txt:2: bad"), "{told}");
            assert!(told.contains("maps.txt:7: Twin: line 6 has another figure"), "{told}");
            let compared = ends(folder, &["catalog", "diff", "run.db", "merged.db"], 0);
            assert!(compared.contains("other differences: 0"), "{compared}");
            assert!(exports(folder, "merged.db") == exported, "{keep} in {count}: exports differ");
            assert!(dump(folder, "merged.db") == dumped, "{keep} in {count}: tables differ");
            assert_sound(&folder.join("merged.db"));
            same_parquet(folder, count);
            // Merging again changes nothing.
            ends(folder, &merge, 3);
            assert!(dump(folder, "merged.db") == dumped);
            let published = "SELECT source, value FROM published_count";
            for db in ["run.db", "merged.db"] {
                let rows = ends(folder, &["query", "--db", db, "--csv", "--sql", published], 0);
                assert_eq!(rows, "source,value\nme,241\n");
            }
            let view = "SELECT enumeration, \"set\", class, \"order\", figures, parity_blocked, unsolvable, solvable, \
                        undecided FROM enumerations";
            let view = stdout(&run(folder, &["query", "--db", "run.db", "--csv", "--sql", view]));
            let sums = ["merge", "units.txt", "parts", "other", "--totals", "--csv"];
            let sums = stdout(&run(folder, &sums));
            let sorted = |text: &str| {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            assert_eq!(sorted(&sums), sorted(&view), "{keep} in {count}");
            fs::remove_file(folder.join("merged.db")).unwrap();
            fs::remove_dir_all(folder.join("parts")).unwrap();
            fs::remove_dir_all(folder.join("other")).unwrap();
        }
    }
}

/// Buildable figures: each belongs to exactly one unit, however the plan is split.
#[test]
fn units_of_buildable_figures_equal_a_run() {
    let mut random = Random::new(3);
    for keep in ["all", "totals"] {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        buildable_plan(folder, keep, "C2v(edge)");
        ends(folder, &["run", "buildable.toml", "-q", "--db", "run.db"], 0);
        let number = units(folder, "buildable.toml", "11");
        for unit in shuffled(number, &mut random) {
            work(folder, unit, "parts", 0);
        }
        ends(folder, &["merge", "units.txt", "parts", "-q", "--db", "merged.db"], 0);
        assert!(dump(folder, "merged.db") == dump(folder, "run.db"), "{keep}");
        assert!(exports(folder, "merged.db") == exports(folder, "run.db"));
        assert_sound(&folder.join("merged.db"));
    }
}

#[test]
fn the_same_plan_gives_the_same_units_anywhere() {
    let (here, there) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let of = |folder: &Path, threads: &str| {
        let plan = plan(folder, "all");
        stdout(&run(folder, &["units", &plan, "--seconds", "0.004", "--threads", threads]))
    };
    let units = of(here.path(), "1");
    assert!(units.lines().count() > 20, "{units}");
    assert_eq!(of(there.path(), "3"), units);
    // The starter plan and its files are built in.
    let lines = stdout(&run(here.path(), &["units"]));
    fs::write(here.path().join("units.txt"), &lines).unwrap();
    (1..=lines.lines().count()).for_each(|unit| drop(work(here.path(), unit, "parts", 0)));
    ends(here.path(), &["merge", "units.txt", "parts", "-q", "--db", "merged.db"], 0);
    starter(here.path());
    assert_eq!(dump(here.path(), "merged.db"), dump(here.path(), "somacat.db"));
    assert_eq!(exports(here.path(), "merged.db"), exports(here.path(), "somacat.db"));
}

/// A unit contains the pieces of a user's own set.
#[test]
fn a_unit_needs_no_file_of_pieces() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let pieces = "X: 0,0,0 1,0,0 2,0,0 1,1,0 1,2,0\nV*2: 0,0,0 1,0,0 0,1,0\n";
    fs::write(folder.join("mine \"1\".txt"), pieces).unwrap();
    let text = "title = \"mine\"\nset = 'mine \"1\".txt'\n[[box]]\nsides = \"2x2x4\"\ncells = 11\n\
                [[census]]\nsides = \"3x2x3\"\n";
    fs::write(folder.join("mine.toml"), text).unwrap();
    ends(folder, &["run", "mine.toml", "-q", "--db", "run.db"], 0);
    let number = units(folder, "mine.toml", "4");
    fs::create_dir(folder.join("elsewhere")).unwrap();
    let elsewhere = folder.join("elsewhere");
    for line in fs::read_to_string(folder.join("units.txt")).unwrap().lines() {
        ends(&elsewhere, &["work", "--text", line], 0);
    }
    assert_eq!(number, 4);
    ends(folder, &["merge", "units.txt", "elsewhere/parts", "-q"], 0);
    assert_eq!(dump(folder, "somacat.db"), dump(folder, "run.db"));
}

/// Returns a folder with a small plan and its five units.
fn five_units() -> TempDir {
    let made = TempDir::new().unwrap();
    let folder = made.path();
    files(folder);
    let text = "title = \"x\"\nimport = [\"maps.txt\"]\nset = \"SOMA\"\nkeep = \"solvable\"\n[[box]]\nsides = \"2x3x5\"\n\
                cells = 27\n";
    fs::write(folder.join("plan.toml"), text).unwrap();
    assert_eq!(units(folder, "plan.toml", "5"), 5);
    made
}

/// Checks that a command ends with this exit code and these words. It must write no catalog.
fn refused(folder: &Path, args: &[&str], code: i32, words: &[&str]) {
    let told = ends(folder, args, code);
    assert!(words.iter().all(|word| told.contains(word)), "{args:?}: {words:?} in {told}");
    assert!(!folder.join("somacat.db").exists(), "{args:?}");
}

#[test]
fn faulty_units_are_reported_and_harmless() {
    let folder = five_units();
    let folder = folder.path();
    let told = |args: &[&str], code, words: &[&str]| refused(folder, args, code, words);
    let good = fs::read_to_string(folder.join("units.txt")).unwrap();
    let path = |name: &str| folder.join(name);
    let line = good.lines().nth(3).unwrap();
    let one = ["work", "units.txt", "--unit", "4"];
    let all = ["merge", "units.txt", "parts"];
    for (bad, words) in [
        (line.replace("\"keep\":\"solvable\"", "\"keep\":\"all\""), ["units.txt:4", "edited"]),
        (line[..line.len() / 2].to_owned(), ["units.txt:4", "not a work unit"]),
        (good.lines().nth(2).unwrap().to_owned(), ["this is unit 3", "unit 4"]),
        (checked(&line.replace("\"version\":\"", "\"version\":\"9")), ["somacat 90.1.0", "0.1.0"]),
        (checked(&line.replace("\"format\":6,", "")), ["format 1, from another build", "format 6"]),
    ] {
        fs::write(path("units.txt"), good.replace(line, &bad)).unwrap();
        told(&one, 1, &words);
        told(&all, 1, &words);
        told(
            &["work", "--text", &bad],
            if bad == good.lines().nth(2).unwrap() { 0 } else { 1 },
            &[],
        );
    }
    fs::write(path("units.txt"), good.replace(line, &checked(&line.replace("solvable", "all"))))
        .unwrap();
    told(&all, 1, &["units.txt", "write it again"]);
    fs::write(path("units.txt"), good.lines().take(4).collect::<Vec<_>>().join("\n")).unwrap();
    told(&all, 1, &["has 4 units, and the plan has 5"]);
    fs::write(path("units.txt"), &good).unwrap();
    for key in ["box/1", "box/2"] {
        let bad =
            checked(&line.replace("box/1", key).replace("up-to=reflections", "up-to=nothing"));
        told(&["work", "--text", &bad], 1, &["is not the key of a question"]);
    }
    let other = checked(&line.replace("box/1", "box/2"));
    told(&["work", "--text", &other], 1, &["another version", "box/2 cells=27", "box/1 cells=27"]);
    told(&["work", "units.txt", "--unit", "9"], 1, &["no unit 9"]);
    // The file differs from the time when the units were made.
    let maps = fs::read(path("maps.txt")).unwrap();
    fs::write(path("maps.txt"), "cube: 333 333 333\n").unwrap();
    fs::remove_dir_all(path("parts")).unwrap();
    told(&["work", "units.txt", "--unit", "1"], 1, &["maps.txt changed since the units were made"]);
    fs::remove_file(path("maps.txt")).unwrap();
    told(&["work", "units.txt", "--unit", "1"], 1, &["cannot find the figure file maps.txt"]);
    fs::write(path("maps.txt"), maps).unwrap();
}

#[test]
fn faulty_parts_are_reported_and_harmless() {
    let folder = five_units();
    let folder = folder.path();
    let told = |args: &[&str], code, words: &[&str]| refused(folder, args, code, words);
    let path = |name: &str| folder.join(name);
    let read = |name: &str| fs::read(path(name)).unwrap();
    let all = ["merge", "units.txt", "parts"];
    told(&all, 1, &["cannot read the folder of parts parts"]);
    fs::create_dir(path("parts")).unwrap();
    told(&all, 1, &["5 of 5 units have no part: 1-5"]);
    for unit in [1, 2, 4] {
        work(folder, unit, "parts", 0);
    }
    told(&all, 1, &["2 of 5 units have no part: 3, 5"]);
    (1..=5).for_each(|unit| drop(work(folder, unit, "parts", 0)));
    let part = read("parts/0004");
    let text = String::from_utf8(part.clone()).unwrap();
    let restore = || fs::write(path("parts/0004"), &part).unwrap();
    let mut flipped = part.clone();
    flipped[part.len() / 2] ^= 1;
    let (rows, last) = text.split_at(text.rfind("{\"part\":").unwrap());
    let changed = rows.to_owned() + &last.replacen("\"rows\":", "\"rows\":1", 1);
    for (damaged, words) in [
        (&part[..part.len() - 9], "its last line"),
        (rows.as_bytes(), "its last line"),
        (changed.as_bytes(), "its last line"),
        (&flipped, "its SHA-256"),
        (&part[1..], "its first line is not a unit"),
        (&[], "its first line is not a unit"),
    ] {
        fs::write(path("parts/0004"), damaged).unwrap();
        told(&all, 5, &["parts/0004: is damaged", words]);
        // Processing the same unit again repairs it.
        assert!(work(folder, 4, "parts", 0).contains(": finished\n"));
        assert_eq!(without_time(&read("parts/0004")), without_time(&part));
    }
    for (from, to, words) in [
        ("\"rows\":", "\"rows\":1", "rows do not add up"),
        ("\"totals\":[[", "\"totals\":[[0,1,null,1],[", "totals do not add up"),
        ("\"sha256\":\"", "\"sha256\":\"0", "is damaged"),
    ] {
        assert!(last.contains(from));
        fs::write(path("parts/0004"), sealed(rows, &last.replacen(from, to, 1))).unwrap();
        told(&all, 5, &["parts/0004", words]);
    }
    fs::write(path("parts/0004"), text.replacen("\"format\":6,", "\"format\":5,", 1)).unwrap();
    told(&all, 5, &["parts/0004", "by another build of somacat"]);
    let newer = last.replace("\"version\":\"", "\"version\":\"9");
    fs::write(path("parts/0004"), sealed(rows, &newer)).unwrap();
    told(&all, 1, &["worked by somacat 90.1.0"]);
    // One figure fewer, with matching sums: only the question detects it.
    let shorter = without_a_figure(&text);
    fs::write(path("parts/0004"), &shorter).unwrap();
    told(&all, 5, &["figures of 27 cells in 2x3x5: the parts contain 549 figures, expected 550"]);
    // A duplicate unit: an equal one is harmless, a different one is reported. Other names are no parts.
    restore();
    fs::write(path("parts/copy"), &shorter).unwrap();
    fs::write(path("parts/4"), &shorter).unwrap();
    told(&all, 5, &["parts/0004", "parts/4", "both parts of unit 4 and differ"]);
    fs::write(path("parts/4"), &part).unwrap();
    ends(folder, &["merge", "units.txt", "parts", "-q", "--db", "merged.db"], 3);
    ends(folder, &["run", "plan.toml", "-q", "--db", "run.db"], 3);
    assert_eq!(dump(folder, "merged.db"), dump(folder, "run.db"));
    // Parts of another plan, or of the same plan split differently, are not mixed with these.
    units(folder, "plan.toml", "6");
    told(&["work", "units.txt", "--unit", "4"], 1, &["unit 4 of 5 of plan", "unit 4 of 6 of plan"]);
    told(&all, 1, &["parts/0001 belongs to unit 1 of 5 of plan", "has units of plan"]);
    assert_eq!(read("parts/0004"), part);
}

#[test]
fn the_status_of_units_follows_their_work() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    files(folder);
    let text = "title = \"x\"\nimport = [\"maps.txt\"]\nset = \"SOMA\"\nkeep = \"totals\"\n[[box]]\nsides = \"2x3x5\"\n\
                cells = 27\n[[symmetric]]\ncells = 27\nclass = [\"C4\"]\n";
    fs::write(folder.join("plan.toml"), text).unwrap();
    let number = units(folder, "plan.toml", "8");
    let status = |more: &[&str]| {
        ends(folder, &[&["units", "--status", "units.txt", "parts", "-q"], more].concat(), 0)
    };
    // Units, done, running, stopped, failed, missing, damaged, of all questions together.
    let states = || {
        let mut sums = [0; 7];
        for row in status(&["--csv"]).lines().skip(1) {
            let fields: Vec<&str> = row.rsplitn(12, ',').collect();
            sums.iter_mut().zip(fields[4..11].iter().rev()).for_each(|(sum, field)| {
                *sum += field.parse::<usize>().unwrap();
            });
        }
        sums
    };
    assert_eq!(states(), [number, 0, 0, 0, 0, number, 0]);
    work(folder, 1, "parts", 0);
    work(folder, 2, "parts", 0);
    let parts = folder.join("parts");
    fs::write(parts.join("0002"), "").unwrap();
    fs::write(parts.join("0003.unfinished"), "").unwrap();
    fs::write(parts.join("0004.unfinished"), "").unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(180);
    let file = fs::File::options().append(true).open(parts.join("0004.unfinished")).unwrap();
    file.set_modified(long_ago).unwrap();
    assert_eq!(states(), [number, 1, 1, 1, 0, number - 4, 1]);
    let left: Vec<String> = (2..=number).map(|unit| format!("{unit}\n")).collect();
    assert_eq!(status(&["--unfinished"]), left.concat());
    let needs = status(&["--unfinished", "--csv"]);
    let needs: Vec<Vec<&str>> = needs.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!(needs.len(), number - 1);
    assert_eq!([needs[0][1], needs[1][1], needs[2][1]], ["damaged", "running", "stopped"]);
    assert!(needs.iter().all(|row| row[3].parse::<u64>().unwrap() >= 64), "{needs:?}");
    // The totals so far are those of the finished units.
    fs::remove_file(parts.join("0002")).unwrap();
    let totals = |more: &[&str], code| {
        ends(folder, &[&["merge", "units.txt", "parts", "--totals", "--csv"], more].concat(), code)
    };
    assert!(totals(&[], 1).contains("units have no part: 2-"));
    let told = totals(&["--partial"], 0);
    assert!(
        told.contains(&format!("0 of {} units of enumerations are finished", number - 1)),
        "{told}"
    );
    (2..=number).for_each(|unit| drop(work(folder, unit, "parts", 0)));
    assert_eq!(states(), [number, number, 0, 0, 0, 0, 0]);
    let whole = totals(&[], 0);
    let partial = totals(&["--partial"], 0);
    let rows = whole.lines().zip(partial.lines());
    assert!(rows.clone().all(|(row, longer)| longer.starts_with(&format!("{row},"))), "{partial}");
    assert_eq!(whole.lines().count(), partial.lines().count());
    // The time left is that of finished units of the same question: here one took 100 s.
    let lines = fs::read_to_string(folder.join("units.txt")).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|unit| unit["estimated_ms"].as_u64() > Some(0)));
    let of_box =
        |unit: &serde_json::Value| unit["question"]["key"].to_string().starts_with("\"box/");
    let (first, last) = (lines.iter().position(of_box), lines.iter().rposition(of_box));
    let [first, last] = [first, last].map(|at| parts.join(format!("{:04}", at.unwrap() + 1)));
    assert!(first != last);
    let slow = fs::read_to_string(&first).unwrap();
    let (before, time) = slow.split_once("\"processor_ms\":").unwrap();
    let (_, after) = time.split_once(',').unwrap();
    let slow = format!("{before}\"processor_ms\":100000,{after}");
    fs::write(&first, with_digest(&slow)).unwrap();
    fs::remove_file(&last).unwrap();
    let left = status(&["--again", "--csv"]);
    let left: Vec<&str> = left.lines().nth(1).unwrap().split(',').collect();
    assert!(left[2].parse::<u64>().unwrap() > 3, "{left:?}");
}

/// Returns a line with its checksum.
fn checked(line: &str) -> String {
    use sha2::{Digest, Sha256};
    let (text, _) = line.split_once(",\"check\":").unwrap();
    let digest = Sha256::digest(format!("{text}}}"));
    let digits: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{text},\"check\":\"{digits}\"}}")
}

/// Returns a part with one figure fewer, and matching sums.
fn without_a_figure(part: &str) -> String {
    let figure = part.lines().find(|line| line.contains(",0,1,1],[1,")).unwrap();
    // Class C1, counted.
    let less = |text: &str, before: &str, after: char| {
        let (start, rest) = text.split_once(before).unwrap();
        let (number, end) = rest.split_once(after).unwrap();
        format!("{start}{before}{}{after}{end}", number.parse::<u64>().unwrap() - 1)
    };
    let shorter = part.replacen(&format!("{figure}\n"), "", 1);
    let (rows, last) = shorter.split_at(shorter.rfind("{\"part\":").unwrap());
    let last = less(&less(last, "[0,1,null,", ']'), "\"rows\":", ',');
    with_digest(&(less(rows, "[0,1,null,", ']') + &last))
}

fn listed(enumeration: &Enumeration, shards: ShardRange) -> Vec<(Place, String)> {
    let (stop, mut all) = (AtomicBool::new(false), Vec::new());
    let signature = |draft: FoundFigure<'_>| Some(draft.candidate().signature().to_string());
    let flow =
        enumeration.for_each_in(shards, Place::default(), &stop, signature, &mut |place, text| {
            all.push((place, text));
            ControlFlow::Continue(())
        });
    assert!(flow.is_continue());
    all
}

/// The ranges of units give the whole enumeration in order. They are processed from the key of the question alone.
#[test]
fn ranges_of_shards_make_up_the_enumeration() {
    for table in [
        "set = \"V L T2\"\n[[box]]\nsides = \"3x3x2\"\ncells = 15\n",
        "set = \"V L T\"\n[[box]]\nsides = \"3x2x3\"\ncells = 11\nconnected = true\n",
        "set = \"V L\"\n[[box]]\nsides = \"5x5x5\"\ncells = 7\nconnected = true\n[[box]]\nsides = \"2x2x3\"\ncells = 7\n",
        "set = \"V L T2\"\n[[box]]\nsides = \"3x2x4\"\ncells = 15\ntowers = true\n",
        "set = \"A L V2\"\n[[symmetric]]\ncells = 14\norder_at_least = 4\n",
        "[[symmetric]]\ncells = 27\nclass = [\"C4\", \"C3i\"]\nwithin = \"7x5x40\"\n",
        "set = \"V L T\"\n[[symmetric]]\ncells = 11\nclass = [\"Cs\"]\nwithin = \"4x2x3\"\nparts = 2\n",
    ] {
        let plan =
            Plan::of_text(Path::new("plan.toml"), &format!("title = \"x\"\n{table}")).unwrap();
        let first = plan.questions[0].key();
        let enumeration =
            |key: &str| Enumeration::new(EnumerationSpec::from_key(key).unwrap()).unwrap();
        let all = listed(&enumeration(&first), ShardRange::ALL);
        assert!(all.len() > 20, "{table}: {}", all.len());
        for count in [2, 30] {
            let units =
                cut(&plan, Cut::Count(count), &AtomicBool::new(false)).unwrap().unwrap().units;
            let mut together = Vec::new();
            let mut ranges = 0;
            for unit in &units {
                let UnitWork::Question(shards) = &unit.work else { panic!("{table}") };
                if shards.key != first {
                    continue;
                }
                ranges += 1;
                assert_eq!(EnumerationSpec::from_key(&shards.key).unwrap().key(), shards.key);
                together.extend(listed(&enumeration(&shards.key), unit.work.range()));
            }
            assert!(together == all, "{table} in {ranges} ranges");
            if plan.questions.len() == 1 {
                assert_eq!(ranges, count, "{table}");
            }
        }
    }
}
