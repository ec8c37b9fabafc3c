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
