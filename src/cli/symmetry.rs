//! `somacat symmetry`: the symmetry group of each figure as it lies.

use super::Exit;
use super::input::Entries;
use super::output::{OutputArgs, Style, text};
use crate::export::Field;
use crate::formats::{Entry, Format};
use crate::symmetry::{Group, PlanSymbol};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

/// Show the symmetry group of every figure of a file
#[derive(Args, Debug)]
#[command(after_help = "\
Elements are T1…T48 in Bob Nungester's numbering, for the figure as it lies. \"n-fold\" has two
readings: Allen's is the order of the group, Nungester's the order of an element (cyclic orders).
The representatives are the fewest transforms that give all orientations of the figure. The plan is
how the figure looks from above in GNU Go's notation: 8 none, | - \\ / a mirror, O half turn, X and +
two mirrors.

Examples:
  echo '333 333 333' | somacat symmetry -
  somacat symmetry --jsonl figures.soma")]
pub(crate) struct SymmetryArgs {
    /// The file, or - for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The file's format, soma, cells, heightmap or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

const COLUMNS: [&str; 12] = [
    "name",
    "cells",
    "signature",
    "class",
    "order",
    "rotation_order",
    "elements",
    "cyclic_orders",
    "cycles",
    "allen",
    "representatives",
    "plan",
];

/// Figures read at a time.
const CHUNK: usize = 1024;

pub(super) fn symmetry(args: &SymmetryArgs) -> anyhow::Result<Exit> {
    let mut entries = Entries::open(&args.file, args.format)?;
    match args.output.style() {
        None => {
            let mut out = text();
            for_each(&mut entries, |entry| describe(&mut out, entry))?;
            out.flush()?;
        }
        Some(_) => {
            let mut rows = args.output.rows(Style::Csv, &COLUMNS)?;
            for_each(&mut entries, |entry| rows.row(&fields(entry)))?;
            rows.finish()?;
        }
    }
    entries.require_any()?;
    Ok(if entries.faults > 0 { Exit::Partial } else { Exit::Ok })
}

fn for_each(
    entries: &mut Entries,
    mut show: impl FnMut(&Entry) -> io::Result<()>,
) -> anyhow::Result<()> {
    loop {
        let chunk = entries.chunk(CHUNK)?;
        if chunk.is_empty() {
            return Ok(());
        }
        chunk.iter().try_for_each(&mut show)?;
    }
}

/// `T1 | T2, T1`: the powers of each element, as the article prints them.
fn cycles(group: Group) -> Vec<String> {
    let cycle = |t: crate::lattice::Transform| {
        t.powers().map(|power| power.to_string()).collect::<Vec<_>>().join(", ")
    };
    group.iter().map(cycle).collect()
}

fn joined<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn describe(out: &mut impl Write, entry: &Entry) -> io::Result<()> {
    let canonical = entry.figure.canonical();
    let (group, class) = (canonical.group, canonical.group.class());
    let plan = PlanSymbol::of(group);
    let representatives = group.coset_representatives();
    let allen = class.allen().map(|letter| format!(", Allen {letter}")).unwrap_or_default();
    writeln!(out, "{} ({} cells)", entry.label(), entry.figure.len())?;
    let mut line = |label: &str, value: String| writeln!(out, "  {label:<16}{value}");
    line("signature", canonical.signature.to_string())?;
    line("class", format!("{class}{allen}: {}", class.description()))?;
    line("order", format!("{}, {} of them rotations", group.order(), group.rotation_order()))?;
    line("elements", group.to_string())?;
    line("cyclic orders", joined(&group.cyclic_orders()))?;
    for (at, cycle) in cycles(group).into_iter().enumerate() {
        line(if at == 0 { "cycles" } else { "" }, cycle)?;
    }
    line("representatives", joined(&representatives))?;
    line("plan", format!("{plan}, {} of 8 plans differ", plan.orientations()))
}

fn fields(entry: &Entry) -> Vec<Field<'static>> {
    let canonical = entry.figure.canonical();
    let (group, class) = (canonical.group, canonical.group.class());
    vec![
        entry.label().into(),
        entry.figure.len().into(),
        canonical.signature.to_string().into(),
        class.name().into(),
        group.order().into(),
        group.rotation_order().into(),
        group.to_string().into(),
        joined(&group.cyclic_orders()).into(),
        cycles(group).join("; ").into(),
        class.allen().map(String::from).into(),
        joined(&group.coset_representatives()).into(),
        PlanSymbol::of(group).to_string().into(),
    ]
}
