//! The index of a gallery: data for filters and sorting, and the plain list of all figures.

use super::gallery_page::CARDS;
use super::template_data::FigureData;
use super::templates::{file_stem, script_json};
use crate::dossier::Dossier;
use crate::export::SiteError;
use serde::Serialize;
use somacat_geometry::outcome::Outcome;

/// The figures of a gallery. Kept short, because the first page loads all of it.
#[derive(Default)]
pub(super) struct Index {
    /// Name, symmetry in plain words, Allen's letter, order, orders of the elements.
    classes: Vec<(&'static str, String, String, usize, Vec<usize>)>,
    pub(in crate::export) sets: Vec<String>,
    pub(in crate::export) figures: Vec<IndexRow>,
    /// The number of figures with a packing, and of those without.
    pub(in crate::export) buildable: usize,
    pub(super) impossible: usize,
    summaries: Vec<IndexSummary>,
    pub(super) first_card: Option<String>,
}

/// A figure's data in the plain list and the feed.
struct IndexSummary {
    /// Cells, symmetry and solutions in words.
    facts: String,
    card: Option<String>,
    /// The time of its feed entry, if it is named and buildable.
    updated: Option<String>,
    buildable: bool,
}

/// A figure. The scripts decode the cells from the signature and move them to the position.
#[derive(Serialize)]
pub(super) struct IndexRow(
    /// Signature.
    String,
    /// The page's file name without extension; empty if it is the signature.
    String,
    /// Names.
    Vec<String>,
    /// Title; may be empty.
    String,
    /// Position in the classes.
    usize,
    /// Cells.
    usize,
    /// |black − white|.
    u32,
    /// The transform from the canonical form to the displayed position: 1 to 48.
    u8,
    /// Outcomes.
    Vec<IndexOutcome>,
    /// Mirror images: positions of the name and of the name that it mirrors.
    Vec<(usize, usize)>,
    /// Titles of the other names: position of the name, and its title.
    Vec<(usize, String)>,
    /// The permanent number; may be empty.
    String,
);

/// An outcome: set, verdict, reason, raw, rotation, unique, effort of a plain search, families of solutions,
/// difficulty.
type IndexOutcome =
    (usize, &'static str, String, String, String, String, Option<u64>, Option<usize>, usize);

/// A figure in the plain list.
#[derive(Serialize)]
pub(super) struct ListItem<'a> {
    stem: String,
    heading: &'a str,
    title: &'a str,
    /// Cells, symmetry and solutions in words.
    facts: &'a str,
    card: Option<&'a str>,
    /// The time of its feed entry, if it is named and buildable.
    updated: Option<&'a str>,
    /// The sort key: figures of at least 27 cells are first, then buildable ones, then those with a title.
    place: (bool, bool, bool),
}

impl Index {
    pub(in crate::export) fn add(
        &mut self,
        dossier: &Dossier,
        has_card: bool,
        date: String,
        number: String,
    ) {
        let group = dossier.candidate.group();
        let class = group.class();
        let class_at = position(
            &mut self.classes,
            |known| known.0 == class.name(),
            || {
                let allen = class.allen().map(String::from).unwrap_or_default();
                let orders = group.cyclic_orders();
                (class.name(), class.in_plain_words(), allen, group.order(), orders)
            },
        );
        let mut outcomes = Vec::new();
        let mut facts =
            format!("{} cells, {}", dossier.candidate.columns().cells, class.in_plain_words());
        for (known, o) in dossier.outcomes.iter().zip(FigureData::new(dossier).outcomes) {
            if !o.solutions.is_empty() {
                facts += &format!("; {}: {}", o.set, o.solutions);
            }
            if o.difficulty > 0 {
                facts += &format!(", difficulty {} of 5", o.difficulty);
            }
            let set = position(&mut self.sets, |known| *known == o.set, || o.set.clone());
            let families = known.structure.map.map(|map| map.components);
            outcomes.push((
                set,
                o.verdict,
                o.reason,
                o.raw,
                o.rotation,
                o.unique,
                known.effort,
                families,
                o.difficulty,
            ));
        }
        let mut reports = dossier.outcomes.iter().filter_map(|known| known.report.as_ref());
        let buildable = reports.clone().any(|report| report.outcome.verdict().is_buildable());
        if buildable {
            self.buildable += 1;
        } else if reports.any(|report| matches!(report.outcome, Outcome::Unsolvable(_))) {
            self.impossible += 1;
        }
        let signature = dossier.signature.to_string();
        let stem = file_stem(&signature);
        let card = has_card.then(|| format!("{CARDS}{stem}.png"));
        self.first_card = self.first_card.take().or_else(|| card.clone());
        let in_feed = buildable && !dossier.names.is_empty();
        let updated = in_feed.then_some(date);
        self.summaries.push(IndexSummary { facts, card, updated, buildable });
        let columns = dossier.candidate.columns();
        let name_at = |name: &String| dossier.names.iter().position(|known| known == name);
        let images = dossier.presentation.mirror_images.iter();
        let images = images.filter_map(|image| Some((name_at(&image.name)?, name_at(&image.of)?)));
        let titles = dossier.origins.iter().filter_map(|origin| {
            let at = name_at(&origin.label()).filter(|&at| at > 0)?;
            Some((at, origin.title.clone()?))
        });
        self.figures.push(IndexRow(
            signature.clone(),
            if stem == signature { String::new() } else { stem },
            dossier.names.clone(),
            dossier.presentation.title.clone().unwrap_or_default(),
            class_at,
            columns.cells,
            columns.parity,
            dossier.presentation.position.number(),
            outcomes,
            images.collect(),
            titles.collect(),
            number,
        ));
    }

    /// Returns the last time of an entry in the feed.
    pub(super) fn last_update(&self) -> Option<&String> {
        self.summaries.iter().filter_map(|summary| summary.updated.as_ref()).max()
    }

    pub(super) fn plain_list(&self) -> Vec<ListItem<'_>> {
        self.figures
            .iter()
            .zip(&self.summaries)
            .map(|(row, summary)| ListItem {
                stem: file_stem(&row.0),
                heading: row.2.first().unwrap_or(&row.0),
                title: &row.3,
                facts: &summary.facts,
                card: summary.card.as_deref(),
                updated: summary.updated.as_deref(),
                place: (row.5 < 27, !summary.buildable, row.3.is_empty()),
            })
            .collect()
    }

    /// Returns a script that defines `GALLERY`, one figure a line.
    pub(super) fn script(&self) -> Result<String, SiteError> {
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

/// Returns the index of a list's value, appending it if missing.
fn position<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> usize {
    list.iter().position(is).unwrap_or_else(|| {
        list.push(make());
        list.len() - 1
    })
}
