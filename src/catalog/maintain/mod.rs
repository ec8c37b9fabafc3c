//! Maintenance of catalogs: check, salvage, compare, publish, migrate.

mod check;
mod diff;
mod diff_rows;
mod digest;
mod migrate;
mod publish;
mod questions;
mod salvage;
mod sound;

pub use check::{Checkup, Finding, check_catalog};
pub use diff::{Comparison, Difference, diff_catalogs};
pub use digest::hexadecimal;
pub(super) use migrate::{MIGRATIONS, bring_up_to_date};
pub(super) use publish::beside;
pub use publish::{CopyError, LOCAL_TABLES, Publication, PublishError};
pub use salvage::{Salvage, SalvageError, SalvagedTable, salvage};
