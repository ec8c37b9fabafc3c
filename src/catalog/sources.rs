//! Sources: the files and streams that names come from.

use super::{Catalog, CatalogError, EntryRow, Session, SourceId};
use rusqlite::{Connection, OptionalExtension, params};
use somacat_counting::question::EntryFault;
use somacat_geometry::figure::Equivalence;
use std::iter;
use std::path::Path;

impl Session {
    /// Returns the id of a source, adding it if it is new. `place` is the file's absolute path on this machine. One
    /// file is one source, however its path is written.
    ///
    /// Another file with the same label becomes a separate source, `label (2)`, so neither replaces the other's names. A
    /// file that was moved is recognized by the entries with which it begins: at least half of their figures are the
    /// source's. If the file itself is on another machine, the label decides.
    pub fn source(
        &mut self,
        label: &str,
        place: Option<&Path>,
        entries: &[EntryRow],
        faults: &[EntryFault],
    ) -> Result<SourceId, CatalogError> {
        let path = place.map(|path| path.to_string_lossy().into_owned());
        self.catalog.write("keep a source", |transaction| {
            let at_place = "SELECT source_id FROM place WHERE path = ? ORDER BY source_id LIMIT 1";
            let known = transaction.query_row(at_place, [&path], |row| row.get(0)).optional()?;
            let id = match known {
                Some(known) => known,
                None => labeled(transaction, label, place, |id| {
                    alike(transaction, id, entries, faults)
                })?,
            };
            if path.is_some() {
                transaction
                    .execute("INSERT OR REPLACE INTO place VALUES (?, ?)", params![id, path])?;
            }
            Ok(id)
        })
    }

    /// Adds a source with an unused label: `label 1`, `label 2`, …. Standard input uses this.
    pub fn unused_source(&mut self, label: &str) -> Result<SourceId, CatalogError> {
        self.catalog.write("keep a source", |transaction| {
            unused(transaction, (1_u64..).map(|number| format!("{label} {number}")))
        })
    }
}

/// Returns the source of a file with a label, or with the label and a number: the one that is most alike. If none is, adds
/// one under the first unused label. A source whose file is still in its place is another.
fn labeled(
    transaction: &Connection,
    label: &str,
    place: Option<&Path>,
    alike: impl Fn(SourceId) -> rusqlite::Result<Option<usize>>,
) -> rusqlite::Result<SourceId> {
    let Some(place) = place else { return id_of_label(transaction, label) };
    let numbered = (2_u64..).map(|number| format!("{label} ({number})"));
    let of_label = "SELECT s.id, p.path FROM source s LEFT JOIN place p ON p.source_id = s.id
                    WHERE s.label = ?";
    let mut best: Option<(usize, SourceId)> = None;
    for label in iter::once(label.to_owned()).chain(numbered) {
        let found = transaction.query_row(of_label, [&label], |row| Ok((row.get(0)?, row.get(1)?)));
        let Some((id, known)): Option<(SourceId, Option<String>)> = found.optional()? else {
            return best.map_or_else(|| unused(transaction, iter::once(label)), |(_, id)| Ok(id));
        };
        if known.is_some_and(|known| Path::new(&known).exists()) {
            continue;
        }
        if !place.exists() {
            return Ok(id);
        }
        if let Some(number) = alike(id)?
            && best.is_none_or(|(most, _)| number > most)
        {
            best = Some((number, id));
        }
    }
    unreachable!("the labels are endless")
}

/// Returns how many of these entries' figures a source has, if at least half. Faults decide if there are no figures. A
/// source without names or faults has nothing to lose.
fn alike(
    transaction: &Connection,
    source: SourceId,
    entries: &[EntryRow],
    faults: &[EntryFault],
) -> rusqlite::Result<Option<usize>> {
    let is_empty = "SELECT NOT EXISTS (SELECT 1 FROM name WHERE source_id = ?1)
                       AND NOT EXISTS (SELECT 1 FROM fault WHERE source_id = ?1)";
    if transaction.query_row(is_empty, [source], |row| row.get(0))? {
        return Ok(Some(0));
    }
    // Another set may tell mirror images apart.
    let sql = "SELECT EXISTS (SELECT 1 FROM figure f JOIN name n ON n.figure_id = f.id
                              WHERE f.signature IN (?2, ?3) AND n.source_id = ?1)";
    let mut has_figure = transaction.prepare_cached(sql)?;
    let sql =
        "SELECT EXISTS (SELECT 1 FROM fault WHERE source_id = ? AND ordinal = ? AND message = ?)";
    let mut has_fault = transaction.prepare_cached(sql)?;
    let (mut known, mut all) = (0, entries.len());
    for entry in entries {
        let other = match entry.candidate.equivalence() {
            Equivalence::Reflections => Equivalence::Rotations,
            Equivalence::Rotations => Equivalence::Reflections,
        };
        let other = entry.candidate.figure().canonical_up_to(other).signature;
        let signatures = params![source, entry.candidate.signature().as_str(), other.as_str()];
        let has: bool = has_figure.query_row(signatures, |row| row.get(0))?;
        known += usize::from(has);
    }
    if entries.is_empty() {
        all = faults.len();
        for fault in faults {
            let key = params![source, fault.ordinal, fault.message];
            let has: bool = has_fault.query_row(key, |row| row.get(0))?;
            known += usize::from(has);
        }
    }
    Ok((known > 0 && 2 * known >= all).then_some(known))
}

pub(super) fn id_of_label(transaction: &Connection, label: &str) -> rusqlite::Result<SourceId> {
    transaction.execute("INSERT OR IGNORE INTO source (label) VALUES (?)", [label])?;
    transaction.query_row("SELECT id FROM source WHERE label = ?", [label], |row| row.get(0))
}

/// Adds a source under the first unused label.
fn unused(
    transaction: &Connection,
    labels: impl Iterator<Item = String>,
) -> rusqlite::Result<SourceId> {
    for label in labels {
        let sql = "INSERT OR IGNORE INTO source (label) VALUES (?)";
        if transaction.execute(sql, [&label])? > 0 {
            return Ok(SourceId(transaction.last_insert_rowid()));
        }
    }
    unreachable!("the labels are endless")
}

impl Catalog {
    /// Returns the labels of all sources, in the order of import.
    pub fn sources(&self) -> Result<Vec<String>, CatalogError> {
        self.rows("read sources", "SELECT label FROM source ORDER BY id", [], |row| row.get(0))
    }
}
