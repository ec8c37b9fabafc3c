//! The question as a machine-independent line, and in words.

use super::Buildable;
use crate::enumerate::KeyError;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::symmetry::Class;

/// The version of the algorithm that cuts the search into shards. It covers the steps of the search, and the
/// figures of each shard with their order. A change to any of these requires a new version.
const KEY_VERSION: u32 = 4;

impl Buildable {
    /// Returns the question in normal form, with the version of the algorithm.
    ///
    /// An example is `buildable/4 set=V+L+T+Z+A+B+P exact=no class=Ci`.
    ///
    /// ```
    /// use somacat_counting::buildable::Buildable;
    /// use somacat_geometry::pieces::parse_set;
    /// use somacat_geometry::symmetry::Class;
    ///
    /// let set = parse_set("V L T").unwrap();
    /// let search = Buildable::new(Class::matching("Ci").unwrap()[0], false, &set)?;
    /// assert_eq!(search.key(), "buildable/4 set=V+L+T exact=no class=Ci");
    /// assert_eq!(search.label(), "figures of 11 cells that can be built: Ci");
    /// # Ok::<(), somacat_counting::buildable::BuildableError>(())
    /// ```
    pub fn key(&self) -> String {
        let (set, class) = (self.set.definition(), self.class.name());
        let exact = if self.exact { "yes" } else { "no" };
        format!("buildable/{KEY_VERSION} set={set} exact={exact} class={class}")
    }

    /// Describes the question in words.
    pub fn label(&self) -> String {
        let (cells, class) = (self.set.total_cells(), self.class.name());
        let exact = if self.exact { ", and no more symmetry" } else { "" };
        format!("figures of {cells} cells that can be built: {class}{exact}")
    }

    /// Parses the key of a search with this set.
    ///
    /// # Errors
    /// If the text is not a key, or is the key of another version or another set.
    pub fn from_key(key: &str, set: &PieceSet) -> Result<Self, KeyError> {
        let (class, exact) =
            Self::class_in_key(key).ok_or_else(|| KeyError::Malformed(key.to_owned()))?;
        let search = Self::new(class, exact, set);
        let search = search.map_err(|error| KeyError::Invalid(error.to_string()))?;
        KeyError::check(key, search.key()).map(|()| search)
    }

    /// Parses the class of a key, and whether it is exact.
    ///
    /// With `true`, groups must be exactly of this class.
    pub fn class_in_key(key: &str) -> Option<(Class, bool)> {
        let (head, name) = key.strip_prefix("buildable/")?.split_once(" class=")?;
        let class = Class::iter().find(|class| class.name() == name)?;
        Some((class, head.ends_with(" exact=yes")))
    }
}
