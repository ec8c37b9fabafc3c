//! Puzzles of BurrTools: written ones read back unchanged, and reading any puzzle costs little.

use crate::support::deadline::with_deadline;
use crate::support::figures::grow;
use crate::support::random::Random;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use somacat_formats::{Colors, Format, Item, ReadError, Reader};
use somacat_geometry::figure::{Equivalence, Figure, FigureColors, MAX_CELLS};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{OPTIONAL, PieceSet, parse_set_with_ranges};
use somacat_output::export::{PuzzleFigure, write_xmpuzzle};
use std::io::{Read, Write};

fn read(bytes: &[u8]) -> Result<Vec<Item>, ReadError> {
    let reader = Reader::new(bytes, None)?;
    assert_eq!(reader.format(), Format::Xmpuzzle);
    reader.with_colors(Colors::Obeyed).collect()
}

fn sole_figures(items: &[Item]) -> Vec<(String, Figure)> {
    let entry = |item: &Item| match item {
        Item::Entry(entry) => (entry.label("file", 0), entry.figure.clone()),
        Item::Fault(fault) => panic!("{fault}"),
    };
    items.iter().map(entry).collect()
}

#[test]
fn puzzles_come_back_unmirrored() {
    let mut random = Random::new(77);
    let soma = PieceSet::soma(1);
    let puzzles: Vec<(String, Figure, PieceSet)> = (0..20)
        .map(|at| (format!("no. {at} <&\">"), grow(27, None, &mut random), soma.clone()))
        .collect();
    let mut bytes = Vec::new();
    let written =
        puzzles.iter().map(|(name, figure, set)| PuzzleFigure::full(name, figure, set.clone()));
    write_xmpuzzle(&written.collect::<Vec<_>>(), &mut bytes).unwrap();
    let turned = |figure: &Figure| figure.canonical_up_to(Equivalence::Rotations).signature;
    let back = sole_figures(&read(&bytes).unwrap());
    assert_eq!(back.len(), puzzles.len());
    for ((name, figure), (wanted_name, wanted, _)) in back.iter().zip(&puzzles) {
        assert_eq!((name, turned(figure)), (wanted_name, turned(wanted)));
        // Reading reverses the rotation of writing.
        assert_eq!(figure, wanted);
    }
    // Without problems every shape is a figure: the pieces come first, each with its own handedness.
    let mut xml = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut xml).unwrap();
    let (shapes, _) = xml.split_once("<problems>").unwrap();
    let shapes = sole_figures(&read(format!("{shapes}</puzzle>").as_bytes()).unwrap());
    for ((piece, _), (name, shape)) in soma.pieces().iter().zip(&shapes) {
        assert_eq!(*name, piece.name());
        assert!(piece.has_shape(shape.cells()), "{name} is mirrored");
    }
    assert_eq!(shapes.len(), 7 + 20, "the pieces are written once");
}

/// Text as BurrTools writes it: colors after voxels, indentation, shapes without names.
const BY_HAND: &str = r##"<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="0"/>
  <colors><color red="1" green="2" blue="3"/></colors>
  <shapes>
    <voxel x="2" y="2" z="1" type="0">##1#_</voxel>
    <voxel x="2" y="1" z="2" name="stairs" type="0">#12__#</voxel>
    <voxel x="3" y="1" z="1" type="0">#+#</voxel>
    <voxel x="2" y="2" z="2" type="0">####</voxel>
  </shapes>
  <problems>
    <problem state="0" name="first"><result id="0"/></problem>
    <problem state="0"><result id="1"/></problem>
    <problem state="0" name="open"><result id="2"/></problem>
    <problem state="0"><result id="3"/></problem>
    <problem state="0"><result id="9"/></problem>
  </problems>
</puzzle>
"##;

#[test]
fn puzzles_by_other_hands_are_read_and_their_faults_named() {
    let items = read(BY_HAND.as_bytes()).unwrap();
    let shown: Vec<String> = items
        .iter()
        .map(|item| match item {
            Item::Entry(e) => format!("{}:{} {}", e.line, e.label("file", 0), e.figure.len()),
            Item::Fault(fault) => fault.to_string(),
        })
        .collect();
    let wanted = [
        "6:first 3",
        "7:stairs 2",
        "8:open 3",
        "line 9: 4 voxels in a box of 2x2x2, which has 8",
        "line 16: the problem builds shape 9, but the puzzle has only 4 shapes, numbered from 0",
    ];
    assert_eq!(shown, wanted);
    // z points up there and down here: the second cell of the stairs, right and above, ends on top.
    let (_, stairs) = &sole_figures(&items[1..2])[0];
    assert_eq!(stairs.cells(), [Cell::new(0, 0, 1), Cell::new(1, 0, 0)]);
}

/// Each problem is a figure. If several build the same shape, they have their own names.
#[test]
fn problems_of_one_shape_are_figures_with_their_own_names() {
    let text = BY_HAND.replace("<result id=\"2\"/>", "<result id=\"1\"/>");
    let names = sole_figures(&read(text.as_bytes()).unwrap()[..3]);
    let names: Vec<(&str, usize)> =
        names.iter().map(|(name, figure)| (name.as_str(), figure.len())).collect();
    assert_eq!(names, [("first", 3), ("stairs", 2), ("open", 2)]);
}

/// Cells that may stay empty and ranges are those of the figure that was written.
#[test]
fn gaps_and_ranges_come_back() {
    let mut random = Random::new(78);
    for round in 0..40 {
        let figure = grow(12, None, &mut random);
        let colors: Vec<u8> =
            (0..12).map(|_| if random.below(3) == 0 { OPTIONAL } else { 0 }).collect();
        let colors = FigureColors::new(&colors);
        let set = parse_set_with_ranges(["V L0..2", "T0..1 Z A"][round % 2]).unwrap();
        let solved = if colors.is_some() { set.with_gaps_in(12) } else { set.clone() };
        let name = "x".to_owned();
        let (written, colors) = (figure.clone(), colors.filter(|_| round % 5 > 0));
        let anywhere = vec![OPTIONAL; 12];
        let wanted = colors
            .clone()
            .or_else(|| if solved.has_gaps() { FigureColors::new(&anywhere) } else { None });
        let mut bytes = Vec::new();
        let puzzle = PuzzleFigure { name, figure: written, colors, set: solved };
        write_xmpuzzle(&[puzzle], &mut bytes).unwrap();
        let items = read(&bytes).unwrap();
        let [Item::Entry(entry)] = &items[..] else { panic!("{items:?}") };
        assert_eq!((&entry.figure, entry.colors.as_deref()), (&figure, wanted.as_ref()));
        let back = entry.pieces.clone().unwrap().unwrap();
        assert!(back.ranges().map(|(_, range)| range).eq(set.ranges().map(|(_, range)| range)));
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn what_is_not_a_puzzle_is_refused() {
    let refused = |bytes: &[u8], words: &str| {
        for format in [None, Some(Format::Xmpuzzle)] {
            let error = Reader::new(bytes, format).err().unwrap().to_string();
            assert!(error.contains(words), "{error}");
        }
    };
    refused(
        &packed(b"/SOMA text\n/111\n"),
        "what is packed with gzip is not a BurrTools puzzle; unpack other files first",
    );
    refused(&packed(b"<html>\n<p>x</html>"), "not a BurrTools puzzle: its root is <html>");
    refused(&packed(BY_HAND.as_bytes())[..100], "not a BurrTools puzzle: it cannot be unpacked");
    // Also if everything read was valid, and only the checksum at the end reveals the damage.
    let mut damaged = packed(BY_HAND.as_bytes());
    let checksum = damaged.len() - 6;
    damaged[checksum] ^= 1;
    refused(&damaged, "not a BurrTools puzzle: it cannot be unpacked");
    refused(
        b"<puzzle version=\"2\">\n<shapes>",
        "not a BurrTools puzzle: line 2: the file ends before the root tag is closed",
    );
    refused(b"<puzzle>\n<a></b></puzzle>", "line 2: </b> does not match the last opened tag");
    refused(b"<puzzle a=\"&b;\"></puzzle>", "line 1: &b is not a known entity");
    refused(b"<puzzle a=b></puzzle>", "line 1: a malformed tag");
    let deep = "<puzzle>".repeat(200);
    refused(deep.as_bytes(), "line 1: a tag or text is too large, or tags are nested too deeply");
    let doctype = b"<!DOCTYPE puzzle [<!ENTITY a \"b\">]><puzzle>&a;</puzzle>";
    let error = Reader::new(&doctype[..], Some(Format::Xmpuzzle)).err();
    assert_eq!(
        error.unwrap().to_string(),
        "not a BurrTools puzzle: line 1: a DOCTYPE is not allowed"
    );
}

#[test]
fn grids_that_are_not_of_cubes_are_named() {
    for (number, grid) in [
        ("1", "triangular prisms (gridType 1)"),
        ("2", "spheres (gridType 2)"),
        ("3", "the rhombic grid (gridType 3)"),
        ("4", "the tetra-octa grid (gridType 4)"),
        ("77", "an unknown grid (gridType 77)"),
    ] {
        let text = BY_HAND.replace("<gridType type=\"0\"", &format!("<gridType type=\"{number}\""));
        let error = Reader::new(text.as_bytes(), None).err().unwrap();
        assert_eq!(
            error.to_string(),
            format!("the puzzle uses {grid}; only puzzles of cubes (gridType 0) can be read")
        );
    }
}

#[test]
fn xml_is_read_as_xml() {
    let text = "\u{feff}<?xml version='1.0'?>\n<!-- <puzzle> -->\n<puzzle>\n<shapes><voxel x = '2'\n\
                y='1' z='1' name='a &amp; b&#x21;'><!-- #### -->#<![CDATA[#]]>\n</voxel ></shapes>\n\
                <solutions>&lt;<more/></solutions></puzzle>\ntrailing & text";
    let items = read(text.as_bytes()).unwrap();
    let figures = sole_figures(&items);
    assert_eq!(figures.len(), 1);
    assert_eq!((figures[0].0.as_str(), figures[0].1.len()), ("a & b!", 2));
}

/// Time and memory of a puzzle grow with its size. They do not grow with its square or its claims. Claims are shapes
/// with millions of cells, or problems that request the same large shape a thousand times.
#[test]
fn large_puzzles_are_read_in_time_or_refused() {
    let shape = |text: &str, x: usize| format!("<voxel x=\"{x}\" y=\"1\" z=\"1\">{text}</voxel>\n");
    let puzzle = |shapes: &str, problems: &str| {
        format!(
            "<?xml version=\"1.0\"?><puzzle><gridType type=\"0\"/><shapes>{shapes}</shapes>\
             <problems>{problems}</problems></puzzle>"
        )
    };
    let many = shape("##", 2).repeat(100_000);
    let problems = "<problem><result id=\"99999\"/></problem>\n".repeat(100_000);
    let text = puzzle(&many, &problems);
    let text = packed(text.as_bytes());
    // Seconds, where quadratic time would take hours.
    let last = with_deadline("a puzzle with many problems", || {
        Reader::new(&text[..], None).unwrap().last()
    });
    let Some(Ok(Item::Entry(last))) = last else { panic!() };
    // The last shape, however often it is named.
    assert_eq!((last.line, last.figure.len()), (100_000, 2));

    let full = "#".repeat(MAX_CELLS);
    let thousand =
        puzzle(&shape(&full, MAX_CELLS), &"<problem><result id=\"0\"/></problem>".repeat(2000));
    assert_eq!(read(thousand.as_bytes()).unwrap().len(), 2000);

    let huge = shape(&"#".repeat(10 << 20), 10 << 20) + &shape("#_#", 3);
    let items = read(&packed(puzzle(&huge, "").as_bytes())).unwrap();
    let Item::Fault(fault) = &items[0] else { panic!("{items:?}") };
    assert_eq!(fault.reason.to_string(), "the figure has more than 1024 cells");
    assert!(matches!(&items[1], Item::Entry(entry) if entry.figure.len() == 2));

    // Together they would need more memory than a puzzle may.
    let heavy = puzzle(&shape(&full, MAX_CELLS).repeat(6000), "");
    let error = Reader::new(&packed(heavy.as_bytes())[..], None).err().unwrap();
    assert_eq!(error.to_string(), "the shapes of the puzzle take more than 64 MiB");
}
