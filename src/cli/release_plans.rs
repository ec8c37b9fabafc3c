//! Plans that ask again what a catalog was asked.

use super::failure::{Failure, Result};
use crate::buildable::Buildable;
use crate::catalog::EnumerationSummary;
use crate::census::Census;
use crate::enumerate::{Question, Shape};
use crate::pieces::{Piece, PieceSet, parse_set};
use crate::symmetry::Class;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Files by name: a plan for each set, keep and limit, and the sets that no somacat knows by name.
pub(super) fn plans(
    questions: &[EnumerationSummary],
    sets: &HashMap<String, PieceSet>,
) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut groups: Vec<Vec<&EnumerationSummary>> = Vec::new();
    for question in questions {
        let same = |group: &&mut Vec<&EnumerationSummary>| {
            let first = group[0];
            (&first.set, first.keep, first.limit) == (&question.set, question.keep, question.limit)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(question),
            None => groups.push(vec![question]),
        }
    }
    for (at, group) in groups.iter().enumerate() {
        let first = group[0];
        let unknown = || Failure::failed(format!("the catalog has no set {}", first.set));
        let set = sets.get(&first.set).ok_or_else(unknown)?;
        let named = match parse_set(&first.set) {
            Ok(known) if pieces(&known) == pieces(set) => first.set.clone(),
            // A set from a file is called like the file.
            _ => {
                let file = format!("{}.txt", first.set);
                files.insert(file.clone(), pieces(set).join("\n") + "\n");
                file
            }
        };
        let keep = first.keep.word();
        let mut text = format!("title = \"release\"\nset = {named:?}\nkeep = {keep:?}\n");
        if first.limit > 0 {
            let _ = writeln!(text, "nodes = {}", first.limit);
        }
        for question in group {
            let _ = write!(text, "\n# {}\n{}", question.label, asked(question, set)?);
        }
        files.insert(format!("plan-{}.toml", at + 1), text);
    }
    Ok(files)
}

/// The pieces of a set, one a line as in a file of pieces; the same however they lie.
fn pieces(set: &PieceSet) -> Vec<String> {
    let line = |(piece, count): &(Piece, usize)| {
        let cells: Vec<String> = piece.shape().iter().map(ToString::to_string).collect();
        format!("{}*{count}: {}", piece.name(), cells.join(" "))
    };
    set.pieces().iter().map(line).collect()
}

/// A question as a table of a plan.
fn asked(question: &EnumerationSummary, set: &PieceSet) -> Result<String> {
    let sides = |sides: [u32; 3]| sides.map(|side| side.to_string()).join("x");
    if let Some(census) = Census::of_key(&question.question, set)? {
        return Ok(format!("[[census]]\nsides = \"{}\"\n", sides(census.sides())));
    }
    if question.question.starts_with("buildable/") {
        let search = Buildable::of_key(&question.question, set).map_err(|error| {
            Failure::failed(format!("{}: {error}; run its plan again first", question.label))
        })?;
        let (class, exact) = (search.class().name(), search.is_exact());
        return Ok(format!("[[buildable]]\nclass = {class:?}\nexact = {exact}\n"));
    }
    let parsed = Question::of_key(&question.question).map_err(|error| {
        Failure::failed(format!("{}: {error}; run its plan again first", question.label))
    })?;
    Ok(match parsed {
        Question::Symmetric(spec) => {
            let classes: Vec<&str> = spec.exact_classes().into_iter().map(Class::name).collect();
            let mut table = format!(
                "[[symmetric]]\ncells = {}\nclass = {classes:?}\nexact = true\n",
                spec.cells
            );
            // A box that holds every figure of so many cells was not asked for.
            let bounds =
                spec.bounds.filter(|sides| sides.iter().any(|&side| (side as usize) < spec.cells));
            if let Some(bounds) = bounds {
                let _ = writeln!(table, "within = \"{}\"", sides(bounds));
            }
            if spec.parts > 1 {
                let _ = writeln!(table, "parts = {}", spec.parts);
            }
            table
        }
        Question::Box(spec) => {
            let mut table =
                format!("[[box]]\nsides = \"{}\"\ncells = {}\n", sides(spec.sides), spec.cells);
            if spec.connected {
                table += "connected = true\n";
            }
            if spec.shape == Shape::Towers {
                table += "towers = true\n";
            }
            table
        }
    })
}
