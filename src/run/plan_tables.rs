//! The tables of a plan file that define questions: one for each kind, read here and written from a question's key.

use super::plan_error::PlanFault;
use super::set_choice::SetChoice;
use serde::Deserialize;
use somacat_counting::buildable::Buildable;
use somacat_counting::census::Census;
use somacat_counting::enumerate::{
    BoxSpec, ClassChoice, Enumeration, EnumerationSpec, FigureShape, SymmetricSpec,
};
use somacat_counting::question::{
    CensusQuestion, EnumerationQuestion, Keep, Question, buildable_class, buildable_question,
};
use somacat_geometry::boxes::{parse_box, sides_text};
use somacat_geometry::figure::Equivalence;
use somacat_geometry::symmetry::Class;
use std::fmt::Write;
use std::sync::Arc;

/// A table of a plan file that defines questions.
pub(super) trait PlanTable {
    /// Returns the table's own piece set, if it has one.
    fn set(&self) -> Option<&str>;

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault>;
}

/// Writes the plan's table for the question of a key, with a label. `None` if there is none.
pub fn plan_table(key: &str, label: &str) -> Option<String> {
    let (method, _) = key.split_once('/')?;
    match method {
        "symmetric" | "box" => enumeration_table(key, label),
        "buildable" => {
            let (class, exact) = Buildable::class_in_key(key)?;
            Some(format!("[[buildable]]\nclass = {:?}\nexact = {exact}\n", class.name()))
        }
        "census" => {
            let sides = sides_text(Census::sides_in_key(key)?);
            Some(format!("[[census]]\nsides = \"{sides}\"\n"))
        }
        _ => None,
    }
}

/// Writes the table of an enumeration.
fn enumeration_table(key: &str, label: &str) -> Option<String> {
    Some(match EnumerationSpec::from_key(key).ok()? {
        EnumerationSpec::Symmetric(spec) => {
            let classes: Vec<&str> = spec.exact_classes().into_iter().map(Class::name).collect();
            let mut table = format!(
                "[[symmetric]]\nlabel = {label:?}\ncells = {}\nclass = {classes:?}\nexact = true\n",
                spec.cells
            );
            // The key has a box even if it holds every figure of this size.
            let holds_all =
                |sides: &[u32; 3]| sides.iter().all(|&side| side as usize >= spec.cells);
            if let Some(bounds) = spec.bounds.filter(|sides| !holds_all(sides)) {
                let _ = writeln!(table, "within = \"{}\"", sides_text(bounds));
            }
            if spec.parts > 1 {
                let _ = writeln!(table, "parts = {}", spec.parts);
            }
            table
        }
        EnumerationSpec::Box(spec) => {
            // The label has the sides in the order in which the plan named them.
            let spelled = label.split([' ', ',']).find(|word| parse_box(word).is_ok());
            let sides = spelled.map_or_else(|| sides_text(spec.sides), str::to_owned);
            let cells = spec.cells;
            let mut table = format!("[[box]]\nsides = \"{sides}\"\ncells = {cells}\n");
            if spec.connected {
                table += "connected = true\n";
            }
            if spec.shape == FigureShape::Towers {
                table += "towers = true\n";
            }
            table
        }
    })
}

/// Names of classes: one, or a list.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a class, as \"Ci\", or a list of classes, as [\"Ci\", \"S4\"]"
)]
pub(super) enum Classes {
    One(String),
    List(Vec<String>),
}

impl Classes {
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::List(names) => names,
        }
    }
}

impl Default for Classes {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymmetricTable {
    set: Option<String>,
    label: Option<String>,
    cells: usize,
    #[serde(default)]
    class: Classes,
    fold: Option<usize>,
    order_at_least: Option<usize>,
    #[serde(default)]
    exact: bool,
    within: Option<String>,
    parts: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoxTable {
    set: Option<String>,
    sides: String,
    cells: usize,
    #[serde(default)]
    connected: bool,
    #[serde(default)]
    towers: bool,
}

impl PlanTable for SymmetricTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let spec = EnumerationSpec::Symmetric(SymmetricSpec {
            classes: ClassChoice::new(self.class.names(), self.fold, self.order_at_least)?,
            exact: self.exact,
            cells: self.cells,
            bounds: self.within.as_deref().map(parse_box).transpose()?,
            parts: self.parts.unwrap_or(1),
            equivalence: Equivalence::Reflections,
        });
        of_spec(spec, set, keep, self.label.clone())
    }
}

impl PlanTable for BoxTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let shape = if self.towers { FigureShape::Towers } else { FigureShape::Any };
        let all = BoxSpec::new(parse_box(&self.sides)?, self.cells);
        of_spec(
            EnumerationSpec::Box(BoxSpec { connected: self.connected, shape, ..all }),
            set,
            keep,
            None,
        )
    }
}

/// Makes a question; the set decides whether mirror images are one figure.
fn of_spec(
    spec: EnumerationSpec,
    set: &SetChoice,
    keep: Keep,
    label: Option<String>,
) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
    let set = set.for_cells(spec.cells())?;
    let enumeration = Enumeration::new(spec.with_equivalence(Equivalence::for_set(&set)))?;
    Ok(vec![Arc::new(EnumerationQuestion { enumeration, set, keep, label })])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildableTable {
    set: Option<String>,
    class: Classes,
    #[serde(default)]
    exact: bool,
}

impl BuildableTable {
    fn classes(&self) -> Result<Vec<Class>, PlanFault> {
        match self.class.names() {
            [] => Err(PlanFault::NoClass),
            names => names.iter().map(|name| Ok(buildable_class(name)?)).collect(),
        }
    }
}

impl PlanTable for BuildableTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let set = set.or_soma();
        self.classes()?
            .into_iter()
            .map(|class| Ok(buildable_question(class, self.exact, &set, keep)?))
            .collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CensusTable {
    set: Option<String>,
    sides: String,
}

impl PlanTable for CensusTable {
    fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    fn questions(&self, set: &SetChoice, keep: Keep) -> Result<Vec<Arc<dyn Question>>, PlanFault> {
        let census = Census::new(parse_box(&self.sides)?, &set.or_soma())?;
        Ok(vec![Arc::new(CensusQuestion { census, keep })])
    }
}
