//! The table of costs (`counting/costs.rs`) against this machine: estimated and measured seconds of work of each kind.
//!
//! `cargo bench -p benches --bench costs` takes half a minute on a quiet machine. Each line is a plan that spends its time
//! on the steps it names, worked as one unit on one thread. A factor of 2 in a line means that this machine takes twice
//! as long for these steps as the table says. Units are of equal work if all lines have about the same factor, whatever
//! it is, so a number of the table is changed if its line stands out: multiply it by its factor over that of the others.

use somacat_counting::costs;
use somacat_counting::enumerate::{BoxSpec, Enumeration};
use somacat_run::{Plan, Progress};
use somacat_units::{Cut, Extent, Parts, Unit, cut, work};
use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tempfile::TempDir;

static GO: AtomicBool = AtomicBool::new(false);

/// Names in the table, and a plan that spends its time on these steps.
const WORK: [(&str, &str); 8] = [
    ("ENTRY SEARCH NODE", "import = [\"figures.cells\"]"),
    ("LISTING_NODE LISTED_FIGURE", "keep = \"totals\"\n[[symmetric]]\ncells = 27\nclass = \"C3\""),
    ("LISTED_ROW SEARCH NODE", "[[box]]\nsides = \"2x4x4\"\ncells = 27"),
    (CENSUS_WITH_ROWS, "keep = \"all\"\n[[census]]\nsides = \"2x4x4\""),
    ("SMALL_BOX_FIGURE SMALL_BOX_SHARD", "keep = \"totals\"\n[[census]]\nsides = \"3x3x4\""),
    ("LARGE_BOX_SUBSET LARGE_BOX_PACKING", "keep = \"totals\"\n[[census]]\nsides = \"2x2x10\""),
    ("BUILDABLE_STEP BUILDABLE_PLACEMENT", "keep = \"totals\"\n[[buildable]]\nclass = \"C3\""),
    ("BUILDABLE_OWNER BUILDABLE_FIGURE", "[[buildable]]\nclass = \"S4\""),
];

const CENSUS_WITH_ROWS: &str = "CENSUS_FIGURE CENSUS_SUBSET CENSUS_SHARD";

/// Figures of the file that is imported.
const ENTRIES: usize = 30_000;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    println!("{:40} {:>10} {:>10} {:>7}", "steps", "estimated", "measured", "factor");
    let folder = TempDir::new().expect("a folder");
    std::env::set_current_dir(folder.path()).expect("a folder");
    write_figures();
    for (number, (steps, text)) in WORK.into_iter().enumerate() {
        let parts = format!("parts-{number}");
        let unit = unit(text);
        let begun = Instant::now();
        let done = work(&unit, Path::new(&parts), None, &GO, &Progress::quiet());
        done.expect("a unit without a fault");
        show(steps, unit.estimated_ms as f64 / 1e3, begun.elapsed().as_secs_f64());
        if steps == CENSUS_WITH_ROWS {
            let begun = Instant::now();
            let found = Parts::check(Path::new("units.txt"), &[parts.into()]).expect("a part");
            let merged = found
                .merge(Path::new("merged.db"), Extent::Everything, &GO, &Progress::quiet())
                .expect("sound parts");
            let estimated = merged.summary.new as f64 * costs::CATALOG_ROW;
            show("CATALOG_ROW", estimated, begun.elapsed().as_secs_f64());
        }
    }
}

/// Writes connected figures in a box, as they come.
fn write_figures() {
    let spec = BoxSpec { connected: true, ..BoxSpec::new([3, 3, 4], 27) };
    let mut text = String::new();
    let mut left = ENTRIES;
    let _ = Enumeration::in_box(spec).expect("a small box").for_each(&GO, &mut |figure| {
        for cell in figure.figure().cells() {
            let _ = write!(text, "{cell} ");
        }
        text.push('\n');
        left -= 1;
        if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    fs::write("figures.cells", text).expect("a writable folder");
}

/// Returns a plan as one unit, which is also written.
fn unit(plan: &str) -> Unit {
    let plan = Plan::of_text(Path::new("plan.toml"), &format!("title = \"costs\"\n{plan}"));
    let mut units = cut(&plan.expect("a plan"), Cut::Count(1), &GO)
        .expect("a plan that can be cut")
        .expect("nothing stops it")
        .units;
    fs::write("units.txt", units[0].line() + "\n").expect("a writable folder");
    units.remove(0)
}

fn show(steps: &str, estimated: f64, measured: f64) {
    println!("{steps:40} {estimated:10.2} {measured:10.2} {:7.2}", measured / estimated);
}
