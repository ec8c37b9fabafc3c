//! Words of a command, as a shell reads them.

/// Returns a word in single quotes.
///
/// ```
/// assert_eq!(somacat_formats::shell_quoted("Ann's"), r"'Ann'\''s'");
/// ```
pub fn shell_quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Returns a command with its arguments, quoted where a shell would split or change them.
///
/// ```
/// use somacat_formats::shell_command;
///
/// assert_eq!(shell_command("somacat show", ["a.soma", "my figure"]), "somacat show a.soma 'my figure'");
/// ```
pub fn shell_command(name: &str, arguments: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut text = name.to_owned();
    for argument in arguments {
        let argument = argument.as_ref();
        let plain = argument.chars().all(|c| c.is_alphanumeric() || "-_.,/".contains(c));
        text += " ";
        text += &if plain { argument.to_owned() } else { shell_quoted(argument) };
    }
    text
}
