#!/usr/bin/env bash
# Checks the code: format, lints, tests, documentation. Needs Rust and a C compiler, on any system, and no root.
#
#     scripts/check.sh [format|lints|tests|docs]...
#
# Without arguments all four, in this order. A test that needs a program which is missing (sqlite3, cadical, minisat,
# sfdp) says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."

format() { cargo fmt --all --check; }
lints() { cargo clippy --workspace --all-targets -- -D warnings; }
# With the Python module, whose dependencies enable more features, crates are compiled once for all steps and the wheel.
members=(--workspace --exclude benches)
tests() { cargo test "${members[@]}"; }
docs() { RUSTDOCFLAGS="-D warnings" cargo doc "${members[@]}" --no-deps --quiet; }

[ $# -gt 0 ] || set -- format lints tests docs
for step; do
    case $step in
    format | lints | tests | docs) "$step" ;;
    *) echo "$0: no step is called '$step'; there are format, lints, tests and docs" >&2; exit 2 ;;
    esac
done
