//! Where figures of an import come from.

use crate::formats::{Arrivals, Format, OpenError, open_source, source_label};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// A source of figures to import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file, shown under its path.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// A text built into the program, with the label it is shown under.
    Text(String, &'static str),
}

impl Source {
    /// The items of the source, as they come.
    pub(super) fn arrivals(&self, format: Option<Format>) -> Arrivals {
        let source = self.clone();
        Arrivals::begin(move || source.open(), format)
    }

    fn open(&self) -> Result<Box<dyn BufRead + Send>, OpenError> {
        Ok(match self {
            Self::File(path) => open_source(path)?,
            Self::Stdin => open_source(Path::new("-"))?,
            Self::Text(_, text) => Box::new(text.as_bytes()),
        })
    }

    /// How the source is named in the catalog and in messages: a file of the working directory, and below it, by
    /// its path from there, any other by the path that was given.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::File(path) => source_label(&from_here(path)),
            Self::Stdin => source_label(Path::new("-")),
            Self::Text(label, _) => label.clone(),
        }
    }
}

/// A path from the working directory, if the file is below it: whose machine it was does not belong in a catalog.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).to_owned()
}
