//! Case trees on the command line.

use crate::support::program::{run, stdout};
use serde_json::Value;
use tempfile::TempDir;

#[test]
fn cases_are_written_as_json() {
    let folder = TempDir::new().unwrap();
    let args = ["prove", "-q", "--json", "s1-2x2x4-4zf1", "--set", "V L T"];
    let proof: Value = serde_json::from_str(&stdout(&run(folder.path(), &args))).unwrap();
    let root = &proof["cases"];
    assert_eq!(
        (&proof["reason"], &root["cover"]),
        (&"cases".into(), &serde_json::json!([0, 3, 1]))
    );
    let ways = root["ways"].as_array().unwrap();
    assert_eq!(ways.len(), 4);
    for way in ways {
        let then = &way["then"];
        match then["marks"].as_array() {
            Some(marks) => {
                let total: i64 = marks.iter().map(|mark| mark.as_i64().unwrap()).sum();
                assert_eq!(then["total"], total);
                assert!(then["most"].as_i64().unwrap() < total);
            }
            None => assert_eq!(then["ways"], serde_json::json!([])),
        }
    }
}
