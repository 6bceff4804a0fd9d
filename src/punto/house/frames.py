"""What a socket is sent, as bytes. What is the same for many is written once and shared."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import msgspec

from punto.game import audience as seeing
from punto.game.audience import Audience, View, shown
from punto.game.events import AnyEvent
from punto.game.notation import encode
from punto.game.table import Table
from punto.house.answers import Answer
from punto.house.clock import Pace, clock, iso
from punto.house.deciding import Standing
from punto.house.desk import Moved
from punto.house.governing import in_use
from punto.rulebook.model import Rulebook

PING: Final = b'{"frame":"ping"}'
STAFF: Final = (Audience.DEALER, Audience.PIT)


class Record:
    """An event on its way out: as the public is told it, as staff are, and whom it names."""

    def __init__(self, moved: Moved, table: Table) -> None:
        self.version = moved.version
        self._start = b'{"version":%d,"at":"%s","event":' % (moved.version, iso(moved.at).encode())
        self._event: AnyEvent = moved.event
        written = encode(moved.event)
        self._names = frozenset(name for name in table.patrons if encode(name) in written)

    def told(self, audience: Audience, patron: str | None) -> bytes | None:
        """As an audience may see it; None where it is not told of."""
        if audience in STAFF:
            return self._staff
        if audience is Audience.PATRON and patron in self._names:
            return self._written(shown(self._event, audience, patron))
        return self._public

    @cached_property
    def _public(self) -> bytes | None:
        return self._written(shown(self._event, Audience.PUBLIC))

    @cached_property
    def _staff(self) -> bytes | None:
        return self._written(shown(self._event, Audience.PIT))

    def _written(self, event: AnyEvent | None) -> bytes | None:
        return None if event is None else self._start + encode(event) + b"}"


class Sight:
    """A table at one version, as it is seen: the public view is worked out once, whoever looks."""

    def __init__(self, standing: Standing, since: int, pace: Pace | None) -> None:
        self.version = standing.table.version
        self._standing = standing
        self._since = since
        self._pace = pace
        self._own: dict[Audience, bytes] = {}

    @property
    def table(self) -> Table:
        return self._standing.table

    @cached_property
    def _rules(self) -> Rulebook:
        rules = in_use(self.table)
        assert rules is not None, "a table that has events was opened"
        return rules

    @cached_property
    def _view(self) -> View:
        return seeing.view(self._rules, self.table, Audience.PUBLIC)

    @cached_property
    def _shared(self) -> bytes:
        return b'"view":' + encode(self._view) + b',"clock":' + encode(clock(self.table, self._since, self._pace))

    def mine(self, audience: Audience, patron: str | None) -> bytes:
        """What only this audience may see of the table; null where that is nothing."""
        if audience is Audience.PUBLIC or (audience is Audience.PATRON and patron not in self.table.patrons):
            return b"null"
        if audience is Audience.PATRON:
            return encode(seeing.mine(self._rules, self.table, self._view, audience, patron))
        if audience not in self._own:
            self._own[audience] = encode(seeing.mine(self._rules, self.table, self._view, audience))
        return self._own[audience]

    def snapshot(self, audience: Audience, patron: str | None) -> bytes:
        """The first frame of a reader who knows nothing yet."""
        start = b'{"frame":"snapshot","version":%d,"at":"%s",' % (self.version, iso(self._standing.at).encode())
        return start + self._shared + b',"mine":' + self.mine(audience, patron) + b"}"

    def events(self, after: int, records: Iterable[Record], audience: Audience, patron: str | None) -> bytes:
        """What happened since a version, and the table as it stands now."""
        told = [one for record in records if (one := record.told(audience, patron)) is not None]
        start = b'{"frame":"events","from":%d,"to":%d,"events":[' % (after + 1, self.version)
        return start + b",".join(told) + b"]," + self._shared + b',"mine":' + self.mine(audience, patron) + b"}"


def answer(key: str, given: Answer) -> bytes:
    """The answer to a command that came over the socket."""
    kind = "answer" if given.accepted else "problem"
    return msgspec.json.encode({"frame": "answer", "key": key, kind: msgspec.Raw(given.json)})
