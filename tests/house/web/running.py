"""The whole server as a process of its own, on a free port and a fresh database, and people who talk to it."""

from __future__ import annotations

import atexit
import json
import os
import re
import select
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from tests.house import warm_start
from tests.house.warm_start import Forked
from tests.patience import LONG_S as LONG_S

PASSWORD = "a-password-for-tests"
"""Everybody's own password, once they have set it."""
FIRST = "a-first-password-for-tests"
"""The password that the house gives to its staff."""
STAFF = ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "auditor")
GAME = "tiger-buffalo-commission"
EDITION = f"{GAME}/2025-11-21"
LIMITS = {"minimum": "10.00", "maximum": "5000.00", "maximum_differential": "10000.00"}
PYTHON = (sys.executable, "-m")
HOST = "x"
"""The name that the house is given, for requests that are written by hand."""
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here is encrypted. By default a client reads all certificates, which takes 20 ms of processor time."""
AT_ONCE = {"betting": 0.05, "insurance": 0, "card": 0, "result": 0, "options": 0, "squeeze": 0}


Process = subprocess.Popen[bytes] | Forked


class Server:
    """A running `punto serve`."""

    def __init__(self, process: Process, url: str, log: Path, database: str) -> None:
        self.process, self.url, self.log, self.database = process, url, log, database

    def client(self, **facts: Any) -> httpx.Client:
        """An HTTP client of this server."""
        return httpx.Client(base_url=self.url, timeout=LONG_S, verify=NO_CERTIFICATES, **facts)

    def get(self, path: str, **facts: Any) -> httpx.Response:
        """Read an address without a session."""
        with self.client() as client:
            return client.get(path, **facts)

    def stop(self, by: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(by)
        self.process.wait(LONG_S)


@contextmanager
def serving(
    folder: Path,
    *options: str,
    database: str | None = None,
    largest_kilobytes: int | None = None,
    under: tuple[str, ...] = (),
) -> Iterator[Server]:
    """`punto serve` until the end of the block. `largest_kilobytes`: none of its files may grow past this. `under`: a
    command that runs it and leaves it a child of this process; a module of Python is forked like the house itself.
    Without a `database` the staff already have their own passwords."""
    url = database or f"sqlite:///{folder / 'house.db'}"
    if database is None and not (folder / "house.db").exists():
        shutil.copyfile(_staffed(), folder / "house.db")
    log = folder / f"log-{time.monotonic_ns()}.jsonl"
    words = ["tests.house.light", "serve", "--port", "0", "--database", url, "--host-name", HOST, *options]
    if largest_kilobytes is not None:
        under = ("bash", "-c", f'ulimit -f {largest_kilobytes}; exec "$@"', "bash")
    if under[:2] == PYTHON:
        words, under = [*under[2:], *PYTHON, *words], ()
    environment = {**os.environ, "PUNTO_STAFF_PASSWORD": FIRST}
    process: Process
    with log.open("w") as errors:
        if under:
            command = [*under, *PYTHON, *words]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment)
        else:
            process = warm_start.started(words, environment, errors.fileno())
    try:
        yield Server(process, _address(process, log), log, url)
    finally:
        stopped = True
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(LONG_S)
            except subprocess.TimeoutExpired:
                stopped = False
                process.kill()
                process.wait()
        assert process.stdout is not None
        process.stdout.close()
        assert stopped, "the server did not stop when it was told to"


@cache
def _staffed() -> Path:
    """The database of a house in which the staff have their own passwords."""
    folder = Path(tempfile.mkdtemp(prefix="punto-staffed-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with serving(folder, "--no-demo", "--no-rate-limits", database=f"sqlite:///{folder / 'house.db'}") as server:
        for role in STAFF:
            with Person(server).log_in(role, FIRST):
                pass
        server.stop()
    whole = folder / "whole.db"
    with closing(sqlite3.connect(folder / "house.db")) as source, closing(sqlite3.connect(whole)) as copy:
        source.backup(copy)
    return whole


def _address(process: Process, log: Path) -> str:
    assert process.stdout is not None
    ends, said = time.monotonic() + LONG_S, ""
    while time.monotonic() < ends:
        ready, _, _ = select.select([process.stdout], [], [], 0.2)
        # Not through the file's own buffer: `select` would not see a line that is in there.
        said += os.read(process.stdout.fileno(), 65_536).decode() if ready else ""
        place = re.search(r"open at (\S+)\n", said)
        if place is not None:
            return place[1]
        if process.poll() is not None:
            break
    raise AssertionError(f"the server did not start: {log.read_text()}")


class Person:
    """A session with the server; nobody's until `enter` or `log_in`."""

    def __init__(self, server: Server) -> None:
        self.http = server.client()
        self.server = server
        self.name, self.csrf = "", ""
        self._keys = 0

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def enter(self) -> Person:
        return self._begun(self.http.post("/api/guests"))

    def log_in(self, name: str, password: str = PASSWORD, own: str = PASSWORD) -> Person:
        """If somebody else gave the password, set one's own first."""
        self._begun(self.http.post("/api/sessions", json={"name": name, "password": password}))
        if self.get("/api/me").json()["password_to_be_set"]:
            done = self.post("/api/me/password", {"old": password, "new": own})
            assert done.status_code == 204, done.text
            self._begun(self.http.post("/api/sessions", json={"name": name, "password": own}))
        return self

    def come_with(self, name: str, password: str) -> Person:
        """As `log_in`, but no password is set."""
        return self._begun(self.http.post("/api/sessions", json={"name": name, "password": password}))

    def _begun(self, answer: httpx.Response) -> Person:
        if answer.status_code != 201:
            self.http.close()
        assert answer.status_code == 201, answer.text
        self.name, self.csrf = answer.json()["name"], answer.json()["csrf"]
        return self

    @property
    def cookie(self) -> str:
        return f"punto_session={self.http.cookies['punto_session']}"

    def get(self, path: str) -> httpx.Response:
        return self.http.get(path)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.http.post(path, json=body, headers={"x-csrf-token": self.csrf})

    def put(self, path: str, body: Any) -> httpx.Response:
        return self.http.put(path, json=body, headers={"x-csrf-token": self.csrf})

    def raw(self, path: str, body: bytes) -> httpx.Response:
        headers = {"x-csrf-token": self.csrf, "content-type": "application/json"}
        return self.http.post(path, content=body, headers=headers)

    def do(self, table: str, *commands: dict[str, Any], key: str | None = None) -> httpx.Response:
        """Give commands to a table."""
        self._keys += 1
        key = key or f"{self.name}-{self._keys}"
        body: dict[str, Any] = {"key": key}
        body |= {"command": commands[0]} if len(commands) == 1 else {"commands": list(commands)}
        return self.post(f"/api/tables/{table}/commands", body)

    def must(self, table: str, *commands: dict[str, Any]) -> dict[str, Any]:
        answer = self.do(table, *commands)
        assert answer.status_code == 200, answer.text
        outcome: dict[str, Any] = answer.json()
        return outcome

    def open(self, table: str, **settings: Any) -> dict[str, Any]:
        """Open a table: live, of the newest edition, layout C, unless `settings` say otherwise."""
        body = {"table": table, "edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS, **settings}
        answer = self.post("/api/tables", body)
        assert answer.status_code == 201, answer.text
        outcome: dict[str, Any] = answer.json()
        return outcome


_signed_in: dict[tuple[str, str], tuple[httpx.Cookies, str]] = {}
"""Cookies and CSRF token by server and role."""


def staff(server: Server, role: str) -> Person:
    """Somebody of the staff. Checking a password takes long, so one session of theirs is used again while it lives. A
    test that ends a session logs in for one of its own."""
    person = Person(server)
    known = _signed_in.get((server.url, role))
    if known is not None:
        person.http.cookies.update(known[0])
        if person.get("/api/me").status_code == 200:
            person.name, person.csrf = role, known[1]
            return person
        person.http.cookies.clear()
    first_login = person.http.post("/api/sessions", json={"name": role, "password": PASSWORD}).status_code != 201
    person.log_in(role, FIRST if first_login else PASSWORD)
    _signed_in[server.url, role] = (httpx.Cookies(person.http.cookies), person.csrf)
    return person


def guest(server: Server) -> Person:
    return Person(server).enter()


def eventually(what: Callable[[], bool]) -> bool:
    """Whether it comes true in time. It is checked less often the longer it takes, since a check is often a request."""
    ends, pause = time.monotonic() + LONG_S, 0.01
    while time.monotonic() < ends:
        if what():
            return True
        time.sleep(pause)
        pause = min(pause * 1.3, 0.1)
    return what()


def lines(server: Server) -> list[dict[str, Any]]:
    return [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
