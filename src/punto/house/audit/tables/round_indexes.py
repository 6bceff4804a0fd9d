"""Checks the indexes beside a table's events that make rounds quick to find: where each opened, and who played it.

Each index is compared with the events. `PlayedIndex` holds a sum of hashes for each stream instead of the rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from punto.game import events as e
from punto.house.audit.findings import Context

ROUNDS: Final = 'SELECT "round", "version" FROM "rounds" WHERE "stream" = $1 ORDER BY "round"'
PLAYED: Final = 'SELECT "stream", "person", "at", "round", "version" FROM "played"'
_WRAP: Final = 1 << 64


class RoundIndex:
    """Compares the index of openings with the events, one by one."""

    def __init__(self, context: Context, stream: str) -> None:
        rows = context.reader.rows(ROUNDS, stream)
        self._rows: Iterator[tuple[int, int]] = ((number, version) for number, version in rows)
        self._stream, self._findings = stream, context.findings
        self._in_step = True

    def opened(self, version: int, event: e.BettingOpened) -> None:
        if self._in_step and next(self._rows, None) != (event.round, version):
            self._fault(version, f"the index of rounds does not say that round {event.round} opened here")

    def end(self) -> None:
        extra = next(self._rows, None)
        if self._in_step and extra is not None:
            self._fault(extra[1], f"the index of rounds has round {extra[0]}, which never opened here")

    def _fault(self, version: int, message: str) -> None:
        self._in_step = False
        self._findings.add(self._stream, version, "rounds", message)


class PlayedIndex:
    """Who played which round to its end, for all streams at once."""

    def __init__(self) -> None:
        self._expected: dict[str, int] = {}
        self._instant: dict[tuple[str, int], list[int]] = {}
        """(person, round) → versions at which it ended, at the current instant."""
        self._several: dict[tuple[object, ...], list[int]] = {}
        """Rounds that ended for a person more than once at one instant (rare): the index may hold any of these."""
        self._stream, self._at = "", 0

    def add(self, stream: str, version: int, at: int, number: int, event: e.AnyEvent) -> None:
        """Add one event of a stream; `number` is the round that it is about."""
        if (stream, at) != (self._stream, self._at):
            self._end_instant()
            self._stream, self._at = stream, at
        if isinstance(event, e.RoundSettled | e.RoundVoided | e.OptionChosen):
            for patron in {line.patron for line in event.lines}:
                self._instant.setdefault((patron, number), []).append(version)

    def _end_instant(self) -> None:
        """Ends of a round at one instant count once for each person."""
        for (person, number), versions in self._instant.items():
            if len(versions) == 1:
                _add_hash(self._expected, self._stream, person, self._at, number, versions[0])
            else:
                self._several[self._stream, person, self._at, number] = versions
        self._instant.clear()

    def compare(self, context: Context) -> None:
        self._end_instant()
        kept: dict[str, int] = {}
        for stream, person, at, number, version in context.reader.rows(PLAYED):
            if version in self._several.get((stream, person, at, number), ()):
                del self._several[stream, person, at, number]
            else:
                _add_hash(kept, stream, person, at, number, version)
        wrong = {stream for stream in {*kept, *self._expected} if kept.get(stream, 0) != self._expected.get(stream, 0)}
        for stream in sorted(wrong | {str(key[0]) for key in self._several}):
            text = "the index of who played is not what the rounds of this stream say"
            context.findings.add(stream, 0, "played", text)


def _add_hash(sums: dict[str, int], *row: object) -> None:
    stream = str(row[0])
    number = int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=8).digest())
    sums[stream] = (sums.get(stream, 0) + number) % _WRAP
