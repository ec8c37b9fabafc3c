"""Readers of four figure formats, as short definitions of them: docs/formats.md has the rest."""

import re


def read_soma(lines):
    """Yields the name and the marks of each figure of a file in the format `soma`."""
    name, rows = None, []
    for line in [*map(str.strip, lines), ""]:
        header = line.upper().startswith("/SOMA")
        if (header or not line) and rows:
            yield name, {(x, y, z): mark for y, row in enumerate(rows)
                         for z, group in enumerate(row) for x, mark in enumerate(group) if mark not in ".-0"}
            rows = []
        if header: name = line[1:].split()[0]
        elif line[:1] in "/|" and line: rows.append(line[1:].replace("|", "/").split("/"))


def read_cells(lines):
    """Yields the name and the cells of each figure of a file in the format `cells`."""
    for line in lines:
        line = re.split(r"(?:^|\s)#", line)[0]
        name, colon, cells = line.rpartition(":")
        triples = [tuple(map(int, word.split(","))) for word in cells.split()]
        if colon or triples:
            yield name.strip() or None, set(triples)


def read_height_maps(lines):
    """Yields the name and the cells of each figure of a file in the format `heightmap`."""
    name, rows = None, []
    for line in [*lines, ""]:
        head, colon, tail = line.split("#")[0].rpartition(":")
        if rows and (colon or not tail.strip() or len(tail.split()) > 1 or len(rows[-1]) != len(tail.strip())):
            top = max(int(h, 36) for row in rows for h in row)
            yield name, {(x, y, z) for y, row in enumerate(rows) for x, h in enumerate(row)
                         for z in range(top - int(h, 36), top)}
            name, rows = None, []
        name, rows = head.strip() or name, rows + tail.split()


def read_slices(text):
    """Returns the marks of the figure of a file in the format `slices`."""
    lines = [line.split("#")[0].rstrip() if line.split("#")[0].strip() else "" for line in text.splitlines()
             if not line.lstrip().startswith("#")]
    slices = [block.split("\n") for block in re.split(r"\n\n+", "\n".join(lines).strip("\n"))]
    return {(x, y, z): mark for z, rows in enumerate(slices) for y, row in enumerate(rows)
            for x, mark in enumerate(row) if mark not in ". "}
