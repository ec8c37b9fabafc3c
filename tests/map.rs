//! Maps of packings on the command line: the published map of the cube.

use crate::support::program::{run, somacat, stderr, stdout};
use crate::support::skipped::skipped;
use std::fs;
use tempfile::TempDir;

/// A figure and a rotation of it. Its two components of three packings have the diameters 1 and 2.
#[test]
fn a_map_does_not_depend_on_the_orientation_of_the_figure() {
    let folder = TempDir::new().unwrap();
    let one = "/SOMAone\n/.11./11../11../....\n/.1../111./11../11..\n/.1../1111/111./....\n/..../1.1./1.11/....\n";
    let two = "/SOMAtwo\n/..../..11/..11/.11.\n/..11/..11/.111/..1.\n/..../.111/1111/..1.\n/..../11.1/.1.1/....\n";
    let map = |text: &str| {
        fs::write(folder.path().join("figure.soma"), text).unwrap();
        let csv = stdout(&run(folder.path(), &["map", "figure.soma", "--csv"]));
        csv.lines().nth(1).unwrap().split_once(',').unwrap().1.to_owned()
    };
    assert_eq!(map(one), "SOMA,14,4,4,\"2 of 3, 3 of 2, 2 of 1\",2,2");
    assert_eq!(map(two), map(one));
}

/// Conway and Guy: 240 packings, 239 of them connected and one solitary.
#[test]
fn the_cube_has_239_connected_packings() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("cube.txt"), "cube: 333 333 333\n").unwrap();
    let files = ["--graphml", "cube.graphml", "--dot", "cube.dot"];
    let arguments = [&["map", "cube.txt", "--json"], files.as_slice()].concat();
    let done = run(folder.path(), &arguments);
    let object: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
    assert_eq!(object["vertices"], 240, "{}", stderr(&done));
    assert_eq!(object["components"], serde_json::json!([239, 1]));
    assert_eq!(object["solitary"], 1);
    let edges = object["edges_2"].as_u64().unwrap() + object["edges_3"].as_u64().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("cube.graphml").matches("<edge ").count() as u64, edges);
    assert_eq!(read("cube.graphml").matches("<node ").count(), 240);
    assert_eq!(read("cube.graphml").matches("<data key=\"somap\">").count(), 240);
    assert_eq!(read("cube.dot").matches(" -- ").count() as u64, edges);
    // Every neighbor of a packing is joined to it.
    let steps = stdout(&run(folder.path(), &["map", "cube.txt", "--from", "1", "--csv"]));
    assert!(steps.starts_with("from,to,pieces,moving,somap\n1,"), "{steps}");
    // The same starting from a packing in a file, and from its mirror image, in which A and B are exchanged.
    let shown = "/SOMA cube\n/772/752/552\n/762/451/411\n/466/436/333\n";
    let exchanged = |c: char| match c {
        '5' => '6',
        '6' => '5',
        other => other,
    };
    let row = |row: &str| row.chars().rev().map(exchanged).collect::<String>();
    let mirrored = |line: &str| match line.strip_prefix('/').filter(|line| line.len() == 11) {
        Some(rows) => format!("/{}\n", rows.split('/').map(row).collect::<Vec<_>>().join("/")),
        None => format!("{line}\n"),
    };
    let mirrored: String = shown.lines().map(mirrored).collect();
    let mut told = Vec::new();
    for text in [shown, &mirrored] {
        fs::write(folder.path().join("one.soma"), text).unwrap();
        let done = run(folder.path(), &["map", "cube.txt", "--from", "one.soma", "--csv"]);
        told.push((done.status.code(), stdout(&done), stderr(&done)));
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0].0, Some(0), "{told:?}");
    let number = told[0].1.lines().nth(1).unwrap().split(',').next().unwrap();
    let again = stdout(&run(folder.path(), &["map", "cube.txt", "--from", number, "--csv"]));
    assert_eq!(told[0].1, again);
}

/// Reports the reason for having no map: no packing, a number too high, several figures.
#[test]
fn figures_without_a_map_are_reported() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("long.txt"), "long: 999\n").unwrap();
    fs::write(folder.path().join("tower.txt"), "tower: 67 77\n").unwrap();
    fs::write(folder.path().join("cube.txt"), "cube: 333 333 333\n").unwrap();
    fs::write(folder.path().join("two.txt"), "333 333 333\n\n999\n").unwrap();
    let none = run(folder.path(), &["map", "long.txt", "--csv"]);
    assert_eq!(none.status.code(), Some(0));
    assert!(stdout(&none).ends_with("long,SOMA,0,0,0,,0,0\n"), "{}", stdout(&none));
    for (arguments, text) in [
        (["map", "two.txt", "--csv"].as_slice(), "several figures"),
        (&["map", "long.txt", "--from", "two.txt"], "several figures"),
        (&["map", "long.txt", "--from", "long.txt"], "long.txt"),
        (&["map", "long.txt", "--from", "1"], "0 packings"),
        (&["map", "nothing.txt"], "nothing.txt"),
        (&["map", "tower.txt", "--from", "0"], "numbered from 1 to "),
        (&["map", "cube.txt", "--nodes", "9"], "--nodes allows more"),
    ] {
        let done = run(folder.path(), arguments);
        assert_ne!(done.status.code(), Some(0));
        assert!(stderr(&done).contains(text), "{}", stderr(&done));
    }
}

/// Graphviz draws a map if it is installed. Otherwise there is a message and no file.
#[test]
fn a_map_is_drawn_with_graphviz() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("tower.txt"), "tower: 67 77\n").unwrap();
    let arguments = ["map", "tower.txt", "--svg", "tower.svg", "--csv"];
    let picture = folder.path().join("tower.svg");
    let without = somacat(folder.path(), &arguments).env("PATH", folder.path()).output().unwrap();
    assert_eq!(without.status.code(), Some(1));
    assert!(stderr(&without).contains("install Graphviz"), "{}", stderr(&without));
    assert!(!picture.exists());
    if std::process::Command::new("sfdp").arg("-V").output().is_err() {
        skipped("Graphviz is not installed");
        return;
    }
    let done = run(folder.path(), &arguments);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let svg = fs::read_to_string(picture).unwrap();
    let nodes = roxmltree::Document::parse_with_options(
        &svg,
        roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() },
    )
    .unwrap()
    .descendants()
    .filter(|node| node.attribute("class") == Some("node"))
    .count();
    let vertices = stdout(&done).lines().nth(1).unwrap().split(',').nth(2).unwrap().to_owned();
    assert_eq!(nodes.to_string(), vertices);
}
