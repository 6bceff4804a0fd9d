"""One table's stream, replayed from its first row: every command decided again, cards and chips added up."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import assert_never

from punto.game import events as e
from punto.game import recall
from punto.game.coup import wrong
from punto.game.evolve import evolve
from punto.game.notation import encode
from punto.game.table import NEW, Phase, Table, conserved, lying_cents
from punto.house.audit.approvals.acts import Acts
from punto.house.audit.expected_transfers import Layout, Moves
from punto.house.audit.findings import Context
from punto.house.audit.stream_rows import EVENTS
from punto.house.audit.tables import actors, settlements
from punto.house.audit.tables.commands_from_events import Events
from punto.house.audit.tables.decide_again import Decided, Fault, OlderRuling, decide_again
from punto.house.audit.tables.shoe_order import ShoeOrder
from punto.house.store import codec
from punto.house.store.records import Row
from punto.rulebook.model import Rulebook


class TableStream:
    """What a table's events add up to, checked as they are added."""

    def __init__(self, context: Context, stream: str, books: dict[str, Rulebook], acts: Acts) -> None:
        self.stream, self.id = stream, stream.partition("/")[2]
        self.table: Table = NEW
        self.layout = Layout(self.id)
        self.lost = False
        """Set once the record can't be followed any further."""
        self.events: list[e.AnyEvent | None] = []
        """The events of the newest command; None if unreadable."""
        self._context, self._books, self._acts = context, books, acts
        self._layout_cents: dict[int, int] = {}
        """What is on the layout after each row of the command, by `Layout`."""
        self._irregular = False
        """Whether the round had an irregularity."""
        self._revisions: dict[str, int] = {}
        """The newest revision of each edition so far."""
        self._shoe = ShoeOrder()

    def command(self, rows: list[Row]) -> list[Moves | None]:
        """Add the rows of one command. Returns the transfers of each; None if its event can't be read."""
        self._layout_cents.clear()
        self.events = [self._read(row) for row in rows]
        moves: list[Moves | None] = []
        for row, event in zip(rows, self.events, strict=True):
            moves.append(None if event is None else self.layout.moves(event))
            self._layout_cents[row.version] = self.layout.cents
        events = tuple(event for event in self.events if event is not None)
        self.lost = self.lost or len(events) < len(rows)
        if not self.lost:
            self._replay(rows, events)
        return moves

    def _fault(self, row: Row, code: str, message: str) -> None:
        self._context.findings.at(row, code, message)

    def _read(self, row: Row) -> e.AnyEvent | None:
        try:
            event = codec.event(row)
            canonical = encode(event) == codec.raised(row)
        except (ValueError, KeyError, TypeError) as error:
            self._fault(row, "unreadable", f"the event can't be read: {error}")
            return None
        if not canonical:
            self._fault(row, "unreadable", "the event is not written as the house writes events")
        rules = self._books.get(row.rules)
        if rules is None:
            self._fault(row, "unknown-rules", f"no edition that ships has the hash {row.rules[:16]!r}…")
            return None
        newest = self._revisions.get(rules.id, rules.revision)
        if rules.revision < newest:
            self._fault(row, "older-rules", f"{rules.id}: revision {rules.revision} was used after a newer one")
        self._revisions[rules.id] = max(rules.revision, newest)
        if not rules.knows(event.paragraph):
            self._fault(row, "unknown-paragraph", f"{rules.id} has no paragraph {event.paragraph!r}")
        return event

    def _replay(self, rows: list[Row], events: Events) -> None:
        """The rows of one key may hold several commands. Each is decided again, until one can't be."""
        start, judged = 0, True
        while start < len(events):
            count = self._judge(rows, events, start) if judged else 1
            judged = judged and count is not None
            end = start + (count or 1)
            for row, event in zip(rows[start:end], events[start:end], strict=True):
                if not self._add(row, event):
                    self.lost = True
                    return
            start = end

    def _judge(self, rows: list[Row], events: Events, start: int) -> int | None:
        """Decide the command again that begins at `start`. Returns its number of events, or None if unknown."""
        row, rest = rows[start], events[start:]
        rules, table = self._books[row.rules], self._with_past(rows[start], rest)
        decided = decide_again(rules, table, rest, row.actor, row.at)
        match decided:
            case Fault():
                self._fault(row, decided.code, decided.message)
                return None
            case OlderRuling():
                self._context.notes.at(row, "older-ruling", decided.message)
                count = len(rest)
            case Decided():
                count = decided.count
            case _:
                assert_never(decided)
        if (text := actors.fault(row, table, decided.command, self._acts.staff)) is not None:
            self._fault(row, "actor", text)
        self._acts.table_command(rows[0], row, rules, table, rest[:count])
        return count

    def _with_past(self, row: Row, events: Events) -> Table:
        """The table, with the round that a report or a ruling is about, if it no longer holds that round (I11)."""
        table = self.table
        reports = (event.irregularity for event in events[:8] if isinstance(event, e.IrregularityReported))
        report = table.irregularity or next(reports, None)
        if report is None or report.round is None or not recall.gone(table, report.round):
            return table
        rows = (Row(*values) for values in self._context.reader.rows(EVENTS, self.stream))
        before = (codec.event(earlier) for earlier in takewhile(lambda earlier: earlier.version < row.version, rows))
        return recall.held(table, recall.past_round(before, report.round))

    def _add(self, row: Row, event: e.AnyEvent) -> bool:
        """Add one event, and check its cards and money against the table before it. False if it is impossible there."""
        try:
            for text in self._shoe.faults(event, self.table.shoe):
                self._fault(row, "shoe", text)
            if isinstance(event, e.RoundSettled):
                self._check_settlement(row, event)
            self.table = evolve(self.table, event)
        except Exception as error:  # a record that was tampered with can break any assumption of `evolve`
            self._fault(row, "impossible", f"it can't have happened at this table: {error!r}")
            return False
        if isinstance(event, e.BettingOpened):
            self._irregular = False
            self._context.seen.rounds += 1
        elif isinstance(event, e.IrregularityReported) or getattr(event, "area", None) is not None:
            self._irregular = True
        self._context.seen.shoes += isinstance(event, e.ShoeLoaded)
        if isinstance(event, e.TableOpened) and event.settings.table != self.id:
            self._fault(row, "wrong-table", f"the event names another table: {event.settings.table!r}")
        self._check_chips(row)
        return True

    def _check_chips(self, row: Row) -> None:
        table = self.table
        if not conserved(table):
            self._fault(row, "chips", "patrons, layout and house don't hold what was issued")
        if lying_cents(table) != self._layout_cents[row.version]:
            self._fault(row, "chips", "what lies on the layout is not what its wagers come to")
        for patron in table.patrons.values():
            if patron.balance_cents < 0:
                self._fault(row, "chips", f"{patron.name} has a negative balance")

    def _check_settlement(self, row: Row, event: e.RoundSettled) -> None:
        rules, table = self._books[row.rules], self.table
        self._context.seen.lines += len(event.lines)
        if table.phase is not Phase.COMPLETE:
            self._fault(row, "settlement", f"it was settled while the table was {table.phase.value}")
        fault = wrong(rules, table.current.coup) or settlements.difference(
            rules, table, event, irregular=self._irregular
        )
        if fault is not None:
            self._fault(row, "settlement", fault)

    def balances(self) -> Counter[str]:
        """What each account of this table must hold by the table's own state."""
        patrons = self.table.patrons.items()
        held: Counter[str] = Counter({f"chips/{self.id}/{name}": patron.balance_cents for name, patron in patrons})
        held[f"escrow/{self.id}"] = lying_cents(self.table)
        held[f"house/{self.id}"] = self.table.house_cents
        return held
