//! Figures as Parquet: a folder of files whose rows are sorted by group order, class, signature and set. Readers
//! skip row groups and pages by their statistics. docs/parquet.md lists the columns.
//!
//! Only the rows of one row group are in memory, some 30 MB, for any number of figures.

use super::columns::{Column, FigureRow, Kind, TYPED_COLUMNS};
use super::field::Field;
use ::parquet::basic::{
    Compression, Encoding, GzipLevel, LogicalType, Repetition, Type as PhysicalType,
};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{KeyValue, SortingColumn};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{ColumnPath, Type, TypePtr};
use somacat_geometry::figure::SIGNATURE_VERSION;
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

const SORTED_BY: [&str; 4] = ["order", "class", "signature", "set"];

#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct ParquetWriteError {
    path: PathBuf,
    source: ParquetError,
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
        let mut files = Self {
            folder: folder.to_owned(),
            schema: schema(),
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
    pub fn row<'a>(&mut self, row: impl Into<FigureRow<'a>>) -> Result<(), ParquetWriteError> {
        self.rows += 1;
        if self.group.add(&row.into()) >= self.group_rows { self.end_group() } else { Ok(()) }
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
        if self.group.rows == 0 {
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

/// Returns the schema: the columns of typed tables.
fn schema() -> TypePtr {
    let field = |column: &Column| {
        let kind = match column.kind {
            Kind::Text | Kind::Word => PhysicalType::BYTE_ARRAY,
            Kind::Small => PhysicalType::INT32,
            Kind::Whole | Kind::Count => PhysicalType::INT64,
        };
        let text = (kind == PhysicalType::BYTE_ARRAY).then_some(LogicalType::String);
        let repetition = if column.always { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let field = Type::primitive_type_builder(column.name, kind).with_repetition(repetition);
        Arc::new(field.with_logical_type(text).build().expect("a valid column"))
    };
    let fields = TYPED_COLUMNS.iter().map(field).collect();
    let schema = Type::group_type_builder("figures").with_fields(fields).build();
    Arc::new(schema.expect("a valid schema"))
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

/// The values of a column in a row group.
#[derive(Debug)]
enum Values {
    Texts(Texts),
    /// Each word shares the storage of the previous one if equal.
    Words(Vec<ByteArray>),
    Small(Vec<i32>),
    Large(Vec<i64>),
}

impl Values {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Texts(Texts::default()),
            Kind::Word => Self::Words(Vec::new()),
            Kind::Small => Self::Small(Vec::new()),
            Kind::Whole | Kind::Count => Self::Large(Vec::new()),
        }
    }

    /// Adds a value; returns whether there is one.
    fn push(&mut self, value: &Field<'_>) -> bool {
        match (self, value) {
            (_, Field::Empty) => return false,
            (Self::Texts(texts), value) => texts.push(&value.as_text()),
            (Self::Words(words), value) => {
                let word = value.as_text();
                let same = words.last().filter(|last| last.data() == word.as_bytes()).cloned();
                words.push(same.unwrap_or_else(|| ByteArray::from(&*word)));
            }
            (Self::Small(numbers), Field::Number(n)) => numbers.push(*n as i32),
            (Self::Large(numbers), Field::Number(n)) => numbers.push(*n as i64),
            (Self::Small(_) | Self::Large(_), _) => return false,
        }
        true
    }
}

/// The rows of a row group, column by column.
#[derive(Debug)]
struct RowGroup {
    rows: usize,
    /// The values of each column of [`TYPED_COLUMNS`]. An optional one has 1 for each row with a value, else 0.
    columns: Vec<(Values, Vec<i16>)>,
}

impl Default for RowGroup {
    fn default() -> Self {
        let column = |column: &Column| (Values::new(column.kind), Vec::new());
        Self { rows: 0, columns: TYPED_COLUMNS.iter().map(column).collect() }
    }
}

impl RowGroup {
    /// Adds a row; returns the number of rows.
    fn add(&mut self, row: &FigureRow<'_>) -> usize {
        let has_large_counts = row.has_large_counts();
        for (column, (values, levels)) in TYPED_COLUMNS.iter().zip(&mut self.columns) {
            let has_value = match column.kind {
                Kind::Count if has_large_counts => false,
                _ => values.push(&column.value(row)),
            };
            if !column.always {
                levels.push(i16::from(has_value));
            }
        }
        self.rows += 1;
        self.rows
    }

    fn write(&mut self, file: &mut SerializedFileWriter<File>) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        for (column, (values, levels)) in TYPED_COLUMNS.iter().zip(&mut self.columns) {
            let levels = (!column.always).then_some(levels.as_slice());
            match values {
                Values::Texts(texts) => write::<ByteArrayType>(&mut group, &texts.take(), levels),
                Values::Words(words) => write::<ByteArrayType>(&mut group, words, levels),
                Values::Small(numbers) => write::<Int32Type>(&mut group, numbers, levels),
                Values::Large(numbers) => write::<Int64Type>(&mut group, numbers, levels),
            }?;
        }
        group.close().map(|_| ())
    }
}

fn write<T: DataType>(
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
    use somacat_geometry::figure::Signature;
    use somacat_geometry::outcome::{Counts, Outcome, Report};
    use somacat_geometry::symmetry::Class;
    use tempfile::TempDir;

    #[test]
    fn rows_go_on_in_the_next_file() {
        let folder = TempDir::new().unwrap();
        let mut files = ParquetFiles::create(folder.path()).unwrap();
        (files.group_rows, files.file_bytes) = (7, 20_000);
        let class = Class::iter().next().unwrap();
        for number in 0..500_u128 {
            let signature = Signature::from_trusted(format!("s1-3x3x4-{number:08}"));
            let counts = Counts { raw: number, rotation: number, unique: number };
            let report = Report { outcome: Outcome::Counted(counts), nodes: None, engine: None };
            files
                .row(FigureRow {
                    name: None,
                    names: &[],
                    signature: &signature,
                    cells: 27,
                    class,
                    parity: 1,
                    parts: Some(1),
                    set: Some("SOMA"),
                    report: Some(&report),
                    micros: None,
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
