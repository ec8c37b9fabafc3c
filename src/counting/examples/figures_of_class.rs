//! Lists all connected figures of 27 cells with the symmetry group D3d, and says why SOMA builds none of them.
//!
//! `cargo run -p somacat-counting --example figures_of_class` prints
//!
//! ```text
//! s1-5x5x5-0040004ec04eze406e4000400: unsolvable (parity)
//! s1-7x7x7.r1g3g3050k165030000003056k1050g3g3: unsolvable (exhausted)
//! s1-5x5x5-004000ace046zc40e6a000400: unsolvable (exhausted)
//! s1-5x5x5-0048000cw846zc42760002400: unsolvable (parity)
//! s1-5x5x5-0008004ew80eee027e4002000: unsolvable (parity)
//! s1-5x5x5-0084000wc427ew84670004200: unsolvable (parity)
//! s1-5x5x5-000800y6a206ec08acf002000: unsolvable (exhausted)
//! s1-5x5x5-000800acy806ec02f6a002000: unsolvable (exhausted)
//! s1-7x7x7.g2g3r20500046j1050050j16400050r2g3: unsolvable (exhausted)
//! s1-5x5x5-000r800cwr06ec03760023000: unsolvable (exhausted)
//! ```
//!
//! Arguments name another class and number of cells: `D4h 11`.

use somacat_counting::enumerate::{Enumeration, SymmetricSpec};
use somacat_counting::solve::{Limits, Problem, count};
use somacat_geometry::pieces::PieceSet;
use somacat_geometry::spelling::Spelling as _;
use somacat_geometry::symmetry::Class;
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let class = words.next().unwrap_or_else(|| "D3d".to_owned());
    print!("{}", answer(&class, words.next().map_or(Ok(27), |cells| cells.parse())?)?);
    Ok(())
}

/// Returns a line for each figure: its signature, and the result of counting its packings.
pub fn answer(class: &str, cells: usize) -> Result<String, Box<dyn Error>> {
    let (class, soma) = (Class::matching(class)?[0], PieceSet::soma(1));
    let figures = Enumeration::symmetric(SymmetricSpec::exactly(class, cells))?;
    let (mut text, mut failed) = (String::new(), None);
    let _ = figures.for_each(&AtomicBool::new(false), &mut |figure| {
        let problem = Problem::with_group(figure.figure(), &soma, figure.group());
        match count(&problem, Limits::default()) {
            Ok(report) => {
                let (verdict, reason) = (report.outcome.verdict(), report.outcome.reason());
                let reason = reason.map_or(String::new(), |reason| format!(" ({})", reason.word()));
                text.push_str(&format!("{}: {}{reason}\n", figure.signature(), verdict.word()));
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    failed.map_or(Ok(text), |error| Err(error.into()))
}
