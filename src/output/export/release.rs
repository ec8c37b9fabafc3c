//! A data release: texts for a catalog's files, so that others can read, check, cite and reproduce it. They follow
//! from the catalog alone: the same catalog gives the same bytes.

use super::site_folder::list_files;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use somacat_catalog::{EnumerationSummary, SourceSummary, hexadecimal};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// The SPDX name of the data's license, and its address.
pub const DATA_LICENSE: [&str; 2] =
    ["CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"];

/// The catalog, as one file.
pub const RELEASE_CATALOG: &str = "figures.db";

/// The folder of the Parquet files.
pub const RELEASE_PARQUET: &str = "parquet";

/// A CSV file: its name, its contents, and its columns, each with type and meaning.
pub type ReleaseTable = (&'static str, &'static str, &'static [Column]);

/// A column: name, Frictionless type, meaning.
pub type Column = (&'static str, &'static str, &'static str);

// Columns of several tables.
const PARITY_BLOCKED: Column =
    ("parity_blocked", "integer", "proved to have no packing, by the colors of a checkerboard");
const UNSOLVABLE: Column =
    ("unsolvable", "integer", "proved to have no packing, for another reason");
const SOLVABLE: Column = ("solvable", "integer", "with at least one packing");
const UNDECIDED: Column = ("undecided", "integer", "a limit came first, or the count failed");
const CLASS: Column = ("class", "string", "symmetry class");
const ORDER: Column = ("order", "integer", "order of the symmetry group");
const CLASS_FIGURES: Column = ("figures", "integer", "figures of the class");

/// The totals of figures.
pub const TOTALS: ReleaseTable = (
    "totals.csv",
    "The figures of the catalog in numbers, by set and class",
    &[
        ("set", "string", "the pieces; empty for figures that were never counted"),
        CLASS,
        ORDER,
        CLASS_FIGURES,
        PARITY_BLOCKED,
        UNSOLVABLE,
        SOLVABLE,
        UNDECIDED,
        ("not_counted", "integer", "never counted"),
    ],
);

/// The totals of enumerations and censuses.
pub const ENUMERATIONS: ReleaseTable = (
    "enumerations.csv",
    "Enumerations and censuses in numbers, by class, whether their figures are kept in the catalog or not",
    &[
        ("enumeration", "string", "the question in words"),
        ("set", "string", "the pieces"),
        ("keep", "string", "of which figures the catalog has rows: all, solvable, totals (none)"),
        ("complete", "string", "yes if the enumeration is complete, else no"),
        CLASS,
        ORDER,
        CLASS_FIGURES,
        PARITY_BLOCKED,
        UNSOLVABLE,
        SOLVABLE,
        UNDECIDED,
    ],
);

/// The buildable figures.
pub const ATLAS: ReleaseTable = (
    "atlas.csv",
    "The figures that can be built, in the order of their signatures",
    &[
        ("name", "string", "the first name, if there is one"),
        ("cells", "integer", "number of cells"),
        ("signature", "string", "canonical form under the 48 symmetries of the cube"),
        CLASS,
        ORDER,
        ("parity", "integer", "|black - white| of the checkered figure"),
        ("verdict", "string", "the verdict of counting"),
        ("reason", "string", "why there is no packing; empty in this table"),
        ("raw", "integer", "packings; a lower bound if the verdict is at-least"),
        ("rotation", "integer", "packings up to the figure's rotations"),
        ("unique", "integer", "packings up to the figure's rotations and reflections"),
        ("nodes", "integer", "work of the search that counted"),
        ("micros", "integer", "empty in this table"),
        ("engine", "string", "method that counted"),
        ("names", "string", "all names"),
        ("set", "string", "the pieces"),
    ],
);

/// The data of a release's texts.
#[derive(Clone, Debug)]
pub struct Release {
    pub figures: u64,
    /// Rows: a figure and a set.
    pub rows: u64,
    /// Rows with at least one packing.
    pub buildable: u64,
    /// Rows without an exact count.
    pub open: u64,
    /// The digest of the catalog's contents.
    pub digest: String,
    /// Enumerations and censuses.
    pub questions: Vec<EnumerationSummary>,
    pub sources: Vec<SourceSummary>,
    /// The commands that make the catalog again.
    pub commands: Vec<String>,
    /// The results of a second check.
    pub second_check: SecondCheck,
}

/// The rows that were derived a second time without a difference.
#[derive(Clone, Copy, Debug)]
pub struct SecondCheck {
    pub rows: u64,
    /// Of these, rows whose packings were counted again.
    pub recounted: u64,
    /// The largest number of placements of a recount.
    pub nodes: u64,
}

impl Release {
    /// Returns the version of the data: a prefix of its digest.
    fn version(&self) -> &str {
        self.digest.get(..12).unwrap_or(&self.digest)
    }

    /// Returns the title for citations.
    fn title(&self) -> String {
        let about = match self.questions.as_slice() {
            [one] => format!(": {}", one.label),
            _ => String::new(),
        };
        format!("SOMA figures and their packings{about}")
    }

    /// Returns `README.md`.
    pub fn readme(&self) -> String {
        let mut text = format!("# {}\n\n", self.title());
        let _ = writeln!(
            text,
            "{} figures, {} rows (a figure counted with a set), {} of them with a packing. Version {}, made by somacat {}.\n",
            self.figures,
            self.rows,
            self.buildable,
            self.version(),
            env!("CARGO_PKG_VERSION")
        );
        text += "## Question\n\nWhich figures can be built from the pieces of a set, and in how many ways? Figures are the \
                 same if one of the 48 symmetries of the cube takes one to the other (24 rotations for sets that are not \
                 closed under reflection). `raw` is every packing, `rotation` counts packings up to the figure's \
                 rotations, `unique` up to its rotations and reflections; equal pieces are not told apart.\n\n";
        text += "## Completeness\n\n";
        self.write_completeness(&mut text);
        let _ = writeln!(text, "Rows without an exact count: {}.\n", self.open);
        text += "## Method\n\nEnumerations list every figure of their question once, up to symmetry. What color parity and the \
                 sizes of separate parts forbid is ruled out by proof; all else is counted by an exhaustive search, a \
                 sweep over frontiers, or a census of a whole box, as the column `engine` says.\n\n";
        let SecondCheck { rows, recounted, nodes } = self.second_check;
        let _ = writeln!(
            text,
            "## Second check\n\nThe catalog is sound (`somacat catalog check`): every signature, class, parity and total follows \
             again from what the rows say. Of {rows} rows, spread evenly, everything was derived again by code that shares \
             nothing with the counting but cells and pieces (`somacat verify`), and of {recounted} of them the packings \
             were counted again; a recount that needs more than {nodes} placements was left out. There was no \
             difference.\n"
        );
        text += "## How to reproduce\n\n```\n";
        for command in &self.commands {
            let _ = writeln!(text, "{command}");
        }
        text += "somacat catalog release release\n```\n\n";
        if !self.sources.is_empty() {
            text += "The sources themselves are not part of the release; their figures are, in the catalog.\n\n";
        }
        write_files(&mut text);
        let _ = writeln!(text, "SHA-256 of the contents of the catalog: {}\n", self.digest);
        let [license, place] = DATA_LICENSE;
        let _ = writeln!(
            text,
            "## License\n\nThe data are dedicated to the public domain under [{license}]({place}). If you use them, please \
             cite them as `CITATION.cff` says. The program that made them, somacat, is under MIT or Apache-2.0."
        );
        text
    }

    /// Writes the tables of enumerations and sources.
    fn write_completeness(&self, text: &mut String) {
        if self.questions.is_empty() {
            *text += "The figures are those of the sources below; nothing was enumerated.\n\n";
        } else {
            *text += "| enumeration | set | figures | rows kept of | complete |\n|---|---|---|---|---|\n";
            for one in &self.questions {
                let complete = if one.complete { "yes" } else { "no" };
                let EnumerationSummary { label, set, figures, .. } = one;
                let _ = writeln!(
                    text,
                    "| {label} | {set} | {figures} | {} | {complete} |",
                    one.keep.word()
                );
            }
            text.push('\n');
        }
        if !self.sources.is_empty() {
            *text += "| source | names |\n|---|---|\n";
            for SourceSummary { label, names, .. } in &self.sources {
                let _ = writeln!(text, "| {} | {names} |", super::escape_markdown(label));
            }
            text.push('\n');
        }
    }

    /// Returns `CITATION.cff`.
    pub fn citation(&self) -> String {
        format!(
            "cff-version: 1.2.0\nmessage: If you use these data, please cite them as below.\ntype: dataset\ntitle: '{}'\n\
             version: '{}'\nauthors:\n  - name: The somacat authors\nlicense: {}\n",
            self.title().replace('\'', "''"),
            self.version(),
            DATA_LICENSE[0]
        )
    }

    /// Returns `datapackage.json` of a release whose other files are already written.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn data_package(&self, folder: &Path, parquet: &[String]) -> io::Result<String> {
        let paths: Vec<String> =
            parquet.iter().map(|file| format!("{RELEASE_PARQUET}/{file}")).collect();
        let mut resources = vec![resource(
            folder,
            RELEASE_CATALOG,
            "catalog",
            "sqlite",
            "application/vnd.sqlite3",
        )?];
        for (number, path) in paths.iter().enumerate() {
            let name = format!("figures-{number:04}");
            let media = "application/vnd.apache.parquet";
            resources.push(resource(folder, path, &name, "parquet", media)?);
        }
        for (file, about, columns) in [TOTALS, ENUMERATIONS, ATLAS] {
            let name = file.trim_end_matches(".csv");
            let mut table = resource(folder, file, name, "csv", "text/csv")?;
            let fields = columns.iter().map(|(name, kind, meaning)| {
                json!({ "name": name, "type": kind, "description": meaning })
            });
            table["profile"] = json!("tabular-data-resource");
            table["encoding"] = json!("utf-8");
            table["description"] = json!(about);
            table["schema"] =
                json!({ "fields": fields.collect::<Vec<_>>(), "missingValues": [""] });
            resources.push(table);
        }
        let [license, place] = DATA_LICENSE;
        let package = json!({
            "profile": "data-package",
            "name": "somacat-figures",
            "title": self.title(),
            "description": "Figures of SOMA pieces with their symmetry and the numbers of their packings; see README.md.",
            "version": self.version(),
            "licenses": [{ "name": license, "path": place }],
            "contributors": [{ "title": "The somacat authors", "role": "author" }],
            "resources": resources,
        });
        let mut text = serde_json::to_string_pretty(&package)?;
        text.push('\n');
        Ok(text)
    }
}

/// Writes the table of files.
fn write_files(text: &mut String) {
    *text += "## Files\n\n| file | |\n|---|---|\n";
    let _ = writeln!(
        text,
        "| `{RELEASE_CATALOG}` | the catalog, SQLite; its public face are its views |"
    );
    let _ = writeln!(
        text,
        "| `{RELEASE_PARQUET}/` | the same rows, sorted by order, class, signature and set |"
    );
    for (file, about, _) in [TOTALS, ENUMERATIONS, ATLAS] {
        let _ = writeln!(text, "| `{file}` | {about} |");
    }
    *text += "| `datapackage.json` | the files and their columns, as a Frictionless Data Package |\n\
             | `SHA256SUMS` | for `sha256sum -c SHA256SUMS` |\n\
             | `CITATION.cff` | how to cite it |\n\n";
}

fn resource(folder: &Path, path: &str, name: &str, format: &str, media: &str) -> io::Result<Value> {
    let file = folder.join(path);
    Ok(json!({
        "name": name,
        "path": path,
        "format": format,
        "mediatype": media,
        "bytes": file.metadata()?.len(),
        "hash": format!("sha256:{}", digest(&file)?),
    }))
}

fn digest(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        hash.update(bytes);
        let read = bytes.len();
        file.consume(read);
    }
    Ok(hexadecimal(hash))
}

/// Returns `SHA256SUMS` for all files below a folder, by name.
pub fn checksums(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    list_files(folder, "", &mut files)?;
    files.sort_unstable();
    let lines =
        files.into_iter().map(|name| Ok(format!("{}  {name}\n", digest(&folder.join(&name))?)));
    lines.collect()
}
