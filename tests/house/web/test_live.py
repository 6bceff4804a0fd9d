"""The live socket: which frames come, who may send commands, and what closes it."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from litestar import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from punto.house import serve
from punto.house.web import live, sockets
from tests.house.table.playing import a_house, betting, hubs
from tests.house.web.running import GAME, LONG_S, Person, Server, eventually, guest, serving, staff
from tests.patience import SOCKET


@contextmanager
def watching(
    person: Person, table: str, after: int | str | None = None, origin: str | None = None
) -> Iterator[ClientConnection]:
    url = person.server.url.replace("http", "ws", 1) + f"/api/tables/{table}/live"
    url += f"?after={after}" if after is not None else ""
    headers = {"Cookie": person.cookie} if person.name else {}
    with connect(url, additional_headers=headers, origin=origin, **SOCKET) as socket:  # type: ignore[arg-type]
        yield socket


def frame(socket: ClientConnection, kind: str | None = None) -> dict[str, Any]:
    """The next frame, or the next of a kind."""
    ends = time.monotonic() + LONG_S
    while time.monotonic() < ends:
        message: dict[str, Any] = json.loads(socket.recv(LONG_S))
        if kind is None or message["frame"] == kind:
            return message
    raise AssertionError(f"no {kind}")


def closed(socket: ClientConnection, before: float = float("inf")) -> int:
    """The code with which the server closes, before it sends anything of version `before`."""
    ends = time.monotonic() + LONG_S
    while time.monotonic() < ends and socket.close_code is None:
        with suppress(ConnectionClosed, TimeoutError):
            late = json.loads(socket.recv(max(0.01, ends - time.monotonic())))
            assert late.get("to", 0) < before, "it was closed only after this"
    code = socket.close_code
    assert code is not None, "the server did not close it in time"
    return code


def test_a_snapshot_then_events_and_answers(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit, Person(server) as nobody:
        pit.open("live-1")
        with watching(ann, "live-1") as socket, watching(nobody, "live-1") as board, watching(pit, "live-1") as desk:
            first = frame(socket)
            assert (first["frame"], first["version"]) == ("snapshot", 1)
            assert [move["do"] for move in first["mine"].pop("can")] == ["join"]
            assert first["mine"] == {}
            assert first["view"]["phase"] == "no-shoe"
            assert first["now"]
            for reader in (board, desk):
                assert frame(reader)["frame"] == "snapshot"
            order = {"key": "k1", "csrf": ann.csrf, "command": {"do": "join", "chips": "50.00"}}
            socket.send(json.dumps(order))
            answer = frame(socket, "answer")
            assert answer["key"] == "k1"
            assert [event["event"] for event in answer["answer"]["events"]] == ["patron-joined", "chips-bought"]
            socket.send(json.dumps(order))
            again = frame(socket, "answer")
            assert again["answer"] == answer["answer"]
            public, known = frame(board, "events"), frame(desk, "events")
            assert ann.name not in json.dumps(public)
            assert public["to"] == known["to"] == 3
            assert known["mine"]["patrons"] == {ann.name: "50.00"}
            socket.send(json.dumps({"key": "k2", "csrf": "no", "command": {"do": "leave"}}))
            assert frame(socket, "answer")["problem"]["code"] == "csrf"
            socket.send("{")
            assert frame(socket, "answer")["problem"]["code"] == "bad-json"
            several = [{"do": "sit", "box": 1}, {"do": "stand-up"}, {"do": "sit", "box": 2}]
            socket.send(json.dumps({"key": "k3", "csrf": ann.csrf, "commands": several}))
            assert [event["event"] for event in frame(socket, "answer")["answer"]["events"]] == [
                "seat-taken",
                "seat-left",
                "seat-taken",
            ]
            board.send(json.dumps({"key": "k4", "csrf": "", "command": {"do": "join"}}))
            assert frame(board, "answer")["problem"]["code"] == "no-session"
        with watching(ann, "live-1", after=3) as socket:
            resumed = frame(socket)
            assert (resumed["frame"], resumed["from"], resumed["to"]) == ("events", 4, 6)


def test_a_sign_of_life_is_given_to_whoever_asks_and_not_to_a_flood(server: Server) -> None:
    """It needs no session and is not charged. The socket of a client that asks again and again is closed."""
    with staff(server, "pit-supervisor") as pit, Person(server) as nobody:
        pit.open("live-beat")
        with watching(nobody, "live-beat") as socket:
            assert frame(socket)["frame"] == "snapshot"
            socket.send('{"ping":true}')
            beat = frame(socket)
            assert beat["frame"] == "ping"
            assert beat["now"]
            for _ in range(60):
                with suppress(ConnectionClosed):
                    socket.send('{"ping":true}')
            assert closed(socket) == 4403


def test_no_such_table_and_another_site(server: Server) -> None:
    with guest(server) as ann:
        with watching(ann, "nowhere") as socket:
            assert closed(socket) == 4404
        with pytest.raises(InvalidStatus) as refused, watching(ann, GAME, origin="https://elsewhere.example"):
            pass
        assert refused.value.response.status_code == 403
        with watching(ann, GAME, origin=server.url) as socket:
            assert frame(socket)["frame"] == "snapshot"
        with watching(ann, GAME, after="x") as socket:
            assert closed(socket) == 4403


def test_logging_out_closes_sockets(server: Server) -> None:
    """They are closed before the logout is answered: nothing that happens after it is sent."""
    with guest(server) as ann, guest(server) as bob, watching(ann, GAME) as socket, watching(ann, GAME) as other:
        frame(socket)
        assert ann.http.delete("/api/sessions/current", headers={"x-csrf-token": ann.csrf}).status_code == 204
        later = bob.must(GAME, {"do": "join"})["version"]
        assert closed(socket, later) == 4401
        assert closed(other, later) == 4401
        assert ann.get("/api/me").status_code == 401


@pytest.mark.parametrize(("what", "body"), [("locked", {"locked": True}), ("role", {"role": "patron"})])
def test_being_locked_or_losing_a_role_closes_sockets(server: Server, what: str, body: dict[str, Any]) -> None:
    name = f"short-lived-{what}"
    with staff(server, "shift-manager") as chief, Person(server) as dealer:
        made = chief.post("/api/people", {"name": name, "role": "dealer"})
        dealer.log_in(name, made.json()["password"])
        with watching(dealer, GAME) as socket:
            frame(socket)
            assert chief.put(f"/api/people/{name}/{what}", body).status_code == 200
            assert closed(socket) == 4401


def test_another_node_closes_them_too(tmp_path: Path, database_url: str) -> None:
    with (
        serving(tmp_path, "--no-rate-limits", database=database_url) as here,
        serving(tmp_path, database=database_url) as there,
        guest(here) as ann,
        Person(there) as elsewhere,
    ):
        elsewhere.http.cookies.set("punto_session", ann.http.cookies["punto_session"])
        elsewhere.name = ann.name
        with watching(elsewhere, GAME) as socket:
            frame(socket)
            ann.http.delete("/api/sessions/current", headers={"x-csrf-token": ann.csrf})
            assert closed(socket) == 4401


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_stop_closes_every_socket_with_its_code(tmp_path: Path, stop_signal: signal.Signals) -> None:
    """Also when the terminal that the server was started from is closed. The house waits STOP_SECONDS for whoever is
    connected, and then as long for its dealers."""
    assert 2 * serve.STOP_SECONDS < 5
    with (
        serving(tmp_path, "--no-rate-limits") as server,
        guest(server) as ann,
        Person(server) as nobody,
        watching(ann, GAME) as socket,
        watching(nobody, GAME) as board,
    ):
        frame(socket)
        frame(board)
        server.stop(stop_signal)
        assert server.process.returncode == 0
        assert {closed(socket), closed(board)} == {1012}


# ------------------------------------------------------------------ readers that take nothing


@contextmanager
def taking_nothing(server: Server, table: str) -> Iterator[socket.socket]:
    """A socket with a small buffer. Only its first bytes are read, which show that the house knows of it."""
    parts = urlsplit(server.url)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(LONG_S)
        connection.connect((parts.hostname, parts.port))
        key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        head = f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        connection.sendall(head.encode() + key + b"\r\n")
        read = b""
        while not read.partition(b"\r\n\r\n")[2]:
            part = connection.recv(256)
            assert part, read
            read += part
        yield connection


def read_on(connection: socket.socket) -> bytes:
    """All that still comes."""
    rest = b""
    with suppress(ConnectionError):
        while part := connection.recv(1 << 20):
            rest += part
    return rest


PINGS = (b"\x89\xfd\0\0\0\0" + b"p" * 125) * 1_000
"""Each ping is answered, and the answers fill a buffer that nobody reads."""


def test_who_takes_nothing_is_closed_and_holds_up_nobody(server: Server) -> None:
    def too_slow() -> str:
        return next(
            (line for line in server.get("/metrics").text.splitlines() if "4408" in line),
            "",
        )

    with guest(server) as ann, staff(server, "pit-supervisor") as pit:
        pit.open("slow-1")
        before = too_slow()
        with taking_nothing(server, "slow-1") as slow, watching(ann, "slow-1") as quick:
            for _ in range(40):
                slow.sendall(PINGS)
            moves = cycle(("join", "leave"))

            def closed_after_another_frame() -> bool:
                """A busy house may have answered few of the pings yet: then there is still room for a frame."""
                ann.must("slow-1", {"do": next(moves)})
                frame(quick, "events")
                return too_slow() != before

            assert eventually(closed_after_another_frame)
            read_on(slow)


async def test_who_reads_again_in_time_is_told_the_code(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "DEADLINE_S", 0.05)
    sent: list[Any] = []

    async with a_house(sqlite_url) as house:
        await betting(house, "ann")
        reading, room = await hubs[house].subscribe("T1"), asyncio.Event()

        async def send(message: Any) -> None:
            await room.wait()
            sent.append(message)

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        scope: Any = {"type": "websocket", "path": "/", "headers": [], "query_string": b"", "state": {}}
        sending = asyncio.ensure_future(live._send(WebSocket(scope, receive, send), reading, house.clock))
        async with asyncio.timeout(LONG_S):
            while hubs[house].readers:
                await asyncio.sleep(0.01)
            assert not sent
            room.set()
            await sending
        assert [(message["type"], message["code"]) for message in sent] == [("websocket.close", 4408)]


def test_a_stop_is_in_order_whatever_a_socket_does(tmp_path: Path) -> None:
    """One socket has closed and reads nothing, so uvicorn can't send it a code. The others get theirs."""
    with (
        serving(tmp_path, "--no-rate-limits") as server,
        guest(server) as ann,
        taking_nothing(server, GAME) as hostile,
        watching(ann, GAME) as socket_,
    ):
        frame(socket_)
        for _ in range(40):
            hostile.sendall(PINGS)
        hostile.sendall(b"\x88\x82\0\0\0\0\x03\xe8")
        assert ann.get("/api/me").status_code == 200
        server.stop()
        assert server.process.returncode == 0
        assert closed(socket_) == 1012
