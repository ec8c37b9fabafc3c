//! The build script: asks git for the state of the sources, which the version of the program names.

use std::path::Path;
use std::process::Command;

fn main() {
    // Not the index: git itself writes it while it compares files, and the next build would compile the program again.
    for path in [".git/HEAD", ".git/logs/HEAD", "Cargo.toml", "Cargo.lock", "catalog", "src"] {
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let args = ["describe", "--tags", "--match=v*", "--always", "--dirty=-modified"];
    let described = match Command::new("git").args(args).output() {
        Ok(output) if output.status.success() && Path::new(".git").exists() => output.stdout,
        _ => Vec::new(),
    };
    println!("cargo::rustc-env=SOMACAT_DESCRIBED={}", String::from_utf8_lossy(&described).trim());
}
