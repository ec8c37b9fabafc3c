"""Ctrl-C ends calls that would take hours, and other threads run meanwhile."""

import os
import signal
import threading
import time

import pytest
import somacat
from somacat import Figure

# Four sets have far too many packings in a 3x4x9 box to count them within a test.
LONG = Figure.parse("333333333 333333333 333333333 333333333")
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def calls(catalog):
    yield "count", lambda: somacat.count(LONG, "4xSOMA")
    yield "count on one thread", lambda: somacat.count(LONG, "4xSOMA", threads=1)
    yield "sql", lambda: somacat.Catalog(catalog).sql(ENDLESS)
    yield "packings", lambda: sum(1 for _ in somacat.packings(LONG, "4xSOMA"))
    yield "enumerate", lambda: sum(1 for _ in somacat.enumerate_box("3x4x4", 24))


@pytest.mark.parametrize("number", range(5))
def test_ctrl_c(catalog, number):
    name, call = list(calls(catalog))[number]
    threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        call()
        pytest.fail(f"{name} ended before the signal")


def test_other_threads_run():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.monotonic()
    report = somacat.count(LONG, "4xSOMA", nodes=200_000)
    seconds = time.monotonic() - begun
    stop.set()
    thread.join()
    assert report.verdict in ("at-least", "unknown")
    assert len(ticks) > 10 * seconds - 1, f"{len(ticks)} ticks in {seconds:.2f} s"


def test_a_forked_process_counts(catalog):
    cube = Figure.parse("333 333 333")
    assert somacat.count(cube).unique == 240
    child = os.fork()
    if child == 0:
        os._exit(0 if somacat.count(cube).unique == 240 else 1)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            assert status == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked process waits forever")
