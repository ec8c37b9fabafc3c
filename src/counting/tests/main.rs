//! Tests of the public interface of `somacat-counting`, one module per subject: against published numbers, brute force,
//! and the checks of `somacat-checking`.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod antislide;
mod buildable;
mod cases;
mod census;
mod certificates;
mod choice_proofs;
mod count_proofs;
mod difficulty;
mod enumerate;
mod examples;
mod frontier;
mod hardest_cubes;
mod map;
mod marks;
mod opening;
mod places;
mod ruled_out;
mod solve;
mod somap;
mod stand;
mod support;
mod symmetric_marks;
mod ten_pictures;
