//! Memory sizes on the command line.

/// The smallest number accepted without a unit. A smaller one is probably a typo.
const MIN_WITHOUT_UNIT: u64 = 1 << 20;

/// Parses a number of bytes with an optional unit: `M` is 10^6, `MiB` is 2^20.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("K", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
    ];
    let plain = text.strip_suffix('B').filter(|rest| !rest.ends_with('i')).unwrap_or(text);
    let unit = units.iter().find_map(|(name, size)| Some((plain.strip_suffix(name)?, *size)));
    let least = if unit.is_some() { 1 } else { MIN_WITHOUT_UNIT };
    let (number, unit) = unit.unwrap_or((plain, 1));
    let number: Option<u64> = number.trim().parse().ok();
    match number.and_then(|number| number.checked_mul(unit)) {
        Some(0) | None => Err(format!("`{text}` is not a memory size; write 500M, 4G or 4GiB")),
        Some(bytes) if bytes < least => {
            Err(format!("`{text}` bytes are too few; write 500M, 4G or 4GiB"))
        }
        Some(bytes) => Ok(bytes),
    }
}
