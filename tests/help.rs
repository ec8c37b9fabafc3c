//! The help of all commands, and the document that lists their options.

use somacat::cli::command;
use std::collections::{BTreeMap, BTreeSet};

fn all(command: &clap::Command) -> Vec<&clap::Command> {
    let below = command.get_subcommands().flat_map(all);
    std::iter::once(command).chain(below).collect()
}

/// Hand-wrapped text keeps its lines only if they fit.
#[test]
fn lines_of_help_fit_100_columns() {
    let mut root = command(|_| true);
    root.build();
    let mut wide = Vec::new();
    for command in all(&root).into_iter().skip(1) {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines = text.lines().filter(|line| line.chars().count() > 100);
        wide.extend(lines.map(|line| format!("{}: {line}", command.get_name())));
    }
    assert!(wide.is_empty(), "{wide:#?}");
}

/// The command list and each command's help show the same description.
#[test]
fn a_command_is_described_in_one_way() {
    let (listed, mut built) = (command(|_| true), command(|_| true));
    built.build();
    for (listed, built) in listed.get_subcommands().zip(built.get_subcommands()) {
        let described = |command: &clap::Command| command.get_about().map(ToString::to_string);
        assert_eq!(described(listed), described(built), "{}", built.get_name());
    }
}

/// `somacat export` lists its kinds with a description. The help of each has an example.
#[test]
fn a_kind_of_export_is_described_with_an_example() {
    let mut root = command(|_| true);
    root.build();
    let export = root.find_subcommand("export").unwrap();
    let mut abouts = BTreeSet::from([None]);
    for kind in export.get_subcommands().filter(|kind| kind.get_name() != "help") {
        let help = kind.get_after_help().map(ToString::to_string).unwrap_or_default();
        let example = format!("somacat export {}", kind.get_name());
        // The description of a flattened type would be that of several kinds.
        let is_own = abouts.insert(kind.get_about().map(ToString::to_string));
        assert!(is_own && help.contains(&example), "{}", kind.get_name());
    }
}

/// docs/commands.md lists every option that several commands share, with these commands.
#[test]
fn options_of_several_commands_are_documented() {
    let mut root = command(|_| true);
    root.build();
    let mut options: BTreeMap<String, Vec<(String, Vec<String>)>> = BTreeMap::new();
    collect(&root, "", &mut options);
    let (count, everywhere) = (options["help"].len(), "every command".to_owned());
    let mut defined = BTreeMap::new();
    for (option, uses) in options.into_iter().filter(|(_, uses)| uses.len() > 1) {
        // docs/commands.md names these two as exceptions.
        let same = uses.iter().all(|(_, values)| *values == uses[0].1);
        assert!(same || ["from", "unique"].contains(&option.as_str()), "--{option}: {uses:?}");
        let mut commands: Vec<String> = uses.into_iter().map(|(command, _)| command).collect();
        if commands.len() == count {
            commands = vec![everywhere.clone()];
        }
        commands.sort();
        defined.insert(option, commands);
    }
    let document = include_str!("../docs/commands.md").replace("\n  ", " ");
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    // Lists such as "- those with filters: `query`, …" define groups of commands.
    let mut groups = vec![(everywhere.as_str(), vec![everywhere.clone()])];
    let commands_of = |text: &str, groups: &[(&str, Vec<String>)]| {
        let named = groups.iter().filter(|(name, _)| text.contains(name));
        let members = named.flat_map(|(_, commands)| commands.clone());
        let mut commands: Vec<String> = quoted(text).into_iter().chain(members).collect();
        commands.sort();
        commands
    };
    for line in document.lines().filter_map(|line| line.strip_prefix("- those ")) {
        let (name, commands) = line.split_once(": ").unwrap();
        groups.push((name, commands_of(commands, &groups)));
    }
    let table = document.lines().skip_while(|line| !line.starts_with("| option |")).skip(2);
    let mut documented = BTreeMap::new();
    for line in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let options = quoted(cells[0]);
        for option in options.iter().filter_map(|option| option.strip_prefix("--")) {
            let option = option.split(' ').next().unwrap_or(option);
            documented.insert(option.to_owned(), commands_of(cells[2], &groups));
        }
    }
    for (option, commands) in &defined {
        assert_eq!(documented.remove(option).as_ref(), Some(commands), "--{option}");
    }
    assert!(documented.is_empty(), "{documented:?}: only one command has this option");
}

/// Returns the name of a command in the document. There, `export` means all kinds of files.
fn documented_as(path: &str) -> &str {
    let kind = path.strip_prefix("export ");
    if kind.is_none_or(|kind| matches!(kind, "gallery" | "newsletter")) { path } else { "export" }
}

fn collect(
    command: &clap::Command,
    path: &str,
    options: &mut BTreeMap<String, Vec<(String, Vec<String>)>>,
) {
    // The program itself, `enumerate` and `export` only pass options on.
    let passes_on = command.is_subcommand_required_set();
    for argument in command.get_arguments().filter(|_| !passes_on) {
        // A global option is hidden where it has no effect.
        let shown = argument.is_global_set() || !argument.is_hide_set();
        if let (Some(option), true) = (argument.get_long(), shown) {
            let values = match argument.get_action().takes_values() {
                true => argument.get_value_names().unwrap_or_default(),
                false => &[],
            };
            let values = values.iter().map(ToString::to_string).collect();
            let uses = options.entry(option.to_owned()).or_default();
            let one = (documented_as(path).to_owned(), values);
            if !uses.contains(&one) {
                uses.push(one);
            }
        }
    }
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let path = format!("{path} {}", below.get_name());
        collect(below, path.trim_start(), options);
    }
}
