//! Figures that a newsletter or a gallery names, instead of filters: files, signatures, or names in the catalog.

use super::gallery_contents::{BATCH_FIGURES, GalleryContents, work_for};
use crate::cli::failure::{Context, Failure, Result};
use crate::cli::figures::count::CountLimitArgs;
use crate::cli::shared::input::{SetArg, require_one_stdin};
use crate::cli::shared::mistakes::report_mistakes;
use crate::cli::{Exit, Global, report_refused};
use clap::Args;
use rayon::prelude::*;
use somacat_counting::solve::{Limits, LongSearches};
use somacat_formats::{Colors, Format, count_noun, entry_message, names_its_pieces};
use somacat_geometry::figure::{Equivalence, Signature};
use somacat_geometry::outcome::Verdict;
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::{Dossier, FileEntry, LookupError, LookupReports, Subject, look_up};
use somacat_run::SearchDisplay;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::Arc;

// The options of counts for figures that have none in the catalog.
#[derive(Args, Debug)]
pub(crate) struct CountingArgs {
    #[command(flatten)]
    limits: CountLimitArgs,
    /// The format of files; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

impl CountingArgs {
    /// Refuses options for counts if there is nothing to count: then all counts are in the catalog.
    pub(crate) fn require_none(&self) -> Result<()> {
        let format = self.format.map(|_| "--format");
        match self.limits.given().chain(format).next() {
            None => Ok(()),
            Some(option) => Err(Failure::usage(format!(
                "{option} is for figures without a count in the catalog; name them with --figure"
            ))),
        }
    }

    /// Refuses options without effect on figures that were given.
    fn require_effect(&self, figures: &GivenFigures) -> Result<()> {
        self.limits.require_obeyed()?;
        if let Some(option) = self.limits.given().next()
            && figures.figures.iter().all(GivenFigure::is_counted)
        {
            let text = "is for figures without a count in the catalog, and all of these have one";
            return Err(Failure::usage(format!("{option} {text}")));
        }
        let of_file = |given: &GivenFigure| given.subject.file.is_some();
        if self.format.is_some() && !figures.figures.iter().any(of_file) {
            return Err(Failure::usage("--format is for figures in files"));
        }
        Ok(())
    }

    pub(crate) const fn limits(&self) -> &CountLimitArgs {
        &self.limits
    }
}

/// Splits the values of `--figure` at commas. The name of an existing file stays whole.
pub(crate) fn split_figures(values: &[String]) -> impl Iterator<Item = String> {
    values.iter().flat_map(|value| match Path::new(value).exists() {
        true => vec![value.clone()],
        false => value.split(',').map(str::to_owned).collect(),
    })
}

struct GivenFigure {
    subject: Subject,
    /// The pieces that `--set`, a puzzle or the marks of a packing demand. Counts with other pieces would not answer it.
    demanded: Vec<PieceSet>,
    /// If a mention of the figure demands no pieces: those to count with if the catalog has no count with any.
    usual: Option<PieceSet>,
}

impl GivenFigure {
    fn new(subject: Subject, pieces: PieceSet, set: &SetArg) -> Self {
        let names_them = |file: &FileEntry| names_its_pieces(&file.entry);
        let of_file = subject.file.as_ref().is_some_and(names_them);
        let (demanded, usual) = match set.fixed().is_some() || of_file {
            true => (vec![pieces], None),
            false => (Vec::new(), Some(pieces)),
        };
        Self { subject: subject.with_entry(), demanded, usual }
    }

    /// Adds another mention of the figure.
    fn merge(&mut self, other: Self) {
        for set in other.demanded {
            if self.demanded.iter().all(|known| known.name() != set.name()) {
                self.demanded.push(set);
            }
        }
        self.usual = self.usual.take().or(other.usual);
        self.subject.merge(other.subject);
    }

    fn demands(&self, set: Option<&str>) -> bool {
        self.demanded.iter().any(|demanded| Some(demanded.name()) == set)
    }

    /// Returns true if the catalog has all outcomes to print.
    fn is_counted(&self) -> bool {
        let counted = || self.subject.rows.iter().filter(|row| row.report.is_some());
        let has = |set: &PieceSet| counted().any(|row| row.set.as_deref() == Some(set.name()));
        self.demanded.iter().all(has) && (self.usual.is_none() || counted().next().is_some())
    }

    /// Returns the figure with the outcomes of the catalog.
    fn known(&self) -> Dossier {
        let mut dossier = Dossier::new(&self.subject);
        if let Some(set) = self.demanded.iter().chain(&self.usual).next() {
            dossier.sign_for(set);
        }
        dossier
    }

    /// Returns the figure with the outcomes to print: those of the catalog, else those of counts.
    fn counted(&self, limits: Limits<'_>) -> Dossier {
        let mut dossier = self.known();
        dossier.outcomes.retain(|outcome| {
            let wanted = self.usual.is_some() || self.demands(outcome.set.as_deref());
            wanted && outcome.report.is_some()
        });
        let usual = self.usual.as_ref().filter(|_| dossier.outcomes.is_empty());
        for set in usual.into_iter().chain(&self.demanded) {
            dossier.outcome_with(set, limits);
        }
        dossier
    }
}

/// Figures in the order given, each once.
pub(crate) struct GivenFigures {
    figures: Vec<GivenFigure>,
}

impl GivenFigures {
    /// Looks up figures by their texts, each with its place for error messages, if it has one.
    ///
    /// Reports figures that cannot be printed and leaves them out: figures with pieces in place, and those that do
    /// not have as many cells as their pieces. Figures are merged if they are equal up to rotation and, where that leaves
    /// their pieces the same, reflection.
    pub(crate) fn read(
        global: &Global,
        texts: &[(String, Option<String>)],
        set: Option<&str>,
        args: &CountingArgs,
    ) -> Result<Self> {
        let set = SetArg::new(set)?;
        let reports = LookupReports { note: &report_refused, refusal: &report_refused };
        require_one_stdin(texts.iter().map(|(text, _)| text))?;
        let mut figures: Vec<GivenFigure> = Vec::new();
        let mut positions: HashMap<Signature, usize> = HashMap::new();
        let mut repeated = 0;
        for (text, place) in texts {
            let found =
                look_up(&global.db, text, (args.format, Colors::Refused), set.fixed(), reports);
            let found = match (found, place) {
                // Its entries are reported.
                (Err(LookupError::NoFigure(_)), _) => continue,
                (found, Some(place)) => found.context(place.clone())?,
                (found, None) => found?,
            };
            for subject in found {
                let pieces = match pieces_for(&subject, &set) {
                    Ok(pieces) => pieces,
                    Err(message) => {
                        report_refused(&message);
                        continue;
                    }
                };
                let equal = Equivalence::for_set(&pieces);
                let signature = subject.figure.canonical_up_to(equal).signature;
                let at = *positions.entry(signature).or_insert(figures.len());
                let figure = GivenFigure::new(subject, pieces, &set);
                match figures.get_mut(at) {
                    Some(known) => {
                        known.merge(figure);
                        repeated += 1;
                    }
                    None => figures.push(figure),
                }
            }
        }
        match repeated {
            0 => {}
            1 => global.note("1 entry is the same figure as an earlier one and is shown with it"),
            n => global.note(&format!(
                "{n} entries are the same figure as an earlier one and are shown with it"
            )),
        }
        let given = Self { figures };
        if !given.is_empty() {
            args.require_effect(&given)?;
        }
        Ok(given)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.figures.is_empty()
    }

    pub(crate) fn signatures(&self) -> Vec<Signature> {
        self.figures.iter().map(|given| given.known().signature).collect()
    }

    /// Passes the figures to `take`, group by group, in their order and with their contents.
    ///
    /// Counts those without an outcome in the catalog. A failed count gives the exit code [`Exit::Partial`].
    pub(crate) fn dossiers(
        self,
        global: &Global,
        args: &CountingArgs,
        contents: GalleryContents,
        mut take: impl FnMut(&[Dossier]) -> Result<()>,
    ) -> Result<Exit> {
        let searches = Arc::new(LongSearches::default());
        let limits = args.limits.limits(Some(&searches));
        let work = work_for(self.figures.len());
        let mut failed = false;
        for group in self.figures.chunks(BATCH_FIGURES) {
            let display = (!global.quiet && stderr().is_terminal())
                .then(|| SearchDisplay::begin(Arc::clone(&searches)));
            let counted = group.par_iter().map(|figure| figure.counted(limits)).collect();
            drop(display);
            let dossiers = contents.complete(counted, args.limits.for_solutions(), work);
            let mut outcomes = dossiers.iter().flat_map(|dossier| &dossier.outcomes);
            failed |= outcomes.any(|outcome| outcome.verdict() == Some(Verdict::Failed));
            take(&dossiers)?;
        }
        Ok(if failed { Exit::Partial } else { Exit::Ok })
    }
}

/// Returns the pieces to count a figure with: those of `--set`, of a puzzle, of the catalog, or those that its
/// number of cells and its marks suggest. The error is the message for a figure that is left out.
fn pieces_for(subject: &Subject, set: &SetArg) -> std::result::Result<PieceSet, String> {
    let cells = subject.figure.len();
    let Some(file) = &subject.file else {
        let pieces = set.fixed().cloned().or_else(|| subject.likely_set());
        let (name, number) = (&subject.name, count_noun(cells, "cell"));
        return match pieces {
            None => Err(format!("{name}: no standard set has {number}; choose one with --set")),
            Some(pieces) if pieces.total_cells() != cells && set.fixed().is_some() => {
                let (set, fills) = (pieces.name(), pieces.total_cells());
                Err(format!("{name}: {number}, but {set} fills {fills}"))
            }
            Some(pieces) => Ok(pieces),
        };
    };
    let entry = &file.entry;
    let at = |message: &dyn Display| {
        entry_message(&file.label, entry.line, entry.name.as_deref(), message)
    };
    let pieces = set.fixed().cloned().map_or_else(|| subject.suggested_set(), Ok);
    let in_place =
        pieces.as_ref().map_or(entry.placed.as_ref(), |pieces| entry.placed_with(pieces));
    if in_place.is_some() {
        let message = "pieces in place cannot be printed: give all cells one mark, or count the free cells with \
                       `somacat count`";
        return Err(at(&message));
    }
    let pieces = pieces.map_err(|refusal| at(&refusal))?;
    report_mistakes(file, &pieces).map(|()| pieces)
}
