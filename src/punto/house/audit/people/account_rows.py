"""Compares the rows that a login reads with the streams of the people."""

from __future__ import annotations

from collections import Counter
from typing import Final

from punto.game.table import Table
from punto.house.audit.findings import Context
from punto.house.store.clock_steps import SKEW_US
from punto.house.store.names import GUEST_PREFIX, Role
from punto.house.store.person import LOCKED_MICROSECONDS, MOST_FAILURES, Person

WAITING: Final = 'SELECT "name", "failures", "waits_until" FROM "people" WHERE "failures" <> 0 OR "waits_until" <> 0'
PEOPLE: Final = 'SELECT "name", "role", "guest", "locked", "opened_at", "password", {0} FROM "people" ORDER BY "name"'


def check_waiting(context: Context) -> None:
    """Wrong passwords block an account for a limited time. No event says how many there were."""
    for name, failures, until in context.reader.rows(WAITING):
        if not 0 <= failures <= MOST_FAILURES:
            text = f"{failures} wrong passwords are on record: expected 0 to {MOST_FAILURES}"
            context.findings.add(f"person/{name}", 0, "account", text)
        latest = context.now + SKEW_US + LOCKED_MICROSECONDS
        if not (0 <= until <= latest or context.steps.ahead(until - LOCKED_MICROSECONDS, context.now)):
            text = "the account is blocked for longer than wrong passwords can block it"
            context.findings.add(f"person/{name}", 0, "account", text)


class AccountRows:
    """Keeps a few values for each person in memory."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._accounts: dict[str, tuple[str, bool, bool, int]] = {}
        self._closed: set[str] = set()
        self._guests_at_tables: list[tuple[str, str]] = []
        self._passwords: dict[str, str | None] = {}

    def add_person(self, name: str, person: Person | None, password_by: str | None) -> None:
        if person is not None and person.closed:
            self._closed.add(name)
        elif person is not None:
            self._accounts[name] = (person.role.value, person.guest, person.locked, person.opened_at)
            self._passwords[name] = password_by

    def add_table(self, stream: str, table: Table) -> None:
        """Note guests who are at a table at the end of its stream."""
        names = (patron.name for patron in table.patrons.values() if patron.present or patron.box is not None)
        self._guests_at_tables += [(stream, name) for name in names if name.startswith(GUEST_PREFIX)]

    def compare(self) -> None:
        unmatched = dict(self._accounts)
        has_giver = "password_by" in self._context.reader.columns("people")  # not before the migration that adds it
        statement = PEOPLE.format('"password_by"' if has_giver else "NULL")
        for name, *values, password, password_by in self._context.reader.rows(statement):
            account = unmatched.pop(name, None)
            if name in self._closed:
                self._fault(name, "the stream has closed the account, but the table 'people' has a row for it")
            elif account is None:
                # A guest's stream begins with the first chips that they buy.
                new = name.startswith(GUEST_PREFIX) and values[:3] == [Role.PATRON, True, False] and password is None
                if not new:
                    self._fault(name, "the table 'people' has this account, but its stream never opened it")
            elif tuple(values) != account:
                text = "role, guest, lock or opening time differs from the stream; repeat a change that was interrupted"
                self._fault(name, text)
            elif has_giver and password_by != self._passwords[name]:
                due = self._passwords[name]
                self._fault(name, f"password_by is {password_by} in the table 'people', but {due} by the stream")
        for name in unmatched:
            self._fault(name, "the stream has this account, but the table 'people' has no row for it")

    def compare_closed(self, accounts: Counter[str]) -> None:
        """A closed account's wallet is empty, and its guest is at no table. `accounts` are balances by transfers."""
        for name in sorted(self._closed):
            if cents := accounts[f"wallet/{name}"]:
                text = f"the account is closed, but its wallet holds {cents} cents by its transfers"
                self._context.findings.add(f"person/{name}", 0, "wallet", text)
        for stream, name in self._guests_at_tables:
            if name in self._closed:
                text = f"{name} is at the table, but the account is closed"
                self._context.findings.add(stream, 0, "account", text)

    def _fault(self, name: str, message: str) -> None:
        self._context.findings.add(f"person/{name}", 0, "account", message)
