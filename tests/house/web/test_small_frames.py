"""What a round costs a phone: the bytes of every frame from the call for bets to the result, over a real socket."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.house.live.changed import after
from tests.house.web.running import LONG_S, Person, Server, guest, staff
from tests.patience import SOCKET

MOST_BYTES = 10_000
"""Of a round in which six seats bet, for somebody who watches. A patron who bets also gets what they can do next."""
SEATS = range(1, 7)
LIMITS = {"minimum": "10.00", "maximum": "5000.00", "maximum_differential": "10000.00"}
SIDE = {"minimum": "5.00", "maximum": "500.00"}
CARDS = ("2H", "KS", "3D", "4C", "9H", "8D")


class Phone:
    """A socket, and what came over it."""

    def __init__(self, stack: ExitStack, person: Person, table: str, query: str = "?changes=1") -> None:
        url = person.server.url.replace("http", "ws", 1) + f"/api/tables/{table}/live{query}"
        headers = {"Cookie": person.cookie} if person.name else {}
        self.socket: ClientConnection = stack.enter_context(connect(url, additional_headers=headers, **SOCKET))
        self.known: dict[str, Any] = {}
        self.bytes = 0

    def read_to(self, version: int) -> Phone:
        """Everything up to a version; pings count too."""
        while self.known.get("version", 0) < version:
            text = self.socket.recv(LONG_S)
            self.bytes += len(text.encode() if isinstance(text, str) else text)
            self.known = after(self.known, json.loads(text))
        return self


def test_a_round_of_six_seats_costs_a_watching_phone_little(server: Server) -> None:
    table = "small-frames"
    with ExitStack() as stack:
        pit = stack.enter_context(staff(server, "pit-supervisor"))
        rules = pit.get("/api/rules/tiger-buffalo-commission/2025-11-21").json()
        layout, bets = max(
            ((name, facts["bets"]) for name, facts in rules["layouts"].items()), key=lambda pair: len(pair[1])
        )
        side = [bet for bet in bets if bet not in ("player", "banker")]
        pit.open(table, layout=layout, limits={**LIMITS, "bets": dict.fromkeys(side, SIDE)})
        pit.must(table, {"do": "load-shoe", "count": 416, "shuffled": True})
        people = [stack.enter_context(guest(server)) for _ in SEATS]
        for box, person in zip(SEATS, people, strict=True):
            person.must(table, {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": box})
        phones = {
            "watching": Phone(stack, stack.enter_context(guest(server)), table),
            "nobody": Phone(stack, stack.enter_context(Person(server)), table),
            "seated": Phone(stack, people[0], table),
            "whole": Phone(stack, people[0], table, query=""),
        }
        version = pit.get(f"/api/tables/{table}").json()["version"]
        for phone in phones.values():
            phone.read_to(version).bytes = 0
        version = _round(pit, people, table, side, phones)
        costs = {name: phone.read_to(version).bytes for name, phone in phones.items()}
        print("bytes of a round:", costs)
        assert phones["seated"].known["view"] == phones["whole"].known["view"]
        seen = pit.get(f"/api/tables/{table}").json()
        assert phones["nobody"].known["view"]["results"] == seen["view"]["results"] != ""
        assert costs["watching"] < MOST_BYTES, costs
        assert costs["nobody"] < MOST_BYTES, costs
        assert costs["seated"] < 2 * MOST_BYTES, costs


def _round(pit: Person, people: list[Person], table: str, side: list[str], phones: dict[str, Phone]) -> int:
    """Each seat places a main bet and a side bet, and one raises. Phones read each wager before the next is placed."""
    version = pit.must(table, {"do": "open-betting"})["version"]
    for box, person in zip(SEATS, people, strict=True):
        for bet, stake in (("player" if box % 2 else "banker", "100.00"), (side[box % len(side)], "5.00")):
            version = person.must(table, {"do": "place-wager", "box": box, "bet": bet, "stake": stake})["version"]
            for phone in phones.values():
                phone.read_to(version)
    raised = {"do": "raise-wager", "box": 1, "bet": "player", "stake": "50.00"}
    version = people[0].must(table, raised)["version"]
    version = pit.must(table, {"do": "close-betting"})["version"]
    for card in CARDS:
        if pit.get(f"/api/tables/{table}").json()["view"]["phase"] == "complete":
            break
        version = pit.must(table, {"do": "draw-card", "card": card})["version"]
        for phone in phones.values():
            phone.read_to(version)
    return int(pit.must(table, {"do": "settle"})["version"])
