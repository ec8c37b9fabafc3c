//! All information about one figure. It is taken from the figure's file and the catalog, and computed on demand.
//! `show`, the gallery and the newsletter are views of it.

mod argument;
mod figure;
mod file_entry;
mod hands;
mod look_up;
mod packing;
mod places;
mod presentation;
mod sentences;
mod stored_proofs;
mod story;
mod subject;

pub use argument::{FigureArgument, figure_files, is_catalog_table};
pub use figure::{Dossier, DossierError, SetOutcome, entry_in_words};
pub use hands::HOW_TO_COUNT;
pub use look_up::{LookupReports, look_up};
pub use packing::{Building, NoPacking, Packing, PackingSource};
pub use places::rule_in_words;
pub use presentation::{MirrorImage, Presentation, file_name, in_usual_position, leading_entry};
pub use sentences::grouped;
pub use story::{Story, StoryKind};
pub use subject::{FileEntry, LookupError, Subject, look_up_in};
