"""Numbers that others have published, and those of the catalog."""

import csv
import functools
import html
import json
import re
from pathlib import Path

import pyarrow
import pytest
import somacat
from somacat import Figure, PieceSet

PUBLISHED = Path(__file__).parents[2] / "catalog" / "published_counts.csv"


def published():
    """Counts by figure and set."""
    with open(PUBLISHED, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield pytest.param(row["signature"], row["set"], row["kind"], int(row["value"]), id=f"{row['name']} {row['kind']}")


@functools.cache
def counted(signature, pieces):
    return somacat.count(Figure.parse(signature), pieces)


@pytest.mark.parametrize("signature, pieces, kind, value", list(published()))
def test_published(signature, pieces, kind, value):
    assert getattr(counted(signature, pieces), kind) == value


def test_every_count_of_the_catalog(catalog):
    rows = pyarrow.table(somacat.Catalog(catalog).query(cells=27)).to_pylist()
    assert len(rows) > 30
    for row in rows:
        figure = Figure.parse(row["signature"])
        report = somacat.count(figure, row["set"], threads=1)
        assert (report.verdict, report.reason) == (row["verdict"], row["reason"])
        assert (report.raw, report.rotation, report.unique) == (row["raw"], row["rotation"], row["unique"])
        assert (len(figure), figure.symmetry_class, len(figure.group)) == (row["cells"], row["class"], row["order"])
        assert (figure.parity, figure.parts) == (row["parity"], row["parts"])
        assert "x".join(map(str, sorted(figure.extents))) == row["box"]


def test_packings_are_different_and_fill_the_cube():
    cube = Figure((x, y, z) for x in range(3) for y in range(3) for z in range(3))
    found = {tuple((name, tuple(cells)) for name, cells in packing.pieces) for packing in somacat.packings(cube)}
    assert len(found) == 11520
    for packing in found:
        assert sorted(cell for _, cells in packing for cell in cells) == cube.cells
    assert sum(1 for _ in somacat.packings(cube, unique=True)) == 240


@pytest.mark.parametrize("cells, number", list(enumerate([1, 1, 2, 7, 23, 112, 607, 3811], start=1)))
def test_connected_figures(cells, number):
    """OEIS A038119: polycubes, mirror images identified."""
    figures = list(somacat.enumerate_box((cells,) * 3, cells, connected=True))
    assert len({figure.signature for figure in figures}) == len(figures) == number


@pytest.mark.parametrize("cells, number", list(enumerate([1, 1, 2, 8, 29, 166, 1023], start=1)))
def test_one_sided_figures(cells, number):
    """OEIS A000162: polycubes, mirror images apart."""
    figures = list(somacat.enumerate_box((cells,) * 3, cells, connected=True, one_sided=True))
    assert len({figure.signature for figure in figures}) == len(figures) == number


def test_sixfold_figures():
    """Each figure has an element of order 6, and each of the classes is requested alone."""
    figures = list(somacat.enumerate_symmetric(14, fold=6))
    assert all(6 in figure.cyclic_orders for figure in figures)
    classes = {figure.symmetry_class for figure in figures}
    alone = [figure for name in sorted(classes) for figure in somacat.enumerate_symmetric(14, classes=name, exact=True)]
    assert {figure.signature for figure in alone} == {figure.signature for figure in figures}


def test_images_are_one_figure():
    tower = Figure.parse("67 77")
    images = {tower.transformed(number) for number in range(1, 49)}
    assert len(images) * len(tower.group) == 48
    assert {image.signature for image in images} == {tower.signature}
    assert {image.canonical() for image in images} == {tower.canonical()}


def test_sets():
    assert PieceSet("soma") == PieceSet("V L T Z A B P")
    assert len(PieceSet("2xSOMA")) == 14
    bedlam = PieceSet("bedlam")
    assert (bedlam.cells, len(bedlam), bedlam.is_mirror_closed) == (64, 13, False)
    cube = Figure.parse("22 22")
    assert somacat.count(cube, PieceSet.parse("duo*4: 0,0,0 1,0,0")).raw == 9


def test_views_have_the_cells_of_each_piece():
    packing = next(somacat.packings(Figure.parse("333 333 333")))
    page = html.unescape(re.search('srcdoc="([^"]*)"', packing.view()._repr_html_())[1])
    bodies = json.loads(re.search("const BODIES = (.*);\n", page)[1])
    assert [(piece, [tuple(cell) for cell in cells]) for piece, cells in bodies] == packing.pieces
    assert page.count("<script>") == page.count("</script>") == 1
