#!/bin/sh
# Writes how much each set of a tricube and six tetracubes builds (catalog/sevens.csv) to standard output.
#
# Usage: scripts/sevens.sh [SAMPLES [SET...]] > sevens.csv
# A set with only one of A and B stands for its mirror image too, with the same numbers. The 44 censuses take half a
# minute on one core, the estimates of 2,600 samples about 45 minutes.
set -eu

# Leaves two of the eight tetracubes out in every way.
sets() {
    awk 'BEGIN {
        pieces = split("L T Z A B P S Q", piece, " ")
        for (tricube = 1; tricube <= 2; tricube++)
            for (i = pieces; i > 1; i--)
                for (j = i - 1; j >= 1; j--) {
                    name = substr("VI", tricube, 1)
                    for (k = 1; k <= pieces; k++) if (k != i && k != j) name = name " " piece[k]
                    if (name !~ /B/ || name ~ /A/) print name
                }
    }'
}

samples=${1-2600}
[ $# -lt 2 ] || { shift; sets() { printf '%s\n' "$@"; }; }
echo set,raw,rotation,unique,figures,buildable,altogether,error,samples
sets "$@" | while read -r set; do
    cube=$(echo '333 333 333' | somacat count -q --set "$set" --csv - | tail -n 1 | cut -d, -f9-11)
    box=$(somacat census -q 3x3x4 --set "$set" --csv |
        awk -F, 'NR > 1 { all += $2; if ($1 > 0) built += $2 } END { print all "," built }')
    altogether=$(somacat enumerate buildable -q --class C1 --exact --set "$set" \
        --estimate --samples "$samples" --csv | tail -n 1 | cut -d, -f3-5)
    echo "$set,$cube,$box,$altogether"
done
