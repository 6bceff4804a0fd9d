"""One table's stream, replayed from its first row."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile

from punto.game import events as e
from punto.game import recall
from punto.game.coup import wrong
from punto.game.evolve import evolve
from punto.game.notation import encode
from punto.game.shoe import commitment
from punto.game.table import NEW, Phase, Table, conserved, lying_cents
from punto.house.audit import actors, decided, settled
from punto.house.audit.approvals import Approved
from punto.house.audit.expected import Layout, Moves
from punto.house.audit.findings import Findings, Seen
from punto.house.audit.reading import Reader
from punto.house.audit.walk import EVENTS
from punto.house.store import codec
from punto.house.store.records import Row
from punto.rulebook.model import Rulebook


class TableStream:
    """What a table's events add up to, checked as they are added."""

    def __init__(
        self,
        reader: Reader,
        stream: str,
        books: dict[str, Rulebook],
        approved: Approved,
        findings: Findings,
        notes: Findings,
        seen: Seen,
    ) -> None:
        self.stream, self.id = stream, stream.partition("/")[2]
        self.table: Table = NEW
        self.layout = Layout(self.id)
        self.lost = False
        """Set once the record can't be followed any further."""
        self.events: list[e.AnyEvent | None] = []
        """Those of the newest command, as they were read."""
        self._reader, self._books, self._approved, self._seen = reader, books, approved, seen
        self._findings, self._notes = findings, notes
        self._lying: dict[int, int] = {}
        """What lies on the layout after each row of the command, by the second books."""
        self._touched = False
        self._revisions: dict[str, int] = {}
        """The newest revision of each edition so far."""
        self._order: tuple[str, ...] | None = None
        self._drawn = 0

    def command(self, rows: list[Row]) -> list[Moves | None]:
        """Add the rows of one command: what each must have moved; None where the event can't be read."""
        self._seen.commands += 1
        self._lying.clear()
        found: list[Moves | None] = []
        events: list[e.AnyEvent] = []
        self.events = []
        for row in rows:
            event = self._read(row)
            self.events.append(event)
            if event is None:
                self.lost = True
                found.append(None)
                continue
            events.append(event)
            found.append(self.layout.moves(event))
            self._lying[row.version] = self.layout.cents
        if not self.lost and len(events) == len(rows):
            self._replay(rows, tuple(events))
        return found

    def _fault(self, version: int, code: str, message: str) -> None:
        self._findings.add(self.stream, version, code, message)

    def _read(self, row: Row) -> e.AnyEvent | None:
        try:
            event = codec.event(row)
            whole = encode(event) == codec.raised(row)
        except (ValueError, KeyError, TypeError) as error:
            self._fault(row.version, "unreadable", f"the event can't be read: {error}")
            return None
        if not whole:
            self._fault(row.version, "unreadable", "the event is not written as the house writes events")
        rules = self._books.get(row.rules)
        if rules is None:
            self._fault(row.version, "unknown-rules", f"no edition that ships has the hash {row.rules[:16]!r}…")
            return None
        if rules.revision < self._revisions.setdefault(rules.id, rules.revision):
            self._fault(row.version, "older-rules", f"{rules.id}: revision {rules.revision} governs after a newer one")
        self._revisions[rules.id] = max(rules.revision, self._revisions[rules.id])
        if not rules.knows(event.paragraph):
            self._fault(row.version, "unknown-paragraph", f"{rules.id} has no paragraph {event.paragraph!r}")
        return event

    def _replay(self, rows: list[Row], events: tuple[e.AnyEvent, ...]) -> None:
        at, judged = 0, True
        while at < len(events) and not self.lost:
            length = 1
            if judged:
                row = rows[at]
                table = self._with_past(row, events[at:])
                found = decided.again(self._books[row.rules], table, events[at:], row.actor, row.at)
                match found:
                    case decided.Fault():
                        self._fault(row.version, found.code, found.message)
                        judged = False
                    case decided.Older():
                        self._notes.add(self.stream, row.version, "older-ruling", found.message)
                        length, judged = len(events) - at, False
                    case decided.Again():
                        length = found.count
                if not isinstance(found, decided.Fault):
                    if (text := actors.fault(row, table, found.command, self._approved.staff)) is not None:
                        self._fault(row.version, "actor", text)
                    part = events[at : at + length]
                    self._approved.ruled(rows[0], row, self._books[row.rules], table, part)
            for row, event in zip(rows[at : at + length], events[at : at + length], strict=True):
                if not self._added(row, event):
                    self.lost = True
                    return
            at += length

    def _with_past(self, row: Row, events: tuple[e.AnyEvent, ...]) -> Table:
        """The table, with the round that a report or a ruling is about where it holds that one no more (I11)."""
        table = self.table
        reports = (one.irregularity for one in events[:8] if isinstance(one, e.IrregularityReported))
        about = table.irregularity or next(reports, None)
        if about is None or about.round is None or not recall.gone(table, about.round):
            return table
        before = (Row(*values) for values in self._reader.rows(EVENTS, self.stream))
        read = (codec.event(one) for one in takewhile(lambda one: one.version < row.version, before))
        return recall.held(table, recall.past_round(read, about.round))

    def _added(self, row: Row, event: e.AnyEvent) -> bool:
        """One event: what it says of cards and money is worked out from the table before it. False: it can't be."""
        before, rules = self.table, self._books[row.rules]
        try:
            self._cards(row, event)
            if isinstance(event, e.RoundSettled):
                self._settlement(row, event, rules)
            self.table = evolve(before, event)
        except Exception as error:  # a record that was tampered with can break any assumption of `evolve`
            self._fault(row.version, "impossible", f"it can't have happened at this table: {error!r}")
            return False
        if isinstance(event, e.BettingOpened):
            self._touched = False
            self._seen.rounds += 1
        elif isinstance(event, e.IrregularityReported) or getattr(event, "area", None) is not None:
            self._touched = True
        if isinstance(event, e.TableOpened) and event.settings.table != self.id:
            self._fault(row.version, "wrong-table", f"the table calls itself {event.settings.table!r}")
        self._money(row)
        return True

    def _money(self, row: Row) -> None:
        table = self.table
        if not conserved(table):
            self._fault(row.version, "chips", "patrons, layout and house don't hold what was issued")
        if lying_cents(table) != self._lying[row.version]:
            self._fault(row.version, "chips", "what lies on the layout is not what its wagers come to")
        for patron in table.patrons.values():
            if patron.balance_cents < 0:
                self._fault(row.version, "chips", f"{patron.name} has less than nothing")

    def _settlement(self, row: Row, event: e.RoundSettled, rules: Rulebook) -> None:
        current = self.table.current
        self._seen.lines += len(event.lines)
        if self.table.phase is not Phase.COMPLETE:
            self._fault(row.version, "settlement", f"it was settled while the table was {self.table.phase.value}")
        fault = wrong(rules, current.coup) or settled.difference(rules, self.table, event, touched=self._touched)
        if fault is not None:
            self._fault(row.version, "settlement", fault)

    def _cards(self, row: Row, event: e.AnyEvent) -> None:
        """A virtual shoe: committed to before the first card, opened at its end, and dealt in its order."""
        match event:
            case e.ShoeLoaded():
                self._seen.shoes += 1
                self._order, self._drawn = event.order, 0
                if event.commitment is not None and (
                    event.order is None or event.salt is None or commitment(event.salt, event.order) != event.commitment
                ):
                    self._fault(row.version, "shoe", "the commitment is not the hash of salt and order")
            case e.ShoeEnded():
                shoe = self.table.shoe
                if (
                    shoe is not None
                    and shoe.commitment is not None
                    and (event.order, event.salt)
                    != (
                        shoe.order,
                        shoe.salt,
                    )
                ):
                    self._fault(row.version, "shoe", "the shoe that was opened is not the one committed to")
                self._order = None
            case e.CardsBurnt():
                self._next(row, event.card)
                self._drawn += event.skipped
            case e.CardDrawn(carried=False):
                self._next(row, event.card)
            case e.IrregularityReported():
                for one in event.irregularity.cards:
                    self._next(row, one.face)
            case e.CardsDiscarded(from_shoe=True):
                self._drawn += event.count
            case _:
                pass

    def _next(self, row: Row, face: str | None) -> None:
        """The next card of the order."""
        if self._order is None:
            return
        if self._drawn >= len(self._order) or face != self._order[self._drawn]:
            self._fault(row.version, "shoe", f"card {self._drawn + 1} of the shoe is another one")
        self._drawn += 1

    def balances(self) -> Counter[str]:
        """What each account of this table must hold by the table's own state."""
        table = self.table
        held: Counter[str] = Counter(
            {f"chips/{self.id}/{name}": one.balance_cents for name, one in table.patrons.items()}
        )
        held[f"escrow/{self.id}"] = lying_cents(table)
        held[f"house/{self.id}"] = table.house_cents
        return held
