#!/usr/bin/env bash
# Processes a plan on a Slurm cluster: splits it into units and submits a job array that processes them, and a job
# that merges the parts when all tasks have ended.
#
#     scripts/slurm.sh PLAN [--merge-time=TIME] [--merge-mem=SIZE] [option of sbatch ...]
#
# All files are in the working directory, which all nodes must see: units.txt, parts/, logs/, the catalog.
# The parts folder is the only state: if jobs get lost or are canceled, the same command submits the unfinished units
# again. Before its time limit a task gets the signal USR1; it keeps its progress, requeues itself and resumes. `scancel`
# ends it for good, with its progress kept. If a unit is missing or damaged, the merge writes nothing and lists the
# unit in logs/merge.log. `somacat units --status units.txt parts` shows the progress.
#
#     SOMACAT         the program, by default `somacat`
#     SOMACAT_DB      the catalog, by default somacat.db
#     SOMACAT_UNITS   options of `somacat units` for splitting the plan, such as "--count 64"
#     SOMACAT_TASKS   maximum number of tasks of the array, by default 1000; with more units a task takes several
#     SOMACAT_GRACE   seconds before the time limit at which a job is asked to stop, by default 60
#
# Options of sbatch are for both jobs: --time=1:00:00 --partition=long --cpus-per-task=4 --mem=4G. Those of the merge
# alone are --merge-time and --merge-mem. Without --time or --mem the tasks get what the unfinished units take by their
# estimates: twice the time of the longest task, at most a day, and the memory.

set -euo pipefail

if [ $# -lt 1 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
plan=$1
shift
SOMACAT_GRACE=${SOMACAT_GRACE:-60}

# Prints a time of Slurm in seconds: M, M:S, H:M:S, D-H, D-H:M or D-H:M:S.
seconds() {
    awk -v time="$1" 'BEGIN {
        fields = split(time, t, /[-:]/)
        if (time ~ /-/) print t[1] * 86400 + t[2] * 3600 + t[3] * 60 + t[4]
        else if (fields == 3) print t[1] * 3600 + t[2] * 60 + t[3]
        else print t[1] * 60 + t[2]
    }'
}
limit=${SBATCH_TIMELIMIT:-}
memory=${SBATCH_MEM_PER_NODE:-${SBATCH_MEM_PER_CPU:-}} threads=${SBATCH_CPUS_PER_TASK:-1}
options=() merge_options=() proposed=()
while [ $# -gt 0 ]; do
    case $1 in
        --merge-time=* | --merge-mem=*) merge_options+=("--${1#--merge-}") ;;
        --merge-time | --merge-mem) merge_options+=("--${1#--merge-}=${2:?}"); shift ;;
        --time=*) limit=${1#--time=}; options+=("$1") ;;
        --time | -t) limit=${2:?}; options+=("$1" "$2"); shift ;;
        -t*) limit=${1#-t}; options+=("$1") ;;
        --mem*) memory=$1; options+=("$1") ;;
        --cpus-per-task=*) threads=${1#*=}; options+=("$1") ;;
        --cpus-per-task | -c) threads=${2:?}; options+=("$1" "$2"); shift ;;
        -c*) threads=${1#-c}; options+=("$1") ;;
        *) options+=("$1") ;;
    esac
    shift
done
for given in "--time=$limit" ${merge_options[@]+"${merge_options[@]/#--/--merge-}"}; do
    [[ $given == *-time=*[0-9]* ]] || continue
    time=$(seconds "${given#*=}")
    [ "$time" -le "$SOMACAT_GRACE" ] || continue
    echo "$given is $time s, but jobs are asked to stop $SOMACAT_GRACE s before the limit and would" \
        "do nothing; write ${given%%=*}=$((SOMACAT_GRACE / 60 + 10)), or set SOMACAT_GRACE to fewer seconds" >&2
    exit 2
done

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
# The tasks that have an unfinished unit, as 3,17,40-44; the minutes of the longest; the MiB of one.
needs=$("$SOMACAT" units --status units.txt parts --unfinished --csv | awk -F, \
    -v stride="$SOMACAT_STRIDE" -v threads="$threads" -v grace="$SOMACAT_GRACE" 'NR > 1 {
        task = ($1 - 1) % stride + 1
        seconds[task] += $3
        if (seconds[task] > longest) longest = seconds[task]
        if ($4 > mib) mib = $4
    }
    END {
        minutes = int((2 * longest / threads + grace) / 60) + 10
        printf "%d %d ", minutes < 1440 ? minutes : 1440, mib * threads * 5 / 4
        for (task = 1; task <= stride; task++) {
            if (!(task in seconds)) continue
            for (last = task; last + 1 in seconds; last++);
            printf "%s%s", sep, task == last ? task : task "-" last
            sep = ","; task = last
        }
    }')
read -r minutes mib tasks <<<"$needs"
[ -n "$limit" ] || proposed+=("--time=$minutes")
[ -n "$memory" ] || proposed+=("--mem=${mib}M")
after=()
if [ -n "$tasks" ]; then
    array=$(sbatch --parsable --job-name=somacat --array="$tasks" --requeue --open-mode=append \
        --output=logs/task-%a.log --signal="B:USR1@$SOMACAT_GRACE" ${options[@]+"${options[@]}"} \
        ${proposed[@]+"${proposed[@]}"} <<'TASK'
#!/usr/bin/env bash
# A task takes every SOMACAT_STRIDE-th unit. USR1, before the time limit, stops it and requeues it; TERM only stops it.
stopped= canceled= running= again= failed=0
stop() { stopped=yes; [ -z "$running" ] || kill -TERM "$running" 2>/dev/null; }
trap stop USR1
trap 'canceled=yes; stop' TERM
set -- --out parts --threads "${SLURM_CPUS_PER_TASK:-1}"
memory=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_PER_TASK:-1}))}
# With --mem=0 a task has all memory of its node.
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
[ -z "$canceled" ] || exit 75
if [ -n "$again$stopped" ]; then
    echo "queued again"
    exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$failed"
TASK
    )
    # Not afterok: a task that requeues itself would count as failed, and the merge would never start.
    after=(--dependency="afterany:$array")
fi
merge=$(sbatch --parsable --job-name=somacat-merge ${after[@]+"${after[@]}"} --requeue --open-mode=append \
    --output=logs/merge.log --signal="B:USR1@$SOMACAT_GRACE" ${options[@]+"${options[@]}"} \
    ${merge_options[@]+"${merge_options[@]}"} <<'MERGE'
#!/usr/bin/env bash
again=
trap 'again=yes; kill -TERM "$running" 2>/dev/null' USR1
trap 'kill -TERM "$running" 2>/dev/null' TERM
"$SOMACAT" merge units.txt parts &
running=$!
wait "$running"
code=$?
# A signal ends `wait` before it ends the program.
while kill -0 "$running" 2>/dev/null; do wait "$running"; code=$?; done
if [ -n "$again" ] && [ "$code" = 75 ]; then
    echo "queued again"
    exec scontrol requeue "$SLURM_JOB_ID"
fi
# Done, although entries were refused or figures failed.
[ "$code" != 3 ] || exit 0
exit "$code"
MERGE
)
if [ -n "$tasks" ]; then
    echo "tasks $tasks of job $array work on $SOMACAT_NUMBER units, merged by job $merge"
    [ ${#proposed[@]} = 0 ] || echo "estimated from the units: ${proposed[*]}"
else
    echo "all $SOMACAT_NUMBER units are finished; job $merge merges them"
fi
echo "\`somacat units --status units.txt parts\` shows the progress"
