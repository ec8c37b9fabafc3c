//! Renaming and removing figures and sources of a catalog.

use crate::support::program::{run, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Runs a command, checks its exit code, and returns its messages.
fn tell(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let done = run(folder, arguments);
    let told = format!("{}{}", stdout(&done), stderr(&done));
    assert_eq!(done.status.code(), Some(code), "{arguments:?}: {told}");
    told
}

fn names(folder: &Path) -> String {
    let sql = "SELECT n.name, n.source FROM names n ORDER BY n.source, n.line";
    stdout(&run(folder, &["query", "--csv", "--sql", sql]))
        .lines()
        .skip(1)
        .collect::<Vec<_>>()
        .join(" ")
}

fn figures(folder: &Path) -> usize {
    tell(folder, 0, &["query", "--csv"]).lines().count() - 1
}

/// Creates two sources and an enumeration of figures with six-fold symmetry. `one.txt` has a slab and a tower,
/// `two.txt` the slab under another name.
fn catalog() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("one.txt"), "slab: 999\ntower: 67 77\n").unwrap();
    fs::write(folder.path().join("two.txt"), "plate: 999\n").unwrap();
    let plan = "title = \"x\"\nimport = [\"one.txt\", \"two.txt\"]\n\n[[symmetric]]\ncells = 27\nfold = 6\n";
    fs::write(folder.path().join("plan.toml"), plan).unwrap();
    tell(folder.path(), 0, &["run", "plan.toml", "-q"]);
    folder
}

#[test]
fn figures_and_sources_are_renamed() {
    let folder = catalog();
    let folder = folder.path();
    tell(folder, 0, &["catalog", "rename", "TOWER", "The \"high\" tower"]);
    let told = tell(folder, 0, &["catalog", "rename", "--source", "two.txt", "Newsletter 2"]);
    assert_eq!(told, "the source two.txt is now Newsletter 2\n");
    assert_eq!(names(folder), "plate,Newsletter 2 slab,one.txt \"The \"\"high\"\" tower\",one.txt");
    // The file is still known by its path, so an import adds no source.
    tell(folder, 0, &["import", "two.txt", "-q"]);
    assert!(names(folder).starts_with("plate,Newsletter 2 slab,one.txt"));
    // By its signature, the figure is renamed in every entry.
    let slab = tell(
        folder,
        0,
        &["query", "--csv", "--sql", "SELECT signature FROM figures WHERE name = 'slab'"],
    );
    let told = tell(folder, 0, &["catalog", "rename", slab.lines().nth(1).unwrap(), "stone"]);
    assert!(told.ends_with("is now stone, in 2 entries\n"), "{told}");
    let told = tell(folder, 0, &["catalog", "rename", "stone", "The \"high\" tower"]);
    assert!(told.contains("another figure is called so too"), "{told}");
    let stone = slab.lines().nth(1).unwrap();
    let told = tell(folder, 0, &["catalog", "rename", stone, "stone"]);
    assert!(told.ends_with("is now stone, in 2 entries\n"), "{told}");
    let told = tell(folder, 1, &["catalog", "rename", "--source", "one.txt", "Newsletter 2"]);
    assert!(told.contains("the catalog already has a source Newsletter 2"), "{told}");
    let told = tell(folder, 1, &["catalog", "rename", "nobody", "somebody"]);
    assert!(told.contains("no figure in the catalog has the name or signature nobody"), "{told}");
    tell(folder, 0, &["catalog", "check"]);
    // A mistyped edit changes nothing, not even the last run.
    let status = tell(folder, 0, &["status", "--csv"]);
    assert!(
        status.contains("  command,catalog rename s1-") && status.contains("finished"),
        "{status}"
    );
    // An enumerated figure gets its first name; an unnamed entry is called by its file. Both get a title and a credit.
    let sql = "SELECT min(signature) FROM figures WHERE name IS NULL";
    let nameless = tell(folder, 0, &["query", "--csv", "--sql", sql]);
    let nameless = nameless.lines().nth(1).unwrap();
    let told = tell(folder, 1, &["catalog", "rename", nameless, "--title", "Six-fold"]);
    assert!(told.contains("has no name yet"), "{told}");
    tell(folder, 0, &["catalog", "rename", nameless, "star"]);
    tell(folder, 0, &["catalog", "rename", "star", "--title", "A star", "--credit", "Emily"]);
    let shown = tell(folder, 0, &["show", "star"]);
    assert!(shown.starts_with("star") && shown.contains("A star"), "{shown}");
    // Many at once, from a list; a mistake in it changes nothing.
    let list = |lines: &str| {
        fs::write(folder.join("titles.csv"), format!("figure,title,credit\n{lines}")).unwrap();
    };
    let titles = || {
        tell(
            folder,
            0,
            &["query", "--csv", "--sql", "SELECT title, credit FROM names WHERE name = 'star'"],
        )
    };
    for (lines, error) in [
        (
            "star,Two stars,\nnobody,x,\n",
            "titles.csv: line 3: no figure in the catalog has the name or signature nobody",
        ),
        (
            "star,\"a\tb\",\n",
            "titles.csv: line 2: `a\\tb`: a name, title or credit has no control characters",
        ),
        ("star,x\n", "titles.csv: line 2 has 2 fields, but the first line names 3 columns"),
    ] {
        list(lines);
        let told = tell(folder, 1, &["catalog", "rename", "--list", "titles.csv"]);
        assert!(told.contains(error), "{told}");
        assert_eq!(titles(), "title,credit\nA star,Emily\n");
    }
    list("star,\"Stars, two\",\n");
    let told = tell(folder, 0, &["catalog", "rename", "--list", "titles.csv"]);
    assert_eq!(told, "1 figure changed\n");
    assert_eq!(titles(), "title,credit\n\"Stars, two\",Emily\n");
    fs::write(folder.join("bare.txt"), "76 77\n").unwrap();
    tell(folder, 0, &["import", "bare.txt", "-q"]);
    tell(folder, 0, &["catalog", "rename", "Bare.txt 1", "wall"]);
    assert!(
        names(folder).contains("wall,bare.txt") && names(folder).contains("star,catalog rename")
    );
    for name in ["", " ", "a\tb", "\u{1b}[31m"] {
        assert_eq!(run(folder, &["catalog", "rename", "star", name]).status.code(), Some(2));
    }
    tell(folder, 0, &["catalog", "check"]);
}

#[test]
fn figures_and_sources_are_removed_and_nothing_else() {
    let folder = catalog();
    let folder = folder.path();
    let all = figures(folder);
    // The slab is also in the other source.
    let told = tell(folder, 0, &["catalog", "remove", "--source", "one.txt"]);
    assert_eq!(told, "one.txt is removed: 2 entries, 1 figure\n");
    assert_eq!((figures(folder), names(folder).as_str()), (all - 1, "plate,two.txt"));
    let told = tell(folder, 0, &["catalog", "remove", "--source", "one.txt"]);
    assert_eq!(told, "nothing to change: `catalog remove --source one.txt` was done before\n");
    let told = tell(folder, 1, &["catalog", "remove", "--source", "other.txt"]);
    assert!(told.contains("its sources are: two.txt"), "{told}");
    tell(folder, 0, &["catalog", "remove", "plate"]);
    assert_eq!((figures(folder), names(folder).as_str()), (all - 2, ""));
    // A figure of an enumeration is kept.
    let signature =
        tell(folder, 0, &["query", "--csv", "--sql", "SELECT min(signature) FROM figures"]);
    let told = tell(folder, 1, &["catalog", "remove", signature.lines().nth(1).unwrap()]);
    assert!(told.contains("symmetric figures of 27 cells: 6-fold"), "{told}");
    for command in [["catalog", "check"].as_slice(), &["verify"]] {
        tell(folder, 0, command);
    }
    // Importing the source restores the removed entries.
    tell(folder, 0, &["import", "one.txt", "-q"]);
    assert_eq!(figures(folder), all);
    let nowhere = tell(folder, 1, &["catalog", "remove", "tower", "--db", "none.db"]);
    assert!(nowhere.contains("none.db") && !folder.join("none.db").exists(), "{nowhere}");
}

#[test]
fn a_name_of_several_figures_is_refused() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.txt"), "it: 999\n").unwrap();
    fs::write(folder.path().join("b.txt"), "it: 67 77\n").unwrap();
    tell(folder.path(), 0, &["import", "a.txt", "b.txt", "-q"]);
    for command in [["catalog", "remove", "it"].as_slice(), &["catalog", "rename", "it", "that"]] {
        let told = tell(folder.path(), 1, command);
        assert!(told.contains("give the signature of one: s1-1x3x9"), "{told}");
    }
    assert_eq!(figures(folder.path()), 2);
}

/// Case is that of all letters.
#[test]
fn a_name_of_several_figures_is_found_in_any_case() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.txt"), "ÄRGER: 999\närger: 67 77\nÖl: 333 333 333\n").unwrap();
    tell(folder.path(), 0, &["import", "a.txt", "-q"]);
    let told = tell(folder.path(), 1, &["catalog", "remove", "Ärger"]);
    assert!(told.contains("give the signature of one: s1-1x3x9"), "{told}");
    tell(folder.path(), 1, &["show", "Ärger"]);
    tell(folder.path(), 0, &["catalog", "remove", "öL"]);
    assert_eq!(figures(folder.path()), 2);
}

/// Two names of one figure, a name that is the number of another figure, and a file read with a set that tells mirror images
/// apart and with one that does not.
#[test]
fn every_name_of_a_figure_follows() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let write = |text: &str| fs::write(folder.join("f.txt"), text).unwrap();
    let import = |set: &str| tell(folder, 0, &["import", "-q", "--set", set, "f.txt"]);
    let rows = "SELECT substr(f.signature, 1, 6), n.label, n.ordinal FROM name n
                JOIN figure f ON f.id = n.figure_id ORDER BY f.signature";
    let rows = || stdout(&run(folder, &["query", "--csv", "--sql", rows])).replace('\n', " ");
    write("p: 222 221\nq: 111 111 111 110\n");
    import("V L A");
    import("V L T");
    assert!(rows().contains("r1-2x2,p,0") && rows().contains("s1-1x3,q,1"), "{}", rows());
    // Lines change places, and get other names.
    write("new q: 111 111 111 110\nnew p: 222 221\n");
    import("V L T");
    assert!(rows().contains("r1-2x2,new p,1"), "{}", rows());
    assert!(rows().contains("s1-1x3,new q,0"), "{}", rows());
    assert_eq!(rows().matches("new").count(), 4, "{}", rows());
    // A line in front moves both.
    write("first: 11111 11100 11100\nnew q: 111 111 111 110\nnew p: 222 221\n");
    import("V L T");
    assert!(rows().contains("r1-2x2,new p,2") && rows().contains("r1-1x3,new q,1"), "{}", rows());
    let told = tell(folder, 1, &["catalog", "rename", "new q", "Oh-27.1"]);
    assert!(told.contains("the number or the signature of another figure"), "{told}");
    let told = tell(folder, 0, &["catalog", "rename", "new q", "b"]);
    assert!(told.ends_with("b, in 1 entry\n"), "{told}");
    let told = tell(folder, 0, &["catalog", "remove", "b"]);
    assert_eq!(told, "b is removed: 1 entry, 2 figures\n");
    write("one: 222 122\ntwo: 222 122\n");
    import("V L T");
    let remove = ["catalog", "remove", "one", "two"];
    let told = tell(folder, 0, &remove);
    assert!(told.ends_with("two was another name of one\n"), "{told}");
    tell(folder, 0, &remove);
}

/// The set of a published count tells whether mirror images are one figure.
#[test]
fn published_counts_are_of_the_figure_of_their_set() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("f.txt"), "block: 222 221\n").unwrap();
    let counts = "name,signature,set,kind,value,source\nblock,,V L T,raw,99,somebody\n";
    fs::write(folder.join("counts.csv"), counts).unwrap();
    let plan = "import = [\"f.txt\"]\nset = \"V L A\"\npublished = \"counts.csv\"\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
    let told = tell(folder, 0, &["run", "plan.toml"]);
    assert!(told.contains("1 of figures not in the catalog"), "{told}");
    tell(folder, 0, &["import", "-q", "--set", "V L T", "f.txt"]);
    let told = tell(folder, 0, &["run", "plan.toml"]);
    assert!(!told.contains("several figures"), "{told}");
    // Of a figure with two mirror images, its name is not enough.
    let counts = "name,signature,set,kind,value,source\nleft,,V L T Z A 2P,raw,99,somebody\n";
    fs::write(folder.join("mirror.csv"), counts.replace("A 2P", "A P2")).unwrap();
    fs::write(folder.join("left.txt"), "left: 33310 33200 43000 11000\n").unwrap();
    fs::write(folder.join("mirror.toml"), "import = [\"left.txt\"]\npublished = \"mirror.csv\"\n")
        .unwrap();
    let told = tell(folder, 3, &["run", "mirror.toml"]);
    assert!(told.contains("left: V L T Z A P2 tells its mirror images apart"), "{told}");
    let differ = "SELECT signature LIKE 's1-%' AS own, published FROM disagreements";
    assert_eq!(tell(folder, 0, &["query", "--csv", "--sql", differ]), "own,published\n1,99\n");
}
