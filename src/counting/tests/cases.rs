//! Case trees: marks after a few placements prove that a figure cannot be built.

use crate::support::figures::{grow, naive};
use crate::support::random::Random;
use somacat_checking::check_certificate;
use somacat_counting::prove::{Argument, CaseTree, find_cases, write_certificate};
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::figure::{Figure, Signature, prefilter};
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::{PieceSet, parse_set};

fn figure(signature: &str) -> Figure {
    signature.parse::<Signature>().unwrap().figure().unwrap()
}

fn certificate(figure: &Figure, set: &PieceSet, cases: &CaseTree) -> String {
    let (mut text, cases) = (Vec::new(), Argument::Cases(cases.clone()));
    write_certificate("x", (figure, set), &cases, Limits::default(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Random figures of two sets that parity allows. A figure has a proof or a packing, never both. Most that have no marks
/// have cases; each tree is checked by other code, and refused without one of its lines or with another number in it.
#[test]
fn cases_prove_only_what_is_true() {
    let mut random = Random::new(61);
    let (mut trees, mut exhausted, mut buildable, mut damaged) = (0, 0, 0, 0);
    for (set, cells, sides) in [("V L T P", 15, [2, 4, 4]), ("V2 L2", 14, [3, 3, 3])] {
        let set = parse_set(set).unwrap();
        for _ in 0..110 {
            let figure = grow(cells, Some(sides), &mut random);
            if prefilter(&figure, &set).is_some() {
                continue;
            }
            let packings = naive(&figure, &set);
            match Argument::find(&Problem::new(&figure, &set), Limits::default()) {
                Argument::Count => {
                    assert!(packings > 0);
                    // The search is not asked where it must find nothing, but it would.
                    assert_eq!(find_cases((&figure, &set), Limits::default()), None);
                    buildable += 1;
                }
                Argument::Cases(cases) => {
                    assert_eq!(packings, 0);
                    trees += 1;
                    let text = certificate(&figure, &set, &cases);
                    let checked = check_certificate(text.as_bytes(), Some(&figure), Some(&set));
                    let checked = checked.unwrap_or_else(|error| panic!("{error}\n{text}"));
                    assert_eq!((checked.kind, checked.nodes), (ProofKind::Cases, cases.nodes()));
                    if trees % 4 == 0 {
                        damaged += refuse_damage(&text);
                    }
                }
                argument => {
                    assert_eq!(packings, 0);
                    exhausted += u32::from(argument == Argument::Search);
                }
            }
        }
    }
    assert!(trees > 6 && buildable > 40 && damaged > 20, "{trees} {buildable} {damaged}");
    assert!(exhausted < trees, "{exhausted} {trees}");
}

/// Damages each line of a tree; returns how often. A changed certificate may be sound only if the change is to a mark,
/// together with a sum that is not stated for it, so a number is changed alone.
fn refuse_damage(text: &str) -> u32 {
    let tree = text.find("reason cases").unwrap();
    let mut damaged = 0;
    for line in text[tree..].lines().filter(|line| !line.starts_with('#')) {
        let line = format!("\n{line}\n");
        let (words, last) = line.trim_end().rsplit_once(' ').unwrap();
        let other = match last.parse::<i64>() {
            Ok(number) => format!("{words} {}\n", number + 1),
            Err(_) => format!("{words} c99\n"),
        };
        for changed in [text.replacen(&line, "\n", 1), text.replacen(&line, &other, 1)] {
            assert_ne!(changed, text);
            assert!(check_certificate(changed.as_bytes(), None, None).is_err(), "{line}{changed}");
            damaged += 1;
        }
    }
    damaged
}

/// The sofa has no marks. It had a search tree of 901 nodes.
#[test]
fn the_sofa_has_fewer_cases_than_a_search_has_nodes() {
    let (sofa, soma) = (figure("s1-2x2x9-eqvxeqv1"), PieceSet::soma(1));
    let found = Argument::find(&Problem::new(&sofa, &soma), Limits::default());
    let Argument::Cases(cases) = found else { panic!("{found:?}") };
    assert!(cases.nodes() < 200, "{}", cases.nodes());
    let text = certificate(&sofa, &soma, &cases);
    assert_eq!(check_certificate(text.as_bytes(), None, None).unwrap().kind, ProofKind::Cases);
    // Marks belong to a tree of cases, not to one of a search.
    let other = text.replace("reason cases", "reason tree");
    assert!(check_certificate(other.as_bytes(), None, None).is_err());
}
