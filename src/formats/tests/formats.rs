//! Files of figures: reading, reporting faults, and losing nothing silently.

use crate::support::{FORMATS, cells, detect, labels, messages, only, read_bytes, soma, sound};
use somacat_formats::{
    Assessment, Colors, FREE_MARKS, FaultReason, Format, Item, MAX_LINE_BYTES, ReadError, Reader,
    WriteError, assess, cells_line, check_packing, choose_set, soma_figure, soma_packing,
};
use somacat_geometry::figure::MAX_CELLS;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::io::Read as _;

/// Pieces V and L as a block of 7 cells, invented.
const SEVEN: &str = "/222/..2\n/1../11.\n";
/// The same with the marks of V moved.
const SEVEN_AGAIN: &str = "/222/2..\n/..1/.11\n";

/// A packing of the cube, invented for these tests.
const CUBE: &str = "/241/261/663\n/247/541/633\n/277/547/553\n";

#[test]
fn x_is_the_character_y_the_line_z_the_group() {
    let entry = only("/SOMA1\n/x./.x\n/../x.\n");
    assert_eq!(entry.figure, cells(&[[0, 0, 0], [1, 0, 1], [0, 1, 1]]));
    assert_eq!(entry.claim, None);
    assert_eq!((entry.line, entry.variant, entry.commented_out), (1, 1, false));
}

#[test]
fn headers_comments_and_titles() {
    let text = format!(
        "; a file\n\n; above\n/SOMA001\n{SEVEN}\n/SOMA-X2b rest\n;\n;  Title\n; more\n{SEVEN}\n\
         /SOMA3 only rest\n{SEVEN}/SOMA4\n{SEVEN};below\n\nSOMA005\n;weak\n{SEVEN}\n/SOMA The name\n{SEVEN}"
    );
    let entries = sound(&text);
    let found: Vec<(Option<&str>, Option<&str>, usize)> =
        entries.iter().map(|e| (e.name.as_deref(), e.title.as_deref(), e.line)).collect();
    assert_eq!(
        found,
        [
            (Some("SOMA001"), Some("above"), 4),
            (Some("SOMA-X2b"), Some("Title"), 8),
            (Some("SOMA3"), Some("only rest"), 15),
            (Some("SOMA4"), Some("below"), 18),
            (Some("SOMA005"), Some("weak"), 23),
            (Some("The name"), None, 28),
        ]
    );
}

/// The first lines of a file name its collector. A comment directly above a figure belongs to the figure.
#[test]
fn the_file_names_the_maker_of_figures_without_one() {
    let makers = |text: &str| -> Vec<Option<String>> {
        sound(text).into_iter().map(|entry| entry.credit).collect()
    };
    let figures = format!("/SOMA1\n;A gate by Ann\n{SEVEN}\n/SOMA2\n; Solution 2\n{SEVEN}");
    let names = ["Ann", "Bo Lee"].map(|name| Some(name.to_owned()));
    assert_eq!(
        makers(&format!("; Solutions provided by Bo Lee\n; and others\n\n{figures}")),
        names
    );
    assert_eq!(makers(&format!("; Solution by Bo Lee\n{figures}")), [names[0].clone(), None]);
}

#[test]
fn one_header_may_carry_several_solutions_and_be_repeated() {
    let text = format!(
        "/SOMA1\n{SEVEN}\n; another way\n\n{SEVEN_AGAIN}\n/SOMA1\n{SEVEN}\nAlternative\n|{}\n/SOMA2\n{SEVEN}",
        SEVEN_AGAIN[1..].replace("\n/", "\n|")
    );
    let entries = sound(&text);
    assert_eq!(labels(&entries), ["SOMA1", "SOMA1 (2)", "SOMA1 (3)", "SOMA1 (4)", "SOMA2"]);
    assert_eq!(entries[1].title.as_deref(), Some("another way"));
    assert!(entries.iter().all(|e| e.figure.len() == 7));
}

#[test]
fn a_figure_of_another_shape_does_not_take_the_name() {
    let entries = sound(&format!("/SOMA1\n{SEVEN}\n/11/22\n/1./22\n\n111/222\n1../11.\n"));
    assert_eq!(labels(&entries), ["SOMA1", "line 5", "line 8"]);
}

#[test]
fn comments_set_figures_without_header_apart() {
    let text = format!("# one\n{CUBE}# two\n{CUBE}; three\n{CUBE};four\n/11/22\n/1./22\n");
    let entries = sound(&text);
    let found: Vec<(Option<&str>, usize)> =
        entries.iter().map(|e| (e.title.as_deref(), e.figure.len())).collect();
    assert_eq!(
        found,
        [(Some("one"), 27), (Some("two"), 27), (Some("three"), 27), (Some("four"), 7)]
    );
    // Inside a figure, a comment does not end it.
    assert_eq!(only("/222/..2\n; really\n/1../11.\n").figure.len(), 7);
}

#[test]
fn commented_out_figures_are_figures() {
    let text = ";/SOMA7\n;Proven impossible\n;/11./.11\n;/.../111\n\n/SOMA8\n;impossible\n;/1./11\n;/.1/1.\n\n/SOMA9\n/11/22\n/1./22\n";
    let entries = sound(text);
    assert_eq!(labels(&entries), ["SOMA7", "SOMA8", "SOMA9"]);
    assert_eq!(
        entries.iter().map(|e| (e.commented_out, e.figure.len(), e.line)).collect::<Vec<_>>(),
        [(true, 7, 1), (true, 5, 6), (false, 7, 11)]
    );
    assert_eq!(entries[0].title, None, "a remark");
    assert_eq!(entries[0].claim, None);
}

#[test]
fn prose_and_drawings_are_neither_figures_nor_faults() {
    let text = format!(
        "See /SOMA/PAGES/B7.HTM or http://example.org/a/b.\nand/or 1/2 of them on 03/04/99 or so\n\
         ;(\\__/)\n;/\\__/\\ \n;. 3 .     . . .\n;. 3 . --> . . .\n;/SOMA9 is a nice one\n\n\
         (>'.'<)\n=====  2/3  =====\n\n---|---|---\n\n|---|---|\n\nSOMA2000 is a program.\n1 2 3\n4 5 6\n\n/SOMA1\n{SEVEN}That was it.\n---\n"
    );
    assert_eq!(labels(&sound(&text)), ["SOMA1"]);
}

#[test]
fn rows_without_slash_and_with_bars() {
    let expected = only(SEVEN).figure;
    assert_eq!(only("222/..2\n1../11.\n").figure, expected);
    assert_eq!(only("|222|..2 \r\n|1..|11.").figure, expected);
    assert_eq!(only("222|--2   and a remark\n100/110\n").figure, expected);
    assert_eq!(only("\u{feff}/SOMA1/222/..2\r/1../11./").figure, expected);
    let single = messages("222/..2\n", Format::Soma);
    assert_eq!(single, ["line 1: a single row needs a slash in front to be a figure"]);
}

#[test]
fn blanks_between_the_cells() {
    let expected = only(SEVEN).figure;
    assert_eq!(only("2 2 2    . . 2\n1 . .    1 1 .\n").figure, expected);
    assert_eq!(
        only("  2  2  2     -  -  2   BACK\n  1  .  .     1  1  .   FRONT\n").figure,
        expected
    );
    let ragged = messages("/SOMA1\n2 2 2    . . 2\n1 . .    1 1\n", Format::Soma);
    assert_eq!(
        ragged,
        [
            "line 3: SOMA1: group 2 is 2 marks wide, but 3 in the first row; write `.` for an empty square"
        ]
    );
}

#[test]
fn a_mark_that_nobody_sees_is_no_cell() {
    let rows = "/111/111/111\n/1\u{1}1/111/111\n/111/111/111\n";
    for stray in ["\u{1}", "\0", "\u{1b}", "\u{7f}", "\u{200b}", "\u{ad}", "\u{fe0f}"] {
        let rows = rows.replace('\u{1}', stray);
        let text = format!("/SOMAA\n{rows}\n\u{1b}[1m/SOMAB\n/111/111\n\n/SOMAC\n/111/111\n");
        let (entries, faults) = soma(&text);
        assert_eq!(labels(&entries), ["SOMAC"], "{stray:?}");
        let said = faults[0].to_string();
        assert!(said.starts_with("line 3: SOMAA: the row `/1\\"), "{said}");
        assert!(said.ends_with("contains a character that cannot be seen; remove it"), "{said}");
    }
}

/// A faulty object on the first line costs itself, as on any other.
#[test]
fn lines_of_json_stand_for_themselves() {
    let good = "{\"name\":\"B\",\"heights\":[[1,2]]}\n";
    for bad in
        ["{\"name\":\"A\",\"heights\":[[1,2],]}\n", "{\"name\":\"A\\ud800\",\"heights\":[[1,2]]}\n"]
    {
        for text in [format!("{bad}{good}{good}"), format!("{good}{bad}{good}")] {
            let (entries, faults) = read_bytes(text.as_bytes(), None);
            assert_eq!((entries.len(), faults.len()), (2, 1), "{text}");
            assert!(matches!(faults[0].reason, FaultReason::Json(_)), "{faults:?}");
        }
    }
    let pretty = "{\n\"name\":\n\"A\",\"heights\":[[1,2]]}\n";
    assert_eq!(read_bytes(pretty.as_bytes(), None).0.len(), 1);
}

#[test]
fn a_puzzle_ends_its_file() {
    let puzzle = b"<puzzle version=\"2\"><gridType type=\"0\"/><shapes><voxel x=\"2\" y=\"1\" z=\"1\" name=\"T\xfcr\">##</voxel></shapes></puzzle>\n";
    let (entries, faults) = read_bytes(&[puzzle, &b"<!-- J\xf6rg -->\n\0\0"[..]].concat(), None);
    assert_eq!((labels(&entries), faults), (vec!["T\u{fc}r".to_owned()], vec![]));
    let twice = Reader::new(&[&puzzle[..], puzzle].concat()[..], None).map(|_| ());
    let Err(ReadError::Puzzle(error)) = twice else { panic!("two puzzles") };
    assert!(error.to_string().contains("line 2: a tag follows the end of the puzzle"), "{error}");
}

/// Groups of three digits are layers side by side, or cells. A typing error does not make heights of a list of cells.
#[test]
fn lists_of_cells_are_not_taken_for_something_else() {
    let cube = || (0..27).map(|n| format!("{} {} {}", n / 9, n / 3 % 3, n % 3));
    let list: Vec<String> = cube().collect();
    let ways = |text: &str| match Reader::new(text.as_bytes(), None) {
        Ok(_) => "one".to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(detect(&list.join("  ")), Some(Format::Points));
    let three: String = list.chunks(3).map(|some| some.join("  ") + "\n").collect();
    assert!(ways(&three).contains("--format soma) or as the cells"), "{}", ways(&three));
    let layers = "2 2 2   2 1 1   3 3 3\n2 4 4   1 4 3   1 5 3\n7 4 6   7 6 6   7 5 6\n";
    assert_eq!(detect(layers), Some(Format::Soma));
    for fault in ["0 0 0", "2 2 O"] {
        let text = format!("{}\n{fault}\n", list[..26].join("\n"));
        assert!(ways(&text).contains("heightmap) or as the cells"), "{}", ways(&text));
    }
}

/// Rows of `#` are comments elsewhere. A file of nothing else is a figure by its layers, with or without a fault.
#[test]
fn rows_of_one_mark_are_layers() {
    let layers = "###\n###\n###\n\n###\n##\n###\n";
    assert_eq!(detect(layers), Some(Format::Layers));
    let (entries, faults) = read_bytes(layers.as_bytes(), None);
    assert!(entries.is_empty() && faults.len() == 1 && faults[0].line == 6, "{faults:?}");
    assert_eq!(detect("###\nnothing here\n###\n"), None);
    assert_eq!(detect("####\n67 77\n####\n"), Some(Format::HeightMap));
}

/// A person at the top of a file has the figures without another one. A header in a comment ends the rows above.
#[test]
fn comments_at_the_top_and_below_rows() {
    let rows = "/111/111/111\n/111/111/111\n/111/111/111\n";
    let credits = |text: &str| -> Vec<Option<String>> {
        soma(text).0.into_iter().map(|entry| entry.credit).collect()
    };
    let ann = || Some("Ann Lee".to_owned());
    let top = format!(";Figures by Ann Lee\n\n/SOMA1\n{rows}/SOMA2\n{rows}");
    assert_eq!(credits(&top), [ann(), ann()]);
    let first = format!(";House by Ann Lee\n/SOMA1\n{rows}/SOMA2\n{rows}");
    assert_eq!(credits(&first), [ann(), None]);
    let below = format!("/SOMA1\n{rows};/SOMA3\n;/11/11\n;/11/1.\n");
    let (entries, faults) = soma(&below);
    assert_eq!((labels(&entries), faults.len()), (vec!["SOMA1".to_owned(), "SOMA3".to_owned()], 0));
}

#[test]
fn html_pages() {
    let page = "<!DOCTYPE HTML>\n<html><head><title>Some / Figures</title>\n<style>/111/111\n/111/111\n</style>\
        </head>\n<body>\n<!-- /SOMA99\n/11/11\n/11/11 -->\n<p>Text &amp; more\n<pre>\n<b>/SOMA1</b> &lt;neu f&uuml;r K&#246;ln&gt;\n\
        <font\ncolor=red>/222/..2</font>\n/1.&#46;/11.\n\n/11/22\n/1./22</pre>\n/SOMA2<br>\n/222/..2<br>\n\n/1../11.<br><br>\
        <table><tr><td>/222/..2<br>/1../11.</td><td>/11/22<br>/1.&nbsp;<br></table>";
    let (entries, faults) = read_bytes(page.as_bytes(), None);
    assert_eq!(labels(&entries), ["SOMA1", "line 17", "SOMA2", "SOMA2 (2)"]);
    assert_eq!(entries[0].title.as_deref(), Some("<neu für Köln>"));
    let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "line 22: SOMA2: the row has 1 group, but the first row has 2; each layer is a group of every row"
        ]
    );
    assert_eq!(detect(page), Some(Format::Soma));
}

#[test]
fn faults_name_line_and_figure_and_spare_the_rest() {
    let text = format!(
        "/SOMA1\n/222/..2\n/1./2..\n\n/SOMA2\n/222/..2\n/1..\n\n/SOMA3\n\n/SOMA4\n/.../...\n\n\
         /SOMA5\n/222/..2\n/1.. /11.\n\nTOWER7 /55/25 + /77/37\n/5./24 /37/36\n\n\
         /SOMA6\n/222/..2\n%%\n/1../11.\n\n/SOMA7\n/1 2/2..\n/1../11.\n\n/SOMA8\n{SEVEN}\n/SOMA9\n"
    );
    let (entries, faults) = soma(&text);
    assert_eq!(labels(&entries), ["SOMA8"]);
    let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "line 3: SOMA1: group 1 is 2 marks wide, but 3 in the first row; write `.` for an empty square",
            "line 7: SOMA2: the row has 1 group, but the first row has 2; each layer is a group of every row",
            "line 9: SOMA3: a header without a figure: no row follows it",
            "line 12: SOMA4: the figure has no cells",
            "line 16: SOMA5: a row contains a blank: `/1.. /11.`; write an empty square as a dot",
            "line 18: text precedes two rows side by side; write the name as `/SOMAname` above, and \
             one figure below the other",
            "line 23: SOMA6: `%%` is not a row; correct it, or write it as a comment, `; ` with a blank",
            "line 27: SOMA7: a row contains a blank: `/1 2/2..`; write an empty square as a dot",
            "line 34: SOMA9: a header without a figure: no row follows it",
        ]
    );
}

/// The cube with the pieces of SOMA+plus next to it: duo, straight 3 and 4, and square.
const PLUS: &str =
    "/241/261/663/88800\n/247/541/633/9999.\n/277/547/553/$$...\n/.../.../.../$$...\n";

#[test]
fn zero_is_a_piece_only_in_soma_plus() {
    let entry = only(PLUS);
    assert_eq!(entry.figure.len(), 40);
    let set = choose_set(&entry).unwrap();
    assert_eq!(set.name(), "SOMA+");
    assert!(check_packing(&entry, &set).is_ok());
    assert_eq!(only("/110/200\n/100/222\n").figure.len(), 7);
    assert_eq!(only("/110\n/100\n").figure.len(), 3);
}

#[test]
fn no_row_is_lost_silently() {
    assert_eq!(
        messages(
            "/SOMA1\n222/.2\n/1../11.\n/.../...\n\n/@@@/@@\n/@@@/@@@\n\n/xx/x\n/xx/xx\n",
            Format::Soma
        ),
        [
            "line 3: SOMA1: group 2 is 3 marks wide, but 2 in the first row; write `.` for an empty square",
            "line 7: SOMA1: group 2 is 3 marks wide, but 2 in the first row; write `.` for an empty square",
            "line 10: SOMA1: group 2 is 2 marks wide, but 1 in the first row; write `.` for an empty square",
        ]
    );
}

#[test]
fn cells_are_read() {
    let text = "# figures\n0,0,0 1,0,0\t0,1,0\n  my figure a:b : -5,7,2 -4,7,2 # with a title\n\n0,0,999999999 0,0,0\n";
    let (entries, faults) = read_bytes(text.as_bytes(), None);
    assert_eq!(faults, []);
    assert_eq!(labels(&entries), ["line 2", "my figure a:b", "line 5"]);
    assert_eq!(entries[0].figure, cells(&[[0, 0, 0], [1, 0, 0], [0, 1, 0]]));
    assert_eq!(entries[1].figure, cells(&[[0, 0, 0], [1, 0, 0]]));
    assert_eq!(entries[1].title.as_deref(), Some("with a title"));
}

#[test]
fn faults_in_cells_are_reported_line_by_line() {
    let many: String = (0..=MAX_CELLS).map(|x| format!("{x},0,0 ")).collect();
    let text = format!(
        "a:\nb: 0,0,0 1,0,0 0,0,0\n0,0,x\n0,0\n0,0,0 1000000001,0,0\n0,0,99999999999999999999999\n\
         -1000000000,0,0 1000000000,0,0\n{many}\n0,0,1.5\n0,,0\n: # nothing\nz: 0,0,0\n0, 0, 0"
    );
    assert_eq!(
        messages(&text, Format::Cells),
        [
            "line 1: a: the figure has no cells",
            "line 2: b: cell 0,0,0 is listed twice",
            "line 3: `x` in `0,0,x` is not a whole number; a cell is written x,y,z",
            "line 4: `0,0` is not a cell; a cell is written x,y,z",
            "line 5: coordinate 1000000001 lies beyond ±1000000000",
            "line 6: coordinate 99999999999999999999999 lies beyond ±1000000000",
            "line 7: the cells lie 2000000000 apart, more than 1000000000",
            "line 8: the figure has more than 1024 cells",
            "line 9: `1.5` in `0,0,1.5` is not a whole number; a cell is written x,y,z",
            "line 10: `` in `0,,0` is not a whole number; a cell is written x,y,z",
            "line 11: the figure has no cells",
            "line 13: `0,` is not a cell; a cell is written x,y,z",
        ]
    );
}

#[test]
fn every_mark_for_free_cells_leaves_pieces_in_place() {
    let documented = std::fs::read_to_string("../../docs/formats.md").unwrap();
    let spelled: Vec<String> = FREE_MARKS.chars().map(String::from).collect();
    assert!(documented.contains(&format!("one mark of `{}`", spelled.join(" "))));
    for free in FREE_MARKS.chars() {
        let text = format!("/22{free}\n/2{free}{free}\n/2{free}{free}\n");
        let reader = Reader::new(text.as_bytes(), Some(Format::Soma)).unwrap();
        let mut items = reader.with_colors(Colors::Obeyed);
        let Some(Ok(Item::Entry(entry))) = items.next() else { panic!("{free}") };
        assert_eq!(entry.placed.map(|marks| marks.len()), Some(1), "{free}");
        assert_eq!((entry.figure.len(), entry.claim), (9, None), "{free}");
    }
}

#[test]
fn formats_are_detected_by_their_content() {
    // Digits alone can only be a height map, so the fault is in the map, not in its format.
    assert_eq!(detect("67 7\n"), Some(Format::HeightMap));
    assert_eq!(
        messages("67 7\n", Format::HeightMap),
        ["line 1: row 2 has 1 square, but the first row has 2; pad it with empty squares"]
    );
    assert_eq!(detect("In 1999 12 of 27\n67 7\n"), None);
    assert_eq!(detect(CUBE), Some(Format::Soma));
    assert_eq!(detect(". 5 .    5 5 .\n"), Some(Format::Soma));
    assert_eq!(detect(";/SOMA1\n;/11/11\n;/11/11"), Some(Format::Soma));
    assert_eq!(detect("110/764\n110/764\n"), Some(Format::Soma));
    assert_eq!(detect("# x\n\na/b: 0,0,0 1,0,0\n"), Some(Format::Cells));
    assert_eq!(detect("cube: 333 333 333\n"), Some(Format::HeightMap));
    assert_eq!(detect("67 77"), Some(Format::HeightMap));
    assert_eq!(detect("Dear Sirs,\nno figure here.\n"), None);
    assert_eq!(detect("In the year\n1999\nwe built the cube.\n"), None);
    assert_eq!("HeightMap".parse(), Ok(Format::HeightMap));
    for format in FORMATS {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert_eq!(
        "xml".parse::<Format>().unwrap_err().to_string(),
        "`xml` is not a figure format; choose soma, cells, heightmap, slices, xmpuzzle, points, \
         layers or json"
    );
    let refused = Reader::new(&b"Dear Sirs\n"[..], None);
    assert!(matches!(refused, Err(ReadError::UnknownFormat { line: 1, .. })));
    assert_eq!(read_bytes(b"", None), (vec![], vec![]));
    assert_eq!(read_bytes(b"# nothing yet\r\n\x1a", None), (vec![], vec![]));
}

#[test]
fn old_encodings_and_line_ends() {
    let (entries, faults) = read_bytes(b"/SOMA1\r;fra K\xF8benhavn\r/11/22\r/1./22\r\x1a", None);
    assert_eq!(faults, []);
    assert_eq!(
        (entries[0].title.as_deref(), entries[0].figure.len()),
        (Some("fra K\u{f8}benhavn"), 7)
    );
    let utf16: Vec<u8> = "\u{feff}/11\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for format in [None, Some(Format::Soma)] {
        let outcome =
            Reader::new(&utf16[..], format).and_then(|mut reader| reader.next().transpose());
        assert!(matches!(outcome, Err(ReadError::Utf16)), "{outcome:?}");
        let binary = Reader::new(&b"/11/11\n\0\x01\0"[..], format)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>);
        assert!(matches!(binary, Err(ReadError::Binary { line: 2 })), "{binary:?}");
    }
}

#[test]
fn detection_reads_what_reading_reads() {
    // A mark and a line in Latin-1.
    let cell = |at: u8| format!("{},{},{}\n", at / 9, at / 3 % 3, at % 3);
    let cube: String = (0..27).map(cell).collect();
    let marked = [b"\xEF\xBB\xBF", cube.as_bytes(), b"# J\xF6rg\n"].concat();
    let (entries, faults) = read_bytes(&marked, None);
    assert_eq!((entries.len(), faults), (1, vec![]));
    assert_eq!(entries[0].figure.len(), 27);
    // A line that arrives in two pieces.
    let arriving = b"A: 333 333 333\n\0B".chain(&b"long: 333 333 333\nC: 67 77\n"[..]);
    let items: Vec<_> = Reader::new(arriving, None).unwrap().collect::<Result<_, _>>().unwrap();
    let names: Vec<_> = items
        .iter()
        .filter_map(|item| match item {
            Item::Entry(entry) => entry.name.as_deref(),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["A", "C"]);
}

#[test]
fn long_lines_are_skipped_without_being_kept() {
    let text = format!("/SOMA1\n{SEVEN}\n/SOMA2\n/222/..2\n");
    let long = std::io::repeat(b'1').take(5 * MAX_LINE_BYTES as u64);
    let rest = format!("\n/1../11.\n\n/SOMA3\n{SEVEN}");
    let input = std::io::BufReader::new(text.as_bytes().chain(long).chain(rest.as_bytes()));
    let items: Vec<Item> = Reader::new(input, None).unwrap().map(Result::unwrap).collect();
    let shown: Vec<String> = items
        .iter()
        .map(|item| match item {
            Item::Entry(entry) => entry.label("file", entry.line as u64),
            Item::Fault(fault) => fault.to_string(),
        })
        .collect();
    let fault = "line 7: SOMA2: a line of more than 1048576 bytes was skipped";
    assert_eq!(shown, ["SOMA1", fault, "SOMA3"]);
    for format in [Format::Cells, Format::HeightMap] {
        let line = "1".repeat(MAX_LINE_BYTES + 1) + "\n";
        let (_, faults) = read_bytes(line.as_bytes(), Some(format));
        assert_eq!(faults[0].reason, FaultReason::LineTooLong);
    }
}

#[test]
fn writers_refuse_what_could_not_be_read_back() {
    let far = cells(&[[0, 0, 0], [1000, 1000, 0]]);
    assert_eq!(soma_figure(None, None, &far), Err(WriteError::TooLarge(1_002_001)));
    let unit = cells(&[[0, 0, 0]]);
    assert!(soma_figure(Some("two\nlines"), None, &unit).is_err());
    assert!(cells_line(Some("a #b"), &unit).is_err());
    assert_eq!(cells_line(Some("a#b: c"), &unit).unwrap(), "a#b: c: 0,0,0");
    assert_eq!(
        soma_figure(Some("SOMA001"), Some("A\ntitle"), &unit).unwrap(),
        "/SOMA001\n;A title\n/1\n\n"
    );
    let overlap = vec![('1', vec![Cell::default()]), ('2', vec![Cell::default()])];
    assert!(matches!(soma_packing(None, None, &overlap), Err(WriteError::Figure(_))));
    let dot = vec![('.', vec![Cell::default()])];
    assert_eq!(soma_packing(None, None, &dot), Err(WriteError::Mark('.')));
    let solution = only(CUBE).claim.unwrap();
    let written = soma_packing(Some("my cube"), None, &solution).unwrap();
    assert_eq!(written, format!("/SOMA my cube\n{CUBE}\n"));
    let plus = only(PLUS).claim.unwrap();
    assert_eq!(only(&soma_packing(None, None, &plus).unwrap()).claim, Some(plus));
}

/// Faulty figures and their messages.
const DOCUMENTED: [(Format, &str, &str); 24] = [
    (
        Format::Soma,
        "/SOMA1\n/222/..2\n/1./2..\n",
        "group 1 is 2 marks wide, but 3 in the first row; write `.` for an empty square",
    ),
    (
        Format::Soma,
        "/222/..2\n/1..\n",
        "the row has 1 group, but the first row has 2; each layer is a group of every row",
    ),
    (
        Format::Soma,
        "/11/111\n",
        "group 2 is 3 marks wide, but group 1 is 2 wide; write `.` for an empty square",
    ),
    (
        Format::Soma,
        "/11/11\n\n1 1 1\n",
        "marks with blanks between them follow a figure; if they are a figure, write `/SOMAname` above \
         them, else begin their lines with `;`",
    ),
    (
        Format::Json,
        "{\"cells\": [[0,0,0], [1,0,0]], \"signature\": \"s1-1x1x1-1\"}",
        "`signature` is that of another figure; this one has s1-1x1x2-3; keep one of them",
    ),
    (
        Format::Json,
        "{\"cells\": [[0,0,0]], \"pieces\": [{\"piece\": \"I\", \"cells\": [[0,0,0], [1,0,0]]}]}",
        "the cells of `pieces` are another figure; keep one of them",
    ),
    (Format::Soma, "/SOMA3\n", "a header without a figure: no row follows it"),
    (
        Format::Soma,
        "/222/..2\n/1.. /11.\n",
        "a row contains a blank: `/1.. /11.`; write an empty square as a dot",
    ),
    (
        Format::Soma,
        "/5./24 /37/36\n",
        "two rows are side by side, `/5./24` and `/37/36`; write one figure below the other",
    ),
    (
        Format::Soma,
        "TOWER /5./24\n",
        "text precedes the row; write the name as `/SOMAname` above it",
    ),
    (Format::Soma, "222/..2\n", "a single row needs a slash in front to be a figure"),
    (Format::Cells, "a:\n", "the figure has no cells"),
    (Format::Cells, "0,0,0 0,0,0\n", "cell 0,0,0 is listed twice"),
    (Format::Cells, "0,0,x\n", "`x` in `0,0,x` is not a whole number; a cell is written x,y,z"),
    (Format::Cells, "0,0\n", "`0,0` is not a cell; a cell is written x,y,z"),
    (Format::Cells, "1000000001,0,0\n", "coordinate 1000000001 lies beyond ±1000000000"),
    (
        Format::Cells,
        "-1000000000,0,0 1000000000,0,0\n",
        "the cells lie 2000000000 apart, more than 1000000000",
    ),
    (
        Format::HeightMap,
        "tower 67 77\n",
        "`tower` precedes the rows; a name ends with a colon: `tower: …`",
    ),
    (
        Format::HeightMap,
        "11\n111\n",
        "row 2 has 3 squares, but the first row has 2; pad it with empty squares",
    ),
    (
        Format::HeightMap,
        "s1-1x1x3-7\n",
        "`s1-1x1x3-7` is a signature; write it in place of the file, or in JSON as `{\"signature\": \"s1-1x1x3-7\"}`",
    ),
    (Format::HeightMap, "1?\n", "`?` is not a height; heights are 0…9 and a…z"),
    (
        Format::Slices,
        "ooo\noo\n",
        "row 2 has 2 squares, but the first row has 3; pad it with empty squares",
    ),
    (Format::Slices, "o\n.\n\no\n", "slice 2 has 1 row, but the first slice has 2"),
    (
        Format::Slices,
        "o\n\to\n",
        "the row contains a tab, whose width is unknown; write blanks or dots",
    ),
];

/// The messages documented in docs/formats.md are the program's.
#[test]
fn the_documented_messages_are_what_appears() {
    let documented = std::fs::read_to_string("../../docs/formats.md").unwrap().replace('\n', " ");
    let documented: Vec<&str> = documented.split_whitespace().collect();
    let documented = documented.join(" ");
    for (format, text, message) in DOCUMENTED {
        let (_, faults) = read_bytes(text.as_bytes(), Some(format));
        assert_eq!(faults.len(), 1, "{text}");
        assert_eq!(faults[0].reason.to_string(), message);
        assert!(documented.contains(message), "docs/formats.md does not say: {message}");
    }
    // Packings: the example of the docs with one wrong mark, and with two exchanged marks.
    let example = "/SOMA-X01\n/241/261/663\n/243/541/633\n/277/547/553\n";
    let told = |text: &str| match assess(&only(text), &PieceSet::soma(1)) {
        Assessment::Sound { warnings, .. } => warnings[0].to_string(),
        Assessment::Refused(refusal) => refusal.to_string(),
    };
    for text in [
        example,
        &CUBE.replacen('1', ".", 1),
        SEVEN,
        &CUBE.replace('5', "x").replace('6', "5").replace('x', "6"),
    ] {
        let message = told(text);
        assert!(documented.contains(&message), "docs/formats.md does not say: {message}");
    }
}

/// A name without cells is a fault of a file of cells. This also applies if the file contains nothing else.
#[test]
fn a_name_without_cells_is_reported() {
    for text in ["z: \n", "# a comment\nz:\n\n", "a: 0,0,0\nz: # no cells\n"] {
        assert_eq!(detect(text), Some(Format::Cells), "{text:?}");
        let faults = messages(text, Format::Cells);
        assert!(
            faults.len() == 1 && faults[0].contains("z: the figure has no cells"),
            "{faults:?}"
        );
    }
    assert_eq!(detect("Contents:\nof this file\n"), None);
}
