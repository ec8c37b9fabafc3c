//! The words of a catalog that come nearest to a misspelled one.

use super::super::{Catalog, CatalogError};

/// Below this likeness (0 to 1) a word is no help.
const LEAST: f64 = 0.72;

/// Suggestions that are made at most.
const MOST: usize = 5;

/// Where the words of a catalog are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vocabulary {
    /// Names of figures.
    Names,
    /// Sources and enumerations.
    Sources,
    /// Piece sets.
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
    /// The words most like a wanted one, which may have wildcards at its ends; none if it is a word itself.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn suggest(
        &self,
        vocabulary: Vocabulary,
        wanted: &str,
    ) -> Result<Vec<String>, CatalogError> {
        let wanted = wanted.trim_matches(['*', '?']);
        let mut nearest = Nearest::to(wanted, MOST);
        let known = self.read("look for words like it", |connection| {
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
        Ok(if known { Vec::new() } else { nearest.words() })
    }
}

/// Collects the words most like a wanted one, however many there are to choose from.
struct Nearest {
    wanted: String,
    most: usize,
    /// Likeness and word, the most like first.
    words: Vec<(f64, String)>,
}

impl Nearest {
    /// Looks for at most `most` words like `wanted`.
    fn to(wanted: &str, most: usize) -> Self {
        Self { wanted: wanted.to_lowercase(), most, words: Vec::new() }
    }

    /// Considers a word.
    fn consider(&mut self, word: &str) {
        let candidate = word.to_lowercase();
        let likeness = if candidate.contains(&self.wanted) && self.wanted.chars().count() > 2 {
            1.0
        } else {
            strsim::jaro_winkler(&self.wanted, &candidate)
        };
        let last = self.words.last().map_or(LEAST, |(likeness, _)| *likeness);
        if likeness < LEAST || self.words.len() == self.most && likeness <= last {
            return;
        }
        if self.words.iter().any(|(_, known)| known == word) {
            return;
        }
        let at = self.words.partition_point(|(other, _)| *other >= likeness);
        self.words.insert(at, (likeness, word.to_owned()));
        self.words.truncate(self.most);
    }

    /// The words, the most like first.
    fn words(self) -> Vec<String> {
        self.words.into_iter().map(|(_, word)| word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_names_are_found_and_foreign_ones_are_not() {
        let names = ["tower", "SOMA-tower-1", "cube", "crystal", "W-wall", "cube"];
        let near = |wanted: &str| {
            let mut nearest = Nearest::to(wanted, 2);
            names.iter().for_each(|name| nearest.consider(name));
            nearest.words()
        };
        assert_eq!(near("towre"), ["tower"]);
        assert_eq!(near("tower"), ["tower", "SOMA-tower-1"]);
        assert_eq!(near("Cristal"), ["crystal"]);
        assert_eq!(near("zzz"), [""; 0]);
    }
}
