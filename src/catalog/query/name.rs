//! Matching of names and titles: one rule for every command, for SQL, and for the script `catalog.js` of a gallery.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{FromSqlError, Value, ValueRef};
use somacat_counting::enumerate::FigureNumber;
use somacat_geometry::figure::Signature;
use std::borrow::Cow;
use std::sync::Arc;

/// A search text for names, case-insensitive. Plain text matches any part, also without blanks, hyphens and leading
/// zeros: `soma 30` matches `SOMA030`. A text with `*` (any text) or `?` (any character) matches the whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamePattern {
    given: String,
    /// In lower case.
    text: Vec<char>,
    kind: NameKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NameKind {
    Exact,
    Part,
    Wildcards,
}

impl NamePattern {
    /// Creates a pattern for a part of a name. A pattern with wildcards matches the whole name.
    pub fn new(text: &str) -> Self {
        let kind = if text.contains(['*', '?']) { NameKind::Wildcards } else { NameKind::Part };
        let text = text.trim();
        Self { given: text.to_owned(), text: text.to_lowercase().chars().collect(), kind }
    }

    /// Creates a pattern for the whole name, with wildcards `*` and `?`.
    pub fn whole(text: &str) -> Self {
        Self { kind: NameKind::Wildcards, ..Self::new(text) }
    }

    /// Creates a pattern for the whole name, without wildcards.
    pub fn exact(text: &str) -> Self {
        let lower = text.to_lowercase().chars().collect();
        Self { given: text.to_owned(), text: lower, kind: NameKind::Exact }
    }

    /// Returns whether a name or a title matches.
    pub fn fits(&self, text: &str) -> bool {
        let text: Vec<char> = text.to_lowercase().chars().collect();
        match self.kind {
            NameKind::Exact => text == self.text,
            NameKind::Part => {
                self.text.is_empty()
                    || text.windows(self.text.len()).any(|part| part == self.text)
                    || has_simplified_part(&simplified(&text), &simplified(&self.text))
            }
            NameKind::Wildcards => fits_wildcards(&self.text, &text),
        }
    }

    /// Returns the text as it was given.
    pub fn text(&self) -> &str {
        &self.given
    }

    /// Returns the signature of the figure whose permanent number this is.
    pub(crate) fn numbered(&self) -> Option<Signature> {
        self.given.parse::<FigureNumber>().and_then(FigureNumber::signature).ok()
    }

    /// Returns whether only the whole name matches.
    pub(super) fn is_exact(&self) -> bool {
        self.kind == NameKind::Exact
    }
}

/// Removes blanks, hyphens, underscores, and the leading zeros of numbers.
fn simplified(text: &[char]) -> Vec<char> {
    let joined = text.iter().copied().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'));
    let joined: Vec<char> = joined.collect();
    let of_number = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
    let mut kept: Vec<char> = Vec::with_capacity(joined.len());
    for (at, &c) in joined.iter().enumerate() {
        if c != '0' || of_number(kept.last()) || !of_number(joined.get(at + 1)) {
            kept.push(c);
        }
    }
    kept
}

/// Returns whether a simplified text contains a part that has a letter. A number at its end is a whole number, so that
/// `SOMA007` does not match `SOMA070`.
fn has_simplified_part(text: &[char], part: &[char]) -> bool {
    let number = part.last().is_some_and(char::is_ascii_digit);
    let ends = |at: usize| !number || !text.get(at).is_some_and(char::is_ascii_digit);
    part.iter().any(|c| c.is_alphabetic())
        && text.windows(part.len()).enumerate().any(|(at, w)| w == part && ends(at + part.len()))
}

/// Returns whether a text matches a pattern as a whole. Backtracking to the last `*` is enough.
fn fits_wildcards(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut again: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                again = Some((p + 1, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => (p, t) = (p + 1, t + 1),
            _ => {
                let Some((behind, from)) = again else { return false };
                again = Some((behind, from + 1));
                (p, t) = (behind, from + 1);
            }
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// Adds the SQL functions `name_fits(text, pattern)`, which gives 1 for a match, 0 otherwise, NULL for NULL, and
/// `lower_case(text)`: `lower` of SQLite leaves all letters but those of ASCII as they are.
pub(crate) fn add_name_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("lower_case", 1, flags, |context| {
        Ok(text(context.get_raw(0))?.map(|text| text.to_lowercase()))
    })?;
    connection.create_scalar_function("name_fits", 2, flags, |context| {
        let pattern: Arc<Option<NamePattern>> = context.get_or_create_aux(1, |value| {
            Ok::<_, FromSqlError>(text(value)?.map(|t| NamePattern::new(&t)))
        })?;
        let name = text(context.get_raw(0))?;
        Ok(name.zip(pattern.as_ref().as_ref()).map(|(name, pattern)| pattern.fits(&name)))
    })
}

/// Reads a text, replacing invalid UTF-8.
fn text(value: ValueRef<'_>) -> Result<Option<Cow<'_, str>>, FromSqlError> {
    match value {
        ValueRef::Null => Ok(None),
        ValueRef::Text(bytes) => Ok(Some(String::from_utf8_lossy(bytes))),
        _ => Err(FromSqlError::InvalidType),
    }
}

/// The label of an entry without a name: its file's name without folders, and its number.
const UNNAMED: &str = "substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)";

/// Returns the condition that an entry `n` has a label, in any case. The index of labels ignores only the case of ASCII.
pub(crate) fn is_label(label: &str) -> &'static str {
    match label.is_ascii() {
        true => "n.label = ? COLLATE NOCASE",
        false => "lower_case(n.label) = lower_case(?)",
    }
}

/// Returns a query for the figures whose name or title matches. A whole name is found by the index of names, or by
/// file and number if the entry has none. A part of a name requires a scan of all names.
pub(super) fn figures_named(wanted: &NamePattern) -> (String, Vec<Value>) {
    if let Some(signature) = wanted.numbered() {
        let sql = "SELECT id FROM figure WHERE signature = ?";
        return (sql.to_owned(), vec![Value::Text(signature.to_string())]);
    }
    let join = "SELECT n.figure_id FROM name n JOIN source s ON s.id = n.source_id";
    let text = wanted.text().to_owned();
    if !wanted.is_exact() {
        let fits = format!("name_fits(COALESCE(n.label, {UNNAMED}), ?) OR name_fits(n.title, ?)");
        return (format!("{join} WHERE {fits}"), vec![Value::Text(text); 2]);
    }
    let mut sql = format!("SELECT figure_id FROM name n WHERE {}", is_label(&text));
    let mut values = vec![Value::Text(text.clone())];
    if let Some(number) = text.rsplit_once(' ').and_then(|(_, n)| n.parse::<i64>().ok()) {
        sql += &format!(
            " UNION ALL {join} WHERE n.ordinal = ? AND n.label IS NULL AND {UNNAMED} = ? COLLATE NOCASE"
        );
        values.extend([Value::Integer(number.saturating_sub(1)), Value::Text(text)]);
    }
    (sql, values)
}

/// Returns a case-insensitive condition that the column `label` matches a pattern. The prefix before the first
/// wildcard becomes a range, which an index can use.
pub(super) fn label_condition(wanted: &str) -> (String, Vec<Value>) {
    let (prefix, rest) = wanted.split_at(wanted.find(['*', '?']).unwrap_or(wanted.len()));
    if rest.is_empty() {
        return ("label = ? COLLATE NOCASE".to_owned(), vec![Value::Text(wanted.to_owned())]);
    }
    let pattern = Value::Text(like_pattern(wanted));
    if prefix.is_empty() {
        return ("label LIKE ? ESCAPE '\\'".to_owned(), vec![pattern]);
    }
    // The `+` keeps SQLite from choosing LIKE, which cannot use the index.
    let range =
        "label >= ? COLLATE NOCASE AND label < ? COLLATE NOCASE AND +label LIKE ? ESCAPE '\\'";
    let end = format!("{prefix}\u{10FFFF}");
    (range.to_owned(), vec![Value::Text(prefix.to_owned()), Value::Text(end), pattern])
}

/// Converts `*` and `?` to a LIKE pattern with `\` as escape.
fn like_pattern(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        match c {
            '*' => pattern.push('%'),
            '?' => pattern.push('_'),
            '%' | '_' | '\\' => pattern.extend(['\\', c]),
            _ => pattern.push(c),
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_part_or_the_whole_with_wildcards_in_either_case() {
        let fits = |pattern: &str, text: &str| NamePattern::new(pattern).fits(text);
        for (pattern, text) in [
            ("tower", "SOMA-Tower-1"),
            ("SOMA*", "soma-tower-1"),
            ("*tow?r*", "A leaning TOWER"),
            ("s?ma*1", "SOMA-tower-1"),
            ("*", ""),
            ("ÉMILE", "by émile"),
            ("100%_", "a 100%_ b"),
            ("SOMA30", "SOMA030"),
            ("soma 30", "the SOMA-030 tower"),
            ("soma007", "SOMA7"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("tow?r", "towers"),
            ("SOMA*", "a SOMA"),
            ("a%", "ab"),
            ("?", ""),
            ("SOMA3", "a SOMA031"),
            ("007", "SOMA7"),
            ("_", "SOMA-7"),
        ] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
        assert!(NamePattern::exact("Tower").fits("tower"));
        assert!(!NamePattern::exact("tow*").fits("tower") && NamePattern::exact("*").fits("*"));
    }

    /// Matches by definition, which takes exponential time.
    fn by_definition(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, _) => text.is_empty(),
            (Some(('*', rest)), None) => by_definition(rest, text),
            (Some(('*', rest)), Some((_, later))) => {
                by_definition(rest, text) || by_definition(pattern, later)
            }
            (Some((p, rest)), Some((t, later))) => {
                (*p == '?' || p == t) && by_definition(rest, later)
            }
            (Some(_), None) => false,
        }
    }

    proptest! {
        #[test]
        fn wildcards_fit_what_the_definition_says(pattern in "[ab*?]{0,7}", text in "[ab]{0,9}") {
            let [pattern, text] = [pattern, text].map(|s| s.chars().collect::<Vec<char>>());
            prop_assert_eq!(fits_wildcards(&pattern, &text), by_definition(&pattern, &text));
        }
    }
}
