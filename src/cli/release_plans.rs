//! Plans that ask again what a catalog was asked.

use super::failure::{Failure, Result};
use crate::catalog::AskedQuestion;
use crate::pieces::{Piece, PieceSet, parse_set};
use crate::run::plan_table;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Files by name: a plan for each set, keep and limit, and the sets that no somacat knows by name.
pub(super) fn plans(
    questions: &[AskedQuestion],
    sets: &HashMap<String, PieceSet>,
) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut groups: Vec<Vec<&AskedQuestion>> = Vec::new();
    for question in questions {
        let same = |group: &&mut Vec<&AskedQuestion>| {
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
            let unknown = || {
                Failure::failed(format!(
                    "{}: `{}` is not a question of this somacat; run its plan again first",
                    question.label, question.question
                ))
            };
            let table = plan_table(&question.question).ok_or_else(unknown)?;
            let _ = write!(text, "\n# {}\n{table}", question.label);
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
