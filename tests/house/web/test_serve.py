"""The server as a whole: how it starts, stops, starts again, and gives up."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from punto.game.audience import Audience
from punto.house import logs, serve
from punto.house.audit.run import audit
from punto.house.live.channel import Ended
from punto.house.live.hub import Hub
from punto.house.people import first_staff
from punto.house.people.accounts import Account, Accounts
from punto.house.store.interface import Store
from punto.house.store.names import Role
from punto.house.watch.recorded_alarms import AlarmReader, WatchBook
from punto.house.web import hosts
from tests.house.store.units import opened
from tests.house.table.playing import a_house, did, opening
from tests.house.web.running import GAME, STAFF, Person, Server, eventually, guest, lines, serving, staff
from tests.patience import LONG_S


def test_it_starts_with_staff_and_a_table_of_every_game(server: Server) -> None:
    with Person(server) as nobody:
        listed = {row["id"]: row for row in nobody.get("/api/tables").json()}
        games = {edition["game"] for edition in nobody.get("/api/rules").json()}
        assert games <= set(listed)
        for game in games:
            table = listed[game]
            assert (table["source"], table["game"]) == ("virtual", game)
            assert table["edition"].startswith(f"{game}/")
        assert sorted(listed[game]["name"] for game in games) == [
            *("Live Baccarat Insurance 1", "Live Baccarat Insurance 2"),
            *("Tiger Buffalo 1", "Tiger Buffalo 2"),
        ]
        assert nobody.get("/health").json() == {"status": "up", "version": version("punto")}
        assert nobody.get("/ready").json() == {"status": "ready"}
        text = nobody.get("/metrics").text
        for name in ("punto_commands_total", "punto_command_seconds_bucket", "punto_sockets", "punto_store_broken 0.0"):
            assert name in text
        assert nobody.get("/").headers["content-type"].startswith("text/html")
        assert nobody.get("/api/none").status_code == 404
        assert nobody.http.put("/api/tables").status_code == 405
        assert nobody.get("/assets/../../serve.py").status_code == 404
        assert nobody.get("/assets/%2e%2e/%2e%2e/serve.py").status_code == 404


def test_it_comes_back_with_everything(tmp_path: Path, database_url: str) -> None:
    with serving(tmp_path, "--no-rate-limits", "--no-demo", database=database_url) as first, guest(first) as ann:
        with staff(first, "pit-supervisor") as pit:
            pit.open("kept")
        ann.must("kept", {"do": "join", "chips": "30.00"})
        cookie, csrf = ann.http.cookies["punto_session"], ann.csrf
        first.process.kill()
        first.process.wait()
    with serving(tmp_path, "--no-rate-limits", "--no-demo", database=database_url) as again, Person(again) as back:
        back.http.cookies.set("punto_session", cookie)
        back.csrf = csrf
        assert back.get("/api/me").json()["wallet"] == "9970.00"
        assert back.get("/api/tables/kept").json()["view"]["balance"] == "30.00"
        back.must("kept", {"do": "cash-chips", "chips": "30.00"})
        with staff(again, "auditor") as auditor:
            for kind in ("rounds.csv", "rounds.parquet", "ledger.csv", "ledger.parquet"):
                answer = auditor.get(f"/api/exports/{kind}?table=kept")
                assert answer.status_code == 200, answer.text
                assert answer.content
            assert len(auditor.get("/api/exports/ledger.csv?table=kept").text.splitlines()) == 3
            assert auditor.get("/api/exports/ledger.csv?from=2100-01-01").text.count("\n") == 1


def test_a_store_that_can_not_be_written_ends_the_house(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--no-rate-limits", largest_kilobytes=600) as server,
        server.client() as client,
    ):
        statuses: set[int] = set()

        def stopped() -> bool:
            with suppress(httpx.HTTPError):
                statuses.add(client.post("/api/guests").status_code)
            return server.process.poll() is not None

        assert eventually(stopped)
        assert server.process.returncode == 1
        assert statuses <= {201, 503}
        assert "the house stops" in server.log.read_text()


@pytest.mark.parametrize("careless", ["deleted", "replaced"])
def test_a_database_that_is_taken_away_ends_the_house(tmp_path: Path, careless: str) -> None:
    """What is written to a deleted or replaced file is lost: the house accepts nothing more, and ends."""
    with (
        serving(tmp_path, "--no-demo", "--no-rate-limits") as server,
        server.client() as client,
    ):
        assert client.post("/api/guests").status_code == 201
        (tmp_path / "house.db").rename(tmp_path / "gone.db")
        if careless == "replaced":
            (tmp_path / "house.db").write_bytes((tmp_path / "gone.db").read_bytes())
        assert eventually(lambda: server.process.poll() is not None)
        assert server.process.returncode == 1
        assert "moved, replaced or deleted" in server.log.read_text()


def test_a_request_that_is_not_here_whole_when_the_house_stops_is_told_so(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-demo") as server:
        host, port = server.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=LONG_S) as connection:
            connection.sendall(b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{")
            assert eventually(lambda: "200" in server.get("/metrics").text)
            server.stop()
            answer = connection.recv(65_536)
        assert answer.startswith(b"HTTP/1.1 503"), answer
        assert b'"code":"stopping"' in answer
        assert [line["status"] for line in lines(server) if line.get("path") == "/api/guests"] == [503]


def test_a_port_that_is_taken_is_said_at_once(server: Server, tmp_path: Path) -> None:
    port = server.url.rpartition(":")[2]
    arguments = ["serve", "--port", port, "--database", f"sqlite:///{tmp_path / 'x.db'}"]
    done = subprocess.run(
        [sys.executable, "-m", "punto.cli.main", *arguments],
        capture_output=True,
        text=True,
        timeout=LONG_S,
        check=False,
    )
    assert done.returncode == 1
    assert "can't be used" in done.stderr
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize("origin", ["tables.example", "https://tables.example/", "https://", "ftp://x", "HTTPS://X"])
def test_an_origin_that_no_browser_sends_is_said_at_once(origin: str) -> None:
    hosts.check_origins(["https://tables.example", "http://localhost:5173", "http://[::1]:8000"])
    with pytest.raises(ValueError, match="is no Origin"):
        hosts.check_origins([origin])


def test_a_connection_that_takes_nothing_is_ended_by_the_system() -> None:
    with serve._bound(serve.Options(port=0)) as listening:
        listening.listen()
        with socket.create_connection(listening.getsockname()):
            connection, _ = listening.accept()
            with connection:
                assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000


def test_every_request_is_a_log_line(server: Server) -> None:
    with guest(server) as ann:
        answer = ann.get(f"/api/tables/{GAME}")
        wanted = answer.headers["x-request-id"]
        assert eventually(lambda: any(line.get("id") == wanted for line in lines(server)))
        line = next(line for line in lines(server) if line.get("id") == wanted)
        assert (line["what"], line["person"], line["status"]) == ("request", ann.name, 200)


def test_a_log_that_nobody_reads_ends_nothing(tmp_path: Path) -> None:
    read, write = os.pipe()
    arguments = ["serve", "--port", "0", "--no-demo", "--database", f"sqlite:///{tmp_path / 'x.db'}"]
    with subprocess.Popen(
        [sys.executable, "-m", "punto.cli.main", *arguments], stdout=subprocess.PIPE, stderr=write, text=True
    ) as process:
        os.close(write)
        try:
            assert process.stdout is not None
            url = next(line for line in process.stdout if "open at " in line).rpartition(" ")[2].strip()
            os.close(read)
            for _ in range(5):
                assert httpx.get(f"{url}/api/tables", timeout=LONG_S).status_code == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(LONG_S) == 0
        finally:
            process.kill()


async def test_a_store_that_breaks_is_heard_although_it_can_not_be_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(logs, "fail", fails)
    broken = asyncio.Event()
    broken.set()
    house = SimpleNamespace(broken=broken, halted="why")
    parts: Any = SimpleNamespace(house=house, store=SimpleNamespace(broken="why"), draining=False)
    server: Any = SimpleNamespace(should_exit=False)
    with suppress(OSError):
        await serve._stop_if_broken(parts, server)
    assert server.should_exit


async def test_dealers_that_can_not_stop_keep_nothing_else_from_ending(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their claims can't be given back, for example, because the database is away."""
    monkeypatch.setattr(serve, "STOP_SECONDS", 0.05)
    async with a_house(sqlite_url) as house:
        await did(house, opening())
        book, hub = WatchBook(house), Hub(house)
        reader, tile, desk = await hub.subscribe("T1", Audience.PUBLIC, None), AlarmReader(), AlarmReader()
        book.readers.add(desk)
        parts: Any = SimpleNamespace(house=house, hub=hub, tiles={tile}, watch_book=book)
        dealers: Any = SimpleNamespace(stop=asyncio.Event().wait)
        await serve._end(parts, dealers)
        assert house.halted
        with pytest.raises(Ended) as ended:
            await reader.next()
        assert ended.value.code == tile.ended == desk.ended == 1012
        reader.close()


# ------------------------------------------------------------------ the first start


async def shown(store: Store, cut: bool = False) -> dict[str, str]:
    """The passwords that a start shows. `cut`: the start ends before anybody sees them."""
    lines: list[str] = []

    def say(line: str) -> None:
        if cut:
            raise KeyboardInterrupt
        lines.append(line)

    with suppress(KeyboardInterrupt):
        await first_staff.open_staff(Accounts(store), say)
    return dict(line.split() for line in lines[1:])


async def open_to(store: Store, passwords: dict[str, str]) -> set[str]:
    """Who can log in with these passwords."""
    results = [await Accounts(store).check(name, password) for name, password in passwords.items()]
    return {account.name for account in results if isinstance(account, Account)}


async def test_a_first_start_that_is_cut_short_is_made_up_for(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PUNTO_STAFF_PASSWORD", raising=False)

    async with opened(database_url) as store:
        await Accounts(store).open("dealer", Role.DEALER, None, "house")
        assert await shown(store, cut=True) == {}
        passwords = await shown(store)
        assert await open_to(store, passwords) == set(STAFF)
        assert await shown(store) == {}
        assert (await asyncio.to_thread(audit, database_url)).good


async def test_passwords_that_an_older_version_never_showed_are_made_anew(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opened all accounts before it showed a password. So if an account is missing, nobody has seen a password."""
    monkeypatch.delenv("PUNTO_STAFF_PASSWORD", raising=False)

    async with opened(sqlite_url) as store:
        await Accounts(store).open("auditor", Role.AUDITOR, "never-shown", "house")
        passwords = await shown(store)
        assert await open_to(store, passwords) == set(STAFF)


async def test_two_nodes_that_start_at_once_show_one_password_each(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PUNTO_STAFF_PASSWORD", raising=False)

    async with opened(database_url) as store, opened(database_url) as other:
        first, second = await asyncio.gather(shown(store), shown(other))
        assert sorted([len(first), len(second)]) == [0, len(STAFF)]
        assert await open_to(store, {**first, **second}) == set(STAFF)


async def test_a_house_with_people_of_its_own_gets_no_staff(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        await Accounts(store).open("boss", Role.DEALER, None, "house")
        assert await shown(store) == {}
        assert await Accounts(store).find("dealer") is None
