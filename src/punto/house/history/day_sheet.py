"""The sheet of a span: tables, games, the house, every bet, reports, and the course of the result. The page and every
file show the same content."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import Final

import msgspec

from punto.house.history.day_figures import BetFigures, DayRound, Figures, Tally
from punto.house.history.day_rounds import table_span
from punto.house.history.export import Span
from punto.house.instants import iso
from punto.house.store.interface import Store
from punto.house.table.governing_edition import named
from punto.money import Cents
from punto.rulebook.model import Rulebook

STEPS: Final = 96
"""The most points in the course. For a day, each is a quarter of an hour."""


class Reports(msgspec.Struct, frozen=True, kw_only=True):
    """How often something was reported, by the paragraph that it was reported under."""

    edition: str
    paragraph: str
    kind: str
    reports: int


class NamedFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a table or of an edition. `edition` is the last one that a table played."""

    name: str
    edition: str
    figures: Figures


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What the rounds of one step of the span came to, from `since` until `at`."""

    since: str
    at: str
    rounds: int
    result_cents: Cents = msgspec.field(name="result")
    theoretical_cents: Cents = msgspec.field(name="theoretical")


class DaySheet(msgspec.Struct, frozen=True, kw_only=True):
    """What the tables made from `since` until `until`, beside what they should have made."""

    since: str
    until: str
    house: Figures
    games: tuple[NamedFigures, ...]
    tables: tuple[NamedFigures, ...]
    bets: tuple[BetFigures, ...]
    irregularities: tuple[Reports, ...]
    course: tuple[Step, ...]


async def day_sheet(store: Store, span: Span) -> DaySheet:
    """All tables of a span, read one after the other."""
    made = _Sheet(span)
    for table in span.tables:
        sheet = await table_span(store, table, span, partial(made.take, table))
        made.end_table(table, sheet.result_cents, sheet.reports)
    return await asyncio.to_thread(made.sheet)


class _Sheet:
    """Tallies by table, edition and step, while rounds come in."""

    def __init__(self, span: Span) -> None:
        self._span, self._books = span, dict[str, Rulebook]()
        self._house = Tally()
        self._tables = {table: Tally() for table in span.tables}
        self._games: dict[str, Tally] = {}
        self._steps: dict[int, Tally] = {}
        self._results: Counter[str] = Counter()
        self._by_edition: Counter[str] = Counter()
        self._last: dict[str, str] = {}
        self._reports: Counter[tuple[str, str, str]] = Counter()
        self._width = max(1, (span.until - span.since) // STEPS)

    def take(self, name: str, played: DayRound) -> None:
        if played.edition not in self._books:
            self._books[played.edition] = named(played.edition)
        rules = self._books[played.edition]
        # Where a clock was set back, a round may be of a time before or after the span.
        number = min(max((played.at - self._span.since) // self._width, 0), STEPS - 1)
        step = self._steps.setdefault(number, Tally())
        game = self._games.setdefault(played.edition, Tally())
        for tally in (self._house, self._tables[name], game, step):
            tally.add(rules, played)
        self._last[name] = played.edition
        self._by_edition[played.edition] += played.won_cents
        self._results[name] -= played.won_cents

    def end_table(self, name: str, result_cents: int, reports: Counter[tuple[str, str, str]]) -> None:
        """Credit what the ledger has beyond the settled rounds to the edition of the table's last settled round in the
        span. If there was none, no game has it, only the table and the house."""
        self._reports += reports
        self._results[name] += result_cents
        self._by_edition[self._last.get(name, "")] += self._results[name]
        self._results[name] = result_cents

    def sheet(self) -> DaySheet:
        books, span = self._books, self._span
        tables = [
            NamedFigures(name=name, edition=self._last.get(name, ""), figures=tally.figures(books, self._results[name]))
            for name, tally in self._tables.items()
            if tally.rounds or self._results[name]
        ]
        games = [
            NamedFigures(name=edition, edition=edition, figures=tally.figures(books, self._by_edition[edition]))
            for edition, tally in sorted(self._games.items())
        ]
        return DaySheet(
            since=iso(span.since),
            until=iso(span.until),
            house=self._house.figures(books, sum(self._results.values())),
            games=tuple(games),
            tables=tuple(tables),
            bets=tuple(self._house.by_bet(books)),
            irregularities=tuple(
                Reports(edition=edition, paragraph=paragraph, kind=kind, reports=count)
                for (edition, paragraph, kind), count in sorted(self._reports.items())
            ),
            course=tuple(self._step(at) for at in sorted(self._steps)),
        )

    def _step(self, at: int) -> Step:
        tally = self._steps[at]
        figures = tally.figures(self._books, 0)
        return Step(
            since=iso(self._span.since + at * self._width),
            at=iso(min(self._span.since + (at + 1) * self._width, self._span.until)),
            rounds=tally.rounds,
            result_cents=Cents(figures.bets.result_cents + figures.insurance.result_cents),
            theoretical_cents=figures.theoretical_cents,
        )
