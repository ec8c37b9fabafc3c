//! Errors of plans.

use super::user_table::TableError;
use somacat_counting::census::CensusError;
use somacat_counting::enumerate::EnumerateError;
use somacat_counting::question::{Keep, NoBuildableQuestion};
use somacat_formats::PieceSetError;
use somacat_geometry::boxes::ParseBoxError;
use somacat_geometry::figure::ParseSignatureError;
use somacat_geometry::symmetry::ParseClassError;
use std::io;
use std::path::{Path, PathBuf};

/// An error that prevents the execution of a plan. Nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("{}", cannot_read(role, path, error))]
    File { role: &'static str, path: PathBuf, error: io::Error },
    #[error("plan {path}: {}", in_plain_words(error))]
    Toml { path: PathBuf, error: Box<toml::de::Error> },
    #[error("plan {path}: {place}: {fault}")]
    Fault { path: PathBuf, place: String, fault: Box<PlanFault> },
    #[error("published counts {path}: {error}")]
    Published { path: PathBuf, error: TableError },
    #[error("published counts {path}:{line}: {fault}")]
    Line { path: PathBuf, line: u64, fault: Box<PlanFault> },
}

/// An invalid value in a plan or in published counts.
#[derive(Debug, thiserror::Error)]
pub enum PlanFault {
    #[error(transparent)]
    Set(#[from] PieceSetError),
    #[error(transparent)]
    Class(#[from] ParseClassError),
    #[error("`class` names no class")]
    NoClass,
    #[error(transparent)]
    Buildable(#[from] NoBuildableQuestion),
    #[error(transparent)]
    Box(#[from] ParseBoxError),
    #[error(transparent)]
    Enumeration(#[from] EnumerateError),
    #[error(transparent)]
    Census(#[from] CensusError),
    #[error("keep = \"{0}\" is possible with [[census]] only; write all, solvable or totals")]
    Leaders(Keep),
    #[error(
        "it chooses among the figures of tables such as [[box]], and the plan has none; remove it, since \
         imported figures all have rows"
    )]
    NothingToKeep,
    #[error("no standard set has {0} cells; choose one with the key `set`")]
    NoSet(usize),
    #[error("figures of {cells} cells cannot be built with {set}, which fills {fills}")]
    OtherSize { cells: usize, set: String, fills: usize },
    #[error("`{0}` is not a kind of count; the kinds are raw, rotation and unique")]
    CountKind(String),
    #[error(
        "`{0}` in the column value is not a count; write a whole number such as 240, below 2^63"
    )]
    Value(String),
    #[error("the source `{0}` contains a control character; remove it")]
    ControlInSource(String),
    #[error("the line has neither a signature nor a name")]
    NoFigure,
    #[error(transparent)]
    Signature(#[from] ParseSignatureError),
}

/// Formats an error about TOML in plain words. Rewrites the types of Rust.
fn in_plain_words(error: &toml::de::Error) -> String {
    let mut text = error.to_string();
    for (of_rust, plain) in [
        ("expected usize", "expected a whole number"),
        ("expected a nonzero u64", "expected a whole number from 1 on"),
        ("expected u64", "expected a whole number"),
        ("expected u32", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a boolean", "expected true or false"),
        ("missing field", "missing key"),
        ("unknown field", "unknown key"),
    ] {
        text = text.replace(of_rust, plain);
    }
    text
}

fn cannot_read(role: &str, path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no {role} {path}"),
        _ => format!("{role} {path}: {error}"),
    }
}
