//! Buildable figures of a class on the command line.

use crate::support::program::{column, run, stderr, stdout};
use tempfile::TempDir;

/// SOMA, as counted figure by figure; docs/answers.md has the numbers.
#[test]
fn classes_of_soma_have_the_figures_that_are_known() {
    let folder = TempDir::new().unwrap();
    for (class, figures, most) in [("D2(face)", 31, "200"), ("S4", 16, "228"), ("C4", 11, "248")] {
        let args = ["enumerate", "buildable", "--class", class, "--exact", "--csv", "-q"];
        let done = run(folder.path(), &args);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        let raw = column(&stdout(&done), "raw");
        let largest = raw.iter().max_by_key(|raw| raw.parse::<u64>().unwrap());
        assert_eq!((raw.len(), largest.map(String::as_str)), (figures, Some(most)), "{class}");
    }
}

/// Other classes are counted figure by figure, with a message. They cannot be searched jointly.
#[test]
fn other_classes_are_counted_one_by_one() {
    let folder = TempDir::new().unwrap();
    let buildable = ["enumerate", "buildable", "--count", "--csv", "--class"];
    let done = run(folder.path(), &[&buildable[..], &["C3", "--set", "V L T"]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("every figure of the class counted"), "{}", stderr(&done));
    let refused = run(folder.path(), &[&buildable[..], &["Ci", "--set", "L T"]].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    let endless = run(folder.path(), &[&buildable[..], &["C1"]].concat());
    assert_eq!(endless.status.code(), Some(2), "{}", stderr(&endless));
    assert!(stderr(&endless).contains("--estimate"), "{}", stderr(&endless));
}
