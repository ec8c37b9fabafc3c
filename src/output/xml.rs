//! Escaping of text in XML.

/// Escapes a text for use between tags and in quoted attributes. Characters not allowed in XML become blanks.
pub(crate) fn xml_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push(' '),
            _ => safe.push(c),
        }
    }
    safe
}
