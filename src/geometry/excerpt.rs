//! Words of a user's text in messages.

/// The most characters of an excerpt.
const MAX_CHARS: usize = 60;

/// Shortens a text to a line of a message. Control characters are spelled out, but blank ones become blanks.
///
/// ```
/// use somacat_geometry::excerpt;
///
/// assert_eq!(excerpt("two\nlines"), "two lines");
/// assert_eq!(excerpt("B\0"), r"B\0");
/// assert_eq!(excerpt(&"x".repeat(100)).chars().count(), 61, "60 characters and an ellipsis");
/// ```
pub fn excerpt(text: &str) -> String {
    let mut short = String::new();
    for c in text.chars().take(MAX_CHARS) {
        match c.is_control() {
            true if c.is_whitespace() => short.push(' '),
            true => short.extend(c.escape_debug()),
            false => short.push(c),
        }
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}
