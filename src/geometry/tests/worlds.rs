//! Invariants on small worlds, without exception: all polycubes of up to six cells, and all sets of cells of a box.

use crate::figure::fixed_polycubes;
use somacat_geometry::boxes::box_cells;
use somacat_geometry::figure::{Candidate, Columns, Equivalence, Figure, Signature, prefilter};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::pieces::{Piece, PieceSet, parse_piece_lines, parse_set};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Returns the 4,120 fixed polycubes of up to six cells.
fn polycubes() -> impl Iterator<Item = Figure> {
    let shapes = fixed_polycubes(6).into_iter().flatten();
    shapes.map(|cells| Figure::new(cells).unwrap())
}

/// Returns the sets of cells of a 2×2×3 box, of any number of parts, moved to the origin.
fn sets_of_cells() -> BTreeSet<Figure> {
    let cells = box_cells([2, 2, 3]);
    let chosen = |mask: u32| (0..12).filter(move |n| mask >> n & 1 == 1);
    (1..1 << 12).map(|mask| Figure::new(chosen(mask).map(|n| cells[n])).unwrap()).collect()
}

fn images(figure: &Figure, equivalence: Equivalence) -> HashSet<Figure> {
    let transforms = Transform::iter().filter(|&t| equivalence.equates(t));
    transforms.map(|t| figure.transformed(t)).collect()
}

/// Checks that signatures are equal exactly for images, and returns the number of signatures.
fn signatures_tell_images_apart(
    figures: impl Iterator<Item = Figure>,
    equivalence: Equivalence,
) -> usize {
    let mut signature_of: HashMap<Figure, Signature> = HashMap::new();
    let mut orbits: BTreeMap<Signature, HashSet<Figure>> = BTreeMap::new();
    for figure in figures {
        let canonical = figure.canonical_up_to(equivalence);
        let orbit = images(&figure, equivalence);
        let all = if equivalence == Equivalence::Reflections { 48 } else { 24 };
        assert_eq!(orbit.len() * canonical.group.order(), all, "{:?}", figure.cells());
        assert_eq!(
            canonical.signature.figure().unwrap(),
            figure.transformed(canonical.to_canonical)
        );
        for image in &orbit {
            let known = signature_of.entry(image.clone()).or_insert(canonical.signature.clone());
            assert_eq!(*known, canonical.signature, "{:?} is an image", figure.cells());
        }
        let known = orbits.entry(canonical.signature).or_insert_with(|| orbit.clone());
        assert_eq!(*known, orbit, "{:?} is not an image", figure.cells());
    }
    orbits.len()
}

/// Compares with OEIS: A038119 and A000162 up to six cells.
#[test]
fn signatures_of_polycubes_are_equal_exactly_for_images() {
    let free = [1, 1, 2, 7, 23, 112].iter().sum();
    assert_eq!(signatures_tell_images_apart(polycubes(), Equivalence::Reflections), free);
    let one_sided = [1, 1, 2, 8, 29, 166].iter().sum();
    assert_eq!(signatures_tell_images_apart(polycubes(), Equivalence::Rotations), one_sided);
}

#[test]
fn signatures_of_sets_of_cells_are_equal_exactly_for_images() {
    for equivalence in [Equivalence::Reflections, Equivalence::Rotations] {
        let figures = sets_of_cells().into_iter();
        assert!(signatures_tell_images_apart(figures, equivalence) > 200);
    }
}

#[test]
fn columns_of_a_signature_are_those_of_its_figure() {
    for figure in polycubes().chain(sets_of_cells()) {
        for equivalence in [Equivalence::Reflections, Equivalence::Rotations] {
            let candidate = Candidate::new(figure.clone(), equivalence);
            let (canonical, group) = candidate.canonical();
            let (columns, same) =
                Columns::of_signature(candidate.signature(), equivalence).unwrap();
            assert_eq!((columns.to_canonical, same), (Transform::IDENTITY, group));
            assert_eq!(columns, Candidate::new(canonical, equivalence).into_columns());
            let own = candidate.columns();
            assert_eq!(
                (own.class, own.parity, own.parts),
                (columns.class, columns.parity, columns.parts)
            );
        }
    }
}

/// Changes each character of a signature to each other character that a signature may have.
#[test]
fn a_changed_signature_is_refused_or_that_of_another_figure() {
    let letters = "0123456789abcdefghjkmnpqrstvwxyz-.sx";
    let mut read = 0;
    for figure in polycubes().filter(|figure| figure.len() <= 4) {
        let signature = figure.canonical().signature;
        for at in 0..signature.as_str().len() {
            for letter in letters.chars() {
                let mut text = signature.as_str().to_owned();
                text.replace_range(at..=at, letter.encode_utf8(&mut [0; 4]));
                let Ok(other) = text.parse::<Signature>() else { continue };
                assert_eq!(other.as_str(), text);
                let equivalence = if text.starts_with('r') {
                    Equivalence::Rotations
                } else {
                    Equivalence::Reflections
                };
                assert_eq!(other.figure().unwrap().canonical_up_to(equivalence).signature, other);
                read += usize::from(other != signature);
            }
        }
    }
    assert!(read > 0, "some changes lead to other figures");
}

#[test]
fn parity_and_parts_do_not_depend_on_the_position() {
    for figure in sets_of_cells() {
        let difference = figure.color_difference().unsigned_abs();
        let mut sizes: Vec<usize> = figure.parts().iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes.iter().sum::<usize>(), figure.len());
        for image in images(&figure, Equivalence::Reflections) {
            assert_eq!(image.color_difference().unsigned_abs(), difference);
            let mut moved: Vec<usize> = image.parts().iter().map(Vec::len).collect();
            moved.sort_unstable();
            assert_eq!(moved, sizes);
        }
    }
}

#[test]
fn a_resting_position_does_not_depend_on_the_given_one() {
    for figure in polycubes().filter(|figure| figure.len() <= 5) {
        let at_rest = figure.transformed(figure.to_resting_position());
        for t in Transform::iter().filter(|t| t.is_rotation()) {
            let turned = figure.transformed(t);
            assert_eq!(turned.transformed(turned.to_resting_position()), at_rest);
        }
    }
}

#[test]
fn pieces_have_an_orientation_for_each_coset_of_their_rotations() {
    for figure in polycubes().filter(|figure| figure.len() <= 5) {
        let piece = Piece::new('X', figure.cells()).unwrap();
        let group = figure.canonical().group;
        assert_eq!(piece.orientations().len() * group.rotation_order(), 24);
        assert_eq!(piece.color_difference(), figure.color_difference().unsigned_abs());
        assert_eq!(piece.mirror_image().mirror_image(), piece);
        assert_eq!(piece.mirror_image().form(), piece.mirror_form());
        assert_eq!(piece.form() == piece.mirror_form(), !group.is_chiral());
        let alone = PieceSet::new("one", [(piece.clone(), 1)]);
        assert_eq!(alone.is_mirror_closed(), !group.is_chiral());
        let both = PieceSet::new("both", [(piece.clone(), 1), (piece.mirror_image(), 1)]);
        assert!(both.is_mirror_closed());
        for orientation in piece.orientations() {
            assert!(piece.has_shape(&orientation));
            let turned = Piece::new('Y', &orientation).unwrap();
            assert_eq!((turned.form(), turned.mirror_form()), (piece.form(), piece.mirror_form()));
        }
    }
}

/// Tries sets of one piece, and of two different ones with several copies, up to four cells each.
#[test]
fn sets_are_read_back_from_their_lines() {
    let pieces: BTreeMap<Signature, Piece> = polycubes()
        .filter(|figure| figure.len() <= 4)
        .map(|f| {
            (
                f.canonical_up_to(Equivalence::Rotations).signature,
                Piece::new('X', f.cells()).unwrap(),
            )
        })
        .collect();
    assert_eq!(pieces.len(), 12);
    for (at, a) in pieces.values().enumerate() {
        for (copies, b) in pieces.values().enumerate().filter(|(other, _)| *other != at) {
            let named = |piece: &Piece, name: char| piece.clone().with_name(name, name);
            let set = PieceSet::new("a set", [(named(a, 'F'), 1), (named(b, 'G'), copies + 1)]);
            let lines = set.lines();
            let read = parse_piece_lines("a set", &lines.join("\n")).unwrap();
            assert_eq!((read.lines(), read.definition()), (lines.clone(), set.definition()));
            let reversed: Vec<String> = lines.into_iter().rev().collect();
            let read = parse_piece_lines("another", &reversed.join("\n")).unwrap();
            assert_eq!(read.definition(), set.definition(), "the order does not matter");
            assert_eq!(read.color_sums(), set.color_sums());
            assert_eq!(read.mirror_map().is_some(), set.mirror_map().is_some());
        }
    }
}

/// Every figure that three pieces build in a box passes the checks that come before a search.
#[test]
fn no_obstruction_stops_a_buildable_figure() {
    let sides = [3, 3, 2];
    let cells = box_cells(sides);
    let mut separate = 0;
    for letters in ["V T Z", "V L P", "T2 D", "A B I"] {
        let set = parse_set(letters).unwrap();
        let mut built: HashSet<u32> = HashSet::from([0]);
        for (piece, copies) in set.pieces() {
            let placements: BTreeSet<u32> = piece
                .orientations()
                .into_iter()
                .flat_map(|shape| {
                    cells.iter().filter_map(move |&corner| mask(&shape, corner, sides))
                })
                .collect();
            for _ in 0..*copies {
                let larger = built.iter().flat_map(|&below| {
                    placements.iter().filter(move |&p| p & below == 0).map(move |p| p | below)
                });
                built = larger.collect();
            }
        }
        assert!(built.len() > 1000, "{letters}");
        for figure in built {
            let chosen = (0..18).filter(|n| figure >> n & 1 == 1);
            let figure = Figure::new(chosen.map(|n| cells[n])).unwrap();
            assert_eq!(prefilter(&figure, &set), None, "{:?}", figure.cells());
            separate += usize::from(figure.parts().len() > 1);
        }
    }
    assert!(separate > 100, "{separate} figures in several parts");
}

/// Returns the numbers of the cells of a shape in a box, as a mask. `None` if it does not fit there.
fn mask(shape: &[Cell], corner: Cell, [x, y, z]: [i32; 3]) -> Option<u32> {
    shape.iter().try_fold(0, |mask, &cell| {
        let c = cell + corner;
        (c.x < x && c.y < y && c.z < z).then(|| mask | 1 << (c.x + x * (c.y + y * c.z)))
    })
}
