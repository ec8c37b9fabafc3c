//! A figure and a piece set, as shown by `somacat show`.

use clap::{Args, ValueEnum};
use somacat_counting::solve::Limits;
use somacat_formats::{Refusal, WriteError, piece_marks, soma_figure, soma_packing};
use somacat_geometry::pieces::PieceSet;
use somacat_output::dossier::{Dossier, NoPacking, Packing, SetOutcome, Subject};
use somacat_output::draw::Corner;
use somacat_output::export::Spelling;

// The options of the screen.
#[derive(Args, Debug)]
pub(crate) struct Screen {
    /// The viewer's corner: left or right, front or back, top or bottom. By default the upper one
    /// that shows the most cells.
    #[arg(long, help_heading = "Picture")]
    pub(crate) corner: Option<Corner>,
    /// Show everything, with the symmetry group's transforms, regardless of the screen size.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "svg", "png"])]
    pub(crate) all: bool,
    /// Colors in the terminal.
    #[arg(
        long, value_enum, default_value = "auto", help_heading = "Output",
        conflicts_with_all = ["json", "svg", "png"]
    )]
    pub(crate) color: ColorChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum ColorChoice {
    /// Colors if standard output is a terminal that supports them. No colors if `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

pub(crate) struct FigureView {
    pub(crate) dossier: Dossier,
    pub(crate) set: std::result::Result<PieceSet, Refusal>,
}

impl FigureView {
    /// Gathers known results and computes the missing ones within limits.
    pub(crate) fn new(subject: &Subject, set: Option<&PieceSet>, limits: Limits<'_>) -> Self {
        let mut dossier = Dossier::new(subject);
        let set = set.cloned().map_or_else(|| subject.suggested_set(), Ok);
        if let Ok(set) = &set {
            dossier.sign_for(set);
            dossier.outcome_with(set, limits);
            dossier.find_packings_with(set, limits, 1);
        }
        Self { dossier, set }
    }

    /// Returns the outcome with the set.
    pub(crate) fn outcome(&self) -> Option<&SetOutcome> {
        let of_set = |outcome: &&SetOutcome| outcome.set.as_deref() == self.set_name();
        self.dossier.outcomes.iter().find(of_set).filter(|_| self.set.is_ok())
    }

    /// Returns a packing with the set, or the reason for its absence.
    pub(crate) fn packing(&self) -> std::result::Result<&Packing, NoPacking> {
        let no_set = || {
            let cells = self.dossier.candidate.figure().len();
            NoPacking::NoSet(self.set.clone().err().unwrap_or(Refusal::NoSet { cells }))
        };
        match self.outcome().and_then(|outcome| outcome.packings.as_ref()) {
            Some(Err(why)) => Err(why.clone()),
            Some(Ok(packings)) => packings.first().ok_or_else(no_set),
            None => Err(no_set()),
        }
    }

    pub(crate) fn set_name(&self) -> Option<&str> {
        self.set.as_ref().ok().map(PieceSet::name)
    }
}

/// Returns the figure as SOMA text; `None` if it is too large.
pub(crate) fn layers(dossier: &Dossier) -> Option<String> {
    soma_figure(Some(&dossier.heading), None, dossier.candidate.figure()).ok()
}

pub(crate) fn soma_text(
    shown: &FigureView,
    packing: &Packing,
) -> std::result::Result<String, WriteError> {
    soma_packing(Some(&shown.dossier.heading), None, &piece_marks(&packing.pieces)?)
}

pub(crate) fn reason_text(why: &NoPacking) -> String {
    match why {
        NoPacking::Unsolvable(reason) => format!("there is none ({})", reason.word()),
        NoPacking::LimitReached(_) => format!("{why}; --nodes allows more"),
        NoPacking::NoSet(_) | NoPacking::Solve(_) => why.to_string(),
    }
}
