//! Marks on the command line, checked by a short program, and on a page of a gallery.

use crate::support::program::{run, stderr, stdout};
use crate::support::skipped::skipped;
use serde_json::Value;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// `docs/check_marks.py` knows nothing but docs/certificates.md.
#[test]
fn a_short_program_checks_marks() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/check_marks.py");
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("python3 is missing");
    }
    let folder = TempDir::new().unwrap();
    let proof = run(folder.path(), &["prove", "s1-3x5x5-00w00w0yz0e0zf0"]);
    let said = "Mark 10 cells. V covers at most 1, L 2, T 2, Z 1, A 1, B 1, P 1: together at most 9 of 10.";
    assert!(stderr(&proof).contains(said), "{}", stderr(&proof));
    let text = stdout(&proof);
    // Its cases have marks of their own.
    let cases = stdout(&run(folder.path(), &["prove", "s1-5x5x5-000c000ww826ec82770006000"]));
    fs::write(folder.path().join("cases.proof"), cases).unwrap();
    let checked = Command::new("python3")
        .arg(script)
        .arg(folder.path().join("cases.proof"))
        .output()
        .unwrap();
    assert!(stderr(&checked).contains("not checked") && stdout(&checked).is_empty());
    let with_choices = run(folder.path(), &["prove", "--gaps", "--set", "Z2..4 D0..1", "1x3x3"]);
    let with_choices = stdout(&with_choices);
    for (text, expected) in [
        (with_choices.clone(), "no packing: the pieces cover at most 3 of 4\n"),
        (
            with_choices.replace("Z 2..4", "Z 1..4"),
            "not a proof: the pieces cover at most 5 of 4\n",
        ),
        (text.clone(), "no packing: the pieces cover at most 9 of 10\n"),
        (text.replace("mark 0 1\n", ""), "not a proof: the pieces cover at most 9 of 9\n"),
    ] {
        let path = folder.path().join("w-wall.proof");
        fs::write(&path, text).unwrap();
        let checked = Command::new("python3").arg(script).arg(&path).output().unwrap();
        assert_eq!(stdout(&checked), expected, "{}", stderr(&checked));
    }
}

#[test]
fn a_proof_is_written_as_json() {
    let folder = TempDir::new().unwrap();
    let json = |figure: &str| {
        let done = run(folder.path(), &["prove", "--json", figure, "-q"]);
        serde_json::from_slice::<Value>(&done.stdout).unwrap()
    };
    let marks = json("s1-2x3x8-anananany7");
    let numbers = |name: &str| marks[name].as_i64().unwrap();
    assert_eq!(
        (marks["reason"].as_str(), numbers("total"), numbers("most")),
        (Some("marks"), 11, 10)
    );
    let weights: Vec<i64> =
        marks["marks"].as_array().unwrap().iter().map(|mark| mark.as_i64().unwrap()).collect();
    assert_eq!((weights.len(), weights.iter().sum::<i64>()), (27, 11));
    assert_eq!(marks["cells"].as_array().unwrap().len(), 27);
    assert_eq!(marks["pieces"]["L"], 3);
    let other = json("s1-5x5x5-000c000ww826ec82770006000");
    assert_eq!((other["reason"].as_str(), &other["marks"]), (Some("cases"), &Value::Null));
}

/// The page of a figure that a search ruled out shows marks; those of others do not. Without a name they are text.
#[test]
fn a_gallery_page_shows_a_proof() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("lounge.txt"), "chaise: 21111111 21111111 21111111\n").unwrap();
    let words = "it covers only so many marks: V at most 2, L 3, T 3, Z 2, A 0, B 0, P 0.</li>\n<li>Together the \
                 pieces cover at most 10 marks, but there are 11.";
    for (figure, signature, shown) in [
        ("lounge.txt", "s1-2x3x8-anananany7", "<div class=\"proof\"><svg "),
        ("s1-2x3x8-anananany7", "s1-2x3x8-anananany7", "o....... oo1o1111\n"),
        ("3x3x3", "s1-3x3x3-zzzzz3", ""),
    ] {
        let done = run(folder, &["export", "gallery", "site", "--figure", figure, "-q"]);
        assert!(done.status.success(), "{}", stderr(&done));
        let page = folder.join(format!("site/figures/{signature}.html"));
        let page = fs::read_to_string(page).unwrap();
        assert_eq!(page.contains(words), !shown.is_empty(), "{figure}");
        assert!(page.contains(shown), "{figure}: {page}");
        fs::remove_dir_all(folder.join("site")).unwrap();
    }
}
