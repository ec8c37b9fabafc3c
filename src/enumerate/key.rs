//! The key of a question: one plain line that is the same however the question was spelled, written and read.

use super::error::KeyError;
use super::question::{
    BoxSpec, ClassChoice, Question, Shape, SymmetricSpec, parse_box, sides_text,
};
use crate::figure::Identity;
use crate::symmetry::Class;

impl Question {
    /// The question as a plain line that is the same however it was spelled.
    ///
    /// It begins with the name and the version of the method that cuts it into shards. Whoever
    /// changes the shards, or the order of the figures, of any question must raise the version of
    /// that question's method: places of enumerations ([`super::Place`]) are stored under this key
    /// and mean something only as long as both are the same. Figures in a box may be grown as
    /// symmetric ones are, or the reverse, so a change of one can be a change of both.
    #[must_use]
    pub fn key(&self) -> String {
        let up_to = match self.identity() {
            Identity::Reflections => "reflections",
            Identity::Rotations => "rotations",
        };
        match self {
            Self::Symmetric(spec) => {
                // Version 1 grew figures of several parts; 2 takes them from subsets of boxes.
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
                    Shape::Any => (0, "any"),
                    Shape::Towers => (1, "towers"),
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

    /// Reads a key.
    ///
    /// # Errors
    /// If the text is no key, or one of another version than this program writes.
    pub fn of_key(key: &str) -> Result<Self, KeyError> {
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
    /// Refuses a key that differs from the key that the question has here.
    pub(crate) fn check(key: &str, own: String) -> Result<(), Self> {
        if key == own { Ok(()) } else { Err(Self::Version { key: key.to_owned(), own }) }
    }
}

/// The values of `name=value` pairs with these names, in this order; the last value goes to the end of the text.
fn values<'a, const N: usize>(text: &'a str, names: [&str; N]) -> Option<[&'a str; N]> {
    let (mut values, mut rest) = ([""; N], text);
    for (at, name) in names.iter().enumerate() {
        let value = rest.strip_prefix(name)?.strip_prefix('=')?;
        (values[at], rest) = if at + 1 < N { value.split_once(' ')? } else { (value, "") };
    }
    Some(values)
}

fn identity(text: &str) -> Option<Identity> {
    match text {
        "reflections" => Some(Identity::Reflections),
        "rotations" => Some(Identity::Rotations),
        _ => None,
    }
}

fn symmetric(text: &str) -> Option<Question> {
    let names = ["cells", "parts", "box", "up-to", "classes"];
    let [cells, parts, bounds, up_to, classes] = values(text, names)?;
    let class = |name: &str| Class::all().find(|class| class.name() == name);
    let classes: Option<Vec<Class>> = classes.split("; ").map(class).collect();
    Some(Question::Symmetric(SymmetricSpec {
        classes: ClassChoice::from_iter(classes?),
        exact: true,
        cells: cells.parse().ok()?,
        bounds: if bounds == "none" { None } else { Some(parse_box(bounds).ok()?) },
        parts: parts.parse().ok()?,
        identity: identity(up_to)?,
    }))
}

fn in_box(text: &str) -> Option<Question> {
    let names = ["cells", "sides", "connected", "shape", "up-to"];
    let [cells, sides, connected, shape, up_to] = values(text, names)?;
    Some(Question::Box(BoxSpec {
        sides: parse_box(sides).ok()?,
        cells: cells.parse().ok()?,
        connected: connected == "yes",
        shape: if shape == "towers" { Shape::Towers } else { Shape::Any },
        identity: identity(up_to)?,
    }))
}
