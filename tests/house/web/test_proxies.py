"""The house behind real proxies, set up as docs/operations.md prints: metrics stay inside, all else gets through."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest

from tests.browser.chromium import watched
from tests.house.web.proxies import NAME, Proxy, caddy, nginx, program
from tests.house.web.running import GAME, LONG_S, Server, eventually, lines, serving
from tests.house.web.test_guards import KEY, UPGRADE
from tests.house.web.test_live import PINGS, frame
from tests.house.web.test_outsiders import raw

SPELLINGS = (
    "/metrics/",
    "//metrics",
    "/metrics//",
    "/%6detrics",
    "/%6Detrics/",
    "/metrics%2f",
    "/metrics/.",
    "/metrics/%2e",
    "/./metrics",
    "/%2e/metrics",
    "/x/../metrics",
    "/x/%2e%2e/metrics",
    "/Metrics",
    "/METRICS",
    "/metrics;x",
    "/metrics%00",
    "/metrics%20",
    "/metrics.txt",
    "/metrics/x",
)


@pytest.mark.parametrize("path", SPELLINGS)
def test_figures_have_one_address(server: Server, path: str) -> None:
    with raw(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()) as connection:
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    assert answer.startswith(b"HTTP/1.1 404"), path
    assert b'"code":"not-found"' in answer


# ------------------------------------------------------------------ behind each proxy


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("behind"), "--behind-tls", "--host-name", NAME) as server:
        yield server


@pytest.fixture(scope="module", params=[("nginx", nginx), ("caddy", caddy)], ids=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, behind: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    name, start = request.param
    command = program(name)
    if command is None:
        assert not watched(), f"{name} is missing: `make proxies` fetches it"
        pytest.skip(f"{name} is missing: `make proxies` fetches it")
    with start(command, tmp_path_factory.mktemp(name), behind) as instance:
        yield instance


def test_figures_stay_inside(proxy: Proxy) -> None:
    for path in ("/metrics", "/metrics?x=1", *SPELLINGS):
        answer = proxy.got(path)
        assert answer.startswith((b"HTTP/1.1 403", b"HTTP/1.1 404", b"HTTP/1.1 400")), (path, answer[:200])
        assert b"punto_" not in answer, path
    assert proxy.got("/metrics").startswith(b"HTTP/1.1 403")


SITE = f"Host: {NAME}\r\nOrigin: https://{NAME}\r\nX-Forwarded-For: 203.0.113.9\r\n"


def entered(proxy: Proxy) -> tuple[bytes, dict[str, str], str]:
    """A new guest: the head of the answer, its body, and their cookie."""
    answer = proxy.send(f"POST /api/guests HTTP/1.1\r\n{SITE}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 201"), answer
    name = "__Host-punto_session="
    return head, json.loads(body), name + head.decode().partition(name)[2].partition(";")[0]


def test_a_guest_plays_over_a_socket_by_the_documented_name(proxy: Proxy) -> None:
    head, me, cookie = entered(proxy)
    assert b"strict-transport-security" in head.lower()
    assert me["name"].startswith("guest-")
    with proxy.watching(GAME, cookie) as live:
        assert frame(live)["frame"] == "snapshot"
        order = {"key": "k1", "csrf": me["csrf"], "command": {"do": "join", "chips": "50.00"}}
        live.send(json.dumps(order))
        answer = frame(live, "answer")
        assert answer["key"] == "k1"
        assert [event["event"] for event in answer["answer"]["events"]] == ["patron-joined", "chips-bought"]
        live.send(json.dumps({**order, "csrf": "another's"}))
        assert frame(live, "answer")["problem"]["code"] == "csrf"


def test_another_site_s_name_gets_nothing(proxy: Proxy) -> None:
    answer = proxy.got("/api/tables", host="evil.example")
    assert b'"id"' not in answer
    assert not answer.startswith(b"HTTP/1.1 200") or not answer.partition(b"\r\n\r\n")[2]


ONLY_NGINX = pytest.mark.parametrize("proxy", [("nginx", nginx)], indirect=True, ids=["nginx"])


@ONLY_NGINX
@pytest.mark.parametrize("start", [b"", b"POST /api/guests HTTP/1.1\r\nX: y", b"body"], ids=["nothing", "head", "body"])
def test_who_lets_nginx_wait_is_cut_off_and_never_reaches_the_house(proxy: Proxy, behind: Server, start: bytes) -> None:
    def count_requests() -> int:
        return sum(line.get("path") == "/api/guests" for line in lines(behind))

    before = count_requests()
    if start == b"body":
        start = f"POST /api/guests HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 9\r\n\r\n{{".encode()
    with proxy.connected() as connection:
        connection.sendall(start)
        answer = connection.recv(65_536)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 408"), answer
    assert count_requests() == before


@ONLY_NGINX
def test_a_head_has_an_end(proxy: Proxy) -> None:
    asks = f"GET / HTTP/1.1\r\nHost: {NAME}\r\nX: {'x' * 40_000}\r\nConnection: close\r\n\r\n".encode()
    assert proxy.send(asks).startswith(b"HTTP/1.1 400")


@pytest.mark.soak  # it takes half a minute until unread frames have filled every buffer
@ONLY_NGINX
def test_who_reads_nothing_behind_nginx_is_ended_and_holds_up_nobody(proxy: Proxy, behind: Server) -> None:
    """The slow reader's socket ends, by 4408 or by the system, and the other reader is answered all the while."""

    def sockets() -> float:
        figures = httpx.get(f"{behind.url}/metrics", timeout=LONG_S).text.splitlines()
        return next(float(line.split()[1]) for line in figures if line.startswith("punto_sockets "))

    _, me, cookie = entered(proxy)
    asks = f"GET /api/tables/{GAME}/live HTTP/1.1\r\n{SITE}".encode() + UPGRADE + KEY + b"\r\n"
    with proxy.connected(room=4_096) as slow, proxy.watching(GAME, cookie) as quick:
        slow.sendall(asks)
        assert eventually(lambda: sockets() == 2)
        bought, until = 0, time.monotonic() + LONG_S
        while sockets() == 2 and time.monotonic() < until:
            with suppress(OSError):
                slow.sendall(PINGS)
            # Every purchase is a frame for both. The quick one is answered, however much waits for the slow one.
            command = {"do": "buy-chips", "chips": "1.00"} if bought else {"do": "join"}
            quick.send(json.dumps({"key": f"k{bought}", "csrf": me["csrf"], "command": command}))
            assert frame(quick, "answer")["key"] == f"k{bought}"
            bought += 1
        assert sockets() == 1
        assert bought > 1
