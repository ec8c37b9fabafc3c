//! The text of a saved web page, line by line.
//!
//! This is not a parser of HTML. It removes tags, decodes entities, and turns visible line ends and gaps into
//! lines. Outside `<pre>` an empty line of the source has no meaning.

use quick_xml::escape::resolve_html5_entity;
use std::borrow::Cow;

/// The number of lines after which an unclosed tag is dropped. Later text is text again.
const MAX_TAG_LINES: usize = 50;

/// The parser's state between two lines of the source.
#[derive(Default)]
pub(super) struct Html {
    active: bool,
    preformatted: bool,
    /// Inside `<script>` or `<style>`.
    hidden: Option<String>,
    in_comment: bool,
    /// The open tag, with the number of its lines so far.
    tag: Option<(String, usize)>,
    columns: usize,
    current: String,
}

/// Returns `true` if a line marks the file as a web page. `<bruce@example.org>` is an address.
pub(super) fn starts_html(line: &str) -> bool {
    const TAGS: [&str; 7] = ["!doctype html", "html", "head", "body", "pre", "br", "p"];
    line.contains('<') && {
        let lower = line.to_ascii_lowercase();
        lower.split('<').skip(1).any(|inside| {
            TAGS.iter().filter_map(|tag| Some((tag, inside.strip_prefix(tag)?))).any(
                |(tag, rest)| match *tag {
                    "p" => rest.starts_with('>'),
                    _ => {
                        rest.is_empty()
                            || rest.starts_with(['>', '/'])
                            || rest.starts_with(char::is_whitespace)
                    }
                },
            )
        })
    }
}

impl Html {
    /// Reads a line of the source and passes completed lines to `sink`.
    pub(super) fn feed(&mut self, line: &str, mut sink: impl FnMut(&str)) {
        if !self.active {
            if !starts_html(line) {
                sink(line);
                return;
            }
            self.active = true;
        }
        self.strip(line, &mut sink);
        if self.preformatted || !self.current.trim().is_empty() {
            self.break_line(&mut sink);
        } else {
            self.current.clear();
        }
    }

    fn break_line(&mut self, sink: &mut impl FnMut(&str)) {
        sink(&decode_entities(&self.current));
        self.current.clear();
    }

    fn strip(&mut self, line: &str, sink: &mut impl FnMut(&str)) {
        let mut rest = line;
        while !rest.is_empty() {
            if self.in_comment {
                let Some((_, after)) = rest.split_once("-->") else { return };
                self.in_comment = false;
                rest = after;
                continue;
            }
            if let Some((mut tag, lines)) = self.tag.take() {
                // A `<` inside a tag begins the next tag: the `>` is missing.
                let (inside, after) = match rest.find(['<', '>']) {
                    Some(at) if rest[at..].starts_with('>') => (&rest[..at], Some(&rest[at + 1..])),
                    Some(at) => (&rest[..at], Some(&rest[at..])),
                    None => (rest, None),
                };
                // Only the tag's name is needed, so a long tag is not kept whole.
                if tag.len() < 64 {
                    tag.push_str(inside);
                }
                let Some(after) = after else {
                    if lines < MAX_TAG_LINES {
                        tag.push(' ');
                        self.tag = Some((tag, lines + 1));
                    }
                    return;
                };
                self.apply(&tag, sink);
                rest = after;
                continue;
            }
            let Some(at) = rest.find('<') else {
                self.text(rest);
                return;
            };
            self.text(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix("!--") {
                self.in_comment = true;
                rest = after;
            } else if rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
                self.tag = Some((String::new(), 0));
            } else {
                self.text("<");
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.hidden.is_none() {
            self.current.push_str(text);
        }
    }

    fn apply(&mut self, tag: &str, sink: &mut impl FnMut(&str)) {
        let closing = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        if let Some(hidden) = &self.hidden {
            if closing && *hidden == name {
                self.hidden = None;
            }
            return;
        }
        match name.as_str() {
            "script" | "style" if !closing => self.hidden = Some(name),
            "br" => self.break_line(sink),
            "tr" => {
                self.columns = 0;
                self.break_text(sink);
            }
            "td" | "th" if !closing => {
                self.columns += 1;
                if self.columns > 1 {
                    self.break_paragraph(sink);
                }
            }
            "pre" => {
                self.break_paragraph(sink);
                self.preformatted = !closing;
            }
            "p" | "div" | "li" | "ul" | "ol" | "dl" | "dd" | "dt" | "hr" | "table" | "title"
            | "head" | "body" | "html" | "center" | "blockquote" | "form" | "textarea" | "h1"
            | "h2" | "h3" | "h4" | "h5" | "h6" => self.break_paragraph(sink),
            _ => {}
        }
    }

    fn break_text(&mut self, sink: &mut impl FnMut(&str)) {
        if !self.current.trim().is_empty() {
            self.break_line(sink);
        }
        self.current.clear();
    }

    fn break_paragraph(&mut self, sink: &mut impl FnMut(&str)) {
        self.break_text(sink);
        sink("");
    }
}

fn decode_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let word = rest.bytes().take(10).take_while(|b| b.is_ascii_alphanumeric() || *b == b'#');
        let length = word.count();
        let Some(mark) = entity(&rest[..length]) else {
            decoded.push('&');
            continue;
        };
        decoded.push(mark);
        rest = &rest[length..];
        rest = rest.strip_prefix(';').unwrap_or(rest);
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

fn entity(word: &str) -> Option<char> {
    if let Some(number) = word.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
            None => number.parse(),
        };
        return code.ok().and_then(char::from_u32).map(|c| if c.is_control() { ' ' } else { c });
    }
    match word {
        "nbsp" => Some(' '),
        _ => resolve_html5_entity(word)?.chars().next(),
    }
}
