//! Proofs that require no trust in this program: problems exported for other solvers, and certificates on the command line.

use crate::support::figures::{boxed, grow, naive};
use crate::support::program::{run, stderr, stdout};
use crate::support::random::Random;
use crate::support::sat::{Formula, check_proof};
use crate::support::skipped::skipped;
use crate::support::unsolvable::unsolvable;
use dancing_links::ExactCover;
use somacat_checking::verify_packing;
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_output::export::{write_cnf, write_dlx};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;
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
        let dlx = text(|out| write_dlx("a figure", &Problem::new(&figure, &set), out));
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
        let formula =
            Formula::read(&text(|out| write_cnf("a figure", &Problem::new(&figure, &set), out)));
        let models = formula.count_models();
        assert_eq!(models, naive(&figure, &set), "{figure:?} with {}", set.name());
        total += models;
    }
    assert!(total > 50, "{total}");
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
        let formula = text(|out| write_cnf("a figure", &Problem::new(figure, &soma), out));
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
