"""Who counts as a second person. Two accounts belong to two persons if they have passed through no common hands:
whoever opened an account, or gave it a new password, could log in as that person, and may have set the password that
counts as that person's own."""

from __future__ import annotations

from typing import Final

from punto.house.people.accounts import Accounts
from punto.house.store import person as e
from punto.house.store.names import HOUSE

RESET_DAYS: Final = 30
"""How long whoever gave a new password counts: an owner who is kept out says so at the next shift, or after a leave."""
DAY_US: Final = 24 * 3600 * 1_000_000


async def hands(accounts: Accounts, name: str, since: int) -> frozenset[str]:
    """The person, whoever opened the account or gave a new password since `since`, and the hands of each of these."""
    known: set[str] = set()
    left = [name]
    while left:
        person = left.pop()
        if person == HOUSE or person in known:
            continue  # the house is nobody: people whose accounts it opened first set passwords of their own
        known.add(person)
        async for row, event in accounts.events(person):
            opened = isinstance(event, e.AccountOpened)
            if opened or (isinstance(event, e.PasswordReset) and row.at >= since):
                left.append(event.by)
    return frozenset(known)


async def common_hand(accounts: Accounts, first: str, second: str, since: int) -> str | None:
    """Somebody through whose hands both accounts have passed, if there is one: then these are not two persons."""
    both = await hands(accounts, first, since) & await hands(accounts, second, since)
    return min(both, default=None)
