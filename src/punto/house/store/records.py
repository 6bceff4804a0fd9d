"""The records that a store keeps and returns."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

import msgspec

SCHEMA: Final = 2
"""The shape in which events are written now. Older shapes are upgraded on reading (`codec.UPCAST`)."""

MOST_READ: Final = 10_000
"""The most rows that one read returns."""


OLD_REFUSALS: Final = (
    "SELECT stream, key FROM refusals AS r WHERE at < {0} AND NOT (key LIKE '%/approval-%' AND EXISTS "
    "(SELECT 1 FROM approvals AS a WHERE r.key = a.asked_by || '/approval-' || a.id)) ORDER BY at LIMIT {1}"
)
"""Refusals from before an instant, the oldest first, without those that approvals refer to."""


class Row(msgspec.Struct, frozen=True):
    """One event of a stream. The first row of a command has `key`, `body` and `count`: the sender's key, the
    SHA-256 of the request, and how many rows it led to."""

    stream: str
    version: int
    at: int
    """Microseconds since 1970, UTC."""
    actor: str
    key: str | None
    body: bytes | None
    count: int
    rules: str
    """SHA-256 of the edition's data; empty where no edition governs."""
    schema: int
    event: bytes
    hash: bytes


class Transfer(msgspec.Struct, frozen=True):
    """Cents from one account to another, because of the event at this version. `n` counts from 1."""

    stream: str
    version: int
    n: int
    giver: str
    taker: str
    cents: int


class Unit(msgspec.Struct, frozen=True):
    """Rows that one stream appends, all or nothing, provided that its version is `expected`."""

    stream: str
    expected: int
    rows: tuple[Row, ...]
    transfers: tuple[Transfer, ...] = ()
    wallets: tuple[tuple[str, int], ...] = ()
    """(person, change in cents): what the transfers do to wallets, see `ledger.wallets`."""
    rounds: tuple[tuple[int, int], ...] = ()
    """(round, version at which its betting opened), so that any past round is found at once."""
    played: tuple[tuple[str, int, int], ...] = ()
    """(person, round, version at which it ended for them), so that a person's own history is found at once."""
    also: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """Back-office statements that go into the same commit, as text and values."""


class Outcome(Enum):
    """CONFLICT: somebody else wrote that version, the key is known, or a statement of `also` violated a constraint.
    FUNDS: a wallet would become negative."""

    DONE = "done"
    CONFLICT = "conflict"
    FUNDS = "funds"


class Answered(msgspec.Struct, frozen=True):
    """How a key was answered: by `count` rows from `version` on, or by a refusal."""

    body: bytes
    version: int
    count: int
    refusal: bytes | None


class Snapshot(msgspec.Struct, frozen=True):
    """A stored state, which saves replaying events. `schema` is the shape of `state`."""

    stream: str
    version: int
    hash: bytes
    schema: int
    state: bytes


class StoreBroken(Exception):
    """The store can't be used, or a write may not be on disk. The node stops; it never carries on."""


class KeyTaken(Exception):
    """A refusal came too late: an event has the key by now. Call `answered`."""


class Clash(Exception):
    """A back-office statement broke a unique or check constraint; nothing was written."""


class Away(Exception):
    """The connection was lost during a back-office commit: whether that succeeded is unknown. Check, then retry."""


def check(unit: Unit) -> None:
    """Assert that a unit's rows follow one another from the version that it expects; else the caller has a bug."""
    assert unit.rows, "a unit appends something"
    for version, row in enumerate(unit.rows, unit.expected + 1):
        assert row.stream == unit.stream, "a unit is of one stream"
        assert row.version == version, "a unit's rows follow one another"
    last = unit.expected + len(unit.rows)
    for transfer in unit.transfers:
        assert transfer.stream == unit.stream, "a transfer is of its unit's stream"
        assert unit.expected < transfer.version <= last, "a transfer has its event"
        assert transfer.cents > 0, "a transfer moves something"
        assert transfer.giver != transfer.taker, "a transfer is from one account to another"
