"""A house that was played in passes the audit. A file that is no house's database, or an impossible time, does not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from punto.game import commands as c
from punto.game.table import TableLimits
from punto.house.audit.run import audit
from punto.house.store.interface import open_store
from punto.house.store.reader import Unreadable, shown
from punto.house.table.house import House
from punto.house.table.request import Request
from punto.money import Cents
from punto.rulebook.model import Rank
from tests.house.audit.played_house import play
from tests.house.audit.sqlite_attacker import attacked, audited, rehash
from tests.house.table.playing import actor_of


def test_a_played_house_is_sound(database_url: str) -> None:
    answers = asyncio.run(play(database_url, number=3, rounds=4, seed=2))
    done: list[tuple[int, int]] = []
    report = audit(database_url, progress=lambda rows, total: done.append((rows, total)))
    assert report.findings == []
    assert report.good
    assert report.seen.commands > answers["accepted"]  # plus the commands that opened accounts
    assert report.seen.refusals == answers.total() - answers["accepted"]
    assert report.seen.snapshots == 3
    assert min(report.seen.rounds, report.seen.lines, report.seen.shoes, report.seen.transfers) > 0
    assert done[-1][1] == report.seen.rows
    asyncio.run(play(database_url, number=1, rounds=2, seed=3))
    later = audit(database_url, report.heads)
    assert later.good
    assert later.root != report.root


def test_it_only_reads(played: Path) -> None:
    before = played.read_bytes()
    assert audit(f"sqlite:///{played}").good
    assert played.read_bytes() == before


@pytest.mark.parametrize("url", ["sqlite:///nowhere/house.db", "mysql://x", "sqlite:///{file}"])
def test_what_is_no_database_of_the_house_is_said(url: str, tmp_path: Path) -> None:
    (tmp_path / "other.db").write_bytes(b"")
    with pytest.raises(Unreadable):
        audit(url.format(file=tmp_path / "other.db"))


def test_no_password_is_shown() -> None:
    assert shown("postgresql://ann:secret@host/db") == "postgresql://ann@host/db"
    assert shown("sqlite:////tmp/x.db") == "sqlite:////tmp/x.db"


async def test_lists_of_commands_and_a_table_whose_edition_is_not_pinned(database_url: str) -> None:
    """One key covers several commands, the clock determines the edition, and an interruption is resolved at once."""
    store = await open_store(database_url)
    house = House(store)
    opening = c.OpenTable(
        by="sue",
        table="open",
        game="tiger-buffalo-commission",
        layout="A",
        positions=6,
        limits=TableLimits(minimum_cents=Cents(100), maximum_differential_cents=Cents(100_000)),
        source="virtual",
    )
    lists: list[list[c.AnyCommand]] = [
        [opening],
        [c.StartDuty(name="dan", rank=Rank.DEALER), c.LoadShoe(by="dan", count=416, shuffled=True)],
        [c.PlaceCutCard(by="dan", after=300), c.OpenBetting(by="dan"), c.CloseBetting(by="dan")],
        [c.DrawCard(by="dan"), c.DrawCard(by="dan")],
        [
            c.StartDuty(name="house-recovery", rank=Rank.DEALER),
            c.ReportIrregularity(by="house-recovery", kind="interruption", note="a restart"),
            c.EndDuty(name="house-recovery"),
        ],
        [c.EndShoe(by="dan"), c.CloseTable(by="dan")],
    ]
    try:
        for number, commands in enumerate(lists):
            answer = await house.command("open", Request(commands, f"k{number}", actor_of(commands[0]), bytes(32)))
            assert answer.accepted, answer.json
    finally:
        await house.close()
        await store.close()
    report = await asyncio.to_thread(audited, database_url)
    assert report.findings == []
    assert (report.seen.commands, report.seen.rounds) == (6, 1)


@pytest.mark.parametrize("at", [0, -(2**62), 2**62])
async def test_a_time_at_which_no_edition_is_in_force_is_found(sqlite_url: str, tmp_path: Path, at: int) -> None:
    """The time of a row determines the edition here. A changed time may be outside any calendar."""
    store = await open_store(sqlite_url)
    house = House(store)
    limits = TableLimits(minimum_cents=Cents(100), maximum_differential_cents=Cents(100_000))
    opening = c.OpenTable(
        by="sue", table="open", game="tiger-buffalo-commission", layout="A", positions=6, limits=limits
    )
    try:
        assert (await house.command("open", Request([opening], "k", "sue", bytes(32)))).accepted
    finally:
        await house.close()
        await store.close()
    with attacked(Path(sqlite_url.removeprefix("sqlite:///")), tmp_path) as (connection, url):
        connection.execute("UPDATE events SET at = ?", (at,))
        rehash(connection, "table/open")
    assert "wrong-edition" in audited(url).counts
