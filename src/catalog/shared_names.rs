//! Names shared by several figures of one source. Each gets a remark, because a lookup by that name finds them all.

use super::SourceId;
use super::collect::collect_rows;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, params};
use somacat_counting::question::EntryFault;
use somacat_geometry::figure::{Equivalence, Signature};
use std::collections::HashSet;
use twox_hash::XxHash64;

/// Creates a remark for each name shared by several figures. The remarks have the order of the entries. Names
/// compare case-insensitively, as in [`super::NamePattern`]. The remark belongs to the first entry of a different
/// figure than the name's first.
pub(super) fn shared_names(
    transaction: &Connection,
    source: SourceId,
) -> rusqlite::Result<Vec<EntryFault>> {
    let repeated = LabelFilter::of(transaction, source)?;
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    transaction.create_scalar_function("may_repeat", 1, flags, move |context| {
        Ok(repeated.has(context.get_raw(0).as_bytes()?))
    })?;
    let sql = "SELECT json_group_array(label) FROM name
               WHERE source_id = ? AND label IS NOT NULL AND may_repeat(label)
               GROUP BY lower_case(label) HAVING min(figure_id) < max(figure_id)";
    let spellings = collect_rows(transaction, sql, [source], |row| row.get::<_, String>(0));
    transaction.remove_function("may_repeat", 1)?;
    let spellings = spellings?;
    let mut remarks = Vec::new();
    for labels in spellings {
        remarks.extend(remark(transaction, source, &labels)?);
    }
    remarks.sort_unstable_by_key(|remark| remark.ordinal);
    Ok(remarks)
}

/// The labels that may occur twice in a source, in any case: those that do, and a few others. SQLite would sort all
/// labels to find them, for which it takes as much memory as its cache, and more time than for all else about a name.
struct LabelFilter {
    /// A bit for each hash.
    repeated: Vec<u64>,
}

impl LabelFilter {
    /// The most bits, 32 MiB. Of four million different labels 1.5 % then pass.
    const MOST_BITS: u64 = 1 << 28;

    fn of(transaction: &Connection, source: SourceId) -> rusqlite::Result<Self> {
        let sql = "SELECT count(*) FROM name WHERE source_id = ?";
        let labels: u64 = transaction.query_row(sql, [source], |row| row.get(0))?;
        let bits = (labels * 64).next_power_of_two().clamp(1 << 12, Self::MOST_BITS);
        let mut seen = vec![0; bits as usize / 64];
        let mut filter = Self { repeated: seen.clone() };
        let sql = "SELECT label FROM name WHERE source_id = ? AND label IS NOT NULL";
        let mut statement = transaction.prepare(sql)?;
        let mut rows = statement.query([source])?;
        while let Some(row) = rows.next()? {
            let (word, bit) = filter.place(row.get_ref(0)?.as_bytes()?);
            filter.repeated[word] |= seen[word] & bit;
            seen[word] |= bit;
        }
        Ok(filter)
    }

    /// Returns the word and the bit of a label.
    fn place(&self, label: &[u8]) -> (usize, u64) {
        let label = String::from_utf8_lossy(label).to_lowercase();
        let hash = XxHash64::oneshot(0, label.as_bytes());
        ((hash / 64) as usize % self.repeated.len(), 1 << (hash % 64))
    }

    fn has(&self, label: &[u8]) -> bool {
        let (word, bit) = self.place(label);
        self.repeated[word] & bit != 0
    }
}

/// Returns the remark for a name, if its entries have different figures. `labels` is an array in JSON of its spellings.
fn remark(
    transaction: &Connection,
    source: SourceId,
    labels: &str,
) -> rusqlite::Result<Option<EntryFault>> {
    let sql = "SELECT n.ordinal, n.line, n.label, f.signature
               FROM name n JOIN figure f ON f.id = n.figure_id
               WHERE n.source_id = ? AND n.label COLLATE NOCASE IN (SELECT value FROM json_each(?))
               ORDER BY n.ordinal";
    let mut entries = collect_rows(transaction, sql, params![source, labels], |row| {
        let fault = EntryFault {
            ordinal: row.get(0)?,
            line: row.get(1)?,
            label: row.get(2)?,
            refused: false,
            kind: "shared-name".into(),
            message: String::new(),
            figure: None,
        };
        Ok((fault, Signature::from_trusted(row.get(3)?)))
    })?;
    // An entry imported with both kinds of sets, closed under reflection and not, has a signature of each kind.
    let one_sided = |(_, signature): &(EntryFault, Signature)| signature.as_str().starts_with('r');
    if entries.iter().any(one_sided) && !entries.iter().all(one_sided) {
        for (_, signature) in &mut entries {
            // `catalog check` reports a damaged one.
            if let Ok(figure) = signature.figure() {
                *signature = figure.canonical_up_to(Equivalence::Reflections).signature;
            }
        }
    }
    let figures = entries.iter().map(|(_, signature)| signature).collect::<HashSet<_>>().len();
    let mut entries = entries.into_iter();
    let Some((EntryFault { line, .. }, of_first)) = entries.next() else { return Ok(None) };
    let message = match figures {
        2 => format!("line {line} has another figure of this name; rename one of them"),
        _ => format!(
            "line {line} has another figure of this name, and {figures} have it in all; rename them"
        ),
    };
    let other = entries.find(|(_, signature)| *signature != of_first);
    Ok(other.map(|(entry, _)| EntryFault { message, ..entry }))
}
