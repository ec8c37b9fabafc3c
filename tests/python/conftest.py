"""A catalog of the starter figures, made by the installed command."""

import subprocess

import pytest


@pytest.fixture(scope="session")
def catalog(tmp_path_factory):
    folder = tmp_path_factory.mktemp("catalog")
    subprocess.run(["somacat", "run", "--quiet"], cwd=folder, check=True)
    return folder / "somacat.db"
