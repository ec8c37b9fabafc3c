//! `somacat catalog`: publish a copy, check, compare, edit, bring up to date.

use super::catalog_check::{CheckArgs, check};
use super::catalog_diff::{DiffArgs, diff};
use super::catalog_edit::{RemoveArgs, RenameArgs, remove, rename};
use super::catalog_release::{ReleaseArgs, release};
use super::failure::Result;
use super::{Exit, Global, eprintln};
use crate::catalog::Catalog;
use crate::formats::quantity;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  somacat catalog publish figures.db
  somacat catalog release somacat-data
  somacat catalog check
  somacat catalog diff yesterday.db somacat.db
  somacat catalog rename SOMA010 'The gallows'
  somacat catalog migrate --db old.db")]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    command: Maintenance,
}

#[derive(Subcommand, Debug)]
enum Maintenance {
    Publish(PublishArgs),
    Release(ReleaseArgs),
    Check(CheckArgs),
    Diff(DiffArgs),
    Rename(RenameArgs),
    Remove(RemoveArgs),
    Migrate(MigrateArgs),
}

/// Write a copy for others to read: compact, one file, without traces of this machine
#[derive(Args, Debug)]
#[command(after_help = "\
The copy is analyzed and needs no log beside it, so it can be read from a folder or a medium that
cannot be written. Left out are the tables place, run and timing: paths of this machine, when it was
run, and how long it took. The file is written beside its place first and appears whole. It has
digests of its tables: somacat catalog check tells whether it still is what was published.

Examples:
  somacat catalog publish figures.db
  somacat catalog publish --force figures.db")]
struct PublishArgs {
    /// The file to write.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

/// Report whether a catalog has the schema version of this somacat
#[derive(Args, Debug)]
#[command(after_help = "\
There is one schema version so far, so there is nothing to migrate. A catalog of another version,
made by a development build, is refused and stays unchanged. Migrations of later versions will be
run by this command.

Example:
  somacat catalog migrate --db old.db")]
struct MigrateArgs {}

pub(super) fn catalog(global: &Global, args: &CatalogArgs) -> Result<Exit> {
    match &args.command {
        Maintenance::Publish(args) => publish(global, args),
        Maintenance::Release(args) => release(global, args),
        Maintenance::Check(args) => check(global, args),
        Maintenance::Diff(args) => diff(global, args),
        Maintenance::Rename(args) => rename(global, args),
        Maintenance::Remove(args) => remove(global, args),
        Maintenance::Migrate(MigrateArgs {}) => migrate(global),
    }
}

fn publish(global: &Global, args: &PublishArgs) -> Result<Exit> {
    let catalog = Catalog::open_read_only(&global.db)?;
    let done = catalog.publish(&args.file, args.force)?;
    for label in &done.absolute {
        eprintln(&format!("note: a source is called {label}, which tells of this machine"));
    }
    if !global.quiet {
        let left_out: Vec<String> =
            done.left_out.iter().map(|(table, rows)| format!("{table} ({rows})")).collect();
        eprintln(&format!(
            "{} in {} ({}); left out, with their rows: {}",
            quantity(done.figures, "figure"),
            args.file.display(),
            quantity(done.bytes, "byte"),
            left_out.join(", ")
        ));
        eprintln(&format!("digest of the contents, SHA-256: {}", done.digest));
    }
    Ok(Exit::Ok)
}

fn migrate(global: &Global) -> Result<Exit> {
    Catalog::open_read_only(&global.db)?;
    if !global.quiet {
        eprintln(&format!("{} is up to date, nothing to do", global.db.display()));
    }
    Ok(Exit::Ok)
}
