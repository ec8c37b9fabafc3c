"""Maps, buildable figures, censuses and proofs, compared with the command and with each other."""

import csv
import io
import sqlite3
import subprocess

import networkx
import pyarrow
import pytest
import somacat
from somacat import Figure

CUBE = Figure.parse("333 333 333")


def command(*arguments):
    done = subprocess.run(["somacat", *arguments, "--csv", "--quiet"], capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_the_map_of_the_cube():
    """Berlekamp, Conway and Guy, Winning Ways, chapter 24: 239 solutions are connected, one is alone."""
    solutions = somacat.solution_map(CUBE)
    graph = networkx.Graph(solutions.edges)
    graph.add_nodes_from(range(len(solutions)))
    parts = sorted(networkx.connected_components(graph), key=len, reverse=True)
    assert [len(part) for part in parts] == solutions.components == [239, 1]
    assert networkx.diameter(graph.subgraph(parts[0])) == solutions.diameter
    packings = [dict(packing.pieces) for packing in solutions.packings]
    assert {sum(map(len, packing.values())) for packing in packings} == {27}
    assert len({str(packing) for packing in solutions.packings}) == 240


@pytest.mark.parametrize("name, pieces", [("Ci", "V L T"), ("C2v(edge)", "V L T"), ("C3v", "SOMA"), ("D2(face)", "SOMA")])
def test_buildable_figures_are_those_that_count(name, pieces):
    found = [figure.signature for figure in somacat.buildable(name, pieces, exact=True)]
    rows = command("enumerate", "buildable", "--class", name, "--exact", "--set", pieces)
    assert found == [row["signature"] for row in rows]
    assert len(found) == len(set(found)) > 0
    assert all(somacat.count(Figure.parse(signature), pieces).raw > 0 for signature in found[:20])


def test_a_census_counts_every_figure_of_the_box():
    box = somacat.census("2x3x5", keep="all")
    rows = pyarrow.table(box.table).to_pylist()
    figures = {figure.signature for figure in somacat.enumerate_box("2x3x5", 27)}
    assert {row["signature"] for row in rows} == figures
    assert (box.figures, box.solvable) == (len(figures), sum(row["raw"] > 0 for row in rows))
    for row in rows[::50]:
        report = somacat.count(Figure.parse(row["signature"]))
        assert (report.raw, report.rotation, report.unique) == (row["raw"], row["rotation"], row["unique"])
    assert max(row["raw"] for row in rows) == box.most == 3599
    histogram = pyarrow.table(box.histogram).to_pylist()
    assert histogram == [{key: int(value) for key, value in row.items()} for row in command("census", "2x3x5")]
    assert sum(row["raw"] * row["subsets"] for row in histogram) == box.packings
    assert sum(row["figures"] for row in pyarrow.table(box.classes).to_pylist()) == box.figures
    solvable = somacat.census("2x3x5", keep="solvable", threads=1)
    assert len(solvable.table) == solvable.solvable == box.solvable
    assert somacat.census("2x3x5").table is None


def test_certificates(tmp_path):
    marked = Figure.parse("s1-5x5x5-000400cf402eee804y6004000")
    assert somacat.verify(somacat.prove(marked), marked.transformed(17), "SOMA").reason == "marks"
    # No marks prove this one.
    figure = Figure.parse("s1-5x5x5-000c000ww826ec82770006000")
    text = somacat.prove(figure, name="C3v")
    checked = somacat.verify(text, figure.transformed(17), "SOMA")
    assert (checked.figure.signature, checked.reason) == (figure.signature, "cases")
    (tmp_path / "figure.proof").write_text(text)
    (row,) = command("verify", "--certificate", tmp_path / "figure.proof")
    assert (row["reason"], int(row["nodes"])) == (checked.reason, checked.nodes)
    with pytest.raises(somacat.Error, match="another figure"):
        somacat.verify(text, CUBE)
    with pytest.raises(somacat.Error, match="line [0-9]+: .*the certificate is refused"):
        somacat.verify(text.replace(f"end {checked.nodes}", f"end {checked.nodes + 1}"))
    counted = somacat.verify(somacat.prove(CUBE), CUBE, "SOMA")
    assert (counted.reason, counted.raw, checked.raw) == ("count", 11520, 0)
    with pytest.raises(somacat.Error, match="exceeds the limit of 1 nodes"):
        somacat.prove(figure, nodes=1)


def test_a_changed_count_is_found(tmp_path):
    path = tmp_path / "cube.db"
    subprocess.run(["somacat", "import", "--quiet", "--db", path, "-"], input="cube: 333 333 333\n", text=True, check=True)
    sound = somacat.Catalog(path).verify()
    assert (sound.rows, sound.recounted, sound.too_large, sound.uncounted, len(sound.mismatches)) == (1, 1, 0, 0, 0)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE outcome SET raw = raw + 1")
    (row,) = pyarrow.table(somacat.Catalog(path).verify().mismatches).to_pylist()
    assert row == {"signature": CUBE.signature, "what": "raw", "catalog": "11521", "found": "11520"}


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: somacat.buildable("C2v"), "names several classes"),
        (lambda: somacat.buildable("C1"), "too many to list"),
        (lambda: somacat.census("2x2x2"), "choose a larger box"),
        (lambda: somacat.census("2x3x5", keep="some"), "`some` is not a selection"),
        (lambda: somacat.solution_map(Figure.parse("333333 333333 333333"), "2xSOMA"), "a map has at most 100000"),
    ],
)
def test_wrong_questions(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
