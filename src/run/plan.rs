//! What to execute: a plan file, checked and made ready.
//!
//! ```toml
//! title = "My figures"
//! import = ["figures", "more.soma"]      # files and folders, relative to the plan
//! set = "auto"                           # or SOMA, 2xSOMA, SOMA+, "V L T2"
//! nodes = 100000000                      # most search nodes a figure; leave out for no limit
//! keep = "all"                           # of enumerations: or solvable, totals
//! published = "published_counts.csv"     # counts to compare with
//! ```

use super::RunError;
use crate::catalog::{Catalog, Keep, PublishedRow};
use crate::enumerate::{BoxSpec, ClassChoice, Enumeration, Shape, SymmetricSpec, parse_box};
use crate::figure::{Identity, Signature};
use crate::formats::{Format, OpenError, open_source, source_label};
use crate::pieces::{ParseSetError, PieceSet, parse_set};
use serde::Deserialize;
use std::io::{self, BufRead};
use std::path::{Component, Path, PathBuf};

/// Where figures come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file, shown under its path.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// A text built into the program, with the label it is shown under.
    Text(String, &'static str),
    /// All figures of a kind, with the label they are shown under.
    Enumerated(String, Enumeration),
}

impl Source {
    /// The text of the source; empty for enumerations, which have none.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(super) fn open(&self) -> Result<Box<dyn BufRead + Send>, OpenError> {
        Ok(match self {
            Self::File(path) => open_source(path)?,
            Self::Stdin => open_source(Path::new("-"))?,
            Self::Text(_, text) => Box::new(text.as_bytes()),
            Self::Enumerated(..) => Box::new(io::empty()),
        })
    }

    /// How the source is named in the catalog and in messages.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::File(path) => source_label(path),
            Self::Stdin => source_label(Path::new("-")),
            Self::Text(label, _) | Self::Enumerated(label, _) => label.clone(),
        }
    }
}

/// With which pieces figures are counted.
#[derive(Clone, Debug)]
pub enum SetChoice {
    /// SOMA for 27 cells, 2xSOMA for 54, SOMA+ for 40, else the pieces that the figure's own marks
    /// name.
    Auto,
    /// This set for all.
    Fixed(PieceSet),
}

/// One line of a file of published counts.
#[derive(Clone, Debug, Deserialize)]
pub struct PublishedLine {
    /// A name for people.
    pub name: String,
    /// The figure.
    pub signature: String,
    /// The piece set.
    pub set: String,
    /// `raw`, `rotation` or `unique`.
    pub kind: String,
    /// The number.
    pub value: u64,
    /// Where it is published.
    pub source: String,
}

/// A plan, checked and ready.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is called in the catalog's list of runs.
    pub title: String,
    /// What to take in, in order.
    pub sources: Vec<Source>,
    /// The format of all sources, if it is not to be detected.
    pub format: Option<Format>,
    /// The pieces.
    pub set: SetChoice,
    /// The most search nodes a figure.
    pub nodes: Option<u64>,
    /// What is kept of enumerations.
    pub keep: Keep,
    /// Counts to compare with.
    pub published: Vec<PublishedLine>,
}

/// Why a plan cannot be executed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A file of the plan, or the plan itself, cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The plan is not well formed.
    #[error("plan {path}: {error}")]
    Toml {
        /// The plan.
        path: PathBuf,
        /// Line, column and cure.
        error: Box<toml::de::Error>,
    },
    /// The piece set is none.
    #[error("plan {path}: {error}")]
    Set {
        /// The plan.
        path: PathBuf,
        /// What is wrong.
        error: ParseSetError,
    },
    /// An enumeration makes no sense.
    #[error("plan {path}: {reason}")]
    Enumeration {
        /// The plan.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The published counts are not well formed.
    #[error("{path}: {error}")]
    Published {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        error: csv::Error,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) import: Vec<String>,
    #[serde(default)]
    pub(super) symmetric: Vec<SymmetricPlan>,
    #[serde(default, rename = "box")]
    pub(super) boxes: Vec<BoxPlan>,
    #[serde(default = "auto")]
    pub(super) set: String,
    pub(super) nodes: Option<u64>,
    #[serde(default)]
    pub(super) keep: KeepChoice,
    pub(super) published: Option<String>,
}

/// What a plan keeps of its enumerations.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KeepChoice {
    #[default]
    All,
    Solvable,
    Totals,
}

impl From<KeepChoice> for Keep {
    fn from(choice: KeepChoice) -> Self {
        match choice {
            KeepChoice::All => Self::All,
            KeepChoice::Solvable => Self::Solvable,
            KeepChoice::Totals => Self::Totals,
        }
    }
}

/// A table `[[symmetric]]` of a plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymmetricPlan {
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

/// A table `[[box]]` of a plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoxPlan {
    sides: String,
    cells: usize,
    #[serde(default)]
    connected: bool,
    #[serde(default)]
    towers: bool,
}

/// The enumerations of a plan file, in its order.
pub(super) fn enumerations(path: &Path, file: &PlanFile) -> Result<Vec<Source>, PlanError> {
    let failed = |reason: String| PlanError::Enumeration { path: path.to_owned(), reason };
    let mut sources = Vec::new();
    for table in &file.symmetric {
        let classes = ClassChoice::new(&table.class, table.fold, table.order_at_least)
            .map_err(|error| failed(error.to_string()))?;
        let bounds = table.within.as_deref().map(parse_box).transpose();
        let bounds = bounds.map_err(|error| failed(error.to_string()))?;
        let spec = SymmetricSpec {
            classes,
            exact: table.exact,
            cells: table.cells,
            bounds,
            parts: table.parts.unwrap_or(1),
            identity: Identity::Reflections,
        };
        let words = [
            table.fold.map(|n| format!("{n}-fold")),
            table.order_at_least.map(|n| format!("of order {n} or more")),
            (!table.class.is_empty()).then(|| table.class.join(", ")),
            table.within.as_ref().map(|b| format!("within {b}")),
            table.exact.then(|| "and no more symmetry".to_owned()),
            table.parts.map(|n| format!("in {n} parts")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        let label = format!("symmetric figures of {} cells: {}", table.cells, words.join(", "));
        let enumeration =
            Enumeration::symmetric(spec).map_err(|error| failed(error.to_string()))?;
        sources.push(Source::Enumerated(label, enumeration));
    }
    for table in &file.boxes {
        let shape = if table.towers { Shape::Towers } else { Shape::Any };
        let sides = parse_box(&table.sides).map_err(|error| failed(error.to_string()))?;
        let spec =
            BoxSpec { connected: table.connected, shape, ..BoxSpec::new(sides, table.cells) };
        let kind = match (table.connected, table.towers) {
            (false, false) => "figures",
            (true, false) => "connected figures",
            (false, true) => "tower figures",
            (true, true) => "connected tower figures",
        };
        let label = format!("{kind} of {} cells in {}", table.cells, table.sides);
        let enumeration = Enumeration::in_box(spec).map_err(|error| failed(error.to_string()))?;
        sources.push(Source::Enumerated(label, enumeration));
    }
    Ok(sources)
}

fn auto() -> String {
    "auto".to_owned()
}

/// Reads the words of a plan file.
pub(super) fn parse(path: &Path, text: &str) -> Result<PlanFile, PlanError> {
    let error = |error| PlanError::Toml { path: path.to_owned(), error: Box::new(error) };
    toml::from_str(text).map_err(error)
}

/// Reads `auto` or a set.
pub(super) fn set_choice(path: &Path, text: &str) -> Result<SetChoice, PlanError> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(SetChoice::Auto);
    }
    let error = |error| PlanError::Set { path: path.to_owned(), error };
    parse_set(text).map(SetChoice::Fixed).map_err(error)
}

/// Reads published counts.
pub(super) fn published(path: &Path, text: &str) -> Result<Vec<PublishedLine>, PlanError> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    let error = |error| PlanError::Published { path: path.to_owned(), error };
    rows.collect::<Result<_, _>>().map_err(error)
}

/// A path without `.` and `..` where that can be seen from the path alone.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir
                if matches!(tidied.components().next_back(), Some(Component::Normal(_))) =>
            {
                tidied.pop();
            }
            Component::CurDir => {}
            other => tidied.push(other),
        }
    }
    tidied
}

/// The files of a folder in the order of their names, or the file itself.
fn files(path: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let failed = |error| PlanError::File { path: path.to_owned(), error };
    if !path.metadata().map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries: Vec<_> =
        path.read_dir().map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
    let visible = |p: &PathBuf| {
        p.is_file() && p.file_name().is_some_and(|n| !n.to_string_lossy().starts_with('.'))
    };
    let mut found: Vec<PathBuf> = entries.into_iter().map(|e| e.path()).filter(visible).collect();
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<String, PlanError> {
    std::fs::read_to_string(path).map_err(|error| PlanError::File { path: path.to_owned(), error })
}

impl Plan {
    /// A plan that takes in the given sources.
    #[must_use]
    pub fn of_sources(title: impl Into<String>, sources: Vec<Source>) -> Self {
        Self {
            title: title.into(),
            sources,
            format: None,
            set: SetChoice::Auto,
            nodes: None,
            keep: Keep::All,
            published: Vec::new(),
        }
    }

    /// Reads a plan file.
    ///
    /// # Errors
    /// If it, or a file it names, cannot be read or is not well formed.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        Self::of_text(path, &read(path)?)
    }

    /// A plan from its text; the files it names are looked for beside `path`.
    ///
    /// # Errors
    /// If a file it names cannot be read, or it is not well formed.
    pub fn of_text(path: &Path, text: &str) -> Result<Self, PlanError> {
        let file = parse(path, text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut sources = Vec::new();
        for import in &file.import {
            sources.extend(files(&tidy(&folder.join(import)))?.into_iter().map(Source::File));
        }
        sources.extend(enumerations(path, &file)?);
        let published = match file.published {
            None => Vec::new(),
            Some(name) => {
                let path = tidy(&folder.join(name));
                published(&path, &read(&path)?)?
            }
        };
        Ok(Self {
            title: file.title,
            sources,
            format: None,
            set: set_choice(path, &file.set)?,
            nodes: file.nodes,
            keep: file.keep.into(),
            published,
        })
    }

    /// The published counts as rows of a catalog; lines whose signature or set is unknown to this
    /// program are left out.
    pub(super) fn published_rows(
        &self,
        catalog: &mut Catalog,
    ) -> Result<Vec<PublishedRow>, RunError> {
        let mut rows = Vec::new();
        for line in &self.published {
            let signature: Result<Signature, _> = line.signature.parse();
            if let (Ok(signature), Ok(set)) = (signature, parse_set(&line.set)) {
                rows.push(PublishedRow {
                    signature,
                    set_id: catalog.set_id(&set)?,
                    kind: line.kind.clone(),
                    value: line.value,
                    source: line.source.clone(),
                });
            }
        }
        Ok(rows)
    }
}
