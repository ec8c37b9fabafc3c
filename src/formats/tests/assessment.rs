//! Assessment of entries: correct packings, packings with typing errors, figures of a wrong size, and the messages
//! about them.

use crate::support::{labels, only, read_bytes, soma, sound};
use somacat_formats::{
    Assessment, Correction, Entry, Format, PackingFault, PublishedPacking, Refusal, SizeHint,
    Warning, assess, check_packing, choose_set, json_line, soma_packing,
};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{PieceSet, parse_piece_lines, parse_set, parse_set_with_ranges};

/// A packing of the cube, invented for these tests.
const CUBE: &str = "/241/261/663\n/247/541/633\n/277/547/553\n";

/// Pieces V and L as a block of 7 cells, invented.
const SEVEN: &str = "/222/..2\n/1../11.\n";

/// Returns the text with two marks exchanged.
fn exchange(text: &str, one: char, other: char) -> String {
    let mark = |c| match c {
        c if c == one => other,
        c if c == other => one,
        c => c,
    };
    text.chars().map(mark).collect()
}

/// Returns an accepted entry's warnings, and true if its packing is kept.
fn warnings(entry: &Entry, set: &PieceSet) -> (Vec<Warning>, bool) {
    match assess(entry, set) {
        Assessment::Sound { packing, warnings } => (warnings, packing.is_some()),
        other => panic!("{other:?}"),
    }
}

fn warning(text: &str, set: &PieceSet) -> String {
    let (warnings, packed) = warnings(&only(text), set);
    assert!(!packed);
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    warning.to_string()
}

fn refusal(entry: &Entry, set: &PieceSet) -> Refusal {
    match assess(entry, set) {
        Assessment::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_correct_packing_is_kept() {
    let set = PieceSet::soma(1);
    let Assessment::Sound { packing: Some(packing), warnings } = assess(&only(CUBE), &set) else {
        panic!();
    };
    assert_eq!(warnings, []);
    let names: String = packing.pieces.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, "VLTZABP");
    let mut cells: Vec<_> = packing.pieces.iter().flat_map(|(_, cells)| cells.clone()).collect();
    cells.sort_unstable();
    assert_eq!(cells, only(CUBE).figure.cells());
    for (name, cells) in &packing.pieces {
        assert!(PieceSet::standard_piece(*name).unwrap().has_shape(cells), "{name}");
    }
    let letters: String = CUBE
        .chars()
        .map(|c| c.to_digit(10).map_or(c, |d| char::from(b" VLTZABP"[d as usize])))
        .collect();
    assert_eq!(check_packing(&only(&letters), &set), Ok(packing));
    // Cells without marks need no packing.
    let plain = CUBE.replace(|c: char| c.is_ascii_digit(), "1");
    assert_eq!(assess(&only(&plain), &set), Assessment::Sound { packing: None, warnings: vec![] });
    assert_eq!(check_packing(&only(&plain), &set), Err(PackingFault::NoClaim));
}

#[test]
fn a_wrong_packing_names_piece_row_and_correction() {
    let set = PieceSet::soma(1);
    // Comments between the rows and empty rows above them make line and row numbers differ.
    let typo = "/SOMA7\n; a title\n/.../.../...\n/241/261/663\n;\n/243/541/633\n/277/547/553\n";
    assert_eq!(
        warning(typo, &set),
        "not a packing: piece 3 (T) has 5 cells, not 4 (rows 2–4, lines 4–7); piece 7 (P) has 3 \
         cells, not 4 (row 4, line 7); write 7 instead of 3 in line 6 (row 3, group 1, mark 3)"
    );
    assert_eq!(
        warning(&exchange(CUBE, '5', '6'), &set),
        "copied from a mirror image; exchange 5 and 6 (A and B)"
    );
    assert_eq!(
        warning(&exchange(CUBE, '2', '4'), &set),
        "not a packing: piece 2 (L) has the shape of Z (rows 1–3, lines 1–3); piece 4 (Z) has the \
         shape of L (rows 1–3, lines 1–3); exchange 2 and 4"
    );
    assert_eq!(
        warning(&CUBE.replace('1', "9"), &set),
        "not a packing: the mark 9 (3 cells, rows 1–2, lines 1–2) is not a piece of the set; piece \
         V is missing; correct these marks, or give all cells one mark"
    );
}

#[test]
fn pieces_of_a_set_may_be_missing_or_occur_too_often() {
    let set = PieceSet::soma(1);
    let fault = |text: &str| check_packing(&only(text), &set).unwrap_err().to_string();
    assert_eq!(
        fault(&CUBE.replacen('1', ".", 1)),
        "26 cells; SOMA fills 27: piece 1 (V) has 2 cells, not 3 (rows 1–2, lines 1–2)"
    );
    assert_eq!(fault(SEVEN), "7 cells; SOMA fills 27: pieces T, Z, A, B and P are missing");
    assert_eq!(fault(&CUBE.replace('4', ".")), "23 cells; SOMA fills 27: piece Z is missing");
    let double = |text: &str| check_packing(&only(text), &PieceSet::soma(2)).unwrap_err();
    assert_eq!(
        double(&CUBE.replace('7', ".")).to_string(),
        "23 cells; 2xSOMA fills 54: pieces V, L, T, Z, A and B occur once, not twice; piece P is \
         missing twice"
    );
}

/// Applies a correction as a person reads it: by line, group and mark.
fn correct(text: &str, correction: &Correction) -> String {
    let (changes, _) = match correction {
        Correction::Exchange { one, other } => return exchange(text, *one, *other),
        Correction::Rewrite { changes, others } => (changes, others),
    };
    let mut lines: Vec<Vec<Vec<char>>> = text
        .lines()
        .map(|line| line.split('/').skip(1).map(|group| group.chars().collect()).collect())
        .collect();
    for change in changes {
        let square = &mut lines[change.at.line - 1][change.at.layer - 1][change.at.mark - 1];
        assert_eq!(*square, change.from.unwrap_or('.'));
        *square = change.to.unwrap_or('.');
    }
    let row = |line: &Vec<Vec<char>>| {
        line.iter()
            .map(|group| format!("/{}", group.iter().collect::<String>()))
            .collect::<String>()
    };
    lines.iter().map(|line| row(line) + "\n").collect()
}

/// Tries every typing error in a packing that keeps the figure. Either one mark is replaced, or two marks are exchanged
/// in two places or everywhere.
///
/// The proposed correction works and changes no more than the error did.
#[test]
fn every_small_error_has_a_correction_that_works() {
    let set = PieceSet::soma(1);
    let marks: Vec<usize> =
        CUBE.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let mut texts: Vec<(String, usize)> = Vec::new();
    let with = |changes: &[(usize, u8)]| {
        let mut bytes = CUBE.as_bytes().to_vec();
        changes.iter().for_each(|&(at, mark)| bytes[at] = mark);
        String::from_utf8(bytes).unwrap()
    };
    let mark = |at: usize| CUBE.as_bytes()[at];
    for &at in &marks {
        texts.extend((b'1'..=b'7').map(|new| (with(&[(at, new)]), 1)));
        texts.extend(marks.iter().map(|&other| (with(&[(at, mark(other)), (other, mark(at))]), 2)));
    }
    for (one, other) in ('1'..='7').flat_map(|one| ('1'..='7').map(move |other| (one, other))) {
        texts.push((exchange(CUBE, one, other), usize::MAX));
    }
    let mut cured = 0;
    for (text, most) in texts {
        let entry = only(&text);
        let (warnings, packed) = warnings(&entry, &set);
        match warnings.as_slice() {
            [] => assert!(packed, "{text}"),
            [Warning::Packing { fault: PackingFault::Mirrored { pairs }, .. }] => {
                assert_eq!(*pairs, [('A', 'B')]);
                assert!(warnings_of(&exchange(&text, '5', '6'), &set).is_empty(), "{text}");
            }
            [Warning::Packing { line, correction: Some(correction), .. }] => {
                assert!(
                    warnings_of(&correct(&text, correction), &set).is_empty(),
                    "{text}{correction}"
                );
                if let Correction::Rewrite { changes, .. } = correction {
                    assert!(changes.len() <= most, "{text}{correction}");
                    assert_eq!(Some(*line), correction.line());
                }
                cured += 1;
            }
            other => panic!("{text}{other:?}"),
        }
    }
    assert!(cured > 500, "{cured}");
}

fn warnings_of(text: &str, set: &PieceSet) -> Vec<Warning> {
    warnings(&only(text), set).0
}

/// A missing or extra cell changes the figure, so it is refused. The message has the correction if there is only
/// one.
#[test]
fn cells_too_many_or_too_few_are_named_with_their_piece() {
    let set = PieceSet::soma(1);
    let (mut filled, mut emptied) = (0, 0);
    for (at, c) in CUBE.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        let mut text = CUBE.to_owned();
        text.replace_range(at..=at, ".");
        let entry = only(&text);
        let refused = refusal(&entry, &set);
        let Refusal::CellCount {
            cells: 26,
            expected: 27,
            hint: SizeHint::Pieces { faults, correction },
            ..
        } = refused
        else {
            panic!("{text}{refused}");
        };
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].to_string().starts_with(&format!("piece {c} (")), "{}", faults[0]);
        if let Some(correction) = correction {
            // The box of the figure has only one empty square, unless a whole side is missing.
            assert!(
                warnings_of(&correct(&text, &correction), &set).is_empty(),
                "{text}{correction}"
            );
            filled += 1;
        }
    }
    assert!(filled > 20, "{filled}");
    // One extra cell at a corner of the cube.
    for mark in '1'..='7' {
        let text = CUBE.replacen("/663\n", &format!("/663/{mark}..\n"), 1);
        let text = text.replace("633\n", "633/...\n").replace("553\n", "553/...\n");
        let refused = refusal(&only(&text), &set);
        let Refusal::CellCount { hint: SizeHint::Pieces { correction, .. }, .. } = refused else {
            panic!("{text}{refused}");
        };
        if let Some(correction) = correction {
            assert!(
                warnings_of(&correct(&text, &correction), &set).is_empty(),
                "{text}{correction}"
            );
            emptied += 1;
        }
    }
    assert_eq!(emptied, 7);
    let told = refusal(&only(&CUBE.replacen("/241", "/.41", 1)), &set).to_string();
    assert_eq!(
        told,
        "26 cells; SOMA fills 27: piece 2 (L) has 3 cells, not 4 (rows 1–3, lines 1–3); write 2 \
         instead of a dot in line 1 (row 1, group 1, mark 1)"
    );
    assert_eq!(
        refusal(&only("/111\n/111\n"), &set).to_string(),
        "6 cells; SOMA fills 27, two sets 54"
    );
    // A packing with other pieces.
    let other = "7 cells; SOMA fills 27; the marks are a packing of V L, so use --set";
    assert_eq!(refusal(&only(SEVEN), &set).to_string(), other);
}

#[test]
fn a_blank_line_inside_a_figure_is_pointed_out() {
    let set = PieceSet::soma(1);
    for header in ["", "/SOMA9 cube\n; a title\n"] {
        for (first, second) in [("\n\n", "\n"), ("\n", "\n \n\n"), ("\n\n\n", "\n\n")] {
            let rows: Vec<&str> = CUBE.lines().collect();
            let text = [header, rows[0], first, rows[1], second, rows[2], "\n"].concat();
            let entries = sound(&text);
            assert!(entries.len() > 1, "{text}");
            let mut cuts = entries.iter().map(|entry| {
                assert!(choose_set(entry) == Ok(set.clone()), "{text}");
                let refused = refusal(entry, &set);
                let Refusal::CellCount { hint: SizeHint::BlankLine(cut), .. } = refused else {
                    panic!("{text}{refused}");
                };
                cut
            });
            let cut = cuts.next().unwrap();
            assert!(cuts.all(|other| other == cut), "{text}");
            // The cure is to delete these lines, and only these.
            let lines = (1..).zip(text.lines()).filter(|(line, _)| !cut.lines.contains(line));
            let whole: String = lines.map(|(_, text)| format!("{text}\n")).collect();
            assert_eq!(only(&whole).figure.len(), cut.cells, "{text}");
            assert!(warnings_of(&whole, &set).is_empty());
        }
    }
    let (entries, _) = soma("/SOMA1\n/241/261/663\n/247/541/633\n\n/277/547/553\n\n/SOMA2\n/11\n");
    assert_eq!(labels(&entries), ["SOMA1", "line 5", "SOMA2"]);
    assert_eq!(
        refusal(&entries[1], &set).to_string(),
        "9 cells; SOMA fills 27: a blank line ends a figure; without the one in line 4 it has 27 \
         cells"
    );
    assert_eq!(entries[2].blank_line, None);
    // Small figures below each other are correct: packings, other layouts, headers between them.
    let several =
        format!("{SEVEN}\n{SEVEN}\n/111/444/777\n/1../4../7..\n\n/11\n/1.\n\n/SOMA\n/111\n");
    assert!(sound(&several).iter().all(|entry| entry.blank_line.is_none()));
}

#[test]
fn the_set_is_chosen_by_size_and_marks() {
    let chosen = |text: &str| choose_set(&only(text)).map(|set| set.name().to_owned());
    let name = |name: &str| Ok(name.to_owned());
    assert_eq!(chosen(SEVEN), name("V L"));
    assert_eq!(chosen(CUBE), name("SOMA"));
    assert_eq!(chosen(&CUBE.replacen('1', ".", 1)), name("SOMA"));
    // Eleven cells of three pieces, one with two cells of another piece.
    assert_eq!(chosen("/1133/1333/4444\n"), name("V T Z"));
    assert_eq!(chosen("/1333/1333/.441\n"), name("V T Z"));
    let unmarked = choose_set(&only("/xx/xx\n/xx/xx")).unwrap_err();
    assert_eq!(
        unmarked.to_string(),
        "8 cells; SOMA fills 27, two sets 54, SOMA+plus 40, and the marks name no other pieces; choose \
         a set with --set"
    );
    let entry = only(SEVEN);
    assert!(check_packing(&entry, &choose_set(&entry).unwrap()).is_ok());
    let own = parse_piece_lines("mine", "X*2: 0,0,0 1,0,0\nY: 0,0,0 1,0,0 2,0,0").unwrap();
    // Of a range, any number is a packing's.
    let ranges = |text: &str| parse_set_with_ranges(text).unwrap();
    assert!(check_packing(&entry, &ranges("V0..2 L0..2 D0..1")).is_ok());
    let fault = check_packing(&entry, &ranges("V2..3 L0..2")).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "these are not the pieces of V2..3 L0..2: piece V occurs once, not twice"
    );
    let entry = only("/SOMA1\n/YYY\n/XXX\n/..X");
    assert_eq!(entry.claim, None, "only known letters claim to be pieces");
    assert_eq!(own.total_cells(), 7);
}

#[test]
fn equal_pieces_are_told_apart() {
    // Two adjacent cubes, the second with the same digits: 2x4 equal cells each.
    let rows = CUBE.lines().map(|row| {
        row.split('/').skip(1).map(|group| format!("/{group}{group}")).collect::<String>()
    });
    let text: String = rows.map(|row| row + "\n").collect();
    let entry = only(&text);
    let set = choose_set(&entry).unwrap();
    assert_eq!(set.name(), "2xSOMA");
    let packing = check_packing(&entry, &set).unwrap();
    assert_eq!(packing.pieces.len(), 14);
    for (name, cells) in &packing.pieces {
        assert!(PieceSet::standard_piece(*name).unwrap().has_shape(cells), "{name} {cells:?}");
    }
    assert_eq!(
        warning(&text.replacen('1', "7", 1), &set),
        "not a packing: piece 1 (V) has 5 cells, not a multiple of 3 (rows 1–2, lines 1–2); piece 7 \
         (P) has 9 cells, not a multiple of 4 (rows 1–3, lines 1–3); correct these marks, or give all \
         cells one mark"
    );
}

#[test]
fn hopeless_splits_terminate() {
    // 32 x 32 cells marked 5: a flat plate cannot contain an A; a thick one may contain many.
    let plate = format!("/1{}\n", "5".repeat(31)) + &format!("/{}\n", "5".repeat(32)).repeat(31);
    let thick = format!("/V{}/{}\n", "7".repeat(15), "7".repeat(16))
        + &format!("/{0}/{0}\n", "7".repeat(16)).repeat(31);
    // Within the limits of the search for corrections.
    let small = "/1333333333333331\n".repeat(8);
    for text in [&plate, &thick, &small] {
        let entry = only(text);
        assert!(check_packing(&entry, &PieceSet::soma(1)).is_err());
        let set = parse_set("V8 L26").unwrap();
        assert!(matches!(assess(&entry, &set), Assessment::Sound { .. } | Assessment::Refused(_)));
    }
}

#[test]
fn pieces_in_place_that_do_not_fit_are_a_warning() {
    let set = PieceSet::soma(1);
    let placed = |text: &str| {
        let (warnings, _) = warnings(&only(text), &set);
        warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let cube = |first: &str| format!("/{first}/***/***\n/***/***/***\n/***/***/***\n");
    assert_eq!(placed(&cube("***")), Vec::<String>::new());
    let tee = "/333/***/***\n/*3*/***/***\n/***/***/***\n";
    assert_eq!(
        placed(tee),
        [
            "the pieces in place (3) are ignored: a catalog counts the whole figure; `somacat count` \
          counts the free cells"
        ]
    );
    assert_eq!(
        placed(&tee.replace("*3*", "3**")),
        ["the pieces in place do not fit SOMA: piece 3 (T) has an unknown shape (rows 1–2, \
          lines 1–2)"]
    );
    assert_eq!(
        placed("/333/***/TTT\n/*3*/***/*T*\n/***/***/***\n"),
        ["the pieces in place do not fit SOMA: piece T occurs twice, not once"]
    );
    assert_eq!(
        placed(&cube("999")),
        [
            "the pieces in place do not fit SOMA: the mark 9 (3 cells, row 1, line 1) is not a piece of \
          the set"
        ]
    );
}

#[test]
fn a_mirror_image_with_a_set_that_lacks_its_pieces_cannot_be_corrected_by_exchange() {
    // Two pieces B, marked as A.
    let b = PieceSet::standard_piece('B').unwrap().cells().to_vec();
    let beside = b.iter().map(|&cell| cell + Cell::new(3, 0, 0)).collect();
    let text = soma_packing(None, None, &vec![('5', b), ('A', beside)]).unwrap();
    assert_eq!(
        warning(&text, &parse_set("A2").unwrap()),
        "copied from a mirror image; the set does not have the mirrored pieces"
    );
    assert_eq!(
        warning(&text, &parse_set("A B").unwrap()),
        "not a packing: piece 5 (A) has the shape of B (rows 1–2, lines 2–3); piece A has the shape \
         of B (rows 1–2, lines 2–3); piece B is missing; correct these marks, or give all cells one \
         mark"
    );
}

/// Four figures of "The 48 Symmetries of SOMA". The article is by Bob Nungester, SOMA News, 30 November 1999.
const NUNGESTER: &str = r#"
"8 Symmetry"
    /SOMA8symmetry
    /...../..22./.....
    /..7../6772./..3..
    /.333./66722/.633.
    /..3../.1222/..3..
    /...../.11../.....

"8 symmetry" (solvable as a 2-set partial figure)
    /SOMA8aSymmetry
    /...../1..11/.....
    /..1../1111./..1..
    /.111./.111./.111.
    /..1../.1111/..1..
    /...../11..1/.....

"16symmetry"
    /SOMA16symmetry
    /.1./.1./111/.1./.1.
    /1.1/111/111/111/1.1
    /.1./.1./111/.1./.1.

The last figure;
"16 Symmetry Double" is solvable with a double set.
    /SOMA16aSymmetryDouble
    /...../...../...../22255/...../...../.....
    /...../..4../.445./24153/.117./..7../.....
    /..3../.333./.446./44.33/.677./.777./..7..
    /...../..6../.166./21153/.665./..6../.....
    /...../...../...../22255/...../...../.....

- submitted by Bob Nungester.
"#;

#[test]
fn the_article_on_48_symmetries() {
    let entries = sound(NUNGESTER);
    let names = ["SOMA8symmetry", "SOMA8aSymmetry", "SOMA16symmetry", "SOMA16aSymmetryDouble"];
    assert_eq!(labels(&entries), names);
    assert_eq!(entries.iter().map(|e| e.figure.len()).collect::<Vec<_>>(), [27, 27, 27, 54]);
    let orders: Vec<u32> =
        entries.iter().map(|e| e.figure.canonical().group.order() as u32).collect();
    assert_eq!(orders, [8, 8, 16, 16]);
    assert!(check_packing(&entries[3], &PieceSet::soma(2)).is_ok());
    let (warnings, _) = warnings(&entries[0], &PieceSet::soma(1));
    assert_eq!(warnings[0].kind(), "other-pieces");
    assert_eq!(
        warnings[0].to_string(),
        "these are not the pieces of SOMA: pieces L and T occur twice, not once; pieces Z and A are \
         missing"
    );
}

/// Packings with each kind of name: equal pieces that touch, `O` and `X`, which may be free cells, pieces that SOMA+plus
/// does not have, and one kind of piece.
const DIVIDED: [(&str, &str); 8] = [
    ("V2", "/1VV\n/11V\n"),
    ("V2", "/11V\n/1VV\n"),
    ("D2", "/DD\n/dd\n"),
    ("V2 D3", "/DDV/11V\n/ddV/1ⒹⒹ\n"),
    ("tetracubes", "/8888/OO55\n/4452/OO52\n/7442/3336\n/7762/7366\n"),
    (
        "pentominoes",
        "/88888/XYYYY/FFY22\n/XW771/X7771/XFF21\n/UW3NN/XW333/UF321\n/UNNN4/UW444/UW421\n",
    ),
    ("slothouber", "/OOⓄ/OOⓄ/moo\n/ooⓄ/ⓄMⓄ/Ⓞoo\n/ooⓂ/ⓄOO/ⓄOO\n"),
    ("diabolical", "/OOW/OOW/DDW\n/22W/22W/222\n/UUW/U11/UU1\n"),
];

fn pieces_of(entry: &Entry, set: &PieceSet) -> Vec<(char, Vec<Cell>)> {
    let Assessment::Sound { packing: Some(packing), warnings } = assess(entry, set) else {
        panic!("{:?}", assess(entry, set))
    };
    assert_eq!((warnings, entry.placed_with(set)), (vec![], None));
    let mut pieces = packing.pieces;
    pieces.sort();
    pieces
}

#[test]
fn packings_keep_their_division_in_json_and_in_catalogs() {
    for (name, text) in DIVIDED {
        let set = parse_set(name).unwrap();
        let entry = only(text);
        let pieces = pieces_of(&entry, &set);
        let json = json_line(None, [None; 3], &entry.figure, &pieces);
        let (read, faults) = read_bytes(json.as_bytes(), Some(Format::Json));
        assert_eq!((faults, pieces_of(&read[0], &set)), (vec![], pieces.clone()), "{json}");
        let letters = PublishedPacking { pieces: pieces.clone() }.letters();
        let mut kept =
            PublishedPacking::from_letters(&entry.figure, &letters, &set).unwrap().pieces;
        kept.sort();
        assert_eq!(kept, pieces, "{letters}");
        // Each copy has its own number, and nothing else.
        for other in [letters.replace('1', "x"), letters.replace('1', "7"), letters.clone() + " "] {
            let packing = PublishedPacking::from_letters(&entry.figure, &other, &set);
            assert!(packing.is_none() || other == letters, "{other}");
        }
    }
}
