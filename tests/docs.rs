//! Runs every command in README and docs. Compares its output with the text and follows the documents' links.

use crate::support::console::{Shown, commands, shell};
use crate::support::program::stderr;
use crate::support::terminal::in_terminal;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Blanks the values of the column `micros`. Only they differ from run to run.
fn without_times(text: &str) -> String {
    let Some(at) = text.lines().next().and_then(|h| h.split(',').position(|c| c == "micros"))
    else {
        return text.to_owned();
    };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let mut lines = String::new();
    for row in reader.records() {
        let row = row.unwrap();
        let field = |(i, value): (usize, &str)| if i == at { "…" } else { value }.to_owned();
        lines += &row.iter().enumerate().map(field).collect::<Vec<_>>().join(",");
        lines.push('\n');
    }
    lines
}

/// Runs a shell line in a terminal after `somacat run`.
fn in_folder(folder: &Path, line: &str) -> (String, String) {
    let (printed, output) = in_terminal(shell(folder, line));
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    (printed, stderr(&output))
}

#[test]
fn documents_show_what_commands_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = TempDir::new().unwrap();
    let (_, summary) = in_folder(folder.path(), "somacat run");
    // Commands may use the project's data and scripts.
    for name in ["catalog", "scripts"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).unwrap();
    }
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let timeless = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("time "));
        lines.map(str::to_owned).collect()
    };
    let shown = readme.split("```text\n").nth(1).unwrap().split("\n```").next().unwrap();
    assert_eq!(timeless(shown), timeless(&summary), "README shows another summary");
    let mut documents = vec![readme];
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        documents.push(std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default());
    }
    let mut all: Vec<Shown> = Vec::new();
    for command in documents.iter().flat_map(|document| commands(document)) {
        // Some documents show the same command.
        if !all.contains(&command) {
            all.push(command);
        }
    }
    assert!(all.len() >= 6, "only {} commands are shown", all.len());
    let mut wrong = Vec::new();
    for Shown { line: command, output, .. } in &all {
        let (printed, messages) = in_folder(folder.path(), command);
        // A document shows the output of a terminal, including messages if it shows any.
        let terminal = if output.is_empty() || without_times(&printed) == without_times(output) {
            continue;
        } else {
            format!("{messages}{printed}")
        };
        // A document omits the blank line that ends SOMA text.
        let (printed, shown) = (without_times(&terminal), without_times(output));
        if printed.trim_end() != shown.trim_end() {
            wrong.push(format!("$ {command}\nshown:\n{shown}printed:\n{printed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for picture in std::fs::read_dir(root.join("docs/images")).unwrap() {
        let picture = picture.unwrap();
        if picture.path().extension().is_none_or(|kind| kind != "svg") {
            continue;
        }
        let made = std::fs::read(folder.path().join(picture.file_name())).unwrap();
        let stands = std::fs::read(picture.path()).unwrap();
        assert!(made == stands, "{} is not what its command draws", picture.path().display());
    }
}

#[test]
fn guarantees_name_tests_that_exist() {
    fn sources(folder: &Path) -> String {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let text = |path: PathBuf| match path.extension() {
            _ if path.is_dir() && !path.ends_with("target") => sources(&path),
            Some(ending) if ending == "rs" => std::fs::read_to_string(path).unwrap(),
            _ => String::new(),
        };
        entries.map(text).collect()
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = sources(&root.join("tests")) + &sources(&root.join("src"));
    let text = std::fs::read_to_string(root.join("docs/reliability.md")).unwrap();
    // Functions are words of three underscores or more; fields in the text have fewer.
    let is_test = |name: &&str| {
        name.matches('_').count() > 2 && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let tests: Vec<&str> = text.split('`').skip(1).step_by(2).filter(is_test).collect();
    let is_missing = |name: &&&str| !code.contains(&format!("fn {name}("));
    let missing: Vec<_> = tests.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "docs/reliability.md names tests that do not exist: {missing:?}");
    assert!(tests.len() > 30, "only {} tests", tests.len());
}

/// Returns the address of each section of a document.
fn sections(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let address = |line: &str| -> String {
        let heading = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        heading.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).collect()
    };
    headings.map(address).collect()
}

#[test]
fn links_lead_to_files_and_sections() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let manifest: toml::Table = toml::from_str(&manifest).unwrap();
    let packed = manifest["package"]["include"].as_array().unwrap();
    let packed: Vec<&str> =
        packed.iter().map(|pattern| pattern.as_str().unwrap().trim_start_matches('/')).collect();
    let below = |folder: &str| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
    };
    let folders = [".", "docs", "catalog/atlas", "catalog/sequences", "benches/runs"];
    let mut broken = Vec::new();
    let mut followed = 0;
    for document in folders.iter().flat_map(|folder| below(folder)) {
        let text = std::fs::read_to_string(&document).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => document.clone(),
                _ => document.parent().unwrap().join(file),
            };
            let has_section = || {
                let text = std::fs::read_to_string(&target).unwrap();
                sections(&text).iter().any(|address| address == section)
            };
            if !target.exists() || !(section.is_empty() || has_section()) {
                broken.push(format!("{}: {link}", document.display()));
            }
            // Packages have what the documents link to: no sources, and of the crate nothing from below another manifest.
            let place = target.canonicalize().unwrap_or(target);
            let place = place.strip_prefix(&root).unwrap_or(&place);
            let is_packed = packed.iter().any(|pattern| place.starts_with(pattern));
            let nested = |folder: &Path| {
                folder != Path::new("") && root.join(folder).join("Cargo.toml").exists()
            };
            if !is_packed || place.starts_with("src") || place.ancestors().any(nested) {
                broken.push(format!("{}: {link} is in no package", document.display()));
            }
            followed += 1;
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(followed > 80, "only {followed} links");
}
