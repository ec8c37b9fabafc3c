#!/usr/bin/env python3
"""Updates the output of every command shown in README.md and docs.

Run from the project's folder after `cargo build --release`, or with the folder of another build as the
argument. `cargo test docs::` fails if an update is needed.
"""

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

root = Path(__file__).resolve().parent.parent
program = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else root / "target" / "release"
environment = dict(os.environ, NO_COLOR="1", PATH=f"{program}{os.pathsep}{os.environ['PATH']}")
environment.pop("SOMACAT_DB", None)


def shell(command, folder):
    """Runs a command in a terminal; returns its output and its messages."""
    main, terminal = pty.openpty()
    fcntl.ioctl(main, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    # Messages to a pipe have no dates. They are shorter than its buffer.
    run = subprocess.Popen(
        ["sh", "-c", command], cwd=folder, env=environment, stdout=terminal, stderr=subprocess.PIPE
    )
    os.close(terminal)
    output = b""
    while True:
        try:
            piece = os.read(main, 1 << 16)
        except OSError:  # The end of a terminal on Linux.
            break
        if not piece:
            break
        output += piece
    os.close(main)
    _, messages = run.communicate()
    if run.returncode != 0:
        sys.exit(f"{command} failed: {messages.decode()}")
    return output.decode().replace("\r\n", "\n").rstrip(), messages.decode().rstrip()


def renew(path, folder, summary):
    """Updates the output below every command; a command shown without output stays without."""
    old = path.read_text().splitlines()
    lines, kind = [], None
    for number, line in enumerate(old):
        if line.startswith("```"):
            kind = line[3:] if kind is None else None
            lines.append(line)
            if kind == "text" and path.name == "README.md":
                lines += summary.splitlines()
        elif kind == "console" and line.startswith("$ "):
            lines.append(line)
            output, messages = shell(line[2:], folder)
            shows = not old[number + 1].startswith(("```", "$ "))
            if "--like" in line or not output:
                output = f"{messages}\n{output}"
            lines += output.rstrip().splitlines() if shows else []
        elif kind != "console" and not (kind == "text" and path.name == "README.md"):
            lines.append(line)
    path.write_text("\n".join(lines) + "\n")


with tempfile.TemporaryDirectory() as folder:
    summary = shell("somacat run", folder)[1]
    for name in ("catalog", "scripts"):
        (Path(folder) / name).symlink_to(root / name)
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        renew(path, folder, summary)
    # The picture of the gallery is a screenshot of the browser test.
    for picture in (root / "docs" / "images").glob("*.svg"):
        shutil.copy(Path(folder) / picture.name, picture)
