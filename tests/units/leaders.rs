//! `keep = "top:N"`: the figures of a census with the most packings.

use super::{content, ends, shuffled, units};
use crate::support::night::{assert_sound, dump};
use crate::support::parts::without_time;
use crate::support::points::{Signal, disturbed, points_of};
use crate::support::program::{signal, somacat, stderr, stdout};
use crate::support::random::Random;
use somacat_counting::question::{Leaders, shorten};
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;

/// Writes a plan that keeps leaders of a census with ties. Many figures have as many packings as others.
fn plan(folder: &Path, keep: &str) {
    let text = format!(
        "title = \"leaders\"\nset = \"V L T\"\nkeep = \"{keep}\"\n[[census]]\nsides = \"2x3x4\"\n\
         [[census]]\nsides = \"3x3x3\"\n"
    );
    fs::write(folder.join("plan.toml"), text).unwrap();
}

/// Disturbs a command at different points until it ends; returns how often. The first points are its second and third.
/// The others are later each time, from an eighth of `whole` on, the number of points that it has undisturbed.
fn disturbed_until_done(folder: &Path, args: &[&str], whole: u64) -> usize {
    let points = [2, 3].into_iter().chain((1..).map(|n| 4 + whole * n / 8));
    let disturbances = [Signal::Kill, Signal::Terminate].into_iter().cycle().zip(points);
    disturbances
        .take_while(|(signal, point)| disturbed(folder, args, *point, *signal) != Some(0))
        .count()
}

/// Returns the packings of each figure of a table.
fn packings(table: &str) -> Vec<u32> {
    let mut table = csv::Reader::from_reader(table.as_bytes());
    table.records().map(|row| row.unwrap()[8].parse().unwrap()).collect()
}

fn sql(folder: &Path, db: &str, sql: &str) -> String {
    ends(folder, &["query", "--db", db, "--csv", "--sql", sql, "-q"], 0)
}

#[test]
fn leaders_are_the_same_in_a_run_after_kills_and_in_units() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    plan(folder, "top:30");
    let (done, points) = points_of(folder, &["run", "plan.toml", "-q", "--db", "run.db"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let whole = dump(folder, "run.db");
    let args = ["run", "plan.toml", "-q", "--db", "killed.db"];
    assert!(disturbed_until_done(folder, &args, points) > 1);
    assert!(dump(folder, "killed.db") == whole);

    let number = units(folder, "plan.toml", "3");
    for unit in shuffled(number, &mut Random::new(5)) {
        let unit = unit.to_string();
        let work = ["work", "units.txt", "--unit", &unit, "-q", "--out"];
        let (done, points) = points_of(folder, &[&work[..], &["whole"]].concat());
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        disturbed_until_done(folder, &[&work[..], &["parts"]].concat(), points);
    }
    for unit in 1..=number {
        let part = |of: &str| fs::read(folder.join(format!("{of}/{unit:04}"))).unwrap();
        assert!(without_time(&part("parts")) == without_time(&part("whole")), "{unit}");
    }
    ends(folder, &["merge", "units.txt", "parts", "-q", "--db", "merged.db"], 0);
    assert!(dump(folder, "merged.db") == whole);
    assert_sound(&folder.join("merged.db"));
    ends(folder, &["merge", "units.txt", "parts", "-q", "--to", "parquet", "direct"], 0);
    ends(folder, &["export", "parquet", "exported", "--db", "run.db", "-q"], 0);
    assert!(content(folder, "direct") == content(folder, "exported"));
}

#[test]
fn leaders_have_the_most_packings_and_the_numbers_are_those_of_all_figures() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (keep, db) in [("top:30", "top.db"), ("totals", "totals.db")] {
        plan(folder, keep);
        ends(folder, &["run", "plan.toml", "-q", "--db", db], 0);
    }
    let numbers = "SELECT enumeration, class, figures, parity_blocked, unsolvable, solvable FROM enumerations";
    assert_eq!(sql(folder, "top.db", numbers), sql(folder, "totals.db", numbers));
    for sides in ["2x3x4", "3x3x3"] {
        let most = ends(folder, &["census", sides, "--set", "V L T", "--keep", "top:30", "-q"], 0);
        let most = packings(&most);
        let kept = format!(
            "SELECT o.raw FROM outcome o JOIN enumerated x USING (figure_id)
             JOIN enumeration e ON e.id = x.enumeration_id
             WHERE e.label = 'census of {sides}' ORDER BY o.raw DESC"
        );
        let kept = sql(folder, "top.db", &kept);
        let kept: Vec<u32> = kept.lines().skip(1).map(|raw| raw.parse().unwrap()).collect();
        assert_eq!(kept[..30], most);
        assert!(kept.len() < 200, "{}", kept.len());
    }
    let verified = ends(folder, &["verify", "--db", "top.db"], 0);
    assert!(verified.contains("0 mismatches"), "{verified}");
}

#[test]
fn a_stopped_census_has_the_leaders_of_every_counted_shard() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // More than there are, so that each figure with a packing leads.
    let census = ["census", "2x3x5", "--set", "V L T", "--keep", "top:1000000", "--csv"];
    // Bisects for a moment between the first shard and the last. If there is none, the census was never stopped
    // between, and each of its two ends was right.
    let (mut early, mut late) = (Duration::ZERO, None);
    for _ in 0..16 {
        let wait = late.map_or(2 * early + Duration::from_millis(50), |late| (early + late) / 2);
        let mut command = somacat(folder, &census);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(wait);
        signal(&child, "TERM");
        let done = child.wait_with_output().unwrap();
        let (told, rows) = (stderr(&done), packings(&stdout(&done)).len());
        match done.status.code() {
            Some(0) => late = Some(wait),
            Some(75) => {
                assert!(told.contains(&format!(" figures, {rows} of them can be built")), "{told}");
                if rows > 0 {
                    return;
                }
                early = wait;
            }
            other => panic!("{other:?}: {told}"),
        }
    }
}

fn admitted(stream: &[u64], number: NonZeroU32, before: &[u64]) -> Vec<u64> {
    let mut leaders = Leaders::after(before.to_vec(), number);
    stream.iter().copied().filter(|packings| leaders.admits(*packings)).collect()
}

fn largest(stream: &[u64], number: usize) -> Vec<u64> {
    let mut sorted = stream.to_vec();
    shorten(&mut sorted, number, |packings| *packings);
    sorted
}

#[test]
fn leaders_are_the_same_however_the_stream_is_divided() {
    let mut random = Random::new(1);
    for _ in 0..300 {
        let many = 1 + random.below(5);
        let number = NonZeroU32::new(many as u32).unwrap();
        let stream: Vec<u64> = (0..random.below(60)).map(|_| random.below(12) as u64).collect();
        let whole = admitted(&stream, number, &[]);
        assert_eq!(largest(&whole, many), largest(&stream, many));
        let (first, second) = stream.split_at(random.below(1 + stream.len()));
        let before = admitted(first, number, &[]);
        let resumed = admitted(second, number, &largest(&before, many));
        assert_eq!([before.clone(), resumed].concat(), whole);
        let parts = [before, admitted(second, number, &[])].concat();
        assert_eq!(admitted(&parts, number, &[]), whole);
    }
}
