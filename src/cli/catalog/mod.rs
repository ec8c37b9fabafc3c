//! `somacat catalog`: publishes, checks, compares, proves, edits and upgrades a catalog.

pub(super) mod check;
pub(super) mod diff;
pub(super) mod edit;
pub(super) mod prove;
pub(super) mod query;
pub(super) mod release;
pub(super) mod release_plans;
pub(super) mod status;
pub(super) mod verify;

use super::{Exit, Global, eprintln};
use crate::cli::failure::Result;
use check::{CheckArgs, check};
use clap::{Args, Subcommand};
use diff::{DiffArgs, diff};
use edit::{RemoveArgs, RenameArgs, remove, rename};
use prove::{CatalogProveArgs, catalog_prove};
use release::{ReleaseArgs, release};
use somacat_catalog::Catalog;
use somacat_formats::count_noun;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  somacat catalog publish figures.db
  somacat catalog release somacat-data
  somacat catalog check
  somacat catalog diff yesterday.db somacat.db
  somacat catalog prove
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
    Prove(Box<CatalogProveArgs>),
    Rename(RenameArgs),
    Remove(RemoveArgs),
    Migrate(MigrateArgs),
}

/// Write a compact copy for others to read: one file without local paths and run times
#[derive(Args, Debug)]
#[command(after_help = "\
The copy is analyzed and needs no log file, so it can be read from a read-only folder or medium. It
leaves out the tables place, run and timing, which hold local paths and run times. The file appears
when it is complete. It contains a digest of each table: somacat catalog check detects changes. If
the file is already the same copy, the command ends as when it wrote it.

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

impl CatalogArgs {
    /// Returns true for a command that changes the catalog itself.
    pub(crate) const fn is_edit(&self) -> bool {
        matches!(
            self.command,
            Maintenance::Prove(_) | Maintenance::Rename(_) | Maintenance::Remove(_)
        )
    }
}

pub(crate) fn catalog(global: &Global, args: &CatalogArgs) -> Result<Exit> {
    match &args.command {
        Maintenance::Publish(args) => publish(global, args),
        Maintenance::Release(args) => release(global, args),
        Maintenance::Check(args) => check(global, args),
        Maintenance::Diff(args) => diff(global, args),
        Maintenance::Prove(args) => catalog_prove(global, args),
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
    let left_out: Vec<String> =
        copy.left_out.iter().map(|(table, rows)| format!("{table} ({rows})")).collect();
    global.note(&format!(
        "{} in {} ({}); tables left out (with their rows): {}",
        count_noun(copy.figures, "figure"),
        args.file.display(),
        count_noun(copy.bytes, "byte"),
        left_out.join(", ")
    ));
    global.note(&format!("digest of the contents, SHA-256: {}", copy.digest));
    Ok(Exit::Ok)
}

fn migrate(global: &Global) -> Result<Exit> {
    Catalog::open_read_only(&global.db)?;
    global.note(&format!("{} is up to date, nothing to do", global.db.display()));
    Ok(Exit::Ok)
}
