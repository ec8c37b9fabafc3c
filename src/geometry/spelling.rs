//! The spelling of verdicts, reasons and engines, in output and in catalogs.

use crate::outcome::{Engine, ProofKind, Reason, Verdict};

/// A value that is written as a word.
///
/// ```
/// use somacat_geometry::outcome::Verdict;
/// use somacat_geometry::spelling::Spelling;
///
/// assert_eq!(Verdict::AtLeast.word(), "at-least");
/// assert_eq!(Verdict::WORDS.len(), 5);
/// ```
pub trait Spelling: Copy + PartialEq + 'static {
    /// The name of the kind of value in messages.
    const KIND: &'static str;
    /// All values, each with its word. A catalog stores positions in this list, so new values come last.
    const WORDS: &'static [(Self, &'static str)];

    /// Returns the word of the value.
    fn word(self) -> &'static str {
        let entry = Self::WORDS.iter().find(|(value, _)| *value == self);
        entry.expect("the list has every value").1
    }
}

impl Spelling for Verdict {
    const KIND: &'static str = "verdict";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Counted, "counted"),
        (Self::Unsolvable, "unsolvable"),
        (Self::AtLeast, "at-least"),
        (Self::Unknown, "unknown"),
        (Self::Failed, "failed"),
    ];
}

impl Spelling for Reason {
    const KIND: &'static str = "reason";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Size, "size"),
        (Self::Parity, "parity"),
        (Self::Parts, "parts"),
        (Self::NoFit, "no-fit"),
        (Self::Exhausted, "exhausted"),
    ];
}

impl Spelling for ProofKind {
    const KIND: &'static str = "proof";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Size, "size"),
        (Self::Parity, "parity"),
        (Self::Parts, "parts"),
        (Self::Marks, "marks"),
        (Self::Cases, "cases"),
        (Self::NoFit, "no-fit"),
        (Self::Exhausted, "exhausted"),
        (Self::Count, "count"),
    ];
}

impl Spelling for Engine {
    const KIND: &'static str = "engine";
    const WORDS: &'static [(Self, &'static str)] =
        &[(Self::Search, "search"), (Self::Frontier, "frontier"), (Self::Census, "census")];
}

/// A text that is not one of the words.
///
/// ```
/// use somacat_geometry::outcome::Engine;
/// use somacat_geometry::spelling::parse_word;
///
/// let error = parse_word::<Engine>("luck").unwrap_err();
/// assert!(error.to_string().ends_with("choose one of search, frontier, census"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a {kind}; choose one of {}", words.join(", "))]
pub struct UnknownWord {
    text: String,
    kind: &'static str,
    words: Vec<&'static str>,
}

/// Parses a word.
///
/// ```
/// use somacat_geometry::outcome::Verdict;
/// use somacat_geometry::spelling::parse_word;
///
/// assert_eq!(parse_word("at-least"), Ok(Verdict::AtLeast));
/// let error = parse_word::<Verdict>("perhaps").unwrap_err().to_string();
/// assert!(error.starts_with("`perhaps` is not a verdict; choose one of counted, unsolvable, "));
/// ```
///
/// # Errors
/// If the text is not one of the words.
pub fn parse_word<T: Spelling>(text: &str) -> Result<T, UnknownWord> {
    let value = T::WORDS.iter().find(|(_, word)| *word == text).map(|(value, _)| *value);
    value.ok_or_else(|| UnknownWord {
        text: text.to_owned(),
        kind: T::KIND,
        words: T::WORDS.iter().map(|(_, word)| *word).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_are_read_back<T: Spelling + std::fmt::Debug>() {
        for (at, &(value, word)) in T::WORDS.iter().enumerate() {
            assert_eq!(value.word(), word);
            assert_eq!(parse_word(word), Ok(value), "the words of {} differ", T::KIND);
            assert!(T::WORDS[..at].iter().all(|(other, _)| *other != value), "{word} twice");
        }
    }

    #[test]
    fn every_word_is_read_back() {
        words_are_read_back::<Verdict>();
        words_are_read_back::<Reason>();
        words_are_read_back::<ProofKind>();
        words_are_read_back::<Engine>();
        assert!(parse_word::<Verdict>("Counted").is_err(), "words are in lower case");
    }

    #[test]
    fn a_reason_has_the_word_of_its_proof() {
        for &(reason, word) in Reason::WORDS {
            assert_eq!(ProofKind::from(reason).word(), word);
        }
    }
}
