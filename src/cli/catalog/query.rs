//! `somacat query`: searches the catalog.

use crate::cli::failure::{Failure, Result};
use crate::cli::shared::filter::SelectionArgs;
use crate::cli::shared::input::{RequestedFigure, RequestedFigures};
use crate::cli::shared::no_match::no_match;
use crate::cli::shared::output::{OutputArgs, Style};
use crate::cli::{Exit, Global, eprintln};
use clap::Args;
use somacat_catalog::{Catalog, Filter, NamePattern, Row, SqlValue, canonical_forms};
use somacat_formats::Format;
use somacat_geometry::figure::Canonical;
use somacat_geometry::lattice::Transform;
use somacat_geometry::outcome::Outcome;
use somacat_output::dossier::Presentation;
use somacat_output::export::{
    CATALOG_COLUMNS, Field, RowSink, Spelling, column_names, column_values, explanation,
};
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = "\
--fold N finds groups with an element of order N, --order N groups with N elements: the cube has
6-fold elements and order 48. --like shows the catalog's rows for the figures of a file, in any
orientation and mirrored; also for a signature or a name.

Examples:
  somacat query --order 48
  somacat query --fold 3 --solvable --sort unique --top 10
  somacat query --class C2v --csv
  somacat query --like my-figure.soma
  somacat query --sql 'SELECT class, count(*) FROM figures GROUP BY class'")]
pub(crate) struct QueryArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Look up FIGURE in any orientation: a file (- for standard input), a signature, or a name in
    /// the catalog.
    #[arg(long, value_name = "FIGURE", conflicts_with = "OrderArgs")]
    like: Option<String>,
    /// The format of the file; detected if not given.
    #[arg(long, requires = "like")]
    format: Option<Format>,
    /// One read-only SQL statement instead of filters.
    #[arg(long, value_name = "SQL", conflicts_with_all = ["Filter", "OrderArgs", "like"])]
    sql: Option<String>,
    /// The database's time limit for the statement, such as 30s or 2h.
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

/// The columns of the table for people; other formats have all columns.
///
/// The column `figure` shows the signature of a figure without a name.
const SHORT: [&str; 11] = [
    "figure", "title", "set", "cells", "class", "order", "parity", "verdict", "raw", "rotation",
    "unique",
];

pub(crate) fn query(global: &Global, args: &QueryArgs) -> Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let shown = match (&args.sql, &args.like) {
        (Some(sql), _) => query_sql(&catalog, sql, args)?,
        (_, Some(figure)) => return query_like(global, &catalog, figure, args),
        _ => {
            let filter = Filter { timings: true, ..args.selection.filter(&catalog)? };
            let mut rows = CatalogRows::new(&catalog, args)?;
            let shown = catalog.select::<Failure>(&filter, |row| rows.row(&row))?;
            rows.finish()?;
            shown
        }
    };
    if shown == 0 && !global.quiet {
        eprintln(&match args.sql {
            Some(_) => format!("nothing in {} matches the statement", global.db.display()),
            None => no_match(&catalog, &args.selection.filter)?,
        });
    }
    Ok(if shown == 0 && args.fail_if_empty { Exit::Empty } else { Exit::Ok })
}

/// A writer of catalog rows: all columns for programs, fewer for people.
struct CatalogRows<'a> {
    catalog: &'a Catalog,
    sink: Box<dyn RowSink>,
    short: bool,
    /// True if the catalog has several piece sets.
    sets: bool,
    name: Option<NamePattern>,
}

impl<'a> CatalogRows<'a> {
    fn new(catalog: &'a Catalog, args: &QueryArgs) -> Result<Self> {
        let short = args.output.chosen_style() == Style::Table;
        let columns = if short { SHORT.to_vec() } else { column_names(&CATALOG_COLUMNS) };
        let name = args.selection.filter.name.clone();
        let sets = catalog.piece_sets()?.len() > 1;
        Ok(Self { catalog, sink: args.output.rows(&columns)?, short, sets, name })
    }

    fn row(&mut self, row: &Row) -> Result<()> {
        if !self.short {
            return Ok(self.sink.row(&column_values(&CATALOG_COLUMNS, row))?);
        }
        // Most figures of a large catalog have no name. Their position, which is not shown, takes long to find.
        let presentation = match row.names.is_empty() {
            true => None,
            false => {
                let signature = &row.figure.signature;
                let (canonical, origins) = (signature.figure()?, self.catalog.origins(signature)?);
                Some(Presentation::new(&canonical, &origins, self.name.as_ref()))
            }
        };
        Ok(self.sink.row(&short_fields(row, presentation.as_ref(), self.sets))?)
    }

    fn finish(&mut self) -> Result<()> {
        Ok(self.sink.finish()?)
    }
}

fn short_fields<'a>(
    row: &'a Row,
    presentation: Option<&'a Presentation>,
    sets: bool,
) -> Vec<Field<'a>> {
    let figure = &row.figure;
    let outcome = row.report.as_ref().map(|report| &report.outcome);
    let verdict = outcome.map(|outcome| {
        let word = outcome.verdict().word();
        explanation(outcome).map_or(word.to_owned(), |why| format!("{word}: {why}"))
    });
    let raw = match outcome {
        Some(Outcome::AtLeast(raw)) => format!("at least {raw}").into(),
        Some(outcome) if outcome.is_exact() => outcome.raw().into(),
        _ => Field::Empty,
    };
    let in_words = |presentation: &Presentation| {
        let names = row.names.iter().map(|name| presentation.name_in_words(name));
        names.collect::<Vec<_>>().join("; ")
    };
    let names = presentation.map(in_words);
    vec![
        names.unwrap_or_else(|| figure.signature.as_str().to_owned()).into(),
        presentation.and_then(|shown| shown.title.as_deref()).map(short_title).into(),
        row.set.as_deref().filter(|_| sets).into(),
        figure.cells.into(),
        figure.class.name().into(),
        figure.class.order().into(),
        figure.parity.into(),
        verdict.into(),
        raw,
        outcome.and_then(Outcome::rotation).into(),
        outcome.and_then(Outcome::unique).into(),
    ]
}

/// Shortens a title to at most two lines, cut between two words.
fn short_title(title: &str) -> String {
    const MAX_TITLE_CHARS: usize = 40;
    if title.chars().count() <= MAX_TITLE_CHARS {
        return title.to_owned();
    }
    let end = title.char_indices().nth(MAX_TITLE_CHARS).map_or(title.len(), |(at, _)| at);
    let end = title[..end].rfind(' ').unwrap_or(end);
    format!("{} …", title[..end].trim_end())
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

pub(crate) fn field(value: SqlValue) -> Field<'static> {
    match value {
        SqlValue::Empty => Field::Empty,
        SqlValue::Integer(n) => Field::Integer(n),
        SqlValue::Real(x) => Field::Real(x),
        SqlValue::Text(text) => text.into(),
        SqlValue::Bytes(length) => format!("({length} bytes)").into(),
    }
}

/// Writes the catalog's rows for the figures that a text names. Reports new figures.
fn query_like(global: &Global, catalog: &Catalog, text: &String, args: &QueryArgs) -> Result<Exit> {
    let mut figures =
        RequestedFigures::open(global, std::slice::from_ref(text), args.format, None)?;
    let mut rows = CatalogRows::new(catalog, args)?;
    let filter = Filter { timings: true, ..args.selection.filter(catalog)? };
    let mut shown = 0;
    loop {
        let chunk = figures.chunk(1000)?;
        if chunk.is_empty() {
            break;
        }
        for RequestedFigure { label, figure, .. } in chunk {
            let mut matches = Vec::new();
            for canonical in canonical_forms(&figure) {
                let signature = Some(canonical.signature.clone());
                let mut names: Vec<String> = Vec::new();
                let only = Filter { signature: signature.clone(), ..Filter::default() };
                let known = catalog.select::<Failure>(&only, |row| {
                    for name in row.names {
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                    Ok(())
                })?;
                if known == 0 {
                    continue;
                }
                let origins = catalog.origins(&canonical.signature)?;
                let as_catalog = canonical.signature.figure()?;
                let presentation = Presentation::new(&as_catalog, &origins, None);
                for name in &mut names {
                    *name = presentation.name_in_words(name);
                }
                let wanted = Filter { signature, ..filter.clone() };
                let passed = catalog.select::<Failure>(&wanted, |row| rows.row(&row))?;
                shown += passed;
                matches.push(known_as(&names, &canonical, presentation.position, passed > 0));
            }
            if matches.is_empty() {
                matches.push("not in the catalog".to_owned());
            }
            // A figure may be kept up to rotation and up to reflection, with the same names.
            matches.dedup();
            eprintln(&format!("{label}: {}", matches.join("; ")));
        }
    }
    rows.finish()?;
    Ok(if shown == 0 && args.fail_if_empty { Exit::Empty } else { Exit::Ok })
}

/// Returns a known figure's names and the transform to its catalog position.
///
/// `position` leads from the canonical figure to that position.
fn known_as(names: &[String], canonical: &Canonical, position: Transform, passed: bool) -> String {
    let known = if names.is_empty() {
        "known, without a name".to_owned()
    } else {
        format!("known as {}", names.join(", "))
    };
    // Prefers a rotation to a reflection if the figure's symmetry permits both.
    let ways = canonical.group.iter().map(|t| t.then(canonical.to_canonical).then(position));
    let way = ways.min_by_key(|t| (!t.is_rotation(), t.number()));
    let way = match way {
        None | Some(Transform::IDENTITY) => "same position as in the catalog".to_owned(),
        Some(t) if t.is_rotation() => format!("same figure, rotated by {t}"),
        Some(t) => format!("its mirror image, by {t}"),
    };
    let left_out = if passed { "" } else { "; excluded by the other filters" };
    format!("{known}; {way}{left_out}")
}
