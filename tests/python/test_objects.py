"""Objects behave as Python's own do: compared, sorted, hashed, copied, pickled, iterated."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
import somacat
from somacat import Figure, PieceSet

CUBE = Figure.parse("333 333 333")
TOWER = Figure.parse("67 77")


def copies(thing):
    return [copy.copy(thing), copy.deepcopy(thing)] + [
        pickle.loads(pickle.dumps(thing, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]


@pytest.mark.parametrize(
    "thing",
    [
        CUBE,
        TOWER.transformed(30),
        next(somacat.enumerate_box("2x2x3", 8, one_sided=True)),
        PieceSet("2xSOMA"),
        PieceSet("bedlam"),
        PieceSet.parse("duo*2: 0,0,0 1,0,0", name="two duos"),
        somacat.count(CUBE),
        somacat.count(TOWER, nodes=10),
        somacat.count(Figure.parse("111111111 111111111 111111111")),
        next(somacat.packings(TOWER.transformed(30))),
    ],
    ids=repr,
)
def test_copies_are_equal(thing):
    for other in copies(thing):
        assert other == thing and hash(other) == hash(thing) and repr(other) == repr(thing)
    assert thing != "something else" and thing in {thing: 1}


def test_a_pickled_figure_keeps_its_position_and_its_form():
    one_sided = next(somacat.enumerate_box("2x2x3", 8, one_sided=True))
    assert one_sided.signature.startswith("r")
    for figure in [one_sided, TOWER.transformed(30)]:
        same = pickle.loads(pickle.dumps(figure))
        assert (same.cells, same.signature) == (figure.cells, figure.signature)


def test_figures_are_ordered_collections_of_cells():
    assert list(CUBE) == CUBE.cells and Figure(CUBE) == CUBE
    assert (2, 2, 2) in CUBE and [0, 1, 2] in CUBE
    assert (3, 0, 0) not in CUBE and "cell" not in CUBE and 7 not in CUBE
    figures = list(somacat.enumerate_box("2x2x3", 8))
    assert sorted(reversed(figures)) == sorted(figures)
    assert [figure.signature for figure in sorted(figures)] == sorted(figure.signature for figure in figures)
    assert len({*figures, *figures}) == len(figures)
    with pytest.raises(TypeError):
        CUBE < 3


def test_congruence():
    for number in range(1, 49):
        image = TOWER.transformed(number)
        assert image.is_congruent(TOWER)
        assert TOWER.transformed(TOWER.transform_to(image)) == image
    assert not CUBE.is_congruent(TOWER) and CUBE.transform_to(TOWER) is None
    left = Figure([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)])
    right = Figure([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1)])
    assert left.is_congruent(right) and not left.is_congruent(right, reflections=False)


def test_sets_are_collections_of_pieces(tmp_path):
    soma = PieceSet("SOMA")
    assert [name for name, copies, cells in soma] == list("VLTZABP")
    assert "T" in soma and "X" not in soma
    path = tmp_path / "own.txt"
    path.write_text("duo*2: 0,0,0 1,0,0\n")
    own = PieceSet.read(path)
    assert (own.name, own.cells, len(own)) == ("own", 4, 2)
    assert PieceSet.parse(own.lines, name="own") == own
    with pytest.raises(FileNotFoundError, match="none.txt does not exist"):
        PieceSet.read(tmp_path / "none.txt")
    path.write_text("no pieces")
    with pytest.raises(ValueError):
        PieceSet.read(path)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_share_work(method):
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as processes:
        reports = list(processes.map(somacat.count, [CUBE, TOWER], [PieceSet("SOMA"), "SOMA"]))
    assert reports == [somacat.count(CUBE), somacat.count(TOWER)]


def test_packings_are_collections_of_pieces():
    every = list(somacat.packings(TOWER))
    assert len(set(every)) == len(every) == 1520 and every[0] != every[1]
    (packing, other) = every[0], next(somacat.packings(TOWER))
    assert packing == other and packing.figure == TOWER and list(packing) == packing.pieces
    assert sorted(cell for name, cells in packing for cell in cells) == TOWER.cells and len(packing) == 7
    assert str(pickle.loads(pickle.dumps(packing))) == str(packing)


def test_tables_are_sequences(catalog):
    table = somacat.Catalog(catalog).query(cells=27, solvable=True, sort="unique")
    rows = table.to_pylist()
    assert len(rows) == len(table) > 3 and list(table) == rows
    assert table[0] == rows[0] and table[-1] == rows[-1] and list(rows[0]) == table.columns
    assert table["unique"] == [row["unique"] for row in rows]
    for part in [slice(3), slice(1, None), slice(None, None, -2), slice(-2, 100), slice(9, 3)]:
        assert table[part] == rows[part]
    assert all(row["reason"] is None for row in table)
    for wrong in [len(table), -len(table) - 1]:
        with pytest.raises(IndexError):
            table[wrong]
    with pytest.raises(KeyError):
        table["best"]
    with pytest.raises(TypeError):
        table[1.5]


def test_counts_take_the_options_of_the_command():
    assert somacat.count(CUBE, limit=1).raw == 1
    assert somacat.count(CUBE, engine="search").engine == "search"
    frontier = somacat.count(CUBE, engine="frontier")
    assert (frontier.engine, frontier.raw) == ("frontier", 11520)
    with pytest.raises(somacat.Error, match="memory"):
        somacat.count(Figure.parse("333333 333333 333333"), "2xSOMA", engine="frontier", memory=1000)
    with pytest.raises(ValueError, match="`best` is not"):
        somacat.count(CUBE, engine="best")
    with pytest.raises(ValueError, match="takes no limit"):
        somacat.count(CUBE, engine="frontier", limit=1)
    with pytest.raises(ValueError, match="at least 1 packing"):
        somacat.count(CUBE, limit=0)
    with pytest.raises(OverflowError):
        somacat.count(CUBE, limit=-1)
    assert somacat.count(Figure.parse("2x2x2"), "V A", gaps=True).raw > 0
    # Nothing stays empty, or there is not room for all pieces.
    assert somacat.count(CUBE, gaps=True) == somacat.count(CUBE)
    assert somacat.count(Figure.parse("2x2x2"), gaps=True).verdict == "unsolvable"
    choices = somacat.count_partial(Figure.parse("11 11 11 11"), "L2 Q2 D")
    assert [(pieces.name, report.raw) for pieces, report in choices] == [("L2", 2), ("Q2", 1)]


def test_files_of_figures(tmp_path):
    for ending in ["soma", "cells"]:
        path = tmp_path / f"figures.{ending}"
        somacat.write_figures(path, [("cube", CUBE), TOWER])
        read = somacat.read_figures(path)
        assert [figure for name, figure in read] == [CUBE, TOWER] and read[0][0] == "cube"
    path.write_text("one: 0,0,0\ntwice: 0,0,0 0,0,0\ntwo: 0,0,0 1,0,0\n")
    with pytest.warns(UserWarning, match="figures.cells:2: twice: "):
        assert [name for name, figure in somacat.read_figures(path)] == ["one", "two"]
    path = tmp_path / "placed.soma"
    path.write_text("/SOMA b\n/1V*/1**\n")
    with pytest.warns(UserWarning, match=r"placed.soma:1: b: the pieces in place \(1V\) are not part"):
        assert [len(figure) for name, figure in somacat.read_figures(path)] == [6]
    with pytest.raises(FileNotFoundError):
        somacat.read_figures(tmp_path / "none.soma")
    with pytest.raises(TypeError, match="pairs of a name and a figure, not int"):
        somacat.write_figures(path, [7])


def test_catalogs_are_made_and_iterated(tmp_path):
    path, db = tmp_path / "figures.cells", tmp_path / "new.db"
    somacat.write_figures(path, [("cube", CUBE), ("tower", TOWER), ("turned", TOWER.transformed(9))])
    catalog = somacat.import_figures([path], db, count=False)
    assert len(list(catalog)) == 2 and catalog.query()["verdict"] == [None, None]
    catalog = somacat.import_figures([path], db)
    assert [row["unique"] for row in catalog.query()] == [760, 240]
    assert len(catalog) == 2 and catalog["tower"] == TOWER and catalog["CUBE"] == CUBE
    assert catalog[TOWER.signature] == Figure.parse(TOWER.signature)
    assert catalog[CUBE.number] == CUBE
    absent = Figure([(0, 0, 0)]).signature
    for name, sentence in [("none", "matches no"), ("u", "matches 2 figures"), (absent, "matches no")]:
        with pytest.raises(KeyError, match=sentence):
            catalog[name]
    assert catalog.query(like=TOWER.transformed(9))["unique"] == [760]
    assert not catalog.query(like=TOWER, cells=28) and not catalog.query(like=Figure([(0, 0, 0)]))
    assert CUBE in catalog and TOWER.transformed(20) in catalog and Figure([(0, 0, 0)]) not in catalog
    assert all(figure == figure.canonical() for figure in catalog)
    plan = tmp_path / "plan.toml"
    plan.write_text("[[symmetric]]\ncells = 27\nfold = 6\n")
    assert len(list(somacat.run(plan, db))) == 23
    path.write_text("cube: 0,0,0 0,0,0\n")
    with pytest.warns(UserWarning, match="1 entry of 1 refused"):
        somacat.import_figures([path], db)
    plan.write_text("[[symmetric]]\ncels = 27\n")
    with pytest.raises(ValueError, match="cels"):
        somacat.run(plan, db)


def test_stability_places_and_marks():
    gallows = Figure([(0, 0, z) for z in range(4)] + [(x, 0, 0) for x in range(1, 4)])
    assert CUBE.stands() and not gallows.stands() and gallows.stands("top")
    packing = next(somacat.packings(CUBE))
    stands, order = packing.stand()
    assert stands and sorted(order) == list(range(7))
    with pytest.raises(ValueError, match="friction"):
        packing.stand(friction=-1)
    with pytest.raises(ValueError, match="`under` is not a side"):
        CUBE.stands("under")
    places = somacat.places(CUBE)
    assert [row["packings"] for row in places if row["piece"] == "T"] == [11520, 0, 0, 0]
    figure = Figure.parse("s1-5x5x5-000400cf402eee804y6004000")
    marks = somacat.marks(figure)
    assert len(marks.marks) == len(figure) and marks.total == sum(marks.marks) > marks.most
    assert sum(most for piece, most in marks.pieces) == marks.most and str(marks).startswith("Mark")


def test_the_version():
    assert somacat.__version__.split(".")[0].isdigit()


def test_messages_name_no_option(tmp_path):
    wrong = tmp_path / "wrong.db"
    wrong.write_text("something else, which is long enough to be no header of a database at all " * 20)
    for path in [wrong, tmp_path / "missing.db", tmp_path]:
        with pytest.raises(somacat.Error) as raised:
            somacat.Catalog(path)
        assert "--" not in str(raised.value)
