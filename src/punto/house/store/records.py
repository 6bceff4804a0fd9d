"""What a store keeps and gives back. Records only."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

import msgspec

SCHEMA: Final = 2
"""The shape of events as they are written now. A reader raises older ones (`codec.UPCAST`)."""

MOST_READ: Final = 10_000
"""Rows that one reading gives at most."""


OLD_REFUSALS: Final = (
    "SELECT stream, key FROM refusals AS r WHERE at < {0} AND NOT (key LIKE '%/approval-%' AND EXISTS "
    "(SELECT 1 FROM approvals AS a WHERE r.key = a.asked_by || '/approval-' || a.id)) ORDER BY at LIMIT {1}"
)
"""Refusals from before an instant, the oldest first. Approvals refer to those under their own keys."""


class Row(msgspec.Struct, frozen=True):
    """One event of a stream. `body` and `count` stand on the first row of a command: the SHA-256 of what was asked,
    and how many rows it led to."""

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
    """What one stream appends at once, all or nothing, where `expected` is the version it stands at."""

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
    """CONFLICT: somebody else wrote that version, the key is known, or a statement beside the unit broke a constraint.
    FUNDS: a wallet would go below nothing."""

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
    """A state that need not be added up again. `schema` is the shape of `state`."""

    stream: str
    version: int
    hash: bytes
    schema: int
    state: bytes


class StoreBroken(Exception):
    """What was written can't be trusted to be on disk. The node stops; it never carries on."""


class KeyTaken(Exception):
    """A refusal came too late: the key stands on an event by now. Ask `answered`."""


class Clash(Exception):
    """A back-office statement broke a unique or check constraint; nothing was written."""


class Away(Exception):
    """The database was lost while back-office statements were committed: whether they were is not known. Look, and ask
    again."""


def check(unit: Unit) -> None:
    """A unit's rows follow one another from the version that it expects. Anything else is a bug of the caller."""
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
