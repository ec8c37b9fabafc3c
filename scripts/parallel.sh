#!/usr/bin/env bash
# Processes a plan with GNU parallel, on one or several machines, and merges the parts when all are finished.
#
#     scripts/parallel.sh PLAN [MACHINES]
#
# MACHINES is a file for parallel's --sshloginfile, one machine per line: `4/user@host` for four units at once, `:` for
# this machine. All machines see the working directory under the same path: units.txt, parts/, jobs.log, the catalog. A
# repeated call processes the units without a part; stopped or killed units resume. The exit code is 75 if units are
# left, else that of the merge.
#
#     SOMACAT         the program, by default `somacat`; the same path on every machine
#     SOMACAT_DB      the catalog, by default somacat.db
#     SOMACAT_UNITS   options of `somacat units` for splitting the plan, such as "--count 64"
#     SOMACAT_JOBS    units at once on each machine, by default its number of cores

set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
plan=$1
somacat=$(command -v "${SOMACAT:-somacat}") || { echo "cannot find the program ${SOMACAT:-somacat}" >&2; exit 127; }
somacat=$(realpath "$somacat")
# shellcheck disable=SC2086 # Several options.
"$somacat" units "$plan" ${SOMACAT_UNITS:-} >units.new
if [ -e units.txt ] && ! cmp -s units.new units.txt; then
    echo "units.txt belongs to another plan or was split differently; use a separate folder for each" >&2
    rm units.new
    exit 1
fi
mv units.new units.txt
mkdir -p parts

number=$(wc -l <units.txt)
digits=${#number}
[ "$digits" -ge 4 ] || digits=4
# Prints the numbers of the units without a part.
left() {
    for ((unit = 1; unit <= number; unit++)); do
        [ -e "$(printf "parts/%0${digits}d.json" "$unit")" ] || echo "$unit"
    done
}

machines=()
[ $# -lt 2 ] || machines=(--sshloginfile "$2" --workdir "$PWD")
[ -z "${SOMACAT_JOBS:-}" ] || machines+=(--jobs "$SOMACAT_JOBS")
# If a machine is lost, its units run on another one.
left | parallel "${machines[@]}" --joblog +jobs.log --retries 3 --halt never \
    "$somacat" work units.txt --unit {} --out parts --threads 1 || true
if [ -n "$(left)" ]; then
    echo "units without a part: $(left | paste -sd ' '); the same command continues" >&2
    exit 75
fi
exec "$somacat" merge units.txt parts
