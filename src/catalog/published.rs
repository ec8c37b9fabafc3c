//! Counts that are published somewhere, to compare with.

use super::{CatalogError, Session, SetId};
use rusqlite::params;
use somacat_geometry::figure::Signature;

/// Which of the three counts a number is.
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
    /// All of them, each with its word in files and columns.
    pub const WORDS: [(Self, &'static str); 3] =
        [(Self::Raw, "raw"), (Self::Rotation, "rotation"), (Self::Unique, "unique")];

    fn word(self) -> &'static str {
        Self::WORDS[self as usize].1
    }
}

/// A count that is published somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedCount {
    /// The figure.
    pub signature: Signature,
    /// The set.
    pub set: SetId,
    /// Which count.
    pub kind: CountKind,
    /// The published number.
    pub value: u64,
    /// Where it is published.
    pub source: String,
}

impl Session {
    /// Notes published counts of figures the catalog has; returns how many are of others.
    ///
    /// # Errors
    /// If SQLite fails.
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
