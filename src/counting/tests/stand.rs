//! Stability: cases solved by hand, and packings with proofs that they stand or fall.

use crate::support::figures::{box_cells, boxed, grow};
use crate::support::random::Random;
use crate::support::stability::Checked;
use somacat_counting::solve::{Limits, Problem, visit};
use somacat_counting::stand::{Assembly, MAX_STAGES, Side, StandError, solid_stability};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Parses cells in the plane y = 0, seen from the side. Each letter is a piece; the last line is on the table.
fn drawn(lines: &[&str]) -> Vec<Vec<Cell>> {
    let mut pieces: HashMap<char, Vec<Cell>> = HashMap::new();
    for (z, line) in lines.iter().enumerate() {
        for (x, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != '.') {
            pieces.entry(letter).or_default().push(Cell::new(x as i32, 0, z as i32));
        }
    }
    let mut letters: Vec<char> = pieces.keys().copied().collect();
    letters.sort_unstable();
    letters.into_iter().map(|letter| pieces.remove(&letter).unwrap()).collect()
}

fn stands(lines: &[&str], friction: f64) -> bool {
    Assembly::new(drawn(lines), friction).unwrap().stands().unwrap()
}

#[test]
fn loose_pieces_agree_with_hand_calculations() {
    // A tower, with and without friction.
    assert!(stands(&["A", "B", "C", "D"], 0.0));
    // A bar of three cells over two has its center of mass half a cell inside the edge. Two over one balance on the
    // edge, which is not stable. Three over one fall.
    assert!(stands(&["AAA", "BB."], 0.0));
    assert!(!stands(&["AA", "B."], 10.0));
    assert!(!stands(&["AAA", "B.."], 10.0));
    assert!(stands(&["AAA", ".B."], 0.0));
    // Each stands on the one below, but the center of the upper two, 3.07, is beyond their support.
    assert!(stands(&["...A", ".BBB", "CCC."], 0.0));
    assert!(!stands(&["...A", "...A", "...A", "...A", ".BBB", "CCC."], 10.0));
    // A lintel on two posts.
    assert!(stands(&["AAA", "B.C", "B.C"], 0.0));
    // Lever: the bar's five cells have their center half a cell beyond the edge of the fulcrum: a moment of 2.5. A
    // cube on the other arm holds 1.5 against it, two hold 3.
    assert!(!stands(&["C....", "AAAAA", ".B..."], 1.0));
    assert!(stands(&["C....", "C....", "AAAAA", ".B..."], 1.0));
    // A block next to a tower, without support: friction needs a normal force.
    assert!(!stands(&["AB", "A."], 10.0));
    // Between two towers it is wedged, if friction suffices. Each side bears 1/2 of the weight and is pressed by N,
    // with 1/2 ≤ μN. Below a tower, friction bears N ≤ μ(2 + 1/2): from μ = √0.2 = 0.447 on.
    assert!(!stands(&["ABC", "A.C"], 0.44));
    assert!(stands(&["ABC", "A.C"], 0.45));
}

/// Two posts whose arms meet in the middle support each other.
///
/// A post of four cells has its center of mass 0.26 cells beyond its pivot (1 - 1/100). The other pushes at a height of
/// at most 1.99, with a force of 4 × 0.26 / 1.99 = 0.1307 × 4. Friction must bear this force below a post.
#[test]
fn an_arch_needs_a_minimum_friction() {
    let arch = ["AAABBB", "A....B"];
    assert!(!stands(&["AAA", "A.."], 10.0), "half an arch falls");
    assert!(!stands(&arch, 0.130));
    assert!(stands(&arch, 0.131));
}

#[test]
fn solids_lie_on_their_sides() {
    let solid = |lines: &[&str]| Figure::new(drawn(lines).into_iter().flatten()).unwrap();
    let rests = |figure: &Figure| Side::ALL.map(|side| solid_stability(figure, side));
    let cube = boxed([3, 3, 3]);
    assert!(rests(&cube).iter().all(|rest| rest.stands && rest.margin == 1.5));
    let balance = solid(&["AA", "A."]);
    let bottom = solid_stability(&balance, Side::Bottom);
    assert!(bottom.stands && (bottom.margin - 1.0 / 6.0).abs() < 1e-12, "{bottom:?}");
    let edge = solid(&["AAA", "A..", "A.."]);
    // (0.5 × 3 + 1.5 + 2.5) / 5 = 1.1: a tenth of a cell beyond the edge.
    let falls = solid_stability(&edge, Side::Bottom);
    assert!(!falls.stands && (falls.margin + 0.1).abs() < 1e-12, "{falls:?}");
    let on_edge = solid(&["AAA", ".AA", ".A."]);
    let rest = solid_stability(&on_edge, Side::Bottom);
    assert!(rest.stands, "{rest:?}");
    let half = solid(&["AAAA", "A...", "A...", "A..."]);
    // (0.5 × 4 + 1.5 + 2.5 + 3.5) / 7.
    assert!(
        !solid_stability(&half, Side::Bottom).stands && solid_stability(&half, Side::Left).stands
    );
    assert!(
        solid_stability(&half, Side::Top).stands && !solid_stability(&half, Side::Right).stands
    );
    let very = solid_stability(&solid(&["AAA", "A.."]), Side::Bottom);
    assert!(!very.stands, "{very:?}");
    let on_it = solid_stability(&solid(&["AA.", "A..", "A.A"]), Side::Bottom);
    assert!(on_it.stands, "two parts, each by itself: {on_it:?}");
    let zero = solid_stability(&solid(&["BBB", "B..", "B..", "B..", "BB."]), Side::Top);
    assert!(zero.stands);
    let three = solid_stability(&solid(&["AAAA", "AA..", "A...", "A..."]), Side::Bottom);
    // (4 × 0.5 + 2 × 1.5 + 2.5 + 3.5) / 8 = 1.375.
    assert!((three.margin + 0.375).abs() < 1e-12, "{three:?}");
    let tie = solid_stability(&solid(&["AAA", "A..", "A..", "A.."]), Side::Bottom);
    // (4 × 0.5 + 1.5 + 2.5) / 6 = 1: on the edge.
    assert!(!tie.stands && tie.margin == 0.0, "{tie:?}");
}

/// Returns true if all pieces together may stand, with a proof that is checked.
fn all_held(pieces: &[Vec<Cell>], friction: f64) -> bool {
    Checked::new(pieces, friction).held(&Vec::from_iter(0..pieces.len()))
}

fn packings(figure: &Figure, every: usize, most: usize) -> Vec<Vec<Vec<Cell>>> {
    of_set(figure, &PieceSet::soma(1), every, most)
}

fn of_set(figure: &Figure, set: &PieceSet, every: usize, most: usize) -> Vec<Vec<Vec<Cell>>> {
    let (mut packings, mut met) = (Vec::new(), 0);
    visit(&Problem::new(figure, set), Limits::default(), &mut |packing| {
        if met % every == 0 {
            packings.push(packing.iter().map(|place| place.cells.clone()).collect());
        }
        met += 1;
        if packings.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .unwrap();
    packings
}

/// Fourteen pieces: hundreds of forces, many of them equivalent.
#[test]
fn double_sets_get_a_result() {
    for (sides, stand) in [([3, 3, 6], true), ([6, 3, 3], true)] {
        let figure = boxed(sides);
        for pieces in of_set(&figure, &PieceSet::soma(2), 1000, 4) {
            let mut assembly = Assembly::new(pieces.clone(), 0.5).unwrap();
            assert_eq!(assembly.stands(), Ok(stand), "{pieces:?}");
            assert_eq!(all_held(&pieces, 0.5), stand, "{pieces:?}");
            let order = assembly.building_order(MAX_STAGES).unwrap();
            let Some(order) = order else { continue };
            assert_eq!(order.iter().collect::<HashSet<_>>().len(), pieces.len());
        }
    }
}

/// The cube, a tower, and leaning figures. Every stage of a building order stands, with nothing above a lowered piece.
///
/// Removing pieces leaves parts that do not touch each other.
#[test]
fn stability_is_proved() {
    let tower = Figure::new(box_cells([2, 2, 7]).into_iter().skip(1)).unwrap();
    let mut all = packings(&boxed([3, 3, 3]), 700, 6);
    all.extend(packings(&tower, 60, 8));
    let mut random = Random::new(6);
    for _ in 0..12 {
        all.extend(packings(&grow(27, Some([3, 3, 5]), &mut random), 1, 1));
    }
    // A subset of the pieces of each, as if the others had been removed.
    let some: Vec<Vec<Vec<Cell>>> = all
        .iter()
        .map(|pieces| pieces.iter().filter(|_| random.below(3) > 0).cloned().collect())
        .collect();
    let (mut told, mut stages) = ([0, 0], 0);
    let frictions = [0.0, 0.2, 0.5, 1.0].into_iter().cycle();
    for (pieces, friction) in all.iter().chain(&some).zip(frictions) {
        let mut assembly = Assembly::new(pieces.clone(), friction).unwrap();
        let stands = assembly.stands().unwrap();
        let checked = Checked::new(pieces, friction);
        assert_eq!(stands, all_held(pieces, friction), "{pieces:?} {friction}");
        told[usize::from(stands)] += 1;
        let order = assembly.building_order(MAX_STAGES).unwrap();
        assert!(stands || order.is_none());
        let Some(order) = order else { continue };
        assert_eq!(order.iter().collect::<HashSet<_>>().len(), pieces.len());
        for stage in 1..=order.len() {
            let (last, before) = order[..stage].split_last().unwrap();
            assert!(before.iter().all(|&at| !blocks(&pieces[at], &pieces[*last])));
            assert!(checked.held(&order[..stage]), "{pieces:?} {order:?} {stage}");
            stages += 1;
        }
    }
    assert!(told.iter().all(|&number| number >= 5) && stages > 20, "{told:?} {stages}");
}

/// Cuts a figure into connected pieces of at most three cells.
fn cut(figure: &Figure, random: &mut Random) -> Vec<Vec<Cell>> {
    let mut left = figure.cells().to_vec();
    let mut pieces = Vec::new();
    while !left.is_empty() {
        let mut piece = vec![left.swap_remove(random.below(left.len()))];
        for _ in 0..random.below(3) {
            let touches = |cell: &Cell| piece.iter().any(|own| own.neighbors().contains(cell));
            let Some(at) = left.iter().position(touches) else { break };
            piece.push(left.swap_remove(at));
        }
        pieces.push(piece);
    }
    pieces
}

/// Returns true if a piece in place blocks another from above. The piece is above some cell of the other, which cannot
/// pass it.
fn blocks(in_place: &[Cell], lowered: &[Cell]) -> bool {
    let above = |c: &Cell, d: &Cell| (c.x, c.y) == (d.x, d.y) && c.z < d.z;
    in_place.iter().any(|c| lowered.iter().any(|d| above(c, d)))
}

/// Looks for an order of the other pieces. Returns true if every stage stands in one.
fn has_order(checked: &Checked, built: &mut Vec<usize>) -> bool {
    let pieces = &checked.pieces;
    built.len() == pieces.len()
        || (0..pieces.len()).any(|next| {
            let passes = |at: &usize| *at != next && !blocks(&pieces[*at], &pieces[next]);
            if !built.iter().all(passes) {
                return false;
            }
            built.push(next);
            let found = checked.held(built) && has_order(checked, built);
            built.pop();
            found
        })
}

/// Each stage is tested with the forces of the stage before. A wrong answer about any of them would lose an order.
#[test]
fn a_pile_has_a_building_order_if_and_only_if_one_is_proved() {
    let mut random = Random::new(29);
    let mut told = [0, 0];
    for _ in 0..150 {
        let pile = cut(&grow(10, Some([4, 2, 4]), &mut random), &mut random);
        let found = Assembly::new(pile.clone(), 0.5).unwrap().building_order(MAX_STAGES).unwrap();
        let checked = Checked::new(&pile, 0.5);
        let expected = all_held(&pile, 0.5) && has_order(&checked, &mut Vec::new());
        assert_eq!(found.is_some(), expected, "{pile:?}");
        told[usize::from(expected)] += 1;
    }
    assert!(told.iter().all(|&number| number >= 20), "{told:?}");
}

#[test]
fn friction_is_a_number_from_0_to_100() {
    assert!(matches!(Assembly::new(Vec::new(), -1.0), Err(StandError::Friction(_))));
    assert!(matches!(Assembly::new(Vec::new(), f64::NAN), Err(StandError::Friction(_))));
}
