//! `somacat catalog release`: writes a catalog as a data set that others can read, check, cite and reproduce.

use super::query::field;
use super::release_plans::{Reproduction, reproduction};
use crate::cli::export::gallery::date;
use crate::cli::export::selection::rows;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::runs::run::progress;
use crate::cli::shared::output::folder_parser;
use crate::cli::{Exit, Global, eprintln, stop_on_signals, stopped_early};
use somacat_catalog::{Catalog, Filter, SqlValue, Totals, check_catalog};
use somacat_formats::{count_noun, shell_quoted};
use somacat_geometry::outcome::Outcome;
use somacat_geometry::symmetry::Class;
use somacat_output::export::{
    Delimited, Findings, MissingSource, NewFolder, ParquetFiles, ParquetSummary, RELEASE_CATALOG,
    RELEASE_PARQUET, RELEASE_SOURCES, RELEASE_TABLES, Release, ReleaseCredits, ReleaseTable,
    RowSink, SecondCheck, checksums,
};
use somacat_run::VERSION;
use somacat_run::{RowChoice, Share, Verification, verify_catalog};
use somacat_units::{Extent, Parts};

use clap::Args;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// Write a data release: the catalog in open formats with checksums, license, citation and README
#[derive(Args, Debug)]
#[command(after_help = "\
The folder must be new or empty. It receives figures.db, the compact copy that somacat catalog
publish writes; the same rows as Parquet; totals.csv and enumerations.csv by class; atlas.csv with
the buildable figures; metadata (datapackage.json, croissant.json, CITATION.cff, and with
--date ro-crate-metadata.json); SHA256SUMS; sources, the folder with plans, pieces and the texts of
figures that make the release again; and README.md with question, completeness, findings, method,
second check and license (CC0-1.0). Its head is a Hugging Face dataset card. Texts that you may not
give away stay out with --no-sources, and so do those that have changed or gone since the import.

First the catalog is checked as by somacat catalog check, and a sample of its rows is derived again
as by somacat verify. After any damage or difference, of a published count too, nothing is written,
and the exit code is 5. The same catalog gives the same bytes. The folder appears when it is
complete. If it already has the same release, the command ends as when it wrote it; other contents
are refused.

--units takes the arguments of somacat merge. The parts are merged into a temporary catalog in the
folder, which then needs the disk of two catalogs. A stop keeps nothing: to continue a long merge,
use somacat merge and release its catalog.

Examples:
  somacat catalog release somacat-data
  somacat catalog release somacat-data --author 'Lovelace, Ada' --date 2026-11-25
  somacat catalog release somacat-data --units units.txt parts
  somacat catalog release somacat-data --sample 10000 --db box.db")]
pub(crate) struct ReleaseArgs {
    /// The folder to write.
    #[arg(value_name = "DIR", value_parser = folder_parser())]
    folder: PathBuf,
    /// Number of rows to derive again, spread evenly.
    #[arg(long, value_name = "N", default_value_t = SAMPLE)]
    sample: u64,
    /// Leave out the texts of figures; the README then names them with their digests.
    #[arg(long)]
    no_sources: bool,
    /// Release the parts of units instead of a catalog.
    #[arg(long, num_args = 2.., value_names = ["UNITS", "FOLDER"])]
    units: Option<Vec<PathBuf>>,
    /// An author: 'Family, Given' for a person, or a name without a comma. Repeatable.
    #[arg(long, value_name = "NAME", help_heading = "Publication", value_parser = credit)]
    author: Vec<String>,
    /// A further keyword. Repeatable.
    #[arg(long, value_name = "WORD", help_heading = "Publication", value_parser = credit)]
    keyword: Vec<String>,
    /// The date of publication, as 2026-11-25.
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = "Publication")]
    date: Option<String>,
}

/// Refuses empty authors and keywords, and those that do not fit on a line.
fn credit(text: &str) -> std::result::Result<String, &'static str> {
    match text.trim() {
        "" => Err("give at least one character"),
        trimmed if trimmed.contains(char::is_control) => Err("give no control characters"),
        trimmed => Ok(trimmed.to_owned()),
    }
}

/// The file of checksums, which is written last.
const CHECKSUMS: &str = "SHA256SUMS";

/// The rows that are derived again without `--sample`.
const SAMPLE: u64 = 1000;

/// The search limit for the recount of a row, in placements: some tenths of a second.
const NODES: u64 = 1_000_000;

pub(crate) fn release(global: &Global, args: &ReleaseArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let target = NewFolder::create(&args.folder, |folder| folder.join(CHECKSUMS).is_file())?;
    let Some(written) = write_release(global, args, target.path(), stop)? else {
        return Ok(stopped_early());
    };
    target.commit()?;
    global.note(&written);
    Ok(Exit::Ok)
}

/// Says what the commands in the README do not make again.
fn report_left_out(global: &Global, args: &ReleaseArgs, again: &Reproduction) {
    for MissingSource { label, .. } in &again.missing {
        let why = if args.no_sources { "is left out" } else { "is missing here or has changed" };
        global
            .note(&format!("{label} {why}: the README names it, and the release does not have it"));
    }
    for line in again.not_made.lines() {
        global.note(&format!("the commands in the README do not make this again: {line}"));
    }
}

/// Writes all files and returns a description of the release. Returns `None` after a request to stop.
fn write_release(
    global: &Global,
    args: &ReleaseArgs,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Option<String>> {
    let Some((source, temporary)) = source(global, args, folder, stop)? else { return Ok(None) };
    let catalog = checked_catalog(&source)?;
    let verified = verify(global, args, &catalog, stop)?;
    if verified.stopped {
        return Ok(None);
    }
    let published = catalog.publish(&folder.join(RELEASE_CATALOG), false)?;
    let (parquet, totals, findings) = figures(&catalog, folder)?;
    let [_, in_numbers, enumerations, atlas] = &*RELEASE_TABLES;
    write_totals(&totals, folder, in_numbers)?;
    write_enumerations(&catalog, folder, enumerations)?;
    table(folder, atlas, |sink| {
        let buildable = Filter { solvable: true, ..Filter::default() };
        rows(&catalog, &buildable, sink).map(|_| ())
    })?;
    let questions = catalog.enumeration_summaries()?;
    let sources = catalog.source_summaries()?;
    let mut again = reproduction(&catalog, &questions, !args.no_sources)?;
    again.write(&folder.join(RELEASE_SOURCES))?;
    again.commands.push(command(args));
    report_left_out(global, args, &again);
    let sum = |number: fn(&Totals) -> u64| totals.values().map(number).sum();
    let release = Release {
        figures: published.figures,
        rows: parquet.rows,
        buildable: sum(|totals| totals.buildable),
        open: sum(|totals| totals.bounded + totals.unknown + totals.failed + totals.pending),
        digest: published.digest,
        questions,
        sources,
        has_sources: !again.files.is_empty() || !again.texts.is_empty(),
        not_made: again.not_made,
        commands: again.commands,
        missing: again.missing,
        second_check: SecondCheck {
            rows: verified.rows,
            recounted: verified.recounted,
            nodes: NODES,
        },
        findings,
        publication: ReleaseCredits {
            authors: args.author.clone(),
            keywords: args.keyword.clone(),
            date: args.date.clone(),
        },
        program: VERSION.clone(),
    };
    drop(catalog);
    if let Some(temporary) = temporary {
        temporary.close().context(args.folder.display().to_string())?;
    }
    write(folder, "README.md", &release.readme())?;
    write(folder, "CITATION.cff", &release.citation())?;
    let descriptions = release.descriptions(folder, &parquet.files);
    for (name, text) in descriptions.context(args.folder.display().to_string())? {
        write(folder, name, &text)?;
    }
    let sums = checksums(folder).context(args.folder.display().to_string())?;
    write(folder, CHECKSUMS, &sums)?;
    for label in &published.absolute {
        eprintln(&format!("note: the source name {label} contains a local path"));
    }
    Ok(Some(format!(
        "{}, {} in {}; {} derived again, {} recounted\ndigest of the contents, SHA-256: {}",
        count_noun(release.figures, "figure"),
        count_noun(release.rows, "row"),
        args.folder.display(),
        count_noun(verified.rows, "row"),
        verified.recounted,
        release.digest
    )))
}

/// Returns the command that makes this release.
fn command(args: &ReleaseArgs) -> String {
    let mut command = "somacat catalog release release".to_owned();
    if args.sample != SAMPLE {
        let _ = write!(command, " --sample {}", args.sample);
    }
    if args.no_sources {
        command += " --no-sources";
    }
    let options =
        [("author", &args.author[..]), ("keyword", &args.keyword), ("date", args.date.as_slice())];
    for (option, values) in options {
        for value in values {
            let _ = write!(command, " --{option} {}", shell_quoted(value));
        }
    }
    command
}

fn refused<T>(why: String) -> Result<T> {
    Err(Failure::Error(Exit::Mismatch, anyhow::Error::msg(why)))
}

/// Returns the catalog to release. Parts are merged into a temporary one, in a folder of its own. `None` after a
/// request to stop.
fn source(
    global: &Global,
    args: &ReleaseArgs,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Option<(PathBuf, Option<TempDir>)>> {
    let Some([units, folders @ ..]) = args.units.as_deref() else {
        return Ok(Some((global.db.clone(), None)));
    };
    let temporary = tempfile::tempdir_in(folder).context(args.folder.display().to_string())?;
    let db = temporary.path().join("parts.db");
    let parts = Parts::check(units, folders)?;
    let merged = parts.merge(&db, Extent::Everything, stop, &progress(global, None))?;
    Ok((!merged.summary.stopped).then_some((db, Some(temporary))))
}

/// Opens a catalog and refuses a damaged one.
fn checked_catalog(db: &Path) -> Result<Catalog> {
    let report = check_catalog(db, false)?;
    if let Some(first) = report.findings.first() {
        let found = count_noun(report.findings.len() as u64 + report.more, "finding");
        return refused(format!(
            "{} is damaged ({found}; {} {}: {}) and was not released; `somacat catalog check` lists the \
             findings, and --salvage saves the readable rows",
            db.display(),
            first.part,
            first.what,
            first.problem
        ));
    }
    Ok(Catalog::open_read_only(db)?)
}

/// Derives a sample of the rows again and refuses a mismatch.
fn verify(
    global: &Global,
    args: &ReleaseArgs,
    catalog: &Catalog,
    stop: &AtomicBool,
) -> Result<Verification> {
    let progress = progress(global, None);
    let sample = RowChoice::Spread { sample: Some(args.sample), share: Share::ALL };
    let verified = verify_catalog(catalog, &sample, NODES, stop, &progress)?;
    // The catalog of parts is a temporary one.
    let (path, lists) = match args.units {
        None => (catalog.path().display().to_string(), "`somacat verify` lists them"),
        Some(_) => {
            ("the parts' catalog".to_owned(), "merge the parts, and `somacat verify` lists them")
        }
    };
    if let Some(first) = verified.mismatches.first() {
        return refused(format!(
            "{path} was not released: {} when derived again, the first of {}; {lists}",
            differ(verified.mismatches.len() as u64, "row"),
            first.signature
        ));
    }
    let mut published = Vec::new();
    let sql = "SELECT published || ' for ' || signature || ' by ' || source FROM disagreements ORDER BY signature";
    catalog.select_sql::<Failure>(sql, Duration::MAX, |values| {
        published.extend(values);
        Ok(())
    })?;
    let Some(SqlValue::Text(first)) = published.first() else { return Ok(verified) };
    refused(format!(
        "{path} was not released: {} from its counts, the first {first}; {lists}; correct them \
         in their file and run its plan again",
        differ(published.len() as u64, "published count")
    ))
}

fn differ(number: u64, noun: &str) -> String {
    format!("{} {}", count_noun(number, noun), if number == 1 { "differs" } else { "differ" })
}

/// Totals by set and class; uncounted figures have no set.
type TotalsByClass = BTreeMap<(Option<Arc<str>>, Class), Totals>;

type BySet = BTreeMap<Arc<str>, Findings>;

/// Writes every row as Parquet; returns totals and findings.
fn figures(catalog: &Catalog, folder: &Path) -> Result<(ParquetSummary, TotalsByClass, BySet)> {
    let place = folder.join(RELEASE_PARQUET);
    fs::create_dir(&place).context(place.display().to_string())?;
    let (mut files, mut totals) = (ParquetFiles::create(&place)?, TotalsByClass::new());
    let mut findings = BySet::new();
    catalog.select_by_class::<Failure>(&Filter::default(), |row| {
        let outcome = row.report.as_ref().map(|report| &report.outcome);
        let (verdict, reason) = (outcome.map(Outcome::verdict), outcome.and_then(Outcome::reason));
        files.row(&row)?;
        if let (Some(set), Some(outcome)) = (&row.set, outcome) {
            findings.entry(set.clone()).or_default().add(&row, outcome);
        }
        totals.entry((row.set, row.figure.class)).or_default().add(verdict, reason, 1);
        Ok(())
    })?;
    Ok((files.finish()?, totals, findings))
}

fn write_totals(totals: &TotalsByClass, folder: &Path, to: &ReleaseTable) -> Result<()> {
    table(folder, to, |sink| {
        for ((set, class), numbers) in totals {
            sink.row(&[
                set.as_deref().into(),
                class.name().into(),
                class.order().into(),
                numbers.figures.into(),
                numbers.parity_blocked.into(),
                numbers.unsolvable.into(),
                numbers.buildable.into(),
                (numbers.unknown + numbers.failed).into(),
                numbers.pending.into(),
            ])?;
        }
        Ok(sink.finish()?)
    })
}

fn write_enumerations(catalog: &Catalog, folder: &Path, to: &ReleaseTable) -> Result<()> {
    let columns = to.column_names();
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let sql = format!(
        "SELECT {} FROM enumerations ORDER BY enumeration, \"set\", keep, \"order\", class",
        quoted.join(", ")
    );
    table(folder, to, |sink| {
        catalog.select_sql::<Failure>(&sql, Duration::MAX, |values| {
            let fields: Vec<_> = values.into_iter().map(field).collect();
            Ok(sink.row(&fields)?)
        })?;
        Ok(sink.finish()?)
    })
}

fn table(
    folder: &Path,
    to: &ReleaseTable,
    fill: impl FnOnce(&mut dyn RowSink) -> Result<()>,
) -> Result<()> {
    let path = folder.join(to.file);
    let file = fs::File::create_new(&path).context(path.display().to_string())?;
    let mut out = BufWriter::new(file);
    fill(&mut Delimited::csv(&mut out, &to.column_names())?)?;
    Ok(out.flush()?)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, text).context(path.display().to_string())
}
