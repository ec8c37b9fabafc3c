//! Writing selected figures or rows to a file.

use crate::cli::failure::{Failure, Result};
use crate::cli::shared::filter::SelectionArgs;
use crate::cli::shared::no_match::no_match;
use crate::cli::shared::output::{FileArg, to_file};
use crate::cli::{Exit, Global, eprintln};
use somacat_catalog::{Catalog, Filter};
use somacat_output::export::{CATALOG_COLUMNS, RowSink, column_values};
use std::io::Write;

/// Writes a file with `write` and reports an empty selection. `write` returns the number of entries.
pub(crate) fn export_selection(
    global: &Global,
    file: &FileArg,
    selection: &SelectionArgs,
    write: impl FnOnce(&Catalog, &Filter, &mut dyn Write) -> Result<u64>,
) -> Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let filter = selection.filter(&catalog)?;
    let mut written = 0;
    to_file(&file.file, |out| {
        written = write(&catalog, &filter, out)?;
        Ok(())
    })?;
    if written == 0 && !global.quiet {
        eprintln(&no_match(&catalog, &selection.filter)?);
    }
    Ok(Exit::Ok)
}

pub(crate) fn rows(catalog: &Catalog, filter: &Filter, sink: &mut dyn RowSink) -> Result<u64> {
    let written = catalog
        .select::<Failure>(filter, |row| Ok(sink.row(&column_values(&CATALOG_COLUMNS, &row))?))?;
    sink.finish()?;
    Ok(written)
}
