//! Plan files. Enumerations are made ready but not begun.

#![no_main]

use libfuzzer_sys::fuzz_target;
use somacat_run::Plan;
use std::path::Path;

fuzz_target!(|text: &str| {
    let _ = Plan::of_text(Path::new("fuzzed.toml"), text);
});
