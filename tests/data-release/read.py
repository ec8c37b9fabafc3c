"""What DuckDB and Polars read from Parquet files is what `export csv` wrote; metadata of releases are valid.

Run by scripts/data-test.sh in the folder with the exports; the arguments are further data packages.
"""

import csv
import glob
import json
import sys
from collections import Counter

import duckdb
import frictionless
import mlcroissant
import polars
import yaml
from rocrate.rocrate import ROCrate

COLUMNS = ["name", "cells", "signature", "class", "order", "parity", "verdict", "reason", "raw", "rotation",
           "unique", "set"]
NUMBERS = {"cells", "order", "parity", "raw", "rotation", "unique"}


def from_csv(path):
    """Rows as tuples of COLUMNS, in the order of the Parquet files."""
    def value(column, text):
        if text == "":
            return None
        return int(text) if column in NUMBERS else text

    with open(path, newline="", encoding="utf-8") as file:
        rows = [tuple(value(column, line[column]) for column in COLUMNS) for line in csv.DictReader(file)]
    at = [COLUMNS.index(column) for column in ("order", "class", "signature", "set")]
    return sorted(rows, key=lambda row: [row[i] or "" if i != at[0] else row[i] for i in at])


quoted = ", ".join(f'"{column}"' for column in COLUMNS)
for name in ("all", "some"):
    expected = from_csv(f"{name}.csv")
    assert expected, name
    duck = duckdb.sql(f"SELECT {quoted} FROM '{name}/*.parquet'").fetchall()
    assert duck == expected, f"{name}: DuckDB reads other rows"
    polar = polars.scan_parquet(f"{name}/*.parquet").select(COLUMNS).collect().rows()
    assert polar == expected, f"{name}: Polars reads other rows"

everything = from_csv("all.csv")
column = {name: at for at, name in enumerate(COLUMNS)}
classes = Counter(row[column["class"]] for row in everything)
assert len(classes) > 5, classes
duck = duckdb.sql("SELECT class, count(*) FROM 'all/*.parquet' GROUP BY class").fetchall()
assert dict(duck) == classes, "DuckDB counts other classes"
polar = polars.scan_parquet("all/*.parquet").group_by("class").len().collect().rows()
assert dict(polar) == classes, "Polars counts other classes"

# A filter of theirs is the filter of the program.
some = from_csv("some.csv")
where = "verdict IN ('counted', 'at-least') AND class LIKE 'C2v(%' AND \"unique\" >= 100"
assert duckdb.sql(f"SELECT {quoted} FROM 'all/*.parquet' WHERE {where}").fetchall() == some
wanted = polars.col("verdict").is_in(["counted", "at-least"]) & polars.col("class").str.starts_with("C2v(")
wanted = wanted & (polars.col("unique") >= 100)
assert polars.scan_parquet("all/*.parquet").filter(wanted).select(COLUMNS).collect().rows() == some

total = sum(row[column["raw"]] or 0 for row in everything)
assert duckdb.sql("SELECT sum(raw) FROM 'all/*.parquet'").fetchall() == [(total,)]
metadata = duckdb.sql("SELECT key::VARCHAR, value::VARCHAR FROM parquet_kv_metadata('all/*.parquet')").fetchall()
assert dict(metadata)["somacat.sorted_by"] == "order, class, signature, set", metadata

# The release has the same rows; its tables, and those of the repository, are what their packages say.
assert duckdb.sql(f"SELECT {quoted} FROM 'release/parquet/*.parquet'").fetchall() == everything
for path in ["release/datapackage.json", *sys.argv[1:]]:
    with open(path, encoding="utf-8") as file:
        package = json.load(file)
    report = frictionless.Package(path).validate()
    assert report.valid, report.flatten(["name", "rowNumber", "fieldName", "type", "note"])
    tables = {task.name for task in report.tasks if task.type == "table"}
    assert tables >= {one["name"] for one in package["resources"] if "schema" in one}, tables

# mlcroissant has nothing to remark, and reads the rows of every table.
dataset = mlcroissant.Dataset("release/croissant.json")
issues = dataset.metadata.ctx.issues
assert not issues.errors and not issues.warnings, issues.report()
assert dataset.metadata.conforms_to == ["http://mlcommons.org/croissant/1.1"]
with open("release/datapackage.json", encoding="utf-8") as file:
    fields = {one["path"].split("/")[0]: [field["name"] for field in one["schema"]["fields"]]
              for one in json.load(file)["resources"] if "schema" in one}
for record_set, path in [("figures", "parquet"), ("totals", "totals.csv"), ("enumerations", "enumerations.csv"),
                         ("atlas", "atlas.csv")]:
    records = list(dataset.records(record_set))
    assert list(records[0]) == [f"{record_set}/{name}" for name in fields[path]], record_set
    if record_set == "figures":
        signatures = sorted(record["figures/signature"].decode() for record in records)
        assert signatures == sorted(row[column["signature"]] for row in everything)

# RO-Crate's reader finds authors, program and every file.
release = ROCrate("release")
assert [author["name"] for author in release.root_dataset["author"]] == ["Lovelace, Ada", 'Club "27"']
assert release.dereference("#run")["instrument"]["name"] == "somacat"
with open("release/datapackage.json", encoding="utf-8") as file:
    files = {one["path"] for one in json.load(file)["resources"]}
assert {part.id for part in release.root_dataset["hasPart"]} == files | {"sources/"}

# The head of the README is a dataset card: each configuration names files that exist.
with open("release/README.md", encoding="utf-8") as file:
    card = yaml.safe_load(file.read().split("---\n")[1])
assert card["license"] == "cc0-1.0" and card["size_categories"] == ["n<1K"], card
for config in card["configs"]:
    assert glob.glob("release/" + config["data_files"]), config
with open("release/CITATION.cff", encoding="utf-8") as file:
    authors = yaml.safe_load(file)["authors"]
assert authors == [{"family-names": "Lovelace", "given-names": "Ada"}, {"name": 'Club "27"'}], authors
print(f"{len(everything)} rows read by DuckDB and Polars; data packages are valid")
