//! Counts and lists in sentences.

use std::fmt::Display;

/// Writes a count with a noun: `1 cell`, `2 cells`.
pub fn count_noun(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    match noun.strip_suffix('y') {
        _ if number == "1" => format!("1 {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None if noun.ends_with(['s', 'h']) => format!("{number} {noun}es"),
        None => format!("{number} {noun}s"),
    }
}

/// Writes `once`, `twice`, `3 times`.
pub(super) fn times(number: usize) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
}

/// Writes `V`, `V and L`, `V, L and T`.
pub fn join_words(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
