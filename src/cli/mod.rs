//! The command line, one file per command. Only this module uses clap and terminals.

mod bytes;
mod catalog;
mod catalog_check;
mod catalog_diff;
mod catalog_edit;
mod catalog_prove;
mod catalog_release;
mod census;
mod completions_and_man;
mod count;
mod design;
mod enumerate;
mod enumerate_b_file;
mod enumerate_buildable;
mod exact_cover;
mod exit;
mod export;
mod export_dot_paper;
mod export_figures;
mod export_gallery;
mod export_newsletter;
mod export_parquet;
mod export_solids;
mod export_subject;
mod failure;
mod figure_format;
mod figure_view;
mod filter;
mod given_figures;
mod hangup;
mod import;
mod input;
mod log;
mod mail_summary;
mod map;
mod merge;
mod no_match;
mod open_figure;
mod output;
mod packings;
mod places;
mod prove;
mod query;
mod release_plans;
mod requirements;
mod run;
pub mod screen;
mod sets;
mod show;
mod show_display;
mod show_set;
mod solve;
mod stand;
mod status;
mod summary;
mod symmetry;
mod trace;
mod units;
mod verify;
mod work;

pub use exit::Exit;
pub use filter::FilterArgs;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::{Failure, Result, with_causes};
use somacat_catalog::{delete_temporaries, end_writes};
use somacat_formats::STOP_CHECK_TIME;
use somacat_output::export::visible;
use somacat_run::VERSION;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

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

const DB_VARIABLE: &str = "SOMACAT_DB";

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
    db: PathBuf,
    /// Number of threads; one per core if not given.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress and no summary; errors are always shown.
    #[arg(long, short, global = true)]
    quiet: bool,
}

impl Global {
    /// Writes a message to standard error, unless `--quiet` is given.
    fn note(&self, text: &str) {
        if !self.quiet {
            eprintln(text);
        }
    }
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

/// Becomes true at the first Ctrl-C or SIGTERM.
static STOP: AtomicBool = AtomicBool::new(false);

/// True if the command is one that [`ends_at_once`].
static ENDS_AT_ONCE: AtomicBool = AtomicBool::new(false);

static FIRST_SIGNAL: OnceLock<Instant> = OnceLock::new();

/// The time within which a second signal is a duplicate: `timeout` signals the program and its group.
const SIGNAL_ECHO: Duration = Duration::from_millis(200);

/// The stack of a thread that does a command's work: as large as that of the main thread.
const STACK_BYTES: usize = 8 << 20;

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
    match dispatch(cli, works_in_parallel) {
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

/// Makes writing beyond the `ulimit -f` limit fail like a full disk.
///
/// By default the system ends the program without a message.
fn handle_file_size_signal() {
    #[cfg(unix)]
    {
        let heard = std::sync::Arc::new(AtomicBool::new(false));
        // An error here is ignored: the program then ends without a message, as by default.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, heard);
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

/// Starts the threads of a command: as many as it was given, or one per core.
fn start_threads(global: &Global, pool: rayon::ThreadPoolBuilder) -> Result<()> {
    let pool = pool.num_threads(global.threads.map_or(0, usize::from));
    pool.build_global().map_err(|error| {
        let advice = "allow more, or use fewer with --threads";
        Failure::failed(format!("cannot start the worker threads: {error}; {advice}"))
    })
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

/// Makes the first Ctrl-C or SIGTERM request a stop. The second ends the program.
///
/// SIGHUP is heard too, unless `nohup` or another parent let the program begin with that signal ignored.
///
/// Returns what becomes true at the first for this command: [`stop_flag`].
fn stop_on_signals() -> Result<&'static AtomicBool> {
    static HANDLED: AtomicBool = AtomicBool::new(false);
    if HANDLED.swap(true, Ordering::Relaxed) {
        return Ok(stop_flag());
    }
    let hears_hangup = hangup::is_heard();
    let listening = ctrlc::set_handler(|| {
        if FIRST_SIGNAL.set(Instant::now()).is_ok() {
            STOP.store(true, Ordering::SeqCst);
            // In its own thread: writing to standard error may block on a full pipe, and the second signal must still
            // work. If no thread can be started, there is no message.
            let _ = std::thread::Builder::new().spawn(|| {
                eprintln("stopping; press Ctrl-C again to quit immediately");
            });
        } else if FIRST_SIGNAL.get().is_none_or(|first| first.elapsed() > SIGNAL_ECHO) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .map_err(|error| Failure::failed(format!("cannot listen for Ctrl-C: {error}")));
    if !hears_hangup {
        hangup::ignore();
    }
    listening.map(|()| stop_flag())
}

/// Returns what becomes true when a command should stop by itself.
///
/// For a command that [`ends_at_once`] it stays false. Such a command is left behind by a stop, and must not look: it
/// would take a search or a file that was cut short for a complete one, and end with success.
fn stop_flag() -> &'static AtomicBool {
    static NEVER: AtomicBool = AtomicBool::new(false);
    if ENDS_AT_ONCE.load(Ordering::Relaxed) { &NEVER } else { &STOP }
}

/// Returns true if a command should stop by itself.
fn is_stopped() -> bool {
    stop_flag().load(Ordering::Relaxed)
}

/// Returns true if a stop was requested at least this long ago.
fn stopped_for(time: Duration) -> bool {
    FIRST_SIGNAL.get().is_some_and(|first| first.elapsed() >= time)
}

/// Opens or reads a file. Returns `None` after a request to stop while a pipe has no program at its other end.
fn unless_stopped<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let waits = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if waits { until_stopped(is_stopped, work) } else { Ok(Some(work())) }
}

/// Does work that only a stop of the program can interrupt. Returns `None` once `stop` returns true.
///
/// The thread that does the work then ends with the program. If the system refuses a thread, the work is done here, and
/// a stop takes effect after it.
fn until_stopped<T: Send + 'static>(
    stop: impl Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let (sender, receiver) = sync_channel(1);
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let work = Arc::new(Mutex::new(Some(work)));
    let shared = Arc::clone(&work);
    let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
    let spawned = builder.spawn(move || take(&shared).map(|work| sender.send(work()).is_ok()));
    let Ok(thread) = spawned else { return Ok(take(&work).map(|work| work())) };
    loop {
        match receiver.recv_timeout(STOP_CHECK_TIME) {
            Ok(done) => return Ok(Some(done)),
            Err(RecvTimeoutError::Timeout) if stop() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    match thread.join() {
        Err(panic) => std::panic::resume_unwind(panic),
        Ok(_) => Ok(None),
    }
}

/// Writes a message to standard error; ignores errors. Escapes control characters and breaks lines to fit a terminal.
fn eprintln(text: &str) {
    use io::Write;
    let text = visible(text);
    let columns = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0);
    let lines = match columns.filter(|&columns| columns > 0) {
        Some(columns) => screen::wrapped(&text, columns.into()).join("\n"),
        None => text.into_owned(),
    };
    let _ = writeln!(io::stderr(), "{lines}");
}
