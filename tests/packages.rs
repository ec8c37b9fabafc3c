//! What cargo would upload: each crate has the licenses, and reads no file outside its folder.

use std::fs;
use std::path::{Component, Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the folders of the crates that are published, without the program's own.
fn published() -> Vec<PathBuf> {
    let read = |path: &Path| -> toml::Table {
        toml::from_str(&fs::read_to_string(path.join("Cargo.toml")).unwrap()).unwrap()
    };
    let members = read(Path::new(ROOT))["workspace"]["members"].clone();
    let folders =
        members.as_array().unwrap().iter().map(|m| Path::new(ROOT).join(m.as_str().unwrap()));
    let is_published =
        |folder: &PathBuf| !read(folder)["package"].as_table().unwrap().contains_key("publish");
    folders.filter(is_published).collect()
}

/// Returns the files of code that a build reads, below a folder.
fn code(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() && !path.ends_with("tests") {
            files.extend(code(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

/// The licenses of crates are links, which Windows may not know.
#[cfg(unix)]
#[test]
fn published_crates_have_the_licenses() {
    let crates = published();
    assert!(crates.len() > 8, "{crates:?}");
    for (folder, name) in crates.iter().flat_map(|f| [(f, "LICENSE-MIT"), (f, "LICENSE-APACHE")]) {
        let text = |folder: &Path| fs::read_to_string(folder.join(name)).ok();
        assert_eq!(text(folder), text(Path::new(ROOT)), "{}/{name}", folder.display());
    }
}

#[test]
fn published_crates_read_no_file_outside() {
    let (mut outside, mut found) = (Vec::new(), 0);
    for folder in published() {
        for file in code(&folder) {
            let text = fs::read_to_string(&file).unwrap();
            let below = file.parent().unwrap().strip_prefix(&folder).unwrap();
            for call in ["include_str!(", "include_bytes!(", "include!(", "#[path = "] {
                for rest in text.split(call).skip(1) {
                    let path = rest.trim_start().trim_start_matches("concat!(").trim_start();
                    let Some(path) = path.strip_prefix('"').and_then(|path| path.split('"').next())
                    else {
                        continue;
                    };
                    // How many folders above that of the crate the path leads.
                    let mut depth = below.components().count() as i32;
                    let mut leaves = false;
                    for part in Path::new(path).components() {
                        depth += if part == Component::ParentDir { -1 } else { 1 };
                        leaves |= depth < 0;
                    }
                    if leaves {
                        outside.push(format!("{}: {path}", file.display()));
                    }
                    found += 1;
                }
            }
        }
    }
    assert!(outside.is_empty(), "{outside:#?}");
    assert!(found > 50, "only {found} files are included");
}
