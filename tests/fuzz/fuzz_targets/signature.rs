//! Signatures.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat_geometry::figure::Signature;

fuzz_target!(|text: &str| {
    let _ = text.parse::<Signature>();
});
