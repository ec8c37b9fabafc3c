//! Random files of figures: written figures are read back, and nothing panics.

use proptest::prelude::*;
use somacat_counting::solve::{Limits, Placement, Problem, visit};
use somacat_formats::{
    Assessment, Entry, Fault, Format, Item, Reader, WriteError, assess, cells_line, check_packing,
    choose_set, piece_marks, soma_figure, soma_packing,
};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, MAX_COORDINATE};
use somacat_geometry::pieces::parse_set;
use std::ops::ControlFlow;

fn read(bytes: &[u8], format: Format) -> (Vec<Entry>, Vec<Fault>) {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for item in Reader::new(bytes, Some(format)).unwrap() {
        match item.unwrap() {
            Item::Entry(entry) => entries.push(entry),
            Item::Fault(fault) => faults.push(fault),
        }
    }
    (entries, faults)
}

fn figures(reach: i32) -> impl Strategy<Value = Figure> {
    prop::collection::btree_set((0..=reach, 0..=reach, 0..=reach), 1..60)
        .prop_map(|set| Figure::new(set.into_iter().map(|(x, y, z)| Cell::new(x, y, z))).unwrap())
}

proptest! {
    #[test]
    fn cells_round_trip(
        near in figures(4),
        far in figures(MAX_COORDINATE - 1),
        name in proptest::option::of("[A-Za-z0-9/:.][A-Za-z0-9 #/:.]{0,9}"),
    ) {
        for figure in [near, far] {
            let Ok(line) = cells_line(name.as_deref(), &figure) else {
                prop_assert!(name.as_ref().is_some_and(|n| n.contains(" #")));
                return Ok(());
            };
            let (entries, faults) = read(line.as_bytes(), Format::Cells);
            prop_assert_eq!(faults, vec![]);
            prop_assert_eq!(&entries[0].figure, &figure);
            prop_assert_eq!(entries[0].name.as_deref(), name.as_deref().map(str::trim));
        }
    }

    #[test]
    fn soma_text_round_trips(
        list in prop::collection::vec((figures(5), proptest::option::of("(SOMA)?[A-Za-z0-9/: #;+-]{1,9}")), 1..4),
    ) {
        let mut text = String::new();
        for (figure, name) in &list {
            text += &soma_figure(name.as_deref(), Some("title"), figure).unwrap();
        }
        let (entries, faults) = read(text.as_bytes(), Format::Soma);
        prop_assert_eq!(faults, vec![]);
        prop_assert_eq!(entries.len(), list.len());
        for (entry, (figure, name)) in entries.iter().zip(&list) {
            prop_assert_eq!(&entry.figure, figure);
            let name = name.as_deref().map(str::trim).filter(|name| !name.is_empty());
            prop_assert_eq!(entry.name.as_deref(), name);
            prop_assert_eq!(entry.title.as_deref(), Some("title"));
        }
    }

    #[test]
    fn slices_round_trip(figure in figures(4), empty in "[. ]", indent in 0_usize..3) {
        let [width, height, layers] = figure.extents().map(|e| e as i32);
        let mut text = String::new();
        for z in 0..layers {
            for y in 0..height {
                let sign = |x| if figure.cells().contains(&Cell::new(x, y, z)) { "o" } else { &empty };
                let row: String = (0..width).map(sign).collect();
                // A row of blanks would end its slice.
                prop_assume!(!row.trim().is_empty());
                text += &format!("{}{row}\n", " ".repeat(indent));
            }
            text += "\n";
        }
        let (entries, faults) = read(text.as_bytes(), Format::Slices);
        prop_assert_eq!(faults, vec![]);
        prop_assert_eq!(&entries[0].figure, &figure);
    }

    #[test]
    fn marks_round_trip(marks in prop::collection::vec(0_usize..9, 60)) {
        let mut by_mark = vec![Vec::new(); 8];
        for (at, mark) in marks.iter().enumerate() {
            if let Some(cells) = by_mark.get_mut(*mark) {
                let at = at as i32;
                cells.push(Cell::new(at % 5 - 3, at / 5 % 4, at / 20));
            }
        }
        let marks: Vec<(char, Vec<Cell>)> =
            "1234567V".chars().zip(by_mark).filter(|(_, cells)| !cells.is_empty()).collect();
        prop_assume!(marks.len() > 1);
        let (entries, faults) = read(soma_packing(None, None, &marks).unwrap().as_bytes(), Format::Soma);
        prop_assert_eq!(faults, vec![]);
        let counts = |marks: &[(char, Vec<Cell>)]| -> Vec<(char, usize)> {
            marks.iter().map(|(mark, cells)| (*mark, cells.len())).collect()
        };
        let read = entries[0].claim.clone().unwrap();
        prop_assert_eq!(counts(&read), counts(&marks));
        prop_assert_eq!(soma_packing(None, None, &read), soma_packing(None, None, &marks));
    }

    #[test]
    fn nothing_panics_and_every_figure_is_its_cells(
        text in "([/|]?[0-7.\\-]{0,4}[/| ;<>&SOMA\\n\\r]{0,3}){0,40}",
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        for input in [text.as_bytes(), &bytes] {
            for format in [Format::Soma, Format::Cells, Format::HeightMap, Format::Slices] {
                for item in Reader::new(input, Some(format)).unwrap().flatten() {
                    if let Item::Entry(entry) = item {
                        if let Some(marks) = &entry.claim {
                            let all = marks.iter().flat_map(|(_, cells)| cells.iter().copied());
                            prop_assert_eq!(&Figure::new(all).unwrap(), &entry.figure);
                        }
                        if let Ok(set) = choose_set(&entry) {
                            let taken = matches!(assess(&entry, &set), Assessment::Sound { .. });
                            prop_assert_eq!(taken, entry.figure.len() == set.total_cells());
                        }
                    }
                }
            }
        }
    }
}

/// The text distinguishes any number of equal pieces, however they touch.
#[test]
fn packings_of_many_equal_pieces_read_back_piece_by_piece() {
    let cases = [
        ("P8", [4, 4, 2]),
        ("L8", [4, 4, 2]),
        ("T8", [4, 4, 2]),
        ("D16", [4, 4, 2]),
        ("D32", [4, 4, 4]),
        ("A4 B4", [4, 4, 2]),
        ("V9", [3, 3, 3]),
        ("I9", [3, 3, 3]),
        ("2xSOMA", [3, 3, 6]),
        ("SOMA+", [2, 4, 5]),
        // The duo is 0 only in formats that read 0 as a piece.
        ("V2 D I S", [1, 3, 5]),
        ("D2 I2 Q", [1, 2, 7]),
        ("V2 D3 L2", [1, 4, 5]),
    ];
    let (mut further, mut compared) = (0, 0);
    for (text, [x, y, z]) in cases {
        let set = parse_set(text).unwrap();
        let cell = |n: i32| Cell::new(n % x, n / x % y, n / x / y);
        let figure = Figure::new((0..x * y * z).map(cell)).unwrap();
        let mut seen = 0;
        let report = visit(&Problem::new(&figure, &set), Limits::default(), &mut |packing| {
            let piece = |p: &Placement| (set.pieces()[p.piece].0.letter(), p.cells.clone());
            let mut pieces: Vec<(char, Vec<Cell>)> = packing.iter().map(piece).collect();
            let marks = piece_marks(&pieces).unwrap();
            further += u32::from(marks.iter().any(|(mark, _)| !mark.is_ascii()));
            let written = soma_packing(None, None, &marks).unwrap();
            let (entries, faults) = read(written.as_bytes(), Format::Soma);
            assert_eq!((entries.len(), faults), (1, vec![]), "{written}");
            let mut solved = check_packing(&entries[0], &set).expect(&written).pieces;
            pieces.sort();
            solved.sort();
            assert_eq!(solved, pieces, "{text}\n{written}");
            seen += 1;
            if seen < 300 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(
            report.unwrap().outcome.raw().unwrap() > 0,
            "{text} has no packing: too weak a case"
        );
        compared += seen;
    }
    println!("{further} of {compared} packings needed a letter beyond ASCII");
}

#[test]
fn more_touching_pieces_than_marks_are_refused() {
    let bar = |x: i32| ('#', vec![Cell::new(x, 0, 0)]);
    assert_eq!(piece_marks(&[bar(0), bar(1)]), Err(WriteError::Marks('#')));
    assert!(piece_marks(&[bar(0), bar(2)]).is_ok());
    // In two parts, a piece cannot be distinguished from its neighbors even if they do not touch.
    let apart = |x: i32| ('#', vec![Cell::new(x, 0, 0), Cell::new(x + 9, 0, 0)]);
    assert_eq!(piece_marks(&[apart(0), apart(2)]), Err(WriteError::Marks('#')));
}
