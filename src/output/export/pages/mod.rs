//! Figures as pages: galleries, newsletters and 3D views. The program as a page.

pub(super) mod gallery;
pub(super) mod gallery_index;
pub(super) mod gallery_page;
pub(super) mod gallery_sets;
pub(super) mod glossary;
pub(super) mod histogram;
pub(super) mod markdown;
pub(super) mod newsletter;
pub(super) mod one_page;
pub(super) mod page_origin;
pub(super) mod site_folder;
pub(super) mod template_data;
pub(super) mod templates;
pub(super) mod view_3d;
