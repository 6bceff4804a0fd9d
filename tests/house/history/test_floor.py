"""No line of the floor stays older than the table in memory."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec
import pytest

from punto.house.history import floor as floor_module
from punto.house.history.floor import Floor
from punto.house.store.interface import Store
from tests.house.table.playing import BET, CLOSE, LOAD, Time, a_house, did, opening


async def shown(floor: Floor, field: str = "phase") -> str:
    (line,) = await floor.tables(["T1"])
    return str(msgspec.json.decode(line)[field])


async def test_a_line_that_is_read_before_the_table_has_its_commit(sqlite_url: str) -> None:
    """A commit is reported before the table in memory has it. A line that is read just then is not cached."""
    async with a_house(sqlite_url) as house:
        await did(house, opening(), LOAD)
        floor = Floor(house)
        assert await shown(floor) == "ready"

        def read_at_once(moved: Sequence[tuple[str, int]]) -> None:
            reading = floor.tables(["T1"])
            with suppress(StopIteration):
                reading.send(None)
            reading.close()

        house.store.on_wake(read_at_once)
        await did(house, BET)
        assert await shown(floor) == "betting"


async def test_a_line_of_a_table_that_another_node_has_moved(database_url: str) -> None:
    """The floor of a node is told, by name or to look at all, before the table in its memory has moved."""
    async with a_house(database_url) as house, a_house(database_url) as other:
        await did(house, opening(), LOAD)
        assert (await other.table("T1")).version
        other.store._calls.clear()
        floor = Floor(other)
        assert await shown(floor) == "ready"
        for command, phase in ((BET, "betting"), (CLOSE, "dealing")):
            before = await shown(floor)
            await did(house, command)
            version, _ = await house.store.head("table/T1")
            floor._woken([("table/T1", version)] if command is CLOSE else ())
            assert await shown(floor) == before
            await other.newest("T1")
            assert await shown(floor) == phase


async def test_a_day_that_begins_while_a_line_is_read(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that was begun yesterday leaves nothing behind: the result is today's."""
    time = Time()
    async with a_house(sqlite_url, now=time) as house:
        await did(house, opening(), LOAD)
        floor, days = Floor(house), list[int]()

        async def version_at(store: Store, table: str, day: int) -> int:
            days.append(day)
            if len(days) == 1:
                time.pass_by(24 * 3600)
                assert await shown(floor, "result") == "2.00"
            return len(days) if day == days[-1] else 1

        async def result_cents(store: Store, table: str, first: int, version: int) -> int:
            return first * 100

        monkeypatch.setattr(floor_module, "version_at", version_at)
        monkeypatch.setattr(floor_module, "result_cents", result_cents)
        assert await shown(floor, "result") == "1.00"
        assert await shown(floor, "result") == "2.00"
        assert days[0] < days[1]
