//! Parts whose digests are computed again after an edit.

use sha2::{Digest, Sha256};

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the rows of a part, with a last line that has its check.
pub(crate) fn sealed(rows: &str, last: &str) -> String {
    let (sums, _) = last.rsplit_once(",\"check\":").unwrap();
    let digest = Sha256::digest(sums.strip_prefix("{\"part\":").unwrap());
    format!("{rows}{sums},\"check\":\"{}\"}}\n", digits(&digest[..4]))
}

/// Returns an edited part with its digest and its check.
pub(crate) fn with_digest(part: &str) -> String {
    let (rows, last) = part.split_at(part.rfind("{\"part\":").unwrap());
    let (before, after) = last.split_once("\"sha256\":\"").unwrap();
    let digest = digits(&Sha256::digest(rows));
    sealed(rows, &format!("{before}\"sha256\":\"{digest}{}", &after[digest.len()..]))
}

/// Returns a part without the processor time and the check after it.
pub(crate) fn without_time(part: &[u8]) -> (&[u8], serde_json::Value) {
    let last = part[..part.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let (rows, last) = part.split_at(last);
    let mut last: serde_json::Value = serde_json::from_slice(last).unwrap();
    assert!(last["part"]["processor_ms"].take().is_u64() && last["check"].take().is_string());
    (rows, last)
}
