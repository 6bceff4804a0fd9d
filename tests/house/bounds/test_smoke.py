"""One walk through all that depends on other packages. `make bounds` runs it with the oldest and with the newest
versions that pyproject.toml allows; here it runs with the locked ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.cli.rounds import EXAMPLE, SETTLED
from tests.house.web.running import EDITION, GAME, Person, guest, lines, serving, staff
from tests.house.web.test_live import closed, frame, watching

CARDS = ("KH", "2S", "7D", "3C", "4H")


def punto(*words: str) -> str:
    """What the command prints; it must not fail."""
    done = subprocess.run(
        [sys.executable, "-m", "punto.cli.main", *words], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def played(ann: Person, pit: Person) -> None:
    """A round at a live table: commands by HTTP and by the socket, events by the socket."""
    pit.open("smoke")
    ann.must("smoke", {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 1})
    pit.must("smoke", {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
    with watching(ann, "smoke", origin=ann.server.url) as socket:
        assert frame(socket)["frame"] == "snapshot"
        wager = {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"}
        socket.send(json.dumps({"key": "by-socket", "csrf": ann.csrf, "command": wager}))
        assert frame(socket, "answer")["answer"]["events"][0]["event"] == "wager-placed"
        # In two frames, so that the library has to handle a message in parts.
        nothing = json.dumps({"key": "in-parts", "csrf": ann.csrf, "command": {"do": "nothing"}})
        socket.send(iter((nothing[:9], nothing[9:])))
        assert frame(socket, "answer")["problem"]["code"] == "bad-command"
        pit.must("smoke", {"do": "close-betting"})
        for card in CARDS:
            pit.must("smoke", {"do": "draw-card", "card": card})
        pit.must("smoke", {"do": "settle"})
        seen: set[str] = set()
        while "round-settled" not in seen:
            seen |= {row["event"]["event"] for row in frame(socket, "events")["events"]}
        assert "card-drawn" in seen
        pong = socket.ping()
        assert pong.wait(10)
    ann.must("smoke", {"do": "leave"})
    ann.must("smoke", {"do": "cash-chips", "chips": "900.00"})
    assert ann.get("/api/me").json()["wallet"] == "9900.00"


def refused(ann: Person) -> None:
    with pytest.raises(InvalidStatus) as said, watching(ann, "smoke", origin="https://elsewhere.example"):
        pass
    assert said.value.response.status_code == 403
    with watching(ann, "nowhere") as socket:
        assert closed(socket) == 4404


def test_the_house(tmp_path: Path, database_url: str) -> None:
    with serving(tmp_path, database=database_url) as server:
        with guest(server) as ann, staff(server, "pit-supervisor") as pit, staff(server, "auditor") as auditor:
            played(ann, pit)
            refused(ann)
            assert ann.get(f"/api/odds/{EDITION}").status_code == 200
            assert "punto_commands_total" in ann.get("/metrics").text
            assert len(ann.get("/schema/openapi.json").json()["paths"]) > 30
            for name in ("rounds.csv", "rounds.parquet", "ledger.csv", "ledger.parquet"):
                assert auditor.get(f"/api/exports/{name}").status_code == 200, name
            recorded = tmp_path / "recorded.parquet"
            recorded.write_bytes(auditor.get(f"/api/exports/recorded.parquet?edition={EDITION}").content)
            with watching(ann, GAME) as socket:
                assert frame(socket)["frame"] == "snapshot"
                server.stop()
                assert closed(socket) == 1012
        assert server.process.returncode == 0
        wrong = [line for line in lines(server) if line["level"] not in ("info", "warning")]
        assert wrong == []
    assert json.loads(punto("audit", "--database", database_url, "--json"))["findings"] == []
    punto("audit-rounds", str(recorded))
    if database_url.startswith("sqlite"):
        punto("backup", str(tmp_path / "house.backup"), "--database", database_url)
        punto("restore", str(tmp_path / "house.backup"), "--database", f"sqlite:///{tmp_path / 'again.db'}")


def test_the_commands(tmp_path: Path) -> None:
    (tmp_path / "rounds.jsonl").write_text(json.dumps(EXAMPLE) + "\n")
    assert json.loads(punto("settle", str(tmp_path / "rounds.jsonl"))) == SETTLED
    assert "player" in punto("odds", GAME)
    assert "player" in punto("simulate", GAME, "--shoes", "200")
    for ending in ("xlsx", "pdf", "html", "csv", "parquet", "json"):
        punto("report", EDITION, "--out", str(tmp_path / f"report.{ending}"))
        assert (tmp_path / f"report.{ending}").stat().st_size > 1_000, ending
    for words in (["rules", "list"], ["rules", "show", EDITION], ["deal", "KH 7D v 2S 3C 4H"], ["roads", "BPBTP"]):
        assert punto(*words)
    assert "Usage" in punto("--help")
