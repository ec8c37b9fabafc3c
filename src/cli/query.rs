//! `somacat query`: questions to the catalog.

use super::filter::FilterArgs;
use super::input::Entries;
use super::nothing::nothing_matches;
use super::output::{OutputArgs, Style};
use super::{Exit, Global, eprintln};
use crate::catalog::{Called, Catalog, Filter, Record};
use crate::export::{Field, RowSink, called_columns, called_fields};
use crate::figure::{Canonical, Identity};
use crate::formats::Format;
use crate::lattice::Transform;
use clap::Args;
use std::path::{Path, PathBuf};

/// Ask the catalog: filters that combine, or SQL
#[derive(Args, Debug)]
#[command(after_help = "\
--fold N asks for an element of order N, --order N for a group of N elements: the cube has 6-fold
elements and order 48. --like reads figures from a file and shows what the catalog knows of them,
however they are turned or mirrored.

Examples:
  somacat query --order 48
  somacat query --fold 3 --solvable --sort unique --top 10
  somacat query --class C2v --csv
  somacat query --like my-figure.soma
  somacat query --sql 'SELECT class, count(*) FROM figures GROUP BY class'")]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Is this figure known? A file of figures, or - for standard input.
    #[arg(long, value_name = "FILE")]
    like: Option<PathBuf>,
    /// The format of the file; detected if not given.
    #[arg(long, requires = "like")]
    format: Option<Format>,
    /// One reading SQL statement instead of filters.
    #[arg(long, value_name = "SQL", conflicts_with_all = ["FilterArgs", "like"])]
    sql: Option<String>,
    /// Exit with code 4 if nothing matches.
    #[arg(long)]
    fail_if_empty: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// The columns of the table for people; the machine formats have all.
const SHORT: [&str; 10] = [
    "names",
    "cells",
    "class",
    "order",
    "parity",
    "verdict",
    "raw",
    "rotation",
    "unique",
    "signature",
];

pub(super) fn query(global: &Global, args: &QueryArgs) -> anyhow::Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let shown = match (&args.sql, &args.like) {
        (Some(sql), _) => query_sql(&catalog, sql, args.output)?,
        (_, Some(file)) => return query_like(&catalog, file, args),
        _ => {
            let filter = args.filter.filter()?;
            let mut rows = Rows::new(args.output)?;
            let shown = catalog.select::<anyhow::Error>(&filter, |called| rows.row(&called))?;
            rows.finish()?;
            shown
        }
    };
    if shown == 0 && !global.quiet {
        eprintln(&match args.sql {
            Some(_) => format!("nothing in {} matches the statement", global.db.display()),
            None => nothing_matches(&catalog, &args.filter)?,
        });
    }
    Ok(if shown == 0 && args.fail_if_empty { Exit::Empty } else { Exit::Ok })
}

/// Rows of the catalog: all columns for machines, the short ones for people.
struct Rows {
    sink: Box<dyn RowSink>,
    short: bool,
}

impl Rows {
    fn new(output: OutputArgs) -> anyhow::Result<Self> {
        let short = matches!(output.style(), None | Some(Style::Table));
        let sink = if short {
            output.rows(Style::Table, &SHORT)?
        } else {
            output.rows(Style::Csv, &called_columns())?
        };
        Ok(Self { sink, short })
    }

    fn row(&mut self, called: &Called) -> anyhow::Result<()> {
        if self.short {
            self.sink.row(&short_fields(called))?;
        } else {
            self.sink.row(&called_fields(called, true))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        Ok(self.sink.finish()?)
    }
}

fn short_fields(called: &Called) -> Vec<Field<'_>> {
    let Record { cells, signature, class, order, parity, verdict, reason, .. } = &called.record;
    let verdict = match (verdict, reason) {
        (Some(verdict), Some(reason)) => Some(format!("{verdict}: {reason}")),
        (verdict, _) => verdict.clone(),
    };
    let raw = match called.record.verdict.as_deref() {
        Some("solvable") => called.record.raw.map(|n| format!("at least {n}").into()),
        Some("unknown" | "failed") => None,
        _ => called.record.raw.map(Field::from),
    };
    vec![
        called.names.join("; ").into(),
        (*cells).into(),
        class.as_str().into(),
        (*order).into(),
        (*parity).into(),
        verdict.into(),
        raw.unwrap_or(Field::Empty),
        called.record.rotation.into(),
        called.record.unique.into(),
        signature.as_str().into(),
    ]
}

fn query_sql(catalog: &Catalog, sql: &str, output: OutputArgs) -> anyhow::Result<u64> {
    let columns = catalog.sql_columns(sql)?;
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut rows = output.rows(Style::Table, &names)?;
    let shown = catalog.select_sql::<anyhow::Error>(sql, |values| {
        let fields: Vec<Field<'_>> = values.into_iter().map(Field::from).collect();
        Ok(rows.row(&fields)?)
    })?;
    rows.finish()?;
    Ok(shown)
}

/// Shows what is known of every figure of a file, and says which are new.
fn query_like(catalog: &Catalog, file: &Path, args: &QueryArgs) -> anyhow::Result<Exit> {
    let mut entries = Entries::open(file, args.format)?;
    let mut rows = Rows::new(args.output)?;
    let filter = args.filter.filter()?;
    let mut shown = 0;
    loop {
        let chunk = entries.chunk(1000)?;
        if chunk.is_empty() {
            break;
        }
        for entry in chunk {
            let mut told = Vec::new();
            for identity in [Identity::Reflections, Identity::Rotations] {
                let canonical = entry.figure.canonical_up_to(identity);
                let signature = Some(canonical.signature.clone());
                let mut names = Vec::new();
                let only = Filter { signature: signature.clone(), ..Filter::default() };
                let known = catalog.select::<anyhow::Error>(&only, |called| {
                    names.extend(called.names);
                    Ok(())
                })?;
                if known == 0 {
                    continue;
                }
                let wanted = Filter { signature, ..filter.clone() };
                let passed =
                    catalog.select::<anyhow::Error>(&wanted, |called| rows.row(&called))?;
                shown += passed;
                told.push(known_as(&names, &canonical, passed > 0));
            }
            if told.is_empty() {
                told.push("not in the catalog".to_owned());
            }
            eprintln(&format!("{}: {}", entry.label(), told.join("; ")));
        }
    }
    rows.finish()?;
    entries.require_any()?;
    Ok(match (shown == 0 && args.fail_if_empty, entries.faults) {
        (true, _) => Exit::Empty,
        (false, 0) => Exit::Ok,
        (false, _) => Exit::Partial,
    })
}

/// Under which names a figure is known, and how it is to be turned to lie as the catalog has it.
fn known_as(names: &[String], canonical: &Canonical, passed: bool) -> String {
    let mut different: Vec<&str> = Vec::new();
    for name in names {
        if !different.contains(&name.as_str()) {
            different.push(name);
        }
    }
    let known = if different.is_empty() {
        "known, without a name".to_owned()
    } else {
        format!("known as {}", different.join(", "))
    };
    // A turn rather than a reflection, where the figure's symmetry leaves the choice.
    let ways = canonical.group.iter().map(|t| t.then(canonical.to_canonical));
    let way = ways.min_by_key(|t| (!t.is_rotation(), t.number()));
    let way = match way {
        None | Some(Transform::IDENTITY) => "lies as in the catalog".to_owned(),
        Some(t) if t.is_rotation() => format!("{t} turns it as in the catalog"),
        Some(t) => format!("its mirror image by {t} lies as in the catalog"),
    };
    let left_out = if passed { "" } else { "; the other filters leave it out" };
    format!("{known}; {way}{left_out}")
}
