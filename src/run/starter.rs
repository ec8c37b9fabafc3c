//! The starter plan and its figures, built into the program, so that `somacat run` works in an
//! empty directory.

use super::plan::Plan;
use super::plan_error::PlanError;
use super::{Source, plan_file};
use std::path::Path;

const PLAN_PATH: &str = "catalog/plans/starter.toml";

macro_rules! figures {
    ($($name:literal),+ $(,)?) => {
        &[$((
            concat!("catalog/figures/", $name),
            include_str!(concat!("../../catalog/figures/", $name)),
        )),+]
    };
}

/// Every file of `catalog/figures/`, in the order of their names, with its text.
static FIGURES: &[(&str, &str)] = figures![
    "double-set.soma",
    "height-maps.txt",
    "news-1999.soma",
    "soma-plus.soma",
    "symmetry.soma",
];

/// Path and text of every built-in file of figures.
#[must_use]
pub fn starter_sources() -> &'static [(&'static str, &'static str)] {
    FIGURES
}

/// The built-in plan: every figure of `catalog/figures/`, compared with the published counts.
///
/// # Errors
/// Never, as the tests read the same texts.
pub fn starter_plan() -> Result<Plan, PlanError> {
    let path = Path::new(PLAN_PATH);
    let file = plan_file::parse(path, include_str!("../../catalog/plans/starter.toml"))?;
    let text = |(label, text): &(&str, &'static str)| Source::Text((*label).to_owned(), text);
    let counts = include_str!("../../catalog/published_counts.csv");
    let published = (Path::new("catalog/published_counts.csv"), counts);
    Plan::checked(path, file, FIGURES.iter().map(text).collect(), Some(published))
}
