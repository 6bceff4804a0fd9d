"""The watch beside the tables: alarms are recorded once, also after a restart, and no table ever waits for it."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

import pytest
import sqlalchemy as sa

from punto.cards import DECK
from punto.game import commands as c
from punto.house.audit.run import audit
from punto.house.store import codec
from punto.house.store import watch_events as w
from punto.house.store.own_stream import append_event
from punto.house.store.schema import watched
from punto.house.table.house import House
from punto.house.watch import follower
from punto.house.watch.follower import Watch
from punto.house.watch.health import read as read_state
from punto.house.watch.recorded_alarms import WatchBook
from punto.watch.alarms import Alarm
from punto.watch.live import Kept, LiveShoe
from tests.house.table.playing import BET, CLOSE, DRAW, LOAD, SETTLE, a_house, ask, did, joins, opening, rich, wager

ORDER = [str(card) for card in DECK * 8]
random.Random(12).shuffle(ORDER)
PATRONS = {"T1": "ann", "T2": "bob"}


def unshuffled(decks: int) -> tuple[str, ...]:
    """Every shoe has the same order as the last one."""
    return tuple(ORDER)


async def play(house: House, rounds: int, table: str = "T1") -> None:
    for _ in range(rounds):
        await did(house, BET, wager(PATRONS[table], 10_000), CLOSE, table=table)
        while (await ask(house, DRAW, table=table)).accepted:
            pass
        await did(house, SETTLE, table=table)


async def seated(house: House, table: str = "T1") -> None:
    patron = PATRONS[table]
    await rich(house.store, patron)
    sits = (c.Join(patron="host"), c.Sit(patron="host", box=1), joins(patron))
    await did(house, opening(table), LOAD, *sits, table=table)


async def events(house: House) -> list[w.AnyWatchEvent]:
    return [w.read(codec.raised(row)) for row in await house.store.read(w.STREAM)]


END = c.EndShoe(by="sue")


async def test_an_unshuffled_shoe_is_on_record_once_and_once_more_when_the_run_is_over(database_url: str) -> None:
    async with a_house(database_url, new_shoe=unshuffled) as house:
        watch = Watch(house, WatchBook(house))
        await seated(house)
        assert await watch.step()
        await play(house, 4)
        await did(house, END, LOAD)
        await play(house, 4)
        assert await watch.step()
        (raised,) = await events(house)
        assert isinstance(raised, w.AlarmRaised)
        assert (raised.alarm.kind, raised.alarm.first_card, raised.alarm.shoe) == ("run", 1, "2")
        assert raised.alarm.seen_at_card <= 10
        await did(house, END)
        assert await watch.step()
        _, grew = await events(house)
        assert isinstance(grew, w.AlarmGrew)
        assert grew.alarm.length > raised.alarm.length
        assert grew.id == raised.id
        before = await events(house)
    async with a_house(database_url, new_shoe=unshuffled) as house:
        watch = Watch(house, WatchBook(house))
        assert await watch.step(), "from what was kept"
        await house.store.execute(sa.delete(watched))
        watch = Watch(house, WatchBook(house))
        assert await watch.step(), "from the first event on"
        assert await events(house) == before
    report = await asyncio.to_thread(audit, database_url)
    assert [finding for finding in report.findings if finding.stream.startswith("watch/")] == []


async def test_a_table_that_is_in_memory_nowhere_is_read_from_the_store(database_url: str) -> None:
    async with a_house(database_url, new_shoe=unshuffled) as house:
        await seated(house)
        for _ in range(2):
            await play(house, 3)
            await did(house, END, LOAD)
    async with a_house(database_url) as house:
        watch = Watch(house, WatchBook(house))
        await watch.step()
        assert {type(event) for event in await events(house)} == {w.AlarmRaised, w.AlarmGrew}
        (row,) = await house.store.fetch(sa.select(watched).where(watched.c.table != ""))
        assert row["table"] == "T1"


async def test_only_one_node_watches(database_url: str) -> None:
    async with a_house(database_url) as first, a_house(database_url) as second:
        await first.store.alone()
        await first.store.share()
        await second.store.share()
        leader, second_watch = Watch(first, WatchBook(first)), Watch(second, WatchBook(second))
        assert await leader.step()
        assert not await second_watch.step()
        await first.store.release(follower.CLAIM)
        assert await second_watch.step()


async def test_what_fails_in_the_watch_is_logged_and_no_table_hears_of_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault is planted in the fold of the events. Commands are answered all the while, and the watch goes on from its
    place once the fault is gone."""
    async with a_house(database_url, new_shoe=unshuffled) as house:
        watch = Watch(house, WatchBook(house))
        monkeypatch.setattr(follower, "AGAIN_S", 0.01)
        monkeypatch.setattr(follower, "LOOK_S", 0.01)
        whole = follower._fold

        def broken(work: object) -> None:
            raise ZeroDivisionError("planted")

        monkeypatch.setattr(follower, "_fold", broken)
        task = asyncio.create_task(watch.run())
        await seated(house)
        await play(house, 4)
        while "watch-failed" not in capsys.readouterr().err:
            await asyncio.sleep(0.01)
        await did(house, END, LOAD)
        await play(house, 4)
        monkeypatch.setattr(follower, "_fold", whole)
        while not await events(house):
            await asyncio.sleep(0.01)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_queue_that_is_full_loses_nothing(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "MOST_QUEUED", 3)
    monkeypatch.setattr(follower, "PAGE", 7)
    async with a_house(database_url, new_shoe=unshuffled) as house:
        watch = Watch(house, WatchBook(house))
        await seated(house)
        await watch.step()
        await play(house, 4)
        assert len(watch._tables["T1"].queue) <= 10
        await did(house, END, LOAD)
        await play(house, 4)
        await watch.step()
        assert [type(event) for event in await events(house)] == [w.AlarmRaised]


async def test_thresholds_hold_from_the_shoe_that_is_loaded_next(database_url: str) -> None:
    """With one false alarm in a thousand years at 100,000 tables a run of nine cards is not enough."""
    async with a_house(database_url, new_shoe=unshuffled) as house:
        book, clock = WatchBook(house), house.clock
        watch, strict = Watch(house, book), w.Thresholds(tables=100_000, false_alarms_a_year="0.001")
        await seated(house)
        await play(house, 2)
        await did(house, END, LOAD)
        set_ = w.ThresholdsSet(by="sam", thresholds=strict, approval="a", asked_by="ann")
        await append_event(house.store, w.STREAM, set_, clock.now, clock.explain)
        await play(house, 2)
        await watch.step()
        assert book.known.thresholds == strict
        usual = [event for event in await events(house) if isinstance(event, w.AlarmRaised)]
        assert [event.alarm.shoe for event in usual] == ["2"], "the shoe was loaded before"
        length = usual[0].alarm.length
        await play(house, 2)
        await did(house, END, LOAD)
        await play(house, 4)
        await watch.step()
        late = [event for event in await events(house) if isinstance(event, w.AlarmRaised)][1:]
        assert [event.alarm.shoe for event in late] == ["3"]
        assert late[0].alarm.length > length


async def test_thresholds_that_are_set_during_a_step_hold_for_a_shoe_loaded_after_them(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(database_url, new_shoe=unshuffled) as house:
        watch, strict = Watch(house, WatchBook(house)), w.Thresholds(tables=100_000, false_alarms_a_year="0.001")
        await seated(house)
        await play(house, 2)
        await did(house, END, LOAD)
        await play(house, 4)
        await watch.step()
        find_tables = watch._find_tables

        async def meanwhile() -> None:
            monkeypatch.undo()
            set_ = w.ThresholdsSet(by="sam", thresholds=strict, approval="a", asked_by="ann")
            await append_event(house.store, w.STREAM, set_, house.clock.now, house.clock.explain)
            await did(house, END, LOAD)
            await find_tables()

        monkeypatch.setattr(watch, "_find_tables", meanwhile)
        await watch.step()
        await play(house, 4)
        await watch.step()
        raised = {event.alarm.shoe: event.alarm for event in await events(house) if isinstance(event, w.AlarmRaised)}
        assert raised.keys() == {"2", "3"}
        assert raised["3"].length > raised["2"].length


async def test_a_table_that_fails_is_left_alone_and_the_others_are_watched(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault is planted in the weighing of one table's stakes. Once it is gone, the watch reads that table from its
    kept place on, and its alarm is on record too."""
    weigh = follower._weigher()

    def planted(edition: str, shoe: LiveShoe, memory: Kept) -> None:
        if shoe.table == "T1":
            raise ZeroDivisionError("planted")
        weigh(edition, shoe, memory)

    monkeypatch.setattr(follower, "_weigher", lambda: planted)
    async with a_house(database_url, new_shoe=unshuffled) as house:
        watch = Watch(house, WatchBook(house))
        for table in ("T1", "T2"):
            await seated(house, table)
        assert await watch.step()
        for table in ("T1", "T2"):
            await play(house, 4, table)
            await did(house, END, LOAD, table=table)
            await play(house, 4, table)
            await did(house, END, table=table)
        assert await watch.step()
        assert "watch-table-failed" in capsys.readouterr().err
        raised = {event.alarm.table for event in await events(house) if isinstance(event, w.AlarmRaised)}
        assert raised == {"T2"}
        rows = await house.store.fetch(sa.select(watched).where(watched.c.table != ""))
        assert [row["table"] for row in rows] == ["T2"], "of the other its place is kept"
        state = await read_state(house.store)
        assert (state.failing, state.behind) == (("T1",), 0)
        assert state.failure == "T1: ZeroDivisionError: planted"
        assert not state.watches(house.clock.now())
        monkeypatch.setattr(follower, "_weigher", lambda: weigh)
        for _ in range(4):
            assert await watch.step()
        raised = {event.alarm.table for event in await events(house) if isinstance(event, w.AlarmRaised)}
        assert raised == {"T1", "T2"}
        state = await read_state(house.store)
        assert state.failing == ()
        assert state.watches(house.clock.now())
        assert not state.watches(house.clock.now() + 3_600_000_000), "an hour later nobody has looked"


async def test_a_table_that_always_fails_is_tried_ever_more_seldom(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def planted(edition: str, shoe: LiveShoe, memory: Kept) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(follower, "_weigher", lambda: planted)
    monkeypatch.setattr(follower, "MOST_LOOKS", 4)
    async with a_house(database_url, new_shoe=unshuffled) as house:
        await seated(house)
        await play(house, 1)
        await did(house, END)
        watch, failed = Watch(house, WatchBook(house)), []
        for look in range(20):
            await watch.step()
            failed += [look] * capsys.readouterr().err.count("watch-table-failed")
    assert failed == [0, 1, 3, 7, 11, 15, 19]


async def test_tables_beyond_those_that_can_wait_are_looked_for(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(database_url, new_shoe=unshuffled) as house:
        watch = Watch(house, WatchBook(house))
        await watch.step()
        monkeypatch.setattr(follower, "MOST_QUEUED", 1)
        for table in ("T1", "T2", "T3"):
            await did(house, opening(table), table=table)
        await watch.step()
        assert set(watch._tables) == {"T1", "T2", "T3"}


async def test_a_long_record_is_read_a_page_at_a_time_and_live_tables_are_heard_between(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T1 has a long record. At T2 an unshuffled shoe is seen long before the record of T1 is read to its end."""
    async with a_house(database_url, new_shoe=unshuffled) as house:
        await seated(house)
        await seated(house, "T2")
        await play(house, 12)
        await play(house, 2, "T2")
        await did(house, END, LOAD, table="T2")
        await play(house, 2, "T2")
        await did(house, END, table="T2")
        monkeypatch.setattr(follower, "PAGE", 10)
        watch, heard_of_t1 = Watch(house, WatchBook(house)), list[int]()
        whole = watch._book.raise_alarm

        async def noted(version: int, alarm: Alarm) -> bool:
            heard_of_t1.append(watch._tables["T1"].heard)
            return await whole(version, alarm)

        monkeypatch.setattr(watch._book, "raise_alarm", noted)
        await watch.step()
        last = watch._tables["T1"].heard
        assert last == (await house.store.head("table/T1"))[0], "to the end in one look"
        assert 0 < heard_of_t1[0] < last
