#!/usr/bin/env bash
# Copies what belongs to every package into a folder: documents, licenses, catalog, scripts. The list is `include` in
# Cargo.toml, without the sources. Adds LICENSE-THIRD-PARTY, the licenses of the crates in the binary.
#
#     scripts/documents.sh FOLDER [TARGET]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
mkdir -p "$folder"
# shellcheck disable=SC2046 # Several patterns.
git ls-files -z -- $(sed -n '/^include = \[$/,/^\]$/s/^ *"\/\(.*\)",$/\1/p' Cargo.toml | grep -vx src) |
    while IFS= read -r -d '' file; do
        mkdir -p "$folder/$(dirname "$file")"
        cp -p "$file" "$folder/$file"
    done
scripts/notices.py ${2:+"$2"} >"$folder/LICENSE-THIRD-PARTY"
