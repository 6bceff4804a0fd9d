"""One person's stream: the account is opened first and once, and each event leads to its transfers."""

from __future__ import annotations

from punto.house.audit.approvals.acts import Acts
from punto.house.audit.expected_transfers import Moves, for_person
from punto.house.audit.findings import Context
from punto.house.audit.people.accounts import AccountActs
from punto.house.audit.stream_rows import own_event
from punto.house.store import person as p
from punto.house.store.names import HOUSE, is_name
from punto.house.store.records import Row


class PersonStream:
    """What a person's events add up to."""

    def __init__(self, context: Context, stream: str, acts: Acts, account_acts: AccountActs) -> None:
        self.stream, self.name = stream, stream.partition("/")[2]
        self.person: p.Person | None = None
        self.password_by: str | None = None
        """Who set or gave the password."""
        self._opened_by = ""
        self._had_own_password = False
        self._acts, self._account_acts, self._findings = acts, account_acts, context.findings
        self._opening = True
        """Whether the command opens the account."""

    def command(self, rows: list[Row]) -> list[Moves | None]:
        self._opening = self.person is None
        return [self._add(row) for row in rows]

    def _add(self, row: Row) -> Moves | None:
        event = own_event(row, p.read, self._findings)
        if event is None:
            return None
        opens = isinstance(event, p.AccountOpened)
        if opens != (self.person is None) or (isinstance(event, p.AccountOpened) and event.name != self.name):
            text = "the account was not opened first, was opened twice, or has another name than the stream"
            self._findings.at(row, "impossible", text)
        if not is_name(self.name):
            self._findings.at(row, "impossible", f"{self.name!r} is no name of a person")
        if self.person is not None and self.person.closed:
            self._findings.at(row, "impossible", "this event comes after the account was closed")
        self._account_acts.add(self.name, row, event, self.person)
        self._check_approval(row, event)
        self._check_password(row, event)
        if opens or self.person is not None:
            self.person = p.evolve(self.person, event, row.at)
        return for_person(self.name, event)

    def _check_password(self, row: Row, event: p.AnyPersonEvent) -> None:
        """Whoever opened an account may set its password until the person sets their own. Then it takes a reset."""
        if isinstance(event, p.AccountOpened):
            self._opened_by = event.by
        if not isinstance(event, p.PasswordSet | p.PasswordReset):
            return
        self.password_by = event.by
        own = isinstance(event, p.PasswordSet) and event.by == self.name
        first = isinstance(event, p.PasswordSet) and event.by == self._opened_by and not self._had_own_password
        if not (own or first or isinstance(event, p.PasswordReset)):
            self._findings.at(row, "account", f"{event.by} set a password that is {self.name}'s to set")
        self._had_own_password = self._had_own_password or own

    def _check_approval(self, row: Row, event: p.AnyPersonEvent) -> None:
        """Acts that take two persons had two. Chips come with a guest's account, and later by an adjustment only."""
        self._acts.staff.add(self.name, row.at, event)
        match event:
            case p.AccountOpened():
                self._acts.account_opened(row, event)
            case p.RoleChanged() if self.person is not None:
                self._acts.role_changed(row, event, self.person.role)
            case p.PasswordReset() if self.person is not None:
                self._acts.password_reset(row, event, self.person.role)
            case p.BalanceAdjusted():
                self._acts.balance_adjusted(row, event)
                if event.by == event.asked_by:
                    self._findings.at(row, "approval", f"{event.by} approved what {event.by} had asked for")
            case p.AccountClosed() if self.person is None or not self.person.guest or event.by != HOUSE:
                text = "the account was closed, but it is not a guest's, or the house did not close it"
                self._findings.at(row, "impossible", text)
            case p.ChipsGranted() if not self._opening or self.person is None or not self.person.guest:
                text = "chips were granted, but not at the opening of a guest's account: that needs two persons"
                self._findings.at(row, "approval", text)
            case _:
                pass
