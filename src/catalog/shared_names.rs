//! Names that stand for several figures of one source: whoever asks for one of them by its name is told of all, so each
//! gets a remark.

use super::{FaultRow, SourceId};
use rusqlite::{Transaction, params};
use somacat_geometry::figure::{Identity, Signature};
use std::collections::HashSet;

/// A remark on each name that stands for several figures of a source, in the order of the entries. Names are the same
/// in either case, as where they are looked up. The remark is on the first entry that is not the figure which has the
/// name first.
pub(super) fn shared_names(
    transaction: &Transaction<'_>,
    source: SourceId,
) -> rusqlite::Result<Vec<FaultRow>> {
    let labels: Vec<String> = transaction
        .prepare_cached(
            "SELECT label FROM name WHERE source_id = ? AND label IS NOT NULL
             GROUP BY label COLLATE NOCASE HAVING min(figure_id) < max(figure_id)",
        )?
        .query_map([source], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut remarks = Vec::new();
    for label in labels {
        remarks.extend(remark(transaction, source, &label)?);
    }
    remarks.sort_unstable_by_key(|remark| remark.ordinal);
    Ok(remarks)
}

/// The remark on a name, if its entries are not all one figure.
fn remark(
    transaction: &Transaction<'_>,
    source: SourceId,
    label: &str,
) -> rusqlite::Result<Option<FaultRow>> {
    let mut statement = transaction.prepare_cached(
        "SELECT n.ordinal, n.line, n.label, f.signature
         FROM name n JOIN figure f ON f.id = n.figure_id
         WHERE n.source_id = ? AND n.label = ? COLLATE NOCASE ORDER BY n.ordinal",
    )?;
    let entries = statement.query_map(params![source, label], |row| {
        let fault = FaultRow {
            ordinal: row.get(0)?,
            line: row.get(1)?,
            label: row.get(2)?,
            refused: false,
            kind: "shared-name".into(),
            message: String::new(),
        };
        Ok((fault, Signature::from_trusted(row.get(3)?)))
    })?;
    let mut entries: Vec<(FaultRow, Signature)> = entries.collect::<rusqlite::Result<_>>()?;
    // Imported with sets that are closed under reflection and with others, an entry has a signature of either kind.
    let one_sided = |(_, signature): &(FaultRow, Signature)| signature.as_str().starts_with('r');
    if entries.iter().any(one_sided) && !entries.iter().all(one_sided) {
        for (_, signature) in &mut entries {
            // A damaged one is for `catalog check`.
            if let Ok(figure) = signature.figure() {
                *signature = figure.canonical_up_to(Identity::Reflections).signature;
            }
        }
    }
    let figures = entries.iter().map(|(_, signature)| signature).collect::<HashSet<_>>().len();
    let mut entries = entries.into_iter();
    let Some((FaultRow { line, .. }, of_first)) = entries.next() else { return Ok(None) };
    let message = match figures {
        2 => format!("line {line} has another figure of this name; rename one of them"),
        _ => format!(
            "line {line} has another figure of this name, and {figures} have it in all; rename them"
        ),
    };
    let other = entries.find(|(_, signature)| *signature != of_first);
    Ok(other.map(|(entry, _)| FaultRow { message, ..entry }))
}
