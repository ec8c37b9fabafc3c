//! The figures of exports that hold one figure, or few: by `--figure` or by filters.

use crate::cli::failure::{Context, Failure, Result};
use crate::cli::shared::filter::{SelectionArgs, filters_without_set};
use crate::cli::shared::input::{piece_set, piece_set_with_ranges};
use crate::cli::{Global, eprintln};
use clap::Args;
use somacat_catalog::{Catalog, Filter};
use somacat_formats::check_size;
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::{Subject, look_up};

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
        let mut subjects = self.matching(global, 1)?;
        match subjects.len() {
            1 => Ok(subjects.remove(0)),
            n => Err(Failure::failed(format!(
                "at least {n} figures match; name one with --figure, by signature if necessary"
            ))),
        }
    }

    pub(crate) fn one_with_set(&self, global: &Global) -> Result<(Subject, PieceSet)> {
        let set = self.given_set()?;
        let subject = self.one(global)?;
        let set = set_for(&subject, set)?;
        report_size(&subject, &set);
        Ok((subject, set))
    }

    /// Returns up to `most` figures, each with pieces that fill it. Reports and leaves out the others.
    ///
    /// No figure is an error.
    pub(crate) fn all_fillable(&self, global: &Global, most: usize) -> Result<FillableFigures> {
        let set = if self.has_figure() { self.set_with_ranges()? } else { None };
        let subjects = self.matching(global, most)?;
        if subjects.len() > most {
            return Err(Failure::failed(format!(
                "at least {} figures match; a puzzle file holds up to {most}",
                subjects.len()
            )));
        }
        let (mut figures, mut refused) = (Vec::new(), Vec::new());
        for subject in subjects {
            let fitting = set_for(&subject, set.clone()).and_then(|set| {
                let checked = check_size(subject.figure.len(), &set);
                checked.map(|()| set).context(subject.name.clone())
            });
            match fitting {
                Ok(set) => figures.push((subject, set)),
                Err(Failure::Error(_, why)) => refused.push(format!("{why:#}")),
                Err(closed) => return Err(closed),
            }
        }
        if figures.is_empty() {
            return Err(Failure::failed(refused.join("\n")));
        }
        refused.iter().for_each(|why| eprintln(why));
        Ok(FillableFigures { figures, refused: refused.len() })
    }

    /// Returns the pieces that `--set` names for `--figure`.
    fn given_set(&self) -> Result<Option<PieceSet>> {
        if self.has_figure() { self.piece_set() } else { Ok(None) }
    }

    /// Returns the figures of `--figure`, or those that match the filters. Of matches, returns at most `most` + 1.
    ///
    /// No figure is an error. Only sets of rows that match the filters are considered.
    fn matching(&self, global: &Global, most: usize) -> Result<Vec<Subject>> {
        let subjects = match &self.figure {
            Some(figure) => {
                look_up(&global.db, figure, None, self.set_with_ranges()?.as_ref(), &eprintln)?
            }
            None => self.selected(global, most)?,
        };
        if subjects.is_empty() {
            return Err(Failure::failed(format!("nothing in {} matches", global.db.display())));
        }
        Ok(subjects)
    }

    /// Returns the figures that match the filters, at most `most` + 1.
    fn selected(&self, global: &Global, most: usize) -> Result<Vec<Subject>> {
        let catalog = Catalog::open_read_only(&global.db)?;
        let filter = self.selection.filter(&catalog)?;
        let sets = catalog.sets_by_name()?;
        let top = filter.top.unwrap_or(usize::MAX).min(most + 1);
        let mut figures = catalog.select_figures(&Filter { top: Some(top), ..filter.clone() })?;
        // The first row's pieces are the puzzle's.
        figures.iter_mut().for_each(|rows| rows.truncate(1));
        let subject = |rows| Ok(Subject::of_rows(&catalog, rows, &sets, filter.name.as_ref())?);
        figures.into_iter().map(subject).collect()
    }
}

/// Figures with pieces that fill them, and the number of others.
pub(crate) struct FillableFigures {
    pub(crate) figures: Vec<(Subject, PieceSet)>,
    pub(crate) refused: usize,
}

/// Returns the given set, else the set that a figure suggests.
pub(crate) fn set_for(subject: &Subject, set: Option<PieceSet>) -> Result<PieceSet> {
    match set {
        Some(set) => Ok(set),
        None => subject.suggested_set().context(subject.name.clone()),
    }
}

/// Reports a figure that its set, or SOMA if no set is suggested, does not fill.
pub(crate) fn report_size(subject: &Subject, set: &PieceSet) {
    if let Err(refusal) = check_size(subject.figure.len(), set) {
        eprintln(&format!("{}: {refusal}", subject.name));
    }
}
