//! SOMA text inside a saved web page.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat_formats::{Format, Reader};

fuzz_target!(|bytes: &[u8]| {
    let page = [b"<html><body>\n", bytes].concat();
    if let Ok(reader) = Reader::new(&page[..], Some(Format::Soma)) {
        reader.for_each(drop);
    }
});
