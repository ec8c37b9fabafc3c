//! An editor's choices for a newsletter: figures, their order, its templates.

use super::{done, files, refused, starter, text, text_between};
use crate::support::program::run;
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// An editor chooses the figures and their order. Figures that cannot be built are a section of their own.
#[test]
fn a_newsletter_has_the_figures_in_the_order_given() {
    let folder = starter();
    let path = folder.path();
    let figures = "wall,s1-3x5x5-041je1tzbge9g40,cube,tower,cube";
    let head = ["--issue", "Issue 7", "--date", "2027-05-01", "--no-numbers"];
    done(path, &[&["export", "newsletter", "--figure", figures], head.as_slice()].concat());
    let letter = files(&path.join("newsletter"));
    let markdown = text(&letter, "newsletter.md");
    // A list gives the same.
    fs::write(path.join("list"), format!("{}\n", figures.replace(',', "\n\n"))).unwrap();
    done(path, &[&["export", "newsletter", "listed", "--list", "list"], head.as_slice()].concat());
    assert_eq!(text(&files(&path.join("listed")), "newsletter.md"), markdown);
    fs::write(path.join("list"), "cube\n\nnobody\n").unwrap();
    refused(path, &["export", "newsletter", "listed", "--list", "list"], "list line 3: `nobody`");
    let headings: Vec<&str> = markdown
        .lines()
        .filter(|line| line.starts_with("##"))
        .map(|l| l.trim_matches('#'))
        .collect();
    let figures = ["1\\. wall", "2\\. cube", "3\\. tower"].map(|name| format!(" {name}"));
    assert_eq!(headings[0], " Challenges");
    assert_eq!(headings[1..4], figures);
    assert_eq!(headings[4], " Can you prove it?");
    assert!(headings[5].starts_with(" 4\\. "), "{headings:?}");
    assert_eq!(headings[6], " Answers");
    assert_eq!(headings.len(), 11);
    assert!(markdown.contains("\nIssue 7 · 2027-05-01\n"), "{markdown}");
    assert!(
        markdown.contains("27 cells, SOMA: 240 unique solutions. Difficulty: ★★★☆☆"),
        "{markdown}"
    );
    let page = text(&letter, "newsletter.html");
    let layers = text_between(&page, "<pre>", "</pre>").concat();
    let marks: BTreeSet<char> = layers.chars().filter(|c| !"\n.".contains(*c)).collect();
    assert_eq!(String::from_iter(marks), "ABLPTVZ");
    assert!(page.contains("<h2>Can you prove it?</h2>") && !page.contains("The numbers"));
    refused(path, &["export", "newsletter", "--figure", "cube,nobody"], "nobody");
}

/// Layers number the copies of a piece as the picture does, if there are three or more.
#[test]
fn copies_have_the_numbers_of_the_picture() {
    let folder = starter();
    let path = folder.path();
    done(path, &["export", "newsletter", "four", "2x2x3", "--set", "V4"]);
    let four = files(&path.join("four"));
    let page = text(&four, "newsletter.html");
    let layers = text_between(&page, "<pre>", "</pre>");
    let cells: Vec<&str> = layers.iter().flat_map(|layer| layer.split_whitespace()).collect();
    assert_eq!(cells.len(), 12, "{layers:?}");
    for copy in ["V1", "V2", "V3", "V4"] {
        assert_eq!(cells.iter().filter(|cell| **cell == copy).count(), 3, "{layers:?}");
    }
    let joined = layers.join("\n\n");
    let markdown = text(&four, "newsletter.md");
    assert!(markdown.contains(&format!("```\n{joined}\n```")), "{markdown}");
    assert!(page.contains("<desc>V × 4</desc>"));
}

/// A count that a limit ended is a lower bound of unique solutions, of which most have 48 images.
#[test]
fn lower_bounds_are_bounds_of_unique_solutions() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    done(path, &["export", "newsletter", "n", "3x3x3", "--limit", "1000"]);
    let letter = files(&path.join("n"));
    for file in ["newsletter.md", "newsletter.html"] {
        let page = text(&letter, file);
        assert!(page.contains("SOMA: at least 21 unique solutions"), "{page}");
        assert!(page.contains("≥ 1,000") && !page.contains("1,000 solutions"), "{page}");
    }
    fs::write(path.join("cube.txt"), "cube: 333 333 333\n").unwrap();
    done(path, &["import", "-q", "cube.txt", "--nodes", "700"]);
    let counted = run(path, &["query", "--jsonl", "-q"]);
    let row: serde_json::Value = serde_json::from_slice(&counted.stdout).unwrap();
    let raw: u128 = row["raw"].to_string().trim_matches('"').parse().unwrap();
    assert!(row["verdict"] == "at-least" && raw > 48, "{row}");
    let least = raw.div_ceil(48);
    assert!(least < 240);
    done(path, &["export", "gallery", "g"]);
    let gallery = files(&path.join("g"));
    let page = text(&gallery, "figures/s1-3x3x3-zzzzz3.html");
    assert!(page.contains(&format!("at least {least} ways to build it")), "{page}");
    assert!(text(&gallery, "all.html").contains(&format!("at least {least} unique solutions")));
    // The index shows `138+ ways`.
    let data = text(&gallery, "data.js");
    assert!(data.contains(&format!("\"at-least\",\"\",\"{raw}\",\"\",\"{least}\"")), "{data}");
}

/// A figure that is counted with several sets is one figure, in one of the two numbers or in none.
#[test]
fn figures_of_several_sets_are_counted_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("cube.txt"), "cube: 333 333 333\n").unwrap();
    fs::write(path.join("slab.txt"), "slab: 333333 333333 333333\n").unwrap();
    done(path, &["import", "-q", "slab.txt", "--nodes", "100"]);
    done(path, &["import", "-q", "cube.txt"]);
    done(path, &["import", "-q", "cube.txt", "--set", "diabolical"]);
    done(path, &["export", "newsletter", "n"]);
    for file in ["newsletter.md", "newsletter.html"] {
        let page = text(&files(&path.join("n")), file);
        let wanted = "1 can be built with a set of pieces, 0 cannot with any.";
        assert!(page.contains(wanted), "{page}");
    }
}

/// Cards have room for their answers, and say which figures cannot be built.
#[test]
fn large_answers_have_large_cards() {
    let folder = starter();
    let path = folder.path();
    done(path, &["export", "newsletter", "cards", "--layout", "cards"]);
    let page = text(&files(&path.join("cards")), "newsletter.html");
    let sheets: Vec<&str> = page.split("<section class=\"page ").skip(1).collect();
    let backs = || sheets.iter().filter(|sheet| sheet.starts_with("backs"));
    assert!(backs().any(|sheet| sheet.contains("--columns: 2; --rows: 4")));
    for sheet in backs().filter(|sheet| sheet.contains("s1-7x7x7")) {
        assert!(!sheet.contains("--rows: 4") && !sheet.contains("--rows: 3"), "{sheet}");
    }
    let fronts: String = sheets.iter().filter(|s| s.starts_with("fronts")).copied().collect();
    let answers = text_between(&page, "<p>", "</p>");
    let not_built = answers.iter().filter(|text| text.contains(": It cannot be built")).count();
    assert!(not_built > 0);
    assert_eq!(fronts.matches("<p>This figure cannot be built. Why not?</p>").count(), not_built);
}

/// The first steps of a ladder speak of the front, so every picture marks it.
#[test]
fn pictures_of_a_ladder_mark_the_front() {
    let folder = starter();
    done(folder.path(), &["export", "newsletter", "ladder", "--ladder"]);
    let ladder = files(&folder.path().join("ladder"));
    let page = text(&ladder, "newsletter.html");
    let challenges = text_between(&page, "<article class=\"entry\" id=", "</article>");
    assert_eq!(challenges.len(), 30);
    assert!(challenges.iter().all(|one| one.contains("stroke-width=\"5.12\"")));
}

#[test]
fn entries_of_the_same_figure_are_counted() {
    let folder = starter();
    let turned = "/SOMA a\n/111111111\n/111111111\n/111111111\n\n/SOMA b\n/111/111/111\n/111/111/111\n\
                  /111/111/111\n\n/SOMA c\n/111/111/111/111/111/111/111/111/111\n\n/SOMA d\n/111\n/111\n\
                  /111\n/111\n/111\n/111\n/111\n/111\n/111\n";
    fs::write(folder.path().join("turned.soma"), turned).unwrap();
    let output = run(folder.path(), &["export", "newsletter", "turned", "turned.soma"]);
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.starts_with("2 entries are the same figure as an earlier one"), "{report}");
    assert!(report.contains("2 figures; open"), "{report}");
}

#[test]
fn templates_can_be_replaced() {
    let folder = starter();
    let path = folder.path();
    let built_in = run(path, &["export", "newsletter", "--print-template", "html"]);
    let built_in = String::from_utf8(built_in.stdout).unwrap();
    assert!(built_in.starts_with("<!doctype html>") && built_in.contains("- packing_picture"));
    let mine = "{% for f in figures %}{{ f.heading }} {{ f.outcomes[0].unique }}\n{% endfor %}";
    fs::write(path.join("mine.md"), mine).unwrap();
    let chosen = ["export", "newsletter", "--solvable", "--set", "SOMA", "--sort", "unique"];
    let with = |template: &'static str| {
        chosen.into_iter().chain(["--top", "2", "--template", template]).collect::<Vec<_>>()
    };
    done(path, &with("mine.md"));
    let letter = fs::read_to_string(path.join("newsletter/newsletter.md")).unwrap();
    assert_eq!(letter, "crystal 1400\nSOMA-building-2 1191\n");
    // The printed template makes the same page.
    let page = fs::read(path.join("newsletter/newsletter.html")).unwrap();
    fs::write(path.join("mine.html"), built_in).unwrap();
    done(path, &with("mine.html"));
    assert!(page == fs::read(path.join("newsletter/newsletter.html")).unwrap());
    // A template error has its location.
    fs::write(path.join("wrong.html"), "<p>\n{{ figures[0].nmae }}\n").unwrap();
    refused(path, &with("wrong.html"), "wrong.html:2: `figures[0].nmae` is undefined");
    fs::write(path.join("open.md"), "{{ title }}\n{% for f in figures %}\n").unwrap();
    refused(path, &with("open.md"), "open.md:2: unexpected end of input");
    refused(path, &with("mine.txt"), "mine.txt");
    refused(path, &["export", "newsletter", "--name", "nobody"], "no newsletter was written");
}
