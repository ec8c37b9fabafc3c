//! A data release: texts for a catalog's files, so that others can read, check, cite and reproduce it. They follow
//! from the catalog alone: the same catalog gives the same bytes.

use super::credits::ReleaseCredits;
use somacat_catalog::{EnumerationSummary, Row, SourceSummary};
use somacat_formats::count_noun;
use somacat_geometry::figure::Columns;
use somacat_geometry::outcome::Outcome;
use somacat_geometry::symmetry::Class;
use somacat_rows::columns::{CATALOG_COLUMNS, CLASS, Column, Kind, ORDER, SET, TYPED_COLUMNS};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

/// The SPDX name of the data's license, and its address.
pub const DATA_LICENSE: [&str; 2] =
    ["CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"];

pub const RELEASE_CATALOG: &str = "figures.db";

pub const RELEASE_PARQUET: &str = "parquet";

/// The file that RO-Crate prescribes.
pub(super) const RO_CRATE: &str = "ro-crate-metadata.json";

/// The folder with everything that the catalog was made from.
pub const RELEASE_SOURCES: &str = "sources";

/// A table: its file or folder, its contents, and its columns.
pub struct ReleaseTable {
    pub file: &'static str,
    pub about: &'static str,
    pub(super) columns: Vec<ReleaseColumn>,
}

impl ReleaseTable {
    pub fn column_names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|(name, ..)| *name).collect()
    }
}

/// A column: name, Frictionless type, meaning.
pub(super) type ReleaseColumn = (&'static str, &'static str, &'static str);

/// Returns the columns of tables that count the figures of each class.
fn numbers_of_class() -> [ReleaseColumn; 7] {
    [
        described(&CLASS),
        described(&ORDER),
        ("figures", "integer", "figures of the class"),
        ("parity_blocked", "integer", "proved to have no packing, by the colors of a checkerboard"),
        ("unsolvable", "integer", "proved to have no packing, for another reason"),
        ("solvable", "integer", "with at least one packing"),
        ("undecided", "integer", "a limit came first, or the count failed"),
    ]
}

/// Describes a column of figures.
fn described(column: &Column) -> ReleaseColumn {
    let kind = match column.kind {
        Kind::Text | Kind::Word => "string",
        Kind::Small | Kind::Whole | Kind::Count => "integer",
    };
    (column.name, kind, column.meaning)
}

fn rows() -> ReleaseTable {
    let column = |column: &Column| match column.kind {
        // Readers that use pandas, as Frictionless does, have no integers in a column with missing values.
        Kind::Count => (column.name, "number", column.meaning),
        _ => described(column),
    };
    ReleaseTable {
        file: RELEASE_PARQUET,
        about: "The rows of the catalog, sorted by order, class, signature and set",
        columns: TYPED_COLUMNS.iter().map(column).collect(),
    }
}

fn totals() -> ReleaseTable {
    ReleaseTable {
        file: "totals.csv",
        about: "The figures of the catalog in numbers, by set and class",
        columns: [
            &[(
                SET.name,
                "string",
                "the pieces; empty for figures that nobody asked to build from pieces",
            )][..],
            &numbers_of_class(),
            &[("not_counted", "integer", "never counted")],
        ]
        .concat(),
    }
}

fn enumerations() -> ReleaseTable {
    ReleaseTable {
        file: "enumerations.csv",
        about: "Enumerations and censuses in numbers, by class, whether their figures are kept in the catalog or not",
        columns: [
            ("enumeration", "string", "the question in words"),
            described(&SET),
            (
                "keep",
                "string",
                "of which figures the catalog has rows: all, solvable, totals (none), top:N (with the most packings)",
            ),
            ("complete", "string", "yes if the enumeration is complete, else no"),
        ]
        .into_iter()
        .chain(numbers_of_class())
        .collect(),
    }
}

fn atlas() -> ReleaseTable {
    let column = |column: &Column| match described(column) {
        (name @ "reason", kind, _) => (name, kind, "why there is no packing; empty in this table"),
        (name @ "micros", kind, _) => (name, kind, "empty in this table"),
        described => described,
    };
    ReleaseTable {
        file: "atlas.csv",
        about: "The figures that can be built, in the order of their signatures",
        columns: CATALOG_COLUMNS.iter().map(column).collect(),
    }
}

/// The tables of a release: its rows, then those that are written as CSV.
pub static RELEASE_TABLES: LazyLock<[ReleaseTable; 4]> =
    LazyLock::new(|| [rows(), totals(), enumerations(), atlas()]);

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
    pub questions: Vec<EnumerationSummary>,
    pub sources: Vec<SourceSummary>,
    /// The commands that make the release in a copy of its folder of sources.
    pub commands: Vec<String>,
    /// True if the release has the folder of sources.
    pub has_sources: bool,
    pub not_made: NotMade,
    pub missing: Vec<MissingSource>,
    pub second_check: SecondCheck,
    pub findings: BTreeMap<Arc<str>, Findings>,
    pub publication: ReleaseCredits,
    pub program: String,
}

/// What the commands of a release do not make.
#[derive(Clone, Copy, Debug, Default)]
pub struct NotMade {
    /// Counts that no source or question requested.
    pub counts: u64,
    /// Entries whose name, title or credit is not that of their text, as the requests of their source read it.
    pub names: u64,
    /// Entries of texts that the catalog does not have.
    pub entries: u64,
    /// Proofs that no run looked for.
    pub proofs: u64,
    /// Questions whose enumeration or census was stopped.
    pub unfinished: u64,
    /// Numbers of figures and sources that are free after a removal.
    pub numbers: u64,
    /// Sources that had another text when they were read first.
    pub changed: u64,
    /// Sources whose text was not there to compare.
    pub unchecked: u64,
}

impl NotMade {
    /// Returns a line for each number above 0.
    pub fn lines(&self) -> Vec<String> {
        [
            (self.counts, "rows that `somacat design --catalog` or an import of an earlier text counted"),
            (
                self.names,
                "entries whose name, title or credit is not that of their text, as after `somacat catalog rename`",
            ),
            (self.entries, "entries of texts that are missing, as after `somacat catalog remove`"),
            (self.proofs, "proofs that no run looked for, as those of `somacat catalog prove`"),
            (self.unfinished, "enumerations that were stopped, which the commands finish"),
            (self.numbers, "numbers of figures and sources that `somacat catalog remove` left free"),
            (
                self.changed,
                "sources whose text was changed and read again, so that figures may have other numbers in `figures.db`",
            ),
        ]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{what}: {number}"))
        .collect()
    }
}

/// A source whose text is not part of a release.
#[derive(Clone, Debug)]
pub struct MissingSource {
    pub label: String,
    /// The digest of its content. `None` for a stream.
    pub sha256: Option<String>,
}

/// Findings from the counts with a set.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Rows with a verdict.
    rows: u64,
    buildable: u64,
    /// Figures with a single packing up to rotation and reflection.
    single: u64,
    most: Option<MostPackings>,
}

#[derive(Clone, Debug)]
struct MostPackings {
    figure: String,
    class: Class,
    raw: u128,
    unique: u128,
    others: u64,
}

impl Findings {
    pub fn add(&mut self, row: &Row, outcome: &Outcome) {
        self.rows += 1;
        self.buildable += u64::from(outcome.raw().is_some_and(|raw| raw > 0));
        let (true, Some(raw), Some(unique)) =
            (outcome.is_exact(), outcome.raw(), outcome.unique().filter(|unique| *unique > 0))
        else {
            return;
        };
        self.single += u64::from(unique == 1);
        match &mut self.most {
            Some(most) if most.raw == raw => most.others += 1,
            Some(most) if most.raw > raw => {}
            most => {
                let Columns { signature, class, .. } = &row.figure;
                let figure = row.name().map_or_else(|| signature.to_string(), str::to_owned);
                *most = Some(MostPackings { figure, class: *class, raw, unique, others: 0 });
            }
        }
    }
}

/// The rows that were derived a second time without a difference.
#[derive(Clone, Copy, Debug)]
pub struct SecondCheck {
    pub rows: u64,
    /// Rows among these whose packings were counted again.
    pub recounted: u64,
    /// The largest number of placements of a recount.
    pub nodes: u64,
}

impl Release {
    /// Returns the version of the data: a prefix of its digest.
    pub(in crate::export) fn version(&self) -> &str {
        self.digest.get(..12).unwrap_or(&self.digest)
    }

    pub(in crate::export) fn title(&self) -> String {
        let about = match self.questions.as_slice() {
            [one] => format!(": {}", one.label),
            _ => String::new(),
        };
        format!("SOMA figures and their packings{about}")
    }

    /// Returns `README.md`.
    pub fn readme(&self) -> String {
        let mut text = format!("{}# {}\n\n", self.card_head(), self.title());
        let _ = writeln!(
            text,
            "{}, {} (a figure with a set), {} of them with a packing. Version {}, made by somacat {}.\n",
            count_noun(self.figures, "figure"),
            count_noun(self.rows, "row"),
            self.buildable,
            self.version(),
            self.program
        );
        text += "## Question\n\nWhich figures can be built from the pieces of a set, and in how many ways? Figures are the \
                 same if one of the 48 symmetries of the cube takes one to the other (24 rotations for sets that are not \
                 closed under reflection). `raw` is every packing, `rotation` counts packings up to the figure's \
                 rotations, `unique` up to its rotations and reflections; equal pieces are not told apart.\n\n";
        text += "## Completeness\n\n";
        self.write_completeness(&mut text);
        let _ = writeln!(text, "Rows without an exact count: {}.\n", self.open);
        self.write_findings(&mut text);
        text += "## Method\n\nA complete enumeration lists every figure of its question once, up to symmetry. What color parity \
                 and the sizes of separate parts forbid is ruled out by proof; all else is counted by an exhaustive search, a \
                 sweep over frontiers, or a census of a whole box, as the column `engine` says.\n\n";
        let SecondCheck { rows, recounted, nodes } = self.second_check;
        text += "## Second check\n\nThe catalog is sound (`somacat catalog check`): every signature, class, parity and \
                 total follows again from what the rows say. ";
        let _ = match rows {
            0 => writeln!(text, "No row was derived again (`somacat verify`).\n"),
            _ => writeln!(
                text,
                "Of {}, spread evenly, everything was derived again by code that shares nothing with the counting but \
                 cells and pieces (`somacat verify`), and of {recounted} of them the packings were counted again; a \
                 recount that needs more than {nodes} placements was left out. There was no difference.\n",
                count_noun(rows, "row")
            ),
        };
        self.write_commands(&mut text);
        self.write_files(&mut text);
        let _ = writeln!(text, "SHA-256 of the contents of the catalog: {}\n", self.digest);
        let [license, place] = DATA_LICENSE;
        let _ = writeln!(
            text,
            "## License\n\nThe data are dedicated to the public domain under [{license}]({place}). If you use them, please \
             cite them as `CITATION.cff` says. The program that made them, somacat, is under MIT or Apache-2.0."
        );
        if self.has_sources && self.missing.len() < self.sources.len() {
            let _ = writeln!(
                text,
                "Texts of figures in `{RELEASE_SOURCES}` belong to those who wrote them, and are given as they came."
            );
        }
        text
    }

    fn write_commands(&self, text: &mut String) {
        *text += "## How to reproduce\n\n";
        let not_made = self.not_made.lines();
        if !not_made.is_empty() && self.sources.is_empty() && self.questions.is_empty() {
            *text += "The catalog does not note how its counts were requested; `somacat design --catalog` makes such \
                      counts. No command is known that makes them again.\n\n";
            return;
        }
        let again = match not_made.is_empty() {
            true => "the same somacat writes the same files again to a new folder `release`",
            false => "the same somacat writes the rest of the release to a new folder `release`",
        };
        let place = match self.has_sources {
            true => format!(
                "The folder `{RELEASE_SOURCES}` has what the catalog was made from. In a copy of this folder, "
            ),
            false => "In an empty folder, ".to_owned(),
        };
        if !not_made.is_empty() {
            let _ = writeln!(text, "The catalog differs from what these commands make:\n");
            for line in &not_made {
                let _ = writeln!(text, "- {line}");
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "{place}{again}. (A command ends with exit code 3 if it refused entries of a source.)\n\n```"
        );
        for command in &self.commands {
            let _ = writeln!(text, "{command}");
        }
        *text += "```\n\n";
        if self.missing.is_empty() {
            return;
        }
        *text += "These texts are not part of the release. Add them to the copy first; their figures are in the catalog.\n\n\
                  | text | SHA-256 |\n|---|---|\n";
        for MissingSource { label, sha256 } in &self.missing {
            let digest = sha256.as_deref().unwrap_or("unknown: it was read from a stream");
            let _ = writeln!(text, "| {} | {digest} |", crate::export::escape_markdown(label));
        }
        text.push('\n');
        if self.not_made.unchecked > 0 {
            let _ = writeln!(
                text,
                "The texts of {} were not there to compare the names in the catalog with them. If `somacat catalog rename` \
                 or `remove` changed some, the commands do not.\n",
                count_noun(self.not_made.unchecked, "source")
            );
        }
    }

    fn write_findings(&self, text: &mut String) {
        if self.findings.is_empty() {
            return;
        }
        *text += "## Findings\n\nThe rows of the catalog. `unique` is up to rotation and reflection, and counts that stopped \
                  at a limit are not among those with one or the most packings:\n\n\
                  | set | rows | buildable | with one unique packing | most packings | its figure |\n|---|---|---|---|---|---|\n";
        for (set, Findings { rows, buildable, single, most }) in &self.findings {
            let most = most.as_ref().map_or("| | |".to_owned(), |most| {
                let MostPackings { figure, class, raw, unique, others } = most;
                let others = match others {
                    0 => String::new(),
                    n => format!(", and {n} more"),
                };
                let figure = crate::export::escape_markdown(figure);
                format!("| {raw} ({unique} unique) | {figure}, of class {class}{others} |")
            });
            let _ = writeln!(text, "| {set} | {rows} | {buildable} | {single} {most}");
        }
        text.push('\n');
    }

    /// Writes the tables of enumerations and sources.
    fn write_completeness(&self, text: &mut String) {
        if self.questions.is_empty() && self.sources.is_empty() {
            *text += "Nothing was enumerated or imported.\n\n";
        } else if self.questions.is_empty() {
            *text += "The figures are those of the sources below; nothing was enumerated.\n\n";
        } else {
            *text += "| enumeration | set | figures | forbidden by parity | buildable | rows kept of | complete |\n\
                      |---|---|---|---|---|---|---|\n";
            for one in &self.questions {
                let complete = if one.complete { "yes" } else { "no" };
                let EnumerationSummary {
                    label, set, figures, parity_blocked, buildable, keep, ..
                } = one;
                let _ = writeln!(
                    text,
                    "| {label} | {set} | {figures} | {parity_blocked} | {buildable} | {keep} | {complete} |",
                );
            }
            text.push('\n');
        }
        if !self.sources.is_empty() {
            *text += "| source | names |\n|---|---|\n";
            for SourceSummary { label, names, .. } in &self.sources {
                let _ = writeln!(text, "| {} | {names} |", crate::export::escape_markdown(label));
            }
            text.push('\n');
        }
    }

    fn write_files(&self, text: &mut String) {
        *text += "## Files\n\n| file | |\n|---|---|\n";
        let _ = writeln!(
            text,
            "| `{RELEASE_CATALOG}` | the catalog, SQLite; its public face are its views |"
        );
        for ReleaseTable { file, about, .. } in &*RELEASE_TABLES {
            let folder = if *file == RELEASE_PARQUET { "/" } else { "" };
            let _ = writeln!(text, "| `{file}{folder}` | {about} |");
        }
        *text += "| `datapackage.json`, `croissant.json` | the files and their columns, as a Frictionless Data Package and \
                 in Croissant 1.1 |\n";
        if self.publication.date.is_some() {
            let _ = writeln!(
                text,
                "| `{RO_CRATE}` | the files, their authors, and the run that made them, in RO-Crate 1.1 |"
            );
        }
        if self.has_sources {
            *text +=
                "| `sources/` | plans, pieces and texts of figures that make the release again |\n";
        }
        *text += "| `SHA256SUMS` | for `sha256sum -c SHA256SUMS` |\n\
                 | `CITATION.cff` | how to cite it |\n\n\
                 `sha256sum -c SHA256SUMS` checks every byte. `frictionless validate --standards v1 datapackage.json \
                 --limit-rows 10000` checks the types of some rows of each table (`pip install 'frictionless[parquet]' pandas`); \
                 without a limit it takes a second for each thousand rows of figures.\n\n";
    }
}
