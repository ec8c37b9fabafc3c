#!/usr/bin/env bash
# Packs a release build: the program, its manual pages and completions, and what scripts/documents.sh copies.
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
mkdir -p "$folder/$name/man" "$folder/$name/completions"
cp "$program" "$folder/$name/"
scripts/documents.sh "$folder/$name" "$target"

"$somacat" man --out "$folder/$name/man"
for shell in bash zsh fish powershell elvish; do
    "$somacat" completions "$shell" > "$folder/$name/completions/somacat.$shell"
done

case $target in
*windows*) (cd "$folder" && 7z a -bso0 "$OLDPWD/dist/$name.zip" "$name") ;;
*) tar -C "$folder" -czf "dist/$name.tar.gz" "$name" ;;
esac
ls -l dist/"$name".*
