//! Galleries and newsletters as they lie in their folders: what they hold, that names stay names,
//! that the same catalog gives the same bytes, and that nothing of a user's is overwritten.

use crate::support::program::run;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Names that would do harm if they were anything but names.
const HOSTILE: [&str; 5] = [
    "'; DROP TABLE figure;--",
    "<script>alert(1)</script>",
    "../../x",
    "</script><img src=x onerror=alert(1)>",
    "[a](javascript:b) `c` | {{ title }}",
];

fn done(folder: &Path, args: &[&str]) {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn refused(folder: &Path, args: &[&str], with: &str) {
    let output = run(folder, args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{args:?}: {error}");
    assert!(error.contains(with), "{args:?}: {error}");
}

/// Every file below a folder, by its name relative to it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap()
}

/// A catalog of the starter figures.
fn starter() -> TempDir {
    let folder = TempDir::new().unwrap();
    done(folder.path(), &["run", "--quiet"]);
    folder
}

/// A catalog whose figures bear hostile names.
fn hostile() -> TempDir {
    let folder = TempDir::new().unwrap();
    let rows = ["67/77", "333/333/333", "999", "3330000/0033300/0000333", "543/333/222"];
    let mut soma = String::new();
    for (name, map) in HOSTILE.iter().zip(rows) {
        // Towers as SOMA text: the layers from the top, nine deep.
        let rows: Vec<Vec<u32>> = map
            .split('/')
            .map(|row| row.chars().filter_map(|c| c.to_digit(10)).collect())
            .collect();
        soma += &format!("/SOMA {name}\n");
        for row in &rows {
            for layer in (1..=9).rev() {
                soma.push('/');
                soma.extend(row.iter().map(|&height| if height >= layer { '1' } else { '.' }));
            }
            soma.push('\n');
        }
        soma.push('\n');
    }
    fs::write(folder.path().join("hostile.soma"), soma).unwrap();
    done(folder.path(), &["import", "--quiet", "hostile.soma"]);
    let listed = run(folder.path(), &["query", "--jsonl"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.lines().count(), HOSTILE.len(), "{listed}");
    folder
}

/// The values of `src` and `href` in a page, and of `url(` in its styles.
fn references(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (before, end) in [(" src=\"", '"'), (" href=\"", '"'), (" src='", '\''), ("url(", ')')] {
        let values = page.split(before).skip(1).filter_map(|rest| rest.split(end).next());
        found.extend(values.map(str::to_owned));
    }
    found
}

#[test]
fn a_gallery_has_a_page_for_each_figure_and_says_what_counts_count() {
    let folder = starter();
    done(folder.path(), &["export", "gallery", "site", "--title", "Fish & <chips>"]);
    let files = files(&folder.path().join("site"));
    let pages = files.keys().filter(|name| name.starts_with("figures/")).count();
    assert_eq!(pages, 45);
    let index = text(&files, "index.html");
    assert!(index.contains("<h1>Fish &amp; &lt;chips&gt;</h1>"));
    assert!(index.contains("45 figures"));
    let cube = text(&files, "figures/s1-3x3x3-zzzzz3.html");
    for (count, meaning) in
        [("11520", "every packing"), ("480", "rotations"), ("240", "rotations and reflections")]
    {
        let row = cube.lines().find(|line| line.contains(&format!("<td>{count}</td>"))).unwrap();
        assert!(row.contains(meaning), "{row}");
    }
    assert!(!cube.to_lowercase().contains("solutions"));
    assert!(cube.contains("Oh, Bob Allen’s letter G: full cube"));
    // Unsolvable by parity: the argument is on the page. Stopped at a limit: the count says so.
    let by_parity = text(&files, "figures/s1-5x5x5-000400awe026ec80e7a004000.html");
    assert!(by_parity.contains("|black - white| = 13; the pieces reach only 1, 3, 5."));
    let limited = text(&files, "figures/s1-2x4x5-zzzzzzzz.html");
    assert!(limited.contains("<td>at least "), "{limited}");
    assert!(!limited.contains("<th scope=\"row\">unique</th>"));
}

/// The pieces of the first track on a figure's page: letters and cells.
fn track(page: &str) -> Vec<(String, Vec<[i64; 3]>)> {
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let track = &data["tracks"][0];
    let cell = |at: &serde_json::Value| {
        let cell = &track["cells"][usize::try_from(at.as_u64().unwrap()).unwrap()];
        [0, 1, 2].map(|axis| cell[axis].as_i64().unwrap())
    };
    let steps = track["steps"].as_array().unwrap();
    for (at, step) in steps.iter().enumerate() {
        assert_eq!(
            (step["n"].as_u64(), step["depth"].as_u64()),
            (Some(at as u64 + 1), Some(at as u64))
        );
    }
    let piece = |step: &serde_json::Value| {
        let cells = step["cells"].as_array().unwrap().iter().map(cell).collect();
        (step["piece"].as_str().unwrap().to_owned(), cells)
    };
    steps.iter().map(piece).collect()
}

#[test]
fn a_page_builds_a_packing_from_below() {
    let folder = starter();
    done(folder.path(), &["export", "gallery", "site", "--name", "tower"]);
    let page = fs::read_to_string(folder.path().join("site/figures/s1-2x2x7-yzzzz7.html")).unwrap();
    let pieces = track(&page);
    let mut letters: Vec<&str> = pieces.iter().map(|(letter, _)| letter.as_str()).collect();
    letters.sort_unstable();
    assert_eq!(letters, ["A", "B", "L", "P", "T", "V", "Z"]);
    let mut cells: Vec<[i64; 3]> = pieces.iter().flat_map(|(_, cells)| cells.clone()).collect();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 27, "every cell once");
    assert!(page.contains("every piece can be lowered from above"));
    for (at, (_, later)) in pieces.iter().enumerate() {
        for (_, earlier) in &pieces[..at] {
            let under = |a: &[i64; 3], b: &[i64; 3]| a[..2] == b[..2] && a[2] > b[2];
            assert!(!later.iter().any(|a| earlier.iter().any(|b| under(a, b))));
        }
    }
}

#[test]
fn names_are_only_names() {
    let folder = hostile();
    done(folder.path(), &["export", "gallery", "site", "--title", HOSTILE[3]]);
    let gallery = files(&folder.path().join("site"));
    for (name, content) in &gallery {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        assert!(name.chars().all(plain) && !name.contains(".."), "{name}");
        let content = String::from_utf8(content.clone()).unwrap();
        if name.ends_with(".html") || name == "data.js" {
            for bad in ["<script>alert", "<img", "</script><"] {
                assert!(!content.contains(bad), "{name}: {bad}");
            }
        }
    }
    // The index knows the names unchanged.
    let data = text(&gallery, "data.js");
    let figures = data.split("\"figures\": ").nth(1).unwrap().trim_end().trim_end_matches("};");
    let figures: Vec<serde_json::Value> = serde_json::from_str(figures).unwrap();
    let mut names: Vec<&str> = figures.iter().map(|row| row[2][0].as_str().unwrap()).collect();
    names.sort_unstable();
    let mut wanted = HOSTILE;
    wanted.sort_unstable();
    assert_eq!(names, wanted);

    done(folder.path(), &["export", "newsletter", "--title", HOSTILE[1], "--intro", HOSTILE[4]]);
    let letter = files(&folder.path().join("newsletter"));
    for name in ["newsletter.html", "newsletter.md"] {
        let page = text(&letter, name);
        // In Markdown, code between fences is text as it is.
        let outside: String = page.split("```").step_by(2).collect();
        for bad in ["<script>", "<img", "</script>"] {
            assert!(!outside.contains(bad), "{name}: {bad}");
        }
    }
    let markdown = text(&letter, "newsletter.md");
    assert!(markdown.starts_with("# &lt;script&gt;alert(1)&lt;/script&gt;\n"));
    assert!(markdown.contains(r"\[a\](javascript:b) \`c\` \| {{ title }}"), "{markdown}");
    let rows = markdown.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(rows, 1 + HOSTILE.len(), "one row each under the header");
}

#[test]
fn pages_refer_to_nothing_elsewhere() {
    let folder = starter();
    done(folder.path(), &["export", "gallery", "site"]);
    done(folder.path(), &["export", "newsletter"]);
    for site in ["site", "newsletter"] {
        let root = folder.path().join(site);
        let all = files(&root);
        for (name, content) in &all {
            let content = String::from_utf8(content.clone()).unwrap();
            let foreign = content.replace("http://www.w3.org/2000/svg", "");
            assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{name}");
            for forbidden in ["fetch(", "XMLHttpRequest", "import(", "@import", "WebSocket"] {
                assert!(!content.contains(forbidden), "{name}: {forbidden}");
            }
            if !name.ends_with(".html") {
                continue;
            }
            for reference in references(&content) {
                if reference == "data:," || reference.starts_with('#') {
                    continue;
                }
                let target = root.join(name).parent().unwrap().join(&reference);
                assert!(target.exists(), "{name} refers to {reference}");
            }
        }
    }
    // Markdown finds its pictures.
    let markdown = fs::read_to_string(folder.path().join("newsletter/newsletter.md")).unwrap();
    let pictures: Vec<&str> =
        markdown.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(pictures.len() > 45);
    for picture in pictures {
        assert!(folder.path().join("newsletter").join(picture).exists(), "{picture}");
    }
}

#[test]
fn the_same_catalog_gives_the_same_bytes() {
    let folder = starter();
    let path = folder.path();
    for (kind, flag) in [("gallery", None), ("newsletter", Some("--out"))] {
        let export = |threads: &str, to: &str| {
            let args = ["--threads", threads, "export", kind];
            let args: Vec<&str> = args.into_iter().chain(flag).chain([to]).collect();
            done(path, &args);
            files(&path.join(to))
        };
        let (one, two) = (format!("{kind}-1"), format!("{kind}-2"));
        let first = export("1", &one);
        assert!(first.len() > 45);
        assert_eq!(first, export("2", &two));
        assert_eq!(first, export("2", &one), "written over itself");
    }
    let left = fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| name.starts_with(".somacat-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn only_own_folders_are_replaced() {
    let folder = starter();
    let path = folder.path();
    fs::create_dir(path.join("mine")).unwrap();
    fs::write(path.join("mine/thesis.txt"), "years").unwrap();
    fs::write(path.join("file"), "x").unwrap();
    refused(path, &["export", "gallery", "mine"], "mine is not empty");
    refused(path, &["export", "gallery", "."], "is not empty");
    refused(path, &["export", "gallery", "file"], "is a file");
    refused(path, &["export", "newsletter", "--out", "mine"], "mine is not empty");
    assert_eq!(fs::read_to_string(path.join("mine/thesis.txt")).unwrap(), "years");

    // An empty folder is fine; one with a stranger in it is left alone until that is gone.
    fs::create_dir(path.join("site")).unwrap();
    done(path, &["export", "gallery", "site"]);
    fs::write(path.join("site/notes.txt"), "mine").unwrap();
    refused(path, &["export", "gallery", "site", "--name", "cube"], "`notes.txt`");
    assert_eq!(files(&path.join("site/figures")).len(), 45);
    fs::remove_file(path.join("site/notes.txt")).unwrap();
    done(path, &["export", "gallery", "site", "--name", "cube"]);
    assert_eq!(files(&path.join("site/figures")).len(), 1);
    refused(path, &["export", "gallery", "site", "--name", "nobody"], "no gallery was written");
    assert_eq!(files(&path.join("site/figures")).len(), 1);
    // A newsletter does not replace a gallery.
    refused(path, &["export", "newsletter", "--out", "site"], "site is not empty");
}

#[test]
fn templates_can_be_replaced() {
    let folder = starter();
    let path = folder.path();
    let built_in = run(path, &["export", "newsletter", "--print-template", "html"]);
    assert!(String::from_utf8(built_in.stdout).unwrap().starts_with("<!doctype html>"));
    let mine = "{% for f in figures %}{{ f.heading }} {{ f.outcomes[0].unique }}\n{% endfor %}";
    fs::write(path.join("mine.md"), mine).unwrap();
    let chosen = ["export", "newsletter", "--solvable", "--set", "SOMA", "--sort", "unique"];
    let with = |template: &'static str| {
        chosen.into_iter().chain(["--top", "2", "--template", template]).collect::<Vec<_>>()
    };
    done(path, &with("mine.md"));
    let letter = fs::read_to_string(path.join("newsletter/newsletter.md")).unwrap();
    assert_eq!(letter, "crystal 1400\nSOMA-building-2 1191\n");
    // A mistake in a template says where it is.
    fs::write(path.join("wrong.html"), "<p>\n{{ figures[0].nmae }}\n").unwrap();
    refused(path, &with("wrong.html"), "newsletter.html:2");
    refused(path, &with("mine.txt"), "mine.txt");
    refused(path, &["export", "newsletter", "--name", "nobody"], "no newsletter was written");
}

/// A page holds the same steps as `solve --trace` writes for its figure, also where no packing is.
#[test]
fn pages_hold_the_search_that_was_asked_for() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("three.txt"), "tower: 67 77\ncross: 0330 3333 0333 0330\nbar: 9 9 9\n")
        .unwrap();
    run(path, &["import", "three.txt", "--quiet"]);
    done(path, &["export", "gallery", "plain", "--quiet"]);
    done(path, &["export", "gallery", "traced", "--trace", "250", "--quiet"]);
    let tracks = |name: &str| -> Vec<serde_json::Value> {
        let html = fs::read_to_string(path.join(name)).unwrap();
        let data = html.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        data["tracks"].as_array().unwrap().clone()
    };
    let mut with_steps = 0;
    for page in files(&path.join("traced")).into_keys().filter(|name| name.starts_with("figures/"))
    {
        let before = tracks(&format!("plain/{page}"));
        let after = tracks(&format!("traced/{page}"));
        assert_eq!(after[..before.len()], before);
        let signature = page["figures/".len()..].trim_end_matches(".html");
        let told = run(path, &["solve", "--trace", "--steps", "250", signature]);
        let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
        let expected = told["steps"].as_array().unwrap();
        if expected.is_empty() {
            assert_eq!(after.len(), before.len());
            continue;
        }
        with_steps += 1;
        let track = &after[before.len()];
        assert_eq!(
            (&track["complete"], &track["packings"]),
            (&told["complete"], &told["packings"])
        );
        assert_eq!(track["cells"], told["cells"]);
        let steps = track["steps"].as_array().unwrap();
        assert_eq!(steps.len(), expected.len());
        for (ours, theirs) in steps.iter().zip(expected) {
            for key in ["n", "depth", "piece", "cells"] {
                assert_eq!(ours[key], theirs[key], "{signature}");
            }
            assert_eq!(ours.get("solved").is_some(), theirs["solved"] == true);
        }
    }
    assert!(with_steps > 0);
}
