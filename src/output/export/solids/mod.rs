//! Figures as surfaces for 3D printing.

pub(super) mod mesh;
pub(super) mod obj;
pub(super) mod stl;
