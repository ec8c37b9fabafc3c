//! Plans that repeat the questions of a catalog.

use super::failure::{Failure, Result};
use crate::catalog::EnumerationSummary;
use crate::pieces::{PieceSet, parse_set};
use crate::run::plan_table;
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
            Ok(known) if known.lines() == set.lines() => first.set.clone(),
            // A set from a file has the name of the file.
            _ => {
                let file = format!("{}.txt", first.set);
                files.insert(file.clone(), set.lines().join("\n") + "\n");
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
