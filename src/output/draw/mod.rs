//! Pictures of figures and packings: isometric, exploded by layers, or as plans of the layers.
//!
//! A [`Scene`] has the cells and their pieces, and a [`View`] has the viewing options. A [`Picture`] is a
//! self-contained SVG file that can be rendered as PNG. Hidden faces are computed exactly (`surface.rs`). Plans of
//! the layers accompany a picture with hidden cells. Letters are strokes, so no font is needed.

mod building;
mod color;
mod corner;
mod dot_paper;
mod glyph;
mod label;
mod layers;
mod outline;
mod panel;
mod picture;
mod png;
mod scene;
mod solid;
mod surface;
mod terminal;
mod tray;

pub use building::building;
pub(crate) use color::INK;
pub use corner::{Corner, ParseCornerError};
pub use dot_paper::dot_paper;
pub use picture::{Picture, Plans, View, ViewKind, figure_svg, packing_svg};
pub use png::{MAX_PNG_SIDE, PngError};
pub use scene::{Scene, SceneError};
pub use surface::{best_corner, visible_cells};
pub use terminal::{TerminalColors, terminal};
pub use tray::{side_by_side, tray};
