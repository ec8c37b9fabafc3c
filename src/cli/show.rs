//! `somacat show`: everything about one figure, with a picture.

use super::facts::{Count, Facts, facts};
use super::input::piece_set;
use super::lookup::look_up;
use super::output::{terminal_width, text};
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::draw::{Corner, Kind, Picture, Scene, TerminalColors, View, terminal};
use crate::export::OutputFile;
use crate::figure::Figure;
use crate::formats::Format;
use crate::solve::Limits;
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Show a figure: picture, layers, symmetry, parity, counts, names, a solution
#[derive(Args, Debug)]
#[command(after_help = "\
The figure is a file (or - for standard input), a signature, or a name in the catalog; * and ?
stand for any text and any character if only one figure is meant. A file needs no catalog: what is
not known is counted on the spot, within --nodes.

In a terminal the picture is drawn in color, unless NO_COLOR is set. --svg and --png write it to a
file instead of showing the rest. Cells that are hidden from the chosen corner are shown in plans
beside it.

Examples:
  somacat show cube
  somacat show s1-2x2x7-yzzzz7 --json
  somacat show figures.soma --number 3
  somacat show tower --svg tower.svg --kind packing
  somacat show tower --png tower.png --kind exploded --size 1200 --corner left-back-top")]
pub(crate) struct ShowArgs {
    /// A file, -, a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// Of a file, only its N-th sound figure.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    /// The pieces, as for `count`; if not given, those of the catalog, else whole sets of so many cells.
    #[arg(long)]
    set: Option<String>,
    /// Search nodes to spend on counting, and as many on a solution.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    nodes: u64,
    /// Write the picture as SVG to a file, or - for standard output.
    #[arg(long, value_name = "FILE", help_heading = "Picture")]
    svg: Option<PathBuf>,
    /// Write the picture as PNG to a file, or - for standard output.
    #[arg(long, value_name = "FILE", help_heading = "Picture")]
    png: Option<PathBuf>,
    /// What the picture shows; exploded and layers show a solution if there is one.
    #[arg(long, value_enum, default_value = "figure", help_heading = "Picture")]
    kind: PictureKind,
    /// Where the viewer stands: left or right, front or back, top or bottom.
    #[arg(long, default_value_t, help_heading = "Picture")]
    corner: Corner,
    /// The longer side of the picture in pixels; 32 for each edge of a cell if not given.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=16384), help_heading = "Picture")]
    size: Option<u32>,
    /// Everything but the picture as a JSON array of objects.
    #[arg(long, conflicts_with_all = ["svg", "png"], help_heading = "Output")]
    json: bool,
    /// Colors in the terminal.
    #[arg(long, value_enum, default_value = "auto", help_heading = "Output")]
    color: ColorChoice,
    /// The file's format; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum PictureKind {
    /// The figure.
    Figure,
    /// A solution, each piece in its color and with its letter.
    Packing,
    /// Every layer by itself.
    Exploded,
    /// Plans of the layers.
    Layers,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ColorChoice {
    /// If standard output is a terminal that is not dumb, and `NO_COLOR` is not set.
    Auto,
    Always,
    Never,
}

pub(super) fn show(global: &Global, args: &ShowArgs) -> anyhow::Result<Exit> {
    let stop = stop_on_signals()?;
    let limits = Limits { nodes: Some(args.nodes), stop: Some(stop), ..Limits::default() };
    let set = args.set.as_deref().map(piece_set).transpose()?;
    let mut files = Files::open(args)?;
    let mut found = look_up(global, &args.figure, args.format)?;
    if let Some(number) = args.number {
        let at = number as usize - 1;
        if at >= found.len() {
            bail!("{} has {} figures, not {number}", args.figure, found.len());
        }
        found = vec![found.swap_remove(at)];
    }
    if files.any() && found.len() > 1 {
        let most = found.len();
        bail!("{} has {most} figures; --number 1 … {most} draws one of them", args.figure);
    }
    let mut out = text();
    let mut all = Vec::new();
    for (at, one) in found.iter().enumerate() {
        let facts = facts(one, set.as_ref(), limits).with_context(|| one.name.clone())?;
        if files.any() {
            files.draw(&one.figure, &facts, args, global.quiet)?;
        } else if args.json {
            all.push(facts);
        } else {
            if at > 0 {
                writeln!(out)?;
            }
            describe(&mut out, &one.figure, &facts, args)?;
        }
        if limits.stopped() {
            out.flush()?;
            return Ok(Exit::Stopped);
        }
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// Where a picture goes.
enum Target {
    Stdout,
    File(OutputFile, PathBuf),
}

impl Target {
    fn open(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let file = OutputFile::create(path).with_context(|| path.display().to_string())?;
        Ok(Self::File(file, path.to_owned()))
    }

    fn write(self, bytes: &[u8], quiet: bool) -> anyhow::Result<()> {
        match self {
            Self::Stdout => Ok(io::stdout().lock().write_all(bytes)?),
            Self::File(mut file, path) => {
                let shown = || path.display().to_string();
                file.write_all(bytes).with_context(shown)?;
                file.commit().with_context(shown)?;
                if !quiet {
                    eprintln(&format!("{} written", path.display()));
                }
                Ok(())
            }
        }
    }
}

/// The pictures to write, opened before any work.
struct Files {
    svg: Option<Target>,
    png: Option<Target>,
}

impl Files {
    fn open(args: &ShowArgs) -> anyhow::Result<Self> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Target::open).transpose();
        Ok(Self { svg: open(&args.svg)?, png: open(&args.png)? })
    }

    const fn any(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    fn draw(
        &mut self,
        figure: &Figure,
        facts: &Facts,
        args: &ShowArgs,
        quiet: bool,
    ) -> anyhow::Result<()> {
        let packing = facts.solution.as_ref().map(|solution| solution.pieces.as_slice());
        let scene = match (args.kind, packing) {
            (PictureKind::Packing, None) => {
                let why = facts.no_solution.as_deref().unwrap_or_default();
                bail!("no solution to draw: {why}");
            }
            (PictureKind::Figure, _) | (_, None) => Scene::of_figure(figure),
            (_, Some(packing)) => Scene::of_packing(figure, packing)?,
        };
        let view = View {
            corner: args.corner,
            kind: match args.kind {
                PictureKind::Figure | PictureKind::Packing => Kind::Solid,
                PictureKind::Exploded => Kind::Exploded,
                PictureKind::Layers => Kind::Layers,
            },
            size: args.size,
            title: facts.name.clone(),
            ..View::default()
        };
        let picture = Picture::new(&scene, &view);
        if let Some(target) = self.svg.take() {
            target.write(picture.svg.as_bytes(), quiet)?;
        }
        if let Some(target) = self.png.take() {
            target.write(&picture.png()?, quiet)?;
        }
        Ok(())
    }
}

/// What the terminal can show, or what was asked for.
fn colors(choice: ColorChoice) -> TerminalColors {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let able = || {
        io::stdout().is_terminal() && variable("NO_COLOR").is_empty() && variable("TERM") != "dumb"
    };
    if choice == ColorChoice::Never || choice == ColorChoice::Auto && !able() {
        TerminalColors::Plain
    } else if matches!(variable("COLORTERM").as_str(), "truecolor" | "24bit") {
        TerminalColors::True
    } else {
        TerminalColors::Ansi256
    }
}

fn describe(
    out: &mut impl Write,
    figure: &Figure,
    facts: &Facts,
    args: &ShowArgs,
) -> anyhow::Result<()> {
    let colors = colors(args.color);
    let columns = terminal_width().filter(|_| io::stdout().is_terminal()).unwrap_or(100);
    let [x, y, z] = facts.extents;
    let parts = if facts.parts == 1 { String::new() } else { format!(", {} parts", facts.parts) };
    writeln!(out, "{} ({} cells in {x}x{y}x{z}{parts})\n", facts.name, facts.cells)?;
    let mut scenes = vec![Scene::of_figure(figure)];
    if let Some(solution) = facts.solution.as_ref().filter(|_| colors != TerminalColors::Plain) {
        scenes.push(Scene::of_packing(figure, &solution.pieces)?);
    }
    let mut hidden = 0;
    for scene in scenes {
        match terminal(&scene, args.corner, usize::from(columns), colors) {
            Some((picture, unseen)) => {
                writeln!(out, "{picture}")?;
                hidden = unseen;
            }
            None => writeln!(out, "(too wide for a picture here; --svg draws one)\n")?,
        }
    }
    if hidden > 0 {
        writeln!(out, "{hidden} of {} cells are hidden above; here are all:\n", facts.cells)?;
    }
    match &facts.layers {
        Some(layers) => write!(out, "{layers}")?,
        None => writeln!(out, "(too spread out for SOMA text)\n")?,
    }
    let mut line = |label: &str, value: &str| writeln!(out, "{label:<16}{value}");
    let joined =
        |numbers: &[usize]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    line("signature", &facts.signature)?;
    line("names", &if facts.names.is_empty() { "none".into() } else { facts.names.join("; ") })?;
    for (at, origin) in facts.origins.iter().enumerate() {
        line(if at == 0 { "from" } else { "" }, origin)?;
    }
    let allen = facts.allen.map(|letter| format!(", Allen {letter}")).unwrap_or_default();
    line("class", &format!("{}{allen}: {}", facts.class, facts.description))?;
    line("order", &format!("{}, {} of them rotations", facts.order, facts.rotation_order))?;
    line("elements", &facts.group.to_string())?;
    line("cyclic orders", &joined(&facts.cyclic_orders))?;
    line("plan", &facts.plan)?;
    line("parity", &facts.parity_argument)?;
    for count in &facts.counts {
        line(&format!("with {}", count.set), &counts(count))?;
    }
    match (&facts.solution, &facts.no_solution) {
        (Some(solution), _) => {
            let source =
                if solution.found == "file" { "as its file shows it" } else { "found now" };
            line(
                "one solution",
                &format!("with {}, {source}:\n\n{}", solution.set, solution.soma.trim_end()),
            )?;
        }
        (None, Some(why)) => line("solution", why)?,
        (None, None) => {}
    }
    Ok(())
}

/// Counts in words that say what they count.
fn counts(count: &Count) -> String {
    let number = |n: Option<u128>| n.map(|n| n.to_string()).unwrap_or_default();
    let now = if count.counted == "now" { ", counted now" } else { "" };
    let reason = count.reason.as_deref().unwrap_or_default();
    match count.verdict.as_str() {
        "counted" => format!(
            "{} raw (all packings), {} up to rotation, {} unique (up to rotation and reflection){now}",
            number(count.raw),
            number(count.rotation),
            number(count.unique)
        ),
        "solvable" => format!("at least {} raw{now}, stopped at a limit", number(count.raw)),
        "unsolvable" => format!("unsolvable ({reason}){now}"),
        "unknown" => format!("unknown: the search was stopped{now}"),
        _ => format!("{}: {reason}", count.verdict),
    }
}
