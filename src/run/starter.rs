//! The starter plan and its figures. They are built in, so `somacat run` works in an empty directory.

use super::plan::Plan;
use super::plan_error::PlanError;
use super::{Source, plan_file};
use std::path::Path;

const PLAN_PATH: &str = "catalog/plans/starter.toml";

macro_rules! figures {
    ($($name:literal),+ $(,)?) => {
        &[$((
            concat!("catalog/figures/", $name),
            include_str!(concat!(env!("CATALOG"), "/figures/", $name)),
        )),+]
    };
}

/// The files of `catalog/figures/`, sorted by name, with their texts.
static FIGURES: &[(&str, &str)] = figures![
    "double-set.soma",
    "height-maps.txt",
    "news-1999.soma",
    "soma-plus.soma",
    "symmetry.soma",
];

/// The path and the text of the published counts.
const PUBLISHED: (&str, &str) = (
    "catalog/published_counts.csv",
    include_str!(concat!(env!("CATALOG"), "/published_counts.csv")),
);

/// Returns the path and the text of every built-in file of figures.
pub fn starter_sources() -> &'static [(&'static str, &'static str)] {
    FIGURES
}

/// Returns the built-in plan: the figures of `catalog/figures/`, compared with the published counts.
pub fn starter_plan() -> Result<Plan, PlanError> {
    let path = Path::new(PLAN_PATH);
    let file =
        plan_file::parse(path, include_str!(concat!(env!("CATALOG"), "/plans/starter.toml")))?;
    let text = |(label, text): &(&str, &'static str)| Source::Text((*label).to_owned(), text);
    let (counts, text_of_counts) = PUBLISHED;
    let published = (Path::new(counts), text_of_counts);
    let plan = Plan::checked(path, file, FIGURES.iter().map(text).collect(), Some(published))?;
    Ok(Plan { published_source: Some(text(&PUBLISHED)), ..plan })
}

pub fn starter_source(path: &str) -> Option<Source> {
    let mut files = FIGURES.iter().chain([&PUBLISHED]);
    let (label, text) = files.find(|(label, _)| *label == path)?;
    Some(Source::Text((*label).to_owned(), text))
}
