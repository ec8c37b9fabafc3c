#!/usr/bin/env python3
"""Checks a certificate whose reason is marks. docs/certificates.md describes the format."""
import itertools, sys

lines = [line.split() for line in open(sys.argv[1]) if not line.startswith("#")]
if not any(line[:2] == ["reason", "marks"] for line in lines):
    sys.exit("not checked: the certificate has no line `reason marks`; see `somacat verify --certificate`")
cells = [[tuple(map(int, cell.split(","))) for cell in line[1:]] for line in lines if line[0] == "figure"][0]
marks = {cells[int(line[1])]: int(line[2]) for line in lines if line[0] == "mark"}


def rotations(cells):
    for axes in itertools.permutations(range(3)):
        swaps = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        for signs in itertools.product((1, -1), repeat=3):
            if (-1) ** swaps * signs[0] * signs[1] * signs[2] == 1:
                yield [tuple(sign * cell[axis] for sign, axis in zip(signs, axes)) for cell in cells]


# The most marks that pieces cover which have so many cells together, and are so many.
best = {(0, 0): 0}
for _, name, copies, *piece in [line for line in lines if line[0] == "piece"]:
    largest = None
    for rotated in rotations([tuple(map(int, cell.split(","))) for cell in piece]):
        for corner in cells:
            placed = [tuple(c + a - b for c, a, b in zip(cell, corner, rotated[0])) for cell in rotated]
            if set(placed) <= set(cells):
                covered = sum(marks.get(cell, 0) for cell in placed)
                largest = covered if largest is None else max(largest, covered)
    least, _, most = copies.rpartition("..")
    longer = {}
    for (filled, number), sum_before in best.items():
        for used in range(int(least or most), 1 + int(most if largest is not None else least or most)):
            key = (filled + used * len(piece), number + used)
            longer[key] = max(longer.get(key, -float("inf")), sum_before + used * (largest or 0))
    best = longer
# Of optional cells any number may stay empty, those with the most marks.
optional = [cells[int(at)] for line in lines if line[0] == "optional" for at in line[1:]]
empty = [0, *itertools.accumulate(sorted((marks.get(cell, 0) for cell in optional), reverse=True))]
numbers = [int(line[1]) for line in lines if line[0] == "pieces"]
filling = [
    covered + empty[len(cells) - filled]
    for (filled, number), covered in best.items()
    if 0 <= len(cells) - filled < len(empty) and numbers in ([], [number])
]
most, total = max(filling, default=-float("inf")), sum(marks.values())
print("no packing" if most < total else "not a proof", f"the pieces cover at most {most} of {total}", sep=": ")
