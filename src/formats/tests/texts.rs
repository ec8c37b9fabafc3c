//! Names, titles, credits and notes: read as they are, or their loss is reported.

use crate::support::{read_bytes, soma};
use somacat_formats::{
    Entry, Format, MAX_NAME_CHARS, Warning, WriteError, cells_line, json_line, readable,
    soma_figure,
};
use somacat_geometry::figure::Figure;

const SEVEN: &str = "/222/..2\n/1../11.\n";

fn unit() -> Figure {
    Figure::of_box([1, 1, 1]).unwrap()
}

fn one(text: &str) -> Entry {
    let (mut entries, faults) = read_bytes(text.as_bytes(), None);
    assert_eq!((entries.len(), faults), (1, Vec::new()), "{text}");
    entries.remove(0)
}

/// Nothing is guessed where a key or a place says what a text is.
#[test]
fn written_texts_are_what_they_are_said_to_be() {
    let texts = [
        "Solution 1",
        "1999-03-04",
        "This is a sentence.",
        "ends:",
        "-----",
        "#1 of 3",
        "x@y.org z",
        "\"barn\"",
        "A heart by Emily",
        "a<br>b",
        "/111/111",
    ];
    for text in texts {
        for place in 0..3 {
            let mut given = [None; 3];
            given[place] = Some(text);
            let line = json_line(Some(text), given, &unit(), &[]);
            let entry = one(&line);
            let read = [&entry.title, &entry.credit, &entry.note].map(Option::as_deref);
            assert_eq!((entry.name.as_deref(), read), (Some(text), given), "{text}");
        }
        let entry = one(&format!("n: 0,0,0 1,0,0 # {text}\n"));
        let (title, credit) = match text {
            "x@y.org z" => ("z", None),
            "A heart by Emily" => (text, Some("Emily")),
            _ => (text, None),
        };
        let read = [&entry.title, &entry.credit, &entry.note].map(Option::as_deref);
        assert_eq!(read, [Some(title), credit, None], "{text}");
    }
}

#[test]
fn control_characters_of_texts_become_blanks() {
    let entry = one(
        "{\"name\":\"F\",\"title\":\"a\\u0001b\",\"credit\":\"\\u001b\",\"note\":\"c\\nd\\u007f\",\"cells\":[[0,0,0]]}\n",
    );
    let read = [&entry.title, &entry.credit, &entry.note].map(Option::as_deref);
    assert_eq!(read, [Some("a b"), None, Some("c d")]);
    assert_eq!(one("/SOMA1 a\u{1b}b\n/111/111\n").title.as_deref(), Some("a b"));
}

/// A text either is read back or is refused: none costs a figure or another text.
#[test]
fn what_cannot_be_read_back_is_not_written() {
    let texts = [
        "Tower 1",
        "Solution 1",
        "a<br>b",
        "<br>",
        "<pre>",
        "a<!--b",
        ";semi",
        "/111/111",
        "/SOMA x",
        "/111/111 x",
        "#1",
        "a #b",
        "x@y.org z",
        "{\"a\"",
        "<puzzle>",
        "a: b",
        "1,2,3 4,5,6",
        "see; more",
        "by Ann: x",
    ];
    let write = |format, name: Option<&str>, comment: Option<&str>| {
        readable(format, name, comment, |name, comment| match format {
            Format::Soma => soma_figure(name, comment, &unit()),
            _ => {
                let comment = comment.map(|text| format!(" # {text}")).unwrap_or_default();
                Ok(cells_line(name, &unit())? + &comment + "\n")
            }
        })
    };
    let known = [
        (
            Format::Soma,
            vec!["a<br>b", "<br>", "<pre>", "x@y.org z"],
            vec!["a<br>b", "<br>", "<pre>", ";semi", "/111/111", "/SOMA x", "x@y.org z"],
        ),
        (
            Format::Cells,
            vec!["#1", "a #b", "x@y.org z", "{\"a\"", "<puzzle>", "1,2,3 4,5,6"],
            vec!["x@y.org z"],
        ),
    ];
    for (format, refused_names, refused_comments) in known {
        let (mut names, mut comments): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for text in texts {
            match write(format, Some(text), Some("title")) {
                Ok(written) => assert_eq!(one(&written).name.as_deref(), Some(text)),
                Err(error) => {
                    assert!(matches!(error, WriteError::Name { .. }), "{text}: {error}");
                    names.push(text);
                }
            }
            match write(format, Some("n"), Some(text)) {
                Ok(written) => {
                    let entry = one(&written);
                    assert!([entry.title, entry.note].contains(&Some(text.to_owned())), "{text}");
                }
                Err(error) => {
                    assert!(matches!(error, WriteError::Comment { .. }), "{text}: {error}");
                    comments.push(text);
                }
            }
        }
        assert_eq!((names, comments), (refused_names, refused_comments), "{format}");
    }
}

/// Only the first comment of a place may be the title. All others are the note, and any may name the maker.
#[test]
fn all_comments_of_a_figure_are_kept() {
    let rows = "/1./11/11\n/11/11/11\n";
    for (text, title, credit, note) in [
        (
            format!("/SOMA n\n;A title\n;a second comment\n{rows}"),
            "A title",
            "",
            "a second comment",
        ),
        (
            format!("/SOMA n\n;A title\n;by Bob Smith\n;more\n{rows}"),
            "A title",
            "Bob Smith",
            "by Bob Smith; more",
        ),
        (format!("/SOMA n\n;Solution 1\n;A title\n{rows}"), "", "", "Solution 1; A title"),
        (format!("/SOMA n\nA title\nsome words\n{rows}"), "A title", "", "some words"),
        (format!("/SOMA1 the rest\n;A title\n{rows}"), "A title", "", "the rest"),
        (
            format!(";above\n;too\n/SOMA n\n;A title\n{rows};below\n;below two\n"),
            "A title",
            "",
            "above; too; below; below two",
        ),
        (
            "/SOMA n\n;A title\n/1./11/11\n;mid\n;by Ann\n/11/11/11\n".to_owned(),
            "A title",
            "Ann",
            "mid; by Ann",
        ),
        (format!(";A title\n;above\n{rows}"), "A title", "", "above"),
        (format!(";loose\n;more\n\n;A title\n{rows}"), "A title", "", "loose; more"),
        (
            format!("/SOMA n\n;by Bob\n;{}\n{rows}", "by Ann ".repeat(2)),
            "by Bob",
            "Bob",
            "by Ann by Ann",
        ),
    ] {
        let entry = one(&text);
        let read = [entry.title, entry.credit, entry.note].map(Option::unwrap_or_default);
        assert_eq!(read, [title, credit, note], "{text}");
    }
    // A header takes only the comments between it and the figure above.
    let (entries, _) =
        soma(&format!("/SOMA1\n{rows};mine\n\n;A title\n{rows};yours\n/SOMA3\n{rows}"));
    let titles: Vec<_> = entries.iter().map(|entry| entry.title.as_deref()).collect();
    assert_eq!(titles, [Some("mine"), Some("A title"), Some("yours")]);
    let many: String = (0..2_000).map(|n| format!(";{n}\n")).collect();
    assert_eq!(one(&format!("/SOMA n\n{many}{rows}")).warnings, [Warning::LongNote { line: 1 }]);
}

/// Names, titles, credits and notes of any length are read and truncated. Memory does not grow with them.
#[test]
fn long_texts_are_cut_with_a_warning() {
    let long = "é".repeat(MAX_NAME_CHARS + 1);
    let fits = &long[2..];
    let texts = [
        (Format::Soma, format!("/SOMA {long}\n;{long}\n{SEVEN}\n/SOMA {fits}\n;{fits}\n{SEVEN}")),
        (Format::Cells, format!("{long}: 0,0,0 # {long}\n{fits}: 0,0,0 # {fits}\n")),
        (Format::HeightMap, format!("{long}: 67 77\n\n{fits}:\n333\n333\n333\n")),
        (Format::Slices, format!("# {long}\nooo\n")),
        (Format::Json, json_line(None, [None, Some(&long), Some(&long)], &unit(), &[]) + "\n"),
    ];
    for (format, text) in &texts {
        let (entries, faults) = read_bytes(text.as_bytes(), Some(*format));
        assert_eq!(faults, []);
        for entry in &entries {
            let cut = |text: &Option<String>| text.as_ref().is_none_or(|text| *text == *fits);
            assert!(cut(&entry.name) && cut(&entry.title), "{format}");
            assert!(cut(&entry.credit) && cut(&entry.note), "{format}");
        }
        let line = entries[0].line;
        let mut warnings = Vec::new();
        warnings.extend(entries[0].name.is_some().then_some(Warning::LongName { line }));
        warnings.extend(entries[0].title.is_some().then_some(Warning::LongTitle { line }));
        warnings.extend(entries[0].credit.is_some().then_some(Warning::LongCredit { line }));
        warnings.extend(entries[0].note.is_some().then_some(Warning::LongNote { line }));
        assert!(!warnings.is_empty());
        assert_eq!(entries[0].warnings, warnings, "{format}");
        assert!(entries.iter().skip(1).all(|entry| entry.warnings.is_empty()), "{format}");
    }
    assert_eq!(Warning::LongName { line: 1 }.to_string(), "the name was cut to 1000 characters");
    // Also if the figure itself cannot be read, or its header is missing.
    let (_, faults) = read_bytes(format!("{long}: 0,0\n").as_bytes(), Some(Format::Cells));
    assert_eq!(faults[0].name.as_deref(), Some(fits));
    let (_, faults) = soma(&format!("/SOMA {long}\n/11/11\n/1\n\n/SOMA {long}\n"));
    assert!(faults.iter().all(|fault| fault.name.as_deref() == Some(fits)), "{}", faults.len());
}
