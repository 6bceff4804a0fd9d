"""What passes the door and what does not: sessions that end on the way, requests that are none, methods and queries."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.house.web.running import Person, Server, guest, staff
from tests.house.web.test_approvals import ask
from tests.house.web.test_outsiders import raw


def head(one: Person, path: str, body: bytes, method: str = "POST") -> bytes:
    lines = (
        f"{method} {path} HTTP/1.1",
        "host: x",
        f"cookie: {one.cookie}",
        f"x-csrf-token: {one.csrf}",
        "content-type: application/json",
        f"content-length: {len(body)}",
    )
    return "\r\n".join((*lines, "", "")).encode()


def told(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    """Status and JSON of one answer."""
    found = b""
    while b"\r\n\r\n" not in found:
        part = connection.recv(65_536)
        assert part, f"it was closed after {found!r}"
        found += part
    first, _, body = found.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in first.split(b"\r\n")[1:])
    while len(body) < int(fields[b"content-length"]):
        body += connection.recv(65_536)
    return int(first.split()[1]), json.loads(body) if body else {}


@contextmanager
def held_back(server: Server, one: Person, path: str, body: Any, method: str = "POST") -> Iterator[socket.socket]:
    """A request of which everything is sent but the last byte."""
    written = json.dumps(body).encode()
    with raw(server, head(one, path, written, method) + written[:-1]) as connection:
        # An answer on another connection comes after the house has read what was sent on this one.
        assert one.get("/api/me").status_code == 200
        yield connection


@pytest.mark.parametrize("how", ["logout", "lock", "role"])
def test_a_session_that_ends_while_a_request_arrives_acts_no_more(server: Server, how: str) -> None:
    name, table = f"held-{how}", f"held-{how}"
    with staff(server, "shift-manager") as chief, staff(server, "pit-supervisor") as pit, Person(server) as one:
        password = chief.post("/api/people", {"name": name, "role": "dealer"}).json()["password"]
        pit.open(table)
        before = pit.get(f"/api/tables/{table}").json()["version"]
        one.log_in(name, password)
        body = {"key": "k", "command": {"do": "start-duty"}}
        with held_back(server, one, f"/api/tables/{table}/commands", body) as connection:
            if how == "logout":
                one.http.delete("/api/sessions/current", headers={"x-csrf-token": one.csrf})
            elif how == "lock":
                assert chief.put(f"/api/people/{name}/locked", {"locked": True}).status_code == 200
            else:
                assert chief.put(f"/api/people/{name}/role", {"role": "patron"}).status_code == 200
            connection.sendall(b"}")
            status, problem = told(connection)
        assert (status, problem["code"]) == (401, "no-session")
        assert pit.get(f"/api/tables/{table}").json()["version"] == before


def test_who_was_locked_approves_no_more(server: Server) -> None:
    with guest(server) as ann, staff(server, "shift-manager") as chief, staff(server, "pit-manager") as second:
        asked = ask(chief, act="balance-adjustment", person=ann.name, cents="1.00", reason="r")
        path = f"/api/approvals/{asked['id']}/approve"
        with held_back(server, second, path, {"hash": asked["hash"]}) as connection:
            assert chief.put("/api/people/pit-manager/locked", {"locked": True}).status_code == 200
            try:
                connection.sendall(b"}")
                status, problem = told(connection)
            finally:
                chief.put("/api/people/pit-manager/locked", {"locked": False})
        assert (status, problem["code"]) == (401, "no-session")
        assert ann.get("/api/me").json()["wallet"] == "10000.00"
