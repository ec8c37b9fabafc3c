//! How a figure is presented: what it is called, whom it is credited to, and how it lies. Everything
//! that shows a figure of a catalog learns it here.

use crate::catalog::Origin;
use crate::figure::Figure;
use crate::lattice::Transform;

/// Title, credit and position of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presentation {
    /// The title its source gives it.
    pub title: Option<String>,
    /// Whom it is credited to: its maker, if a title tells, or the name of the file that it was published in.
    pub credit: Option<String>,
    /// Leads from the canonical form to the figure as it is shown.
    pub position: Transform,
}

impl Presentation {
    /// The presentation of a figure, given in canonical form, with its entries in the catalog. The
    /// first entry that knows a position shows how the figure was published; a figure without one is
    /// shown as it [stands best](Figure::best_stand).
    #[must_use]
    pub fn new(canonical: &Figure, origins: &[Origin]) -> Self {
        let maker = origins.iter().find_map(|origin| origin.credit.clone());
        let of_file = || origins.first().map(|origin| file_name(&origin.source).to_owned());
        let published = origins.iter().find_map(|origin| origin.transform);
        Self {
            title: origins.iter().find_map(|origin| origin.title.clone()),
            credit: maker.or_else(of_file),
            position: published.unwrap_or_else(|| canonical.best_stand()),
        }
    }
}

/// A source without its folders, which are nobody else's business.
#[must_use]
pub fn file_name(source: &str) -> &str {
    source.rsplit(['/', '\\']).next().unwrap_or(source)
}
