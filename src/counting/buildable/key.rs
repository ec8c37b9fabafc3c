//! The question, in one line that is the same on every machine, and in words.

use super::{Buildable, BuildableError};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;

/// The version of the algorithm that cuts the search into shards: which steps it takes, and which figures each shard
/// has in which order. A change of any of these is a new version.
const VERSION: u32 = 1;

/// Why a text is no key of a search for buildable figures.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseBuildableError {
    /// It is not of the form of a key.
    #[error("`{0}` is no key of a search for figures that can be built")]
    Malformed(String),
    /// Its search is one that cannot be made.
    #[error(transparent)]
    Search(#[from] BuildableError),
    /// The key of a search that this version cuts in another way.
    #[error("`{key}` is of another version: this somacat searches `{own}`")]
    Version {
        /// The key.
        key: String,
        /// The key of the same search here.
        own: String,
    },
}

impl Buildable {
    /// The question in normal form, with the version of the algorithm that cuts it into shards, such as
    /// `buildable/1 set=V+L+T+Z+A+B+P exact=no class=Ci`.
    #[must_use]
    pub fn key(&self) -> String {
        let (set, class) = (self.set.definition(), self.class.name());
        let exact = if self.exact { "yes" } else { "no" };
        format!("buildable/{VERSION} set={set} exact={exact} class={class}")
    }

    /// The question in words.
    #[must_use]
    pub fn label(&self) -> String {
        let (cells, class) = (self.set.total_cells(), self.class.name());
        let exact = if self.exact { ", and no more symmetry" } else { "" };
        format!("figures of {cells} cells that can be built: {class}{exact}")
    }

    /// The search of a key, with the set that it is about.
    ///
    /// # Errors
    /// If the text is no key, of another version, or of another set.
    pub fn of_key(key: &str, set: &PieceSet) -> Result<Self, ParseBuildableError> {
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
