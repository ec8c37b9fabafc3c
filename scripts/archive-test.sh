#!/usr/bin/env bash
# Runs the program of an archive as after a download: its version, then the README's first run in an empty folder.
#
#     scripts/archive-test.sh dist/somacat-VERSION-TARGET.tar.gz
set -euo pipefail
archive=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$(dirname "$0")/../Cargo.toml" | head -1)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case $archive in
*.zip) 7z x -bso0 "$archive" ;;
*) tar -xzf "$archive" ;;
esac
somacat=$(echo "$folder"/somacat-*)/somacat
# What every package has, and manual pages without a remark.
for file in LICENSE-APACHE LICENSE-MIT LICENSE-THIRD-PARTY README.md catalog/atlas/README.md docs/cluster.md scripts/slurm.sh; do
    test -s "$(dirname "$somacat")/$file"
done
! command -v mandoc >/dev/null || mandoc -Tlint "$(dirname "$somacat")"/man/*.1
mkdir empty
cd empty
"$somacat" --version | grep -F "somacat $version"
"$somacat" run
# The title and 46 figures, one of them the cube with its 240 solutions.
test "$(wc -l <somacat.csv)" -eq 47
grep '^cube,.*,11520,480,240,' somacat.csv
test -s somacat.db
