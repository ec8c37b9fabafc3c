//! Newsletters and galleries of figures in files: counted when they are written, with or without a catalog.

use super::{done, files, starter, text};
use crate::support::program::{run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const STAIRS: &str = "/SOMA1 stairs
;A staircase by Emily
/111/111/111
/111/111/111
/.../111/111
/.../.../111
";

/// The lines of a newsletter's Markdown with figures and their counts, and the headings of its parts.
fn outline(folder: &Path) -> Vec<String> {
    let markdown = fs::read_to_string(folder.join("newsletter.md")).unwrap();
    let (challenges, _) = markdown.split_once("## Answers").unwrap();
    let shown = |line: &&str| line.starts_with('#') || line.contains(" cells");
    challenges.lines().filter(shown).skip(1).map(str::to_owned).collect()
}

#[test]
fn figures_of_files_are_counted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("st.soma"), STAIRS).unwrap();
    fs::write(path.join("flat.txt"), "flat: 111111111111111111111111111\n").unwrap();
    done(path, &["export", "newsletter", "n", "st.soma", "flat.txt"]);
    let stars = "27 cells, SOMA: 1,173 unique solutions. Difficulty: ★★★☆☆";
    let expected = [
        "## Challenges",
        "### 1\\. SOMA1",
        stars,
        "## Can you prove it?",
        "### 2\\. flat",
        "27 cells, SOMA.",
    ];
    assert_eq!(outline(&path.join("n")), expected);
    let letter = files(&path.join("n"));
    assert!(text(&letter, "newsletter.md").contains("\nFrom Emily\n"));
    assert!(
        text(&letter, "newsletter.html").contains("<p>This figure cannot be built. Why not?</p>")
    );
    // Options of counts are obeyed. Without a proof nothing is called impossible.
    for (options, count) in [
        (["--limit", "5"], "at least 3 unique solutions. Difficulty: ★★★☆☆"),
        (["--nodes", "5"], "undecided."),
    ] {
        done(path, &[&["export", "newsletter", "n", "st.soma"], options.as_slice()].concat());
        let expected = ["## Challenges", "### 1\\. SOMA1", &format!("27 cells, SOMA: {count}")];
        assert_eq!(outline(&path.join("n")), expected);
    }
    // They are refused where nothing is counted: for figures that filters select, or that have a count.
    done(path, &["import", "-q", "st.soma"]);
    for option in
        [["--limit", "5"], ["--engine", "search"], ["--memory", "1G"], ["--format", "soma"]]
    {
        for kind in ["newsletter", "gallery"] {
            for figures in [&[][..], &["--figure", "SOMA1"]] {
                let line = [&["export", kind, "x"], figures, option.as_slice()].concat();
                let refused = run(path, &line);
                assert_eq!(refused.status.code(), Some(2), "{line:?} {}", stderr(&refused));
                assert!(stderr(&refused).contains(option[0]), "{}", stderr(&refused));
            }
        }
    }
}

/// A count in the catalog answers for its pieces only.
#[test]
fn the_pieces_of_a_puzzle_are_those_that_are_counted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("corner.txt"), "corner: 11 1.\n").unwrap();
    done(path, &["import", "-q", "--set", "V", "corner.txt"]);
    let puzzle = r#"<puzzle version="2"><gridType type="0"/><shapes>
<voxel x="1" y="1" z="1" type="0">#</voxel>
<voxel x="2" y="1" z="1" type="0">##</voxel>
<voxel x="2" y="2" z="1" type="0">###_</voxel>
</shapes><problems><problem><shapes><shape id="0" count="1"/><shape id="1" count="1"/></shapes>
<result id="2"/></problem></problems></puzzle>"#;
    fs::write(path.join("own.xmpuzzle"), puzzle).unwrap();
    let counts = |figures: &[&str]| {
        done(path, &[&["export", "newsletter", "n"], figures].concat());
        let lines = outline(&path.join("n"));
        let sets = |set: &str| lines.iter().filter(|line| line.contains(set)).count();
        (sets("3 cells, V: 1 unique"), sets("cells, pieces-"))
    };
    assert_eq!(counts(&["own.xmpuzzle"]), (0, 1));
    assert_eq!(counts(&["corner.txt"]), (1, 0));
    done(path, &["export", "gallery", "g", "--figure", "own.xmpuzzle"]);
    assert!(text(&files(&path.join("g")), "data.js").contains("pieces-"));
}

#[test]
fn a_gallery_of_a_file_needs_no_catalog() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("st.soma"), STAIRS).unwrap();
    done(path, &["export", "gallery", "site", "--figure", "st.soma", "--solutions", "3"]);
    let site = files(&path.join("site"));
    let page = text(&site, "figures/s1-3x3x4-49vyzzz1.html");
    assert!(page.contains("stairs") && page.contains("Emily") && page.contains("1,173"), "{page}");
    let solutions = text(&site, "solutions/s1-3x3x4-49vyzzz1.js");
    assert!(solutions.contains("\"raw\":\"2346\""), "{solutions}");
    assert!(text(&site, "data.js").contains("1173"));
    // A figure has one page, even if several files have it. Its names are marked if they are of mirror images.
    fs::write(path.join("left.txt"), "left: 3333 333. 321.\n").unwrap();
    fs::write(path.join("right.txt"), "right: 3333 .333 .123\n").unwrap();
    done(path, &["export", "gallery", "both", "--figure", "left.txt,right.txt"]);
    let site = files(&path.join("both"));
    let pages: Vec<_> = site.keys().filter(|name| name.starts_with("figures/")).collect();
    assert_eq!(pages.len(), 1, "{pages:?}");
    assert!(text(&site, pages[0]).contains("right (mirror image of left; right.txt, line 1)"));
}

/// A figure that cannot be shown is reported with its line and costs only itself.
#[test]
fn figures_that_cannot_be_shown_are_left_out() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let in_place = "/SOMA corner\n/1**/***/***\n/11*/***/***\n/***/***/***\n\n";
    fs::write(path.join("three.soma"), format!("{in_place}/SOMA short\n/111\n\n{STAIRS}")).unwrap();
    for kind in [&["newsletter", "n"], &["gallery", "site"]] {
        let output = run(path, &["export", kind[0], kind[1], "--figure", "three.soma"]);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(
            error.contains("three.soma:1: corner: pieces in place cannot be printed"),
            "{error}"
        );
        assert!(error.contains("three.soma:6: short: 3 cells"), "{error}");
    }
    assert_eq!(outline(&path.join("n"))[1], "### 1\\. SOMA1");
    fs::write(path.join("none.soma"), in_place).unwrap();
    let gallery = ["export", "gallery", "site", "--figure", "none.soma"];
    let bedlam = ["export", "newsletter", "n", "s1-3x3x3-zzzzz3", "--set", "bedlam"];
    for (command, reason) in
        [(&gallery[..], "no gallery was written"), (&bedlam[..], "27 cells, but bedlam fills 64")]
    {
        let all_refused = run(path, command);
        assert_eq!(all_refused.status.code(), Some(3), "{}", stderr(&all_refused));
        assert!(stderr(&all_refused).contains(reason), "{}", stderr(&all_refused));
    }
    // An earlier newsletter stays.
    assert_eq!(outline(&path.join("n"))[1], "### 1\\. SOMA1");
}

#[test]
fn top_counts_figures_with_several_sets() {
    let folder = starter();
    let path = folder.path();
    // Two of the figures get a second count, which sorts before those of all others.
    let text = stdout(&run(path, &["export", "soma", "-", "--name", "cube"]))
        + &stdout(&run(path, &["export", "soma", "-", "--name", "tower"]));
    fs::write(path.join("two.soma"), text).unwrap();
    done(path, &["import", "two.soma", "--set", "V9"]);
    let by_raw = ["--sort", "raw", "--cells", "27"];
    done(path, &[&["export", "newsletter", "n", "--top", "4"], by_raw.as_slice()].concat());
    let outline = outline(&path.join("n"));
    let headings: Vec<_> = outline.iter().filter_map(|line| line.split_once("\\. ")).collect();
    assert_eq!(headings.len(), 4, "{outline:?}");
    // The figures have their other counts, too.
    let cube = outline.iter().position(|line| line.ends_with(" cube")).unwrap();
    assert!(outline[cube + 1].contains("V9") != outline[cube + 2].contains("V9"), "{outline:?}");
    let cells = ["export", "cells", "-", "--top", "4", "--positions", "canonical"];
    let cells = stdout(&run(path, &[cells.as_slice(), &by_raw].concat()));
    assert_eq!(cells.lines().count(), 4, "{cells}");
}

#[test]
fn a_layout_is_a_number_of_figures() {
    let folder = starter();
    for (layout, sheets) in [("1", 7), ("4", 2), ("6", 2), ("12", 1)] {
        let chosen = ["--solvable", "--set", "SOMA", "--sort", "unique", "--top", "7"];
        let layout = ["export", "newsletter", "n", "--layout", layout];
        done(folder.path(), &[layout.as_slice(), &chosen].concat());
        let page = fs::read_to_string(folder.path().join("n/newsletter.html")).unwrap();
        assert_eq!(page.matches("<section class=\"page challenges\">").count(), sheets);
    }
}
