//! Stability on the command line.

use crate::support::program::{run, stderr, stdout};
use std::fs;
use tempfile::TempDir;

#[test]
fn stability_on_the_command_line() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("tower.txt"), "tower: 67 77\n").unwrap();
    fs::write(folder.path().join("long.txt"), "long: 999\n").unwrap();
    let done = run(folder.path(), &["stand", "tower.txt", "--json", "--sample", "5"]);
    let object: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
    assert_eq!(object["friction"], 0.5, "{}", stderr(&done));
    assert_eq!(object["sides"].as_array().unwrap().len(), 6);
    assert_eq!(object["examined"], 5);
    assert_eq!(object["complete"], true);
    assert!(stderr(&done).contains("with friction 0.5"), "{}", stderr(&done));
    let rows = stdout(&run(folder.path(), &["stand", "long.txt", "--csv"]));
    assert_eq!(rows.lines().count(), 7, "{rows}");
    assert!(rows.contains("long,,,solid,bottom,,yes,"), "{rows}");
    let told = stderr(&run(folder.path(), &["stand", "long.txt", "--friction", "0.3", "--csv"]));
    assert!(told.contains("no packing with SOMA to set up with friction 0.3"), "{told}");
    for (arguments, code, said) in [
        (["stand", "tower.txt", "--friction", "-0.1"].as_slice(), 2, "not -0.1"),
        (&["stand", "tower.txt", "--friction", "NaN"], 2, "friction"),
        (&["stand", "tower.txt", "--friction", "1e308"], 2, "from 0 to 100"),
        (&["stand", "tower.txt", "--on", "head"], 2, "bottom, top"),
        (&["stand", "nothing.txt"], 1, "nothing.txt"),
    ] {
        let done = run(folder.path(), arguments);
        assert_eq!(done.status.code(), Some(code), "{}", stderr(&done));
        assert!(stderr(&done).contains(said), "{}", stderr(&done));
    }
    // Hundreds of millions of packings; the first ones of a search are not the least of their classes.
    let slab = "slab: 222222222 222222222 222222222\n";
    fs::write(folder.path().join("slab.txt"), slab).unwrap();
    let double = ["stand", "slab.txt", "--set", "2xSOMA", "--json"];
    let done = run(folder.path(), &[&double[..], &["--sample", "2"]].concat());
    let object: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
    assert_eq!((&object["examined"], &object["complete"]), (&2.into(), &false.into()));
    let done = run(folder.path(), &double);
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains("811344499 packings up to symmetry"), "{}", stderr(&done));
}
