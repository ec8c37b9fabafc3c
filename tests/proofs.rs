//! Proofs that require no trust in this program: problems exported for other solvers, and certificates.

use crate::support::figures::{boxed, grow, naive, placements, subset};
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use crate::support::sat::{Formula, check_proof};
use crate::support::skipped::skipped;
use dancing_links::ExactCover;
use somacat_checking::{
    Certified, check_certificate, plain_reason, plain_signature, verify_packing,
};
use somacat_counting::prove::{Argument, ProveError, write_certificate};
use somacat_counting::solve::{Limits, Problem, count, first};
use somacat_geometry::figure::{Figure, Identity, prefilter};
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::{Outcome, Reason};
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_output::export::{write_cnf, write_dlx};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

/// An exact-cover problem in the format of Knuth's programs.
struct Dlx {
    items: Vec<(String, bool)>,
    options: Vec<Vec<usize>>,
}

impl Dlx {
    fn read(text: &str) -> Self {
        let mut lines = text.lines().filter(|line| !line.starts_with('|'));
        let (mut items, mut numbers, mut optional) = (Vec::new(), HashMap::new(), false);
        for word in lines.next().unwrap().split_whitespace() {
            if word == "|" {
                assert!(!std::mem::replace(&mut optional, true));
                continue;
            }
            assert!(word.len() <= 8 && !word.contains([':', '|']), "{word}");
            assert!(numbers.insert(word, items.len()).is_none(), "{word} comes twice");
            items.push((word.to_owned(), optional));
        }
        let options = lines.map(|line| line.split_whitespace().map(|w| numbers[w]).collect());
        Self { items, options: options.collect() }
    }

    fn solutions(&self) -> u128 {
        let mut solver = self.solver();
        let mut total = 0;
        while solver.next_solution().is_some() {
            total += 1;
        }
        total
    }
}

impl ExactCover for Dlx {
    type Possibility = Vec<usize>;
    type Constraint = usize;

    fn satisfies(&self, option: &Vec<usize>, item: &usize) -> bool {
        option.contains(item)
    }

    fn is_optional(&self, item: &usize) -> bool {
        self.items[*item].1
    }

    fn possibilities(&self) -> &[Vec<usize>] {
        &self.options
    }

    fn constraints(&self) -> &[usize] {
        // A number for each item; this is the maximum number of items in a test.
        static NUMBERS: [usize; 512] = {
            let mut numbers = [0; 512];
            let mut at = 0;
            while at < numbers.len() {
                numbers[at] = at;
                at += 1;
            }
            numbers
        };
        &NUMBERS[..self.items.len()]
    }
}

fn text(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Returns small figures with piece sets. Some have several copies of a piece, few packings, or parts far apart.
fn small_figures() -> Vec<(Figure, PieceSet)> {
    let far = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [-99999, 5, 5], [-99998, 5, 5], [-99999, 6, 5]];
    let mut figures: Vec<(Figure, PieceSet)> = [
        ([2, 2, 3], "L T P"),
        ([2, 2, 4], "L4"),
        ([2, 3, 3], "V6"),
        ([2, 3, 4], "L3 T A B"),
        ([2, 2, 4], "A2 L2"),
        ([2, 2, 5], "V4 L2"),
        ([2, 2, 3], "V4"),
    ]
    .map(|(size, set)| (boxed(size), parse_set(set).unwrap()))
    .into();
    figures.push((Figure::new(far.map(Cell::from)).unwrap(), parse_set("V2").unwrap()));
    let mut random = Random::new(3);
    let set = parse_set("V2 L2 T P").unwrap();
    figures.extend((0..30).map(|_| (grow(22, Some([3, 3, 3]), &mut random), set.clone())));
    figures
}

#[test]
fn other_solvers_count_what_we_count() {
    let mut total = 0;
    for (figure, set) in small_figures() {
        let ours = count(&Problem::new(&figure, &set), Limits::default()).unwrap();
        let ours = ours.outcome.raw().unwrap();
        let dlx = text(|out| write_dlx("a figure", &figure, &set, out));
        assert_eq!(Dlx::read(&dlx).solutions(), ours, "{figure:?} with {}", set.name());
        total += ours;
    }
    assert!(total > 10_000, "{total}");
    // The cube through the program, from a file; its formula has as many variables as dlx has options.
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("cube.txt"), "cube: 333 333 333\n").unwrap();
    for kind in ["dlx", "cnf"] {
        let done = run(folder.path(), &["export", kind, kind, "--figure", "cube.txt"]);
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
    let dlx = Dlx::read(&fs::read_to_string(folder.path().join("dlx")).unwrap());
    assert_eq!((dlx.items.len(), dlx.options.len()), (34, 688));
    assert_eq!(dlx.solutions(), 11520);
}

#[test]
fn formulas_have_a_model_for_each_packing() {
    let mut total = 0;
    for (figure, set) in small_figures() {
        if figure.len() > 16 {
            continue;
        }
        let formula = Formula::read(&text(|out| write_cnf("a figure", &figure, &set, out)));
        let models = formula.count_models();
        assert_eq!(models, naive(&figure, &set), "{figure:?} with {}", set.name());
        total += models;
    }
    assert!(total > 50, "{total}");
}

fn is_exhausted(figure: &Figure, set: &PieceSet) -> bool {
    let (_, report) = first(&Problem::new(figure, set), Limits::default()).unwrap();
    report.outcome == Outcome::Unsolvable(Reason::Exhausted)
}

/// Grows figures without a packing, which a search shows.
fn unsolvable(number: usize, set: &PieceSet, grow: impl FnMut() -> Figure) -> Vec<Figure> {
    let grown = std::iter::repeat_with(grow);
    grown.filter(|figure| is_exhausted(figure, set)).take(number).collect()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// `CaDiCaL` refutes the formulas of unsolvable figures. Its proofs are checked here clause by clause. `MiniSat` and
/// `CaDiCaL` find a packing of solvable figures.
#[test]
fn sat_solvers_agree() {
    let there: Vec<&str> = ["cadical", "minisat"].into_iter().filter(|p| is_there(p)).collect();
    if there.is_empty() {
        skipped("no SAT solver is installed");
        return;
    }
    let (folder, soma) = (TempDir::new().unwrap(), PieceSet::soma(1));
    let formula_file = folder.path().join("figure.cnf");
    let solve = |program: &str, figure: &Figure| -> (Option<i32>, String) {
        let formula = text(|out| write_cnf("a figure", figure, &soma, out));
        fs::write(&formula_file, formula).unwrap();
        let mut command = Command::new(program);
        match program {
            // Without techniques whose steps only a stronger checker accepts.
            "cadical" => command.args(["-q", "--plain", "--no-binary", "figure.cnf", "proof"]),
            _ => command.args(["-verb=0", "figure.cnf", "model"]),
        };
        let output = command.current_dir(folder.path()).output().unwrap();
        let model = match program {
            "cadical" => String::from_utf8(output.stdout).unwrap(),
            _ => fs::read_to_string(folder.path().join("model")).unwrap(),
        };
        (output.status.code(), model)
    };
    let mut random = Random::new(8);
    let mut lemmas = 0;
    for figure in &unsolvable(10, &soma, || grow(27, None, &mut random)) {
        for &program in &there {
            assert_eq!(solve(program, figure).0, Some(20), "{program}: {figure:?}");
            if program == "cadical" {
                let formula = Formula::read(&fs::read_to_string(&formula_file).unwrap());
                let proof = fs::read_to_string(folder.path().join("proof")).unwrap();
                lemmas += check_proof(&formula, &proof).unwrap();
                // Half a proof is not a proof.
                let half: String = proof.lines().take(2).map(|line| format!("{line}\n")).collect();
                assert!(check_proof(&formula, &half).is_err());
            }
        }
    }
    assert!(!there.contains(&"cadical") || lemmas > 100, "{lemmas}");
    let cube = boxed([3, 3, 3]);
    for &program in &there {
        let (code, model) = solve(program, &cube);
        assert_eq!(code, Some(10), "{program}");
        let formula = fs::read_to_string(&formula_file).unwrap();
        let words = model.split_whitespace();
        let chosen: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
        let comment = |line: &str| -> Option<(usize, Vec<Cell>)> {
            let mut words = line.strip_prefix("c ")?.split(' ');
            let variable: usize = words.next()?.parse().ok()?;
            let letter = words.next()?;
            let cell = |word: &str| {
                let numbers: Vec<i32> = word.split(',').map(|n| n.parse().unwrap()).collect();
                Cell::new(numbers[0], numbers[1], numbers[2])
            };
            let piece = soma.pieces().iter().position(|(p, _)| p.name() == letter)?;
            chosen.contains(&variable).then(|| (piece, words.map(cell).collect()))
        };
        let packing: Vec<_> = formula.lines().filter_map(comment).collect();
        verify_packing(&cube, &soma, &packing).unwrap();
    }
}

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

#[test]
fn proofs_on_the_command_line() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("long.txt"), "long: 999\n").unwrap();
    fs::write(path("cube.txt"), "cube: 333 333 333\n").unwrap();
    // Parity allows this one, and it has no marks.
    fs::write(path("none.txt"), "none: 3333 3301 1001 0312\n").unwrap();
    let code = |args: &[&str]| {
        let done = run(folder.path(), args);
        (done.status.code(), format!("{}{}", stdout(&done), stderr(&done)))
    };
    let (status, told) = code(&["prove", "none.txt", "none.proof"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("cases, ") && told.contains("nodes") && told.contains("bytes"), "{told}");
    let (status, told) = code(&["verify", "--certificate", "none.proof", "--csv"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(
        told.starts_with("certificate,signature,set,reason,nodes,raw\nnone.proof,s1-"),
        "{told}"
    );
    let asked = ["verify", "--certificate", "none.proof", "--figure", "none.txt", "--set", "SOMA"];
    assert_eq!(code(&asked).0, Some(0));
    let other = ["verify", "--certificate", "none.proof", "--figure", "cube.txt"];
    let (status, told) = code(&other);
    assert_eq!(status, Some(5), "{told}");
    assert!(told.contains("none.proof:4: the certificate is for another figure"), "{told}");
    let text = fs::read_to_string(path("none.proof")).unwrap();
    fs::write(path("cut.proof"), &text[..text.len() / 2]).unwrap();
    let (status, told) = code(&["verify", "--certificate", "cut.proof"]);
    assert_eq!(status, Some(5), "{told}");
    assert!(told.contains("cut.proof:"), "{told}");
    for (arguments, said) in [
        (["prove", "nothing.txt"].as_slice(), "nothing.txt"),
        (&["prove", "none.txt", "x", "--nodes", "5"], "limit"),
        (&["verify", "--certificate", "nothing.proof"], "nothing.proof"),
    ] {
        let (status, told) = code(arguments);
        assert_eq!(status, Some(1), "{told}");
        assert!(told.contains(said), "{told}");
    }
    assert!(!Path::new(&path("x")).exists());
    let (status, told) = code(&["prove", "long.txt"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("reason marks 5 4\nmark "), "{told}");
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
            for (identity, letter) in [(Identity::Reflections, 's'), (Identity::Rotations, 'r')] {
                let ours = figure.canonical_up_to(identity).signature.to_string();
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

/// A set without the mirror image of a piece may build a figure and not its mirror image. A certificate of one is none of
/// the other.
#[test]
fn a_certificate_is_not_that_of_the_mirror_image() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    fs::write(path.join("a.cells"), "0,0,0 0,0,1 0,1,0 1,1,0\n").unwrap();
    fs::write(path.join("b.cells"), "0,0,0 0,0,1 0,1,0 1,0,1\n").unwrap();
    for (figure, other, says) in [("a.cells", "b.cells", "marks"), ("b.cells", "a.cells", "count")]
    {
        let proof = run(path, &["prove", figure, "x.proof", "-q", "--set", "B"]);
        assert_eq!(proof.status.code(), Some(0), "{}", stderr(&proof));
        let check = |figure: &str| {
            let asked = ["--figure", figure, "--set", "B", "--csv"];
            run(path, &[&["verify", "--certificate", "x.proof"], &asked[..]].concat())
        };
        let own = check(figure);
        assert_eq!(own.status.code(), Some(0), "{}", stderr(&own));
        assert!(stdout(&own).contains("x.proof,r1-2x2x2-"), "{}", stdout(&own));
        assert!(stdout(&own).contains(&format!(",B,{says},")), "{}", stdout(&own));
        let foreign = check(other);
        assert_eq!(foreign.status.code(), Some(5), "{}", stdout(&foreign));
        assert!(stderr(&foreign).contains("x.proof:4: the certificate is for another figure"));
    }
    // With both, mirror images are one figure.
    fs::write(path.join("ab.cells"), "0,0,0 0,0,1 0,1,0 1,1,0 1,0,5 1,0,6 1,1,5 0,1,5\n").unwrap();
    fs::write(path.join("ba.cells"), "1,0,0 1,0,1 1,1,0 0,1,0 0,0,5 0,0,6 0,1,5 1,1,5\n").unwrap();
    run(path, &["prove", "ab.cells", "ab.proof", "-q", "--set", "A B"]);
    let asked = ["verify", "--certificate", "ab.proof", "--figure", "ba.cells", "--set", "A B"];
    let checked = run(path, &asked);
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
}
