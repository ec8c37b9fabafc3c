#!/usr/bin/env bash
# Tests the Python package: builds the wheel, installs it in a fresh environment, runs tests/python and the notebooks of
# docs/notebooks. The wheel shares the crates of `cargo build --release`; after it, this takes a minute.
#
#     scripts/python-test.sh [FOLDER]    keeps the wheel in FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wheels=$(realpath -m "${1:-$work/wheels}")
pip() {
    "$work/build/bin/pip" --python "$work/$1/bin/python" install --no-compile --quiet --disable-pip-version-check "${@:2}"
}

python3 -m venv "$work/build"
pip build maturin==1.16.0
(cd "$root/src/python" && "$work/build/bin/maturin" build --quiet --release --out "$wheels")

python3 -m venv --without-pip "$work/venv"
pip venv "$wheels"/somacat-*.whl
pip venv pytest==9.2.0 pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0 networkx==3.6.1 nbclient==0.11.0 ipykernel==7.4.0
cd "$work"
PATH=$work/venv/bin:$PATH python -m pytest --quiet -p no:cacheprovider "$root/tests/python"
