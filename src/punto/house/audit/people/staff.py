"""Who opened each account or reset its password, who held which role when, and who was locked out, as the streams of
the people tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from punto.house.store import person as p
from punto.house.store.clock_steps import SKEW_US, Steps
from punto.house.store.names import HOUSE, Role

DAY_US: Final = 24 * 3600 * 1_000_000
T = TypeVar("T")
Since = list[tuple[int, T]]
"""Values in order, each with the instant from which it held."""


class Staff:
    """Guests are left out: they stay patrons."""

    def __init__(self, steps: Steps) -> None:
        self._before = steps.before
        self._opened_by: dict[str, str] = {}
        self._roles: dict[str, Since[Role]] = {}
        self._resets: dict[str, Since[str]] = {}
        self._locks: dict[str, Since[bool]] = {}
        self._own: dict[str, Since[bool]] = {}
        """Whether a password was the person's own."""

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
        """Who had last reset somebody's password before an instant, by the clock of every node."""
        givers = [by for done, by in self._resets.get(name, []) if self._before(done, at)]
        return givers[-1] if givers else None

    def hands(self, name: str, at: int, days: int) -> frozenset[str]:
        """Everybody who had an account in their hands by `at`, on the clock of every node: the person, whoever opened
        it, whoever reset its password in the `days` before, and the same for each of them. The house does not count."""
        since = at - days * DAY_US + SKEW_US
        hands: set[str] = set()
        people = {name}
        while people:
            person = people.pop()
            hands.add(person)
            givers = {by for done, by in self._resets.get(person, []) if since <= done and self._before(done, at)}
            people |= (givers | {self._opened_by.get(person, HOUSE)}) - hands - {HOUSE}
        return frozenset(hands)

    def own_password(self, name: str, at: int) -> bool:
        """Whether the password may have been the person's own at an instant, by the clock of any node."""
        own = self._own.get(name, [])
        return True in self._possible(own, at)

    def roles(self, name: str, at: int) -> frozenset[Role]:
        """The roles that somebody may have had at an instant, by the clock of any node."""
        return frozenset(self._possible(self._roles.get(name, []), at))

    def locked(self, name: str, at: int) -> bool:
        """Whether somebody was locked out at an instant, by the clock of every node."""
        return any(
            locked and self._before(begun, at) and (ended is None or self._before(at, ended))
            for begun, ended, locked in _spans(self._locks.get(name, []))
        )

    def _possible(self, values: Since[T], at: int) -> Iterator[T]:
        """The values that may have held at an instant, by the clock of any node."""
        for begun, ended, value in _spans(values):
            if not self._before(at, begun) and (ended is None or not self._before(ended, at)):
                yield value


def _spans(values: Since[T]) -> Iterator[tuple[int, int | None, T]]:
    """Each value with the instants at which it began and ended."""
    ends: list[int | None] = [begun for begun, _ in values[1:]]
    for (begun, value), ended in zip(values, [*ends, None], strict=False):
        yield begun, ended, value
