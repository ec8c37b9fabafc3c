"""Datasette 0.65 and 1.0 show a published catalog with titles, without tables, and with the ready-made queries.

Run by scripts/data-test.sh in the folder with the release, with each version; the argument is the metadata.
"""

import asyncio
import csv
import json
import sys

from datasette.app import Datasette
from datasette.version import __version__

with open(sys.argv[1], encoding="utf-8") as file:
    metadata = json.load(file)
figures = metadata["databases"]["figures"]
with open("all.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
named = sorted(row["signature"] for row in rows if "tower" in row["names"])
most = max(int(row["unique"]) for row in rows if row["verdict"] == "counted")
assert named and most > 1, (named, most)
# In version 1, queries belong to the configuration.
options = {"metadata": metadata} if __version__.startswith("0.") else {"metadata": metadata, "config": metadata}


async def look():
    datasette = Datasette(["release/figures.db"], **options)
    await datasette.invoke_startup()

    async def get(path):
        response = await datasette.client.get(path)
        assert response.status_code == 200, (path, response.status_code)
        return response.text

    database = json.loads(await get("/figures.json"))
    assert [one["name"] for one in database["tables"] if not one["hidden"]] == [], "tables are shown"
    titles = {one["name"]: one["title"] for one in database["queries"]}
    assert titles == {name: one["title"] for name, one in figures["queries"].items()}, titles
    by_class = json.loads(await get("/figures/solvable_by_class.json?_shape=array"))
    assert sum(row["solvable"] for row in by_class) > 0, by_class
    assert json.loads(await get("/figures/most_packings.json?_shape=array"))[0]["unique_solutions"] == most
    found = json.loads(await get("/figures/by_name.json?name=tower&_shape=array"))
    assert sorted(row["signature"] for row in found) == named, "other names are found"
    for view in ("figures", "names"):
        page = await get(f"/figures/{view}")
        for text in (figures["tables"][view]["title"], figures["tables"][view]["description"]):
            assert text in page, f"no `{text}` on the page of {view}"


asyncio.run(look())
print(f"Datasette {__version__} shows the release, its titles and queries")
