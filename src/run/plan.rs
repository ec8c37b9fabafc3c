//! What to execute: a plan, checked whole before any work begins.

use super::plan_error::{PlanError, PlanFault};
use super::plan_file::{self, PlanFile};
use super::published::{self, PublishedLine};
use super::{RunError, Source, Sweep, memory_to_use};
use crate::buildable::Buildable;
use crate::catalog::{Keep, RequestedAnalyses, is_database};
use crate::census::{Census, Schedule, bytes};
use crate::enumerate::{BoxSpec, Enumeration, Question, SymmetricSpec};
use crate::figure::Identity;
use crate::formats::{Format, find_piece_set};
use crate::pieces::PieceSet;
use crate::symmetry::Class;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A plan, checked and ready.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is called in the catalog's list of runs.
    pub title: String,
    /// What to do, in order: imports, enumerations, searches for figures that can be built, censuses.
    pub jobs: Vec<Job>,
    /// The most search nodes a figure.
    pub nodes: Option<u64>,
    /// What to find out about packings.
    pub wanted: RequestedAnalyses,
    /// Counts to compare with.
    pub published: Vec<PublishedLine>,
    /// Where they are from.
    pub(crate) published_source: Option<Source>,
    /// The pieces of everything that the plan names.
    pub(crate) set: SetChoice,
}

/// A part of a plan.
#[derive(Clone, Debug)]
pub enum Job {
    /// Figures of a source.
    Import(ImportJob),
    /// Figures that the program lists, counted one by one.
    Enumerate(EnumerationJob),
    /// Figures that the program finds with their packings.
    Buildable(BuildableJob),
    /// All figures of a box, counted at once.
    Census(CensusJob),
}

/// Figures of a source to take in.
#[derive(Clone, Debug)]
pub struct ImportJob {
    /// The source.
    pub source: Source,
    /// Its format; detected if not given.
    pub format: Option<Format>,
    /// The pieces.
    pub set: SetChoice,
}

/// Figures that the program lists.
#[derive(Clone, Debug)]
pub struct EnumerationJob {
    /// The enumeration.
    pub enumeration: Enumeration,
    /// The pieces; they fill as many cells as the figures have.
    pub set: PieceSet,
    /// What is kept.
    pub keep: Keep,
}

/// The figures of a symmetry class that can be built.
#[derive(Clone, Debug)]
pub struct BuildableJob {
    /// The search.
    pub search: Arc<Buildable>,
    /// What is kept: all figures or none.
    pub keep: Keep,
}

/// All figures of a box.
#[derive(Clone, Debug)]
pub struct CensusJob {
    /// The census.
    pub census: Arc<Census>,
    /// What is kept: all figures or those with a packing.
    pub keep: Keep,
    /// Bytes of memory that it may use; chosen by what is available if not given.
    pub memory: Option<u64>,
}

/// With which pieces figures of a source are counted.
#[derive(Clone, Debug)]
pub enum SetChoice {
    /// SOMA for 27 cells, 2xSOMA for 54, SOMA+ for 40, else the pieces that the figure's own marks
    /// name.
    Auto,
    /// This set for all.
    Fixed(PieceSet),
}

impl SetChoice {
    /// The set for figures of a kind that the program lists, which bear no marks.
    fn for_cells(&self, cells: usize) -> Result<PieceSet, PlanFault> {
        match self {
            Self::Fixed(set) if set.total_cells() != cells => Err(PlanFault::OtherSize {
                cells,
                set: set.name().to_owned(),
                fills: set.total_cells(),
            }),
            Self::Fixed(set) => Ok(set.clone()),
            Self::Auto => PieceSet::standard(cells).ok_or(PlanFault::NoSet(cells)),
        }
    }

    pub(crate) fn fixed(&self) -> Option<&PieceSet> {
        if let Self::Fixed(set) = self { Some(set) } else { None }
    }
}

impl Plan {
    /// A plan with the given jobs.
    #[must_use]
    pub fn new(title: impl Into<String>, jobs: Vec<Job>) -> Self {
        Self {
            title: title.into(),
            jobs,
            nodes: None,
            wanted: RequestedAnalyses::default(),
            published: Vec::new(),
            published_source: None,
            set: SetChoice::Auto,
        }
    }

    /// Reads a plan file and checks it.
    ///
    /// # Errors
    /// If it, or a file it names, cannot be read, or anything in it makes no sense.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        Self::of_text(path, &read("plan", path)?)
    }

    /// A plan from its text; the files it names are looked for beside `path`.
    ///
    /// # Errors
    /// If a file it names cannot be read, or anything in it makes no sense.
    pub fn of_text(path: &Path, text: &str) -> Result<Self, PlanError> {
        let file = plan_file::parse(path, text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut sources = Vec::new();
        for import in &file.import {
            let file = |path| Source::File { path, plan: folder.to_owned() };
            sources.extend(files(&tidy(&folder.join(import)))?.into_iter().map(file));
        }
        let published = match &file.published {
            None => None,
            Some(name) => {
                let path = tidy(&folder.join(name));
                let text = read("published counts", &path)?;
                let source = Source::File { path: path.clone(), plan: folder.to_owned() };
                Some((path, text, source))
            }
        };
        let counts = published.as_ref().map(|(path, text, _)| (path.as_path(), text.as_str()));
        let plan = Self::checked(path, file, sources, counts)?;
        Ok(Self { published_source: published.map(|(.., source)| source), ..plan })
    }

    /// A plan from its parts.
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
        let set = set_choice(&file.set, path.parent().unwrap_or(Path::new("")))
            .map_err(|error| fault("set", error))?;
        let keep = Keep::from(file.keep);
        let import = |source| ImportJob { source, format: None, set: set.clone() };
        let mut jobs: Vec<Job> = sources.into_iter().map(import).map(Job::Import).collect();
        let listed = |question: Question| {
            let set = set.for_cells(question.cells())?;
            let question = question.with_identity(Identity::for_set(&set));
            let enumeration = Enumeration::new(question)?;
            Ok(Job::Enumerate(EnumerationJob { enumeration, set, keep }))
        };
        for (number, table) in (1..).zip(&file.symmetric) {
            let job = table.question().and_then(listed);
            jobs.push(job.map_err(|error| fault(&format!("[[symmetric]] {number}"), error))?);
        }
        for (number, table) in (1..).zip(&file.boxes) {
            let job = table.question().and_then(listed);
            jobs.push(job.map_err(|error| fault(&format!("[[box]] {number}"), error))?);
        }
        for (number, table) in (1..).zip(&file.buildable) {
            let set = set.fixed().cloned().unwrap_or_else(|| PieceSet::soma(1));
            let job = |class| buildable(class, table.exact, &set, keep);
            let each = table.classes().and_then(|all| all.into_iter().map(job).collect());
            let each: Vec<Job> =
                each.map_err(|error| fault(&format!("[[buildable]] {number}"), error))?;
            jobs.extend(each);
        }
        for (number, table) in (1..).zip(&file.census) {
            let set = set.fixed().cloned().unwrap_or_else(|| PieceSet::soma(1));
            let place = || format!("[[census]] {number}");
            if keep == Keep::Totals {
                return Err(fault(&place(), PlanFault::CensusTotals));
            }
            let census = table.sides().and_then(|sides| Ok(Census::new(sides, &set)?));
            let census = Arc::new(census.map_err(|error| fault(&place(), error))?);
            jobs.push(Job::Census(CensusJob { census, keep, memory: None }));
        }
        let published = published.map(|(path, text)| published::parse(path, text, set.fixed()));
        let published = published.transpose()?.unwrap_or_default();
        let wanted = RequestedAnalyses { map: file.map, stand: file.stand };
        let (title, nodes) = (file.title, file.nodes);
        Ok(Self { title, jobs, nodes, wanted, published, published_source: None, set })
    }
}

/// The figures of a class that can be built: searched with their packings, or listed and counted where that cannot be.
fn buildable(class: Class, exact: bool, set: &PieceSet, keep: Keep) -> Result<Job, PlanFault> {
    // Every figure that is found can be built.
    let kept = |kept| if keep == Keep::Totals { keep } else { kept };
    match Buildable::new(class, exact, set) {
        Ok(search) => {
            let search = Arc::new(search);
            Ok(Job::Buildable(BuildableJob { search, keep: kept(Keep::All) }))
        }
        Err(error) if class.order() < 3 => Err(error.into()),
        Err(_) => {
            let all = SymmetricSpec::containing(class, set.total_cells());
            let identity = Identity::for_set(set);
            let enumeration = Enumeration::symmetric(SymmetricSpec { exact, identity, ..all })?;
            let (set, keep) = (set.clone(), kept(Keep::Buildable));
            Ok(Job::Enumerate(EnumerationJob { enumeration, set, keep }))
        }
    }
}

impl CensusJob {
    /// Chooses how to count shards with the threads and the memory there are, rows that wait to be written included.
    pub(crate) fn schedule(&self, shards: Range<usize>) -> Result<Schedule<'_>, RunError> {
        let allowed = memory_to_use(self.memory);
        let threads = rayon::current_num_threads();
        let schedule = self.census.schedule_of(shards, threads, allowed)?;
        let needed = Sweep::of_all(&schedule).memory();
        if needed > allowed {
            let (needed, allowed) = (bytes(needed), bytes(allowed));
            return Err(RunError::CensusMemory { needed, allowed });
        }
        Ok(schedule)
    }

    /// The question in words.
    #[must_use]
    pub fn label(&self) -> String {
        format!("census of {}", crate::boxes::sides_text(self.census.sides()))
    }

    /// The number of figures in the box.
    #[must_use]
    pub fn figures(&self) -> u128 {
        let (sides, set) = (self.census.sides(), self.census.set());
        let all = BoxSpec::new(sides, set.total_cells());
        let all = BoxSpec { identity: Identity::for_set(set), ..all };
        let figures = Enumeration::in_box(all).ok().and_then(|all| all.total());
        figures.expect("the figures of a box that was checked can be counted")
    }
}

/// Reads `auto`, a set, or the name of a file of pieces in the plan's folder.
fn set_choice(text: &str, folder: &Path) -> Result<SetChoice, PlanFault> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(SetChoice::Auto);
    }
    Ok(SetChoice::Fixed(find_piece_set(text, folder)?))
}

/// A path without `.` and `..` where that can be seen from the path alone.
fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir
                if matches!(tidied.components().next_back(), Some(Component::Normal(_))) =>
            {
                tidied.pop();
            }
            Component::CurDir => {}
            other => tidied.push(other),
        }
    }
    tidied
}

/// The files of a folder and its folders in the order of their names, or the file itself. Hidden ones are left out,
/// and catalogs: figures are not read from those.
///
/// # Errors
/// If there is no such file or folder, or one cannot be read.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, PlanError> {
    let failed = |error| PlanError::File {
        role: "file or folder to import called",
        path: path.to_owned(),
        error,
    };
    if !path.metadata().map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries: Vec<_> =
        path.read_dir().map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // A link to a folder could lead in a circle.
        if entry.file_type().map_err(failed)?.is_dir() {
            found.extend(files(&path)?);
        } else if path.is_file() && !is_of_catalog(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Whether a file is a catalog, or lies beside one.
fn is_of_catalog(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let beside = ["-wal", "-shm", "-journal", "-lock"]
        .iter()
        .any(|ending| name.strip_suffix(ending).is_some_and(|catalog| Path::new(catalog).exists()));
    beside || is_database(path)
}

fn read(role: &'static str, path: &Path) -> Result<String, PlanError> {
    std::fs::read_to_string(path).map_err(|error| PlanError::File {
        role,
        path: path.to_owned(),
        error,
    })
}
