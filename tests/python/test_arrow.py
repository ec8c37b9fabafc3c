"""Tables reach pyarrow, pandas and Polars, and equal the exported ones."""

import subprocess

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
import somacat


@pytest.fixture
def open_catalog(catalog):
    return somacat.Catalog(catalog)


def test_the_table_equals_the_exported_one(catalog, open_catalog, tmp_path):
    folder = tmp_path / "figures"
    subprocess.run(["somacat", "export", "parquet", "--quiet", "--db", catalog, folder], check=True)
    exported = pyarrow.parquet.read_table(folder / "figures-0000.parquet")
    table = pyarrow.table(open_catalog.query())
    assert table.column_names == exported.column_names
    keys = [("signature", "ascending"), ("set", "ascending")]
    assert table.sort_by(keys).to_pylist() == exported.sort_by(keys).to_pylist()


def test_pandas_and_polars(open_catalog):
    rows = open_catalog.query(solvable=True, cells=27, sort="unique", top=5)
    expected = pyarrow.table(rows).to_pylist()
    assert [row["unique"] for row in expected] == [1400, 1191, 760, 240, 175]
    assert polars.DataFrame(rows).to_dicts() == expected
    assert pandas.DataFrame.from_arrow(rows)["signature"].tolist() == [row["signature"] for row in expected]


def test_sql(open_catalog):
    table = open_catalog.sql("SELECT 1 AS a, 2.5 AS b, 'x' AS c, NULL AS d UNION ALL SELECT 2, 3, NULL, NULL")
    assert pyarrow.table(table).to_pydict() == {"a": [1, 2], "b": [2.5, 3.0], "c": ["x", None], "d": [None, None]}
    assert len(open_catalog.sql("SELECT * FROM figures")) == len(open_catalog.query())
    empty = pyarrow.table(open_catalog.sql("SELECT cells FROM figures WHERE cells = -1"))
    assert (empty.num_rows, empty.column_names) == (0, ["cells"])


def test_a_table_of_several_batches(open_catalog):
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n"
    table = pyarrow.table(open_catalog.sql(numbers))
    assert table.column("i").num_chunks > 1
    assert table.column("i").to_pylist() == list(range(1, 300001))
