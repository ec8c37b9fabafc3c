//! Certificates that a figure has no packing, damaged ones, and reasons found by plain methods.

use crate::support::figures::{boxed, grow, naive, placements, subset};
use crate::support::random::Random;
use crate::support::unsolvable::unsolvable;
use somacat_checking::{Certified, check_certificate, plain_reason, plain_signature};
use somacat_counting::prove::{Argument, ProveError, write_certificate};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::{Equivalence, Figure, prefilter};
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{PieceSet, parse_set};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Writes a certificate whose reason is a tree, unless parity or the like are enough.
fn certificate(figure: &Figure, set: &PieceSet) -> Result<String, ProveError> {
    let (mut bytes, argument) = (Vec::new(), without_marks(figure, set));
    let size =
        write_certificate("a figure", (figure, set), &argument, Limits::default(), &mut bytes)?;
    assert_eq!(size.bytes, bytes.len() as u64);
    Ok(String::from_utf8(bytes).unwrap())
}

fn without_marks(figure: &Figure, set: &PieceSet) -> Argument {
    prefilter(figure, set).map_or(Argument::Search, Argument::Obstruction)
}

fn check(text: &str) -> Result<Certified, String> {
    check_certificate(text.as_bytes(), None, None).map_err(|error| error.to_string())
}

/// Returns unsolvable figures with their sets: for every reason, most of them by an exhausted search.
fn impossible() -> &'static [(Figure, PieceSet)] {
    static ALL: LazyLock<Vec<(Figure, PieceSet)>> = LazyLock::new(find_impossible);
    &ALL
}

fn find_impossible() -> Vec<(Figure, PieceSet)> {
    let mut random = Random::new(9);
    let mut figures = Vec::new();
    for (set, cells, size, number) in [
        ("V L T P", 15, [3, 3, 3], 400),
        ("V L Z A", 15, [2, 3, 4], 300),
        ("V2 L2 T P", 22, [3, 3, 4], 150),
        ("A2 B2 L", 20, [3, 3, 3], 200),
    ] {
        let set = parse_set(set).unwrap();
        let impossible = unsolvable(number, &set, || grow(cells, Some(size), &mut random));
        figures.extend(impossible.into_iter().map(|figure| (figure, set.clone())));
    }
    let soma = PieceSet::soma(1);
    let of_soma = unsolvable(20, &soma, || grow(27, None, &mut random));
    figures.extend(of_soma.into_iter().map(|figure| (figure, soma.clone())));
    // Too small; wrong colors; wrong colors after moving a part; parts of wrong sizes; too thin.
    let cells = |cells: &[[i32; 3]]| Figure::new(cells.iter().copied().map(Cell::from)).unwrap();
    let star = [[1, 1, 0], [0, 1, 0], [2, 1, 0], [1, 0, 0], [1, 2, 0], [1, 1, 1], [1, 1, 2]];
    let apart = [[0, 0, 0], [2, 0, 0], [3, 0, 0], [2, 1, 0], [3, 1, 0], [2, 2, 0]];
    for (figure, set) in [
        (boxed([2, 2, 2]), "V L T"),
        (cells(&star), "V L"),
        (boxed([1, 1, 27]), "SOMA"),
        (cells(&apart), "V2"),
    ] {
        figures.push((figure, parse_set(set).unwrap()));
    }
    figures
}

#[test]
fn certificates_are_written_and_checked() {
    let figures = impossible();
    assert!(figures.len() >= 1000, "{}", figures.len());
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (figure, set) in figures {
        let text = certificate(figure, set).unwrap();
        let certified = check_certificate(text.as_bytes(), Some(figure), Some(set));
        let certified = certified.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((&certified.figure, certified.set.pieces()), (figure, set.pieces()));
        *reasons.entry(format!("{:?}", certified.kind)).or_default() += 1;
    }
    assert_eq!(reasons.len(), 5, "{reasons:?}");
    assert!(reasons["Exhausted"] > 1000, "{reasons:?}");
    let cube = boxed([3, 3, 3]);
    assert!(matches!(certificate(&cube, &PieceSet::soma(1)), Err(ProveError::Buildable)));
    let gaps = PieceSet::new("gaps", []).with_gaps(27);
    let nothing =
        write_certificate("", (&cube, &gaps), &Argument::Count, Limits::default(), &mut Vec::new());
    assert!(matches!(nothing, Err(ProveError::NothingLeft)));
    let (figure, set) = figures.iter().rev().find(|(figure, _)| figure.len() == 27).unwrap();
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    let problem = (&figures[999].0, &figures[999].1);
    assert!(matches!(
        write_certificate("", problem, &Argument::Search, limits, &mut Vec::new()),
        Err(ProveError::Nodes(3)) | Ok(_)
    ));
    let other = check_certificate(certificate(figure, set).unwrap().as_bytes(), Some(&cube), None);
    assert!(other.unwrap_err().to_string().contains("another figure"));
}

/// Returns the lines of the tree, numbered from 0.
fn nodes(lines: &[&str]) -> Vec<usize> {
    (0..lines.len()).filter(|&at| lines[at].contains(" > ")).collect()
}

fn depth(line: &str) -> usize {
    line.split(' ').next().unwrap().parse().unwrap()
}

/// Returns a wrong line for a leaf, with a coverable cell. A placement still fits there, as plain look-ups show.
fn wrong_leaf(
    certified: &Certified,
    placements: &[(usize, u128)],
    lines: &[&str],
    leaf: usize,
) -> Option<String> {
    let (mut free, mut left) = (u128::MAX >> (128 - certified.figure.len()), Vec::new());
    left.extend(certified.set.pieces().iter().map(|(_, copies)| *copies));
    // From the leaf upwards: the nearest preceding line of each smaller depth.
    let mut wanted = depth(lines[leaf]) + 1;
    for line in lines[..=leaf].iter().rev() {
        if !line.contains(" > ") || depth(line) + 1 != wanted {
            continue;
        }
        wanted -= 1;
        let placement = line.split(" > ").next().unwrap().split(' ').skip(1);
        for word in placement {
            match word.strip_prefix('p') {
                Some(piece) => left[piece.parse::<usize>().unwrap() - 1] -= 1,
                None => free &= !(1 << word.parse::<usize>().unwrap()),
            }
        }
    }
    let fits = |(piece, mask): &&(usize, u128)| left[*piece] > 0 && mask & !free == 0;
    let cell = placements.iter().find(fits)?.1.trailing_zeros();
    let (node, _) = lines[leaf].split_once(" > ").unwrap();
    Some(format!("{node} > c{cell}"))
}

/// Certificates are refused after each kind of damage that changes their meaning.
#[test]
fn damaged_certificates_are_refused() {
    let (mut refused, mut leaves) = (0, 0);
    let mut random = Random::new(4);
    for (figure, set) in impossible().iter().rev() {
        if refused > 6000 {
            break;
        }
        let whole = certificate(figure, set).unwrap();
        let certified = check(&whole).unwrap();
        let lines: Vec<&str> = whole.lines().collect();
        let nodes = nodes(&lines);
        let join =
            |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let mut damaged: Vec<(&str, String)> = Vec::new();
        let cut = random.below(lines.len());
        damaged.push(("cut off after a line", join(&lines[..cut])));
        let cut = random.below(whole.len() - 1);
        damaged.push(("cut off within a line", whole[..cut].to_owned()));
        damaged.push(("continued", format!("{whole}end 0\n")));
        let figure_line = lines.iter().position(|line| line.starts_with("figure ")).unwrap();
        let last = lines[figure_line].rsplit_once(' ').unwrap();
        let grown = format!("{} {},9,9", last.0, last.1.split(',').next().unwrap());
        damaged.push(("another figure", whole.replace(lines[figure_line], &grown)));
        let without = whole.replace(lines[figure_line], last.0);
        damaged.push(("a cell less", without));
        let piece = lines.iter().position(|line| line.starts_with("piece ")).unwrap();
        damaged.push(("a piece less", join(&[&lines[..piece], &lines[piece + 1..]].concat())));
        damaged.push(("a piece twice", join(&[&lines[..=piece], &lines[piece..]].concat())));
        if let Some(&node) = nodes.get(random.below(nodes.len().max(1))) {
            if nodes.len() > 1 {
                damaged.push(("a node less", join(&[&lines[..node], &lines[node + 1..]].concat())));
            }
            damaged.push(("a node twice", join(&[&lines[..=node], &lines[node..]].concat())));
            let deeper = format!("{}{}", depth(lines[node]) + 1, &lines[node][1..]);
            let mut moved = lines.clone();
            moved[node] = &deeper;
            damaged.push(("a node too deep", join(&moved)));
            let is_leaf = |at: &usize| {
                !lines[at + 1].contains(" > ") || depth(lines[at + 1]) <= depth(lines[*at])
            };
            let all: Vec<usize> = nodes.iter().copied().filter(is_leaf).collect();
            let from = random.below(all.len());
            let mut turned = all[from..].iter().chain(&all[..from]);
            let placements = placements(figure, set);
            let wrong =
                |&leaf: &usize| Some((leaf, wrong_leaf(&certified, &placements, &lines, leaf)?));
            if let Some((leaf, wrong)) = turned.find_map(wrong) {
                let mut changed = lines.clone();
                changed[leaf] = &wrong;
                damaged.push(("a leaf that is none", join(&changed)));
                leaves += 1;
            }
            if depth(lines[node]) > 0 {
                let (node_text, item) = lines[node].split_once(" > ").unwrap();
                let (rest, cell) = node_text.rsplit_once(' ').unwrap();
                let other = (cell.parse::<usize>().unwrap() + 1) % figure.len();
                let text = format!("{rest} {other} > {item}");
                let mut changed = lines.clone();
                changed[node] = &text;
                damaged.push(("another placement", join(&changed)));
            }
        }
        for (what, text) in damaged {
            let error = check(&text).expect_err(&format!("{what}:\n{text}"));
            assert!(error.starts_with("line "), "{error}");
            refused += 1;
        }
        // After a change of any byte, an accepted certificate must still be true.
        for _ in 0..5 {
            let mut bytes = whole.clone().into_bytes();
            let at = random.below(bytes.len());
            bytes[at] = b"0123456789 ,p>c\n#"[random.below(17)];
            if let Ok(certified) = check_certificate(bytes.as_slice(), None, None) {
                assert_eq!(naive(&certified.figure, &certified.set), 0);
            }
        }
    }
    assert!(refused > 1000 && leaves > 200, "{refused} {leaves}");
}

/// Signatures and reasons found by plain methods equal those of the solver. The signature is the least of 48 images
/// spelled digit by digit.
#[test]
fn plain_methods_give_the_same_results() {
    let mut random = Random::new(2);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (figure, set) in impossible().iter().step_by(3) {
        let report = count(&Problem::new(figure, set), Limits::default()).unwrap();
        let reason = report.outcome.reason().unwrap();
        assert_eq!(plain_reason(figure, set), Some(reason), "{figure:?} with {}", set.name());
        *reasons.entry(format!("{reason:?}")).or_default() += 1;
    }
    for _ in 0..600 {
        let figure = subset(1 + random.below(14), [3, 3, 3], &mut random);
        let spread = figure.cells().iter().map(|c| Cell::new(c.x * 9, c.y, c.z * 40));
        for figure in [figure.clone(), Figure::new(spread).unwrap()] {
            for (equivalence, letter) in
                [(Equivalence::Reflections, 's'), (Equivalence::Rotations, 'r')]
            {
                let ours = figure.canonical_up_to(equivalence).signature.to_string();
                assert_eq!(plain_signature(&figure, letter == 's'), ours, "{figure:?}");
            }
        }
    }
    for number in 0..400 {
        // In one layer some pieces fit nowhere.
        let figure = match number % 2 {
            0 => subset(27, [3, 4, 5], &mut random),
            _ => grow(27, Some([6, 6, 1]), &mut random),
        };
        let set = PieceSet::soma(1);
        let report = count(&Problem::new(&figure, &set), Limits::default()).unwrap();
        if let Some(reason) = report.outcome.reason() {
            assert_eq!(plain_reason(&figure, &set), Some(reason), "{figure:?}");
            *reasons.entry(format!("{reason:?}")).or_default() += 1;
        }
    }
    assert!(reasons.len() >= 4 && reasons["NoFit"] >= 5, "{reasons:?}");
}
