"""The installed command is the program."""

import signal
import subprocess
import time


def run(*arguments, **options):
    return subprocess.run(["somacat", *arguments], capture_output=True, text=True, **options)


def test_output_and_exit_codes(tmp_path):
    counted = run("count", "--csv", "-", input="cube: 333 333 333\n")
    assert counted.returncode == 0
    assert counted.stdout.splitlines()[1].startswith("cube,27,s1-3x3x3-zzzzz3,Oh,48,1,counted,,11520,480,240,")
    assert run("--version").stdout.startswith("somacat ")
    assert run("count", "--nothing").returncode == 2
    missing = run("query", cwd=tmp_path)
    assert missing.returncode == 1 and missing.stderr.startswith("somacat: ")


def test_ctrl_c_stops_it(tmp_path):
    arguments = ["somacat", "enumerate", "box", "3x4x4", "--cells", "24", "--count"]
    with subprocess.Popen(arguments, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        time.sleep(1.5)
        command.send_signal(signal.SIGINT)
        sent = time.monotonic()
        assert command.wait(timeout=20) == 75
        assert time.monotonic() - sent < 2.0
