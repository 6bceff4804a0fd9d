"""Through whose hands an account has passed. Two persons are two where their accounts have passed through no common
ones: whoever opened an account, or gave it a new password, knew how to come in as that person, and may have set the
password that counts as that person's own."""

from __future__ import annotations

from typing import Final

from punto.house.people.accounts import Accounts
from punto.house.store import person as e

RESET_DAYS: Final = 30
"""So long who gave a new password counts: an owner who is kept out says so at the next shift, or after a leave."""
DAY_US: Final = 24 * 3600 * 1_000_000
HOUSE: Final = "house"
"""Opens the first accounts and prints their passwords. Nobody's hand: each of them sets their own before all else."""


async def hands(accounts: Accounts, name: str, since: int) -> frozenset[str]:
    """The person, who opened the account, who gave a new password since then, and the hands of each of these."""
    hands_of: set[str] = set()
    left = [name]
    while left:
        person = left.pop()
        if person == HOUSE or person in hands_of:
            continue
        hands_of.add(person)
        async for row, event in accounts.events(person):
            opened = isinstance(event, e.AccountOpened)
            if opened or (isinstance(event, e.PasswordReset) and row.at >= since):
                left.append(event.by)
    return frozenset(hands_of)


async def common(accounts: Accounts, person_a: str, person_b: str, since: int) -> str | None:
    """Somebody through whose hands both accounts have passed, if there is one: then these are not two persons."""
    both = await hands(accounts, person_a, since) & await hands(accounts, person_b, since)
    return min(both, default=None)
