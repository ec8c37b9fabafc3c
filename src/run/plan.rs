//! Plans, checked whole before any work begins.

use super::Source;
use super::counting::work_within;
use super::plan_error::{PlanError, PlanFault};
use super::plan_file::{self, PlanFile};
use super::published::{self, PublishedLine};
use super::set_choice::SetChoice;
use super::source::tidy;
use super::source_question::SourceQuestion;
use somacat_catalog::RequestedAnalyses;
use somacat_counting::question::{Question, Work};
use somacat_formats::decode_text;
use somacat_output::dossier::figure_files;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The name of its runs in the catalog.
    pub title: String,
    /// Sources, in order. They are read before any other question.
    pub sources: Vec<Arc<SourceQuestion>>,
    pub questions: Vec<Arc<dyn Question>>,
    pub nodes: Option<u64>,
    /// The most bytes of memory; by default all available memory.
    pub memory: Option<u64>,
    /// Properties of packings to compute.
    pub wanted: RequestedAnalyses,
    pub published: Vec<PublishedLine>,
    pub published_source: Option<Source>,
    /// The files of its sets of pieces.
    pub set_files: Vec<PathBuf>,
    /// The pieces of everything that the plan names.
    pub set: SetChoice,
}

impl Plan {
    /// Makes a plan without any work.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Returns work within the limits of the plan.
    pub(super) fn work<'a>(&self, stop: &'a AtomicBool) -> Work<'a> {
        work_within(self.nodes, self.memory, stop)
    }

    /// Reads a plan from a file, or from standard input for `-`.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let (path, bytes) = if path == Path::new("-") {
            let mut bytes = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut bytes);
            (Path::new("standard input"), read.map(|_| bytes))
        } else {
            (path, std::fs::read(path))
        };
        Self::of_text(path, &decode_text(&bytes.map_err(unreadable("plan", path))?))
    }

    /// Parses a plan. The files it names are relative to the folder of `path`.
    pub fn of_text(path: &Path, text: &str) -> Result<Self, PlanError> {
        let file = plan_file::parse(path, text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let (mut sources, own) = (Vec::new(), tidy(path));
        for import in &file.import {
            let file = |path| Source::File { path, plan: folder.to_owned() };
            if import.is_empty() {
                let missing = io::Error::from(io::ErrorKind::NotFound);
                return Err(unreadable(IMPORTED, Path::new("\"\""))(missing));
            }
            // A folder may hold the plan itself.
            let found = files(&tidy(&folder.join(import)))?.into_iter();
            sources.extend(found.filter(|found| tidy(found) != own).map(file));
        }
        let published = match &file.published {
            None => None,
            Some(name) => {
                let path = tidy(&folder.join(name));
                let bytes = std::fs::read(&path).map_err(unreadable("published counts", &path))?;
                let text = decode_text(&bytes);
                let source = Source::File { path: path.clone(), plan: folder.to_owned() };
                Some((path, text, source))
            }
        };
        let counts = published.as_ref().map(|(path, text, _)| (path.as_path(), text.as_str()));
        let plan = Self::checked(path, file, sources, counts)?;
        Ok(Self { published_source: published.map(|(.., source)| source), ..plan })
    }

    /// Returns all that it asks, sources first.
    pub fn every_question(&self) -> impl Iterator<Item = &dyn Question> {
        let sources = self.sources.iter().map(|source| source.as_ref() as &dyn Question);
        sources.chain(self.questions.iter().map(AsRef::as_ref))
    }

    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let sources = self.sources.iter().map(|asked| asked.source());
        let sources = sources.chain(&self.published_source);
        let files = sources.filter_map(|source| match source {
            Source::File { path, .. } => Some(path.as_path()),
            Source::Stdin | Source::Text(..) => None,
        });
        files.chain(self.set_files.iter().map(PathBuf::as_path))
    }

    /// Makes a plan of a parsed file, its sources and published counts. The counts are given as text.
    pub(super) fn checked(
        path: &Path,
        file: PlanFile,
        sources: Vec<Source>,
        published: Option<(&Path, &str)>,
    ) -> Result<Self, PlanError> {
        let fault = |place: &str, fault: PlanFault| PlanError::Fault {
            path: path.to_owned(),
            place: place.to_owned(),
            fault: Box::new(fault),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let set = SetChoice::read(&file.set, folder).map_err(|error| fault("set", error))?;
        let ask = |source| Arc::new(SourceQuestion::new(source, None, set.clone()));
        let sources = sources.into_iter().map(ask).collect();
        let mut questions: Vec<Arc<dyn Question>> = Vec::new();
        let mut set_files = vec![folder.join(&file.set)];
        let keep = file.keep.unwrap_or_default();
        for (name, tables) in file.tables() {
            for (number, table) in (1..).zip(tables) {
                let place = || format!("[[{name}]] {number}");
                set_files.extend(table.set().map(|text| folder.join(text)));
                let own = table.set().map(|text| SetChoice::read(text, folder)).transpose();
                let asked = own.and_then(|own| table.questions(own.as_ref().unwrap_or(&set), keep));
                let asked = asked.and_then(|asked| match keep.top() {
                    Some(_) if name != "census" => Err(PlanFault::Leaders(keep)),
                    _ => Ok(asked),
                });
                let asked = asked.map_err(|error| fault(&place(), error))?;
                // A question that the plan has twice is answered once.
                let is_new = |question: &Arc<dyn Question>| {
                    let same = |known: &Arc<dyn Question>| {
                        let (one, other) = (known.origin(), question.origin());
                        known.key() == question.key() && one == other
                    };
                    !questions.iter().any(same)
                };
                let new: Vec<_> = asked.into_iter().filter(is_new).collect();
                questions.extend(new);
            }
        }
        if file.keep.is_some() && questions.is_empty() {
            return Err(fault("keep", PlanFault::NothingToKeep));
        }
        let published = published.map(|(path, text)| published::parse(path, text, set.fixed()));
        let published = published.transpose()?.unwrap_or_default();
        let wanted = RequestedAnalyses { map: file.map, stand: file.stand, prove: file.prove };
        let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (title, nodes) = (file.title.unwrap_or_else(stem), file.nodes.map(NonZeroU64::get));
        set_files.retain(|path| path.is_file());
        let plan = Self::new(title);
        Ok(Self { sources, questions, nodes, wanted, published, set, set_files, ..plan })
    }
}

const IMPORTED: &str = "file or folder to import called";

/// Returns the files below a folder or of wildcards, in the order of their names ([`figure_files`]), or the file itself.
fn files(path: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let failed = unreadable(IMPORTED, path);
    if let Some(files) = figure_files(path).map_err(&failed)? {
        let is_empty = || failed(io::Error::other("no files are found there"));
        return if files.is_empty() { Err(is_empty()) } else { Ok(files) };
    }
    path.metadata().map_err(failed)?;
    Ok(vec![path.to_owned()])
}

fn unreadable(role: &'static str, path: &Path) -> impl Fn(io::Error) -> PlanError {
    move |error| PlanError::File { role, path: path.to_owned(), error }
}
