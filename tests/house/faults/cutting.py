"""Cutting nodes off PostgreSQL under load: `python -m tests.house.faults.cutting --cuts 200 --nodes 2 --pauses 3`.

Whole servers deal at virtual tables while guests bet. Again and again the database sessions of one node or of all are
ended; now and then another node starts at that moment, or a node stands still for a while and then goes on. No round is
voided, every table is dealt again within a minute, every accepted command is on record, and the audit finds no fault.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import msgspec

from punto.house.audit.run import audit
from punto.house.store.names import HOUSE_DEALER, HOUSE_RECOVERY
from tests.house.databases import postgres_database
from tests.house.web.running import Server, guest, serving, staff

TABLES = ("c1", "c2", "c3", "c4")
PACE = {"betting": 0.4, "insurance": 0.02, "card": 0.05, "result": 0.05, "options": 0.05, "squeeze": 0.02}
LONGEST_S = 60.0
"""If a table is not dealt for so long, the run fails. The figures show the longest wait."""
LATECOMER = 10
"""Each time after so many cuts another node starts."""
NODES = "SELECT DISTINCT left(application_name, 14) FROM pg_stat_activity WHERE application_name LIKE 'punto %'"
CUT = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name LIKE $1"
)
DEALT = "SELECT stream, max(version) FROM events WHERE actor = $1 AND stream LIKE 'table/c%' GROUP BY stream"
RECOVERED = "SELECT count(*) FROM events WHERE actor = $1"
KEYS = "SELECT key FROM events WHERE key IS NOT NULL"


class Fault(AssertionError):
    """A table stood still, a round was voided, or an answer was lost."""


class Bettor(threading.Thread):
    """A guest who keeps betting, whatever happens to the node, and remembers what was accepted."""

    def __init__(self, server: Server, table: str, box: int, over: threading.Event) -> None:
        super().__init__(daemon=True)
        with guest(server) as person:
            self.name_, self.csrf, self.cookies = person.name, person.csrf, dict(person.http.cookies)
        self.server, self.table, self.box, self.over = server, table, box, over
        self.accepted: list[str] = []
        self.statuses: Counter[str] = Counter()

    def run(self) -> None:
        with self.server.client(cookies=self.cookies) as http:
            opening: list[dict[str, Any]] = [{"do": "join", "chips": "9000.00"}, {"do": "sit", "box": self.box}]
            number = 0
            while not self.over.is_set():
                number += 1
                bet = {"do": "place-wager", "box": self.box, "bet": "player", "stake": "10.00"}
                self._say(http, f"b{number}", opening.pop(0) if opening else bet)

    def _say(self, http: httpx.Client, key: str, command: dict[str, Any]) -> None:
        path, headers = f"/api/tables/{self.table}/commands", {"x-csrf-token": self.csrf}
        try:
            answer = http.post(path, json={"key": key, "command": command}, headers=headers)
        except httpx.TransportError as error:
            self.statuses[type(error).__name__] += 1
            return
        self.statuses[str(answer.status_code)] += 1
        if answer.status_code == 200:
            self.accepted.append(f"{self.name_}/{key}")
        else:
            time.sleep(0.01)


class Campaign:
    def __init__(self, url: str, servers: list[Server], folder: Path, seed: int) -> None:
        self.url, self.servers, self.folder = url, servers, folder
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.longest_s = 0.0
        self._loop = asyncio.new_event_loop()
        self._connection: Any = self._done(asyncpg.connect(url))

    def _done(self, work: Any) -> Any:
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        self._done(self._connection.close())
        self._loop.close()

    def rows(self, text: str, *values: object) -> list[Any]:
        rows: list[Any] = self._done(self._connection.fetch(text, *values))
        return rows

    def cut(self) -> None:
        """End the database sessions of one node, or of all."""
        nodes = [row[0] for row in self.rows(NODES)]
        name = self.chance.choice([*nodes, "punto "])
        ((ended,),) = self.rows(CUT, f"{name}%")
        self.counts["cuts"] += 1
        self.counts["sessions ended"] += ended

    def paused(self, seconds: float) -> None:
        """A node stands still, all nodes are cut off, and another node starts meanwhile."""
        server = self.chance.choice(self.servers)
        server.process.send_signal(signal.SIGSTOP)
        wakes = threading.Timer(seconds, server.process.send_signal, (signal.SIGCONT,))
        wakes.start()
        try:
            self.rows(CUT, "punto %")
            with serving(self.folder, "--no-demo", "--no-rate-limits", database=self.url):
                self.counts["nodes that started meanwhile"] += 1
                wakes.join()
                self.dealt_again()
        finally:
            wakes.join()
        self.counts["pauses"] += 1

    def latecomer(self) -> None:
        with serving(self.folder, "--no-demo", "--no-rate-limits", database=self.url):
            self.counts["nodes that started meanwhile"] += 1

    def dealt_again(self) -> None:
        """Wait until the dealer of every table has acted again."""
        began = time.monotonic()
        before = dict(self.rows(DEALT, HOUSE_DEALER))
        waiting = {f"table/{name}" for name in TABLES}
        while waiting:
            now = dict(self.rows(DEALT, HOUSE_DEALER))
            waiting = {name for name in waiting if now.get(name, 0) <= before.get(name, 0)}
            if time.monotonic() - began > LONGEST_S:
                raise Fault(f"not dealt for {LONGEST_S:.0f} s: {sorted(waiting)}")
            time.sleep(0.02)
        self.longest_s = max(self.longest_s, time.monotonic() - began)

    def ready(self) -> None:
        """Wait until every node takes traffic again."""
        until = time.monotonic() + LONGEST_S
        for server in self.servers:
            while server.get("/ready").status_code != 200:
                if time.monotonic() > until:
                    raise Fault(f"not ready for {LONGEST_S:.0f} s: {server.log.read_text()[-2000:]}")
                time.sleep(0.05)


@contextmanager
def betting(servers: list[Server]) -> Iterator[list[Bettor]]:
    over = threading.Event()
    bettors = [Bettor(server, table, 1 + number, over) for number, server in enumerate(servers) for table in TABLES]
    for bettor in bettors:
        bettor.start()
    try:
        yield bettors
    finally:
        over.set()
        for bettor in bettors:
            bettor.join(90)


def played(cuts: int, nodes: int, pauses: int = 0, pause_s: float = 20.0, seed: int = 0) -> dict[str, Any]:
    """Raises Fault, or gives the figures."""
    began = time.monotonic()
    with ExitStack() as stack:
        url = stack.enter_context(postgres_database())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="punto-cuts-")))
        start = ("--no-demo", "--no-rate-limits")
        servers = [stack.enter_context(serving(folder, *start, database=url)) for _ in range(nodes)]
        with staff(servers[0], "pit-supervisor") as pit:
            for name in TABLES:
                pit.open(name, source="virtual", pace=PACE)
        campaign = Campaign(url, servers, folder, seed)
        stack.callback(campaign.close)
        with betting(servers) as bettors:
            campaign.dealt_again()
            for number in range(1, cuts + 1):
                campaign.cut()
                if number % LATECOMER == 0:
                    campaign.latecomer()
                campaign.dealt_again()
            for _ in range(pauses):
                campaign.paused(pause_s)
                campaign.dealt_again()
            campaign.ready()
        _looked_at(campaign, bettors)
        report = audit(url)
        if not report.good:
            raise Fault(f"the audit: {report.findings[:5]}")
        statuses: Counter[str] = sum((bettor.statuses for bettor in bettors), Counter())
        return {
            "nodes": nodes,
            **campaign.counts,
            "longest until every table was dealt again, s": round(campaign.longest_s, 2),
            "answers": dict(statuses),
            "audited rows": report.seen.rows,
            "seconds": round(time.monotonic() - began, 1),
        }


def _looked_at(campaign: Campaign, bettors: list[Bettor]) -> None:
    ((voided,),) = campaign.rows(RECOVERED, HOUSE_RECOVERY)
    if voided:
        raise Fault(f"{voided} events of recovery, while somebody was serving")
    known = {row[0] for row in campaign.rows(KEYS)}
    lost = [key for bettor in bettors for key in bettor.accepted if key not in known]
    if lost:
        raise Fault(f"answered and lost: {lost[:5]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--pauses", type=int, default=0)
    parser.add_argument("--pause", type=float, default=20.0, help="seconds that a node stands still")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(
        msgspec.json.encode(played(options.cuts, options.nodes, options.pauses, options.pause, options.seed)).decode()
    )


if __name__ == "__main__":
    main()
