//! What `show` says about a figure, ready for people and for programs.

use super::lookup::Found;
use crate::catalog::Record;
use crate::figure::{Blocked, Figure, prefilter};
use crate::formats::{check_packing, choose_set, piece_marks, soma_figure, soma_packing};
use crate::lattice::Cell;
use crate::pieces::{Piece, PieceSet};
use crate::solve::{Limits, Problem, first, guarded};
use crate::symmetry::{Group, PlanSymbol};
use serde::Serialize;

/// Everything about one figure.
#[derive(Serialize)]
pub(super) struct Facts {
    pub(super) name: String,
    pub(super) cells: usize,
    #[serde(rename = "box")]
    pub(super) extents: [u32; 3],
    pub(super) parts: usize,
    pub(super) signature: String,
    pub(super) class: &'static str,
    pub(super) schoenflies: &'static str,
    pub(super) hermann_mauguin: &'static str,
    pub(super) allen: Option<char>,
    pub(super) description: &'static str,
    pub(super) order: usize,
    pub(super) rotation_order: usize,
    pub(super) cyclic_orders: Vec<usize>,
    pub(super) elements: Vec<u8>,
    pub(super) plan: String,
    #[serde(skip)]
    pub(super) group: Group,
    pub(super) parity: u32,
    pub(super) parity_argument: String,
    pub(super) counts: Vec<Count>,
    pub(super) names: Vec<String>,
    pub(super) origins: Vec<String>,
    pub(super) layers: Option<String>,
    pub(super) solution: Option<Solution>,
    /// Why there is no solution to show.
    pub(super) no_solution: Option<String>,
}

/// How many packings there are with one set.
#[derive(Serialize)]
pub(super) struct Count {
    pub(super) set: String,
    pub(super) verdict: String,
    pub(super) reason: Option<String>,
    pub(super) raw: Option<u128>,
    pub(super) rotation: Option<u128>,
    pub(super) unique: Option<u128>,
    /// `catalog`, or `now` if it was counted for this answer.
    pub(super) counted: &'static str,
}

/// One packing.
#[derive(Serialize)]
pub(super) struct Solution {
    pub(super) set: String,
    /// `file` if the figure's file shows it, `now` if it was found for this answer.
    pub(super) found: &'static str,
    pub(super) soma: String,
    #[serde(skip)]
    pub(super) pieces: Vec<(char, Vec<Cell>)>,
}

/// Gathers what is known of a figure and finds out the rest, within limits.
pub(super) fn facts(
    found: &Found,
    set: Option<&PieceSet>,
    limits: Limits<'_>,
) -> anyhow::Result<Facts> {
    let figure = &found.figure;
    let canonical = figure.canonical();
    let (group, class) = (canonical.group, canonical.group.class());
    let set = set.cloned().or_else(|| likely_set(found));
    let mut counts: Vec<Count> =
        found.called.iter().filter_map(|c| count(c.set.as_deref()?, &c.record)).collect();
    let asked = |count: &Count| set.as_ref().is_some_and(|set| set.name() == count.set);
    if let Some(set) = set.as_ref().filter(|_| !counts.iter().any(asked)) {
        counts.push(counted_now(figure, set, group, limits));
    }
    let (solution, no_solution) = match &set {
        None => (None, Some("no whole set fills so many cells; name one with --set".to_owned())),
        Some(set) => match counts.iter().find(|count| count.set == set.name()) {
            Some(count) if count.verdict == "unsolvable" => {
                let reason = count.reason.as_deref().unwrap_or_default();
                (None, Some(format!("there is none ({reason})")))
            }
            _ => solution(found, set, limits)?,
        },
    };
    let mut names: Vec<String> = Vec::new();
    let known = found.called.iter().flat_map(|called| called.names.iter());
    for name in known.chain(found.entry.iter().filter_map(|(entry, ..)| entry.name.as_ref())) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Ok(Facts {
        name: found.name.clone(),
        cells: figure.len(),
        extents: figure.extents(),
        parts: figure.parts().len(),
        signature: canonical.signature.to_string(),
        class: class.name(),
        schoenflies: class.schoenflies(),
        hermann_mauguin: class.hermann_mauguin(),
        allen: class.allen(),
        description: class.description(),
        order: group.order(),
        rotation_order: group.rotation_order(),
        cyclic_orders: group.cyclic_orders(),
        elements: group.iter().map(crate::lattice::Transform::number).collect(),
        plan: PlanSymbol::of(group).to_string(),
        group,
        parity: figure.color_difference().unsigned_abs(),
        parity_argument: parity_argument(figure, set.as_ref()),
        counts,
        names,
        origins: origins(found),
        // A figure too large for SOMA text is shown without its layers.
        layers: soma_figure(Some(&found.name), None, figure).ok(),
        solution,
        no_solution,
    })
}

/// The set to speak of: of the catalog the first, else what a figure of so many cells is meant for.
pub(super) fn likely_set(found: &Found) -> Option<PieceSet> {
    let guessed = || {
        if let Some((entry, ..)) = &found.entry {
            return choose_set(entry).ok();
        }
        [PieceSet::soma(1), PieceSet::soma(2), PieceSet::soma_plus()]
            .into_iter()
            .find(|set| set.total_cells() == found.figure.len())
    };
    found.sets.first().cloned().or_else(guessed)
}

fn count(set: &str, record: &Record) -> Option<Count> {
    Some(Count {
        set: set.to_owned(),
        verdict: record.verdict.clone()?,
        reason: record.reason.clone(),
        raw: record.raw,
        rotation: record.rotation,
        unique: record.unique,
        counted: "catalog",
    })
}

fn counted_now(figure: &Figure, set: &PieceSet, group: Group, limits: Limits<'_>) -> Count {
    let counted = "now";
    let set_name = set.name().to_owned();
    match guarded(|| crate::solve::count(&Problem::with_group(figure, set, group), limits)) {
        Ok(report) => Count {
            set: set_name,
            verdict: report.verdict.to_string(),
            reason: report.reason.map(|reason| reason.to_string()),
            raw: Some(report.raw),
            rotation: report.rotation,
            unique: report.unique,
            counted,
        },
        Err(text) => Count {
            set: set_name,
            verdict: "failed".to_owned(),
            reason: Some(text),
            raw: None,
            rotation: None,
            unique: None,
            counted,
        },
    }
}

/// The packing the file shows if it is one, else one that is searched for.
pub(super) fn solution(
    found: &Found,
    set: &PieceSet,
    limits: Limits<'_>,
) -> anyhow::Result<(Option<Solution>, Option<String>)> {
    let shown = found.entry.as_ref().and_then(|(entry, ..)| check_packing(entry, set).ok());
    let (pieces, origin) = if let Some(solved) = shown {
        (solved.pieces, "file")
    } else {
        let (packing, report) = match first(&Problem::new(&found.figure, set), limits) {
            Ok(result) => result,
            Err(error) => return Ok((None, Some(error.to_string()))),
        };
        let Some(mut packing) = packing else {
            let why = match report.reason {
                Some(reason) => format!("there is none ({reason})"),
                None => {
                    format!("none was found in {} search nodes; --nodes allows more", report.nodes)
                }
            };
            return Ok((None, Some(why)));
        };
        packing.sort();
        let named = |p: crate::solve::Placement| (set.pieces()[p.piece].0.name(), p.cells);
        (packing.into_iter().map(named).collect(), "now")
    };
    let soma = soma_packing(Some(&found.name), None, &piece_marks(&pieces)?)?;
    Ok((Some(Solution { set: set.name().to_owned(), found: origin, soma, pieces }), None))
}

/// What the checkerboard says, in one sentence with its numbers.
fn parity_argument(figure: &Figure, set: Option<&PieceSet>) -> String {
    let difference = figure.color_difference();
    let black = (figure.len() as i32 + difference) / 2;
    let white = figure.len() as i32 - black;
    let difference = difference.unsigned_abs();
    let colors = format!("{black} black and {white} white cells differ by {difference}");
    let Some(set) = set else { return format!("{colors}.") };
    let reach: Vec<String> = set.color_sums().iter().map(u32::to_string).collect();
    let reach = reach.join(", ");
    match prefilter(figure, set) {
        Some(Blocked::Parity { flipped: false, .. }) => {
            let name = set.name();
            return format!("{colors}, but the pieces of {name} reach only {reach}: forbidden.");
        }
        Some(blocked) => return format!("{colors}, and {blocked}: it cannot be built."),
        None => {}
    }
    let (odd, even): (Vec<&Piece>, Vec<&Piece>) =
        set.pieces().iter().map(|(piece, _)| piece).partition(|p| p.color_difference() > 0);
    let mut words: Vec<String> =
        odd.iter().map(|p| format!("{} adds ±{}", p.name(), p.color_difference())).collect();
    if !even.is_empty() {
        words.push(format!("{} 0", even.iter().map(|p| p.name()).collect::<String>()));
    }
    let parts = if figure.parts().len() > 1 { ", however its parts are moved" } else { "" };
    format!(
        "{colors}, which the pieces of {} reach ({}; together {}): not forbidden{parts}.",
        set.name(),
        words.join(", "),
        reach
    )
}

/// `figures.soma, number 3, line 17, as tower`: for each entry of the figure.
fn origins(found: &Found) -> Vec<String> {
    let mut origins: Vec<String> = Vec::new();
    if let Some((entry, file, number)) = &found.entry {
        origins.push(format!("{file}, figure {number}, line {}", entry.line));
    }
    origins.extend(found.origins.iter().map(|origin| {
        let name = origin.name.as_ref().map(|name| format!(", as {name}")).unwrap_or_default();
        format!("{}, entry {}, line {}{name}", origin.source, origin.number, origin.line)
    }));
    origins.extend(found.enumerations.iter().map(|label| format!("listed among {label}")));
    origins
}
