//! Escaping of text in XML and HTML.

/// Escapes a text for use between tags and in quoted attributes. Characters not allowed in XML become blanks, and so do
/// other control characters than line ends and tabs.
pub(crate) fn xml_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push(' '),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::xml_text;

    #[test]
    fn a_text_is_only_a_text() {
        assert_eq!(
            xml_text("<a href='b'> & \"c\""),
            "&lt;a href=&#39;b&#39;&gt; &amp; &quot;c&quot;"
        );
        assert_eq!(xml_text("a\u{ffff}b\u{fffe}c\u{1}d\u{85}e\rf"), "a b c d e f");
        assert_eq!(xml_text("//1/2\n\t\u{1ffff}"), "//1/2\n\t\u{1ffff}");
    }
}
