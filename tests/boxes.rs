//! Boxes with gaps on the command line: packings in which nothing slides, and openings in a lid.

use crate::support::program::{column, run, stderr, stdout, with_input};
use std::path::Path;
use tempfile::TempDir;

fn somacat(line: &[&str]) -> (String, String, Option<i32>) {
    let folder = TempDir::new().unwrap();
    let done = run(folder.path(), line);
    (stdout(&done), stderr(&done), done.status.code())
}

#[test]
fn packings_in_which_nothing_slides_are_written() {
    let bricks = ["solve", "--anti-slide", "--gaps", "--set", "S13", "4x4x4"];
    let (text, said, code) = somacat(&[&bricks[..], &["--unique"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!((text.matches("/SOMA").count(), text.matches('~').count()), (1, 64 - 52));
    let counts =
        "24 packings in which nothing slides, 1 up to rotation, 1 up to rotation and reflection";
    assert_eq!(said, format!("4x4x4: 1 written; {counts}\n"));
    let (rows, said, _) = somacat(&[&bricks[..], &["--csv"]].concat());
    assert_eq!(column(&rows, "packing").last().unwrap(), "24", "{said}");
    let (_, said, _) = somacat(&[&bricks[..], &["--limit", "3", "--csv"]].concat());
    assert_eq!(said, "4x4x4: 3 written; there are at least 24 packings in which nothing slides\n");
    // With an open top, a layer of bricks on the floor is held by the walls.
    let layer = ["solve", "--anti-slide", "--gaps", "--set", "S4", "4x4x2", "--first"];
    let (_, said, _) = somacat(&layer);
    assert_eq!(said, "4x4x2: no packing in which nothing slides\n");
    let (text, said, _) = somacat(&[&layer[..], &["--open-top"]].concat());
    assert!(text.contains("/~~~~") && said.contains("1 written"), "{text}{said}");
    // Pieces in place are refused.
    let placed = with_input(Path::new("."), &["solve", "--anti-slide", "-"], b"/VV*\n/V**\n");
    assert_eq!(placed.status.code(), Some(2), "{}", stderr(&placed));
}

#[test]
fn packings_in_which_nothing_slides_are_counted() {
    let count = |line: &[&str]| {
        let (rows, said, code) = somacat(&[&["count", "--anti-slide", "--csv"], line].concat());
        let cells = |name| column(&rows, name).join(" ");
        (["verdict", "raw", "rotation", "unique"].map(cells).join(","), said, code)
    };
    for (line, expected) in [
        (&["--gaps", "--set", "S13", "4x4x4"][..], "counted,24,1,1"),
        (&["--gaps", "--set", "S11", "4x4x4"], "unsolvable,0,0,0"),
        (&["--gaps", "--set", "S4", "4x4x2", "--open-top"], "counted,1,1,1"),
        (&["--gaps", "--set", "S14", "4x4x4", "--limit", "1"], "at-least,24,,"),
        (&["--gaps", "--set", "S14", "4x4x4", "--nodes", "1"], "unknown,0,,"),
        // A figure that is filled has nowhere to slide to.
        (&["3x3x3"], "counted,11520,480,240"),
    ] {
        let (found, said, code) = count(line);
        assert_eq!((found.as_str(), code), (expected, Some(0)), "{line:?} {said}");
    }
    // Without gaps, the pieces do not fill the box.
    let (rows, ..) = somacat(&["count", "--anti-slide", "--csv", "3x3x3", "--set", "L T"]);
    assert_eq!(
        (column(&rows, "reason"), column(&rows, "nodes")),
        (vec!["size".to_owned()], vec!["0".to_owned()])
    );
    for (line, input, why) in [
        (&["-"][..], "/VV*\n/V**\n", "remove their marks"),
        (&["--gaps", "5x5x6"], "", "up to 128 cells; this has 150"),
    ] {
        let line = [&["count", "--anti-slide", "--csv"], line].concat();
        let done = with_input(Path::new("."), &line, input.as_bytes());
        assert!(stdout(&done).contains(why), "{}", stdout(&done));
        assert_eq!(done.status.code(), Some(3));
    }
}

#[test]
fn pieces_come_out_through_an_opening() {
    // Two squares side by side, two layers.
    let take = |line: &[&str]| {
        let line = [&["takeapart", "-", "--gaps", "--csv"], line].concat();
        let done = with_input(Path::new("."), &line, b"/**/**\n");
        (stdout(&done), stderr(&done), done.status.code())
    };
    // Below the opening lies a bar, next to it another one that slides there.
    let (rows, said, _) = take(&["--set", "D2", "--opening", "xx"]);
    assert!(rows.starts_with("packing,comes_apart"), "{rows}{said}");
    assert_eq!(column(&rows, "comes_apart"), ["yes", "yes"], "{said}");
    assert!(
        said.contains("2 packings with D2: 2 out through the opening, 0 with pieces"),
        "{said}"
    );
    let (_, said, _) = take(&["--set", "D3"]);
    assert!(said.ends_with("no packing with D3: 4 cells; D3 fills 6\n"), "{said}");
    let (rows, said, _) = take(&["--set", "D", "--opening", "x."]);
    assert_eq!(
        rows,
        "packing,comes_apart,order\n1,no,(D)\n2,yes,D -z out\n3,yes,\"D -x, D -z out\"\n4,no,(D)\n",
        "{said}"
    );
    assert!(
        said.contains(
            "4 packings with D: 2 out through the opening, 2 with pieces that cannot leave"
        ),
        "{said}"
    );
    let (_, said, code) = take(&["--set", "D", "--opening", "xx xx"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("draw 1 row of 2 squares with blanks between the rows"), "{said}");
    // Without an opening, gaps are no pieces.
    let (rows, ..) = take(&["--set", "D", "--first"]);
    assert_eq!(rows.lines().nth(1), Some("1,yes,"));
    let (rows, ..) =
        somacat(&["takeapart", "2x2x2", "--gaps", "--totals", "--csv", "--set", "V D"]);
    assert_eq!(column(&rows, "come_apart"), column(&rows, "packings"));
}
