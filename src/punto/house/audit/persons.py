"""One person's stream: the account opened first and once, and what its events moved."""

from __future__ import annotations

from punto.house.audit.accounts import Kept
from punto.house.audit.approvals import Approved
from punto.house.audit.expected import Moves, of_a_person
from punto.house.audit.findings import Findings, Seen
from punto.house.people import events as p
from punto.house.people.names import is_name
from punto.house.store import codec
from punto.house.store.records import Row


class PersonStream:
    """What a person's events add up to."""

    def __init__(self, stream: str, approved: Approved, kept: Kept, findings: Findings, seen: Seen) -> None:
        self.stream, self.name = stream, stream.partition("/")[2]
        self.person: p.Person | None = None
        self.password_by: str | None = None
        """Who set or gave the password."""
        self._opened_by = ""
        self._was_own = False
        self._approved, self._kept, self._findings, self._seen = approved, kept, findings, seen
        self._opening = True
        """Whether the command opens the account."""

    def command(self, rows: list[Row]) -> list[Moves | None]:
        self._seen.commands += 1
        self._opening = self.person is None
        return [self._add(row) for row in rows]

    def _fault(self, row: Row, code: str, message: str) -> None:
        self._findings.add(self.stream, row.version, code, message)

    def _add(self, row: Row) -> Moves | None:
        try:
            event = p.read(codec.raised(row))
            whole = p.encode(event) == codec.raised(row)
        except (ValueError, KeyError, TypeError) as error:
            self._fault(row, "unreadable", f"the event can't be read: {error}")
            return None
        if not whole:
            self._fault(row, "unreadable", "the event is not written as the house writes events")
        if row.actor != event.by:
            self._fault(row, "actor", f"{row.actor} is said to have done it, and the event says {event.by}")
        if row.rules:
            self._fault(row, "unknown-rules", "no edition governs a person, and one is named")
        opens = isinstance(event, p.AccountOpened)
        if opens != (self.person is None) or (isinstance(event, p.AccountOpened) and event.name != self.name):
            self._fault(row, "impossible", "an account is opened first, once, and under the stream's name")
        if not is_name(self.name):
            self._fault(row, "impossible", f"{self.name!r} is no name of a person")
        if self.person is not None and self.person.closed:
            self._fault(row, "impossible", "the account was closed, and nothing comes after that")
        self._kept.add(self.name, row, event, self.person)
        self._approve(row, event)
        self._password(row, event)
        if opens or self.person is not None:
            self.person = p.evolve(self.person, event, row.at)
        return of_a_person(self.name, event)

    def _password(self, row: Row, event: p.AnyPersonEvent) -> None:
        """Whoever opens an account gives its first password, until it is the person's own; then a reset says so."""
        if isinstance(event, p.AccountOpened):
            self._opened_by = event.by
        if not isinstance(event, p.PasswordSet | p.PasswordReset):
            return
        self.password_by = event.by
        own = isinstance(event, p.PasswordSet) and event.by == self.name
        first = isinstance(event, p.PasswordSet) and event.by == self._opened_by and not self._was_own
        if not (own or first or isinstance(event, p.PasswordReset)):
            self._fault(row, "account", f"{event.by} set a password that is {self.name}'s to set")
        self._was_own = self._was_own or own

    def _approve(self, row: Row, event: p.AnyPersonEvent) -> None:
        """What takes two persons had two. Chips come with a guest's account, and later by an adjustment only."""
        self._approved.staff.add(self.name, row.at, event)
        match event:
            case p.AccountOpened():
                self._approved.opened(row, event)
            case p.RoleChanged() if self.person is not None:
                self._approved.ranked(row, event, self.person.role)
            case p.PasswordReset() if self.person is not None:
                self._approved.reset(row, event, self.person.role)
            case p.BalanceAdjusted():
                self._approved.adjusted(row, event)
                if event.by == event.asked_by:
                    self._fault(row, "approval", f"{event.by} approved what {event.by} had asked for")
            case p.AccountClosed() if self.person is None or not self.person.guest or event.by != "house":
                self._fault(row, "impossible", "only a guest's account is closed, and by the house")
            case p.ChipsGranted() if not self._opening or self.person is None or not self.person.guest:
                self._fault(row, "approval", "chips are granted with a guest's account alone; else two persons adjust")
            case _:
                pass
