#!/usr/bin/env bash
# Tests that other programs read the exports: DuckDB and Polars the Parquet files, Frictionless, mlcroissant and rocrate
# the metadata of releases, Datasette 0.65 and 1.0 a published catalog. Takes less than a minute; all files are in a
# temporary folder. Uses the program in SOMACAT, by default target/debug/somacat, which it builds. Needs sha256sum and uv
# (https://docs.astral.sh/uv); without them it is skipped.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/needs.sh"
need sha256sum "Debian's package coreutils"
need_uv
find_somacat "$root"
somacat=$SOMACAT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
environment() {
    uv venv --quiet "$work/$1"
    uv pip install --quiet --python "$work/$1" "${@:2}"
}
environment venv duckdb==2.0.0 polars==2.1.0 'frictionless[parquet]==5.21.0' mlcroissant==1.1.1 rocrate==0.16.0
environment datasette-0 datasette==0.65.2
environment datasette-1 datasette==1.0a41
cd "$work"

# The starter catalog, and a box with classes of several hundred figures.
cat > box.toml <<'PLAN'
title = "box"
[[box]]
sides = "2x3x5"
cells = 27
PLAN
"$somacat" run --quiet
"$somacat" run --quiet box.toml
"$somacat" export csv all.csv
"$somacat" export csv some.csv --solvable --class C2v --unique-min 100
"$somacat" export parquet --quiet all
"$somacat" export parquet --quiet some --solvable --class C2v --unique-min 100
"$somacat" catalog release --quiet --sample 20 release --author 'Lovelace, Ada' --author 'Club "27"' --date 2026-11-25
(cd release && sha256sum --check --quiet SHA256SUMS)
# As the README of a release says.
grep -F 'frictionless validate --standards v1 datapackage.json --limit-rows 10000' release/README.md
(cd release && ../venv/bin/frictionless validate --standards v1 datapackage.json --limit-rows 10000)
venv/bin/python "$root/tests/data-release/read.py" "$root/catalog/atlas/datapackage.json"
for environment in datasette-0 datasette-1; do
    $environment/bin/python "$root/tests/data-release/show.py" "$root/docs/datasette-metadata.json"
done
