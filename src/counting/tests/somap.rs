//! The codes of Conway and Guy's map, against SOMA News. It printed parts of the published map.

use somacat_counting::solve::{Limits, Problem, visit};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::somap::SomapCode;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;

type Packing = Vec<(char, Vec<Cell>)>;

fn cube() -> somacat_geometry::figure::Figure {
    somacat_geometry::figure::Figure::new((0..27).map(|n| Cell::new(n % 3, n / 3 % 3, n / 9)))
        .unwrap()
}

/// Returns all 11,520 packings of the cube, with their codes.
fn packings() -> Vec<(Packing, String)> {
    let (cube, set) = (cube(), PieceSet::soma(1));
    let mut all = Vec::new();
    visit(&Problem::new(&cube, &set), Limits::default(), &mut |packing| {
        let name = |piece: usize| set.pieces()[piece].0.letter();
        let packing: Packing = packing.iter().map(|p| (name(p.piece), p.cells.clone())).collect();
        let code = SomapCode::of(&packing).unwrap().to_string();
        all.push((packing, code));
        ControlFlow::Continue(())
    })
    .unwrap();
    all
}

/// Returns the rows of a packing's nine layers in color letters. The layers are seen from three sides and in all eight
/// positions.
fn layers(packing: &Packing) -> BTreeSet<String> {
    let color = |cell: [i32; 3]| {
        let owner = packing.iter().find(|(_, cells)| cells.iter().any(|c| c.to_array() == cell));
        let at = "VLTZABP".find(owner.unwrap().0).unwrap();
        char::from(b"BYGOURA"[at])
    };
    let mut found = BTreeSet::new();
    for (axis, depth, position) in
        (0..3).flat_map(|axis| (0..3).flat_map(move |z| (0..8).map(move |p| (axis, z, p))))
    {
        let flip = |at: i32, bit: i32| if position & bit > 0 { 2 - at } else { at };
        let cell = |row: i32, column: i32| {
            let (row, column) = if position & 4 > 0 { (column, row) } else { (row, column) };
            let mut cell = [flip(row, 1), flip(column, 2), depth];
            cell.rotate_right(axis);
            cell
        };
        found.insert((0..9).map(|n| color(cell(n / 3, n % 3))).collect());
    }
    found
}

#[test]
fn the_first_six_packings_of_the_published_list_are_those_of_their_code() {
    // SOMA News, 11 July 2017: a layer of each of A0a … A0f.
    let published = ["YYRYRRYUU", "YYRYRRYUU", "YYBYRBYRR", "BBRORROUU", "BBRARROUU", "GORGRRGUU"];
    let of_code: Vec<Packing> =
        packings().into_iter().filter(|(_, code)| code == "A0").map(|(one, _)| one).collect();
    assert_eq!(of_code.len(), 6 * 24, "six, each in 24 positions");
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for layer in published {
        *known.entry(layer).or_default() += 24;
    }
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for packing in &of_code {
        let layers = layers(packing);
        let layer: Vec<&str> = known.keys().copied().filter(|l| layers.contains(*l)).collect();
        assert_eq!(layer.len(), 1, "{packing:?}");
        *found.entry(layer[0]).or_default() += 1;
    }
    assert_eq!(found, known);
}

/// SOMA News has the rings of moves: yellow and green, green and orange, orange and yellow.
#[test]
fn moves_of_two_flat_pieces_lead_from_code_to_code_as_published() {
    let all = packings();
    let mut without: HashMap<(String, Vec<Vec<Cell>>), Vec<usize>> = HashMap::new();
    let key = |packing: &Packing, moving: &str| {
        let rest = packing.iter().filter(|(piece, _)| !moving.contains(*piece));
        let mut rest: Vec<Vec<Cell>> = rest.map(|(_, cells)| cells.clone()).collect();
        rest.sort();
        (moving.to_owned(), rest)
    };
    const MOVES: [&str; 3] = ["LT", "TZ", "LZ"];
    for (at, (packing, _)) in all.iter().enumerate() {
        for moving in MOVES {
            without.entry(key(packing, moving)).or_default().push(at);
        }
    }
    let others = |at: usize, moving: &str| -> BTreeSet<&str> {
        let with_rest = &without[&key(&all[at].0, moving)];
        with_rest.iter().filter(|other| **other != at).map(|other| all[*other].1.as_str()).collect()
    };
    let joined = |ring: [&str; 3]| {
        (0..3).all(|at| {
            (0..all.len())
                .filter(|packing| all[*packing].1 == ring[at])
                .any(|packing| others(packing, MOVES[at]).contains(ring[(at + 1) % 3]))
        })
    };
    for kind in ["RU", "U", "BU", "B", "BR", "A"] {
        let ring = [2, 0, 4].map(|dexterity| format!("{kind}{dexterity}"));
        assert!(joined([&ring[0], &ring[1], &ring[2]]), "{ring:?}");
    }
    assert!(joined(["A3", "A1", "A5"]));
    // Published as R2, R0, R4.
    assert!(joined(["R3", "R1", "R5"]));
    assert!(!all.iter().any(|(_, code)| code == "R2"));
}

#[test]
fn mirror_images_exchange_red_and_blue_and_the_dexterities() {
    let mut classes: BTreeMap<BTreeSet<String>, usize> = BTreeMap::new();
    for (packing, code) in packings() {
        let mirrored = SomapCode::of_mirror_image(&packing).unwrap().to_string();
        *classes.entry([code, mirrored].into()).or_default() += 1;
    }
    // U0a … U0h are published: all packings of this class, or more than one half of it.
    assert_eq!(classes[&["R7".to_owned(), "U0".to_owned()].into()], 8 * 48);
    assert_eq!(classes.len(), 31);
    assert!(classes.keys().all(|codes| codes.len() == 2), "no packing is its own mirror image");
}
