//! The options that choose classes of symmetry.

use crate::cli::failure::{Failure, Result};
use clap::Args;
use somacat_counting::enumerate::{ClassChoice, EnumerateError};

// Which figures are listed, by their symmetry.
#[derive(Args, Debug)]
pub(super) struct ClassArgs {
    /// Symmetry class: D3d, C2v (all classes of that symbol), C2v(edge), or Allen's letter.
    #[arg(long)]
    pub(super) class: Vec<String>,
    /// Classes with an element of order N.
    #[arg(long, value_name = "N")]
    fold: Option<usize>,
    /// Classes of order N or more.
    #[arg(long, value_name = "N")]
    order_at_least: Option<usize>,
    /// The symmetry group is of the class, not larger.
    #[arg(long)]
    pub(super) exact: bool,
}

impl ClassArgs {
    pub(super) fn choice(&self) -> Result<ClassChoice> {
        let Self { class, fold, order_at_least, .. } = self;
        if class.is_empty() && fold.is_none() && order_at_least.is_none() {
            return Err(Failure::usage("name a symmetry: --class, --fold or --order-at-least"));
        }
        Ok(ClassChoice::new(class, *fold, *order_at_least)?)
    }
}

/// Adds the option that gives a box to the refusal of figures without one.
pub(super) fn naming_within(error: EnumerateError) -> Failure {
    match error {
        EnumerateError::BoxRequired { .. } | EnumerateError::PartsNeedBox(_) => {
            Failure::usage(format!("{error}; --within 3x3x4 gives a box"))
        }
        error => error.into(),
    }
}
