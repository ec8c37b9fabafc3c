//! What can be wrong with a plan.

use crate::boxes::ParseBoxError;
use crate::buildable::BuildableError;
use crate::census::CensusError;
use crate::enumerate::EnumerateError;
use crate::figure::ParseSignatureError;
use crate::formats::PieceSetError;
use crate::symmetry::ParseClassError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a plan cannot be executed. Nothing was done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A file of the plan, or the plan itself, cannot be read.
    #[error("{}", cannot_read(role, path, error))]
    File {
        /// What the file is for.
        role: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The plan is not well formed.
    #[error("plan {path}: {error}")]
    Toml {
        /// The plan.
        path: PathBuf,
        /// Line, column and cure.
        error: Box<toml::de::Error>,
    },
    /// Something in the plan makes no sense.
    #[error("plan {path}: {place}: {fault}")]
    Fault {
        /// The plan.
        path: PathBuf,
        /// The key or table.
        place: String,
        /// What is wrong.
        fault: Box<PlanFault>,
    },
    /// The published counts are not well formed.
    #[error("published counts {path}: {error}")]
    Published {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        error: csv::Error,
    },
    /// A line of the published counts makes no sense.
    #[error("published counts {path}:{line}: {fault}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        fault: Box<PlanFault>,
    },
}

/// What makes no sense.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// Not a piece set, or a file of pieces with a fault.
    #[error(transparent)]
    Set(#[from] PieceSetError),
    /// An unknown symmetry class.
    #[error(transparent)]
    Class(#[from] ParseClassError),
    /// The name of several classes where one is wanted.
    #[error("{name} are several classes; name one of {names}")]
    Classes {
        /// The name.
        name: String,
        /// The classes that it means.
        names: String,
    },
    /// A list of classes without any.
    #[error("`class` names no class")]
    NoClass,
    /// Figures that cannot be searched with their packings.
    #[error(transparent)]
    Buildable(#[from] BuildableError),
    /// Not a box.
    #[error(transparent)]
    Box(#[from] ParseBoxError),
    /// A question without an answer.
    #[error(transparent)]
    Enumeration(#[from] EnumerateError),
    /// A box that cannot be counted at once.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// It is not known with which pieces figures of so many cells are to be built.
    #[error("no standard set has {0} cells; choose one with the key `set`")]
    NoSet(usize),
    /// The plan's set does not fill the figures.
    #[error("figures of {cells} cells cannot be built with {set}, which fills {fills}")]
    OtherSize {
        /// The number of cells of the figures.
        cells: usize,
        /// The set.
        set: String,
        /// Cells that it fills.
        fills: usize,
    },
    /// A census keeps rows.
    #[error("a census keeps figures: set `keep` to \"all\" or \"solvable\"")]
    CensusTotals,
    /// Not a kind of count.
    #[error("`{0}` is not a kind of count; the kinds are raw, rotation and unique")]
    CountKind(String),
    /// Neither a signature nor a name.
    #[error("neither a signature nor a name tells the figure")]
    NoFigure,
    /// A text that is not a signature.
    #[error(transparent)]
    Signature(#[from] ParseSignatureError),
}

fn cannot_read(role: &str, path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no {role} {path}"),
        _ => format!("{role} {path}: {error}"),
    }
}
