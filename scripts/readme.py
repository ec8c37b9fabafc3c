#!/usr/bin/env python3
"""Puts the present output of every command shown in README.md into README.md.

Run from the project's folder after `cargo build --release`, or with the folder of another build as the
argument. `cargo test docs::` tells whether it is needed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
program = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else root / "target" / "release"
environment = dict(os.environ, PATH=f"{program}{os.pathsep}{os.environ['PATH']}")
environment.pop("SOMACAT_DB", None)


def shell(command, folder):
    run = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout.rstrip(), run.stderr.rstrip()


with tempfile.TemporaryDirectory() as folder:
    summary = shell("somacat run", folder)[1]
    lines, kind = [], None
    for line in (root / "README.md").read_text().splitlines():
        if line.startswith("```"):
            kind = line[3:] if kind is None else None
            lines.append(line)
            if kind == "text":
                lines += summary.splitlines()
        elif kind == "console" and line.startswith("$ "):
            lines.append(line)
            output, messages = shell(line[2:], folder)
            if "--like" in line:
                output = f"{messages}\n{output}"
            lines += output.splitlines()
        elif kind not in ("console", "text"):
            lines.append(line)
    for picture in (root / "docs" / "images").iterdir():
        shutil.copy(Path(folder) / picture.name, picture)
(root / "README.md").write_text("\n".join(lines) + "\n")
