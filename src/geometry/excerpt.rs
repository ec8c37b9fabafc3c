//! Words of a user's text in messages.

/// The most characters of an excerpt.
const MAX_CHARS: usize = 60;

/// Shortens a text to a line of a message, without control characters.
///
/// ```
/// use somacat_geometry::excerpt;
///
/// assert_eq!(excerpt("two\nlines"), "two lines");
/// assert_eq!(excerpt(&"x".repeat(100)).chars().count(), 61, "60 characters and an ellipsis");
/// ```
pub fn excerpt(text: &str) -> String {
    let mut short: String =
        text.chars().take(MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    short
}
