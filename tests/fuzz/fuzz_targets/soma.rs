//! SOMA text, and what its marks claim.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat::formats::{Format, Item, Options, Reader, check_solution, guess_set};

fuzz_target!(|bytes: &[u8]| {
    let Ok(reader) = Reader::new(bytes, Some(Format::Soma), &Options::default()) else { return };
    for item in reader {
        if let Ok(Item::Entry(entry)) = item
            && let Some(set) = guess_set(&entry)
        {
            let _ = check_solution(&entry, &set);
        }
    }
});
