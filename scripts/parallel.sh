#!/usr/bin/env bash
# Work a plan with GNU parallel, on this machine or on several, and merge the parts when all are there.
#
#     scripts/parallel.sh PLAN [MACHINES]
#
# MACHINES is a file for parallel's --sshloginfile, a machine a line: `4/user@host` for four units at once, `:` for
# this one. All see the working directory under the same path: units.txt, parts/, jobs.log, the catalog. Called again it
# works the units that have no part yet; one that was stopped or killed goes on where it was. The exit code is 75 if some
# are left, else that of the merge.
#
#     SOMACAT         the program, `somacat` if not set; the same path on every machine
#     SOMACAT_DB      the catalog, somacat.db if not set
#     SOMACAT_UNITS   how the plan is cut: options of `somacat units`, such as "--count 64"
#     SOMACAT_JOBS    units at once on each machine, as many as it has cores if not set

set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
plan=$1
somacat=$(command -v "${SOMACAT:-somacat}") || { echo "there is no program ${SOMACAT:-somacat}" >&2; exit 127; }
somacat=$(realpath "$somacat")
# shellcheck disable=SC2086 # Several options.
"$somacat" units "$plan" ${SOMACAT_UNITS:-} >units.new
if [ -e units.txt ] && ! cmp -s units.new units.txt; then
    echo "units.txt is of another plan, or cut in another way; use a folder for each" >&2
    rm units.new
    exit 1
fi
mv units.new units.txt
mkdir -p parts

number=$(wc -l <units.txt)
digits=${#number}
[ "$digits" -ge 4 ] || digits=4
# The numbers of the units without a part.
left() {
    for ((unit = 1; unit <= number; unit++)); do
        [ -e "$(printf "parts/%0${digits}d.json" "$unit")" ] || echo "$unit"
    done
}

machines=()
[ $# -lt 2 ] || machines=(--sshloginfile "$2" --workdir "$PWD")
[ -z "${SOMACAT_JOBS:-}" ] || machines+=(--jobs "$SOMACAT_JOBS")
# A unit whose machine is lost is given to another.
left | parallel "${machines[@]}" --joblog +jobs.log --retries 3 --halt never \
    "$somacat" work units.txt --unit {} --out parts --threads 1 || true
if [ -n "$(left)" ]; then
    echo "units without a part: $(left | paste -sd ' '); the same command goes on" >&2
    exit 75
fi
exec "$somacat" merge units.txt parts
