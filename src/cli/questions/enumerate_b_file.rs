//! `somacat enumerate symmetric --b-file`: the terms of a class's sequence in the OEIS.

use crate::cli::failure::{Failure, Result};
use crate::cli::shared::output::stdout;
use crate::cli::{Exit, Global, stopped_early};
use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
use somacat_formats::count_noun;
use somacat_geometry::symmetry::Class;
use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub(crate) type TermRange = RangeInclusive<usize>;

/// Parses `1..24`; both ends are included.
pub(crate) fn parse_term_range(text: &str) -> std::result::Result<TermRange, String> {
    let ends =
        text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    match ends {
        Some((from, to)) if 0 < from && from <= to => Ok(from..=to),
        _ => Err("write the numbers of cells as FROM..TO, such as 1..24".to_owned()),
    }
}

/// Writes `n a(n)` for each number of cells.
pub(crate) fn write_b_file(
    global: &Global,
    names: &[String],
    terms: &TermRange,
    stop: &AtomicBool,
) -> Result<Exit> {
    let mut classes = Vec::new();
    for name in names {
        classes.extend(Class::matching(name)?);
    }
    let &[class] = classes.as_slice() else {
        return Err(Failure::usage("a b-file has one sequence; name one class, such as C2v(edge)"));
    };
    if class.order() < 3 {
        return Err(Failure::usage(
            "a b-file needs a class of order 3 or more; smaller groups have too many figures",
        ));
    }
    let begun = Instant::now();
    let mut out = stdout();
    for cells in terms.clone() {
        let figures = Enumeration::symmetric(SymmetricSpec::exactly(class, cells))?;
        let Some(counts) = figures.count(stop) else { return Ok(stopped_early()) };
        writeln!(out, "{cells} {}", counts.of(class))?;
        out.flush()?;
    }
    let (lines, seconds) =
        (count_noun(terms.clone().count() as u64, "term"), begun.elapsed().as_secs_f64());
    global.note(&format!("{}, class {class}: {lines} in {seconds:.2} s", class.oeis()));
    Ok(Exit::Ok)
}
