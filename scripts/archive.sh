#!/usr/bin/env bash
# Packs a release build: the program, its manual pages and completions, licenses, documents, scripts.
# usage: scripts/archive.sh TARGET    after `cargo build --release --target TARGET`; the archive appears in dist/
#
# The program itself writes pages and completions, so it must run on this machine. Otherwise set
# SOMACAT to one that does.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
name=somacat-$version-$target
ending=
case $target in *windows*) ending=.exe ;; esac
program=target/$target/release/somacat$ending
somacat=${SOMACAT:-$program}

mkdir -p dist
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/$name/man" "$folder/$name/completions" "$folder/$name/scripts"
cp "$program" README.md CHANGELOG.md CITATION.cff LICENSE-APACHE LICENSE-MIT "$folder/$name/"
cp -R docs "$folder/$name/docs"
cp scripts/{overnight,parallel,slurm}.sh scripts/somacat.* "$folder/$name/scripts/"

"$somacat" man --out "$folder/$name/man"
for shell in bash zsh fish powershell elvish; do
    "$somacat" completions "$shell" > "$folder/$name/completions/somacat.$shell"
done

case $target in
*windows*) (cd "$folder" && 7z a -bso0 "$OLDPWD/dist/$name.zip" "$name") ;;
*) tar -C "$folder" -czf "dist/$name.tar.gz" "$name" ;;
esac
ls -l dist/"$name".*
