"""A disk that is really full: nothing is answered that is not stored, and once there is space the house goes on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from punto.house.audit.run import audit
from punto.money import amount
from tests.house.faults.breaking import games_of, halted, peopled, run, sound
from tests.house.faults.small_disk import SmallDisk, small_disk
from tests.house.web.running import Server, eventually, guest, lines, serving, staff
from tests.patience import LONG_S

FULL = "the database can't be written, and this node stops: database or disk is full"
ROUNDS = 30
MOST = 5_000
"""So many commands fill any of these disks."""
BROUGHT = 10_000_00
BOUGHT = 100_00
EACH = 1


@pytest.fixture
def disk(tmp_path: Path, megabytes: int) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", megabytes) as mounted:
        yield mounted


@pytest.mark.parametrize("megabytes", [4])
def test_play_fills_the_disk(disk: SmallDisk) -> None:
    """Every answer is given again, and every table is played to its end as if the disk had never been full."""
    peopled(disk.url)
    status, said = run(disk.url, "--rounds", str(ROUNDS))
    assert (status, halted(said)) == (1, FULL)
    disk.grow(64)
    sound(disk.url, games_of(said, ROUNDS))


class Buyer:
    """A guest who keeps buying chips for a cent, and remembers every answer."""

    def __init__(self, server: Server) -> None:
        with guest(server) as person:
            self.csrf, self.cookies = person.csrf, dict(person.http.cookies)
            person.must("t", {"do": "join", "chips": amount(BOUGHT)})
        self.answers: dict[str, bytes] = {}

    def buy(self, server: Server) -> httpx.Response | None:
        """Buy until a purchase is not accepted: the answer to it, or None if none came."""
        with self._http(server) as http:
            for _ in range(MOST):
                key = f"b{len(self.answers)}"
                try:
                    answer = self.send(http, key)
                except httpx.TransportError:
                    return None
                if answer.status_code != 200:
                    return answer
                self.answers[key] = answer.content
        raise AssertionError("the disk was never full")

    def _http(self, server: Server) -> httpx.Client:
        return server.client(cookies=self.cookies)

    def send(self, http: httpx.Client, key: str) -> httpx.Response:
        order = {"key": key, "command": {"do": "buy-chips", "chips": amount(EACH)}}
        return http.post("/api/tables/t/commands", json=order, headers={"x-csrf-token": self.csrf})

    def again(self, server: Server) -> None:
        """Answered keys get the same bytes again. The key without an answer is sent again and has one effect."""
        with self._http(server) as http:
            for key, content in self.answers.items():
                answer = self.send(http, key)
                assert (answer.status_code, answer.content) == (200, content), key
            assert self.send(http, f"b{len(self.answers)}").status_code == 200
            wallet = http.get("/api/me").json()["wallet"]
        assert wallet == amount(BROUGHT - BOUGHT - EACH * (len(self.answers) + 1))


@pytest.mark.parametrize("megabytes", [16])
def test_a_foreign_file_fills_the_disk(disk: SmallDisk, tmp_path: Path) -> None:
    """`punto serve` says why it stops, ends with status 1, and nobody has to repair anything."""
    options = ("--no-demo", "--no-rate-limits")
    with serving(tmp_path, *options, database=disk.url) as server:
        with staff(server, "pit-supervisor") as pit:
            pit.open("t")
        buyer = Buyer(server)
        with ThreadPoolExecutor(1) as threads:
            buying = threads.submit(buyer.buy, server)
            assert eventually(lambda: len(buyer.answers) > 50)
            assert not buying.done()
            disk.fill()
            last = buying.result(LONG_S)
        assert last is None or (last.status_code, last.json()["code"]) == (503, "stopping"), last
        assert server.process.wait(LONG_S) == 1
        assert FULL in server.log.read_text()
        assert not [line for line in lines(server) if line.get("status", 0) == 500]
    disk.free_again()
    with serving(tmp_path, *options, database=disk.url) as server:
        buyer.again(server)
    report = audit(disk.url)
    assert report.good, report.findings[:5]
