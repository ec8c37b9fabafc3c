//! Templates that never end or fill the memory: they are refused, and a stop leaves them behind.

use super::{done, refused};
use crate::support::program::{signal, somacat, stderr};
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const NEWSLETTER: [&str; 5] = ["export", "newsletter", "letter", "cube.txt", "--template"];

fn with_cube() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("cube.txt"), "333 333 333\n").unwrap();
    folder
}

#[test]
fn templates_have_limits_of_steps_and_memory() {
    const STEPS: &str = "mine.md:1: the template takes too many steps";
    const MEMORY: &str = "mine.md: the template needs more than 512 MiB of memory";
    let folder = with_cube();
    let path = folder.path();
    for (template, error) in [
        (
            "{% for a in range(1000) %}{% for b in range(1000) %}{% for c in range(1000) %}.{% endfor %}{% endfor %}{% endfor %}",
            STEPS,
        ),
        (
            "{% set n = namespace(s='x') %}{% for i in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s }}",
            MEMORY,
        ),
        ("{% macro f(x) %}{{ f(x ~ x) }}{% endmacro %}{{ f('x') }}", MEMORY),
        ("{{ '%1000000000d' | format(1) }}", MEMORY),
        ("{{ 'a\nb' | indent(4000000000) }}", MEMORY),
        ("{{ 'a\nb' | indent(4000000000000000000) }}", MEMORY),
        ("{{ [1] | batch(1000000000000, 1) | length }}", MEMORY),
        // Constants are computed when the template is read.
        (&format!("{{{{ {} }}}}", ["('x' * 100000000)"; 6].join(" ~ ")), MEMORY),
        (
            "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}",
            "mine.md:1: recursion limit exceeded",
        ),
    ] {
        fs::write(path.join("mine.md"), template).unwrap();
        refused(path, &[&NEWSLETTER[..], &["mine.md"]].concat(), error);
        // Nothing of the newsletter is left, not even under another name.
        assert_eq!(fs::read_dir(path).unwrap().count(), 2, "{template}");
    }
    // Much output is not too much.
    fs::write(path.join("mine.md"), "{{ 'x' * 50000000 }}").unwrap();
    done(path, &[&NEWSLETTER[..], &["mine.md"]].concat());
    assert_eq!(fs::metadata(path.join("letter/newsletter.md")).unwrap().len(), 50_000_000);
}

/// Returns the file that an unfinished newsletter has under the folder's temporary name.
fn is_unfinished(folder: &Path, file: &str) -> bool {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let temporary = |name: &str| name.starts_with('.');
    entries
        .filter(|entry| temporary(&entry.file_name().to_string_lossy()))
        .any(|entry| entry.path().join(file).exists())
}

/// Waits until a program has written a file of a newsletter that it does not finish.
fn wait_for(file: &str, folder: &Path, mut child: Child) -> Child {
    let begun = Instant::now();
    while !is_unfinished(folder, file) {
        let ended = child.try_wait().unwrap().is_some();
        if ended || begun.elapsed() > Duration::from_secs(300) {
            child.kill().unwrap();
            panic!("no {file}: {}", stderr(&child.wait_with_output().unwrap()));
        }
        thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_stop_leaves_a_template_behind() {
    let folder = with_cube();
    let path = folder.path();
    // Each step takes long, so neither steps nor memory run out for hours.
    let endless = "{% set long = 'x' * 20000000 %}{% for a in range(90000) %}{{ long | upper | length }}{% endfor %}";
    fs::write(path.join("mine.md"), endless).unwrap();
    let args = [&NEWSLETTER[..], &["mine.md"]].concat();
    let child = somacat(path, &args).stderr(Stdio::piped()).spawn().unwrap();
    // The page is written, so the template for Markdown is next.
    let child = wait_for("newsletter.html", path, child);
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(75), "{}", stderr(&output));
    assert_eq!(fs::read_dir(path).unwrap().count(), 2, "cube.txt and mine.md");
}
