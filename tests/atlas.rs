//! Rebuilds the lists under `catalog/atlas/` from their plans: buildable figures (except the 12,490 of the 2×4×4
//! box) and shares by class.
//!
//! The list that takes half an hour to rebuild is checked line by line.

use crate::support::program::{run, stderr, stdout};
use rayon::prelude::*;
use somacat::figure::Signature;
use somacat::lattice::is_connected;
use somacat::pieces::PieceSet;
use somacat::solve::{Limits, Problem, count};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
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

#[test]
fn every_line_of_the_longest_list_is_true() {
    let lines = read("order-4-and-up.csv");
    let set = PieceSet::soma(1);
    lines.par_iter().for_each(|line| {
        let signature: Signature = line["signature"].parse().unwrap();
        let figure = signature.figure().unwrap();
        let canonical = figure.canonical();
        assert_eq!(canonical.signature, signature);
        assert_eq!(canonical.group.class().name(), line["class"], "{signature}");
        assert_eq!(canonical.group.order().to_string(), line["order"], "{signature}");
        assert!(canonical.group.order() >= 4 && is_connected(figure.cells()), "{signature}");
        let report = count(&Problem::new(&figure, &set), Limits::default()).unwrap();
        let counts = [report.outcome.raw(), report.outcome.rotation(), report.outcome.unique()]
            .map(|n| n.unwrap().to_string());
        assert_eq!(counts, ["raw", "rotation", "unique"].map(|c| line[c].clone()), "{signature}");
    });

    let signatures = |name: &str| -> BTreeSet<String> {
        read(name).into_iter().map(|mut line| line.remove("signature").unwrap()).collect()
    };
    let all = signatures("order-4-and-up.csv");
    assert_eq!(all.len(), lines.len(), "a figure stands twice");
    for part in ["order-4-smaller-classes.csv", "order-6-and-up.csv"] {
        assert!(signatures(part).is_subset(&all), "{part}");
    }
    let mut by_class: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &lines {
        *by_class.entry(&line["class"]).or_default() += 1;
    }
    for share in read("order-4-and-up-shares.csv") {
        let number = |column: &str| share[column].parse::<u64>().unwrap();
        let class = share["class"].as_str();
        assert_eq!(by_class.get(class).copied().unwrap_or(0), number("solvable"), "{class}");
        let parts = ["parity_blocked", "unsolvable", "solvable"].map(number);
        assert_eq!(parts.iter().sum::<u64>(), number("figures"), "{class}");
    }
}
