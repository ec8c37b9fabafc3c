//! `somacat catalog check`: finds damage in a catalog and salvages its readable rows.

use crate::cli::failure::Result;
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global, eprintln};
use clap::Args;
use somacat_catalog::{
    CatalogError, Salvage, SalvagedTable, check_catalog, merge_left_log, salvage,
};
use somacat_formats::count_noun;
use std::path::PathBuf;

/// Check a catalog for damage, from the file to its rows; exit code 5 if any is found
#[derive(Args, Debug)]
#[command(after_help = "\
Checks the file's length, its pages and indexes, the schema, references, sets, every signature with
the columns derived from it, every outcome, the packing and position of every name, ranges of
numbers, the checksum of every row, every enumeration with its figures and totals, and the digests
of a published copy. Counts are not repeated; somacat verify does that. Without --salvage, the log
of a killed run is merged into a sound catalog.

For a damaged catalog, reports how many rows can be saved. --salvage writes these rows to a new
catalog. A row is saved if it can be read and matches its checksum. The next run recreates lost
rows. If the file already has the same rows and was not changed, the command ends as when it wrote
them.

Examples:
  somacat catalog check
  somacat catalog check --quick --jsonl
  somacat catalog check --db damaged.db --salvage saved.db")]
pub(crate) struct CheckArgs {
    /// Skip the comparison of indexes with their tables.
    #[arg(long)]
    quick: bool,
    /// Write the readable rows to a new catalog.
    #[arg(long, value_name = "FILE")]
    salvage: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn check(global: &Global, args: &CheckArgs) -> Result<Exit> {
    let report = check_catalog(&global.db, args.quick)?;
    let mut rows = args.output.rows(&["part", "what", "problem"])?;
    for finding in &report.findings {
        let values = [finding.part, finding.what.as_str(), &finding.problem];
        rows.row(&values.map(Into::into))?;
    }
    rows.finish()?;
    let db = global.db.display();
    for note in &report.notes {
        eprintln(&format!("note: {note}"));
    }
    let sound = report.findings.is_empty();
    let mut exit = if sound { Exit::Ok } else { Exit::Mismatch };
    if sound && args.salvage.is_none() {
        match merge_left_log(&global.db) {
            Ok(false) => {}
            Ok(true) => eprintln("note: merged the log of a killed run"),
            Err(CatalogError::InUse(_)) => eprintln("note: another program is writing to it"),
            Err(error) => {
                eprintln(&error.to_string());
                exit = Exit::Failed;
            }
        }
    }
    if !sound || args.salvage.is_some() {
        let saved = salvage(&global.db, args.salvage.as_deref())?;
        let place = args.salvage.as_ref().map(|file| file.display().to_string());
        report_salvage(&saved, place.as_deref());
    }
    let found = report.findings.len() as u64 + report.more;
    if !sound {
        eprintln(&format!(
            "{db} is damaged: {}, {} of them listed",
            count_noun(found, "finding"),
            report.findings.len()
        ));
    } else {
        global.note(&format!(
            "{db} is sound: {} and {} checked",
            count_noun(report.figures, "figure"),
            count_noun(report.outcomes, "outcome")
        ));
    }
    Ok(exit)
}

fn report_salvage(Salvage { tables, without_log, .. }: &Salvage, file: Option<&str>) {
    if *without_log {
        eprintln("note: the log next to the catalog belongs to another file and is ignored");
    }
    if tables.iter().all(|table| table.saved == 0) {
        eprintln("nothing can be saved; restore a copy of the catalog, or run and import again");
        return;
    }
    for SalvagedTable { table, saved, refused, unreadable } in tables {
        if saved + refused + unreadable == 0 {
            continue;
        }
        let mut lost = Vec::new();
        if *refused > 0 {
            lost.push(format!("{refused} readable but damaged or incomplete"));
        }
        if *unreadable > 0 {
            lost.push(format!("at most {unreadable} unreadable"));
        }
        let lost = if lost.is_empty() { "all".to_owned() } else { lost.join(", ") };
        eprintln(&format!("{table}: {} can be saved; {lost}", count_noun(saved, "row")));
    }
    let is_whole = tables.iter().all(|table| table.refused + table.unreadable == 0);
    eprintln(&match file {
        Some(file) if is_whole => format!("saved in {file}"),
        Some(file) => {
            format!("saved in {file}; import its sources and repeat its runs for the rest")
        }
        None => "`somacat catalog check --salvage FILE` saves them in a new catalog".to_owned(),
    });
}
