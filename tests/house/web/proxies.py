"""Real proxies in front of a running house, set up by the very blocks that docs/operations.md prints."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.house.free_port import free_port
from tests.house.web.running import LONG_S, Server, eventually

NAME = "punto.example"
_PAGE = Path(__file__).parents[3] / "docs" / "operations.md"


class Proxy:
    """A running proxy at a port of this machine, with TLS under the documented name."""

    def __init__(self, port: int, certificate: Path) -> None:
        self.port = port
        self._context = ssl.create_default_context(cafile=str(certificate))

    def connected(self, room: int | None = None) -> ssl.SSLSocket:
        """`room`: bytes that the system keeps for a client that does not read."""
        with ExitStack() as closing:
            plain = closing.enter_context(socket.socket())
            if room is not None:
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
            plain.settimeout(LONG_S)
            plain.connect(("127.0.0.1", self.port))
            closing.pop_all()
        return self._context.wrap_socket(plain, server_hostname=NAME)

    @contextmanager
    def watching(self, table: str, cookie: str) -> Iterator[ClientConnection]:
        """A table's live socket, as the page of this site opens it."""
        with (
            socket.create_connection(("127.0.0.1", self.port), timeout=LONG_S) as plain,
            connect(
                f"wss://{NAME}/api/tables/{table}/live",
                sock=plain,
                ssl=self._context,
                origin=Origin(f"https://{NAME}"),
                additional_headers={"Cookie": cookie},
                compression=None,
            ) as live,
        ):
            yield live

    def send(self, request: bytes) -> bytes:
        """Send a request; all that comes back until the connection is closed."""
        with self.connected() as connection:
            connection.sendall(request)
            answer = b""
            while part := connection.recv(65_536):
                answer += part
        return answer

    def got(self, path: str, host: str = NAME) -> bytes:
        return self.send(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())


def printed(language: str, begins: str) -> str:
    """The block of the documentation that has this line."""
    blocks = _PAGE.read_text().split("```")[1::2]
    (text,) = [block for block in blocks if block.startswith(f"{language}\n") and begins in block]
    return text.partition("\n")[2]


def put(text: str, *changes: tuple[str, str]) -> str:
    """The text with these changes. Each old part must be in it."""
    for old, new in changes:
        assert old in text, f"the block does not say {old}"
        text = text.replace(old, new)
    return text


@contextmanager
def nginx(command: str, folder: Path, server: Server) -> Iterator[Proxy]:
    port, (certificate, key) = free_port(), _certificate(folder)
    block = put(
        printed("nginx", "server {"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/punto.pem", str(certificate)),
        ("/etc/ssl/punto.key", str(key)),
        ("http://127.0.0.1:8000", server.url),
        ("client_header_timeout 20s", "client_header_timeout 1s"),
        ("client_body_timeout 20s", "client_body_timeout 1s"),
    )
    stores = "".join(
        f"{name}_temp_path {folder / name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    settings = folder / "nginx.conf"
    settings.write_text(
        f"daemon off; worker_processes 1; pid {folder / 'nginx.pid'}; error_log {folder / 'nginx.log'};\n"
        f"events {{}}\nhttp {{ access_log off;\n{stores}{block}}}\n"
    )
    arguments = [command, "-e", str(folder / "nginx.log"), "-p", str(folder), "-c", str(settings)]
    with _running(arguments, folder, Proxy(port, certificate)) as proxy:
        yield proxy


@contextmanager
def caddy(command: str, folder: Path, server: Server) -> Iterator[Proxy]:
    port, (certificate, key) = free_port(), _certificate(folder)
    block = put(
        printed("", f"{NAME} {{"),
        (f"{NAME} {{", f"https://{NAME}:{port} {{\n    bind 127.0.0.1\n    tls {certificate} {key}"),
        ("127.0.0.1:8000", urlsplit(server.url).netloc),
    )
    settings = folder / "Caddyfile"
    settings.write_text(
        f"{{\n    admin off\n    auto_https disable_redirects\n    storage file_system {folder}\n}}\n{block}"
    )
    arguments = [command, "run", "--adapter", "caddyfile", "--config", str(settings)]
    with _running(arguments, folder, Proxy(port, certificate)) as proxy:
        yield proxy


@contextmanager
def _running(command: list[str], folder: Path, proxy: Proxy) -> Iterator[Proxy]:
    log = folder / "proxy.log"
    with log.open("w") as errors:
        process = subprocess.Popen(command, stdout=errors, stderr=errors)
    try:
        assert eventually(lambda: process.poll() is not None or _answers(proxy))
        assert process.poll() is None, log.read_text()
        yield proxy
    finally:
        process.terminate()
        process.wait(LONG_S)


def _answers(proxy: Proxy) -> bool:
    try:
        return b" 200 " in proxy.got("/ready")
    except OSError:
        return False


def program(name: str) -> str | None:
    """The program that `make proxies` has fetched, or the one that is installed."""
    fetched = Path(__file__).parents[3] / "build" / "proxies" / "usr"
    places = (fetched / "sbin", fetched / "bin", os.environ["PATH"], "/usr/sbin", "/usr/local/sbin")
    return shutil.which(name, path=":".join(map(str, places)))


def _certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "punto.pem", folder / "punto.key"
    kind = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1")
    named = ("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}")
    files = ("-keyout", str(key), "-out", str(certificate))
    subprocess.run(["openssl", "req", *kind, *named, *files], check=True, capture_output=True)
    return certificate, key
