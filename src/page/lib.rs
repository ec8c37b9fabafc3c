//! The program in a page: crates `geometry`, `counting`, `formats` and `rows`, compiled to WebAssembly.
//!
//! A page calls the program with a request and gets an answer, both JSON; `request.rs` lists them. `scripts/page.sh`
//! builds the file that `somacat export page` and the gallery embed. A page has one instance for each core, in workers.
//! Each instance keeps the files that it has read, so that a request names a figure by two numbers.
//!
//! The crate also compiles for other targets, where its tests run. Only `abi.rs` is of use to WebAssembly alone.

mod abi;
mod answer;
mod elements;
mod position;
mod request;
mod session;
#[cfg(test)]
mod tests;
mod why;
