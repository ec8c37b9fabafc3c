//! The words that come nearest to a misspelled one.

/// Below this likeness (0 to 1) a word is no help.
const LEAST: f64 = 0.72;

/// Collects the words most like a wanted one, however many there are to choose from.
pub(crate) struct Nearest {
    wanted: String,
    most: usize,
    found: Vec<(f64, String)>,
}

impl Nearest {
    /// Looks for at most `most` words like `wanted`.
    pub(crate) fn to(wanted: &str, most: usize) -> Self {
        Self { wanted: wanted.to_lowercase(), most, found: Vec::new() }
    }

    /// Considers a word.
    pub(crate) fn consider(&mut self, word: &str) {
        let candidate = word.to_lowercase();
        let likeness = if candidate.contains(&self.wanted) && self.wanted.chars().count() > 2 {
            1.0
        } else {
            strsim::jaro_winkler(&self.wanted, &candidate)
        };
        let last = self.found.last().map_or(LEAST, |(likeness, _)| *likeness);
        if likeness < LEAST || self.found.len() == self.most && likeness <= last {
            return;
        }
        if self.found.iter().any(|(_, known)| known == word) {
            return;
        }
        let at = self.found.partition_point(|(other, _)| *other >= likeness);
        self.found.insert(at, (likeness, word.to_owned()));
        self.found.truncate(self.most);
    }

    /// The words, the most like first.
    pub(crate) fn words(self) -> Vec<String> {
        self.found.into_iter().map(|(_, word)| word).collect()
    }

    /// `; did you mean a, b?`, or nothing.
    pub(crate) fn suggestion(self) -> String {
        let words = self.words();
        if words.is_empty() {
            String::new()
        } else {
            format!("; did you mean {}?", words.join(", "))
        }
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
