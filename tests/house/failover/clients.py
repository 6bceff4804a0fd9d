"""Guests who keep betting at three nodes, send again what was not answered, and write down every answer."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import httpx

from tests.house.failover.promises import Said
from tests.house.web.running import Server, guest

ANSWER_S: Final = 4.0
"""How long a client waits before it sends the same again, maybe to another node."""
PAUSE_S: Final = 0.03
UNDECIDED: Final = (0, 500, 502, 503, 504)
"""No answer, or one that says nothing about the command."""


class Bettor(threading.Thread):
    """One of these guests."""

    def __init__(self, servers: Sequence[Server], at: int, table: str, box: int, over: threading.Event) -> None:
        super().__init__(daemon=True)
        with guest(servers[at]) as person:
            self.person, self._csrf, self._cookies = person.name, person.csrf, dict(person.http.cookies)
        self._servers, self._at, self._table, self._box, self._over = servers, at, table, box, over
        self._chance = random.Random(f"{table} {box}")
        self.said: list[Said] = []

    def run(self) -> None:
        opening: list[dict[str, Any]] = [{"do": "join", "chips": "9000.00"}, {"do": "sit", "box": self._box}]
        number = 0
        with httpx.Client(cookies=self._cookies, timeout=ANSWER_S) as self._http:
            while not self._over.is_set():
                number += 1
                bet = {"do": "place-wager", "box": self._box, "bet": "player", "stake": "10.00"}
                self._insist(f"k{number}", opening.pop(0) if opening else bet)
                time.sleep(PAUSE_S)

    def _insist(self, key: str, command: dict[str, Any]) -> None:
        """Send a command until it is answered, under the same key; now and then once more, for the same answer."""
        while self._send(key, command) in UNDECIDED:
            if self._over.is_set():
                return
            self._at = self._chance.randrange(len(self._servers))
            time.sleep(PAUSE_S)
        if self._chance.random() < 0.1:
            self._at = self._chance.randrange(len(self._servers))
            self._send(key, command)

    def _send(self, key: str, command: dict[str, Any]) -> int:
        path, headers = f"/api/tables/{self._table}/commands", {"x-csrf-token": self._csrf}
        sent, status, body = time.monotonic(), 0, b""
        try:
            url = self._servers[self._at].url + path
            answer = self._http.post(url, json={"key": key, "command": command}, headers=headers)
            status, body = answer.status_code, answer.content
        except httpx.TransportError:
            pass
        said = Said(f"table/{self._table}", f"{self.person}/{key}", sent, time.monotonic(), status, body)
        self.said.append(said)
        return status


@contextmanager
def betting(servers: Sequence[Server], tables: Sequence[str]) -> Iterator[list[Bettor]]:
    """At each table there is one guest per node, who begins at that node."""
    over = threading.Event()
    bettors = [Bettor(servers, at, table, 1 + at, over) for table in tables for at in range(len(servers))]
    for bettor in bettors:
        bettor.start()
    try:
        yield bettors
    finally:
        over.set()
        for bettor in bettors:
            bettor.join(60)
