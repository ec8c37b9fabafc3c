#!/usr/bin/env bash
# Processes a plan on a Slurm cluster: splits it into units and submits a job array that processes them, and a job
# that merges the parts when all tasks have ended.
#
#     scripts/slurm.sh PLAN [option of sbatch ...]
#
# All files are in the working directory, which all nodes must see: units.txt, parts/, logs/, the catalog.
# The parts folder is the only state: if jobs get lost, the same command submits the unfinished units again, and finished
# units are skipped. A task is asked to stop before its time limit; it keeps its progress, requeues itself and resumes.
# The merge writes nothing if a unit is missing or damaged, and logs/merge.log lists such units.
#
#     SOMACAT         the program, by default `somacat`
#     SOMACAT_DB      the catalog, by default somacat.db
#     SOMACAT_UNITS   options of `somacat units` for splitting the plan, such as "--count 64"
#     SOMACAT_TASKS   maximum number of tasks of the array, by default 1000; with more units a task takes several
#     SOMACAT_GRACE   seconds before the time limit at which a task is asked to stop, by default 60
#
# Options of sbatch are for both jobs: --time=1:00:00 --partition=long --cpus-per-task=4 --mem=4G.

set -euo pipefail

if [ $# -lt 1 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
plan=$1
shift

somacat=$(command -v "${SOMACAT:-somacat}") || { echo "cannot find the program ${SOMACAT:-somacat}" >&2; exit 127; }
SOMACAT=$(realpath "$somacat")
# shellcheck disable=SC2086 # Several options.
"$SOMACAT" units "$plan" ${SOMACAT_UNITS:-} >units.new
if [ -e units.txt ] && ! cmp -s units.new units.txt; then
    echo "units.txt belongs to another plan or was split differently; use a separate folder for each" >&2
    rm units.new
    exit 1
fi
mv units.new units.txt
SOMACAT_NUMBER=$(wc -l <units.txt)
SOMACAT_STRIDE=${SOMACAT_TASKS:-1000}
[ "$SOMACAT_STRIDE" -le "$SOMACAT_NUMBER" ] || SOMACAT_STRIDE=$SOMACAT_NUMBER
export SOMACAT SOMACAT_NUMBER SOMACAT_STRIDE
mkdir -p parts logs

array=$(sbatch --parsable --job-name=somacat --array="1-$SOMACAT_STRIDE" --requeue --open-mode=append \
    --output=logs/task-%a.log --signal="B:TERM@${SOMACAT_GRACE:-60}" "$@" <<'TASK'
#!/usr/bin/env bash
# A task takes every SOMACAT_STRIDE-th unit.
stopped= running= again= failed=0
trap 'stopped=yes; [ -z "$running" ] || kill -TERM "$running" 2>/dev/null' TERM
set -- --out parts --threads "${SLURM_CPUS_PER_TASK:-1}"
memory=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_PER_TASK:-1}))}
[ "$memory" = 0 ] || set -- "$@" --memory "$((memory * 4 / 5))MiB"
for ((unit = SLURM_ARRAY_TASK_ID; unit <= SOMACAT_NUMBER; unit += SOMACAT_STRIDE)); do
    "$SOMACAT" work units.txt --unit "$unit" "$@" &
    running=$!
    wait "$running"
    code=$?
    # The signal ends `wait` before it ends the program.
    [ -z "$stopped" ] || { wait "$running"; code=$?; }
    running=
    case $code in
        0) ;;
        75) again=yes ;;
        *) failed=$code ;;
    esac
    [ -z "$stopped" ] || break
done
if [ -n "$again$stopped" ]; then
    echo "queued again"
    exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$failed"
TASK
)
# Not afterok: a task that requeues itself would count as failed, and the merge would never start.
merge=$(sbatch --parsable --job-name=somacat-merge --dependency="afterany:$array" --requeue --open-mode=append \
    --output=logs/merge.log "$@" <<'MERGE'
#!/usr/bin/env bash
exec "$SOMACAT" merge units.txt parts
MERGE
)
echo "$SOMACAT_NUMBER units in job $array, merged by job $merge; squeue -j $array,$merge shows their progress"
