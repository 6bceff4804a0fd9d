"""The desk of the watch over HTTP: an unshuffled shoe raises an alarm, which is acknowledged and reported. Only
surveillance, shift managers and auditors see it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from punto.house.audit.run import audit
from punto.house.people.sessions import Session, Sessions
from punto.house.store.names import Role
from punto.house.watch.recorded_alarms import WatchBook
from punto.house.web import watch
from punto.house.web.caller import Caller
from punto.house.web.parts import Parts
from punto.house.web.settings import Settings
from tests.house.table.playing import a_house
from tests.house.web.running import LIMITS, Person, Server, eventually, guest, staff
from tests.house.web.test_live import frame
from tests.patience import LONG_S, SOCKET

ROUTES = ("/api/watch", "/api/watch/exposure", "/api/watch/exposure/watch-1", "/api/watch/patrons")
LOOKS = {"surveillance", "shift-manager", "auditor"}
STAFF = ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "auditor")
ROUNDS = (("AS", "2S", "3S", "4S", "5S"), ("6S", "7S", "8S", "9S", "TS"))
"""A new deck as it comes from its box, dealt by the Table of Play."""
LIVE = {"edition": "live-baccarat-insurance-commission/undated", "layout": "live", "positions": 7}


def surveillance(server: Server) -> Person:
    """Somebody with an account of that role, which the shift manager opens."""
    with staff(server, "shift-manager") as manager:
        opened = manager.post("/api/people", {"name": "eye", "role": "surveillance", "password": "first-word-4"})
        assert opened.status_code in (201, 409), opened.text
        if opened.status_code == 409:
            manager.put("/api/people/eye/password", {"password": "first-word-4"})
    return Person(server).log_in("eye", "first-word-4", own="own-word-5")


@pytest.fixture(scope="module")
def people(server: Server) -> Iterator[dict[str, Person]]:
    with ExitStack() as stack:
        yield {
            **{role: stack.enter_context(staff(server, role)) for role in STAFF},
            "surveillance": stack.enter_context(surveillance(server)),
        }


def play(server: Server, people: dict[str, Person], table: str, **settings: Any) -> None:
    """Two rounds from a new deck that nobody shuffled."""
    pit, dealer = people["pit-supervisor"], people["dealer"]
    pit.open(table, **settings)
    dealer.must(table, {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})
    if dealer.get(f"/api/tables/{table}").json()["view"]["phase"] == "commencing":
        dealer.must(table, {"do": "burn", "card": "KC"})
    with guest(server) as ann:
        ann.must(table, {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 2})
        for cards in ROUNDS:
            dealer.must(table, {"do": "open-betting"})
            ann.must(table, {"do": "place-wager", "box": 2, "bet": "player", "stake": "100.00"})
            dealer.must(table, {"do": "close-betting"})
            for card in cards:
                if dealer.get(f"/api/tables/{table}").json()["view"]["phase"] == "offer":
                    ann.do(table, {"do": "decline-insurance"})
                dealer.must(table, {"do": "draw-card", "card": card})
            dealer.must(table, {"do": "settle"})


def alarms(person: Person, table: str) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = person.get("/api/watch").json()["alarms"]
    return [entry for entry in shown if entry["alarm"]["table"] == table]


def test_an_unshuffled_shoe_is_seen_and_shown_with_its_evidence(server: Server, people: dict[str, Person]) -> None:
    eye = people["surveillance"]
    url = f"{server.url.replace('http', 'ws')}/api/watch/live"
    with connect(url, additional_headers={"Cookie": eye.cookie}, **SOCKET) as socket:
        play(server, people, "watch-1")
        frame(socket, "watch")  # the desk is told that there is something new
    assert eventually(lambda: bool(alarms(eye, "watch-1")))
    (known,) = alarms(eye, "watch-1")
    alarm = known["alarm"]
    assert (alarm["kind"], alarm["shoe"], alarm["first_card"], alarm["round"]) == ("run", "1", 1, 1)
    assert alarm["seen_at_card"] <= 10
    assert alarm["cards"].startswith("AS 2S 3S")
    assert alarm["beside"] == alarm["cards"]
    assert alarm["resembles"].startswith("new-deck 1")
    assert 0 < alarm["times_a_year"] < 1
    bets = {row["bet"]: row for row in eye.get("/api/watch/exposure/watch-1").json()["bets"]}
    assert bets["player"]["edge"] < 0
    assert "/" in bets["player"]["exact"]
    assert bets["player"]["limit"] == bets["player"]["worst"] == LIMITS["maximum"]
    assert bets["tie"]["limit"] is None, "this table has no limit on it"
    assert any(name.startswith("insurance ") for name in bets)
    listed = [exposure["table"] for exposure in eye.get("/api/watch/exposure").json()]
    assert "watch-1" in listed


def test_only_those_of_the_desk_are_told(server: Server, people: dict[str, Person]) -> None:
    play(server, people, "watch-2")
    assert eventually(lambda: bool(alarms(people["surveillance"], "watch-2")))
    with guest(server) as visitor:
        for path in ROUTES:
            seen = {role for role, person in people.items() if person.get(path).status_code == 200}
            assert seen == LOOKS, path
            assert visitor.get(path).status_code == 403
        said = {"note": "looked"}
        path = f"/api/watch/alarms/{alarms(people['surveillance'], 'watch-2')[0]['id']}/acknowledge"
        for role in (*STAFF, "visitor"):
            person = visitor if role == "visitor" else people[role]
            assert person.post(path, said).status_code == 403, role
        url = f"{server.url.replace('http', 'ws')}/api/watch/live"
        with connect(url, additional_headers={"Cookie": visitor.cookie}, **SOCKET) as socket:
            with pytest.raises(ConnectionClosed):
                socket.recv(LONG_S)
            assert socket.close_code == 4403
        # Nothing that everybody else can read of this table mentions the alarm.
        for person in (visitor, people["dealer"], people["pit-supervisor"]):
            for path in (
                *("/api/tables", "/api/tables/watch-2", "/api/tables/watch-2/events", "/api/tables/watch-2/rounds"),
                *("/api/tables/watch-2/rounds/1", "/api/tables/watch-2/roads", "/api/floor", "/api/me", "/api/day"),
            ):
                text = person.get(path).text
                assert not any(word in text for word in ("alarm", "resembles", "new-deck", "edge")), path


async def test_the_desk_is_closed_as_soon_as_its_session_ends(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the house has nothing to send, and no ping is due for long."""
    monkeypatch.setattr(watch, "PING_S", 3600.0)
    session = Session(b"", "eye", Role.SURVEILLANCE, False, "", 0, 0, 0)
    codes: list[int] = []

    class Desk:
        """The page's end of the socket: it only listens."""

        def __init__(self, here: Parts) -> None:
            self.app = SimpleNamespace(state=SimpleNamespace(parts=here))
            self.scope = {"punto": Caller("", "", session)}

        async def accept(self) -> None:
            pass

        async def receive(self) -> Any:
            await asyncio.Event().wait()

        async def close(self, code: int) -> None:
            codes.append(code)

    async with a_house(sqlite_url) as house:
        here = Parts(Settings())
        here.watch_book, sessions = WatchBook(house), Sessions(house.store, clock=house.clock)
        desk: Any = Desk(here)
        following = asyncio.ensure_future(watch.watch_live.fn(desk))
        while not here.watch_book.readers:
            await asyncio.sleep(0.01)
        await sessions.end(session)
        await following
        await watch.watch_live.fn(desk)
        assert codes == [4401, 4401], "whoever comes too late is told the same"
        assert not here.watch_book.readers


def test_an_alarm_is_acknowledged_on_record_and_reported_for_somebody_to_decide(
    server: Server, people: dict[str, Person]
) -> None:
    eye, dealer = people["surveillance"], people["dealer"]
    play(server, people, "watch-3")
    assert eventually(lambda: bool(alarms(eye, "watch-3")))
    (known,) = alarms(eye, "watch-3")
    done = eye.post(f"/api/watch/alarms/{known['id']}/acknowledge", {"note": "the camera shows no shuffle"})
    assert done.status_code == 200, done.text
    assert [(entry["by"], entry["note"]) for entry in done.json()["acknowledged"]] == [
        ("eye", "the camera shows no shuffle")
    ]
    assert eye.post(f"/api/watch/alarms/{known['id']}/acknowledge", {"note": "  "}).status_code == 400
    assert eye.post("/api/watch/alarms/nothing.1.run.1/acknowledge", {"note": "x"}).status_code == 404
    for command in ({"do": "open-betting"}, {"do": "start-duty"}, {"do": "join"}, {"do": "decide-irregularity"}):
        assert eye.do("watch-3", command).status_code == 403, command
    other = {"do": "report-irregularity", "kind": "excess-card"}
    assert eye.do("watch-3", other).status_code == 403
    assert known["report"]["note"] == f"surveillance {known['number']}"
    assert not any(word in known["report"]["note"] for word in ("run", "watch-3", ".")), "not how it was seen (O141)"
    without = {name: fact for name, fact in known["report"].items() if name != "round"}
    assert eye.do("watch-3", without).json()["code"] == "bad-report"
    eye.must("watch-3", known["report"])
    line = dealer.get("/api/tables/watch-3").json()["view"]
    assert line["phase"] == "irregularity"
    assert line["irregularity"] == "void"
    assert "follow" not in json.dumps(line), "how it was seen stays with surveillance"
    assert eye.do("watch-3", {"do": "decide-irregularity", "ruling": "void"}).status_code == 403


@pytest.mark.parametrize(
    ("table", "settings", "paragraph"),
    [("watch-5", {}, "5.5.5"), ("watch-6", LIVE, "L9")],
    ids=["tiger-buffalo", "live"],
)
def test_the_report_has_the_paragraph_of_the_tables_own_edition(
    server: Server, people: dict[str, Person], table: str, settings: dict[str, Any], paragraph: str
) -> None:
    eye = people["surveillance"]
    play(server, people, table, **settings)
    assert eventually(lambda: bool(alarms(eye, table)))
    (known,) = alarms(eye, table)
    assert known["report_paragraph"] == paragraph
    (reported,) = eye.must(table, known["report"])["events"]
    assert reported["paragraph"] == paragraph, "it is on record under the same one"


def test_the_report_is_offered_while_the_cards_are_in_use_and_no_longer(
    server: Server, people: dict[str, Person]
) -> None:
    """An alarm of the last shoe stops no round of the next one."""
    eye, dealer = people["surveillance"], people["dealer"]
    play(server, people, "watch-4")
    assert eventually(lambda: bool(alarms(eye, "watch-4")))
    offered = alarms(eye, "watch-4")[0]["report"]
    assert offered["round"] == len(ROUNDS)
    dealer.must("watch-4", {"do": "end-shoe"})
    gone = alarms(eye, "watch-4")[0]
    assert (gone["report"], gone["report_paragraph"]) == (None, None)
    dealer.must("watch-4", {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
    assert alarms(eye, "watch-4")[0]["report"] is None
    refused = eye.do("watch-4", offered)
    assert refused.status_code == 409, refused.text
    assert refused.json()["code"] == "bad-report"
    assert dealer.get("/api/tables/watch-4").json()["view"]["phase"] == "betting"


def test_the_desk_says_whether_anybody_watches(server: Server, people: dict[str, Person]) -> None:
    eye = people["surveillance"]
    assert eventually(lambda: eye.get("/api/watch").json()["watching"]["watches"])
    shown = eye.get("/api/watch").json()["watching"]
    assert shown["looked"] is not None
    assert (shown["behind"], shown["failing"], shown["failure"], shown["failed"]) == (0, [], "", None)


def test_two_persons_change_the_thresholds(server: Server, people: dict[str, Person]) -> None:
    eye, manager = people["surveillance"], people["pit-manager"]
    wanted = {"act": "watch-thresholds", "tables": 40, "false_alarms_a_year": "2.5"}
    for role in STAFF:
        assert people[role].post("/api/approvals", wanted).status_code == 403
    assert eye.post("/api/approvals", {**wanted, "pick_up": ["P1 P1"]}).status_code == 400
    answer = eye.post("/api/approvals", wanted)
    assert answer.status_code == 201, answer.text
    body, path = answer.json(), f"/api/approvals/{answer.json()['id']}/approve"
    for role in (*STAFF, "surveillance"):
        listed = people[role].get("/api/approvals?state=asked").json()
        seen = any(approval["id"] == body["id"] for approval in listed)
        assert seen == (role not in ("dealer", "pit-supervisor")), role
    floor = people["pit-supervisor"].get("/api/floor").json()
    assert floor["approvals"] == len(people["pit-supervisor"].get("/api/approvals?state=asked").json())
    assert eye.post(path, {"hash": body["hash"]}).status_code == 403
    assert people["shift-manager"].post(path, {"hash": body["hash"]}).json()["code"] == "same-person", "they opened it"
    done = manager.post(path, {"hash": body["hash"]})
    assert (done.status_code, done.json()["state"]) == (200, "done")
    now = eye.get("/api/watch").json()
    assert (now["thresholds"]["tables"], now["thresholds"]["false_alarms_a_year"]) == (40, "2.5")
    assert now["run_cards"] in range(6, 9)


def test_the_audit_has_nothing_to_say(server: Server, people: dict[str, Person]) -> None:
    report = audit(server.database)
    assert [
        finding for finding in report.findings if finding.stream.startswith(("watch/", "approval/", "table/watch-"))
    ] == []
