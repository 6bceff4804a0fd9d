"""The list of tables: a table's pace is the one it was opened with, whoever finds the table first."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from punto.game import commands as c
from punto.house.audit.run import audit
from punto.house.store.dealing_pace import PACE, Pace
from punto.house.store.schema import tables
from punto.house.table import directory
from punto.house.table.directory import Directory
from punto.house.table.house import House
from punto.house.table.recovery import recover
from tests.house.table.playing import TIGER, a_house, did, opening

LIVE = "live-baccarat-insurance-commission/undated"
SLOW = Pace(betting=3600)


async def test_a_list_that_is_read_while_a_table_is_opened_leaves_its_pace_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's first event is committed, and the node is about to put the table on the list."""
    monkeypatch.setattr(directory, "_AT_IT", 3_600_000_000)
    here, there = Directory(house.store), Directory(house.store)
    await did(house, opening())
    await there.load()
    assert there.pace_of("T1") is None, "it does not say what it does not know"
    await here.add("T1", "tiger-buffalo-commission", SLOW)
    await there.load()
    assert here.pace_of("T1") == there.pace_of("T1") == SLOW
    assert here.known == there.known, "the game, whether it is for show, and when it was opened, too"


@pytest.mark.parametrize("before", [None, PACE])
async def test_what_is_written_down_while_the_list_is_read_stays(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, before: Pace | None
) -> None:
    """The table is new, or opened again with another pace, after its row was read and before the read has ended."""
    async with a_house(sqlite_url) as house:
        there = Directory(house.store)
        await did(house, opening())
        if before is not None:
            await there.add("T1", "tiger-buffalo-commission", before)
        read = house.store.streams

        async def slowly(prefix: str = "") -> list[tuple[str, int]]:
            streams = await read(prefix)
            await there.add("T1", "tiger-buffalo-commission", SLOW)
            return streams

        monkeypatch.setattr(house.store, "streams", slowly)
        await there.load()
        assert there.pace_of("T1") == SLOW


async def test_a_list_that_somebody_goes_through_is_not_changed(sqlite_url: str) -> None:
    """A route waits for each table in turn, and a table may be opened meanwhile."""
    async with a_house(sqlite_url) as house:
        there, passed = Directory(house.store), list[str]()
        for table in ("T1", "T2"):
            await there.add(table, "tiger-buffalo-commission", SLOW)
        for table in there.known:
            await there.add(f"{table}-more", "tiger-buffalo-commission", SLOW)
            passed.append(table)
        assert passed == ["T1", "T2"]
        assert list(there.known) == ["T1", "T1-more", "T2", "T2-more"]


async def test_a_table_whose_node_died_before_it_wrote_it_down_is_found(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "_AT_IT", 50_000)

    async with a_house(database_url) as house:
        there = Directory(house.store)
        await did(house, opening())
        looking = asyncio.ensure_future(there.run())
        await there.load()
        while "T1" not in there.known:
            await asyncio.sleep(0.02)
        looking.cancel()
        virtual = (await house.table("T1")).opened.source == "virtual"
        assert there.pace_of("T1") == (PACE if virtual else None)
        await there.add("T1", "tiger-buffalo-commission", SLOW)
        assert there.pace_of("T1") == SLOW, "its opener was only slow, and knows better"


async def test_a_list_that_can_not_be_read_once_is_read_again(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house(sqlite_url) as house:
        there = Directory(house.store)
        await there.add("T1", "tiger-buffalo-commission", SLOW)
        there.known.clear()
        failed: list[str] = []

        async def fails(prefix: str = "") -> list[tuple[str, int]]:
            failed.append(prefix)
            monkeypatch.undo()
            raise OSError("the database is away for a moment")

        monkeypatch.setattr(house.store, "streams", fails)
        looking = asyncio.ensure_future(there.run())
        there._woken(())
        while "T1" not in there.known:
            await asyncio.sleep(0.02)
        looking.cancel()
        assert failed


async def test_a_table_that_is_opened_again_is_listed_with_its_new_game(house: House, database_url: str) -> None:
    here = Directory(house.store)
    for edition, layout, positions in ((TIGER, "H", 6), (LIVE, "live", 7)):
        await did(house, opening(edition=edition, layout=layout, positions=positions, source="live"))
        listed = await here.add("T1", edition.partition("/")[0], None)
        assert listed.game == edition.partition("/")[0]
        await did(house, c.CloseTable(by="sue"))
    report = await asyncio.to_thread(audit, database_url)
    assert not [finding for finding in report.findings if "listed" in finding.message]


@pytest.mark.parametrize(
    ("before", "after", "pace"),
    [
        (opening(edition=LIVE, layout="live", positions=7, source="live"), opening(edition=TIGER), PACE),
        (opening(edition=TIGER, source="live"), opening(edition=TIGER), PACE),
        (opening(edition=LIVE, layout="live", positions=7), opening(edition=TIGER, source="live"), None),
    ],
    ids=["another game, virtual", "virtual", "another game, live"],
)
async def test_a_node_that_dies_before_it_lists_a_table_opened_again(
    database_url: str, before: c.OpenTable, after: c.OpenTable, pace: Pace | None
) -> None:
    """The next start that is alone lists it as it was opened, a virtual one with a pace."""
    async with a_house(database_url) as house:
        await did(house, before)
        was = PACE if before.source == "virtual" else None
        await Directory(house.store).add("T1", str(before.edition).partition("/")[0], was, demo=True)
        await did(house, c.CloseTable(by="sue"))
        await did(house, after)
    async with a_house(database_url) as house:
        there = Directory(house.store)
        await there.load()
        await recover(house, there)
        listed = there.known["T1"]
        assert (listed.game, listed.pace, listed.demo) == (TIGER.partition("/")[0], pace, False)
        assert (await house.store.fetch(sa.select(tables)))[0]["game"] == listed.game
    report = await asyncio.to_thread(audit, database_url)
    assert not [finding for finding in report.findings if finding.code == "table"]


async def test_a_pace_that_another_node_has_changed_is_read(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table was opened again there, and no table is new."""
    monkeypatch.setattr(directory, "LOOK_S", 0.02)
    async with a_house(sqlite_url) as house:
        here, there = Directory(house.store), Directory(house.store)
        await here.add("T1", "tiger-buffalo-commission", PACE)
        await there.load()
        tiles: list[str | None] = []
        there.watchers.add(tiles.append)
        there.shown["T1"] = (None, b"its clock runs by the pace")
        looking = asyncio.ensure_future(there.run())
        await here.add("T1", "tiger-buffalo-commission", SLOW)
        while there.pace_of("T1") != SLOW:
            await asyncio.sleep(0.02)
        looking.cancel()
        assert tiles == ["T1"]
        assert "T1" not in there.shown
