//! Slices, the format of yass.

use crate::support::{detect, read_bytes};
use somacat_formats::{Assessment, Entry, Format, ReadError, Reader, assess, check_packing};
use somacat_geometry::pieces::PieceSet;

fn slices(text: &str) -> Result<Entry, String> {
    let (mut entries, faults) = read_bytes(text.as_bytes(), Some(Format::Slices));
    match (entries.len(), faults.as_slice()) {
        (1, []) => Ok(entries.remove(0)),
        (0, [fault]) => Err(fault.to_string()),
        _ => panic!("{entries:?} {faults:?}"),
    }
}

/// A figure of two layers, as SOMA text and as slices.
const AS_SOMA: &str = "/.xx/xxx\n/..x/x..\n";
const AS_SLICES: &str = "# a title\n\n.oo # top\n..o\n\n\nooo\no..\n";

#[test]
fn a_slice_is_a_layer_and_a_line_a_row() {
    let (soma, _) = read_bytes(AS_SOMA.as_bytes(), Some(Format::Soma));
    let entry = slices(AS_SLICES).unwrap();
    assert_eq!(entry.figure, soma[0].figure);
    assert_eq!((entry.title.as_deref(), entry.line), (Some("a title"), 3));
    assert_eq!((entry.claim, entry.placed, entry.name), (None, None, None));
    // Blanks are empty cells too, before, inside and after rows; line endings do not matter.
    for text in [
        AS_SLICES.replace('.', " "),
        AS_SLICES.replace("\n", "\n    "),
        AS_SLICES.replace('o', "*"),
        AS_SLICES.replace('\n', "\r\n"),
        AS_SLICES.replace(".oo", ".oo   "),
        "\n\n.oo\n..o\n\n#\n\nooo\no..".to_owned(),
        ".5X\n..x\n\nVL?\n2..\n".to_owned(),
    ] {
        assert_eq!(slices(&text).unwrap().figure, soma[0].figure, "{text}");
    }
    // Also in the first row, whose end is not known from rows before.
    assert_eq!(slices("o \n\noo\n").unwrap().figure.cells().len(), 3);
    assert!(slices("o\n\noo\n").is_err());
}

/// The cube of tests/assessment.rs in the letters of slices: 1 is 3, 2 l, 3 t, 4 z, 5 n, 6 p, 7 c.
const CUBE: &str = "lz3\nlzc\nlcc\n\nlp3\nnz3\nnzc\n\nppt\nptt\nnnt\n";

#[test]
fn letters_are_pieces() {
    let set = PieceSet::soma(1);
    let packing = check_packing(&slices(CUBE).unwrap(), &set).unwrap();
    assert_eq!(packing.pieces.len(), 7);
    // One piece in place, the others free.
    let tee: String =
        CUBE.chars().map(|c| if c.is_alphanumeric() && c != 't' { 'o' } else { c }).collect();
    let entry = slices(&tee).unwrap();
    let placed = entry.placed.unwrap();
    assert_eq!(placed.len(), 1);
    assert!(PieceSet::standard_piece('T').unwrap().has_shape(&placed[0].1));
    // A mistake is reported in the letters of the file.
    let typo = slices(&CUBE.replacen("lz3", "lzc", 1)).unwrap();
    let Assessment::Sound { warnings, .. } = assess(&typo, &set) else { panic!() };
    assert_eq!(
        warnings[0].to_string(),
        "not a packing: piece c (P) has 5 cells, not 4 (slices 1–2, lines 1–7); piece 3 (V) has 2 \
         cells, not 3 (rows 1–2 of slice 2, lines 5–6); write 3 instead of c in line 1 (slice 1, row 1, \
         mark 3)"
    );
}

#[test]
fn faults_in_slices_name_their_line() {
    let refused = |text: &str| slices(text).unwrap_err();
    assert_eq!(
        refused("ooo\noo\n"),
        "line 2: row 2 has 2 squares, but the first row has 3; pad it with empty squares"
    );
    assert_eq!(
        refused("ooo\n...\n\nooo\n\n...\n...\n"),
        "line 4: slice 2 has 1 row, but the first slice has 2"
    );
    assert_eq!(
        refused("ooo\n\to\n"),
        "line 2: the row contains a tab, whose width is unknown; write blanks or dots"
    );
    assert_eq!(
        refused("ooo\n# a comment\no..\n"),
        "line 2: a comment line is between two rows; write the comment at the end of a row, or add a \
         blank line if a slice ends here"
    );
    assert_eq!(refused("...\n...\n"), "line 1: the figure has no cells");
    assert_eq!(
        refused(&format!("{}\n", "o".repeat(1025))),
        "line 1: the figure has more than 1024 cells"
    );
    assert_eq!(read_bytes(b"# nothing\n\n", Some(Format::Slices)), (vec![], vec![]));
}

#[test]
fn slices_are_detected_only_if_nothing_else_is_meant() {
    for text in [
        AS_SLICES,
        "oo\noo\n",
        "**.***\n.*****\n\n.*....\n.*....\n",
        "ooozl\noooo.\n",
        "ooo\nooo\n\noto\nttt\n",
        "..o o\n.. o.\n",
    ] {
        assert_eq!(detect(text), Some(Format::Slices), "{text}");
    }
    // A single row, a word, piece letters only, other symbols, rows of SOMA text with blanks.
    for text in [
        "oo\n",
        "* * *\n* * *\n",
        "o o\no o\n",
        "too\npolo\n",
        "pct\nlzn\n",
        "oo\nxx\n",
        "oo\nDear Sirs\n",
        "",
    ] {
        assert_ne!(detect(text), Some(Format::Slices), "{text}");
    }
    assert_eq!(detect(". t . .\n. t t .\n"), Some(Format::Soma));
    // Digits are heights, also a 3 among dots; together with o it is ambiguous.
    assert_eq!(detect("3..\n33.\n"), Some(Format::HeightMap));
    assert_eq!(detect("3*.\n3**\n"), Some(Format::Slices));
    let both = Reader::new(&b"3oo\noo3\n"[..], None).err().unwrap();
    assert!(matches!(both, ReadError::AmbiguousFormat(_)));
    assert_eq!(
        both.to_string(),
        "the file can be read as height maps (--format heightmap) or as slices with the letters of \
         yass (--format slices); choose one"
    );
    assert_eq!(slices("3oo\noo3\n").unwrap().figure.len(), 6);
}
