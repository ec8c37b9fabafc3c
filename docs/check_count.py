#!/usr/bin/env python3
"""Checks a certificate of a count. docs/certificates.md describes the format."""
import collections, itertools, sys


def refuse(why):
    sys.exit(f"refused: {why}")


def rotations(cells):
    """The 24 rotated copies of a piece."""
    for axes in itertools.permutations(range(3)):
        swaps = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        for signs in itertools.product((1, -1), repeat=3):
            if (-1) ** swaps * signs[0] * signs[1] * signs[2] == 1:
                yield [tuple(sign * cell[axis] for sign, axis in zip(signs, axes)) for cell in cells]


def triples(words):
    return [tuple(map(int, word.split(","))) for word in words]


lines = (line.split() for line in open(sys.argv[1]) if not line.startswith("#"))
if next(lines) != ["somacat", "certificate", "1"]:
    refuse("not a certificate")
pieces, cells, optional, number, claim = [], [], set(), None, None
for word, *values in lines:
    if word == "figure":
        cells = triples(values)
    elif word == "optional":
        optional = set(map(int, values))
    elif word == "piece":
        least, _, most = values[1].rpartition("..")
        pieces.append((triples(values[2:]), int(least or most), int(most)))
    elif word == "pieces":
        number = int(values[0])
    elif word == "reason":
        claim = values
        break
if claim is None or claim[0] != "count":
    refuse("the reason is not a count")
at_cell = {cell: at for at, cell in enumerate(cells)}
if sorted(at_cell) != cells:
    refuse("the cells are not in order")

# For each cell, the placements that cover it: the piece, and its cells as the bits of a number. An optional cell may stay
# empty, which takes no piece.
over = [{(None, 1 << at)} if at in optional else set() for at in range(len(cells))]
for at, (piece, _, _) in enumerate(pieces):
    for rotated in rotations(piece):
        for corner in cells:
            moved = [tuple(c + a - b for c, a, b in zip(cell, corner, rotated[0])) for cell in rotated]
            if set(moved) <= set(cells):
                placed = sum(1 << at_cell[cell] for cell in moved)
                for cell in moved:
                    over[at_cell[cell]].add((at, placed))

# For each set of free cells: for each choice of pieces left, the number of ways.
most_used = sum(most for _, _, most in pieces)
open_ways = {(1 << len(cells)) - 1: {tuple(most for _, _, most in pieces): 1}}
nodes, shared = 0, 0
for first, *rest in lines:
    if first == "end":
        break
    free, cell = int(first, 16), int(rest[1].removeprefix("c"))
    ways = open_ways.pop(free, None)
    if ways is None:
        refuse(f"no node above leads to {first}")
    if not free >> cell & 1:
        refuse(f"cell {cell} is not free in {first}")
    nodes, shared = nodes + 1, shared + (sum(ways.values()) > 1)
    for piece, placed in over[cell]:
        if placed & ~free:
            continue
        for left, count in ways.items():
            if piece is None or left[piece] and most_used - sum(left) != number:
                less = left if piece is None else left[:piece] + (left[piece] - 1,) + left[piece + 1 :]
                below = open_ways.setdefault(free & ~placed, collections.Counter())
                below[less] += count
else:
    refuse("the end is missing")
# The pieces left are those that a packing does not use.
packings = 0
for left, count in open_ways.pop(0, {}).items():
    used = [most - over for (_, _, most), over in zip(pieces, left)]
    enough = all(copies >= least for copies, (_, least, _) in zip(used, pieces))
    packings += count if enough and number in (None, sum(used)) else 0
if open_ways:
    refuse(f"no node follows {min(open_ways):x}")
if claim[1:] != [str(packings)] or rest != [str(nodes)] or next(lines, None):
    refuse(f"there are {packings} packings and {nodes} nodes")
print(f"{packings} packings, {nodes} nodes, {shared} of them reached in several ways")
