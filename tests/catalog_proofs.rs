//! Proofs that a catalog stores: found by a plan or a command, checked by `verify`, kept like other results.

use crate::support::points::{Signal, disturbed, points_of};
use crate::support::program::{column, run, stderr, stdout};
use crate::support::seal::seal;
use rusqlite::Connection;
use somacat_catalog::{check_catalog, salvage};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A figure with a packing; two with marks; one with cases; one that its colors rule out.
const FIGURES: &str = "\
cube: 333 333 333
lounge: 21111111 21111111 21111111
long: 999
stairs: 3333 3301 1001 0312
star: 0003000 0011100 0111110 1111111 0111110 0011100 0001000
";

const LOOK: &str = "SELECT name, reason, proof FROM figures ORDER BY name";

const KNOWN: &str = "name,reason,proof
cube,,
long,no-fit,marks
lounge,exhausted,marks
stairs,exhausted,cases
star,parity,parity
";

fn tell(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let done = run(folder, arguments);
    assert_eq!(done.status.code(), Some(code), "{arguments:?}: {}{}", stdout(&done), stderr(&done));
    format!("{}{}", stdout(&done), stderr(&done))
}

fn sql(folder: &Path, db: &str, statement: &str) -> String {
    tell(folder, 0, &["query", "--db", db, "--csv", "--sql", statement])
}

/// Creates a folder with the figures and a catalog of them, without proofs.
fn catalog() -> TempDir {
    catalog_of(FIGURES)
}

fn catalog_of(figures: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("figures.txt"), figures).unwrap();
    tell(path, 0, &["import", "figures.txt", "-q"]);
    folder
}

fn stored(db: &Path) -> Vec<[Option<String>; 3]> {
    let connection = Connection::open(db).unwrap();
    let sql = "SELECT f.signature, p.kind, p.body FROM proof p JOIN figure f ON f.id = p.figure_id ORDER BY 1";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?])).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_plan_and_a_command_store_the_same_proofs_once() {
    let folder = catalog();
    let path = folder.path();
    // The column has the reason until a shorter proof is looked for.
    let reasons = KNOWN.replace("no-fit,marks", "no-fit,no-fit");
    let reasons = reasons.replace("marks", "exhausted").replace("cases", "exhausted");
    assert_eq!(sql(path, "somacat.db", LOOK), reasons);
    let told = tell(path, 0, &["catalog", "prove", "lounge"]);
    assert_eq!(told, "1 figure proved: 1 by marks\n");
    let told = tell(path, 0, &["catalog", "prove"]);
    assert_eq!(told, "2 figures proved: 1 by marks, 1 by cases\n");
    assert_eq!(sql(path, "somacat.db", LOOK), KNOWN);
    let before = fs::read(path.join("somacat.db")).unwrap();
    for again in [
        &["catalog", "prove"][..],
        &["catalog", "prove", "--unsolvable"],
        &["catalog", "prove", "stairs"],
    ] {
        assert!(tell(path, 0, again).starts_with("nothing to do: "), "{again:?}");
    }
    assert!(fs::read(path.join("somacat.db")).unwrap() == before, "a repeated command writes");
    let plan = "title = 'p'\nimport = ['figures.txt']\nprove = true\n";
    fs::write(path.join("plan.toml"), plan).unwrap();
    tell(path, 0, &["run", "plan.toml", "-q", "--db", "run.db"]);
    tell(path, 0, &["catalog", "diff", "somacat.db", "run.db"]);
    assert_eq!(stored(&path.join("run.db")), stored(&path.join("somacat.db")));
    // Units have no catalog to prove anything for.
    assert!(tell(path, 1, &["units", "plan.toml"]).contains("`prove`"));
    for (kind, names) in [("marks", "long lounge"), ("parity", "star"), ("cases", "stairs")] {
        let rows = stdout(&run(path, &["query", "--csv", "--sort", "name", "--proof", kind]));
        assert_eq!(column(&rows, "name").join(" "), names, "{kind}");
    }
    assert!(tell(path, 0, &["query", "--proof", "parts"]).contains("a proof of the kind"));
    assert!(tell(path, 2, &["query", "--proof", "count"]).contains("no proofs of counts"));
    let told = tell(path, 1, &["catalog", "prove", "cube"]);
    assert!(told.contains("there is nothing to prove"), "{told}");
    assert!(tell(path, 1, &["catalog", "prove", "cub3"]).contains("cube"));
    assert!(tell(path, 1, &["catalog", "prove", "--cells", "4"]).contains("none has "));
}

#[test]
fn stored_proofs_are_kept_like_other_results() {
    let folder = catalog();
    let path = folder.path();
    fs::copy(path.join("somacat.db"), path.join("before.db")).unwrap();
    tell(path, 0, &["catalog", "prove", "-q"]);
    let proofs = stored(&path.join("somacat.db"));
    assert_eq!(proofs.len(), 3);
    let told = tell(path, 5, &["catalog", "diff", "before.db", "somacat.db"]);
    assert!(told.contains(",SOMA,,marks 11 10\n"), "{told}");
    let told = tell(path, 0, &["verify"]);
    assert!(
        told.contains("5 rows verified, 5 recounted, 3 proofs checked, 0 mismatches"),
        "{told}"
    );
    // The proof stands in for a recount that takes too long.
    let told = tell(path, 0, &["verify", "--figure", "lounge", "--nodes", "1"]);
    assert!(told.contains("1 row verified, 0 recounted, 1 proof checked, 0 mismatches"), "{told}");
    // A copy, with a digest of the proofs; and a salvage.
    tell(path, 0, &["catalog", "publish", "copy.db", "-q"]);
    salvage(&path.join("somacat.db"), Some(&path.join("saved.db"))).unwrap();
    for db in ["copy.db", "saved.db"] {
        assert_eq!(stored(&path.join(db)), proofs, "{db}");
        tell(path, 0, &["catalog", "check", "--db", db]);
    }
    change(path, "copy.db", "DELETE FROM proof");
    assert!(tell(path, 5, &["catalog", "check", "--db", "copy.db"]).contains("digest,proof,"));
    // Other names and an import of the same figures keep them; removing a figure removes its proof.
    tell(path, 0, &["catalog", "rename", "lounge", "chaise", "-q"]);
    tell(path, 0, &["import", "figures.txt", "-q"]);
    assert_eq!(stored(&path.join("somacat.db")), proofs);
    tell(path, 0, &["catalog", "remove", "lounge", "-q"]);
    assert_eq!(stored(&path.join("somacat.db")).len(), 2);
    tell(path, 0, &["catalog", "check"]);
}

fn change(folder: &Path, db: &str, sql: &str) {
    Connection::open(folder.join(db)).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_forged_proof_is_found() {
    let folder = catalog();
    let path = folder.path();
    tell(path, 0, &["catalog", "prove", "-q"]);
    let proved = fs::read(path.join("somacat.db")).unwrap();
    let lounge = "figure_id = (SELECT figure_id FROM name WHERE label = 'lounge')";
    for (forgery, verified, checked) in [
        // A mark less, a better sum, no end, another figure's proof, another kind, not a certificate.
        ("body = replace(body, 'mark 3 1\n', '')", "the marks add up to 10", None),
        ("body = replace(body, 'marks 11 10', 'marks 11 9')", "cover at most 10", None),
        ("body = replace(body, 'end 0\n', '')", "before `end`", None),
        (
            "body = (SELECT body FROM proof WHERE kind = 'marks' AND NOT {lounge})",
            "the reason does not hold",
            None,
        ),
        ("kind = 'parity'", "the proof is one of marks", Some("its kind is not that of")),
        ("kind = NULL", "", Some("its kind is not that of")),
        ("body = 'reason marks'", "", Some("its kind is not that of")),
        (
            "kind = 'magic', body = 'reason magic' || char(10)",
            "is not a proof",
            Some("its kind is not that of"),
        ),
    ] {
        fs::write(path.join("forged.db"), &proved).unwrap();
        let forgery = forgery.replace("{lounge}", lounge);
        change(path, "forged.db", &format!("UPDATE proof SET {forgery} WHERE {lounge}"));
        let told = tell(path, 5, &["catalog", "check", "--db", "forged.db"]);
        assert!(told.contains("proof,") && told.contains("checksum"), "{forgery}: {told}");
        // A careful forger renews the checksum.
        seal(&Connection::open(path.join("forged.db")).unwrap());
        let code = if checked.is_some() { 5 } else { 0 };
        let told = tell(path, code, &["catalog", "check", "--db", "forged.db"]);
        assert!(told.contains(checked.unwrap_or("is sound")), "{forgery}: {told}");
        if !verified.is_empty() {
            let told = tell(path, 5, &["verify", "--db", "forged.db"]);
            assert!(told.contains(verified), "{forgery}: {told}");
        }
    }
    // A proof of a figure with a packing.
    fs::write(path.join("forged.db"), &proved).unwrap();
    let cube = "(SELECT figure_id FROM name WHERE label = 'cube')";
    change(path, "forged.db", &format!("UPDATE proof SET figure_id = {cube} WHERE {lounge}"));
    seal(&Connection::open(path.join("forged.db")).unwrap());
    let told = tell(path, 5, &["catalog", "check", "--db", "forged.db"]);
    assert!(told.contains("no search ruled out its figure"), "{told}");
    assert_eq!(
        sql(path, "forged.db", "SELECT proof FROM figures WHERE name = 'cube'"),
        "proof\n\"\"\n"
    );
}

/// Kills or stops the command before every third change of a file, and repeats it. Cases would take most of the time.
#[test]
fn a_disturbed_command_continues() {
    let quick = |line: &&str| !line.starts_with("stairs");
    let figures: Vec<&str> = FIGURES.lines().filter(quick).collect();
    let folder = catalog_of(&figures.join("\n"));
    let path = folder.path();
    fs::copy(path.join("somacat.db"), path.join("before.db")).unwrap();
    let args = ["catalog", "prove", "-q", "--unsolvable", "--db", "disturbed.db"];
    let begin = || {
        for ending in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(path.join(format!("disturbed.db{ending}")));
        }
        fs::copy(path.join("before.db"), path.join("disturbed.db")).unwrap();
    };
    begin();
    let (done, points) = points_of(path, &args);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let whole = stored(&path.join("disturbed.db"));
    assert!(points > 4 && whole.len() == 2, "{points} points");
    let signals = [Signal::Kill, Signal::Terminate].into_iter().cycle();
    for (point, signal) in (1..=points).step_by(3).zip(signals) {
        begin();
        let code = disturbed(path, &args, point, signal);
        assert!(matches!(code, None | Some(0 | 75)), "{point} {signal:?}: {code:?}");
        tell(path, 0, &args);
        assert_eq!(stored(&path.join("disturbed.db")), whole, "{point} {signal:?}");
        assert_eq!(check_catalog(&path.join("disturbed.db"), false).unwrap().findings, []);
    }
}

/// Stored marks are drawn on the figure as it lies; those that prove nothing are replaced by new ones.
#[test]
fn stored_marks_are_shown() {
    let folder = catalog();
    let path = folder.path();
    tell(path, 0, &["catalog", "prove", "-q"]);
    let show = |more: &[&str]| tell(path, 0, &[&["show", "lounge"], more].concat());
    const WORDS: &str = "Mark 11 cells. V covers at most 2, L 3, T 3, Z 2, A 0, B 0, P 0: together at most 10 of 11.";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&show(&["--all"])).contains(&format!("proof {WORDS}")));
    let proof = show(&["--kind", "proof"]);
    assert!(words(&proof).contains(WORDS), "{proof}");
    // The layers of the figure as it lies, from top to bottom.
    let layers: Vec<&str> = proof.lines().filter(|line| line.starts_with("o.")).collect();
    assert_eq!(layers.len(), 3, "{proof}");
    let marks: String = layers.concat();
    assert_eq!(marks.matches('1').count(), 11, "{proof}");
    assert_eq!(marks.matches('o').count(), 16, "{proof}");
    let facts: serde_json::Value = serde_json::from_str(&show(&["--json"])).unwrap();
    let count = &facts[0]["counts"][0];
    assert_eq!((&count["proof"], &count["proof_in_words"]), (&"marks".into(), &WORDS.into()));
    // With two marks for each, the proof is another one, which shows that it is read and turned.
    let doubled = "UPDATE proof SET body = replace(replace(body, ' 1' || char(10), ' 2' || char(10)), '11 10', '22 20')";
    change(path, "somacat.db", doubled);
    seal(&Connection::open(path.join("somacat.db")).unwrap());
    let doubled = show(&["--kind", "proof"]);
    assert!(words(&doubled).contains("Give 11 cells 22 marks"), "{doubled}");
    for (line, twice) in layers.iter().zip(doubled.lines().filter(|line| line.starts_with("o."))) {
        assert_eq!(line.replace('1', "2"), twice);
    }
    change(path, "somacat.db", "UPDATE proof SET body = replace(body, 'mark 3 2' || char(10), '')");
    assert!(words(&show(&["--kind", "proof"])).contains(WORDS));
    // Figures without marks, and options that do not fit.
    assert!(tell(path, 0, &["show", "stairs", "--kind", "proof"]).contains("\nCase 1: "));
    assert!(tell(path, 1, &["show", "cube", "--kind", "proof"]).contains("it can be built"));
    tell(path, 2, &["show", "lounge", "--kind", "packing"]);
    tell(path, 2, &["show", "lounge", "--kind", "proof", "--json"]);
}

/// A gallery offers the certificates of stored proofs, those by cases too. They are about the canonical position.
#[test]
fn a_gallery_offers_stored_proofs() {
    let folder = catalog();
    let path = folder.path();
    tell(path, 0, &["catalog", "prove", "-q"]);
    tell(path, 0, &["export", "gallery", "site", "-q"]);
    let mut number = 0;
    for folder in fs::read_dir(path.join("site/downloads")).unwrap() {
        let folder = folder.unwrap();
        let figure = folder.file_name().into_string().unwrap();
        for file in fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap().path();
            if file.to_string_lossy().ends_with("-proof.txt") {
                let file = file.to_str().unwrap();
                tell(path, 0, &["verify", "--certificate", file, "--figure", &figure]);
                number += 1;
            }
        }
    }
    assert_eq!(number, 4, "long, lounge, stairs and star");
}

/// The answers of a newsletter have the marks.
#[test]
fn a_newsletter_answers_why_a_figure_cannot_be_built() {
    let folder = catalog();
    let path = folder.path();
    tell(path, 0, &["export", "newsletter", "-q", "--name", "*", "--set", "SOMA"]);
    let read = |file: &str| fs::read_to_string(path.join("newsletter").join(file)).unwrap();
    let (markdown, html) = (read("newsletter.md"), read("newsletter.html"));
    let answers = &markdown[markdown.find("## Answers").unwrap()..];
    assert!(!markdown[..markdown.len() - answers.len()].contains("Mark "), "{markdown}");
    for answer in [
        "It cannot be built. Mark 11 cells. V covers at most 2",
        "It cannot be built. There is only one way to cover the cell marked ?.\n",
        "\nCase 1: ",
        "pictures/s1-2x3x8-anananany7-proof-1.svg",
    ] {
        assert!(answers.contains(answer), "{answer}: {answers}");
    }
    assert!(read("pictures/s1-2x3x8-anananany7-proof-1.svg").contains("<svg"));
    assert!(!path.join("newsletter/pictures/s1-3x4x4-6sk0y3z1y7-proof-1.svg").exists());
    assert!(html.contains("It cannot be built. Mark 11 cells. V covers at most 2"), "{html}");
    assert!(html.contains("<pre>o.......\no"), "{html}");
}
