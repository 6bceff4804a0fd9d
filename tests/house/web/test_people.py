"""Accounts over HTTP: logging in, lockout, CSRF and Origin, rate limits, roles and locks."""

from __future__ import annotations

import asyncio
import re
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from punto.house.web.guards import Guards
from punto.house.web.parts import Parts
from punto.house.web.rate_limits import Rate, RateLimits
from punto.house.web.settings import Settings
from tests.house.web.running import PASSWORD, Person, Server, guest, serving, staff
from tests.patience import LONG_S


def test_cookies_and_headers(server: Server) -> None:
    with guest(server) as ann:
        answer = ann.http.post("/api/sessions", json={"name": "dealer", "password": PASSWORD})
        cookie = answer.headers["set-cookie"].lower()
        assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))
        assert "secure" not in cookie
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "script-src 'self';" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"


def test_a_login_takes_a_new_token_and_ends_the_old(server: Server) -> None:
    with staff(server, "dealer") as first:
        old = first.http.cookies["punto_session"]
        first.log_in("dealer")
        assert first.http.cookies["punto_session"] != old
        with Person(server) as thief:
            thief.http.cookies.set("punto_session", old)
            assert thief.get("/api/me").status_code == 401


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(server: Server) -> None:
    with Person(server) as nobody:
        answers = [
            nobody.http.post("/api/sessions", json={"name": name, "password": "wrong-password"})
            for name in ("auditor", "nobody-at-all", "HOUSE-DEALER", "house-dealer", "ünknown", "guest-abc")
        ]
        assert {answer.status_code for answer in answers} == {401}
        assert len({answer.content for answer in answers}) == 1


def test_after_five_failures_an_account_waits(server: Server) -> None:
    with staff(server, "shift-manager") as chief, Person(server) as patron:
        chief.post("/api/people", {"name": "forgetful", "role": "patron", "password": "the-right-one"})
        wrong = {"name": "forgetful", "password": "the-wrong-one"}
        assert [patron.http.post("/api/sessions", json=wrong).status_code for _ in range(5)] == [401] * 5
        answer = patron.http.post("/api/sessions", json={"name": "forgetful", "password": "the-right-one"})
        assert (answer.status_code, answer.json()["code"]) == (429, "locked-out")
        assert 800 < int(answer.headers["retry-after"]) <= 900
        chief.put("/api/people/forgetful/locked", {"locked": False})
        patron.log_in("forgetful", "the-right-one")


def test_csrf_and_origin(server: Server) -> None:
    with guest(server) as ann:
        path = "/api/tables/nowhere/commands"
        body = {"key": "k", "command": {"do": "join"}}
        missing = ann.http.post(path, json=body)
        assert (missing.status_code, missing.json()["code"]) == (403, "csrf")
        wrong = ann.http.post(path, json=body, headers={"x-csrf-token": "x" * 22})
        assert wrong.json()["code"] == "csrf"
        headers = {"x-csrf-token": ann.csrf}
        for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1"):
            answer = ann.http.post(path, json=body, headers={**headers, "origin": origin})
            assert (answer.status_code, answer.json()["code"]) == (403, "bad-origin"), origin
        assert ann.http.post(path, json=body, headers={**headers, "origin": server.url}).status_code == 404
        form = ann.http.post(path, data={"key": "k"}, headers=headers)
        assert form.status_code == 415


def test_only_a_shift_manager_keeps_accounts(server: Server) -> None:
    for role in ("dealer", "pit-supervisor", "pit-manager", "auditor"):
        with staff(server, role) as member:
            assert member.get("/api/people").status_code == 403
            assert member.post("/api/people", {"name": "new", "role": "patron"}).status_code == 403
            assert member.put("/api/people/dealer/role", {"role": "shift-manager"}).status_code == 403
    with staff(server, "shift-manager") as chief:
        assert chief.put("/api/people/shift-manager/locked", {"locked": True}).status_code == 409
        for name in ("house-dealer", "guest-abc", "cage"):
            assert chief.post("/api/people", {"name": name, "role": "patron"}).status_code == 409
        assert chief.post("/api/people", {"name": "dealer", "role": "dealer"}).json()["code"] == "name-taken"
        assert chief.put("/api/people/nobody-here/locked", {"locked": True}).status_code == 404
        names = [person["name"] for person in chief.get("/api/people").json()]
        assert "auditor" in names
        assert not any(name.startswith("guest-") for name in names)


def test_a_new_password_ends_every_session(server: Server) -> None:
    with staff(server, "shift-manager") as chief, Person(server) as first, Person(server) as second:
        chief.post("/api/people", {"name": "careful", "role": "patron", "password": "first-password"})
        first.come_with("careful", "first-password")
        second.come_with("careful", "first-password")
        assert first.post("/api/me/password", {"old": "not-this-one", "new": "second-password"}).status_code == 403
        assert first.post("/api/me/password", {"old": "first-password", "new": "short"}).status_code == 400
        assert first.post("/api/me/password", {"old": "first-password", "new": "second-password"}).status_code == 204
        assert (first.get("/api/me").status_code, second.get("/api/me").status_code) == (401, 401)
        first.log_in("careful", "second-password")


def test_an_approval_says_what_a_guest_who_has_bought_no_chips_holds(server: Server) -> None:
    """Such a guest is not on record yet. The adjustment puts them on record, with the play chips of every guest."""
    with guest(server) as ann, staff(server, "shift-manager") as chief:
        assert ann.get("/api/me").json()["wallet"] == "10000.00"
        assert chief.get(f"/api/people/{ann.name}").json()["person"]["wallet"] == "10000.00"
        adjustment = {"act": "balance-adjustment", "person": ann.name, "cents": "-12.50", "reason": "paid twice"}
        assert chief.post("/api/approvals", adjustment).status_code == 201
        assert chief.get("/api/approvals?limit=1").json()[0]["holds"] == {ann.name: "10000.00"}


def test_what_is_refused_puts_no_guest_on_record(server: Server) -> None:
    """A guest who only looks leaves nothing behind, also where somebody tries to give them a password or a role."""
    with guest(server) as ann, staff(server, "shift-manager") as chief:
        for path, body in (("password", {}), ("role", {"role": "dealer"})):
            answer = chief.put(f"/api/people/{ann.name}/{path}", body)
            assert (answer.status_code, answer.json()["code"]) == (409, "guest")
        same = chief.put(f"/api/people/{ann.name}/role", {"role": "patron"}).json()
        assert (same["role"], same["wallet"]) == ("patron", "10000.00")
        assert events_of(server, f"person/{ann.name}") == 0
        assert chief.put(f"/api/people/{ann.name}/locked", {"locked": True, "reason": "r"}).status_code == 200
        assert events_of(server, f"person/{ann.name}") > 0


def events_of(server: Server, stream: str) -> int:
    """How many events are on record."""
    with closing(sqlite3.connect(server.database.removeprefix("sqlite:///"))) as connection:
        (count,) = connection.execute("SELECT count(*) FROM events WHERE stream = ?", (stream,)).fetchone()
    return int(count)


def all_at_once(url: httpx.URL, requests: list[httpx.Request]) -> set[tuple[int, str]]:
    """Statuses and codes of requests that are sent in one piece: however slow the machine, they come together."""
    sent, answers = b"", b""
    for request in requests:
        line = f"{request.method} {request.url.raw_path.decode()} HTTP/1.1\r\n".encode()
        fields = b"".join(b"%s: %s\r\n" % field for field in request.headers.raw)
        sent += line + fields + b"\r\n" + request.content
    with socket.create_connection((url.host, url.port), timeout=LONG_S) as plain:
        plain.sendall(sent)
        while answers.count(b'"code":') < len(requests) and (piece := plain.recv(1 << 20)):
            answers += piece
    codes = re.findall(rb'HTTP/1.1 (\d+).*?"code":"([^"]*)"', answers, re.DOTALL)
    return {(int(status), code.decode()) for status, code in codes}


def test_rates_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo") as server, server.client() as client:
        # Another name each time: a name alone would be locked out after five.
        logins = [
            client.build_request("POST", "/api/sessions", json={"name": f"x{number}", "password": "y"})
            for number in range(60)
        ]
        assert all_at_once(client.base_url, logins) == {(401, "bad-login"), (429, "too-many")}
        answer = client.post("/api/sessions", json={"name": "x", "password": "y"})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
        # Each takes half a second's allowance, so a slow machine too is asked for more than it allows meanwhile.
        pages = [client.build_request("GET", "/api/tables/nowhere/rounds?limit=100")] * 200
        assert all_at_once(client.base_url, pages) == {(404, "not-found"), (429, "too-many")}
        assert client.get("/health").status_code == 200


def test_every_request_is_counted() -> None:
    """An ordinary request too. The address may send two, and gets no new allowance while this runs."""
    statuses: list[int] = []

    async def route(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 401, "headers": []})

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    guards = Guards(route, Parts(Settings(rates=RateLimits(address=Rate(1e-9, 2)))))
    scope = {"type": "http", "method": "GET", "path": "/api/me", "headers": [(b"host", b"localhost")], "client": None}
    for _ in range(4):
        asyncio.run(guards(scope.copy(), receive, send))
    assert statuses == [401, 401, 429, 429]


def test_behind_tls(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--no-demo", "--behind-tls") as server,
        server.client() as client,
    ):
        headers = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7"}
        answer = client.post("/api/guests", headers=headers)
        assert "secure" in answer.headers["set-cookie"].lower()
        assert answer.headers["strict-transport-security"].startswith("max-age=")
