//! Case trees for readers: a list of steps, each in words and with a drawing.
//!
//! The first step looks at one cell or piece, and its ways are the cases 1, 2, and so on. Within a case, marks or a dead
//! end finish it, or the next cell or piece divides it into 1.1, 1.2, …:
//!
//! ```text
//! There are 2 ways to cover the cell marked ?.
//! Case 1: V lies as drawn. Mark 3 cells. L covers at most 1, T 1: together at most 2 of 3.
//! Case 2: L lies as drawn. There is no way to place T.
//! ```

use super::cases::CaseTree;
use super::choices::all_copies;
use super::items::{are_drawable, letter_at};
use super::{CellPlacement, Marks, ProofItem};
use somacat_geometry::figure::Figure;
use somacat_geometry::pieces::{GAP, PieceSet};

/// A step of a proof by cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseStep {
    /// The number of the case. `1.2` is the second case within the first; the whole figure has none.
    pub number: String,
    /// Which pieces lie there, and the reason why nothing completes them, or the next division.
    pub words: String,
    /// The layers as [`Marks::drawing`] writes them, with the letters of the pieces that lie there, and `?` for the cell
    /// to be covered. `None` if they do not fit.
    pub drawing: Option<String>,
}

impl CaseTree {
    /// Lists the steps of the proof, each case behind the step that divides into it.
    ///
    /// ```
    /// use somacat_counting::prove::find_cases;
    /// use somacat_counting::solve::Limits;
    /// use somacat_geometry::figure::Signature;
    /// use somacat_geometry::pieces::parse_set;
    ///
    /// let (figure, set) = ("s1-2x2x4-4zf1".parse::<Signature>()?.figure()?, parse_set("V L T")?);
    /// let cases = find_cases((&figure, &set), Limits::default()).expect("a small tree");
    /// let steps = cases.steps(&figure, &set);
    /// assert_eq!(steps.len() as u64, cases.nodes());
    /// assert!(steps[0].words.starts_with("There are") && steps[1].words.starts_with("Case 1: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&self, figure: &Figure, set: &PieceSet) -> Vec<CaseStep> {
        let mut steps = Vec::new();
        self.add_steps((figure, set), String::new(), &mut Vec::new(), &mut steps);
        steps
    }

    fn add_steps<'a>(
        &'a self,
        (figure, set): (&Figure, &PieceSet),
        number: String,
        placed: &mut Vec<&'a CellPlacement>,
        steps: &mut Vec<CaseStep>,
    ) {
        let none = Marks { weights: vec![0; figure.len()], largest: Vec::new(), most: 0 };
        let letter = |cell| letter_at(set, placed, cell);
        let drawn = |marks: &Marks, letter: &dyn Fn(usize) -> Option<char>| {
            are_drawable(set).then(|| marks.drawing_with(figure, letter)).flatten()
        };
        let (words, drawing) = match self {
            Self::Marks(marks) => {
                let mut copies = all_copies(set);
                placed.iter().for_each(|one| copies[one.piece] -= 1);
                let mut words = marks.in_words_for(set, &copies);
                let mut drawing = drawn(marks, &letter);
                if drawing.is_none() {
                    drawing = drawn(&none, &letter);
                    // Some have several digits.
                    words +=
                        if drawing.is_some() { " The drawing leaves out the marks." } else { "" };
                }
                (words, drawing)
            }
            Self::Split(item, ways) => {
                let drawing = drawn(&none, &|cell| match item {
                    ProofItem::Cell(at) if *at == cell => Some('?'),
                    _ => letter(cell),
                });
                (ways_in_words(*item, ways.len(), set), drawing)
            }
        };
        let how = if drawing.is_some() { "as drawn" } else { "in one of these ways" };
        let words = case_in_words(&number, set, placed, how) + &words;
        let below = if number.is_empty() { String::new() } else { format!("{number}.") };
        steps.push(CaseStep { number, words, drawing });
        if let Self::Split(_, ways) = self {
            for (at, (placement, case)) in ways.iter().enumerate() {
                placed.push(placement);
                case.add_steps((figure, set), format!("{below}{}", at + 1), placed, steps);
                placed.pop();
            }
        }
    }
}

/// States the number of a case and the pieces that lie there: `Case 1.2: V and L lie as drawn. `
fn case_in_words(number: &str, set: &PieceSet, placed: &[&CellPlacement], how: &str) -> String {
    let name = |one: &&CellPlacement| match &set.pieces()[one.piece].0 {
        gap if gap.letter() == GAP => "a gap",
        piece => piece.name(),
    };
    let names: Vec<&str> = placed.iter().map(name).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("Case {number}: {one} lies {how}. "),
        [first @ .., last] => {
            format!("Case {number}: {} and {last} lie {how}. ", first.join(", "))
        }
    }
}

/// States the number of ways to cover an item.
fn ways_in_words(item: ProofItem, ways: usize, set: &PieceSet) -> String {
    let there = match ways {
        0 => "There is no way",
        1 => "There is only one way",
        _ => &format!("There are {ways} ways"),
    };
    match item {
        ProofItem::Cell(_) => format!("{there} to cover the cell marked ?."),
        ProofItem::Piece(at) => format!("{there} to place {}.", set.pieces()[at].0.name()),
        ProofItem::Size => "No choice of the pieces left fills the free cells.".to_owned(),
    }
}
