//! What a catalog was made from: sources and questions in their order, with the options that decide about its rows. A
//! release writes them down as plans that make the catalog again.

use super::structures::RequestedAnalyses;
use super::{Catalog, CatalogError, EnumerationId, Session, SetId, SourceId};
use rusqlite::types::Value;
use rusqlite::{params, params_from_iter};
use std::collections::HashMap;
use std::path::PathBuf;

/// The options of a run that decide about rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// The most nodes for each figure.
    pub nodes: Option<u64>,
    /// False if figures are only recognized.
    pub counted: bool,
    pub wanted: RequestedAnalyses,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { nodes: None, counted: true, wanted: RequestedAnalyses::default() }
    }
}

/// How a source was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceOptions<S> {
    /// The digest of its content. `None` for a stream.
    pub sha256: Option<String>,
    /// The name of its format. `None` if it was detected.
    pub format: Option<String>,
    /// Its pieces. `None` if the figures decide.
    pub set: Option<S>,
}

/// Name, title and credit of a source's entries, by ordinal. `None` for a refused entry.
pub type NamesOfSource = HashMap<u64, Option<[Option<String>; 3]>>;

/// A source or question of a catalog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub of: Requested,
    pub options: RunOptions,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Requested {
    Source {
        label: String,
        /// Its path on this machine, if it is a file.
        place: Option<PathBuf>,
        read: SourceOptions<String>,
    },
    /// The question with this key, set, `keep` and limit; see [`crate::EnumerationSummary`].
    Question { key: String, label: String, set: String, keep: String },
}

/// Changes request `?1`, which is repeated. Its limit is the higher one, because counts that a lower one ended are
/// repeated.
const REPEAT: &str = "UPDATE request SET
    nodes = CASE WHEN NOT ?8 THEN nodes WHEN NOT counted THEN ?7
        WHEN nodes = 0 OR ?7 = 0 THEN 0 ELSE max(nodes, ?7) END,
    counted = max(counted, ?8), map = max(map, ?9), stand = max(stand, ?10), prove = max(prove, ?11),
    changed = max(changed, ?12)
    WHERE id = ?1 AND sha256 IS ?4 AND format IS ?5 AND set_id IS ?6";

impl Session {
    /// Notes how a source was read and counted. What was noted of another content of the source is forgotten.
    pub fn request_source(
        &mut self,
        source: SourceId,
        read: &SourceOptions<SetId>,
        options: RunOptions,
    ) -> Result<(), CatalogError> {
        self.request((Some(source), None), read, options)
    }

    /// Notes how a question was answered.
    pub fn request_enumeration(
        &mut self,
        enumeration: EnumerationId,
        options: RunOptions,
    ) -> Result<(), CatalogError> {
        let read = SourceOptions { sha256: None, format: None, set: None };
        self.request((None, Some(enumeration)), &read, options)
    }

    /// Notes a request. It is repeated if it is the last of its source or question.
    fn request(
        &mut self,
        (source, enumeration): (Option<SourceId>, Option<EnumerationId>),
        read: &SourceOptions<SetId>,
        options: RunOptions,
    ) -> Result<(), CatalogError> {
        let RunOptions { nodes, counted, wanted } = options;
        let nodes = nodes.map_or(0, |nodes| i64::try_from(nodes).unwrap_or(i64::MAX));
        self.catalog.write("note what was requested", |transaction| {
            let other = "source_id = ? AND sha256 IS NOT ?";
            let values = params![source, read.sha256];
            // A new content takes the place of the other.
            let sql = format!("SELECT min(id) FROM request WHERE {other}");
            let place: Option<i64> = transaction.query_row(&sql, values, |row| row.get(0))?;
            transaction.execute(&format!("DELETE FROM request WHERE {other}"), values)?;
            let sql = "SELECT max(id) FROM request WHERE source_id = ? OR enumeration_id = ?";
            let last: Option<i64> =
                transaction.query_row(sql, params![source, enumeration], |row| row.get(0))?;
            let values = |id: Option<i64>| {
                params_from_iter([
                    Value::from(id),
                    source.map(|id| id.0).into(),
                    enumeration.map(|id| id.0).into(),
                    read.sha256.clone().into(),
                    read.format.clone().into(),
                    read.set.map(|id| id.0).into(),
                    nodes.into(),
                    counted.into(),
                    // A run that does not count looks for nothing.
                    (counted && wanted.map).into(),
                    (counted && wanted.stand).into(),
                    (counted && wanted.prove).into(),
                    place.is_some().into(),
                ])
            };
            if transaction.execute(REPEAT, values(last))? == 0 {
                let new =
                    "INSERT INTO request VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
                transaction.execute(new, values(place))?;
            }
            Ok(())
        })
    }
}

impl Catalog {
    /// Returns the number of counts that no source or question requested, as those of `somacat design`.
    pub fn unrequested_counts(&self) -> Result<u64, CatalogError> {
        let sql = "SELECT count(*) FROM outcome o
            WHERE NOT EXISTS (SELECT 1 FROM name n LEFT JOIN request r ON r.source_id = n.source_id
                    WHERE n.figure_id = o.figure_id AND r.counted IS NOT 0
                    AND (r.set_id = o.set_id OR r.set_id IS NULL AND (n.set_id = o.set_id OR n.set_id IS NULL
                        OR EXISTS (SELECT 1 FROM request l WHERE l.source_id = r.source_id AND l.id > r.id))))
                AND NOT EXISTS (SELECT 1 FROM enumerated e WHERE e.figure_id = o.figure_id
                    AND e.enumeration_id IN (SELECT id FROM enumeration WHERE set_id = o.set_id))";
        let numbers: Vec<u64> =
            self.rows("count the rows that nothing requested", sql, [], |row| row.get(0))?;
        Ok(numbers.into_iter().sum())
    }

    /// Returns how many numbers of figures and sources are free below the highest, if anything was removed. Runs leave
    /// some free too, always the same ones.
    pub fn removed_numbers(&self) -> Result<u64, CatalogError> {
        let sql = "SELECT CASE WHEN EXISTS
                (SELECT 1 FROM run WHERE command GLOB 'catalog remove *' AND status <> 'failed')
            THEN (SELECT coalesce(max(id), 0) - count(*) FROM figure)
                + (SELECT coalesce(max(id), 0) - count(*) FROM source) ELSE 0 END";
        self.number("count the free numbers of rows", sql)
    }

    /// Returns the number of names whose source nobody requested, as those of `somacat catalog rename`, or whose entry the
    /// only request of its source refuses.
    pub fn unrequested_names(&self) -> Result<u64, CatalogError> {
        let sql = "SELECT count(*) FROM name n WHERE source_id NOT IN
                (SELECT source_id FROM request WHERE source_id IS NOT NULL)
            OR EXISTS (SELECT 1 FROM fault f
                WHERE f.source_id = n.source_id AND f.ordinal = n.ordinal AND f.refused)
                AND (SELECT count(*) FROM request r WHERE r.source_id = n.source_id) = 1";
        self.number("count the names that nothing requested", sql)
    }

    /// Returns the number of sources that had another content when they were read first. Their figures may have come in
    /// another order.
    pub fn changed_sources(&self) -> Result<u64, CatalogError> {
        let sql = "SELECT count(DISTINCT source_id) FROM request WHERE changed";
        self.number("count the sources that changed", sql)
    }

    /// Returns the number of proofs that no run looked for, as those of `somacat catalog prove`.
    pub fn unrequested_proofs(&self) -> Result<u64, CatalogError> {
        let sql = "SELECT count(*) FROM proof p WHERE p.kind IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM name n JOIN request r ON r.source_id = n.source_id
                WHERE n.figure_id = p.figure_id AND r.prove)
            AND NOT EXISTS (SELECT 1 FROM enumerated e JOIN request r ON r.enumeration_id = e.enumeration_id
                WHERE e.figure_id = p.figure_id AND r.prove)";
        self.number("count the proofs that nothing requested", sql)
    }

    /// Returns the names of a source's entries, by their ordinals.
    pub fn names_of_source(&self, label: &str) -> Result<NamesOfSource, CatalogError> {
        let sql = "SELECT n.ordinal, 1, n.label, n.title, n.credit FROM name n
            JOIN source s ON s.id = n.source_id WHERE s.label = ?1
            UNION ALL SELECT f.ordinal, 0, NULL, NULL, NULL FROM fault f
            JOIN source s ON s.id = f.source_id WHERE s.label = ?1 AND f.refused
                AND NOT EXISTS (SELECT 1 FROM name n
                    WHERE n.source_id = f.source_id AND n.ordinal = f.ordinal)";
        let names = self.rows("read the names of a source", sql, [label], |row| {
            let texts = [row.get(2)?, row.get(3)?, row.get(4)?];
            Ok((row.get(0)?, row.get::<_, bool>(1)?.then_some(texts)))
        })?;
        Ok(names.into_iter().collect())
    }

    /// Returns the sources and questions in the order in which they were requested. Questions that nobody noted,
    /// as in a salvaged catalog, are last.
    pub fn requests(&self) -> Result<Vec<Request>, CatalogError> {
        let sql = "SELECT s.label, l.path, r.sha256, r.format, e.question, e.label, e.keep,
                (SELECT p.name FROM piece_set p WHERE p.id = COALESCE(e.set_id, r.set_id)),
                COALESCE(r.nodes, e.limited), COALESCE(r.counted, 1), r.map IS 1, r.stand IS 1, r.prove IS 1
            FROM (SELECT DISTINCT source_id, NULL AS enumeration_id FROM request WHERE source_id IS NOT NULL
                UNION ALL SELECT NULL, id FROM enumeration) a
            LEFT JOIN request r ON r.source_id = a.source_id OR r.enumeration_id = a.enumeration_id
            LEFT JOIN source s ON s.id = a.source_id LEFT JOIN place l ON l.source_id = a.source_id
            LEFT JOIN enumeration e ON e.id = a.enumeration_id
            WHERE s.id IS NOT NULL OR e.id IS NOT NULL
            ORDER BY r.id IS NULL, r.id, e.id";
        self.rows("list what was requested", sql, [], |row| {
            let label: Option<String> = row.get(0)?;
            let of = match label {
                Some(label) => Requested::Source {
                    label,
                    place: row.get::<_, Option<String>>(1)?.map(PathBuf::from),
                    read: SourceOptions {
                        sha256: row.get(2)?,
                        format: row.get(3)?,
                        set: row.get(7)?,
                    },
                },
                None => Requested::Question {
                    key: row.get(4)?,
                    label: row.get(5)?,
                    set: row.get(7)?,
                    keep: row.get(6)?,
                },
            };
            let nodes = Some(row.get(8)?).filter(|&nodes: &u64| nodes > 0);
            let (counted, map, stand, prove) =
                (row.get(9)?, row.get(10)?, row.get(11)?, row.get(12)?);
            let wanted = RequestedAnalyses { map, stand, prove };
            Ok(Request { of, options: RunOptions { nodes, counted, wanted } })
        })
    }
}
