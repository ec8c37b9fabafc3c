//! The command line, one file per command. Only this module uses clap and terminals.
//!
//! * `figures/`: commands about given figures and their packings
//! * `questions/`: commands that ask for all figures of a kind, or for the pieces that build one
//! * `runs/`: commands that count by plan, on this machine or in units on many
//! * `catalog/`: commands that search, check and maintain catalogs
//! * `export/`: the kinds of `somacat export`
//! * `shared/`: options, input and output that commands share
//!
//! Of these, one may use those after it in the list `questions`, `catalog`, `runs`, `export`, `figures`, `shared`. The
//! files here parse the command line, start the command, and report how it ended.

mod catalog;
mod completions_and_man;
mod exit;
mod export;
mod failure;
mod figures;
mod global;
mod hangup;
mod message;
mod questions;
mod requirements;
mod runs;
pub mod screen;
mod shared;
mod stops;

pub use exit::Exit;
pub use shared::filter::FilterArgs;

// For the commands.
use global::Global;
use message::{eprintln, report_refused};
use stops::{
    is_stopped, stop_flag, stop_on_signals, stopped_early, stopped_for, unless_stopped,
    until_stopped,
};

use catalog::{query, status, verify};
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::{Failure, Result, with_causes};
use figures::{count, map, places, prove, sets, show, solve, stand, symmetry, takeapart};
use global::{DB_VARIABLE, start_threads};
use questions::{census, design, enumerate};
use runs::{import, merge, run, units, work};
use somacat_catalog::{delete_temporaries, end_writes};
use somacat_run::VERSION;
use std::ffi::OsString;
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;
use stops::{ENDS_AT_ONCE, STOP, handle_file_size_signal};

/// The end of the help, after the exit codes.
const AFTER_HELP: &str = "\
Every count has a label: raw counts all packings, rotation counts packings up to the figure's
rotations, and unique counts them up to its rotations and reflections.

Examples:
  somacat run                            create somacat.db and somacat.csv from the starter figures
  somacat import figures.soma            import figures from a file into the catalog and count them
  somacat count --csv figures.cells      count figures without a catalog
  somacat symmetry figures.soma          symmetry group and cycles of each figure
  somacat query --fold 6 --solvable      search the catalog";

/// A catalog of SOMA figures: recognize, classify, count every solution, query.
#[derive(Parser, Debug)]
#[command(name = "somacat", version = VERSION.as_str(), about, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

// With `defer`, clap sets up the options of a command only when it is used; setting up all of them takes longer than
// counting a figure. Descriptions therefore belong here. A doc comment on a command's own type, or on a flattened
// type, would replace them in its help.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
enum Command {
    /// Run a plan: import, identify, classify and count
    Run(run::RunArgs),
    /// Split a plan into work units, one per line, for other machines
    Units(units::UnitsArgs),
    /// Process one unit of a plan, writing its part to a folder
    Work(work::WorkArgs),
    /// Merge the parts of a plan into the catalog; the result equals that of `somacat run`
    Merge(merge::MergeArgs),
    /// Import figures from files into the catalog and count them
    Import(import::ImportArgs),
    /// Count all packings of figures
    Count(count::CountArgs),
    /// Count the packings of every figure in a box, all at once
    Census(census::CensusArgs),
    /// List all or only buildable figures of a symmetry class or box
    Enumerate(enumerate::EnumerateArgs),
    /// Write the packings of a figure
    Solve(solve::SolveArgs),
    /// Show how moves of two or three pieces connect a figure's packings
    Map(map::MapArgs),
    /// Show whether a figure stands: as one solid, as loose pieces, and while it is built
    Stand(stand::StandArgs),
    /// Show whether the pieces of packings come out by straight moves, and in which order
    Takeapart(takeapart::TakeApartArgs),
    /// Show where pieces can lie, and how many packings use each place
    Places(places::PlacesArgs),
    /// Find the choices of pieces that build a figure
    Design(design::DesignArgs),
    /// Write a checkable certificate that a figure cannot be built, or of its count
    Prove(prove::ProveArgs),
    /// Show the symmetry group of figures
    Symmetry(symmetry::SymmetryArgs),
    /// List the piece sets that are built in
    Sets(sets::SetsArgs),
    /// Search the catalog with filters or SQL
    Query(query::QueryArgs),
    /// Show a figure: picture, layers, symmetry, parity, counts, names, a solution
    Show(show::ShowArgs),
    /// Export all or selected figures
    Export(export::ExportArgs),
    /// Show catalog totals and the last run
    Status(status::StatusArgs),
    /// Derive the catalog's rows again with independent code; exit code 5 if any differs
    Verify(verify::VerifyArgs),
    /// Maintain catalogs: publish a copy or a data release, check, compare two, prove, rename, remove, migrate
    Catalog(catalog::CatalogArgs),
    /// Write a completion script for a shell
    Completions(completions_and_man::CompletionArgs),
    /// Write the manual page of somacat or one of its commands
    Man(completions_and_man::ManArgs),
}

/// Global options, each with the commands that ignore and hide it.
const WITHOUT_EFFECT: [(&str, &[&str]); 3] = [
    ("db", &["enumerate", "units", "work", "sets", "completions", "man"]),
    (
        "threads",
        &[
            "solve",
            "places",
            "symmetry",
            "sets",
            "query",
            "export",
            "status",
            "catalog",
            "completions",
            "man",
        ],
    ),
    ("quiet", &["count", "symmetry", "sets", "status", "completions", "man"]),
];

/// Returns the definition of the command line, help and manual pages. Options without effect are hidden in the commands
/// that `is_shown` selects: hiding them in all takes a twentieth of the time of a figure.
pub fn command(is_shown: impl Fn(&str) -> bool) -> clap::Command {
    let codes = Exit::ALL.map(|(exit, meaning)| format!("{} {meaning}", exit as i32)).join("; ");
    let mut command = Cli::command().after_help(format!("Exit codes: {codes}.\n\n{AFTER_HELP}"));
    // An empty variable counts as unset.
    if std::env::var_os(DB_VARIABLE).is_some_and(|value| value.is_empty()) {
        command = command.mut_arg("db", |db| db.env(Resettable::Reset));
    }
    for (option, commands) in WITHOUT_EFFECT {
        let found = command.get_arguments().find(|arg| arg.get_id() == option).cloned();
        let Some(hidden) = found.map(|arg| arg.hide(true)) else { continue };
        for name in commands.iter().filter(|name| is_shown(name)) {
            let hidden = hidden.clone();
            command = command.mut_subcommand(name, |sub| sub.arg(hidden));
        }
    }
    command
}

/// Runs the program with the arguments of a command line. The first argument is the program's name.
///
/// Parses the arguments, runs the command, reports its error.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut command = command(|name| arguments.iter().any(|argument| argument == name));
    let parsed = requirements::parse(&mut command, arguments);
    let parsed = parsed.and_then(|matches| {
        let chosen = matches.subcommand();
        let works_in_parallel = chosen
            .is_some_and(|(name, matches)| works_in_parallel(name, matches.subcommand_name()));
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok((cli, works_in_parallel))
    });
    let parsed = parsed.map_err(naming_command_above);
    let (cli, works_in_parallel) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return print_clap_error(&error),
    };
    handle_file_size_signal();
    let ended = dispatch(cli, works_in_parallel);
    let any_refused = message::take_refused();
    match ended {
        Ok(Exit::Ok) if any_refused => Exit::Partial,
        Ok(exit) => exit,
        Err(Failure::ClosedPipe) => Exit::Ok,
        Err(Failure::Error(exit, error)) => {
            eprintln(&format!("somacat: {}", with_causes(&error)));
            exit
        }
    }
}

/// Adds the full name of a subcommand that was written without the command above it: `export newsletter`.
fn naming_command_above(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let mut all = command(|_| false);
    all.build();
    let is_above = |above: &&clap::Command| {
        above.get_name() != "help" && above.find_subcommand(name).is_some()
    };
    let names = all.get_subcommands().filter(is_above);
    let names: Vec<String> = names.map(|above| format!("{} {name}", above.get_name())).collect();
    if !names.is_empty() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(names));
    }
    error
}

/// Prints help, the version, or a usage error; returns the exit code.
fn print_clap_error(text: &clap::Error) -> Exit {
    const NOT_A_NUMBER: &str = "invalid digit found in string";
    let plain = text.to_string();
    if plain.contains(NOT_A_NUMBER) {
        eprintln(plain.replace(NOT_A_NUMBER, "it is not a whole number").trim_end());
        return Exit::Usage;
    }
    match (text.print(), text.use_stderr()) {
        (_, true) => Exit::Usage,
        (Err(error), _) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln(&format!("somacat: {error}"));
            Exit::Failed
        }
        _ => Exit::Ok,
    }
}

/// Returns true if a command has nothing to keep or to report when it is stopped. [`dispatch`] ends such a command.
/// The others look at [`STOP`] themselves. Other edits of a catalog take a moment and are never left half done.
const fn ends_at_once(command: &Command) -> bool {
    match command {
        Command::Map(_) | Command::Show(_) | Command::Symmetry(_) => true,
        Command::Query(_) | Command::Export(_) | Command::Status(_) => true,
        Command::Catalog(args) => !args.is_edit(),
        Command::Units(args) => args.is_status(),
        Command::Verify(args) => args.is_of_certificate(),
        _ => false,
    }
}

/// Returns true if a command starts its threads at once.
///
/// The others start faster without threads; `count` starts its own with a second or a large figure.
fn works_in_parallel(command: &str, subcommand: Option<&str>) -> bool {
    match (command, subcommand) {
        ("count", _) => return false,
        ("export", Some("gallery" | "newsletter")) | ("catalog", Some("prove")) => return true,
        _ => (),
    }
    let without = WITHOUT_EFFECT.iter().filter(|(option, _)| *option == "threads");
    !without.flat_map(|(_, commands)| *commands).any(|name| *name == command)
}

/// How long after a request to stop a command may take for what follows its result: to tidy up and to report it.
const LAST_STEPS_TIME: Duration = Duration::from_secs(1);

fn dispatch(cli: Cli, works_in_parallel: bool) -> Result<Exit> {
    let counts = matches!(cli.command, Command::Count(_));
    if works_in_parallel || (cli.global.threads.is_some() && !counts) {
        start_threads(&cli.global, rayon::ThreadPoolBuilder::new())?;
    }
    if !ends_at_once(&cli.command) {
        return execute(&cli);
    }
    stop_on_signals()?;
    ENDS_AT_ONCE.store(true, Ordering::Relaxed);
    let requested = || STOP.load(Ordering::Relaxed);
    // Once its result is in place, a command may end.
    let stop = || requested() && (!end_writes() || stopped_for(LAST_STEPS_TIME));
    match until_stopped(stop, move || execute(&cli))? {
        // Complete, even if a stop was requested in its last moment.
        Some(Ok(Exit::Ok)) => Ok(Exit::Ok),
        Some(ended) if !requested() || end_writes() => ended,
        _ => {
            let after = if end_writes() { ", after a result was complete" } else { "" };
            delete_temporaries();
            eprintln(&format!("stopped early{after}; the same command starts again"));
            Ok(Exit::Stopped)
        }
    }
}

fn execute(cli: &Cli) -> Result<Exit> {
    let global = &cli.global;
    match &cli.command {
        Command::Run(args) => run::run(global, args),
        Command::Units(args) => units::units(global, args),
        Command::Work(args) => work::work_unit(global, args),
        Command::Merge(args) => merge::merge(global, args),
        Command::Import(args) => import::import(global, args),
        Command::Count(args) => count::count(global, args),
        Command::Census(args) => census::census(global, args),
        Command::Solve(args) => solve::solve(global, args),
        Command::Enumerate(args) => enumerate::enumerate(global, args),
        Command::Map(args) => map::map(global, args),
        Command::Stand(args) => stand::stand(global, args),
        Command::Takeapart(args) => takeapart::takeapart(global, args),
        Command::Places(args) => places::show_places(global, args),
        Command::Design(args) => design::design(global, args),
        Command::Prove(args) => prove::prove(global, args),
        Command::Symmetry(args) => symmetry::symmetry(global, args),
        Command::Sets(args) => sets::sets(args),
        Command::Query(args) => query::query(global, args),
        Command::Show(args) => show::show(global, args),
        Command::Export(args) => export::export(global, args),
        Command::Status(args) => status::status(global, args),
        Command::Verify(args) => verify::verify(global, args),
        Command::Catalog(args) => catalog::catalog(global, args),
        Command::Completions(args) => {
            completions_and_man::completions(&mut command(|_| true), args)
        }
        Command::Man(args) => completions_and_man::man(command(|_| true), args),
    }
}
