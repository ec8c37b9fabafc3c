//! Published counts, for comparison.

use super::checksum::PUBLISHED;
use super::{CatalogError, FigureId, Session, SetId};
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

    fn word(self) -> &'static str {
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

impl Session {
    /// Stores published counts of known figures. Returns the number of counts for unknown figures.
    pub fn publish_counts(&mut self, counts: &[PublishedCount]) -> Result<u64, CatalogError> {
        self.catalog.write("keep published counts", |transaction| {
            let mut known =
                transaction.prepare_cached("SELECT id FROM figure WHERE signature = ?")?;
            let mut insert = transaction.prepare_cached(&format!(
                "INSERT OR REPLACE INTO published_count VALUES (?1, ?2, ?3, ?4, ?5, {})",
                PUBLISHED.of_parameters()
            ))?;
            let mut unknown = 0;
            for count in counts {
                let PublishedCount { signature, set, kind, value, source } = count;
                let figure: Option<FigureId> =
                    known.query_row([signature.as_str()], |row| row.get(0)).optional()?;
                match figure {
                    Some(figure) => {
                        insert.execute(params![figure, set, kind.word(), source, value])?;
                    }
                    None => unknown += 1,
                }
            }
            Ok(unknown)
        })
    }
}
