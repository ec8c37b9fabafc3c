//! Common parts of all pages: templates, and data inside a page.

use crate::dossier::grouped;
use crate::export::{SiteError, on_one_line};
use crate::xml::xml_text;
use minijinja::syntax::SyntaxConfig;
use minijinja::{
    AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value, escape_formatter,
};
use serde::Serialize;

/// Creates an environment for templates. Names that end in `.html` or `.xml` are escaped as HTML. A name missing from
/// the data is an error. The filter `grouped` writes 1400 as 1,400; `on_one_line` removes line ends and
/// characters that direct a terminal.
pub(super) fn environment() -> Result<Environment<'static>, SiteError> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Errors name an undefined variable in release builds too.
    environment.set_debug(true);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_formatter(escaped);
    environment.set_syntax(syntax.build()?);
    environment.add_filter("grouped", |digits: String| grouped(&digits));
    environment.add_filter("on_one_line", |text: String| on_one_line(&text));
    Ok(environment)
}

/// Writes a value escaped for HTML and XML. The default formatter also escapes slashes, which are frequent in SOMA text,
/// and keeps characters that XML forbids.
pub(super) fn escaped(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    if !matches!(state.auto_escape(), AutoEscape::Html) || value.is_safe() || value.is_undefined() {
        return escape_formatter(out, state, value);
    }
    Ok(out.write_str(&xml_text(&value.to_string()))?)
}

/// Formats JSON for a `<script>` element. No text in it can end the element or begin another.
pub(super) fn script_json(value: &impl Serialize) -> Result<String, SiteError> {
    let json = serde_json::to_string(value)?;
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // These occur only within strings of JSON, where the escape means the same.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe += &format!("\\u{:04x}", u32::from(c));
            }
            _ => safe.push(c),
        }
    }
    Ok(safe)
}

/// Converts a signature to a file name without extension. A signature consists of small letters, digits, `-` and
/// `.`, and is used unchanged. A long one is cut, with a hash of the whole appended.
pub(super) fn file_stem(signature: &str) -> String {
    const LONGEST: usize = 120;
    let clean: String = signature
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') { c } else { '_' })
        .collect();
    if clean.len() <= LONGEST {
        return clean;
    }
    // FNV-1a, 64 bits: the same on every machine.
    let hash = signature.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{}-{hash:016x}", &clean[..LONGEST])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_a_page_cannot_end_its_script() {
        let hostile = ["</script><script>alert(1)</script>", "<!--", "\u{2028}", "\"&amp;"];
        let json = script_json(&hostile).unwrap();
        assert!(!json.contains(['<', '>', '&', '\u{2028}']), "{json}");
        let back: Vec<String> = serde_json::from_str(&json).unwrap();
        assert_eq!(back, hostile);
    }

    #[test]
    fn file_names_are_plain_and_distinct() {
        assert_eq!(file_stem("s1-3x3x3-zzzzz3"), "s1-3x3x3-zzzzz3");
        assert_eq!(file_stem("../../x"), "..-..-x".replace("-..-", "_.._"));
        let (long, other) = ("z".repeat(5000), "z".repeat(5001));
        assert!(file_stem(&long).len() < 200);
        assert_ne!(file_stem(&long), file_stem(&other));
    }
}
