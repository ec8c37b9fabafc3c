//! The output options that all reading commands share.

use super::files_read::require_not_read;
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::unless_stopped;
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use somacat_counting::prove::ProveError;
use somacat_output::export::{
    Delimited, Json, JsonStyle, OutputFile, RowSink, Table, TerminalWriter,
};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

/// Standard output for data: on a terminal, control characters are spelled out.
pub(crate) type Stdout = BufWriter<TerminalWriter<StdoutLock<'static>>>;

pub(crate) fn stdout() -> Stdout {
    BufWriter::new(TerminalWriter::new(io::stdout().lock()))
}

/// Returns standard output for a text with colors. The text itself spells out control characters.
pub(crate) fn colored_stdout() -> impl Write {
    BufWriter::new(io::stdout().lock())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    Csv,
    Tsv,
    Json,
    Jsonl,
    Table,
}

// At most one of the output options.
#[derive(Args, Debug, Clone, Copy, Default)]
#[group(multiple = false)]
pub(crate) struct OutputArgs {
    /// Comma-separated values with a header.
    #[arg(long, help_heading = "Output")]
    csv: bool,
    /// Tab-separated values with a header.
    #[arg(long, help_heading = "Output")]
    tsv: bool,
    /// A JSON array of objects.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// JSON Lines: one object per line.
    #[arg(long, help_heading = "Output")]
    jsonl: bool,
    /// A table for people.
    #[arg(long, help_heading = "Output")]
    table: bool,
}

impl OutputArgs {
    pub(crate) const fn style(self) -> Option<Style> {
        match self {
            Self { csv: true, .. } => Some(Style::Csv),
            Self { tsv: true, .. } => Some(Style::Tsv),
            Self { json: true, .. } => Some(Style::Json),
            Self { jsonl: true, .. } => Some(Style::Jsonl),
            Self { table: true, .. } => Some(Style::Table),
            _ => None,
        }
    }

    /// Returns the requested style, or the default. The default is a table on a terminal and CSV in a pipe or a file.
    pub(crate) fn chosen_style(self) -> Style {
        let default = if io::stdout().is_terminal() { Style::Table } else { Style::Csv };
        self.style().unwrap_or(default)
    }

    /// Starts writing rows with these columns to standard output.
    pub(crate) fn rows(self, columns: &[&str]) -> io::Result<Box<dyn RowSink>> {
        sink(stdout(), self.chosen_style(), columns)
    }
}

fn sink(out: Stdout, style: Style, columns: &[&str]) -> io::Result<Box<dyn RowSink>> {
    Ok(match style {
        Style::Csv => Box::new(Delimited::csv(out, columns)?),
        Style::Tsv => Box::new(Delimited::tsv(out, columns)?),
        Style::Json => Box::new(Json::new(out, JsonStyle::Array, columns)),
        Style::Jsonl => Box::new(Json::new(out, JsonStyle::Lines, columns)),
        Style::Table => {
            let [width, _] = terminal_size();
            Box::new(Table::new(out, columns, width))
        }
    })
}

/// Returns columns and rows of the terminal on standard output.
///
/// Unknown sizes are taken from the environment; both are `None` if standard output is not a terminal.
pub(crate) fn terminal_size() -> [Option<u16>; 2] {
    if !io::stdout().is_terminal() {
        return [None; 2];
    }
    let size = terminal_size::terminal_size_of(io::stdout());
    let reported = size.map(|(width, height)| [width.0, height.0]).unwrap_or_default();
    let variable = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let known = |reported: u16, name| Some(reported).filter(|&n| n > 0).or_else(|| variable(name));
    [known(reported[0], "COLUMNS"), known(reported[1], "LINES")]
}

// The file to write.
#[derive(Args, Debug)]
pub(crate) struct FileArg {
    /// The file, or - for standard output.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
}

/// Parses any path but `-`: a folder cannot be written to standard output.
pub(crate) fn folder_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("this command writes a folder, not to standard output; name the folder"),
        false => Ok(path),
    })
}

/// Refuses to write a file that is no text to a terminal, which would spell out its bytes.
pub(crate) fn require_file(path: &Path, format: &str) -> Result<()> {
    match path == Path::new("-") && io::stdout().is_terminal() {
        true => Err(Failure::usage(format!("{format} is no text; name a file to write"))),
        false => Ok(()),
    }
}

/// Writes a file, or standard output for `-`. The file appears when it is complete.
///
/// An error of the file names it. Other errors of `write`, such as an unknown figure, do not.
pub(crate) fn to_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if path == Path::new("-") {
        let mut out = stdout();
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let role = format!("output file {}", path.display());
    let mut file = create(path).context(role.clone())?;
    let written = write(&mut file);
    match &written {
        Err(Failure::Error(_, error)) if is_of_file(error) => written.context(role.clone())?,
        _ => written?,
    }
    commit(path, file).context(role)
}

/// Renames a file into place, unless the command has read the one that is there.
pub(crate) fn commit(path: &Path, file: OutputFile) -> Result<()> {
    require_not_read(path)?;
    Ok(file.commit()?)
}

/// Returns true for an error of a file, not of what it should contain.
pub(crate) fn is_of_file(error: &anyhow::Error) -> bool {
    error.is::<io::Error>() || matches!(error.downcast_ref(), Some(ProveError::Write(_)))
}

/// Prepares to write a file. A named pipe waits for a reader, or for a request to stop.
pub(crate) fn create(path: &Path) -> Result<OutputFile> {
    require_not_read(path)?;
    let owned = path.to_owned();
    let file = unless_stopped(path, move || OutputFile::create(&owned))?;
    Ok(file.ok_or_else(|| Failure::stopped("stopped; no program reads the pipe"))??)
}
