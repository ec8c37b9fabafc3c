//! `somacat stand`: tests a figure's stability as one solid, as loose pieces, and while it is built.

use super::open_figure::OpenFigure;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::input::{FigureArgs, RequestedFigure, no_figure};
use crate::cli::shared::output::{OutputArgs, Style, stdout};
use crate::cli::{Exit, Global, stop_on_signals, stopped_early};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use somacat_counting::solve::count;
use somacat_counting::stand::{
    Assembly, DEFAULT_FRICTION, Side, SolidStability, StandError, analyze_stability,
    solid_stability, upright_packings,
};
use somacat_formats::{Format, count_noun};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use somacat_output::export::{Field, Spelling};
use somacat_run::default_limits;
use std::io::Write;

#[derive(Args, Debug)]
#[command(after_help = "\
Three tests. As one solid, on each of its six sides: the figure stands if its center of mass is
above the interior of its support area. margin is the distance from the area's edge, in cells. As
loose pieces, for each packing: it may stand if forces between the pieces, and between them and the
table, can hold every piece. Forces push and never pull, with friction up to --friction times the
normal force. Without such forces the packing falls. By hand: the pieces are lowered straight from
above, one at a time, so that every stage stands in the same sense. order is such an order.

The figure has the position of its source, or the one in which it stands best; --on turns another
side down for the loose pieces. Packings are counted up to the figure's symmetries that keep up and
down. Each separate part must stand, on a table of its own under its lowest cells, even if it hangs
above another part. Balancing on an edge counts as falling. A packing is unknown if it takes too
long, or if its forces cannot be computed accurately; error states the reason. The other packings
are still reported.

Examples:
  somacat stand tower
  somacat stand cube --sample 20 --friction 0.3 --json
  somacat stand crystal --on left --csv")]
pub(crate) struct StandArgs {
    #[command(flatten)]
    subject: FigureArgs,
    /// The coefficient of friction, from 0 to 100.
    #[arg(long, value_name = "MU", default_value_t = DEFAULT_FRICTION, allow_negative_numbers = true)]
    friction: f64,
    /// The side of the figure that the loose pieces stand on.
    #[arg(
        long, value_name = "SIDE", default_value = Side::Bottom.word(),
        value_parser = somacat_output::export::parse_word::<Side>
    )]
    on: Side,
    /// Only N packings, spread evenly over the first 100,000 of a search. Images are included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The maximum number of packings that are tested without `--sample`.
const MAX_PACKINGS_SET_UP: usize = 100_000;

/// The number of packings, images included, from which a sample is taken.
const SAMPLED_PACKINGS: u128 = 100_000;

/// The result for a packing: its number from 1, its stability, and the letters of a building order.
struct PackingStability {
    packing: usize,
    stands: Option<bool>,
    /// `None` if unknown; `Some(None)` if there is no order.
    order: Option<Option<String>>,
    /// The reason why a result is unknown.
    error: Option<StandError>,
}

struct StabilityReport {
    sides: Vec<(Side, SolidStability)>,
    /// The number of packings found, up to symmetry.
    packings: usize,
    /// True if these are all packings.
    complete: bool,
    loose: Vec<PackingStability>,
}

pub(crate) fn stand(global: &Global, args: &StandArgs) -> Result<Exit> {
    // Refuses an invalid coefficient before any work.
    Assembly::new(Vec::new(), args.friction).map_err(|error| Failure::usage(error.to_string()))?;
    let stop = stop_on_signals()?;
    let Some((requested, set)) = args.subject.read(global, args.format)? else {
        return Ok(no_figure());
    };
    let turned = turned(&requested, args.on);
    let open = OpenFigure::new(&turned, &set).context(requested.label.clone())?;
    let mut limits = default_limits(stop);
    if args.sample.is_some() {
        limits.packings = Some(SAMPLED_PACKINGS);
    }
    let most = args.sample.map_or(MAX_PACKINGS_SET_UP, |_| usize::MAX);
    if args.sample.is_none() {
        let counted = count(&open.problem(), limits).context(requested.label.clone())?;
        let unique =
            counted.outcome.unique().filter(|unique| *unique > MAX_PACKINGS_SET_UP as u128);
        if let Some(unique) = unique {
            let text = format!(
                "there are {unique} packings up to symmetry, more than {MAX_PACKINGS_SET_UP}; --sample N tests \
                 some of them"
            );
            return Err(Failure::failed(text)).context(requested.label.clone());
        }
    }
    let found = upright_packings(&open.problem(), limits, most).context(requested.label.clone())?;
    if limits.stopped() {
        return Ok(stopped_early());
    }
    if args.sample.is_none() && !found.complete {
        let text = format!(
            "there are more than {MAX_PACKINGS_SET_UP} packings; --sample N tests some of them"
        );
        return Err(Failure::failed(text)).context(requested.label.clone());
    }
    let row = |at: usize| {
        let packing = open.whole(&found.packings[at]);
        let pieces = packing.iter().map(|(_, cells)| cells.clone()).collect();
        let letters = |order: Vec<usize>| order.into_iter().map(|at| packing[at].0).collect();
        let (stands, order) = match analyze_stability(pieces, args.friction) {
            Ok(loose) => (Some(loose.stands), loose.order),
            Err(error) => (None, Err(error)),
        };
        let (order, error) = match order {
            Ok(order) => (Some(order.map(letters)), None),
            Err(error) => (None, Some(error)),
        };
        PackingStability { packing: at + 1, stands, order, error }
    };
    let chosen = found.spread(args.sample.map_or(MAX_PACKINGS_SET_UP, |sample| sample as usize));
    let loose = chosen.into_par_iter().take_any_while(|_| !limits.stopped()).map(row).collect();
    let report = StabilityReport {
        sides: Side::ALL.map(|side| (side, solid_stability(&requested.figure, side))).into(),
        packings: found.packings.len(),
        complete: found.complete,
        loose,
    };
    if limits.stopped() {
        return Ok(stopped_early());
    }
    match args.output.style() {
        Some(Style::Json | Style::Jsonl) => report.object(&requested, set.name(), args)?,
        _ => report.rows(&requested, set.name(), args)?,
    }
    global.note(&format!("{}: {}", requested.label, report.summary(set.name(), args)));
    Ok(Exit::Ok)
}

/// Returns a figure and its pieces in place with `side` turned down.
fn turned(requested: &RequestedFigure, side: Side) -> RequestedFigure {
    let t = side.turned_down();
    if t == Transform::IDENTITY {
        return requested.clone();
    }
    let image: Vec<_> = requested.figure.cells().iter().map(|&cell| t.apply(cell)).collect();
    let corner = Cell::min_corner(&image);
    let mut turned = requested.clone();
    turned.figure = requested.figure.transformed(t);
    for (_, cells) in turned.marks.iter_mut().flatten() {
        cells.iter_mut().for_each(|cell| *cell = t.apply(*cell) - corner);
        cells.sort_unstable();
    }
    turned
}

impl PackingStability {
    /// Returns true if there is a building order; `None` if unknown.
    fn by_hand(&self) -> Option<bool> {
        self.order.as_ref().map(Option::is_some)
    }
}

impl StabilityReport {
    fn stand(&self) -> usize {
        self.loose.iter().filter(|row| row.stands == Some(true)).count()
    }

    fn by_hand(&self) -> usize {
        self.loose.iter().filter(|row| row.by_hand() == Some(true)).count()
    }

    fn unknown(&self) -> usize {
        self.loose.iter().filter(|row| row.error.is_some()).count()
    }

    fn summary(&self, set: &str, args: &StandArgs) -> String {
        let (sides, of) = (stable_sides(&self.sides), self.loose.len());
        if self.packings == 0 {
            let friction = args.friction;
            return format!(
                "as one solid it stands {sides}; no packing with {set} to set up with friction {friction}"
            );
        }
        let packings = match (of == self.packings, self.complete) {
            (true, true) => count_noun(of, "packing"),
            (_, true) => format!("{of} of {}", count_noun(self.packings, "packing")),
            (_, false) => format!("{of} of the first {}", count_noun(self.packings, "packing")),
        };
        let unknown = match self.unknown() {
            0 => String::new(),
            number => format!("; {number} unknown"),
        };
        format!(
            "as one solid it stands {sides}; of {packings} with {set}, on its {} with friction {}, {} \
             may stand, and {} can be built by hand{unknown}",
            args.on.word(),
            args.friction,
            self.stand(),
            self.by_hand()
        )
    }

    fn object(&self, requested: &RequestedFigure, set: &str, args: &StandArgs) -> Result<()> {
        let side = |(side, rests): &(Side, SolidStability)| {
            let margin = rounded(rests.margin);
            json!({"side": side.word(), "stands": rests.stands, "margin": margin})
        };
        let loose = |row: &PackingStability| {
            let error = row.error.as_ref().map(ToString::to_string);
            json!({
                "packing": row.packing, "stands": row.stands, "by_hand": row.by_hand(),
                "order": row.order, "error": error,
            })
        };
        let object = json!({
            "name": requested.label, "set": set, "friction": args.friction, "on": args.on.word(),
            "sides": self.sides.iter().map(side).collect::<Vec<_>>(),
            "packings": self.packings, "complete": self.complete, "examined": self.loose.len(),
            "stand": self.stand(), "by_hand": self.by_hand(), "unknown": self.unknown(),
            "loose": self.loose.iter().map(loose).collect::<Vec<_>>(),
        });
        Ok(writeln!(stdout(), "{object}")?)
    }

    fn rows(&self, requested: &RequestedFigure, set: &str, args: &StandArgs) -> Result<()> {
        let columns = [
            "name", "set", "friction", "as", "on", "packing", "stands", "margin", "by_hand",
            "order", "error",
        ];
        let mut rows = args.output.rows(&columns)?;
        let yes = |value: bool| Field::from(if value { "yes" } else { "no" });
        let known = |value: Option<bool>| value.map_or(Field::from("unknown"), yes);
        for (side, rests) in &self.sides {
            rows.row(&[
                requested.label.as_str().into(),
                Field::Empty,
                Field::Empty,
                "solid".into(),
                side.word().into(),
                Field::Empty,
                yes(rests.stands),
                Field::Real(rounded(rests.margin)),
                Field::Empty,
                Field::Empty,
                Field::Empty,
            ])?;
        }
        for row in &self.loose {
            let error = row.error.as_ref().map(ToString::to_string);
            rows.row(&[
                requested.label.as_str().into(),
                set.into(),
                Field::Real(args.friction),
                "pieces".into(),
                args.on.word().into(),
                row.packing.into(),
                known(row.stands),
                Field::Empty,
                known(row.by_hand()),
                row.order.iter().flatten().next().map_or(Field::Empty, |o| o.as_str().into()),
                error.as_deref().map_or(Field::Empty, Into::into),
            ])?;
        }
        Ok(rows.finish()?)
    }
}

fn stable_sides(sides: &[(Side, SolidStability)]) -> String {
    let stands = sides.iter().filter(|(_, side)| side.stands);
    match stands.map(|(side, _)| side.word()).collect::<Vec<_>>() {
        none if none.is_empty() => "on no side".to_owned(),
        all if all.len() == sides.len() => "on every side".to_owned(),
        some => format!("on its {}", some.join(", ")),
    }
}

/// Describes a figure's stability as one solid, in its shown position. Includes the margin.
pub(crate) fn shown_position_text(figure: &Figure) -> String {
    let shown = solid_stability(figure, Side::ALL[0]);
    match shown.stands {
        true => format!("as one solid, {:.2} cells from tipping over", shown.margin),
        // Balancing on an edge counts as falling.
        false if shown.margin > -0.005 => "not as shown: it only balances on an edge".to_owned(),
        false => format!("not as shown: it tips over, {:.2} cells beyond the edge", -shown.margin),
    }
}

/// Describes the sides on which a figure stands as one solid. Includes the margin of the shown position.
pub(crate) fn stable_sides_text(figure: &Figure) -> String {
    let sides = Side::ALL.map(|side| (side, solid_stability(figure, side)));
    let shown = shown_position_text(figure).replacen("as one solid,", "as shown", 1);
    format!("as one solid {}; {shown}", stable_sides(&sides))
}

/// Rounds to six decimals, because the lengths are roots.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
