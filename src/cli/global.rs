//! The options of every command.

use super::failure::{Failure, Result};
use super::message::eprintln;
use clap::Args;
use std::path::PathBuf;

pub(super) const DB_VARIABLE: &str = "SOMACAT_DB";

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Global {
    /// The catalog file.
    #[arg(
        long,
        global = true,
        env = DB_VARIABLE,
        default_value = "somacat.db",
        value_name = "FILE"
    )]
    pub(super) db: PathBuf,
    /// Number of threads; one per core if not given.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Show no progress and no summary; errors are always shown.
    #[arg(long, short, global = true)]
    pub(super) quiet: bool,
}

impl Global {
    /// Writes a message to standard error, unless `--quiet` is given.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            eprintln(text);
        }
    }
}

/// Starts the threads of a command: as many as it was given, or one per core.
pub(super) fn start_threads(global: &Global, pool: rayon::ThreadPoolBuilder) -> Result<()> {
    let pool = pool.num_threads(global.threads.map_or(0, usize::from));
    pool.build_global().map_err(|error| {
        let advice = "allow more, or use fewer with --threads";
        Failure::failed(format!("cannot start the worker threads: {error}; {advice}"))
    })
}
