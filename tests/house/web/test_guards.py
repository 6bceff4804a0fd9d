"""What passes the guards and what does not: sessions that end during a request, bad requests, methods and queries."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from punto.house import logs
from punto.house.audit.run import audit
from punto.house.web.caller import address_of
from punto.house.web.guards import Guards
from punto.house.web.parts import Parts
from punto.house.web.settings import Settings
from tests.house.web.running import EDITION, LIMITS, Person, Server, eventually, guest, serving, staff
from tests.house.web.test_approvals import ask
from tests.house.web.test_hostile import code
from tests.house.web.test_live import closed, watching
from tests.house.web.test_outsiders import raw


def head(person: Person, path: str, body: bytes, method: str = "POST") -> bytes:
    lines = (
        f"{method} {path} HTTP/1.1",
        "host: x",
        f"cookie: {person.cookie}",
        f"x-csrf-token: {person.csrf}",
        "content-type: application/json",
        f"content-length: {len(body)}",
    )
    return "\r\n".join((*lines, "", "")).encode()


def status_and_body(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    """Status and JSON of one answer."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = connection.recv(65_536)
        assert part, f"it was closed after {answer!r}"
        answer += part
    first, _, body = answer.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in first.split(b"\r\n")[1:])
    while len(body) < int(fields[b"content-length"]):
        body += connection.recv(65_536)
    return int(first.split()[1]), json.loads(body) if body else {}


@contextmanager
def held_back(server: Server, person: Person, path: str, body: Any, method: str = "POST") -> Iterator[socket.socket]:
    """A request of which everything is sent but the last byte."""
    written = json.dumps(body).encode()
    with raw(server, head(person, path, written, method) + written[:-1]) as connection:
        # An answer on another connection comes after the house has read what was sent on this one.
        assert person.get("/api/me").status_code == 200
        yield connection


@pytest.mark.parametrize("how", ["logout", "lock", "role"])
def test_a_session_that_ends_while_a_request_arrives_acts_no_more(server: Server, how: str) -> None:
    name, table = f"held-{how}", f"held-{how}"
    with staff(server, "shift-manager") as chief, staff(server, "pit-supervisor") as pit, Person(server) as dealer:
        password = chief.post("/api/people", {"name": name, "role": "dealer"}).json()["password"]
        pit.open(table)
        before = pit.get(f"/api/tables/{table}").json()["version"]
        dealer.log_in(name, password)
        body = {"key": "k", "command": {"do": "start-duty"}}
        with held_back(server, dealer, f"/api/tables/{table}/commands", body) as connection:
            if how == "logout":
                left = dealer.http.delete("/api/sessions/current", headers={"x-csrf-token": dealer.csrf})
                assert left.status_code == 204, left.text
            elif how == "lock":
                assert chief.put(f"/api/people/{name}/locked", {"locked": True}).status_code == 200
            else:
                assert chief.put(f"/api/people/{name}/role", {"role": "patron"}).status_code == 200
            connection.sendall(b"}")
            status, problem = status_and_body(connection)
        assert (status, problem.get("code")) == (401, "no-session"), problem
        assert pit.get(f"/api/tables/{table}").json()["version"] == before


def test_who_was_locked_approves_no_more(server: Server) -> None:
    with guest(server) as ann, staff(server, "shift-manager") as chief, staff(server, "pit-manager") as second:
        approval = ask(chief, act="balance-adjustment", person=ann.name, cents="1.00", reason="r")
        path = f"/api/approvals/{approval['id']}/approve"
        with held_back(server, second, path, {"hash": approval["hash"]}) as connection:
            assert chief.put("/api/people/pit-manager/locked", {"locked": True}).status_code == 200
            try:
                connection.sendall(b"}")
                status, problem = status_and_body(connection)
            finally:
                chief.put("/api/people/pit-manager/locked", {"locked": False})
        assert (status, problem["code"]) == (401, "no-session")
        assert ann.get("/api/me").json()["wallet"] == "10000.00"


def test_a_session_that_ends_at_another_node_acts_no_more_here(tmp_path: Path, database_url: str) -> None:
    options = ("--no-demo", "--no-rate-limits")
    with (
        serving(tmp_path, *options, database=database_url) as here,
        serving(tmp_path, *options, database=database_url) as there,
        staff(there, "shift-manager") as chief,
        staff(there, "pit-supervisor") as pit,
        staff(here, "dealer") as dealer,
    ):
        pit.open("two-nodes")
        before = pit.get("/api/tables/two-nodes").json()["version"]
        body = {"key": "k", "command": {"do": "start-duty"}}
        with held_back(here, dealer, "/api/tables/two-nodes/commands", body) as connection:
            assert chief.put("/api/people/dealer/role", {"role": "auditor"}).status_code == 200
            assert eventually(lambda: dealer.get("/api/me").status_code == 401)
            connection.sendall(b"}")
            status, problem = status_and_body(connection)
        assert (status, problem.get("code")) == (401, "no-session"), problem
        assert pit.get("/api/tables/two-nodes").json()["version"] == before


def test_a_lock_and_an_unlock_at_once_leave_one_truth(tmp_path: Path, database_url: str) -> None:
    with serving(tmp_path, "--no-demo", "--no-rate-limits", database=database_url) as server:
        with staff(server, "shift-manager") as chief, ThreadPoolExecutor(8) as many:
            for _ in range(3):
                locked = [{"locked": number % 2 == 0} for number in range(8)]
                locks = [many.submit(chief.put, "/api/people/dealer/locked", body) for body in locked]
                roles = [many.submit(chief.put, "/api/people/dealer/role", {"role": r}) for r in ("patron", "dealer")]
                assert {future.result().status_code for future in (*locks, *roles)} <= {200, 503}
        server.stop()
    assert audit(database_url).findings == []


# ------------------------------------------------------------------ bad requests

LIVE = "/api/tables/tiger-buffalo-commission/live"
UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"


def whole(connection: socket.socket) -> bytes:
    """All that comes until the connection is closed."""
    answer = b""
    while part := connection.recv(65_536):
        answer += part
    return answer


def refused(connection: socket.socket) -> tuple[int, str]:
    """Status and code of the answer after which the connection is closed."""
    first, _, body = whole(connection).partition(b"\r\n\r\n")
    return int(first.split()[1]), json.loads(body)["code"] if body else ""


@pytest.mark.parametrize(
    ("method", "rest", "status"),
    [
        (b"PUT", KEY, 405),
        (b"GET", b"", 400),
        (b"GET", b"Sec-WebSocket-Version: 13\r\n", 400),
        (b"GET", b"Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n", 400),
        (b"GET", KEY.replace(b"13", b"12"), 400),
        (b"GET", KEY + KEY, 400),
    ],
)
def test_what_is_no_handshake_opens_no_socket(server: Server, method: bytes, rest: bytes, status: int) -> None:
    with raw(
        server, method + b" " + LIVE.encode() + b" HTTP/1.1\r\nHost: x\r\n" + UPGRADE + rest + b"\r\n"
    ) as connection:
        assert whole(connection).startswith(b"HTTP/1.1 %d " % status)


def test_another_protocol_is_not_upgraded_to(server: Server) -> None:
    with raw(
        server, b"GET /api/tables HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"
    ) as connection:
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("origin", [b"http://[", b"http://[::1", b"\xff://\xff", b"http://\xe2\x84\x80.x", b""])
def test_an_origin_that_is_none_is_another_site(server: Server, origin: bytes) -> None:
    request = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nOrigin: " + origin + b"\r\n\r\n"
    with raw(server, request) as connection:
        status, problem = status_and_body(connection)
    assert (status, problem["code"]) == (403, "bad-origin")
    request = b"GET " + LIVE.encode() + b" HTTP/1.1\r\nHost: x\r\nOrigin: " + origin + b"\r\n" + UPGRADE + KEY + b"\r\n"
    with raw(server, request) as connection:
        assert refused(connection) == (403, "bad-origin")


def test_a_bug_in_the_guards_is_told_and_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(logs, "_write", lambda level, what, facts: said.append({"what": what, **facts}))
    here = Parts(Settings())
    here.ready = True
    monkeypatch.setattr(here.by_address, "take", _broken)
    monkeypatch.setattr(here.handshakes, "take", _broken)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    guards = Guards(None, here)
    scope: dict[str, Any] = {"method": "GET", "path": "/api/me", "headers": [(b"host", b"localhost")], "client": None}
    asyncio.run(guards({**scope, "type": "http"}, receive, send))
    assert sent[0]["status"] == 500
    assert json.loads(sent[1]["body"])["code"] == "bug"
    extensions: dict[str, Any] = {"websocket.http.response": {}}
    asyncio.run(guards({**scope, "type": "websocket", "extensions": extensions}, receive, send))
    assert sent[2]["status"] == 500
    assert json.loads(sent[3]["body"])["code"] == "bug"
    assert [line["what"] for line in said] == ["bug", "request", "bug", "socket-refused"]


def _broken(*_: object) -> float:
    raise RuntimeError("a bug")


# ------------------------------------------------------------------ methods, queries, keys


def test_head_is_answered_as_get_is(server: Server) -> None:
    with Person(server) as nobody:
        for path in ("/health", "/ready", "/metrics", "/", "/schema", "/api/tables", "/api/me", "/api/nowhere"):
            answer, got = nobody.http.head(path), nobody.get(path)
            assert (answer.status_code, answer.content) == (got.status_code, b""), path
            assert answer.headers["content-type"] == got.headers["content-type"]
        assert nobody.http.head("/api/guests").status_code == 405
        allowed = nobody.http.put("/api/tables").headers["allow"]
        assert {*allowed.split(", ")} == {"GET", "HEAD", "OPTIONS", "POST"}


@pytest.mark.parametrize("line", [b"NONSENSE", b"FOO / HTTP/1.1", b"GET / HTTP/1.1\r\nContent-Length: -1"])
def test_what_is_no_request_is_told_so(server: Server, line: bytes) -> None:
    with raw(server, line + b"\r\n\r\n") as connection:
        assert whole(connection).startswith(b"HTTP/1.1 400 ")


def test_a_name_that_an_address_can_t_hold_is_not_given(server: Server) -> None:
    """A browser takes `..` for the folder above: nobody could ever lock this person. And a spreadsheet that opens an
    export reads `-a1` as a formula."""
    with staff(server, "pit-supervisor") as pit, staff(server, "shift-manager") as chief:
        table = {"edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS}
        for name in (".", "..", "-", "._-", "-a1"):
            assert code(chief.post("/api/people", {"name": name, "role": "patron"})) == (409, "bad-name")
            assert code(pit.post("/api/tables", {"table": name, **table})) == (400, "bad-name")


def test_a_house_may_have_no_guests_and_tell_its_figures_to_whoever_has_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUNTO_METRICS_TOKEN", "a-token")
    with serving(tmp_path, "--no-demo", "--no-guests") as server, Person(server) as nobody:
        assert code(nobody.http.post("/api/guests")) == (403, "no-guests")
        for header in (b"", b"a-token", b"Bearer a-toke", b"bearer", b"Bearer \xe9"):
            assert code(nobody.http.get("/metrics", headers={b"authorization": header})) == (403, "not-allowed"), header
        answer = nobody.http.get("/metrics", headers={"authorization": "Bearer a-token"})
        assert answer.status_code == 200
        assert "punto_sockets" in answer.text
        assert nobody.get("/ready").status_code == 200


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1"),
        ("[2001:db8::1]:4711", "2001:db8::/64"),
        ("2001:db8::1", "2001:db8::/64"),
        ("[::ffff:192.0.2.1]:1", "192.0.2.1"),
    ],
)
def test_a_port_that_a_proxy_tells_makes_no_other_visitor(address: str, counted: str) -> None:
    scope = {"client": ("10.0.0.1", 1)}
    assert address_of(scope, {b"x-forwarded-for": address.encode()}, Settings(behind_tls=True)) == counted


def test_before_the_first_version_there_is_nothing_to_watch_from(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit:
        pit.open("guards-after")
        assert pit.get("/api/tables/guards-after/events?after=-1").status_code == 400
        with watching(pit, "guards-after", -1) as live:
            assert closed(live) == 4403


def test_a_name_that_ends_with_a_line_is_none(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit, staff(server, "shift-manager") as chief:
        pit.open("guards-key")
        assert code(pit.do("guards-key", {"do": "start-duty"}, key="k\n")) == (400, "bad-request")
        assert code(chief.post("/api/people", {"name": "line\n", "role": "patron"})) == (400, "bad-request")
        cents = {"act": "balance-adjustment", "person": "dealer", "cents": "1.00\n", "reason": "r"}
        assert code(pit.post("/api/approvals", cents)) == (400, "bad-request")
        assert pit.http.get("/api/me/rounds", params={"before": "1\n"}).status_code == 400
