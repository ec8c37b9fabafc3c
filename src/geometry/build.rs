//! Names the folder whose files the crate contains: `catalog` of the repository, or in a package its copy.

use std::path::Path;

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    // A link leads from the crate to the repository's folder. Cargo packs what it leads to; Windows may not know links.
    let own = Path::new(&folder).join("catalog");
    let catalog = if own.is_dir() { own } else { Path::new(&folder).join("../../catalog") };
    println!("cargo::rustc-env=CATALOG={}", catalog.display());
    println!("cargo::rerun-if-changed=build.rs");
}
