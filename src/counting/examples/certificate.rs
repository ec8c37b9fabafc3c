//! Proves that the W-wall cannot be built from the seven pieces of SOMA, and checks the proof with other code.
//!
//! `cargo run -p somacat-counting --example certificate` prints
//!
//! ```text
//! # W-wall
//! # Mark 10 cells. V covers at most 1, L 2, T 2, Z 1, A 1, B 1, P 1: together at most 9 of 10.
//! # ... ... ... ... 1o1
//! # ... ... ... ... ooo
//! # ... ... 1o1 ooo 1o1
//! # ... ... ooo ... ...
//! # 1o1 ooo 1o1 ... ...
//! checked: 0 packings, by marks
//! ```
//!
//! The drawing has a digit for each cell of the layers that is marked, and `o` for the others.

use somacat_checking::check_certificate;
use somacat_counting::prove::{Argument, write_certificate};
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::figure::Signature;
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::spelling::Spelling as _;
use std::error::Error;
use std::fmt::Write as _;

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", answer("s1-3x5x5-00w00w0yz0e0zf0")?);
    Ok(())
}

/// Returns the comments of the certificate, and what its check found.
pub fn answer(signature: &str) -> Result<String, Box<dyn Error>> {
    let figure = signature.parse::<Signature>()?.figure()?;
    let soma = PieceSet::soma(1);
    let argument = Argument::find(&Problem::new(&figure, &soma), Limits::default());
    let mut certificate = Vec::new();
    write_certificate("W-wall", (&figure, &soma), &argument, Limits::default(), &mut certificate)?;
    let certified = check_certificate(certificate.as_slice(), Some(&figure), Some(&soma))?;
    let comments = std::str::from_utf8(&certificate)?.lines().filter(|line| line.starts_with('#'));
    let mut text: String = comments.map(|line| format!("{line}\n")).collect();
    writeln!(text, "checked: {} packings, by {}", certified.raw, certified.kind.word())?;
    Ok(text)
}
