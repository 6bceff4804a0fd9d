"""Who gave a command, and when. The row records both beside the event."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from tests.house.audit.sqlite_attacker import attacked, audited, rehash
from tests.house.web.running import guest, serving, staff

UNTOLD = ("card-drawn", "cut-card-drawn", "play-resumed", "insurance-closed")
"""Events that name nobody: anyone on duty may have given the command."""
FIRST = "SELECT stream, version, count, actor, key, event FROM events WHERE count > 0 ORDER BY stream, version"


def firsts(path: Path) -> dict[str, tuple[Any, ...]]:
    """The first row of a command of every kind, by its event's tag: stream, version, count, actor and key."""
    with sqlite3.connect(path) as connection:
        rows_by_tag: dict[str, tuple[Any, ...]] = {}
        for stream, version, count, actor, key, event in connection.execute(FIRST):
            rows_by_tag.setdefault(event.split(b'"')[3].decode(), (stream, version, count, actor, key))
        return rows_by_tag


def acted_by(connection: sqlite3.Connection, row: tuple[Any, ...], other: str, *, keyed: bool) -> None:
    """Change the actor of a whole command, with `keyed` in its key too, and recompute the chain."""
    stream, version, count, actor, key = row
    where = (stream, version, version + count)
    connection.execute("UPDATE events SET actor = ? WHERE stream = ? AND version >= ? AND version < ?", (other, *where))
    if keyed and key is not None:
        mine = key.replace(f"{actor}/", f"{other}/")
        connection.execute("UPDATE events SET key = ? WHERE stream = ? AND version = ?", (mine, *where[:2]))
    rehash(connection, stream)
    connection.execute("DELETE FROM snapshots")


@pytest.mark.parametrize("other", ["mallory", "mia"])
def test_another_actor_is_found_without_heads(played: Path, tmp_path: Path, other: str) -> None:
    """The house does not know `mallory`; `mia` is on duty at the tables."""
    kinds = firsts(played)
    assert len(kinds) > 20
    for kind, row in kinds.items():
        if row[3] == other or (other == "mia" and kind in UNTOLD):
            continue
        with attacked(played, tmp_path) as (connection, url):
            acted_by(connection, row, other, keyed=True)
        report = audited(url)
        assert "actor" in report.counts, kind
        assert {(finding.stream, finding.version) for finding in report.findings if finding.code == "actor"} >= {
            row[:2]
        }, kind


def test_a_key_that_is_anothers_is_found(played: Path, tmp_path: Path) -> None:
    row = firsts(played)["card-drawn"]
    with attacked(played, tmp_path) as (connection, url):
        acted_by(connection, row, "mia" if row[3] != "mia" else "sue", keyed=False)
    assert [finding.message for finding in audited(url).findings if finding.code == "actor"] != []


def test_staff_who_act_for_another_are_no_finding(tmp_path: Path) -> None:
    """Staff enter a wager and an option called out by a patron and a card that they turned, and end another's duty."""
    table = "for-another"
    with (
        serving(tmp_path, "--no-rate-limits") as server,
        guest(server) as ann,
        staff(server, "pit-supervisor") as pit,
        staff(server, "dealer") as dealer,
    ):
        pit.open(table, facing="down")
        dealer.must(table, {"do": "start-duty"})
        dealer.must(table, {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
        ann.must(table, {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 1})
        wager = {"do": "place-wager", "box": 1, "bet": "player", "stake": "200.00"}
        dealer.must(table, {**wager, "patron": ann.name}, {"do": "close-betting"})
        ann.must(table, {"do": "ask-squeeze", "places": ["P1"]})
        dealer.must(table, {"do": "grant-squeeze"}, *[{"do": "draw-card"}] * 4)
        dealer.must(table, {"do": "expose-card", "place": "P1", "card": "KH", "by": ann.name})
        for place, card in (("P2", "7D"), ("B1", "2S"), ("B2", "3C")):
            dealer.must(table, {"do": "expose-card", "place": place, "card": card})
        pit.must(table, {"do": "report-irregularity", "kind": "other-dealing-error"})
        pit.must(table, {"do": "decide-irregularity", "reason": "seen", "reconstruct": False})
        pit.must(table, {"do": "choose-option", "patron": ann.name, "option": "returned"})
        pit.must(table, {"do": "end-duty", "name": "dealer"})
        server.stop()
    report = audited(f"sqlite:///{tmp_path / 'house.db'}")
    assert report.findings == []
    assert report.seen.commands > 15


# Times


def timed(connection: sqlite3.Connection, stream: str, at: int) -> None:
    """Change the time of the last command of a stream."""
    since = "(SELECT max(version) FROM events WHERE stream = ? AND count > 0)"
    connection.execute(
        f"UPDATE events SET at = ? WHERE stream = ? AND version >= {since}",
        (at, stream, stream),
    )
    rehash(connection, stream)


LONG_AGO = 1_577_836_799_999_999
"""The last microsecond of 2019."""


@pytest.mark.parametrize("stream", ["person/ann", "person/bob", "table/t1-0"])
@pytest.mark.parametrize("at", [0, -(2**62), 2**62, LONG_AGO])
def test_a_time_far_off_is_found_without_heads(played: Path, tmp_path: Path, stream: str, at: int) -> None:
    with attacked(played, tmp_path) as (connection, url):
        timed(connection, stream, at)
    assert "time" in audited(url).counts


def test_times_are_compared_to_the_minute_by_which_clocks_may_differ(played: Path, tmp_path: Path) -> None:
    minute = 60 * 1_000_000
    with attacked(played, tmp_path) as (connection, url):
        ((before,),) = connection.execute("SELECT at FROM events WHERE stream = 'person/ann' AND version = 1")
        timed(connection, "person/ann", before - minute)
        assert "time" not in audited(url).counts
        timed(connection, "person/ann", before - minute - 1)
        assert "time" in audited(url).counts
        now = time.time_ns() // 1_000
        timed(connection, "person/ann", now + minute // 2)
        assert "time" not in audited(url).counts
        timed(connection, "person/ann", now + 3 * minute)
        assert "time" in audited(url).counts
