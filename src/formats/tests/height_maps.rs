//! Height maps: what is read, and what a fault costs.

use crate::support::{cells, detect, labels, messages, read_bytes};
use somacat_formats::Format;
use somacat_geometry::figure::Figure;

/// The map with a fault costs itself. Rows of single squares are heights, too, if other lines are whole maps.
#[test]
fn a_fault_of_a_height_map_leaves_the_others() {
    let text =
        "tower: 67 77\n\ncube: 333 333 333\n\nshort: 67 7\n\ngate:\n. 3 3 .\n. 3 3 .\n5 5 5 .\n";
    assert_eq!(detect(text), Some(Format::HeightMap));
    let (entries, faults) = read_bytes(text.as_bytes(), None);
    assert_eq!(labels(&entries), ["tower", "cube", "gate"]);
    assert_eq!(faults.len(), 1);
}

#[test]
fn a_stray_blank_in_a_row_costs_its_map_alone() {
    for row in 0..3 {
        for blank in [" ", "\t", "\u{c}"] {
            let mut rows = ["333", "333", "333"].map(str::to_owned);
            rows[row].insert_str(2, blank);
            let map = rows.join("\n");
            for text in [format!("A:\n{map}\n\nB: 22 22\n"), format!("B: 22 22\n\n{map}\n")] {
                let (entries, faults) = read_bytes(text.as_bytes(), Some(Format::HeightMap));
                let names: Vec<_> = entries.iter().map(|entry| entry.name.as_deref()).collect();
                assert_eq!((names, faults.len()), (vec![Some("B")], 1), "{text:?} {faults:?}");
            }
        }
    }
}

/// The rows of a map stay together, with or without a fault, and its neighbors are read.
#[test]
fn a_fault_does_not_cut_a_map() {
    for (map, fault) in [
        ("B: 3 3 3\n3 3 3\n3 3 3", None),
        ("B: 3;3;3\n3;3;3\n3;3;3", None),
        ("B: 3 3 3\n33 3\n3 3 3", Some("`33 3` may be a map, or a row with a blank too many")),
        ("B:\n44 44\n4444\n4444", Some("`44 44` may be a map, or a row with a blank too many")),
        ("B:\n4444\n44 44\n4444", Some("`44 44` may be a map, or a row with a blank too many")),
        ("B:\n9 9 9\n9 10 9\n9 9 9", Some("`10` may be a row or one height")),
        ("B:\n9 10 9\n9 9 9\n9 9 9", Some("`10` may be a row or one height")),
        ("B:\n9;9;9\n9;9;9\n9;10;9", Some("`10` may be a row or one height")),
        ("B:\n3 3 3\n3 3? 3\n3 3 3", Some("`3 3? 3` may be a map")),
        ("B:\n;3;3\n3;3;3\n3;3;3", Some("a value is missing between two separators")),
        ("B:\n3;3;3\n3;3;3\n;3;3", Some("a value is missing between two separators")),
        ("B:\n33 3\n33 3\n333", Some("row 2 has 1 square, but the first row has 2")),
        ("B:\n333\n333:\n333", Some("`:` is not a height")),
        ("B:\n3 3 3\n3 3 3\n3 3: 3", Some("`:` is not a height")),
        ("B:\ns1-1x1x3-7", Some("`s1-1x1x3-7` is a signature")),
        ("B:\nS1-1x1x3-7", Some("`S` is not a height")),
    ] {
        let text = format!("A: 67 77\n\n{map}\n\nC: 333 333 333\n");
        let (entries, faults) = read_bytes(text.as_bytes(), Some(Format::HeightMap));
        let names: Vec<_> = entries.iter().filter_map(|entry| entry.name.as_deref()).collect();
        let expected = if fault.is_some() { &["A", "C"][..] } else { &["A", "B", "C"] };
        assert_eq!((names.as_slice(), entries.len()), (expected, expected.len()), "{map}");
        assert_eq!(detect(&text), Some(Format::HeightMap), "{map}");
        match fault {
            None => assert_eq!((entries[1].figure.len(), faults), (27, vec![]), "{map}"),
            Some(fault) => {
                assert!(faults[0].reason.to_string().starts_with(fault), "{map}: {faults:?}");
            }
        }
    }
}

#[test]
fn height_maps_stand_on_the_ground() {
    let text = "# maps\nsteps: 12 30\n67 77\n\n333\n333\n333\n\nnamed:\n1a\n00\n\n2 0\n1 1\n\n4 . 1\n\non its own line:\n67 77\n";
    let (entries, faults) = read_bytes(text.as_bytes(), None);
    assert_eq!(faults, []);
    let names = ["steps", "line 3", "line 5", "named", "line 13", "line 16", "on its own line"];
    assert_eq!(labels(&entries), names);
    let sizes: Vec<usize> = entries.iter().map(|e| e.figure.len()).collect();
    assert_eq!(sizes, [6, 27, 27, 11, 4, 5, 27]);
    let steps = cells(&[[0, 0, 2], [1, 0, 1], [1, 0, 2], [0, 1, 0], [0, 1, 1], [0, 1, 2]]);
    assert_eq!(entries[0].figure, steps);
    assert_eq!(entries[4].figure, cells(&[[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]));
    let faulty = "a: 12 3\n11\n111\n11\n\n00 00\n1?1\n\nb: zz zz zz zz zz zz zz zz zz zz zz zz zz zz zz\n12 12\n";
    assert_eq!(
        messages(faulty, Format::HeightMap),
        [
            "line 1: a: row 2 has 1 square, but the first row has 2; pad it with empty squares",
            "line 3: row 2 has 3 squares, but the first row has 2; pad it with empty squares",
            "line 6: the figure has no cells",
            "line 7: `?` is not a height; heights are 0…9 and a…z",
            "line 9: b: the figure has more than 1024 cells",
        ]
    );
}

/// A name before three numbers with commas may be that of one cell, or of rows.
#[test]
fn named_rows_with_commas_are_no_figures_of_one_cell() {
    for (text, format) in [
        ("cube: 3,3,3\n3,3,3\n3,3,3\n", Some(Format::HeightMap)),
        ("cube: 3,3,3\r\n3,3,3\r\n3,3,3\r\n\r\nbar: 1,1,1\r\n1,1,1\r\n", Some(Format::HeightMap)),
        ("stairs: 3,2,1\n2,1,0\n1,0,0\n", None),
        ("dot: 3,3,3\n", Some(Format::Cells)),
        ("a: 1,1,1\nb: 1,1,1\n", Some(Format::Cells)),
        ("a: 1,1,1\n\n1,1,2\n", Some(Format::Cells)),
    ] {
        assert_eq!(detect(text), format, "{text:?}");
    }
    let (entries, faults) = read_bytes(b"cube: 3,3,3\n3,3,3\n3,3,3\n", None);
    assert_eq!((labels(&entries), faults.len()), (vec!["cube".to_owned()], 0));
    assert_eq!(entries[0].figure, Figure::of_box([3, 3, 3]).unwrap());
}
