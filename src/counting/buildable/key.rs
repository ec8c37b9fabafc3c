//! The question as a line that is the same on every machine, and in words.

use super::{Buildable, BuildableError};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;

/// The version of the algorithm that cuts the search into shards. It covers the steps of the search, and the
/// figures of each shard with their order. A change to any of these requires a new version.
const VERSION: u32 = 1;

/// The reason why a text is not the key of a search for buildable figures.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseBuildableError {
    /// The text does not have the form of a key.
    #[error("`{0}` is not the key of a search for buildable figures")]
    Malformed(String),
    /// The search of the key is not possible.
    #[error(transparent)]
    FigureSearch(#[from] BuildableError),
    /// Another version cuts the search of the key differently.
    #[error("`{key}` is from another version of somacat; this version writes `{own}`")]
    Version {
        /// The key.
        key: String,
        /// This version's key of the same search.
        own: String,
    },
}

impl Buildable {
    /// Returns the question in normal form, with the version of the algorithm.
    ///
    /// An example is `buildable/1 set=V+L+T+Z+A+B+P exact=no class=Ci`.
    #[must_use]
    pub fn key(&self) -> String {
        let (set, class) = (self.set.definition(), self.class.name());
        let exact = if self.exact { "yes" } else { "no" };
        format!("buildable/{VERSION} set={set} exact={exact} class={class}")
    }

    /// Describes the question in words.
    #[must_use]
    pub fn label(&self) -> String {
        let (cells, class) = (self.set.total_cells(), self.class.name());
        let exact = if self.exact { ", and no more symmetry" } else { "" };
        format!("figures of {cells} cells that can be built: {class}{exact}")
    }

    /// Parses the key of a search with this set.
    ///
    /// # Errors
    /// If the text is not a key, or is the key of another version or another set.
    pub fn from_key(key: &str, set: &PieceSet) -> Result<Self, ParseBuildableError> {
        let malformed = || ParseBuildableError::Malformed(key.to_owned());
        let (head, class) = key.split_once(" class=").ok_or_else(malformed)?;
        let exact = head.ends_with(" exact=yes");
        let class = Class::all().find(|known| known.name() == class).ok_or_else(malformed)?;
        if !key.starts_with("buildable/") {
            return Err(malformed());
        }
        let search = Self::new(class, exact, set)?;
        match search.key() {
            own if own == key => Ok(search),
            own => Err(ParseBuildableError::Version { key: key.to_owned(), own }),
        }
    }
}
