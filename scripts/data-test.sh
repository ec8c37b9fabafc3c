#!/usr/bin/env bash
# Tests that other programs read the exports: DuckDB and Polars the Parquet files, Frictionless the
# data packages. Takes about twenty seconds plus pip's time; all files are in a temporary folder.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
somacat=$(realpath "${SOMACAT:-$root/target/debug/somacat}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check duckdb==2.0.0 polars==2.1.0 frictionless==5.21.0
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
"$somacat" catalog release --quiet --sample 20 release
(cd release && sha256sum --check --quiet SHA256SUMS)
venv/bin/python "$root/tests/data-release/read.py" "$root/catalog/atlas/datapackage.json"
