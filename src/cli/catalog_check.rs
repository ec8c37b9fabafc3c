//! `somacat catalog check`: is a catalog sound, and what can be saved of a damaged one.

use super::failure::Result;
use super::output::OutputArgs;
use super::{Exit, Global, eprintln};
use crate::catalog::{Salvage, SalvagedTable, check_catalog, salvage};
use crate::formats::quantity;
use clap::Args;
use std::path::PathBuf;

/// Look for damage from the file to the rows; exit code 5 if there is any
#[derive(Args, Debug)]
#[command(after_help = "\
Looks at the length of the file, its pages and indexes, the schema, references, every signature
with what follows from it, every outcome by itself, every enumeration with its figures and totals,
and the digests of a published copy. Counts are not made again: that is somacat verify. A log that a
killed run left beside a sound catalog is merged.

Of a damaged catalog it is said what can be saved. --salvage writes that to a new catalog, row by
row; a row is saved if it can be read and agrees with itself. What is lost the next run makes
again.

Examples:
  somacat catalog check
  somacat catalog check --quick --jsonl
  somacat catalog check --db damaged.db --salvage saved.db")]
pub(super) struct CheckArgs {
    /// Do not compare indexes with their tables.
    #[arg(long)]
    quick: bool,
    /// Write what can be read to a new catalog.
    #[arg(long, value_name = "FILE")]
    salvage: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn check(global: &Global, args: &CheckArgs) -> Result<Exit> {
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
    if !sound || args.salvage.is_some() {
        let saved = salvage(&global.db, args.salvage.as_deref())?;
        let place = args.salvage.as_ref().map(|file| file.display().to_string());
        tell_saved(&saved, place.as_deref());
    }
    let found = report.findings.len() as u64 + report.more;
    if !sound {
        eprintln(&format!(
            "{db} is damaged: {}, {} of them listed",
            quantity(found, "finding"),
            report.findings.len()
        ));
    } else if !global.quiet {
        eprintln(&format!(
            "{db} is sound: {} and {} looked at",
            quantity(report.figures, "figure"),
            quantity(report.outcomes, "outcome")
        ));
    }
    Ok(if sound { Exit::Ok } else { Exit::Mismatch })
}

fn tell_saved(Salvage { tables, without_log, .. }: &Salvage, file: Option<&str>) {
    if *without_log {
        eprintln(
            "note: without the log beside it more is there: that belongs to another file, and is left out",
        );
    }
    if tables.iter().all(|table| table.saved == 0) {
        eprintln("nothing can be saved; take a copy of the catalog, or run and import again");
        return;
    }
    for SalvagedTable { table, saved, refused, unreadable } in tables {
        if saved + refused + unreadable == 0 {
            continue;
        }
        let mut lost = Vec::new();
        if *refused > 0 {
            lost.push(format!("{refused} read but not sound or not whole"));
        }
        if *unreadable > 0 {
            lost.push(format!("at most {unreadable} unreadable"));
        }
        let lost = if lost.is_empty() { "all".to_owned() } else { lost.join(", ") };
        eprintln(&format!("{table}: {} can be saved; {lost}", quantity(saved, "row")));
    }
    eprintln(&match file {
        Some(file) => {
            format!("saved in {file}; import its sources and repeat its runs for the rest")
        }
        None => "`somacat catalog check --salvage FILE` saves them in a new catalog".to_owned(),
    });
}
