#!/usr/bin/env bash
# Processes a plan on a Slurm cluster: splits it into units and submits a job array that processes them, and a job
# that merges the parts when all tasks have ended.
#
#     scripts/slurm.sh PLAN [--throttle=N] [--merge-OPTION[=VALUE] ...] [option of sbatch ...]
#
# All files are in the working directory, which all nodes must see: units.txt, parts/, logs/, the catalog.
# The parts folder is the only state: if jobs get lost or are canceled, the same command submits the unfinished units
# again, also those whose part is damaged. Before its time limit a task gets the signal USR1; it keeps its progress,
# requeues itself and resumes. `scancel` ends it for good, with its progress kept. If a unit is missing or damaged, the
# merge writes nothing and lists the unit in logs/merge.log. `somacat units --status units.txt parts` shows the progress.
#
#     SOMACAT         the program, by default `somacat`; with a launcher, "apptainer exec somacat.sif somacat"
#     SOMACAT_DB      the catalog, by default somacat.db
#     SOMACAT_UNITS   options of `somacat units` for splitting the plan, such as "--count 64"
#     SOMACAT_MERGE   options of `somacat merge`, such as "--to parquet figures"
#     SOMACAT_TASKS   maximum number of tasks of the array, by default 1000; with more units a task takes several
#     SOMACAT_GRACE   seconds before the time limit at which a job is asked to stop, by default 60
#
# --throttle=N lets at most N tasks run at a time. Options of sbatch are for both jobs: --partition=long --account=me.
# These are for the tasks alone: --time --mem --mem-per-cpu --cpus-per-task --array --dependency --begin --output --error.
# --merge-time=2:00:00, --merge-mem=8G and so on are options of the merge alone. Without --time or --mem the tasks get
# what the unfinished units take by their estimates: twice the time of the longest task, at most a day, and the memory.
# The merge gets the time and the memory for the estimated rows. --time=0 is no limit. Where Slurm does not manage
# memory, none is requested.

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
throttle='' merge_limit='' merge_memory=''
options=() task_options=() merge_options=()
# Takes an option of sbatch with its value, which is in the option itself or in the next argument.
take() {
    case $1 in
        --*=*) name=${1%%=*} value=${1#*=} taken=1 ;;
        --*) name=$1 value=${2:?a value is missing after $1} taken=2 ;;
        -?) name=$1 value=${2:?a value is missing after $1} taken=2 ;;
        *) name=${1:0:2} value=${1:2} taken=1 ;;
    esac
}
while [ $# -gt 0 ]; do
    taken=1
    case $1 in
        --throttle | --throttle=*) take "$@"; throttle=$value ;;
        --merge-time | --merge-time=*) take "$@"; merge_limit=$value ;;
        --merge-mem | --merge-mem=*) take "$@"; merge_memory=$value; merge_options+=("--mem=$value") ;;
        --merge-*) merge_options+=("--${1#--merge-}") ;;
        --time | --time=* | -t*) take "$@"; limit=$value ;;
        --mem | --mem=* | --mem-per-cpu | --mem-per-cpu=*)
            take "$@"; memory=$value; task_options+=("$name=$value") ;;
        --cpus-per-task | --cpus-per-task=* | -c*) take "$@"; threads=$value; task_options+=("$name" "$value") ;;
        --array | --array=* | -a* | --dependency | --dependency=* | -d* | --begin | --begin=* | -b* | \
            --output | --output=* | -o* | --error | --error=* | -e*)
            take "$@"; task_options+=("$name" "$value") ;;
        *) options+=("$1") ;;
    esac
    shift "$taken"
done
[[ -z $throttle || $throttle =~ ^[1-9][0-9]*$ ]] || { echo "--throttle=$throttle is not a number of tasks" >&2; exit 2; }
# Refuses a time that a job would not use. Without digits, as UNLIMITED, or with 0 there is no limit.
check_time() {
    [[ $2 == *[1-9]* ]] || return 0
    local time
    time=$(seconds "$2")
    [ "$time" -le "$SOMACAT_GRACE" ] || return 0
    echo "$1=$2 is $time s, but jobs are asked to stop $SOMACAT_GRACE s before the limit and would" \
        "do nothing; write $1=$((SOMACAT_GRACE / 60 + 10)), or set SOMACAT_GRACE to fewer seconds" >&2
    exit 2
}
check_time --time "$limit"
check_time --merge-time "$merge_limit"

# The program as words of the shell, because a launcher has arguments.
SOMACAT=${SOMACAT:-somacat}
if found=$(command -v "$SOMACAT"); then
    SOMACAT=$(printf %q "$(realpath "$found")")
fi
somacat=()
eval "somacat=($SOMACAT)"
command -v "${somacat[0]}" >/dev/null || { echo "cannot find the program $SOMACAT" >&2; exit 127; }
# shellcheck disable=SC2086 # Several options.
# 3: a source cannot be read and is left out, as in a run.
"${somacat[@]}" units "$plan" ${SOMACAT_UNITS:-} >units.new || [ $? = 3 ]
if [ -e units.txt ] && ! cmp -s units.new units.txt; then
    echo "units.txt belongs to another plan or was split differently; use a separate folder for each" >&2
    rm units.new
    exit 1
fi
mv units.new units.txt
SOMACAT_NUMBER=$(wc -l <units.txt)
SOMACAT_STRIDE=${SOMACAT_TASKS:-1000}
[ "$SOMACAT_STRIDE" -le "$SOMACAT_NUMBER" ] || SOMACAT_STRIDE=$SOMACAT_NUMBER
export SOMACAT SOMACAT_NUMBER SOMACAT_STRIDE SOMACAT_MERGE=${SOMACAT_MERGE:-}
mkdir -p parts logs
# The tasks that have an unfinished unit, as 3,17,40-44; the minutes of the longest; the MiB of one.
needs=$("${somacat[@]}" units --status units.txt parts --unfinished --csv | awk -F, \
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
# A tenth of a millisecond for a row, and 32 bytes: more than on a disk of its own.
rows=$(grep -o '"estimated_rows":[0-9]*' units.txt | awk -F: '{ rows += $2 } END { printf "%d", rows }')
merge_minutes=$((rows / 600000 + 10)) merge_mib=$((rows / 32768 + 1024))
if scontrol show config 2>/dev/null | grep -qi '^SelectTypeParameters.*MEMORY'; then
    [ -n "$memory" ] || task_options+=("--mem=${mib}M")
    [ -n "$merge_memory" ] || merge_options=("--mem=${merge_mib}M" ${merge_options[@]+"${merge_options[@]}"})
fi
task_options+=("--time=${limit:-$minutes}")
merge_options+=("--time=${merge_limit:-$merge_minutes}")
after=()
if [ -n "$tasks" ]; then
    array=$(sbatch --parsable --job-name=somacat --array="$tasks${throttle:+%$throttle}" --requeue --open-mode=append \
        --output=logs/task-%a.log --signal="B:USR1@$SOMACAT_GRACE" ${options[@]+"${options[@]}"} \
        "${task_options[@]}" <<'TASK'
#!/usr/bin/env bash
# A task takes every SOMACAT_STRIDE-th unit. USR1, before the time limit, stops it and requeues it; TERM only stops it.
somacat=()
eval "somacat=($SOMACAT)"
stopped= canceled= running= again= failed=0
stop() { stopped=yes; [ -z "$running" ] || kill -TERM "$running" 2>/dev/null; }
trap stop USR1
trap 'canceled=yes; stop' TERM
set -- --out parts --threads "${SLURM_CPUS_PER_TASK:-1}"
memory=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_PER_TASK:-1}))}
# With --mem=0 a task has all memory of its node.
[ "$memory" = 0 ] || set -- "$@" --memory "$((memory * 4 / 5))MiB"
for ((unit = SLURM_ARRAY_TASK_ID; unit <= SOMACAT_NUMBER; unit += SOMACAT_STRIDE)); do
    "${somacat[@]}" work units.txt --unit "$unit" "$@" &
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
    after=(--dependency="afterany:${array%%;*}")
fi
merge=$(sbatch --parsable --job-name=somacat-merge ${after[@]+"${after[@]}"} --requeue --open-mode=append \
    --output=logs/merge.log --signal="B:USR1@$SOMACAT_GRACE" ${options[@]+"${options[@]}"} "${merge_options[@]}" <<'MERGE'
#!/usr/bin/env bash
somacat=()
eval "somacat=($SOMACAT)"
again=
trap 'again=yes; kill -TERM "$running" 2>/dev/null' USR1
trap 'kill -TERM "$running" 2>/dev/null' TERM
# shellcheck disable=SC2086 # Several options.
"${somacat[@]}" merge units.txt parts $SOMACAT_MERGE &
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
    echo "options of the tasks: ${task_options[*]}"
else
    echo "all $SOMACAT_NUMBER units are finished; job $merge merges them"
fi
echo "options of the merge: ${merge_options[*]}"
echo "\`somacat units --status units.txt parts\` shows the progress"
