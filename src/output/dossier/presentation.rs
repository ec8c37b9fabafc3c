//! The presentation of a figure: name, credit and position. Every view of a cataloged figure uses it.

use crate::draw::{Corner, visible_cells};
use somacat_catalog::{NamePattern, Origin};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::{Cell, Transform};
use std::cmp::Reverse;

/// Title, credit and position of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presentation {
    pub title: Option<String>,
    /// The other comments of its source.
    pub note: Option<String>,
    /// The maker or collector, if the source names one.
    pub credit: Option<String>,
    /// Leads from the canonical form to the displayed position.
    pub position: Transform,
    /// The names under which its mirror image was published.
    pub mirror_images: Vec<MirrorImage>,
}

/// A published name for the mirror image of a named figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirrorImage {
    pub name: String,
    /// The other name: the first with a known position.
    pub of: String,
}

impl Presentation {
    /// Creates the presentation of a figure from its entries in the catalog. `canonical` is in canonical form. The
    /// leading entry ([`leading_entry`]) determines it. Title and maker are those of its name. A missing position comes
    /// from any entry. A figure without a position is shown in its
    /// [resting position](Figure::to_resting_position), turned so that pictures show the most cells.
    pub fn new(canonical: &Figure, origins: &[Origin], asked: Option<&NamePattern>) -> Self {
        let first = leading_entry(origins, asked).map(|at| &origins[at]);
        let in_turn = || first.into_iter().chain(origins);
        let same_name =
            |origin: &&Origin| first.is_some_and(|first| first.label() == origin.label());
        let of_name = || in_turn().filter(same_name);
        let published = in_turn().find_map(|origin| origin.transform);
        Self {
            title: of_name().find_map(|origin| origin.title.clone()),
            note: of_name().find_map(|origin| origin.note.clone()),
            credit: of_name().find_map(|origin| origin.credit.clone()),
            position: published.unwrap_or_else(|| to_visible_position(canonical)),
            mirror_images: mirror_images(canonical, origins),
        }
    }

    /// Formats a name and marks a mirror image: `sofa (mirror image of couch)`.
    pub fn name_in_words(&self, name: &str) -> String {
        match self.mirror_image(name) {
            Some(image) => format!("{name} (mirror image of {})", image.of),
            None => name.to_owned(),
        }
    }

    pub fn mirror_image(&self, name: &str) -> Option<&MirrorImage> {
        self.mirror_images.iter().find(|image| image.name == name)
    }
}

/// Returns the rotation to the most visible resting position. It includes the turn about the upright axis that shows
/// the most cells from the right, in front and above. Of equal turns it is the smallest.
fn to_visible_position(canonical: &Figure) -> Transform {
    let resting = canonical.to_resting_position();
    let up = Cell::new(0, 0, 1);
    let turns = Transform::iter().filter(|t| t.is_rotation() && t.apply(up) == up);
    let hidden = |t: &Transform| {
        let turned = canonical.transformed(resting.then(*t));
        Reverse(visible_cells(turned.cells(), Corner::default()))
    };
    let best = turns.min_by_key(hidden);
    resting.then(best.unwrap_or(Transform::IDENTITY))
}

/// Moves a figure from canonical form to its usual position. That position does not depend on a requested name.
pub fn in_usual_position(canonical: &Figure, origins: &[Origin]) -> Figure {
    canonical.transformed(Presentation::new(canonical, origins, None).position)
}

/// Returns the index of the leading entry. Prefers entries with the requested name or title, then entries with a
/// position, then the first.
pub fn leading_entry(origins: &[Origin], asked: Option<&NamePattern>) -> Option<usize> {
    let fits = |text: &str| asked.is_some_and(|asked| asked.fits(text));
    let rank = |origin: &Origin| match (fits(&origin.label()), origin.transform.is_some()) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) if origin.title.as_deref().is_some_and(fits) => 2,
        (false, true) => 3,
        (false, false) => 4,
    };
    (0..origins.len()).min_by_key(|&at| rank(&origins[at]))
}

/// Returns the names whose position mirrors the first name's position. Names that a rotation leads to are not
/// included. Each name counts in its first published position.
fn mirror_images(canonical: &Figure, origins: &[Origin]) -> Vec<MirrorImage> {
    let mut names: Vec<(String, bool)> = Vec::new();
    for origin in origins {
        let Some(position) = origin.transform else { continue };
        let label = origin.label();
        if !names.iter().any(|(known, _)| *known == label) {
            names.push((label, position.is_rotation()));
        }
    }
    let Some((first, hand)) = names.first().cloned() else { return Vec::new() };
    let mirrored: Vec<String> =
        names.into_iter().filter(|(_, other)| *other != hand).map(|(name, _)| name).collect();
    // A figure with a reflection is its own mirror image.
    if mirrored.is_empty() || !canonical.canonical().group.iter().all(Transform::is_rotation) {
        return Vec::new();
    }
    mirrored.into_iter().map(|name| MirrorImage { name, of: first.clone() }).collect()
}

/// Removes the folders from a source, which are private.
pub fn file_name(source: &str) -> &str {
    source.rsplit(['/', '\\']).next().unwrap_or(source)
}
