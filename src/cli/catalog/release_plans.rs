//! The folder `sources` of a release: plans that make the catalog again, with the texts and the pieces that they name.

use crate::cli::failure::{Context, Failure, Result};
use serde_json::json;
use somacat_catalog::{
    Catalog, EnumerationSummary, NamesOfSource, PublishedCount, Request, Requested, RunOptions,
    SourceOptions,
};
use somacat_formats::{Format, Item, Reader, shell_quoted};
use somacat_geometry::pieces::{PieceSet, parse_set};
use somacat_output::export::{MissingSource, NotMade};
use somacat_run::{Source, plan_table, starter_source};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The plans and commands that reproduce a catalog.
#[derive(Default)]
pub(crate) struct Reproduction {
    /// Files by name: plans, published counts, and the sets that are not built in.
    pub(crate) files: BTreeMap<String, String>,
    /// Texts of figures, by the name under which the plans find them.
    pub(crate) texts: Vec<(String, Source)>,
    /// Sources whose text is not there, or not to be given away.
    pub(crate) missing: Vec<MissingSource>,
    /// The commands, in order.
    pub(crate) commands: Vec<String>,
    pub(crate) not_made: NotMade,
}

/// A plan of sources and questions that follow each other and have the same options.
#[derive(Default)]
struct PlanText {
    options: RunOptions,
    /// Which figures its questions keep.
    keep: Option<String>,
    /// The pieces of its sources.
    set: Option<String>,
    imports: Vec<String>,
    tables: String,
}

/// Returns how to make a catalog with these enumerations again. With `texts`, the release gets the texts of figures.
pub(crate) fn reproduction(
    catalog: &Catalog,
    questions: &[EnumerationSummary],
    texts: bool,
) -> Result<Reproduction> {
    let (requests, sets) = (catalog.requests()?, catalog.sets_by_name()?);
    let not_made = NotMade {
        counts: catalog.unrequested_counts()?,
        names: catalog.unrequested_names()?,
        proofs: catalog.unrequested_proofs()?,
        numbers: catalog.removed_numbers()?,
        changed: catalog.changed_sources()?,
        unfinished: questions.iter().filter(|one| !one.complete).count() as u64,
        ..NotMade::default()
    };
    let mut again = Reproduction { not_made, ..Reproduction::default() };
    let mut plan: Option<PlanText> = None;
    // The names are those of the last reading.
    let last: HashMap<String, usize> = (0..).zip(&requests).filter_map(label_of).collect();
    for (at, Request { of, options }) in (0..).zip(requests) {
        match of {
            Requested::Source { label, place, read } => {
                if last.get(&label) == Some(&at) {
                    let text = find_text(&label, place, read.sha256.as_deref());
                    again.compare(&catalog.names_of_source(&label)?, text.as_ref(), &read)?;
                    again.source(&label, text.filter(|_| texts), read.sha256.clone());
                }
                let set = read.set.as_ref().map(|name| again.set(name, &sets)).transpose()?;
                if read.format.is_some() || !options.counted {
                    again.end(plan.take());
                    again.commands.push(import(&label, &read, set.as_deref(), options));
                    continue;
                }
                let fits = |plan: &PlanText| {
                    plan.options == options && plan.set == set && plan.tables.is_empty()
                };
                if !plan.as_ref().is_some_and(fits) {
                    again.end(plan.take());
                }
                let new = || PlanText { options, set, ..PlanText::default() };
                plan.get_or_insert_with(new).imports.push(label);
            }
            Requested::Question { key, label, set, keep } => {
                let fits = |plan: &PlanText| {
                    plan.options == options && plan.keep.as_ref().is_none_or(|known| *known == keep)
                };
                if !plan.as_ref().is_some_and(fits) {
                    again.end(plan.take());
                }
                let set = again.set(&set, &sets)?;
                let unknown = || {
                    Failure::failed(format!(
                        "{label}: `{key}` is not a question of this somacat; run its plan again first"
                    ))
                };
                let table = plan_table(&key, &label).ok_or_else(unknown)?;
                let plan = plan.get_or_insert_with(|| PlanText { options, ..PlanText::default() });
                plan.keep = Some(keep);
                let _ = write!(plan.tables, "\n# {label}\n{table}set = {}\n", json!(set));
            }
        }
    }
    again.end(plan);
    again.published(catalog.published_counts()?, &sets)?;
    Ok(again)
}

fn label_of((at, request): (usize, &Request)) -> Option<(String, usize)> {
    match &request.of {
        Requested::Source { label, .. } => Some((label.clone(), at)),
        Requested::Question { .. } => None,
    }
}

/// Returns the command that imports a source as a plan cannot.
fn import(
    label: &str,
    read: &SourceOptions<String>,
    set: Option<&str>,
    options: RunOptions,
) -> String {
    let mut given = String::new();
    for (option, value) in [("format", read.format.as_deref()), ("set", set)] {
        if let Some(value) = value {
            let _ = write!(given, " --{option} {}", shell_quoted(value));
        }
    }
    given += &match options.counted {
        true => format!(" --nodes {}", options.nodes.unwrap_or(0)),
        false => " --no-count".to_owned(),
    };
    let label = shell_quoted(label);
    match label.starts_with("'-") {
        true => format!("somacat import{given} -- {label}"),
        false => format!("somacat import {label}{given}"),
    }
}

impl Reproduction {
    /// Adds a file under an unused name, and returns the name.
    fn add(&mut self, stem: &str, ending: &str, text: String) -> String {
        let mut names = (1_u64..).map(|number| match number {
            1 => format!("{stem}{ending}"),
            _ => format!("{stem}-{number}{ending}"),
        });
        let free = |name: &String| {
            self.files.get(name).is_none_or(|known| *known == text)
                && self.texts.iter().all(|(known, _)| known != name)
        };
        let name = names.find(free).expect("the names are endless");
        self.files.insert(name.clone(), text);
        name
    }

    /// Ends a plan and adds its command.
    fn end(&mut self, plan: Option<PlanText>) {
        let Some(PlanText { options, keep, set, imports, tables }) = plan else { return };
        let mut text = "title = \"release\"\n".to_owned();
        for (key, value) in [("set", set), ("keep", keep)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {}", json!(value));
            }
        }
        if !imports.is_empty() {
            let _ = writeln!(text, "import = {}", json!(imports));
        }
        if let Some(nodes) = options.nodes {
            let _ = writeln!(text, "nodes = {nodes}");
        }
        let wanted = options.wanted;
        for (key, is_wanted) in
            [("map", wanted.map), ("stand", wanted.stand), ("prove", wanted.prove)]
        {
            if is_wanted {
                let _ = writeln!(text, "{key} = true");
            }
        }
        let number = 1 + self.commands.iter().filter(|command| command.contains(" run ")).count();
        let name = self.add(&format!("plan-{number}"), ".toml", text + &tables);
        self.commands.push(format!("somacat run {name}"));
    }

    /// Compares the names in the catalog with the text of their source.
    fn compare(
        &mut self,
        names: &NamesOfSource,
        text: Option<&Source>,
        read: &SourceOptions<String>,
    ) -> Result<()> {
        let Some(text) = text else {
            self.not_made.unchecked += 1;
            return Ok(());
        };
        let format = read.format.as_deref().map(str::parse::<Format>);
        let Ok(format) = format.transpose() else { return Ok(()) };
        // A run reads a text up to its first error too.
        let items = Reader::new(text.open()?, format)
            .into_iter()
            .flatten()
            .map_while(std::result::Result::ok);
        for (ordinal, item) in (0..).zip(items) {
            let Item::Entry(entry) = item else { continue };
            match names.get(&ordinal) {
                None => self.not_made.entries += 1,
                Some(Some(known)) if *known != [entry.name, entry.title, entry.credit] => {
                    self.not_made.names += 1;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Adds the text of a source, or notes that it is missing.
    fn source(&mut self, label: &str, text: Option<Source>, sha256: Option<String>) {
        let is_plain =
            Path::new(label).components().all(|part| matches!(part, Component::Normal(_)));
        match text.filter(|_| is_plain) {
            Some(source) => self.texts.push((label.to_owned(), source)),
            None => self.missing.push(MissingSource { label: label.to_owned(), sha256 }),
        }
    }

    /// Returns a set as `--set` and plans name it. Adds a file for a set that is not built in.
    fn set(&mut self, name: &str, sets: &HashMap<String, PieceSet>) -> Result<String> {
        let unknown = || Failure::failed(format!("the catalog has no set {name}"));
        let set = sets.get(name).ok_or_else(unknown)?;
        Ok(match parse_set(name) {
            Ok(known) if known.lines() == set.lines() => name.to_owned(),
            // A set from a file has the name of the file.
            _ => {
                let file = format!("sets/{name}.txt");
                self.files.insert(file.clone(), set.lines().join("\n") + "\n");
                file
            }
        })
    }

    /// Adds published counts: a plan without questions compares them. A set that is not built in needs a plan of its own.
    fn published(
        &mut self,
        counts: Vec<(String, PublishedCount)>,
        sets: &HashMap<String, PieceSet>,
    ) -> Result<()> {
        let mut tables: BTreeMap<Option<String>, csv::Writer<Vec<u8>>> = BTreeMap::new();
        for (name, count) in counts {
            let PublishedCount { signature, kind, value, source, .. } = count;
            let set = self.set(&name, sets)?;
            let table = tables.entry(Some(set.clone()).filter(|set| *set != name));
            let row = ["", signature.as_str(), &name, kind.word(), &value.to_string(), &source];
            let head = ["name", "signature", "set", "kind", "value", "source"];
            let mut new = csv::Writer::from_writer(Vec::new());
            new.write_record(head).and_then(|()| table.or_insert(new).write_record(row)).map_err(
                |error| Failure::failed(format!("cannot write published counts: {error}")),
            )?;
        }
        for (set, table) in tables {
            let bytes = table.into_inner().map_err(|error| Failure::failed(error.to_string()))?;
            let text =
                String::from_utf8(bytes).map_err(|error| Failure::failed(error.to_string()))?;
            let file = self.add("published", ".csv", text);
            let mut plan = format!("title = \"release\"\npublished = {}\n", json!(file));
            if let Some(set) = set {
                let _ = writeln!(plan, "set = {}", json!(set));
            }
            let plan = self.add("published", ".toml", plan);
            self.commands.push(format!("somacat run {plan}"));
        }
        Ok(())
    }

    /// Writes the files and the texts into a folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let create = |name: &str| -> Result<PathBuf> {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).context(parent.display().to_string())?;
            Ok(path)
        };
        for (name, text) in &self.files {
            let path = create(name)?;
            fs::write(&path, text).context(path.display().to_string())?;
        }
        for (name, source) in &self.texts {
            let path = create(name)?;
            let mut file = fs::File::create(&path).context(path.display().to_string())?;
            std::io::copy(&mut source.open()?, &mut file).context(path.display().to_string())?;
        }
        Ok(())
    }
}

/// Finds the text of a source, on this machine or in the program.
fn find_text(label: &str, place: Option<PathBuf>, sha256: Option<&str>) -> Option<Source> {
    let file = place.filter(|path| path.is_file());
    let file = file.map(|path| Source::File { path, plan: PathBuf::new() });
    let same = |source: &Source| sha256.is_some() && source.sha256().ok().as_deref() == sha256;
    file.into_iter().chain(starter_source(label)).find(same)
}
