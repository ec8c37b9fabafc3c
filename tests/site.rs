//! Galleries and newsletters in their folders: contents, escaped names, identical bytes from the same catalog, and
//! no user's file overwritten.

mod figure_pages;
mod from_files;
mod newsletter;
#[cfg(unix)]
mod templates;
mod xml;

use crate::support::program::{run, starter as starter_files};
use crate::support::stability::Checked;
use somacat_geometry::lattice::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Names that would do harm if not escaped.
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

/// Returns every file below a folder, by its relative name.
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

/// Creates a catalog of the starter figures.
fn starter() -> TempDir {
    let folder = TempDir::new().unwrap();
    starter_files(folder.path());
    folder
}

/// Gallery and newsletter of the starter figures. One thread makes them for all tests.
static EXPORTED: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = starter();
    EXPORTS.iter().for_each(|args| done(folder.path(), &[&["--threads", "1"][..], args].concat()));
    folder
});

const EXPORTS: [&[&str]; 2] = [
    &["export", "gallery", "gallery", "--title", "Fish & <chips>", "--solutions", "10"],
    &["export", "newsletter", "newsletter"],
];

/// Creates a catalog whose figures have hostile names.
fn hostile() -> TempDir {
    let folder = TempDir::new().unwrap();
    let rows = ["67/77", "333/333/333", "999", "3330000/0033300/0000333", "543/333/222"];
    let mut soma = String::new();
    for (name, map) in HOSTILE.iter().zip(rows) {
        // Towers as SOMA text: the layers from the top, nine of them.
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

/// Returns the values of `src` and `href` in a page. Also returns those of `url(` in its styles.
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
    let files = files(&EXPORTED.path().join("gallery"));
    let pages = files.keys().filter(|name| name.starts_with("figures/")).count();
    assert_eq!(pages, 46);
    let index = text(&files, "index.html");
    assert!(index.contains("Fish &amp; &lt;chips&gt;</h1>"));
    assert!(index.contains("19 figures that can be built, and 27 that cannot."));
    let cube = text(&files, "figures/s1-3x3x3-zzzzz3.html");
    for (count, meaning) in
        [("11,520", "every packing"), ("480", "rotations"), ("240", "rotations and reflections")]
    {
        let row = cube.lines().find(|line| line.contains(&format!("<td>{count}</td>"))).unwrap();
        assert!(row.contains(meaning), "{row}");
    }
    assert!(cube.contains("240 unique solutions."));
    // A plain search tries 861,284 placements for 11,520 packings.
    assert!(cube.contains(
        "medium</a> <span class=\"stars\" role=\"img\" aria-label=\"3 of 5\">★★★☆☆</span>"
    ));
    assert!(cube.contains("240 ways to build it</a>") && cube.contains(">very symmetric</a>"));
    let plain = text(&files, "all.html");
    assert!(plain.contains("21 unique solutions, difficulty 5 of 5</span>"), "gallows");
    assert!(cube.contains("Oh, Bob Allen’s letter G: full cube"));
    // The page of an unsolvable figure has the parity argument; a count stopped at a limit is marked.
    let by_parity = text(&files, "figures/s1-5x5x5-000400awe026ec80e7a004000.html");
    assert!(by_parity.contains("7 are black and 20 are white, a difference of 13."));
    assert!(by_parity.contains("reach a difference of 1, 3 or 5, but never of 13."));
    let limited = text(&files, "figures/s1-2x4x5-zzzzzzzz.html");
    assert!(limited.contains("<td>at least "), "{limited}");
    assert!(!limited.contains("<th scope=\"row\">unique</th>"));
    // Named buildable figures come first, and pages link from one to the next.
    let list = text(&files, "all.html");
    let order = text_between(&list, "figures/", ".html");
    assert_eq!(order.len(), 46);
    assert_eq!(order[..2], ["s1-3x3x5-08g6xvzzz", "s1-3x3x3-zzzzz3"], "crystal, cube");
    for (at, page) in order.iter().enumerate() {
        let html = text(&files, &format!("figures/{page}.html"));
        let link =
            |rel: &str| text_between(&html, &format!("rel=\"{rel}\" href=\""), ".html").pop();
        assert_eq!(link("prev"), at.checked_sub(1).map(|at| order[at]));
        assert_eq!(link("next"), order.get(at + 1).copied());
    }
}

/// Returns all texts between a beginning and an end.
fn text_between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| rest.split(to).next()).collect()
}

/// Decodes a solution of a gallery: the pieces in building order, with their cells.
fn decoded(text: &str, cells: &[[i64; 3]]) -> Vec<(char, Vec<[i64; 3]>)> {
    let (letters, owners) = text.split_once([':', ';', '=', '!']).unwrap();
    let owner = |sign: char| usize::try_from(u32::from(sign) - u32::from('0')).unwrap();
    let owners: Vec<usize> = owners.chars().map(owner).collect();
    assert_eq!(owners.len(), cells.len(), "every cell belongs to a piece");
    let piece = |(at, letter)| {
        let its = cells.iter().zip(&owners).filter(|(_, owner)| **owner == at);
        (letter, its.map(|(cell, _)| *cell).collect())
    };
    letters.chars().enumerate().map(piece).collect()
}

/// Returns the solutions in a gallery's file, with their exact number.
fn solutions(path: &Path) -> (Vec<String>, Option<String>) {
    let script = fs::read_to_string(path).unwrap();
    let json = script.strip_prefix("showSolutions(").unwrap().strip_suffix(");\n").unwrap();
    let lists: serde_json::Value = serde_json::from_str(json).unwrap();
    let packings = lists[0]["packings"].as_array().unwrap();
    let packings = packings.iter().map(|packing| packing.as_str().unwrap().to_owned()).collect();
    (packings, lists[0]["unique"].as_str().map(str::to_owned))
}

/// A gallery of a box with millions of packings shows as many different ones as are asked for.
#[test]
fn solutions_are_found_among_very_many() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("box.txt"), "box: 6666 6666\n").unwrap();
    done(path, &["import", "-q", "--set", "D24", "box.txt"]);
    done(path, &["export", "gallery", "site", "-q", "--solutions", "30"]);
    let found = fs::read_dir(path.join("site/solutions")).unwrap().next().unwrap().unwrap();
    let (shown, _) = solutions(&found.path());
    assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), 30);
}

#[test]
fn solutions_are_all_the_unique_ones_and_are_built_from_below() {
    let folder = starter();
    let path = folder.path();
    done(path, &["export", "gallery", "site", "--name", "tower", "--solutions", "1000"]);
    let page = fs::read_to_string(path.join("site/figures/s1-2x2x7-yzzzz7.html")).unwrap();
    let (all, unique) = solutions(&path.join("site/solutions/s1-2x2x7-yzzzz7.js"));
    assert_eq!((all.len(), unique.as_deref()), (760, Some("760")));
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 760);
    // The plain figure comes first: the page shows no solution.
    assert!(all.iter().all(|solution| !page.contains(solution.as_str())));
    assert!(page.contains("/SOMA tower\n/.1/11/11/11/11/11/11\n/11/11/11/11/11/11/11</pre>"));
    let mut cells: Vec<[i64; 3]> = (0..7).flat_map(|z| [[0, 1, z], [1, 0, z], [1, 1, z]]).collect();
    cells.extend((1..7).map(|z| [0, 0, z]));
    cells.sort_unstable();
    let (mut lowered, mut stages) = (0, 0);
    for solution in &all {
        let pieces = decoded(solution, &cells);
        let mut letters: Vec<char> = pieces.iter().map(|(letter, _)| *letter).collect();
        letters.sort_unstable();
        assert_eq!(letters, ['A', 'B', 'L', 'P', 'T', 'V', 'Z']);
        assert!(pieces.iter().all(|(letter, its)| its.len() == if *letter == 'V' { 3 } else { 4 }));
        let under = |a: &[i64; 3], b: &[i64; 3]| a[..2] == b[..2] && a[2] > b[2];
        let blocked = pieces.iter().enumerate().any(|(at, (_, later))| {
            pieces[..at]
                .iter()
                .any(|(_, earlier)| later.iter().any(|a| earlier.iter().any(|b| under(a, b))))
        });
        assert_eq!(solution.contains(';'), blocked, "{solution}");
        lowered += usize::from(!blocked);
        // A proof confirms that every stage of the order stands.
        if solution.contains('=') && stages < 50 {
            let cell = |c: &[i64; 3]| Cell::from(c.map(|value| i32::try_from(value).unwrap()));
            let pieces: Vec<Vec<Cell>> =
                pieces.iter().map(|(_, its)| its.iter().map(cell).collect()).collect();
            let checked = Checked::new(&pieces, 0.5);
            let order: Vec<usize> = (0..pieces.len()).collect();
            for stage in 1..=pieces.len() {
                assert!(pieces[..stage].iter().flatten().any(|cell| cell.z == 6), "{solution}");
                assert!(checked.held(&order[..stage]), "{solution}: {stage}");
                stages += 1;
            }
        }
    }
    assert!(lowered > 0 && stages >= 35, "{lowered} {stages}");
    // Fewer solutions on request; none for unnamed figures if only named ones are selected.
    done(path, &["export", "gallery", "site", "--solutions", "5", "--extras", "named"]);
    assert_eq!(solutions(&path.join("site/solutions/s1-2x2x7-yzzzz7.js")).0.len(), 5);
    let named = files(&path.join("site/cards")).len();
    assert_eq!(named, 25);
    let downloads = files(&path.join("site/downloads")).into_keys();
    let (proofs, others): (Vec<String>, Vec<String>) =
        downloads.partition(|name| name.ends_with("-proof.txt"));
    assert_eq!(others.len(), 2 * named);
    // All that are named and cannot be built; the sofa, which has neither marks nor a parity argument, by cases.
    assert_eq!(proofs.len(), 6, "{proofs:?}");
    for proof in &proofs {
        let file = path.join("site/downloads").join(proof);
        done(path, &["verify", "--quiet", "--certificate", file.to_str().unwrap()]);
    }
    assert_eq!(files(&path.join("site/figures")).len(), 46);
}

/// A gallery and a newsletter show no local path of a source. They show a figure as published there.
#[test]
fn figures_keep_published_positions_and_no_path_appears() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let deep = path.join("secret-place");
    fs::create_dir(&deep).unwrap();
    let soma = "/SOMA007\n; A <leaning> tower\n/1111111/1111111\n/.111111/1111111\n";
    for (name, text) in [("mine.soma", soma), ("nameless.txt", "333 333 333\n")] {
        fs::write(deep.join(name), text).unwrap();
        done(path, &["import", "--quiet", deep.join(name).to_str().unwrap()]);
    }
    done(path, &["export", "gallery", "site", "--title", "Mine"]);
    done(path, &["export", "newsletter"]);
    let all = files(&path.join("site")).into_iter().chain(files(&path.join("newsletter")));
    let mut published = 0;
    for (name, content) in all {
        let content = String::from_utf8_lossy(&content).into_owned();
        assert!(!content.contains("secret-place"), "{name} contains a path");
        assert!(!content.contains("<leaning>"), "{name}");
        if name.starts_with("figures/") && content.contains("SOMA007") {
            published += 1;
            assert!(content.contains("/1111111/1111111\n/.111111/1111111</pre>"), "{content}");
            assert!(content.contains("A &lt;leaning&gt; tower"), "{content}");
            assert!(content.contains("SOMA007 (mine.soma, line 1"), "{content}");
        }
    }
    assert_eq!(published, 1);
}

/// A catalog of tens of thousands of figures stays small: the bytes of an unnamed figure in its page, in the index and in
/// the plain list. Pages of named figures have files of their own; there are only some hundred.
#[test]
fn pages_of_nameless_figures_are_small() {
    let folder = starter();
    let path = folder.path();
    // So many figures that scripts draw the layers of those without a name.
    fs::write(path.join("box.toml"), "[[box]]\nsides = \"2x3x5\"\ncells = 27\n").unwrap();
    done(path, &["run", "--quiet", "box.toml"]);
    done(path, &["export", "gallery", "site", "--extras", "named"]);
    let all = files(&path.join("site"));
    assert!(!all.keys().any(|name| name.contains("thumbnails/s1-5x5x5")), "pictures of all");
    let is_nameless = |(name, page): &(&String, &Vec<u8>)| {
        name.starts_with("figures/") && String::from_utf8_lossy(page).contains("<dd>none</dd>")
    };
    let (data, list) = (text(&all, "data.js"), text(&all, "all.html"));
    let bytes = |(name, page): (&String, &Vec<u8>)| {
        let stem = name.strip_prefix("figures/").unwrap().strip_suffix(".html").unwrap();
        let line = data.lines().find(|line| line.contains(stem)).unwrap();
        let entry = list.lines().find(|line| line.contains(stem)).unwrap();
        page.len() + line.len() + entry.len() + 2
    };
    let nameless: Vec<usize> = all.iter().filter(is_nameless).map(bytes).collect();
    assert_eq!(nameless.len(), 21 + 550);
    let mean = nameless.iter().sum::<usize>() / nameless.len();
    // 24,000 of them are below 150 MB.
    assert!(24_000 * mean < 150_000_000, "{mean} bytes a figure");
}

#[test]
fn names_are_only_names() {
    let folder = hostile();
    done(folder.path(), &["export", "gallery", "site", "--title", HOSTILE[3]]);
    let gallery = files(&folder.path().join("site"));
    for (name, content) in &gallery {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        assert!(name.chars().all(plain) && !name.contains(".."), "{name}");
        if name.ends_with(".html") || name.ends_with(".js") {
            let content = String::from_utf8(content.clone()).unwrap();
            for bad in ["<script>alert", "<img src=x", "</script><img"] {
                assert!(!content.contains(bad), "{name}: {bad}");
            }
        }
    }
    // The index contains the unchanged names.
    let data = text(&gallery, "data.js");
    let figures = data.split("\"figures\": ").nth(1).unwrap().trim_end().trim_end_matches("};");
    let figures: Vec<serde_json::Value> = serde_json::from_str(figures).unwrap();
    let mut names: Vec<&str> = figures.iter().map(|row| row[2][0].as_str().unwrap()).collect();
    names.sort_unstable();
    let mut wanted = HOSTILE;
    wanted.sort_unstable();
    assert_eq!(names, wanted);

    assert!(!gallery.contains_key("feed.xml"), "a feed needs the gallery's address");

    let address = ["--url", "https://example.org", "--date", "2028-02-29"];
    done(
        folder.path(),
        &[&["export", "gallery", "site", "--title", HOSTILE[1]][..], &address].concat(),
    );
    let feed = text(&files(&folder.path().join("site")), "feed.xml");
    let feed = roxmltree::Document::parse(&feed).unwrap();
    let texts = |tag: &str| -> Vec<String> {
        let nodes = feed
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", tag)));
        nodes.map(|node| node.text().unwrap().to_owned()).collect()
    };
    let titles: BTreeSet<String> = texts("title").into_iter().collect();
    let buildable = [0, 1, 3, 4].map(|at| HOSTILE[at].to_owned());
    assert_eq!(titles, BTreeSet::from(buildable), "the third cannot be built");
    let page = "figures/s1-2x2x7-yzzzz7.html";
    let ids = texts("id");
    assert_eq!((ids.len(), ids[0].as_str()), (5, "https://example.org/"));
    assert!(ids.contains(&format!("https://example.org/{page}")));
    assert!(gallery.contains_key(page));
    assert_eq!(texts("updated"), ["2028-02-29T00:00:00Z"; 5]);
    // Without a date, an entry has the time of the run that counted the figure.
    let db = rusqlite::Connection::open(folder.path().join("somacat.db")).unwrap();
    let times = [("2027-01-01T00:00:00Z", "s1-2x2x7-yzzzz7"), ("2027-03-01T00:00:00Z", "")];
    for (run, (started, _)) in (900..).zip(times) {
        let sql = "INSERT INTO run (id, command, version, started, status) VALUES (?, '', '', ?, 'finished')";
        db.execute(sql, rusqlite::params![run, started]).unwrap();
    }
    let sql = "UPDATE timing SET run_id = (SELECT CASE signature WHEN ? THEN 900 ELSE 901 END
               FROM figure WHERE id = figure_id)";
    db.execute(sql, [times[0].1]).unwrap();
    drop(db);
    done(folder.path(), &["export", "gallery", "site", "--url", "https://example.org"]);
    let feed = text(&files(&folder.path().join("site")), "feed.xml");
    assert_eq!(feed.matches(times[0].0).count(), 1, "{feed}");
    assert_eq!(feed.matches(times[1].0).count(), 4, "the feed and three entries: {feed}");
    for date in ["2027-02-29", "2027-13-01", "2027-1-01", "today"] {
        let args = ["export", "gallery", "site", "--url", "https://example.org", "--date", date];
        assert_eq!(run(folder.path(), &args).status.code(), Some(2), "{date}");
    }

    done(folder.path(), &["export", "newsletter", "--title", HOSTILE[1], "--intro", HOSTILE[4]]);
    let letter = files(&folder.path().join("newsletter"));
    for name in ["newsletter.html", "newsletter.md"] {
        let page = text(&letter, name);
        // In Markdown, fenced code is plain text.
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
fn famous_sets_have_pages_with_all_pieces() {
    let folder = starter();
    done(folder.path(), &["export", "gallery", "site", "--name", "cube"]);
    let gallery = files(&folder.path().join("site"));
    let listed = run(folder.path(), &["sets", "--jsonl"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.lines().count(), 11);
    for line in listed.lines() {
        let set: serde_json::Value = serde_json::from_str(line).unwrap();
        let [name, source] = ["name", "source"].map(|key| set[key].as_str().unwrap());
        let page = text(&gallery, &format!("sets/{}.html", name.replace('+', "_")));
        assert!(page.contains(&format!("{} cells", set["cells"])), "{name}");
        let source = source.replace('&', "&amp;").replace('\'', "&#39;").replace('"', "&quot;");
        assert!(page.contains(&format!("<dt>Source</dt><dd>{source}</dd>")), "{name}");
        // "8 cells, 13 copies", or "5 cells" for one copy.
        let copies = text_between(&page, "</strong><span>", "</span>");
        let copies = copies.iter().map(|facts| {
            let number = facts.trim_end_matches(" copies").split(", ").nth(1);
            number.map_or(1, |number| number.parse::<u64>().unwrap())
        });
        let pieces: u64 = copies.sum();
        assert_eq!(pieces, set["pieces"].as_u64().unwrap(), "{name}");
        assert_eq!(page.contains("Figures here with this set"), name == "SOMA");
    }
    let bedlam = text(&gallery, "sets/bedlam.html");
    assert!(bedlam.contains("<dd>4 × 4 × 4: 19,186 solutions up to rotation</dd>"));
    // Who made it, where a source says so; the pieces in a tray, and a box filled with them.
    assert!(bedlam.contains("<dt>Maker</dt><dd>Bruce Bedlam, https://en.wikipedia.org/"));
    let dorian = text(&gallery, "sets/dorian.html");
    assert!(dorian.contains("<dt>Maker</dt><dd>Joseph Dorrie, "));
    assert!(!text(&gallery, "sets/tetris-cube.html").contains("<dt>Maker</dt>"));
    assert!(!text(&gallery, "sets/pentacubes.html").contains("aria-label=\"A packing\""));
    for (name, pieces) in [("SOMA", "V L T Z A B P"), ("conway", "B × 13 C O I × 3")] {
        let page = text(&gallery, &format!("sets/{name}.html"));
        assert!(
            page.contains(&format!("<title>The pieces of {name}</title>\n<desc>{pieces}</desc>"))
        );
        assert!(page.contains(&format!("<title>A box filled by {name}</title>")));
    }
}

#[test]
fn each_word_of_the_glossary_has_a_picture() {
    let glossary = text(&files(&EXPORTED.path().join("gallery")), "glossary.html");
    let terms: Vec<&str> = glossary.split("<div class=\"term\"").skip(1).collect();
    assert!(terms.len() > 20);
    let pictures: std::collections::BTreeSet<&str> = terms
        .iter()
        .map(|term| {
            let from = term.find("<svg").unwrap_or_else(|| panic!("no picture in {term}"));
            &term[from..term.find("</svg>").unwrap()]
        })
        .collect();
    assert_eq!(pictures.len(), terms.len(), "two words have the same picture");
}

#[test]
fn pages_load_nothing_from_elsewhere() {
    for args in EXPORTS {
        let root = EXPORTED.path().join(args[1]);
        let all = files(&root);
        for (name, content) in &all {
            // Pictures and puzzles of other programs are not pages.
            let Ok(content) = String::from_utf8(content.clone()) else { continue };
            let foreign = content.replace("http://www.w3.org/2000/svg", "");
            // The sources of famous sets are addresses, as text.
            let named = name.starts_with("sets/");
            assert!(
                named || !foreign.contains("http://") && !foreign.contains("https://"),
                "{name}"
            );
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
                let reference = reference.split('#').next().unwrap();
                let target = root.join(name).parent().unwrap().join(reference);
                assert!(target.exists(), "{name} refers to {reference}");
            }
        }
    }
    // The pictures of the Markdown file exist.
    let markdown = fs::read_to_string(EXPORTED.path().join("newsletter/newsletter.md")).unwrap();
    let pictures: Vec<&str> =
        markdown.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(pictures.len() > 45);
    for picture in pictures {
        assert!(EXPORTED.path().join("newsletter").join(picture).exists(), "{picture}");
    }
}

#[test]
fn the_same_catalog_gives_the_same_bytes() {
    let folder = starter();
    let path = folder.path();
    for args in EXPORTS {
        done(path, &[&["--threads", "2"][..], args].concat());
        let first = files(&EXPORTED.path().join(args[1]));
        assert!(first.len() > 45);
        assert_eq!(first, files(&path.join(args[1])));
    }
    let feed = |threads: &str| {
        let args =
            ["export", "gallery", "feed", "--name", "c*", "--url", "https://example.org/soma"];
        done(path, &[&["--threads", threads], &args[..]].concat());
        files(&path.join("feed"))
    };
    let first = feed("1");
    assert!(first.contains_key("feed.xml"));
    assert_eq!(first, feed("2"));
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
    refused(path, &["export", "newsletter", "mine"], "mine is not empty");
    assert_eq!(fs::read_to_string(path.join("mine/thesis.txt")).unwrap(), "years");

    // An empty folder is accepted; a folder with a foreign file is refused until the file is gone.
    fs::create_dir(path.join("site")).unwrap();
    done(path, &["export", "gallery", "site", "--name", "c*"]);
    fs::write(path.join("site/notes.txt"), "mine").unwrap();
    refused(path, &["export", "gallery", "site", "--name", "cube"], "`notes.txt`");
    assert!(files(&path.join("site/figures")).len() > 1);
    fs::remove_file(path.join("site/notes.txt")).unwrap();
    done(path, &["export", "gallery", "site", "--name", "cube"]);
    assert_eq!(files(&path.join("site/figures")).len(), 1);
    refused(path, &["export", "gallery", "site", "--name", "nobody"], "no gallery was written");
    assert_eq!(files(&path.join("site/figures")).len(), 1);
    // A newsletter does not replace a gallery.
    refused(path, &["export", "newsletter", "site"], "site is not empty");
}

/// A page contains the steps of `solve --trace` for its figure. This applies even without a packing.
#[test]
fn pages_contain_the_requested_search() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("three.txt"), "tower: 67 77\ncross: 0330 3333 0333 0330\nbar: 9 9 9\n")
        .unwrap();
    run(path, &["import", "three.txt", "--quiet"]);
    done(path, &["export", "gallery", "plain", "--quiet"]);
    done(path, &["export", "gallery", "traced", "--steps", "250", "--quiet"]);
    let tracks = |name: &str| -> Vec<serde_json::Value> {
        let html = fs::read_to_string(path.join(name)).unwrap();
        let data = html.split("id=\"data\"").nth(1).unwrap().split("</script>").next().unwrap();
        let data = data.split_once('>').unwrap().1;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        data["searches"].as_array().cloned().unwrap_or_default()
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
