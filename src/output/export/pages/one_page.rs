//! The program as one page: a file that works from a disk, without a network.
//!
//! `somacat.wasm.gz` is crate `page`, compiled to WebAssembly and compressed. It lies in the repository, so that a build
//! of the program needs no second target; `scripts/page.sh` makes it again. In the page it is spelled in base64. Nothing
//! else is in the page but what the gallery uses too: styles, pictures, and the 3D view.

use super::templates::{environment, script_json};
use crate::export::SiteError;
use minijinja::context;
use minijinja::value::Value;
use sha2::{Digest, Sha256};

/// The program, compiled to WebAssembly and compressed.
const PROGRAM: &[u8] = include_bytes!("../site/somacat.wasm.gz");

const ICON: &str = include_str!("../site/icon.svg");

const STYLES: &str = concat!(include_str!("../site/site.css"), include_str!("../site/page.css"));

const SCRIPTS: &str = concat!(
    include_str!("../site/cells.js"),
    include_str!("../site/controls.js"),
    include_str!("../site/picture.js"),
    include_str!("../site/scene.js"),
    include_str!("../site/view.js"),
    include_str!("../site/net.js"),
    include_str!("../site/symmetry.js"),
    include_str!("../site/storage.js"),
    include_str!("../site/drag.js"),
    include_str!("../site/puzzle.js"),
    include_str!("../site/places.js"),
    include_str!("../site/program.js"),
    include_str!("../site/page_draw.js"),
    include_str!("../site/page_table.js"),
    include_str!("../site/page_figure.js"),
    include_str!("../site/page.js"),
);

/// Returns the page. It offers `examples`, files of figures with their names.
///
/// # Errors
/// Never: the template is built in, and the tests render it.
pub fn one_page(version: &str, examples: &[(&str, &str)]) -> Result<String, SiteError> {
    let mut templates = environment()?;
    templates.add_template("page.html", include_str!("../site/page.html"))?;
    let scripts = format!("const EXAMPLES = {};\n{SCRIPTS}", script_json(&examples)?);
    let digest: String =
        Sha256::digest(PROGRAM).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let safe = Value::from_safe_string;
    Ok(templates.get_template("page.html")?.render(context! {
        version => format!("{version}, build {digest}"),
        icon => safe(base64(ICON.as_bytes())),
        mark => safe(ICON.trim_end().to_owned()),
        styles => safe(STYLES.to_owned()),
        program => safe(packed_program()),
        scripts => safe(scripts),
    })?)
}

/// Returns the program for a script: compressed, and spelled in base64.
pub(super) fn packed_program() -> String {
    base64(PROGRAM)
}

/// Spells bytes in base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let number = chunk.iter().fold(0, |number, &byte| number << 8 | usize::from(byte));
        let number = number << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let known = digit <= chunk.len();
            text.push(if known { DIGITS[number >> (18 - 6 * digit) & 63].into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_are_spelled_as_the_standard_says() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|s| base64(s.as_bytes()));
        let known = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(texts, known);
    }
}
