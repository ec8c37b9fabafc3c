//! `somacat takeapart`: whether the pieces of packings come out by straight moves.

use super::one_of_each::OneOfEach;
use super::open_figure::OpenFigure;
use super::packings::NamedPieces;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::input::{FigureArgs, RequestedFigure, RequestedFigures, SetArg, no_figure};
use crate::cli::shared::output::OutputArgs;
use crate::cli::{Exit, Global, report_refused, stop_on_signals};
use clap::Args;
use rayon::prelude::*;
use somacat_counting::opening::{OpenBox, Slide, TakenOut, WayOut};
use somacat_counting::solve::{Limits, PackingSymmetries, Placement, Problem, first, visit};
use somacat_counting::takeapart::{Move, TakenApart, take_apart};
use somacat_formats::{Format, check_size, count_noun};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::pieces::{GAP, PieceSet};
use somacat_output::export::Spelling;
use somacat_run::default_limits;
use std::ops::ControlFlow;

#[derive(Args, Debug)]
#[command(after_help = "\
A move takes one piece, or a group of pieces together, straight in one direction until it is clear
of the pieces that stay. Group and rest are then taken apart by themselves. A packing comes apart if
such moves separate all pieces. Nothing else is in the way: no table, no gravity. The answer is
exact, because a possible move never makes another one impossible.

A row is a packing: one for each class under the figure's rotations and reflections, numbered as by
`solve --unique`; with --limit the first ones that are found, numbered from 1. order lists the
moves: the letters of the pieces, then the direction, in the coordinates of the figure, where -z is
up. With `V -z, L T +x, L -z`, V is lifted out, L and T leave together to the right, and L is lifted
off T. The last piece does not move. Groups move only where no single piece can. Pieces that no move
separates are in parentheses at the end, as in `V -z, (L T)`: they interlock. Copies of a piece are
numbered as `solve` lists them: V1, V2.

With --gaps, cells may stay empty, as many as the figure has more than the pieces fill. So may cells
marked ~ without it. Colors of cells are obeyed (docs/sets.md).

With --opening, FIGURE is the inside of a box, with walls on all sides and a lid that is one cell
thick. The pieces come out through an opening in the lid, one at a time, by straight moves of any
pieces; they do not turn. The opening is drawn as rows of squares, back to front, x for an open one:
`--opening '... .xx .xx'`. A box named by its sides lies on its largest side; draw it to turn it.
A row is then a packing up to the symmetries that keep the opening. order lists moves, with their
cells if more than one, as in `L +x 2, V -z out`, and at the end in parentheses the pieces that stay
in the box. comes_apart is unknown if the search for the next piece to come out meets 200,000
arrangements. Otherwise the answer is exact.

With --totals, a row is a figure, of any number of figures: its packings up to symmetry, how many of
them come apart, and how many come apart one piece at a time.

Examples:
  somacat takeapart tower
  somacat takeapart cube --first
  somacat takeapart crystal --limit 20 --csv
  somacat takeapart 3x3x3 --gaps --set 'L T Z A B' --limit 5 --opening 'xx. xx. ...'
  somacat enumerate buildable --class D4h | somacat takeapart --totals -")]
pub(crate) struct TakeApartArgs {
    #[command(flatten)]
    subject: FigureArgs,
    /// Only one packing, found as fast as possible.
    #[arg(long, conflicts_with_all = ["limit", "totals"])]
    first: bool,
    /// Stop after N packings.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only the numbers of packings, a row for each figure.
    #[arg(long, conflicts_with_all = ["limit", "opening"])]
    totals: bool,
    /// Any cells may stay empty, as many as the figure has more than the pieces fill.
    #[arg(long)]
    gaps: bool,
    /// Take the pieces out of a box through this opening in its lid.
    #[arg(long, value_name = "ROWS")]
    opening: Option<String>,
    /// The file's format, soma, cells, heightmap, layers, points, slices, json or
    /// xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The number of figures that are read together.
const BATCH_FIGURES: usize = 1024;

pub(crate) fn takeapart(global: &Global, args: &TakeApartArgs) -> Result<Exit> {
    let stop = stop_on_signals()?;
    let limits = default_limits(stop);
    if args.totals {
        return totals(global, args, limits);
    }
    let Some((requested, set)) = read(global, args)? else {
        return Ok(no_figure());
    };
    let opening = args.opening.as_deref();
    let way = match opening.map(|rows| open_box(rows, &requested.figure)).transpose()? {
        Some(open) => Way::Opening(open),
        None => Way::Apart,
    };
    let mut rows = args.output.rows(&["packing", "comes_apart", "order"])?;
    let selection = match args.limit {
        _ if args.first => Selection::First,
        Some(_) => Selection::Met,
        None => Selection::Least,
    };
    let mut failed = None;
    let question = Question { requested: &requested, set: &set, way: &way, selection };
    let found = question
        .take_all_apart(limits, &mut |number, pieces, taken| {
            let order = order_text(&taken, pieces);
            failed = rows.row(&[number.into(), taken.answer().into(), order.as_str().into()]).err();
            let goes_on = failed.is_none() && args.limit.is_none_or(|most| number < most);
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .context(requested.label.clone())?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    rows.finish()?;
    let summary = found.summary(&format!(" with {}", set.name()), &way);
    // Without --gaps, the figure's size was assessed before.
    let wrong_size = check_size(requested.figure.len(), &set).err();
    let why = wrong_size.filter(|_| args.gaps && found.packings == 0);
    let why = why.map_or_else(String::new, |refusal| format!(": {refusal}"));
    global.note(&format!("{}: {summary}{why}", requested.label));
    Ok(if limits.stopped() { Exit::Stopped } else { Exit::Ok })
}

/// Reads the figure and its pieces; `None` after a request to stop.
fn read(global: &Global, args: &TakeApartArgs) -> Result<Option<(RequestedFigure, PieceSet)>> {
    let set = SetArg::with_colors(args.subject.set.as_deref())?;
    let Some(requested) = figures(global, args, &set)?.sole()? else { return Ok(None) };
    let pieces = set.for_figure(&requested).map_err(Failure::failed);
    let pieces = requested.with_gaps(pieces.context(requested.label.clone())?);
    Ok(Some((requested, pieces)))
}

/// Opens the figures, whose colors and empty cells are obeyed.
fn figures(global: &Global, args: &TakeApartArgs, set: &SetArg) -> Result<RequestedFigures> {
    let figure = std::slice::from_ref(&args.subject.figure);
    // With gaps, figures may have any number of cells.
    let assessed = (!args.gaps).then_some(set);
    let figures = RequestedFigures::open(global, figure, args.format, assessed)?;
    Ok(figures.obeying_colors().with_gaps(args.gaps))
}

/// Reads the rows of an opening.
fn open_box(rows: &str, figure: &Figure) -> Result<OpenBox> {
    let [width, depth, _] = figure.extents();
    let words =
        || rows.split(|c: char| c.is_whitespace() || c == '/').filter(|word| !word.is_empty());
    let squares = || {
        let row = |(y, word): (i32, &'_ str)| {
            word.chars().zip(0..).map(move |(mark, x)| (mark, [x, y])).collect::<Vec<_>>()
        };
        (0..).zip(words()).flat_map(row)
    };
    let fits = words().count() == depth as usize
        && words().all(|word| word.chars().count() == width as usize)
        && squares().all(|(mark, _)| matches!(mark, 'x' | 'X' | '.'));
    if !fits {
        let (rows_text, squares_text) = (count_noun(depth, "row"), count_noun(width, "square"));
        return Err(Failure::usage(format!(
            "--opening: draw {rows_text} of {squares_text} with blanks between the rows, x for an open square and . for \
             a closed one"
        )));
    }
    let open = squares().filter(|(mark, _)| *mark != '.').map(|(_, square)| square);
    Ok(OpenBox::new(figure, open))
}

/// How pieces are separated.
enum Way {
    /// In the open, until each is alone.
    Apart,
    /// Out of a box.
    Opening(OpenBox),
}

/// The most arrangements of pieces in a box that are looked at for each piece that comes out.
const MAX_ARRANGEMENTS: usize = 200_000;

/// A packing taken apart, in one of the ways.
enum Taken {
    Apart(TakenApart),
    Out(TakenOut),
}

impl Taken {
    /// Returns whether the pieces come apart or out, as in rows.
    fn answer(&self) -> &'static str {
        match self {
            Self::Apart(taken) if taken.comes_apart() => "yes",
            Self::Out(TakenOut { end: WayOut::Out, .. }) => "yes",
            Self::Out(TakenOut { end: WayOut::Undecided, .. }) => "unknown",
            Self::Apart(_) | Self::Out(_) => "no",
        }
    }
}

/// The numbers of packings of a figure, up to symmetry.
#[derive(Default)]
struct Totals {
    packings: u64,
    come_apart: u64,
    one_at_a_time: u64,
    undecided: u64,
    /// True if these are not all packings.
    cut: bool,
}

impl Totals {
    fn add(&mut self, taken: &Taken) {
        self.packings += 1;
        self.come_apart += u64::from(taken.answer() == "yes");
        self.undecided += u64::from(taken.answer() == "unknown");
        let singly =
            |taken: &Taken| matches!(taken, Taken::Apart(taken) if taken.is_one_at_a_time());
        self.one_at_a_time += u64::from(singly(taken));
    }

    fn summary(&self, with: &str, way: &Way) -> String {
        let number = match self.packings {
            0 if self.cut => return format!("stopped before a packing{with} was examined"),
            0 => return format!("no packing{with}"),
            1 if self.cut => "the first packing".to_owned(),
            number if self.cut => format!("the first {}", count_noun(number, "packing")),
            number => count_noun(number, "packing"),
        };
        let Self { packings, come_apart, one_at_a_time, undecided, .. } = self;
        let others = packings - come_apart - undecided;
        match way {
            Way::Apart => format!(
                "{number}{with}: {come_apart} apart by straight moves, {one_at_a_time} of these one piece at a time; \
                 {others} with interlocked pieces"
            ),
            Way::Opening(_) => format!(
                "{number}{with}: {come_apart} out through the opening, {others} with pieces that cannot leave, {undecided} \
                 undecided"
            ),
        }
    }
}

/// The packings that are taken apart.
#[derive(Clone, Copy)]
enum Selection {
    /// One packing, found as fast as possible.
    First,
    /// The first packing found of each class.
    Met,
    /// The least packing of each class.
    Least,
}

/// Which packings of which figure are taken apart, and how.
struct Question<'a> {
    requested: &'a RequestedFigure,
    set: &'a PieceSet,
    way: &'a Way,
    selection: Selection,
}

impl Question<'_> {
    /// Takes packings of the figure apart and passes each on with its number from 1.
    fn take_all_apart(
        &self,
        limits: Limits<'_>,
        each: &mut dyn FnMut(u64, &NamedPieces, Taken) -> ControlFlow<()>,
    ) -> Result<Totals> {
        let Self { requested, set, way, selection } = self;
        let open = OpenFigure::new(requested, set)?;
        let problem = open.problem();
        let mut found = Totals::default();
        let mut take = |packing: &[Placement]| {
            let mut pieces = open.whole(packing);
            pieces.retain(|(letter, _)| *letter != GAP);
            let cells: Vec<Vec<Cell>> = pieces.iter().map(|(_, cells)| cells.clone()).collect();
            let taken = match way {
                Way::Apart => Taken::Apart(take_apart(&cells)),
                Way::Opening(open) => Taken::Out(open.take_out(&cells, MAX_ARRANGEMENTS)),
            };
            found.add(&taken);
            each(found.packings, &pieces, taken)
        };
        let report = if matches!(selection, Selection::First) {
            let (packing, report) = first(&problem, limits)?;
            packing.iter().for_each(|packing| _ = take(packing));
            report
        } else {
            let group = match way {
                Way::Apart => problem.group(),
                Way::Opening(open) => open.symmetries(problem.group()),
            };
            let up_to = Problem::with_group(problem.figure(), problem.set(), group);
            let symmetries = PackingSymmetries::of(&up_to);
            let mut one_of_each = match selection {
                Selection::Met => OneOfEach::first_found(symmetries),
                _ => OneOfEach::least(symmetries),
            };
            visit(&problem, limits, &mut |packing| match one_of_each.selects(packing) {
                true => take(packing),
                false => ControlFlow::Continue(()),
            })?
        };
        found.cut = !report.outcome.is_exact();
        Ok(found)
    }
}

/// Writes the totals of any number of figures.
fn totals(global: &Global, args: &TakeApartArgs, limits: Limits<'_>) -> Result<Exit> {
    let set = SetArg::with_colors(args.subject.set.as_deref())?;
    let mut figures = figures(global, args, &set)?;
    let columns = ["name", "packings", "come_apart", "one_at_a_time"];
    let mut rows = args.output.rows(&columns)?;
    let (mut all, mut number) = (Totals::default(), 0_u64);
    while let chunk = figures.chunk(BATCH_FIGURES)?
        && !chunk.is_empty()
        && !limits.stopped()
    {
        let total = |requested: &RequestedFigure| -> Result<Totals> {
            let set = set.for_figure(requested).map_err(Failure::failed)?;
            let set = requested.with_gaps(set);
            let selection = Selection::Least;
            let question = Question { requested, set: &set, way: &Way::Apart, selection };
            question.take_all_apart(limits, &mut |_, _, _| ControlFlow::Continue(()))
        };
        let found: Vec<Result<Totals>> = chunk.par_iter().map(total).collect();
        for (requested, found) in chunk.iter().zip(found) {
            match found {
                // Packings that a stop cut off would be missing.
                Ok(found) if found.cut => {}
                Ok(found) => {
                    let Totals { packings, come_apart, one_at_a_time, .. } = found;
                    let numbers = [packings, come_apart, one_at_a_time].map(Into::into);
                    let name = std::iter::once(requested.label.as_str().into());
                    rows.row(&name.chain(numbers).collect::<Vec<_>>())?;
                    number += 1;
                    all.packings += packings;
                    all.come_apart += come_apart;
                    all.one_at_a_time += one_at_a_time;
                }
                Err(Failure::Error(_, error)) => {
                    report_refused(&format!("{}: {error:#}", requested.label));
                }
                Err(closed) => return Err(closed),
            }
        }
    }
    rows.finish()?;
    let with = set.fixed().map_or_else(String::new, |set| format!(" with {}", set.name()));
    let figures_text = count_noun(number, "figure");
    match number {
        0 => global.note(&figures_text),
        _ => global.note(&format!("{figures_text}: {}", all.summary(&with, &Way::Apart))),
    }
    Ok(if limits.stopped() { Exit::Stopped } else { Exit::Ok })
}

/// Writes moves and the pieces left in words: `V -z, L T +x, (A B)`. Copies of a piece have numbers.
fn order_text(taken: &Taken, pieces: &NamedPieces) -> String {
    let name = |&at: &usize| {
        let letter = pieces[at].0;
        let is_copy = |(other, _): &&(char, Vec<Cell>)| *other == letter;
        match pieces.iter().filter(is_copy).count() {
            1 => letter.to_string(),
            _ => format!("{letter}{}", pieces[..=at].iter().filter(is_copy).count()),
        }
    };
    let names = |group: &[usize]| group.iter().map(name).collect::<Vec<_>>().join(" ");
    let (moves, left): (Vec<String>, &[Vec<usize>]) = match taken {
        Taken::Apart(taken) => {
            let text = |one: &Move| format!("{} {}", names(&one.pieces), one.direction.word());
            (taken.moves.iter().map(text).collect(), &taken.interlocked)
        }
        Taken::Out(taken) => {
            let text = |slide: &Slide| {
                let far = match (slide.is_out, slide.cells) {
                    (true, _) => " out".to_owned(),
                    (false, 1) => String::new(),
                    (false, cells) => format!(" {cells}"),
                };
                format!("{} {}{far}", name(&slide.piece), slide.direction.word())
            };
            let left = if taken.left.is_empty() { &[] } else { std::slice::from_ref(&taken.left) };
            (taken.slides.iter().map(text).collect(), left)
        }
    };
    let left = left.iter().map(|group| format!("({})", names(group)));
    moves.into_iter().chain(left).collect::<Vec<_>>().join(", ")
}
