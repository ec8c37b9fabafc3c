"""The notebooks run, and their stored outputs are what they print."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def outputs(notebook):
    """The texts and pictures of each cell."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            yield cell.id, output.output_type, output.get("text"), output.get("data")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    for cell in fresh.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(fresh, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    assert list(outputs(fresh)) == list(outputs(stored))
    assert len(list(outputs(fresh))) > 3


def test_there_are_notebooks():
    assert NOTEBOOKS
