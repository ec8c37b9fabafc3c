//! `somacat symmetry`: shows the symmetry group of each figure in its given position.

use crate::cli::failure::Result;
use crate::cli::screen::labeled;
use crate::cli::shared::input::{RequestedFigure, RequestedFigures, SetArg};
use crate::cli::shared::output::{OutputArgs, stdout, terminal_size};
use crate::cli::{Exit, Global};
use clap::Args;
use somacat_formats::{Format, count_noun};
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::lattice::Transform;
use somacat_geometry::symmetry::{ElementKind, Group, PlanSymbol};
use somacat_output::export::{Field, visible};
use std::io::{self, Write};

#[derive(Args, Debug)]
#[command(after_help = "\
Elements are T1…T48 in Bob Nungester's numbering, for the figure in its given position. \"n-fold\"
has two meanings: for Allen the order of the group, for Nungester the order of an element (cyclic
orders). The representatives are a smallest set of transforms that gives all orientations of the
figure. The plan is the symmetry of the figure seen from above, in GNU Go's notation: 8 none,
| - \\ / a mirror, O half turn, X and + two mirrors. OEIS is the sequence that counts the polycubes
of the class.

FIGURE is a file (- for standard input), a folder, a box (3x3x4), a figure ('67 77'), a signature,
or a name in the catalog.

Examples:
  echo '333 333 333' | somacat symmetry -
  somacat symmetry tower
  somacat symmetry --transforms
  somacat symmetry --jsonl figures.soma")]
pub(crate) struct SymmetryArgs {
    /// Files, - for standard input, signatures, or names in the catalog.
    #[arg(value_name = "FIGURE", default_value = "-")]
    figures: Vec<String>,
    /// Write the matrices of T1…T48 instead, with kinds, orders and powers. A cell is a row vector
    /// and multiplied from the left.
    #[arg(long, conflicts_with_all = ["figures", "format"])]
    transforms: bool,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

const COLUMNS: [&str; 13] = [
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
    "oeis",
];

const BATCH_FIGURES: usize = 1024;

pub(crate) fn symmetry(global: &Global, args: &SymmetryArgs) -> Result<Exit> {
    if args.transforms {
        return transforms(args.output);
    }
    let mut figures =
        RequestedFigures::open(global, &args.figures, args.format, Some(&SetArg::Auto))?;
    match args.output.style() {
        None => {
            let mut out = stdout();
            for_each(&mut figures, |requested| describe(&mut out, requested))?;
            out.flush()?;
        }
        Some(_) => {
            let mut rows = args.output.rows(&COLUMNS)?;
            for_each(&mut figures, |requested| rows.row(&fields(requested)))?;
            rows.finish()?;
        }
    }
    Ok(Exit::Ok)
}

/// Writes all transforms, as the article prints them.
fn transforms(output: OutputArgs) -> Result<Exit> {
    let mut rows = output.rows(&["transform", "matrix", "kind", "order", "powers"])?;
    for t in Transform::iter() {
        rows.row(&[
            t.to_string().into(),
            t.matrix().map(|row| joined(&row)).join(", ").into(),
            ElementKind::of(t).symbol().into(),
            t.order().into(),
            powers(t).into(),
        ])?;
    }
    rows.finish()?;
    Ok(Exit::Ok)
}

fn for_each(
    figures: &mut RequestedFigures,
    mut show: impl FnMut(&RequestedFigure) -> io::Result<()>,
) -> Result<()> {
    loop {
        let chunk = figures.chunk(BATCH_FIGURES)?;
        if chunk.is_empty() {
            return Ok(());
        }
        chunk.iter().try_for_each(&mut show)?;
    }
}

/// Returns the powers of an element, as the article prints them: `T2, T1`.
fn powers(t: Transform) -> String {
    t.powers().map(|power| power.to_string()).collect::<Vec<_>>().join(", ")
}

fn cycles(group: Group) -> Vec<String> {
    group.iter().map(powers).collect()
}

fn joined<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn describe(out: &mut impl Write, requested: &RequestedFigure) -> io::Result<()> {
    let candidate = Candidate::new(requested.figure.clone(), Equivalence::Reflections);
    let (group, class) = (candidate.group(), candidate.class());
    let plan = PlanSymbol::of(group);
    let representatives = group.coset_representatives();
    let allen = class.allen().map(|letter| format!(", Allen {letter}")).unwrap_or_default();
    writeln!(
        out,
        "{} ({})",
        visible(&requested.label),
        count_noun(requested.figure.len(), "cell")
    )?;
    let [columns, _] = terminal_size();
    let columns = columns.map_or(usize::MAX, usize::from);
    let mut line = |label: &str, value: String| {
        let lines = labeled(&format!("  {label}"), 18, &value, columns);
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))
    };
    line("signature", candidate.signature().to_string())?;
    let (oeis, description) = (class.oeis(), class.description());
    line("class", format!("{class}{allen}, OEIS {oeis}: {description}"))?;
    line("order", format!("{}, {} of them rotations", group.order(), group.rotation_order()))?;
    line("elements", group.to_string())?;
    line("cyclic orders", joined(&group.cyclic_orders()))?;
    for (at, cycle) in cycles(group).into_iter().enumerate() {
        line(if at == 0 { "cycles" } else { "" }, cycle)?;
    }
    line("representatives", joined(&representatives))?;
    line("plan", format!("{plan}, {} of 8 plans differ", plan.orientations))
}

fn fields(requested: &RequestedFigure) -> Vec<Field<'static>> {
    let candidate = Candidate::new(requested.figure.clone(), Equivalence::Reflections);
    let (group, class) = (candidate.group(), candidate.class());
    vec![
        requested.label.clone().into(),
        requested.figure.len().into(),
        candidate.signature().to_string().into(),
        class.name().into(),
        group.order().into(),
        group.rotation_order().into(),
        group.to_string().into(),
        joined(&group.cyclic_orders()).into(),
        cycles(group).join("; ").into(),
        class.allen().map(String::from).into(),
        joined(&group.coset_representatives()).into(),
        PlanSymbol::of(group).to_string().into(),
        class.oeis().into(),
    ]
}
