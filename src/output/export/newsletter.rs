//! Chosen figures for print and mail: an HTML page, and Markdown with pictures.

use super::pages::{environment, escaped, file_stem};
use super::template_data::FigureData;
use super::{SiteError, SiteFolder, doubling_classes, escape_markdown, histogram_svg};
use crate::dossier::{Dossier, SetOutcome};
use crate::draw::{View, figure_svg, packing_svg};
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, context};
use somacat_geometry::outcome::Verdict;
use std::path::Path;

/// The built-in template of the page.
pub const HTML_TEMPLATE: &str = include_str!("site/newsletter.html");
/// The built-in template of the Markdown file.
pub const MARKDOWN_TEMPLATE: &str = include_str!("site/newsletter.md");

const HTML: &str = "newsletter.html";
const MARKDOWN: &str = "newsletter.md";

/// A template and its file, which errors name.
#[derive(Clone, Debug)]
pub struct Template {
    /// The file, as it was named.
    pub file: String,
    pub text: String,
}

/// The content and the templates of a newsletter.
#[derive(Clone, Debug)]
pub struct Newsletter {
    pub title: String,
    /// A paragraph below the title; may be empty.
    pub intro: String,
    /// The template of the page.
    pub html: Template,
    /// The template of the Markdown file.
    pub markdown: Template,
}

impl Default for Newsletter {
    fn default() -> Self {
        Self {
            title: "SOMA figures".to_owned(),
            intro: String::new(),
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
    title: String,
    intro: String,
}

impl Newsletter {
    /// Checks the templates and prepares the folder.
    ///
    /// # Errors
    /// If a template is invalid, or the folder has other contents or cannot be written.
    pub fn create(self, folder: &Path) -> Result<PreparedNewsletter, SiteError> {
        let mut templates = environment()?;
        let names = [(HTML, self.html.file), (MARKDOWN, self.markdown.file)];
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
        for ((_, name), text) in names.iter().zip([self.html.text, self.markdown.text]) {
            templates.add_template_owned(name.clone(), text)?;
        }
        let folder = SiteFolder::create(folder, "newsletter")?;
        Ok(PreparedNewsletter { folder, templates, names, title: self.title, intro: self.intro })
    }
}

impl PreparedNewsletter {
    /// Writes both files and the pictures, and renames the folder into place.
    ///
    /// # Errors
    /// If a template fails or a file cannot be written.
    pub fn publish(self, figures: &[Dossier]) -> Result<(), SiteError> {
        let mut shown = Vec::with_capacity(figures.len());
        for figure in figures {
            shown.push(self.figure(figure)?);
        }
        let outcomes = || figures.iter().flat_map(|figure| &figure.outcomes);
        let exact = outcomes().filter_map(|o| o.report.as_ref()?.outcome.unique());
        let exact: Vec<u128> = exact.collect();
        let classes = doubling_classes(&exact);
        let histogram = histogram_svg(
            &classes,
            "Figures by unique count: packings up to rotation and reflection",
        );
        let mut histogram_file = String::new();
        if !histogram.is_empty() {
            histogram_file = "pictures/histogram.svg".to_owned();
            self.folder.write(&histogram_file, &histogram)?;
        }
        let verdicts = || outcomes().filter_map(SetOutcome::verdict);
        let sets: std::collections::BTreeSet<&str> =
            outcomes().filter_map(|o| o.set.as_deref()).collect();
        let data = context! {
            title => &self.title,
            intro => &self.intro,
            figures => shown,
            counts => exact.len(),
            solvable => verdicts().filter(|verdict| verdict.is_buildable()).count(),
            unsolvable => verdicts().filter(|verdict| *verdict == Verdict::Unsolvable).count(),
            several_sets => sets.len() > 1,
            classes => Serde(&classes),
            histogram => Value::from_safe_string(histogram),
            histogram_file,
        };
        for (file, name) in &self.names {
            let text = self.templates.get_template(name)?.render(data.clone())?;
            self.folder.write(file, text)?;
        }
        self.folder.commit()
    }

    /// Returns a figure with its pictures, which Markdown needs as files.
    fn figure(&self, figure: &Dossier) -> Result<Value, SiteError> {
        let stem = file_stem(figure.signature.as_str());
        let picture_file = format!("pictures/{stem}.svg");
        // The captions are next to the pictures.
        let view = |title: String| View { title, caption: false, ..View::default() };
        let picture = figure_svg(figure.candidate.figure(), &view(figure.heading.clone()));
        self.folder.write(&picture_file, &picture)?;
        let data = FigureData::new(figure);
        let mut outcomes = Vec::new();
        for (at, (outcome, told)) in figure.outcomes.iter().zip(&data.outcomes).enumerate() {
            let title = format!("{}, a solution with {}", figure.heading, told.set);
            let drawn = drawn(figure, outcome, &view(title));
            let packing_file = format!("pictures/{stem}-packing-{}.svg", at + 1);
            if let Some(svg) = &drawn {
                self.folder.write(&packing_file, svg)?;
            }
            outcomes.push(context! {
                packing_file => if drawn.is_some() { packing_file } else { String::new() },
                packing_picture => Value::from_safe_string(drawn.unwrap_or_default()),
                ..Value::from(Serde(told))
            });
        }
        Ok(context! {
            outcomes,
            anchor => stem,
            picture_file,
            picture => Value::from_safe_string(picture),
            ..Value::from(Serde(&data))
        })
    }
}

fn drawn(figure: &Dossier, outcome: &SetOutcome, view: &View) -> Option<String> {
    let packing = outcome.first_packing()?;
    // Pieces of a packing always fit the figure. Otherwise there would be no picture.
    packing_svg(figure.candidate.figure(), &packing.pieces, view).ok()
}
