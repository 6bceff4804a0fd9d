"""Clock steps under an audit: real ones are reported as notes, forged ones as findings."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time as machine
from pathlib import Path

import pytest

from punto.house.store.backup import backup
from punto.house.store.clock_steps import SKEW_US, STREAM, ClockStepped, Steps
from punto.house.store.dealing_pace import PACE
from punto.house.table.directory import Directory
from tests.house.audit.sqlite_attacker import attacked, audited, rehash
from tests.house.table.playing import BET, LOAD, Time, a_house, did, opening
from tests.patience import LONG_S

HOUR = 3_600
MICRO = 1_000_000


@pytest.fixture
def stepped(tmp_path: Path) -> Path:
    """A table whose clock was an hour ahead while the shoe was loaded."""
    time = Time(machine.time_ns() // 1_000 - 86_400 * MICRO)
    url = f"sqlite:///{tmp_path / 'house.db'}"

    async def run() -> None:
        async with a_house(url, now=time) as house:
            await did(house, opening())
            await Directory(house.store, house.clock).add("T1", "tiger-buffalo-non-commission", PACE)
            time.step(HOUR)
            await house.clock.look()
            await did(house, LOAD)
            time.step(-HOUR)
            await house.clock.look()
            await did(house, BET)

    asyncio.run(asyncio.wait_for(run(), LONG_S))
    backup(url, tmp_path / "house.backup")
    return tmp_path / "house.backup"


def test_times_that_ran_ahead_are_notes(stepped: Path, tmp_path: Path) -> None:
    with attacked(stepped, tmp_path) as (_, url):
        report = audited(url)
    assert report.findings == []
    notes = [str(note) for note in report.notes]
    assert len(notes) == 3
    assert "house/clock version 1: clock: the clock of node" in notes[0]
    assert "stepped by +3,600.0 s" in notes[0]
    assert "stepped by -3,600.0 s" in notes[1]
    assert "table/T1 version" in notes[2]
    assert "a step of a clock on record explains it" in notes[2]


def test_the_command_prints_them_and_stays_green(stepped: Path) -> None:
    url = f"sqlite:///{stepped}"
    command = [sys.executable, "-m", "punto.cli.main", "audit", "--database", url]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "note: house/clock version 1: clock:" in shown.stdout
    assert "Nothing is wrong." in shown.stdout
    answer = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert answer["good"]
    assert [note["code"] for note in answer["notes"]] == ["clock", "clock", "time"]
    assert answer["notes_left_off"] == 0


CHANGES = {
    "the step back is taken away": "DELETE FROM events WHERE stream = 'house/clock'",
    "it is of another day": "UPDATE events SET at = at - 90000000000 WHERE stream = 'house/clock' AND version = 2",
    "somebody asked for it": "UPDATE events SET key = 'sue/1', body = zeroblob(32) WHERE stream = 'house/clock'",
    "somebody else wrote it": "UPDATE events SET actor = 'sue' WHERE stream = 'house/clock'",
    "it can't be read": "UPDATE events SET event = CAST('{}' AS BLOB) WHERE stream = 'house/clock'",
    "a time that no calendar has": "UPDATE events SET event = CAST(replace(CAST(event AS TEXT), "
    "'\"was\":', '\"was\":99999') AS BLOB) WHERE stream = 'house/clock'",
    "a stream of the house that there is not": "UPDATE events SET stream = 'house/clocks' WHERE stream = 'house/clock'",
}


@pytest.mark.parametrize("change", CHANGES)
def test_steps_that_somebody_made_up_are_found(change: str, stepped: Path, tmp_path: Path) -> None:
    """Every hash is recomputed, as a skilled attacker would do."""
    with attacked(stepped, tmp_path) as (connection, url):
        before = audited(url).counts
        connection.execute(CHANGES[change])
        for stream in (STREAM, "house/clocks"):
            rehash(connection, stream)
        assert audited(url).counts != before


def test_a_row_is_found_that_ran_further_ahead_than_the_clock(stepped: Path, tmp_path: Path) -> None:
    with attacked(stepped, tmp_path) as (connection, url):
        for micros, good in ((0, True), (SKEW_US - MICRO, True), (SKEW_US + MICRO, False)):
            ahead = "(SELECT max(at) FROM events WHERE stream = 'house/clock') + ?"
            connection.execute(f"UPDATE events SET at = {ahead} WHERE stream = 'table/T1' AND version = 2", (micros,))
            rehash(connection, "table/T1")
            assert ("time" not in audited(url).counts) is good


def step(was: int, now: int) -> ClockStepped:
    return ClockStepped(node="n", why="stepped", was=was * MICRO, now=now * MICRO)


def test_what_steps_explain() -> None:
    none, once, twice = Steps(), Steps([step(9_000, 5_000)]), Steps([step(9_000, 5_000), step(5_300, 1_000)])
    for steps, earlier, later, good in (
        (none, 5_000, 5_001, False),
        (once, 5_000, 9_000, True),
        (once, 8_000, 8_500, True),
        (once, 4_941, 9_059, True),
        (once, 4_939, 9_000, False),
        (once, 5_000, 9_061, False),
        (once, 1_000, 9_000, False),
        (twice, 1_000, 9_000, True),
        (twice, 900, 9_000, False),
    ):
        assert steps.explain(earlier * MICRO, later * MICRO) is good, (earlier, later)
    assert none.before(1_000 * MICRO, 1_061 * MICRO)
    assert not none.before(1_000 * MICRO, 1_060 * MICRO)
    assert not once.before(5_000 * MICRO, 9_000 * MICRO), "either may have been first"
    assert once.before(4_000 * MICRO, 5_100 * MICRO)
    assert not once.before(4_000 * MICRO, 5_100 * MICRO, by=1_000 * MICRO)
    assert once.before(9_000 * MICRO, 9_200 * MICRO)


def test_how_far_ahead_a_row_may_be() -> None:
    """At most up to where the clock stood before it was set back, or by as much as it was set forward."""
    back, forward = Steps([step(9_000, 5_000)]), Steps([step(1_000, 5_000)])
    assert back.ahead(9_059 * MICRO, 6_000 * MICRO)
    assert not back.ahead(9_061 * MICRO, 6_000 * MICRO)
    assert forward.ahead(6_059 * MICRO, 2_000 * MICRO)
    assert not forward.ahead(6_061 * MICRO, 2_000 * MICRO)
    assert not Steps().ahead(2_061 * MICRO, 2_000 * MICRO)
