//! Rebuilds the lists under `catalog/atlas/` from their plans: buildable figures (except the 12,490 of the 2×4×4
//! box) and shares by class.
//!
//! The two lists that take longer are checked line by line.

use crate::support::program::{run, stderr, stdout};
use rayon::prelude::*;
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::Signature;
use somacat_geometry::lattice::is_connected;
use somacat_geometry::pieces::PieceSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Plans that take only seconds.
const PLANS: [&str; 7] = [
    "six-fold",
    "four-fold-rotoreflection",
    "order-3",
    "order-4-smaller-classes",
    "order-6-and-up",
    "box-2x3x5",
    "box-2x4x4",
];

/// The results of a plan by class.
const SHARES: &str = "SELECT enumeration, class, \"order\", figures, parity_blocked, unsolvable,
    solvable FROM enumerations ORDER BY \"order\", class";

#[test]
fn the_atlas_is_what_its_plans_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rewrite = std::env::var_os("SOMACAT_REWRITE_GOLDEN").is_some();
    let compare = |name: String, text: String| {
        let path = root.join("catalog/atlas").join(name);
        if rewrite {
            fs::write(&path, &text).unwrap();
        }
        let stands = fs::read_to_string(&path).unwrap();
        assert!(stands == text, "{} differs from what its plan gives", path.display());
    };
    for name in PLANS {
        let folder = TempDir::new().unwrap();
        let plan = root.join("catalog/plans").join(format!("{name}.toml"));
        let done = run(folder.path(), &["run", "-q", plan.to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(0), "{name}: {}", stderr(&done));
        if name != "box-2x4x4" {
            let solvable = run(folder.path(), &["export", "csv", "--solvable"]);
            compare(format!("{name}.csv"), stdout(&solvable));
        }
        let shares = run(folder.path(), &["query", "--csv", "--sql", SHARES]);
        compare(format!("{name}-shares.csv"), stdout(&shares));
    }
}

/// Reads a file of the atlas, with its lines by column name.
fn read(name: &str) -> Vec<BTreeMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/atlas").join(name);
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

/// Checks every line of a list, and its numbers by class. Counts that took more nodes are not repeated.
fn check_list(name: &str, set: &PieceSet, nodes: u64) -> Vec<BTreeMap<String, String>> {
    let lines = read(&format!("{name}.csv"));
    let repeated = AtomicUsize::new(0);
    lines.par_iter().for_each(|line| {
        let signature: Signature = line["signature"].parse().unwrap();
        let figure = signature.figure().unwrap();
        let canonical = figure.canonical();
        assert_eq!(canonical.signature, signature);
        assert_eq!(canonical.group.class().name(), line["class"], "{signature}");
        assert_eq!(canonical.group.order().to_string(), line["order"], "{signature}");
        assert!(canonical.group.order() >= 4 && is_connected(figure.cells()), "{signature}");
        if line["engine"] != "search" || line["nodes"].parse::<u64>().unwrap() > nodes {
            return;
        }
        repeated.fetch_add(1, Ordering::Relaxed);
        let report = count(&Problem::new(&figure, set), Limits::default()).unwrap();
        let counts = [report.outcome.raw(), report.outcome.rotation(), report.outcome.unique()]
            .map(|n| n.unwrap().to_string());
        assert_eq!(counts, ["raw", "rotation", "unique"].map(|c| line[c].clone()), "{signature}");
    });

    assert!(repeated.into_inner() > 3000);
    let signatures: BTreeSet<&String> = lines.iter().map(|line| &line["signature"]).collect();
    assert_eq!(signatures.len(), lines.len(), "a figure stands twice");
    let mut by_class: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &lines {
        *by_class.entry(&line["class"]).or_default() += 1;
    }
    for share in read(&format!("{name}-shares.csv")) {
        let number = |column: &str| share[column].parse::<u64>().unwrap();
        let class = share["class"].as_str();
        assert_eq!(by_class.get(class).copied().unwrap_or(0), number("solvable"), "{class}");
        let parts = ["parity_blocked", "unsolvable", "solvable"].map(number);
        assert_eq!(parts.iter().sum::<u64>(), number("figures"), "{class}");
    }
    lines
}

#[test]
fn every_line_of_the_longest_list_is_true() {
    let signatures = |lines: Vec<BTreeMap<String, String>>| -> BTreeSet<String> {
        lines.into_iter().map(|mut line| line.remove("signature").unwrap()).collect()
    };
    let all = signatures(check_list("order-4-and-up", &PieceSet::soma(1), u64::MAX));
    for part in ["order-4-smaller-classes.csv", "order-6-and-up.csv"] {
        assert!(signatures(read(part)).is_subset(&all), "{part}");
    }
}

#[test]
fn every_line_of_the_list_for_two_sets_is_true() {
    let lines = check_list("double-four-fold", &PieceSet::soma(2), 2000);
    // The figure of the article, and the only one of its class.
    for (class, figure) in [
        ("D4h", "s1-5x5x7-0040004e400eee0zzvzz0eee004e4000400"),
        ("Td", "s1-5x5x5-330rr3feyr0eae0ryef3rr033"),
    ] {
        assert!(lines.iter().any(|line| line["class"] == class && line["signature"] == figure));
    }
}
