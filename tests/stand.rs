//! Stability: cases solved by hand, and packings with proofs that they stand or fall.

use crate::support::figures::{box_cells, boxed, grow};
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use somacat_counting::solve::{Limits, Problem, visit};
use somacat_counting::stand::{
    Assembly, ContactForce, MAX_STAGES, Side, StandError, StandProof, solid_stability,
};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::PieceSet;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::ControlFlow;
use tempfile::TempDir;

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

/// Returns the tables of [`Checked`].
fn tables(pieces: &[Vec<Cell>]) -> HashMap<Cell, i32> {
    let mut tables: HashMap<Cell, i32> = pieces.iter().flatten().map(|c| (*c, c.z)).collect();
    loop {
        let lower = |(cell, z): (&Cell, &i32)| {
            let around = cell.neighbors().into_iter().filter_map(|next| tables.get(&next));
            around.max().filter(|lowest| *lowest > z).map(|lowest| (*cell, *lowest))
        };
        let found: Vec<(Cell, i32)> = tables.iter().filter_map(lower).collect();
        if found.is_empty() {
            return tables;
        }
        tables.extend(found);
    }
}

/// A unit of area where two pieces, or piece and table, touch.
struct Face {
    low: usize,
    high: Option<usize>,
    axis: usize,
    /// The corner with the smallest coordinates.
    corner: [f64; 3],
}

impl Face {
    /// Returns the axis perpendicular to it and the two along it.
    fn axes(&self) -> [usize; 3] {
        [0, 1, 2].map(|turn| (self.axis + turn) % 3)
    }
}

/// Returns a force at a point as six sums: three of the force, three of its moments about a piece's center of mass.
fn sums(piece: &[Cell], point: [f64; 3], f: [f64; 3]) -> [f64; 6] {
    let center = |axis: usize| {
        piece.iter().map(|c| f64::from(c.to_array()[axis]) + 0.5).sum::<f64>() / piece.len() as f64
    };
    let r = [0, 1, 2].map(|axis| point[axis] - center(axis));
    let moments = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]];
    [f[0], f[1], f[2], moments[0], moments[1], moments[2]]
}

/// A checker of proofs that pieces stand or fall. It finds contacts face by face.
pub(crate) struct Checked {
    assembly: Assembly,
    pieces: Vec<Vec<Cell>>,
    friction: f64,
    /// For each cell the height of the table below its part: that of the lowest cell connected to it.
    tables: HashMap<Cell, i32>,
}

impl Checked {
    pub(crate) fn new(pieces: &[Vec<Cell>], friction: f64) -> Self {
        let assembly = Assembly::new(pieces.to_vec(), friction).unwrap();
        Self { assembly, pieces: pieces.to_vec(), friction, tables: tables(pieces) }
    }

    fn faces(&self, some: &[usize]) -> Vec<Face> {
        let cells = |&piece: &usize| self.pieces[piece].iter().map(move |cell| (*cell, piece));
        let owner: HashMap<Cell, usize> = some.iter().flat_map(cells).collect();
        let mut faces = Vec::new();
        for (cell, low) in &owner {
            for axis in 0..3 {
                let mut next = cell.to_array();
                next[axis] += 1;
                let high = owner.get(&Cell::from(next)).copied();
                let mut corner = cell.to_array().map(f64::from);
                corner[axis] += 1.0;
                let on_table = axis == 2 && cell.z == self.tables[cell];
                if high.map_or(on_table, |high| high != *low) {
                    faces.push(Face { low: *low, high, axis, corner });
                }
            }
        }
        faces
    }

    /// Returns true if all pieces may stand.
    fn all_held(&self) -> bool {
        self.held(&Vec::from_iter(0..self.pieces.len()))
    }

    /// Returns true if some of the pieces may stand without the others.
    pub(crate) fn held(&self, some: &[usize]) -> bool {
        match self.assembly.proof(some).unwrap() {
            StandProof::Held(forces) => {
                self.check_forces(some, &forces);
                true
            }
            StandProof::Falls(motion) => {
                self.check_fall(some, &motion);
                false
            }
        }
    }

    /// Checks that forces push from face to face and carry every piece. They must be within the friction.
    fn check_forces(&self, some: &[usize], forces: &[ContactForce]) {
        let faces = self.faces(some);
        let mut left = vec![[0.0; 6]; self.pieces.len()];
        some.iter().for_each(|&piece| left[piece][2] = self.pieces[piece].len() as f64);
        for &ContactForce { low, high, point, force } in forces {
            let acts_on = |face: &Face| {
                let [normal, u, v] = face.axes();
                let inside =
                    |axis: usize| (0.005..0.995).contains(&(point[axis] - face.corner[axis]));
                (face.low, face.high) == (low, high)
                    && point[normal] == face.corner[normal]
                    && inside(u)
                    && inside(v)
                    && force[normal] > 0.0
                    && force[u].hypot(force[v]) <= self.friction * force[normal] * (1.0 + 1e-9)
            };
            assert!(faces.iter().any(acts_on), "{low} {high:?} {point:?} {force:?}");
            for (body, sign) in [(Some(low), -1.0), (high, 1.0)] {
                let Some(body) = body else { continue };
                let sums = sums(&self.pieces[body], point, force.map(|value| value * sign));
                left[body].iter_mut().zip(sums).for_each(|(left, sum)| *left += sum);
            }
        }
        let most = largest(&left);
        assert!(most < 1e-4, "{most} is not carried");
    }

    /// The pieces sink, and no force at a face works against it. So no such forces carry them: their work would have
    /// to be as much as the weight's.
    fn check_fall(&self, some: &[usize], motion: &[[f64; 6]]) {
        let most = largest(motion);
        let work = |body: usize, point, force| {
            let sums = sums(&self.pieces[body], point, force);
            sums.iter().zip(motion[body]).map(|(sum, v)| sum * v).sum::<f64>() / most
        };
        for face in self.faces(some) {
            let [normal, u, v] = face.axes();
            for (corner, direction) in (0..4).flat_map(|c| (0..8).map(move |d| (c, d))) {
                let mut point = face.corner;
                point[u] += if corner & 1 == 0 { 0.01 } else { 0.99 };
                point[v] += if corner & 2 == 0 { 0.01 } else { 0.99 };
                let angle = std::f64::consts::FRAC_PI_4 * f64::from(direction);
                let mut force = [0.0; 3];
                force[normal] = 1.0;
                force[u] = self.friction * angle.cos();
                force[v] = self.friction * angle.sin();
                let on_high = face.high.map_or(0.0, |high| work(high, point, force));
                let both = on_high + work(face.low, point, force.map(|value| -value));
                assert!(both > -1e-5, "{both}");
            }
        }
        let sinks = |&piece: &usize| self.pieces[piece].len() as f64 * motion[piece][2] / most;
        let fall: f64 = some.iter().map(sinks).sum();
        assert!(fall > 1e-3, "{fall}");
    }
}

fn largest(sums: &[[f64; 6]]) -> f64 {
    sums.as_flattened().iter().map(|sum| sum.abs()).fold(0.0, f64::max)
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
            assert_eq!(Checked::new(&pieces, 0.5).all_held(), stand, "{pieces:?}");
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
        assert_eq!(stands, checked.all_held(), "{pieces:?} {friction}");
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
        let expected = checked.all_held() && has_order(&checked, &mut Vec::new());
        assert_eq!(found.is_some(), expected, "{pile:?}");
        told[usize::from(expected)] += 1;
    }
    assert!(told.iter().all(|&number| number >= 20), "{told:?}");
}

#[test]
fn stability_on_the_command_line() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("tower.txt"), "tower: 67 77\n").unwrap();
    fs::write(folder.path().join("long.txt"), "long: 999\n").unwrap();
    let done = run(folder.path(), &["stand", "tower.txt", "--json", "--sample", "5"]);
    let object: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
    assert_eq!(object["friction"], 0.5, "{}", stderr(&done));
    assert_eq!(object["sides"].as_array().unwrap().len(), 6);
    assert_eq!(object["examined"], 5);
    assert_eq!(object["complete"], true);
    assert!(stderr(&done).contains("with friction 0.5"), "{}", stderr(&done));
    let rows = stdout(&run(folder.path(), &["stand", "long.txt", "--csv"]));
    assert_eq!(rows.lines().count(), 7, "{rows}");
    assert!(rows.contains("long,,,solid,bottom,,yes,"), "{rows}");
    let told = stderr(&run(folder.path(), &["stand", "long.txt", "--friction", "0.3", "--csv"]));
    assert!(told.contains("no packing with SOMA to set up with friction 0.3"), "{told}");
    for (arguments, code, said) in [
        (["stand", "tower.txt", "--friction", "-0.1"].as_slice(), 2, "not -0.1"),
        (&["stand", "tower.txt", "--friction", "NaN"], 2, "friction"),
        (&["stand", "tower.txt", "--friction", "1e308"], 2, "from 0 to 100"),
        (&["stand", "tower.txt", "--on", "head"], 2, "bottom, top"),
        (&["stand", "nothing.txt"], 1, "nothing.txt"),
    ] {
        let done = run(folder.path(), arguments);
        assert_eq!(done.status.code(), Some(code), "{}", stderr(&done));
        assert!(stderr(&done).contains(said), "{}", stderr(&done));
    }
    // Hundreds of millions of packings; the first ones of a search are not the least of their classes.
    let slab = "slab: 222222222 222222222 222222222\n";
    fs::write(folder.path().join("slab.txt"), slab).unwrap();
    let double = ["stand", "slab.txt", "--set", "2xSOMA", "--json"];
    let done = run(folder.path(), &[&double[..], &["--sample", "2"]].concat());
    let object: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
    assert_eq!((&object["examined"], &object["complete"]), (&2.into(), &false.into()));
    let done = run(folder.path(), &double);
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains("811344499 packings up to symmetry"), "{}", stderr(&done));
    assert!(matches!(Assembly::new(Vec::new(), -1.0), Err(StandError::Friction(_))));
    assert!(matches!(Assembly::new(Vec::new(), f64::NAN), Err(StandError::Friction(_))));
}
