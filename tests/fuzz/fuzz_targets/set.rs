//! Piece sets: names, letters, and files of pieces.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat_geometry::pieces::{parse_piece_lines, parse_set};

fuzz_target!(|text: &str| {
    let _ = parse_set(text);
    let _ = parse_piece_lines("fuzzed", text);
});
