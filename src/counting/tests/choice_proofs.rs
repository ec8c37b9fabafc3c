//! Certificates of problems with ranges of copies, given numbers of pieces, and cells that may stay empty.

use crate::support::figures::grow;
use crate::support::random::Random;
use somacat_checking::{Certified, check_certificate};
use somacat_counting::prove::{Argument, write_certificate};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::figure::{Figure, FigureColors};
use somacat_geometry::outcome::ProofKind;
use somacat_geometry::pieces::{OPTIONAL, PieceSet, parse_set_with_ranges};
use std::collections::BTreeMap;

const SETS: [&str; 8] = [
    "V0..2 L0..1 D0..1",
    "V1..2 D0..3",
    "A0..1 B0..1 V0..2",
    "A B0..1 D0..2 V",
    "L0..2 T0..1 D1..2",
    "V L T Z A B P",
    "Q0..4 I0..2",
    "V3 L2",
];

/// A figure, the cells that may stay empty, and the pieces without gaps.
struct Puzzle {
    figure: Figure,
    optional: Vec<usize>,
    set: PieceSet,
}

impl Puzzle {
    fn random(round: usize, random: &mut Random) -> Self {
        let mut set = parse_set_with_ranges(SETS[random.below(SETS.len())]).unwrap();
        let cells = 5 + random.below(8);
        if random.below(3) > 0 || !set.is_choice() {
            set = set.partial((random.below(2) == 0).then(|| 1 + random.below(4)));
        }
        let figure = grow(cells, Some([2, 3, 4]), random);
        let optional = match round % 5 {
            0 => (0..cells).collect(),
            1 | 2 => (0..cells).filter(|_| random.below(4) == 0).collect(),
            _ => Vec::new(),
        };
        Self { figure, optional, set }
    }

    /// Calls `work` with the problem to solve.
    fn with_problem<R>(&self, work: impl FnOnce(&Problem<'_>) -> R) -> R {
        let cells = self.figure.len();
        let color = |cell| if self.optional.contains(&cell) { OPTIONAL } else { 0 };
        let colors: Vec<u8> = (0..cells).map(color).collect();
        let colors = FigureColors::new(&colors);
        let gaps = !self.optional.is_empty() && self.set.least_cells() < cells;
        let set = if gaps { self.set.with_gaps_in(cells) } else { self.set.clone() };
        work(&Problem::new(&self.figure, &set).with_colors(colors.as_ref()))
    }

    fn raw(&self) -> u128 {
        let report = self.with_problem(|problem| count(problem, Limits::default()));
        report.unwrap().outcome.raw().unwrap_or(0)
    }

    /// Writes a certificate; `None` if the argument does not hold.
    fn certificate(&self, argument: Option<Argument>) -> Option<String> {
        self.with_problem(|problem| {
            let found = || Argument::find(problem, Limits::default());
            let (argument, mut text) = (argument.unwrap_or_else(found), Vec::new());
            write_certificate("x", problem, &argument, Limits::default(), &mut text).ok()?;
            Some(String::from_utf8(text).unwrap())
        })
    }
}

impl From<Certified> for Puzzle {
    fn from(Certified { figure, optional, set, .. }: Certified) -> Self {
        Self { figure, optional, set }
    }
}

/// Of 1,000 random problems the certified counts are those of the search, also if a tree or nodes are asked for where
/// there is a shorter reason.
#[test]
fn certificates_of_choices_state_the_count() {
    let mut random = Random::new(611);
    let mut kinds: BTreeMap<ProofKind, usize> = BTreeMap::new();
    for round in 0..1000 {
        let puzzle = Puzzle::random(round, &mut random);
        let raw = puzzle.raw();
        for argument in [None, Some(Argument::Count), Some(Argument::Search)] {
            let is_search = argument == Some(Argument::Search);
            let Some(text) = puzzle.certificate(argument) else { continue };
            assert!(!is_search || raw == 0, "{text}");
            let asked = (Some(&puzzle.figure), Some(&puzzle.set));
            let certified = check_certificate(text.as_bytes(), asked.0, asked.1);
            let certified = certified.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(certified.raw, raw, "{text}");
            *kinds.entry(certified.kind).or_default() += 1;
        }
    }
    assert!(kinds.values().all(|number| *number > 10) && kinds.len() == 7, "{kinds:?}");
}

/// Returns the certificate with one of its numbers changed, or a part of its claim left out.
fn changed(text: &str, round: usize, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let claims = ["optional", "piece", "pieces", "reason", "mark", "0", "1", "2"];
    let first = |line: &str| line.split(' ').next().unwrap().to_owned();
    let lines_to_change: Vec<usize> =
        (0..lines.len()).filter(|&at| claims.contains(&first(lines[at]).as_str())).collect();
    let at = lines_to_change[random.below(lines_to_change.len())];
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    if round.is_multiple_of(4) && lines[at].starts_with("optional")
        || lines[at].starts_with("pieces")
    {
        lines.remove(at);
        return lines.join("\n") + "\n";
    }
    // Digits in words such as `0..2`, `p3`, `c4` and `12`; the cells of pieces remain.
    let words: Vec<&str> = lines[at].split(' ').collect();
    let in_words: Vec<usize> =
        (0..words.len()).filter(|&word| !words[word].contains(',')).collect();
    let word = in_words[random.below(in_words.len())];
    let digits: Vec<usize> =
        words[word].match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
    if let Some(&digit) = digits.get(random.below(digits.len().max(1))) {
        let mut new = words[word].to_owned();
        new.replace_range(digit..=digit, ["0", "1", "2", "3", "5"][random.below(5)]);
        let new = words.iter().enumerate().map(|(at, old)| if at == word { &*new } else { old });
        lines[at] = new.collect::<Vec<_>>().join(" ");
    }
    lines.join("\n") + "\n"
}

/// What is accepted after a change of a number or of the claim is true: the search finds as many packings.
#[test]
fn what_is_accepted_of_choices_after_a_change_is_true() {
    let mut random = Random::new(612);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..400 {
        let puzzle = Puzzle::random(round, &mut random);
        let Some(text) = puzzle.certificate(None) else { continue };
        for change in 0..12 {
            let changed = changed(&text, change, &mut random);
            match check_certificate(changed.as_bytes(), None, None) {
                Err(_) => refused += 1,
                Ok(certified) => {
                    let raw = certified.raw;
                    assert_eq!(Puzzle::from(certified).raw(), raw, "{changed}\nwas\n{text}");
                    accepted += 1;
                }
            }
        }
    }
    assert!(refused > 1000 && accepted > 1000, "{refused} {accepted}");
}
