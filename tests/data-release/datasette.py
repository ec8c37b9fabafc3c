"""Datasette 0.65 and 1.0 show a published catalog with titles, without tables, and with the ready-made queries.

Run by scripts/data-test.sh in the folder with the release and the two environments; the argument is the metadata.
"""

import csv
import json
import subprocess
import sys

metadata = sys.argv[1]
with open(metadata, encoding="utf-8") as file:
    figures = json.load(file)["databases"]["figures"]
with open("all.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
named = sorted(row["signature"] for row in rows if "tower" in row["names"])
most = max(int(row["unique"]) for row in rows if row["verdict"] == "counted")
assert named and most > 1, (named, most)

for line, options in {"0": ["--metadata", metadata], "1": ["--metadata", metadata, "--config", metadata]}.items():
    def get(path):
        command = [f"datasette-{line}/bin/datasette", "serve", "release/figures.db", *options, "--get", path]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    database = json.loads(get("/figures.json"))
    assert [one["name"] for one in database["tables"] if not one["hidden"]] == [], f"Datasette {line} shows tables"
    titles = {one["name"]: one["title"] for one in database["queries"]}
    assert titles == {name: one["title"] for name, one in figures["queries"].items()}, titles
    by_class = json.loads(get("/figures/solvable_by_class.json?_shape=array"))
    assert sum(row["solvable"] for row in by_class) > 0, by_class
    assert json.loads(get("/figures/most_packings.json?_shape=array"))[0]["unique_solutions"] == most
    found = json.loads(get("/figures/by_name.json?name=tower&_shape=array"))
    assert sorted(row["signature"] for row in found) == named, f"Datasette {line} finds other names"
    for view in ("figures", "names"):
        page = get(f"/figures/{view}")
        for text in (figures["tables"][view]["title"], figures["tables"][view]["description"]):
            assert text in page, f"Datasette {line}: no `{text}` on the page of {view}"
print("Datasette 0.65 and 1.0 show the release, its titles and queries")
