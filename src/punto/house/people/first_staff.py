"""The first start of a house: an account for each rank and an auditor."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from punto.house.people.account_list import page
from punto.house.people.accounts import Accounts, NameTaken
from punto.house.people.passwords import random_password
from punto.house.store.names import HOUSE, Role

STAFF_PASSWORD: Final = "PUNTO_STAFF_PASSWORD"
STAFF: Final = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.AUDITOR)
_FIRST_START: Final = "first start"
_AS_OPENED: Final = 2
"""The version of an account that was opened with a password and never changed."""
_LOOK_SECONDS: Final = 0.2

Say = Callable[[str], None]


async def open_staff(accounts: Accounts, say: Say) -> None:
    """On the first start: open an account for each rank and an auditor. Passwords are shown once, and only hashes kept.

    Each is shown before it is set: a start that is cut short leaves accounts without one, and the next start shows new
    ones. One node at a time does this, so that what is shown is what is set.
    """
    if not await _unshown(accounts):
        return
    while not await accounts.store.claim(_FIRST_START):
        await asyncio.sleep(_LOOK_SECONDS)
    try:
        await _staffed(accounts, await _unshown(accounts), say)
    finally:
        await accounts.store.release(_FIRST_START)


async def _unshown(accounts: Accounts) -> list[Role]:
    """The staff whose passwords nobody has seen. Empty where the house has other accounts instead."""
    accounts_by_role = {role: await accounts.find(role.value) for role in STAFF}
    if not any(accounts_by_role.values()) and await page(accounts.store, limit=1):
        return []
    unshown = [role for role, account in accounts_by_role.items() if account is None or account.password is None]
    if None in accounts_by_role.values():
        # An older version set all passwords before it showed one: where an account is missing, none was shown.
        new = {role: await accounts.on_record(role.value) for role in STAFF if role not in unshown}
        unshown += [role for role, person in new.items() if person is not None and person.version == _AS_OPENED]
    return unshown


async def _staffed(accounts: Accounts, roles: list[Role], say: Say) -> None:
    if not roles:
        return
    for role in roles:
        with suppress(NameTaken):
            await accounts.open(role.value, role, None, HOUSE)
    password_for_all = os.environ.get(STAFF_PASSWORD)
    words = {role.value: password_for_all or random_password() for role in roles}
    say("Staff accounts (name, password); the passwords are shown only this once:")
    for name, password in words.items():
        say(f"  {name:<15} {password if password_for_all is None else f'(from {STAFF_PASSWORD})'}")
    sys.stdout.flush()
    await asyncio.gather(*(accounts.set_password(name, password, HOUSE) for name, password in words.items()))
