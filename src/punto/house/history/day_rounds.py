"""The settled rounds of a span, read from the tables' streams a page at a time, and the result by the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Final

import msgspec
import sqlalchemy as sa

from punto.game import events as e
from punto.house.history import queries
from punto.house.history.day_figures import CellKey, DayRound
from punto.house.history.export import Span
from punto.house.history.fold import Dated
from punto.house.store import clock_steps, codec
from punto.house.store.clock_steps import Steps
from punto.house.store.interface import Store
from punto.house.store.records import Row
from punto.house.store.schema import events, rounds, transfers
from punto.house.table.ledger import house
from punto.rulebook.model import Moment

PAGE: Final = 2_000
"""Events read at a time. The event loop serves others between two pages."""
KINDS: Final = (
    *("table-opened", "betting-opened", "insurance-offered", "insurance-taken", "round-settled"),
    *("round-reopened", "round-voided", "irregularity-reported"),
)


class TableSpan(msgspec.Struct, frozen=True, kw_only=True):
    """What one table did in a span, beside its settled rounds: reports, and the house's result by the ledger."""

    reports: Counter[tuple[str, str, str]]
    """(edition, paragraph, kind) → number of reports."""
    result_cents: int


async def table_span(store: Store, table: str, span: Span, take: Callable[[DayRound], None]) -> TableSpan:
    """A round belongs to the span of its settlement. One undone in the span before the next round does not count."""
    first = await version_at(store, table, span.since)
    last = await version_at(store, table, span.until) - 1
    reading = _Reading(table, take)
    if first <= last:
        begins = await _round_before(store, table, first)
        async for row in _events(store, table, begins - 1, last):
            reading.add(row, first)
    reading.end_round()
    return TableSpan(reports=reading.reports, result_cents=await result_cents(store, table, first, last))


class _Reading:
    """Reads a table's events in order. A round goes to `take` once it can't be reopened any more."""

    def __init__(self, table: str, take: Callable[[DayRound], None]) -> None:
        self.reports: Counter[tuple[str, str, str]] = Counter()
        self._take = take
        self._settled: DayRound | None = None
        self._table, self._round, self._edition, self._decks = table, 0, "", 0
        self._offers: dict[Moment, CellKey] = {}
        self._taken: dict[str, CellKey] = {}

    def add(self, row: Dated, first: int) -> None:
        """Before version `first` it keeps only what later events need."""
        version, at, event = row
        match event:
            case e.TableOpened():
                self._decks, self._edition = event.settings.decks, event.settings.edition
            case e.BettingOpened():
                self.end_round()
                self._round, self._edition, self._offers, self._taken = event.round, event.edition, {}, {}
            case e.InsuranceOffered():
                self._offers[event.after] = (event.bet, event.after, event.player_points, event.banker_points)
            case e.InsuranceTaken() if event.after in self._offers:
                self._taken[event.insurance] = self._offers[event.after]
            case e.RoundSettled() if version >= first:
                self._settled = self._played(at, event)
            case e.RoundReopened() | e.RoundVoided():
                # The event may void another round than the current one (5.15): then this settlement stays.
                if getattr(event, "round", self._round) == self._round:
                    self._settled = None
            case e.IrregularityReported() if version >= first:
                self.reports[self._edition, event.paragraph, event.irregularity.kind] += 1
            case _:
                pass

    def end_round(self) -> None:
        if self._settled is not None:
            self._take(self._settled)
        self._settled = None

    def _played(self, at: int, event: e.RoundSettled) -> DayRound:
        return DayRound(
            table=self._table,
            round=self._round,
            at=at,
            edition=self._edition,
            decks=self._decks,
            lines=event.lines,
            offers=dict(self._taken),
        )


async def _events(store: Store, table: str, after: int, until: int) -> AsyncIterator[Dated]:
    """Earlier openings of the table, then the events that the figures need."""
    for row in await queries.events_tagged(store, table, ("table-opened",), 0, after):
        yield row
    while True:
        page = await queries.events_tagged(store, table, KINDS, after, until, PAGE)
        for row in page:
            yield row
        if len(page) < PAGE:
            return
        after = page[-1][0]


async def version_at(store: Store, table: str, instant: int) -> int:
    """The first version at or after an instant, or one past the last.

    Where a clock was set back, a table comes to an instant more than once. Its first time counts: once a table has
    come to an instant, later rows move no boundary, and every event is in exactly one day (O107).
    """
    steps = [clock_steps.read(codec.raised(row)) async for row in _whole(store, clock_steps.STREAM)]
    earliest, latest = Steps(steps).around(instant)
    first = await _by_halves(store, table, earliest)
    if earliest == latest:
        return first
    # Times may go back between these two versions, and nowhere else around this instant.
    end = await _by_halves(store, table, latest + 1)
    here = (events.c.stream == f"table/{table}", events.c.version >= first, events.c.version < end)
    reached = sa.select(sa.func.min(events.c.version).label("version")).where(*here, events.c.at >= instant)
    return int((await store.fetch(reached))[0]["version"] or end)


async def _whole(store: Store, stream: str) -> AsyncIterator[Row]:
    after = 0
    while rows := await store.read(stream, after):
        for row in rows:
            yield row
        after = rows[-1].version


async def _by_halves(store: Store, table: str, instant: int) -> int:
    """The first version at or after an instant, by binary search: times must not go back across this instant."""
    low, high = 1, (await store.head(f"table/{table}"))[0] + 1
    while low < high:
        middle = (low + high) // 2
        (row,) = await store.read(f"table/{table}", middle - 1, 1)
        if row.at < instant:
            low = middle + 1
        else:
            high = middle
    return low


async def _round_before(store: Store, table: str, version: int) -> int:
    """The version at which the round began that was current at `version`."""
    where = (rounds.c.stream == f"table/{table}", rounds.c.version <= version)
    rows = await store.fetch(sa.select(sa.func.max(rounds.c.version).label("version")).where(*where))
    return min(version, int(rows[0]["version"] or version))


async def result_cents(store: Store, table: str, first: int, last: int) -> int:
    """What the house won at a table by the ledger, from one version to another."""
    account, here = house(table), transfers.c.stream == f"table/{table}"
    signed = sa.case((transfers.c.taker == account, transfers.c.cents), else_=-transfers.c.cents)
    where = (here, transfers.c.version >= first, transfers.c.version <= last)
    ours = sa.or_(transfers.c.taker == account, transfers.c.giver == account)
    rows = await store.fetch(sa.select(sa.func.coalesce(sa.func.sum(signed), 0).label("cents")).where(*where, ours))
    return int(rows[0]["cents"])
