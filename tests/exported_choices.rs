//! Problems with ranges of copies, given numbers of pieces and gaps, exported for other solvers: their solutions are as
//! many as our packings.

use crate::support::figures::grow;
use crate::support::program::{stderr, stdout, with_input};
use crate::support::random::Random;
use crate::support::sat::Formula;
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::FigureColors;
use somacat_geometry::pieces::{OPTIONAL, parse_set_with_ranges};
use somacat_output::export::{write_cnf, write_dlx};
use std::collections::HashMap;
use std::io;
use tempfile::TempDir;

/// An exact-cover problem with colors, and a search that tries every option of the primary item with the fewest.
#[derive(Default)]
struct ColoredCover {
    primary: Vec<String>,
    /// The items of each option, with their colors.
    options: Vec<Vec<(String, Option<String>)>>,
}

impl ColoredCover {
    fn read(text: &str) -> Self {
        let mut lines = text.lines().filter(|line| !line.starts_with("| "));
        let items = lines.next().unwrap();
        let primary = items.split(" |").next().unwrap().split_whitespace();
        let item = |word: &str| match word.split_once(':') {
            Some((name, color)) => (name.to_owned(), Some(color.to_owned())),
            None => (word.to_owned(), None),
        };
        Self {
            primary: primary.map(str::to_owned).collect(),
            options: lines.map(|line| line.split_whitespace().map(item).collect()).collect(),
        }
    }

    fn solutions(&self) -> u128 {
        self.search(&mut HashMap::new())
    }

    fn search<'a>(&'a self, covered: &mut HashMap<&'a str, Option<&'a str>>) -> u128 {
        let fits = |option: &&Vec<(String, Option<String>)>| {
            option.iter().all(|(item, color)| match covered.get(item.as_str()) {
                None => true,
                Some(other) => color.is_some() && *other == color.as_deref(),
            })
        };
        let fitting: Vec<_> = self.options.iter().filter(fits).collect();
        let covers = |option: &[(String, Option<String>)], wanted: &str| {
            option.iter().any(|(item, _)| item == wanted)
        };
        let open = self.primary.iter().filter(|item| !covered.contains_key(item.as_str()));
        let ways = |item: &String| -> Vec<&Vec<(String, Option<String>)>> {
            fitting.iter().copied().filter(|option| covers(option, item)).collect()
        };
        let Some(ways) = open.map(ways).min_by_key(Vec::len) else { return 1 };
        let below = |option: &'a Vec<(String, Option<String>)>| {
            let mut covered = covered.clone();
            covered.extend(option.iter().map(|(item, color)| (item.as_str(), color.as_deref())));
            self.search(&mut covered)
        };
        ways.into_iter().map(below).sum()
    }
}

fn text(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn exported_choices_have_a_solution_for_each_packing() {
    let sets =
        ["V0..2 L0..1 D0..1", "V1..2 D0..3", "A B0..1 D0..2 V", "V L T Z A B P", "D3", "V2 D"];
    let mut random = Random::new(613);
    let (mut buildable, mut numbered, mut with_gaps) = (0, 0, 0);
    for round in 0..240 {
        let set = parse_set_with_ranges(sets[round % sets.len()]).unwrap();
        let cells = 5 + random.below(4);
        let set = match round % 4 {
            0 => set.partial(Some(2 + random.below(2))),
            1 => set.partial(None),
            _ => set,
        };
        let figure = grow(cells, Some([2, 3, 3]), &mut random);
        let colors: Vec<u8> =
            (0..cells).map(|_| if random.below(3) == 0 { OPTIONAL } else { 0 }).collect();
        let colors = FigureColors::new(&colors).filter(|_| round.is_multiple_of(3));
        let gaps = (colors.is_some() || round.is_multiple_of(5)) && set.least_cells() < cells;
        let solved = if gaps { set.with_gaps_in(cells) } else { set.clone() };
        let problem = Problem::new(&figure, &solved).with_colors(colors.as_ref());
        let raw = count(&problem, Limits::default()).unwrap().outcome.raw().unwrap_or(0);
        let dlx = text(|out| write_dlx("x", &problem, out));
        assert_eq!(ColoredCover::read(&dlx).solutions(), raw, "{round}\n{dlx}");
        let colored = dlx.lines().any(|line| !line.starts_with("| ") && line.contains(':'));
        assert!(set.number().is_some() || !colored, "{dlx}");
        let cnf = text(|out| write_cnf("x", &problem, out));
        assert_eq!(Formula::read(&cnf).count_models(), raw, "{round}\n{cnf}");
        buildable += usize::from(raw > 0);
        numbered += usize::from(raw > 0 && set.number().is_some());
        with_gaps += usize::from(raw > 0 && gaps);
    }
    assert!(buildable > 60 && numbered > 5 && with_gaps > 30, "{buildable} {numbered} {with_gaps}");
}

/// Proofs on the command line: their set in words, and the cells that may stay empty of a figure asked for.
#[test]
fn choices_and_gaps_are_proved_by_the_program() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| with_input(folder.path(), args, b"");
    for (name, rows) in
        [("x", "/*****/~***~"), ("turned", "/*~/**/**/**/*~"), ("other", "/*****/*~~**")]
    {
        let text = rows.replace('/', "\n/") + "\n";
        std::fs::write(folder.path().join(format!("{name}.soma")), text).unwrap();
    }
    let verified = |args: &[&str], asked: &[&str]| {
        let done = run(&[&["prove", "-q"], args, &["x.proof"]].concat());
        assert!(done.status.success(), "{args:?}: {}", stderr(&done));
        let done = run(&[&["verify", "--certificate", "x.proof", "--csv"], asked].concat());
        (stdout(&done).lines().last().unwrap_or_default().to_owned(), stderr(&done))
    };
    let t_z = ["x.soma", "--set", "T Z"];
    let asked = ["--figure", "turned.soma", "--set", "T Z"];
    assert_eq!(verified(&t_z, &asked).0, "x.proof,s1-1x2x5-zz,\"T Z, with gaps\",count,6,2");
    let (_, refused) = verified(&t_z, &["--figure", "other.soma"]);
    assert!(refused.contains("other cells may stay empty"), "{refused}");
    let some = ["--partial", "--pieces", "3", "--set", "SOMA", "2x2x3"];
    assert!(verified(&some, &[]).0.contains(",3 of SOMA,count,"));
    let (_, refused) = verified(&some, &["--set", "SOMA"]);
    assert!(refused.contains("the pieces differ from those of SOMA"), "{refused}");
    // No other set may bear such a name.
    let z3 = run(&["prove", "2x2x3", "--set", "Z3", "-q"]);
    for name in ["3 of SOMA", "some of V L", "SOMA, with gaps", "3 of SOMA, with gaps"] {
        let renamed = stdout(&z3).replace("set Z3\n", &format!("set {name}\n"));
        std::fs::write(folder.path().join("renamed.proof"), renamed).unwrap();
        let done = run(&["verify", "--certificate", "renamed.proof"]);
        let reason = format!("the pieces differ from those of {name}");
        assert!(stderr(&done).contains(&reason), "{}", stderr(&done));
    }
    let ranges = ["--set", "V0..2 L T Z", "1x3x5"];
    assert!(verified(&ranges, &["--set", "V0..2 L T Z"]).0.ends_with(",V0..2 L T Z,count,73,16"));
}

/// The options of the program, and marks for cells that may stay empty.
#[test]
fn choices_and_gaps_are_exported_by_the_program() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("x.soma"), "/*****\n/~***~\n").unwrap();
    let export = |kind: &str, args: &[&str]| {
        let done =
            with_input(folder.path(), &[&["export", kind, "out", "--figure"], args].concat(), b"");
        assert!(done.status.success(), "{kind} {args:?}: {}", stderr(&done));
        std::fs::read_to_string(folder.path().join("out")).unwrap()
    };
    for (args, raw) in [
        (&["1x2x5", "--set", "T Z", "--gaps"][..], 4),
        (&["x.soma", "--set", "T Z"], 2),
        (&["1x3x5", "--set", "V0..2 L T Z"], 16),
        (&["2x2x3", "--partial", "--pieces", "2", "--set", "SOMA"], 0),
        (&["2x2x3", "--partial", "--pieces", "3", "--set", "L T A B P"], 32),
    ] {
        assert_eq!(ColoredCover::read(&export("dlx", args)).solutions(), raw, "{args:?}");
        assert_eq!(Formula::read(&export("cnf", args)).count_models(), raw, "{args:?}");
    }
    let args = ["2x2x3", "--set", "SOMA", "--partial", "--pieces", "3"];
    let args = [&["export", "xmpuzzle", "out", "--figure"], &args[..]].concat();
    let done = with_input(folder.path(), &args, b"");
    assert!(stderr(&done).contains("cannot ask for 3 of the pieces"), "{}", stderr(&done));
}
