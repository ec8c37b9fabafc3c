//! How a figure is presented: what it is called, whom it is credited to, and how it lies. Everything
//! that shows a figure of a catalog learns it here.

use somacat_catalog::{NamePattern, Origin};
use somacat_geometry::figure::Figure;
use somacat_geometry::lattice::Transform;

/// Title, credit and position of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presentation {
    /// The title its source gives it.
    pub title: Option<String>,
    /// Whom it is credited to: its maker, if a title tells, or the name of the file that it was published in.
    pub credit: Option<String>,
    /// Leads from the canonical form to the figure as it is shown.
    pub position: Transform,
    /// The names under which its mirror image was published.
    pub mirror_images: Vec<MirrorImage>,
}

/// A name under which the mirror image of the figure with another name was published.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MirrorImage {
    /// The name.
    pub name: String,
    /// The other name: the first whose position is known.
    pub of: String,
}

impl Presentation {
    /// The presentation of a figure, given in canonical form, with its entries in the catalog. The entry that leads
    /// ([`leading`]) shows how the figure was published; what it does not tell, the first that does. A figure
    /// without a position is shown as it [stands best](Figure::best_stand).
    #[must_use]
    pub fn new(canonical: &Figure, origins: &[Origin], asked: Option<&NamePattern>) -> Self {
        let first = leading(origins, asked).map(|at| &origins[at]);
        let in_turn = || first.into_iter().chain(origins);
        let maker = in_turn().find_map(|origin| origin.credit.clone());
        let published = in_turn().find_map(|origin| origin.transform);
        Self {
            title: in_turn().find_map(|origin| origin.title.clone()),
            credit: maker.or_else(|| first.map(|origin| file_name(&origin.source).to_owned())),
            position: published.unwrap_or_else(|| canonical.best_stand()),
            mirror_images: mirror_images(canonical, origins),
        }
    }

    /// A name, and whether it is a mirror image: `sofa (mirror image of couch)`.
    #[must_use]
    pub fn name_in_words(&self, name: &str) -> String {
        match self.mirror_image(name) {
            Some(image) => format!("{name} (mirror image of {})", image.of),
            None => name.to_owned(),
        }
    }

    /// Of what a name is the mirror image, if it is.
    #[must_use]
    pub fn mirror_image(&self, name: &str) -> Option<&MirrorImage> {
        self.mirror_images.iter().find(|image| image.name == name)
    }
}

/// A figure, given in canonical form, as its entries in the catalog show it, whichever of its names is asked for.
#[must_use]
pub fn in_usual_position(canonical: &Figure, origins: &[Origin]) -> Figure {
    canonical.transformed(Presentation::new(canonical, origins, None).position)
}

/// Which entry leads: of those with the name or title that was asked for the first with a position, else the first of
/// all that has one, else the first.
#[must_use]
pub fn leading(origins: &[Origin], asked: Option<&NamePattern>) -> Option<usize> {
    let fits = |origin: &Origin, exactly: bool| {
        asked.is_some_and(|asked| match exactly {
            true => asked.fits(&origin.label()),
            false => origin.title.as_deref().is_some_and(|title| asked.fits(title)),
        })
    };
    let placed = |origin: &Origin| origin.transform.is_some();
    let position = |test: &dyn Fn(&Origin) -> bool| origins.iter().position(test);
    position(&|origin| fits(origin, true) && placed(origin))
        .or_else(|| position(&|origin| fits(origin, true)))
        .or_else(|| position(&|origin| fits(origin, false) && placed(origin)))
        .or_else(|| position(&placed))
        .or_else(|| (!origins.is_empty()).then_some(0))
}

/// The names whose figure lies as the mirror image of the first name's figure, and in no way that a rotation leads to.
/// Each name counts as it was first published.
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

/// A source without its folders, which are nobody else's business.
#[must_use]
pub fn file_name(source: &str) -> &str {
    source.rsplit(['/', '\\']).next().unwrap_or(source)
}
