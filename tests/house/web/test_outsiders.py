"""Outsiders and script kiddies: floods, slow and endless requests, guesses, other sites. Each was a way in once, or is
what somebody tries first."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from tests.house.web.running import PASSWORD, Person, Server, guest, serving, staff
from tests.house.web.test_live import closed, frame, watching
from tests.patience import LONG_S


def raw(server: Server, *lines: bytes) -> socket.socket:
    """A connection with these bytes sent, as no well-behaved client would."""
    parts = urlsplit(server.url)
    connection = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=LONG_S)
    for line in lines:
        connection.sendall(line)
    return connection


def test_a_name_that_is_known_is_no_weapon(tmp_path: Path) -> None:
    """Behind a proxy: wrong passwords from one address keep nobody out at another."""
    with (
        serving(tmp_path, "--no-demo", "--behind-tls", "--no-rate-limits") as server,
        server.client() as client,
    ):

        def log_in(address: str, name: str, password: str) -> int:
            headers = {"x-forwarded-for": address, "x-forwarded-proto": "https"}
            return client.post("/api/sessions", json={"name": name, "password": password}, headers=headers).status_code

        wrong = [log_in("198.51.100.7", "shift-manager", "guess-guess") for _ in range(6)]
        assert wrong == [401] * 5 + [429]
        assert log_in("198.51.100.7", "shift-manager", PASSWORD) == 429
        assert log_in("192.0.2.1", "shift-manager", PASSWORD) == 201
        unknown = [log_in("198.51.100.8", "nobody-at-all", "guess-guess") for _ in range(6)]
        assert unknown == wrong, "how it is answered does not tell whether there is such an account"
        rotated = [log_in(f"2001:db8::{number:x}", "pit-manager", "guess-guess") for number in range(1, 7)]
        assert rotated == wrong, "one customer has a whole /64 of addresses"


def test_a_page_over_plain_http_is_another_site_behind_tls(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--no-demo", "--behind-tls") as server,
        server.client() as client,
    ):
        host = server.url.removeprefix("http://")
        assert client.post("/api/guests", headers={"origin": f"http://{host}"}).status_code == 403
        answer = client.post("/api/guests", headers={"origin": f"https://{host}"})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-punto_session=")
        assert "domain" not in cookie.lower()
        token = cookie.partition(";")[0].partition("=")[2]
        for name, status in (("__Host-punto_session", 200), ("punto_session", 401)):
            reply = server.get("/api/me", headers={"cookie": f"{name}={token}"})
            assert reply.status_code == status, name


def test_names_made_up_for_one_file_are_kept_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from punto.house.web import page

    (tmp_path / "index.html").write_bytes(b"<!doctype html>")
    monkeypatch.setattr(page, "PAGE", tmp_path)
    monkeypatch.setattr(page, "_files", {})
    for number in range(100):
        assert page._file(f"{number}/../index.html") == b"<!doctype html>"
    assert page._file("../../etc/passwd") is None
    assert len(page._files) == 1


def test_a_request_that_is_too_large_is_told_so(server: Server) -> None:
    """The answer comes before the end of the body, and the rest of the body is not taken for a next request."""
    with guest(server) as ann:
        statuses = [ann.raw("/api/tables/x/commands", b" " * 300_000).status_code for _ in range(60)]
    assert statuses == [413] * 60


@contextmanager
def limited(folder: Path) -> Iterator[Server]:
    with serving(folder, "--no-demo") as server:
        yield server


def test_a_list_costs_what_its_commands_cost(tmp_path: Path) -> None:
    """Somebody sits down and stands up for ever, 64 commands at once: what is written is never deleted."""
    with limited(tmp_path) as server, staff(server, "pit-supervisor") as pit, guest(server) as ann:
        pit.open("churn")
        ann.must("churn", {"do": "join"})
        many: list[dict[str, Any]] = [{"do": "sit", "box": 1}, {"do": "stand-up"}] * 32
        assert ann.do("churn", *many).status_code == 200
        # The allowance grows while a busy machine answers.
        assert any(ann.do("churn", *many).status_code == 429 for _ in range(20))


def test_a_socket_without_a_session_is_not_listened_to_for_long(tmp_path: Path) -> None:
    with limited(tmp_path) as server, staff(server, "pit-supervisor") as pit, Person(server) as nobody:
        pit.open("heard")
        with watching(nobody, "heard") as live:
            for _ in range(25):
                live.send(json.dumps({"key": "k", "csrf": "", "command": {"do": "join"}}))
            assert closed(live) == 4403


def test_no_nesting_makes_a_bug(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit, guest(server) as ann:
        for depth in (500, 900, 5_000, 60_000):
            deep = b"[" * depth + b"]" * depth
            opened = pit.raw("/api/tables", b'{"table":"deep","edition":' + deep + b"}")
            joined = ann.raw("/api/tables/nowhere/commands", b'{"key":"k","command":{"do":"join","x":' + deep + b"}}")
            approval = pit.raw(
                "/api/approvals", b'{"act":"late-settlement","table":"t","command":{"do":' + deep + b"}}"
            )
            assert {opened.status_code, joined.status_code, approval.status_code} <= {400, 404}, depth


def test_private_answers_are_not_kept_by_anybody_between(server: Server) -> None:
    with guest(server) as ann, staff(server, "auditor") as auditor:
        for path in ("/api/me", "/api/me/rounds", "/api/tables", "/api/approvals"):
            assert ann.get(path).headers["cache-control"] == "no-store", path
        for path in ("/api/exports/ledger.csv", "/api/approvals"):
            assert auditor.get(path).headers["cache-control"] == "no-store", path


def test_a_socket_that_lost_its_session_gives_no_command(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit:
        pit.open("revoked-1")
        with watching(ann, "revoked-1") as live:
            frame(live)
            assert ann.http.delete("/api/sessions/current", headers={"x-csrf-token": ann.csrf}).status_code == 204
            with suppress(ConnectionClosed):
                live.send(json.dumps({"key": "k", "csrf": ann.csrf, "command": {"do": "join", "chips": "1.00"}}))
            assert closed(live) == 4401
        assert pit.get("/api/tables/revoked-1").json()["view"].get("patrons", {}) == {}


def test_reading_long_ago_costs_more(tmp_path: Path) -> None:
    """A hundred rounds take the house as long as a hundred ordinary requests."""
    with limited(tmp_path) as server, staff(server, "pit-supervisor") as pit, Person(server) as nobody:
        pit.open("long-ago")
        path = "/api/tables/long-ago/rounds?limit=100"
        assert nobody.get(path).status_code == 200
        began = time.monotonic()
        allowed = sum(1 for _ in takewhile(lambda _: nobody.get(path).status_code == 200, range(1_000)))
        # The allowance grows by two such requests a second while the house answers.
        assert allowed < 11 + 2 * (time.monotonic() - began)
