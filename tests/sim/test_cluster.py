"""Ray: equal tallies on a local cluster where it is installed; a clear word where it is not, or nobody answers."""

from __future__ import annotations

import pickle
import socket
from importlib.util import find_spec

import pytest

from punto.rulebook import load
from punto.sim import cluster, run
from punto.sim.kernel_tables import Compiled
from punto.sim.shoes import no_tally, setup
from tests.sim.test_kernel import same

OF = setup(load.edition("tiger-buffalo-commission", "2025-11-21"), decks=6, cut=30, seed=12)


def test_a_task_is_plain_values_in_and_a_tally_out_that_travels() -> None:
    of = OF.rules.source
    tally = cluster.deal_block(of.game, of.edition, OF.decks, OF.cut, OF.seed, 5, 9)
    assert same(pickle.loads(pickle.dumps(tally)), Compiled(OF).deal_range(5, 9))


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
@pytest.mark.filterwarnings("ignore")
def test_a_local_cluster_gives_the_same_tally() -> None:
    library = cluster.connect(cluster.LOCAL, 2)
    try:
        tally, ended = run.add_up(OF, no_tally(OF), cluster.by_tasks(library, OF, run.blocks(0, 501, 40), 2))
    finally:
        library.shutdown()
    assert ended is run.Ended.COMPLETE
    assert same(tally, Compiled(OF).deal_range(0, 501))


@pytest.mark.skipif(find_spec("ray") is not None, reason="ray is installed")
def test_without_ray_the_extra_is_named() -> None:
    with pytest.raises(cluster.NoCluster, match=r"Ray is not installed.*punto\[cluster\]"):
        cluster.connect(cluster.LOCAL, 2)


@pytest.mark.parametrize("address", ["nowhere", "host:", ":6379", "host:port", "host:99999", "ray://host"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ValueError, match="expected host:port"):
        cluster.answers(address)


def test_a_door_that_nobody_opens() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(OSError, match="refused"):
            cluster.answers(f"127.0.0.1:{closed.getsockname()[1]}")


def test_a_door_that_somebody_opens() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        cluster.answers(f"ray://127.0.0.1:{listening.getsockname()[1]}")
