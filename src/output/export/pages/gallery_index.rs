//! The index of a gallery: data for filters and sorting, and the plain list of all figures.

use super::template_data::FigureData;
use super::templates::{file_stem, script_json};
use crate::dossier::{Dossier, SetOutcome};
use crate::draw::{Picture, Plans, Scene, View};
use crate::export::SiteError;
use rayon::prelude::*;
use serde::Serialize;
use somacat_formats::count_noun;
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Cell;
use somacat_geometry::outcome::Outcome;
use std::collections::BTreeMap;

/// The folder of the pictures for link previews.
pub(super) const CARDS: &str = "cards/";

/// The figures of a gallery. Kept short, because the first page loads all of it.
#[derive(Default)]
pub(super) struct Index {
    /// The values of `CLASS_FIELDS`.
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
    heading: String,
    /// Cells, symmetry and solutions in words.
    facts: String,
    card: Option<String>,
    /// The time of its feed entry, if it is named and buildable.
    updated: Option<String>,
    buildable: bool,
    /// The number of ways to build it, with the main set, and how hard that is: 0 if unknown, or 1 to 5.
    ways: String,
    difficulty: usize,
    /// The figure as it is shown.
    figure: Figure,
}

/// The names of the values of a class, an outcome and a figure in `data.js`. They are in the file once.
const CLASS_FIELDS: [&str; 5] = ["className", "symmetry", "allen", "order", "folds"];
const OUTCOME_FIELDS: [&str; 9] =
    ["set", "verdict", "reason", "raw", "rotation", "unique", "effort", "families", "difficulty"];
const FIGURE_FIELDS: [&str; 12] = [
    "signature",
    "page",
    "names",
    "title",
    "class",
    "cells",
    "parity",
    "shape",
    "outcomes",
    "images",
    "titles",
    "number",
];

/// A figure: the values of `FIGURE_FIELDS`.
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
    /// The cells as they are shown, as [`shape`] writes them.
    String,
    /// Outcomes.
    Vec<IndexOutcome>,
    /// Mirror images: positions of the name and of the name that it mirrors.
    Vec<(usize, usize)>,
    /// Titles of the other names: position of the name, and its title.
    Vec<(usize, String)>,
    /// The number, which is the title of a figure without a name; may be empty.
    String,
);

/// An outcome: the values of `OUTCOME_FIELDS`. The number of unique packings is a lower bound if a limit ended the count.
/// The effort is that of a plain search, the families are those of the solutions.
type IndexOutcome =
    (usize, &'static str, String, String, String, String, Option<u64>, Option<usize>, usize);

/// The figures that the start page shows without scripts.
const SHOWN: usize = 24;

/// A figure on the start page without scripts.
#[derive(Serialize)]
pub(super) struct ShownItem<'a> {
    stem: String,
    heading: &'a str,
    /// Its position in the index.
    #[serde(skip)]
    pub(super) position: usize,
    ways: &'a str,
    stars: String,
}

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
        let (outcomes, facts) = self.outcomes_of(dossier);
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
        let heading = dossier.heading.clone();
        let figure = dossier.candidate.figure().clone();
        let main = dossier.main_outcome();
        self.summaries.push(IndexSummary {
            heading,
            facts,
            card,
            updated,
            buildable,
            ways: main.map(|main| main.ways_in_words(group.order())).unwrap_or_default(),
            difficulty: main.and_then(SetOutcome::difficulty).unwrap_or(0),
            figure,
        });
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
            shape(dossier.candidate.figure()),
            outcomes,
            images.collect(),
            titles.collect(),
            number,
        ));
    }

    /// Returns the outcomes of a figure, and cells, symmetry and solutions in words.
    fn outcomes_of(&mut self, dossier: &Dossier) -> (Vec<IndexOutcome>, String) {
        let mut outcomes = Vec::new();
        let group = dossier.candidate.group();
        let mut facts = format!(
            "{}, {}",
            count_noun(dossier.candidate.columns().cells, "cell"),
            group.class().in_plain_words()
        );
        for (known, o) in dossier.outcomes.iter().zip(FigureData::new(dossier).outcomes) {
            if !o.solutions.is_empty() {
                facts += &format!("; {}: {}", o.set, o.solutions);
            }
            if o.difficulty > 0 {
                facts += &format!(", difficulty {} of 5", o.difficulty);
            }
            let set = position(&mut self.sets, |known| *known == o.set, || o.set.clone());
            let families = known.structure.map.map(|map| map.components);
            let buildable =
                known.report.as_ref().filter(|report| report.outcome.verdict().is_buildable());
            let unique =
                buildable.map(|report| report.outcome.least_unique(group.order()).to_string());
            outcomes.push((
                set,
                o.verdict,
                o.reason,
                o.raw,
                o.rotation,
                unique.unwrap_or(o.unique),
                known.effort,
                families,
                o.difficulty,
            ));
        }
        (outcomes, facts)
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
                heading: &summary.heading,
                title: &row.3,
                facts: &summary.facts,
                card: summary.card.as_deref(),
                updated: summary.updated.as_deref(),
            })
            .collect()
    }

    /// Returns what the start page shows without scripts: first figures of at least 27 cells, of those buildable ones,
    /// and then those with a title.
    pub(super) fn shown(&self) -> Vec<ShownItem<'_>> {
        let mut figures: Vec<_> = self.figures.iter().zip(&self.summaries).enumerate().collect();
        figures.sort_by_key(|(_, (row, known))| (row.5 < 27, !known.buildable, row.3.is_empty()));
        let first = figures.into_iter().take(SHOWN);
        let items = first.map(|(position, (row, known))| ShownItem {
            position,
            stem: file_stem(&row.0),
            heading: if row.3.is_empty() { &known.heading } else { &row.3 },
            ways: &known.ways,
            stars: "★".repeat(known.difficulty),
        });
        items.collect()
    }

    /// Draws the figures at these positions as they are shown. Returns the pictures with their files.
    pub(super) fn thumbnails(&self, positions: Vec<usize>) -> Vec<(String, String)> {
        let view =
            View { plans: Plans::Never, caption: false, whole_pixels: true, ..View::default() };
        let picture = |at: usize| {
            let scene = Scene::of_figure(&self.summaries[at].figure);
            let file = format!("thumbnails/{}.svg", file_stem(&self.figures[at].0));
            (file, Picture::new(&scene, &view).svg)
        };
        positions.into_par_iter().map(picture).collect()
    }

    /// Returns a script that defines `GALLERY`, one figure a line.
    pub(super) fn script(&self) -> Result<String, SiteError> {
        let fields = BTreeMap::from([
            ("class", &CLASS_FIELDS[..]),
            ("outcome", &OUTCOME_FIELDS[..]),
            ("figure", &FIGURE_FIELDS[..]),
        ]);
        let mut text = format!(
            "const GALLERY = {{\n\"fields\": {},\n\"classes\": {},\n\"sets\": {},\n\"figures\": [",
            script_json(&fields)?,
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

/// Writes cells for `cellsOf` in `cells.js`. Of a box that is full enough: its sides, and whether each of its places has a
/// cell, five places a digit of base 32, x first. Else a line of cells.
pub(super) fn shape(figure: &Figure) -> String {
    let [width, depth, height] = figure.extents();
    let volume = [width, depth, height].map(u128::from).iter().product::<u128>();
    if volume > 8 * figure.len() as u128 {
        let word = |cell: &Cell| cell.to_array().map(|v| v.to_string()).join(",");
        return figure.cells().iter().map(word).collect::<Vec<_>>().join(" ");
    }
    let mut digits = vec![0_u32; (volume as usize).div_ceil(5)];
    for cell in figure.cells() {
        let [x, y, z] = cell.to_array().map(i32::cast_unsigned);
        let place = (x + width * (y + depth * z)) as usize;
        digits[place / 5] |= 1 << (place % 5);
    }
    let digits: String = digits.iter().filter_map(|&digit| char::from_digit(digit, 32)).collect();
    format!("{width}x{depth}x{height}:{digits}")
}

/// Returns the index of a list's value, appending it if missing.
fn position<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> usize {
    list.iter().position(is).unwrap_or_else(|| {
        list.push(make());
        list.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::shape;
    use somacat_geometry::figure::Figure;
    use somacat_geometry::lattice::Cell;

    #[test]
    fn a_shape_is_short_if_its_box_is_full() {
        let shape_of = |cells: &[[i32; 3]]| {
            shape(&Figure::new(cells.iter().copied().map(Cell::from)).unwrap())
        };
        assert_eq!(shape_of(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), "2x2x2:n0");
        assert_eq!(shape_of(&[[0, 0, 0], [9, 9, 0]]), "0,0,0 9,9,0");
        assert_eq!(shape(&Figure::of_box([3, 3, 3]).unwrap()), "3x3x3:vvvvv3");
    }
}
