//! `somacat export parquet`: writes a folder of Parquet files.

use crate::cli::failure::{Failure, Result};
use crate::cli::shared::filter::{FilterArgs, with_known_set};
use crate::cli::shared::no_match::no_match;
use crate::cli::shared::output::folder_parser;
use crate::cli::{Exit, Global, eprintln};
use clap::Args;
use somacat_catalog::{Catalog, Row};
use somacat_formats::count_noun;
use somacat_output::export::{NewFolder, ParquetFiles, ParquetSummary};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "\
Writes a new or empty folder with files of about 200 MB, sorted by order, class, signature and set.
docs/parquet.md describes the columns. The folder appears when it is complete. If it already has the
same files, the command ends as when it wrote them; other contents are refused.

Examples:
  somacat export parquet all-figures
  somacat export parquet buildable --solvable --set SOMA")]
pub(crate) struct ParquetArgs {
    /// The folder to write.
    #[arg(value_name = "DIR", value_parser = folder_parser())]
    folder: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
}

pub(crate) fn export_parquet(global: &Global, args: &ParquetArgs) -> Result<Exit> {
    let ParquetArgs { folder, filter } = args;
    let catalog = Catalog::open_read_only(&global.db)?;
    let filter = with_known_set(&catalog, filter)?;
    let target = NewFolder::create(folder, ParquetFiles::is_folder_of_them)?;
    let mut files = ParquetFiles::create(target.path())?;
    let write = |row: Row| Ok(files.row(&row)?);
    catalog.select_by_class::<Failure>(&filter, write)?;
    let summary = files.finish()?;
    target.commit()?;
    if summary.rows == 0 && !global.quiet {
        eprintln(&no_match(&catalog, &filter)?);
    }
    report_files(global, &summary, folder);
    Ok(Exit::Ok)
}

pub(crate) fn report_files(global: &Global, summary: &ParquetSummary, folder: &Path) {
    let (rows, files) = (count_noun(summary.rows, "row"), summary.files.len() as u64);
    global.note(&format!("{rows} in {} in {}", count_noun(files, "file"), folder.display()));
}
