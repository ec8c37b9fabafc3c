//! Why a figure cannot be built, told step by step: the colors of a checkerboard, marks, or cases.
//!
//! Of the W-wall:
//!
//! ```text
//! Mark 10 of the cells.
//! Wherever a piece lies, it covers only so many marks: V at most 1, L 2, T 2, Z 1, A 1, B 1, P 1.
//! Together the pieces cover at most 9 marks, but there are 10. So they cannot fill the figure.
//! ```

use super::SetOutcome;
use super::sentences::grouped;
use somacat_counting::prove::{CaseTree, Marks, ProofItem, find_cases};
use somacat_counting::solve::Limits;
use somacat_formats::{count_noun, join_words};
use somacat_geometry::figure::{Figure, Obstruction, prefilter};
use somacat_geometry::outcome::{Outcome, Reason};
use somacat_geometry::pieces::{Piece, PieceSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A story in a few steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    pub kind: StoryKind,
    pub steps: Vec<String>,
    /// What each piece of the set adds, in its order: its color difference, or the most marks that it covers. Empty in
    /// stories without such a count.
    pub amounts: Vec<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoryKind {
    /// The colors of a checkerboard.
    Colors,
    Marks(Marks),
    /// Cases that were found for the story.
    Cases(CaseTree),
    /// Cases that a catalog stores: the lines of their certificate behind the pieces.
    StoredCases(Arc<str>),
    /// That every possibility was tried, or the size.
    Words,
}

impl SetOutcome {
    /// Tells why there is no packing, for [`SetOutcome::story`]. `None` if there may be one.
    ///
    /// If neither colors nor marks show it and no proof is stored, `search` looks for one by cases, for up to a second.
    pub(super) fn tell(&self, figure: &Figure, search: bool) -> Option<Story> {
        let Outcome::Unsolvable(reason) = &self.report.as_ref()?.outcome else { return None };
        let words = |steps| Story { kind: StoryKind::Words, steps, amounts: Vec::new() };
        let Some(set) = &self.pieces else { return Some(words(vec![self.sentence(figure)])) };
        Some(match prefilter(figure, set) {
            Some(Obstruction::Parity { flipped: false, .. }) if !set.is_choice() => {
                colors(figure, set)
            }
            Some(obstruction) => words(vec![sentence(&obstruction.to_string())]),
            None => match self.marks(figure) {
                Some(marks) => told_marks(marks, set),
                None => self.told_cases(figure, set, *reason, search),
            },
        })
    }

    /// Tells a proof by cases: the stored one, or a new one if it is searched for. Else every possibility was tried.
    fn told_cases(&self, figure: &Figure, set: &PieceSet, reason: Reason, search: bool) -> Story {
        let story = |kind, steps| Story { kind, steps, amounts: Vec::new() };
        let stored = self.stored_cases.as_ref();
        if let Some((body, cases)) =
            stored.and_then(|body| Some((body, CaseNumbers::read(body, set)?)))
        {
            return story(StoryKind::StoredCases(Arc::clone(body)), cases.in_words());
        }
        let search = search && reason == Reason::Exhausted;
        let found = search.then(|| find_cases((figure, set), Limits::default())).flatten();
        match found.and_then(|tree| Some((CaseNumbers::of(&tree, set)?, tree))) {
            Some((cases, tree)) => story(StoryKind::Cases(tree), cases.in_words()),
            None => story(StoryKind::Words, self.without_proof(reason)),
        }
    }

    /// Says that only a search is known to show that there is no packing.
    fn without_proof(&self, reason: Reason) -> Vec<String> {
        let nodes = self.report.as_ref().and_then(|report| report.nodes).filter(|nodes| *nodes > 0);
        match (reason, nodes) {
            (Reason::NoFit, _) => {
                vec![
                    "Some cell can be covered by no piece, or some piece has no place at all."
                        .into(),
                ]
            }
            (_, Some(nodes)) => vec![format!(
                "No short reason is known here. The program tried every possibility: after {} no other was left, and none \
                 of them filled the figure.",
                count_noun(grouped(&nodes.to_string()), "step")
            )],
            (_, None) => {
                vec!["No short reason is known here: every possibility was tried.".to_owned()]
            }
        }
    }
}

/// Counts the colors of a checkerboard piece by piece.
fn colors(figure: &Figure, set: &PieceSet) -> Story {
    let difference = figure.color_difference();
    let black = (figure.len() as i32 + difference) / 2;
    let (white, difference) = (figure.len() as i32 - black, difference.unsigned_abs());
    let amounts: Vec<i64> =
        set.pieces().iter().map(|(piece, _)| i64::from(piece.color_difference())).collect();
    let mut alike: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for ((piece, _), amount) in set.pieces().iter().zip(&amounts) {
        alike.entry(*amount).or_default().push(piece.name().to_owned());
    }
    let some = alike.iter().rev().map(|(amount, names)| {
        let covers = if names.len() == 1 { "covers" } else { "cover" };
        match amount {
            0 => format!("{} {covers} as many of one color as of the other", join_words(names)),
            _ => format!(
                "{} {covers} {amount} more of one color than of the other",
                join_words(names)
            ),
        }
    });
    let some: Vec<String> = some.collect();
    let sums: Vec<String> = set.color_sums().iter().map(u32::to_string).collect();
    let steps = vec![
        format!(
            "Color the cells like a checkerboard: {black} are black and {white} are white, a difference of \
             {difference}."
        ),
        format!("Wherever a piece lies, its own difference is the same: {}.", some.join("; ")),
        format!(
            "Together the pieces reach a difference of {}, but never of {difference}. So they cannot fill the figure.",
            alternatives(&sums)
        ),
    ];
    Story { kind: StoryKind::Colors, steps, amounts }
}

/// Counts marks piece by piece.
fn told_marks(marks: Marks, set: &PieceSet) -> Story {
    let (total, most) = (marks.total(), marks.most);
    let cells = marks.weights.iter().filter(|weight| **weight > 0).count();
    let marked = if marks.weights.iter().all(|weight| *weight <= 1) {
        format!("Mark {cells} of the {} cells.", marks.weights.len())
    } else {
        format!("Give {cells} of the {} cells {total} marks in all.", marks.weights.len())
    };
    let covers = |(at, ((piece, _), largest)): (usize, (&(Piece, usize), &i64))| {
        let most = if at == 0 { "at most " } else { "" };
        format!("{} {most}{largest}", piece.name())
    };
    let pieces: Vec<String> =
        set.pieces().iter().zip(&marks.largest).enumerate().map(covers).collect();
    let together = match set.is_choice() {
        true => "No choice of the pieces covers more than",
        false if set.pieces().iter().all(|(_, copies)| *copies == 1) => {
            "Together the pieces cover at most"
        }
        false => "With all copies the pieces cover at most",
    };
    let steps = vec![
        marked,
        format!("Wherever a piece lies, it covers only so many marks: {}.", pieces.join(", ")),
        format!(
            "{together} {}, but there {} {total}. So they cannot fill the figure.",
            count_noun(most, "mark"),
            if total == 1 { "is" } else { "are" }
        ),
    ];
    let amounts = marks.largest.clone();
    Story { kind: StoryKind::Marks(marks), steps, amounts }
}

/// What a proof by cases has below its first choice.
struct CaseNumbers {
    /// The piece that is placed first; `None` if a cell is covered first.
    piece: Option<String>,
    ways: usize,
    /// The ways that end at once: some cell or piece has no way any more, or marks exclude it.
    dead: usize,
    marked: usize,
    nodes: usize,
}

impl CaseNumbers {
    /// Counts the cases of a tree. `None` if it has none.
    fn of(tree: &CaseTree, set: &PieceSet) -> Option<Self> {
        let CaseTree::Split(item, below) = tree else { return None };
        let piece = match item {
            ProofItem::Piece(at) => Some(set.pieces()[*at].0.name().to_owned()),
            ProofItem::Cell(_) | ProofItem::Size => None,
        };
        let number = |is: fn(&CaseTree) -> bool| below.iter().filter(|(_, case)| is(case)).count();
        Some(Self {
            piece,
            ways: below.len(),
            dead: number(|case| matches!(case, CaseTree::Split(_, ways) if ways.is_empty())),
            marked: number(|case| matches!(case, CaseTree::Marks(_))),
            nodes: tree.nodes() as usize,
        })
    }

    /// Reads the nodes of a certificate: `1 p5 0 1 2 3 > marks 17 16`, after the depth the placement, then what is decided next.
    fn read(body: &str, set: &PieceSet) -> Option<Self> {
        let node = |line: &str| {
            let (before, next) = line.split_once(" > ")?;
            let depth: usize = before.split(' ').next()?.parse().ok()?;
            Some((depth, next.to_owned()))
        };
        let nodes: Vec<(usize, String)> = body.lines().filter_map(node).collect();
        let (_, first) = nodes.first().filter(|(depth, _)| *depth == 0)?;
        let number = first.strip_prefix('p').and_then(|number| number.parse::<usize>().ok());
        let piece = number.and_then(|number| set.pieces().get(number.checked_sub(1)?));
        let mut found = Self {
            piece: piece.map(|(piece, _)| piece.name().to_owned()),
            ways: 0,
            dead: 0,
            marked: 0,
            nodes: nodes.len(),
        };
        for (at, (_, next)) in nodes.iter().enumerate().filter(|(_, (depth, _))| *depth == 1) {
            found.ways += 1;
            if next.starts_with("marks") {
                found.marked += 1;
            } else if nodes.get(at + 1).is_none_or(|(depth, _)| *depth == 1) {
                found.dead += 1;
            }
        }
        Some(found)
    }

    fn in_words(&self) -> Vec<String> {
        let ways = count_noun(self.ways, "way");
        let are = if self.ways == 1 { "is" } else { "are" };
        let first = match &self.piece {
            Some(piece) => format!("Begin with {piece}. It has only {ways} to lie in the figure."),
            None => format!("Begin with one cell. There {are} only {ways} to cover it."),
        };
        let further = self.ways - self.dead - self.marked;
        let mut steps = vec![first];
        let mut add = |number: usize, words: &str| match number {
            0 => {}
            1 if self.ways == 1 => steps.push(format!("Then {words}.")),
            _ if number == self.ways => steps.push(format!("In each of them, {words}.")),
            _ => steps.push(format!("In {number} of them, {words}.")),
        };
        add(self.dead, "some cell can be covered no more, or some piece has no place left");
        add(
            self.marked,
            "one can mark cells so that the other pieces cannot cover all of the marks",
        );
        add(
            further,
            "another cell or piece is chosen, and every way to cover or place it ends in the same way",
        );
        steps.push(format!(
            "So no way is left. The certificate lists all {} positions, each of which can be checked by hand.",
            grouped(&self.nodes.to_string())
        ));
        steps
    }
}

/// Returns a text that begins with a capital letter and ends with a period.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Joins words: `1, 3 or 5`.
fn alternatives(words: &[String]) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use somacat_counting::prove::{Argument, write_certificate};
    use somacat_geometry::figure::Signature;
    use somacat_geometry::pieces::parse_set;

    #[test]
    fn cases_are_counted_by_their_ends() {
        let soma = PieceSet::soma(1);
        let body = "reason cases\n# There are 4 ways to place A.\n0 > p5\n1 p5 0 1 2 3 > c4\n1 p5 1 2 3 4 > marks 5 4\n\
                    mark 4 5\n1 p5 2 3 4 5 > p7\n2 p7 6 7 8 9 > c5\n1 p5 3 4 5 6 > marks 5 4\nmark 4 5\nend 6\n";
        let words = CaseNumbers::read(body, &soma).unwrap().in_words();
        assert_eq!(words[0], "Begin with A. It has only 4 ways to lie in the figure.");
        assert!(words[1].starts_with("In 1 of them, some cell"), "{words:?}");
        assert!(words[2].starts_with("In 2 of them, one can mark"), "{words:?}");
        assert!(words[3].starts_with("In 1 of them, another cell or piece"), "{words:?}");
        assert!(words[4].contains("all 6 positions"), "{words:?}");
        assert!(CaseNumbers::read("reason tree\n", &soma).is_none());
    }

    #[test]
    fn a_tree_and_its_certificate_have_the_same_cases() {
        let figure = "s1-2x2x4-4zf1".parse::<Signature>().unwrap().figure().unwrap();
        let set = parse_set("V L T").unwrap();
        let tree = find_cases((&figure, &set), Limits::default()).unwrap();
        let told = CaseNumbers::of(&tree, &set).unwrap().in_words();
        let (argument, mut text) = (Argument::Cases(tree), Vec::new());
        write_certificate("", (&figure, &set), &argument, Limits::default(), &mut text).unwrap();
        let read = CaseNumbers::read(std::str::from_utf8(&text).unwrap(), &set).unwrap();
        assert_eq!(told, read.in_words());
    }
}
