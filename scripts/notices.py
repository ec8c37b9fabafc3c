#!/usr/bin/env python3
"""Prints the licenses of the crates that are part of a binary, with their texts.

    scripts/notices.py [TARGET] [PACKAGE]

TARGET is the binary's target, by default that of this machine; PACKAGE is somacat, or somacat-python for the wheel.
Build and test tools are no part of a binary. The texts are those of the crates in Cargo's registry.
"""

import json
import re
import subprocess
import sys
from pathlib import Path


def metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def linked(nodes, root):
    """Returns the ids of all packages that a package is linked with."""
    found, waiting = set(), [root]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        for dependency in nodes[one]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return found


def texts(package):
    folder = Path(package["manifest_path"]).parent
    names = re.compile(r"(licen[cs]e|copying|unlicense|notice|copyright)", re.IGNORECASE)
    files = sorted(path for path in folder.iterdir() if path.is_file() and names.match(path.name))
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def main():
    arguments = sys.argv[1:]
    host = subprocess.run(["rustc", "--print", "host-tuple"], check=True, capture_output=True, text=True)
    target = arguments[0] if arguments else host.stdout.strip()
    wanted = arguments[1] if len(arguments) > 1 else "somacat"
    found = metadata(target)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    root = next(key for key, package in packages.items() if package["name"] == wanted)
    others = [packages[key] for key in linked(nodes, root) if packages[key]["source"]]
    others.sort(key=lambda package: (package["name"], package["version"]))
    print("somacat contains these crates. SQLite, within libsqlite3-sys, is in the public domain.\n")
    for package in others:
        print(f"{package['name']} {package['version']}: {package['license']}")
    known = {}
    for package in others:
        for text in texts(package):
            known.setdefault(text, []).append(package["name"])
    for text, names in known.items():
        print(f"\n{'-' * 100}\n{', '.join(dict.fromkeys(names))}\n\n{text}")


main()
