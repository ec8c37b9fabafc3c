//! Commands that make a catalog again, and their plans.

use crate::cli::failure::{Failure, Result};
use somacat_catalog::{EnumerationSummary, SourceSummary};
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_run::plan_table;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The plans and commands that reproduce a catalog.
#[derive(Default)]
pub(crate) struct Reproduction {
    /// Files by name: a plan for each set, keep and limit, and the sets that are not built in.
    pub(crate) files: BTreeMap<String, String>,
    /// The commands, the imports first.
    pub(crate) commands: Vec<String>,
}

impl Reproduction {
    /// Returns a set as `--set` and plans name it. Adds a file for a set that is not built in.
    fn set(&mut self, name: &str, sets: &HashMap<String, PieceSet>) -> Result<String> {
        let unknown = || Failure::failed(format!("the catalog has no set {name}"));
        let set = sets.get(name).ok_or_else(unknown)?;
        Ok(match parse_set(name) {
            Ok(known) if known.lines() == set.lines() => name.to_owned(),
            // A set from a file has the name of the file.
            _ => {
                let file = format!("{name}.txt");
                self.files.insert(file.clone(), set.lines().join("\n") + "\n");
                file
            }
        })
    }
}

/// Returns how to make a catalog with these sources and questions again.
pub(crate) fn reproduction(
    sources: &[SourceSummary],
    questions: &[EnumerationSummary],
    sets: &HashMap<String, PieceSet>,
) -> Result<Reproduction> {
    let mut again = Reproduction::default();
    for source in sources {
        let mut command = format!("somacat import {}", quoted(&source.label));
        if let Some(name) = &source.set
            && sets
                .get(name)
                .and_then(|set| PieceSet::standard(set.total_cells()))
                .is_none_or(|chosen| chosen.name() != name)
        {
            command += &format!(" --set {}", quoted(&again.set(name, sets)?));
        }
        if let Some(nodes) = source.limit {
            command += &format!(" --nodes {nodes}");
        }
        again.commands.push(command);
    }
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
        let named = again.set(&first.set, sets)?;
        let keep = first.keep.to_string();
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
            let table = plan_table(&question.question, &question.label).ok_or_else(unknown)?;
            let _ = write!(text, "\n# {}\n{table}", question.label);
        }
        let file = format!("plan-{}.toml", at + 1);
        again.commands.push(format!("somacat run {file}"));
        again.files.insert(file, text);
    }
    Ok(again)
}

/// Returns a word in single quotes, as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
