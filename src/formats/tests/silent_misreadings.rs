//! Texts that were once read as other figures without a word: comments that changed the reading, and faults that made
//! parts of figures into figures.

use crate::support::{detect, read_bytes};
use somacat_formats::{Format, read_piece_set};

/// Returns the number of cells of each figure, and the number of faults.
fn read(text: &str) -> (Vec<usize>, usize) {
    let (entries, faults) = read_bytes(text.as_bytes(), None);
    (entries.iter().map(|entry| entry.figure.len()).collect(), faults.len())
}

const CUBE: &str = "/111/111/111\n/111/111/111\n/111/111/111\n";

#[test]
fn an_address_is_no_tag() {
    for address in ["<bruce@example.org>", "<bridge>", "<press>", "<header>", "<pat@example.org>"] {
        assert_eq!(
            read(&format!("; by Ann {address}\n{CUBE}\n{CUBE}")),
            (vec![27, 27], 0),
            "{address}"
        );
        let map = format!("# by Ann {address}\ncube: 333 333 333\n");
        assert_eq!((detect(&map), read(&map)), (Some(Format::HeightMap), (vec![27], 0)));
    }
    let page = "<p>\n<PRE class=a>/SOMA1\n/11/1.\n/1./..</PRE>\n";
    assert_eq!(read(page), (vec![4], 0));
}

/// A text is read alike with and without a comment above it.
#[test]
fn a_comment_changes_no_reading() {
    for (text, cells) in [
        ("333 333 36.\n", vec![27]),
        ("9 . 9\n. 9 .\n", vec![27]),
        ("111\n111\n111\n\n111\n111\n111\n\n111\n111\n111\n", vec![27]),
        ("xx\nxx\nxx\n\nxx\nxx\nx.\n", vec![11]),
    ] {
        for comment in ["", "; 27 cells\n", "# 27 cells\n", "# my figure\n# 27 cells\n"] {
            let text = format!("{comment}{text}");
            assert_eq!(read(&text), (cells.clone(), 0), "{text}");
        }
    }
    let layers = "#top\n####\n#..#\n\n#bot\n####\n#..#\n";
    let (entries, faults) = read_bytes(layers.as_bytes(), Some(Format::Layers));
    assert_eq!((entries[0].figure.len(), faults.len()), (12, 0));
}

/// The beginning of a long file decides alike.
#[test]
fn long_files_are_read_as_short_ones() {
    for block in ["9 . 9\n. 9 .\n\n", "9,0,9\n0,9,0\n\n", "3.3 633 36.\n", "9 . 9\r\n. 9 .\r\n\r\n"]
    {
        for number in [10, 6000] {
            let (cells, faults) = read(&block.repeat(number));
            assert_eq!((cells, faults), (vec![27; number], 0), "{block:?}");
        }
    }
}

/// A fault in a figure costs the figure. No part of it is another one.
#[test]
fn a_fault_makes_no_figures_of_parts() {
    let spaced = "* * *  * * *  * * *\n".repeat(3)
        + "* * *  * c *  * * *\n"
        + &"* * *  * * *  * * *\n".repeat(2);
    let hashes = "###/###/###\n".repeat(3);
    for text in [
        format!("/SOMAx\n{spaced}"),
        format!("/SOMAx\n{hashes}###/####/###\n{hashes}"),
        format!("/SOMAx\n{hashes}###/### #/###\n{hashes}"),
        "tower: 0,0,0 1,0,0 2,0,0: 0,1,0 1,1,0\n".to_owned(),
        "0,0,0 1,0,0 2,0,0: 0,1,0 1,1,0\n".to_owned(),
        "[[0,0,0],[1,0,0],[2,0,0],[1,1,0],[1,1,0]]".to_owned(),
        "[[[1,1,1],[1,1,1],[1,2,1]],[[1,1,1],[1,1,1],[1,1,1]]]".to_owned(),
        "[[[1,1,1],[1,1,1],[1,1]],[[1,1,1],[1,1,1],[1,1,1]]]".to_owned(),
        "0;0;0\n1;0;0\n;1;0\n0;0;1\n".to_owned(),
    ] {
        let read = read_bytes_or_refused(&text);
        assert_eq!(read, 0, "{text}");
    }
    let (cells, faults) = read("/SOMA1 /111/111/111\n/111/111/111\n/111/111/111\n");
    assert_eq!((cells, faults), (vec![27], 0));
}

/// Returns the number of figures. A text of unclear format has none.
fn read_bytes_or_refused(text: &str) -> usize {
    detect(text).map_or(0, |format| read_bytes(text.as_bytes(), Some(format)).0.len())
}

#[test]
fn cells_of_pieces_are_not_lost_in_comments() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let set = |text: &str| {
        std::fs::write(file.path(), text).unwrap();
        read_piece_set(file.path())
    };
    assert!(set("L: 0,0,0 1,0,0 2,0,0#0,1,0\n").is_err());
    assert_eq!(set("L: 0,0,0 1,0,0 2,0,0 # three\n").unwrap().total_cells(), 3);
    let drawn = "/SOMA V\n/**\n/*.\n\n;/SOMA L\n;/***\n;/*..\n";
    assert_eq!(set(drawn).unwrap().total_cells(), 3);
}
