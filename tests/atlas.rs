//! The lists under `catalog/atlas/`, made again from their plans: the figures that can be built (but
//! not the 12,490 of the 2×4×4 box), and shares class by class.

#![allow(clippy::unwrap_used)] // A test that cannot go on may panic.

#[path = "support/program.rs"]
mod program;

use program::{run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Plans that take seconds.
const PLANS: [&str; 7] = [
    "six-fold",
    "four-fold-rotoreflection",
    "order-3",
    "order-4-smaller-classes",
    "order-6-and-up",
    "box-2x3x5",
    "box-2x4x4",
];

/// What a plan came to, class by class.
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
