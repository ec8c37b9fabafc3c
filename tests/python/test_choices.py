"""Sets of which packings use some pieces, and cells that stay empty."""

import copy
import itertools
import pickle
import random

import pytest
import somacat
from somacat import Figure, PieceSet

# The pieces by their cells.
SIZES = {"V": 3, "L": 4, "T": 4, "Z": 4, "D": 2, "I": 3, "Q": 4}


def choices(ranges, cells, number=None):
    """All choices of copies within ranges that fill a number of cells, as lists of letters."""
    numbers = [range(least, most + 1) for _, least, most in ranges]
    for copies in itertools.product(*numbers):
        filled = sum(SIZES[letter] * n for (letter, _, _), n in zip(ranges, copies))
        if filled == cells and number in (None, sum(copies)):
            yield [f"{letter}{n}" for (letter, _, _), n in zip(ranges, copies) if n]


def test_ranges_are_all_choices_within_them():
    draw, compared, several = random.Random(61), 0, 0
    figures = {n: list(somacat.enumerate_box("2x2x3", n, connected=True)) for n in range(8, 12)}
    while compared < 60:
        letters = draw.sample(sorted(SIZES), 4)
        ranges = [(letter, least := draw.choice([0, 0, 1]), least + draw.randint(1, 2)) for letter in letters]
        pieces = PieceSet(" ".join(f"{letter}{least}..{most}" for letter, least, most in ranges))
        assert sorted(pieces.ranges) == sorted(ranges)
        figure = draw.choice(figures[draw.randint(8, 11)])
        expected = {
            " ".join(sorted(words)): somacat.count(figure, " ".join(words)).raw
            for words in choices(ranges, len(figure))
        }
        if not expected:
            continue
        raw = sum(expected.values())
        assert (somacat.count(figure, pieces).raw or 0) == raw
        found = list(somacat.packings(figure, pieces))
        assert len(found) == len(set(found)) == raw and all(packing.empty == [] for packing in found)
        rows = somacat.count_partial(figure, pieces)
        counted = {
            " ".join(sorted(f"{name}{copies}" for name, copies, _ in choice)): report.raw for choice, report in rows
        }
        assert counted == {name: count for name, count in expected.items() if count}
        proof = somacat.verify(somacat.prove(figure, pieces), figure, pieces)
        assert (proof.raw, proof.pieces.ranges) == (raw, pieces.ranges)
        compared += 1
        several += len(counted) > 1
    assert several > 5


def test_some_of_a_set():
    slab, some = Figure.parse("1x3x5"), PieceSet("SOMA").partial(4)
    found = list(somacat.packings(slab, some))
    assert found and all(len(packing) == 4 for packing in found)
    assert len(found) == somacat.count(slab, some).raw
    assert [choice.name for choice, _ in somacat.count_partial(slab, some)] == ["V L T Z"]
    # A search choice after choice finds none of these in minutes.
    for sides in ["2x5x6", "2x3x10", "3x4x5"]:
        packing = next(somacat.packings(Figure.parse(sides), PieceSet("pentacubes").partial(12)))
        assert len(packing) == 12 and len({name for name, _ in packing}) == 12


def test_empty_cells():
    box = Figure.parse("1x2x5")
    found = list(somacat.packings(box, "T Z", gaps=True))
    assert len(found) == somacat.count(box, "T Z", gaps=True).raw == 4
    for packing in found:
        covered = [cell for _, cells in packing for cell in cells]
        assert sorted(covered + packing.empty) == box.cells and len(packing.empty) == 2
        assert str(packing).count("~") == 2 and packing.figure == box
        assert pickle.loads(pickle.dumps(packing)) == packing
        assert packing.take_apart()[1] == [] and packing.svg().startswith("<svg")
        packing.stand()
    assert len(list(somacat.packings(box, "T Z", unique=True, gaps=True))) == somacat.count(box, "T Z", gaps=True).unique
    # All pieces may be left out, too.
    square = Figure.parse("1x2x2")
    rows = somacat.count_partial(square, "V D", gaps=True)
    assert [(choice.name, len(choice), report.raw) for choice, report in rows] == [("V", 1, 4), ("D", 1, 4), ("none", 0, 1)]
    every = list(somacat.packings(square, PieceSet("V D").partial(), gaps=True))
    assert len(every) == 9 and sum(len(packing) == 0 for packing in every) == 1
    assert somacat.count(square, PieceSet("V D").partial(), gaps=True).raw == 9


def test_sets_are_kept(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("duo*0..2: 0,0,0 1,0,0\nbar: 0,0,0 1,0,0 2,0,0\n")
    own = PieceSet.read(path)
    assert own.ranges == [("duo", 0, 2), ("bar", 1, 1)] and own.number is None
    for pieces in [own, own.partial(2), PieceSet("V0..2 L"), PieceSet("SOMA").partial(), PieceSet("bedlam").partial(3)]:
        for other in [copy.copy(pieces), pickle.loads(pickle.dumps(pieces))]:
            assert other == pieces and hash(other) == hash(pieces) and repr(other) == repr(pieces)
            assert (other.ranges, other.number) == (pieces.ranges, pieces.number)
        assert pieces != PieceSet("SOMA")
    assert PieceSet("SOMA").partial(3) != PieceSet("SOMA").partial(4)


@pytest.mark.parametrize(
    "call",
    [
        lambda pieces: somacat.places(Figure.parse("1x2x4"), pieces),
        lambda pieces: somacat.solution_map(Figure.parse("1x2x4"), pieces),
        lambda pieces: somacat.census("2x2x2", pieces),
        lambda pieces: somacat.buildable("Ci", pieces),
        lambda pieces: somacat.import_figures([], "none.db", pieces),
    ],
)
def test_functions_that_take_no_ranges_say_so(call):
    for pieces in ["V0..2 L", PieceSet("V0..2 L")]:
        with pytest.raises(ValueError, match="^piece V may be used 0 to 2 times, which only count, .* take; give it one"):
            call(pieces)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: PieceSet("V2..1"), "`V2..1`: write 1 to 1024 copies, or a range such as 0..2 with the smaller"),
        (lambda: PieceSet.parse("V*0..0: 0,0,0"), "0..0 copies: write 1 to"),
        (lambda: PieceSet("SOMA").partial(0), "at least one piece, not 0"),
        (lambda: PieceSet.parse("D: 0,0,0=1 1,0,0=2"), "piece D has cells with colors; remove the colors"),
    ],
)
def test_wrong_sets(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_a_size_that_no_choice_fills():
    with pytest.warns(UserWarning, match="no choice of pieces from V0..2 L fills as many; the nearest numbers are"):
        assert somacat.count(Figure.parse("1x1x5"), "V0..2 L").reason == "size"
    with pytest.warns(UserWarning, match="4 cells; V L fills 7"):
        assert somacat.count(Figure.parse("1x2x2"), "V L", gaps=True).reason == "size"
