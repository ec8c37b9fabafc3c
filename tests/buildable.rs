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

/// The options of `enumerate symmetric` choose among the buildable figures. Classes that are searched one by one have the
/// figures that a large box has, all of which are counted.
#[test]
fn several_classes_and_boxes_choose_among_buildable_figures() {
    let folder = TempDir::new().unwrap();
    let buildable = |options: &[&str]| {
        let set = ["enumerate", "buildable", "--set", "V L T", "--csv", "-q"];
        let done = run(folder.path(), &[&set[..], options].concat());
        assert_eq!(done.status.code(), Some(0), "{options:?}: {}", stderr(&done));
        stdout(&done)
    };
    let all = buildable(&["--class", "C2v", "--cells", "11", "--count"]);
    let known = "class,order,figures\n\"C2v(face,planar)\",4,32\nC2v(edge),4,20\nD2h(face),8,1\n";
    assert_eq!(all, known);
    assert_eq!(buildable(&["--class", "C2v", "--within", "11x11x11", "--count"]), all);
    let of_order = buildable(&["--order-at-least", "4", "--within", "11x11x11", "--count"]);
    assert_eq!(buildable(&["--order-at-least", "4", "--count"]), of_order);
    let mut listed = column(&buildable(&["--class", "C2v"]), "signature");
    let mut in_box = column(&buildable(&["--class", "C2v", "--within", "11x11x11"]), "signature");
    listed.sort_unstable();
    in_box.sort_unstable();
    assert_eq!((listed.len(), listed), (53, in_box));
    let small = buildable(&["--class", "C2v", "--within", "3x3x4"]);
    let rotations = buildable(&["--class", "C2v", "--within", "3x3x4", "--one-sided"]);
    assert!(column(&small, "signature").len() <= column(&rotations, "signature").len());
    let parts = buildable(&["--fold", "2", "--parts", "2", "--within", "3x3x3"]);
    for (cells, unique) in column(&parts, "cells").iter().zip(column(&parts, "unique")) {
        let counted = run(folder.path(), &["count", cells, "--set", "V L T", "--csv", "-q"]);
        assert_eq!(column(&stdout(&counted), "unique"), [unique], "{cells}");
    }
    for (options, words) in [
        (&["--class", "Ci", "--cells", "12"][..], "fills 11"),
        (&["--class", "Ci", "--fold", "4"], "no symmetry class"),
        (&["--class", "C2v", "--estimate"], "one class"),
        (&["--fold", "2", "--parts", "2"], "--within"),
        (&[], "name a symmetry"),
    ] {
        let set = ["enumerate", "buildable", "--set", "V L T"];
        let refused = run(folder.path(), &[&set[..], options].concat());
        assert_eq!(refused.status.code(), Some(2), "{options:?}");
        assert!(stderr(&refused).contains(words), "{options:?}: {}", stderr(&refused));
    }
}
