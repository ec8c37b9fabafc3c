#!/usr/bin/env python3
"""Checks a certificate whose reason is marks. docs/certificates.md describes the format."""
import itertools, sys

lines = [line.split() for line in open(sys.argv[1]) if not line.startswith("#")]
cells = [[tuple(map(int, cell.split(","))) for cell in line[1:]] for line in lines if line[0] == "figure"][0]
marks = {cells[int(line[1])]: int(line[2]) for line in lines if line[0] == "mark"}


def rotations(cells):
    for axes in itertools.permutations(range(3)):
        swaps = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        for signs in itertools.product((1, -1), repeat=3):
            if (-1) ** swaps * signs[0] * signs[1] * signs[2] == 1:
                yield [tuple(sign * cell[axis] for sign, axis in zip(signs, axes)) for cell in cells]


pieces = [line for line in lines if line[0] == "piece"]
if any(int(line[2]) < 1 for line in pieces) or sum(int(line[2]) * len(line[3:]) for line in pieces) != len(cells):
    sys.exit("not a proof: the pieces do not fill the figure")
most = 0
for _, name, copies, *piece in pieces:
    largest = 0 if all(mark >= 0 for mark in marks.values()) else -float("inf")
    for rotated in rotations([tuple(map(int, cell.split(","))) for cell in piece]):
        for corner in cells:
            placed = [tuple(c + a - b for c, a, b in zip(cell, corner, rotated[0])) for cell in rotated]
            if set(placed) <= set(cells):
                largest = max(largest, sum(marks.get(cell, 0) for cell in placed))
    most += int(copies) * largest
total = sum(marks.values())
print("no packing" if most < total else "not a proof", f"the pieces cover at most {most} of {total}", sep=": ")
