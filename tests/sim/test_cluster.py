"""Ray: equal tallies on a local cluster, which ends with the run; a clear message where there is none."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from punto.rulebook import load
from punto.sim import cluster
from punto.sim.kernel.tables import Compiled
from punto.sim.run import files as run_files
from punto.sim.shoes import setup
from tests.cli.program import PLAIN
from tests.patience import LONG_S
from tests.sim.test_kernel import same

OF = setup(load.edition("tiger-buffalo-commission", "2025-11-21"), decks=6, cut=30, seed=12)

IN_SMALL_BLOCKS = """
from punto.cli.main import run
from punto.sim.run import engines as run_engines
run_engines.BLOCK["ray"] = 40
run()
"""


def test_a_task_is_plain_values_in_and_a_tally_out_that_travels() -> None:
    of = OF.rules.source
    tally = cluster.deal_block(of.game, of.edition, OF.decks, OF.cut, OF.seed, 5, 9)
    assert same(pickle.loads(pickle.dumps(tally)), Compiled(OF).deal_range(5, 9))


@pytest.fixture
def folder() -> Iterator[Path]:
    """For Ray's files, with a path short enough for the names of its sockets."""
    usual = tempfile.gettempdir()
    with tempfile.TemporaryDirectory(prefix="ray", dir=usual if len(usual) < 20 else Path(os.sep, "tmp")) as made:
        yield Path(made)


def alive(session: int) -> list[int]:
    """The processes of a session, without zombies, which have ended."""
    processes = []
    for status in Path(os.sep, "proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, _, of = status.read_text("utf-8", "replace").rpartition(")")[2].split()[:4]
            if int(of) == session and state != "Z":
                processes.append(int(status.parent.name))
    return processes


def test_a_local_cluster_gives_the_same_tally_and_leaves_no_process(folder: Path) -> None:
    """In a process of its own: Ray's threads, signals and warnings must not reach the other tests."""
    whole = Compiled(OF).deal_range(0, 501)
    kept, options = folder / "checkpoint", {"decks": OF.decks, "cut": OF.cut, "seed": OF.seed, "shoes": 501}
    words = [OF.rules.id, "--engine", "ray", "--workers", "2", "--checkpoint", str(kept), "--json"]
    words += [word for name, value in options.items() for word in (f"--{name}", str(value))]
    cluster_run = subprocess.Popen(
        [sys.executable, "-c", IN_SMALL_BLOCKS, "simulate", *words],
        env={**PLAIN, "HOME": str(folder), "RAY_TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = cluster_run.communicate(timeout=LONG_S)
        assert cluster_run.returncode == 0, err.decode()
        end = time.monotonic() + LONG_S
        while alive(cluster_run.pid) and time.monotonic() < end:
            time.sleep(0.05)
        assert alive(cluster_run.pid) == []
    finally:
        for process in alive(cluster_run.pid):
            os.kill(process, signal.SIGKILL)
    answer = json.loads(out)
    assert (answer["engine"], answer["workers"], answer["ended"]) == ("ray", 2, "complete")
    assert same(run_files.resume(kept, OF, 501), whole)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(cluster.NoCluster, match=r"Ray is not installed.*punto\[cluster\]"):
        cluster.connect(cluster.LOCAL, 2)


@pytest.mark.parametrize("before", ["", "ray://"])
def test_a_cluster_that_nobody_runs(before: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"{before}127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(cluster.NoCluster, match=f"no cluster answers at {address}: .*refused"):
            cluster.connect(address, 2)


@pytest.mark.parametrize("address", ["nowhere", "host:", ":6379", "host:port", "host:99999", "ray://host"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ValueError, match="expected host:port"):
        cluster.answers(address)


def test_a_door_that_somebody_opens() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        cluster.answers(f"ray://127.0.0.1:{listening.getsockname()[1]}")
