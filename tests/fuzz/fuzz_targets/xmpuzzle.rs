//! BurrTools puzzles, compressed or not.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat_formats::{Format, Reader};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = Reader::new(bytes, Some(Format::Xmpuzzle)) {
        reader.for_each(drop);
    }
});
