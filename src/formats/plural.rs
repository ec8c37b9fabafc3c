//! Counts and lists in sentences.

use std::fmt::Display;

/// Writes a count with a noun: `1 cell`, `2 cells`.
///
/// ```
/// use somacat_formats::count_noun;
///
/// assert_eq!(count_noun(1, "cell"), "1 cell");
/// assert_eq!(count_noun(2, "box"), "2 boxes");
/// assert_eq!(count_noun(3, "class"), "3 classes");
/// assert_eq!(count_noun(0, "copy"), "0 copies");
/// assert_eq!(count_noun(2, "way"), "2 ways");
/// ```
pub fn count_noun(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let stem = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match stem {
        _ if number == "1" => format!("1 {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None if noun.ends_with(['s', 'h', 'x']) => format!("{number} {noun}es"),
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
///
/// ```
/// use somacat_formats::join_words;
///
/// let words = ["V", "L", "T"].map(str::to_owned);
/// assert_eq!(join_words(&words), "V, L and T");
/// assert_eq!(join_words(&words[..1]), "V");
/// ```
pub fn join_words(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
