//! Suggestions for misspelled words from a catalog.

use super::super::{Catalog, CatalogError};

/// The least similarity (0 to 1) of a suggestion.
const MIN_SIMILARITY: f64 = 0.72;

const MAX_SUGGESTIONS: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vocabulary {
    Names,
    Sources,
    Sets,
}

impl Vocabulary {
    const fn sql(self) -> &'static str {
        match self {
            Self::Names => "SELECT DISTINCT label FROM name WHERE label IS NOT NULL",
            Self::Sources => "SELECT label FROM source UNION SELECT label FROM enumeration",
            Self::Sets => "SELECT name FROM piece_set",
        }
    }
}

impl Catalog {
    /// Returns the words most similar to `wanted`. Ignores wildcards at its ends. The list is empty if `wanted` is a
    /// known word.
    pub fn suggest(
        &self,
        vocabulary: Vocabulary,
        wanted: &str,
    ) -> Result<Vec<String>, CatalogError> {
        let wanted = wanted.trim_matches(['*', '?']);
        let mut nearest = Nearest { wanted: wanted.to_lowercase(), words: Vec::new() };
        let known = self.read("look for similar words", |connection| {
            let mut statement = connection.prepare(vocabulary.sql())?;
            let mut rows = statement.query([])?;
            let mut known = false;
            while let Some(row) = rows.next()? {
                let word = row.get_ref(0)?.as_str()?;
                known |= word.eq_ignore_ascii_case(wanted);
                nearest.consider(word);
            }
            Ok(known)
        })?;
        let words = nearest.words.into_iter().map(|(_, word)| word);
        Ok(if known { Vec::new() } else { words.collect() })
    }
}

/// Collects the most similar words in one pass.
struct Nearest {
    wanted: String,
    /// Similarity and word, the most similar first.
    words: Vec<(f64, String)>,
}

impl Nearest {
    fn consider(&mut self, word: &str) {
        let candidate = word.to_lowercase();
        let likeness = if candidate.contains(&self.wanted) && self.wanted.chars().count() > 2 {
            1.0
        } else {
            strsim::jaro_winkler(&self.wanted, &candidate)
        };
        let last = self.words.last().map_or(MIN_SIMILARITY, |(likeness, _)| *likeness);
        if likeness < MIN_SIMILARITY || self.words.len() == MAX_SUGGESTIONS && likeness <= last {
            return;
        }
        if self.words.iter().any(|(_, known)| known == word) {
            return;
        }
        let at = self.words.partition_point(|(other, _)| *other >= likeness);
        self.words.insert(at, (likeness, word.to_owned()));
        self.words.truncate(MAX_SUGGESTIONS);
    }
}
