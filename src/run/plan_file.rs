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
use crate::boxes::parse_box;
use crate::catalog::Keep;
use crate::enumerate::{BoxSpec, ClassChoice, FigureShape, Question, SymmetricSpec};
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

/// Names of classes: one, or a list.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a class, as \"Ci\", or a list of classes, as [\"Ci\", \"S4\"]"
)]
enum Classes {
    One(String),
    List(Vec<String>),
}

impl Classes {
    fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::List(names) => names,
        }
    }
}

impl Default for Classes {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// A table `[[symmetric]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymmetricTable {
    cells: usize,
    #[serde(default)]
    class: Classes,
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
    class: Classes,
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
            classes: ClassChoice::new(self.class.names(), self.fold, self.order_at_least)?,
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
        let shape = if self.towers { FigureShape::Towers } else { FigureShape::Any };
        let all = BoxSpec::new(parse_box(&self.sides)?, self.cells);
        Ok(Question::Box(BoxSpec { connected: self.connected, shape, ..all }))
    }
}

impl BuildableTable {
    /// The classes.
    pub(super) fn classes(&self) -> Result<Vec<Class>, PlanFault> {
        let class = |name: &String| match Class::matching(name)?.as_slice() {
            &[class] => Ok(class),
            several => {
                let names: Vec<&str> = several.iter().map(|class| class.name()).collect();
                Err(PlanFault::Classes { name: name.clone(), names: names.join(", ") })
            }
        };
        match self.class.names() {
            [] => Err(PlanFault::NoClass),
            names => names.iter().map(class).collect(),
        }
    }
}

impl CensusTable {
    /// The sides of the box.
    pub(super) fn sides(&self) -> Result<[u32; 3], PlanFault> {
        Ok(parse_box(&self.sides)?)
    }
}
