//! Reads a catalog that `somacat run` or `somacat import` wrote, and lists the figures with the fewest packings.
//!
//! `cargo run -p somacat-catalog --example read_catalog -- somacat.db` prints a line for each of up to ten figures, such
//! as
//!
//! ```text
//! 240 cube (Oh, s1-3x3x3-zzzzz3)
//! ```
//!
//! for the cube, which has 240 packings up to rotation and reflection.

use somacat_catalog::{Catalog, CatalogError, Filter};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a catalog, such as somacat.db")?;
    for line in answer(Path::new(&path), 10)? {
        println!("{line}");
    }
    Ok(())
}

/// Returns a line for each of the `most` buildable figures that have the fewest packings.
pub fn answer(path: &Path, most: usize) -> Result<Vec<String>, CatalogError> {
    let catalog = Catalog::open_read_only(path)?;
    let mut found = Vec::new();
    catalog.select::<CatalogError>(&Filter::default(), |row| {
        let unique = row.report.as_ref().and_then(|report| report.outcome.unique());
        if let Some(unique) = unique.filter(|unique| *unique > 0) {
            let name = row.names.first().map_or("a figure without a name", String::as_str);
            let (class, signature) = (row.figure.class, &row.figure.signature);
            found.push((unique, format!("{unique} {name} ({class}, {signature})")));
        }
        Ok(())
    })?;
    found.sort();
    Ok(found.into_iter().take(most).map(|(_, line)| line).collect())
}
