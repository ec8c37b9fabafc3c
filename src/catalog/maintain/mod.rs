//! Maintenance of catalogs: check, salvage, compare, publish.

mod check;
mod diff;
mod digest;
mod publish;
mod row_checks;
mod salvage;
mod values;

pub use check::{CheckReport, Finding, check_catalog};
pub use diff::{Comparison, Difference, diff_catalogs};
pub use digest::{hexadecimal, sha256_of};
pub use publish::{CopyError, Publication, PublishError};
pub use row_checks::problem_of_counted_row;
pub use salvage::{Salvage, SalvageError, SalvagedTable, salvage};
