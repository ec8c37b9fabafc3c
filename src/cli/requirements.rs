//! Parsing a command line in which no option is ignored.

use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, Error};
use std::ffi::OsString;

/// Parses a command line, and refuses an option whose required partner is missing.
///
/// Clap does not miss a required option if another one that was given conflicts with it: with `--steps` requiring
/// `--trace`, and `--trace` conflicting with `--csv`, it accepts `--steps 5 --csv`, and `--steps` would be ignored. A
/// second parse, in which nothing conflicts, finds these.
///
/// # Errors
///
/// The usage error, or the help or version that was requested.
pub(super) fn parse(command: &mut Command, arguments: Vec<OsString>) -> Result<ArgMatches, Error> {
    let matches = command.try_get_matches_from_mut(arguments.iter())?;
    if needs_partner("", &matches) {
        without_conflicts(command.clone()).try_get_matches_from(arguments)?;
    }
    Ok(matches)
}

/// Commands and their arguments that require another one. Clap does not report them.
const WITH_PARTNER: [(&str, &str); 18] = [
    ("cnf", "pieces"),
    ("count", "pieces"),
    ("dlx", "pieces"),
    ("symmetric", "b_file"),
    ("symmetric", "seed"),
    ("buildable", "samples"),
    ("gallery", "date"),
    ("merge", "partial"),
    ("prove", "pieces"),
    ("query", "format"),
    ("query", "time_limit"),
    ("show", "kind"),
    ("show", "size"),
    ("solve", "pieces"),
    ("solve", "steps"),
    ("units", "unfinished"),
    ("verify", "set"),
    ("xmpuzzle", "pieces"),
];

/// Returns true if the command line of a command, or of a subcommand in it, gives an argument that requires another one.
fn needs_partner(command: &str, matches: &ArgMatches) -> bool {
    let given = |argument: &str| {
        let source =
            matches.try_contains_id(argument).is_ok().then(|| matches.value_source(argument));
        source.flatten() == Some(ValueSource::CommandLine)
    };
    WITH_PARTNER.iter().any(|(of, argument)| *of == command && given(argument))
        || matches.subcommand().is_some_and(|(name, below)| needs_partner(name, below))
}

/// Removes all conflicts. A first parse has set up the commands that the command line uses.
fn without_conflicts(command: Command) -> Command {
    let groups: Vec<String> =
        command.get_groups().map(|group| group.get_id().to_string()).collect();
    let command = command.mut_args(|arg| arg.conflicts_with(Resettable::Reset));
    let command = groups
        .iter()
        .fold(command, |command, group| command.mut_group(group, |group| group.multiple(true)));
    command.mut_subcommands(without_conflicts)
}
