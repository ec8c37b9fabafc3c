//! Published numbers of polycubes.

use std::collections::BTreeMap;

/// Returns published counts by (class or kind, n): OEIS A001931, A000162, A038119 and others and, for exact classes,
/// A376964–A376991 and A377127–A377131.
pub fn polycube_counts() -> BTreeMap<(String, usize), u64> {
    let text = include_str!("../data/polycube_counts.csv");
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.map(|row| {
        let (_, class, n, count): (String, String, usize, u64) = row.unwrap();
        // Rows of exact classes read "BF = C2v(face,diagonal)": the OEIS code, then our name.
        let name = class.split(" = ").last().unwrap().to_owned();
        ((name, n), count)
    })
    .collect()
}
