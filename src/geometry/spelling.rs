//! The spelling of verdicts, reasons and engines, in output and in catalogs.

use crate::outcome::{Engine, ProofKind, Reason, Verdict};

/// A value that is written as a word.
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
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a {kind}; choose one of {}", words.join(", "))]
pub struct UnknownWord {
    text: String,
    kind: &'static str,
    words: Vec<&'static str>,
}

/// Parses a word.
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
