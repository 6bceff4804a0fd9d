"""What a socket is sent, as bytes. What is the same for many is written once and shared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from punto.game import audience as seeing
from punto.game.audience import Audience, only_chips, shown
from punto.game.events import AnyEvent
from punto.game.notation import encode, quoted
from punto.game.table import Laid, Patron, Phase
from punto.game.told import PATRON, PIT, PUBLIC, STAFF
from punto.house.people.permissions import allowed
from punto.house.store.codec import Moved
from punto.house.table.answers import Answer
from punto.house.table.clock import Pace, clock, iso
from punto.house.table.deciding import Standing
from punto.house.table.governing import in_use
from punto.money import Cents
from punto.rulebook.model import Rank, Rulebook

PING: Final = b'{"frame":"ping"}'


class Record:
    """An event on its way out: as the public is told it, as staff are, and as those whom it names."""

    def __init__(self, moved: Moved) -> None:
        self.version = moved.version
        self._start = b'{"version":%d,"at":"%s","event":' % (moved.version, iso(moved.at).encode())
        self._moved = moved
        self._kept: dict[Audience, bytes | None] = {}

    def told(self, audience: Audience, patron: str | None) -> bytes | None:
        """As an audience may see it, `patron` being somebody at the table; None where it is not told of."""
        if audience is PATRON and patron is not None and quoted(patron) in self._moved.written:
            return self._written(shown(self._moved.event, audience, patron))
        same = PIT if audience in STAFF else PUBLIC
        if same not in self._kept:
            self._kept[same] = self._written(shown(self._moved.event, same))
        return self._kept[same]

    def _written(self, event: AnyEvent | None) -> bytes | None:
        if event is None:
            return None
        return b"".join((self._start, self._moved.written if event is self._moved.event else encode(event), b"}"))


_Around = tuple[Patron, tuple[int | None, ...], bool]
_Boxes = tuple[dict[str, Laid], list[int | None], list[bytes]]
"""Boxes as they were written, with the wagers that lay in them and where people sat."""


class Sight:
    """A table at one version, as it is seen: the public view is worked out once, whoever looks. Where `before` shows
    the same but for the chips that lie, the rest of its view stays as it was written."""

    _around: tuple[bytes, bytes, bytes] | None
    _boxes: _Boxes | None
    _mines: dict[str, tuple[_Around, bytes]]
    """What each patron alone may see while betting is open. Whoever bets is another record afterwards, with less."""

    def __init__(self, standing: Standing, since: int, pace: Pace | None, before: Sight | None = None) -> None:
        self.table = standing.table
        self.version = standing.table.version
        self.standing = standing
        self._since = since
        self._pace = pace
        self._own: dict[tuple[Audience, Rank | None, bool], bytes] = {}
        self._public: bytes | None = None
        self._around, self._boxes, self._mines = None, None, {}
        self._places: tuple[tuple[int | None, ...], frozenset[int]] | None = None
        timed = before is not None and (before._since, before._pace) == (since, pace)
        if before is not None and timed and only_chips(before.table, standing.table):
            self._around, self._boxes, self._mines = before._around, before._boxes, before._mines

    @property
    def _rules(self) -> Rulebook:
        rules = in_use(self.table)
        assert rules is not None, "a table that has events was opened"
        return rules

    def _seen(self) -> bytes:
        """What everybody sees, with the clock."""
        if self._around is None:
            view = seeing.view(self._rules, self.table, PUBLIC)
            timed = encode(clock(self.table, self._since, self._pace))
            written = b'"view":%s,"clock":%s' % (encode(view), timed)
            head, _, rest = written.partition(_differential(view.differential_cents))
            middle, _, tail = rest.partition(self._chips())
            self._around = (head, middle, tail)
        else:
            head, middle, tail = self._around
            differential = _differential(seeing.differential(self.table))
            written = b"".join((head, differential, middle, self._chips(), tail))
        self._public = written
        return written

    def _chips(self) -> bytes:
        """Every box; those in which the same chips lie as before are not written again."""
        table = self.table
        wagers, seats = seeing.on_layout(table), [one.box for one in table.patrons.values()]
        if self._boxes is None or self._boxes[1] != seats:
            written = [encode(one) for one in seeing.boxes(table)]
        else:
            before, _, written = self._boxes
            moved = [one.box for name, one in wagers.items() if before.get(name) is not one]
            moved += [one.box for name, one in before.items() if name not in wagers]
            if moved and table.opened.limits.scope != "box":
                moved = [*range(1, len(written) + 1)]
            written = written.copy()
            for number in moved:
                written[number - 1] = encode(seeing.box(table, number))
        self._boxes = (wagers, seats, written)
        return b',"boxes":[%s],"on_offer":' % b",".join(written)

    def mine(self, audience: Audience, patron: str | None) -> bytes:
        """What only this audience may see of the table; null where that is nothing."""
        table = self.table
        if audience is PUBLIC:
            return b"null"
        if audience is PATRON and patron in table.patrons:
            around, kept = self._around_patron(patron), self._mines.get(patron)
            if kept is not None and table.phase is Phase.BETTING and kept[0][0] is around[0] and kept[0] == around:
                return kept[1]
            written = encode(seeing.mine(self._rules, table, audience, patron))
            self._mines[patron] = (around, written)
            return written
        rank = table.staff.get(patron) if patron is not None else None
        own = (audience, rank, patron is not None)
        if own not in self._own:
            mine = seeing.mine(self._rules, table, audience, patron)
            self._own[own] = encode({**mine, "can": allowed(table, audience, rank, mine.get("can", ()))})
        return self._own[own]

    def _around_patron(self, name: str) -> _Around:
        """All that a patron's own part hangs on while betting is open."""
        if self._places is None:
            seats = tuple(one.box for one in self.table.patrons.values())
            self._places = (seats, frozenset(one.box for one in seeing.on_layout(self.table).values()))
        seats, lying = self._places
        known = self.table.patrons[name]
        return known, seats, known.box in lying

    def snapshot(self, audience: Audience, patron: str | None) -> bytes:
        """The first frame of a reader who knows nothing yet."""
        start = b'{"frame":"snapshot","version":%d,"at":"%s",' % (self.version, iso(self.standing.at).encode())
        return b"".join((start, self._public or self._seen(), b',"mine":', self.mine(audience, patron), b"}"))

    def events(self, after: int, records: Iterable[Record], audience: Audience, patron: str | None) -> bytes:
        """What happened since a version, and the table as it stands now."""
        named = patron if patron in self.table.patrons else None
        told = [one for record in records if (one := record.told(audience, named)) is not None]
        start = b'{"frame":"events","from":%d,"to":%d,"events":[' % (after + 1, self.version)
        seen = self._public or self._seen()
        return b"".join((start, b",".join(told), b"],", seen, b',"mine":', self.mine(audience, patron), b"}"))


def _differential(cents: Cents) -> bytes:
    return b',"differential":%s,"shoe":' % encode(cents)


def answer(key: str, given: Answer) -> bytes:
    """The answer to a command that came over the socket."""
    kind = b"answer" if given.accepted else b"problem"
    return b'{"frame":"answer","key":%s,"%s":%s}' % (msgspec.json.encode(key), kind, given.json)
