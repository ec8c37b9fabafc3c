#!/usr/bin/env bash
# Tests the Python package: builds the wheel, installs it in a fresh environment, runs tests/python and the notebooks of
# docs/notebooks. The wheel is a release build; WHEEL_PROFILE=dev makes a development build, which shares all other crates
# with `cargo test`.
# Needs uv (https://docs.astral.sh/uv); without it, it is skipped.
#
#     scripts/python-test.sh [FOLDER]    keeps the wheel in FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/needs.sh"
need_uv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "${1:-$work/wheels}"
wheels=$(cd "${1:-$work/wheels}" && pwd)

(cd "$root/src/python" && uvx --quiet maturin@1.16.0 build --quiet --profile "${WHEEL_PROFILE:-release}" --out "$wheels")

uv venv --quiet "$work/venv"
uv pip install --quiet --python "$work/venv" "$wheels"/somacat-*.whl \
    pytest==9.2.0 pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0 networkx==3.6.1 nbclient==0.11.0 ipykernel==7.4.0
cd "$work"
PATH=$work/venv/bin:$PATH python -m pytest --quiet -p no:cacheprovider "$root/tests/python"
