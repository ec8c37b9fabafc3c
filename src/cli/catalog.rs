//! `somacat catalog`: publishes, checks, compares, edits and upgrades a catalog.

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

/// Write a compact copy for others to read: one file without local paths and run times
#[derive(Args, Debug)]
#[command(after_help = "\
The copy is analyzed and needs no log file, so it can be read from a read-only folder or medium. It
leaves out the tables place, run and timing, which hold local paths and run times. The file appears
when it is complete. It contains a digest of each table: somacat catalog check detects changes.

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

/// Upgrade a catalog of an older somacat and keep a backup
#[derive(Args, Debug)]
#[command(after_help = "\
The backup of somacat.db is somacat.db.v1-backup in the same folder, with the old schema version as
its number. An existing backup is not overwritten. Every command that writes upgrades an older
catalog in the same way. A catalog that is up to date is not changed.

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
    let copy = catalog.publish(&args.file, args.force)?;
    for label in &copy.absolute {
        eprintln(&format!("note: the source name {label} contains a local path"));
    }
    if !global.quiet {
        let left_out: Vec<String> =
            copy.left_out.iter().map(|(table, rows)| format!("{table} ({rows})")).collect();
        eprintln(&format!(
            "{} in {} ({}); tables left out (with their rows): {}",
            quantity(copy.figures, "figure"),
            args.file.display(),
            quantity(copy.bytes, "byte"),
            left_out.join(", ")
        ));
        eprintln(&format!("digest of the contents, SHA-256: {}", copy.digest));
    }
    Ok(Exit::Ok)
}

fn migrate(global: &Global) -> Result<Exit> {
    let backup = Catalog::migrate(&global.db)?;
    if !global.quiet {
        let db = global.db.display();
        eprintln(&match backup {
            Some(copy) => format!("{db} is up to date; the backup is {}", copy.display()),
            None => format!("{db} is up to date, nothing to do"),
        });
    }
    Ok(Exit::Ok)
}
