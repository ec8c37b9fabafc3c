//! Text for a terminal: characters of a name must not move the cursor or reverse the line.

use std::borrow::Cow;

/// Spells out control and bidirectional formatting characters (`\u{1b}`). Keeps line ends and tabs.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Replaces each such character, line end and tab with a blank.
pub fn on_one_line(text: &str) -> String {
    text.replace(|c| is_hidden(c) || c.is_control(), " ")
}

/// Returns whether a character acts on a terminal instead of being visible.
fn is_hidden(c: char) -> bool {
    let directs = matches!(
        c,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    directs || c.is_control() && !matches!(c, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(visible("a\u{1b}[2J\u{202e}b\r\u{9b}"), "a\\u{1b}[2J\\u{202e}b\\u{d}\\u{9b}");
        assert_eq!(on_one_line("a\u{1b}b\n\u{202e}c"), "a b  c");
        for plain in ["café\tx\ny", "三 → ½", "👨\u{200d}👩"] {
            assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
        }
    }
}
