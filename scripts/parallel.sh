#!/usr/bin/env bash
# Processes a plan with GNU parallel, on one or several machines, and merges the parts when all are finished.
#
#     scripts/parallel.sh PLAN [MACHINES]
#
# MACHINES is a file for parallel's --sshloginfile, one machine per line: `4/user@host` for four units at once, `:` for
# this machine. All machines see the working directory under the same path: units.txt, parts/, jobs.log, the catalog. A
# repeated call processes the units without a sound part; stopped or killed units resume. The exit code is 75 if units
# are left, else that of the merge.
#
#     SOMACAT         the program, by default `somacat`; the same path on every machine; with a launcher,
#                     "apptainer exec somacat.sif somacat"
#     SOMACAT_DB      the catalog, by default somacat.db
#     SOMACAT_UNITS   options of `somacat units` for splitting the plan, such as "--count 64"
#     SOMACAT_MERGE   options of `somacat merge`, such as "--to parquet figures"
#     SOMACAT_JOBS    units at once on each machine, by default its number of cores

set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
plan=$1
# The program as words of the shell, because a launcher has arguments.
program=${SOMACAT:-somacat}
if found=$(command -v "$program"); then
    program=$(printf %q "$(realpath "$found")")
fi
somacat=()
eval "somacat=($program)"
command -v "${somacat[0]}" >/dev/null || { echo "cannot find the program $program" >&2; exit 127; }
# shellcheck disable=SC2086 # Several options.
# 3: a source cannot be read and is left out, as in a run.
"${somacat[@]}" units "$plan" ${SOMACAT_UNITS:-} >units.new || [ $? = 3 ]
if [ -e units.txt ] && ! cmp -s units.new units.txt; then
    echo "units.txt belongs to another plan or was split differently; use a separate folder for each" >&2
    rm units.new
    exit 1
fi
mv units.new units.txt
mkdir -p parts
# Prints the numbers of the units without a sound part.
left() { "${somacat[@]}" units --status units.txt parts --unfinished; }

machines=()
[ $# -lt 2 ] || machines=(--sshloginfile "$2" --workdir "$PWD")
[ -z "${SOMACAT_JOBS:-}" ] || machines+=(--jobs "$SOMACAT_JOBS")
# If a machine is lost, its units run on another one.
left | parallel "${machines[@]}" --joblog +jobs.log --retries 3 --halt never \
    "$program work units.txt --unit {} --out parts --threads 1" || true
rest=$(left | paste -sd ' ')
if [ -n "$rest" ]; then
    echo "units without a part: $rest; the same command continues" >&2
    exit 75
fi
# shellcheck disable=SC2086 # Several options.
exec "${somacat[@]}" merge units.txt parts ${SOMACAT_MERGE:-}
