"""Who opened each account or reset its password, who held which role when, and who was locked out, as the streams of
the people tell it."""

from __future__ import annotations

from typing import Final

from punto.house.people import events as p
from punto.house.people.names import Role
from punto.house.store.clock_steps import SKEW_US, Steps

HOUSE: Final = "house"
DAY_US: Final = 24 * 3600 * 1_000_000


class Staff:
    """Guests are left out: they stay patrons."""

    def __init__(self, steps: Steps) -> None:
        self._before = steps.before
        self._opened_by: dict[str, str] = {}
        self._roles: dict[str, list[tuple[int, Role]]] = {}
        self._resets: dict[str, list[tuple[int, str]]] = {}
        self._locks: dict[str, list[tuple[int, bool]]] = {}
        self._own: dict[str, list[tuple[int, bool]]] = {}
        """From when on a password was the person's own, or was not."""

    def add(self, name: str, at: int, event: p.AnyPersonEvent) -> None:
        if isinstance(event, p.AccountOpened) and not event.guest:
            self._opened_by.setdefault(name, event.by)
        if isinstance(event, p.RoleChanged) or (isinstance(event, p.AccountOpened) and not event.guest):
            self._roles.setdefault(name, []).append((at, event.role))
        if isinstance(event, p.PasswordReset):
            self._resets.setdefault(name, []).append((at, event.by))
        if isinstance(event, p.PasswordSet | p.PasswordReset):
            own = isinstance(event, p.PasswordSet) and event.by == name
            self._own.setdefault(name, []).append((at, own))
        if isinstance(event, p.AccountLocked | p.AccountUnlocked):
            self._locks.setdefault(name, []).append((at, isinstance(event, p.AccountLocked)))

    def opened_by(self, name: str) -> str | None:
        return self._opened_by.get(name)

    def reset_by(self, name: str, at: int) -> str | None:
        """Who had given somebody the last new password at an instant, by the clock of every node."""
        found = [by for done, by in self._resets.get(name, []) if self._before(done, at)]
        return found[-1] if found else None

    def hands(self, name: str, at: int, days: int) -> frozenset[str]:
        """Everybody through whose hands an account had passed at an instant, by the clock of every node: the person,
        who opened it, who gave a new password in so many days before, and theirs. The house is nobody."""
        found: set[str] = set()
        left = {name}
        while left:
            one = left.pop()
            found.add(one)
            since = at - days * DAY_US + SKEW_US
            given = {by for done, by in self._resets.get(one, []) if since <= done and self._before(done, at)}
            left |= (given | {self._opened_by.get(one, HOUSE)}) - found - {HOUSE}
        return frozenset(found)

    def own(self, name: str, at: int) -> bool:
        """Whether the password may have been the person's own at an instant, by the clock of any node."""
        found = self._own.get(name, [])
        ends: list[int | None] = [begun for begun, _ in found]
        return any(
            own and not self._before(at, begun) and (ended is None or not self._before(ended, at))
            for (begun, own), ended in zip(found, [*ends[1:], None], strict=False)
        )

    def locked(self, name: str, at: int) -> bool:
        """Whether somebody was locked out at an instant, by the clock of every node."""
        found = self._locks.get(name, [])
        ends: list[int | None] = [begun for begun, _ in found]
        return any(
            locked and self._before(begun, at) and (ended is None or self._before(at, ended))
            for (begun, locked), ended in zip(found, [*ends[1:], None], strict=False)
        )

    def held(self, name: str, at: int) -> frozenset[Role]:
        """The roles that somebody may have had at an instant, by the clock of any node."""
        found = self._roles.get(name, [])
        ends: list[int | None] = [begun for begun, _ in found]
        return frozenset(
            role
            for (begun, role), ended in zip(found, [*ends[1:], None], strict=False)
            if not self._before(at, begun) and (ended is None or not self._before(ended, at))
        )
