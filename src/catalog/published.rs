//! Published counts, for comparison.

use super::checksum::PUBLISHED;
use super::{Catalog, CatalogError, FigureId, Session, SetId};
use rusqlite::{OptionalExtension, params};
use somacat_geometry::figure::Signature;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CountKind {
    /// All packings.
    Raw,
    /// Packings up to rotation.
    Rotation,
    /// Packings up to rotation and reflection.
    Unique,
}

impl CountKind {
    /// All kinds, each with its word in files and columns.
    pub const WORDS: [(Self, &'static str); 3] =
        [(Self::Raw, "raw"), (Self::Rotation, "rotation"), (Self::Unique, "unique")];

    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].1
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedCount {
    pub signature: Signature,
    pub set: SetId,
    pub kind: CountKind,
    pub value: u64,
    pub source: String,
}

impl Catalog {
    /// Returns the published counts with the names of their sets, ordered by set.
    pub fn published_counts(&self) -> Result<Vec<(String, PublishedCount)>, CatalogError> {
        let sql =
            "SELECT p.name, f.signature, k.set_id, k.kind, k.value, k.source FROM published_count k
                   JOIN figure f ON f.id = k.figure_id JOIN piece_set p ON p.id = k.set_id
                   ORDER BY p.name, f.signature, k.kind, k.source";
        self.rows("list published counts", sql, [], |row| {
            let kind: String = row.get(3)?;
            let kind = CountKind::WORDS.into_iter().find(|(_, word)| *word == kind);
            let (kind, _) = kind.ok_or(rusqlite::Error::IntegralValueOutOfRange(3, 0))?;
            let signature = Signature::from_trusted(row.get(1)?);
            let (set, value, source) = (row.get(2)?, row.get(4)?, row.get(5)?);
            Ok((row.get(0)?, PublishedCount { signature, set, kind, value, source }))
        })
    }

    pub fn has_figure(&self, signature: &Signature) -> Result<bool, CatalogError> {
        self.read("look up a figure", |connection| {
            let mut known =
                connection.prepare_cached("SELECT 1 FROM figure WHERE signature = ?")?;
            known.exists([signature.as_str()])
        })
    }
}

impl Session {
    /// Stores published counts of figures in the catalog, and skips others.
    pub fn publish_counts(&mut self, counts: &[PublishedCount]) -> Result<(), CatalogError> {
        self.catalog.write("keep published counts", |transaction| {
            let mut known =
                transaction.prepare_cached("SELECT id FROM figure WHERE signature = ?")?;
            let mut insert = transaction.prepare_cached(&format!(
                "INSERT OR REPLACE INTO published_count VALUES (?1, ?2, ?3, ?4, ?5, {})",
                PUBLISHED.of_parameters()
            ))?;
            for count in counts {
                let PublishedCount { signature, set, kind, value, source } = count;
                let figure: Option<FigureId> =
                    known.query_row([signature.as_str()], |row| row.get(0)).optional()?;
                if let Some(figure) = figure {
                    insert.execute(params![figure, set, kind.word(), source, value])?;
                }
            }
            Ok(())
        })
    }
}
