//! Figures as Parquet: a folder of files whose rows are sorted by group order, class, signature and set. Readers
//! skip row groups and pages by their statistics. docs/parquet.md lists the columns.
//!
//! Only the rows of one row group are in memory, some 30 MB, for any number of figures.

use super::field::explanation;
use ::parquet::basic::{Compression, Encoding, GzipLevel};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{KeyValue, SortingColumn};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use ::parquet::schema::types::{ColumnPath, Type, TypePtr};
use somacat_catalog::Row;
use somacat_geometry::figure::{SIGNATURE_VERSION, Signature};
use somacat_geometry::outcome::Outcome;
use somacat_geometry::spelling::Spelling;
use somacat_geometry::symmetry::Class;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the columns, in each file's metadata as `somacat.schema`.
pub const PARQUET_SCHEMA_VERSION: u32 = 1;

/// Rows of a row group: few enough to make skipping useful, enough to amortize its metadata.
const GROUP_ROWS: usize = 1 << 17;

/// The size after which a file ends with its row group.
const FILE_BYTES: usize = 200_000_000;

/// The columns, in the order of the fields of [`RowGroup`].
const SCHEMA: &str = "message figures {
    OPTIONAL BYTE_ARRAY name (STRING);
    REQUIRED BYTE_ARRAY signature (STRING);
    REQUIRED INT32 cells;
    REQUIRED BYTE_ARRAY box (STRING);
    REQUIRED BYTE_ARRAY class (STRING);
    REQUIRED INT32 order;
    REQUIRED INT32 parity;
    REQUIRED INT32 parts;
    OPTIONAL BYTE_ARRAY set (STRING);
    OPTIONAL BYTE_ARRAY verdict (STRING);
    OPTIONAL BYTE_ARRAY reason (STRING);
    OPTIONAL INT64 raw;
    OPTIONAL INT64 rotation;
    OPTIONAL INT64 unique;
    OPTIONAL BYTE_ARRAY large_counts (STRING);
}";

const SORTED_BY: [&str; 4] = ["order", "class", "signature", "set"];

#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct ParquetWriteError {
    path: PathBuf,
    source: ParquetError,
}

/// A row: a figure, a set and an outcome. Set and outcome are missing for a figure that was never counted.
#[derive(Clone, Copy, Debug)]
pub struct ParquetRow<'a> {
    pub name: Option<&'a str>,
    pub signature: &'a Signature,
    pub cells: usize,
    pub class: Class,
    /// |black − white|.
    pub parity: u32,
    pub parts: usize,
    pub set: Option<&'a str>,
    pub outcome: Option<&'a Outcome>,
}

impl<'a> From<&'a Row> for ParquetRow<'a> {
    fn from(row: &'a Row) -> Self {
        let record = &row.record;
        Self {
            name: record.name.as_deref(),
            signature: &record.signature,
            cells: record.cells,
            class: record.class,
            parity: record.parity,
            parts: row.parts,
            set: row.set.as_deref(),
            outcome: record.report.as_ref().map(|report| &report.outcome),
        }
    }
}

/// A writer of files in a folder: `figures-0000.parquet` and so on.
#[derive(Debug)]
pub struct ParquetFiles {
    folder: PathBuf,
    schema: TypePtr,
    files: Vec<String>,
    writer: Option<SerializedFileWriter<File>>,
    group: RowGroup,
    rows: u64,
    group_rows: usize,
    file_bytes: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParquetSummary {
    pub files: Vec<String>,
    pub rows: u64,
}

impl ParquetFiles {
    /// Begins files in an existing folder.
    pub fn create(folder: &Path) -> Result<Self, ParquetWriteError> {
        let schema = parse_message_type(SCHEMA).expect("the schema is one");
        let mut files = Self {
            folder: folder.to_owned(),
            schema: Arc::new(schema),
            files: Vec::new(),
            writer: None,
            group: RowGroup::default(),
            rows: 0,
            group_rows: GROUP_ROWS,
            file_bytes: FILE_BYTES,
        };
        // A table without rows is one file.
        files.begin()?;
        Ok(files)
    }

    /// Returns whether a folder contains only files that could be a table's.
    pub fn is_folder_of_them(folder: &Path) -> bool {
        std::fs::read_dir(folder).is_ok_and(|entries| {
            let path = |entry: std::io::Result<std::fs::DirEntry>| entry.map(|entry| entry.path());
            entries.map(path).all(|path| {
                path.is_ok_and(|path| {
                    path.is_file() && path.extension() == Some("parquet".as_ref())
                })
            })
        })
    }

    /// Adds a row, which must follow all others in order. The metadata states this order.
    pub fn row(&mut self, row: &ParquetRow<'_>) -> Result<(), ParquetWriteError> {
        self.rows += 1;
        if self.group.add(row) >= self.group_rows { self.end_group() } else { Ok(()) }
    }

    pub fn finish(mut self) -> Result<ParquetSummary, ParquetWriteError> {
        self.end_group()?;
        self.end()?;
        Ok(ParquetSummary { files: self.files, rows: self.rows })
    }

    fn begin(&mut self) -> Result<(), ParquetWriteError> {
        let name = format!("figures-{:04}.parquet", self.files.len());
        let path = self.folder.join(&name);
        self.files.push(name);
        let file = File::create_new(path).map_err(|error| self.failed(error.into()))?;
        let writer = SerializedFileWriter::new(
            file,
            self.schema.clone(),
            Arc::new(properties(&self.schema)),
        );
        self.writer = Some(writer.map_err(|error| self.failed(error))?);
        Ok(())
    }

    fn end(&mut self) -> Result<(), ParquetWriteError> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        writer.close().map(|_| ()).map_err(|error| self.failed(error))
    }

    fn end_group(&mut self) -> Result<(), ParquetWriteError> {
        if self.group.signatures.ends.is_empty() {
            return Ok(());
        }
        if self.writer.is_none() {
            self.begin()?;
        }
        let writer = self.writer.as_mut().expect("a file was begun");
        let written = self.group.write(writer).map(|()| writer.bytes_written());
        self.group = RowGroup::default();
        match written {
            Ok(bytes) if bytes >= self.file_bytes => self.end(),
            Ok(_) => Ok(()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Adds the current file to an error.
    fn failed(&self, source: ParquetError) -> ParquetWriteError {
        let path = self.folder.join(self.files.last().map_or("", String::as_str));
        // Removes the format's text around the system's message.
        let source = match source {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => ParquetError::General(error.to_string()),
                Err(error) => ParquetError::External(error),
            },
            other => other,
        };
        ParquetWriteError { path, source }
    }
}

/// Returns the encoding of files. A signature shares its prefix with the previous one; the other columns have few
/// values.
fn properties(schema: &Type) -> WriterProperties {
    let at = |name: &str| schema.get_fields().iter().position(|column| column.name() == name);
    let sorted = SORTED_BY.iter().map(|name| SortingColumn {
        column_idx: at(name).expect("a column of the schema") as i32,
        descending: false,
        nulls_first: false,
    });
    let entry = |key: &str, value: String| KeyValue::new(format!("somacat.{key}"), value);
    let metadata = vec![
        entry("version", env!("CARGO_PKG_VERSION").to_owned()),
        entry("schema", PARQUET_SCHEMA_VERSION.to_string()),
        entry("signature", SIGNATURE_VERSION.to_string()),
        entry("sorted_by", SORTED_BY.join(", ")),
    ];
    let signature = ColumnPath::from("signature");
    // Level 6 takes three times as long and makes signatures 4 % smaller.
    let level = GzipLevel::try_new(4).expect("a level of gzip");
    WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_created_by(format!("somacat {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata))
        .set_sorting_columns(Some(sorted.collect()))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_compression(Compression::GZIP(level))
        .set_column_dictionary_enabled(signature.clone(), false)
        .set_column_encoding(signature, Encoding::DELTA_BYTE_ARRAY)
        .build()
}

/// A column with optional values: 1 for each value present, and the values.
#[derive(Debug, Default)]
struct Optional<T> {
    levels: Vec<i16>,
    values: Vec<T>,
}

impl<T> Optional<T> {
    fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }
}

impl Optional<ByteArray> {
    /// Adds a text, which shares the previous one's storage if equal.
    fn push_text(&mut self, text: Option<&str>) {
        let value = text.map(|text| shared(self.values.last(), text));
        self.push(value);
    }
}

/// Texts in one allocation.
#[derive(Debug, Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len());
    }

    fn take(&mut self) -> Vec<ByteArray> {
        let Self { bytes, ends } = std::mem::take(self);
        let all = ByteArray::from(bytes);
        let begins = std::iter::once(0).chain(ends.iter().copied());
        begins.zip(&ends).map(|(begin, end)| all.slice(begin, end - begin)).collect()
    }
}

fn shared(last: Option<&ByteArray>, text: &str) -> ByteArray {
    let same = last.filter(|last| last.data() == text.as_bytes());
    same.cloned().unwrap_or_else(|| ByteArray::from(text))
}

/// Returns the columns `raw`, `rotation` and `unique`, or else `large_counts`. The latter replaces the others if a
/// count is above 2⁶³ − 1.
pub fn split_counts(outcome: Option<&Outcome>) -> ([Option<i64>; 3], Option<String>) {
    let counts =
        outcome.map_or([None; 3], |outcome| [outcome.raw(), outcome.rotation(), outcome.unique()]);
    let small = counts.map(|count| count.map(i64::try_from).transpose());
    if let [Ok(raw), Ok(rotation), Ok(unique)] = small {
        return ([raw, rotation, unique], None);
    }
    let spelled = counts.map(|count| count.map_or_else(String::new, |n| n.to_string()));
    ([None; 3], Some(spelled.join(" ")))
}

#[derive(Debug, Default)]
struct RowGroup {
    name: Optional<ByteArray>,
    signatures: Texts,
    cells: Vec<i32>,
    bounds: Vec<ByteArray>,
    class: Vec<ByteArray>,
    order: Vec<i32>,
    parity: Vec<i32>,
    parts: Vec<i32>,
    set: Optional<ByteArray>,
    verdict: Optional<ByteArray>,
    reason: Optional<ByteArray>,
    counts: [Optional<i64>; 3],
    large_counts: Optional<ByteArray>,
}

impl RowGroup {
    fn add(&mut self, row: &ParquetRow<'_>) -> usize {
        let signature = row.signature.as_str();
        // In a signature the box follows the first separator.
        let bounds = signature.split(['-', '.']).nth(1).unwrap_or_default();
        self.name.push_text(row.name);
        self.signatures.push(signature);
        self.cells.push(row.cells as i32);
        self.bounds.push(shared(self.bounds.last(), bounds));
        self.class.push(shared(self.class.last(), row.class.name()));
        self.order.push(row.class.order() as i32);
        self.parity.push(row.parity as i32);
        self.parts.push(row.parts as i32);
        self.set.push_text(row.set);
        self.verdict.push_text(row.outcome.map(|outcome| outcome.verdict().word()));
        self.reason.push_text(row.outcome.and_then(explanation));
        let (small, large) = split_counts(row.outcome);
        self.counts.iter_mut().zip(small).for_each(|(column, count)| column.push(count));
        self.large_counts.push_text(large.as_deref());
        self.signatures.ends.len()
    }

    fn write(&mut self, file: &mut SerializedFileWriter<File>) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        let to = &mut group;
        optional::<ByteArrayType>(to, &self.name)?;
        required::<ByteArrayType>(to, &self.signatures.take())?;
        required::<Int32Type>(to, &self.cells)?;
        required::<ByteArrayType>(to, &self.bounds)?;
        required::<ByteArrayType>(to, &self.class)?;
        required::<Int32Type>(to, &self.order)?;
        required::<Int32Type>(to, &self.parity)?;
        required::<Int32Type>(to, &self.parts)?;
        optional::<ByteArrayType>(to, &self.set)?;
        optional::<ByteArrayType>(to, &self.verdict)?;
        optional::<ByteArrayType>(to, &self.reason)?;
        self.counts.iter().try_for_each(|counts| optional::<Int64Type>(to, counts))?;
        optional::<ByteArrayType>(to, &self.large_counts)?;
        group.close().map(|_| ())
    }
}

fn required<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    column::<T>(group, values, None)
}

fn optional<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &Optional<T::T>,
) -> Result<(), ParquetError> {
    column::<T>(group, &values.values, Some(&values.levels))
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.expect("the schema has a column for each field");
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;
    use somacat_geometry::outcome::Counts;
    use tempfile::TempDir;

    #[test]
    fn rows_go_on_in_the_next_file() {
        let folder = TempDir::new().unwrap();
        let mut files = ParquetFiles::create(folder.path()).unwrap();
        (files.group_rows, files.file_bytes) = (7, 20_000);
        let class = Class::all().next().unwrap();
        for number in 0..500_u128 {
            let signature = Signature::from_trusted(format!("s1-3x3x4-{number:08}"));
            let counts = Counts { raw: number, rotation: number, unique: number };
            files
                .row(&ParquetRow {
                    name: None,
                    signature: &signature,
                    cells: 27,
                    class,
                    parity: 1,
                    parts: 1,
                    set: Some("SOMA"),
                    outcome: Some(&Outcome::Counted(counts)),
                })
                .unwrap();
        }
        let summary = files.finish().unwrap();
        assert_eq!(summary.rows, 500);
        assert!(summary.files.len() > 3, "{summary:?}");
        let mut next = 0;
        for (at, name) in summary.files.iter().enumerate() {
            assert_eq!(*name, format!("figures-{at:04}.parquet"));
            let file = File::open(folder.path().join(name)).unwrap();
            let reader = SerializedFileReader::new(file).unwrap();
            assert!(reader.metadata().row_groups().iter().all(|group| group.num_rows() <= 7));
            for row in reader.get_row_iter(None).unwrap() {
                assert_eq!(row.unwrap().get_long(11).unwrap(), next);
                next += 1;
            }
        }
        assert_eq!(next, 500);
    }
}
