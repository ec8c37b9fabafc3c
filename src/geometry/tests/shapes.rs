//! The geometry: cells, the 48 transforms and their groups, pieces and figures.

use somacat_geometry::figure::{Figure, Obstruction, prefilter};
use somacat_geometry::lattice::{Cell, Transform, connected_parts, part_count};
use somacat_geometry::pieces::{
    MAX_PIECE_CELLS, ParseSetError, Piece, PieceError, PieceSet, STANDARD_LETTERS,
    parse_piece_lines, parse_set, parse_set_with_ranges, with_standard_name,
};
use somacat_geometry::symmetry::{Class, ElementKind, Group, PlanSymbol};
use std::collections::BTreeSet;

#[test]
fn parts_come_in_the_order_of_their_lowest_cells() {
    let cell = |x, y| Cell::new(x, y, 0);
    // A ring, a cell inside that does not touch it, and a bar far away.
    let mut cells: Vec<Cell> = (0..5)
        .flat_map(|x| (0..5).map(move |y| cell(x, y)))
        .filter(|c| c.x % 4 == 0 || c.y % 4 == 0 || (c.x, c.y) == (2, 2))
        .collect();
    cells.extend([cell(9, 0), cell(9, 1)]);
    let sizes: Vec<usize> = connected_parts(&cells).iter().map(Vec::len).collect();
    assert_eq!(sizes, [16, 1, 2]);
    assert_eq!(connected_parts(&cells)[1], [cell(2, 2)]);
    assert_eq!(part_count(&cells), 3);
    // Near and far: on a board, and cell by cell.
    for far in [Cell::new(6, 0, 0), Cell::new(60, 0, 7)] {
        cells.truncate(17);
        cells.extend([far, far + Cell::new(0, 0, 1), far + Cell::new(0, 2, 0)]);
        assert_eq!(part_count(&cells), 4);
    }
}

#[test]
fn products_inverses_and_determinants_agree_with_the_matrices() {
    let p = Cell::new(1, 2, 4);
    for a in Transform::iter() {
        assert_eq!(a.inverse().apply(a.apply(p)), p);
        let m = a.matrix();
        let image: Vec<i32> =
            (0..3).map(|c| (0..3).map(|r| p.to_array()[r] * m[r][c]).sum()).collect();
        assert_eq!(a.apply(p).to_array().to_vec(), image);
        let minor = |r1: usize, r2: usize, c1: usize, c2: usize| {
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        };
        let determinant =
            m[0][0] * minor(1, 2, 1, 2) - m[0][1] * minor(1, 2, 0, 2) + m[0][2] * minor(1, 2, 0, 1);
        assert_eq!(a.is_rotation(), determinant == 1, "{a}");
        for b in Transform::iter() {
            assert_eq!(a.then(b).apply(p), b.apply(a.apply(p)));
        }
    }
}

#[test]
fn there_are_98_subgroups_and_each_is_closed() {
    assert_eq!(Group::subgroups().len(), 98);
    for group in Group::subgroups() {
        assert_eq!(Group::generated_by(group.iter()), *group);
        assert_eq!(48 % group.order(), 0);
        let conjugates: BTreeSet<Group> = Transform::iter().map(|t| group.conjugate(t)).collect();
        assert_eq!(group.normalizer().order() * conjugates.len(), 48);
        assert!(conjugates.into_iter().eq(group.class().groups()));
    }
}

#[test]
fn coset_representatives_reach_every_transform_once() {
    for group in Group::subgroups() {
        let reached: BTreeSet<Transform> = group
            .coset_representatives()
            .into_iter()
            .flat_map(|t| group.iter().map(move |g| g.then(t)))
            .collect();
        assert_eq!(reached.len(), 48);
        assert_eq!(group.coset_representatives().len() * group.order(), 48);
    }
}

#[test]
fn the_98_subgroups_fall_into_33_conjugacy_classes() {
    let mut total = 0;
    for class in Class::iter() {
        let groups = class.groups();
        assert_eq!(groups[0].order(), class.order());
        total += groups.len();
    }
    assert_eq!((Class::iter().len(), total), (33, 98));
}

#[test]
fn plain_words_describe_a_class() {
    let words = |name: &str| Class::matching(name).unwrap()[0].in_plain_words();
    assert_eq!(words("C1"), "no symmetry");
    assert_eq!(words("Cs(diagonal)"), "mirror symmetric");
    assert_eq!(words("C2(edge)"), "turns into itself by a half turn");
    assert_eq!(words("D2(edge)"), "turns into itself by half turns");
    assert_eq!(words("C4"), "turns into itself by quarter turns");
    assert_eq!(words("C3i"), "symmetric about its center, turns into itself by third turns");
    let quarter = "a quarter turn gives its mirror image, turns into itself by a half turn";
    assert_eq!(words("S4"), quarter);
    let cube = "mirror symmetric, turns into itself by quarter and third turns";
    assert_eq!(words("Oh"), cube);
}

#[test]
fn texts_in_many_forms_name_classes() {
    let names =
        |text| Class::matching(text).map(|v| v.iter().map(|c| c.name()).collect::<Vec<_>>());
    assert_eq!(names("d3d"), Ok(vec!["D3d"]));
    assert_eq!(names("C2v"), Ok(vec!["C2v(face,planar)", "C2v(edge)", "C2v(face,diagonal)"]));
    assert_eq!(names("r"), Ok(vec!["C3v"]));
    assert_eq!(names("T"), Ok(vec!["T"]));
    assert_eq!(names("allen:T"), Ok(vec!["C3"]));
    assert_eq!(names("S6"), Ok(vec!["C3i"]));
    assert_eq!(names("C2x").unwrap_err().near.len(), 7);
}

#[test]
fn kinds_are_exactly_the_conjugacy_classes_of_elements() {
    for a in Transform::iter() {
        for b in Transform::iter() {
            let conjugate = Transform::iter().any(|t| t.inverse().then(a).then(t) == b);
            assert_eq!(conjugate, ElementKind::of(a) == ElementKind::of(b), "{a} {b}");
        }
    }
}

#[test]
fn the_mystery_mirror_matrices_are_the_fourfold_roto_reflections() {
    let numbers: Vec<u8> = Transform::iter()
        .filter(|&t| ElementKind::of(t) == ElementKind::QuarterRotoReflection)
        .map(Transform::number)
        .collect();
    assert_eq!(numbers, [14, 15, 20, 22, 44, 47]);
}

fn symbol(numbers: &[u8]) -> (char, usize) {
    let generators = numbers.iter().filter_map(|&n| Transform::from_number(n));
    let plan = PlanSymbol::of(Group::generated_by(generators));
    (plan.symbol, plan.orientations)
}

/// The equalities of the article's table: transformation c is left-right, b front-back, e and h the diagonals,
/// d the half turn.
#[test]
fn symbols_are_those_of_the_gnu_go_table() {
    assert_eq!(symbol(&[]), ('8', 8));
    assert_eq!(symbol(&[5]), ('|', 4));
    assert_eq!(symbol(&[3]), ('-', 4));
    assert_eq!(symbol(&[17]), ('\\', 4));
    assert_eq!(symbol(&[23]), ('/', 4));
    assert_eq!(symbol(&[7]), ('O', 4));
    assert_eq!(symbol(&[17, 23]), ('X', 2));
    assert_eq!(symbol(&[3, 5]), ('+', 2));
    assert_eq!(symbol(&[19]), ('O', 2));
    assert_eq!(symbol(&[19, 5]), ('+', 1));
    assert_eq!(symbol(&[2]), ('8', 8));
}

#[test]
fn only_cells_connected_through_faces_form_a_piece() {
    let piece = |cells: &[[i32; 3]]| {
        Piece::new('G', &cells.iter().copied().map(Cell::from).collect::<Vec<_>>())
    };
    assert_eq!(piece(&[]), Err(PieceError::Empty));
    assert_eq!(piece(&[[0, 0, 0], [2, 0, 0]]), Err(PieceError::Disconnected(2)));
    // Cells that share only an edge or a corner are not connected.
    assert_eq!(piece(&[[0, 0, 0], [1, 1, 0], [2, 2, 1]]), Err(PieceError::Disconnected(3)));
    let twice = piece(&[[1, 0, 0], [0, 0, 0], [1, 0, 0]]);
    assert_eq!(twice, Err(PieceError::RepeatedCell(Cell::new(1, 0, 0))));
    assert!(matches!(piece(&[[i32::MAX, 0, 0]]), Err(PieceError::OutOfRange(_))));
    let long: Vec<Cell> = (0..=MAX_PIECE_CELLS as i32).map(|x| Cell::new(x, 0, 0)).collect();
    assert_eq!(Piece::new('I', &long), Err(PieceError::TooManyCells));
    assert_eq!(Piece::new('I', &long[1..]).unwrap().size(), MAX_PIECE_CELLS);
    // The same cells in another order and position.
    let corner = piece(&[[5, 7, 1], [5, 6, 1], [6, 6, 1]]).unwrap();
    assert!(corner.has_shape(&[[0, 0, 0], [0, 0, 1], [0, 1, 1]].map(Cell::from)));
    assert!(!corner.has_shape(&[[0, 0, 0], [0, 0, 1], [0, 0, 2]].map(Cell::from)));
}

#[test]
fn the_seven_pieces_have_12_24_12_12_12_12_8_orientations() {
    let soma = PieceSet::soma(1);
    let orientations: Vec<usize> =
        soma.pieces().iter().map(|(piece, _)| piece.orientations().len()).collect();
    assert_eq!(orientations, [12, 24, 12, 12, 12, 12, 8]);
}

#[test]
fn a_and_b_are_mirror_images_and_the_others_their_own() {
    assert_eq!(PieceSet::soma(1).mirror_map(), Some([0, 1, 2, 3, 5, 4, 6].as_slice()));
    let only_a = PieceSet::new("A", PieceSet::standard_piece('A').map(|a| (a.clone(), 1)));
    assert!(!only_a.is_mirror_closed());
}

#[test]
fn the_letters_are_those_of_the_standard_pieces() {
    let standard = PieceSet::soma_plus();
    let letters: String = standard.pieces().iter().map(|(piece, _)| piece.letter()).collect();
    assert_eq!(letters, STANDARD_LETTERS);
}

#[test]
fn sums_of_many_pieces_are_those_of_one_after_the_other() {
    // Differences 3, 2, 1 and 0, each several times.
    let star = [[1, 1, 0], [0, 1, 0], [2, 1, 0], [1, 0, 0], [1, 2, 0]].map(Cell::from);
    let kinds = ['T', 'V', 'L'].map(|letter| PieceSet::standard_piece(letter).unwrap().clone());
    let kinds = [&[Piece::new('+', &star).unwrap()][..], &kinds].concat();
    for counts in (0..400).map(|n| [n % 4, n / 4 % 5, n / 20 % 4, n / 80]) {
        let set = PieceSet::new("many", kinds.iter().cloned().zip(counts));
        let each = |(piece, n): &(Piece, usize)| vec![piece.color_difference(); *n];
        let values: Vec<u32> = set.pieces().iter().flat_map(each).collect();
        let mut sums = BTreeSet::from([0_i32]);
        for value in values {
            let value = value as i32;
            sums = sums.iter().flat_map(|sum| [sum - value, sum + value]).collect();
        }
        let sums: BTreeSet<u32> = sums.into_iter().map(i32::unsigned_abs).collect();
        assert_eq!(set.color_sums(), sums.into_iter().collect::<Vec<_>>(), "{counts:?}");
    }
    let most = PieceSet::soma(1024);
    assert_eq!(most.color_sums(), (0..=2560).map(|n| 2 * n).collect::<Vec<u32>>());
}

#[test]
fn colors_are_those_of_the_parity_proof() {
    let soma = PieceSet::soma(1);
    let differences: Vec<u32> =
        soma.pieces().iter().map(|(piece, _)| piece.color_difference()).collect();
    assert_eq!(differences, [1, 0, 2, 0, 0, 0, 2]);
}

#[test]
fn names_and_letters_are_read_in_any_case() {
    for text in ["2xSOMA", "2xsoma", " 2 X Soma ", "2*soma", "2×SOMA", "V2 L2 T2 Z2 A2 B2 P2"] {
        assert_eq!(parse_set(text), Ok(PieceSet::soma(2)), "{text}");
    }
    for text in ["soma+", "SOMA+plus", "SomaPlus", "VLTZABPDIQS"] {
        assert_eq!(parse_set(text), Ok(PieceSet::soma_plus()), "{text}");
    }
    for text in ["PBAZTLV", "soma", "1xsoma", "v l t z a b p"] {
        assert_eq!(parse_set(text), Ok(PieceSet::soma(1)), "{text}");
    }
    for text in ["V L T2", "L, V T2", "vlt2", "v l t t", "V, T*2 L 1", "t l t v"] {
        let partial = parse_set(text).unwrap();
        assert_eq!((partial.name(), partial.total_cells()), ("V L T2", 15), "{text}");
    }
}

#[test]
fn other_words_are_not_sets() {
    let unknown = |text: &str| ParseSetError::UnknownPiece(text.to_owned());
    // A second number after a letter is neither part of the first number nor a piece.
    assert_eq!(parse_set("V3 1 L"), Err(unknown("1")));
    assert_eq!(parse_set("X"), Err(unknown("X")));
    assert_eq!(parse_set("pieces.txt"), Err(ParseSetError::Unknown("pieces.txt".to_owned())));
    for text in ["", " , ", "xsoma", "somas", "soma.txt"] {
        assert!(parse_set(text).is_err(), "{text}");
    }
    for text in ["0xSOMA", "1025xSOMA", "99999999999999999999xSOMA", "V0", "L1025"] {
        assert_eq!(parse_set(text), Err(ParseSetError::Copies(text.to_owned())));
    }
    // Copies of a piece in several words are added.
    assert_eq!(parse_set("V1024 V"), Err(ParseSetError::Copies("V*1025".to_owned())));
}

#[test]
fn a_set_of_the_usual_pieces_has_its_usual_name_wherever_it_comes_from() {
    let text = "P: 0,0,0 1,0,0 0,1,0 0,0,1\nV*2: 0,0,0 1,0,0 0,1,0";
    let set = parse_piece_lines("mine", text).unwrap();
    assert_eq!(set.name(), "mine");
    assert_eq!(with_standard_name(&set), parse_set("V2 P").ok());
    // A bar of three cells under the letter of another piece.
    let other = parse_piece_lines("mine", "V: 0,0,0 1,0,0 2,0,0").unwrap();
    assert_eq!(with_standard_name(&other), None);
}

#[test]
fn pieces_with_longer_names_get_letters_of_their_own() {
    let text = "L1: 0,0,0\nL: 0,0,0 1,0,0\nbar*2: 0,0,0 1,0,0 2,0,0\nL2: 0,0,0 1,0,0 0,1,0\n\
                #2: ignored\n22: 0,0,0 1,0,0 2,0,0 3,0,0";
    let set = parse_piece_lines("mine", text).unwrap();
    let letters: String = set.pieces().iter().map(|(piece, _)| piece.letter()).collect();
    assert_eq!(letters, "ALbBC");
    let words: Vec<String> =
        set.pieces().iter().map(|(piece, count)| piece.name_with_count(*count)).collect();
    assert_eq!(words, ["L1", "L", "bar*2", "L2", "22"]);
    // The pieces as text are the same set.
    assert_eq!(parse_piece_lines("mine", &set.lines().join("\n")).unwrap().lines(), set.lines());
}

#[test]
fn files_name_their_faulty_line() {
    let text = "\u{feff}# two corners and a bar\nV*2: 0,0,0 1,0,0 0,1,0\r\nI: 5,0,0 6,0,0 7,0,0\n";
    let set = parse_piece_lines("mine", text).unwrap();
    assert_eq!((set.piece_count(), set.total_cells()), (3, 9));
    let refused = |text: &str| parse_piece_lines("mine", text).unwrap_err().to_string();
    let cases = [
        (
            "V: 0,0,0\nW: 1,2",
            "line 2: `1,2` is not a cell; write x,y,z with whole numbers within ±1000",
        ),
        (
            "V: 0,0,0,0",
            "line 1: `0,0,0,0` is not a cell; write x,y,z with whole numbers within ±1000",
        ),
        (
            "ninechars: 0,0,0",
            "line 1: `ninechars` is not the name of a piece; a name has 1 to 8 characters and no \
             blanks",
        ),
        (
            ": 0,0,0",
            "line 1: `` is not the name of a piece; a name has 1 to 8 characters and no blanks",
        ),
        (
            "\n\nV 0,0,0",
            "line 3: write a piece as `V: 0,0,0 1,0,0 0,1,0` or `V: xx x.`, with `V*2:` for two copies or `V*0..2:` for \
             up to two",
        ),
        (
            "V*0: 0,0,0",
            "line 1: 0 copies: write 1 to 1024, or a range such as 0..2 with the smaller number first",
        ),
        (
            "V*3..2: 0,0,0",
            "line 1: 3..2 copies: write 1 to 1024, or a range such as 0..2 with the smaller number first",
        ),
        (
            "V*0..2: 0,0,0",
            "piece V may be used 0 to 2 times, which only `count`, `solve`, `design`, \
             `takeapart`, `prove` and exports for other solvers take; give it one number of copies",
        ),
        ("V:", "line 1: the piece has no cells"),
        ("V: 0,0,0 1,0,0 0,1,0 1,0,0", "line 1: cell 1,0,0 is listed twice"),
        (
            "V: 0,0,0\nG*2: 0,0,0 2,0,0",
            "line 2: the piece has 2 separate parts; its cells must be connected \
             through faces",
        ),
        (
            "# mine\nV: 0,0,0 1,0,0\nI: 0,0,0\nV: 0,0,0 1,0,0 2,0,0",
            "line 4: piece V is already on line 2; give one of them another name",
        ),
        (
            "V: 0,0,0 1,0,0\nV: 3,3,3 3,4,3",
            "line 2: piece V is already on line 1; for two copies, write one line that \
             begins with `V*2:`",
        ),
        ("# nothing\n", "the file has no piece; a piece is a line like `V*2: 0,0,0 1,0,0 0,1,0`"),
    ];
    for (text, message) in cases {
        assert_eq!(refused(text), message);
    }
    let long: String = (0..500).map(|x| format!("{x},0,0 ")).collect();
    let huge = format!("I*1000: {long}");
    assert_eq!(parse_piece_lines("huge", &huge), Err(ParseSetError::TooLarge(500_000)));
    let equal = "V*1000: 0,0,0\nW*1000: 0,0,0";
    assert_eq!(parse_piece_lines("equal", equal), Err(ParseSetError::Copies("V*2000".to_owned())));
}

#[test]
fn a_definition_depends_on_the_pieces_alone() {
    assert_eq!(PieceSet::soma(1).definition(), "V+L+T+Z+A+B+P");
    let lines =
        "x: 7,7,7 7,7,6 7,7,5 7,7,4 7,7,3\ny*2: 0,0,0 0,1,0 0,2,0 1,2,0\nz: 4,4,4 5,4,4 4,5,4";
    let own = parse_piece_lines("mine", lines).unwrap().definition();
    let mut reversed: Vec<&str> = lines.lines().rev().collect();
    assert_eq!(own, "V+L*2+(0,0,0;0,0,1;0,0,2;0,0,3;0,0,4)");
    reversed.iter_mut().for_each(|line| *line = line.trim_end());
    assert_eq!(parse_piece_lines("other", &reversed.join("\n")).unwrap().definition(), own);
    assert_eq!(parse_set("L2 V").unwrap().definition(), "V+L*2");
}

fn bar(from: i32, length: i32) -> impl Iterator<Item = Cell> {
    (from..from + length).map(|x| Cell::new(x, 0, 0))
}

/// Lists all choices one by one, and compares the cells that they fill and the color differences that they reach.
#[test]
fn ranges_fill_what_one_of_their_choices_fills() {
    for (text, number) in [
        ("V0..2 L1..2 T0..1", None),
        ("V2 L0..3 D0..2", None),
        ("T0..3 D1..4 Q0..2", Some(4)),
        ("V0..3 P0..2 Z", Some(3)),
    ] {
        let set = parse_set_with_ranges(text).unwrap().partial(number);
        let mut choices: Vec<Vec<(Piece, usize)>> = vec![Vec::new()];
        for (piece, [least, most]) in set.ranges() {
            let with = |choice: Vec<(Piece, usize)>, copies| {
                [choice, vec![(piece.clone(), copies)]].concat()
            };
            choices = (least..=most)
                .flat_map(|copies| choices.iter().map(move |choice| with(choice.clone(), copies)))
                .collect();
        }
        let choices: Vec<PieceSet> =
            choices.into_iter().map(|choice| PieceSet::new("choice", choice)).collect();
        let counted = |set: &&PieceSet| number.is_none_or(|number| number == set.piece_count());
        let fillable: BTreeSet<usize> =
            choices.iter().filter(counted).map(PieceSet::total_cells).collect();
        for cells in 1..=set.total_cells() + 2 {
            assert_eq!(set.fills(cells), fillable.contains(&cells), "{text} {cells}");
            let nearest = [fillable.range(..=cells).last(), fillable.range(cells..).next()];
            let nearest: BTreeSet<usize> = nearest.into_iter().flatten().copied().collect();
            assert!(set.nearest_fills(cells).into_iter().eq(nearest), "{text} {cells}");
            let alike = choices.iter().filter(|choice| choice.total_cells() == cells);
            let sums: BTreeSet<u32> = alike.flat_map(PieceSet::color_sums).copied().collect();
            assert!(set.color_sums_of(cells).iter().eq(&sums), "{text} {cells}");
        }
    }
}

#[test]
fn size_comes_first_and_names_both_numbers() {
    let figure = Figure::new(bar(0, 25)).unwrap();
    let obstruction = prefilter(&figure, &PieceSet::soma(1)).unwrap();
    assert_eq!(obstruction.to_string(), "the figure has 25 cells, the pieces fill 27");
}

#[test]
fn pieces_must_divide_among_the_parts() {
    let parts = bar(0, 14).chain(bar(20, 13));
    let obstruction = prefilter(&Figure::new(parts).unwrap(), &PieceSet::soma(1)).unwrap();
    assert_eq!(obstruction, Obstruction::Parts { parts: vec![(14, 0), (13, 1)], by_size: true });
    let fitting = bar(0, 16).chain(bar(20, 11));
    assert_eq!(prefilter(&Figure::new(fitting).unwrap(), &PieceSet::soma(1)), None);
}

/// Two parts have difference 3 each. Sizes 11 and 16 leave V, T, P no other way. As drawn the colors cancel to 1 or add
/// to 5, and moving one part must not make the figure pass.
#[test]
fn every_combination_of_flips_must_be_reachable() {
    let cross = |x: i32, z: i32| {
        let center = Cell::new(x, 0, z);
        center.neighbors().into_iter().chain([center])
    };
    let mut cells: Vec<Cell> = cross(0, 0).chain(cross(10, 0)).collect();
    cells.extend((20..33).map(|x| Cell::new(x, 0, 0)));
    let figure = Figure::new(cells).unwrap();
    let obstruction = prefilter(&figure, &PieceSet::soma(1)).unwrap();
    assert!(matches!(obstruction, Obstruction::Parity { difference: 9 | 11, .. }), "{obstruction}");
}

fn stands(cells: &[[i32; 3]]) -> Vec<[i32; 3]> {
    let figure = Figure::new(cells.iter().copied().map(Cell::from)).unwrap();
    let best = figure.transformed(figure.to_resting_position());
    for t in Transform::iter().filter(|t| t.is_rotation()) {
        let turned = figure.transformed(t);
        assert_eq!(turned.transformed(turned.to_resting_position()), best, "turned by {t:?}");
    }
    best.cells().iter().map(|cell| cell.to_array()).collect()
}

#[test]
fn a_pole_lies_down_from_left_to_right() {
    assert_eq!(stands(&[[0, 0, 0], [0, 0, 1], [0, 0, 2]]), [[0, 0, 0], [1, 0, 0], [2, 0, 0]]);
}

#[test]
fn a_pyramid_stands_on_its_base() {
    // A cross of five cells with one cell on its middle, upside down.
    let cross = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0], [1, 2, 0], [1, 1, 1]];
    let ground = stands(&cross).iter().filter(|cell| cell[2] == 1).count();
    assert_eq!(ground, 5);
}

#[test]
fn what_would_tip_over_is_not_stood_up() {
    // On the short foot of an L with a long arm the center of mass lies outside the support.
    let arm: Vec<[i32; 3]> = (0..6).map(|x| [x, 0, 0]).chain([[0, 0, 1]]).collect();
    let best = stands(&arm);
    assert_eq!(best.iter().filter(|cell| cell[2] == 0).count(), 7, "it lies flat");
}

#[test]
fn a_wide_support_comes_before_a_low_center_of_mass() {
    // A table: on its four feet it covers nine squares, on its top as many but lower.
    let top = (0..9).map(|n| [n % 3, n / 3, 0]);
    let feet = [[0, 0, 1], [2, 0, 1], [0, 2, 1], [2, 2, 1]];
    let table: Vec<[i32; 3]> = top.chain(feet).collect();
    assert_eq!(stands(&table).iter().filter(|cell| cell[2] == 1).count(), 9);
    // Without a foot the hull is smaller, and the area decides for the same side.
    assert_eq!(stands(&table[..12]).iter().filter(|cell| cell[2] == 1).count(), 9);
}
