//! The entry of a figure in a file as an entry of a catalog's source: pages show both alike.

use super::{Presentation, Subject};
use somacat_catalog::{Origin, Row};
use somacat_geometry::figure::Equivalence;

impl Subject {
    /// Adds a file's entry to the origins, as the first. Title, maker and note become those of the entry.
    #[must_use]
    pub fn with_entry(mut self) -> Self {
        let Some(file) = &self.file else { return self };
        let entry = &file.entry;
        let origin = Origin {
            source: file.label.clone(),
            number: file.number,
            line: entry.line as u64,
            name: file.name.clone(),
            title: entry.title.clone(),
            credit: entry.credit.clone(),
            note: entry.note.clone(),
            packing: None,
            transform: Some(self.presentation.position),
            set: None,
        };
        let Presentation { title, credit, note, .. } = &mut self.presentation;
        *title = title.take().or_else(|| origin.title.clone());
        *credit = credit.take().or_else(|| origin.credit.clone());
        *note = note.take().or_else(|| origin.note.clone());
        self.origins.retain(|known| !is_same(known, &origin));
        self.origins.insert(0, origin);
        self
    }

    /// Adds the names and origins of an equal figure, up to rotation and reflection. Marks names of mirror images.
    pub fn merge(&mut self, other: Self) {
        for origin in other.with_entry().origins {
            if !self.origins.iter().any(|known| is_same(known, &origin)) {
                self.origins.push(origin);
            }
        }
        // Positions of figures that a catalog has up to rotation lead from another canonical form.
        let up_to_rotation = |row: &Row| row.figure.signature.as_str().starts_with('r');
        if !self.rows.iter().any(up_to_rotation) {
            let to_canonical = self.figure.canonical_up_to(Equivalence::Reflections).to_canonical;
            let canonical = self.figure.transformed(to_canonical);
            let shown = Presentation::new(&canonical, &self.origins, None);
            self.presentation.mirror_images = shown.mirror_images;
        }
    }
}

/// Returns true for the same entry of a source.
fn is_same(one: &Origin, other: &Origin) -> bool {
    (&one.source, one.number) == (&other.source, other.number)
}
