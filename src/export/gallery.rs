//! A catalog as a static site: an index to filter, and a page for each figure.
//!
//! The pages work from the file system: data comes as scripts, nothing is fetched, and everything
//! they use lies in the folder.

use super::pages::{environment, file_stem, script_json};
use super::template_data::FigureData;
use super::{SiteError, SiteFolder};
use crate::dossier::{Dossier, Packing, SetOutcome};
use crate::lattice::Cell;
use crate::solve::Trace;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;

/// The files that are the same in every gallery.
const FIXED: [(&str, &str); 5] = [
    ("site.css", include_str!("site/site.css")),
    ("index.js", include_str!("site/index.js")),
    ("player.js", include_str!("site/player.js")),
    ("scene.js", include_str!("site/scene.js")),
    ("figure.js", include_str!("site/figure.js")),
];

/// A gallery in the making.
pub struct Gallery {
    folder: SiteFolder,
    templates: Environment<'static>,
    title: String,
    index: Index,
}

/// What the index page filters and sorts; short, because it is loaded whole.
#[derive(Default, Serialize)]
struct Index {
    /// Name, description, Allen's letter, order, orders of the elements.
    classes: Vec<(&'static str, &'static str, String, usize, Vec<usize>)>,
    sets: Vec<String>,
    figures: Vec<Row>,
}

/// Signature, page, names, class, cells, parity, outcomes. The index page reads the cells off the
/// signature.
type Row = (String, String, Vec<String>, usize, usize, u32, Vec<OutcomeRow>);

/// Set, verdict, reason, raw, rotation, unique.
type OutcomeRow = (usize, &'static str, String, String, String, String);

/// What the scripts of a figure's page work with.
#[derive(Serialize)]
struct PageData<'a> {
    cells: Vec<[i32; 3]>,
    tracks: Vec<Track<'a>>,
}

/// Something to step through: a packing that is built, or the trace of a search. The same shape as
/// `somacat solve --trace` writes.
#[derive(Serialize)]
struct Track<'a> {
    name: &'a str,
    set: &'a str,
    cells: Vec<[i32; 3]>,
    steps: Vec<Step>,
    /// Only of a trace: whether it is the whole search, and the packings it found.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    packings: Option<usize>,
}

#[derive(Serialize)]
struct Step {
    n: usize,
    depth: usize,
    piece: char,
    cells: Vec<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    solved: bool,
}

impl Gallery {
    /// Prepares the folder.
    ///
    /// # Errors
    /// If the folder holds something else or cannot be written.
    pub fn create(folder: &Path, title: &str) -> Result<Self, SiteError> {
        let mut templates = environment()?;
        templates.add_template("index.html", include_str!("site/index.html"))?;
        templates.add_template("figure.html", include_str!("site/figure.html"))?;
        Ok(Self {
            folder: SiteFolder::create(folder, "gallery")?,
            templates,
            title: title.to_owned(),
            index: Index::default(),
        })
    }

    /// Writes the pages of these figures, in parallel, and takes them into the index.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, figures: &[Dossier]) -> Result<(), SiteError> {
        figures.par_iter().try_for_each(|figure| self.page(figure))?;
        for figure in figures {
            self.index.add(figure);
        }
        Ok(())
    }

    /// Writes the index and puts the folder in place.
    ///
    /// # Errors
    /// If a file cannot be written or the folder not be put in place.
    pub fn finish(self) -> Result<(), SiteError> {
        for (name, content) in FIXED {
            self.folder.write(name, content)?;
        }
        let page = self.templates.get_template("index.html")?.render(context! {
            title => self.title,
            count => self.index.figures.len(),
        })?;
        self.folder.write("index.html", page)?;
        self.folder.write("data.js", self.index.script()?)?;
        self.folder.commit()
    }

    fn page(&self, figure: &Dossier) -> Result<(), SiteError> {
        let outcomes = figure.outcomes.iter();
        let built = outcomes.clone().filter_map(|o| Some(Track::of(figure, o, o.found_packing()?)));
        let tried = outcomes.filter_map(|o| Some(Track::of_search(figure, o, o.trace.as_ref()?)));
        let tracks: Vec<Track<'_>> = built.chain(tried).collect();
        let cells = figure.candidate.figure().cells().iter().map(|c| c.to_array()).collect();
        let data = script_json(&PageData { cells, tracks })?;
        let page = self.templates.get_template("figure.html")?.render(context! {
            title => &self.title,
            figure => Serde(&FigureData::new(figure)),
            data,
        })?;
        self.folder.write(&format!("figures/{}.html", file_stem(figure.signature.as_str())), page)
    }
}

impl<'a> Track<'a> {
    fn of(figure: &'a Dossier, outcome: &'a SetOutcome, packing: &Packing) -> Self {
        let pieces = packing.order.iter().map(|&at| &packing.pieces[at]).enumerate();
        let steps = pieces.map(|(depth, (piece, cells))| (depth, *piece, cells, false));
        Self::new(figure, outcome, steps)
    }

    fn of_search(figure: &'a Dossier, outcome: &'a SetOutcome, trace: &Trace) -> Self {
        let set = outcome.pieces.as_ref().expect("a search was recorded with these pieces");
        let steps = trace.steps.iter().map(|step| {
            let letter = set.pieces()[step.placement.piece].0.name();
            (step.depth, letter, &step.placement.cells, step.solved)
        });
        Self {
            complete: Some(trace.complete),
            packings: Some(trace.steps.iter().filter(|step| step.solved).count()),
            ..Self::new(figure, outcome, steps)
        }
    }

    fn new<'b>(
        figure: &'a Dossier,
        outcome: &'a SetOutcome,
        steps: impl Iterator<Item = (usize, char, &'b Vec<Cell>, bool)>,
    ) -> Self {
        let cells = figure.candidate.figure().cells();
        let number = |cell: &Cell| cells.binary_search(cell).ok();
        let step = |(at, (depth, piece, its, solved)): (usize, (usize, char, &Vec<Cell>, bool))| {
            Step { n: at + 1, depth, piece, cells: its.iter().filter_map(number).collect(), solved }
        };
        Self {
            name: &figure.heading,
            set: outcome.set.as_deref().unwrap_or_default(),
            cells: cells.iter().map(|c| c.to_array()).collect(),
            steps: steps.enumerate().map(step).collect(),
            complete: None,
            packings: None,
        }
    }
}

impl Index {
    fn add(&mut self, dossier: &Dossier) {
        let group = dossier.candidate.group();
        let class = group.class();
        let class_at = position(
            &mut self.classes,
            |known| known.0 == class.name(),
            || {
                let allen = class.allen().map(String::from).unwrap_or_default();
                let orders = group.cyclic_orders();
                (class.name(), class.description(), allen, group.order(), orders)
            },
        );
        let mut outcomes = Vec::new();
        for o in FigureData::new(dossier).outcomes {
            let set = position(&mut self.sets, |known| *known == o.set, || o.set.clone());
            outcomes.push((set, o.verdict, o.reason, o.raw, o.rotation, o.unique));
        }
        let signature = dossier.signature.to_string();
        let (page, names) = (file_stem(&signature), dossier.names.clone());
        let columns = dossier.candidate.columns();
        self.figures.push((
            signature,
            page,
            names,
            class_at,
            columns.cells,
            columns.parity,
            outcomes,
        ));
    }

    /// A script that defines `GALLERY`, a figure a line.
    fn script(&self) -> Result<String, SiteError> {
        let mut text = format!(
            "const GALLERY = {{\n\"classes\": {},\n\"sets\": {},\n\"figures\": [",
            script_json(&self.classes)?,
            script_json(&self.sets)?
        );
        for (at, row) in self.figures.iter().enumerate() {
            text += if at == 0 { "\n" } else { ",\n" };
            text += &script_json(row)?;
        }
        text += "\n]};\n";
        Ok(text)
    }
}

/// Where a value is in a list; it is put at the end if it is not there.
fn position<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> usize {
    list.iter().position(is).unwrap_or_else(|| {
        list.push(make());
        list.len() - 1
    })
}
