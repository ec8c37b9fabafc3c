//! `somacat places`: shows where each piece of a figure can lie.

use super::open_figure::OpenFigure;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::input::{FigureArgs, no_figure};
use crate::cli::shared::output::{OutputArgs, Style, stdout};
use crate::cli::{Exit, Global, stop_on_signals, stopped_early};
use clap::Args;
use somacat_counting::places::{PlaceOrbit, PlaceOrbits, color_rules, places};
use somacat_counting::solve::{Limits, Placement, Problem};
use somacat_formats::Format;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Outcome;
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::rule_in_words;
use somacat_run::default_limits;
use std::io::Write;

#[derive(Args, Debug)]
#[command(after_help = "\
Two placements of a piece are in one orbit if a symmetry of the figure maps one to the other. A row
is an orbit: the piece, the number of the orbit, the number of its placements, and the number of
packings (raw, all of them) that use one of these placements. Reflections count if the set contains
the mirror images of its pieces.

The table has a picture of the first placement: the layers from top to bottom. Below it are the
orbits that no packing or every packing uses, and the consequences of a checkerboard coloring.

Examples:
  somacat places cube
  somacat places tower --csv
  somacat places box.soma --set pentominoes")]
pub(crate) struct PlacesArgs {
    #[command(flatten)]
    subject: FigureArgs,
    /// Search limit, in nodes; if it is reached before all packings are found, there are no rows.
    #[arg(
        long, value_name = "N", default_value = "1000000000",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: u64,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn show_places(global: &Global, args: &PlacesArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let Some((requested, set)) = args.subject.read(global, args.format)? else {
        return Ok(no_figure());
    };
    let open = OpenFigure::new(&requested, &set)?;
    let problem = open.problem();
    let limits = Limits { nodes: Some(args.nodes), ..default_limits(stop) };
    let found = places(&problem, limits).context(requested.label.clone())?;
    if limits.stopped() {
        return Ok(stopped_early());
    }
    if matches!(found.report.outcome, Outcome::AtLeast(_) | Outcome::Unknown) {
        let text =
            "the search limit was reached before all packings were found; --nodes allows more";
        return Err(Failure::failed(text.to_owned())).context(requested.label.clone());
    }
    let is_table = args.output.chosen_style() == Style::Table;
    rows(&found, &problem, args.output, is_table)?;
    let raw = found.report.outcome.raw().unwrap_or(0);
    if is_table {
        let mut out = stdout();
        for line in sentences(&found, &problem, raw) {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
    } else if raw == 0 {
        global.note(&format!("{}: no packing with {}", requested.label, set.name()));
    }
    Ok(Exit::Ok)
}

fn rows(
    found: &PlaceOrbits,
    problem: &Problem<'_>,
    output: OutputArgs,
    is_table: bool,
) -> Result<()> {
    let mut columns = vec!["piece", "orbit", "placements", "packings"];
    columns.extend(is_table.then_some("first"));
    let mut rows = output.rows(&columns)?;
    for (number, orbit) in found.numbered() {
        let piece = &problem.set().pieces()[orbit.first.piece].0;
        let mut fields = vec![
            piece.name().into(),
            number.into(),
            orbit.placements.into(),
            orbit.packings.into(),
        ];
        fields.extend(is_table.then(|| picture(problem, &orbit.first, piece.letter()).into()));
        rows.row(&fields)?;
    }
    Ok(rows.finish()?)
}

/// Draws a placement: the rows of each layer, other cells of the figure as dots.
fn picture(problem: &Problem<'_>, placement: &Placement, letter: char) -> String {
    let figure = problem.figure();
    let [width, depth, height] = figure.extents().map(|side| side as i32);
    let sign = |cell: Cell| match (placement.cells.contains(&cell), figure.cells().contains(&cell))
    {
        (true, _) => letter,
        (_, true) => '.',
        _ => ' ',
    };
    let row = |z, y| (0..width).map(|x| sign(Cell::new(x, y, z))).collect::<String>();
    let line = |y| (0..height).map(|z| row(z, y)).collect::<Vec<_>>().join(" ");
    (0..depth).map(line).collect::<Vec<_>>().join("\n")
}

/// Describes the orbits that no packing or every packing uses. Adds the consequences of the coloring.
fn sentences(found: &PlaceOrbits, problem: &Problem<'_>, raw: u128) -> Vec<String> {
    let set = problem.set();
    let listed = |packings: u128| {
        let is_so = |(_, orbit): &(usize, &PlaceOrbit)| u128::from(orbit.packings) == packings;
        let name = |(number, orbit): (usize, &PlaceOrbit)| {
            format!("{} {number}", set.pieces()[orbit.first.piece].0.name())
        };
        found.numbered().filter(is_so).map(name).collect::<Vec<_>>().join(", ")
    };
    if raw == 0 {
        return vec![format!("There is no packing with {}.", set.name())];
    }
    let mut lines = vec![totals(found, set)];
    lines.extend([("Never", listed(0)), ("Always", listed(raw))].into_iter().filter_map(
        |(word, orbits)| (!orbits.is_empty()).then(|| format!("{word} used: {orbits}.")),
    ));
    let rules = color_rules(problem.figure(), set);
    if !rules.is_empty() {
        let difference = problem.figure().color_difference().unsigned_abs() as usize;
        let black = (problem.figure().len() + difference) / 2;
        let white = problem.figure().len() - black;
        let rules: Vec<String> = rules.iter().map(|rule| rule_in_words(rule, set)).collect();
        let rules = rules.join("; ");
        lines.push(format!("Parity, with {black} black and {white} white cells: {rules}."));
    }
    lines
}

/// Describes the numbers of placements: `Placements: V 144, L 144.`
fn totals(found: &PlaceOrbits, set: &PieceSet) -> String {
    let by_piece = found.orbits.chunk_by(|a, b| a.first.piece == b.first.piece);
    let total = |orbits: &[PlaceOrbit]| {
        let name = set.pieces()[orbits[0].first.piece].0.name();
        format!("{name} {}", orbits.iter().map(|orbit| orbit.placements).sum::<usize>())
    };
    format!("Placements: {}.", by_piece.map(total).collect::<Vec<_>>().join(", "))
}
