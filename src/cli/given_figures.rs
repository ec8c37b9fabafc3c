//! Figures that a newsletter or a gallery names, instead of filters: files, signatures, or names in the catalog.

use super::count::CountLimitArgs;
use super::export_gallery::{BATCH_FIGURES, GalleryContents, work_for};
use super::failure::{Context, Failure, Result};
use super::input::SetArg;
use super::{Exit, Global, eprintln};
use crate::catalog::Row;
use crate::dossier::{Dossier, Subject, look_up};
use crate::figure::Signature;
use crate::formats::{Assessment, Format, Warning, assess, choose_set, count_noun, entry_message};
use crate::outcome::Verdict;
use crate::pieces::PieceSet;
use crate::run::SearchDisplay;
use crate::solve::{Limits, LongSearches};
use clap::Args;
use rayon::prelude::*;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{IsTerminal, stderr};
use std::sync::Arc;

// The options of counts for figures that have none in the catalog.
#[derive(Args, Debug)]
pub(crate) struct CountingArgs {
    #[command(flatten)]
    limits: CountLimitArgs,
    /// The format of files, soma, cells, heightmap, slices or xmpuzzle; detected if not given.
    #[arg(long)]
    format: Option<Format>,
}

impl CountingArgs {
    /// Refuses options for counts if there is nothing to count: then all counts are in the catalog.
    pub(super) fn require_none(&self) -> Result<()> {
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
        if let Some(option) = self.limits.given().next()
            && figures.figures.iter().all(|(subject, set)| figures.is_counted(subject, set))
        {
            let text = "is for figures without a count in the catalog, and all of these have one";
            return Err(Failure::usage(format!("{option} {text}")));
        }
        let of_file = |(subject, _): &(Subject, PieceSet)| subject.file.is_some();
        if self.format.is_some() && !figures.figures.iter().any(of_file) {
            return Err(Failure::usage("--format is for figures in files"));
        }
        Ok(())
    }

    pub(super) const fn limits(&self) -> &CountLimitArgs {
        &self.limits
    }
}

/// Figures in the order given, each once.
pub(super) struct GivenFigures {
    figures: Vec<(Subject, PieceSet)>,
    /// True if `--set` chose the pieces.
    only_set: bool,
    /// True if a figure was refused, or something else could not be read.
    refused: bool,
}

impl GivenFigures {
    /// Looks up figures by their texts, each with its place for error messages, if it has one.
    ///
    /// Reports figures that cannot be printed and leaves them out: figures with pieces in place, and those that do
    /// not have as many cells as their pieces. Figures are merged if they are equal up to rotation and reflection.
    pub(super) fn read(
        global: &Global,
        texts: &[(String, Option<String>)],
        set: Option<&str>,
        args: &CountingArgs,
    ) -> Result<Self> {
        let set = SetArg::new(set)?;
        let refused = Cell::new(false);
        let warn = |message: &str| {
            refused.set(true);
            eprintln(message);
        };
        let mut figures: Vec<(Subject, PieceSet)> = Vec::new();
        let mut positions: HashMap<Signature, usize> = HashMap::new();
        for (text, place) in texts {
            let found = look_up(&global.db, text, args.format, set.fixed(), &warn);
            let found = match place {
                Some(place) => found.context(place.clone())?,
                None => found?,
            };
            for subject in found {
                let pieces = match pieces_for(&subject, &set) {
                    Ok(pieces) => pieces,
                    Err(message) => {
                        warn(&message);
                        continue;
                    }
                };
                let at =
                    *positions.entry(subject.figure.canonical().signature).or_insert(figures.len());
                match figures.get_mut(at) {
                    Some((known, _)) => known.merge(subject),
                    None => figures.push((subject.with_entry(), pieces)),
                }
            }
        }
        let only_set = set.fixed().is_some();
        let given = Self { figures, only_set, refused: refused.get() };
        if !given.is_empty() {
            args.require_effect(&given)?;
        }
        Ok(given)
    }

    /// Returns true if the catalog has an outcome of a figure: with its pieces if `--set` chose them, else with any.
    fn is_counted(&self, subject: &Subject, set: &PieceSet) -> bool {
        let wanted = |row: &Row| !self.only_set || row.set.as_deref() == Some(set.name());
        subject.rows.iter().any(|row| row.record.report.is_some() && wanted(row))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.figures.is_empty()
    }

    pub(super) fn signatures(&self) -> Vec<Signature> {
        self.figures.iter().map(|(subject, _)| Dossier::new(subject).signature).collect()
    }

    /// Passes the figures to `take`, group by group, in their order and with their contents.
    ///
    /// Counts those without an outcome in the catalog. Figures that were refused, or whose count failed, give the
    /// exit code [`Exit::Partial`].
    pub(super) fn dossiers(
        self,
        global: &Global,
        args: &CountingArgs,
        contents: GalleryContents,
        mut take: impl FnMut(&[Dossier]) -> Result<()>,
    ) -> Result<Exit> {
        let searches = Arc::new(LongSearches::default());
        let limits = args.limits.limits(Some(&searches));
        let work = work_for(self.figures.len());
        let mut failed = self.refused;
        for group in self.figures.chunks(BATCH_FIGURES) {
            let display = (!global.quiet && stderr().is_terminal())
                .then(|| SearchDisplay::begin(Arc::clone(&searches)));
            let counted = group.par_iter().map(|figure| self.counted(figure, limits)).collect();
            drop(display);
            let dossiers = contents.complete(counted, args.limits.for_solutions(), work);
            let mut outcomes = dossiers.iter().flat_map(|dossier| &dossier.outcomes);
            failed |= outcomes.any(|outcome| outcome.verdict() == Some(Verdict::Failed));
            if !limits.stopped() {
                take(&dossiers)?;
            }
            if limits.stopped() {
                return Ok(Exit::Stopped);
            }
        }
        Ok(if failed { Exit::Partial } else { Exit::Ok })
    }

    /// Returns a figure with the outcomes to print: those of the catalog, else that of a count.
    fn counted(&self, (subject, set): &(Subject, PieceSet), limits: Limits<'_>) -> Dossier {
        let mut dossier = Dossier::new(subject);
        dossier.outcomes.retain(|outcome| {
            let wanted = !self.only_set || outcome.set.as_deref() == Some(set.name());
            wanted && outcome.report.is_some()
        });
        if dossier.outcomes.is_empty() {
            dossier.outcome_with(set, limits);
        }
        dossier
    }
}

/// Returns the pieces to count a figure with: those of `--set`, or of the catalog, or those that its number of cells
/// and its marks suggest. The error is the message for a figure that is left out.
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
    let at = |line: usize, message: &dyn Display| {
        entry_message(&file.label, line, entry.name.as_deref(), message)
    };
    if entry.placed.is_some() {
        let message = "pieces in place cannot be printed: give all cells one mark, or count the free cells with \
                       `somacat count`";
        return Err(at(entry.line, &message));
    }
    let pieces = match (set.fixed(), subject.sets.first()) {
        (Some(set), _) | (None, Some(set)) => set.clone(),
        (None, None) => choose_set(entry).map_err(|refusal| at(entry.line, &refusal))?,
    };
    match assess(entry, &pieces) {
        Assessment::Refused(refusal) => Err(at(entry.line, &refusal)),
        Assessment::Sound { warnings, .. } => {
            warnings.iter().for_each(|warning: &Warning| eprintln(&at(warning.line(), warning)));
            Ok(pieces)
        }
    }
}
