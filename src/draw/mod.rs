//! Figures and packings as pictures: isometric, exploded by layers, or as plans of the layers.
//!
//! A [`Scene`] holds the cells and the pieces they belong to; a [`View`] says how to look at it; the
//! [`Picture`] is a self-contained SVG that can be turned into PNG. What is hidden from the chosen
//! corner is worked out exactly (`surface.rs`), and plans of the layers are drawn beside a picture that
//! hides cells. Letters are strokes, so no font is needed anywhere.

mod color;
mod corner;
mod glyph;
mod layers;
mod panel;
mod picture;
mod png;
mod scene;
mod solid;
mod surface;
mod terminal;

pub use corner::{Corner, ParseCornerError};
pub use picture::{Kind, Picture, Plans, View, figure_svg, packing_svg};
pub use png::{MAX_PNG_SIDE, PngError};
pub use scene::{Scene, SceneError};
pub use terminal::{TerminalColors, terminal};
