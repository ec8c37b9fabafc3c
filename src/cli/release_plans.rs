//! Plans that repeat the questions of a catalog.

use super::failure::{Failure, Result};
use crate::boxes::sides_text;
use crate::buildable::Buildable;
use crate::catalog::EnumerationSummary;
use crate::census::Census;
use crate::enumerate::{FigureShape, Question};
use crate::pieces::{Piece, PieceSet, parse_set};
use crate::symmetry::Class;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Returns files by name: a plan for each set, keep and limit, and the sets that are not built in.
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
            // A set from a file has the name of the file.
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

/// Returns the pieces of a set as lines of a file of pieces, independent of their orientation.
fn pieces(set: &PieceSet) -> Vec<String> {
    let line = |(piece, count): &(Piece, usize)| {
        let cells: Vec<String> = piece.shape().iter().map(ToString::to_string).collect();
        format!("{}*{count}: {}", piece.name(), cells.join(" "))
    };
    set.pieces().iter().map(line).collect()
}

/// Returns a question as a table of a plan.
fn asked(question: &EnumerationSummary, set: &PieceSet) -> Result<String> {
    if let Some(census) = Census::from_key(&question.question, set)? {
        return Ok(format!("[[census]]\nsides = \"{}\"\n", sides_text(census.sides())));
    }
    if question.question.starts_with("buildable/") {
        let search = Buildable::from_key(&question.question, set).map_err(|error| {
            Failure::failed(format!("{}: {error}; run its plan again first", question.label))
        })?;
        let (class, exact) = (search.class().name(), search.is_exact());
        return Ok(format!("[[buildable]]\nclass = {class:?}\nexact = {exact}\n"));
    }
    let parsed = Question::from_key(&question.question).map_err(|error| {
        Failure::failed(format!("{}: {error}; run its plan again first", question.label))
    })?;
    Ok(match parsed {
        Question::Symmetric(spec) => {
            let classes: Vec<&str> = spec.exact_classes().into_iter().map(Class::name).collect();
            let mut table = format!(
                "[[symmetric]]\ncells = {}\nclass = {classes:?}\nexact = true\n",
                spec.cells
            );
            // A box that holds every figure with this number of cells is no restriction.
            let bounds =
                spec.bounds.filter(|sides| sides.iter().any(|&side| (side as usize) < spec.cells));
            if let Some(bounds) = bounds {
                let _ = writeln!(table, "within = \"{}\"", sides_text(bounds));
            }
            if spec.parts > 1 {
                let _ = writeln!(table, "parts = {}", spec.parts);
            }
            table
        }
        Question::Box(spec) => {
            let mut table = format!(
                "[[box]]\nsides = \"{}\"\ncells = {}\n",
                sides_text(spec.sides),
                spec.cells
            );
            if spec.connected {
                table += "connected = true\n";
            }
            if spec.shape == FigureShape::Towers {
                table += "towers = true\n";
            }
            table
        }
    })
}
