//! The program as one page: `export page`, and the copy in docs/ for people without an installation.
//!
//! `tests/browser/page.mjs` drives it in a browser.

use crate::support::program::{run, stderr};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The most bytes of the page.
const MAX_BYTES: usize = 1_500_000;

#[test]
fn the_page_is_one_small_file_that_fetches_nothing() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("somacat.html");
    let written = run(folder.path(), &["export", "page", "somacat.html"]);
    assert!(written.status.success(), "{}", stderr(&written));
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!doctype html>\n") && page.len() <= MAX_BYTES, "{}", page.len());
    assert!(!page.contains("{{"), "a variable of the template is left");
    for reference in [" src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(reference), "the page has {reference}");
    }
    // The same program writes the same bytes.
    let again = run(folder.path(), &["export", "page", "-"]).stdout;
    assert!(again == page.as_bytes(), "the page differs from run to run");
}

#[test]
fn the_page_in_docs_is_the_one_that_the_program_writes() {
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/somacat.html");
    let page = run(known.parent().unwrap(), &["export", "page"]).stdout;
    if std::env::var_os("SOMACAT_REWRITE_GOLDEN").is_some() {
        fs::write(&known, &page).unwrap();
    }
    let same = fs::read(&known).is_ok_and(|bytes| bytes == page);
    assert!(same, "docs/somacat.html is out of date: SOMACAT_REWRITE_GOLDEN=1 rewrites it");
}
