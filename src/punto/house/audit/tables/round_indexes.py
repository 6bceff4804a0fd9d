"""What the store keeps beside the events so that they are found quickly, or once: rounds, who played, keys.

Each is compared with what the events say. `Played` holds a sum of hashes for each stream instead of the rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from punto.game import events as e
from punto.house.audit.findings import Findings
from punto.house.store.reader import Reader

ROUNDS: Final = 'SELECT "round", "version" FROM "rounds" WHERE "stream" = $1 ORDER BY "round"'
PLAYED: Final = 'SELECT "stream", "person", "at", "round", "version" FROM "played"'
UNANSWERED: Final = (
    'SELECT "stream", "key" FROM "keys" AS k '
    'WHERE NOT EXISTS (SELECT 1 FROM "events" AS e WHERE e."stream" = k."stream" AND e."key" = k."key") '
    'AND NOT EXISTS (SELECT 1 FROM "refusals" AS r WHERE r."stream" = k."stream" AND r."key" = k."key")'
)
UNTAKEN: Final = (
    'SELECT "stream", "version", "key" FROM "events" AS e WHERE "key" IS NOT NULL '
    'AND NOT EXISTS (SELECT 1 FROM "keys" AS k WHERE k."stream" = e."stream" AND k."key" = e."key") '
    'UNION ALL SELECT "stream", 0, "key" FROM "refusals" AS r '
    'WHERE NOT EXISTS (SELECT 1 FROM "keys" AS k WHERE k."stream" = r."stream" AND k."key" = r."key")'
)
_WRAP: Final = 1 << 64


class Rounds:
    """The versions at which betting opened, in step with the events."""

    def __init__(self, reader: Reader, stream: str, findings: Findings) -> None:
        self._rows: Iterator[tuple[int, int]] = ((number, version) for number, version in reader.rows(ROUNDS, stream))
        self._stream, self._findings = stream, findings
        self._good = True

    def opened(self, version: int, event: e.BettingOpened) -> None:
        if self._good and next(self._rows, None) != (event.round, version):
            self._bad(version, f"the index of rounds does not say that round {event.round} opened here")

    def ended(self) -> None:
        left = next(self._rows, None)
        if self._good and left is not None:
            self._bad(left[1], f"the index of rounds has round {left[0]}, which never opened here")

    def _bad(self, version: int, message: str) -> None:
        self._good = False  # the rest of it is out of step
        self._findings.add(self._stream, version, "rounds", message)


class Played:
    """Who played which round to its end, for all streams at once."""

    def __init__(self) -> None:
        self._due: dict[str, int] = {}
        self._now: dict[tuple[str, int], list[int]] = {}
        self._several: dict[tuple[object, ...], list[int]] = {}
        """Where a round ended for a person more than once at one instant, which is rare: each of these may be kept."""
        self._stream, self._at = "", 0

    def row(self, stream: str, version: int, at: int, number: int, event: e.AnyEvent) -> None:
        """Add one event of a stream; `number` is the round that it is about."""
        if (stream, at) != (self._stream, self._at):
            self.flush()
            self._stream, self._at = stream, at
        if isinstance(event, e.RoundSettled | e.RoundVoided | e.OptionChosen):
            for line in event.lines:
                versions = self._now.setdefault((line.patron, number), [])
                if version not in versions:
                    versions.append(version)

    def flush(self) -> None:
        """What was written at one instant counts once for each person."""
        for (person, number), versions in self._now.items():
            if len(versions) == 1:
                self._add(self._due, self._stream, person, self._at, number, versions[0])
            else:
                self._several[self._stream, person, self._at, number] = versions
        self._now.clear()

    def compare(self, reader: Reader, findings: Findings) -> None:
        self.flush()
        found: dict[str, int] = {}
        for stream, person, at, number, version in reader.rows(PLAYED):
            if version in self._several.get((stream, person, at, number), ()):
                del self._several[stream, person, at, number]
            else:
                self._add(found, stream, person, at, number, version)
        wrong = {stream for stream in {*found, *self._due} if found.get(stream, 0) != self._due.get(stream, 0)}
        for stream in sorted(wrong | {str(key[0]) for key in self._several}):
            findings.add(stream, 0, "played", "the index of who played is not what the rounds of this stream say")

    @staticmethod
    def _add(sums: dict[str, int], *row: object) -> None:
        stream = str(row[0])
        one = int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=8).digest())
        sums[stream] = (sums.get(stream, 0) + one) % _WRAP


def taken(reader: Reader, findings: Findings) -> None:
    """On PostgreSQL a key that was answered stands in a table of its own, so that it can't be answered twice at once.
    A house from before there was one is migrated when it starts."""
    if not reader.has("keys"):
        return
    for stream, key in reader.rows(UNANSWERED):
        findings.add(stream, 0, "key", f"the key {key!r} is taken, and was neither carried out nor refused")
    for stream, version, key in reader.rows(UNTAKEN):
        findings.add(stream, version, "key", f"the key {key!r} was answered, and is not taken: it could be again")
