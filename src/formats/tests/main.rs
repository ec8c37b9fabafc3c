//! Tests of the public interface of `somacat-formats`, one module per subject.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod assessment;
mod formats;
mod height_maps;
mod roundtrip;
mod silent_misreadings;
mod slices;
mod spellings;
mod support;
mod texts;
