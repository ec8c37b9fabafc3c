//! A catalog as a static site: an index with shelves and filters, a page for each figure, a recognition page, and a
//! glossary.
//!
//! The pages work from the file system: data is in scripts, nothing is fetched, and all files are in the folder. A page
//! has all its information without scripts, which only add interaction.

use super::gallery_index::{CARDS, Index};
use super::gallery_page::{CERTIFICATE, PageData, PageStory, download_name, extras, plans};
use super::gallery_sets::SetPage;
use super::glossary;
use super::one_page::packed_program;
use super::page_origin::PageOrigin;
use super::template_data::FigureData;
use super::templates::{environment, file_stem, script_json};
use crate::dossier::{Dossier, HOW_TO_COUNT};
use crate::draw::{Picture, Plans, Scene, View};
use crate::export::{SiteError, SiteFolder};
use minijinja::value::{Serde, Value};
use minijinja::{Environment, context};
use rayon::prelude::*;
use somacat_catalog::PublishedCount;
use somacat_geometry::figure::Signature;
use std::borrow::Cow;
use std::collections::HashMap;

/// The files that are the same in every gallery. The script of the figures' pages is one file, because each page
/// names its scripts; so is that of embedded figures.
const FIXED: [(&str, &str); 15] = [
    ("icon.svg", include_str!("../site/icon.svg")),
    ("site.css", include_str!("../site/site.css")),
    ("cells.js", include_str!("../site/cells.js")),
    ("controls.js", include_str!("../site/controls.js")),
    ("picture.js", include_str!("../site/picture.js")),
    ("storage.js", include_str!("../site/storage.js")),
    ("catalog.js", include_str!("../site/catalog.js")),
    ("today.js", include_str!("../site/today.js")),
    ("index.js", include_str!("../site/index.js")),
    ("program.js", include_str!("../site/program.js")),
    ("scene.js", include_str!("../site/scene.js")),
    ("view.js", include_str!("../site/view.js")),
    ("recognize.js", include_str!("../site/recognize.js")),
    (
        "figure.js",
        concat!(
            include_str!("../site/cells.js"),
            include_str!("../site/picture.js"),
            include_str!("../site/symmetry.js"),
            include_str!("../site/symmetry_show.js"),
            include_str!("../site/why.js"),
            include_str!("../site/player.js"),
            include_str!("../site/scene.js"),
            include_str!("../site/view.js"),
            include_str!("../site/controls.js"),
            include_str!("../site/program.js"),
            include_str!("../site/storage.js"),
            include_str!("../site/drag.js"),
            include_str!("../site/puzzle.js"),
            include_str!("../site/net.js"),
            include_str!("../site/places.js"),
            include_str!("../site/figure.js"),
        ),
    ),
    (
        "embed.js",
        concat!(
            include_str!("../site/cells.js"),
            include_str!("../site/catalog.js"),
            include_str!("../site/picture.js"),
            include_str!("../site/scene.js"),
            include_str!("../site/view.js"),
            include_str!("../site/embed.js"),
        ),
    ),
];

/// A gallery of at most so many figures has all its pictures without scripts too: of each figure in the plain list, and of
/// the layers on each page. In larger ones scripts draw most of them, which halves the files.
const PICTURED: usize = 500;

/// The templates: for the head of each page, for a page of each figure and each piece set, for the feed, and for the
/// pages for all figures.
const FIGURE: &str = "figure.html";
const SET: &str = "set.html";
const FEED: &str = "feed.xml";
const SINGLE: [(&str, &str); 4] = [
    ("masthead.html", include_str!("../site/masthead.html")),
    (FIGURE, include_str!("../site/figure.html")),
    (SET, include_str!("../site/set.html")),
    (FEED, include_str!("../site/feed.xml")),
];
const PAGES: [(&str, &str); 5] = [
    ("embed.html", include_str!("../site/embed.html")),
    ("index.html", include_str!("../site/index.html")),
    ("all.html", include_str!("../site/all.html")),
    ("recognize.html", include_str!("../site/recognize.html")),
    ("glossary.html", include_str!("../site/glossary.html")),
];

/// The figures that get additional files: solutions, solids and a picture for links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AdditionalFiles {
    #[default]
    All,
    Named,
}

impl AdditionalFiles {
    /// Returns whether a figure with these names gets additional files.
    pub const fn wanted(self, names: &[String]) -> bool {
        matches!(self, Self::All) || !names.is_empty()
    }
}

/// The times of a feed's entries.
#[derive(Clone, Debug, Default)]
pub struct FeedDates {
    /// The time of figures without one of their own.
    pub usual: String,
    pub of_figures: HashMap<Signature, String>,
}

impl FeedDates {
    /// Returns the time of a figure's entry.
    pub(in crate::export) fn of(&self, figure: &Signature) -> &str {
        self.of_figures.get(figure).unwrap_or(&self.usual)
    }
}

/// The number of a figure, which is its title if nobody named it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageNumber {
    /// `D3d-27.6`, or a running number: `C1-27 #6`.
    pub text: String,
    /// True if the number follows from the figure alone.
    pub permanent: bool,
}

#[derive(Clone, Debug, Default)]
pub struct GalleryPlan {
    pub title: String,
    /// The version of the program, perhaps with its commit: `0.1.0+5e37f4a`.
    pub version: String,
    /// The address of publication, which ends with a slash; empty if unknown.
    pub url: String,
    /// The times of the feed's entries, as in 2027-05-01T12:00:00Z.
    pub dates: FeedDates,
    pub extras: AdditionalFiles,
    /// All figures, in the order of their addition.
    pub order: Vec<Signature>,
    /// The numbers of those that have one.
    pub numbers: HashMap<Signature, PageNumber>,
    /// Counts that others published, with the names of their sets.
    pub published: HashMap<Signature, Vec<(String, PublishedCount)>>,
}

pub struct Gallery {
    folder: SiteFolder,
    templates: Environment<'static>,
    plan: GalleryPlan,
    positions: HashMap<Signature, usize>,
    index: Index,
}

impl Gallery {
    /// Prepares the pages of a folder.
    pub fn new(folder: SiteFolder, plan: GalleryPlan) -> Result<Self, SiteError> {
        let mut templates = environment()?;
        for (name, template) in SINGLE.into_iter().chain(PAGES) {
            templates.add_template(name, template)?;
        }
        let positions = plan.order.iter().cloned().enumerate().map(|(at, s)| (s, at)).collect();
        Ok(Self { folder, templates, plan, positions, index: Index::default() })
    }

    /// Writes the pages of figures in parallel, and extends the index.
    pub fn add(&mut self, figures: &[Dossier]) -> Result<(), SiteError> {
        let figures: Vec<Cow<'_, Dossier>> = figures.iter().map(|it| self.titled(it)).collect();
        figures.par_iter().try_for_each(|figure| self.page(figure))?;
        for figure in &figures {
            let date = self.plan.dates.of(&figure.signature).to_owned();
            let has_card = self.plan.extras.wanted(&figure.names);
            self.index.add(figure, has_card, date, self.number(figure));
        }
        Ok(())
    }

    /// Writes the index and renames the folder into place.
    pub fn finish(self) -> Result<(), SiteError> {
        for (name, content) in FIXED {
            self.folder.write(name, content)?;
        }
        let all = self.has_all_pictures();
        let shown = self.index.shown();
        let shown_pictures = shown.iter().map(|figure| figure.position);
        let pictured =
            if all { (0..self.index.figures.len()).collect() } else { shown_pictures.collect() };
        for (file, picture) in self.index.thumbnails(pictured) {
            self.folder.write(&file, picture)?;
        }
        let data = context! {
            title => &self.plan.title,
            url => &self.plan.url,
            updated => self.index.last_update().unwrap_or(&self.plan.dates.usual),
            count => self.index.figures.len(),
            buildable => self.index.buildable,
            impossible => self.index.impossible,
            card => self.index.first_card.as_deref().unwrap_or_default(),
            list => Serde(&self.index.plain_list()),
            shown => Serde(&shown),
            pictures => all,
            version => &self.plan.version,
            art => Serde(&glossary::pictures()),
        };
        let feed = (!self.plan.url.is_empty()).then_some(FEED);
        for name in PAGES.iter().map(|(name, _)| *name).chain(feed) {
            let page = self.templates.get_template(name)?.render(data.clone())?;
            self.folder.write(name, page)?;
        }
        let sets = SetPage::all(&self.index.sets);
        for set in &sets {
            let data =
                context! { title => &self.plan.title, set => Serde(set), sets => Serde(&sets) };
            let page = self.templates.get_template(SET)?.render(data)?;
            self.folder.write(&format!("sets/{}.html", set.stem), page)?;
        }
        self.folder.write("data.js", self.index.script()?)?;
        // A script, because a page of the file system fetches nothing.
        self.folder.write("somacat.js", format!("const PROGRAM = \"{}\";\n", packed_program()))?;
        self.folder.commit()
    }

    fn has_all_pictures(&self) -> bool {
        self.plan.order.len() <= PICTURED
    }

    /// Gives a figure that nobody named its number as the title.
    fn titled<'a>(&self, dossier: &'a Dossier) -> Cow<'a, Dossier> {
        let number = self.plan.numbers.get(&dossier.signature);
        match number.filter(|_| dossier.names.is_empty()) {
            Some(number) => Cow::Owned(Dossier { heading: number.text.clone(), ..dossier.clone() }),
            None => Cow::Borrowed(dossier),
        }
    }

    /// Returns the number by which a figure is found, as text: a running one only if it is the title. May be empty.
    fn number(&self, figure: &Dossier) -> String {
        let number = self.plan.numbers.get(&figure.signature);
        let number = number.filter(|number| number.permanent || figure.names.is_empty());
        number.map(|number| number.text.clone()).unwrap_or_default()
    }

    fn page(&self, dossier: &Dossier) -> Result<(), SiteError> {
        let stem = file_stem(dossier.signature.as_str());
        let figure = dossier.candidate.figure();
        let view = View {
            plans: Plans::Never,
            caption: false,
            whole_pixels: true,
            title: dossier.heading.clone(),
            ..View::default()
        };
        let picture = Picture::new(&Scene::of_figure(figure), &view);
        let stories = dossier.outcomes.iter().filter_map(|known| PageStory::new(dossier, known));
        let stories: Vec<PageStory> = stories.collect();
        let mut files = Vec::new();
        if self.plan.extras.wanted(&dossier.names) {
            for (name, content) in extras(dossier, &stem, &picture, stories.first())? {
                self.folder.write(&name, content)?;
                files.push(name);
            }
        }
        let file = |folder: &str| files.iter().find(|name| name.starts_with(folder)).cloned();
        let downloads = files.iter().filter(|name| name.starts_with("downloads/"));
        let downloads: Vec<String> = downloads.cloned().collect();
        let at = self.positions.get(&dossier.signature);
        let neighbor = |step: isize| {
            let at = at?.checked_add_signed(step)?;
            self.plan.order.get(at).map(|signature| file_stem(signature.as_str()))
        };
        let address = match self.plan.url.as_str() {
            "" => String::new(),
            url => format!("{url}figures/{stem}.html"),
        };
        let origin = PageOrigin::new(
            dossier,
            self.plan.published.get(&dossier.signature).map_or(&[], Vec::as_slice),
            &self.plan.version,
            &address,
        );
        let number = self.plan.numbers.get(&dossier.signature);
        let with_plans = !dossier.names.is_empty() || self.has_all_pictures();
        let page = self.templates.get_template(FIGURE)?.render(context! {
            stories => Serde(&stories),
            origin => Serde(&origin),
            address,
            how_to_count => HOW_TO_COUNT,
            plans => if with_plans { plans(dossier) } else { String::new() },
            title => &self.plan.title,
            url => &self.plan.url,
            stem => &stem,
            figure => Serde(&FigureData::new(dossier)),
            number => number.map(|number| context! { text => &number.text, permanent => number.permanent }),
            picture => Value::from_safe_string(picture.svg),
            hidden => picture.hidden,
            previous => neighbor(-1),
            next => neighbor(1),
            card => file(CARDS),
            solutions => file("solutions/"),
            certificate => downloads.iter().find(|name| name.ends_with(CERTIFICATE)),
            downloads,
            file_name => download_name(&dossier.heading),
            data => script_json(&PageData::new(dossier, stories.first()))?,
        })?;
        self.folder.write(&format!("figures/{stem}.html"), page)
    }
}
