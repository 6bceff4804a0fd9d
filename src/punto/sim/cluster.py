"""Deal blocks of shoes on a cluster, through Ray (`punto[cluster]`). Tasks are pure, so a lost task is run again."""

from __future__ import annotations

import logging
import socket
from collections import deque
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final

from punto.sim.run.blocks import AHEAD, Block
from punto.sim.shoes import Setup, Tally

RETRIES: Final = 5
"""How often a block is dealt again after its machine was lost."""

CONNECT_S: Final = 5.0
LOCAL: Final = "local"
"""The address that starts a cluster on this machine for the duration of the run."""

STORE: Final = 80 << 20
"""Bytes for results on a local cluster, about the minimum that Ray accepts. A tally is a quarter of a megabyte."""


class NoCluster(RuntimeError):
    """Ray is not installed, or no cluster answers."""


def ray() -> Any:
    """The Ray library. Raises NoCluster, which says what to install."""
    try:
        library = import_module("ray")
    except ImportError:
        raise NoCluster("Ray is not installed: the cluster engine needs punto[cluster]") from None
    return library


def connect(address: str, workers: int) -> Any:
    """Connect to a cluster, or start one on this machine if the address is `local`. Raises NoCluster."""
    library = ray()
    logging.getLogger("ray").setLevel(logging.ERROR)
    quiet = {"log_to_driver": False, "configure_logging": False}
    try:
        if address == LOCAL:
            store = STORE + (workers << 20)
            library.init(address=LOCAL, num_cpus=workers, object_store_memory=store, include_dashboard=False, **quiet)
        else:
            answers(address)
            library.init(address=address, **quiet)
    except (OSError, RuntimeError, ValueError, ConnectionError) as error:
        raise NoCluster(f"no cluster answers at {address}: {error}") from None
    return library


def by_tasks(library: Any, of: Setup, todo: Iterable[Block], workers: int) -> Iterator[Tally]:
    """Deal blocks as tasks, and yield their tallies in order."""
    task = library.remote(num_cpus=1, max_retries=RETRIES)(deal_block)
    waiting: deque[Any] = deque()
    setup = (*of.rules.id.split("/"), of.decks, of.cut, of.seed)
    try:
        for block in todo:
            waiting.append(task.remote(*setup, *block))
            if len(waiting) >= AHEAD * workers:
                yield library.get(waiting.popleft())
        while waiting:
            yield library.get(waiting.popleft())
    except library.exceptions.RayError as error:
        raise NoCluster(f"the cluster did not deal a block, after {RETRIES} retries: {error}") from None
    finally:
        for block_task in waiting:
            library.cancel(block_task)


def deal_block(game: str, edition: str, decks: int, cut: int, seed: int, first: int, count: int) -> Tally:
    """One task. Its arguments are plain values; the edition is loaded on the machine where the task runs."""
    from punto.rulebook import load
    from punto.sim.kernel.tables import Compiled
    from punto.sim.shoes import setup

    return Compiled(setup(load.edition(game, edition), decks=decks, cut=cut, seed=seed)).deal_range(first, count)


def answers(address: str) -> None:
    """Check that the address accepts a connection. Ray itself would wait for minutes and then end the process."""
    place = address.removeprefix("ray://")
    host, _, port = place.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise ValueError("expected host:port, ray://host:port or local")
    socket.create_connection((host, int(port)), timeout=CONNECT_S).close()
