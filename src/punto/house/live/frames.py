"""The frames for sockets, as bytes. What is the same for many is encoded once and shared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import msgspec

from punto.game import audience as seeing
from punto.game.audience import Audience, only_chips, same_for_patrons, shown
from punto.game.events import AnyEvent
from punto.game.notation import encode, quoted
from punto.game.possible import Around, around
from punto.game.redaction import PATRON, PIT, PUBLIC, STAFF
from punto.game.table import Laid, Patron, Phase
from punto.game.views import Box
from punto.house.instants import iso
from punto.house.live.changes import Seen
from punto.house.store.answers import Answer
from punto.house.store.codec import RecordedEvent
from punto.house.store.dealing_pace import Pace
from punto.house.table.countdown import clock
from punto.house.table.decide import TableState
from punto.house.table.governing_edition import in_use, ruled_by
from punto.house.table.permissions import allowed
from punto.money import Cents
from punto.rulebook.model import Rank, Rulebook

PING: Final = b'{"frame":"ping"}'


class EncodedEvent:
    """An event, encoded as the public, the staff, and the patrons whom it names may see it."""

    def __init__(self, moved: RecordedEvent) -> None:
        self.version = moved.version
        self._start = b'{"version":%d,"at":"%s","event":' % (moved.version, iso(moved.at).encode())
        self._moved = moved
        self._kept: dict[Audience, bytes | None] = {}

    def written_for(self, audience: Audience, patron: str | None) -> bytes | None:
        """The event as an audience may see it; None where they may not. `patron` is somebody at the table."""
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


_Boxes = tuple[dict[str, Laid], list[int | None], list[tuple[Box, bytes]]]
"""The wagers on the layout, the box of each patron, and every box with its JSON."""


class ChangesReader(Protocol):
    """A reader of changes. `mine` is the last private part that they were sent."""

    audience: Audience
    patron: str | None
    mine: bytes | None


class Sight:
    """The views of a table at one version. The public view is computed once. Where only the chips on the layout differ
    from `before`, the rest of its encoded view is used again."""

    _pieces: tuple[bytes, bytes, bytes] | None
    _boxes: _Boxes | None
    """Those of the version before, until `_boxes_json` has updated them."""
    _mines: dict[str, tuple[Patron, bool, bytes]]
    """The private part of each patron, with what it depends on: their record, and whether wagers lie in their box."""

    def __init__(self, state: TableState, since: int, pace: Pace | None, before: Sight | None = None) -> None:
        self.table = state.table
        self.version = state.table.version
        self.state = state
        self._since = since
        self._pace = pace
        self._own: dict[tuple[Audience, Rank | None, bool], bytes] = {}
        self._public: bytes | None = None
        self._pieces, self._boxes, self._mines = None, None, {}
        self._seen_now: Seen | None = None
        self._seen_before: Seen | None = None
        self._boxes_now: list[tuple[Box, bytes]] | None = None
        self._around: Around | None = None
        if before is not None:
            self._keep(before)

    def _keep(self, before: Sight) -> None:
        """Take over what was encoded for `before`, as far as it is the same."""
        chips, shared = only_chips(before.table, self.table), before._around
        if chips and before._since == self._since and before._pace == self._pace:
            self._pieces, self._boxes, self._seen_before = before._pieces, before._boxes, before._seen_now
        betting = self.table.phase is Phase.BETTING
        if shared is not None and (chips if betting else same_for_patrons(before.table, self.table)):
            self._around = around(self._rules, self.table, shared)
            if self._around.seats is shared.seats:
                self._mines = before._mines

    @property
    def _rules(self) -> Rulebook:
        rules = in_use(self.table)
        assert rules is not None, "a table that has events was opened"
        return rules

    @property
    def seen(self) -> Seen:
        """The public view with the clock, as records."""
        if self._seen_now is None:
            before = self._seen_before
            if before is None:
                view = seeing.view(self._rules, self.table, PUBLIC)
                self._seen_now = Seen(view, clock(self.table, self._since, self._pace))
            else:
                boxes = tuple([place for place, _ in self._boxes_json()])
                moved = {"differential_cents": seeing.differential(self.table), "boxes": boxes}
                self._seen_now = Seen(msgspec.structs.replace(before.view, **moved), before.clock)
            self._seen_before = None
        return self._seen_now

    def _public_json(self) -> bytes:
        """The same, encoded. It is split where chips change: in `View`, `shoe` must come next after `differential`, and
        `on_offer` next after `boxes`."""
        if self._public is not None:
            return self._public
        if self._pieces is None:
            view, timed = self.seen.view, encode(self.seen.clock)
            written = b'"view":%s,"clock":%s' % (encode(view), timed)
            head, _, rest = written.partition(_differential(view.differential_cents))
            middle, chips, tail = rest.partition(self._chips())
            assert chips, "`View` has its fields in another order"
            self._pieces = (head, middle, tail)
        else:
            head, middle, tail = self._pieces
            differential = _differential(seeing.differential(self.table))
            written = b"".join((head, differential, middle, self._chips(), tail))
        self._public = written
        return written

    def _boxes_json(self) -> list[tuple[Box, bytes]]:
        """Every box with its JSON. Boxes that have not changed are not encoded again."""
        if self._boxes_now is not None:
            return self._boxes_now
        table = self.table
        wagers, seats = seeing.on_layout(table), [patron.box for patron in table.patrons.values()]
        if self._boxes is None or self._boxes[1] != seats:
            boxes = [(box, encode(box)) for box in seeing.boxes(table)]
        else:
            before, _, boxes = self._boxes
            moved = [wager.box for name, wager in wagers.items() if before.get(name) is not wager]
            moved += [held.box for name, held in before.items() if name not in wagers]
            if moved and table.opened.limits.scope != "box":
                moved = [*range(1, len(boxes) + 1)]
            boxes = boxes.copy()
            for number in moved:
                box = seeing.box(table, number)
                boxes[number - 1] = (box, encode(box))
        self._boxes, self._boxes_now = (wagers, seats, boxes), boxes
        return boxes

    def _chips(self) -> bytes:
        return b',"boxes":[%s],"on_offer":' % b",".join([written for _, written in self._boxes_json()])

    def mine(self, audience: Audience, patron: str | None) -> bytes:
        """What only this audience may see of the table; null where that is nothing."""
        table = self.table
        if audience is PUBLIC:
            return b"null"
        if audience is PATRON and patron in table.patrons:
            return self._patron_s(table.patrons[patron])
        rank = table.staff.get(patron) if patron is not None else None
        own = (audience, rank, patron is not None)
        if own not in self._own:
            mine = seeing.mine(self._rules, table, audience, patron, ruled_by=ruled_by(table))
            self._own[own] = encode({**mine, "can": allowed(table, audience, rank, mine.get("can", ()))})
        return self._own[own]

    def _patron_s(self, patron: Patron) -> bytes:
        """The private part of a patron, cached while it stays the same."""
        shared = self._around
        if shared is None:
            shared = self._around = around(self._rules, self.table)
        in_use, kept = patron.box in shared.in_use, self._mines.get(patron.name)
        if kept is not None and kept[0] is patron and kept[1] is in_use:
            return kept[2]
        written = encode(seeing.mine(self._rules, self.table, PATRON, patron.name, shared))
        self._mines[patron.name] = (patron, in_use, written)
        return written

    def snapshot(self, audience: Audience, patron: str | None) -> bytes:
        """The first frame of a reader who knows nothing yet."""
        start = b'{"frame":"snapshot","version":%d,"at":"%s",' % (self.version, iso(self.state.at).encode())
        return b"".join((start, self._public_json(), b',"mine":', self.mine(audience, patron), b"}"))

    def events(self, after: int, records: Iterable[EncodedEvent], audience: Audience, patron: str | None) -> bytes:
        """What happened since a version, and the table as it stands now."""
        since = self._events_json(after, records, audience, patron)
        return b"".join((since, b",", self._public_json(), b',"mine":', self.mine(audience, patron), b"}"))

    def changes(self, after: int, records: Iterable[EncodedEvent], reader: ChangesReader, changed: bytes) -> bytes:
        """The same for a reader who knows the view at `after`: what changed since, and `mine` if it did."""
        since = self._events_json(after, records, reader.audience, reader.patron)
        mine = self.mine(reader.audience, reader.patron)
        own = b',"mine":' + mine if mine != reader.mine else b""
        reader.mine = mine
        return b"".join((since, b"," * bool(changed), changed, own, b"}"))

    def _events_json(self, after: int, records: Iterable[EncodedEvent], audience: Audience, name: str | None) -> bytes:
        """The beginning of a frame: the events since a version, as this audience may see them."""
        named = name if name in self.table.patrons else None
        redacted = [event for record in records if (event := record.written_for(audience, named)) is not None]
        start = b'{"frame":"events","from":%d,"to":%d,"events":[' % (after + 1, self.version)
        return b"".join((start, b",".join(redacted), b"]"))


def _differential(cents: Cents) -> bytes:
    return b',"differential":%s,"shoe":' % encode(cents)


def timed(frame: bytes, now: str) -> bytes:
    """A frame with the house's time added as it is sent."""
    return b'%b,"now":"%b"}' % (frame[:-1], now.encode())


def answer(key: str, answer: Answer) -> bytes:
    """The answer to a command that came over the socket."""
    kind = b"answer" if answer.accepted else b"problem"
    return b'{"frame":"answer","key":%s,"%s":%s}' % (msgspec.json.encode(key), kind, answer.json)
