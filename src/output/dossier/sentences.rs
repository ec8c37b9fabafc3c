//! Sentences about a figure.

use super::{Dossier, SetOutcome};
use somacat_catalog::{MapNumbers, StandNumbers};
use somacat_counting::plain_search::difficulty;
use somacat_counting::prove::{CaseStep, Marks, find_cases, find_marks};
use somacat_counting::solve::Limits;
use somacat_formats::count_noun;
use somacat_geometry::figure::{Figure, Obstruction, prefilter};
use somacat_geometry::outcome::{Outcome, Reason};
use somacat_geometry::pieces::{Piece, PieceSet};

/// The difficulties from 1 to 5.
const DIFFICULTIES: [&str; 5] = ["very easy", "easy", "medium", "hard", "very hard"];

impl SetOutcome {
    /// Rates the difficulty from 1 to 5. `None` unless the effort of a plain search is known.
    pub fn difficulty(&self) -> Option<usize> {
        self.effort.map(difficulty)
    }

    /// Says how difficult it is to build, if known: `medium`.
    pub fn difficulty_in_words(&self) -> Option<&'static str> {
        self.difficulty()
            .and_then(|difficulty| DIFFICULTIES.get(difficulty.checked_sub(1)?).copied())
    }

    /// Says in how many ways it can be built: `240 ways to build it`. Ways that become the same when the figure is turned
    /// or mirrored are one. `order` is the number of symmetries of the figure.
    pub fn ways_in_words(&self, order: usize) -> String {
        match self.report.as_ref().map(|report| &report.outcome) {
            Some(Outcome::Counted(counts)) if counts.unique == 1 => {
                "only one way to build it".to_owned()
            }
            Some(Outcome::Counted(counts)) => {
                format!("{} ways to build it", grouped(&counts.unique.to_string()))
            }
            Some(outcome @ Outcome::AtLeast(_)) => {
                let least = grouped(&outcome.least_unique(order).to_string());
                format!("at least {} to build it", count_noun(least, "way"))
            }
            Some(Outcome::Unsolvable(_)) => "cannot be built".to_owned(),
            Some(Outcome::Unknown) => "undecided".to_owned(),
            Some(Outcome::Failed(_)) => "the count failed".to_owned(),
            None => "not counted yet".to_owned(),
        }
    }

    pub fn sentence(&self, figure: &Figure) -> String {
        let Some(report) = &self.report else { return "Not counted yet.".to_owned() };
        match &report.outcome {
            Outcome::Counted(_) => "All packings were counted.".to_owned(),
            Outcome::AtLeast(_) => {
                "It can be built; counting stopped at a limit, so the number is a lower bound."
                    .into()
            }
            Outcome::Unsolvable(Reason::NoFit) => {
                "It cannot be built: some cell or some piece has no placement at all.".to_owned()
            }
            Outcome::Unsolvable(Reason::Exhausted) => {
                "It cannot be built: every possibility was tried.".to_owned()
            }
            Outcome::Unsolvable(Reason::Size | Reason::Parity | Reason::Parts) => {
                let set = self.pieces.as_ref();
                match set.and_then(|set| prefilter(figure, set)) {
                    Some(argument) => format!("It cannot be built: {argument}."),
                    None => "It cannot be built.".to_owned(),
                }
            }
            Outcome::Unknown => {
                "Undecided: the search stopped at a limit before it found a packing \
                                 or could rule one out."
                    .to_owned()
            }
            Outcome::Failed(error) => format!("The search failed: {error}"),
        }
    }

    /// Returns marks that prove that there is no packing, if a search ruled it out: those of the catalog, or new ones.
    /// Other reasons are short by themselves.
    pub fn marks(&self, figure: &Figure) -> Option<Marks> {
        let outcome = &self.report.as_ref()?.outcome;
        let by_search = [Reason::NoFit, Reason::Exhausted].map(Outcome::Unsolvable);
        by_search.contains(outcome).then(|| self.any_marks(figure, Limits::default())).flatten()
    }

    /// Does the same as [`Self::marks`] for every outcome.
    pub fn any_marks(&self, figure: &Figure, limits: Limits<'_>) -> Option<Marks> {
        let set = self.pieces.as_ref()?;
        let stored = self.stored_marks.clone();
        let stored = stored.and_then(|weights| Marks::of_weights((figure, set), weights));
        stored.or_else(|| find_marks((figure, set), limits))
    }

    /// Returns a proof by cases in words that there is no packing, step by step, if a search ruled it out and there is
    /// one. Marks are easier to read, where there are some ([`Self::marks`]).
    ///
    /// `figure` is the figure in the position in which the steps are drawn.
    pub fn cases(&self, figure: &Figure) -> Option<Vec<CaseStep>> {
        let outcome = &self.report.as_ref()?.outcome;
        let set = self.pieces.as_ref()?;
        if *outcome != Outcome::Unsolvable(Reason::Exhausted) {
            return None;
        }
        Some(find_cases((figure, set), Limits::default())?.steps(figure, set))
    }

    /// Formats the number of solutions as part of a sentence: `1 unique solution`, `no solution`, `at least 9,424
    /// unique solutions`. Empty if unknown. `order` is the number of symmetries of the figure.
    pub fn solutions_in_words(&self, order: usize) -> String {
        match self.report.as_ref().map(|report| &report.outcome) {
            Some(Outcome::Counted(counts)) if counts.unique == 1 => "1 unique solution".to_owned(),
            Some(Outcome::Counted(counts)) => {
                format!("{} unique solutions", grouped(&counts.unique.to_string()))
            }
            Some(outcome @ Outcome::AtLeast(_)) => {
                let least = grouped(&outcome.least_unique(order).to_string());
                format!("at least {}", count_noun(least, "unique solution"))
            }
            Some(Outcome::Unsolvable(_)) => "no solution".to_owned(),
            Some(Outcome::Unknown | Outcome::Failed(_)) | None => String::new(),
        }
    }

    /// Describes the connections of its solutions, if known: `the 90 solutions form 9 families: within a family, each
    /// leads to the next by moving two or three pieces`.
    pub fn map_in_words(&self) -> Option<String> {
        let MapNumbers { components, solitary } = self.structure.map?;
        let unique = self.report.as_ref().and_then(|report| report.outcome.unique());
        let number = unique.map(|n| grouped(&n.to_string()) + " ").unwrap_or_default();
        let families = grouped(&components.to_string());
        let single = match solitary {
            0 => String::new(),
            1 => ", one of them a single solution".to_owned(),
            several => format!(", {} of them single solutions", grouped(&several.to_string())),
        };
        Some(match components {
            1 if solitary == 1 => "the map is a single solution".to_owned(),
            1 => "moving two or three pieces at a time leads from any solution to any other"
                .to_owned(),
            _ if solitary == components => {
                format!(
                    "none of the {number}solutions leads to another by moving two or three pieces"
                )
            }
            _ => format!(
                "the {number}solutions form {families} families{single}: within a family, each leads to the next by \
                 moving two or three pieces"
            ),
        })
    }

    /// Describes the stability of its solutions, if known: `of 100 solutions set up with friction 0.5, 100 stand and
    /// 87 can be built by hand`.
    pub fn stand_in_words(&self) -> Option<String> {
        let StandNumbers { friction, set_up, stand, by_hand, .. } = self.structure.stand?;
        let solutions = count_noun(grouped(&set_up.to_string()), "solution");
        Some(format!(
            "of {solutions} set up with friction {friction}, {} {} and {} can be built by hand",
            grouped(&stand.to_string()),
            if stand == 1 { "stands" } else { "stand" },
            grouped(&by_hand.to_string())
        ))
    }
}

/// Groups digits by three: `1,400`.
pub fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Dossier {
    /// Formats the parity argument for a set as one sentence.
    pub fn parity_argument(&self, set: Option<&PieceSet>) -> String {
        let figure = self.candidate.figure();
        let difference = figure.color_difference();
        let black = (figure.len() as i32 + difference) / 2;
        let white = figure.len() as i32 - black;
        let difference = difference.unsigned_abs();
        let colors = format!("{black} black and {white} white cells differ by {difference}");
        let Some(set) = set else { return format!("{colors}.") };
        let reach: Vec<String> = set.color_sums().iter().map(u32::to_string).collect();
        let reach = reach.join(", ");
        match prefilter(figure, set) {
            Some(Obstruction::Parity { flipped: false, .. }) => {
                let name = set.name();
                return format!(
                    "{colors}, but the pieces of {name} reach only {reach}: forbidden."
                );
            }
            Some(obstruction) => {
                return format!("{colors}, and {obstruction}: it cannot be built.");
            }
            None => {}
        }
        let (odd, even): (Vec<&Piece>, Vec<&Piece>) =
            set.pieces().iter().map(|(piece, _)| piece).partition(|p| p.color_difference() > 0);
        let mut words: Vec<String> =
            odd.iter().map(|p| format!("{} adds ±{}", p.name(), p.color_difference())).collect();
        if !even.is_empty() {
            words.push(format!("{} 0", names_together(&even)));
        }
        let parts = self.candidate.columns().parts;
        let parts = if parts > 1 { ", in any position of the parts" } else { "" };
        format!(
            "{colors}. {} can reach this difference{parts}: {}; together {}.",
            set.name(),
            words.join(", "),
            reach
        )
    }

    /// Returns all names, with mirror images marked.
    pub fn names_in_words(&self) -> Vec<String> {
        self.names.iter().map(|name| self.presentation.name_in_words(name)).collect()
    }

    /// Lists the origins of the figure, one line for each entry: `figures.soma, entry 3, line 17, as tower`. A title
    /// follows if it differs from the figure's, and a note in brackets.
    pub fn origins_in_words(&self) -> Vec<String> {
        let mut origins: Vec<String> = Vec::new();
        if let Some(file) = &self.file {
            let (label, number, line) = (&file.label, file.number, file.entry.line);
            origins.push(format!("{label}, figure {number}, line {line}"));
        }
        origins.extend(self.origins.iter().map(|origin| {
            let name = origin.name.as_ref().map(|name| format!(", as {name}")).unwrap_or_default();
            let other = |title: &&String| self.presentation.title.as_ref() != Some(*title);
            let title = origin.title.as_ref().filter(other);
            let title = title.map(|title| format!(": {title}")).unwrap_or_default();
            let note = origin.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            let (source, number, line) = (&origin.source, origin.number, origin.line);
            format!("{source}, entry {number}, line {line}{name}{title}{note}")
        }));
        origins.extend(self.enumerations.iter().map(|label| format!("listed among {label}")));
        origins
    }
}

/// Joins the names of pieces: `LZAB`, or `L1 L2` if some are longer than a letter.
fn names_together(pieces: &[&Piece]) -> String {
    let names: Vec<&str> = pieces.iter().map(|piece| piece.name()).collect();
    let long = names.iter().any(|name| name.chars().count() > 1);
    names.join(if long { " " } else { "" })
}
