//! Any file: the format is detected from the content.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat_formats::Reader;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = Reader::new(bytes, None) {
        reader.for_each(drop);
    }
});
