"""What both engines look up with the same SQL. `fetch` runs a statement with `$1`, `$2` for its values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from punto.house.store import chain
from punto.house.store.records import MOST_READ, Answered, Row, Snapshot, Transfer
from punto.house.store.schema import STREAMS

Fetch = Callable[..., Awaitable[Sequence[Any]]]

_ROWS: Final = (
    "SELECT stream, version, at, actor, key, body, count, rules, schema, event, hash FROM events "
    "WHERE stream = $1 AND version > $2 ORDER BY version LIMIT $3"
)
_TRANSFERS: Final = (
    "SELECT stream, version, n, giver, taker, cents FROM transfers "
    "WHERE stream = $1 AND version > $2 AND version <= $3 ORDER BY version, n"
)
_ANSWERED: Final = (
    "SELECT body, version, count, NULL FROM events WHERE stream = $1 AND key = $2 "
    "UNION ALL SELECT body, 0, 0, answer FROM refusals WHERE stream = $1 AND key = $2 LIMIT 1"
)
_HEAD: Final = "SELECT version, hash FROM events WHERE stream = $1 ORDER BY version DESC LIMIT 1"
_ROUND: Final = "SELECT round, version FROM rounds WHERE stream = $1 AND round >= $2 ORDER BY round LIMIT 2"
_SNAPSHOT: Final = "SELECT stream, version, hash, schema, state FROM snapshots WHERE stream = $1"
_WALLET: Final = "SELECT cents FROM wallets WHERE person = $1"
_ENDLESS: Final = 2**62


async def read(fetch: Fetch, stream: str, after: int, limit: int) -> list[Row]:
    return [Row(*values) for values in await fetch(_ROWS, stream, after, min(limit, MOST_READ))]


async def transfers(fetch: Fetch, stream: str, after: int, until: int | None) -> list[Transfer]:
    last = _ENDLESS if until is None else until
    return [Transfer(*values) for values in await fetch(_TRANSFERS, stream, after, last)]


async def streams(fetch: Fetch, prefix: str) -> list[tuple[str, int]]:
    rows = await fetch(STREAMS.format("$1", "$2"), prefix, prefix + "\U0010ffff")
    return [(name, version) for name, version in rows]


async def answered(fetch: Fetch, stream: str, key: str) -> Answered | None:
    for body, version, count, refusal in await fetch(_ANSWERED, stream, key):
        return Answered(body or b"", version, count, refusal)
    return None


async def head(fetch: Fetch, stream: str) -> tuple[int, bytes]:
    for version, digest in await fetch(_HEAD, stream):
        return version, digest
    return 0, chain.start(stream)


async def round_versions(fetch: Fetch, stream: str, number: int) -> tuple[int, int | None] | None:
    versions = {row[0]: row[1] for row in await fetch(_ROUND, stream, number)}
    first = versions.pop(number, None)
    return None if first is None else (first, next(iter(versions.values()), None))


async def snapshot(fetch: Fetch, stream: str) -> Snapshot | None:
    for values in await fetch(_SNAPSHOT, stream):
        return Snapshot(*values)
    return None


async def wallet(fetch: Fetch, person: str) -> int:
    for (cents,) in await fetch(_WALLET, person):
        return int(cents)
    return 0
