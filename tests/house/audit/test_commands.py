"""`punto audit` and `punto verify-shoe` as they are typed."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.game import events as e
from punto.game import notation
from punto.game.redaction import Audience, shown
from punto.game.shoe import commitment
from punto.house.history.published_shoe import ShoeRecord, difference, records
from punto.house.store.backup import backup
from punto.house.table import virtual_shoes
from tests.cli.program import call
from tests.cli.test_streams import unread
from tests.house.audit.played_house import play
from tests.house.audit.sqlite_attacker import attacked


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    asyncio.run(play(f"sqlite:///{folder / 'house.db'}", number=6, rounds=6, seed=1))
    backup(f"sqlite:///{folder / 'house.db'}", folder / "house.backup")
    return folder / "house.backup"


def test_an_audit_says_what_it_went_through(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "heads.json"
    done = call("audit", "--database", f"sqlite:///{played}", "--heads", str(file))
    assert (done.status, done.err) == (0, "")
    assert "Nothing is wrong." in done.out
    again = call("audit", "--database", f"sqlite:///{played}", "--heads", str(file), "--json")
    answer = json.loads(again.out)
    assert answer["good"] is True
    assert answer["root"] == json.loads(file.read_text())["root"]


def test_an_audit_that_finds_something_says_where_and_keeps_the_heads(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "heads.json"
    with attacked(played, tmp_path) as (connection, url):
        connection.execute(
            "UPDATE transfers SET cents = cents + 1 WHERE version = (SELECT max(version) FROM transfers)"
        )
    done = call("audit", "--database", url, "--heads", str(file))
    assert done.status == 1
    assert "ledger" in done.out
    assert " findings in " in done.err
    assert not file.exists()
    answer = json.loads(call("audit", "--database", url, "--json").out)
    assert answer["faults"]["ledger"] >= 1
    assert {"stream", "version", "code", "message"} == set(answer["findings"][0])


def test_what_was_found_is_told_even_where_the_heads_cant_be_kept(played: Path, tmp_path: Path) -> None:
    done = call("audit", "--database", f"sqlite:///{played}", "--heads", str(tmp_path / "gone" / "heads.json"))
    assert done.status == 1
    assert "Nothing is wrong." in done.out
    assert "heads.json" in done.err


@pytest.mark.parametrize("form", [[], ["--json"]], ids=" ".join)
def test_what_was_found_stays_found_though_nobody_reads(form: list[str], played: Path, tmp_path: Path) -> None:
    """`punto audit | head` in a script that stops at a failed check."""
    with attacked(played, tmp_path) as (connection, url):
        connection.execute("UPDATE transfers SET cents = cents + 1 WHERE version = 1")
    status, reason = unread(["audit", "--database", url, *form])
    assert status == 1
    assert " in " in reason
    status, reason = unread(["backup", str(tmp_path / "copy"), "--database", url, *form])
    assert (status, "did not pass the audit" in reason) == (1, True)
    shoe = record()
    _other_card(shoe)
    (tmp_path / "shoe.json").write_bytes(msgspec.json.encode(shoe))
    status, reason = unread(["verify-shoe", str(tmp_path / "shoe.json"), *form])
    assert (status, reason.startswith("punto: shoe 3: ")) == (1, True)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:secret@host:abc/db",
        "postgresql://ann:secret@127.0.0.1:99999/db",
        "postgresql://ann:secret@[::1/db",
        "postgresql://ann:secret@127.0.0.1:1/db?sslmode=bogus",
    ],
)
def test_an_address_that_is_none_is_said_without_its_password(url: str, tmp_path: Path) -> None:
    for words in (["audit"], ["backup", str(tmp_path / "x")]):
        done = call(*words, "--database", url)
        assert done.status == 1
        assert "can't be read" in done.err
        assert "secret" not in done.err


def test_what_cant_be_audited_is_said(tmp_path: Path) -> None:
    done = call("audit", "--database", f"sqlite:///{tmp_path / 'none.db'}")
    assert (done.status, done.out) == (1, "")
    assert "there is no database" in done.err
    (tmp_path / "heads.json").write_text("{}")
    done = call("audit", "--database", f"sqlite:///{tmp_path / 'none.db'}", "--heads", str(tmp_path / "heads.json"))
    assert "is not a heads file of punto audit" in done.err


# Shoes


def opened_shoe() -> list[e.AnyEvent]:
    """A shoe as the public sees it: cards burnt and skipped, one card face down and turned later, one face up, and the
    order published at the end."""
    order = virtual_shoes.new_shoe(8)
    salt = "5a" * 32
    skipped = min("A23456789TJQK".index(order[0][0]) + 1, 10)
    at = 1 + skipped
    events: list[e.AnyEvent] = [
        e.ShoeLoaded(
            paragraph="",
            shoe=3,
            cards=416,
            burn_due=True,
            by="house-dealer",
            order=order,
            salt=salt,
            commitment=commitment(salt, order),
        ),
        e.CardsBurnt(paragraph="", card=order[0], skipped=skipped, by="house-dealer"),
        e.BettingOpened(paragraph="", round=7, hand=1, edition="", says="", by="house-dealer"),
        e.CardDrawn(paragraph="", place="P1", card=order[at], exposed=False),
        e.CardDrawn(paragraph="", place="B1", card=order[at + 1], exposed=True),
        e.CardExposed(paragraph="", place="P1", card=order[at], by="ann"),
        e.ShoeEnded(paragraph="", shoe=3, by="house-dealer", order=order, salt=salt),
    ]
    return [public_event for event in events if (public_event := shown(event, Audience.PUBLIC)) is not None]


def record() -> dict[str, Any]:
    (shoe,) = records(opened_shoe())
    return dict(msgspec.to_builtins(shoe))


def checked(tmp_path: Path, document: Any) -> tuple[int, str, str]:
    file = tmp_path / "shoe.json"
    file.write_bytes(msgspec.json.encode(document))
    done = call("verify-shoe", str(file))
    return done.status, done.out, done.err


def test_a_shoe_dealt_as_committed_to_is_confirmed(tmp_path: Path) -> None:
    status, out, err = checked(tmp_path, record())
    assert (status, err) == (0, "")
    assert out.startswith("shoe 3: yes")
    assert [card.get("how") for card in record()["dealt"][:2]] == ["burnt", "skipped"]


@pytest.mark.parametrize("wrap", ["rows", "lines", "answers"])
def test_a_tables_events_are_taken_too(wrap: str, tmp_path: Path) -> None:
    plain = [notation.plain(event) for event in opened_shoe()]
    file = tmp_path / "events"
    if wrap == "lines":
        file.write_bytes(b"\n".join(msgspec.json.encode(event) for event in plain))
    elif wrap == "rows":
        file.write_bytes(msgspec.json.encode([{"version": at, "event": event} for at, event in enumerate(plain)]))
    else:
        file.write_bytes(b"\n".join(msgspec.json.encode({"command": 1, "events": [event]}) for event in plain))
    done = call("verify-shoe", str(file), "--json")
    assert (done.status, json.loads(done.out)["good"]) == (0, True)


def _other_card(shoe: dict[str, Any]) -> None:
    shoe["dealt"][0]["card"] = "AS" if shoe["dealt"][0]["card"] != "AS" else "KH"


def _other_order(shoe: dict[str, Any]) -> None:
    shoe["order"] = [*shoe["order"][1:], shoe["order"][0]]


def _no_decks(shoe: dict[str, Any]) -> None:
    shoe["order"] = ["AS"] * 416
    shoe["commitment"] = commitment(shoe["salt"], shoe["order"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_other_card, "card 1 (burnt) was "),
        (_other_order, "the commitment is not the hash"),
        (_no_decks, "the order does not consist of whole decks"),
        (lambda shoe: shoe.update(salt="00" * 32), "the commitment is not the hash"),
        (lambda shoe: shoe.update(salt=None, order=None), "not published yet"),
        (lambda shoe: shoe["dealt"].pop(1), "cards are missing"),
        (lambda shoe: shoe["dealt"].append({"at": 417, "how": "P1"}), "there is no card 417"),
        (lambda shoe: shoe.update(salt="zz"), "the salt is not hexadecimal"),
        (lambda shoe: shoe.update(salt="é" * 64), "the salt is not hexadecimal"),
        (lambda shoe: shoe.update(order=["é"] * 416), "the order has a value that is not a card"),
        (lambda shoe: shoe.update(cards=52), "52 cards were loaded"),
        (lambda shoe: shoe["dealt"].append({"at": None, "how": "P1", "card": "XX", "round": 1}), "had not left"),
        (lambda shoe: shoe["dealt"].append({"at": None, "how": "burnt", "round": 1}), "not at a place of a hand"),
        (lambda shoe: shoe["dealt"].append({"at": None, "how": "P1"}), "not at a place of a hand"),
        (lambda shoe: shoe["dealt"].insert(0, {"at": None, "how": "P1", "round": 1}), "had not left"),
    ],
)
def test_a_shoe_dealt_otherwise_is_not(change: Any, said: str, tmp_path: Path) -> None:
    shoe = record()
    change(shoe)
    status, out, err = checked(tmp_path, shoe)
    assert status == 1
    assert out.startswith("shoe 3: not yet" if "not published" in said else "shoe 3: NO")
    assert said in err


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 100_000, b"\xff", b'{"commitment":1}', b'[{"event":"x"}]'])
def test_what_is_no_shoe_is_said(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_bytes(text)
    done = call("verify-shoe", str(file))
    assert (done.status, done.out) == (1, "")
    assert "Traceback" not in done.err


def test_a_shoe_that_was_not_committed_to_is_said(tmp_path: Path) -> None:
    expected = "the shoe has no commitment: it is not a virtual shoe, or it is older than commitments"
    assert difference(ShoeRecord(shoe=1)) == expected
    assert checked(tmp_path, [])[0] == 1
    assert "can't" not in call("verify-shoe", str(tmp_path / "nowhere")).out
    assert call("verify-shoe", str(tmp_path / "nowhere")).status == 1


def test_a_shoe_is_read_from_the_web(tmp_path: Path) -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(msgspec.json.encode(record()))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.handle_request, daemon=True).start()
    done = call("verify-shoe", f"http://127.0.0.1:{server.server_port}/api/tables/x/shoes/3")
    server.server_close()
    assert (done.status, done.err) == (0, "")


def test_shoes_of_a_played_house_are_confirmed(played: Path) -> None:
    connection = sqlite3.connect(played)
    streams = [row[0] for row in connection.execute("SELECT DISTINCT stream FROM events WHERE stream LIKE 'table/%'")]
    said = []
    for stream in streams:
        cursor = connection.execute("SELECT event FROM events WHERE stream = ? ORDER BY version", (stream,))
        events = [notation.event(row[0]) for row in cursor.fetchall()]
        public = [public_event for event in events if (public_event := shown(event, Audience.PUBLIC)) is not None]
        said += [difference(shoe) for shoe in records(public)]
    connection.close()
    assert said
    assert set(said) <= {None, "salt and order are not published yet: the house publishes them when the shoe ends"}
