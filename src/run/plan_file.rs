//! Plan files, in TOML.
//!
//! ```toml
//! title = "My figures"                   # the name of the run; by default that of the file
//! import = ["figures", "more.soma"]      # files and folders, relative to the plan
//! set = "auto"                           # or SOMA, 2xSOMA, SOMA+, "V L T2", a file of pieces
//! nodes = 100000000                      # search limit per figure; leave out for none
//! keep = "all"                           # of enumerated figures: all, solvable, totals, top:N
//! map = true                             # of figures with a packing: how the packings are connected
//! stand = true                           # of these: which are stable
//! prove = true                           # of figures without a packing: a short proof
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
//! set = "SOMA"                           # any table may have its own set
//! ```

use super::plan_error::PlanError;
use super::plan_tables::{BoxTable, BuildableTable, CensusTable, PlanTable, SymmetricTable};
use serde::Deserialize;
use somacat_counting::question::Keep;
use std::num::NonZeroU64;
use std::path::Path;

/// A plan file. Unknown keys are errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanFile {
    pub(super) title: Option<String>,
    #[serde(default)]
    pub(super) import: Vec<String>,
    #[serde(default)]
    symmetric: Vec<SymmetricTable>,
    #[serde(default, rename = "box")]
    boxes: Vec<BoxTable>,
    #[serde(default)]
    buildable: Vec<BuildableTable>,
    #[serde(default)]
    census: Vec<CensusTable>,
    #[serde(default = "auto")]
    pub(super) set: String,
    pub(super) nodes: Option<NonZeroU64>,
    pub(super) keep: Option<Keep>,
    #[serde(default)]
    pub(super) map: bool,
    #[serde(default)]
    pub(super) stand: bool,
    #[serde(default)]
    pub(super) prove: bool,
    pub(super) published: Option<String>,
}

fn auto() -> String {
    "auto".to_owned()
}

impl PlanFile {
    /// Returns the tables that define questions, with their names. They are in the order in which a run answers them.
    pub(super) fn tables(&self) -> [(&'static str, Vec<&dyn PlanTable>); 4] {
        [
            ("symmetric", dynamic(&self.symmetric)),
            ("box", dynamic(&self.boxes)),
            ("buildable", dynamic(&self.buildable)),
            ("census", dynamic(&self.census)),
        ]
    }
}

fn dynamic<T: PlanTable>(tables: &[T]) -> Vec<&dyn PlanTable> {
    tables.iter().map(|table| table as &dyn PlanTable).collect()
}

pub(super) fn parse(path: &Path, text: &str) -> Result<PlanFile, PlanError> {
    let error = |error| PlanError::Toml { path: path.to_owned(), error: Box::new(error) };
    toml::from_str(text).map_err(error)
}
