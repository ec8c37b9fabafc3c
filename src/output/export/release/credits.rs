//! The authors, keywords and date of a data release.

const KEYWORDS: [&str; 4] = ["SOMA cube", "polycubes", "packing puzzles", "symmetry"];

#[derive(Clone, Debug, Default)]
pub struct ReleaseCredits {
    /// `Family, Given` for persons; names without a comma for groups.
    pub authors: Vec<String>,
    /// Keywords after those of every release.
    pub keywords: Vec<String>,
    /// The date, as in 2026-11-25.
    pub date: Option<String>,
}

impl ReleaseCredits {
    pub(super) fn authors(&self) -> Vec<&str> {
        match self.authors.as_slice() {
            [] => vec!["The somacat authors"],
            authors => authors.iter().map(String::as_str).collect(),
        }
    }

    pub(super) fn keywords(&self) -> Vec<&str> {
        KEYWORDS.into_iter().chain(self.keywords.iter().map(String::as_str)).collect()
    }
}
