//! `somacat export newsletter`: writes chosen figures as a printable page and as Markdown.

use super::export_gallery::{FigureSelection, GalleryContents, SearchArgs};
use super::failure::{Context, Failure, Result};
use super::filter::SelectionArgs;
use super::no_match::no_match;
use super::output::folder_parser;
use super::{Exit, Global, eprintln, output};
use crate::catalog::{Catalog, Filter};
use crate::dossier::{Dossier, look_up};
use crate::export::{
    AdditionalFiles, HTML_TEMPLATE, Layout, MARKDOWN_TEMPLATE, Newsletter, TEMPLATE_VARIABLES,
    Template,
};
use crate::formats::{count_noun, decode_text};
use crate::run::listed_figures;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Form {
    Html,
    Md,
}

/// The number of figures on a page.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum PageLayout {
    One,
    Grid4,
    Grid6,
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

A template is a Jinja template. The printed one ends with a list of all variables. Names are escaped
for HTML or Markdown.

Examples:
  somacat export newsletter --solvable --sort unique --top 12 --title 'The dozen easiest figures'
  somacat export newsletter --figure tower,cube,wall --layout grid4 --issue 'Issue 7'
  somacat export newsletter --list chosen.txt
  somacat export newsletter cards --layout cards --no-numbers --solvable
  somacat export newsletter --print-template html > mine.html
  somacat export newsletter cube --template mine.html --order 48")]
pub(crate) struct NewsletterArgs {
    /// The folder to write.
    #[arg(value_name = "DIR", default_value = "newsletter", value_parser = folder_parser())]
    folder: PathBuf,
    /// The headline.
    #[arg(long, default_value = "SOMA figures")]
    title: String,
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
    /// The figures in this order, instead of filters: names, signatures or files; NAME,NAME,…
    #[arg(long, value_name = "FIGURE", value_delimiter = ',', conflicts_with_all = Filter::NAMES.iter().copied().chain(["OrderArgs"]))]
    figure: Vec<String>,
    /// A file with such a figure on each line, in this order, or a table with a column `figure`.
    #[arg(long, value_name = "FILE", conflicts_with = "figure", conflicts_with_all = Filter::NAMES.iter().copied().chain(["OrderArgs"]))]
    list: Option<PathBuf>,
    /// Your template, .html or .md. Replaces the built-in one of that form; may be repeated.
    #[arg(long, value_name = "FILE")]
    template: Vec<PathBuf>,
    /// Print the built-in template to standard output and write nothing.
    #[arg(long, value_name = "FORM", value_enum)]
    print_template: Option<Form>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// A newsletter with more figures than this gets a note.
const LONG_NEWSLETTER: usize = 200;

pub(super) fn export_newsletter(global: &Global, args: &NewsletterArgs) -> Result<Exit> {
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
    let catalog = Catalog::open_read_only(&global.db)?;
    let issue = newsletter(args)?.create(&args.folder)?;
    let mut figures = Vec::new();
    let contents = GalleryContents {
        solutions: 1,
        of: AdditionalFiles::All,
        steps: None,
        orders_that_stand: false,
    };
    if args.figure.is_empty() && args.list.is_none() {
        let selection = FigureSelection::new(&catalog, &args.selection.filter(&catalog)?)?;
        let exit = selection.dossiers(&args.search, contents, |group| {
            figures.extend_from_slice(group);
            Ok(())
        })?;
        if exit != Exit::Ok {
            return Ok(exit);
        }
    } else {
        let mut subjects = Vec::new();
        let find = |figure: &str| look_up(&global.db, figure, None, None, &eprintln);
        for figure in &args.figure {
            subjects.extend(find(figure)?);
        }
        if let Some(list) = &args.list {
            let role = list.display().to_string();
            let text = decode_text(&std::fs::read(list).context(role.clone())?);
            for (line, figure) in listed_figures(&text).context(role.clone())? {
                subjects.extend(find(&figure).context(format!("{role} line {line}"))?);
            }
        }
        let limits = args.search.limits()?;
        for figure in contents.dossiers(&subjects, limits, 0) {
            if !figures.iter().any(|known: &Dossier| known.signature == figure.signature) {
                figures.push(figure);
            }
        }
        if limits.stopped() {
            return Ok(Exit::Stopped);
        }
    }
    if figures.is_empty() {
        let message = no_match(&catalog, &args.selection.filter)?;
        return Err(Failure::failed(format!("{message}; no newsletter was written")));
    }
    issue.publish(&figures)?;
    let n = figures.len();
    if n > LONG_NEWSLETTER {
        global.note(&format!("{n} figures make a long newsletter; --top N shortens it"));
    }
    let page = args.folder.join("newsletter.html");
    global.note(&format!("{}; open {}", count_noun(n, "figure"), page.display()));
    Ok(Exit::Ok)
}

fn newsletter(args: &NewsletterArgs) -> Result<Newsletter> {
    let mut newsletter = Newsletter {
        title: args.title.clone(),
        intro: args.intro.clone(),
        issue: args.issue.clone(),
        date: args.date.clone(),
        layout: match args.layout {
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
