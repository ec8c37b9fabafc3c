//! The engine and its memory on the command line.

use crate::support::program::with_input;
use tempfile::TempDir;

#[test]
fn the_command_takes_engine_and_memory_and_names_the_engine() {
    let folder = TempDir::new().unwrap();
    let count = |args: &[&str], map: &str| {
        let args = [&["count"], args].concat();
        let output = with_input(folder.path(), &args, map.as_bytes());
        let mut reader = csv::Reader::from_reader(&output.stdout[..]);
        let header = reader.headers().unwrap().clone();
        let row = reader.records().next().map(Result::unwrap).unwrap_or_default();
        let field = |name: &str| {
            let at = header.iter().position(|h| h == name);
            at.and_then(|at| row.get(at)).unwrap_or_default().to_owned()
        };
        (output.status.code(), field("raw"), field("engine"), field("reason"))
    };
    let cube = "333 333 333";
    for (engine, used) in [("auto", "search"), ("search", "search"), ("frontier", "frontier")] {
        let (code, raw, named, _) = count(&["--engine", engine, "-"], cube);
        assert_eq!((code, raw.as_str(), named.as_str()), (Some(0), "11520", used));
    }
    let slab = "222222222 222222222 222222222";
    let double = ["--set", "2xSOMA", "--engine", "frontier", "--memory"];
    let (code, raw, _, reason) = count(&[&double[..], &["500K", "-"]].concat(), slab);
    assert_eq!((code, raw.as_str()), (Some(3), ""));
    assert!(reason.contains("and may take 0.50 MB"), "{reason}");
    let (code, raw, ..) = count(&[&double[..], &["512MiB", "-"]].concat(), slab);
    assert_eq!((code, raw.as_str()), (Some(0), "6490644296"));
    for wrong in ["much", "0", "-1G", "99999999999G"] {
        assert_eq!(count(&[&double[..], &[wrong, "-"]].concat(), slab).0, Some(2), "{wrong}");
    }
}
