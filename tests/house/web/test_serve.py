"""The server as a whole: how it starts, stops, starts again, and gives up."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx

from tests.house.web.running import GAME, Person, Server, eventually, guest, lines, serving, staff


def test_it_starts_with_staff_and_a_table_of_every_game(server: Server) -> None:
    with Person(server) as nobody:
        listed = {one["id"]: one for one in nobody.get("/api/tables").json()}
        games = {one["game"] for one in nobody.get("/api/rules").json()}
        assert games <= set(listed)
        for game in games:
            one = listed[game]
            assert (one["source"], one["game"]) == ("virtual", game)
            assert one["edition"].startswith(f"{game}/")
        assert nobody.get("/health").json() == {"status": "up"}
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
    with serving(tmp_path, "--no-rate-limits", largest_kilobytes=600) as one, httpx.Client(base_url=one.url) as client:
        statuses: set[int] = set()

        def stopped() -> bool:
            with suppress(httpx.HTTPError):
                statuses.add(client.post("/api/guests").status_code)
            return one.process.poll() is not None

        assert eventually(stopped, 30)
        assert one.process.returncode == 1
        assert statuses <= {201, 503}
        assert "the house stops" in one.log.read_text()


def test_a_port_that_is_taken_is_said_at_once(server: Server, tmp_path: Path) -> None:
    port = server.url.rpartition(":")[2]
    arguments = ["serve", "--port", port, "--database", f"sqlite:///{tmp_path / 'x.db'}"]
    done = subprocess.run(
        [sys.executable, "-m", "punto.cli.main", *arguments], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert "can't be used" in done.stderr
    assert not (tmp_path / "x.db").exists()


def test_every_request_is_a_log_line(server: Server) -> None:
    with guest(server) as ann:
        answer = ann.get(f"/api/tables/{GAME}")
        wanted = answer.headers["x-request-id"]
        assert eventually(lambda: any(line.get("id") == wanted for line in lines(server)))
        line = next(line for line in lines(server) if line.get("id") == wanted)
        assert (line["what"], line["person"], line["status"]) == ("request", ann.name, 200)
