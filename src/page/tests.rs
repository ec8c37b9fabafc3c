//! Requests and their answers. The browser test (`tests/browser/page.mjs`) compares many figures with the program.

use crate::session::Session;
use serde_json::{Value, json};
use somacat_geometry::outcome::{Reason, Verdict};
use somacat_geometry::spelling::Spelling;

fn call(session: &mut Session, request: &Value, file: &str) -> Value {
    let answer = session.answer(format!("{request}\n{file}").as_bytes());
    serde_json::from_str(&answer).unwrap()
}

#[test]
fn a_file_is_read_counted_and_solved() {
    let mut session = Session::default();
    let text = "cube: 333 333 333\nbar: 9 9 9\nagain: 333 333 333\nbroken: 3?3\n";
    let read = call(&mut session, &json!({"call": "read", "name": "three.txt"}), text);
    assert_eq!(read["figures"].as_array().unwrap().len(), 3, "{read}");
    assert_eq!((&read["refused"], &read["file"]), (&json!(1), &json!(0)));
    assert_eq!(read["figures"][0]["signature"], read["figures"][2]["signature"]);
    assert_eq!(
        read["figures"][0]["soma"],
        "/SOMA cube\n/111/111/111\n/111/111/111\n/111/111/111\n\n"
    );

    let request = json!({"call": "count", "file": 0, "figures": [0, 1], "nodes": 1_000_000});
    let counted = call(&mut session, &request, "");
    assert_eq!((&counted[0]["raw"], &counted[0]["unique"]), (&json!("11520"), &json!("240")));
    assert_eq!(counted[1]["reason"], Reason::NoFit.word(), "{counted}");
    let row = counted[0]["csv"].as_str().unwrap();
    assert!(row.starts_with("cube,27,s1-3x3x3-zzzzz3,Oh,48,1,counted,,11520,480,240,"), "{row}");
    assert!(row.ends_with(",,search\n"), "{row}");
    let row: Value = serde_json::from_str(counted[0]["json"].as_str().unwrap()).unwrap();
    assert_eq!((&row["raw"], &row["micros"]), (&json!(11520), &Value::Null));

    let packings = |most: usize, nodes: u64| json!({"call": "packings", "file": 0, "figure": 0, "most": most, "nodes": nodes});
    let all = call(&mut session, &packings(1000, 1_000_000), "");
    assert_eq!(all["packings"].as_array().unwrap().len(), 240);
    assert_eq!(all["complete"], true);
    let some = call(&mut session, &packings(240, 100), "");
    assert_eq!(some["complete"], false);
    let one = call(&mut session, &packings(1, 1_000_000), "");
    assert_eq!(one["packings"][0]["pieces"].as_array().unwrap().len(), 7);

    let request = json!({"call": "places", "file": 0, "figure": 0, "nodes": 1_000_000});
    let places = call(&mut session, &request, "");
    let of_t = places["places"].as_array().unwrap().iter().filter(|place| place[0] == "T");
    let known: Vec<[&Value; 3]> = of_t.map(|place| [&place[1], &place[2], &place[3]]).collect();
    assert_eq!(
        known[..2],
        [[&json!(1), &json!(24), &json!(11520)], [&json!(2), &json!(24), &json!(0)]]
    );

    let stars = call(&mut session, &json!({"call": "difficulty", "file": 0, "figures": [0]}), "");
    assert_eq!(stars[0]["stars"], 3);
    let symmetry = call(&mut session, &json!({"call": "symmetry", "file": 0, "figure": 0}), "");
    assert_eq!(symmetry["rotations"], 24);
}

/// SOMA text keeps the marks of cells that may stay empty and of pieces in place, and is not written where it would lose
/// colors. Symmetries are those of the marked figure.
#[test]
fn text_and_symmetries_of_marked_figures_are_those_of_the_problem() {
    let mut session = Session::default();
    let mut read = |text: &str| call(&mut session, &json!({"call": "read", "name": "f"}), text);
    for text in [
        "/SOMA gap\n/*****/~***~\n\n",
        "/SOMA place\n/11*/1**/***\n\n",
        "/SOMA both\n/LLL~/L***\n\n",
        "/SOMA plain\n/11111/11111\n\n",
    ] {
        let first = read(text);
        assert_eq!(first["figures"][0]["soma"], text, "{first}");
    }
    assert_eq!(read("col: 0,0,0=1 1,0,0=2 0,1,0\n")["figures"][0]["soma"], "");
    let symmetry = call(&mut session, &json!({"call": "symmetry", "file": 0, "figure": 0}), "");
    assert_eq!((&symmetry["rotations"], &symmetry["inversion"]), (&json!(2), &json!(false)));
    let symmetry = call(&mut session, &json!({"call": "symmetry", "file": 4, "figure": 0}), "");
    assert_eq!(symmetry["rotations"], 1);
    // Also if every cell may stay empty now.
    call(&mut session, &json!({"call": "choose", "set": "", "gaps": true}), "");
    let gap =
        call(&mut session, &json!({"call": "read", "name": "f"}), "/SOMA gap\n/*****/~***~\n\n");
    assert_eq!(gap["figures"][0]["soma"], "/SOMA gap\n/*****/~***~\n\n");
    assert_eq!(gap["figures"][0]["marked"], "cells that may stay empty (~)");
    let ambiguous = json!({"call": "read", "name": "f"});
    let refused = call(&mut session, &ambiguous, "0 0 0\n1 0 0\n2 0 0\n2 1 0\n");
    assert!(refused["error"].as_str().unwrap().starts_with("it can be read in several ways"));
}

#[test]
fn pieces_are_chosen_by_name_file_and_mark() {
    let mut session = Session::default();
    let choose = |set: &str, gaps: bool| json!({"call": "choose", "set": set, "gaps": gaps});
    assert_eq!(call(&mut session, &choose("2xSOMA", false), "")["cells"], 54);
    assert_eq!(call(&mut session, &choose("bedlam", false), "")["cells"], 64);
    assert!(call(&mut session, &choose("nothing", false), "")["error"].is_string());
    let own = call(&mut session, &choose("mine.txt", false), "X*4: 0,0,0 1,0,0\n");
    assert_eq!((&own["name"], &own["cells"]), (&json!("mine"), &json!(8)), "{own}");
    let raw = |session: &mut Session, text: &str| {
        let file = &call(session, &json!({"call": "read", "name": "a"}), text)["file"];
        let count = json!({"call": "count", "file": file, "figures": [0], "nodes": null});
        call(session, &count, "")[0].clone()
    };
    // Nine ways to fill a cube of side two with dominoes; with gaps, dominoes lie in a bar of nine in five ways.
    assert_eq!(raw(&mut session, "22 22\n")["raw"], "9");
    assert_eq!(raw(&mut session, "9 0\n")["verdict"], Verdict::Unsolvable.word());
    call(&mut session, &choose("mine.txt", true), "X*4: 0,0,0 1,0,0\n");
    assert_eq!(raw(&mut session, "9 0\n")["raw"], "5");
    // Pieces in place are obeyed.
    call(&mut session, &choose("", false), "");
    let placed = raw(&mut session, "/SOMA1\n/VV*/***/***\n/*V*/***/***\n/***/***/***\n");
    assert_eq!(placed["verdict"], Verdict::Counted.word(), "{placed}");
    assert_ne!(placed["raw"], "11520");
}

/// Opens a figure, with SOMA.
fn opened(text: &str) -> Session {
    let mut session = Session::default();
    assert_eq!(call(&mut session, &json!({"call": "read", "name": "a"}), text)["file"], 0);
    session
}

/// Asks about the figure that is open.
fn about(session: &mut Session, request: &str, more: &Value) -> Value {
    let mut asked = json!({"call": request, "file": 0, "figure": 0, "nodes": 1_000_000});
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    call(session, &asked, "")
}

/// The cells of a placement in the cube, as positions.
fn in_cube(cells: &[[usize; 3]]) -> Vec<usize> {
    cells.iter().map(|[x, y, z]| 9 * x + 3 * y + z).collect()
}

#[test]
fn hints_complete_what_is_in_place() {
    let mut cube = opened("333 333 333");
    let asked = json!({"call": "puzzle", "file": 0, "figure": 0});
    let puzzle = call(&mut cube, &asked, "");
    let places = puzzle["places"].as_array().unwrap();
    let numbers: Vec<usize> = places.iter().map(|of| of.as_array().unwrap().len()).collect();
    assert_eq!(numbers, [144, 144, 72, 72, 96, 96, 64]);
    // From every place of T along an edge, which every packing has one of, and from the empty cube.
    let edge = in_cube(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 0, 0]]);
    for first in [vec![], vec![json!([2, edge])]] {
        let mut placed = first.clone();
        while placed.len() < 7 {
            let hint = about(&mut cube, "hint", &json!({"placed": placed}));
            assert_eq!(hint["decided"], true);
            placed.push(hint["next"].clone());
        }
        assert_eq!(about(&mut cube, "hint", &json!({"placed": placed}))["complete"], true);
        let covered = placed.iter().flat_map(|one| one[1].as_array().unwrap().clone());
        let mut covered: Vec<u64> = covered.map(|cell| cell.as_u64().unwrap()).collect();
        covered.sort_unstable();
        assert_eq!(covered, (0..27).collect::<Vec<_>>());
        let mut pieces: Vec<u64> = placed.iter().map(|one| one[0].as_u64().unwrap()).collect();
        assert_eq!(placed[..first.len()], first);
        pieces.sort_unstable();
        assert_eq!(pieces, [0, 1, 2, 3, 4, 5, 6]);
    }
    let ways = about(&mut cube, "ways", &json!({"placed": [[2, edge]]}));
    assert_eq!((&ways["raw"], &ways["exact"]), (&json!("480"), &json!(true)));
}

/// L in a place of some packing of the cube, far from the others.
fn good_l() -> Value {
    json!([1, in_cube(&[[0, 2, 2], [1, 2, 2], [2, 2, 2], [2, 1, 2]])])
}

#[test]
fn a_piece_that_leaves_no_way_is_named() {
    let mut cube = opened("333 333 333");
    // T never has the center of the cube.
    let center = json!([2, in_cube(&[[0, 1, 1], [1, 1, 1], [1, 2, 1], [2, 1, 1]])]);
    let good = json!([0, in_cube(&[[0, 0, 0], [1, 0, 0], [1, 1, 0]])]);
    for (placed, back) in [(vec![&center], 0), (vec![&center, &good], 0), (vec![&good, &center], 1)]
    {
        let hint = about(&mut cube, "hint", &json!({"placed": placed}));
        assert_eq!((&hint["next"], &hint["back"]), (&Value::Null, &json!(back)), "{placed:?}");
        let ways = about(&mut cube, "ways", &json!({"placed": placed}));
        assert_eq!((&ways["raw"], &ways["back"]), (&json!("0"), &json!(back)));
    }
    // If two pieces are wrong, the first of them is named. V never has two white cells.
    let corner = json!([0, in_cube(&[[0, 0, 0], [1, 0, 0], [0, 1, 0]])]);
    let both = about(&mut cube, "hint", &json!({"placed": [good_l(), corner, center]}));
    assert_eq!(both["back"], 1, "{both}");
    // Pieces that are none, or are not in the set.
    for piece in [json!([1, [0, 1, 2, 4]]), json!([9, [0, 1, 2]]), json!([0, [0, 1, 27]])] {
        let wrong = about(&mut cube, "hint", &json!({"placed": [piece]}));
        assert!(wrong["error"].is_string(), "{piece}: {wrong}");
    }
    // Without nodes nothing is said.
    let asked = json!({"call": "hint", "file": 0, "figure": 0, "nodes": 0, "placed": [center]});
    let undecided = call(&mut cube, &asked, "");
    assert_eq!((&undecided["decided"], &undecided["back"]), (&json!(false), &Value::Null));
}

#[test]
fn a_packing_is_found_among_its_images() {
    let mut cube = opened("333 333 333");
    let listed = about(&mut cube, "packings", &json!({"most": 1000}));
    let in_place = |pieces: &Value, image: fn([usize; 3]) -> [usize; 3], mirrored: bool| {
        let pieces = pieces.as_array().unwrap().iter().map(|piece| {
            let letter = match (piece[0].as_str().unwrap(), mirrored) {
                ("A", true) => "B",
                ("B", true) => "A",
                (letter, _) => letter,
            };
            let cells = piece[1].as_array().unwrap().iter();
            let cells =
                cells.map(|cell| image([0, 1, 2].map(|at| cell[at].as_u64().unwrap() as usize)));
            let mut cells = in_cube(&cells.collect::<Vec<_>>());
            cells.sort_unstable();
            json!(["VLTZABP".find(letter), cells])
        });
        pieces.collect::<Vec<Value>>()
    };
    let packings = listed["packings"].as_array().unwrap();
    let all: Vec<_> =
        packings.iter().map(|one| in_place(&one["pieces"], |cell| cell, false)).collect();
    for at in [0, 56, 239] {
        // A reflection exchanges A and B.
        let other = in_place(&packings[at]["pieces"], |[x, y, z]| [2 - x, y, z], true);
        for placed in [&all[at], &other] {
            let request =
                json!({"call": "same", "file": 0, "figure": 0, "placed": placed, "packings": all});
            assert_eq!(call(&mut cube, &request, ""), json!(at));
        }
    }
}

#[test]
fn a_figure_that_cannot_be_built_has_a_reason() {
    let why = |text: &str| about(&mut opened(text), "why", &json!({}));
    let cross = why("s1-3x5x5-041je1tzbge9g40");
    assert_eq!(
        (cross["reason"].as_str().unwrap(), cross["words"].as_str().unwrap()),
        (
            Reason::Parity.word(),
            "Color the cells like a checkerboard: 10 are black and 17 white, a difference of 7. Wherever they lie, T and P \
             each cover 2 more cells of one color than of the other; V 1 more; L, Z, A and B as many cells of each color. \
             Together they reach a difference of 1, 3 or 5, not of 7."
        )
    );
    let wall = why("s1-3x5x5-00w00w0yz0e0zf0");
    assert_eq!(wall["reason"], "marks");
    assert!(
        wall["words"].as_str().unwrap().starts_with("Mark 10 cells. V covers at most 1, L 2,"),
        "{wall}"
    );
    assert_eq!(wall["marks"].as_array().unwrap().iter().filter_map(Value::as_i64).sum::<i64>(), 10);
    let tried = why("s1-2x2x9-eqvxeqv1");
    assert!(
        ["marks", Reason::Exhausted.word()].contains(&tried["reason"].as_str().unwrap()),
        "{tried}"
    );
    assert_eq!(why("9 9 9")["reason"], "marks", "P does not lie in a plane");
    assert_eq!(why("333 333 332")["reason"], Reason::Size.word());
    assert_eq!(why("333 333 333"), Value::Null);
}

#[test]
fn axes_and_mirrors_are_listed() {
    let symmetry = |text: &str| about(&mut opened(text), "symmetry", &json!({}));
    let cube =
        call(&mut opened("333 333 333"), &json!({"call": "symmetry", "file": 0, "figure": 0}), "");
    let axes = cube["axes"].as_array().unwrap();
    let with = |turns: u64| axes.iter().filter(|axis| axis["turns"] == turns).count();
    assert_eq!([2, 3, 4].map(with), [6, 4, 3]);
    let mirrors = cube["mirrors"].as_array().unwrap();
    assert_eq!((mirrors.len(), &cube["inversion"]), (9, &json!(true)));
    assert!(symmetry("333")["error"].is_string(), "a limit is no part of the request");
}

#[test]
fn a_request_that_makes_no_sense_is_an_error() {
    let mut session = Session::default();
    for request in
        ["", "{", "{\"call\": \"dance\"}", "{\"call\": \"symmetry\", \"file\": 0, \"figure\": 0}"]
    {
        let answer: Value = serde_json::from_str(&session.answer(request.as_bytes())).unwrap();
        assert!(answer["error"].is_string(), "{request}: {answer}");
    }
}

#[test]
fn the_map_leads_from_each_packing_to_others_and_back() {
    let mut session = Session::default();
    call(&mut session, &json!({"call": "read", "name": "cube"}), "cube: 333 333 333\n9 9 9\n");
    let map = |figure: usize, most: usize| json!({"call": "map", "file": 0, "figure": figure, "most": most, "nodes": 1_000_000});
    let whole = call(&mut session, &map(0, 1000), "");
    // The numbers of Conway and Guy's map: one packing is joined to no other.
    assert_eq!((&whole["packings"], &whole["components"]), (&json!(240), &json!([239, 1])));
    assert_eq!(whole["diameter"], 8);
    let moves = whole["moves"].as_array().unwrap();
    let to = |from: usize| {
        moves[from].as_array().unwrap().iter().map(|step| step[0].as_u64().unwrap() as usize)
    };
    let joined =
        moves.len() == 240 && (0..240).all(|at| to(at).all(|other| to(other).any(|b| b == at)));
    assert!(joined, "{whole}");
    assert_eq!((0..240).filter(|&at| to(at).count() == 0).count(), 1);
    let pairs: usize =
        (0..240).map(|at| to(at).collect::<std::collections::BTreeSet<_>>().len()).sum();
    let edges = |name: &str| whole[name].as_u64().unwrap() as usize;
    assert_eq!(pairs, 2 * (edges("edges_2") + edges("edges_3")));

    // The moves lead to numbers of the list of packings.
    let request =
        json!({"call": "packings", "file": 0, "figure": 0, "most": 1000, "nodes": 1_000_000});
    let listed = call(&mut session, &request, "")["packings"].clone();
    assert_eq!(listed.as_array().unwrap().len(), moves.len());

    assert_eq!(call(&mut session, &map(0, 239), "")["moves"], json!([]));
    let none = call(&mut session, &map(1, 1000), "");
    assert_eq!((&none["packings"], &none["moves"]), (&json!(0), &json!([])));
}
