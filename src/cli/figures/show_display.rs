//! The output of `somacat show`: pictures, layers, a solution and facts, arranged to fit the screen.

use super::figure_view::{ColorChoice, FigureView, Screen, layers, reason_text, soma_text};
use super::stand::{shown_position_text, stable_sides_text};
use crate::cli::failure::Result;
use crate::cli::screen::{labeled, side_by_side, wrapped};
use crate::cli::shared::output::terminal_size;
use somacat_counting::enumerate::FigureNumber;
use somacat_counting::prove::{CaseStep, Marks};
use somacat_counting::stand::DEFAULT_FRICTION;
use somacat_formats::{count_noun, join_words};
use somacat_geometry::boxes::sides_text;
use somacat_geometry::outcome::{Counts, Outcome};
use somacat_geometry::somap::SomapCode;
use somacat_geometry::symmetry::PlanSymbol;
use somacat_output::dossier::{Building, HOW_TO_COUNT, Packing, PackingSource};
use somacat_output::draw::{Corner, Scene, TerminalColors, terminal};
use somacat_output::export::{Spelling, visible};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use unicode_width::UnicodeWidthStr;

/// Returns the requested colors, by default those that the terminal supports.
pub(crate) fn colors(choice: ColorChoice) -> TerminalColors {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let able = || {
        let term = variable("TERM");
        // With eight or sixteen colors the sides of a cell would look alike.
        let few = term.ends_with("16color") || matches!(term.as_str(), "dumb" | "linux" | "ansi");
        io::stdout().is_terminal() && variable("NO_COLOR").is_empty() && !few
    };
    if choice == ColorChoice::Never || choice == ColorChoice::Auto && !able() {
        TerminalColors::Plain
    } else if matches!(variable("COLORTERM").as_str(), "truecolor" | "24bit") {
        TerminalColors::True
    } else {
        TerminalColors::Ansi256
    }
}

/// An arrangement of the output, from the largest to the smallest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DisplayLayout {
    /// Pictures, layers below them, and a solution as text at the bottom.
    Stacked,
    /// Layers and solution side by side.
    TextsBeside,
    /// Layers and solution next to the pictures.
    AllBeside,
    /// The figure with its layers, without a solution.
    WithoutSolution,
    /// The picture of the figure alone.
    PictureOnly,
}

const LAYOUTS: [DisplayLayout; 5] = [
    DisplayLayout::Stacked,
    DisplayLayout::TextsBeside,
    DisplayLayout::AllBeside,
    DisplayLayout::WithoutSolution,
    DisplayLayout::PictureOnly,
];

const LABEL: usize = 14;

/// The content to show about a figure, independent of its arrangement.
struct Display {
    heading: String,
    cells: usize,
    scenes: Vec<Scene>,
    layers: Vec<String>,
    solution: Vec<String>,
    facts: Vec<(String, String)>,
    /// Columns and rows of the screen; `None` for no limit.
    screen: [Option<usize>; 2],
    corner: Corner,
    colors: TerminalColors,
}

/// Prints everything about a figure.
pub(crate) fn describe(out: &mut impl Write, shown: &FigureView, screen: &Screen) -> Result<()> {
    for line in Display::new(shown, screen)?.lines() {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// States a proof by marks in words. Without a set there is none.
pub(crate) fn marks_in_words(shown: &FigureView, marks: &Marks) -> String {
    shown.set.as_ref().ok().map(|set| marks.in_words(set)).unwrap_or_default()
}

/// Prints a figure and how to build it, in words.
pub(crate) fn describe_building(
    out: &mut impl Write,
    shown: &FigureView,
    screen: &Screen,
    packing: &Packing,
) -> Result<()> {
    let mut display = Display::new(shown, screen)?;
    let steps = packing.instructions().into_iter().enumerate();
    display.facts = steps.map(|(at, step)| ((at + 1).to_string(), step)).collect();
    let notes = packing.warning().into_iter().chain([HOW_TO_COUNT]);
    display.facts.extend(notes.map(|note| (String::new(), note.to_owned())));
    for line in display.lines() {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Prints a figure with the steps of a proof by cases that it cannot be built.
pub(crate) fn describe_cases(
    out: &mut impl Write,
    shown: &FigureView,
    screen: &Screen,
    steps: &[CaseStep],
) -> Result<()> {
    let mut display = Display::new(shown, screen)?;
    display.solution = Vec::new();
    let legend = "? is the cell to be covered, a digit is a mark, o a cell without one.";
    display.facts = vec![("proof".to_owned(), legend.to_owned())];
    for line in display.lines() {
        writeln!(out, "{line}")?;
    }
    for step in steps {
        writeln!(out, "\n{}", step.words)?;
        write!(out, "{}", step.drawing.as_deref().unwrap_or_default())?;
    }
    Ok(())
}

/// Prints a figure with marks that prove that it cannot be built.
pub(crate) fn describe_proof(
    out: &mut impl Write,
    shown: &FigureView,
    screen: &Screen,
    marks: &Marks,
) -> Result<()> {
    let figure = shown.dossier.candidate.figure();
    let mut display = Display::new(shown, screen)?;
    display.scenes = vec![Scene::of_weights(figure, &marks.weights)];
    display.solution = Vec::new();
    display.facts = vec![("proof".to_owned(), marks_in_words(shown, marks))];
    if let Some(drawing) = marks.drawing(figure) {
        display.layers = drawing.lines().map(str::to_owned).collect();
        display.facts.push((String::new(), "A digit is a mark, o a cell without one.".to_owned()));
    }
    for line in display.lines() {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

impl Display {
    fn new(shown: &FigureView, screen: &Screen) -> Result<Self> {
        let dossier = &shown.dossier;
        let figure = dossier.candidate.figure();
        let colors = colors(screen.color);
        let [columns, rows] = terminal_size().map(|size| size.map(usize::from));
        let columns_known = dossier.candidate.columns();
        let extents = sides_text(figure.extents());
        let parts = match columns_known.parts {
            1 => String::new(),
            parts => format!(", {parts} parts"),
        };
        let title = dossier.presentation.title.as_ref().filter(|title| **title != dossier.heading);
        let size = count_noun(columns_known.cells, "cell");
        let size = format!("({size} in {extents}{parts})");
        let mut facts = facts(shown, screen.all);
        let mut heading = format!("{} {size}", dossier.heading);
        if let Some(title) = title {
            let with_title = format!("{}: {title} {size}", dossier.heading);
            if columns.is_none_or(|columns| with_title.width() <= columns) {
                heading = with_title;
            } else {
                facts.insert(0, ("title".to_owned(), title.clone()));
            }
        }
        let packing = shown.packing();
        let mut scenes = vec![Scene::of_figure(figure)];
        if let Some(packing) = packing.as_ref().ok().filter(|_| colors != TerminalColors::Plain) {
            scenes.push(Scene::of_packing(figure, &packing.pieces)?);
        }
        let lines = |text: &str| visible(text.trim_end()).lines().map(str::to_owned).collect();
        let layers: Vec<String> = match layers(dossier) {
            Some(layers) => lines(&layers),
            None => vec!["(too spread out for SOMA text)".to_owned()],
        };
        let mut solution = Vec::new();
        match &packing {
            Ok(packing) => {
                let source = match packing.source {
                    PackingSource::File => "as published",
                    PackingSource::Search => "found now",
                };
                let set = shown.set_name().unwrap_or_default();
                solution.push(format!("Solution with {set}, {source}:"));
                solution.extend(match soma_text(shown, packing) {
                    Ok(text) => lines(&text),
                    Err(_) => vec!["(cannot be written as SOMA text)".to_owned()],
                });
            }
            Err(why) => facts.push(("solution".to_owned(), reason_text(why))),
        }
        let corner = scenes[0].corner(screen.corner);
        Ok(Self {
            heading: visible(&heading).replace('\n', " "),
            cells: columns_known.cells,
            scenes,
            layers,
            solution,
            facts,
            screen: if screen.all { [columns, None] } else { [columns, rows] },
            corner,
            colors,
        })
    }

    /// Returns the lines of the largest layout that fits the screen.
    fn lines(&self) -> Vec<String> {
        // The prompt needs the last row of the screen.
        let fits = |lines: &Vec<String>| self.screen[1].is_none_or(|rows| lines.len() < rows);
        let facts: Vec<Vec<&(String, String)>> = (0..=DROPPABLE_FACTS.len())
            .map(|spared| {
                let is_left =
                    |(label, _): &&(String, String)| !DROPPABLE_FACTS[..spared].contains(&&**label);
                self.facts.iter().filter(is_left).collect()
            })
            .collect();
        for (layout, facts) in LAYOUTS.into_iter().flat_map(|l| facts.iter().map(move |f| (l, f))) {
            // The largest picture first, then smaller ones.
            let mut most = usize::MAX;
            loop {
                let (pictures, hidden) = self.pictures(layout, most);
                let Some(height) = pictures.first().map(Vec::len) else { break };
                let lines = self.arranged(layout, &pictures, hidden, facts);
                if fits(&lines) {
                    return lines;
                }
                most = height.saturating_sub(1);
            }
        }
        let without =
            LAYOUTS.map(|layout| self.arranged(layout, &[], 0, &facts[DROPPABLE_FACTS.len()]));
        let [.., least] = &without;
        without.iter().find(|lines| fits(lines)).unwrap_or(least).clone()
    }

    /// Returns a layout's pictures and the number of hidden cells. Each picture has at most `rows` rows.
    ///
    /// There is no picture if the screen is too small.
    fn pictures(&self, layout: DisplayLayout, rows: usize) -> (Vec<Vec<String>>, usize) {
        let columns = self.screen[0].unwrap_or(100);
        let mut hidden = 0;
        let scenes = match layout {
            DisplayLayout::WithoutSolution | DisplayLayout::PictureOnly => &self.scenes[..1],
            _ => &self.scenes[..],
        };
        let mut picture = |scene: &Scene| {
            let (picture, unseen) = terminal(scene, self.corner, [columns, rows], self.colors)?;
            hidden = unseen;
            Some(picture.lines().map(str::to_owned).collect())
        };
        (scenes.iter().filter_map(&mut picture).collect(), hidden)
    }

    /// Returns the heading, with the labels of the facts that are left out. On the same line they take no row from the
    /// solution.
    fn heading_naming_left_out(&self, facts: &[&(String, String)]) -> Vec<String> {
        let has = |label: &str| facts.iter().any(|(shown, _)| shown == label);
        let all = self.facts.iter().map(|(label, _)| label).filter(|label| !has(label));
        let left_out: BTreeSet<String> = all.cloned().collect();
        if left_out.is_empty() {
            return vec![self.heading.clone()];
        }
        let left_out: Vec<String> = left_out.into_iter().collect();
        let heading = format!("{}; --all adds {}", self.heading, join_words(&left_out));
        wrapped(&heading, self.screen[0].unwrap_or(usize::MAX))
    }

    fn arranged(
        &self,
        layout: DisplayLayout,
        pictures: &[Vec<String>],
        hidden: usize,
        facts: &[&(String, String)],
    ) -> Vec<String> {
        let columns = self.screen[0].unwrap_or(100);
        let mut layers = self.layers.clone();
        if hidden > 0 {
            let (cells, are) = (self.cells, if hidden == 1 { "is" } else { "are" });
            layers
                .insert(0, format!("{hidden} of {cells} cells {are} hidden in this view. Layers:"));
        } else {
            layers.insert(0, "Layers, from the top:".to_owned());
        }
        let view = self.corner.in_words();
        if !pictures.is_empty() && !view.is_empty() {
            layers.insert(0, view);
        }
        let texts = [layers, self.solution.clone()];
        let mut lines = self.heading_naming_left_out(facts);
        let blank = || vec![String::new()];
        match layout {
            DisplayLayout::Stacked => {
                lines.extend(blank());
                lines.extend(side_by_side(pictures, columns));
                for text in texts.into_iter().filter(|text| !text.is_empty()) {
                    lines.extend(blank().into_iter().chain(text));
                }
                lines.extend(blank());
            }
            DisplayLayout::TextsBeside => {
                lines.extend(side_by_side(pictures, columns));
                lines.extend(side_by_side(&texts, columns));
            }
            DisplayLayout::AllBeside => {
                lines.extend(side_by_side(&[pictures, &texts].concat(), columns));
            }
            DisplayLayout::WithoutSolution => {
                lines.extend(side_by_side(&[pictures, &texts[..1]].concat(), columns));
            }
            DisplayLayout::PictureOnly => lines.extend(side_by_side(pictures, columns)),
        }
        let wide = self.screen[0].unwrap_or(usize::MAX);
        for (label, text) in facts {
            lines.extend(labeled(label, LABEL, &visible(text), wide));
        }
        let solution = Some("a solution").filter(|_| !self.solution.is_empty());
        let left_out: Vec<&str> = match layout {
            DisplayLayout::WithoutSolution => solution.into_iter().collect(),
            DisplayLayout::PictureOnly => ["the layers"].into_iter().chain(solution).collect(),
            _ => Vec::new(),
        };
        if pictures.is_empty() {
            lines.push("There is no room for a picture here; --svg FILE draws one.".to_owned());
        }
        if !left_out.is_empty() {
            let left_out: Vec<String> = left_out.into_iter().map(str::to_owned).collect();
            let left_out = join_words(&left_out);
            let text = format!("There is no room for {left_out} here; --all shows everything.");
            lines.extend(wrapped(&text, wide));
        }
        lines
    }
}

/// Returns the known facts with their labels, line by line.
fn facts(shown: &FigureView, all: bool) -> Vec<(String, String)> {
    let dossier = &shown.dossier;
    let group = dossier.candidate.group();
    let class = group.class();
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |label: &str, text: String| facts.push((label.to_owned(), text));
    let candidate = &dossier.candidate;
    let number = if !all && FigureNumber::exists(candidate) && !FigureNumber::is_quick(candidate) {
        "; --all determines its number".to_owned()
    } else {
        FigureNumber::of(candidate).map(|number| format!(", number {number}")).unwrap_or_default()
    };
    fact("signature", format!("{}{number}", dossier.signature));
    let names = dossier.names_in_words();
    fact("names", if names.is_empty() { "none".into() } else { names.join("; ") });
    let origins = dossier.origins_in_words();
    let most = if all || origins.len() <= MAX_SOURCES { origins.len() } else { MAX_SOURCES - 1 };
    for (at, origin) in origins[..most].iter().enumerate() {
        fact(if at == 0 { "from" } else { "" }, origin.clone());
    }
    if most < origins.len() {
        fact("", format!("and {} more, which --all lists", origins.len() - most));
    }
    let allen = class.allen().map(|letter| format!(", Allen {letter}")).unwrap_or_default();
    if group.order() == 1 {
        fact("class", format!("{}{allen}, OEIS {}: no symmetry", class.name(), class.oeis()));
    } else {
        let (name, oeis, description) = (class.name(), class.oeis(), class.description());
        fact("class", format!("{name}{allen}, OEIS {oeis}: {description}"));
        let (order, rotations) = (group.order(), group.rotation_order());
        let rotations = count_noun(rotations, "rotation");
        let cyclic: Vec<String> = group.cyclic_orders().iter().map(ToString::to_string).collect();
        let (cyclic, plan) = (cyclic.join(" "), PlanSymbol::of(group));
        fact("order", format!("{order}, with {rotations}; cyclic orders {cyclic}; plan {plan}"));
    }
    if all {
        fact("elements", group.to_string());
    }
    let figure = dossier.candidate.figure();
    let [map, solutions, loose_pieces, stands] = DROPPABLE_FACTS;
    fact(stands, if all { stable_sides_text(figure) } else { shown_position_text(figure) });
    if let Some(text) = shown.packing().ok().and_then(as_loose_pieces) {
        fact(loose_pieces, text);
    }
    let codes = |packing: &Packing| {
        let pieces = &packing.pieces;
        Some((SomapCode::of(pieces)?, SomapCode::of_mirror_image(pieces)?))
    };
    if let Some((code, mirrored)) = shown.packing().ok().and_then(codes) {
        fact("SOMAP", format!("the solution is of kind {code}, its mirror image {mirrored}"));
    }
    fact("parity", dossier.parity_argument(shown.set.as_ref().ok()));
    for known in &dossier.outcomes {
        if let (Some(set), Some(report)) = (&known.set, &known.report) {
            let (label, numbers) = (format!("with {set}"), counts(&report.outcome, known.fresh));
            let marks = known.marks(figure);
            let cases = if marks.is_some() { None } else { known.cases(figure) };
            fact(
                &label,
                match cases {
                    Some(steps) => {
                        let cases = count_noun(steps.len() - 1, "case");
                        format!("{numbers}; --kind proof shows why, in {cases}")
                    }
                    None => numbers,
                },
            );
            if let (Some(marks), Some(pieces)) = (marks, &known.pieces) {
                fact("proof", marks.in_words(pieces));
            }
            if let Some(text) = known.map_in_words() {
                fact(map, format!("{set}: {text}"));
            }
            if let Some(text) = known.stand_in_words() {
                fact(solutions, format!("{set}: {text}"));
            }
        }
    }
    facts
}

/// The labels of facts dropped, in this order, to fit a solution.
const DROPPABLE_FACTS: [&str; 4] = ["map", "solutions", "loose pieces", "stands"];

/// Describes a solution as loose pieces; `None` if its stability is unknown.
fn as_loose_pieces(solution: &Packing) -> Option<String> {
    let friction = format!("with friction {DEFAULT_FRICTION}");
    if !solution.stands? {
        return Some(format!("the solution does not stand {friction}"));
    }
    let built = match solution.building {
        Building::Stable => {
            let order: Vec<String> =
                solution.order_in_letters().chars().map(String::from).collect();
            format!(", and so does every stage in the order {}", order.join(" "))
        }
        Building::Unstable => {
            ", but built from above some stage falls, whatever the order".to_owned()
        }
        Building::Interlocked => ", but its pieces cannot all be lowered from above".to_owned(),
        Building::StabilityUnknown => "; whether every stage does was not determined".to_owned(),
    };
    Some(format!("the solution stands {friction}{built}"))
}

const MAX_SOURCES: usize = 3;

fn counts(outcome: &Outcome, fresh: bool) -> String {
    let now = if fresh { ", counted now" } else { "" };
    match outcome {
        Outcome::Counted(Counts { raw, rotation, unique }) => {
            format!("{raw} raw (all packings), {rotation} up to rotation, {unique} unique{now}")
        }
        Outcome::AtLeast(raw) => format!("at least {raw} raw{now}, stopped at a limit"),
        Outcome::Unsolvable(reason) => format!("unsolvable ({}){now}", reason.word()),
        Outcome::Unknown => format!("unknown: the search was stopped{now}"),
        Outcome::Failed(error) => format!("failed: {error}"),
    }
}
