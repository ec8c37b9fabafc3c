//! Every write, sync, rename, allocation and thread start fails once. The disk also fills up, or threads run out, from
//! every call on.
//!
//! The program reports it or ends as documented, the catalog is sound, and the same command gives the usual result.
//!
//! A small C library, loaded before the system's, makes the calls fail. With `SOMACAT_THOROUGH=1` each call of a
//! run fails in turn, otherwise a sample.

use crate::support::points::failing_calls;
use crate::support::program::{run, somacat, stderr, stdout};
use somacat_catalog::{Catalog, CatalogError, check_catalog, diff_catalogs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

const ARGS: [&str; 3] = ["run", "plan.toml", "-q"];

/// Creates a folder with a plan: figures with and without names, faults, an enumeration and published counts.
fn plan_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/catalog-v11");
    for name in ["figures.txt", "plan.toml", "published.csv", "solved.soma"] {
        fs::copy(data.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// One file change fails.
    Once,
    /// The disk is full from one change on.
    FullDisk,
    /// One allocation fails.
    Memory,
    /// One thread is refused.
    Thread,
    /// All threads are refused from one call on.
    NoThreads,
}

impl Kind {
    /// Returns the library's name for the failure.
    const fn word(self) -> &'static str {
        match self {
            Self::Once | Self::FullDisk => "files",
            Self::Memory => "memory",
            Self::Thread | Self::NoThreads => "threads",
        }
    }
}

struct Failing {
    whole: PathBuf,
    kind: Kind,
}

impl Failing {
    fn run(&self, folder: &Path, args: &[&str], call: u64) -> Output {
        let mut command = somacat(folder, args);
        command
            .env("LD_PRELOAD", failing_calls())
            .env("FAILING_FOLDER", folder.canonicalize().unwrap());
        command.env("FAILING_KIND", self.kind.word());
        command.env("FAILING_COUNT", folder.with_extension("calls"));
        command.env("FAILING_CALL", call.to_string());
        if let Kind::FullDisk | Kind::NoThreads = self.kind {
            command.env("FAILING_ON", "1");
        }
        command.output().unwrap()
    }

    /// Returns the number of calls of a command in which none fails.
    fn calls(&self, folder: &TempDir, args: &[&str]) -> u64 {
        let done = self.run(folder.path(), args, 0);
        assert!(matches!(done.status.code(), Some(0 | 3)), "{}", stderr(&done));
        let counted = folder.path().with_extension("calls");
        let text = fs::read_to_string(&counted).unwrap();
        fs::remove_file(counted).unwrap();
        text.trim().parse().unwrap()
    }

    /// Makes a call fail; the catalog must survive.
    fn survives(&self, call: u64) {
        let folder = plan_folder();
        let (path, db) = (folder.path(), folder.path().join("somacat.db"));
        let done = self.run(path, &ARGS, call);
        let _ = fs::remove_file(path.with_extension("calls"));
        let told = format!("{:?}, call {call}: {:?} {}", self.kind, done.status, stderr(&done));
        match self.kind {
            // SQLite ends the run with an error; elsewhere the program aborts.
            Kind::Memory => {
                assert!(matches!(done.status.code(), Some(1 | 3 | 101) | None), "{told}");
            }
            // Failures of the final cleanup may go unnoticed.
            Kind::Once => assert!(matches!(done.status.code(), Some(1 | 3)), "{told}"),
            Kind::FullDisk => assert_eq!(done.status.code(), Some(1), "{told}"),
            // Other threads take over, or the program ends and reports the reason.
            Kind::Thread | Kind::NoThreads => {
                assert!(matches!(done.status.code(), Some(1 | 3)), "{told}");
                assert!(!told.contains("panicked"), "{told}");
            }
        }
        match check_catalog(&db, false) {
            Ok(checkup) => assert_eq!(checkup.findings, [], "{told}"),
            Err(CatalogError::Missing(_) | CatalogError::Empty(_)) => {}
            Err(error) => panic!("{told}: {error}"),
        }
        // A figure without memory has failed, and is counted again on request.
        let again = run(path, &[&ARGS[..], &["--redo"]].concat());
        assert_eq!(again.status.code(), Some(3), "{told}: {}", stderr(&again));
        assert_eq!(check_catalog(&db, false).unwrap().findings, [], "{told}");
        let open = |path: &Path| Catalog::open_read_only(path).unwrap();
        let difference = diff_catalogs::<CatalogError>(&open(&self.whole), &open(&db), |_| Ok(()));
        assert!(difference.unwrap().is_same(), "{told}");
    }
}

/// Makes calls of a run on two threads fail: each in turn in a thorough test, otherwise `most` of them, spread
/// evenly.
fn every_call_fails(kind: Kind, most: u64) {
    let outside = plan_folder();
    assert_eq!(run(outside.path(), &ARGS).status.code(), Some(3));
    let failing = Failing { whole: outside.path().join("somacat.db"), kind };
    let calls = failing.calls(&plan_folder(), &ARGS);
    assert!(calls > 100, "{calls} calls: they are not met");
    let thorough = std::env::var_os("SOMACAT_THOROUGH").is_some();
    let most = if thorough { most * 20 } else { most };
    let step = calls.div_ceil(most.min(calls));
    let next = AtomicU64::new(1);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let call = next.fetch_add(step, Ordering::Relaxed);
                    // The last calls clean up after the last write.
                    if call > calls - calls / 20 {
                        break;
                    }
                    failing.survives(call);
                }
            });
        }
    });
}

#[test]
fn a_failed_file_change_loses_no_committed_data() {
    every_call_fails(Kind::Once, 30);
}

#[test]
fn a_disk_that_fills_up_loses_no_committed_data() {
    every_call_fails(Kind::FullDisk, 12);
}

#[test]
fn a_failed_allocation_loses_no_committed_data() {
    every_call_fails(Kind::Memory, 10);
}

/// Allocations are refused, a sample of each command in turn. It aborts or reports the failure, and no result is
/// wrong: a count of a figure is the usual one or missing, a catalog is sound and is completed by the same command.
#[test]
fn a_failed_allocation_gives_no_wrong_result() {
    let folder = plan_folder();
    let here = folder.path();
    assert_eq!(run(here, &ARGS).status.code(), Some(3));
    let done = run(here, &["units", "plan.toml", "--count", "1", "-q"]);
    fs::write(here.join("units.txt"), &done.stdout).unwrap();
    for unit in 1..=stdout(&done).lines().count() {
        let unit = unit.to_string();
        run(here, &["work", "units.txt", "--unit", &unit, "--out", "parts", "-q"]);
    }
    let (kind, whole) = (Kind::Memory, here.join("somacat.db"));
    let failing = Failing { whole, kind };
    let open = |path: &Path| Catalog::open_read_only(path).unwrap();
    let commands: [&[&str]; 4] = [
        &["count", "figures.txt", "--format", "heightmap", "--csv"],
        &["import", "figures.txt", "-q", "--db", "made.db"],
        &["verify", "-q", "--db", "usual.db"],
        &["merge", "units.txt", "parts", "-q", "--db", "made.db"],
    ];
    for args in commands {
        let made = here.join("made.db");
        let usual = run(here, args);
        let code = usual.status.code();
        assert!(matches!(code, Some(0 | 3)), "{args:?}: {}", stderr(&usual));
        let whole = made.exists().then(|| fs::rename(&made, here.join("usual.db")).unwrap());
        let rows = counts(&stdout(&usual));
        let calls = failing.calls(&folder, args);
        let _ = fs::remove_file(&made);
        let step = if std::env::var_os("SOMACAT_THOROUGH").is_some() { 101 } else { 4 };
        for call in (1..=calls).step_by((calls as usize / step).max(1)) {
            let done = failing.run(here, args, call);
            let told = format!("{args:?}, {call} of {calls}: {:?} {}", done.status, stderr(&done));
            assert!(matches!(done.status.code(), Some(0 | 1 | 3 | 101) | None), "{told}");
            for (name, count) in counts(&stdout(&done)) {
                let usual = rows.iter().find(|(known, _)| *known == name);
                let usual = &usual.expect("a figure of the file").1;
                assert!(count == *usual || count.starts_with("failed"), "{told}");
            }
            if whole.is_some() {
                run(here, &[args, &["--redo"][..usize::from(args[0] == "import")]].concat());
                assert_eq!(check_catalog(&made, false).unwrap().findings, [], "{told}");
                let (usual, made) = (open(&here.join("usual.db")), open(&made));
                let difference = diff_catalogs::<CatalogError>(&usual, &made, |_| Ok(()));
                assert!(difference.unwrap().is_same(), "{told}");
            }
            let _ = fs::remove_file(&made);
        }
    }
}

/// Returns the names and outcomes of the complete rows of `count --csv`.
fn counts(csv: &str) -> Vec<(String, String)> {
    let complete = csv.rsplit_once('\n').map_or("", |(complete, _)| complete);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[0].to_owned(), fields[6..=10].join(","))
    };
    complete.lines().skip(1).map(row).collect()
}

#[test]
fn a_refused_thread_loses_no_committed_data() {
    let outside = plan_folder();
    let whole = outside.path().join("somacat.db");
    assert_eq!(run(outside.path(), &ARGS).status.code(), Some(3));
    for kind in [Kind::Thread, Kind::NoThreads] {
        let failing = Failing { whole: whole.clone(), kind };
        let calls = failing.calls(&plan_folder(), &ARGS);
        assert!(calls > 4, "{calls} calls: they are not met");
        (1..=calls).for_each(|call| failing.survives(call));
    }
}

/// A merge needs only the threads of the pool.
#[test]
fn a_merge_without_new_threads_gives_the_same_result() {
    let folder = plan_folder();
    let here = folder.path();
    let done = run(here, &["units", "plan.toml", "--count", "1", "-q"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    fs::write(here.join("units.txt"), &done.stdout).unwrap();
    for unit in 1..=done.stdout.iter().filter(|&&byte| byte == b'\n').count() {
        let unit = unit.to_string();
        let done = run(here, &["work", "units.txt", "--unit", &unit, "--out", "parts", "-q"]);
        assert!(matches!(done.status.code(), Some(0 | 3)), "{}", stderr(&done));
    }
    let (kind, whole) = (Kind::NoThreads, here.join("merged.db"));
    let failing = Failing { whole: whole.clone(), kind };
    let merge = ["merge", "units.txt", "parts", "-q", "--db", "merged.db"];
    let calls = failing.calls(&folder, &merge);
    let other = here.join("other.db");
    let mut merged = 0;
    for call in 1..=calls {
        let merge = ["merge", "units.txt", "parts", "-q", "--db", "other.db"];
        let done = failing.run(here, &merge, call);
        let told = format!("thread {call} of {calls}: {:?} {}", done.status, stderr(&done));
        assert!(!told.contains("panicked"), "{told}");
        if done.status.code() == Some(3) {
            merged += 1;
            let open = |path: &Path| Catalog::open_read_only(path).unwrap();
            let difference =
                diff_catalogs::<CatalogError>(&open(&whole), &open(&other), |_| Ok(()));
            assert!(difference.unwrap().is_same(), "{told}");
            fs::remove_file(&other).unwrap();
        } else {
            assert_eq!(done.status.code(), Some(1), "{told}");
            assert!(!other.exists() || check_catalog(&other, false).is_ok(), "{told}");
        }
    }
    assert!(merged > 0, "no merge ended");
}
