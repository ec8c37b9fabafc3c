//! Markdown text that shows names unchanged.

/// Escapes text so that Markdown shows it unchanged. HTML in it stays text. Line ends become blanks. A sign that
/// would begin a list or a heading is escaped only at the beginning.
pub fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    // Several blanks would make a block of code, and in front of a list they do not matter.
    let begin = text.trim_start();
    if begin.len() < text.len() {
        escaped.push(' ');
    }
    let text = begin;
    // "1. " and "1) " begin a list at the start of any line.
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker = text.len() - numbered.len();
    let list_at = (marker > 0 && numbered.starts_with(['.', ')'])).then_some(marker);
    for (at, c) in text.char_indices() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => {
                escaped.extend(['\\', c]);
            }
            '-' | '+' | '=' if at == 0 => escaped.extend(['\\', c]),
            '.' | ')' if list_at == Some(at) => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_markdown_are_text() {
        assert_eq!(escape_markdown("plain s1-3x3x3-zzzzz3, 1.5"), "plain s1-3x3x3-zzzzz3, 1.5");
        assert_eq!(escape_markdown("<script>&"), "&lt;script&gt;&amp;");
        assert_eq!(escape_markdown("[a](b) *c* `d` |"), r"\[a\](b) \*c\* \`d\` \|");
        assert_eq!(escape_markdown("- x"), r"\- x");
        assert_eq!(escape_markdown("12. x"), r"12\. x");
        assert_eq!(escape_markdown("     - x"), r" \- x");
        assert_eq!(escape_markdown("a\n# b"), r"a \# b");
    }
}
