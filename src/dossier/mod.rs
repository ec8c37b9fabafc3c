//! Everything about one figure, in one place: what a file shows, what the catalog knows, and what is found out on the
//! spot. `show`, the gallery and the newsletter are views of it.

mod building_order;
mod figure;
mod packing;
mod presentation;
mod sentences;
mod subject;

pub use building_order::building_order;
pub use figure::{Dossier, DossierError, SearchTrace, SetOutcome, TraceStep};
pub use packing::{NoPacking, Packing, PackingSource};
pub use presentation::{Presentation, file_name, public_label};
pub use sentences::grouped;
pub use subject::{FileEntry, LookupError, MOST_ORIGINS, Subject, look_up, look_up_in};
