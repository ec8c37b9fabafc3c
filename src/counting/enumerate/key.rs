//! The key of a question: one plain line that is the same for every spelling of the question.

use super::error::KeyError;
use super::spec::{BoxSpec, ClassChoice, EnumerationSpec, FigureShape, SymmetricSpec};
use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::Class;

impl EnumerationSpec {
    /// Returns the question as a line that is independent of its spelling.
    ///
    /// It begins with the name and the version of the method that cuts the question into shards. A change to the
    /// shards, or to the order of figures, of any question requires a new version of its method. Places of
    /// enumerations ([`super::Place`]) are stored under this key and are valid only while the version is the same.
    /// A box question may be answered by growth and a symmetric one by subsets, so one change can affect both
    /// methods.
    ///
    /// ```
    /// use somacat_counting::enumerate::{EnumerationSpec, SymmetricSpec};
    /// use somacat_geometry::symmetry::Class;
    ///
    /// let class = Class::matching("D3d").unwrap()[0];
    /// let question = EnumerationSpec::Symmetric(SymmetricSpec::exactly(class, 27));
    /// let key = "symmetric/1 cells=27 parts=1 box=27x27x27 up-to=reflections classes=D3d";
    /// assert_eq!(question.key(), key);
    /// assert_eq!(EnumerationSpec::from_key(key).map(|question| question.key()), Ok(key.to_owned()));
    /// ```
    pub fn key(&self) -> String {
        let up_to = match self.equivalence() {
            Equivalence::Reflections => "reflections",
            Equivalence::Rotations => "rotations",
        };
        match self {
            Self::Symmetric(spec) => {
                // Version 1 grew figures of several parts. Version 2 takes them from subsets of boxes.
                let version = if spec.parts == 1 { 1 } else { 2 };
                let SymmetricSpec { cells, parts, .. } = spec;
                let within = spec.tight_bounds().map_or_else(|| "none".to_owned(), sides_text);
                let classes: Vec<&str> =
                    spec.exact_classes().into_iter().map(Class::name).collect();
                let classes = classes.join("; ");
                format!(
                    "symmetric/{version} cells={cells} parts={parts} box={within} up-to={up_to} \
                     classes={classes}"
                )
            }
            Self::Box(spec) => {
                let BoxSpec { mut sides, cells, connected, shape, .. } = *spec;
                let (upright, shape) = match shape {
                    FigureShape::Any => (0, "any"),
                    FigureShape::Towers => (1, "towers"),
                };
                sides[..3 - upright].sort_unstable();
                let (sides, connected) = (sides_text(sides), if connected { "yes" } else { "no" });
                format!(
                    "box/1 cells={cells} sides={sides} connected={connected} shape={shape} \
                     up-to={up_to}"
                )
            }
        }
    }

    /// Parses a key.
    ///
    /// # Errors
    /// If the text is not a key, or is the key of another version.
    pub fn from_key(key: &str) -> Result<Self, KeyError> {
        let malformed = || KeyError::Malformed(key.to_owned());
        let (method, rest) = key.split_once(' ').ok_or_else(malformed)?;
        let question = match method.split_once('/') {
            Some(("symmetric", _)) => symmetric(rest),
            Some(("box", _)) => in_box(rest),
            _ => None,
        };
        let question = question.ok_or_else(malformed)?;
        KeyError::check(key, question.key()).map(|()| question)
    }
}

impl KeyError {
    /// Refuses a key other than `own`, this version's key of the question.
    pub(crate) fn check(key: &str, own: String) -> Result<(), Self> {
        if key == own { Ok(()) } else { Err(Self::Version { key: key.to_owned(), own }) }
    }
}

/// Parses `name=value` pairs with these names, in this order. The last value ends with the text.
fn values<'a, const N: usize>(text: &'a str, names: [&str; N]) -> Option<[&'a str; N]> {
    let (mut values, mut rest) = ([""; N], text);
    for (at, name) in names.iter().enumerate() {
        let value = rest.strip_prefix(name)?.strip_prefix('=')?;
        (values[at], rest) = if at + 1 < N { value.split_once(' ')? } else { (value, "") };
    }
    Some(values)
}

fn equivalence(text: &str) -> Option<Equivalence> {
    match text {
        "reflections" => Some(Equivalence::Reflections),
        "rotations" => Some(Equivalence::Rotations),
        _ => None,
    }
}

fn symmetric(text: &str) -> Option<EnumerationSpec> {
    let names = ["cells", "parts", "box", "up-to", "classes"];
    let [cells, parts, bounds, up_to, classes] = values(text, names)?;
    let class = |name: &str| Class::iter().find(|class| class.name() == name);
    let classes: Option<Vec<Class>> = classes.split("; ").map(class).collect();
    Some(EnumerationSpec::Symmetric(SymmetricSpec {
        classes: ClassChoice::from_iter(classes?),
        exact: true,
        cells: cells.parse().ok()?,
        bounds: if bounds == "none" { None } else { Some(parse_box(bounds).ok()?) },
        parts: parts.parse().ok()?,
        equivalence: equivalence(up_to)?,
    }))
}

fn in_box(text: &str) -> Option<EnumerationSpec> {
    let names = ["cells", "sides", "connected", "shape", "up-to"];
    let [cells, sides, connected, shape, up_to] = values(text, names)?;
    Some(EnumerationSpec::Box(BoxSpec {
        sides: parse_box(sides).ok()?,
        cells: cells.parse().ok()?,
        connected: connected == "yes",
        shape: if shape == "towers" { FigureShape::Towers } else { FigureShape::Any },
        equivalence: equivalence(up_to)?,
    }))
}
