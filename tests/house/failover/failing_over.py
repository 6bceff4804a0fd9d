"""Failovers under load: `python -m tests.house.failover.failing_over --failovers 50`.

Three nodes, whose clocks are 5 seconds apart, deal at virtual tables on a primary with a synchronous standby while
guests bet. Again and again the primary is killed and the standby promoted; every other time the primary's machine also
vanishes from the network, so that no connection to it ends. Meanwhile a node is cut off from both servers, and so from
the other nodes, for 30 seconds, and another one is stopped for a minute. At the end `punto audit` and `promises.py`
judge what is stored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import msgspec

from punto.house.audit.run import audit
from punto.house.store.names import HOUSE_DEALER, HOUSE_RECOVERY
from tests.house.failover import evidence
from tests.house.failover.clients import Bettor, betting
from tests.house.failover.evidence import Evidence, kept_on_fault
from tests.house.failover.network import Network, Node, running_network
from tests.house.failover.promises import Row, Transfer
from tests.house.failover.servers import Pair, address, running_pair
from tests.house.faults.test_clock import Stepped
from tests.house.web.running import Server, serving, staff

TABLES: Final = ("f1", "f2")
CLOCKS: Final = (-5.0, 0.0, 5.0)
"""Seconds by which the clock of each node is off."""
PACE: Final = {"betting": 1.5, "insurance": 0.02, "card": 0.05, "result": 0.05, "options": 0.05, "squeeze": 0.02}
LONGEST_S: Final = 120.0
KEPT: Final = Path("build/failover")
"""Where a failed run leaves the evidence that it was judged by."""
DEALT: Final = "SELECT stream, max(version) FROM events WHERE actor = $1 AND stream LIKE 'table/f%' GROUP BY stream"
RECOVERED: Final = "SELECT count(*) FROM events WHERE actor = $1"
ROWS: Final = "SELECT stream, version, key, count, event FROM events WHERE stream LIKE 'table/%'"
TRANSFERS: Final = "SELECT stream, version, giver, taker, cents FROM transfers WHERE stream LIKE 'table/%'"


class Fault(AssertionError):
    """A table stood still, a round was voided, or a promise was not kept."""


class Troubles(threading.Thread):
    """Troubles of nodes while servers fail over: in each turn one node is cut off and another one stopped."""

    def __init__(
        self, servers: Sequence[Server], nodes: Sequence[Node], cut_s: float, stop_s: float, seed: int
    ) -> None:
        super().__init__(daemon=True)
        self._servers, self._nodes, self._cut_s, self._stop_s = servers, nodes, cut_s, stop_s
        self._chance = random.Random(seed)
        self.over = threading.Event()
        self.counts: Counter[str] = Counter()

    def run(self) -> None:
        while not self.over.is_set():
            cut, stopped = self._chance.sample(range(len(self._servers)), 2)
            mends = threading.Timer(self._cut_s, self._nodes[cut].mend)
            self._nodes[cut].cut()
            mends.start()
            self._servers[stopped].process.send_signal(signal.SIGSTOP)
            try:
                time.sleep(self._stop_s)
            finally:
                self._servers[stopped].process.send_signal(signal.SIGCONT)
                mends.join()
            self.counts["nodes cut off"] += 1
            self.counts["nodes stopped"] += 1
            self.over.wait(10)


class Campaign:
    def __init__(self, pair: Pair, servers: Sequence[Server], nodes: Sequence[Node]) -> None:
        self.pair, self.servers, self.nodes = pair, servers, nodes
        self.bettors: Sequence[Bettor] = ()
        self.judged: Evidence | None = None
        self.counts: Counter[str] = Counter()
        self.longest_s = 0.0

    def rows(self, text: str, *values: object) -> list[Any]:
        return asyncio.run(self.pair.primary.ask(text, *values))

    def fail_over(self, *, vanishes: bool) -> None:
        gone = self.pair.primary.port
        if vanishes:
            for node in self.nodes:
                node.cut(gone)
        began = time.monotonic()
        self.pair.fail_over()
        self.pair.join()
        if vanishes:
            for node in self.nodes:
                node.mend(gone)
        self.dealt_again()
        self.longest_s = max(self.longest_s, time.monotonic() - began)
        self.counts["failovers"] += 1
        self.counts["machines that vanished"] += vanishes

    def dealt_again(self) -> None:
        """Wait until the dealer of every table has acted again."""
        until = time.monotonic() + LONGEST_S
        before = dict(self.rows(DEALT, HOUSE_DEALER))
        waiting = {f"table/{name}" for name in TABLES}
        while waiting:
            now = dict(self.rows(DEALT, HOUSE_DEALER))
            waiting = {name for name in waiting if now.get(name, 0) <= before.get(name, 0)}
            if time.monotonic() > until:
                raise Fault(f"not dealt for {LONGEST_S:.0f} s: {sorted(waiting)}")
            time.sleep(0.1)

    def ready(self) -> None:
        """Wait until every node takes traffic again: none has given up."""
        until = time.monotonic() + LONGEST_S
        for server in self.servers:
            while server.get("/ready").status_code != 200:
                if time.monotonic() > until:
                    raise Fault(f"not ready for {LONGEST_S:.0f} s: {server.log.read_text()[-2000:]}")
                time.sleep(0.1)

    def play(self, failovers: int, troubles: Troubles | None) -> None:
        """Fail over so many times. Troubles of nodes go on until the last failover."""
        began = time.monotonic()
        with betting(self.servers, TABLES) as self.bettors:
            self.dealt_again()
            if troubles is not None:
                troubles.start()
            for number in range(failovers):
                self.fail_over(vanishes=bool(number % 2))
                print(f"failover {number + 1} of {failovers}, {time.monotonic() - began:.0f} s", file=sys.stderr)
            if troubles is not None:
                troubles.over.set()
                troubles.join()
                self.counts += troubles.counts
            self.ready()
            self.dealt_again()

    def evidence(self) -> Evidence:
        stored, moved = asyncio.run(self.pair.primary.at_one_instant(ROWS, TRANSFERS))
        rows = [Row(row[0], row[1], row[2], row[3], json.loads(row[4])) for row in stored]
        said = [answer for bettor in self.bettors for answer in bettor.said]
        return Evidence(said, rows, [Transfer(*row) for row in moved])

    def keep(self, folder: Path) -> None:
        """Keep the evidence, as it was judged or else as it is now, and the whole database for the audit."""
        evidence.keep(folder, self.judged or self.evidence(), [server.log for server in self.servers])
        (folder / "house.sql").write_text(self.pair.primary.dump())

    def judge(self) -> dict[str, Any]:
        """Judge the run by the audit and by the answers that the clients got. Returns the figures."""
        ((voided,),) = self.rows(RECOVERED, HOUSE_RECOVERY)
        if voided:
            raise Fault(f"{voided} events of recovery, while somebody was serving")
        self.judged = judged = self.evidence()
        report = audit(address(self.pair.primary.port))
        if judged.faults or not report.good:
            raise Fault(f"promises: {judged.faults[:5]}; audit: {report.findings[:5]}")
        answers = Counter(answer.status for answer in judged.said)
        return {
            **self.counts,
            "longest until every table was dealt again, s": round(self.longest_s, 1),
            "answers": {str(status): count for status, count in sorted(answers.items())},
            "keys sent more than once": sum(
                count > 1 for count in Counter(answer.key for answer in judged.said).values()
            ),
            "rows": len(judged.rows),
            "audited rows": report.seen.rows,
        }


def _nodes(stack: ExitStack, folder: Path, network: Network) -> tuple[list[Server], list[Node]]:
    """A server for each clock, each with its own ways to the database."""
    servers, nodes = [], []
    for number, seconds in enumerate(CLOCKS):
        own = folder / str(number)
        own.mkdir()
        clock = Stepped(own)
        clock.set(seconds)
        node = network.node()
        options = ("--no-demo", "--no-rate-limits", "--patience", str(LONGEST_S))
        servers.append(stack.enter_context(serving(own, *options, database=address(*node.ports), under=clock.under)))
        nodes.append(node)
    return servers, nodes


def played(
    failovers: int, *, cut_s: float = 30.0, stop_s: float = 60.0, seed: int = 0, keep: Path = KEPT
) -> dict[str, Any]:
    """Raises Fault, or gives the figures; a fault leaves a folder in `keep`. Troubles of nodes have one turn at least;
    if `stop_s` is 0 there are none."""
    began = time.monotonic()
    with ExitStack() as stack:
        pair = stack.enter_context(running_pair())
        network = stack.enter_context(running_network([server.port for server in pair.servers]))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="punto-failing-over-")))
        servers, nodes = _nodes(stack, folder, network)
        with staff(servers[1], "pit-supervisor") as pit:
            for name in TABLES:
                pit.open(name, source="virtual", pace=PACE)
        campaign = Campaign(pair, servers, nodes)
        with kept_on_fault(keep, campaign.keep):
            campaign.play(failovers, Troubles(servers, nodes, cut_s, stop_s, seed) if stop_s else None)
            return {**campaign.judge(), "seed": seed, "seconds": round(time.monotonic() - began, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failovers", type=int, default=50)
    parser.add_argument("--cut", type=float, default=30.0, help="seconds for which a node is cut off")
    parser.add_argument("--stop", type=float, default=60.0, help="seconds for which a node is stopped; 0: no troubles")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    figures = played(options.failovers, cut_s=options.cut, stop_s=options.stop, seed=options.seed)
    print(msgspec.json.encode(figures).decode())


if __name__ == "__main__":
    main()
