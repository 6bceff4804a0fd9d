"""Role × command × phase: nobody gets a command through that is not theirs to give, whatever the table is doing.

Every command is sent by everybody who may not give it, to a table in every phase, with and without the names filled in.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from punto.game.table import Phase
from punto.house.people import first_staff
from punto.house.store.names import Role
from punto.house.table.permissions import MAY
from tests.house.web.running import GAME, Person, Server, guest, staff
from tests.house.web.test_watch import surveillance
from tests.patience import LONG_S

LIVE = "live-baccarat-insurance-commission/undated"
COMMANDS: dict[str, dict[str, Any]] = {
    "open-table": {
        "edition": f"{GAME}/2025-11-21",
        "layout": "C",
        "positions": 6,
        "limits": {"minimum": "1.00", "maximum_differential": "10.00"},
    },
    "close-table": {},
    "start-duty": {},
    "end-duty": {},
    "join": {"chips": "10.00"},
    "buy-chips": {"chips": "10.00"},
    "cash-chips": {"chips": "10.00"},
    "sit": {"box": 3},
    "stand-up": {},
    "leave": {},
    "set-insurance": {"offered": False, "asked_by": "ann"},
    "set-limits": {"limits": {"minimum": "1.00", "maximum_differential": "20.00"}},
    "announce-closing": {"rounds": 1},
    "load-shoe": {"count": 416, "shuffled": True},
    "place-cut-card": {"after": 300},
    "burn": {"card": "2H"},
    "draw-cut-card": {},
    "end-shoe": {},
    "open-betting": {},
    "place-wager": {"box": 1, "bet": "player", "stake": "10.00"},
    "raise-wager": {"box": 1, "bet": "player", "stake": "10.00"},
    "lower-wager": {"box": 1, "bet": "player", "stake": "10.00"},
    "withdraw-wager": {"box": 1, "bet": "player"},
    "close-betting": {},
    "report-chips": {"patron": "ann", "box": 1, "bet": "player", "stake": "10.00"},
    "ask-squeeze": {"places": ["P3"]},
    "grant-squeeze": {},
    "ask-banker-first": {"way": "expose"},
    "grant-banker-first": {},
    "draw-card": {"card": "9H"},
    "expose-card": {"place": "P1", "card": "9H"},
    "take-insurance": {"bet": "player_insurance", "stake": "1.00"},
    "decline-insurance": {},
    "settle": {},
    "report-irregularity": {"kind": "interruption"},
    "decide-irregularity": {"reason": "because"},
    "choose-option": {"option": "returned"},
    "resume-play": {},
}
KINDS = {kind.__struct_config__.tag: roles for kind, roles in MAY.items()}  # type: ignore[attr-defined]


def test_every_command_is_walked() -> None:
    assert set(COMMANDS) == set(KINDS)


def bring(pit: Person, ann: Person, table: str, phase: Phase) -> None:
    """A table in a phase, with a patron who has a wager where there can be one."""
    if phase is Phase.COMMENCING:
        pit.open(table, edition=LIVE, layout="live", positions=6)
        pit.must(table, {"do": "load-shoe", "count": 416, "shuffled": True})
        return
    pit.open(table, high_limit=True)
    if phase is Phase.CLOSED:
        pit.must(table, {"do": "close-table"})
    if phase in (Phase.CLOSED, Phase.NO_SHOE):
        return
    pit.must(table, {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "place-cut-card", "after": 300})
    if phase is Phase.READY:
        return
    ann.must(table, {"do": "join", "chips": "100.00"}, {"do": "sit", "box": 1})
    pit.must(table, {"do": "open-betting"})
    ann.must(table, {"do": "place-wager", "box": 1, "bet": "player", "stake": "50.00"})
    if phase is Phase.BETTING:
        return
    pit.must(table, {"do": "close-betting"})
    if phase is Phase.CUT_CARD:
        pit.must(table, {"do": "draw-cut-card"})
    if phase in (Phase.CUT_CARD, Phase.DEALING):
        return
    if phase in (Phase.IRREGULARITY, Phase.OPTIONS):
        pit.must(
            table,
            {"do": "draw-card", "card": "KH"},
            {"do": "report-irregularity", "kind": "simultaneous", "cards": ["2S", "3S"]},
        )
        if phase is Phase.OPTIONS:
            pit.must(table, {"do": "decide-irregularity", "order": ["2S", "3S"], "reason": "seen"})
        return
    cards = ("KH", "2S", "5D", "2C") if phase is Phase.OFFER else ("KH", "2S", "7D", "3C", "4H")
    for card in cards:
        pit.must(table, {"do": "draw-card", "card": card})
    if phase is Phase.SETTLED:
        pit.must(table, {"do": "settle"})


class Intruder:
    """Sends some thousand commands. It does not use httpx, which takes longer to ask than the house to answer."""

    def __init__(self, person: Person) -> None:
        self.connection = HTTPConnection(urlsplit(person.server.url).netloc, timeout=LONG_S)
        self._headers = {"content-type": "application/json", "x-csrf-token": person.csrf}
        if person.name:
            self._headers["cookie"] = person.cookie
        self._keys = itertools.count()

    def tries(self, table: str, command: dict[str, Any]) -> tuple[int, str]:
        """Status and text of the answer."""
        order = {"key": f"intruder-{next(self._keys)}", "command": command}
        self.connection.request("POST", f"/api/tables/{table}/commands", json.dumps(order), self._headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.fixture(scope="module")
def everybody(server: Server) -> Iterator[dict[Role | None, Person]]:
    with ExitStack() as held:
        people: dict[Role | None, Person] = {None: held.enter_context(Person(server))}
        people[Role.PATRON] = held.enter_context(guest(server))
        for role in first_staff.STAFF:
            people[role] = held.enter_context(staff(server, role.value))
        people[Role.SURVEILLANCE] = held.enter_context(surveillance(server))
        assert people.keys() == {None, *Role}
        yield people


@pytest.mark.parametrize("phase", list(Phase))
def test_nobody_breaks_in(server: Server, everybody: dict[Role | None, Person], phase: Phase) -> None:
    table = f"breach-{phase.value}"
    pit = everybody[Role.PIT_SUPERVISOR]
    with guest(server) as ann:
        bring(pit, ann, table, phase)
        before = pit.get(f"/api/tables/{table}").json()
        assert before["view"]["phase"] == phase.value
        for role, person in everybody.items():
            intruder = Intruder(person)
            with closing(intruder.connection):
                for tag, facts in COMMANDS.items():
                    for command in _ways(tag, facts, role, ann.name, pit.name, table):
                        status, text = intruder.tries(table, command)
                        assert status in (400, 401, 403), (role, command, text)
        assert pit.get(f"/api/tables/{table}").json()["version"] == before["version"]


def _ways(tag: str, facts: dict[str, Any], role: Role | None, ann: str, pit: str, table: str) -> list[dict[str, Any]]:
    """The command in every way in which this role may not give it."""
    plain = {"do": tag, **facts} | ({"table": table} if tag == "open-table" else {})
    in_anns_name = {**plain, "patron": ann}
    in_pits_name = {**plain, "by": pit}
    if role is None or role not in KINDS[tag]:
        return [plain, in_anns_name, in_pits_name]
    if role is Role.PATRON:
        return [{**plain, "by": ann}] if tag == "expose-card" else [in_anns_name, in_pits_name]
    ways: list[dict[str, Any]] = []
    if tag in ("start-duty", "open-table"):
        ranks = [other_role.value for other_role in Role if other_role.rank is not None and other_role is not role]
        ways += [{**plain, "rank": rank} for rank in ranks]
    if tag == "start-duty":
        ways.append({**plain, "name": "somebody-else"})
    elif tag == "end-duty":
        ways += [{**plain, "name": "house-dealer"}]
        ways += [{**plain, "name": pit}] if role is Role.DEALER else []
    elif tag == "choose-option":
        ways += [in_anns_name] if role is not Role.PIT_SUPERVISOR else []
    elif tag != "open-table":
        others = [in_pits_name, plain, in_anns_name] if role is not Role.PIT_SUPERVISOR else [{**plain, "by": ann}]
        ways += others
    if tag == "load-shoe":
        ways += [{**plain, "order": ["AS"] * 416}, {**plain, "salt": "00" * 32}, {**plain, "commitment": "00" * 32}]
    if tag in ("open-betting", "open-table"):
        ways.append({**plain, "on": "2024-06-01"})
    return ways
