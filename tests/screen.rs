//! Text in the width of a terminal.

use somacat::cli::screen::{labeled, side_by_side};

fn block(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

#[test]
fn blocks_stand_side_by_side_while_there_is_room() {
    let blocks = [block(&["\x1b[0;1maa\x1b[0m", "a"]), block(&["b", "b", "bbb"]), block(&["c"])];
    assert_eq!(side_by_side(&blocks, 12), ["\x1b[0;1maa\x1b[0m   b     c", "a    b", "     bbb"]);
    assert_eq!(side_by_side(&blocks, 11), ["\x1b[0;1maa\x1b[0m   b", "a    b", "     bbb", "c"]);
}

#[test]
fn lines_are_broken_between_words() {
    let lines = labeled("names", 14, "one two three", 22);
    assert_eq!(lines, ["names         one two", "              three"]);
    let long = "x".repeat(30);
    assert_eq!(labeled("names", 14, &long, 22).len(), 1, "a word is not broken");
}
