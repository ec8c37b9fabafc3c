//! Why a figure cannot be built, as a story: colors, marks, or that every possibility was tried.

use crate::answer::Why;
use somacat_counting::prove::find_marks;
use somacat_counting::solve::{Limits, first};
use somacat_geometry::figure::{Figure, Obstruction, prefilter};
use somacat_geometry::outcome::Reason;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::spelling::Spelling;
use somacat_rows::OpenFigure;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Finds the most readable argument that a figure cannot be built; `None` if it can, or within the limits nothing is
/// known.
pub(crate) fn why(open: &OpenFigure<'_>, limits: Limits<'_>) -> Result<Option<Why>, String> {
    let (figure, set) = (open.given.figure, open.set);
    let plain = open.given.placed.is_none() && open.given.colors.is_none();
    // Marks and colors argue about whole figures, and about sets of which a packing uses all pieces.
    if plain && set.clone().plain().is_ok() {
        if let Some(obstruction) = prefilter(figure, set) {
            let words = match &obstruction {
                Obstruction::Parity { flipped: false, .. } => parity_in_words(figure, set),
                other => sentence(&other.to_string()),
            };
            let reason = Reason::from(&obstruction).word();
            return Ok(Some(Why { reason, words, marks: Vec::new() }));
        }
        if let Some(marks) = find_marks((figure, set), limits) {
            let (words, marks) = (marks.in_words(set), marks.weights);
            return Ok(Some(Why { reason: "marks", words, marks }));
        }
    }
    let (_, report) = first(&open.problem(), limits).map_err(|error| error.to_string())?;
    let reason = report.outcome.reason();
    Ok(reason.map(|reason| {
        let words = match reason {
            Reason::NoFit => "Some cell or some piece has no placement at all.",
            Reason::Exhausted => "Every possibility was tried.",
            Reason::Size | Reason::Parity | Reason::Parts => "The pieces do not fit its cells.",
        };
        Why { reason: reason.word(), words: words.to_owned(), marks: Vec::new() }
    }))
}

/// Returns a text that begins with a capital letter and ends with a period.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Counts the colors of a checkerboard piece by piece.
fn parity_in_words(figure: &Figure, set: &PieceSet) -> String {
    let difference = figure.color_difference();
    let black = (figure.len() as i32 + difference) / 2;
    let (white, difference) = (figure.len() as i32 - black, difference.unsigned_abs());
    let mut by_difference: BTreeMap<Reverse<u32>, Vec<&str>> = BTreeMap::new();
    for (piece, _) in set.pieces() {
        by_difference.entry(Reverse(piece.color_difference())).or_default().push(piece.name());
    }
    let cover = |(at, (Reverse(own), names)): (usize, (&Reverse<u32>, &Vec<&str>))| {
        let cover = match (at, names.len()) {
            (0, 1) => " covers",
            (0, _) => " each cover",
            _ => "",
        };
        let than = if at == 0 { " cells of one color than of the other" } else { "" };
        let names = joined(names, "and");
        match own {
            0 => format!("{names}{cover} as many cells of each color"),
            own => format!("{names}{cover} {own} more{than}"),
        }
    };
    let pieces: Vec<String> = by_difference.iter().enumerate().map(cover).collect();
    let sums: Vec<String> = set.color_sums().iter().map(u32::to_string).collect();
    let sums: Vec<&str> = sums.iter().map(String::as_str).collect();
    format!(
        "Color the cells like a checkerboard: {black} are black and {white} white, a difference of {difference}. \
         Wherever they lie, {}. Together they reach a difference of {}, not of {difference}.",
        pieces.join("; "),
        joined(&sums, "or")
    )
}

/// Joins words: `V, T and P`.
fn joined(words: &[&str], last: &str) -> String {
    match words {
        [before @ .., end] if !before.is_empty() => format!("{} {last} {end}", before.join(", ")),
        _ => words.concat(),
    }
}
