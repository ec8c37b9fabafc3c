//! `somacat export newsletter`: writes chosen figures as a printable page and as Markdown.

use super::gallery::FigureSelection;
use super::gallery_contents::GalleryContents;
use super::given_figures::{CountingArgs, GivenFigures, split_figures};
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::filter::{SelectionArgs, filters_without_set};
use crate::cli::shared::input::{read_whole, require_one_stdin};
use crate::cli::shared::no_match::no_match;
use crate::cli::shared::output;
use crate::cli::shared::output::folder_parser;
use crate::cli::{Exit, Global};
use clap::{Args, ValueEnum};
use somacat_catalog::Catalog;
use somacat_formats::{count_noun, decode_text};
use somacat_output::dossier::{Dossier, LookupError, look_up_in};
use somacat_output::export::{
    AdditionalFiles, HTML_TEMPLATE, Layout, MARKDOWN_TEMPLATE, Newsletter, TEMPLATE_VARIABLES,
    Template,
};
use somacat_run::listed_figures;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Form {
    Html,
    Md,
}

/// The number of figures on a page.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum PageLayout {
    #[value(name = "1")]
    One,
    #[value(name = "4")]
    Grid4,
    #[value(name = "6")]
    Grid6,
    #[value(name = "12")]
    Grid12,
    /// The fewest of these that hold all figures, else twelve.
    Auto,
    /// At most eight cards a page, with the answers on the next. Print on both sides and cut out.
    Cards,
}

#[derive(Args, Debug)]
#[command(after_help = "\
The folder receives newsletter.html (self-contained, with its pictures inside), newsletter.md and
its pictures. It appears when it is complete. It replaces an earlier newsletter; any other folder
that is not empty is refused.

Figures in files need no catalog. Those without a count in the catalog are counted; --set chooses
their pieces: by the number of cells and the marks if not given. The search for a solution tries
20,000,000 nodes for each figure, or --nodes.

A template is a Jinja template. The printed one ends with a list of all variables. Names are escaped
for HTML or Markdown.

Examples:
  somacat export newsletter --solvable --sort unique --top 12 --title 'The dozen easiest figures'
  somacat export newsletter issue7 my-figures.soma --issue 'Issue 7'
  somacat export newsletter --figure tower,cube,wall --layout 4
  somacat export newsletter --list chosen.txt
  somacat export newsletter lessons --ladder
  somacat export newsletter cards --layout cards --no-numbers --solvable
  somacat export newsletter --print-template html > mine.html
  somacat export newsletter cube --template mine.html --order 48")]
pub(crate) struct NewsletterArgs {
    /// The folder to write.
    #[arg(value_name = "DIR", default_value = "newsletter", value_parser = folder_parser())]
    folder: PathBuf,
    /// The figures in this order, instead of filters: files, signatures, or names in the catalog.
    #[arg(value_name = "FIGURE", conflicts_with_all = filters_without_set().chain(["OrderArgs"]))]
    figures: Vec<String>,
    /// Thirty figures from two pieces to seven, easy ones first, each with a first step, and dot paper.
    #[arg(
        long,
        conflicts_with_all = filters_without_set().chain([
            "OrderArgs", "figures", "figure", "list", "layout", "set",
        ])
    )]
    ladder: bool,
    /// The headline; `SOMA figures` if not given, and `From two pieces to seven` for a ladder.
    #[arg(long)]
    title: Option<String>,
    /// A paragraph below the headline.
    #[arg(long, value_name = "TEXT", default_value = "")]
    intro: String,
    /// The issue, in the head of the first page.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    issue: String,
    /// The date, in the head of the first page.
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    date: String,
    /// Figures on a printed page.
    #[arg(long, value_name = "LAYOUT", value_enum, default_value = "auto")]
    layout: PageLayout,
    /// Leave out the table and the histogram.
    #[arg(long)]
    no_numbers: bool,
    /// Such figures too; FIGURE,FIGURE,…
    #[arg(long, value_name = "FIGURE", conflicts_with_all = filters_without_set().chain(["OrderArgs"]))]
    figure: Vec<String>,
    /// A file with such a figure on each line, or a table with a column `figure`.
    #[arg(long, value_name = "FILE", conflicts_with_all = filters_without_set().chain(["OrderArgs"]))]
    list: Option<PathBuf>,
    /// Your template, .html or .md. Replaces the built-in one of that form; may be repeated.
    #[arg(long, value_name = "FILE")]
    template: Vec<PathBuf>,
    /// Print the built-in template to standard output and write nothing.
    #[arg(
        long, value_name = "FORM", value_enum,
        conflicts_with_all = filters_without_set().chain([
            "folder", "figures", "ladder", "title", "intro", "issue", "date", "layout", "no_numbers", "figure",
            "list", "template", "set", "CountingArgs", "CountLimitArgs", "OrderArgs",
        ])
    )]
    print_template: Option<Form>,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// The figures of `--ladder`, and their number on each rung, which is a page.
const LADDER: &str = include_str!("../../../catalog/ladder.soma");
const RUNG: usize = 5;

/// A newsletter with more figures than this gets a note.
const LONG_NEWSLETTER: usize = 200;

pub(crate) fn export_newsletter(global: &Global, args: &NewsletterArgs) -> Result<Exit> {
    if let Some(form) = args.print_template {
        let template = match form {
            Form::Html => HTML_TEMPLATE,
            Form::Md => MARKDOWN_TEMPLATE,
        };
        let mut out = output::stdout();
        out.write_all(template.as_bytes())?;
        out.write_all(TEMPLATE_VARIABLES.as_bytes())?;
        out.flush()?;
        return Ok(Exit::Ok);
    }
    let issue = newsletter(args)?.create(&args.folder)?;
    let mut figures = Vec::new();
    let exit = dossiers(global, args, |group| {
        figures.extend_from_slice(group);
        Ok(())
    })?;
    issue.publish(&figures)?;
    let n = figures.len();
    if n > LONG_NEWSLETTER {
        global.note(&format!("{n} figures make a long newsletter; --top N shortens it"));
    }
    let page = args.folder.join("newsletter.html");
    global.note(&format!("{}; open {}", count_noun(n, "figure"), page.display()));
    Ok(exit)
}

/// Passes the figures of the newsletter to `take`, group by group. None is an error.
fn dossiers(
    global: &Global,
    args: &NewsletterArgs,
    take: impl FnMut(&[Dossier]) -> Result<()>,
) -> Result<Exit> {
    let contents =
        GalleryContents { solutions: 1, of: AdditionalFiles::All, steps: None, for_pages: false };
    if args.figures.is_empty() && args.figure.is_empty() && args.list.is_none() && !args.ladder {
        args.counting.require_none()?;
        let catalog = Catalog::open_read_only(&global.db)?;
        let selection = FigureSelection::new(&catalog, &args.selection.filter(&catalog)?)?;
        if selection.is_empty() {
            let message = no_match(&catalog, &args.selection.filter)?;
            return Err(Failure::failed(format!("{message}; no newsletter was written")));
        }
        return selection.dossiers(args.counting.limits().for_solutions(), contents, take);
    }
    let named = args.figures.iter().cloned().chain(split_figures(&args.figure));
    let ladder = args.ladder.then(|| LADDER.to_owned());
    let mut texts: Vec<_> = named.chain(ladder).map(|text| (text, None)).collect();
    let given = texts.iter().map(|(text, _)| OsStr::new(text));
    require_one_stdin(given.chain(args.list.iter().map(|list| list.as_os_str())))?;
    if let Some(list) = &args.list {
        let (role, bytes) = read_whole(list)?;
        let text = decode_text(&bytes);
        let catalog = Catalog::open_read_only(&global.db).ok();
        let is_name = |text: &str| {
            let known = catalog.as_ref().map(|catalog| look_up_in(catalog, text, None));
            Path::new(text).exists()
                || known.is_some_and(|found| !matches!(found, Err(LookupError::Unknown { .. })))
        };
        let listed = listed_figures(&text, is_name).context(role.clone())?;
        if listed.is_empty() && texts.is_empty() {
            let text = format!("{role}: the list names no figure; write one on each line");
            return Err(Failure::failed(text));
        }
        let listed = listed.into_iter();
        texts.extend(listed.map(|(line, figure)| (figure, Some(format!("{role} line {line}")))));
    }
    let set = args.selection.filter.set.as_deref();
    let given = GivenFigures::read(global, &texts, set, &args.counting)?;
    if given.is_empty() {
        let text = "none of the figures can be shown; no newsletter was written";
        return Err(Failure::refused(text));
    }
    given.dossiers(global, &args.counting, contents, take)
}

fn newsletter(args: &NewsletterArgs) -> Result<Newsletter> {
    let mut newsletter = Newsletter {
        title: args.title.clone().unwrap_or_else(|| {
            if args.ladder { "From two pieces to seven" } else { "SOMA figures" }.to_owned()
        }),
        intro: args.intro.clone(),
        issue: args.issue.clone(),
        date: args.date.clone(),
        ladder: args.ladder,
        layout: match args.layout {
            _ if args.ladder => Layout::UpTo(RUNG),
            PageLayout::One => Layout::UpTo(1),
            PageLayout::Grid4 => Layout::UpTo(4),
            PageLayout::Grid6 => Layout::UpTo(6),
            PageLayout::Grid12 => Layout::UpTo(12),
            PageLayout::Auto => Layout::Auto,
            PageLayout::Cards => Layout::Cards,
        },
        numbers: !args.no_numbers,
        ..Newsletter::default()
    };
    for path in &args.template {
        let role = format!("template {}", path.display());
        let text = std::fs::read_to_string(path).context(role.clone())?;
        let template = Template { file: path.display().to_string(), text };
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("html" | "htm") => newsletter.html = template,
            Some("md" | "markdown") => newsletter.markdown = template,
            _ => {
                let text = "the name of a template must end in .html or .md";
                return Err(Failure::failed(format!("{role}: {text}")));
            }
        }
    }
    Ok(newsletter)
}
