//! The command line: one file per command. The only room that knows clap and terminals.

mod census;
mod count;
mod enumerate;
mod exit;
mod export;
mod filter;
mod generate;
mod import;
mod input;
mod output;
mod query;
mod run;
mod solve;
mod status;
mod symmetry;
mod verify;

pub use exit::Exit;

use anyhow::Context;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

const AFTER_HELP: &str = "\
Counts always say what they count: raw is every packing, rotation counts packings up to the figure's
rotations, unique up to its rotations and reflections.

Exit codes: 0 ok, 1 failed, 2 usage, 3 finished but some figures failed or were refused, 4 nothing
matched (with --fail-if-empty), 5 verification mismatch, 75 stopped early and resumable, 130 second
Ctrl-C.

Examples:
  somacat run                            make somacat.db and somacat.csv from the starter figures
  somacat import figures.soma            take figures of a file into the catalog and count them
  somacat count --csv figures.cells      count figures without a catalog
  somacat symmetry figures.soma          symmetry group and cycles of each figure
  somacat query --fold 6 --solvable      ask the catalog";

/// A catalog of SOMA figures: recognize, classify, count every solution, query.
#[derive(Parser, Debug)]
#[command(name = "somacat", version, about, after_help = AFTER_HELP, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// The catalog file.
    #[arg(
        long,
        global = true,
        env = "SOMACAT_DB",
        default_value = "somacat.db",
        value_name = "FILE"
    )]
    db: PathBuf,
    /// Threads to count with; all cores if not given.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress and no summary; errors are always shown.
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    Run(run::RunArgs),
    Import(import::ImportArgs),
    Count(count::CountArgs),
    Census(census::CensusArgs),
    Enumerate(enumerate::EnumerateArgs),
    Solve(solve::SolveArgs),
    Symmetry(symmetry::SymmetryArgs),
    Query(query::QueryArgs),
    Export(export::ExportArgs),
    Status(status::StatusArgs),
    Verify(verify::VerifyArgs),
    Completions(generate::CompletionArgs),
    Man(generate::ManArgs),
}

/// Becomes true at the first Ctrl-C or SIGTERM.
static STOP: AtomicBool = AtomicBool::new(false);

/// The whole program: parses the command line, runs the command, reports its error.
#[must_use]
pub fn main() -> Exit {
    let cli = Cli::parse();
    match dispatch(cli) {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Ok,
        Err(error) => {
            eprintln(&format!("somacat: {error:#}"));
            Exit::Failed
        }
    }
}

fn dispatch(cli: Cli) -> anyhow::Result<Exit> {
    if let Some(threads) = cli.global.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global()
            .context("cannot start the worker threads")?;
    }
    let global = &cli.global;
    match cli.command {
        Command::Run(args) => run::run(global, &args),
        Command::Import(args) => import::import(global, &args),
        Command::Count(args) => count::count(global, &args),
        Command::Census(args) => census::census(global, &args),
        Command::Solve(args) => solve::solve(global, &args),
        Command::Enumerate(args) => enumerate::enumerate(global, &args),
        Command::Symmetry(args) => symmetry::symmetry(&args),
        Command::Query(args) => query::query(global, &args),
        Command::Export(args) => export::export(global, &args),
        Command::Status(args) => status::status(global, &args),
        Command::Verify(args) => verify::verify(global, &args),
        Command::Completions(args) => generate::completions(&mut Cli::command(), &args),
        Command::Man(args) => generate::man(Cli::command(), &args),
    }
}

/// Makes Ctrl-C and SIGTERM ask for a stop, and a second one end the program at once.
fn stop_on_signals() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(Exit::Interrupted as i32);
        }
        eprintln("stopping: figures in work are finished first; once more to leave at once");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(&STOP)
}

/// Whoever read our output has seen enough: no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}

/// A line on standard error. If that is closed there is nobody to tell.
fn eprintln(text: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{text}");
}
