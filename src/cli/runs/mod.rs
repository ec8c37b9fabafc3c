//! Commands that count by plan: on this machine, and in units on many.

pub(super) mod import;
pub(super) mod mail_summary;
pub(super) mod merge;
pub(super) mod run;
pub(super) mod units;
pub(super) mod work;
