//! A plan file as it is written: TOML.
//!
//! ```toml
//! title = "My figures"
//! import = ["figures", "more.soma"]      # files and folders, relative to the plan
//! set = "auto"                           # or SOMA, 2xSOMA, SOMA+, "V L T2", a file of pieces
//! nodes = 100000000                      # search limit per figure; leave out for none
//! keep = "all"                           # of enumerated figures: all, solvable, totals
//! map = true                             # of figures with a packing: how the packings hang together
//! stand = true                           # of these: what stands
//! published = "published_counts.csv"     # counts to compare with
//!
//! [[symmetric]]                          # every connected figure of a symmetry
//! cells = 27
//! fold = 6
//!
//! [[box]]                                # every figure that fits in a box
//! sides = "2x3x5"
//! cells = 27
//!
//! [[buildable]]                          # the figures of a class that can be built, without listing the others
//! class = "Ci"
//!
//! [[census]]                             # every figure of a box, all counted at once
//! sides = "3x3x4"
//! ```

use super::plan_error::{PlanError, PlanFault};
use crate::catalog::Keep;
use crate::enumerate::{BoxSpec, ClassChoice, Question, Shape, SymmetricSpec, parse_box};
use crate::figure::Identity;
use crate::symmetry::Class;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The whole file. Unknown keys are errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) import: Vec<String>,
    #[serde(default)]
    pub(super) symmetric: Vec<SymmetricTable>,
    #[serde(default, rename = "box")]
    pub(super) boxes: Vec<BoxTable>,
    #[serde(default)]
    pub(super) buildable: Vec<BuildableTable>,
    #[serde(default)]
    pub(super) census: Vec<CensusTable>,
    #[serde(default = "auto")]
    pub(super) set: String,
    pub(super) nodes: Option<u64>,
    #[serde(default)]
    pub(super) keep: KeepWord,
    #[serde(default)]
    pub(super) map: bool,
    #[serde(default)]
    pub(super) stand: bool,
    pub(super) published: Option<String>,
}

fn auto() -> String {
    "auto".to_owned()
}

/// What a plan keeps of its enumerations, in its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeepWord {
    /// Every figure.
    #[default]
    All,
    /// Figures with a packing.
    Solvable,
    /// Numbers only.
    Totals,
}

impl From<KeepWord> for Keep {
    fn from(word: KeepWord) -> Self {
        match word {
            KeepWord::All => Self::All,
            KeepWord::Solvable => Self::Buildable,
            KeepWord::Totals => Self::Totals,
        }
    }
}

impl From<Keep> for KeepWord {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::All => Self::All,
            Keep::Buildable => Self::Solvable,
            Keep::Totals => Self::Totals,
        }
    }
}

/// A table `[[symmetric]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymmetricTable {
    cells: usize,
    #[serde(default)]
    class: Vec<String>,
    fold: Option<usize>,
    order_at_least: Option<usize>,
    #[serde(default)]
    exact: bool,
    within: Option<String>,
    parts: Option<usize>,
}

/// A table `[[box]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoxTable {
    sides: String,
    cells: usize,
    #[serde(default)]
    connected: bool,
    #[serde(default)]
    towers: bool,
}

/// A table `[[buildable]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildableTable {
    class: String,
    #[serde(default)]
    pub(super) exact: bool,
}

/// A table `[[census]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CensusTable {
    sides: String,
}

/// Reads the text of a plan.
pub(super) fn parse(path: &Path, text: &str) -> Result<PlanFile, PlanError> {
    let error = |error| PlanError::Toml { path: path.to_owned(), error: Box::new(error) };
    toml::from_str(text).map_err(error)
}

impl SymmetricTable {
    /// The question; mirror images are one until the set is known.
    pub(super) fn question(&self) -> Result<Question, PlanFault> {
        Ok(Question::Symmetric(SymmetricSpec {
            classes: ClassChoice::new(&self.class, self.fold, self.order_at_least)?,
            exact: self.exact,
            cells: self.cells,
            bounds: self.within.as_deref().map(parse_box).transpose()?,
            parts: self.parts.unwrap_or(1),
            identity: Identity::Reflections,
        }))
    }
}

impl BoxTable {
    /// The question; mirror images are one until the set is known.
    pub(super) fn question(&self) -> Result<Question, PlanFault> {
        let shape = if self.towers { Shape::Towers } else { Shape::Any };
        let all = BoxSpec::new(parse_box(&self.sides)?, self.cells);
        Ok(Question::Box(BoxSpec { connected: self.connected, shape, ..all }))
    }
}

impl BuildableTable {
    /// The class.
    pub(super) fn class(&self) -> Result<Class, PlanFault> {
        match Class::matching(&self.class)?.as_slice() {
            &[class] => Ok(class),
            several => {
                let names: Vec<&str> = several.iter().map(|class| class.name()).collect();
                Err(PlanFault::Classes { name: self.class.clone(), names: names.join(", ") })
            }
        }
    }
}

impl CensusTable {
    /// The sides of the box.
    pub(super) fn sides(&self) -> Result<[u32; 3], PlanFault> {
        Ok(parse_box(&self.sides)?)
    }
}
