//! The build script: asks git for the state of the sources, which the version of the program names, and names the folder
//! whose files the crate contains: `catalog` of the repository, or in a package its copy.

use std::path::Path;
use std::process::Command;

fn main() {
    // Not the index: git itself writes it while it compares files, and the next build would compile the program again.
    let root = Path::new("../..");
    for path in [".git/HEAD", ".git/logs/HEAD", "Cargo.toml", "Cargo.lock", "catalog", "src"] {
        let path = root.join(path);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let args = ["describe", "--tags", "--match=v*", "--always", "--dirty=-modified"];
    let described = match Command::new("git").args(args).output() {
        Ok(output) if output.status.success() && root.join(".git").exists() => output.stdout,
        _ => Vec::new(),
    };
    println!("cargo::rustc-env=SOMACAT_DESCRIBED={}", String::from_utf8_lossy(&described).trim());

    // A link leads from the crate to the repository's folder. Cargo packs what it leads to; Windows may not know links.
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let own = Path::new(&folder).join("catalog");
    let catalog = if own.is_dir() { own } else { Path::new(&folder).join("../../catalog") };
    println!("cargo::rustc-env=CATALOG={}", catalog.display());
}
