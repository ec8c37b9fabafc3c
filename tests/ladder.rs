//! The teacher's ladder: thirty figures from two pieces to seven, as a newsletter that needs no file and no catalog.

use crate::support::program::{run, stderr, stdout};
use std::path::Path;

#[test]
fn each_rung_has_five_figures_that_its_pieces_build() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("catalog/ladder.soma");
    let counted =
        run(&std::env::temp_dir(), &["count", "--csv", "--set", "auto", file.to_str().unwrap()]);
    assert!(counted.status.success(), "{}", stderr(&counted));
    let text = stdout(&counted);
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).collect();
    let cells: Vec<usize> = rows.iter().map(|row| row[1].parse().unwrap()).collect();
    let rungs: Vec<usize> = (2..=7).flat_map(|pieces| [4 * pieces - 1; 5]).collect();
    assert_eq!(cells, rungs, "the V has three cells, and every rung uses it");
    for row in &rows {
        assert!(&row[6] == "counted" && row[10].parse::<u64>().unwrap() > 0, "{row:?}");
    }
}

#[test]
fn the_ladder_is_made_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let made = run(folder.path(), &["export", "newsletter", "lessons", "--ladder"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let page = std::fs::read_to_string(folder.path().join("lessons/newsletter.html")).unwrap();
    let headings = ["Two", "Three", "Four", "Five", "Six", "Seven"];
    let positions: Vec<_> =
        headings.iter().map(|number| page.find(&format!("<h2>{number} pieces</h2>"))).collect();
    assert!(positions.is_sorted() && positions[0].is_some(), "{positions:?}");
    assert_eq!(page.matches("<p>Begin").count(), 30);
    assert_eq!(
        page.matches("Isometric dot paper").count(),
        6 + 4,
        "on each rung, and for a friend"
    );
    let both = run(folder.path(), &["export", "newsletter", "two", "--ladder", "67 77"]);
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));
}
