//! Commands about given figures and their packings.

pub(super) mod count;
pub(super) mod figure_view;
pub(super) mod map;
mod one_of_each;
pub(super) mod open_figure;
pub(super) mod packings;
pub(super) mod picture_files;
pub(super) mod places;
pub(super) mod prove;
pub(super) mod sets;
pub(super) mod show;
pub(super) mod show_display;
pub(super) mod show_set;
pub(super) mod solve;
pub(super) mod stand;
pub(super) mod symmetry;
pub(super) mod takeapart;
pub(super) mod trace;
