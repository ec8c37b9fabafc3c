//! A figure comes back from the catalog as its maker drew it.

use crate::support::figures::grow;
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use somacat::figure::{Figure, Identity};
use somacat::formats::{Item, Options, Reader, cells_line};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn tell(folder: &Path, arguments: &[&str]) -> String {
    let done = run(folder, arguments);
    assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", stderr(&done));
    stdout(&done)
}

/// Names and figures of a text.
fn read(text: String) -> Vec<(String, Figure)> {
    let input = Box::new(std::io::Cursor::new(text));
    let reader = Reader::new(input, None, &Options::default()).unwrap();
    let entry = |item| match item {
        Ok(Item::Entry(entry)) => (entry.name.unwrap(), entry.figure),
        other => panic!("{other:?}"),
    };
    reader.map(entry).collect()
}

/// Figures with and without symmetry, repeated and mirrored, under sets that are closed under reflection and not.
#[test]
fn every_entry_comes_back_as_it_was_drawn() {
    let mut random = Random::new(48);
    for (set, cells) in [("P2", 8), ("A2", 8), ("SOMA", 27)] {
        let figures: Vec<Figure> = (0..60).map(|_| grow(cells, None, &mut random)).collect();
        let names: Vec<String> = (0..figures.len()).map(|n| format!("N{n}")).collect();
        let lines = figures.iter().zip(&names).map(|(f, n)| cells_line(Some(n), f).unwrap() + "\n");
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("in.txt"), lines.collect::<String>()).unwrap();
        tell(folder.path(), &["import", "--set", set, "in.txt", "-q"]);
        for (figure, name) in figures.iter().zip(&names) {
            for kind in ["cells", "soma"] {
                let text = tell(folder.path(), &["export", kind, "-", "--name", name]);
                assert_eq!(read(text), [(name.clone(), figure.clone())], "{set}");
            }
        }
        // In canonical position each has the cells of its signature.
        let text = tell(folder.path(), &["export", "cells", "-", "--positions", "canonical"]);
        let identity = if set == "A2" { Identity::Rotations } else { Identity::Reflections };
        for (_, figure) in read(text) {
            assert_eq!(figure, figure.canonical_up_to(identity).signature.figure().unwrap());
        }
    }
}

/// Two sources that draw one figure in two ways: each says how. What a title says of the maker is the maker's credit;
/// a packing is kept if it is one.
#[test]
fn what_a_maker_gave_is_kept_with_the_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("one.soma"),
        "/SOMA cube\n;<b>The</b> cube by Emily\n/241/261/663\n/247/541/633\n/277/547/553\n",
    )
    .unwrap();
    fs::write(
        folder.join("two.soma"),
        "/SOMA tower\n;A tower\n/####/####\n/####/####\n/####/####\n/###/\n/SOMA box\n/111/111/111\n/111/111/111\n/111/111/111\n",
    )
    .unwrap();
    let done = run(folder, &["import", "one.soma", "two.soma", "-q"]);
    assert!(matches!(done.status.code(), Some(0 | 3)), "{}", stderr(&done));
    let sql =
        "SELECT name, title, credit, source, line FROM names WHERE signature LIKE 's1-3x3x3%'";
    let rows = tell(folder, &["query", "--csv", "--sql", sql]);
    assert_eq!(
        rows,
        "name,title,credit,source,line\ncube,<b>The</b> cube by Emily,Emily,one.soma,1\nbox,,,two.soma,7\n"
    );
    let sql = "SELECT COALESCE(packing, 'none') FROM name n WHERE label IN ('cube', 'box') ORDER BY label";
    let packings = tell(folder, &["query", "--csv", "--sql", sql]);
    let cube = packings.lines().nth(2).unwrap();
    assert_eq!(packings.lines().nth(1), Some("none"));
    for (piece, cells) in [('V', 3), ('L', 4), ('T', 4), ('Z', 4), ('A', 4), ('B', 4), ('P', 4)] {
        assert_eq!(cube.chars().filter(|&c| c == piece).count(), cells, "{cube}");
    }
    let text = tell(folder, &["export", "soma", "-", "--name", "cube"]);
    assert!(text.starts_with("/SOMA cube\n;<b>The</b> cube by Emily\n"), "{text}");
    assert_eq!(read(text).remove(0).1.len(), 27);
    // Whoever shows the figure shows this packing.
    let shown = tell(folder, &["show", "cube"]);
    assert!(shown.contains("/241/261/663\n/247/541/633\n/277/547/553"), "{shown}");
}
