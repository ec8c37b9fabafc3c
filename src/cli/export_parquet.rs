//! `somacat export parquet`: writes a folder of Parquet files.

use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::nothing::nothing_matches;
use super::{Exit, Global, eprintln};
use crate::catalog::Catalog;
use crate::export::{NewFolder, ParquetFiles, ParquetRow, ParquetSummary};
use crate::formats::count_noun;
use std::path::Path;

pub(super) fn export_parquet(
    global: &Global,
    catalog: &Catalog,
    folder: &Path,
    filter: &FilterArgs,
) -> Result<Exit> {
    if folder == Path::new("-") {
        let text = "parquet writes a folder; name it, as in `somacat export parquet figures`";
        return Err(Failure::usage(text));
    }
    if filter.is_ordered() {
        let text = "parquet rows are sorted by class and signature; --sort and --top work only with other formats";
        return Err(Failure::usage(text));
    }
    let rows_of = filter.filter()?;
    let target = NewFolder::create(folder)?;
    let mut files = ParquetFiles::create(target.path())?;
    catalog.select_by_class::<Failure>(&rows_of, |row| Ok(files.row(&ParquetRow::from(&row))?))?;
    let summary = files.finish()?;
    target.commit()?;
    if summary.rows == 0 && !global.quiet {
        eprintln(&nothing_matches(catalog, filter)?);
    }
    tell(global, &summary, folder);
    Ok(Exit::Ok)
}

/// Reports the numbers of written rows and files.
pub(super) fn tell(global: &Global, summary: &ParquetSummary, folder: &Path) {
    if !global.quiet {
        let (rows, files) = (count_noun(summary.rows, "row"), summary.files.len() as u64);
        eprintln(&format!("{rows} in {} in {}", count_noun(files, "file"), folder.display()));
    }
}
