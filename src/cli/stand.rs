//! `somacat stand`: whether a figure stands, as one solid, as loose pieces, and while it is built.

use super::failure::{About, Failure, Result};
use super::input::{Asked, Figures, SetArg};
use super::open_figure::OpenFigure;
use super::output::{OutputArgs, Style, text};
use super::{Exit, Global, eprintln, stop_on_signals};
use crate::export::{Field, Word};
use crate::figure::Figure;
use crate::formats::{Format, quantity};
use crate::lattice::{Cell, Transform};
use crate::run::default_limits;
use crate::solve::count;
use crate::stand::{
    Assembly, Resting, Side, StandError, USUAL_FRICTION, lies_on, set_up, upright_packings,
};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use std::io::Write;

#[derive(Args, Debug)]
#[command(after_help = "\
Three questions. As one solid, on each of its six sides: does the center of mass lie above the
inside of what touches the table? margin is its distance from the edge of that, in cells. As loose
pieces, for each packing: are there forces between the pieces, and between them and the table, that
push and never pull, with friction up to --friction times what pushes, that hold every piece? If so
it may stand, if not it falls. By hand: can the pieces be lowered straight from above, one after the
other, so that every stage stands like that? order is such an order.

The figure lies as its source has it, or as it stands best; --on turns another side down for the
loose pieces. Packings count up to the figure's symmetries that leave up and down alone. Separate
parts stand each by itself. What balances on an edge falls. Where a packing takes too long, or its
forces are not found to the digits that it takes, it is unknown, and error says why; the others are
told all the same.

Examples:
  somacat stand tower
  somacat stand cube --sample 20 --friction 0.3 --json
  somacat stand crystal --on left --csv")]
pub(crate) struct StandArgs {
    /// A file, -, a signature, or a name in the catalog.
    #[arg(value_name = "FIGURE")]
    figure: String,
    /// The pieces: SOMA, 2xSOMA, SOMA+, letters such as `V L T2`, a file of pieces, or auto: by the
    /// number of cells and the marks. SOMA for files unless given.
    #[arg(long)]
    set: Option<String>,
    /// The coefficient of friction, from 0 on.
    #[arg(long, value_name = "MU", default_value_t = USUAL_FRICTION, allow_negative_numbers = true)]
    friction: f64,
    /// The side of the figure that the loose pieces stand on.
    #[arg(long, value_name = "SIDE", default_value = Side::Bottom.word(), value_parser = crate::export::parse_word::<Side>)]
    on: Side,
    /// Only N packings, spread evenly over the first 100,000 that a search meets, images included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// The file's format, soma, cells, heightmap, slices or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The most packings that are set up without `--sample`.
const MOST: usize = 100_000;

/// The packings, images included, that a sample is taken from.
const SAMPLED: u128 = 100_000;

/// A packing that was set up: its number from 1, whether it stands, and the letters of the pieces in a building order, as
/// far as these are known.
struct Row {
    packing: usize,
    stands: Option<bool>,
    /// None if it is not known whether there is an order.
    order: Option<Option<String>>,
    /// Why something is not known.
    error: Option<StandError>,
}

/// Everything that is told about a figure.
struct Standing {
    sides: Vec<(Side, Resting)>,
    /// Packings that a search met, up to symmetry, and whether those are all.
    packings: usize,
    complete: bool,
    /// Those that were set up.
    loose: Vec<Row>,
}

pub(super) fn stand(global: &Global, args: &StandArgs) -> Result<Exit> {
    // Refused before any work.
    Assembly::new(Vec::new(), args.friction).map_err(|error| Failure::usage(error.to_string()))?;
    let set = SetArg::new(args.set.as_deref())?;
    let stop = stop_on_signals()?;
    let Some(asked) = Figures::one(global, &args.figure, args.format)? else {
        return Ok(Exit::Partial);
    };
    let set = set.of(&asked).map_err(Failure::failed).about(asked.label.clone())?;
    let turned = turned(&asked, args.on);
    let open = OpenFigure::new(&turned, &set).about(asked.label.clone())?;
    let mut limits = default_limits(stop);
    if args.sample.is_some() {
        limits.packings = Some(SAMPLED);
    }
    let most = args.sample.map_or(MOST, |_| usize::MAX);
    if args.sample.is_none() {
        let counted = count(&open.problem(), limits).about(asked.label.clone())?;
        let unique = counted.outcome.unique().filter(|unique| *unique > MOST as u128);
        if let Some(unique) = unique {
            let text = format!(
                "there are {unique} packings up to symmetry, of which up to {MOST} are set up; \
                 --sample N takes some of them"
            );
            return Err(Failure::failed(text)).about(asked.label.clone());
        }
    }
    let found = upright_packings(&open.problem(), limits, most).about(asked.label.clone())?;
    if limits.stopped() {
        return Ok(Exit::Stopped);
    }
    if args.sample.is_none() && !found.complete {
        let text = format!("there are more than {MOST} packings; --sample N takes some of them");
        return Err(Failure::failed(text)).about(asked.label.clone());
    }
    let row = |at: usize| {
        let packing = open.whole(&found.packings[at]);
        let pieces = packing.iter().map(|(_, cells)| cells.clone()).collect();
        let letters = |order: Vec<usize>| order.into_iter().map(|at| packing[at].0).collect();
        let (stands, order) = match set_up(pieces, args.friction) {
            Ok(loose) => (Some(loose.stands), loose.order),
            Err(error) => (None, Err(error)),
        };
        match order {
            Ok(order) => {
                Row { packing: at + 1, stands, order: Some(order.map(letters)), error: None }
            }
            Err(error) => Row { packing: at + 1, stands, order: None, error: Some(error) },
        }
    };
    let chosen = found.spread(args.sample.map_or(MOST, |sample| sample as usize));
    let loose = chosen.into_par_iter().take_any_while(|_| !limits.stopped()).map(row).collect();
    let standing = Standing {
        sides: Side::ALL.map(|side| (side, lies_on(&asked.figure, side))).into(),
        packings: found.packings.len(),
        complete: found.complete,
        loose,
    };
    if limits.stopped() {
        return Ok(Exit::Stopped);
    }
    match args.output.style() {
        Some(Style::Json | Style::Jsonl) => standing.object(&asked, set.name(), args)?,
        _ => standing.rows(&asked, set.name(), args)?,
    }
    if !global.quiet {
        eprintln(&format!("{}: {}", asked.label, standing.summary(set.name(), args)));
    }
    Ok(Exit::Ok)
}

/// A figure with a side turned down; its pieces in place are turned with it.
fn turned(asked: &Asked, side: Side) -> Asked {
    let t = side.turned_down();
    if t == Transform::IDENTITY {
        return asked.clone();
    }
    let image: Vec<_> = asked.figure.cells().iter().map(|&cell| t.apply(cell)).collect();
    let corner = Cell::min_corner(&image);
    let mut turned = asked.clone();
    turned.figure = asked.figure.transformed(t);
    for (_, cells) in turned.marks.iter_mut().flatten() {
        cells.iter_mut().for_each(|cell| *cell = t.apply(*cell) - corner);
        cells.sort_unstable();
    }
    turned
}

impl Row {
    /// Whether there is a building order.
    fn by_hand(&self) -> Option<bool> {
        self.order.as_ref().map(Option::is_some)
    }
}

impl Standing {
    fn stand(&self) -> usize {
        self.loose.iter().filter(|row| row.stands == Some(true)).count()
    }

    fn by_hand(&self) -> usize {
        self.loose.iter().filter(|row| row.by_hand() == Some(true)).count()
    }

    /// Of how many packings something is not known.
    fn unknown(&self) -> usize {
        self.loose.iter().filter(|row| row.error.is_some()).count()
    }

    fn summary(&self, set: &str, args: &StandArgs) -> String {
        let (sides, of) = (on_which(&self.sides), self.loose.len());
        if self.packings == 0 {
            let friction = args.friction;
            return format!(
                "as one solid it stands {sides}; no packing with {set} to set up with friction {friction}"
            );
        }
        let packings = match (of == self.packings, self.complete) {
            (true, true) => quantity(of, "packing"),
            (_, true) => format!("{of} of {}", quantity(self.packings, "packing")),
            (_, false) => format!("{of} of the first {}", quantity(self.packings, "packing")),
        };
        let unknown = match self.unknown() {
            0 => String::new(),
            number => format!("; {number} not told"),
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

    fn object(&self, asked: &Asked, set: &str, args: &StandArgs) -> Result<()> {
        let side = |(side, rests): &(Side, Resting)| json!({"side": side.word(), "stands": rests.stands, "margin": rounded(rests.margin)});
        let loose = |row: &Row| json!({"packing": row.packing, "stands": row.stands, "by_hand": row.by_hand(), "order": row.order, "error": row.error.as_ref().map(ToString::to_string)});
        let object = json!({
            "name": asked.label, "set": set, "friction": args.friction, "on": args.on.word(),
            "sides": self.sides.iter().map(side).collect::<Vec<_>>(),
            "packings": self.packings, "complete": self.complete, "examined": self.loose.len(),
            "stand": self.stand(), "by_hand": self.by_hand(), "unknown": self.unknown(),
            "loose": self.loose.iter().map(loose).collect::<Vec<_>>(),
        });
        Ok(writeln!(text(), "{object}")?)
    }

    fn rows(&self, asked: &Asked, set: &str, args: &StandArgs) -> Result<()> {
        let columns = [
            "name", "set", "friction", "as", "on", "packing", "stands", "margin", "by_hand",
            "order", "error",
        ];
        let mut rows = args.output.rows(&columns)?;
        let yes = |value: bool| Field::from(if value { "yes" } else { "no" });
        let known = |value: Option<bool>| value.map_or(Field::from("unknown"), yes);
        for (side, rests) in &self.sides {
            rows.row(&[
                asked.label.as_str().into(),
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
                asked.label.as_str().into(),
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

/// On which sides a solid stands, in words.
fn on_which(sides: &[(Side, Resting)]) -> String {
    let stands = sides.iter().filter(|(_, side)| side.stands);
    match stands.map(|(side, _)| side.word()).collect::<Vec<_>>() {
        none if none.is_empty() => "on no side".to_owned(),
        all if all.len() == sides.len() => "on every side".to_owned(),
        some => format!("on its {}", some.join(", ")),
    }
}

/// Whether a figure stands as one solid where it is shown, in words, with the margin.
pub(super) fn as_shown(figure: &Figure) -> String {
    let shown = lies_on(figure, Side::ALL[0]);
    match shown.stands {
        true => format!("as one solid, {:.2} cells from tipping over", shown.margin),
        false => format!("not as shown: it tips over, {:.2} cells beyond the edge", -shown.margin),
    }
}

/// On which sides a figure stands as one solid, in words, with the margin where it is shown.
pub(super) fn as_solid(figure: &Figure) -> String {
    let sides = Side::ALL.map(|side| (side, lies_on(figure, side)));
    format!("as one solid {}; as shown: {}", on_which(&sides), as_shown(figure))
}

/// To six digits after the point: the lengths are roots.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
