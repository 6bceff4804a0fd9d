"""The house behind real proxies, set up as docs/operations.md prints: figures stay inside, all else gets through."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.browser.chromium import watched
from tests.house.web.proxies import NAME, Proxy, caddy, nginx, program
from tests.house.web.running import GAME, Server, lines, serving
from tests.house.web.test_door import KEY, UPGRADE
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


# ------------------------------------------------------------------ behind each of them


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("behind"), "--behind-tls", "--host-name", NAME) as one:
        yield one


@pytest.fixture(scope="module", params=[("nginx", nginx), ("caddy", caddy)], ids=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, behind: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    name, start = request.param
    command = program(name)
    if command is None:
        assert not watched(), f"{name} is missing: `make proxies` fetches it"
        pytest.skip(f"{name} is missing: `make proxies` fetches it")
    with start(command, tmp_path_factory.mktemp(name), behind) as one:
        yield one


def test_figures_stay_inside(proxy: Proxy) -> None:
    for path in ("/metrics", "/metrics?x=1", *SPELLINGS):
        answer = proxy.got(path)
        assert answer.startswith((b"HTTP/1.1 403", b"HTTP/1.1 404", b"HTTP/1.1 400")), (path, answer[:200])
        assert b"punto_" not in answer, path
    assert proxy.got("/metrics").startswith(b"HTTP/1.1 403")


def test_a_guest_enters_by_the_documented_name(proxy: Proxy) -> None:
    site = f"Host: {NAME}\r\nOrigin: https://{NAME}\r\nX-Forwarded-For: 203.0.113.9\r\n"
    entered = proxy.asked(f"POST /api/guests HTTP/1.1\r\n{site}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
    head, _, body = entered.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 201"), entered
    assert b"strict-transport-security" in head.lower()
    assert json.loads(body)["name"].startswith("guest-")
    asks = f"GET /api/tables/{GAME}/live HTTP/1.1\r\n{site}".encode() + UPGRADE + KEY + b"\r\n"
    with proxy.connected() as connection:
        connection.sendall(asks)
        found = b""
        while b'"frame":"snapshot"' not in found:
            part = connection.recv(65_536)
            assert part, found
            found += part
    assert found.startswith(b"HTTP/1.1 101")


def test_another_site_s_name_gets_nothing(proxy: Proxy) -> None:
    answer = proxy.got("/api/tables", host="evil.example")
    assert b'"id"' not in answer
    assert not answer.startswith(b"HTTP/1.1 200") or not answer.partition(b"\r\n\r\n")[2]


ONLY_NGINX = pytest.mark.parametrize("proxy", [("nginx", nginx)], indirect=True, ids=["nginx"])


@ONLY_NGINX
@pytest.mark.parametrize("start", [b"", b"POST /api/guests HTTP/1.1\r\nX: y", b"body"], ids=["nothing", "head", "body"])
def test_who_lets_nginx_wait_is_cut_off_and_never_reaches_the_house(proxy: Proxy, behind: Server, start: bytes) -> None:
    def asked() -> int:
        return sum(line.get("path") == "/api/guests" for line in lines(behind))

    before = asked()
    if start == b"body":
        start = f"POST /api/guests HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 9\r\n\r\n{{".encode()
    with proxy.connected() as connection:
        connection.sendall(start)
        told = connection.recv(65_536)
    assert told == b"" or told.startswith(b"HTTP/1.1 408"), told
    assert asked() == before


@ONLY_NGINX
def test_a_head_has_an_end(proxy: Proxy) -> None:
    asks = f"GET / HTTP/1.1\r\nHost: {NAME}\r\nX: {'x' * 40_000}\r\nConnection: close\r\n\r\n".encode()
    assert proxy.asked(asks).startswith(b"HTTP/1.1 400")
