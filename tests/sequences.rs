//! Random sequences of commands against a model of a catalog's rows. The model has the rows that the catalog must or
//! may contain.
//!
//! A sequence comes from a seed, and a failing one is shortened. `SOMACAT_SEQUENCES` is the number of sequences,
//! `SOMACAT_SEED` the first seed.

use crate::support::points::{Signal, signaled_at};
use crate::support::program::{run, somacat, stderr};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rusqlite::{Connection, OpenFlags};
use somacat_catalog::{Catalog, CatalogError, Filter, check_catalog};
use somacat_counting::enumerate::{BoxSpec, Enumeration};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::Signature;
use somacat_geometry::outcome::{Report, Verdict};
use somacat_geometry::pieces::parse_set;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

const SET: &str = "V L T";
const SIDES: [u32; 3] = [2, 2, 4];
const CELLS: usize = 11;
const KEEPS: [&str; 3] = ["all", "solvable", "totals"];
const LIMITS: [Option<u64>; 4] = [Some(1), Some(4), Some(12), None];

#[derive(Clone, Copy, Debug)]
enum End {
    Whole,
    /// Gets SIGTERM at a point.
    Stopped(u64),
    /// Killed at a point.
    Killed(u64),
}

#[derive(Clone, Debug)]
enum Step {
    Run { keep: usize, limit: usize, redo: bool, end: End },
    Import { limit: usize, end: End },
    Together { limits: [usize; 2] },
    Copy,
    Salvage,
    Publish,
    RemoveLock,
    Symlink,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let end = prop_oneof![
        2 => Just(End::Whole),
        1 => (1_u64..200).prop_map(End::Stopped),
        2 => (1_u64..200).prop_map(End::Killed),
    ];
    let limit = 0..LIMITS.len();
    let step = prop_oneof![
        6 => (0..KEEPS.len(), limit.clone(), any::<bool>(), end.clone())
            .prop_map(|(keep, limit, redo, end)| Step::Run { keep, limit, redo, end }),
        2 => (limit.clone(), end).prop_map(|(limit, end)| Step::Import { limit, end }),
        1 => [limit.clone(), limit].prop_map(|limits| Step::Together { limits }),
        1 => Just(Step::Copy),
        1 => Just(Step::Salvage),
        1 => Just(Step::Publish),
        1 => Just(Step::RemoveLock),
        1 => Just(Step::Symlink),
    ];
    proptest::collection::vec(step, 3..9)
}

/// Every figure of the box, with its report under each limit.
static WORLD: LazyLock<Vec<(Signature, Vec<Report>)>> = LazyLock::new(|| {
    let set = parse_set(SET).unwrap();
    let mut world = Vec::new();
    let all = Enumeration::in_box(BoxSpec::new(SIDES, CELLS)).unwrap();
    let _ = all.for_each(&AtomicBool::new(false), &mut |candidate| {
        let signature = candidate.columns().signature.clone();
        let figure = signature.figure().unwrap();
        let under = |nodes| {
            count(&Problem::new(&figure, &set), Limits { nodes, ..Limits::default() }).unwrap()
        };
        world.push((signature, LIMITS.map(under).to_vec()));
        ControlFlow::Continue(())
    });
    world
});

/// Ranks a report: an exact one is highest, others by their work.
fn rank(report: &Report) -> u64 {
    if report.outcome.is_exact() { u64::MAX } else { report.nodes.unwrap_or(0) }
}

/// The knowledge about each figure, by the limits it was counted under.
struct Model {
    folder: TempDir,
    /// The present name of the catalog.
    name: String,
    names: u32,
    /// Limits under which a completed command counted the figure.
    sure: Vec<BTreeSet<usize>>,
    /// Limits under which a command may have counted it.
    tried: Vec<BTreeSet<usize>>,
    /// Completed enumerations: the kept figures, and the limit if it matters.
    whole: BTreeSet<(usize, usize)>,
}

impl Model {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let sides = SIDES.map(|side| side.to_string()).join("x");
        for (keep, word) in KEEPS.iter().enumerate() {
            for (at, limit) in LIMITS.iter().enumerate() {
                let nodes = limit.map_or(String::new(), |nodes| format!("nodes = {nodes}\n"));
                let text = format!(
                    "title = \"t\"\nset = \"{SET}\"\nkeep = \"{word}\"\n{nodes}[[box]]\nsides = \"{sides}\"\n\
                     cells = {CELLS}\n"
                );
                fs::write(folder.path().join(format!("{keep}-{at}.toml")), text).unwrap();
            }
        }
        let cells = |(number, (signature, _)): (usize, &(Signature, Vec<Report>))| {
            let figure = signature.figure().unwrap();
            let cells: Vec<String> = figure
                .cells()
                .iter()
                .map(|cell| cell.to_array().map(|c| c.to_string()).join(","))
                .collect();
            format!("figure {number}: {}\n", cells.join(" "))
        };
        let text: String =
            WORLD.iter().enumerate().filter(|(n, _)| n % 3 == 0).map(cells).collect();
        fs::write(folder.path().join("some.cells"), text).unwrap();
        let unknown = vec![BTreeSet::new(); WORLD.len()];
        let name = "catalog-0.db".to_owned();
        Self {
            folder,
            name,
            names: 0,
            sure: unknown.clone(),
            tried: unknown,
            whole: BTreeSet::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn new_name(&mut self) -> String {
        self.names += 1;
        format!("catalog-{}.db", self.names)
    }

    /// Starts the program; returns true if it completed.
    fn start(&self, args: &[&str], end: End) -> bool {
        let args = [args, &["--db", &self.name, "-q"]].concat();
        let (point, signal) = match end {
            End::Whole => (0, Signal::Kill),
            End::Stopped(point) => (point, Signal::Terminate),
            End::Killed(point) => (point, Signal::Kill),
        };
        let done = signaled_at(self.folder.path(), &args, point, signal).output().unwrap();
        match (end, done.status.code()) {
            (_, Some(0)) => true,
            (End::Stopped(_), Some(75)) | (End::Killed(_), None) => false,
            other => panic!("{args:?}: {other:?} {}", stderr(&done)),
        }
    }

    /// Returns the figures of a command, and those that it keeps.
    fn note(&mut self, limit: usize, whole: bool, kept: impl Fn(usize, &Report) -> bool) {
        for (at, (_, reports)) in WORLD.iter().enumerate() {
            if kept(at, &reports[limit]) {
                self.tried[at].insert(limit);
                if whole {
                    self.sure[at].insert(limit);
                }
            }
        }
    }

    fn step(&mut self, step: &Step) {
        let exists = self.path(&self.name).exists();
        match *step {
            Step::Run { keep, limit, redo, end } => {
                let plan = format!("{keep}-{limit}.toml");
                let mut args = vec!["run", &plan, "--out", "out.csv"];
                args.extend(redo.then_some("--redo"));
                let whole = self.start(&args, end);
                self.note(limit, whole, |_, report| match KEEPS[keep] {
                    "all" => true,
                    "solvable" => report.outcome.verdict().is_buildable(),
                    _ => false,
                });
                if whole {
                    self.whole.insert((keep, if keep == 0 { 0 } else { limit }));
                }
            }
            Step::Import { limit, end } => {
                let nodes = LIMITS[limit].unwrap_or(0).to_string();
                let args = ["import", "some.cells", "--set", SET, "--nodes", &nodes];
                let whole = self.start(&args, end);
                self.note(limit, whole, |at, _| at % 3 == 0);
            }
            Step::Together { limits } => self.together(limits),
            Step::Copy if exists => {
                let new = self.new_name();
                for ending in ["", "-wal", "-journal"] {
                    let real = self.path(&self.name).canonicalize().unwrap();
                    let from = PathBuf::from(format!("{}{ending}", real.display()));
                    if from.exists() {
                        fs::copy(from, self.path(&format!("{new}{ending}"))).unwrap();
                    }
                }
                self.name = new;
            }
            Step::Salvage | Step::Publish if exists && self.is_catalog() => {
                let new = self.new_name();
                let salvage = matches!(step, Step::Salvage);
                let (command, option) =
                    if salvage { ("check", vec!["--salvage"]) } else { ("publish", vec![]) };
                let args = [&["catalog", command], option.as_slice(), &[&new, "--db", &self.name]];
                let done = run(self.folder.path(), &args.concat());
                assert_eq!(done.status.code(), Some(0), "{step:?}: {}", stderr(&done));
                self.name = new;
            }
            Step::RemoveLock => {
                let _ = fs::remove_file(self.path(&format!("{}-lock", self.name)));
            }
            #[cfg(unix)]
            Step::Symlink if exists => {
                let new = self.new_name();
                std::os::unix::fs::symlink(&self.name, self.path(&new)).unwrap();
                self.name = new;
            }
            _ => {}
        }
    }

    /// Runs two commands at once, one through a link: at least one does its work, and the other works or is
    /// refused.
    fn together(&mut self, limits: [usize; 2]) {
        let link = self.new_name();
        std::os::unix::fs::symlink(&self.name, self.path(&link)).unwrap();
        let names = [self.name.clone(), link];
        let start = |at: usize| {
            let (plan, out) = (format!("0-{}.toml", limits[at]), format!("out-{at}.csv"));
            let args = ["run", &plan, "-q", "--db", &names[at], "--out", &out];
            somacat(self.folder.path(), &args).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children = [start(0), start(1)];
        let ends = children.map(|child| child.wait_with_output().unwrap());
        let done = ends.each_ref().map(|end| end.status.code() == Some(0));
        for end in &ends {
            let turned_away = stderr(end).contains("another program is writing");
            assert!(end.status.code() == Some(0) || turned_away, "{}", stderr(end));
        }
        assert!(done != [false; 2]);
        for at in 0..2 {
            if done[at] {
                self.note(limits[at], true, |_, _| true);
                self.whole.insert((0, 0));
            }
        }
    }

    fn is_catalog(&self) -> bool {
        match Catalog::open_read_only(&self.path(&self.name)) {
            Ok(_) => true,
            Err(CatalogError::Missing(_) | CatalogError::Empty(_)) => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// Checks that the catalog contains all required rows and no forbidden ones.
    fn check(&self) {
        let path = self.path(&self.name);
        if !self.is_catalog() {
            assert!(self.sure.iter().all(BTreeSet::is_empty) && self.whole.is_empty());
            return;
        }
        assert_eq!(check_catalog(&path, false).unwrap().findings, []);
        let mut rows = BTreeMap::new();
        let catalog = Catalog::open_read_only(&path).unwrap();
        let all = catalog.select::<CatalogError>(&Filter::default(), |row| {
            rows.insert(row.figure.signature.clone(), row.report);
            Ok(())
        });
        assert_eq!(all.unwrap(), rows.len() as u64);
        drop(catalog);
        let mut verdicts: BTreeMap<Verdict, u64> = BTreeMap::new();
        for (at, (signature, reports)) in WORLD.iter().enumerate() {
            let report = rows.remove(signature).flatten();
            let least = self.sure[at].iter().map(|&limit| rank(&reports[limit])).max();
            let known = report.as_ref().map(rank);
            assert!(known >= least, "{signature}: {report:?} after {:?}", self.sure[at]);
            if let Some(report) = report {
                let may = self.tried[at].iter().any(|&limit| reports[limit] == report);
                assert!(may, "{signature}: {report:?} after {:?}", self.tried[at]);
                *verdicts.entry(report.outcome.verdict()).or_default() += 1;
            }
        }
        assert!(rows.is_empty(), "figures that are not in the box: {rows:?}");
        let totals = totals(&path);
        for &(keep, limit) in &self.whole {
            let nodes = if keep == 0 { 0 } else { LIMITS[limit].unwrap_or(0) };
            let expected = match keep {
                0 => verdicts.clone(),
                _ => WORLD.iter().fold(BTreeMap::new(), |mut sums, (_, reports)| {
                    *sums.entry(reports[limit].outcome.verdict()).or_default() += 1;
                    sums
                }),
            };
            let (complete, stated) = &totals[&(KEEPS[keep].to_owned(), nodes)];
            assert!(*complete, "{} under {nodes}", KEEPS[keep]);
            let words: BTreeMap<String, u64> =
                expected.into_iter().map(|(verdict, n)| (word(verdict).to_owned(), n)).collect();
            assert_eq!(*stated, words, "{} under {nodes}", KEEPS[keep]);
        }
    }
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Counted => "counted",
        Verdict::Unsolvable => "unsolvable",
        Verdict::AtLeast => "at-least",
        Verdict::Unknown => "unknown",
        Verdict::Failed => "failed",
    }
}

type Enumerations = BTreeMap<(String, u64), (bool, BTreeMap<String, u64>)>;

/// Checks the enumerations' own totals.
fn totals(path: &Path) -> Enumerations {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut statement = connection
        .prepare(
            "SELECT e.keep, e.limited, e.complete, v.name, sum(t.figures) FROM enumeration e
             JOIN enumeration_total t ON t.enumeration_id = e.id JOIN verdict v ON v.id = t.verdict_id
             GROUP BY e.id, v.id",
        )
        .unwrap();
    let mut found = Enumerations::new();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let key = (row.get(0).unwrap(), row.get(1).unwrap());
        let entry = found.entry(key).or_insert_with(|| (row.get(2).unwrap(), BTreeMap::new()));
        entry.1.insert(row.get(3).unwrap(), row.get(4).unwrap());
    }
    found
}

#[test]
fn sequences_of_commands_end_as_the_model_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let cases = number("SOMACAT_SEQUENCES").unwrap_or(14);
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number("SOMACAT_SEED").unwrap_or(13).to_le_bytes());
    let config = Config {
        cases: u32::try_from(cases).unwrap(),
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let done = TestRunner::new_with_rng(config, random).run(&steps(), |steps| {
        let mut model = Model::new();
        for step in &steps {
            model.step(step);
            model.check();
        }
        // At the end, the same commands undisturbed give all results.
        let last = [0, 1, 2].map(|keep| Step::Run { keep, limit: 3, redo: false, end: End::Whole });
        for step in &last {
            model.step(step);
            model.check();
        }
        Ok(())
    });
    if let Err(error) = done {
        panic!("{error}");
    }
}
