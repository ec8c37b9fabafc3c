//! The possible placements of each piece, in numbers and words.

use super::Dossier;
use somacat_counting::places::{ColorRule, places};
use somacat_counting::solve::{Limits, Problem};
use somacat_geometry::pieces::PieceSet;

/// The most packings of a set that [`Dossier::find_places`] visits. The result is kept only if all of them are counted.
const MAX_VISITED: u128 = 100_000;

/// The most nodes of that search: a fraction of a second.
const MAX_NODES: u64 = 300_000;

impl Dossier {
    /// Counts the packings that use each placement. Skips sets without packings, and sets with too many.
    pub fn find_places(&mut self, limits: Limits<'_>) {
        let nodes = limits.nodes.map_or(MAX_NODES, |most| most.min(MAX_NODES));
        let limits = Limits { nodes: Some(nodes), ..limits };
        let figure = self.candidate.figure();
        for outcome in &mut self.outcomes {
            let raw = outcome.report.as_ref().and_then(|report| report.outcome.raw());
            let few = raw.is_some_and(|raw| (1..=MAX_VISITED).contains(&raw));
            if let Some(set) = outcome.pieces.as_ref().filter(|_| few) {
                let found = places(&Problem::new(figure, set), limits).ok();
                outcome.places = found.filter(|found| found.report.outcome.is_exact());
            }
        }
    }
}

/// Describes a consequence of the coloring: `V must cover two black cells`.
pub fn rule_in_words(rule: &ColorRule, set: &PieceSet) -> String {
    let name = |piece: usize| set.pieces()[piece].0.name();
    match *rule {
        ColorRule::Cells { piece, black, white } => {
            let (more, color) = if black > white { (black, "black") } else { (white, "white") };
            let number =
                NUMBERS.get(more).map_or_else(|| more.to_string(), |&word| word.to_owned());
            let cells = if more == 1 { "cell" } else { "cells" };
            format!("{} must cover {number} {color} {cells}", name(piece))
        }
        ColorRule::Pair { pieces: [one, other], same } => {
            let how = if same { "the same color" } else { "different colors" };
            format!("{} and {} must cover more cells of {how}", name(one), name(other))
        }
    }
}

const NUMBERS: [&str; 7] = ["no", "one", "two", "three", "four", "five", "six"];
