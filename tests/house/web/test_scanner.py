"""Cards from an electronic shoe: lines that come twice, get lost or change places, and the answers to a device."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from punto.game import commands as c
from punto.house.people.accounts import Accounts
from punto.house.people.sessions import Session, Sessions
from punto.house.store.names import Role
from punto.house.table.house import House
from punto.house.web import scanner
from punto.house.web.caller import Caller
from punto.house.web.parts import Parts
from punto.house.web.scanner import Device
from punto.house.web.settings import Settings
from punto.rulebook.model import Rank
from tests.house.table.playing import BET, CLOSE, LOAD, SETTLE, Time, a_house, did, opening
from tests.house.web.running import Person, Server, guest, staff
from tests.patience import LONG_S, SOCKET

COUP = ("KH", "2S", "7D", "3C", "4H")
LIVE = {"edition": "live-baccarat-insurance-commission/undated", "layout": "live", "positions": 7}


@contextmanager
def shoe(person: Person, table: str, token: str | None = None) -> Iterator[ClientConnection]:
    url = person.server.url.replace("http", "ws") + f"/api/tables/{table}/scanner"
    with connect(url, additional_headers={"Cookie": person.cookie}, **SOCKET) as socket:
        socket.send(f"HELLO {person.csrf if token is None else token}")
        yield socket


def ask(socket: ClientConnection, line: str) -> str:
    socket.send(line)
    return str(socket.recv(LONG_S))


def begun(server: Server, dealer: Person, table: str, **settings: Any) -> None:
    with staff(server, "pit-supervisor") as pit:
        pit.open(table, **settings)
    dealer.must(table, {"do": "start-duty"}, {"do": "load-shoe", "count": 416, "shuffled": True})


def faces(person: Person, table: str) -> dict[str, str]:
    cards: dict[str, str] = person.get(f"/api/tables/{table}").json()["view"]["cards"]
    return cards


class Program:
    """A device with a bad line: what it sends is repeated, lost or sent out of turn. It goes by the answers alone."""

    def __init__(self, socket: ClientConnection, cards: tuple[str, ...], first: int, seed: int) -> None:
        self.socket, self.cards, self.first = socket, cards, first
        self.chance = random.Random(seed)
        self.answers: list[str] = []

    def run(self) -> None:
        at = 0
        for _ in range(200):
            if at >= len(self.cards):
                return
            slip = self.chance.random()
            sent = at + 1 if slip < 0.25 and at + 1 < len(self.cards) else at  # one was lost, or two changed places
            sent = at - 1 if 0.25 <= slip < 0.5 and at else sent  # one comes twice
            answer = ask(self.socket, f"{self.first + sent} {self.cards[sent]}")
            self.answers.append(answer.split()[0])
            at = int(answer.split()[1]) - self.first + (answer.split()[0] in ("OK", "SEEN"))
        raise AssertionError("the device came to no end")


def test_a_device_that_repeats_loses_and_swaps_lines(server: Server) -> None:
    with staff(server, "dealer") as dealer:
        begun(server, dealer, "scan-1")
        for hand, seed in enumerate(range(40, 46)):
            dealer.must("scan-1", {"do": "open-betting"}, {"do": "close-betting"})
            with shoe(dealer, "scan-1") as socket:
                assert socket.recv(LONG_S) == f"READY 1 {hand * len(COUP) + 1}"
                device = Program(socket, COUP, hand * len(COUP) + 1, seed)
                device.run()
            assert {"WANT", "OK"} >= set(device.answers)
            assert list(faces(dealer, "scan-1").values()) == list(COUP)
            dealer.must("scan-1", {"do": "settle"})
        drawn = dealer.get("/api/tables/scan-1/events?limit=2000").json()["events"]
        assert sum(entry["event"]["event"] == "card-drawn" for entry in drawn) == 6 * len(COUP)


def test_what_a_line_is_told(server: Server) -> None:
    with staff(server, "dealer") as dealer:
        begun(server, dealer, "scan-2", **LIVE)
        with shoe(dealer, "scan-2") as socket:
            assert socket.recv(LONG_S) == "READY 1 1"
            assert ask(socket, "2 KH") == "WANT 1"
            assert ask(socket, "1 3S") == "OK 1"  # the first card of a new shoe is opened, three are skipped
            assert [ask(socket, f"{number} KD") for number in (2, 3, 4)] == ["SEEN 2", "SEEN 3", "SEEN 4"]
            assert ask(socket, "5 KH") == "WAIT 5 ready"
            dealer.must("scan-2", {"do": "open-betting"})
            assert ask(socket, "5 KH") == "WAIT 5 betting"
            dealer.must("scan-2", {"do": "close-betting"})
            assert ask(socket, " 5   10d ") == "OK 5"
            assert ask(socket, "5 TD") == "OK 5"
            assert ask(socket, "5 9H") == "DIFFERS 5"
            dealer.must("scan-2", {"do": "draw-card", "card": "2S"})
            assert ask(socket, "6 2S") == "SEEN 6"
            assert ask(socket, "7 9H") == "OK 7"
            assert ask(socket, "8 9C") == "OK 8"
            assert ask(socket, "9 9D").startswith("WAIT 9 complete")
            for line in ("", "x", "9", "9 1H", "-9 KH", "0 KH", "99999999 KH", "9 KH 2S", "\u0669 KH"):
                assert ask(socket, line).startswith("BAD"), line
        assert faces(dealer, "scan-2") == {"P1": "TD", "B1": "2S", "P2": "9H", "B2": "9C"}


async def test_a_line_that_was_refused_is_sent_again_once_it_is_settled(house: House) -> None:
    """The device is not on duty yet. Then it has read a card that can't come, and reads it again."""
    here = Parts(Settings())
    here.house, here.store = house, house.store
    await did(house, opening("t1", source="live"), LOAD, BET, CLOSE, table="t1")
    device = Device(here, Session(b"", "shoe", Role.DEALER, False, "", 0, 0, 0), "t1")
    assert await device.answer("1 9H") == "NO 1 not-on-duty"
    await did(house, c.StartDuty(name="shoe", rank=Rank.DEALER), table="t1")
    assert await device.answer("1 9H") == "OK 1"
    await did(house, *(c.DrawCard(by="shoe", card=card) for card in ("2S", "9D", "3C")), SETTLE, table="t1")
    for _ in range(7):
        cards = (c.DrawCard(by="shoe", card=card) for card in ("2S", "9H", "5C", "9D"))
        await did(house, BET, CLOSE, *cards, SETTLE, table="t1")
    await did(house, BET, CLOSE, table="t1")
    number = (await house.table("t1")).in_use.drawn + 1
    assert await device.answer(f"{number} 2S") == f"NO {number} too-many-of-a-card"
    assert await device.answer(f"{number} 2D") == f"OK {number}"
    assert await device.answer(f"{number} 2D") == f"OK {number}"
    assert await device.answer(f"{number} 2S") == f"DIFFERS {number}"


async def test_a_shuffler_counts_its_cards_anew_in_every_round(house: House) -> None:
    """I8: it takes all cards back when betting opens."""
    here = Parts(Settings())
    here.house, here.store = house, house.store
    duty = c.StartDuty(name="shoe", rank=Rank.DEALER)
    await did(house, opening("t1", source="live", device="shuffler"), LOAD, duty, table="t1")
    device = Device(here, Session(b"", "shoe", Role.DEALER, False, "", 0, 0, 0), "t1")
    for coup in (("9H", "2S", "TD", "3C"), ("8H", "2D", "TS", "3S")):
        await did(house, BET, CLOSE, table="t1")
        for number, face in enumerate(coup, 1):
            assert await device.answer(f"{number} {face}") == f"OK {number}"
            assert await device.answer(f"{number} {face}") == f"OK {number}", "a line that is repeated"
        assert await device.answer(f"1 {coup[1]}") == "DIFFERS 1"
        await did(house, SETTLE, table="t1")


async def test_a_card_that_is_entered_by_hand_in_the_same_moment_is_entered_once(house: House) -> None:
    """The line was read when its number was due, and is decided after the card by hand."""
    here = Parts(Settings())
    here.house, here.store = house, house.store
    duty = c.StartDuty(name="shoe", rank=Rank.DEALER)
    await did(house, opening("t1", source="live"), LOAD, duty, BET, CLOSE, table="t1")
    device = Device(here, Session(b"", "shoe", Role.DEALER, False, "", 0, 0, 0), "t1")

    async def meanwhile(face: str, line: str) -> str:
        by_hand = asyncio.create_task(did(house, c.DrawCard(by="sue", card=face), table="t1"))
        scanned = asyncio.create_task(device.answer(line))
        await by_hand
        return await scanned

    assert await meanwhile("9H", "1 9H") == "SEEN 1"
    assert await meanwhile("2S", "2 CUT") == "DIFFERS 2", "the cut card did not lie before the third"
    table = await house.table("t1")
    assert [dealt.face for dealt in table.current.cards] == ["9H", "2S"]
    assert not table.in_use.cut_drawn
    assert await device.answer("3 7D") == "OK 3"


def test_the_cut_card_comes_in_a_line_of_its_own(server: Server) -> None:
    """It is recorded once, before the card that it lay on, also if its line is sent twice, early or late."""
    with staff(server, "dealer") as dealer:
        begun(server, dealer, "scan-cut")
        with shoe(dealer, "scan-cut") as socket:
            socket.recv(LONG_S)
            assert ask(socket, "1 CUT") == "NO 1 not-now"  # between rounds it has no meaning in this edition
            dealer.must("scan-cut", {"do": "open-betting"})
            assert ask(socket, "1 CUT") == "WAIT 1 betting"
            dealer.must("scan-cut", {"do": "close-betting"})
            assert [ask(socket, f"{at} {face}") for at, face in enumerate(COUP[:2], 1)] == ["OK 1", "OK 2"]
            assert ask(socket, "4 CUT") == "WANT 3"
            assert ask(socket, "2 cut") == "DIFFERS 2"  # that card lies there already
            assert ask(socket, "3 cut") == "CUT 3"
            assert ask(socket, "3 CUT") == "CUT 3"
            assert [ask(socket, f"{at} {face}") for at, face in enumerate(COUP[2:], 3)] == ["OK 3", "OK 4", "OK 5"]
            assert ask(socket, "3 CUT") == "CUT 3"
        log = dealer.get("/api/tables/scan-cut/events?limit=2000").json()["events"]
        kinds = [entry["event"]["event"] for entry in log]
        assert [kind for kind in kinds if kind.startswith("c") and kind.endswith("drawn")] == (
            ["card-drawn"] * 2 + ["cut-card-drawn"] + ["card-drawn"] * 3
        )
        assert dealer.get("/api/tables/scan-cut").json()["view"]["last_round"]


def test_who_may_not_speak_for_a_shoe(server: Server) -> None:
    with staff(server, "dealer") as dealer, guest(server) as ann, staff(server, "pit-supervisor") as pit:
        begun(server, dealer, "scan-3")
        dealer.must("scan-3", {"do": "open-betting"}, {"do": "close-betting"})
        for person, table, token in ((ann, "scan-3", None), (dealer, "scan-3", "wrong"), (dealer, "none", None)):
            with pytest.raises(ConnectionClosed), shoe(person, table, token) as socket:
                socket.recv(LONG_S)
        with staff(server, "shift-manager") as shift, shoe(shift, "scan-3") as socket:
            assert socket.recv(LONG_S) == "READY 1 1"
            assert ask(socket, "1 KH") == "NO 1 not-on-duty"
        with shoe(dealer, "scan-3") as socket:
            socket.recv(LONG_S)
            assert {ask(socket, "no line of ours").split()[0] for _ in range(21)} == {"BAD"}
            with pytest.raises(ConnectionClosed):
                socket.recv(LONG_S)
        assert pit.get("/api/tables/scan-3").json()["view"]["cards"] == {}


def test_a_session_that_ends_before_the_first_line_ends_the_socket(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit, Person(server) as dealer:
        pit.open("scan-4")
        dealer.log_in("dealer")
        url = server.url.replace("http", "ws") + "/api/tables/scan-4/scanner"
        with connect(url, additional_headers={"Cookie": dealer.cookie}, **SOCKET) as socket:
            assert dealer.http.delete("/api/sessions/current", headers={"x-csrf-token": dealer.csrf}).status_code == 204
            with pytest.raises(ConnectionClosed):
                socket.recv(LONG_S)
            assert socket.close_code == 4401


async def test_the_lines_of_a_device_are_use_of_its_session(sqlite_url: str) -> None:
    """A device at work is not cut off, however long nothing else is asked in its session."""
    time = Time()
    async with a_house(sqlite_url, now=time) as house:
        here = Parts(Settings().unlimited())
        here.house, here.store, here.sessions = house, house.store, Sessions(house.store, clock=house.clock)
        await did(house, opening("t1", source="live"), table="t1")
        account = await Accounts(house.store, house.clock).open("shoe", Role.DEALER, None, "house")
        _, session = await here.sessions.begin(account)
        answers: list[str] = []

        class Line:
            """A line every twenty minutes."""

            def __init__(self) -> None:
                self.scope = {"punto": Caller("", "", session)}

            async def receive_text(self) -> str:
                time.pass_by(20 * 60)
                await here.sessions.check()
                if len(answers) == 4 or session.ended:
                    raise WebSocketDisconnect(detail="it has left")
                return "1 KH"

            async def send_text(self, answer: str) -> None:
                answers.append(answer)

        line: Any = Line()
        with pytest.raises(WebSocketDisconnect):
            await scanner._listen(line, Device(here, session, "t1"))
        assert answers == ["WAIT 1 no-shoe"] * 4
