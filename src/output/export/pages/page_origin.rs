//! Where the numbers of a figure's page come from, and how to cite them.

use super::gallery_page::download_name;
use crate::dossier::{Dossier, SetOutcome, grouped};
use serde::Serialize;
use somacat_catalog::{CountKind, PublishedCount};
use somacat_counting::prove::MAX_PROOF_CELLS;
use somacat_formats::count_noun;
use somacat_geometry::outcome::{Engine, Verdict};
use somacat_geometry::pieces::{FamousSet, parse_set_with_ranges};

/// The year of citations: that of the program's version, as in `CITATION.cff` and README.
const YEAR: &str = "2026";

#[derive(Serialize)]
pub(super) struct PageOrigin {
    /// The program with its version, and its commit if known.
    program: String,
    /// How each count was made.
    methods: Vec<String>,
    /// Counts that others published: `240 unique (Conway and Guy 1961)`.
    published: Vec<String>,
    /// The sets for which the program can prove the result, as arguments of a command.
    provable: Vec<String>,
    /// A citation as BibTeX.
    bibtex: String,
}

impl PageOrigin {
    /// Describes the origin for a page at an address, which is empty if unknown. `version` may contain a commit, as in
    /// `0.1.0+5e37f4a`.
    pub(super) fn new(
        dossier: &Dossier,
        published: &[(String, PublishedCount)],
        version: &str,
        address: &str,
    ) -> Self {
        let (number, commit) = version.split_once('+').unwrap_or((version, ""));
        let commit = if commit.is_empty() { String::new() } else { format!(", commit {commit}") };
        let program = format!("somacat {number}{commit}");
        let provable = dossier.outcomes.iter().filter(|outcome| {
            let cells = dossier.candidate.figure().len();
            match outcome.verdict() {
                Some(Verdict::Counted) => cells <= MAX_PROOF_CELLS,
                verdict => verdict == Some(Verdict::Unsolvable),
            }
        });
        let provable = provable.filter_map(|outcome| set_argument(outcome.set.as_deref()?));
        let url = match address {
            "" => String::new(),
            _ => format!(",\n  url = {{{address}}}"),
        };
        let title = format!("{{{}}}: a figure of {{SOMA}} cubes", in_bibtex(&dossier.heading));
        let bibtex = format!(
            "@misc{{somacat-{},\n  author = {{{{The somacat authors}}}},\n  title = {{{title}}},\n  year = {{{YEAR}}},\
             \n  version = {{{version}}},\n  note = {{{}}}{url}\n}}",
            download_name(&dossier.heading),
            in_bibtex(dossier.signature.as_str()),
        );
        let several = dossier.outcomes.len() > 1;
        let methods = dossier.outcomes.iter().filter_map(|known| method(known, several)).collect();
        let published = published.iter().map(|(set, count)| in_words(dossier, set, count));
        let (published, provable) = (published.collect(), provable.collect());
        Self { program, methods, published, provable, bibtex }
    }
}

/// Returns a set as an argument, in quotes if a shell needs them. `None` for the name of a file of pieces.
fn set_argument(name: &str) -> Option<String> {
    if FamousSet::named(name).is_none() {
        parse_set_with_ranges(name).ok()?;
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    Some(if name.chars().all(is_plain) { name.to_owned() } else { format!("'{name}'") })
}

/// States a published count, and whether ours contradicts it: `240 unique (Conway and Guy 1961)`. Names the set if the
/// page has others.
fn in_words(dossier: &Dossier, set: &str, count: &PublishedCount) -> String {
    let PublishedCount { kind, value, source, .. } = count;
    let value = u128::from(*value);
    let is_of_set = |outcome: &&SetOutcome| outcome.set.as_deref() == Some(set);
    let ours = dossier.outcomes.iter().find(is_of_set).and_then(|known| known.report.as_ref());
    let differs = ours.map(|report| &report.outcome).is_some_and(|outcome| {
        let exact = outcome.counts().map(|counts| match kind {
            CountKind::Raw => counts.raw,
            CountKind::Rotation => counts.rotation,
            CountKind::Unique => counts.unique,
        });
        let least = match kind {
            CountKind::Raw => outcome.raw().unwrap_or(0),
            CountKind::Rotation | CountKind::Unique => {
                outcome.least_unique(dossier.candidate.group().order())
            }
        };
        exact.map_or(least > value, |exact| exact != value)
    });
    let differs = if differs { ", which differs from this count" } else { "" };
    let is_only = dossier.outcomes.iter().all(|outcome| is_of_set(&outcome));
    let of_set = if is_only { String::new() } else { format!(" with {set}") };
    format!("{} {}{of_set} ({source}){differs}", grouped(&value.to_string()), kind.word())
}

/// Escapes the characters that TeX reads as commands.
fn in_bibtex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' => escaped.extend(['\\', c]),
            '\\' | '{' | '}' | '~' | '^' => {}
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Says how a count was made: `a search of 12,345 placements`, after the set if there are several.
fn method(outcome: &SetOutcome, several: bool) -> Option<String> {
    let report = outcome.report.as_ref()?;
    let set = outcome.set.as_deref().filter(|_| several);
    let set = set.map(|set| format!("{set}: ")).unwrap_or_default();
    let nodes = |noun: &str| {
        let nodes = report.nodes.unwrap_or_default().to_string();
        count_noun(grouped(&nodes), noun)
    };
    let words = match (report.engine, report.outcome.verdict()) {
        (_, Verdict::Failed) => return None,
        (None, _) => "settled without a search".to_owned(),
        (Some(Engine::Search), _) => format!("a search of {}", nodes("placement")),
        (Some(Engine::Frontier), _) => {
            format!("a sweep from cell to cell over {}", nodes("state"))
        }
        (Some(Engine::Census), _) => "counted together with all figures of its box".to_owned(),
    };
    let limit = match report.outcome.verdict() {
        Verdict::AtLeast | Verdict::Unknown => ", stopped at a limit",
        _ => "",
    };
    Some(format!("{set}{words}{limit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_text_in_bibtex() {
        assert_eq!(in_bibtex("C1-27 #6"), "C1-27 \\#6");
        assert_eq!(in_bibtex("A_{b} & \\c"), "A\\_b \\& c");
    }
}
