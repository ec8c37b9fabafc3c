//! `somacat export page`: writes the program as one page for a browser.

use crate::cli::Exit;
use crate::cli::failure::Result;
use crate::cli::shared::output::{FileArg, to_file};
use somacat_output::export::one_page;
use somacat_run::starter_sources;

/// The files that the page offers as examples. Their figures have 27 cells.
const EXAMPLES: [&str; 2] = ["height-maps.txt", "news-1999.soma"];

pub(crate) fn export_page(args: &FileArg) -> Result<Exit> {
    let examples = EXAMPLES.iter().filter_map(|name| {
        let (_, text) = starter_sources().iter().find(|(path, _)| path.ends_with(name))?;
        Some((*name, *text))
    });
    let page = one_page(env!("CARGO_PKG_VERSION"), &examples.collect::<Vec<_>>())?;
    to_file(&args.file, |out| Ok(out.write_all(page.as_bytes())?))?;
    Ok(Exit::Ok)
}
