//! Questions: keys and labels, parsing, and reasons for refusal.

use somacat_counting::enumerate::{
    BoxSpec, ClassChoice, EnumerateError, Enumeration, EnumerationSpec, FigureShape, SymmetricSpec,
};
use somacat_geometry::boxes::parse_box;
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::{Class, Group};

#[test]
fn a_question_has_one_key_however_it_is_spelled() {
    let choice = |names: &[&str], fold, least| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        ClassChoice::new(&names, fold, least).unwrap()
    };
    let spec = |classes: ClassChoice, exact, bounds, parts| {
        let (cells, equivalence) = (27, Equivalence::Reflections);
        EnumerationSpec::Symmetric(SymmetricSpec {
            classes,
            exact,
            cells,
            bounds,
            parts,
            equivalence,
        })
    };
    let cube = "symmetric/1 cells=27 parts=1 box=27x27x27 up-to=reflections classes=Oh";
    let six =
        "symmetric/1 cells=27 parts=1 box=27x27x27 up-to=reflections classes=C3i; D3d; Th; Oh";
    for (question, key) in [
        (spec(choice(&["Oh"], None, None), true, None, 1), cube),
        (spec(choice(&["oh"], None, None), false, None, 1), cube),
        (spec(choice(&["allen:G"], None, Some(3)), false, Some([27; 3]), 1), cube),
        (spec(choice(&["G"], None, None), false, Some([40, 27, 99]), 1), cube),
        (spec(choice(&[], Some(6), None), false, None, 1), six),
        (spec(choice(&["Oh", "s6"], None, None), false, None, 1), six),
        (spec(choice(&["Th", "C3i", "D3d", "Oh", "Th"], None, None), true, None, 1), six),
        (
            spec(choice(&["D2d"], Some(4), None), true, Some([4, 40, 3]), 1),
            "symmetric/1 cells=27 parts=1 box=3x4x27 up-to=reflections \
             classes=D2d(edge axes); D2d(face axes)",
        ),
        (
            spec(choice(&["C3"], None, None), true, Some([5, 40, 6]), 2),
            "symmetric/2 cells=27 parts=2 box=5x6x40 up-to=reflections classes=C3",
        ),
    ] {
        assert_eq!(question.key(), key);
    }
    let any = BoxSpec { equivalence: Equivalence::Rotations, ..BoxSpec::new([4, 2, 3], 8) };
    let key = "box/1 cells=8 sides=2x3x4 connected=no shape=any up-to=rotations";
    for sides in [[4, 2, 3], [2, 3, 4], [3, 4, 2]] {
        assert_eq!(EnumerationSpec::Box(BoxSpec { sides, ..any.clone() }).key(), key);
    }
    // Towers are upright, so the height is not interchangeable with the other sides.
    let towers = |sides| {
        let spec =
            BoxSpec { connected: true, shape: FigureShape::Towers, ..BoxSpec::new(sides, 8) };
        EnumerationSpec::Box(spec).key()
    };
    let key = "box/1 cells=8 sides=2x4x3 connected=yes shape=towers up-to=reflections";
    assert_eq!((towers([4, 2, 3]).as_str(), towers([2, 4, 3]).as_str()), (key, key));
    assert_ne!(towers([2, 3, 4]), key);
}

/// Catalogs store enumerations under these labels.
#[test]
fn a_question_is_called_as_it_was_asked() {
    let choice = |names: &[&str], fold, least| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        ClassChoice::new(&names, fold, least).unwrap()
    };
    let six = SymmetricSpec {
        classes: choice(&[], Some(6), None),
        ..SymmetricSpec::containing(Class::of(Group::FULL), 27)
    };
    let mirrors = SymmetricSpec {
        classes: choice(&["Cs", "C2v(edge)"], None, Some(2)),
        exact: true,
        bounds: Some([3, 4, 3]),
        parts: 2,
        ..six.clone()
    };
    let boxed = BoxSpec { connected: true, ..BoxSpec::new([4, 2, 4], 27) };
    let towers = BoxSpec {
        shape: FigureShape::Towers,
        equivalence: Equivalence::Rotations,
        ..boxed.clone()
    };
    for (question, label) in [
        (EnumerationSpec::Symmetric(six), "symmetric figures of 27 cells: 6-fold"),
        (
            EnumerationSpec::Symmetric(mirrors),
            "symmetric figures of 27 cells: of order 2 or more, Cs, C2v(edge), within 3x4x3, and no \
             more symmetry, in 2 parts",
        ),
        (
            EnumerationSpec::Symmetric(SymmetricSpec::containing(Class::of(Group::FULL), 27)),
            "symmetric figures of 27 cells: Oh",
        ),
        (EnumerationSpec::Box(BoxSpec::new([2, 3, 5], 27)), "figures of 27 cells in 2x3x5"),
        (EnumerationSpec::Box(boxed), "connected figures of 27 cells in 4x2x4"),
        (
            EnumerationSpec::Box(towers),
            "connected tower figures of 27 cells in 4x2x4, mirror images apart",
        ),
    ] {
        assert_eq!(question.label(), label);
    }
}

#[test]
fn boxes_are_read_as_they_are_written() {
    assert_eq!(parse_box("3x3x4"), Ok([3, 3, 4]));
    assert_eq!(parse_box(" 10X2×7 "), Ok([10, 2, 7]));
    for text in ["", "3x3", "3x3x3x3", "3x3xa", "-1x2x3", "3x3x99999999999"] {
        let error = parse_box(text).unwrap_err();
        assert_eq!(error.to_string(), format!("`{text}` is not a box; write a box as 3x3x4"));
    }
}

#[test]
fn questions_without_an_answer_say_why() {
    let why = |spec: &SymmetricSpec| Enumeration::symmetric(spec.clone()).unwrap_err();
    let mirror = Class::matching("Cs(planar)").unwrap()[0];
    let spec = SymmetricSpec::containing(mirror, 27);
    assert_eq!(why(&spec), EnumerateError::BoxRequired { class: mirror });
    assert!(why(&spec).to_string().contains("need a box"));
    let c3 = SymmetricSpec::containing(Class::matching("C3").unwrap()[0], 27);
    assert_eq!(why(&SymmetricSpec { cells: 0, ..c3.clone() }), EnumerateError::Cells(0));
    assert_eq!(why(&SymmetricSpec { cells: 151, ..c3.clone() }), EnumerateError::Cells(151));
    let nothing = ClassChoice::from_iter([]);
    assert_eq!(why(&SymmetricSpec { classes: nothing, ..c3.clone() }), EnumerateError::NoClass);
    assert_eq!(why(&SymmetricSpec { parts: 2, ..c3.clone() }), EnumerateError::PartsNeedBox(2));
    let parts = EnumerateError::Parts { parts: 28, cells: 27 };
    assert_eq!(why(&SymmetricSpec { parts: 28, bounds: Some([9; 3]), ..c3.clone() }), parts);
    let small = SymmetricSpec { bounds: Some([2, 3, 4]), ..c3 };
    assert_eq!(why(&small), EnumerateError::BoxTooSmall { sides: [2, 3, 4], cells: 27 });
    let huge = Enumeration::in_box(BoxSpec::new([9, 9, 9], 20)).unwrap_err();
    assert_eq!(huge, EnumerateError::BoxTooLarge { sides: [9, 9, 9], most: 128 });
    let flat = Enumeration::in_box(BoxSpec::new([9, 0, 9], 20)).unwrap_err();
    assert_eq!(flat, EnumerateError::EmptyBox([9, 0, 9]));
}

/// Without this check, these took gigabytes before the first figure.
#[test]
fn questions_that_would_take_too_much_memory_are_refused() {
    let class = |name: &str| Class::matching(name).unwrap()[0];
    let in_box = |name: &str, cells, sides, parts| SymmetricSpec {
        bounds: Some(sides),
        parts,
        ..SymmetricSpec::containing(class(name), cells)
    };
    for spec in [
        in_box("C1", 60, [60; 3], 1),
        in_box("Cs(planar)", 150, [150; 3], 1),
        in_box("C2(face)", 9, [4_000_000_000; 3], 2),
        in_box("C1", 10, [60; 3], 2),
    ] {
        let (sides, cells) = (spec.bounds.unwrap(), spec.cells);
        let error = Enumeration::symmetric(spec).unwrap_err();
        assert_eq!(error, EnumerateError::TooManyPlaces { sides, cells });
        assert!(error.to_string().contains("smaller box"), "{error}");
    }
    let connected = BoxSpec { connected: true, ..BoxSpec::new([150; 3], 100) };
    let error = Enumeration::in_box(connected).unwrap_err();
    assert_eq!(error, EnumerateError::TooManyPlaces { sides: [150; 3], cells: 100 });
}
