//! The figures of exports that hold one figure, or few: by `--figure` or by filters.

use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::choice::ChoiceArgs;
use crate::cli::shared::files_read::note_read;
use crate::cli::shared::filter::{SelectionArgs, filters_without_set};
use crate::cli::shared::input::{RequestedFigure, piece_set, piece_set_with_ranges, report_set};
use crate::cli::{Global, eprintln, report_refused};
use clap::Args;
use somacat_catalog::{Catalog, Filter};
use somacat_formats::{Colors, Refusal, check_size, count_noun};
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::{LookupReports, Subject, look_up};
use std::path::Path;

// The figures to export.
#[derive(Args, Debug)]
pub(crate) struct SubjectArgs {
    /// The figure: a file, a box such as 3x3x4, a figure such as '67 77', a signature, or a name in the catalog.
    #[arg(long, value_name = "FIGURE", conflicts_with_all = filters_without_set().chain(["OrderArgs"]))]
    figure: Option<String>,
    #[command(flatten)]
    selection: SelectionArgs,
}

impl SubjectArgs {
    pub(crate) const fn has_figure(&self) -> bool {
        self.figure.is_some()
    }

    /// Returns true if `--figure` or a filter besides `--set` is given.
    pub(crate) fn selects_figures(&self) -> bool {
        self.has_figure() || !self.selection.selects_all()
    }

    /// Returns the pieces that `--set` names; with filters it selects rows instead.
    pub(crate) fn piece_set(&self) -> Result<Option<PieceSet>> {
        self.selection.filter.set.as_deref().map(piece_set).transpose()
    }

    /// Returns the pieces that `--set` names, which may have ranges of copies.
    fn set_with_ranges(&self) -> Result<Option<PieceSet>> {
        self.selection.filter.set.as_deref().map(piece_set_with_ranges).transpose()
    }

    /// Returns the figure of `--figure`, or the filters' only match.
    pub(crate) fn one(&self, global: &Global) -> Result<Subject> {
        self.sole(global, Colors::Refused)
    }

    fn sole(&self, global: &Global, colors: Colors) -> Result<Subject> {
        let mut subjects = self.matching(global, 1, colors, false)?;
        match (subjects.len(), &self.figure) {
            (1, _) => Ok(subjects.remove(0).0),
            (n, Some(figure)) => {
                let has = count_noun(n, "figure");
                Err(Failure::failed(format!("{figure} has {has}; give only one")))
            }
            (n, None) => Err(Failure::failed(format!(
                "at least {n} figures match; name one with --figure, by signature if necessary"
            ))),
        }
    }

    /// Returns the figure with its pieces. Reports if no choice of them fills it.
    pub(crate) fn one_with_choice(&self, global: &Global, choice: ChoiceArgs) -> Result<Chosen> {
        let set = if self.has_figure() { self.set_with_ranges()? } else { None };
        let subject = self.sole(global, Colors::Gaps)?;
        let chosen = Chosen::new(subject, set, choice)?;
        if let Err(refusal) = check_size(chosen.figure.figure.len(), &chosen.set) {
            eprintln(&format!("{}: {refusal}", chosen.figure.label));
        }
        Ok(chosen)
    }

    /// Returns up to `most` figures, each with pieces that fill it: once for each of its sets that match the filters.
    /// Reports and leaves out the others.
    ///
    /// No figure is an error.
    pub(crate) fn all_fillable(
        &self,
        global: &Global,
        most: usize,
        choice: ChoiceArgs,
    ) -> Result<Vec<Chosen>> {
        let set = if self.has_figure() { self.set_with_ranges()? } else { None };
        let subjects = self.matching(global, most, Colors::Gaps, true)?;
        if subjects.len() > most {
            return Err(Failure::failed(format!(
                "at least {} figures with their sets match; a puzzle file holds up to {most}",
                subjects.len()
            )));
        }
        let (mut figures, mut refused) = (Vec::new(), Vec::new());
        for (subject, own) in subjects {
            let fitting =
                Chosen::new(subject, own.or_else(|| set.clone()), choice).and_then(|chosen| {
                    let checked = check_size(chosen.figure.figure.len(), &chosen.set);
                    checked.context(chosen.figure.label.clone()).map(|()| chosen)
                });
            match fitting {
                Ok(chosen) => figures.push(chosen),
                Err(Failure::Error(_, why)) => refused.push(format!("{why:#}")),
                Err(closed) => return Err(closed),
            }
        }
        if figures.is_empty() {
            return Err(Failure::refused(refused.join("\n")));
        }
        refused.iter().for_each(|why| report_refused(why));
        Ok(figures)
    }

    /// Returns the figures of `--figure`, or those that match the filters. Of matches, returns `most` + 1 or a few more.
    /// With `each_set`, a match is there once with each set of its rows, otherwise once without one.
    ///
    /// No figure is an error. Only sets of rows that match the filters are considered.
    fn matching(
        &self,
        global: &Global,
        most: usize,
        colors: Colors,
        each_set: bool,
    ) -> Result<Vec<(Subject, Option<PieceSet>)>> {
        let subjects = match &self.figure {
            Some(figure) => {
                note_read(Path::new(figure));
                let set = self.set_with_ranges()?;
                let reports = LookupReports { note: &eprintln, refusal: &report_refused };
                let found = look_up(&global.db, figure, (None, colors), set.as_ref(), reports)?;
                found.into_iter().map(|subject| (subject, None)).collect()
            }
            None => self.selected(global, most, each_set)?,
        };
        if subjects.is_empty() {
            return Err(Failure::failed(format!("nothing in {} matches", global.db.display())));
        }
        Ok(subjects)
    }

    /// Returns the figures that match the filters, as [`Self::matching`] does.
    fn selected(
        &self,
        global: &Global,
        most: usize,
        each_set: bool,
    ) -> Result<Vec<(Subject, Option<PieceSet>)>> {
        let catalog = Catalog::open_read_only(&global.db)?;
        let filter = self.selection.filter(&catalog)?;
        let sets = catalog.sets_by_name()?;
        let top = filter.top.unwrap_or(usize::MAX).min(most + 1);
        let figures = catalog.select_figures(&Filter { top: Some(top), ..filter.clone() })?;
        let mut subjects = Vec::new();
        for rows in figures {
            // Without `each_set`, the first row's pieces are those of the figure.
            let number = if each_set { rows.len() } else { 1 };
            for row in rows.into_iter().take(number) {
                let set = row.set.as_deref().filter(|_| each_set);
                let set = set.and_then(|set| sets.get(set)).cloned();
                let subject = Subject::of_rows(&catalog, vec![row], &sets, filter.name.as_ref())?;
                subjects.push((subject, set));
            }
        }
        Ok(subjects)
    }
}

/// A figure with the pieces of which packings may use some, and which may leave cells empty.
pub(crate) struct Chosen {
    pub(crate) figure: RequestedFigure,
    pub(crate) set: PieceSet,
}

impl Chosen {
    /// Takes the given set, else the set that the figure suggests, else SOMA, as `count` and `solve` do.
    fn new(subject: Subject, set: Option<PieceSet>, choice: ChoiceArgs) -> Result<Self> {
        let set = match subject.suggested_set() {
            Err(Refusal::NoSet { .. }) => set.or_else(|| Some(PieceSet::soma(1))),
            _ => set,
        };
        let set = set_for(&subject, set)?;
        let mut figure = RequestedFigure::from(subject);
        figure.allow_gaps(choice.gaps);
        let set = choice.pieces_for(&figure.given(), set);
        Ok(Self { figure, set })
    }
}

/// Returns the given set, else the set that a figure suggests.
pub(crate) fn set_for(subject: &Subject, set: Option<PieceSet>) -> Result<PieceSet> {
    match set {
        Some(set) => Ok(set),
        None => {
            report_set(&subject.name, &subject.sets);
            subject.suggested_set().context(subject.name.clone())
        }
    }
}

/// Reports a figure that its set, or SOMA if no set is suggested, does not fill.
pub(crate) fn report_size(subject: &Subject, set: &PieceSet) {
    if let Err(refusal) = check_size(subject.figure.len(), set) {
        eprintln(&format!("{}: {refusal}", subject.name));
    }
}
