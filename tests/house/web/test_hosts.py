"""Which hosts the house answers to, and that a request names exactly one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from punto.house.web.hosts import check_names
from tests.house.web.running import HOST, Server, lines, serving
from tests.house.web.test_guards import KEY, LIVE, UPGRADE, refused
from tests.house.web.test_outsiders import raw
from tests.patience import LONG_S

SERVED = (b"localhost", b"LocalHost:1", b"127.0.0.1", b"127.0.0.1:65535", b"[::1]:8000", b"192.0.2.7:80", HOST.encode())
UNKNOWN = (b"evil.example", b"evil.example:8000", b"localhost.evil.example", b"127.0.0.1.evil.example", b"x.example")
NONE = (b"", b" ", b"a b", b"localhost:x", b"localhost:", b"x/y", b"user@localhost", b"[localhost", b"\xff")
PATHS = (b"/api/tables", b"/metrics", b"/health", b"/", b"/schema/openapi.json")


def answer_to(server: Server, path: bytes, heads: bytes) -> tuple[int, str]:
    """Status and code of a request, and of a handshake, with these Host lines: both are answered alike."""
    with raw(server, b"GET " + path + b" HTTP/1.1\r\n" + heads + b"Connection: close\r\n\r\n") as connection:
        first = refused(connection)
    with raw(server, b"GET " + LIVE.encode() + b" HTTP/1.1\r\n" + heads + UPGRADE + KEY + b"\r\n") as connection:
        assert refused(connection) == first
    return first


@pytest.mark.parametrize("host", NONE)
def test_what_is_no_host_is_refused(server: Server, host: bytes) -> None:
    assert answer_to(server, b"/api/tables", b"Host: " + host + b"\r\n") == (400, "bad-host")


@pytest.mark.parametrize("heads", [b"", b"Host: x\r\nHost: x\r\n", b"Host: x\r\nhost: evil.example\r\n"])
def test_a_host_is_named_once(server: Server, heads: bytes) -> None:
    for path in PATHS:
        assert answer_to(server, path, heads) == (400, "bad-host"), path


@pytest.mark.parametrize("host", UNKNOWN)
def test_a_name_that_the_house_was_not_given_is_another_s(server: Server, host: bytes) -> None:
    for path in PATHS:
        assert answer_to(server, path, b"Host: " + host + b"\r\n") == (421, "unknown-host"), path


@pytest.mark.parametrize("host", SERVED)
def test_this_machine_and_the_given_names_are_served(server: Server, host: bytes) -> None:
    with raw(server, b"GET /api/tables HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n") as connection:
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
    asks = b"GET " + LIVE.encode() + b" HTTP/1.1\r\nHost: " + host + b"\r\n" + UPGRADE + KEY + b"\r\n"
    with raw(server, asks) as connection:
        assert connection.recv(65_536).startswith(b"HTTP/1.1 101")


def test_a_page_of_another_name_can_not_act_though_it_names_itself(server: Server) -> None:
    """DNS rebinding: the browser takes both for one site, so Origin and Host agree."""
    site = b"Host: evil.example\r\nOrigin: http://evil.example\r\n"
    asks = b"POST /api/guests HTTP/1.1\r\n" + site + b"Content-Length: 0\r\nConnection: close\r\n\r\n"
    with raw(server, asks) as connection:
        assert refused(connection) == (421, "unknown-host")


def test_a_refused_handshake_is_a_line_and_no_error(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo") as server:
        for heads in (b"Host: x\r\nOrigin: https://evil.example\r\n", b"Host: evil.example\r\n", b""):
            asks = b"GET " + LIVE.encode() + b" HTTP/1.1\r\n" + heads + UPGRADE + KEY + b"\r\n"
            with raw(server, asks) as connection:
                assert refused(connection)[0] in (400, 403, 421)
        server.stop()
        entries = [(line["level"], line["what"], line.get("code")) for line in lines(server)]
    codes = ("bad-origin", "unknown-host", "bad-host")
    assert entries == [("info", "socket-refused", code) for code in codes]


@pytest.mark.parametrize("name", ["", "a b", "X.example", "https://x", "x:80", "x/", "*", ".x", "x.", "::1"])
def test_a_name_that_no_browser_sends_is_said_at_once(name: str) -> None:
    check_names(["tables.example", "tables", "[2001:db8::1]", "xn--9ca.example"])
    with pytest.raises(ValueError, match="is not a host name"):
        check_names([name])


def test_behind_tls_the_house_wants_its_name(tmp_path: Path) -> None:
    arguments = ["serve", "--port", "0", "--behind-tls", "--database", f"sqlite:///{tmp_path / 'x.db'}"]
    done = subprocess.run(
        [sys.executable, "-m", "punto.cli.main", *arguments],
        capture_output=True,
        text=True,
        timeout=LONG_S,
        check=False,
    )
    assert done.returncode == 1
    assert "--behind-tls needs --host-name" in done.stderr
    assert not (tmp_path / "x.db").exists()
