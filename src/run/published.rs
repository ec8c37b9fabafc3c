//! Files of published counts. They are checked with the plan, and compared when the figures are in the catalog.

use super::intake::Intake;
use super::plan_error::{PlanError, PlanFault};
use super::user_table::table_rows;
use serde::Deserialize;
use somacat_catalog::{CatalogError, CountKind, Filter, NamePattern, PublishedCount, Session};
use somacat_formats::PieceSetError;
use somacat_geometry::excerpt;
use somacat_geometry::figure::{Equivalence, Signature};
use somacat_geometry::pieces::{PieceSet, parse_set};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

/// A checked line of a file of published counts.
#[derive(Clone, Debug)]
pub struct PublishedLine {
    file: PathBuf,
    line: u64,
    figure: FigureName,
    set: PieceSet,
    kind: CountKind,
    value: u64,
    source: String,
}

#[derive(Clone, Debug)]
enum FigureName {
    Signature(Signature),
    Name(String),
}

impl FigureName {
    fn text(&self) -> &str {
        match self {
            Self::Signature(signature) => signature.as_str(),
            Self::Name(name) => name,
        }
    }
}

#[derive(Deserialize)]
struct CountLine {
    name: String,
    signature: String,
    set: String,
    kind: String,
    value: String,
    source: String,
}

/// Parses published counts. `set` is the plan's own, whose name may be unknown elsewhere.
pub fn parse(
    path: &Path,
    text: &str,
    set: Option<&PieceSet>,
) -> Result<Vec<PublishedLine>, PlanError> {
    let failed = |error| PlanError::Published { path: path.to_owned(), error };
    let mut lines = Vec::new();
    for (line, row) in table_rows::<CountLine>(text, "kind", &[]).map_err(failed)? {
        let published = published(row, path, line, set);
        lines.push(published.map_err(|fault| PlanError::Line {
            path: path.to_owned(),
            line,
            fault: Box::new(fault),
        })?);
    }
    Ok(lines)
}

fn published(
    row: CountLine,
    path: &Path,
    line: u64,
    own: Option<&PieceSet>,
) -> Result<PublishedLine, PlanFault> {
    let kind = CountKind::WORDS.into_iter().find(|(_, word)| word.eq_ignore_ascii_case(&row.kind));
    let (kind, _) = kind.ok_or(PlanFault::CountKind(row.kind))?;
    let set = match own.filter(|own| own.name() == row.set) {
        Some(own) => own.clone(),
        None => parse_set(&row.set).map_err(PieceSetError::from)?,
    };
    let figure = match row.signature.trim() {
        "" if row.name.trim().is_empty() => return Err(PlanFault::NoFigure),
        "" => FigureName::Name(row.name),
        // Spreadsheets begin cells with a capital.
        text => FigureName::Signature(text.parse().or_else(|_| text.to_lowercase().parse())?),
    };
    let value = row.value.trim().parse().ok().filter(|value| i64::try_from(*value).is_ok());
    let value = value.ok_or(PlanFault::Value(row.value))?;
    // It could act on a terminal.
    if row.source.contains(char::is_control) {
        return Err(PlanFault::ControlInSource(excerpt(&row.source)));
    }
    let (file, source) = (path.to_owned(), row.source);
    Ok(PublishedLine { file, line, figure, set, kind, value, source })
}

impl Intake<'_> {
    /// Keeps published counts of figures in the catalog. Reports names that match no figure, or several.
    pub fn keep_published(&mut self, lines: &[PublishedLine]) -> Result<(), CatalogError> {
        let Self { session, summary, progress, .. } = self;
        let mut refuse = |line: &PublishedLine, reason: String| {
            progress.say(&format!("{}:{}: {reason}", line.file.display(), line.line));
            summary.published_faults += 1;
        };
        let (mut counts, mut unknown, mut values) = (Vec::new(), 0, HashMap::new());
        for line in lines {
            let named = match &line.figure {
                FigureName::Signature(signature) => vec![signature.clone()],
                FigureName::Name(name) => signatures(session, name)?,
            };
            let mut found = with_set(&named, &line.set);
            let signature = match (found.pop(), found.is_empty()) {
                (Some(signature), true) => signature,
                (found, _) => {
                    let (name, set) = (line.figure.text(), line.set.name());
                    let reason = match (found, named.first()) {
                        (Some(_), _) => {
                            "several figures are called so; give the signature".to_owned()
                        }
                        (None, Some(_)) => {
                            format!(
                                "{set} tells its mirror images apart; give the signature of one, r1-…"
                            )
                        }
                        (None, None) => {
                            refuse(line, format!("no figure of the catalog is called {name}"));
                            continue;
                        }
                    };
                    refuse(line, format!("{name}: {reason}"));
                    continue;
                }
            };
            // A set without a figure would stay in the catalog.
            if !session.catalog().has_figure(&signature)? {
                unknown += 1;
                continue;
            }
            let (set, kind, source) = (session.set_id(&line.set)?, line.kind, line.source.clone());
            match values.entry((signature.clone(), set, kind, source.clone())) {
                Entry::Occupied(earlier) if *earlier.get() != line.value => {
                    refuse(line, format!("an earlier line says {}", earlier.get()));
                    continue;
                }
                entry => entry.or_insert(line.value),
            };
            counts.push(PublishedCount { signature, set, kind, value: line.value, source });
        }
        session.publish_counts(&counts)?;
        (summary.published_known, summary.published_unknown) = (counts.len() as u64, unknown);
        Ok(())
    }
}

fn signatures(session: &Session, name: &str) -> Result<Vec<Signature>, CatalogError> {
    let filter = Filter { name: Some(NamePattern::exact(name)), ..Filter::default() };
    let mut found = Vec::new();
    session.catalog().select::<CatalogError>(&filter, |row| {
        found.push(row.figure.signature);
        Ok(())
    })?;
    Ok(found)
}

/// Returns the signatures of these figures with a set, which may tell mirror images apart or not. A figure with two is left
/// out.
fn with_set(named: &[Signature], set: &PieceSet) -> Vec<Signature> {
    let equivalence = Equivalence::for_set(set);
    let is_own = |signature: &&Signature| signature.equivalence() == equivalence;
    let mut found: Vec<Signature> = named.iter().filter(is_own).cloned().collect();
    if found.is_empty() {
        found.extend(named.iter().filter_map(|signature| {
            let figure = signature.figure().ok()?;
            let has_two =
                equivalence == Equivalence::Rotations && figure.canonical().group.is_chiral();
            (!has_two).then(|| figure.canonical_up_to(equivalence).signature)
        }));
    }
    found.sort_unstable();
    found.dedup();
    found
}
