//! `somacat map`: shows the connections between the packings of a figure.

use super::open_figure::OpenFigure;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::input::{
    Entries, FigureArgs, RequestedFigure, no_figure, require_one_stdin,
};
use crate::cli::shared::output::{OutputArgs, Style, to_file};
use crate::cli::{Exit, Global, is_stopped, stop_on_signals};
use clap::Args;
use serde_json::json;
use somacat_counting::map::{MapError, SolutionMap};
use somacat_counting::solve::{Limits, Placement};
use somacat_formats::{Colors, Format, check_packing, count_noun};
use somacat_geometry::lattice::{Cell, Transform};
use somacat_geometry::somap::SomapCode;
use somacat_output::export::{Codes, write_dot, write_graphml};
use somacat_run::default_limits;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Args, Debug)]
#[command(after_help = "\
The map has a vertex for each packing up to the figure's rotations and reflections. An edge joins
two packings if moving two pieces turns one into the other, or into an image of it (edges_2), or if
moving three pieces does where two do not suffice (edges_3). Exchanging equal pieces is not a move.
Packings are numbered. components lists the sizes of the connected components, the largest first:
`2 of 3, 3 of 2` are two components of three packings each and three of two (JSON: 3,3,2,2,2).
diameter is the longest shortest path in the largest component, or in any of them if several are
equally large, and solitary counts the packings without an edge.

For the cube with SOMA, 239 packings are connected and one is solitary. There, --from has a column
somap with the codes of Conway and Guy's map (see solve), and the files have them, too. A map has at
most 100,000 packings; if there are more, their number or a lower bound is reported. --svg needs
Graphviz (sfdp). A map that is written to - takes the place of the rows.

Examples:
  somacat map s1-3x3x3-zzzzz3
  somacat map tower --json
  somacat map tower --from 1
  somacat map cube --from solved.soma
  somacat map tower --graphml tower.graphml --dot tower.dot")]
pub(crate) struct MapArgs {
    #[command(flatten)]
    subject: FigureArgs,
    /// List the moves from one packing. PACKING is its number or a file that shows it.
    #[arg(long, value_name = "PACKING")]
    from: Option<String>,
    /// Search limit, in nodes; if it is reached before all packings are found, there is no map.
    #[arg(
        long, value_name = "N", default_value = "100000000",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: u64,
    /// Write the map as GraphML.
    #[arg(long, value_name = "FILE")]
    graphml: Option<PathBuf>,
    /// Write the map for Graphviz.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Draw the map; needs Graphviz.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn map(global: &Global, args: &MapArgs) -> Result<Exit> {
    let files = [&args.graphml, &args.dot, &args.svg].into_iter().flatten();
    let on_stdout = files.filter(|file| *file == Path::new("-")).count();
    if on_stdout + usize::from(args.from.is_some() || args.output.style().is_some()) > 1
        && on_stdout > 0
    {
        let text = "only one of --graphml, --dot, --svg and the rows can go to standard output; name a file";
        return Err(Failure::usage(text));
    }
    let stop = stop_on_signals()?;
    require_one_stdin([&args.subject.figure].into_iter().chain(&args.from))?;
    let is_file = |text: &str| text == "-" || Path::new(text).exists();
    // The format may be that of the packing's file alone.
    let of_packing = args.from.as_deref().is_some_and(|from| from.parse::<usize>().is_err());
    let format = args.format.filter(|_| !of_packing || is_file(&args.subject.figure));
    let Some((requested, set)) = args.subject.read(global, format)? else {
        return Ok(no_figure());
    };
    let open = OpenFigure::new(&requested, &set)?;
    let limits = Limits { nodes: Some(args.nodes), ..default_limits(stop) };
    let map = match SolutionMap::new(&open.problem(), limits) {
        Err(MapError::Stopped) => return Ok(Exit::Stopped),
        Err(error @ (MapError::TooMany(_) | MapError::AtLeast(_))) => {
            return Err(Failure::failed(format!("{}: {error}", requested.label)));
        }
        Err(error @ MapError::Undecided(_)) => {
            let label = &requested.label;
            return Err(Failure::failed(format!("{label}: {error}; --nodes allows more")));
        }
        other => other.context(requested.label.clone())?,
    };
    let pieces =
        |vertex: usize| open.whole(&map.packing(vertex).into_iter().cloned().collect::<Vec<_>>());
    let letters = |vertex: usize| {
        let mut cells: Vec<_> = Vec::new();
        for (piece, some) in pieces(vertex) {
            cells.extend(some.into_iter().map(|cell| (cell, piece)));
        }
        cells.sort_unstable();
        cells.into_iter().map(|(_, piece)| piece).collect::<String>()
    };
    let code = |vertex: usize| SomapCode::of(&pieces(vertex));
    if let Some(path) = &args.graphml {
        to_file(path, |out| Ok(write_graphml(&map, &letters, &code, out)?))?;
    }
    if let Some(path) = &args.dot {
        to_file(path, |out| Ok(write_dot(&map, &code, out)?))?;
    }
    if let Some(path) = &args.svg {
        to_file(path, |out| draw(&map, &code, out))?;
    }
    match &args.from {
        Some(from) => {
            let number = number_of(&map, from, &open, args.format)?;
            steps(&map, number, &open, &code, args.output)?;
        }
        None if on_stdout == 0 => summary(&map, &requested, set.name(), args.output)?,
        None => {}
    }
    if map.vertices() == 0 {
        global.note(&format!("{}: no packing with {}", requested.label, set.name()));
    }
    Ok(Exit::Ok)
}

/// Formats sizes from the largest down: `239, 1`; equal ones as `2 of 5`.
fn sizes(components: &[usize]) -> String {
    let each = |some: &[usize]| match some.len() {
        1 => some[0].to_string(),
        times => format!("{times} of {}", some[0]),
    };
    components.chunk_by(|a, b| a == b).map(each).collect::<Vec<_>>().join(", ")
}

fn summary(
    map: &SolutionMap,
    requested: &RequestedFigure,
    set: &str,
    output: OutputArgs,
) -> Result<()> {
    let (vertices, two, three) = (map.vertices(), map.edges_2().len(), map.edges_3().len());
    let (components, diameter, solitary) = (map.components(), map.diameter(), map.solitary());
    if let Some(Style::Json | Style::Jsonl) = output.style() {
        let object = json!({
            "name": requested.label, "set": set, "vertices": vertices, "edges_2": two, "edges_3": three,
            "components": components, "diameter": diameter, "solitary": solitary,
        });
        return Ok(writeln!(crate::cli::shared::output::stdout(), "{object}")?);
    }
    let columns =
        ["name", "set", "vertices", "edges_2", "edges_3", "components", "diameter", "solitary"];
    let mut rows = output.rows(&columns)?;
    rows.row(&[
        requested.label.as_str().into(),
        set.into(),
        vertices.into(),
        two.into(),
        three.into(),
        sizes(&components).into(),
        diameter.into(),
        solitary.into(),
    ])?;
    Ok(rows.finish()?)
}

/// Returns the number, from 1, of the packing that `from` gives. `from` is a number or a file.
///
/// The file may show the figure in any orientation.
fn number_of(
    map: &SolutionMap,
    from: &str,
    open: &OpenFigure<'_>,
    format: Option<Format>,
) -> Result<usize> {
    if let Ok(number) = from.parse::<usize>() {
        return Ok(number);
    }
    let refuse = |text: &str| Failure::failed(format!("{from}: {text}"));
    if !open.placed.is_empty() {
        return Err(refuse("with pieces in place, give the packing by its number"));
    }
    let mut entries = Entries::open(Path::new(from), format, Colors::Refused);
    let mut found = entries.chunk(2)?;
    // A chunk may end early, so that only an empty one says that no figure follows.
    while found.len() == 1
        && let next = entries.chunk(1)?
        && !next.is_empty()
    {
        found.extend(next);
    }
    let entry = match found.as_slice() {
        [] if is_stopped() => return Err(Failure::stopped("stopped")),
        [] => return Err(refuse("no packing in the file")),
        [(_, entry)] => entry.clone(),
        _ => return Err(refuse("several figures in the file; give a file with only one")),
    };
    let shown = check_packing(&entry, open.set).map_err(|fault| refuse(&fault.to_string()))?;
    let figure = &open.requested.figure;
    // A reflection will do: it turns chiral pieces into others, which `place` finds by their shape.
    let lies_so = |t: &Transform| entry.figure.transformed(*t) == *figure;
    let t = Transform::iter().find(lies_so).ok_or_else(|| refuse("a packing of another figure"))?;
    let moved: Vec<Cell> = entry.figure.cells().iter().map(|&cell| t.apply(cell)).collect();
    let corner = Cell::min_corner(&moved);
    let place = |(_, cells): &(char, Vec<Cell>)| {
        let mut cells: Vec<Cell> = cells.iter().map(|&cell| t.apply(cell) - corner).collect();
        cells.sort_unstable();
        let piece = open.set.pieces().iter().position(|(piece, _)| piece.has_shape(&cells))?;
        Some(Placement { piece, cells })
    };
    let packing: Option<Vec<Placement>> = shown.pieces.iter().map(place).collect();
    let number = packing.and_then(|packing| map.number_of(&packing));
    number.map(|at| at + 1).ok_or_else(|| refuse("no packing with these pieces"))
}

/// Writes the moves from a packing to its neighbors.
fn steps(
    map: &SolutionMap,
    number: usize,
    open: &OpenFigure<'_>,
    code: &Codes<'_>,
    output: OutputArgs,
) -> Result<()> {
    let vertices = map.vertices();
    if !(1..=vertices).contains(&number) {
        let numbers = match vertices {
            0 => String::new(),
            1 => "; its number is 1".to_owned(),
            _ => format!("; they are numbered from 1 to {vertices}"),
        };
        let packings = count_noun(vertices, "packing");
        let text = format!("the figure has {packings} up to symmetry{numbers}");
        return Err(Failure::usage(text));
    }
    let packing: Vec<_> = map.packing(number - 1).into_iter().cloned().collect();
    let mut columns = vec!["from", "to", "pieces", "moving"];
    columns.extend(open.is_soma_cube().then_some("somap"));
    let mut rows = output.rows(&columns)?;
    for exchange in map.exchanges(number - 1) {
        let moving: Vec<_> = exchange.moving.iter().map(|&at| packing[at].clone()).collect();
        let mut letters: Vec<String> =
            open.named(&moving).into_iter().map(|(piece, _)| piece.to_string()).collect();
        letters.sort_unstable();
        let mut fields = vec![
            number.into(),
            (exchange.to + 1).into(),
            exchange.moving.len().into(),
            letters.join(" ").into(),
        ];
        fields.extend(code(exchange.to).map(|code| code.to_string().into()));
        rows.row(&fields)?;
    }
    Ok(rows.finish()?)
}

fn draw(map: &SolutionMap, code: &Codes<'_>, out: &mut dyn Write) -> Result<()> {
    let missing = |error: std::io::Error| {
        let text = format!("cannot run sfdp of Graphviz ({error}); install Graphviz, or use --dot");
        Failure::failed(text)
    };
    let mut child = Command::new("sfdp")
        .args(["-Tsvg", "-Gsize=12"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(missing)?;
    // Graphviz reads the whole graph before it writes.
    let mut input = child.stdin.take().expect("standard input is piped");
    write_dot(map, code, &mut input)?;
    drop(input);
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(Failure::failed(format!("sfdp of Graphviz failed: {}", output.status)));
    }
    Ok(out.write_all(&output.stdout)?)
}
