"""Lines of the floor are never older than what the store has reported."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from punto.house.history.floor import Floor
from tests.house.table.playing import BET, LOAD, a_house, did, opening


async def phase(floor: Floor) -> str:
    (line,) = await floor.tables(["T1"])
    return str(msgspec.json.decode(line)["phase"])


async def test_a_line_that_is_read_before_the_table_has_its_commit(sqlite_url: str) -> None:
    """A commit is reported before the table in memory has it. A line that is read just then is not cached."""
    async with a_house(sqlite_url) as house:
        await did(house, opening(), LOAD)
        floor = Floor(house)
        assert await phase(floor) == "ready"

        def read_at_once(moved: Sequence[tuple[str, int]]) -> None:
            reading = floor.tables(["T1"])
            with suppress(StopIteration):
                reading.send(None)
            reading.close()

        house.store.on_wake(read_at_once)
        await did(house, BET)
        assert await phase(floor) == "betting"


async def test_a_line_of_a_table_that_another_node_has_moved(database_url: str) -> None:
    """The floor of a node is told, by name or to look at all, and its tables in memory are not."""
    async with a_house(database_url) as house, a_house(database_url) as other:
        await did(house, opening(), LOAD)
        assert (await other.table("T1")).version
        other.store._calls.clear()
        floor = Floor(other)
        assert await phase(floor) == "ready"
        await did(house, BET)
        floor._woken(())
        assert await phase(floor) == "betting"
        version, _ = await house.store.head("table/T1")
        floor._woken([("table/T1", version)])
        assert await phase(floor) == "betting"
