"""The report that an alarm prepares: only while its cards are in use."""

from __future__ import annotations

import msgspec

from punto.game.table import Table
from punto.house.store.watch_events import KnownAlarm
from punto.house.table.house import House
from punto.house.watch.cards_and_stakes import Checkpoint
from punto.house.watch.prepared_report import report_of
from punto.watch.live import Kept
from tests.house.table.playing import LOAD, a_house, did
from tests.house.watch.test_audit import ALARM
from tests.house.watch.test_follower import END, play, seated

RUN = KnownAlarm(id="T1.1.run.1", number=7, at=0, alarm=ALARM)
MISSING = KnownAlarm(id="m", number=8, at=0, alarm=msgspec.structs.replace(ALARM, kind="missing"))
LACKS, WHOLE = Checkpoint(kept=Kept(missing=True), decks=8), Checkpoint(kept=Kept(), decks=8)


async def at(house: House) -> Table:
    return (await house.state("T1")).table


async def test_a_report_names_the_round_on_the_table_and_the_number_of_the_alarm(database_url: str) -> None:
    async with a_house(database_url) as house:
        await seated(house)
        assert report_of(RUN, await at(house), WHOLE, "") is None, "nothing was dealt yet"
        await play(house, 2)
        report = report_of(RUN, await at(house), WHOLE, "")
        assert report is not None
        assert (report.round, report.note) == (2, "surveillance 7")
        await did(house, END, LOAD)
        assert report_of(MISSING, await at(house), LACKS, "m") is None, "of the new shoe nothing lies there yet"
        await play(house, 1)
        table = await at(house)
        assert report_of(RUN, table, WHOLE, "") is None, "its shoe is gone"
        missing = report_of(MISSING, table, LACKS, "m")
        assert missing is not None, "the next shoe of the set lacks them too"
        assert missing.round == 3
        assert report_of(MISSING, table, WHOLE, "m") is None, "new cards came in"
        assert report_of(MISSING, table, LACKS, "another") is None, "a later set lacks some"
        assert report_of(MISSING, table, msgspec.structs.replace(LACKS, decks=6), "m") is None, "other decks"
