"""Reading a table's stream for queries: by range, and by the kind of event, without loading the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from punto.house import codec
from punto.house.schema import events, played, rounds
from punto.house.store import Store
from punto.house.stored import Row
from punto.house.web.marks import marked
from punto.house.web.recall import Dated

PAGE: Final = 5_000
"""Rows that are read at a time."""
_AT_ONCE: Final = 500


def dated(row: Row) -> Dated:
    return row.version, row.at, codec.event(row)


async def between(store: Store, table: str, after: int, until: int) -> list[Dated]:
    """The events after a version, up to and with another."""
    found: list[Dated] = []
    while after < until:
        limit = min(PAGE, until - after)
        rows = await store.read(f"table/{table}", after, limit)
        found += [dated(row) for row in rows]
        if len(rows) < limit:
            break
        after = rows[-1].version
    return found


async def tagged(
    store: Store, table: str, tags: tuple[str, ...], after: int = 0, until: int | None = None, most: int = 10_000
) -> list[Dated]:
    """Events of these kinds. An event's JSON starts with its tag, so the database picks them out."""
    starts = [f'{{"event":"{tag}"'.encode() for tag in tags]
    picked = sa.or_(*(sa.func.substr(events.c.event, 1, len(start)) == start for start in starts))
    where = [events.c.stream == f"table/{table}", events.c.version > after, picked]
    if until is not None:
        where.append(events.c.version <= until)
    found = await store.fetch(sa.select(events).where(*where).order_by(events.c.version).limit(most))
    return [dated(_row(one)) for one in found]


async def round_rows(store: Store, table: str, number: int) -> list[Dated]:
    """Everything from the opening of a round's betting to that of the next."""
    at = await store.round(f"table/{table}", number)
    if at is None:
        return []
    first, following = at
    until = following - 1 if following is not None else (await store.head(f"table/{table}"))[0]
    return await between(store, table, first - 1, until)


async def corrections(store: Store, table: str, after: int) -> list[Dated]:
    """What was put right after a version."""
    versions = (await marked(store, table)).corrected_after(after)
    found: list[Dated] = []
    for some in (versions[start : start + _AT_ONCE] for start in range(0, len(versions), _AT_ONCE)):
        where = (events.c.stream == f"table/{table}", events.c.version.in_(some))
        rows = await store.fetch(sa.select(events).where(*where).order_by(events.c.version))
        found += [dated(_row(one)) for one in rows]
    return found


async def shoe_at(store: Store, table: str, version: int) -> int | None:
    """The shoe that was in use at a version."""
    return (await marked(store, table)).shoe_at(version) or None


async def round_numbers(store: Store, table: str, before: int | None, limit: int) -> list[tuple[int, int]]:
    """Rounds newest first, with the versions at which they began."""
    where = [rounds.c.stream == f"table/{table}"]
    if before is not None:
        where.append(rounds.c.round < before)
    asked = sa.select(rounds.c.round, rounds.c.version).where(*where).order_by(rounds.c.round.desc()).limit(limit)
    return [(row["round"], row["version"]) for row in await store.fetch(asked)]


def _row(found: Any) -> Row:
    return msgspec.convert({name: found[name] for name in Row.__struct_fields__}, Row)


async def played_by(store: Store, person: str, before: int | None, limit: int) -> list[Mapping[str, Any]]:
    """Where a person's rounds ended, the newest first. A page ends between two instants: all of one are on it."""
    where = [played.c.person == person]
    if before is not None:
        where.append(played.c.at < before)
    asked = sa.select(played).where(*where).order_by(played.c.at.desc(), played.c.stream, played.c.round)
    rows = await store.fetch(asked.limit(limit))
    if len(rows) < limit:
        return rows
    last = rows[-1]["at"]
    same = await store.fetch(sa.select(played).where(played.c.person == person, played.c.at == last))
    return [*(row for row in rows if row["at"] != last), *same]
