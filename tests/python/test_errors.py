"""Errors are exceptions with the sentences of the command."""

import subprocess

import pytest
import somacat
from somacat import Catalog, Figure, PieceSet


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: Figure([]), "the figure has no cells"),
        (lambda: Figure([(0, 0, 0), (0, 0, 0)]), "cell 0,0,0 is listed twice"),
        (lambda: Figure([(0, 0)]), "a cell has three coordinates x, y, z, not 2 numbers"),
        (lambda: Figure([(0, 0, 10**12)]), "coordinate 1000000000000 lies beyond"),
        (lambda: Figure.parse("0,0,0 1,a,0"), "line 1: "),
        (lambda: Figure.parse("0,0,0 1,0,0\n0,0,0\n"), "the text contains 2 figures"),
        (lambda: Figure.parse("33 33").transformed(49), "49 is not a transform"),
        (lambda: Figure.parse("33 33").svg("nowhere"), "`nowhere` is not a corner"),
        (lambda: PieceSet("seven"), "`seven`"),
        (lambda: somacat.count(Figure.parse("33 33"), "seven"), "`seven`"),
        (lambda: somacat.enumerate_symmetric(27), "name a symmetry"),
        (lambda: somacat.enumerate_symmetric(27, classes="C1"), "need a box"),
        (lambda: somacat.enumerate_box("3x3", 5), "`3x3`"),
        (lambda: somacat.enumerate_box("2x2x2", 9), "box 2x2x2 is too small for 9 cells"),
    ],
)
def test_wrong_arguments(call, sentence):
    with pytest.raises(ValueError, match="^.*" + sentence.replace("(", r"\(")):
        call()


def test_a_size_that_the_set_does_not_fill():
    with pytest.warns(UserWarning, match="8 cells; SOMA fills 27, two sets 54"):
        assert somacat.count(Figure.parse("2x2x2")).reason == "size"
    with pytest.warns(UserWarning, match="8 cells; V L fills 7"):
        assert list(somacat.packings(Figure.parse("2x2x2"), "V L")) == []


def test_catalogs(catalog, tmp_path):
    missing = tmp_path / "missing.db"
    with pytest.raises(somacat.Error) as raised:
        Catalog(missing)
    command = subprocess.run(["somacat", "query", "--db", missing], capture_output=True, text=True)
    assert command.stderr == f"somacat: {raised.value}\n"
    for statement in ["DROP TABLE figure", "SELECT nothing FROM figures", ""]:
        with pytest.raises(ValueError, match="SQL|statement"):
            Catalog(catalog).sql(statement)
    with pytest.raises(ValueError, match="`best` is not a sort key"):
        Catalog(catalog).query(sort="best")
    with pytest.raises(ValueError, match="`perhaps` is not a verdict"):
        Catalog(catalog).query(verdict="perhaps")


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: somacat.count("333 333 333"), "'Figure'"),
        (lambda: somacat.count(Figure.parse("33 33"), 7), "expected a PieceSet or the name of one, not int"),
        (lambda: somacat.enumerate_box(3, 5), r'expected a box such as "3x3x4" or \(3, 3, 4\), not int'),
        (lambda: somacat.enumerate_symmetric(27, classes=6), "expected the name of a class or a list of names, not int"),
        (lambda: somacat.enumerate_symmetric(27, folds=6), "folds"),
        (lambda: Figure(27), "'int'"),
    ],
)
def test_wrong_types(call, sentence):
    with pytest.raises(TypeError, match=sentence):
        call()
