"""The clock steps while tables run, or across a restart. Durations follow a clock that never steps, and the step is
recorded."""

from __future__ import annotations

import asyncio
import datetime as dt
import time as machine
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from punto.game import commands as c
from punto.game import events as e
from punto.game.table import Phase
from punto.house.audit.findings import Report
from punto.house.audit.run import audit
from punto.house.live.channel import Subscription
from punto.house.people.accounts import Accounts
from punto.house.people.guests import Guests
from punto.house.store import clock_steps
from punto.house.store.clock_steps import STREAM, ClockStepped
from punto.house.store.dealing_pace import AT_ONCE, PACE
from punto.house.table.directory import Directory
from punto.house.table.house import House
from punto.house.table.recovery import recover
from punto.rulebook import in_force
from punto.rulebook.model import Rank
from tests.house.dealer.test_dealer import dealt, rows_of
from tests.house.table.playing import LOAD, Time, a_house, betting, did, hubs, joins, opening, sound, wager

DAY = 86_400
STEPS = (3, -3, 3_600, -3_600, DAY, -DAY)
GAME = "tiger-buffalo-non-commission"


def some_days_ago() -> int:
    """A start so long ago that no step leads past the time of the audit."""
    return machine.time_ns() // 1_000 - 5 * DAY * 1_000_000


class Watched:
    """When each version of a table was committed, by the clock that never steps, and by the wall clock. PostgreSQL may
    notify late of commits before a restart: nothing up to version `known` counts."""

    def __init__(self, house: House, time: Time, known: int = 0) -> None:
        self.house, self.time, self.known = house, time, known
        self.at: dict[int, int] = {}
        self.wall: dict[int, int] = {}
        house.store.on_wake(self._moved)

    def _moved(self, moved: Sequence[tuple[str, int]]) -> None:
        for stream, version in moved:
            if stream == "table/T1" and version > self.known:
                self.at.setdefault(version, self.time.monotonic())
                self.wall.setdefault(version, self.time())

    async def off(self) -> float:
        """Seconds between the time that the newest row carries and the one at which it was written."""
        row, _ = (await rows_of(self.house))[-1]
        return (row.at - self.wall[row.version]) / 1_000_000

    async def betting_lasted(self) -> list[float]:
        """How many seconds betting lasted, for each round that was seen from its opening to its close."""
        durations, opened = [], None
        for row, event in await rows_of(self.house):
            if isinstance(event, e.BettingOpened):
                opened = self.at.get(row.version)
            elif isinstance(event, e.BettingClosed) and opened is not None:
                durations.append((self.at[row.version] - opened) / 1_000_000)
        return durations


class Stepping:
    """Time passes while the dealer waits. In the rounds of `steps` the wall clock steps in the middle of betting."""

    def __init__(self, house: House, time: Time, steps: dict[int, float]) -> None:
        self.house, self.time, self.steps = house, time, steps

    async def __call__(self, seconds: float) -> None:
        table = await self.house.table("T1")
        step = self.steps.pop(table.rounds, None) if table.phase is Phase.BETTING else None
        if step is None:
            self.time.pass_by(seconds)
            return
        self.time.pass_by(seconds / 2)
        self.time.step(step)
        await self.house.clock.look()
        self.time.pass_by(seconds / 2)


async def opened(house: House) -> str:
    """A virtual table on the list, and a guest at it."""
    await Directory(house.store, house.clock).add("T1", GAME, PACE)
    guests = Guests(Accounts(house.store, house.clock))
    guest = await guests.enter(9)
    await guests.put_on_record(guest.name)
    await did(house, opening(), joins(guest.name, 10_000), c.Sit(patron=guest.name, box=1))
    return guest.name


async def steps_of(house: House) -> list[ClockStepped]:
    return [clock_steps.read(row.event) for row in await house.store.read(STREAM)]


async def audited(url: str) -> Report:
    report = await asyncio.to_thread(audit, url)
    assert report.findings == []
    return report


@pytest.mark.parametrize("step", STEPS)
async def test_betting_is_neither_cut_short_nor_held(step: int, database_url: str) -> None:
    """The clock steps in one round and back in the next. Betting lasts as long as the pace says, and play goes on."""
    time = Time(some_days_ago())
    async with a_house(database_url, now=time, pace_of=lambda table: PACE) as house:
        await opened(house)
        watched = Watched(house, time)
        await dealt(house, lambda table: table.rounds == 5, Stepping(house, time, {2: step, 3: -step}))
        assert await watched.betting_lasted() == [PACE.betting] * 4
        assert [round(entry.seconds) for entry in await steps_of(house)] == [step, -step]
        assert await watched.off() == 0, "the last rows carry their own time"
        await sound(house)
    report = await audited(database_url)
    assert report.note_counts["clock"] == 2
    assert report.note_counts.get("time", 0) == (1 if abs(step) > 60 else 0), report.notes


@pytest.mark.parametrize("step", STEPS)
async def test_a_clock_that_was_wrong_until_a_restart(step: int, database_url: str) -> None:
    """The house ran on a wrong clock, and restarts on the right one in the middle of betting."""
    time = Time(some_days_ago())
    time.step(step)
    async with a_house(database_url, now=time, pace_of=lambda table: PACE) as house:
        await opened(house)
        await dealt(house, lambda table: table.rounds == 2, Stepping(house, time, {}))
    time.pass_by(5)
    time.step(-step)
    time.passed = 0  # another machine, or the same one rebooted
    async with a_house(database_url, now=time, pace_of=lambda table: PACE) as house:
        await recover(house)
        watched, began = Watched(house, time, (await house.table("T1")).version), time.monotonic()
        await dealt(house, lambda table: table.rounds == 4, Stepping(house, time, {}))
        rows = await rows_of(house)
        closed = [row.version for row, event in rows if isinstance(event, e.BettingClosed)]
        assert (watched.at[closed[1]] - began) / 1_000_000 == PACE.betting, "a fresh clock, and a whole one"
        assert await watched.betting_lasted() == [PACE.betting]
        assert await watched.off() == 0
        assert [entry.why for entry in await steps_of(house)] == (["behind"] if step > 60 else [])
    await audited(database_url)


@pytest.mark.parametrize("step", STEPS)
async def test_a_clock_that_is_wrong_after_a_restart(step: int, database_url: str) -> None:
    """The house starts on a wrong clock, which is corrected while tables run."""
    time = Time(some_days_ago())
    async with a_house(database_url, now=time, pace_of=lambda table: PACE) as house:
        await opened(house)
        await dealt(house, lambda table: table.rounds == 1, Stepping(house, time, {}))
    time.step(step)
    async with a_house(database_url, now=time, pace_of=lambda table: PACE) as house:
        await recover(house)
        watched = Watched(house, time, (await house.table("T1")).version)
        await dealt(house, lambda table: table.rounds == 4, Stepping(house, time, {3: -step}))
        assert await watched.betting_lasted() == [PACE.betting] * 2
        why = [entry.why for entry in await steps_of(house)]
        assert why == (["behind", "stepped"] if step < -60 else ["stepped"])
        assert await watched.off() == 0
    await audited(database_url)


async def test_a_day_ahead_for_three_seconds(database_url: str) -> None:
    """No dealer dealt meanwhile. A guest's wager has the time of the wrong clock, and the audit notes it."""
    time = Time(machine.time_ns() // 1_000)
    async with a_house(database_url, now=time, pace_of=lambda table: PACE) as house:
        guest = await opened(house)
        await dealt(house, lambda table: table.rounds == 1, Stepping(house, time, {}))
        time.step(DAY)
        await house.clock.look()
        await did(house, wager(guest, 1_000))
        time.pass_by(3)
        ahead = await asyncio.to_thread(audit, database_url)
        assert ahead.findings == []
        assert [note.stream for note in ahead.notes if note.code == "time"] == ["table/T1"]
        time.step(-DAY)
        await house.clock.look()
        await dealt(house, lambda table: table.rounds == 3, Stepping(house, time, {}))
    notes = [str(note) for note in (await audited(database_url)).notes if note.stream == "table/T1"]
    assert len(notes) == 2, "one that ran ahead, and the first that did not"
    assert "but the row before it has" in notes[0]
    assert "from here on times run ahead of this audit" in notes[1]


async def test_editions_change_at_their_instant_whatever_the_clock_did_before(database_url: str) -> None:
    """Each round follows the edition in force by the wall clock: before the instant the old one, after it the new one,
    and the old one again if the clock is set back."""
    instant = round(dt.datetime(2025, 11, 21, tzinfo=dt.UTC).timestamp()) * 1_000_000
    time = Time(instant - 1_800 * 1_000_000)
    async with a_house(database_url, now=time) as house:
        await did(house, opening(edition=None, game=GAME))
        await Directory(house.store, house.clock).add("T1", GAME, AT_ONCE)
        passing = (
            ("step", 0),
            ("step", 3_600),
            ("step", -3_600),
            ("pass", 1_799),
            ("pass", 1),
            ("step", -3),
            ("pass", 9),
        )
        for number, (how, seconds) in enumerate(passing, 1):
            time.step(seconds) if how == "step" else time.pass_by(seconds)
            await house.clock.look()
            await _one_round(house, number)
        openings = [
            (event.edition.partition("/")[2], row.at, event.round)
            for row, event in await rows_of(house)
            if isinstance(event, e.BettingOpened)
        ]
        old, new = "2024-05-14", "2025-11-21"
        assert [edition for edition, _, _ in openings] == [old, new, old, old, new, new, new]
        for edition, at, number in openings:
            when = dt.datetime.fromtimestamp(at / 1_000_000, in_force.ZONE)
            assert in_force.in_force(GAME, when).edition == edition, number
    await audited(database_url)


async def _one_round(house: House, number: int) -> None:
    """The next round, dealt by hand without a wager."""
    if number == 1:
        await did(house, LOAD)
    await did(house, c.OpenBetting(by="sue"), c.CloseBetting(by="sue"))
    while (await house.table("T1")).phase in (Phase.DEALING, Phase.OFFER):
        await did(house, c.DrawCard(by="sue"))
    await did(house, c.Settle(by="sue"))


class Page:
    """Reads frames as a page does."""

    def __init__(self, house: House, reading: Subscription) -> None:
        self.house, self.reading, self.frames = house, reading, list[dict[str, Any]]()

    async def read(self) -> None:
        self.frames.append(msgspec.json.decode(await self.reading.next()))

    def left(self) -> float:
        """Seconds left on the page's clock: from the server's time to the end that the last frame gave."""
        ends = dt.datetime.fromisoformat(self.frames[-1]["clock"]["ends_at"]).timestamp()
        return ends - self.house.clock.now() / 1_000_000


@pytest.mark.parametrize("step", STEPS)
async def test_a_patrons_countdown_is_right_before_and_after_a_step(step: int, sqlite_url: str) -> None:
    time = Time()

    async with a_house(sqlite_url, now=time, pace_of=lambda table: PACE) as house:
        await betting(house, "ann")
        page = Page(house, await hubs[house].subscribe("T1"))
        await page.read()
        time.pass_by(4)
        assert page.left() == 16
        time.step(step)
        assert page.left() == 16, "until the step is noticed, the server's time has not stepped"
        await house.clock.look()
        await page.read()
        assert page.left() == 16
        assert page.frames[-1]["from"] > page.frames[-1]["to"], "nothing happened: the same table, another clock"
        time.pass_by(2)
        await did(house, wager("ann", 1_000))
        await page.read()
        assert page.left() == 14
        page.reading.close()


async def test_a_step_is_recorded_before_a_row_goes_by_it(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If it can't be recorded, the old time goes on, and the log says so."""
    time = Time()

    async with a_house(sqlite_url, now=time) as house:
        await did(house, opening())
        time.step(-3_600)
        head = house.store.head

        async def away(stream: str) -> tuple[int, bytes]:
            raise OSError("the database is away")

        monkeypatch.setattr(house.store, "head", away)
        looking = asyncio.ensure_future(house.clock.run())
        said = ""
        while "warning" not in said:
            await asyncio.sleep(0)
            said += capsys.readouterr().err
        looking.cancel()
        assert ('"what":"clock-step-not-recorded"' in said, '"error":"OSError"' in said) == (True, True)
        monkeypatch.setattr(house.store, "head", head)
        assert house.clock.now() == time() + 3_600 * 1_000_000
        await did(house, LOAD)
        await house.clock.look()
        assert house.clock.now() == time()
        await did(house, c.OpenBetting(by="sue"))
        first, loaded, *_, bets = [row.at for row, _ in await rows_of(house)]
        assert first == loaded
        assert bets == time()
        assert [entry.seconds for entry in await steps_of(house)] == [-3_600]


async def test_what_is_no_step(sqlite_url: str) -> None:
    """A clock that is corrected bit by bit is followed. A process that was held up between two readings saw no step."""
    time = Time()

    async with a_house(sqlite_url, now=time) as house:
        for _ in range(100):
            time.step(0.4)
            await house.clock.look()
        assert house.clock.now() == time()
        held = iter([0.0] * 3 + [20.0] * 3)
        monotonic = time.monotonic

        def read() -> int:
            time.pass_by(next(held, 0.0))
            return monotonic()

        house.clock.monotonic = read
        await house.clock.look()
        assert await steps_of(house) == []
        assert house.clock.now() == time()


async def test_a_node_whose_clock_is_a_day_ahead_holds_up_no_other(database_url: str) -> None:
    """Each node writes its own time, and a step is recorded once a minute at most."""
    here, there = Time(some_days_ago()), Time(some_days_ago() + DAY * 1_000_000)
    async with a_house(database_url, now=here) as right, a_house(database_url, now=there) as ahead:
        await Directory(right.store, right.clock).add("T1", GAME, PACE)
        await did(right, opening())
        for number in range(20):
            for time in (here, there):
                time.pass_by(1)
            for house in (ahead, right):
                await house.newest("T1")
                await did(house, c.StartDuty(name=f"{'ar'[house is right]}{number}", rank=Rank.DEALER))
        at = [row.at for row, _ in await rows_of(right)][1:]
        assert sum(after < before for before, after in pairwise(at)) == 20
        assert 1 <= len(await steps_of(right)) <= 2
    assert (await audited(database_url)).note_counts["time"] == 20


async def test_a_small_step_back_leaves_times_in_order(sqlite_url: str) -> None:
    time = Time()

    async with a_house(sqlite_url, now=time) as house:
        await did(house, opening())
        time.step(-60)
        await house.clock.look()
        await did(house, LOAD, c.OpenBetting(by="sue"))
        at = [row.at for row, _ in await rows_of(house)]
        assert at == sorted(at)
        time.pass_by(61)
        await did(house, c.CloseBetting(by="sue"))
        assert (await rows_of(house))[-1][0].at == time()


@pytest.mark.parametrize(("off", "left"), [(0, 16), (3, 13), (-3, 19), (-5, 20), (3_600, 20), (-3_600, 20), (DAY, 20)])
async def test_a_node_that_did_not_see_betting_open(off: int, left: int, sqlite_url: str) -> None:
    """It counts from the recorded time. If its own clock is too far off for that, betting gets its full time."""
    here, there = Time(), Time()

    async with a_house(sqlite_url, now=here, pace_of=lambda table: PACE) as house:
        await betting(house, "ann")
        for time in (here, there):
            time.pass_by(4)
        there.step(off)
        async with a_house(sqlite_url, now=there, pace_of=lambda table: PACE) as other:
            passed = there.monotonic() - other.since(await other.state("T1"))
            assert PACE.betting - passed / 1_000_000 == left
            assert PACE.betting - (here.monotonic() - house.since(await house.state("T1"))) / 1_000_000 == 16
