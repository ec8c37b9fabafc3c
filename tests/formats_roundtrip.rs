//! Packings as SOMA text, as JSON and as a catalog keeps them: all distinguish equal pieces.

use crate::support::entries::read_bytes;
use somacat_counting::solve::{Limits, Placement, Problem, visit};
use somacat_formats::{
    Format, PublishedPacking, check_packing, json_line, piece_marks, soma_packing,
};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::parse_set;
use std::ops::ControlFlow;

/// All forms distinguish any number of equal pieces, however they touch, also of sets with letters of their own.
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
        ("tetracubes", [2, 4, 4]),
        ("pentominoes", [3, 4, 5]),
        ("bedlam", [4, 4, 4]),
        ("tetris-cube", [4, 4, 4]),
        ("diabolical", [3, 3, 3]),
        ("slothouber", [3, 3, 3]),
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
            let (entries, faults) = read_bytes(written.as_bytes(), Some(Format::Soma));
            assert_eq!((entries.len(), faults), (1, vec![]), "{written}");
            let mut solved = check_packing(&entries[0], &set).expect(&written).pieces;
            pieces.sort();
            solved.sort();
            assert_eq!(solved, pieces, "{text}\n{written}");
            let json = json_line(None, [None; 3], &figure, &pieces);
            let (entries, _) = read_bytes(json.as_bytes(), Some(Format::Json));
            let read = check_packing(&entries[0], &set).expect(&json);
            let letters = read.letters();
            let kept = PublishedPacking::from_letters(&figure, &letters, &set).expect(&letters);
            for mut again in [read.pieces, kept.pieces] {
                again.sort();
                assert_eq!(again, pieces, "{text}\n{json}\n{letters}");
            }
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
