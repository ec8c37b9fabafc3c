//! The pages of figures in a gallery: titles of figures that nobody named, stories, and where the numbers come from.

use super::{done, files, starter, text, text_between};
use crate::support::program::run;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Exports a gallery. Returns the title of each page by its file.
fn titles(folder: &Path) -> BTreeMap<String, String> {
    done(folder, &["export", "gallery", "site", "--quiet"]);
    let all = files(&folder.join("site"));
    let list = text(&all, "all.html");
    let data = text(&all, "data.js");
    let pages = all.keys().filter(|name| name.starts_with("figures/"));
    let titled = pages.map(|name| {
        let page = text(&all, name);
        let title = text_between(&page, "<h1>", "</h1>")[0].to_owned();
        // The list and the index call it the same.
        assert!(list.contains(&format!("href=\"{name}\">{title}</a>")), "{title} of {name}");
        assert!(data.contains(&format!("\"{title}\"")), "{title}");
        (name.clone(), title)
    });
    titled.collect()
}

fn run_plan(folder: &Path, sides: &str) {
    let plan =
        format!("title = \"boxes\"\n[[box]]\nsides = \"{sides}\"\ncells = 5\nset = \"V D\"\n");
    fs::write(folder.join("plan.toml"), plan).unwrap();
    done(folder, &["run", "--quiet", "plan.toml"]);
}

/// A figure that nobody named has its permanent number as the title, or a running number, which later figures do not
/// change.
#[test]
fn numbers_are_the_titles_of_nameless_figures() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    run_plan(path, "2x2x3");
    let first = titles(path);
    let (running, permanent): (Vec<&String>, Vec<&String>) =
        first.values().partition(|title| title.contains('#'));
    assert!(running.len() > 2 && permanent.len() > 1, "{first:?}");
    assert!(running.iter().any(|title| *title == "C1-5 #1"), "{running:?}");
    for (name, title) in first.iter().filter(|(_, title)| !title.contains('#')) {
        let shown = run(path, &["symmetry", title]);
        let shown = String::from_utf8(shown.stdout).unwrap();
        let stem = name.trim_start_matches("figures/").trim_end_matches(".html");
        assert!(shown.contains(stem), "{title}: {shown}");
    }
    run_plan(path, "2x3x3");
    let second = titles(path);
    assert!(second.len() > first.len());
    assert!(first.iter().all(|(name, title)| second[name] == *title), "{first:?} {second:?}");
    let mut distinct: Vec<&String> = second.values().collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), second.len());
}

/// The commands that a page gives for a certificate work, and so do its download, its citation and its address.
#[test]
fn pages_say_where_their_numbers_come_from() {
    let folder = starter();
    let path = folder.path();
    let version = String::from_utf8(run(path, &["--version"]).stdout).unwrap();
    let version = version.trim().strip_prefix("somacat ").unwrap();
    let (number, commit) = version.split_once('+').unwrap_or((version, ""));
    let page = |args: &[&str], name: &str| {
        done(path, &[&["export", "gallery", "site", "--quiet", "--solutions", "1"], args].concat());
        fs::read_to_string(path.join("site/figures").join(name)).unwrap()
    };
    let cross = page(&["--fold", "6"], "s1-5x5x5-000400awe026ec80e7a004000.html");
    assert!(cross.contains("<h1>C3i-27.2</h1>"));
    assert!(cross.contains(&format!("somacat {number}, commit {commit}")) || commit.is_empty());
    assert!(cross.contains("@misc{somacat-C3i-27-2,") && !cross.contains("url = {"));
    let readme = include_str!("../../README.md");
    let year = text_between(readme, "year    = {", "}")[0];
    assert_eq!(text_between(&cross, "year = {", "}"), [year]);
    let commands = text_between(&cross, "<code>somacat ", "</code>");
    assert_eq!(commands.len(), 3, "{commands:?}");
    for command in commands {
        done(path, &command.split(' ').collect::<Vec<_>>());
    }
    let wall = "s1-3x5x5-00w00w0yz0e0zf0.html";
    let wall = page(&["--name", "W-wall", "--url", "https://example.org/soma"], wall);
    let address = "https://example.org/soma/figures/s1-3x5x5-00w00w0yz0e0zf0.html";
    assert!(wall.contains(&format!("url = {{{address}}}")));
    assert!(wall.contains(&format!("id=\"permanent\" href=\"{address}\"")));
    let proof = text_between(&wall, "<a download href=\"../", "\"")[0];
    let proof = path.join("site").join(proof);
    done(path, &["verify", "--certificate", proof.to_str().unwrap()]);
    let cube = page(&["--name", "cube"], "s1-3x3x3-zzzzz3.html");
    assert!(cube.contains("240 unique (Conway and Guy 1961)") && !cube.contains("differs from"));
}

/// A stored proof by cases is told in words.
#[test]
fn cases_are_told_in_words() {
    let folder = starter();
    let path = folder.path();
    let story = |figure: &str, signature: &str| {
        done(path, &["export", "gallery", "site", "--quiet", "--figure", figure]);
        let page = path.join(format!("site/figures/{signature}.html"));
        let page = fs::read_to_string(page).unwrap();
        let story = text_between(&page, "<ol class=\"story\">", "</ol>")[0].to_owned();
        text_between(&story, "<li>", "</li>").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    // Found for a figure with a name, and the same once it is stored. For the many others nothing is searched.
    let before = story("SOMA-sofa", "s1-2x2x9-eqvxeqv1");
    done(path, &["catalog", "prove", "--quiet", "SOMA-sofa"]);
    let after = story("SOMA-sofa", "s1-2x2x9-eqvxeqv1");
    assert_eq!(before, after);
    let nameless = "s1-5x5x5-000c000ww826ec82770006000";
    let [other] = &story(nameless, nameless)[..] else { panic!("a story of several steps") };
    assert!(other.contains("tried every possibility"), "{other}");
    assert_eq!(after[0], "Begin with A. It has only 24 ways to lie in the figure.");
    let ways: u32 = after[1..4]
        .iter()
        .map(|line| line.split(' ').nth(1).unwrap().parse::<u32>().unwrap())
        .sum();
    assert_eq!(ways, 24, "{after:?}");
    assert!(after[4].contains("all 105 positions"), "{after:?}");
}

/// A published count stands with its set, and says if ours contradicts it, exact or a lower bound.
#[test]
fn published_counts_say_whether_ours_differs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let write = |name: &str, text: &str| fs::write(path.join(name), text).unwrap();
    write("cube.soma", "/SOMA cube\n/111/111/111\n/111/111/111\n/111/111/111\n");
    write(
        "published.csv",
        "name,signature,set,kind,value,source\ncube,,SOMA,raw,5000,low\ncube,,SOMA,unique,100,low\n\
         cube,,SOMA,unique,240,right\ncube,,diabolical,raw,5,other\n",
    );
    let published = |nodes: &str| {
        write(
            "plan.toml",
            &format!("import = [\"cube.soma\"]\npublished = \"published.csv\"\n{nodes}"),
        );
        run(path, &["run", "--quiet", "plan.toml"]);
        done(path, &["export", "gallery", "site", "--quiet"]);
        let page = files(&path.join("site")).remove("figures/s1-3x3x3-zzzzz3.html").unwrap();
        let page = String::from_utf8(page).unwrap();
        text_between(&page, "<dt>Published</dt><dd>", "</dd>")[0].to_owned()
    };
    let said = "5,000 raw (low), which differs from this count; 100 unique (low), which differs \
                from this count; 240 unique (right); 5 raw with diabolical (other)";
    let disagreements = || {
        let sql = "SELECT kind, published, ours FROM disagreements ORDER BY kind";
        String::from_utf8(run(path, &["query", "--csv", "--sql", sql]).stdout).unwrap()
    };
    // At least 6,624 packings of 48 images at most are 138.
    assert_eq!(published("nodes = 700\n"), said);
    assert_eq!(disagreements(), "kind,published,ours\nraw,5000,6624\nunique,100,138\n");
    assert_eq!(published(""), said);
    assert_eq!(disagreements(), "kind,published,ours\nraw,5000,11520\nunique,100,240\n");
}
