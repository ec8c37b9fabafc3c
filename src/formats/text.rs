//! Names and titles of a file, shortened for storage.

use super::Warning;

/// The most characters of a name or a title. A longer one is cut, with a warning.
pub const MAX_NAME_CHARS: usize = 1000;

/// Trims a name or title and limits its length. `None` if it is empty. The final length is set when the figure is
/// complete. Keeps one character more than the maximum, so that [`shorten`] can detect a longer text.
pub(super) fn clip(text: &str) -> Option<String> {
    let text = text.trim();
    let end = text.char_indices().nth(MAX_NAME_CHARS + 1).map_or(text.len(), |(at, _)| at);
    (!text.is_empty()).then(|| text[..end].to_owned())
}

/// Cuts a clipped text to its final length. Returns `true` if it was too long.
pub(super) fn shorten(text: &mut Option<String>) -> bool {
    let Some(text) = text else { return false };
    let end = text.char_indices().nth(MAX_NAME_CHARS).map(|(at, _)| at);
    if let Some(end) = end {
        text.truncate(end);
    }
    end.is_some()
}

/// Removes e-mail addresses, to keep them out of catalogs and pages. `None` if nothing else is left.
pub(super) fn without_addresses(text: Option<String>) -> Option<String> {
    let text = text?;
    if !text.contains('@') {
        return Some(text);
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !is_address(word)).collect();
    clip(&words.join(" "))
}

/// Returns whether a word is an e-mail address, possibly in brackets or before a punctuation mark.
fn is_address(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = word.strip_prefix("mailto:").unwrap_or(word);
    word.split_once('@').is_some_and(|(user, domain)| {
        let plain = |c: char| c.is_alphanumeric() || ".-_+%".contains(c);
        !user.is_empty() && domain.contains('.') && user.chars().chain(domain.chars()).all(plain)
    })
}

/// Cuts name and title to their final length. Returns warnings for those that were too long.
pub(super) fn shorten_both(
    line: usize,
    name: &mut Option<String>,
    title: &mut Option<String>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    warnings.extend(shorten(name).then_some(Warning::LongName { line }));
    warnings.extend(shorten(title).then_some(Warning::LongTitle { line }));
    warnings
}

/// Returns the maker that a title names: the name after the last `by`. The name begins with a capital letter. It
/// ends with the title, or at a comma, a semicolon, a bracket, dots, a date or a wider space.
pub(super) fn credit(title: &str) -> Option<&str> {
    let word = |at: usize| {
        let (before, rest) = (&title[..at], title.get(at + 2..)?);
        let apart = before.chars().next_back().is_none_or(char::is_whitespace)
            && rest.starts_with(char::is_whitespace);
        apart.then(|| rest.trim_start())
    };
    let by = title.char_indices().rev().filter(|(_, c)| matches!(c, 'b' | 'B'));
    let mut by =
        by.filter(|(at, _)| title[*at..].get(..2).is_some_and(|w| w.eq_ignore_ascii_case("by")));
    let rest = by.find_map(|(at, _)| word(at))?;
    let (rest, quoted) = rest.strip_prefix('"').map_or((rest, false), |rest| (rest, true));
    let end = if quoted {
        rest.find('"')
    } else {
        let ends =
            [",", ";", "(", "[", "..", "  ", "\t"].into_iter().filter_map(|end| rest.find(end));
        ends.chain(rest.find(|c: char| c.is_ascii_digit())).min()
    };
    let name = rest[..end.unwrap_or(rest.len())].trim().trim_end_matches('.');
    name.chars().next().filter(|first| first.is_uppercase()).map(|_| name)
}

#[cfg(test)]
mod tests {
    use super::{credit, without_addresses};

    #[test]
    fn addresses_are_removed_and_other_signs_kept() {
        for (text, left) in [
            ("28.1.1999  Ann Lee  0386-0001@t-online.de", Some("28.1.1999  Ann Lee")),
            ("by Ann <ann.lee+soma@example.org>, 1999", Some("by Ann 1999")),
            ("see mailto:ann@example.org.", Some("see")),
            ("ann@example.org", None),
            ("3 @ home. Or 5@once", Some("3 @ home. Or 5@once")),
        ] {
            assert_eq!(without_addresses(Some(text.to_owned())).as_deref(), left, "{text}");
        }
    }

    #[test]
    fn a_title_names_the_maker() {
        for (title, maker) in [
            ("A heart by Emily", Some("Emily")),
            ("Intruder by Emily  update...", Some("Emily")),
            ("Seen by many, drawn BY Anna Ørsted, who found it", Some("Anna Ørsted")),
            ("Explained by \"Steven Mai\"  13.8.2002", Some("Steven Mai")),
            ("by Émile J. 2003", Some("Émile J")),
            ("Built by hand", None),
            ("Bybridge", None),
            ("A lobby B", None),
            ("by", None),
            ("ü by", None),
            ("Baby Elephant", None),
        ] {
            assert_eq!(credit(title), maker, "{title}");
        }
    }
}
