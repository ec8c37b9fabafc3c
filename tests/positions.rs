//! Figures keep the published position in the catalog.

use crate::support::figures::grow;
use crate::support::program::{column, run, stderr, stdout};
use crate::support::random::Random;
use somacat_formats::{Item, Reader, cells_line};
use somacat_geometry::figure::{Equivalence, Figure};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn tell(folder: &Path, arguments: &[&str]) -> String {
    let done = run(folder, arguments);
    assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", stderr(&done));
    stdout(&done)
}

/// Returns names and figures of a text.
fn read(text: String) -> Vec<(String, Figure)> {
    let input = Box::new(std::io::Cursor::new(text));
    let reader = Reader::new(input, None).unwrap();
    let entry = |item| match item {
        Ok(Item::Entry(entry)) => (entry.name.unwrap(), entry.figure),
        other => panic!("{other:?}"),
    };
    reader.map(entry).collect()
}

/// Figures with and without symmetry, repeated and reflected. Their sets are closed under reflection or not.
#[test]
fn every_entry_comes_back_as_it_was_drawn() {
    let mut random = Random::new(48);
    for (set, cells) in [("P2", 8), ("A2", 8), ("SOMA", 27)] {
        let figures: Vec<Figure> = (0..60).map(|_| grow(cells, None, &mut random)).collect();
        let names: Vec<String> = (0..figures.len()).map(|n| format!("N{n:02}")).collect();
        let lines = figures.iter().zip(&names).map(|(f, n)| cells_line(Some(n), f).unwrap() + "\n");
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("in.txt"), lines.collect::<String>()).unwrap();
        tell(folder.path(), &["import", "--set", set, "in.txt", "-q"]);
        for (figure, name) in figures.iter().zip(&names) {
            for kind in ["cells", "soma"] {
                let text = tell(folder.path(), &["export", kind, "-", "--name", name]);
                assert_eq!(read(text), [(name.clone(), figure.clone())], "{set}");
            }
        }
        // In canonical position, each has the cells of its signature.
        let text = tell(folder.path(), &["export", "cells", "-", "--positions", "canonical"]);
        let equivalence =
            if set == "A2" { Equivalence::Rotations } else { Equivalence::Reflections };
        for (_, figure) in read(text) {
            assert_eq!(figure, figure.canonical_up_to(equivalence).signature.figure().unwrap());
        }
    }
}

/// Two sources with different positions of one figure: each keeps its own. A maker named in a title becomes the
/// credit. A packing is kept if it is valid.
#[test]
fn published_data_is_kept_with_the_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("one.soma"),
        "/SOMA cube\n;<b>The</b> cube by Emily\n/241/261/663\n/247/541/633\n/277/547/553\n",
    )
    .unwrap();
    fs::write(
        folder.join("two.soma"),
        "/SOMA tower\n;A tower\n/####/####\n/####/####\n/####/####\n/###/\n/SOMA box\n/111/111/111\n/111/111/111\n/111/111/111\n",
    )
    .unwrap();
    let done = run(folder, &["import", "one.soma", "two.soma", "-q"]);
    assert!(matches!(done.status.code(), Some(0 | 3)), "{}", stderr(&done));
    let sql =
        "SELECT name, title, credit, source, line FROM names WHERE signature LIKE 's1-3x3x3%'";
    let rows = tell(folder, &["query", "--csv", "--sql", sql]);
    assert_eq!(
        rows,
        "name,title,credit,source,line\ncube,<b>The</b> cube by Emily,Emily,one.soma,1\nbox,,,two.soma,7\n"
    );
    let sql = "SELECT COALESCE(packing, 'none') FROM name n WHERE label IN ('cube', 'box') ORDER BY label";
    let packings = tell(folder, &["query", "--csv", "--sql", sql]);
    let cube = packings.lines().nth(2).unwrap();
    assert_eq!(packings.lines().nth(1), Some("none"));
    for (piece, cells) in [('V', 3), ('L', 4), ('T', 4), ('Z', 4), ('A', 4), ('B', 4), ('P', 4)] {
        assert_eq!(cube.chars().filter(|&c| c == piece).count(), cells, "{cube}");
    }
    let text = tell(folder, &["export", "soma", "-", "--name", "cube"]);
    assert!(text.starts_with("/SOMA cube\n;<b>The</b> cube by Emily\n"), "{text}");
    assert_eq!(read(text).remove(0).1.len(), 27);
    // Commands that show the figure show this packing.
    let shown = tell(folder, &["show", "cube"]);
    assert!(shown.contains("/241/261/663\n/247/541/633\n/277/547/553"), "{shown}");
}

/// Returns files of figures: the project's own, and those of the folder in the variable `SOMACAT_FIGURES`.
fn figure_files() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/figures");
    let folders = [Some(own), std::env::var_os("SOMACAT_FIGURES").map(PathBuf::from)];
    let files = folders.into_iter().flatten().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Checks that every published entry keeps its name and its cells. Cells are compared up to translation, and there must
/// be no other entries.
#[test]
fn whole_libraries_come_back_as_they_were_published() {
    let (mut entries, mut turned) = (0, 0);
    for file in figure_files() {
        let folder = TempDir::new().unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        fs::copy(&file, folder.path().join(name)).unwrap();
        let done = run(folder.path(), &["import", "--no-count", "-q", name]);
        assert!(matches!(done.status.code(), Some(0 | 3)), "{}", stderr(&done));
        // Imported entries by their place in the file; the import reports refused ones.
        let sql = "SELECT ordinal FROM name GROUP BY ordinal ORDER BY ordinal";
        let taken = column(&tell(folder.path(), &["query", "--csv", "--sql", sql]), "ordinal");
        let bytes = fs::File::open(&file).unwrap();
        let input = std::io::BufReader::new(bytes);
        let mut published = BTreeSet::new();
        for (at, item) in Reader::new(input, None).unwrap().enumerate() {
            if !taken.contains(&at.to_string()) {
                continue;
            }
            let Ok(Item::Entry(entry)) = item else { panic!("{name}: {at} is not an entry") };
            let label = entry.name.clone().unwrap_or_else(|| entry.label(name, at as u64 + 1));
            turned +=
                usize::from(entry.figure != entry.figure.canonical().signature.figure().unwrap());
            published.insert((label, entry.figure));
        }
        for kind in ["soma", "cells"] {
            let text = tell(folder.path(), &["export", kind, "-"]);
            // An entry of SOMA text is there once for each of its packings.
            let end = if kind == "soma" { "\n\n" } else { "\n" };
            let entries: Vec<&str> = text.split_terminator(end).collect();
            let different: BTreeSet<&&str> = entries.iter().collect();
            assert_eq!(entries.len(), different.len(), "{name}: an entry twice as {kind}");
            let back: BTreeSet<(String, Figure)> = read(text).into_iter().collect();
            let lost: Vec<_> = published.difference(&back).map(|(label, _)| label).collect();
            let made_up: Vec<_> = back.difference(&published).map(|(label, _)| label).collect();
            assert!(lost.is_empty() && made_up.is_empty(), "{name}, {kind}: {lost:?}, {made_up:?}");
        }
        entries += published.len();
    }
    println!("{entries} entries, {turned} of them in another position than the canonical one");
    assert!(entries >= 25 && turned >= 20, "{entries} entries, {turned} turned");
}

/// A chiral figure and its mirror image under another name.
const BOOTS: &str = "boot: 443 331 333\ntoob: 333 331 443\nturned: 334 334 313\n";

/// Each of two names keeps its published position. The mirror image is marked wherever names are shown.
#[test]
fn two_names_of_one_figure_keep_their_positions() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("boots.txt"), BOOTS).unwrap();
    tell(folder, &["import", "boots.txt", "-q"]);
    let published = read(BOOTS.to_owned());
    let svg = |figure: &str| tell(folder, &["show", figure, "--svg", "-"]);
    let json = |figure: &str| -> serde_json::Value {
        serde_json::from_str::<serde_json::Value>(&tell(folder, &["show", figure, "--json"]))
            .unwrap()[0]
            .take()
    };
    let signature = json("boot")["signature"].as_str().unwrap().to_owned();
    let mut pictures = BTreeSet::new();
    for (name, figure) in &published {
        let facts = json(name);
        assert_eq!(facts["name"], name.as_str());
        assert_eq!(facts["signature"], signature.as_str(), "three names of one figure");
        assert_eq!(facts["mirror_images"], serde_json::json!({ "toob": "boot" }));
        // The layers and the cells of the solution are in the position of this name.
        for text in [&facts["layers"], &facts["solution"]["soma"]] {
            assert_eq!(read(text.as_str().unwrap().to_owned())[0].1, *figure, "{name}");
        }
        pictures.insert(svg(name));
        let solid = |source: &str| tell(folder, &["export", "obj", "-", "--figure", source]);
        fs::write(folder.join("alone.cells"), cells_line(Some(name), figure).unwrap()).unwrap();
        assert_eq!(solid(name), solid("alone.cells"));
        // A gallery and a newsletter of this name alone show the same position.
        tell(folder, &["export", "gallery", "site", "-q", "--name", name]);
        tell(folder, &["export", "newsletter", "-q", "--name", name]);
        let page =
            fs::read_to_string(folder.join(format!("site/figures/{signature}.html"))).unwrap();
        let layers = facts["layers"].as_str().unwrap().trim_end();
        assert!(page.contains(&format!("{layers}</pre>")), "{page}");
        assert_eq!(page.contains("<p class=\"note\">Mirror image of boot</p>"), name == "toob");
        assert!(page.contains("toob (mirror image of boot; boots.txt, line 2)"), "{page}");
        let letter = fs::read_to_string(folder.join("newsletter/newsletter.md")).unwrap();
        let told = ["Also known as toob (mirror image of boot), turned", "Mirror image of boot."];
        assert!(letter.contains(told[usize::from(name == "toob")]) || name == "turned", "{letter}");
    }
    assert_eq!(pictures.len(), 3);
    // By its signature, or together with others, it has the position of the first name.
    assert_eq!(read(json(&signature)["layers"].as_str().unwrap().to_owned())[0].1, published[0].1);
    let table = tell(folder, &["query", "--table"]);
    assert!(table.contains("boot; toob (mirror image of boot); turned"), "{table}");
    let shown = tell(folder, &["show", "boot"]);
    assert!(shown.contains("boot; toob (mirror image of boot); turned"), "{shown}");
    fs::write(folder.join("mine.txt"), "mine: 443 331 333\n").unwrap();
    let like = stderr(&run(folder, &["query", "--like", "mine.txt"]));
    assert!(
        like.contains(
            "known as boot, toob (mirror image of boot), turned; same position as in the catalog"
        ),
        "{like}"
    );
    let all = read(tell(folder, &["export", "soma", "-"]));
    assert_eq!(all.len(), 3);
    assert!(published.iter().all(|entry| all.contains(entry)), "{all:?}");
}

/// Two sources with different titles: each name keeps its own, and both are shown and searched.
#[test]
fn each_source_has_its_own_title() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("one.soma"),
        "/SOMA7\n;An <i>oven</i> by Ann\n/111/111/111\n/111/111/111\n/111/111/111\n",
    )
    .unwrap();
    fs::write(
        folder.join("two.soma"),
        "/SOMA9\n;A Kiln\n/111/111/111\n/111/111/111\n/111/111/111\n",
    )
    .unwrap();
    tell(folder, &["import", "one.soma", "two.soma", "-q", "--no-count"]);
    for (asked, heading) in [
        ("SOMA7", "SOMA7: An <i>oven</i> by Ann (27"),
        ("SOMA9", "SOMA9: A Kiln (27"),
        ("kiln", "SOMA9: A Kiln (27"),
        ("*OVEN*", "SOMA7: An <i>oven</i> by Ann (27"),
    ] {
        let shown = tell(folder, &["show", asked, "--nodes", "9"]);
        assert!(shown.starts_with(heading), "{asked}: {shown}");
        let other = if heading.starts_with("SOMA7") {
            "as SOMA9: A Kiln\n"
        } else {
            "as SOMA7: An <i>oven</i> by Ann\n"
        };
        assert!(shown.contains(other), "{shown}");
    }
    tell(folder, &["export", "gallery", "site", "-q", "--solutions", "0"]);
    let page = fs::read_to_string(folder.join("site/figures/s1-3x3x3-zzzzz3.html")).unwrap();
    assert!(page.contains("<h1>An &lt;i&gt;oven&lt;/i&gt; by Ann</h1>"), "{page}");
    assert!(page.contains("SOMA9 (two.soma, line 1: A Kiln)") && !page.contains("<i>"), "{page}");
    let titles = read_titles(&tell(folder, &["export", "soma", "-"]));
    assert_eq!(titles, ["An <i>oven</i> by Ann", "A Kiln"]);
}

/// A figure without a title does not take that of another name. The title finds both.
#[test]
fn a_title_stays_with_its_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let cube = "/111/111/111\n/111/111/111\n/111/111/111\n";
    let text = format!("/SOMA1\n; Solution 1\n{cube}/SOMA2\n; The old block by Ann\n{cube}");
    fs::write(folder.join("a.soma"), text).unwrap();
    tell(folder, &["import", "a.soma", "-q", "--no-count"]);
    let shown = tell(folder, &["show", "SOMA1", "--nodes", "9"]);
    assert!(shown.starts_with("SOMA1 (27") && shown.contains("as SOMA2: The old block"), "{shown}");
    assert!(tell(folder, &["show", "old block", "--nodes", "9"]).starts_with("SOMA2: The old"));
    tell(folder, &["export", "gallery", "site", "-q", "--solutions", "0"]);
    let page = fs::read_to_string(folder.join("site/figures/s1-3x3x3-zzzzz3.html")).unwrap();
    assert!(page.contains("<h1>SOMA1</h1>") && !page.contains("<p>The old block"), "{page}");
    // The source names nobody, and the names of the figure state the file.
    assert!(!page.contains("Source: ") && page.contains("SOMA1 (a.soma, line 1"), "{page}");
    let index = fs::read_to_string(folder.join("site/data.js")).unwrap();
    assert!(index.contains(r#"[[1,"The old block by Ann"]]"#), "{index}");
}

fn read_titles(soma: &str) -> Vec<String> {
    soma.lines().filter_map(|line| line.strip_prefix(';')).map(str::to_owned).collect()
}

/// Several transforms lead to a symmetric figure. The choice is always the same.
///
/// An invalid packing is dropped with a remark and the figure is kept. A name without a position shows the figure
/// in its most stable position.
#[test]
fn positions_are_the_same_every_time_and_wrong_packings_are_kept_out() {
    let wrong = "/SOMA cube\n/243/261/663\n/247/541/633\n/277/547/553\n";
    let slab = "/SOMA slab\n/111/111/111/111/111/111/111/111/111\n";
    let mut kept = BTreeSet::new();
    for threads in ["1", "2", "1"] {
        let folder = TempDir::new().unwrap();
        let folder = folder.path();
        fs::write(folder.join("in.soma"), format!("{wrong}\n{slab}")).unwrap();
        let done = run(folder, &["--threads", threads, "import", "in.soma", "--no-count"]);
        assert!(stderr(&done).contains("cube: not a packing: piece 1 (V)"), "{}", stderr(&done));
        let sql = "SELECT label, transform, packing IS NULL AS bare FROM name ORDER BY label";
        kept.insert(tell(folder, &["query", "--csv", "--sql", sql]));
        let slab_of = || read(tell(folder, &["export", "soma", "-", "--name", "slab"])).remove(0).1;
        assert_eq!(slab_of().extents(), [3, 1, 9], "as published, on its narrow side");
        // The state after migrating a catalog of schema version 1.
        let raw = rusqlite::Connection::open(folder.join("somacat.db")).unwrap();
        raw.execute("UPDATE name SET transform = NULL", []).unwrap();
        drop(raw);
        let facts = tell(folder, &["show", "slab", "--json"]);
        let facts: serde_json::Value = serde_json::from_str(&facts).unwrap();
        assert_eq!(facts[0]["box"], serde_json::json!([9, 3, 1]), "as it stands best");
        // A new import restores the published position.
        fs::write(folder.join("in.soma"), format!("{wrong}\n{slab}\n")).unwrap();
        run(folder, &["import", "in.soma", "--no-count", "-q"]);
        assert_eq!(slab_of().extents(), [3, 1, 9]);
    }
    assert_eq!(kept.len(), 1);
    let kept = kept.pop_first().unwrap();
    assert!(kept.lines().skip(1).all(|line| line.ends_with(",1")), "{kept}");
}
