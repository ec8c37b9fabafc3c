//! The formats of figures: the list of them, each with its parser.

use super::cells::CellsParser;
use super::height_map::HeightMapParser;
use super::json::JsonParser;
use super::layers::LayersParser;
use super::line_parser::LineParser;
use super::points::PointsParser;
use super::slices::SlicesParser;
use super::soma_text::SomaParser;
use std::fmt;
use std::str::FromStr;

/// Declares the formats in their order. Each has its name on the command line, what a file of it holds, and its parser
/// if it is read line by line.
macro_rules! formats {
    ($(#[doc = $help:literal] $format:ident: $name:literal, $reading:literal, $parser:expr;)+) => {
        /// A format of figures.
        ///
        /// ```
        /// use somacat_formats::Format;
        ///
        /// assert_eq!("height-map".parse(), Ok(Format::HeightMap));
        /// assert_eq!(Format::Xmpuzzle.to_string(), "xmpuzzle");
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Format {
            $(#[doc = $help] $format,)+
        }

        impl Format {
            const ALL: &[Self] = &[$(Self::$format),+];

            /// Returns the name used on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$format => $name,)+
                }
            }

            /// Returns what a file of this format holds, for messages.
            pub(super) const fn reading(self) -> &'static str {
                match self {
                    $(Self::$format => $reading,)+
                }
            }

            /// Returns the parser. `None` if the format is not read line by line.
            pub(super) fn line_parser(self) -> Option<Box<dyn LineParser>> {
                match self {
                    $(Self::$format => $parser,)+
                }
            }
        }
    };
}

formats! {
    /// SOMA text: rows of marks with layers between slashes, also inside saved HTML pages.
    Soma: "soma", "SOMA text", Some(Box::<SomaParser>::default());
    /// One figure per line: `x,y,z x,y,z …`.
    Cells: "cells", "a figure on each line", Some(Box::new(CellsParser));
    /// Digits that give the number of cubes on each square.
    HeightMap: "heightmap", "height maps", Some(Box::<HeightMapParser>::default());
    /// Layers as blocks of lines between blank lines, as in yass.
    Slices: "slices", "slices with the letters of yass", Some(Box::<SlicesParser>::default());
    /// A BurrTools puzzle: XML with boxes of voxels, usually compressed.
    Xmpuzzle: "xmpuzzle", "a puzzle", None;
    /// The cells of one figure, one a line.
    Points: "points", "the cells of one figure", Some(Box::<PointsParser>::default());
    /// The layers of one figure in the marks of SOMA text, as blocks of lines between blank lines.
    Layers: "layers", "the layers of one figure", Some(Box::<LayersParser>::default());
    /// JSON: lists of cells, grids, and objects with them.
    Json: "json", "JSON", Some(Box::<JsonParser>::default());
}

impl Format {
    /// Lists the names of all formats, with a word before the last one.
    pub(super) fn list(word: &str) -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
        let (last, others) = names.split_last().expect("there are formats");
        format!("{} {word} {last}", others.join(", "))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a text that is not the name of a format.
///
/// ```
/// use somacat_formats::Format;
///
/// let message = "`svg` is not a figure format; choose soma, cells, heightmap, slices, xmpuzzle, points, \
///     layers or json";
/// assert_eq!("svg".parse::<Format>().unwrap_err().to_string(), message);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a figure format; choose {formats}", formats = Format::list("or")
)]
pub struct ParseFormatError(pub String);

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text_in_lower_case = text.to_ascii_lowercase().replace("height-map", "heightmap");
        let known = Self::ALL.iter().find(|format| format.name() == text_in_lower_case);
        known.copied().ok_or_else(|| ParseFormatError(text.to_owned()))
    }
}
