#!/usr/bin/env bash
# Checks the code: format, lints, tests, documentation. Needs Rust and a C compiler, on any system, and no root.
#
#     scripts/check.sh [format|lints|tests|docs|page]...
#
# Without arguments all five, in this order. A test that needs a program which is missing (sqlite3, cadical, minisat,
# sfdp) says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."

format() { cargo fmt --all --check; }
lints() { cargo clippy --workspace --all-targets -- -D warnings; }
# With the Python module, whose dependencies enable more features, crates are compiled once for all steps and the wheel.
members=(--workspace --exclude benches)
tests() { cargo test "${members[@]}"; }
docs() { RUSTDOCFLAGS="-D warnings" cargo doc "${members[@]}" --no-deps --quiet; }

# The embedded WebAssembly is what the sources give, where its target is installed.
page() { scripts/page.sh check; }

[ $# -gt 0 ] || set -- format lints tests docs page
for step; do
    case $step in
    format | lints | tests | docs | page) "$step" ;;
    *) echo "$0: no step is called '$step'; there are format, lints, tests, docs and page" >&2; exit 2 ;;
    esac
done
