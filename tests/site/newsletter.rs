//! An editor's choices for a newsletter: figures, their order, its templates.

use super::{done, files, refused, starter, text, text_between};
use crate::support::program::run;
use std::collections::BTreeSet;
use std::fs;

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
