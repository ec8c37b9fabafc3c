//! Units equal a run of their plan despite disturbances. Programs are killed, stopped, or started twice.

use super::{content, ends, files, shuffled, units, work};
use crate::support::night::{assert_sound, dump, exports, wait_until};
use crate::support::parts::without_time;
use crate::support::points::{Signal, disturbed, points_of};
use crate::support::program::{run, signal, somacat, stderr};
use crate::support::random::Random;
use flate2::Crc;
use somacat_counting::buildable::{Buildable, SLICES};
use somacat_counting::question::Origin;
use somacat_geometry::figure::Candidate;
use somacat_geometry::pieces::parse_set;
use somacat_geometry::symmetry::Class;
use somacat_run::Plan;
use somacat_units::{Cut, SetText, UnitShards, UnitWork, cut};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A shard that takes long is searched in slices. Here its first slice, which has no figure, is done.
#[test]
fn a_unit_resumes_in_the_middle_of_a_shard() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // The unit of one shard, without the estimates of all others that cutting the plan would take.
    let plan = |set: &str, more: &str| {
        let text = format!("title = \"x\"\nset = \"{set}\"\n{more}");
        Plan::of_text(Path::new("plan.toml"), &text).unwrap()
    };
    let (shard, stop) = (12_122, AtomicBool::new(false));
    let small = plan("V L", "[[box]]\nsides = \"2x2x2\"\ncells = 7\n");
    let mut unit = cut(&small, Cut::Count(1), &stop).unwrap().unwrap().units.remove(0);
    let asked = "[[buildable]]\nclass = \"Cs(diagonal)\"\nexact = true\n";
    let question = &plan("SOMA", asked).questions[0];
    let Origin::Search(set) = question.origin() else { panic!("a search") };
    unit.work = UnitWork::Question(UnitShards {
        key: question.key(),
        label: question.label(),
        set: SetText::of(set),
        keep: question.keep(),
        shards: [shard, shard + 1],
        search: [0, 0],
    });
    let unit = unit.line();
    fs::write(folder.join("units.txt"), &unit).unwrap();
    work(folder, 1, "whole", 0);
    let class = Class::matching("Cs(diagonal)").unwrap()[0];
    let search = Buildable::new(class, true, &parse_set("SOMA").unwrap()).unwrap();
    let first = shard * SLICES..shard * SLICES + 1;
    let none = |_, figures: Vec<Candidate>| {
        assert!(figures.is_empty());
        ControlFlow::Continue(())
    };
    let _ = search.for_each_slice(first, &stop, Some, &mut { none });
    let progress = folder.join("parts/0001.unfinished");
    let end = format!("{{\"end\":{{\"shard\":{shard},\"figures\":1,\"totals\":[]}}}}");
    let write = |line: &str| {
        let mut crc = Crc::new();
        crc.update(format!("{line}\n").as_bytes());
        format!(
            "{line}\n{{\"crc\":[{},0,{{\"host\":\"n1\",\"job\":\"\",\"phase\":\"working\"}}]}}\n",
            crc.sum()
        )
    };
    fs::create_dir_all(folder.join("parts")).unwrap();
    fs::write(&progress, write(&unit) + &write(&end)).unwrap();
    let place = || {
        let text = fs::read_to_string(&progress).unwrap();
        let end = text.lines().rfind(|line| line.starts_with("{\"end\"")).unwrap();
        let end: serde_json::Value = serde_json::from_str(end).unwrap();
        let number = |key: &str| end["end"][key].as_u64().unwrap();
        // The next shard begins after the last slice.
        (number("shard") - shard) * SLICES + number("figures")
    };
    let args = ["work", "units.txt", "--unit", "1", "--threads", "1", "-q"];
    let (mut before, signals) = (1, [Signal::Kill, Signal::Terminate].into_iter().cycle());
    for (point, signal) in (2..).zip(signals) {
        if disturbed(folder, &args, point, signal) == Some(0) {
            break;
        }
        let next = place();
        assert!(next >= before && next <= SLICES);
        before = next;
    }
    let read = |out: &str| fs::read(folder.join(format!("{out}/0001"))).unwrap();
    assert!(without_time(&read("parts")) == without_time(&read("whole")));
    assert!(read("whole").len() > 10_000);
}

/// The number of times that a command was disturbed before it ended.
#[derive(Default)]
struct Disturbances {
    kills: usize,
    stops: usize,
}

impl Disturbances {
    fn number(&self) -> usize {
        self.kills + self.stops
    }

    /// Kills or stops a command at random points until it ends with `code`. The points come later and later, so that
    /// it ends.
    fn until_done(&mut self, folder: &Path, args: &[&str], code: i32, random: &mut Random) {
        let mut range = 12;
        loop {
            let signal = if random.below(3) == 0 { Signal::Terminate } else { Signal::Kill };
            match disturbed(folder, args, 1 + random.below(range) as u64, signal) {
                Some(ended) if ended == code => return,
                Some(75) => self.stops += 1,
                None => self.kills += 1,
                other => panic!("{args:?}: {other:?}"),
            }
            range += range / 2;
            age_leftovers(folder);
        }
    }
}

/// Makes the leftovers of kills in a folder old enough for deletion.
fn age_leftovers(folder: &Path) {
    for path in leftovers(folder) {
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        fs::File::open(path).unwrap().set_modified(hour_ago).unwrap();
    }
}

/// Returns temporary files and folders, and the saved progress of unfinished units.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let temporary = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with(".somacat-") || name.ends_with(".unfinished")
    };
    paths.filter(temporary).collect()
}

#[test]
fn kills_of_work_and_merge_change_nothing() {
    let thorough = std::env::var_os("SOMACAT_THOROUGH").is_some();
    let wanted = if thorough { 300 } else { 20 };
    let mut random = Random::new(31);
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    files(folder);
    let text = "title = \"kills\"\nimport = [\"maps.txt\"]\nkeep = \"all\"\n[[symmetric]]\ncells = 27\n\
                class = [\"C3i\"]\n[[census]]\nsides = \"2x3x5\"\n";
    fs::write(folder.join("plan.toml"), text).unwrap();
    ends(folder, &["run", "plan.toml", "-q", "--db", "run.db"], 3);
    let (dumped, exported) = (dump(folder, "run.db"), exports(folder, "run.db"));
    ends(folder, &["export", "parquet", "exported", "--db", "run.db", "-q"], 0);
    let number = units(folder, "plan.toml", "6");
    let [mut of_work, mut of_merge, mut of_files] = <[Disturbances; 3]>::default();
    while of_work.number() + of_merge.number() + of_files.number() < wanted
        || [&of_work, &of_merge, &of_files].iter().any(|of| of.kills == 0)
    {
        for unit in shuffled(number, &mut random) {
            let args = ["work", "units.txt", "--unit", &unit.to_string(), "-q"];
            of_work.until_done(folder, &args, 0, &mut random);
            age_leftovers(&folder.join("parts"));
        }
        // An interrupted run left an incomplete catalog.
        if random.below(2) == 0 {
            let args = ["run", "plan.toml", "-q", "--db", "merged.db"];
            disturbed(folder, &args, 1 + random.below(200) as u64, Signal::Kill);
        }
        let merge = ["merge", "units.txt", "parts", "-q"];
        of_merge.until_done(folder, &[&merge[..], &["--db", "merged.db"]].concat(), 3, &mut random);
        assert!(dump(folder, "merged.db") == dumped, "tables differ");
        assert!(exports(folder, "merged.db") == exported, "exports differ");
        assert_sound(&folder.join("merged.db"));
        fs::remove_file(folder.join("merged.db")).unwrap();
        let to = ["--to", "parquet", "direct"];
        of_files.until_done(folder, &[&merge[..], &to].concat(), 3, &mut random);
        assert!(content(folder, "direct") == content(folder, "exported"), "files differ");
        assert!(leftovers(folder).is_empty(), "{:?}", leftovers(folder));
        fs::remove_dir_all(folder.join("direct")).unwrap();
        let unfinished = leftovers(&folder.join("parts"));
        assert!(!unfinished.iter().any(|path| path.extension().is_some_and(|e| e == "unfinished")));
        fs::remove_dir_all(folder.join("parts")).unwrap();
    }
    let told = [&of_work, &of_merge, &of_files].map(|of| (of.kills, of.stops));
    println!("kills and stops of work, merge, merge --to parquet: {told:?}");
}

/// Whenever a worker is killed, the next one finishes the unit and leaves only its part.
#[test]
fn a_killed_unit_leaves_only_its_part() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    files(folder);
    fs::write(folder.join("plan.toml"), "title = \"x\"\nimport = [\"maps.txt\"]\n").unwrap();
    units(folder, "plan.toml", "1");
    let args = ["work", "units.txt", "--unit", "1", "-q", "--threads", "1"];
    let (done, points) = points_of(folder, &args);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let names = || {
        let names = fs::read_dir(folder.join("parts")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !name.starts_with(".somacat-")).collect::<BTreeSet<_>>()
    };
    let whole = names();
    for point in 1..=points {
        fs::remove_dir_all(folder.join("parts")).unwrap();
        assert_eq!(disturbed(folder, &args, point, Signal::Kill), None, "{point}");
        assert_eq!(run(folder, &args).status.code(), Some(0), "{point}");
        assert_eq!(names(), whole, "{point} of {points}");
    }
}

/// Two programs on one unit: the second is refused with the exit code for trying again.
#[test]
fn a_unit_is_processed_by_one_program_at_a_time() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let text = "title = \"x\"\nkeep = \"totals\"\n[[box]]\nsides = \"3x3x4\"\ncells = 27\n";
    fs::write(folder.join("plan.toml"), text).unwrap();
    units(folder, "plan.toml", "3");
    let args = ["work", "units.txt", "--unit", "2", "--threads", "1", "-q"];
    let mut command = somacat(folder, &args);
    let mut first = command.stderr(Stdio::piped()).spawn().unwrap();
    let unfinished = folder.join("parts/0002.unfinished");
    let length = || unfinished.metadata().map_or(0, |metadata| metadata.len());
    wait_until(&mut first, |_| length() >= 1000);
    assert!(work(folder, 2, "parts", 75).contains("another program is working"));
    signal(&first, "TERM");
    let ended = first.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(75), "{}", stderr(&ended));
    // It resumes after the finished work.
    let before = length();
    assert_eq!(disturbed(folder, &args, 1, Signal::Terminate), Some(75));
    assert!(length() >= before && !folder.join("parts/0002").exists());
}
