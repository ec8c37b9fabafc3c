//! The figures of an answer that are kept.

use serde::{Deserialize, Serialize};
use somacat_geometry::outcome::Verdict;
use std::fmt::{self, Display, Formatter};
use std::num::NonZeroU32;

/// The figures of an answer that are kept. Of the others, only their numbers are.
///
/// ```
/// use somacat_counting::question::Keep;
/// use somacat_geometry::outcome::Verdict;
/// use std::num::NonZeroU32;
///
/// // Only figures known to have a packing can lead.
/// let top = Keep::try_from("top:3".to_owned())?;
/// assert_eq!(top, Keep::Top(NonZeroU32::new(3).unwrap()));
/// assert!(top.keeps(Verdict::AtLeast) && !top.keeps(Verdict::Unknown));
/// assert!(!Keep::Totals.keeps(Verdict::Counted));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Keep {
    /// Every figure.
    #[default]
    All,
    /// Figures with a packing. Only totals for the others.
    Buildable,
    /// Only totals by class.
    Totals,
    /// Figures of a census among the best so far. A figure is kept if fewer than this many earlier figures have as many
    /// packings.
    Top(NonZeroU32),
}

impl Display for Keep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Buildable => f.write_str("solvable"),
            Self::Totals => f.write_str("totals"),
            Self::Top(number) => write!(f, "top:{number}"),
        }
    }
}

impl From<Keep> for String {
    fn from(keep: Keep) -> Self {
        keep.to_string()
    }
}

impl TryFrom<String> for Keep {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let known = [Self::All, Self::Buildable, Self::Totals];
        let top = || Some(Self::Top(text.strip_prefix("top:")?.parse().ok()?));
        let keep = known.into_iter().find(|keep| keep.to_string() == text).or_else(top);
        keep.ok_or_else(|| format!("`{text}` is not one of all, solvable, totals, top:N"))
    }
}

impl Keep {
    /// Returns the number of leaders to keep, if only these are kept.
    pub const fn top(self) -> Option<NonZeroU32> {
        if let Self::Top(number) = self { Some(number) } else { None }
    }

    /// Returns whether a figure with this verdict may be kept.
    pub const fn keeps(self, verdict: Verdict) -> bool {
        match self {
            Self::All => true,
            Self::Buildable | Self::Top(_) => verdict.is_buildable(),
            Self::Totals => false,
        }
    }
}
