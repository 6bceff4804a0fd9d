"""Who may manage accounts: guests open their own, the first start those of the ranks, a Shift Manager all others.

Nothing else in the database records such an act. So the audit finds an event by somebody who could not have done it. A
forged one that names a Shift Manager of that time looks like any other.
"""

from __future__ import annotations

from punto.house.audit.approvals import needs_approval
from punto.house.audit.findings import Findings
from punto.house.audit.people.staff import Staff
from punto.house.store import person as p
from punto.house.store.names import HOUSE, SHIFT
from punto.house.store.records import Row


class AccountActs:
    """Acts on accounts, judged once the streams of all people are known."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._by_managers: list[tuple[Row, str, str]] = []
        """Row, actor and description of each act that takes a Shift Manager."""
        self._openers: dict[str, str] = {}

    def add(self, name: str, row: Row, event: p.AnyPersonEvent, before: p.Person | None) -> None:
        """An event of somebody's stream; `before` is the person as they were."""
        match event:
            case p.AccountOpened():
                self._opened(name, row, event)
            case p.RoleChanged() if before is not None and before.role is not event.role:
                if not needs_approval.for_role(event.role, before.role):
                    self._by_managers.append((row, event.by, "this role was given"))
            case p.AccountLocked() | p.AccountUnlocked():
                self._by_managers.append((row, event.by, "this account was locked or unlocked"))
            case p.PasswordSet() if event.by not in (name, HOUSE, self._openers.get(name)):
                self._fault(row, f"{event.by} set the password of somebody else")
            case _:
                pass

    def _opened(self, name: str, row: Row, event: p.AccountOpened) -> None:
        if event.guest:
            if event.by != name:
                self._fault(row, f"{event.by} opened a guest's account, which only the guest does")
            return
        self._openers.setdefault(name, event.by)
        if event.by != HOUSE:
            self._by_managers.append((row, event.by, "this account was opened"))
        elif event.name != event.role.value:
            self._fault(row, "the house opened this account, but it opens only those that are named after their rank")

    def compare(self, staff: Staff) -> None:
        for row, by, act in self._by_managers:
            if not staff.roles(by, row.at) & SHIFT:
                self._fault(row, f"{by} was not a Shift Manager when {act}")

    def _fault(self, row: Row, message: str) -> None:
        self._findings.at(row, "account", message)
