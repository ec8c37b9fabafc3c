//! Published counts, for comparison.

use super::{CatalogError, Session, SetId};
use rusqlite::params;
use somacat_geometry::figure::Signature;

/// One of the three kinds of counts.
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

/// A count with its publication.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedCount {
    pub signature: Signature,
    pub set: SetId,
    pub kind: CountKind,
    pub value: u64,
    /// The publication that gives it.
    pub source: String,
}

impl Session {
    /// Stores published counts of known figures. Returns the number of counts for unknown figures.
    pub fn publish_counts(&mut self, counts: &[PublishedCount]) -> Result<u64, CatalogError> {
        self.catalog.write("keep published counts", |transaction| {
            let mut statement = transaction.prepare_cached(
                "INSERT OR REPLACE INTO published_count (figure_id, set_id, kind, source, value)
                 SELECT id, ?, ?, ?, ? FROM figure WHERE signature = ?",
            )?;
            let mut unknown = 0;
            for count in counts {
                let PublishedCount { signature, set, kind, value, source } = count;
                let kept = statement.execute(params![
                    set,
                    kind.word(),
                    source,
                    value,
                    signature.as_str()
                ])?;
                unknown += u64::from(kept == 0);
            }
            Ok(unknown)
        })
    }
}
