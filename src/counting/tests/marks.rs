//! Marks: weights on cells that prove that a figure cannot be built.

use crate::support::figures::{grow, naive};
use crate::support::random::Random;
use somacat_checking::check_certificate;
use somacat_counting::prove::{Argument, Marks, find_marks, write_certificate};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::{Figure, Signature, prefilter};
use somacat_geometry::outcome::{Outcome, ProofKind};
use somacat_geometry::pieces::{PieceSet, parse_set};

fn figure(signature: &str) -> Figure {
    signature.parse::<Signature>().unwrap().figure().unwrap()
}

fn soma_marks(signature: &str) -> Option<Marks> {
    find_marks((&figure(signature), &PieceSet::soma(1)), Limits::default())
}

fn certificate(figure: &Figure, set: &PieceSet, marks: Marks) -> String {
    let (mut text, marks) = (Vec::new(), Argument::Marks(marks));
    write_certificate("x", (figure, set), &marks, Limits::default(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Naylor's proof of 1999 marks ten corners of the W-wall, of which the pieces cover nine. That the others have no
/// smaller proof was found by another solver (CP-SAT).
#[test]
fn known_figures_have_the_fewest_marks() {
    for (signature, marks, largest) in [
        ("s1-3x5x5-00w00w0yz0e0zf0", 10, [1, 2, 2, 1, 1, 1, 1]),
        ("s1-2x3x8-anananany7", 11, [2, 3, 3, 2, 0, 0, 0]),
        ("s1-5x5x5-000800y6a206ec08acf002000", 2, [0, 1, 0, 0, 0, 0, 0]),
    ] {
        let found = soma_marks(signature).unwrap();
        assert!(found.weights.iter().all(|weight| [0, 1].contains(weight)), "{signature}");
        assert_eq!((found.total(), found.largest.as_slice()), (marks, &largest[..]), "{signature}");
    }
    // The cube can be built. The sofa cannot, but has a fractional packing.
    let sofa = Figure::new((0..9).flat_map(|x| [[x, 0, 0], [x, 1, 0], [x, 1, 1]]).map(Into::into));
    for signature in ["s1-3x3x3-zzzzz3", "s1-5x5x5-000c000ww826ec82770006000"] {
        assert_eq!(soma_marks(signature), None, "{signature}");
    }
    assert_eq!(find_marks((&sofa.unwrap(), &PieceSet::soma(1)), Limits::default()), None);
}

/// Random figures of four sets. Those with a packing have no marks. Of the others, each proof is checked by other code,
/// and refused after a change of any mark or sum.
#[test]
fn marks_prove_only_what_is_true() {
    let mut random = Random::new(60);
    let (mut proved, mut damaged, mut buildable) = (0, 0, 0);
    for (set, cells, sides) in [
        ("V L T P", 15, [4, 4, 4]),
        ("V L Z A", 15, [2, 4, 5]),
        ("V2 L2 T P", 22, [4, 4, 4]),
        ("SOMA", 27, [4, 5, 5]),
    ] {
        let set = parse_set(set).unwrap();
        for _ in 0..60 {
            let figure = grow(cells, Some(sides), &mut random);
            let report = count(&Problem::new(&figure, &set), Limits::default()).unwrap();
            let is_buildable = matches!(report.outcome, Outcome::Counted(_));
            let marks = find_marks((&figure, &set), Limits::default());
            buildable += u32::from(is_buildable);
            let Some(marks) = marks else { continue };
            assert!(!is_buildable, "{}", figure.canonical().signature);
            let text = certificate(&figure, &set, marks);
            let checked = check_certificate(text.as_bytes(), Some(&figure), Some(&set));
            assert_eq!(checked.unwrap().kind, ProofKind::Marks);
            proved += 1;
            for line in text.lines().filter(|l| l.starts_with("mark ") || l.contains("reason")) {
                let (words, last) = line.rsplit_once(' ').unwrap();
                let other: i64 = last.parse::<i64>().unwrap() + 1;
                let changed = text.replace(&format!("\n{line}\n"), &format!("\n{words} {other}\n"));
                assert!(check_certificate(changed.as_bytes(), None, None).is_err(), "{changed}");
                damaged += 1;
            }
            // Whatever byte is changed: what is accepted is true.
            let mut bytes = text.into_bytes();
            let at = random.below(bytes.len());
            bytes[at] = b"0123456789 ,-m\n#"[random.below(16)];
            if let Ok(certified) = check_certificate(bytes.as_slice(), None, None) {
                assert_eq!(naive(&certified.figure, &certified.set), 0);
            }
        }
    }
    assert!(proved > 40 && damaged > 400 && buildable > 100, "{proved} {damaged} {buildable}");
}

/// Marks exist for every figure that parity forbids, too: +1 and -1 by color, moved to nonnegative weights.
#[test]
fn figures_that_parity_forbids_have_marks() {
    let (mut random, soma) = (Random::new(61), PieceSet::soma(1));
    let mut forbidden = 0;
    while forbidden < 30 {
        let figure = grow(27, Some([3, 4, 4]), &mut random);
        if prefilter(&figure, &soma).is_some() {
            assert!(find_marks((&figure, &soma), Limits::default()).is_some());
            forbidden += 1;
        }
    }
}

/// A straight part of three cells, far from the other, has no place for V. It is proved, but not drawn.
#[test]
fn a_figure_of_distant_parts_is_proved_without_a_drawing() {
    let far = 400_000;
    let straight = (0..3).map(|x| [x - far, -far, 0]);
    let bent = [[far, far, far], [far, far, far - 1], [far, far, far - 2], [far, far - 1, far]];
    let figure = Figure::new(straight.chain(bent).map(Into::into)).unwrap();
    let set = parse_set("V L").unwrap();
    let marks = find_marks((&figure, &set), Limits::default()).unwrap();
    assert_eq!(marks.drawing(&figure), None);
    let text = certificate(&figure, &set, marks);
    assert!(check_certificate(text.as_bytes(), Some(&figure), Some(&set)).is_ok(), "{text}");
}
