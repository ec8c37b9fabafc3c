//! `somacat query`: questions to the catalog.

use super::failure::{Failure, Result};
use super::filter::FilterArgs;
use super::input::Entries;
use super::nothing::nothing_matches;
use super::output::{OutputArgs, Style};
use super::{Exit, Global, eprintln};
use crate::catalog::{Catalog, Filter, Row, SqlValue};
use crate::export::{Field, RowSink, Word, explanation, row_columns, row_fields};
use crate::figure::{Canonical, Identity};
use crate::formats::Format;
use crate::lattice::Transform;
use crate::outcome::Outcome;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Search the catalog with filters or SQL
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
    /// Look up the figures in FILE (- for standard input), in any orientation.
    #[arg(long, value_name = "FILE")]
    like: Option<PathBuf>,
    /// The format of the file; detected if not given.
    #[arg(long, requires = "like")]
    format: Option<Format>,
    /// One reading SQL statement instead of filters.
    #[arg(long, value_name = "SQL", conflicts_with_all = ["FilterArgs", "like"])]
    sql: Option<String>,
    /// How long the database may work on the statement, such as 30s or 2h.
    #[arg(
        long, value_name = "TIME", default_value = "10m", requires = "sql",
        value_parser = humantime::parse_duration
    )]
    time_limit: Duration,
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

pub(super) fn query(global: &Global, args: &QueryArgs) -> Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let shown = match (&args.sql, &args.like) {
        (Some(sql), _) => query_sql(&catalog, sql, args)?,
        (_, Some(file)) => return query_like(&catalog, file, args),
        _ => {
            let filter = args.filter.filter()?;
            let mut rows = Rows::new(args.output)?;
            let shown = catalog.select::<Failure>(&filter, |row| rows.row(&row))?;
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
    fn new(output: OutputArgs) -> Result<Self> {
        let short = output.chosen_style() == Style::Table;
        let sink = if short { output.rows(&SHORT)? } else { output.rows(&row_columns())? };
        Ok(Self { sink, short })
    }

    fn row(&mut self, row: &Row) -> Result<()> {
        let fields = if self.short { short_fields(row) } else { row_fields(row, true) };
        Ok(self.sink.row(&fields)?)
    }

    fn finish(&mut self) -> Result<()> {
        Ok(self.sink.finish()?)
    }
}

fn short_fields(row: &Row) -> Vec<Field<'_>> {
    let record = &row.record;
    let outcome = record.report.as_ref().map(|report| &report.outcome);
    let verdict = outcome.map(|outcome| {
        let word = outcome.verdict().word();
        explanation(outcome).map_or(word.to_owned(), |why| format!("{word}: {why}"))
    });
    let raw = match outcome {
        Some(Outcome::AtLeast(raw)) => format!("at least {raw}").into(),
        Some(outcome) if outcome.is_exact() => outcome.raw().into(),
        _ => Field::Empty,
    };
    vec![
        row.names.join("; ").into(),
        record.cells.into(),
        record.class.name().into(),
        record.class.order().into(),
        record.parity.into(),
        verdict.into(),
        raw,
        outcome.and_then(Outcome::rotation).into(),
        outcome.and_then(Outcome::unique).into(),
        record.signature.as_str().into(),
    ]
}

fn query_sql(catalog: &Catalog, sql: &str, args: &QueryArgs) -> Result<u64> {
    let columns = catalog.sql_columns(sql)?;
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut rows = args.output.rows(&names)?;
    let shown = catalog.select_sql::<Failure>(sql, args.time_limit, |values| {
        let fields: Vec<Field<'_>> = values.into_iter().map(field).collect();
        Ok(rows.row(&fields)?)
    })?;
    rows.finish()?;
    Ok(shown)
}

/// A value of the user's statement.
pub(super) fn field(value: SqlValue) -> Field<'static> {
    match value {
        SqlValue::Empty => Field::Empty,
        SqlValue::Integer(n) => Field::Integer(n),
        SqlValue::Real(x) => Field::Real(x),
        SqlValue::Text(text) => text.into(),
        SqlValue::Bytes(length) => format!("({length} bytes)").into(),
    }
}

/// Shows what is known of every figure of a file, and says which are new.
fn query_like(catalog: &Catalog, file: &Path, args: &QueryArgs) -> Result<Exit> {
    let mut entries = Entries::open(file, args.format);
    let mut rows = Rows::new(args.output)?;
    let filter = args.filter.filter()?;
    let mut shown = 0;
    loop {
        let chunk = entries.chunk(1000)?;
        if chunk.is_empty() {
            break;
        }
        for (label, entry) in chunk {
            let mut told = Vec::new();
            for identity in [Identity::Reflections, Identity::Rotations] {
                let canonical = entry.figure.canonical_up_to(identity);
                let signature = Some(canonical.signature.clone());
                let mut names = Vec::new();
                let only = Filter { signature: signature.clone(), ..Filter::default() };
                let known = catalog.select::<Failure>(&only, |row| {
                    names.extend(row.names);
                    Ok(())
                })?;
                if known == 0 {
                    continue;
                }
                let wanted = Filter { signature, ..filter.clone() };
                let passed = catalog.select::<Failure>(&wanted, |row| rows.row(&row))?;
                shown += passed;
                told.push(known_as(&names, &canonical, passed > 0));
            }
            if told.is_empty() {
                told.push("not in the catalog".to_owned());
            }
            eprintln(&format!("{label}: {}", told.join("; ")));
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
        Some(t) if t.is_rotation() => format!("same figure, rotated by {t}"),
        Some(t) => format!("its mirror image, by {t}"),
    };
    let left_out = if passed { "" } else { "; the other filters leave it out" };
    format!("{known}; {way}{left_out}")
}
