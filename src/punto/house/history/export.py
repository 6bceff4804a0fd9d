"""Rows of the exports: rounds and the ledger, table by table, in bounded memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.game.events import BettingOpened, TableOpened
from punto.house.history import fold, queries, recorded_rounds
from punto.house.history.fold import Dated
from punto.house.history.past_round import PastRound
from punto.house.instants import iso
from punto.house.store.interface import Store
from punto.house.store.schema import events, transfers
from punto.money import amount

PAGE: Final = 2_000
ROUNDS: Final[tuple[str, ...]] = (
    *("table", "round", "hand", "edition", "at", "ended_at", "state", "winner", "player_points", "banker_points"),
    *("cards", "wagers", "staked", "handed_back", "net", "paid"),
)
LEDGER: Final[tuple[str, ...]] = ("stream", "version", "n", "at", "actor", "giver", "taker", "amount")
Rows = AsyncIterator[list[tuple[Any, ...]]]


class Span(msgspec.Struct, frozen=True):
    """Tables, and a time span in microseconds that excludes `until`."""

    tables: tuple[str, ...]
    since: int
    until: int


async def all_rounds(store: Store, span: Span) -> Rows:
    """One row for each round, with all corrections so far. The ledger has every step."""
    async for page in _past_rounds(store, span):
        yield [_row(past) for past, _ in page]


async def judged_rounds(store: Store, span: Span, edition: str) -> Rows:
    """The rounds of an edition without a ruling or correction."""
    async for page in _past_rounds(store, span):
        rows = [recorded_rounds.row(past, layout) for past, layout in page if past.edition == edition]
        if settled := [row for row in rows if row is not None]:
            yield settled


async def _past_rounds(store: Store, span: Span) -> AsyncIterator[list[tuple[PastRound, str]]]:
    """The rounds, read a page of events at a time, and the layout of each: a table may be opened again with another."""
    for table in span.tables:
        held: list[Dated] = []
        layout = next_layout = ""
        later = await queries.corrections(store, table, 0)
        after, more = 0, True
        while more:
            page = await queries.between(store, table, after, after + PAGE)
            more = len(page) == PAGE
            after = page[-1][0] if page else after
            done: list[tuple[PastRound, str]] = []
            for row in page:
                if isinstance(row[2], TableOpened):
                    next_layout = row[2].settings.layout
                elif isinstance(row[2], BettingOpened):
                    done += [(past, layout) for past in _past_round(table, held, later, span)]
                    held, layout = [], next_layout
                held.append(row)
            if not more:
                done += [(past, layout) for past in _past_round(table, held, later, span)]
            if done:
                yield done


def _past_round(table: str, held: list[Dated], later: queries.Corrections, span: Span) -> Sequence[PastRound]:
    if not held or not isinstance(held[0][2], BettingOpened) or not span.since <= held[0][1] < span.until:
        return ()
    fixes = [row for row in later.get(held[0][2].round, ()) if row[0] > held[-1][0]]
    past = fold.whole(table, None, [*held, *fixes])
    return () if past is None else (past,)


def _row(past: PastRound) -> tuple[Any, ...]:
    staked = sum(line.stake_cents for line in past.lines)
    back = sum(line.handed_back_cents for line in past.lines)
    cards = " ".join(f"{place}={face or '?'}" for place, face in past.cards.items())
    facts = (past.table, past.round, past.hand, past.edition, past.at, past.ended_at, past.state, past.winner)
    points = (past.player_points, past.banker_points)
    money = (amount(staked), amount(back), past.net or amount(0), amount(past.paid_cents))
    return (*facts, *points, cards, len(past.lines), *money)


async def ledger(store: Store, span: Span, table: str | None) -> Rows:
    """Every transfer with its actor, by stream and version."""
    last = ("", 0, 0)
    joined = transfers.join(
        events, sa.and_(events.c.stream == transfers.c.stream, events.c.version == transfers.c.version)
    )
    key = sa.tuple_(transfers.c.stream, transfers.c.version, transfers.c.n)
    more = True
    while more:
        query = sa.select(transfers, events.c.at, events.c.actor).select_from(joined)
        query = query.where(key > sa.tuple_(*last), events.c.at >= span.since, events.c.at < span.until)
        if table is not None:
            query = query.where(transfers.c.stream == f"table/{table}")
        page = await store.fetch(query.order_by(*key.clauses).limit(PAGE))
        if page:
            yield [
                (
                    *(row[name] for name in ("stream", "version", "n")),
                    iso(row["at"]),
                    *(row[name] for name in ("actor", "giver", "taker")),
                    amount(row["cents"]),
                )
                for row in page
            ]
            last = (page[-1]["stream"], page[-1]["version"], page[-1]["n"])
        more = len(page) == PAGE
