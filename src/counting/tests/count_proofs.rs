//! Certificates of counts.

use crate::support::figures::{boxed, grow, naive, subset};
use crate::support::random::Random;
use somacat_checking::check_certificate;
use somacat_counting::prove::{Argument, ProveError, write_certificate};
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::figure::{Figure, Signature};
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::{PieceSet, parse_set};
use std::sync::atomic::AtomicBool;

fn figure(signature: &str) -> Figure {
    signature.parse::<Signature>().unwrap().figure().unwrap()
}

fn certificate(figure: &Figure, set: &PieceSet, limits: Limits<'_>) -> Result<String, ProveError> {
    let mut text = Vec::new();
    let written =
        write_certificate("x", (figure, set), &Argument::Count, limits, &mut text).map(|size| {
            assert_eq!((size.kind, size.bytes), (ProofKind::Count, text.len() as u64));
        });
    written.map(|()| String::from_utf8(text).unwrap())
}

/// Proves and checks whatever holds for a figure. Returns the raw count.
fn proved(figure: &Figure, set: &PieceSet) -> (ProofKind, u128) {
    let argument = Argument::find(&Problem::new(figure, set), Limits::default());
    let mut text = Vec::new();
    let size = write_certificate("x", (figure, set), &argument, Limits::default(), &mut text);
    let certified = check_certificate(text.as_slice(), Some(figure), Some(set)).unwrap();
    let size = size.unwrap();
    assert_eq!((certified.kind, certified.raw, certified.nodes), (size.kind, size.raw, size.nodes));
    (certified.kind, certified.raw)
}

/// All raw counts of one set. Where only a unique count is published, the raw count is that of this program.
#[test]
fn published_counts_of_one_set_are_proved() {
    let table = include_str!("../../../catalog/published_counts.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let mut figures = Vec::new();
    for row in reader.records().map(Result::unwrap).filter(|row| &row[2] == "SOMA") {
        let published: u128 = row[4].parse().unwrap();
        let raw = match &row[3] {
            "raw" => published,
            _ if ["A038", "A104"].contains(&&row[0]) => 2 * published,
            _ => continue,
        };
        let (kind, found) = proved(&figure(&row[1]), &PieceSet::soma(1));
        assert_eq!((found, kind == ProofKind::Count), (raw, raw > 0), "{}", &row[0]);
        figures.push(row[0].to_owned());
    }
    let all = "cube crystal wall chaise-lounge tower W-wall A024 A029 A038 A104";
    assert_eq!(figures.join(" "), all);
}

/// A double set has two copies of every piece. These figures were counted by the search.
#[test]
fn counts_of_double_sets_are_proved() {
    let double = figure("s1-2x7x7-8n2nanyqazbnznanama1");
    assert_eq!(proved(&double, &PieceSet::soma(2)), (ProofKind::Count, 9424));
}

/// Random figures of one or two parts, with copies of pieces and without, against a naive count. The count of a figure
/// that cannot be built is 0.
#[test]
fn certified_counts_are_those_of_brute_force() {
    let mut random = Random::new(62);
    let (mut buildable, mut impossible, mut separate) = (0, 0, 0);
    for (set, cells, sides) in [
        ("V L T P", 15, [3, 3, 3]),
        ("V4", 12, [2, 3, 4]),
        ("V2 L2 T", 18, [3, 3, 3]),
        ("A2 B2 L", 20, [3, 3, 4]),
        ("V3 L3", 21, [3, 3, 3]),
    ] {
        let set = parse_set(set).unwrap();
        for round in 0..50 {
            let figure = match round % 5 {
                0 => subset(cells, sides, &mut random),
                1 => {
                    let parts = [0, 9].map(|far| (far, grow(cells, Some(sides), &mut random)));
                    let half = |(far, part): &(i32, Figure)| {
                        let number = if *far == 0 { cells - cells / 3 } else { cells / 3 };
                        let moved = part.cells()[..number].iter().map(|cell| {
                            let [x, y, z] = cell.to_array();
                            [x + far, y, z].into()
                        });
                        moved.collect::<Vec<_>>()
                    };
                    separate += 1;
                    Figure::new(parts.iter().flat_map(half)).unwrap()
                }
                _ => grow(cells, Some(sides), &mut random),
            };
            let raw = naive(&figure, &set);
            let text = certificate(&figure, &set, Limits::default()).unwrap();
            let certified = check_certificate(text.as_bytes(), Some(&figure), Some(&set)).unwrap();
            assert_eq!((certified.kind, certified.raw), (ProofKind::Count, raw), "{text}");
            assert_eq!(proved(&figure, &set).1, raw);
            *(if raw > 0 { &mut buildable } else { &mut impossible }) += 1;
        }
    }
    assert!(buildable > 60 && impossible > 60 && separate == 50, "{buildable} {impossible}");
}

/// Limits and stops end a count with an error that names them.
#[test]
fn a_count_obeys_limits() {
    let (cube, soma, stop) = (boxed([3, 3, 3]), PieceSet::soma(1), AtomicBool::new(true));
    let failed = |limits| certificate(&cube, &soma, limits).unwrap_err();
    let limits = Limits::default();
    assert!(matches!(failed(Limits { nodes: Some(999), ..limits }), ProveError::Nodes(999)));
    let little = Limits { memory: Some(100_000), ..limits };
    assert!(matches!(failed(little), ProveError::Memory(100_000)));
    assert!(matches!(failed(Limits { stop: Some(&stop), ..limits }), ProveError::Stopped));
    let large = certificate(&boxed([3, 6, 8]), &soma, limits).unwrap_err();
    assert!(matches!(large, ProveError::TooLarge(144)));
    let other = certificate(&cube, &PieceSet::soma(2), limits).unwrap_err();
    assert!(matches!(other, ProveError::Size(_)));
}
