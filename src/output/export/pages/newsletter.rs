//! Chosen figures for print and mail: an HTML page, and Markdown with pictures.

use super::template_data::{FigureData, OutcomeData};
use super::templates::{environment, escaped, file_stem};
use crate::dossier::{Dossier, SetOutcome};
use crate::draw::{Picture, Plans, Scene, View, dot_paper, packing_svg, tray};
use crate::export::{SiteError, SiteFolder, doubling_classes, escape_markdown, histogram_svg};
use crate::limited::{Ended, run_limited};
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, context};
use rayon::prelude::*;
use somacat_geometry::outcome::Verdict;
use somacat_geometry::pieces::{Piece, PieceSet};
use std::path::Path;

pub const HTML_TEMPLATE: &str = include_str!("../site/newsletter.html");
pub const MARKDOWN_TEMPLATE: &str = include_str!("../site/newsletter.md");
/// The variables of templates, as a comment of a template.
pub const TEMPLATE_VARIABLES: &str = include_str!("../site/template_variables.txt");

const HTML: &str = "newsletter.html";
const MARKDOWN: &str = "newsletter.md";

#[derive(Clone, Debug)]
pub struct Template {
    /// The file, as it was named.
    pub file: String,
    pub text: String,
}

/// The figures to build on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// At most this many.
    UpTo(usize),
    /// One, four, six or twelve: the fewest that hold all figures.
    #[default]
    Auto,
    /// Cards to cut out, with the answer on the back. They are for printing on both sides.
    Cards,
}

/// The columns and rows of pages of cards, smallest cards first.
const CARDS: [[usize; 2]; 5] = [[2, 4], [2, 3], [2, 2], [1, 2], [1, 1]];

/// Returns the columns and rows of the pages of so many cards, unless these need more room: at most eight, larger ones of
/// fewer.
const fn card_grid(figures: usize) -> [usize; 2] {
    match figures {
        0..=1 => [1, 1],
        2 => [1, 2],
        3..=4 => [2, 2],
        _ => [2, 4],
    }
}

impl Layout {
    fn most(self, figures: usize) -> usize {
        match self {
            Self::UpTo(most) => most,
            Self::Cards => card_grid(figures).iter().product(),
            Self::Auto => [1, 4, 6].into_iter().find(|&most| most >= figures).unwrap_or(12),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Newsletter {
    pub title: String,
    /// A paragraph below the title; may be empty.
    pub intro: String,
    /// The issue's number and date, as text; may be empty.
    pub issue: String,
    pub date: String,
    pub layout: Layout,
    /// True to add the table and the histogram.
    pub numbers: bool,
    /// True for a ladder: a page for each number of pieces, with paper for drawing.
    pub ladder: bool,
    pub html: Template,
    pub markdown: Template,
}

impl Default for Newsletter {
    fn default() -> Self {
        Self {
            title: "SOMA figures".to_owned(),
            intro: String::new(),
            issue: String::new(),
            date: String::new(),
            layout: Layout::default(),
            numbers: true,
            ladder: false,
            html: Template { file: HTML.to_owned(), text: HTML_TEMPLATE.to_owned() },
            markdown: Template { file: MARKDOWN.to_owned(), text: MARKDOWN_TEMPLATE.to_owned() },
        }
    }
}

/// A newsletter with valid templates and a writable folder.
pub struct PreparedNewsletter {
    folder: SiteFolder,
    templates: Environment<'static>,
    /// The names of the templates for the two files.
    names: [(&'static str, String); 2],
    plan: Newsletter,
}

impl Newsletter {
    /// Checks the templates and prepares the folder.
    pub fn create(self, folder: &Path) -> Result<PreparedNewsletter, SiteError> {
        let names = [(HTML, self.html.file.clone()), (MARKDOWN, self.markdown.file.clone())];
        let mut templates = environment()?;
        let markdown = names[1].1.clone();
        templates.set_auto_escape_callback(move |name| {
            if name == markdown { AutoEscape::Custom("markdown".into()) } else { AutoEscape::Html }
        });
        templates.set_formatter(|out, state, value| {
            let markdown = matches!(state.auto_escape(), AutoEscape::Custom(_));
            if !markdown {
                return escaped(out, state, value);
            }
            let text = value.to_string();
            let text = if value.is_safe() { text } else { escape_markdown(&text) };
            Ok(out.write_str(&text)?)
        });
        // Compiling computes constants, so it has the same limits.
        for template in [&self.html, &self.markdown] {
            let (name, text) = (template.file.clone(), template.text.clone());
            let compile = move || {
                templates.add_template_owned(name, text)?;
                Ok(templates)
            };
            templates = limited(&template.file, compile)?;
        }
        let folder = SiteFolder::create(folder, "newsletter")?;
        Ok(PreparedNewsletter { folder, templates, names, plan: self })
    }
}

/// The division of the answers into pages.
struct AnswerPages {
    on_page: usize,
    /// True if the table of numbers is on the answers' last page.
    joined: bool,
    /// True if there are few numbers.
    few: bool,
    /// The most answers that have room for large text, on a page and on the last.
    large: [usize; 2],
    /// Width and height of an answer's picture.
    space: [f64; 2],
}

impl PreparedNewsletter {
    /// Writes both files and the pictures, and renames the folder into place.
    pub fn publish(mut self, figures: &[Dossier]) -> Result<(), SiteError> {
        // Figures that cannot be built follow in a section of their own.
        let (impossible, buildable): (Vec<&Dossier>, Vec<&Dossier>) =
            figures.iter().partition(|figure| is_impossible(figure));
        let mut shown = Vec::with_capacity(figures.len());
        let mut answers = Vec::new();
        let most = self.plan.layout.most(figures.len());
        let all = buildable.iter().chain(&impossible).copied();
        let mut all: Vec<(&Dossier, FigureData)> =
            all.map(|figure| (figure, FigureData::new(figure))).collect();
        all.par_iter_mut().for_each(|(figure, data)| data.find_proofs(figure));
        let pages = self.answer_pages(&all);
        let outcomes = || figures.iter().flat_map(|figure| &figure.outcomes);
        let pieces = pieces_of(outcomes());
        let (tray, tray_file, tray_rows) = self.tray(&pieces)?;
        let spaces = [
            space(buildable.len().max(impossible.len()), most, tray_rows as f64 * PIECES_ROW),
            pages.space,
        ];
        let mut with_plans = false;
        for (at, (figure, data)) in all.iter().enumerate() {
            let (value, plans) = self.figure(figure, data, at + 1, spaces)?;
            with_plans |= plans;
            for number in 0..data.outcomes.len() {
                let outcome = value.get_attr("outcomes")?.get_item_by_index(number)?;
                answers.push(context! { figure => &value, outcome });
            }
            shown.push(value);
        }
        let (challenges, proofs) = shown.split_at(buildable.len());
        let cards = self.plan.layout == Layout::Cards;
        let sheets: Vec<Value> = match cards {
            true => card_sheets(&shown, &card_pages(&all)),
            false => [
                sheets("challenges", challenges, most, [0, 0]),
                sheets("proofs", proofs, most, [0, 0]),
                sheets("answers", &answers, pages.on_page, pages.large),
            ]
            .concat(),
        };
        let exact = outcomes().filter_map(|o| o.report.as_ref()?.outcome.unique());
        let exact: Vec<u128> = exact.collect();
        let classes = doubling_classes(&exact);
        let (histogram, histogram_file) =
            if pages.few { Default::default() } else { self.histogram(&classes)? };
        let can_be_built = |figure: &&Dossier| {
            figure.outcomes.iter().filter_map(SetOutcome::verdict).any(Verdict::is_buildable)
        };
        let sets: std::collections::BTreeSet<&str> =
            outcomes().filter_map(|o| o.set.as_deref()).collect();
        let data = context! {
            title => &self.plan.title,
            intro => &self.plan.intro,
            issue => &self.plan.issue,
            date => &self.plan.date,
            numbers => self.plan.numbers && !(pages.few && cards),
            joined => pages.joined,
            stars => outcomes().any(|outcome| outcome.difficulty().is_some()),
            sheets,
            tray => Value::from_safe_string(tray),
            tray_file,
            tray_rows,
            plans => with_plans,
            ladder => self.plan.ladder,
            dots => Value::from_safe_string(dot_paper(DOTS, DOTS_EDGE)),
            figures => shown,
            counts => exact.len(),
            solvable => figures.iter().filter(can_be_built).count(),
            unsolvable => impossible.len(),
            several_sets => sets.len() > 1,
            classes => Serde(&classes),
            histogram => Value::from_safe_string(histogram),
            histogram_file,
        };
        self.templates.set_fuel(Some(STEPS + STEPS_OF_FIGURE * figures.len() as u64));
        for (file, name) in &self.names {
            let (templates, data, template) = (self.templates.clone(), data.clone(), name.clone());
            let render = move || templates.get_template(&template)?.render(data);
            self.folder.write(file, limited(name, render)?)?;
        }
        self.folder.commit()?;
        Ok(())
    }

    /// Returns the picture of pieces with the numbers of their copies as SVG, with its file and rows. All are empty for no
    /// pieces, and for so many that their picture would take the place of figures.
    fn tray(
        &self,
        pieces: &[(&Piece, [usize; 2])],
    ) -> Result<(String, &'static str, usize), SiteError> {
        if pieces.is_empty() || pieces.len() > MOST_PIECES {
            return Ok(Default::default());
        }
        let view = View { title: "The pieces".to_owned(), ..View::default() };
        let picture = tray(pieces, PIECES_IN_ROW, &view).svg;
        let file = "pictures/pieces.svg";
        self.folder.write(file, &picture)?;
        Ok((picture, file, pieces.len().div_ceil(PIECES_IN_ROW)))
    }

    /// Divides the answers into pages.
    fn answer_pages(&self, all: &[(&Dossier, FigureData)]) -> AnswerPages {
        let outcomes = all.iter().flat_map(|(_, data)| &data.outcomes);
        let number = outcomes.clone().count();
        let highest = |width| {
            let heights = outcomes.clone().map(|outcome| answer_height(outcome, width));
            heights.fold(ANSWER, f64::max)
        };
        let answer = highest(LINE_WIDTH);
        let cards = self.plan.layout == Layout::Cards;
        // A few numbers would leave a page of their own nearly empty, so they follow the answers. Cards have none.
        let few = number < FEW_NUMBERS;
        let table = TABLE + TABLE_ROW * number as f64;
        let most = 2 * ((ANSWERS_HEIGHT / answer) as usize).clamp(1, 6);
        let fits = |on_page: &usize| {
            let [_, last] = on_pages(number, *on_page);
            // More pages than with one for the table would be no gain.
            number.div_ceil(*on_page) <= number.div_ceil(most) + 1
                && grid("answers", last, last)[1] as f64 * answer + table <= ANSWERS_HEIGHT
        };
        let joined = (1..=most).rev().find(fits).filter(|_| self.plan.numbers && few && !cards);
        let on_page = joined.unwrap_or(most);
        let height = ANSWERS_HEIGHT - joined.map_or(0.0, |_| table);
        let grid = if cards { card_grid(all.len()) } else { grid("answers", number, on_page) };
        // Large text is for answers as wide as the page.
        let large_answer = LARGE * highest(LARGE_WIDTH);
        let large = [ANSWERS_HEIGHT, height].map(|height| (height / large_answer) as usize);
        AnswerPages {
            on_page,
            joined: joined.is_some(),
            few,
            large: large.map(|rows| rows.min(3)),
            space: answer_space(grid, height),
        }
    }

    /// Returns the histogram of unique counts and its file. Both texts are empty without a histogram.
    fn histogram(&self, classes: &[(String, usize)]) -> Result<(String, String), SiteError> {
        let title = "Figures by unique count: packings up to rotation and reflection";
        let histogram = histogram_svg(classes, title);
        if histogram.is_empty() {
            return Ok((histogram, String::new()));
        }
        let file = "pictures/histogram.svg".to_owned();
        self.folder.write(&file, &histogram)?;
        Ok((histogram, file))
    }

    /// Returns a figure with its pictures, which Markdown needs as files, and whether plans explain the first.
    fn figure(
        &self,
        figure: &Dossier,
        data: &FigureData,
        number: usize,
        [space, answer_space]: [[f64; 2]; 2],
    ) -> Result<(Value, bool), SiteError> {
        let stem = file_stem(figure.signature.as_str());
        let picture_file = format!("pictures/{stem}.svg");
        // The captions are next to the pictures.
        let view = |title: String, plans| View { title, plans, caption: false, ..View::default() };
        // The first steps of a ladder speak of the front.
        let front = self.plan.ladder;
        let with_plans =
            View { space: Some(space), front, ..view(figure.heading.clone(), Plans::WhenNeeded) };
        let picture = Picture::new(&Scene::of_figure(figure.candidate.figure()), &with_plans);
        self.folder.write(&picture_file, &picture.svg)?;
        let mut outcomes = Vec::new();
        for (at, (outcome, shown)) in figure.outcomes.iter().zip(&data.outcomes).enumerate() {
            let title = format!("{}, a solution with {}", figure.heading, shown.set);
            let space = Some(answer_space);
            let drawn = drawn(figure, outcome, &View { space, ..view(title, Plans::Never) });
            let packing_file = format!("pictures/{stem}-packing-{}.svg", at + 1);
            if let Some(svg) = &drawn {
                self.folder.write(&packing_file, svg)?;
            }
            let proof_file = format!("pictures/{stem}-proof-{}.svg", at + 1);
            let marks = shown.proof.as_ref().and_then(|proof| proof.marks.as_ref());
            let proof_picture = marks.map(|marks| {
                let of_set = match figure.outcomes.len() {
                    1 => String::new(),
                    _ => format!(" with {}", shown.set),
                };
                let title =
                    format!("Marks that prove that {} cannot be built{of_set}", figure.heading);
                let space = Some(answer_space);
                let view = View { space, ..view(title, Plans::Never) };
                let scene = Scene::of_weights(figure.candidate.figure(), &marks.weights);
                Picture::new(&scene, &view).svg
            });
            if let Some(svg) = &proof_picture {
                self.folder.write(&proof_file, svg)?;
            }
            outcomes.push(context! {
                proof_file => if proof_picture.is_some() { proof_file } else { String::new() },
                proof_picture => Value::from_safe_string(proof_picture.unwrap_or_default()),
                packing_file => if drawn.is_some() { packing_file } else { String::new() },
                packing_picture => Value::from_safe_string(drawn.unwrap_or_default()),
                ..Value::from(Serde(shown))
            });
        }
        let value = context! {
            outcomes,
            number,
            impossible => is_impossible(figure),
            anchor => stem,
            picture_file,
            picture => Value::from_safe_string(picture.svg),
            ..Value::from(Serde(data))
        };
        Ok((value, picture.with_plans))
    }
}

/// Returns the pieces of some outcomes, each once: equal shapes with one name are one piece. Each has the least and the
/// greatest number of its copies in the sets that have it.
fn pieces_of<'a>(outcomes: impl Iterator<Item = &'a SetOutcome>) -> Vec<(&'a Piece, [usize; 2])> {
    let mut pieces: Vec<(&Piece, [usize; 2])> = Vec::new();
    let sets = outcomes.filter_map(|outcome| outcome.pieces.as_ref());
    for (piece, [least, most]) in sets.flat_map(PieceSet::ranges) {
        let same = |(known, _): &&mut (&Piece, _)| {
            known.name() == piece.name() && known.form() == piece.form()
        };
        match pieces.iter_mut().find(same) {
            Some((_, known)) => *known = [known[0].min(least), known[1].max(most)],
            None => pieces.push((piece, [least, most])),
        }
    }
    pieces
}

/// Limits of a template: steps for the whole and for each figure, and memory. The built-in ones take about 500 steps for
/// a figure.
const STEPS: u64 = 1_000_000;
const STEPS_OF_FIGURE: u64 = 100_000;
const MEMORY: usize = 512 << 20;

/// Does the work of a template within its limit of memory.
fn limited<T: Send + 'static>(
    template: &str,
    work: impl FnOnce() -> Result<T, minijinja::Error> + Send + 'static,
) -> Result<T, SiteError> {
    let failed = |source| SiteError::Io { path: template.into(), source };
    match run_limited(MEMORY, work).map_err(failed)? {
        Ended::Done(done) => Ok(done?),
        Ended::OutOfMemory => Err(SiteError::TemplateMemory(template.to_owned())),
    }
}

/// Returns true if a figure was counted, and each of its piece sets was proved not to build it.
fn is_impossible(figure: &Dossier) -> bool {
    let unsolvable = |outcome: &SetOutcome| outcome.verdict() == Some(Verdict::Unsolvable);
    !figure.outcomes.is_empty() && figure.outcomes.iter().all(unsolvable)
}

/// Heights in millimeters: of a page for answers, of an answer without its layers, and of a line of these.
const ANSWERS_HEIGHT: f64 = 244.0;
const ANSWER: f64 = 20.0;
const LAYER_LINE: f64 = 2.9;
/// Lines of layers that the words of a proof take.
const PROOF_LINES: usize = 6;
/// Lines of layers that the words of a case take.
const CASE_LINES: usize = 3;
/// The fewest rows of a table of numbers on its own page.
const FEW_NUMBERS: usize = 10;
/// Heights in millimeters: of a table of numbers without its rows, and of a row.
const TABLE: f64 = 28.0;
const TABLE_ROW: f64 = 10.0;
/// The characters in a line of an answer, half a page wide.
const LINE_WIDTH: usize = 30;
/// How much larger large text is, and the characters in a line of it, a page wide.
const LARGE: f64 = 1.4;
const LARGE_WIDTH: usize = 50;
/// The height in millimeters of the two margins of a card.
const CARD_PADDING: f64 = 6.4;

/// Sizes in millimeters: of a page without margins, and of the text below a picture.
const PAGE: [f64; 2] = [182.0, 253.0];
const TEXT_HEIGHT: f64 = 22.0;
/// Pieces in a row above the first figures, the height of a row in millimeters, and the most pieces there.
const PIECES_IN_ROW: usize = 12;
const PIECES_ROW: f64 = 11.0;
const MOST_PIECES: usize = 36;
/// The size of the dot paper of a ladder, and the distance of its dots, in millimeters.
const DOTS: [f64; 2] = [90.0, 75.0];
const DOTS_EDGE: f64 = 7.0;

/// Returns the space for the picture of a figure, in millimeters. A page has at most `most` figures, and `above` of the
/// first is used by the pieces.
fn space(figures: usize, most: usize, above: f64) -> [f64; 2] {
    let [columns, rows] = grid("", figures, most);
    let [width, height] = PAGE;
    [width / columns as f64 - 6.0, (height - TEXT_HEIGHT - above) / rows as f64 - TEXT_HEIGHT]
}

/// Returns the columns and rows of the first of some pages. Pages have at most `most` items.
fn grid(kind: &str, items: usize, most: usize) -> [usize; 2] {
    let [on_page, _] = on_pages(items, most);
    let columns = columns(kind, on_page);
    [columns, on_page.div_ceil(columns)]
}

/// Returns the space for the picture of an answer, in millimeters. `height` is the page's height for answers.
fn answer_space([columns, rows]: [usize; 2], height: f64) -> [f64; 2] {
    [0.42 * (PAGE[0] / columns as f64 - 6.0), height / rows as f64 - 6.0]
}

/// Returns the numbers of items on the first page and on the last. Items are spread over pages of at most `most`, as equally
/// as possible.
fn on_pages(items: usize, most: usize) -> [usize; 2] {
    let pages = items.div_ceil(most.max(1)).max(1);
    [items.div_ceil(pages).max(1), items / pages]
}

/// Returns the height of an answer in millimeters, with layers in lines of so many characters.
fn answer_height(outcome: &OutcomeData, line_width: usize) -> f64 {
    let lines_of = |layers| lines_of(layers, line_width);
    let lines = match (&outcome.packing, &outcome.proof) {
        (Some(packing), _) => lines_of(&packing.layers),
        (None, Some(proof)) => {
            let cases = proof.cases.iter().map(|case| lines_of(&case.layers) + CASE_LINES);
            lines_of(&proof.layers) + PROOF_LINES + cases.sum::<usize>()
        }
        (None, None) => 0,
    };
    ANSWER + LAYER_LINE * lines as f64
}

fn lines_of(layers: &[String], line_width: usize) -> usize {
    let rows = layers.first().map_or(0, |layer| layer.lines().count());
    let lines = || layers.iter().flat_map(|layer| layer.lines());
    let width = lines().map(|row| row.chars().count()).max().unwrap_or(0);
    // Layers with numbered copies are further apart.
    let gap = if lines().any(|row| row.contains(' ')) { 4 } else { 2 };
    let side_by_side = (line_width / (width + gap)).max(1);
    layers.len().div_ceil(side_by_side) * (rows + 1)
}

/// Divides figures into pages of cards. Returns the number of figures on each page, and its columns and rows: the smallest
/// cards that have room for the answers of that page.
fn card_pages(all: &[(&Dossier, FigureData)]) -> Vec<(usize, [usize; 2])> {
    let usual = card_grid(all.len());
    let mut pages = Vec::new();
    let mut rest = all;
    while !rest.is_empty() {
        let on_page = |[columns, rows]: [usize; 2]| on_pages(rest.len(), columns * rows)[0];
        let has_room = |grid: &[usize; 2]| {
            let [columns, rows] = *grid;
            let line_width = LINE_WIDTH * 2 / columns;
            let height = PAGE[1] / rows as f64 - CARD_PADDING;
            let answers = rest[..on_page(*grid)].iter().filter_map(|(_, f)| f.outcomes.first());
            answers.map(|answer| answer_height(answer, line_width)).all(|needed| needed <= height)
        };
        let mut grids = CARDS.into_iter().skip_while(|grid| *grid != usual);
        let grid = grids.find(has_room).unwrap_or([1, 1]);
        let figures = on_page(grid);
        pages.push((figures, grid));
        rest = &rest[figures..];
    }
    pages
}

/// Returns pages of cards in pairs: fronts, and backs with the columns mirrored, so that each lies behind its front.
/// Missing cards are `none`.
fn card_sheets(figures: &[Value], pages: &[(usize, [usize; 2])]) -> Vec<Value> {
    let mut rest = figures.iter().cloned();
    let pair = |(at, (on_page, [columns, rows])): (usize, &(usize, [usize; 2]))| {
        let (columns, rows) = (*columns, *rows);
        let mut fronts: Vec<Value> = rest.by_ref().take(*on_page).collect();
        fronts.resize(columns * rows, Value::from(()));
        let backs: Vec<Value> =
            fronts.chunks(columns).flat_map(|row| row.iter().rev().cloned()).collect();
        [("fronts", fronts), ("backs", backs)].map(|(kind, items)| {
            context! {
                kind, first => at == 0, total => figures.len(), columns, rows, large => false, items
            }
        })
    };
    pages.iter().enumerate().flat_map(pair).collect()
}

fn columns(kind: &str, items: usize) -> usize {
    match (kind, items) {
        (_, 1..=3) => 1,
        ("answers", _) | (_, 4..=8) => 2,
        _ => 3,
    }
}

/// Spreads items over pages of at most `most`, as equally as possible. A page of at most `large`, and the last of another
/// number, has large text.
fn sheets(kind: &str, items: &[Value], most: usize, large: [usize; 2]) -> Vec<Value> {
    let (all, pages) = (items.len(), items.len().div_ceil(most.max(1)));
    let mut rest = items;
    let sheet = |at: usize| {
        let (items, later) = rest.split_at(rest.len().div_ceil(pages - at));
        rest = later;
        let columns = columns(kind, items.len());
        let rows = items.len().div_ceil(columns);
        let large = items.len() <= large[usize::from(later.is_empty())];
        context! { kind, first => at == 0, total => all, columns, rows, large, items }
    };
    (0..pages).map(sheet).collect()
}

fn drawn(figure: &Dossier, outcome: &SetOutcome, view: &View) -> Option<String> {
    let packing = outcome.first_packing()?;
    // Pieces of a packing always fit the figure. Otherwise there would be no picture.
    packing_svg(figure.candidate.figure(), &packing.pieces, view).ok()
}

#[cfg(test)]
mod tests {
    use super::{on_pages, sheets};
    use minijinja::value::Value;

    #[test]
    fn pages_have_about_as_many_figures() {
        for (items, most, expected) in [(13, 4, &[4, 3, 3, 3][..]), (7, 6, &[4, 3]), (1, 4, &[1])] {
            let figures: Vec<Value> = (0..items).map(Value::from).collect();
            let pages = sheets("challenges", &figures, most, [0, 0]);
            let sizes = pages.iter().map(|page| page.get_attr("items").unwrap().len().unwrap());
            assert_eq!(sizes.collect::<Vec<_>>(), expected);
            assert_eq!(on_pages(items, most), [expected[0], expected[expected.len() - 1]]);
        }
        assert!(sheets("answers", &[], 4, [0, 0]).is_empty());
    }
}
