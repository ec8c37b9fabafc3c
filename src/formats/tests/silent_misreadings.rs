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
        // A missing line end joins two figures, or a header and its first row.
        "tower: 333 333 333: 333 333 333\n".to_owned(),
        "a: 333 333 333 b: 333 333 333\n".to_owned(),
        "fig0: 1243 5124 3110fig1: 2231 1463 0302\n".to_owned(),
        "a: 0,0,0 1,0,0 b: 0,0,0 0,1,0\n".to_owned(),
        "fig0: 0,0,0 1,0,0 2,2,2fig1: 0,0,0 0,1,0\n".to_owned(),
        "a: 0,0,0~ 1,0,0 b: 0,0,0 2,0,0\n".to_owned(),
        "fig:1: 67 77 fig:2: 77 67\n".to_owned(),
        "/SOMA1 1 1 1   1 1 1\n1 1 1   1 1 1\n1 1 1   1 1 1\n".to_owned(),
        "/SOMA1 111 / 111 / 111\n111 / 111 / 111\n111 / 111 / 111\n".to_owned(),
        "/SOMA1 a title 111/111/111\n/111/111/111\n/111/111/111\n".to_owned(),
        "/SOMA1 title /###/###\n/###/###\n/###/###\n".to_owned(),
        "/SOMA1\nooo / ooo / aooo\nooo / ooo / ooo\nooo / ooo / ooo\n".to_owned(),
        "/SOMA my cube /111/111/111\n/111/111/111\n/111/111/111\n".to_owned(),
        "/SOMA1 crystal /111/111/111\n/111/111/111\n/111/111/111\n".to_owned(),
        "/SOMA1 a nice title/111/111/111\n/111/111/111\n/111/111/111\n".to_owned(),
        "/SOMA L /111\n/1..\n".to_owned(),
        "3x3x3\n".to_owned(),
        "z,y,x\n0,0,0\n1,0,0\n1,1,0\n".to_owned(),
        "0.0 0.0 0.0\n10 0.0 0.0\n1.0 1.0 0.0\n".to_owned(),
        // A letter in a row, or its first sign mistyped.
        format!("/SOMA1\n{ooo}{ooo}cooo/ooo/ooo\n{ooo}{ooo}{ooo}", ooo = "ooo/ooo/ooo\n"),
        format!("/SOMA1\n{xxx}{xxx}xxx | xcxx | xxx\n{xxx}{xxx}{xxx}", xxx = "xxx | xxx | xxx\n"),
        format!("/SOMA1\n{one}{one}1 1 1   1 1 1 c  1 1 1\n{one}", one = "1 1 1   1 1 1   1 1 1\n"),
        "/111/111/111\n/111/111/111\n/111/111/111\n;111/111/111\n/111/111/111\n/111/111/111\n"
            .to_owned(),
    ] {
        let read = read_bytes_or_refused(&text);
        assert_eq!(read, 0, "{text}");
    }
    let (cells, faults) = read("/SOMA1 /111/111/111\n/111/111/111\n/111/111/111\n");
    assert_eq!((cells, faults), (vec![27], 0));
}

/// Rows of `#` in all styles, of which one has a slip.
#[test]
fn rows_of_hashes_with_a_slip_are_no_comments() {
    for (row, slips) in [
        (
            "# # #  # # #  # # #",
            ["# # #  # ##  # # #", "# # #  # #8 #  # # #", "# # #  # # #  # # #;"],
        ),
        ("### / ### / ###", ["### / ### / ##", "### / #### ###", "### | ### ###"]),
        ("### | ### | ###", ["### || ### | ###", "### | ### | ##", "### | #### | ###"]),
        ("###/###/###", ["###/##,/###", "##%/###/###", "###\\###\\###"]),
        ("###/###/###", ["###/#!#/###", "###/#c##/###", "###/##:/###"]),
    ] {
        let rows = |number| format!("{row}\n").repeat(number);
        assert_eq!(read(&format!("/SOMAx\n{}", rows(3))), (vec![27], 0), "{row}");
        for slip in slips {
            for above in [0, 3] {
                let text = format!("/SOMAx\n{}{slip}\n{}", rows(above), rows(2));
                let (cells, faults) = read(&text);
                assert!(cells.is_empty() && faults > 0, "{cells:?} {faults}\n{text}");
            }
        }
    }
}

/// Comments, titles and decorations as people write them remain what they are, above, between and below rows.
#[test]
fn natural_texts_are_no_rows() {
    let cube = "/111/111/111\n/111/111/111\n/111/111/111\n";
    for comment in ["; the middle", "; 12/24 by Ann", ";/111/111", "; and/or", ";11/11", "; 12/24"]
    {
        let text = format!(
            "/SOMA1 crystal 1/12/99\n/111/111/111\n{comment}\n/111/111/111\n/111/111/111\n"
        );
        assert_eq!(read(&text), (vec![27], 0), "{comment}");
    }
    for title in [
        "Nov/24/99",
        "Dec/24/01",
        "Sommer/99/00",
        "page /12",
        "ver /2.1",
        "Cube /27",
        "tower/12/34",
        "V/L/1",
        "by Ann/123/456",
        ";page /12",
        "see figures/11/12",
    ] {
        assert_eq!(read(&format!("/SOMA1 {title}\n{cube}")), (vec![27], 0), "{title}");
        assert_eq!(
            read(&format!("SOMA2 is on {title}\n\n/SOMA7\n{cube}")),
            (vec![27], 0),
            "{title}"
        );
    }
    for decoration in [
        "##########",
        "#--------#",
        "#######\n# BALL #",
        "## 3",
        "### VAT ###",
        "## A",
        "## 1 ##",
        "## 12:30",
        "#### --- ####",
        "### 27 ###",
        "## Ball ##",
        "# 1/12/99 #",
        "#1, #2",
        "#,#,#,#",
        "### PLAZA: 27 ###",
        "; 241/261/663\n; 247/541/633\n; 277/547/553",
    ] {
        let spaced = "1 1 1   1 1 1   1 1 1\n".repeat(3);
        for rows in [cube, &spaced] {
            let text = format!("/SOMA1\n{rows}{decoration}\n/SOMA2\n{decoration}\n{rows}");
            assert_eq!(read(&text), (vec![27, 27], 0), "{text}");
        }
    }
    for (rows, caption) in [
        ("/11/11\n/11/11\n", "page 12/24"),
        ("/11/11\n/11/11\n", "Tuesday 11/11"),
        ("/11/11\n/11/11\n", "Scale 1/72"),
        ("/111/111\n/111/111\n", "Top/Bottom"),
        ("/111/111\n/111/111\n", "by Ann/Bob"),
        ("/111/111\n/111/111\n", "License: MIT/X11"),
        (cube, "top/middle/bot"),
        ("/1/1\n/1/1\n", "Part 1/2"),
    ] {
        let cells = rows.matches('1').count();
        let text = format!("/SOMA1\n{rows}{caption}\n\n/SOMA2\n{rows}");
        assert_eq!(read(&text), (vec![cells, cells], 0), "{text}");
    }
    for name in ["Date: 12 2024", "ISBN: 978 1234", "Tower 12: 34 56", "Sheet 3: 10 11 12"] {
        assert_eq!(read(&format!("{name}: 67 77\n")), (vec![27], 0), "{name}");
    }
    assert_eq!(read("1,2,3 b: 0,0,0 1,0,0\nFig: 1,2,3 b: 0,0,0 1,0,0\n"), (vec![2, 2], 0));
    let commented =
        format!("/SOMA1\n{cube}\n;/SOMA101 Crystal /21\n;{}", cube.trim_end().replace('\n', "\n;"));
    let (entries, faults) = read_bytes(commented.as_bytes(), None);
    assert_eq!((entries[1].name.as_deref(), faults.len()), (Some("SOMA101"), 0));
}

/// A row and its neighbor on one line are a fault, although a single row may be prose.
#[test]
fn a_faulty_row_is_no_prose() {
    let (_, faults) = read(
        "xxx/xxx/xxx\nxxx/xxx/xxx xxx/xxx/xxx\n\n/SOMA2\n/111/111/111\n/111/111/111\n/111/111/111\n",
    );
    assert_eq!(faults, 1);
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
