//! Signatures.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat::figure::Signature;

fuzz_target!(|text: &str| {
    let _ = text.parse::<Signature>();
});
