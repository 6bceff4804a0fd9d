"""Queries on a table's stream: by range, by round and by the kind of event, without loading the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import sqlalchemy as sa

from punto.game import events as e
from punto.game.audience import Audience
from punto.house.history import fold
from punto.house.history.fold import Dated
from punto.house.history.past_round import PastRound
from punto.house.history.stream_index import stream_index, tagged
from punto.house.store import codec
from punto.house.store.interface import Store
from punto.house.store.records import Row
from punto.house.store.schema import events, played, rounds

PAGE: Final = 5_000
"""Rows that are read at a time."""
_AT_ONCE: Final = 500
Corrections = dict[int, list[Dated]]
"""Corrections of past rounds, by the round that they concern."""


def dated(row: Row) -> Dated:
    return row.version, row.at, codec.event(row)


async def between(store: Store, table: str, after: int, until: int) -> list[Dated]:
    """The events after version `after`, up to and including `until`."""
    dated_events: list[Dated] = []
    while after < until:
        limit = min(PAGE, until - after)
        rows = await store.read(f"table/{table}", after, limit)
        dated_events += [dated(row) for row in rows]
        if len(rows) < limit:
            break
        after = rows[-1].version
    return dated_events


async def events_tagged(
    store: Store, table: str, tags: tuple[str, ...], after: int = 0, until: int | None = None, most: int = 10_000
) -> list[Dated]:
    """Events of these kinds."""
    where = [events.c.stream == f"table/{table}", events.c.version > after, tagged(tags)]
    if until is not None:
        where.append(events.c.version <= until)
    rows = await store.fetch(sa.select(events).where(*where).order_by(events.c.version).limit(most))
    return [dated(Row(**row)) for row in rows]


async def round_rows(store: Store, table: str, number: int) -> list[Dated]:
    """Everything from the opening of a round's betting to that of the next."""
    at = await store.round(f"table/{table}", number)
    if at is None:
        return []
    first, following = at
    until = following - 1 if following is not None else (await store.head(f"table/{table}"))[0]
    return await between(store, table, first - 1, until)


async def corrections(store: Store, table: str, after: int) -> Corrections:
    """The corrections of past rounds after a version."""
    versions = (await stream_index(store, table)).corrected_after(after)
    rows: list[Dated] = []
    for some in (versions[start : start + _AT_ONCE] for start in range(0, len(versions), _AT_ONCE)):
        where = (events.c.stream == f"table/{table}", events.c.version.in_(some))
        stored = await store.fetch(sa.select(events).where(*where).order_by(events.c.version))
        rows += [dated(Row(**row)) for row in stored]
    return by_round(rows)


def by_round(rows: Iterable[Dated]) -> Corrections:
    """A payment belongs to the round that the report before it names (O93)."""
    fixes: Corrections = {}
    reported: int | None = None
    for row in rows:
        event = row[2]
        if isinstance(event, e.IrregularityReported):
            reported = event.irregularity.round
            continue
        number = reported if isinstance(event, e.RulingPaid) else getattr(event, "round", None)
        if number is not None:
            fixes.setdefault(number, []).append(row)
    return fixes


async def whole_rows(store: Store, table: str, number: int, later: Corrections | None = None) -> list[Dated]:
    """A round's events with its later corrections. `later` holds those if they were read before."""
    rows = await round_rows(store, table, number)
    if later is None:
        later = await corrections(store, table, rows[-1][0]) if rows else {}
    return rows and [*rows, *(row for row in later.get(number, ()) if row[0] > rows[-1][0])]


async def past_round(
    store: Store, table: str, number: int, audience: Audience, patron: str | None, later: Corrections | None = None
) -> PastRound | None:
    """Any round as it stands now."""
    rows = await whole_rows(store, table, number, later)
    return fold.whole(table, await shoe_at(store, table, rows[0][0]), rows, audience, patron) if rows else None


async def shoe_at(store: Store, table: str, version: int) -> int | None:
    """The shoe that was in use at a version."""
    return (await stream_index(store, table)).shoe_at(version) or None


async def round_numbers(store: Store, table: str, before: int | None, limit: int) -> list[tuple[int, int]]:
    """Rounds newest first, with the versions at which they began."""
    where = [rounds.c.stream == f"table/{table}"]
    if before is not None:
        where.append(rounds.c.round < before)
    query = sa.select(rounds.c.round, rounds.c.version).where(*where).order_by(rounds.c.round.desc()).limit(limit)
    return [(row["round"], row["version"]) for row in await store.fetch(query)]


async def rounds_of(store: Store, person: str, before: str | None, limit: int) -> tuple[list[PastRound], str | None]:
    """A person's rounds as they stand now, the newest first, and where the next page begins."""
    rows = await played_by(store, person, int(before) if before is not None else None, limit)
    mine = [
        await past_round(store, row["stream"].removeprefix("table/"), row["round"], Audience.PATRON, person)
        for row in rows
    ]
    return [past for past in mine if past is not None], str(rows[-1]["at"]) if len(rows) >= limit else None


async def played_by(store: Store, person: str, before: int | None, limit: int) -> list[Mapping[str, Any]]:
    """Where a person's rounds ended, the newest first. Rounds of one instant are on one page. A round that ended twice,
    as one that was settled and then void, is listed by its last end alone."""
    again = played.alias()
    same_round = (again.c.person == person, again.c.stream == played.c.stream, again.c.round == played.c.round)
    last_end = ~sa.exists().where(*same_round, again.c.at > played.c.at)
    where = [played.c.person == person, last_end]
    if before is not None:
        where.append(played.c.at < before)
    query = sa.select(played).where(*where).order_by(played.c.at.desc(), played.c.stream, played.c.round)
    rows = await store.fetch(query.limit(limit))
    if len(rows) < limit:
        return rows
    last = rows[-1]["at"]
    same = await store.fetch(sa.select(played).where(played.c.person == person, last_end, played.c.at == last))
    return [*(row for row in rows if row["at"] != last), *same]
