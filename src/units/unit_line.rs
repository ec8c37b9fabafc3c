//! Finding the line of a unit in a file of units.
//!
//! Line `n` is unit `n`, and a line begins with its number. So the line is found by bisection: for one of 100,000 units,
//! about 100 kB are read instead of up to 60 MB. An array of jobs, each of which reads its own line, would otherwise read
//! terabytes.

use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};

/// The longest distance that is read line by line. It is about one read of a file system.
const NEAR: u64 = 1 << 14;

/// The beginning of a line, up to the number of its unit.
const NUMBER: &[u8] = b"{\"unit\":";

/// Returns the line of a unit, or `None` if the file has fewer lines.
///
/// If the lines are not numbered from 1, this is the line at that position, as it is in a pipe, too.
pub(super) fn unit_line<F: BufRead + Seek>(
    file: &mut F,
    number: u64,
) -> io::Result<Option<String>> {
    match find(file, number) {
        Ok(Some(line)) => return Ok(Some(line)),
        // Lines are counted instead.
        Ok(None) => file.seek(SeekFrom::Start(0)).map(|_| ())?,
        Err(error) if error.kind() == ErrorKind::NotSeekable => {}
        Err(error) => return Err(error),
    }
    let skipped = number.checked_sub(1).and_then(|lines| usize::try_from(lines).ok());
    skipped.and_then(|skipped| file.lines().nth(skipped)).transpose()
}

/// Searches for a line by its number. Returns `None` if it comes upon a line without one, or if there is no such line.
fn find<F: BufRead + Seek>(file: &mut F, number: u64) -> io::Result<Option<String>> {
    // The line begins within these bytes, and `low` is the beginning of a line.
    let (mut low, mut high) = (0, file.seek(SeekFrom::End(0))?);
    while high - low > NEAR {
        let middle = low + (high - low) / 2;
        let start = next_line(file, middle)?;
        if start >= high {
            break;
        }
        match number_of(file)? {
            Some(found) if found <= number => low = start,
            Some(_) => high = middle,
            None => return Ok(None),
        }
    }
    file.seek(SeekFrom::Start(low))?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        match parse_number(&line) {
            Some(found) if found == number => break,
            Some(found) if found < number => {}
            _ => return Ok(None),
        }
    }
    let text =
        String::from_utf8(line).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// Goes to the first line that begins behind an offset, and returns where.
fn next_line<F: BufRead + Seek>(file: &mut F, offset: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(offset))?;
    Ok(offset + file.skip_until(b'\n')? as u64)
}

/// Reads the number of the unit whose line begins here.
fn number_of<F: BufRead>(file: &mut F) -> io::Result<Option<u64>> {
    let mut start = Vec::new();
    file.take(NUMBER.len() as u64 + 21).read_to_end(&mut start)?;
    Ok(parse_number(&start))
}

fn parse_number(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(NUMBER)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor};

    /// A file that counts the bytes that are read from it.
    struct Counted(Cursor<Vec<u8>>, u64);

    impl Read for Counted {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(bytes)?;
            self.1 += read as u64;
            Ok(read)
        }
    }

    impl Seek for Counted {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    fn line(number: u64) -> String {
        let shards = "7".repeat(300 + (number % 7) as usize * 40);
        format!("{{\"unit\":{number},\"of\":20000,\"shards\":[0,{shards}]}}")
    }

    #[test]
    fn a_unit_is_found_in_a_few_reads() {
        let text: String = (1..=20_000).map(|number| line(number) + "\n").collect();
        for number in [1, 2, 9_999, 13_131, 19_999, 20_000] {
            let file = Counted(Cursor::new(text.clone().into_bytes()), 0);
            let mut file = BufReader::new(file);
            assert_eq!(unit_line(&mut file, number).unwrap(), Some(line(number)));
            let read = file.get_ref().1;
            assert!(read < 200_000, "unit {number}: {read} of {} bytes", text.len());
        }
        let mut file = Cursor::new(text.into_bytes());
        assert_eq!(unit_line(&mut file, 0).unwrap(), None);
        assert_eq!(unit_line(&mut file, 20_001).unwrap(), None);
    }

    #[test]
    fn lines_are_counted_where_numbers_are_missing() {
        let mut lines: Vec<String> = (1..=2_000).map(line).collect();
        lines[999] = "not a unit".to_owned();
        lines.swap(3, 1_500);
        let mut file = Cursor::new(lines.join("\r\n").into_bytes());
        for at in [3, 999, 1_500, 1_999] {
            assert_eq!(unit_line(&mut file, at as u64 + 1).unwrap().as_ref(), Some(&lines[at]));
        }
        assert_eq!(unit_line(&mut Cursor::new(Vec::new()), 1).unwrap(), None);
    }
}
