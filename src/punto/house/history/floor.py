"""The floor: every table in one line, as staff see it. Lines are cached until their table changes, so a request costs
only what has changed since the last one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

import msgspec
import sqlalchemy as sa

from punto.game import notation
from punto.game.announcements import closes_now
from punto.game.commands import CloseTable
from punto.game.round import HEARD
from punto.game.table import Irregular, Table, TableLimits, lying_cents
from punto.house.history.day_rounds import result_cents, version_at
from punto.house.history.stream_index import tagged
from punto.house.instants import MICRO, iso
from punto.house.store.codec import RecordedEvent
from punto.house.store.schema import events
from punto.house.table.decide import TableState
from punto.house.table.house import House
from punto.money import Cents
from punto.rulebook import in_force


class OpenReport(msgspec.Struct, frozen=True, kw_only=True):
    """An open report. The table's `phase` is irregularity while a ruling is due, options while patrons choose."""

    kind: str
    paragraph: str
    since: str


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table on the floor. `result` is what the house has won there today, `at_stake` what lies on the layout."""

    id: str
    name: str | None
    """What people call it (O120)."""
    edition: str
    layout: str
    currency: str
    source: str
    phase: str
    since: str
    seats_taken: int
    seats: int
    patrons: int
    at_stake_cents: Cents = msgspec.field(name="at_stake")
    result_cents: Cents = msgspec.field(name="result")
    shoe: int | None
    hand: int | None
    round: int | None
    last_round: bool
    results: str
    limits: TableLimits
    """As they were set: a bet without figures of its own has none here (D1)."""
    next_limits: TableLimits | None
    closes_after: int | None
    closes_now: bool
    """The last round that was announced has been played."""
    may_close: bool
    """Closing is accepted in the current phase."""
    irregularity: OpenReport | None
    staff: dict[str, str]
    version: int


def day_began(now: int) -> int:
    """E5: the day begins at 08:00 +08:00."""
    local = dt.datetime.fromtimestamp(now // MICRO, in_force.ZONE)
    begins = dt.datetime.combine(local.date(), in_force.DAY_STARTS, in_force.ZONE)
    return round((begins if begins <= local else begins - dt.timedelta(days=1)).timestamp()) * MICRO


class Floor:
    """The lines of a node. The store reports changes by other nodes."""

    def __init__(self, house: House) -> None:
        self._house, self._store = house, house.store
        self._lines: dict[str, bytes] = {}
        self._moves: dict[str, int] = {}
        """How often each table was reported to have moved."""
        self._before: dict[str, int] = {}
        """What the house had won at a table before the day began."""
        self._day = 0
        self._store.on_wake(self._woken)
        house.listeners.append(self._table_moved)
        house.clock.on_step(self._forget_lines)

    async def tables(self, names: Iterable[str]) -> list[bytes]:
        """The lines of these tables. Raises NoSuchTable, Halted."""
        day = day_began(self._house.clock.now())
        if day != self._day:
            self._day, self._before = day, {}
            self._forget_lines()
        return [self._lines.get(name) or await self._line(name) for name in names]

    async def _line(self, name: str) -> bytes:
        """The line is cached unless the table has changed meanwhile."""
        lines, moves = self._lines, self._moves.get(name, 0)
        line = notation.encode(await self._table(name))
        if self._moves.get(name, 0) == moves:
            lines[name] = line
        return line

    def _forget_lines(self) -> None:
        """A new dictionary: a line that is being read goes into the old one."""
        self._lines = {}

    async def _table(self, name: str) -> FloorTable:
        state = await self._house.state(name)
        table, settings, current = state.table, state.table.opened, state.table.round
        wrong = table.irregularity
        may_close = CloseTable in HEARD[table.phase]
        return FloorTable(
            id=name,
            name=settings.name,
            edition=current.edition if current is not None else settings.edition,
            layout=settings.layout,
            currency=settings.currency,
            source=settings.source,
            phase=table.phase.value,
            since=iso(self._house.shown_since(state)),
            seats_taken=sum(patron.box is not None for patron in table.patrons.values()),
            seats=settings.positions,
            patrons=sum(patron.present for patron in table.patrons.values()),
            at_stake_cents=Cents(lying_cents(table)),
            result_cents=Cents(table.house_cents - await self._before_today(name, table)),
            shoe=table.shoe.number if table.shoe is not None else None,
            hand=current.hand if current is not None else None,
            round=current.number if current is not None else None,
            last_round=table.shoe is not None and table.shoe.last_round,
            results="".join(table.shoe.results.values())[-24:] if table.shoe is not None else "",
            limits=table.opened.limits,
            next_limits=table.next_limits,
            closes_after=table.closes_after,
            closes_now=closes_now(table) and may_close,
            may_close=may_close,
            irregularity=None if wrong is None else await self._report(name, wrong),
            staff={person: rank.value for person, rank in table.staff.items()},
            version=table.version,
        )

    async def _before_today(self, name: str, table: Table) -> int:
        """What the house had won before today: by the ledger, once a day. The table's own sum has the rest."""
        before = self._before  # a day that begins meanwhile has a dictionary of its own
        if name not in before:
            first = await version_at(self._store, name, self._day)
            won = await result_cents(self._store, name, first, table.version)
            before[name] = table.house_cents - won
        return before[name]

    async def _report(self, name: str, wrong: Irregular) -> OpenReport:
        where = (events.c.stream == f"table/{name}", tagged(["irregularity-reported"]))
        newest = sa.select(events.c.at).where(*where).order_by(events.c.version.desc()).limit(1)
        rows = await self._store.fetch(newest)
        return OpenReport(kind=wrong.kind, paragraph=wrong.paragraph, since=iso(rows[0]["at"]))

    def _woken(self, moved: Sequence[tuple[str, int]]) -> None:
        if not moved:
            self._forget_lines()
        for stream, _ in moved:
            if stream.startswith("table/"):
                self._forget_line(stream.removeprefix("table/"))

    def _table_moved(self, table: str, state: TableState, events: Sequence[RecordedEvent]) -> None:
        """The table in memory has moved. The store says so earlier: a line that was read in between is out of date."""
        self._forget_line(table)

    def _forget_line(self, table: str) -> None:
        self._lines.pop(table, None)
        self._moves[table] = self._moves.get(table, 0) + 1
