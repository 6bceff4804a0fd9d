"""The findings of an audit, its counts, and the context that all of its checks share."""

from __future__ import annotations

from collections import Counter

import msgspec

from punto.house.store.clock_steps import Steps
from punto.house.store.reader import Reader
from punto.house.store.records import Row

MOST_LISTED = 1000
"""Findings that are kept in full; all are counted."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong: where, a stable code, and a sentence. `version` 0 means the stream as a whole."""

    stream: str
    version: int
    code: str
    message: str

    def __str__(self) -> str:
        where = f"{self.stream} version {self.version}" if self.version else self.stream
        return f"{where}: {self.code}: {self.message}"


class Findings:
    """Everything found so far. The list is bounded, the counts are not."""

    def __init__(self, most: int = MOST_LISTED) -> None:
        self.listed: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self._most = most

    def add(self, stream: str, version: int, code: str, message: str) -> None:
        self.counts[code] += 1
        if len(self.listed) < self._most:
            self.listed.append(Finding(stream, version, code, message))

    def at(self, row: Row, code: str, message: str) -> None:
        """Something is wrong with a row."""
        self.add(row.stream, row.version, code, message)

    @property
    def total(self) -> int:
        return self.counts.total()


class Seen(msgspec.Struct):
    """How much was read and recomputed."""

    streams: int = 0
    rows: int = 0
    commands: int = 0
    rounds: int = 0
    lines: int = 0
    shoes: int = 0
    transfers: int = 0
    snapshots: int = 0
    refusals: int = 0


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """The audit in progress. `notes` are worth knowing but no faults; `now` is the time at which it began."""

    reader: Reader
    findings: Findings
    notes: Findings
    seen: Seen
    steps: Steps
    now: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an audit. `root` is one hash over the heads of all streams: it changes with any row. `notes` are
    worth knowing but no faults: steps of a clock, the times that they explain, rulings of older revisions."""

    database: str
    seen: Seen
    findings: list[Finding]
    counts: dict[str, int]
    notes: list[Finding]
    note_counts: dict[str, int]
    heads: dict[str, tuple[int, str]]
    root: str
    seconds: float

    @property
    def good(self) -> bool:
        return not self.counts
