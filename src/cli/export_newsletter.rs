//! `somacat export newsletter`: writes chosen figures as a printable page and as Markdown.

use super::export_gallery::{SearchArgs, Selection, Wanted, figures as figures_in_words};
use super::failure::{About, Failure, Result};
use super::filter::FilterArgs;
use super::nothing::nothing_matches;
use super::{Exit, Global, eprintln, output};
use crate::catalog::Catalog;
use crate::export::{AdditionalFiles, HTML_TEMPLATE, MARKDOWN_TEMPLATE, Newsletter, Template};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Form {
    Html,
    Md,
}

/// Write chosen figures with pictures, counts and sample packings, as HTML and Markdown
#[derive(Args, Debug)]
#[command(after_help = "\
The folder receives newsletter.html (self-contained, with its pictures inside), newsletter.md and
its pictures. It appears when it is complete. It replaces an earlier newsletter; any other folder
that is not empty is refused.

A template is a Jinja template; docs/newsletter.md lists its variables. Names are escaped for HTML
or Markdown.

Examples:
  somacat export newsletter --solvable --sort unique --top 12 --title 'The dozen easiest figures'
  somacat export newsletter --print-template html > mine.html
  somacat export newsletter cube --template mine.html --order 48")]
pub(crate) struct NewsletterArgs {
    /// The folder to write.
    #[arg(value_name = "DIR", default_value = "newsletter")]
    folder: PathBuf,
    /// The folder to write, in the syntax of older versions.
    #[arg(long, value_name = "DIR", hide = true)]
    out: Option<PathBuf>,
    /// The headline.
    #[arg(long, default_value = "SOMA figures")]
    title: String,
    /// A paragraph below the headline.
    #[arg(long, value_name = "TEXT", default_value = "")]
    intro: String,
    /// Your template, .html or .md, instead of the built-in one of that form; may be repeated.
    #[arg(long, value_name = "FILE")]
    template: Vec<PathBuf>,
    /// Print the built-in template to standard output and write nothing.
    #[arg(long, value_name = "FORM", value_enum)]
    print_template: Option<Form>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    filter: FilterArgs,
}

/// A newsletter with more figures than this gets a note.
const MANY: usize = 200;

pub(super) fn export_newsletter(global: &Global, args: &NewsletterArgs) -> Result<Exit> {
    if let Some(form) = args.print_template {
        let template = match form {
            Form::Html => HTML_TEMPLATE,
            Form::Md => MARKDOWN_TEMPLATE,
        };
        let mut out = output::text();
        out.write_all(template.as_bytes())?;
        out.flush()?;
        return Ok(Exit::Ok);
    }
    let catalog = Catalog::open_read_only(&global.db)?;
    let filter = args.filter.filter()?;
    let folder = args.out.as_ref().unwrap_or(&args.folder);
    let issue = newsletter(args)?.create(folder)?;
    let mut figures = Vec::new();
    let wanted =
        Wanted { solutions: 1, of: AdditionalFiles::All, steps: None, orders_that_stand: false };
    let exit = Selection::new(&catalog, &filter)?.dossiers(&args.search, wanted, |group| {
        figures.extend_from_slice(group);
        Ok(())
    })?;
    if exit != Exit::Ok {
        return Ok(exit);
    }
    if figures.is_empty() {
        let nothing = nothing_matches(&catalog, &args.filter)?;
        return Err(Failure::failed(format!("{nothing}; no newsletter was written")));
    }
    issue.publish(&figures)?;
    if !global.quiet {
        let n = figures.len();
        if n > MANY {
            eprintln(&format!("{n} figures make a long newsletter; --top N shortens it"));
        }
        let page = folder.join("newsletter.html");
        eprintln(&format!("{}; open {}", figures_in_words(n), page.display()));
    }
    Ok(Exit::Ok)
}

fn newsletter(args: &NewsletterArgs) -> Result<Newsletter> {
    let mut newsletter = Newsletter {
        title: args.title.clone(),
        intro: args.intro.clone(),
        ..Newsletter::default()
    };
    for path in &args.template {
        let role = format!("template {}", path.display());
        let text = std::fs::read_to_string(path).about(role.clone())?;
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
