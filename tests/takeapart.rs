//! Taking apart: known packings, interlocking ones, and every order of moves in small worlds.

use crate::support::figures::box_cells;
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use somacat_counting::takeapart::{Move, TakenApart, take_apart};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::collections::HashSet;
use std::fs;
use tempfile::TempDir;

const STEPS: [[i32; 3]; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// Returns whether a group can leave, by moving it step by step until it is beyond all pieces that stay.
fn can_leave(pieces: &[Vec<Cell>], together: u32, group: u32, step: [i32; 3]) -> bool {
    let of = |set: u32| {
        let is_in = move |(at, _): &(usize, &Vec<Cell>)| set >> at & 1 == 1;
        pieces.iter().enumerate().filter(is_in).flat_map(|(_, cells)| cells.iter().copied())
    };
    let staying: HashSet<Cell> = of(together & !group).collect();
    let [x, y, z] = step;
    let at = |cell: Cell, n: i32| cell + Cell::new(n * x, n * y, n * z);
    (1..12).all(|n| of(group).all(|cell| !staying.contains(&at(cell, n))))
}

/// Returns whether pieces come apart, by trying every group in every direction, with every continuation. With `one`,
/// only single pieces move.
fn comes_apart(pieces: &[Vec<Cell>], together: u32, one: bool) -> bool {
    if together.count_ones() < 2 {
        return true;
    }
    let groups = (1..together).filter(|group| group & !together == 0);
    groups.filter(|group| !one || group.count_ones() == 1).any(|group| {
        STEPS.iter().any(|step| can_leave(pieces, together, group, *step))
            && comes_apart(pieces, group, one)
            && comes_apart(pieces, together & !group, one)
    })
}

/// Returns whether no group at all can leave.
fn is_interlocked(pieces: &[Vec<Cell>], together: u32) -> bool {
    let mut groups = (1..together).filter(|group| group & !together == 0);
    groups.all(|group| !STEPS.iter().any(|step| can_leave(pieces, together, group, *step)))
}

const fn bit(at: usize) -> u32 {
    1 << at
}

fn bits(group: &[usize]) -> u32 {
    group.iter().map(|&at| bit(at)).sum()
}

/// Makes every move of a result. Checks that it is possible, and that the pieces end up in the groups stated.
fn replay(pieces: &[Vec<Cell>], taken: &TakenApart) {
    let mut assemblies = vec![bit(pieces.len()) - 1];
    for Move { pieces: group, direction } in &taken.moves {
        let group = bits(group);
        let from = assemblies.iter_mut().find(|together| **together & group == group);
        let together = from.expect("the pieces of a group are together");
        assert!(
            group != *together && can_leave(pieces, *together, group, direction.step().to_array())
        );
        *together &= !group;
        assemblies.push(group);
    }
    assemblies.retain(|together| together.count_ones() > 1);
    assemblies.sort_unstable();
    let mut left: Vec<u32> = taken.interlocked.iter().map(|group| bits(group)).collect();
    left.sort_unstable();
    assert_eq!(assemblies, left);
    assert!(left.iter().all(|&together| is_interlocked(pieces, together)));
}

/// Returns eight cells around an empty one. `cell` places them.
fn ring(cell: impl Fn(i32, i32) -> Cell) -> Vec<Cell> {
    let around = (0..9).map(|n| (n % 3, n / 3)).filter(|at| *at != (1, 1));
    around.map(|(a, b)| cell(a, b)).collect()
}

/// Returns two pairs of pieces. Those of a pair part only along x, where the other pair holds them; the pairs part
/// upwards.
fn two_pairs() -> Vec<Vec<Cell>> {
    let cells = |list: &[[i32; 3]]| list.iter().copied().map(Cell::from).collect::<Vec<_>>();
    let around = |z: i32| ring(|a, b| Cell::new(2, a, b + z));
    let hook = [[1, 2, 5], [1, 2, 4], [1, 3, 4], [2, 3, 4], [3, 3, 4], [3, 3, 3], [3, 2, 3]];
    vec![
        cells(&[[2, 1, 1], [1, 1, 1], [1, 1, 2], [1, 1, 3]]),
        [around(0), cells(&[[2, 2, 3]])].concat(),
        [cells(&[[2, 1, 5], [1, 1, 5]]), cells(&hook)].concat(),
        [around(4), cells(&[[1, 0, 4], [0, 0, 4], [0, 0, 3], [0, 1, 3]])].concat(),
    ]
}

/// Scatters up to five pieces in a small box. Their cells are not connected: moves do not depend on it, and such pieces
/// interlock more often.
fn random_pieces(random: &mut Random) -> Vec<Vec<Cell>> {
    let number = 3 + random.below(3);
    let sides = [2 + random.below(2), 3, 3];
    let mut pieces = vec![Vec::new(); number];
    let empty = random.below(4 * number);
    for n in 0..sides.iter().product() {
        let cell = [n / 9, n / 3 % 3, n % 3].map(|at| at as i32);
        let to = random.below(number + empty);
        if to < number {
            pieces[to].push(Cell::from(cell));
        }
    }
    pieces.retain(|cells| !cells.is_empty());
    pieces
}

#[test]
fn every_order_of_moves_in_small_worlds_agrees() {
    let mut random = Random::new(61);
    let (mut apart, mut by_groups, mut locked) = (0, 0, 0);
    for round in 0..600 {
        let mut pieces = if round < 300 { random_pieces(&mut random) } else { two_pairs() };
        if round >= 300 {
            pieces.iter_mut().for_each(|cells| cells.retain(|_| random.below(16) > 0));
        }
        let all = bit(pieces.len()) - 1;
        let taken = take_apart(&pieces);
        replay(&pieces, &taken);
        assert_eq!(taken.comes_apart(), comes_apart(&pieces, all, false), "{pieces:?}");
        assert_eq!(taken.is_one_at_a_time(), comes_apart(&pieces, all, true), "{pieces:?}");
        apart += usize::from(taken.is_one_at_a_time());
        by_groups += usize::from(taken.comes_apart() && !taken.is_one_at_a_time());
        locked += usize::from(!taken.comes_apart());
    }
    // All three kinds were met.
    assert!(apart > 50 && by_groups > 5 && locked > 20, "{apart} {by_groups} {locked}");
}

#[test]
fn a_group_moves_where_no_piece_can() {
    let pieces = two_pairs();
    let taken = take_apart(&pieces);
    replay(&pieces, &taken);
    assert!(taken.comes_apart() && !taken.is_one_at_a_time());
    assert_eq!(taken.moves[0].pieces.len(), 2);
    assert!(comes_apart(&pieces, 15, false) && !comes_apart(&pieces, 15, true));
}

#[test]
fn linked_rings_interlock() {
    let lying = ring(|a, b| Cell::new(a, b, 1));
    let upright = ring(|a, b| Cell::new(a + 1, 1, b));
    let far = |ring: &[Cell]| ring.iter().map(|&cell| cell + Cell::new(9, 0, 0)).collect();
    let pieces =
        [vec![Cell::new(0, 0, 0)], far(&lying), upright.clone(), lying.clone(), far(&upright)];
    let taken = take_apart(&pieces);
    assert_eq!(taken.interlocked, [[1, 4], [2, 3]]);
    assert_eq!(taken.moves.len(), 2, "the cell on a ring leaves, and the pairs part");
    replay(&pieces, &taken);
    assert!(take_apart(&[]).comes_apart());
    assert!(take_apart(&[vec![Cell::new(0, 0, 0)]]).moves.is_empty());
    // Many pieces: a floor of single cells.
    let floor: Vec<Vec<Cell>> = (0..300).map(|n| vec![Cell::new(n % 20, n / 20, 0)]).collect();
    assert!(take_apart(&floor).is_one_at_a_time());
}

/// Returns the least and the greatest coordinate of a piece on an axis.
fn range(piece: &[Cell], axis: usize) -> [i32; 2] {
    let at = || piece.iter().map(|cell| cell.to_array()[axis]);
    [at().min().unwrap(), at().max().unwrap()]
}

/// Returns whether a thin piece on an axis lies in the middle of a long one, or between the middles of two.
fn thin_pieces_are_in_the_middle(pieces: &[Vec<Cell>]) -> bool {
    (0..3).all(|axis| {
        let ranges = || pieces.iter().map(|piece| range(piece, axis));
        let middles = || ranges().filter(|[from, to]| to - from == 2).map(|[from, _]| from + 1);
        ranges().filter(|[from, to]| from == to).all(|[at, _]| {
            middles().min().is_some_and(|least| least <= at) && middles().max().unwrap() >= at
        })
    })
}

/// Counts the sets of disjoint placements, one of each piece, in which thin pieces are in the middle.
fn count_sets(free: &[Vec<Vec<Cell>>], pieces: &mut Vec<Vec<Cell>>) -> usize {
    let Some((placements, rest)) = free.split_first() else {
        return usize::from(thin_pieces_are_in_the_middle(pieces));
    };
    let mut number = 0;
    for placement in placements {
        if pieces.iter().flatten().all(|cell| !placement.contains(cell)) {
            pieces.push(placement.clone());
            number += count_sets(rest, pieces);
            pieces.pop();
        }
    }
    number
}

/// The proof in docs/answers.md leaves these sets of pieces and boxes. None fits, so no different SOMA pieces interlock.
#[test]
fn no_soma_pieces_interlock() {
    let set = PieceSet::soma(1);
    let count = |letters: &str, sides: [i32; 3]| {
        let room = box_cells(sides);
        let placements = |letter: char| {
            let (piece, _) = set.pieces().iter().find(|(p, _)| p.letter() == letter).unwrap();
            let mut placements = Vec::new();
            for shape in piece.orientations() {
                for &corner in &room {
                    let cells: Vec<Cell> = shape.iter().map(|&c| c + corner).collect();
                    placements.extend(cells.iter().all(|c| room.contains(c)).then_some(cells));
                }
            }
            placements
        };
        let free: Vec<_> = letters.chars().map(placements).collect();
        count_sets(&free, &mut Vec::new())
    };
    for pair in ["AB", "AP", "BP"] {
        assert_eq!(count(pair, [2, 2, 2]), 0, "{pair}");
    }
    for pair in ["LT", "LZ", "TZ"] {
        assert_eq!(count(pair, [3, 2, 3]), 0, "{pair}");
    }
    for sides in [[3, 3, 3], [2, 3, 4], [2, 4, 3], [3, 2, 4], [3, 4, 2], [4, 2, 3], [4, 3, 2]] {
        assert_eq!(count("LTZ", sides), 0, "{sides:?}");
    }
    assert!(count("LL", [3, 2, 3]) > 0, "two equal pieces fit");
}

#[test]
fn all_packings_of_the_cube_come_apart() {
    let folder = TempDir::new().unwrap();
    let done = run(folder.path(), &["takeapart", "3x3x3", "--csv"]);
    let rows = stdout(&done);
    assert!(rows.starts_with("packing,comes_apart,order\n1,yes,"), "{rows}");
    assert_eq!(rows.lines().count(), 241);
    for (at, row) in rows.lines().skip(1).enumerate() {
        let (number, order) = row.split_once(",yes,").unwrap();
        assert_eq!(number, (at + 1).to_string());
        assert_eq!(
            order.trim_matches('"').split(", ").count(),
            6,
            "one piece of seven stays: {order}"
        );
    }
    assert!(
        stderr(&done).contains("240 packings with SOMA: 240 apart by straight moves"),
        "{}",
        stderr(&done)
    );
    let totals = run(folder.path(), &["takeapart", "3x3x3", "--totals", "--csv"]);
    assert_eq!(stdout(&totals), "name,packings,come_apart,one_at_a_time\n3x3x3,240,240,240\n");
    // The order of the first packing fits its pieces.
    let solved = stdout(&run(folder.path(), &["solve", "3x3x3", "--first", "--jsonl"]));
    let first = stdout(&run(folder.path(), &["takeapart", "3x3x3", "--first", "--jsonl"]));
    let [solved, first]: [serde_json::Value; 2] =
        [solved, first].map(|text| serde_json::from_str(&text).unwrap());
    let (mut left, mut letters) = (Vec::new(), Vec::new());
    for piece in solved["pieces"].as_array().unwrap() {
        let cells: Vec<[i32; 3]> = serde_json::from_value(piece["cells"].clone()).unwrap();
        left.push(cells.into_iter().map(Cell::from).collect::<Vec<_>>());
        letters.push(piece["piece"].as_str().unwrap().to_owned());
    }
    let mut together = bit(7) - 1;
    for one in first["order"].as_str().unwrap().split(", ") {
        let (letter, direction) = one.split_once(' ').unwrap();
        let piece = bit(letters.iter().position(|other| other == letter).unwrap());
        let axis = ["x", "y", "z"].iter().position(|axis| direction.ends_with(axis)).unwrap();
        let mut step = [0; 3];
        step[axis] = if direction.starts_with('-') { -1 } else { 1 };
        assert!(together & piece != 0 && can_leave(&left, together, piece, step), "{one}");
        together &= !piece;
    }
    assert_eq!(together.count_ones(), 1);
}

#[test]
fn pieces_of_ones_own_interlock() {
    let folder = TempDir::new().unwrap();
    // Two linked rings, and a cell on top of each.
    let rings = [ring(|a, b| Cell::new(a, b, 1)), ring(|a, b| Cell::new(a + 1, 1, b))];
    let line = |cells: &[Cell]| {
        let cell = |cell: &Cell| cell.to_array().map(|at| at.to_string()).join(",");
        cells.iter().map(cell).collect::<Vec<_>>().join(" ")
    };
    let ends = [Cell::new(0, 0, 0), Cell::new(2, 1, -1)];
    fs::write(folder.path().join("linked.cells"), line(&[&rings.concat()[..], &ends].concat()))
        .unwrap();
    fs::write(folder.path().join("rings.txt"), format!("R*2: {}\nD*2: 0,0,0\n", line(&rings[0])))
        .unwrap();
    let arguments = ["takeapart", "linked.cells", "--set", "rings.txt"];
    let done = run(folder.path(), &[&arguments[..], &["--csv"]].concat());
    assert_eq!(
        stdout(&done),
        "packing,comes_apart,order\n1,no,\"D1 -z, D2 -z, (R1 R2)\"\n",
        "{}",
        stderr(&done)
    );
    assert!(
        stderr(&done).contains("1 packing with rings: 0 apart by straight moves"),
        "{}",
        stderr(&done)
    );
    let none = run(folder.path(), &["takeapart", "1x3x9", "--csv"]);
    assert_eq!((none.status.code(), &stdout(&none)[..]), (Some(0), "packing,comes_apart,order\n"));
    assert!(stderr(&none).contains("no packing with SOMA"), "{}", stderr(&none));
    fs::write(folder.path().join("many.cells"), "0,0,0 1,0,0\n0,0,0 1,0,0 2,0,0\nnonsense\n")
        .unwrap();
    let many = run(folder.path(), &["takeapart", "many.cells", "--totals", "--csv", "--set", "V"]);
    assert_eq!(
        (many.status.code(), stdout(&many).lines().count()),
        (Some(3), 3),
        "{}",
        stderr(&many)
    );
    let several = run(folder.path(), &["takeapart", "many.cells"]);
    assert_eq!(several.status.code(), Some(2), "{}", stderr(&several));
    let first =
        run(folder.path(), &["takeapart", "4x4x4", "--set", "V*20 D*2", "--limit", "3", "--csv"]);
    assert_eq!(stdout(&first).lines().count(), 4, "{}", stderr(&first));
}
