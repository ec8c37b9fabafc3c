//! Metadata of a data release, for programs: data package, Croissant, RO-Crate, citation and dataset card.

use super::contents::{
    DATA_LICENSE, RELEASE_CATALOG, RELEASE_PARQUET, RELEASE_TABLES, RO_CRATE, Release,
    ReleaseColumn, ReleaseTable,
};
use crate::export::pages::site_folder::list_files;
use serde_json::{Value, json};
use somacat_catalog::sha256_of;
use std::fs::File;
use std::io;
use std::path::Path;

const PARQUET: &str = "application/vnd.apache.parquet";

const DESCRIPTION: &str =
    "Figures of SOMA pieces with their symmetry and the numbers of their packings; see README.md.";

/// A file with data, as it is described to other programs.
struct DataFile {
    path: String,
    name: String,
    format: &'static str,
    media: &'static str,
    bytes: u64,
    sha256: String,
    table: Option<&'static ReleaseTable>,
}

impl Release {
    /// Returns the files that describe the data files in a folder, each with its text.
    pub fn descriptions(
        &self,
        folder: &Path,
        parquet: &[String],
    ) -> io::Result<Vec<(&'static str, String)>> {
        let files = data_files(folder, parquet)?;
        let mut texts = vec![
            ("datapackage.json", self.data_package(&files)),
            ("croissant.json", self.croissant(&files)),
        ];
        // RO-Crate demands a date.
        let date = self.publication.date.as_deref();
        texts.extend(date.map(|date| (RO_CRATE, self.ro_crate(&files, date))));
        Ok(texts.into_iter().map(|(name, value)| (name, pretty(&value))).collect())
    }

    fn data_package(&self, files: &[DataFile]) -> Value {
        let resource = |file: &DataFile| {
            let mut resource = json!({
                "name": file.name,
                "path": file.path,
                "format": file.format,
                "mediatype": file.media,
                "hash": format!("sha256:{}", file.sha256),
            });
            // Frictionless cannot compare the size of Parquet, and reports a difference.
            if file.media != PARQUET {
                resource["bytes"] = json!(file.bytes);
            }
            if let Some(ReleaseTable { about, columns, .. }) = file.table {
                let fields = columns.iter().map(|(name, kind, meaning)| {
                    json!({ "name": name, "type": kind, "description": meaning })
                });
                resource["profile"] = json!("tabular-data-resource");
                resource["description"] = json!(about);
                resource["schema"] =
                    json!({ "fields": fields.collect::<Vec<_>>(), "missingValues": [""] });
            }
            resource
        };
        let [license, place] = DATA_LICENSE;
        let author = |name: &str| json!({ "title": name, "role": "author" });
        let mut package = json!({
            "profile": "data-package",
            "name": "somacat-figures",
            "title": self.title(),
            "description": DESCRIPTION,
            "version": self.version(),
            "keywords": self.publication.keywords(),
            "licenses": [{ "name": license, "path": place }],
            "contributors": self.publication.authors().into_iter().map(author).collect::<Vec<_>>(),
            "resources": files.iter().map(resource).collect::<Vec<_>>(),
        });
        if let Some(date) = &self.publication.date {
            package["created"] = json!(format!("{date}T00:00:00Z"));
        }
        package
    }

    fn croissant(&self, files: &[DataFile]) -> Value {
        // The specification knows Parquet by another media type.
        let encoding = |media| if media == PARQUET { "application/x-parquet" } else { media };
        let file = |file: &DataFile| {
            json!({
                "@type": "cr:FileObject",
                "@id": file.path,
                "name": file.path,
                "contentUrl": file.path,
                "contentSize": format!("{} B", file.bytes),
                "encodingFormat": encoding(file.media),
                "sha256": file.sha256,
            })
        };
        let mut distribution: Vec<Value> = files.iter().map(file).collect();
        distribution.push(json!({
            "@type": "cr:FileSet",
            "@id": RELEASE_PARQUET,
            "name": RELEASE_PARQUET,
            "encodingFormat": encoding(PARQUET),
            "includes": format!("{RELEASE_PARQUET}/*.parquet"),
        }));
        let records = |table: &ReleaseTable| {
            let ReleaseTable { file, about, columns } = table;
            let name = table_name(table);
            let source = if *file == RELEASE_PARQUET { "fileSet" } else { "fileObject" };
            let field = |(column, kind, meaning): &ReleaseColumn| {
                json!({
                    "@type": "cr:Field",
                    "@id": format!("{name}/{column}"),
                    "name": column,
                    "description": meaning,
                    "dataType": if *kind == "string" { "sc:Text" } else { "sc:Integer" },
                    "source": { source: { "@id": file }, "extract": { "column": column } },
                })
            };
            json!({
                "@type": "cr:RecordSet",
                "@id": name,
                "name": name,
                "description": about,
                "field": columns.iter().map(field).collect::<Vec<_>>(),
            })
        };
        let record_sets: Vec<Value> = RELEASE_TABLES.iter().map(records).collect();
        let mut dataset = json!({
            "@context": serde_json::from_str::<Value>(CROISSANT_CONTEXT).expect("the context is JSON"),
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.1",
            "name": "somacat-figures",
            "description": DESCRIPTION,
            "version": format!("{}+{}", env!("CARGO_PKG_VERSION"), self.version()),
            "license": DATA_LICENSE[1],
            "keywords": self.publication.keywords(),
            "creator": self.publication.authors().into_iter().map(creator).collect::<Vec<_>>(),
            "citeAs": format!("{}: {}, version {}", self.publication.authors().join("; "), self.title(), self.version()),
            "distribution": distribution,
            "recordSet": record_sets,
        });
        if let Some(date) = &self.publication.date {
            dataset["datePublished"] = json!(date);
        }
        dataset
    }

    /// Describes the files, who made them, and with which program from what.
    fn ro_crate(&self, files: &[DataFile], date: &str) -> Value {
        let link = |id: &str| json!({ "@id": id });
        let [license, place] = DATA_LICENSE;
        let author = |name: &str| {
            let kind = if name.contains(',') { "Person" } else { "Organization" };
            json!({ "@id": author_id(name), "@type": kind, "name": name })
        };
        let file = |file: &DataFile| {
            json!({
                "@id": file.path,
                "@type": "File",
                "name": file.name,
                "encodingFormat": file.media,
                "contentSize": file.bytes.to_string(),
                "sha256": file.sha256,
            })
        };
        let authors = self.publication.authors();
        let mut graph = vec![
            json!({
                "@id": RO_CRATE,
                "@type": "CreativeWork",
                "about": link("./"),
                "conformsTo": link("https://w3id.org/ro/crate/1.1"),
            }),
            json!({
                "@id": "./",
                "@type": "Dataset",
                "name": self.title(),
                "description": DESCRIPTION,
                "version": self.version(),
                "datePublished": date,
                "license": link(place),
                "keywords": self.publication.keywords().join(", "),
                "author": authors.iter().map(|name| link(&author_id(name))).collect::<Vec<_>>(),
                "hasPart": files.iter().map(|file| link(&file.path)).chain([link("sources/")]).collect::<Vec<_>>(),
                "mentions": link("#run"),
            }),
            json!({ "@id": "sources/", "@type": "Dataset", "name": "plans, pieces and texts of figures" }),
            json!({ "@id": place, "@type": "CreativeWork", "name": license }),
            json!({
                "@id": "#somacat",
                "@type": "SoftwareApplication",
                "name": "somacat",
                "version": self.program,
            }),
            json!({
                "@id": "#run",
                "@type": "CreateAction",
                "name": "The commands of README.md",
                "description": self.commands.join("\n"),
                "instrument": link("#somacat"),
                "object": link("sources/"),
                "result": files.iter().map(|file| link(&file.path)).collect::<Vec<_>>(),
            }),
        ];
        graph.extend(authors.into_iter().map(author));
        graph.extend(files.iter().map(file));
        let context = "https://w3id.org/ro/crate/1.1/context";
        json!({ "@context": context, "@graph": graph })
    }

    /// Returns `CITATION.cff`.
    pub fn citation(&self) -> String {
        let author = |name: &&str| match name.split_once(',') {
            None => format!("  - name: {}\n", quoted(name)),
            Some((family, given)) => {
                let [family, given] = [family, given].map(|part| quoted(part.trim()));
                format!("  - family-names: {family}\n    given-names: {given}\n")
            }
        };
        let date = self.publication.date.as_ref();
        format!(
            "cff-version: 1.2.0\nmessage: If you use these data, please cite them as below.\ntype: dataset\ntitle: {}\n\
             version: {}\n{}keywords: {}\nauthors:\n{}license: {}\n",
            quoted(&self.title()),
            quoted(self.version()),
            date.map_or(String::new(), |date| format!("date-released: {}\n", quoted(date))),
            json!(self.publication.keywords()),
            self.publication.authors().iter().map(author).collect::<String>(),
            DATA_LICENSE[0]
        )
    }

    /// Returns the head of `README.md`. It is the metadata of a dataset card on Hugging Face. A card has files of one
    /// format.
    pub(super) fn card_head(&self) -> String {
        format!(
            "---\npretty_name: {}\nlicense: {}\ntags: {}\nsize_categories: [{}]\nconfigs:\n- config_name: figures\n  \
             data_files: {RELEASE_PARQUET}/*.parquet\n---\n\n",
            quoted(&self.title()),
            DATA_LICENSE[0].to_lowercase(),
            json!(self.publication.keywords()),
            quoted(&size_category(self.rows)),
        )
    }
}

/// Returns the identifier of an author within a release, which must be part of an address.
fn author_id(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    format!("#{}", name.chars().map(plain).collect::<String>())
}

/// Describes an author in the terms of schema.org.
fn creator(name: &str) -> Value {
    let kind = if name.contains(',') { "sc:Person" } else { "sc:Organization" };
    json!({ "@type": kind, "name": name })
}

/// Returns a string of JSON, which is one of YAML too.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Returns the size of a data set in Hugging Face's words: `1K<n<10K`.
fn size_category(rows: u64) -> String {
    const POWERS: [&str; 10] =
        ["1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T"];
    let above = (3..).zip(POWERS).position(|(power, _)| rows < 10_u64.pow(power));
    match above {
        Some(0) => format!("n<{}", POWERS[0]),
        Some(at) => format!("{}<n<{}", POWERS[at - 1], POWERS[at]),
        None => format!("n>{}", POWERS[9]),
    }
}

fn table_name(table: &ReleaseTable) -> &'static str {
    table.file.strip_suffix(".csv").unwrap_or("figures")
}

/// Lists the data files of a folder with sizes and digests.
fn data_files(folder: &Path, parquet: &[String]) -> io::Result<Vec<DataFile>> {
    let file = |path: &str, name: &str, format, media, table| -> io::Result<DataFile> {
        let place = folder.join(path);
        Ok(DataFile {
            path: path.to_owned(),
            name: name.to_owned(),
            format,
            media,
            bytes: place.metadata()?.len(),
            sha256: digest(&place)?,
            table,
        })
    };
    let mut files =
        vec![file(RELEASE_CATALOG, "catalog", "sqlite", "application/vnd.sqlite3", None)];
    let [rows, tables @ ..] = &*RELEASE_TABLES;
    for file_name in parquet {
        let (path, name) =
            (format!("{RELEASE_PARQUET}/{file_name}"), file_name.trim_end_matches(".parquet"));
        files.push(file(&path, name, "parquet", PARQUET, Some(rows)));
    }
    for table in tables {
        files.push(file(table.file, table_name(table), "csv", "text/csv", Some(table)));
    }
    files.into_iter().collect()
}

fn digest(path: &Path) -> io::Result<String> {
    Ok(sha256_of(&mut File::open(path)?)?.0)
}

/// Returns `SHA256SUMS` for all files below a folder, by name.
pub fn checksums(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    list_files(folder, "", &mut files)?;
    files.sort_unstable();
    let lines =
        files.into_iter().map(|name| Ok(format!("{}  {name}\n", digest(&folder.join(&name))?)));
    lines.collect()
}

/// The `@context` that Croissant 1.1 prescribes.
const CROISSANT_CONTEXT: &str = r#"{
    "@language": "en", "@vocab": "https://schema.org/", "arrayShape": "cr:arrayShape", "citeAs": "cr:citeAs",
    "column": "cr:column", "conformsTo": "dct:conformsTo", "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/", "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty", "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract", "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes", "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5",
    "name": {"@container": "@language"}, "parentField": "cr:parentField", "path": "cr:path",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform"
}"#;
