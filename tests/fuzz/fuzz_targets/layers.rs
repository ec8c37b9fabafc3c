//! Layers of one figure, and the claims of their marks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat_formats::{Format, Item, Reader, assess, choose_set};

fuzz_target!(|bytes: &[u8]| {
    let Ok(reader) = Reader::new(bytes, Some(Format::Layers)) else { return };
    for item in reader {
        if let Ok(Item::Entry(entry)) = item
            && let Ok(set) = choose_set(&entry)
        {
            let _ = assess(&entry, &set);
        }
    }
});
