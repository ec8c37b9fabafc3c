"""Readers of the figure formats in text, as short definitions of them: docs/formats.md has the rest."""

import json
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


def read_points(lines):
    """Returns the name and the cells of the figure of a file in the format `points`."""
    name, numbers = None, []
    for line in map(str.strip, lines):
        line = re.split(r"\s#", line)[0]
        if line[:1] in "#;" or re.search(r"x\W+y\W+z", line): continue
        if line.endswith(":") or line.startswith("o "): name = line.removeprefix("o ").rstrip(":")
        else: numbers += map(float, re.findall(r"[-+.\d]+", line))
    return name, {tuple(map(int, numbers[at:at + 3])) for at in range(0, len(numbers), 3)}


def read_layers(text):
    """Returns the marks of the figure of a file in the format `layers`."""
    lines = [line for line in text.splitlines() if not re.match(r";|#(?![-.\d#*oxOX\s]*$)|.*:$", line)]
    layers = [block.split("\n") for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))]
    return {(x, y, z): mark for z, rows in enumerate(layers) for y, row in enumerate(rows)
            for x, mark in enumerate(re.sub(r"[\s,;]", "", row)) if mark not in ".-0"}


def read_json(text):
    """Yields the name and the cells of each figure of JSON Lines of objects with `cells`, `layers` or `heights`."""
    for figure in map(json.loads, filter(str.strip, text.splitlines())):
        heights = figure.get("heights", [])
        top = max((h for row in heights for h in row), default=0)
        yield figure.get("name"), {tuple(cell) for cell in figure.get("cells", [])} | {
            (x, y, z) for z, layer in enumerate(figure.get("layers", [])) for y, row in enumerate(layer)
            for x, filled in enumerate(row) if filled} | {
            (x, y, z) for y, row in enumerate(heights) for x, h in enumerate(row) for z in range(top - h, top)}
