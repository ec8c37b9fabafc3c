//! One figure by file, signature or name, and what the catalog knows of it.

use super::input::Entries;
use super::nearest::Nearest;
use super::{Global, eprintln};
use crate::catalog::{Called, Catalog, CatalogError, Filter, Origin};
use crate::figure::{Figure, Identity, Signature};
use crate::formats::{Entry, Format};
use crate::pieces::PieceSet;
use anyhow::{anyhow, bail};
use std::collections::BTreeSet;
use std::path::Path;

/// Entries of the catalog that are shown for one figure, at most.
pub(super) const MOST_ORIGINS: usize = 50;

/// A figure that was asked for.
pub(super) struct Found {
    /// What it is called: in its file, else in the catalog.
    pub(super) name: String,
    /// As it lies in its file, else in canonical position.
    pub(super) figure: Figure,
    /// What its file says, with the file's name and its number there; `None` from the catalog.
    pub(super) entry: Option<(Entry, String, usize)>,
    /// The rows of the catalog, one for each piece set.
    pub(super) called: Vec<Called>,
    /// Its entries in the catalog.
    pub(super) origins: Vec<Origin>,
    /// The enumerations that list it, in words.
    pub(super) enumerations: Vec<String>,
    /// The piece sets of the rows that have one.
    pub(super) sets: Vec<PieceSet>,
}

/// The figures a text means: those of a file (or of standard input for `-`), one by signature, or one by
/// its name in the catalog, with `*` and `?` if only one figure is called so.
pub(super) fn look_up(
    global: &Global,
    text: &str,
    format: Option<Format>,
) -> anyhow::Result<Vec<Found>> {
    if text == "-" || Path::new(text).exists() {
        return of_file(global, text, format);
    }
    if let Ok(signature) = text.parse::<Signature>() {
        let figure = signature.figure()?;
        // Another version's or a foreign text may spell a figure that is not in canonical position.
        let known = match catalog_beside(global) {
            Some(catalog) => known(&catalog, &figure)?,
            None => Known::default(),
        };
        return Ok(vec![found(text.to_owned(), figure, None, known)]);
    }
    let unknown = |hint: &str| {
        let db = global.db.display();
        anyhow!("`{text}` is no file, no signature (s1-…) and no name in {db}{hint}")
    };
    let catalog = match Catalog::open_read_only(&global.db) {
        Err(CatalogError::Missing(_)) => return Err(unknown(", which does not exist")),
        other => other?,
    };
    let signatures = named(&catalog, text)?;
    let mut signatures = signatures.into_iter();
    match (signatures.next(), signatures.len()) {
        (None, _) => {
            let mut nearest = Nearest::to(text.trim_matches('*'), 5);
            catalog.each_name(|name| nearest.consider(name))?;
            Err(unknown(&nearest.suggestion()))
        }
        (Some((name, signature)), 0) => {
            let signature: Signature = signature.parse()?;
            let figure = signature.figure()?;
            let known = known(&catalog, &figure)?;
            Ok(vec![found(name, figure, None, known)])
        }
        (Some(first), others) => {
            let shown: Vec<String> = std::iter::once(first)
                .chain(signatures)
                .take(8)
                .map(|(name, signature)| format!("{name} ({signature})"))
                .collect();
            let more = if others >= 8 { ", …" } else { "" };
            bail!("`{text}` means {} figures: {}{more}", others + 1, shown.join(", "))
        }
    }
}

/// What the catalog knows of a figure.
#[derive(Default)]
struct Known {
    called: Vec<Called>,
    origins: Vec<Origin>,
    enumerations: Vec<String>,
    sets: Vec<PieceSet>,
}

fn found(
    name: String,
    figure: Figure,
    entry: Option<(Entry, String, usize)>,
    known: Known,
) -> Found {
    let Known { called, origins, enumerations, sets } = known;
    Found { name, figure, entry, called, origins, enumerations, sets }
}

fn of_file(global: &Global, text: &str, format: Option<Format>) -> anyhow::Result<Vec<Found>> {
    let mut entries = Entries::open(Path::new(text), format)?;
    let list = entries.chunk(usize::MAX)?;
    entries.require_any()?;
    if list.is_empty() {
        bail!("{text} holds no sound figure");
    }
    let label = if text == "-" { "standard input" } else { text };
    let catalog = catalog_beside(global);
    let mut all = Vec::new();
    for (at, entry) in list.into_iter().enumerate() {
        let known = match &catalog {
            Some(catalog) => known(catalog, &entry.figure)?,
            None => Known::default(),
        };
        let (name, figure) = (entry.label(), entry.figure.clone());
        all.push(found(name, figure, Some((entry, label.to_owned(), at + 1)), known));
    }
    Ok(all)
}

/// The catalog if there is one: a figure that is given needs none.
fn catalog_beside(global: &Global) -> Option<Catalog> {
    match Catalog::open_read_only(&global.db) {
        Ok(catalog) => Some(catalog),
        Err(CatalogError::Missing(_)) => None,
        Err(error) => {
            eprintln(&format!("shown without a catalog: {error}"));
            None
        }
    }
}

/// Names and signatures of the figures that are called so.
fn named(catalog: &Catalog, name: &str) -> anyhow::Result<BTreeSet<(String, String)>> {
    let filter = Filter { name: Some(name.to_owned()), ..Filter::default() };
    let mut found = BTreeSet::new();
    catalog.select::<anyhow::Error>(&filter, |called| {
        let record = called.record;
        let name = record.name.unwrap_or_else(|| record.signature.clone());
        found.insert((name, record.signature));
        Ok(())
    })?;
    Ok(found)
}

/// What the catalog knows of a figure, however it lies.
fn known(catalog: &Catalog, figure: &Figure) -> anyhow::Result<Known> {
    let mut found = Known::default();
    for identity in [Identity::Reflections, Identity::Rotations] {
        let signature = figure.canonical_up_to(identity).signature;
        found.origins.extend(catalog.origins(&signature, MOST_ORIGINS)?);
        found.enumerations.extend(catalog.enumerations_of(&signature)?);
        let filter = Filter { signature: Some(signature), ..Filter::default() };
        catalog.select::<anyhow::Error>(&filter, |called| {
            found.called.push(called);
            Ok(())
        })?;
    }
    let used = |set: &PieceSet| {
        found.called.iter().any(|called| called.set.as_deref() == Some(set.name()))
    };
    found.sets = catalog.piece_sets()?.into_values().filter(used).collect();
    found.sets.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(found)
}
