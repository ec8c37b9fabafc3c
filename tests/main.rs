//! Tests of the library and the program, one module per behavior.
//!
//! There is only one binary, because linking SQLite and a renderer takes time. `cargo test --test somacat solve::`
//! runs the tests of one module.

#![allow(clippy::unwrap_used, unreachable_pub)]
// A failed step in a test may panic.
// Some tests, and what only they use, are for Linux or Unix alone.
#![cfg_attr(not(all(target_os = "linux", target_env = "gnu")), allow(dead_code, unused_imports))]

mod arguments;
mod article;
mod assessment;
mod atlas;
mod boxes;
mod buildable;
mod cases;
mod catalog;
mod catalog_proofs;
mod cell_colors;
mod census;
mod choices;
mod cli;
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod clock;
mod commits;
mod completeness;
mod count_proofs;
mod counting;
mod designs;
#[cfg(unix)]
mod docs;
#[cfg(unix)]
mod doors;
mod draw;
mod edits;
mod enumerate;
mod examples;
mod exported_choices;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod failing;
#[cfg(unix)]
mod faults;
mod forged;
mod formats_roundtrip;
mod frontier;
mod gaps;
mod hands;
mod help;
mod hostile;
mod keeping;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod kills;
mod labels;
mod ladder;
mod large_catalogs;
mod leftovers;
mod mail_summary;
mod map;
mod marks;
mod mistakes;
mod mutations;
#[cfg(unix)]
mod names;
mod options;
mod own_pieces;
mod packages;
mod page;
mod parquet;
mod piece_pictures;
mod piece_sets;
mod plans;
mod positions;
mod proofs;
mod puzzles;
#[cfg(target_os = "linux")]
mod queues;
mod rate;
mod reading;
mod redo;
mod release;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod repeated;
mod salvage;
mod screen;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod sequences;
mod sets;
mod show;
mod site;
mod solids;
mod somap;
#[cfg(target_os = "linux")]
mod special_files;
mod stand;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod stopping;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod streams;
mod support;
mod takeapart;
#[cfg(unix)]
mod transcripts;
mod units;
mod user_tables;
mod words;
#[cfg(target_os = "linux")]
mod writers;
