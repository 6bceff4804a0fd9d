"""A short run of what `make soak` does two hundred times: nodes are cut off from PostgreSQL under load."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.house.databases import done_by_hand, on, server_url
from tests.house.faults import cutting
from tests.house.web.running import AT_ONCE, Server, eventually, serving, staff
from tests.patience import LONG_S


@pytest.mark.parametrize("nodes", [1, 2])
def test_cut_off_a_few_times(nodes: int) -> None:
    figures = cutting.played(cuts=4, nodes=nodes, seed=nodes)
    assert figures["cuts"] == 4
    assert figures["sessions ended"] > 4


def _allowed(url: str, *, yes: bool) -> None:
    """Set whether anybody may connect to the database. If not, open connections are ended."""
    name = urlsplit(url).path[1:]
    asyncio.run(done_by_hand(server_url(), f"ALTER DATABASE {name} ALLOW_CONNECTIONS {yes}"))
    if not yes:
        cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        asyncio.run(done_by_hand(on(server_url(), "postgres"), cut))


def _until(server: Server, status: int) -> httpx.Response:
    ends = time.monotonic() + LONG_S
    while (answer := server.get("/ready")).status_code != status:
        assert time.monotonic() < ends, answer.text
        time.sleep(0.05)
    return answer


def test_it_leaves_ready_says_so_and_comes_back(postgres_url: str, tmp_path: Path) -> None:
    """A node without its database is not ready. Once it is back, it deals at a table that is opened afterwards."""
    with serving(tmp_path, "--no-demo", database=postgres_url) as server:
        _until(server, 200)
        _allowed(postgres_url, yes=False)
        left = _until(server, 503)
        assert left.json()["code"] == "unsure"
        assert eventually(lambda: "punto_unsure 1.0" in server.get("/metrics").text), "with the next heartbeat"
        _allowed(postgres_url, yes=True)
        _until(server, 200)
        with staff(server, "pit-supervisor") as pit:
            pit.open("after", source="virtual", pace=AT_ONCE)
            ends = time.monotonic() + LONG_S
            while pit.get("/api/tables/after").json()["version"] < 20:
                assert time.monotonic() < ends, "a table that was opened afterwards is not dealt"
                time.sleep(0.05)
        _until(server, 200)
        figures = server.get("/metrics").text
        lost = int(float(figures.partition("\npunto_places_lost_total ")[2].partition("\n")[0]))
        said = server.log.read_text()
        assert said.count("could not renew its row: it is not ready") == lost > 0, "said once each time"
        assert said.count("has renewed its row again") == lost
