"""Who keeps accounts: a guest opens their own, the first start those of the ranks, a Shift Manager all others.

Nothing else in the database tells of such an act. So a stream whose events name nobody who could have done it is found;
one that names a Shift Manager of that time looks like any other.
"""

from __future__ import annotations

from punto.house.audit import two_persons
from punto.house.audit.findings import Findings
from punto.house.audit.staff import Staff
from punto.house.people import events as p
from punto.house.people.permissions import SHIFT
from punto.house.store.records import Row

HOUSE = "house"
"""The first start."""


class Kept:
    """Acts on accounts, judged once the streams of all people are known."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._acts: list[tuple[Row, str, str]] = []
        self._openers: dict[str, str] = {}

    def add(self, name: str, row: Row, event: p.AnyPersonEvent, before: p.Person | None) -> None:
        """An event of somebody's stream; `before` is the person as they were."""
        match event:
            case p.AccountOpened(guest=True):
                if event.by != name:
                    self._fault(row, f"{event.by} opened a guest's account, which only the guest does")
            case p.AccountOpened():
                self._openers.setdefault(name, event.by)
                if event.by != HOUSE:
                    self._acts.append((row, event.by, "this account was opened"))
                elif event.name != event.role.value:
                    self._fault(row, "the first start opens an account for each rank and calls it so, and no other")
            case p.RoleChanged() if before is not None and before.role is not event.role:
                if not two_persons.of_a_rank(event.role, before.role):
                    self._acts.append((row, event.by, "this role was given"))
            case p.AccountLocked() | p.AccountUnlocked():
                self._acts.append((row, event.by, "this account was locked or unlocked"))
            case p.PasswordSet():
                if event.by not in (name, HOUSE, self._openers.get(name)):
                    self._fault(row, f"{event.by} set the password of somebody else")
            case _:
                pass

    def compare(self, staff: Staff) -> None:
        for row, by, act in self._acts:
            if not staff.held(by, row.at) & SHIFT:
                self._fault(row, f"{by} was no Shift Manager when {act}")

    def _fault(self, row: Row, message: str) -> None:
        self._findings.add(row.stream, row.version, "account", message)
